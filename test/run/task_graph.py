#!/usr/bin/env python3
"""The task graph written at the program's end: task_graph.py TOOL OTTER PROGRAM (a fib) CHDIR (which changes its folder).

It must equal the graph that `otter graph` makes of the same archive, and whatever goes wrong with it must not harm the
program.
"""
import json
import os
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import unittest

TOOL, OTTER, PROGRAM, CHDIR = (str(pathlib.Path(path).resolve()) for path in sys.argv[1:5])
WARNING = r"otter: cannot write graph '[^\n]*': [^\n]*; the archive is complete[^\n]*\n"


class TaskGraph(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.folder = pathlib.Path(made.name).resolve()

    def run_program(self, command=(PROGRAM, "8"), **settings):
        """Runs the command with and without the tool, and checks that only stderr differs. Returns the tool's stderr."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("OTTER_", "OMP_"))}
        environment |= {"OMP_NUM_THREADS": "2", "OMP_TOOL_LIBRARIES": TOOL, "OTTER_TRACE_PATH": "traces"} | settings
        runs = [subprocess.run(command, cwd=self.folder, env=environment | more, capture_output=True, text=True, check=False)
                for more in ({"OMP_TOOL": "disabled"}, {})]
        self.assertEqual((runs[1].returncode, runs[1].stdout), (runs[0].returncode, runs[0].stdout))
        return runs[1].stderr

    def files(self):
        return sorted(path.name for path in self.folder.iterdir() if path.name != "traces")

    def archives(self):
        return sorted((self.folder / "traces").iterdir())

    def by_command(self, *options):
        """Returns the output of `otter graph` for the only archive."""
        archives = self.archives()
        self.assertEqual(len(archives), 1, archives)
        path = self.folder / "traces" / "by_command"
        subprocess.run([OTTER, "graph", archives[0], "-o", path, *options], check=True, capture_output=True, timeout=60)
        text = path.read_text()
        path.unlink()
        return text

    def one(self, pattern):
        names = [name for name in self.files() if re.fullmatch(pattern, name)]
        self.assertEqual(len(names), 1, f"{pattern} in {self.files()}")
        return (self.folder / names[0]).read_text()

    @staticmethod
    def dot_nodes(text):
        return sorted(map(int, re.findall(r"^\s*n?(\d+)\s*\[", text, re.M)))

    @staticmethod
    def dot_edges(text):
        return sorted(re.findall(r"^\s*n?(\d+)\s*->\s*n?(\d+)", text, re.M))

    def test_picture_is_that_of_the_command(self):
        said = self.run_program(OTTER_TASK_GRAPH_OUTPUT="graph")
        text = self.one(r"graph\.\d+\.gv")
        other = self.by_command("--format", "dot")
        self.assertGreater(len(self.dot_nodes(text)), 50)
        self.assertEqual(self.dot_nodes(text), self.dot_nodes(other))
        self.assertEqual(self.dot_edges(text), self.dot_edges(other))
        self.assertIn(f"otter: task graph: {self.files()[0]}\n", said)
        self.assertEqual(len(self.files()), 1, self.files())

    def test_edges_and_nodes_are_those_of_the_command(self):
        self.run_program(OTTER_TASK_GRAPH_OUTPUT="graph.csv", OTTER_TASK_GRAPH_FORMAT="edge")
        text = self.one(r"graph\.\d+\.csv")
        self.assertEqual(text.partition("\n")[0], "parent_node_id,child_node_id")
        self.assertGreater(text.count("\n"), 50)
        self.assertEqual(text, self.by_command("--format", "csv"))
        self.assertGreater(self.one(r"graph\.\d+\.nodes\.csv").count("\n"), 50)

    def test_every_format_is_written(self):
        for form, ending in [("csv", "csv"), ("json", "json"), ("graphml", "graphml")]:
            self.run_program(OTTER_TASK_GRAPH_OUTPUT=form, OTTER_TASK_GRAPH_FORMAT=form)
            self.assertGreater(len(self.one(rf"{form}\.\d+\.{ending}")), 1000)

    def test_node_attributes_are_of_the_graph_s_nodes(self):
        self.run_program(OTTER_TASK_GRAPH_OUTPUT="graph", OTTER_TASK_GRAPH_NODEATTR="nodes")
        nodes = json.loads(self.one(r"nodes\.\d+\.json"))
        self.assertEqual(list(nodes), ["nodes"])
        ids = sorted(node["id"] for node in nodes["nodes"])
        self.assertEqual(ids, self.dot_nodes(self.one(r"graph\.\d+\.gv")))
        whole = json.loads(self.by_command("--format", "json"))
        self.assertEqual([(node["id"], node["kind"]) for node in nodes["nodes"]],
                         [(node["id"], node["kind"]) for node in whole["nodes"]])

    def test_node_attributes_alone(self):
        self.run_program(OTTER_TASK_GRAPH_NODEATTR="nodes.json")
        self.assertEqual(len(self.files()), 1, self.files())
        self.assertGreater(len(json.loads(self.one(r"nodes\.\d+\.json"))["nodes"]), 50)

    def test_nobody_asks_and_nothing_is_written(self):
        said = self.run_program()
        self.assertEqual(self.files(), [])
        self.assertNotIn("graph:", said)

    def test_host_and_rank_are_in_the_name(self):
        self.run_program(OTTER_TASK_GRAPH_OUTPUT="graph", OTTER_APPEND_HOSTNAME="on", PMIX_RANK="7")
        self.one(rf"graph\.{re.escape(socket.gethostname())}\.7\.\d+\.gv")

    def test_two_processes_write_two_files(self):
        self.run_program(["sh", "-c", '"$0" 8 & "$0" 8 && wait', PROGRAM], OTTER_TASK_GRAPH_OUTPUT="graph")
        self.assertEqual(len(self.files()), 2, self.files())
        self.assertEqual(len(self.archives()), 2)

    def test_the_folder_is_made_where_the_program_began(self):
        self.run_program([CHDIR], OTTER_TASK_GRAPH_OUTPUT="a/b/graph")
        self.assertEqual(self.files(), ["a"])
        self.assertEqual(len(list((self.folder / "a/b").glob("graph.*.gv"))), 1)

    def test_a_folder_that_cannot_be_made_is_one_warning(self):
        (self.folder / "file").write_text("")
        said = self.run_program(OTTER_TASK_GRAPH_OUTPUT="file/graph")
        self.assertEqual(len(re.findall(WARNING, said)), 1, said)
        self.assertEqual(said.count("file/graph"), 1, said)
        self.assertEqual(self.files(), ["file"])
        self.assertIn("tasks", subprocess.run([OTTER, "info", self.archives()[0]], capture_output=True, text=True, check=True).stdout)

    def test_a_full_disk_is_one_warning(self):
        link = 'ln -s /dev/full graph.$$.gv && exec "$0" 8'
        said = self.run_program(["sh", "-c", link, PROGRAM], OTTER_TASK_GRAPH_OUTPUT="graph")
        self.assertEqual(len(re.findall(WARNING, said)), 1, said)
        self.assertIn("space", said)
        self.assertNotIn("task graph: ", said)
        self.assertEqual(len(self.archives()), 1)

    def test_a_large_picture_is_drawn_in_groups(self):
        said = self.run_program([PROGRAM, "16"], OTTER_TASK_GRAPH_OUTPUT="graph")
        text = self.one(r"graph\.\d+\.gv")
        self.assertLess(text.count("->"), 100)
        self.assertIn("grouped by label", said)

    def test_a_bad_format_is_named_and_the_picture_written(self):
        said = self.run_program(OTTER_TASK_GRAPH_OUTPUT="graph", OTTER_TASK_GRAPH_FORMAT="gif")
        self.assertIn("dot|edge|csv|json|graphml", said)
        self.one(r"graph\.\d+\.gv")

    def test_quiet_says_nothing(self):
        self.assertEqual(self.run_program(OTTER_TASK_GRAPH_OUTPUT="graph", OTTER_QUIET="on"), "")
        self.one(r"graph\.\d+\.gv")

    def test_no_graph_without_an_archive(self):
        self.run_program(OTTER_TASK_GRAPH_OUTPUT="graph", OTTER_ENABLED="off")
        self.assertEqual(self.files(), [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
