"""Checks the graph of all ranks of a job: the number of edges between ranks, their order in time, and that there is no
cycle. Also checks the flows of messages in exports."""
import collections
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "export"))
import readers

BETWEEN = ("message", "collective")


def graph_of(job, view):
    return json.loads(job.otter("graph", "-f", "json", "-o", "-", f"--view={view}").stdout)


def leaves(node, kind):
    """Returns when an edge leaves a node (core/graph/README.md)."""
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
    for node in ready:  # the list grows meanwhile
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
    """Checks both views. `collectives`: the number of operations of all ranks by name; `routes`: the number of messages by
    sender and receiver."""
    for view in ("structure", "fragments"):
        check_view(job, view, messages, collections.Counter(collectives), routes)


# ---- flows of messages in exports

def check_chrome(job, routes):
    """Checks that each message leaves a slice of an MPI call in one process, and reaches such a slice in another."""
    events = json.loads(job.otter("export", "--to=chrome", "-o", "-").stdout)["traceEvents"]
    calls = [event for event in events if event["ph"] == "X" and event["cat"] == "mpi"]
    ends = {phase: {event["id"]: event for event in events if event["ph"] == phase and event["name"] == "message"} for phase in "sf"}
    others = {event["id"] for event in events if event["ph"] == "s" and event["name"] != "message"}
    assert ends["s"].keys() == ends["f"].keys() and not ends["s"].keys() & others, (ends, others)
    found = collections.Counter()
    for number, begin in ends["s"].items():
        end = ends["f"][number]
        assert begin["ts"] <= end["ts"] and end["bp"] == "e", (begin, end)
        names = [[call["name"] for call in calls if (call["pid"], call["tid"]) == (event["pid"], event["tid"])
                  and call["ts"] <= event["ts"] < call["ts"] + call["dur"]] for event in (begin, end)]
        assert [len(each) for each in names] == [1, 1], (begin, end, names)
        assert names[0][0] in ("MPI_Send", "MPI_Isend") and names[1][0] in ("MPI_Recv", "MPI_Waitall"), names
        found[begin["pid"] - 1, end["pid"] - 1] += 1
    assert found == routes, (found, routes)


def check_perfetto(job, routes):
    """Checks that a message leaves at the start of a call that sends, and arrives at the end of a call of another process that
    receives."""
    path = job.merged.parent / "trace"
    job.otter("export", "--to=perfetto", "-o", path)
    leaves, reaches, names, calls = {}, {}, {}, collections.defaultdict(list)
    for data in readers.Message(path.read_bytes())[1]:
        packet = readers.Message(data)
        rank = packet.one(readers.SEQUENCE) - 1
        for name in packet.message(readers.INTERNED).get(2, []) if readers.INTERNED in packet else []:
            names[rank, readers.Message(name).one(1)] = readers.Message(name).text(2)
        if readers.EVENT in packet:
            event = packet.message(readers.EVENT)
            open_calls = calls[rank, event.one(11)]
            if event.one(9) == 1:
                open_calls.append(names[rank, event.one(10)])
            place = rank, packet.one(readers.TIMESTAMP), event.one(9), open_calls[-1] if open_calls else None
            if event.one(9) == 2:
                open_calls.pop()
            leaves |= {number: place for number in event.get(47, [])}
            reaches |= {number: place for number in event.get(48, [])}
    assert leaves.keys() == reaches.keys(), (leaves, reaches)
    between = {number for number in leaves if leaves[number][0] != reaches[number][0]}
    assert collections.Counter((leaves[number][0], reaches[number][0]) for number in between) == routes, (between, routes)
    for number in between:
        assert leaves[number][1] < reaches[number][1] and (leaves[number][2], reaches[number][2]) == (1, 2), (leaves[number], reaches[number])
        assert leaves[number][3] in ("MPI_Send", "MPI_Isend") and reaches[number][3] in ("MPI_Recv", "MPI_Waitall"), (leaves[number], reaches[number])


def check_flows(job, routes):
    check_chrome(job, collections.Counter(routes))
    check_perfetto(job, collections.Counter(routes))
