"""Writes the text of a script's `.expected` file: counts and graph, without the frame common to all scripts.

The frame is the initial task and, with `include team`, an idle parallel region of two threads. Its nodes have names
(`first`, `fork`, `T0`, `T1`, `barrier`, `join`), the script's nodes have numbers.
"""
import collections
import re

TOGETHER_NS = 8
EARLIER_AT_ONE_TIME = {"end": 1, "task": 2, "begin": 3, "fragment": 4}

FIRST_COUNTS = {"entered": {"initial task": 1}, "parameter": {}, "record": {}}
TEAM_COUNTS = {"entered": {"initial task": 1, "parallel": 2, "implicit barrier [parallel]": 2}, "parameter": {},
               "record": {"Fork": 1, "Join": 1, "TeamBegin": 2, "TeamEnd": 2}}

# (kind, label, location) of a node of the frame: its name, and its line in a drawing.
FIRST_NODES = {("task", "initial task", 0): ("first", "task initial task of initial on 0")}
TEAM_NODES = FIRST_NODES | {
    ("begin", "parallel@fork", 0): ("fork", "begin parallel@fork of initial on 0"),
    ("task", "parallel@fork", 0): ("T0", "task parallel@fork of implicit on 0"),
    ("task", "parallel@fork", 1): ("T1", "task parallel@fork of implicit on 1"),
    ("sync", "implicit barrier@fork", 0): ("barrier", "sync implicit barrier@fork of implicit on 0"),
    ("end", "parallel@fork", 0): ("join", "end parallel@fork of initial on 0"),
}
TEAM_EDGES = {("first", "order", "fork"), ("fork", "creation", "T0"), ("fork", "creation", "T1"), ("T0", "join", "join"),
              ("T1", "join", "join"), ("barrier", "join", "join")}
# These edges are absent if a member does other work before the barrier.
TEAM_EDGES_OF_IDLE_MEMBERS = {("T0", "order", "barrier"), ("T1", "order", "barrier")}


def counts(found, stated, has_team):
    """The counts that differ from the frame's and that the script itself does not state (`expect record N KIND`).

    Enter and Parameter are left out, since they are the sums of the other two groups, and Leave if its count equals
    Enter's.
    """
    lines = []
    for what, frame in (TEAM_COUNTS if has_team else FIRST_COUNTS).items():
        numbers = collections.Counter(found[what])
        if what == "record":
            if numbers["Leave"] == numbers["Enter"]:
                del numbers["Leave"]
            del numbers["Enter"], numbers["Parameter"]
        stated_names = {text.partition(" ")[2] for text in stated[what]}
        lines += [f"{what} {numbers[name]} {name}" for name in sorted(set(numbers) | set(frame))
                  if numbers[name] != frame.get(name, 0) and name not in stated_names]
    return lines


class Drawing:
    """Returns a graph (of `otter graph --format json`) as lines. `places` names code locations, `streams` are the
    locations of devices."""

    def __init__(self, graph, view, has_team, places, streams):
        self.view, self.has_team, self.places, self.streams = view, has_team, places, streams
        self.nodes = self.in_order(graph["nodes"])
        self.names, self.frame = {}, {}
        self.give_names()
        self.edges = sorted({(self.names[edge["source"]], edge["kind"], self.names[edge["target"]]) for edge in graph["edges"]},
                            key=lambda edge: (self.rank(edge[0]), edge[1], self.rank(edge[2])))

    @staticmethod
    def rank(name):
        return (1, int(name[1:])) if re.fullmatch(r"n\d+", name) else (0, name)

    def label(self, node):
        """Returns the construct of a node, and the name that the script gives to its code location."""
        where = re.sub(r"^player\+(0x\w+)$", lambda match: self.places.get(match.group(1), "?"), node.get("where", ""))
        return node["what"] + (f"@{where}" if where else "")

    def in_order(self, nodes):
        """Sorts nodes by time, and nodes only a few ticks apart by kind. Nodes of devices are last, since a
        device's clock is inexact."""
        instant, last = {}, None
        for node in sorted(nodes, key=lambda node: node["start_ns"]):
            is_later = last is None or node["start_ns"] - last["start_ns"] > TOGETHER_NS
            instant[node["id"]] = node["start_ns"] if is_later else instant[last["id"]]
            last = node
        return sorted(nodes, key=lambda node: (node["location"] if node["location"] in self.streams else -1, instant[node["id"]],
                                               EARLIER_AT_ONE_TIME.get(node["kind"], 0), node["location"], self.label(node), node["id"]))

    def give_names(self):
        """Names the nodes of the frame, and numbers the others. In the fragments view all fragments of a task have one name."""
        n = 0
        of_frame = TEAM_NODES if self.has_team else FIRST_NODES
        for node in self.nodes:
            kind = "task" if node["kind"] == "fragment" else node["kind"]
            name, _ = of_frame.get((kind, self.label(node), node["location"]), (None, None))
            if name and (name not in self.frame or node["kind"] == "fragment"):
                self.frame.setdefault(name, node)
            else:
                n += 1
                name = f"n{n}"
            self.names[node["id"]] = name

    def line(self, node):
        scope = self.names.get(node.get("scope"), "fork")
        return " ".join(filter(None, (node["kind"], self.label(node), f"of {node.get('task', node.get('task_kind', '?'))}",
                                      "" if scope == "fork" else f"in {scope}", f"on {node['location']}", node.get("flags", ""))))

    def targets(self, name, is_of_frame):
        """Returns the edges from a node as `kind target target, kind target`, without the frame's edges."""
        by_kind = collections.defaultdict(list)
        for source, kind, target in self.edges:
            is_known = is_of_frame and (target in self.frame if self.view == "fragments"
                                        else (source, kind, target) in TEAM_EDGES | TEAM_EDGES_OF_IDLE_MEMBERS)
            if source == name and not is_known:
                by_kind[kind].append(target)
        return ", ".join(f"{kind} {' '.join(targets)}" for kind, targets in by_kind.items())

    def lines_of_frame(self):
        for name, line in (TEAM_NODES if self.has_team else FIRST_NODES).values():
            targets = self.targets(name, True)
            if self.view == "fragments":
                deviation = ""
            elif name not in self.frame:
                deviation = "absent"
            else:
                found = self.line(self.frame[name])
                deviation = "" if found == line else found
            if deviation or targets:
                yield " ".join(filter(None, (name, deviation, targets and f"-> {targets}")))
        if self.has_team and self.view == "structure":
            yield from (f"absent: {' '.join(edge)}" for edge in sorted(TEAM_EDGES - set(self.edges)))

    def lines(self):
        yield from self.lines_of_frame()
        for node in self.nodes:
            name = self.names[node["id"]]
            if name not in self.frame:
                targets = self.targets(name, False)
                yield f"{name} {self.line(node)}" + (f" -> {targets}" if targets else "")
