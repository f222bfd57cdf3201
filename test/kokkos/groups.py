#!/usr/bin/env python3
"""The grouped graph of the molecular dynamics example shows the structure of the program by its labels: each kernel
once in each region that launches it, in source order, with cycles only where the program repeats itself.

    groups.py OTTER PROGRAM
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "cli"))

from case import clean_environment  # noqa: E402

N_STEPS = 40  # with a new list of neighbours every 10 steps and a report every 20 steps
LIST = ["count neighbours", "list neighbours"]
# (labels of regions, outermost first): {label of a kernel or copy: number}, without Kokkos' initialisations of views
PROGRAM = {
    ("set up",): {"place on a lattice": 1, "forces": 1},
    ("set up", "neighbour list"): dict.fromkeys(LIST, 1),
    ("report",): {"kinetic energy": 1, "snapshot <- positions": 1},
    ("time step",): {"push and move": N_STEPS, "forces": N_STEPS, "push": N_STEPS},
    ("time step", "neighbour list"): dict.fromkeys(LIST, N_STEPS // 10),
    ("time step", "report"): {"kinetic energy": N_STEPS // 20, "snapshot <- positions": N_STEPS // 20},
}
CONSTRUCTS = {"count neighbours": "parallel_scan", "forces": "parallel_reduce", "kinetic energy": "parallel_reduce",
              "snapshot <- positions": "deep_copy"}


class Groups(unittest.TestCase):
    otter = program = None

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="otter-groups-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        environment = clean_environment() | {"OMP_NUM_THREADS": "2", "OMP_PROC_BIND": "false"}
        subprocess.run([cls.otter, "record", "--trace-name=md", cls.program, "5", str(N_STEPS)], cwd=cls.folder, env=environment,
                       capture_output=True, timeout=60, check=True)
        cls.archive = next(cls.folder.glob("md.*"))
        graph = json.loads(cls.graph("--group=label", "--format=json"))
        cls.nodes = {node["id"]: node for node in graph["nodes"]}
        cls.edges = [(edge["source"], edge["target"]) for edge in graph["edges"]]

    @classmethod
    def graph(cls, *arguments):
        return subprocess.run([cls.otter, "graph", "--output=-", *arguments, cls.archive], cwd=cls.folder, capture_output=True,
                              text=True, timeout=60, check=True).stdout

    def path(self, node):
        """Returns the labels of the enclosing regions."""
        labels = []
        while "scope" in node:
            node = self.nodes[node["scope"]]
            labels.insert(0, node["what"])
        return tuple(labels)

    def test_each_kernel_is_one_node_in_each_region(self):
        found = {}
        for node in self.nodes.values():
            if node["kind"] == "scope" and not node["what"].startswith("Kokkos::"):
                region = found.setdefault(self.path(node), {})
                self.assertNotIn(node["what"], region)
                region[node["what"]] = node["n_nodes"]
                self.assertEqual(node["construct"], "Kokkos " + CONSTRUCTS.get(node["what"], "parallel_for"))
                self.assertGreater(node["total_ns"], 0)
        self.assertEqual(found, PROGRAM)

    def test_what_the_runtime_does_in_a_kernel_is_not_shown(self):
        self.assertEqual([node["what"] for node in self.nodes.values() if "scope" in node and "construct" not in node], [])

    def test_circles_are_those_of_the_loop_over_steps(self):
        begin, = (i for i, node in self.nodes.items() if node["what"] == "time step" and node["kind"] == "begin")
        end, = (i for i, node in self.nodes.items() if node["what"] == "time step" and node["kind"] == "end")
        self.assertIn((end, begin), self.edges)
        waiting = {(source, target) for source, target in self.edges if source != target} - {(end, begin)}
        nodes = set(self.nodes)
        while first := nodes - {target for _, target in waiting}:
            nodes -= first
            waiting = {edge for edge in waiting if edge[0] not in first}
        self.assertEqual(nodes, set())

    def test_a_picture_has_a_frame_for_each_region(self):
        self.assertEqual(self.graph("--group=label").count("subgraph cluster"), len(PROGRAM))


if __name__ == "__main__":
    Groups.otter, Groups.program = (str(pathlib.Path(path).resolve()) for path in sys.argv[1:3])
    unittest.main(argv=sys.argv[:1])
