#!/usr/bin/env python3
"""`otter graph` writes the requested file, names the file, and reports an impossible request in one message."""
import csv
import io
import json
import re
import resource
import shutil
import signal
import unittest

import case

HEADER = "parent_node_id,child_node_id"


class GraphCase(case.CommandCase):
    """The graph of an archive with some tasks and three lost events."""

    def graph(self, *arguments, **options):
        return self.run_otter("graph", *arguments, **options)

    def json(self, *arguments):
        result = self.graph("--format=json", "--output=-", *arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def files(self):
        return sorted(p.name for p in self.folder.iterdir() if p.is_file())


class Output(GraphCase):
    def test_is_a_picture_named_after_the_archive(self):
        result = self.graph(self.make("fib"))
        self.assertEqual((result.returncode, result.stdout), (0, ""))
        self.assertEqual(self.files(), ["fib.gv"])
        self.assertRegex(result.stderr, r"otter: fib\.gv: 1\d\d nodes, 2\d\d edges; to draw it: dot -Tsvg -O fib\.gv\n")
        self.assertTrue((self.folder / "fib.gv").read_text().startswith("digraph"))

    def test_is_of_the_newest_archive_when_none_is_named(self):
        self.make("otter-b")
        result = self.graph()
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("otter: the newest archive here is otter-b", result.stderr)
        self.assertEqual(self.files(), ["otter-b.gv"])

    def test_of_csv_is_three_files(self):
        result = self.graph(self.make(), "-o", "x.csv")
        self.assertEqual(self.files(), ["x.csv", "x.edges.csv", "x.nodes.csv"])
        for name in self.files():
            self.assertIn(f" {name}", result.stderr)
        lines = (self.folder / "x.csv").read_text().splitlines()
        self.assertEqual(lines[0], HEADER)
        with open(self.folder / "x.nodes.csv", newline="") as file:
            n_nodes = len(list(csv.DictReader(file)))
        ends = {int(i) for line in lines[1:] for i in line.split(",")}
        self.assertLess(max(ends), n_nodes)

    def test_of_csv_is_the_edges_on_standard_output(self):
        for name in ("csv", "edge"):
            result = self.graph(self.make(name), "-f", name, "-o", "-")
            self.assertEqual(result.returncode, 0)
            self.assertEqual(next(csv.reader(io.StringIO(result.stdout))), HEADER.split(","))
        self.assertEqual(self.files(), [])

    def test_has_the_format_of_its_name(self):
        path = self.make()
        for name, beginning in (("a.json", "{"), ("a.graphml", "<?xml"), ("a.gv", "digraph"), ("a.csv", HEADER), ("a.dot", "digraph"),
                                ("a", "digraph")):
            self.graph(path, "-o", name)
            self.assertTrue((self.folder / name).read_text().startswith(beginning), name)
        self.graph(path, "-f", "json", "-o", "b.csv")
        self.assertTrue((self.folder / "b.csv").read_text().startswith("{"))

    def test_of_groups_is_what_is_counted(self):
        path = self.make()
        whole = self.json(path)
        for name in ("x.json", "x.gv"):
            said = self.graph(path, "-g", "label", "-o", name).stderr
            pattern = r"otter: x\.\w+: (\d+) nodes, (\d+) edges for (\d+) nodes, (\d+) edges, grouped by label"
            numbers = [int(number) for number in re.search(pattern, said).groups()]
            self.assertEqual(numbers[2:], [len(whole["nodes"]), len(whole["edges"])])
            text = (self.folder / name).read_text()
            if name == "x.json":
                written = [len(json.loads(text)[key]) for key in ("nodes", "edges")]
            else:
                written = [text.count(" tooltip="), text.count(" -> ")]
            self.assertEqual(numbers[:2], written)

    def test_is_counted_in_singular(self):
        self.assertRegex(self.graph(self.make(), "-r", "0:7", "-o", "x.json").stderr, r"otter: x\.json: 1 node, 0 edges\n")

    def test_says_that_dependences_were_left_out(self):
        result = self.graph(self.make("without", 10, "ours", "OTTER::DEPENDENCES", "left out"))
        self.assertEqual(result.returncode, 0)
        said = [line for line in result.stderr.splitlines() if "depend" in line]
        self.assertEqual(len(said), 1, result.stderr)
        for word in ("not recorded", "LLVM", "OTTER_DEPENDENCES=on"):
            self.assertIn(word, said[0])
        self.assertIn("OTTER_DEPENDENCES=on", self.graph("--hash", "without").stderr)
        self.assertNotIn("depend", self.graph(self.make("with", 10)).stderr)

    def test_says_what_the_graph_lacks(self):
        path = self.make()
        result = self.graph(path)
        self.assertRegex(result.stderr, r"(?m)^otter: the graph may have gaps: 3 events were lost, .*; for details: otter check .*archive$")


class Graph(GraphCase):
    def test_has_every_task(self):
        for view, kind in (("structure", "task"), ("fragments", "fragment")):
            found = self.json(self.make(view), "--view", view)
            self.assertEqual(found["graph"], {"view": view, "title": "./fib 27"})
            explicit = {node["task"] for node in found["nodes"] if node["kind"] == kind and node["task_kind"] == "explicit"}
            self.assertEqual(explicit, {f"0:{i}" for i in range(1, 101)})

    def test_of_one_task(self):
        path = self.make()
        for root in ("0:7", self.node_of(path, "0:7")):
            found = self.json(path, "--root", root)
            self.assertEqual([node["task"] for node in found["nodes"]], ["0:7"])
            self.assertEqual(found["edges"], [])

    def node_of(self, path, task):
        return str(next(node["id"] for node in self.json(path)["nodes"] if node.get("task") == task))

    def test_of_some_levels(self):
        path = self.make()
        everything = len(self.json(path)["nodes"])
        sizes = [len(self.json(path, "--root=0", "--depth", depth)["nodes"]) for depth in range(3)]
        self.assertLess(sizes[0], sizes[1])
        self.assertLess(sizes[1], sizes[2])
        self.assertLessEqual(sizes[2], everything)
        self.assertGreater(sizes[2], 100)

    def test_in_groups(self):
        found = self.json(self.make(), "--group", "label")
        self.assertEqual(found["graph"]["grouped_by"], "label")
        self.assertEqual([node["n_nodes"] for node in found["nodes"] if node.get("task_kind") == "explicit"], [100])

    def test_large_is_drawn_in_groups_unless_all_is_wanted(self):
        path = self.make("large", 3000)
        result = self.graph(path)
        self.assertRegex(result.stderr, r"otter: a picture of 3,0\d\d nodes is unreadable: nodes are grouped by label \(--all")
        self.assertIn("×3000", (self.folder / "large.gv").read_text())
        for arguments in (("--all",), ("-f", "csv"), ("-r", "0:7")):
            self.assertNotIn("grouped", self.graph(path, *arguments, "-o", "x").stderr)
        self.assertEqual(self.graph(path, "--all", "-o", "-").stdout.count("\\n0:"), 3000)
        self.assertEqual(len(self.json(path)["tasks"]), 3000 + len(self.json(self.make("small", 1))["tasks"]) - 1)

    def test_folded_has_one_of_each(self):
        found = self.json(self.make(), "--fold-team")
        self.assertEqual(len([node for node in found["nodes"] if node.get("task", "").startswith("0:")]), 100)

    def test_hash_is_that_of_the_graph(self):
        one, same, other = (self.graph("--hash", self.make(name, n)).stdout for name, n in (("a", 10), ("b", 10), ("c", 11)))
        self.assertRegex(one, r"^[0-9a-f]{32}\n$")
        self.assertEqual(one, same)
        self.assertNotEqual(one, other)
        self.assertEqual(self.files(), [])


class Hash(GraphCase):
    def test_is_of_the_archive_alone(self):
        program = self.folder / "app"
        shutil.copy(self.tool("tasks"), program)
        self.assertEqual(self.record(program).returncode, 0)
        archive, = self.archives()
        places = {node.get("file", "") for node in self.json(archive)["nodes"]}
        self.assertTrue(any(place.endswith("tasks.c") for place in places), places)
        before = self.graph("--hash", archive)
        program.unlink()
        after = self.graph("--hash", archive)
        self.assertRegex(before.stdout, r"^[0-9a-f]{32}\n$")
        self.assertEqual((before.stdout, before.stderr), (after.stdout, after.stderr))


class Failure(GraphCase):
    def test_of_the_command_line(self):
        path = self.make()
        for arguments, words in (
                (("--format=png",), ("'png'", "dot, csv, json, graphml")),
                (("--view=tree",), ("'tree'", "structure, fragments")),
                (("--group=thread",), ("--group=thread", "--group=label")),
                (("--root=fib",), ("'fib'", "1:17")),
                (("--root=1:",), ("'1:'",)),
                (("--root=-1",), ("'-1'",)),
                (("--root=4294967296",), ("'4294967296'",)),
                (("--root=1", "--depth=x"), ("--depth=x",)),
                (("--depth=1",), ("--depth", "--root")),
                (("--all", "--group=label"), ("--all", "--group")),
                (("--fold-team", "--view=fragments"), ("--fold-team",)),
                (("--hash", "--view=fragments"), ("--hash",)),
                (("--hash", "-o", "x"), ("--hash", "--output")),
                (("--hash", "-f", "csv"), ("--hash", "--format")),
                (("--hash", "--group=label"), ("--hash", "--group")),
                (("--hash", "--all"), ("--hash", "--all")),
                (("-o", "a.svg"), ("'a.svg'", "dot -Tsvg")),
                (("-o",), ("'-o'", "needs a value")),
                (("--colour",), ("'--colour'", "--fold-team")),
                (("another",), ("'another'", "one archive"))):
            self.assert_fails(self.graph(path, *arguments), 2, *words, "otter help graph" if "svg" not in words[0] else "")
        self.assertEqual(self.files(), [])

    def test_of_a_root_that_is_not_there(self):
        path = self.make("archive", 10)
        for root, words in (("0:11", ("task '0:11'",)), ("7:1", ("task '7:1'",)), ("0:0", ("task '0:0'", "one of its nodes")),
                            ("4711", ("node '4711'",))):
            result = self.graph(path, "--root", root)
            self.assertEqual(result.returncode, 1)
            message = result.stderr.splitlines()[-1]
            for word in words:
                self.assertIn(word, message)
        self.assertEqual(self.files(), [])

    def test_of_what_is_no_archive(self):
        self.write("text", "hello")
        self.assert_fails(self.graph("nothing"), 1, "'nothing'", "No such file")
        self.assert_fails(self.graph("text"), 1, "'text'")
        self.assert_fails(self.graph(), 1, "no archive here")

    def test_of_an_archive_of_another_tool(self):
        self.assert_fails(self.graph(self.make("foreign", 10, "foreign")), 1, "foreign", "not written by Otter")
        self.assertEqual(self.files(), [])

    def test_of_a_damaged_archive(self):
        path = self.make("archive", 1000)
        with open(path / "traces" / "0.evt", "r+b") as file:
            file.truncate(3000)
        result = self.graph(path)
        self.assertEqual(result.returncode, 0)
        self.assertIn("1 thread cannot be read completely", result.stderr)
        shutil.rmtree(path / "traces")
        (path / "traces.def").unlink()
        self.assert_fails(self.graph(path, "-o", "x"), 1, "archive")
        self.assertEqual(self.files(), ["archive.gv"])

    def last_message(self, result):
        self.assertEqual(result.returncode, 1)
        return result.stderr.splitlines()[-1]

    def test_of_the_output(self):
        path = self.make()
        self.assertRegex(self.last_message(self.graph(path, "-o", "none/x.gv")), "'none/x.gv': No such file")
        self.assertRegex(self.last_message(self.graph(path, "-o", ".")), "Is a directory")
        self.assertRegex(self.last_message(self.graph(path, "-o", "/dev/full")), "'/dev/full': No space left")
        with open("/dev/full", "w") as full:
            result = self.run_otter("graph", path, "-o", "-", capture_output=False, stdout=full, stderr=-1)
        self.assertRegex(self.last_message(result), "standard output: No space left")

    def test_without_a_place_says_how_to_name_one(self):
        path = self.make()
        (self.folder / "archive.gv").mkdir()
        self.assertRegex(self.last_message(self.graph(path)), r"'.*archive\.gv': Is a directory \(--output=FILE")

    def test_of_a_full_disk_leaves_what_was_there(self):
        path = self.make()
        self.write("x.csv", "old")

        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000))
        result = self.graph(path, "-o", "x.csv", preexec_fn=limit)
        self.assertIn("x.nodes.csv", self.last_message(result))
        self.assertEqual(self.files(), ["x.csv"])
        self.assertEqual((self.folder / "x.csv").read_text(), "old")


class Help(GraphCase):
    def test_names_every_option(self):
        text = self.run_otter("help", "graph").stdout
        self.assertEqual(text, self.graph("-h").stdout)
        for option in ("format", "output", "hash", "view", "fold-team", "root", "depth", "group", "all", "help"):
            self.assertIn(f"--{option}", text)
        for line in text.splitlines():
            self.assertLessEqual(len(line), 118)


if __name__ == "__main__":
    case.main()
