"""The graph of all ranks of a job: edges between ranks, their numbers, their order in time, no cycle."""
import collections
import json

BETWEEN = ("message", "collective")


def graph_of(job, view):
    return json.loads(job.otter("graph", "-f", "json", "-o", "-", f"--view={view}").stdout)


def leaves(node, kind):
    """When an edge leaves a node (core/graph/README.md)."""
    is_of_body = kind in ("creation", "order", "nesting", "fulfil")
    return node["start_ns"] if node["kind"] == "task" and is_of_body else node["end_ns"]


def arrives(node):
    return node["start_ns"] if node["kind"] in ("task", "begin", "fragment", "device") else node["end_ns"]


def check_order(nodes, edges):
    waiting = collections.Counter(edge["target"] for edge in edges)
    followers = collections.defaultdict(list)
    for edge in edges:
        followers[edge["source"]].append(edge["target"])
        if edge["kind"] in BETWEEN:
            assert leaves(nodes[edge["source"]], edge["kind"]) <= arrives(nodes[edge["target"]]), (edge, nodes[edge["source"]], nodes[edge["target"]])
    ready = [node for node in range(len(nodes)) if not waiting[node]]
    for node in ready:  # grows
        for other in followers[node]:
            waiting[other] -= 1
            if not waiting[other]:
                ready.append(other)
    assert len(ready) == len(nodes), f"{len(nodes) - len(ready)} nodes on cycles or behind them"


def check_view(job, view, messages, collectives, routes):
    graph = graph_of(job, view)
    nodes, edges = graph["nodes"], graph["edges"]
    found = [edge for edge in edges if edge["kind"] == "message"]
    assert len(found) == messages, (view, len(found), messages)
    between = collections.Counter((nodes[edge["source"]]["rank"], nodes[edge["target"]]["rank"]) for edge in found)
    assert routes is None or between == routes, (view, between, routes)
    for edge in edges:
        ranks = {nodes[edge[end]].get("rank") for end in ("source", "target")}
        assert (edge["kind"] in BETWEEN) == (len(ranks) > 1), (edge, ranks)
    for edge in found:
        assert nodes[edge["source"]]["kind"] == "begin" and nodes[edge["source"]]["what"] in ("MPI_Send", "MPI_Isend"), nodes[edge["source"]]
    meetings = collections.Counter(node["what"] for node in nodes if "rank" not in node)
    assert meetings == collectives, (view, meetings, collectives)
    check_order(nodes, edges)


def check(job, messages, collectives, routes=None):
    """Checks both views. `collectives`: the number of operations of all ranks by name; `routes`: the number of messages by sender and receiver."""
    for view in ("structure", "fragments"):
        check_view(job, view, messages, collections.Counter(collectives), routes)
