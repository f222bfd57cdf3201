#!/usr/bin/env python3
"""Other programs read the files of `otter graph`: csv, networkx, igraph and Graphviz find the same nodes, edges and labels.

usage: test_export.py WRITE_GRAPH [unittest's arguments]
"""
import collections
import csv
import importlib.util
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import networkx

PATIENCE = 120
KINDS = {"creation", "order", "nesting", "join", "dependence", "undeferred", "doacross", "fulfil", "message", "collective"}

# The labels of write_graph.c; invalid UTF-8 is read as Latin-1.
HOSTILE = [1000 * 'long\n"µ"', "plain", 'a "quoted" one', "comma, semicolon; tab\t", "line\nbreak\r\n", "<b>&amp;</b>", "back\\slash \\N",
           "]]>", "Größe µs 🦦", " spaces ", "=1+1", "{record|field}", "\x01\x1b[31m",
           "-1", "+1", "@SUM(1)", "\t=1", "\r=1", "a;=1", "\x9b31m \x85 \x7f",
           "\u202e reversed \u200f\u2066\u061c", "\u2028 line \ufeff", "none \ufffe \uffff", "ÿþ no UTF-8"]

# A spreadsheet evaluates cells that begin with these.
FORMULA = tuple("=+-@\t\r\n")
# Characters that an export must escape, since they control a terminal, reorder text, or are invalid.
INVISIBLE = re.compile("[\0-\x09\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufffe\uffff]")


def without_control(text):
    """Returns the text with only the characters that XML allows."""
    return "".join("\ufffd" if c in "\ufffe\uffff" or (c < " " and c not in "\t\n\r") else c for c in text)


def without_guard(cell):
    """Returns a cell without the apostrophe that prevents its evaluation."""
    return cell[1:] if cell[:1] == "'" and cell[1:].startswith(FORMULA) else cell


def rows(path):
    with open(path, newline="", encoding="utf-8") as file:
        return [{name: without_guard(cell) for name, cell in row.items()} for row in csv.DictReader(file, strict=True)]


def attributes(row):
    """Returns the attributes of a node as text, without its id and without empty values."""
    return {name: str(value) for name, value in row.items() if name != "id" and value not in ("", None)}


class ExportCase(unittest.TestCase):
    write_graph = None

    def write(self, shape, size):
        folder = tempfile.TemporaryDirectory(prefix="otter-export-")
        self.addCleanup(folder.cleanup)
        subprocess.run([self.write_graph, shape, str(size), folder.name], check=True, timeout=PATIENCE)
        return pathlib.Path(folder.name)

    def json(self, path):
        return json.loads(path.read_text(encoding="utf-8"))

    def nodes_and_edges(self, folder, name):
        """Returns the content of the tables: attributes by id, edges with their kinds and numbers."""
        nodes = {row["id"]: attributes(row) for row in rows(folder / f"{name}.nodes.csv")}
        edges = collections.Counter((row["source"], row["target"], row["kind"], row.get("n_edges"))
                                    for row in rows(folder / f"{name}.edges.csv"))
        return nodes, edges


class Formats(ExportCase):
    """Every format describes the same graph."""

    SHAPES = (("empty", 0), ("chain", 1), ("chain", 100), ("fork", 50), ("random", 300), ("fragments", 20), ("hostile", 0),
              ("framed", 0))

    def each(self):
        for shape, size in self.SHAPES:
            folder = self.write(shape, size)
            for name in ("graph", "grouped"):
                with self.subTest(shape=shape, size=size, name=name):
                    yield folder, name, *self.nodes_and_edges(folder, name)

    def test_edge_list(self):
        for folder, name, _, edges in self.each():
            text = (folder / f"{name}.csv").read_text()
            self.assertEqual(text.splitlines()[0], "parent_node_id,child_node_id")
            pairs = collections.Counter(tuple(line.split(",")) for line in text.splitlines()[1:])
            expected = collections.Counter()
            for (source, target, _, _), n in edges.items():
                expected[source, target] += n
            self.assertEqual(pairs, expected)

    def test_json(self):
        for folder, name, nodes, edges in self.each():
            found = self.json(folder / f"{name}.json")
            self.assertEqual({str(node["id"]): attributes(node) for node in found["nodes"]}, nodes)
            self.assertEqual(collections.Counter((str(e["source"]), str(e["target"]), e["kind"],
                                                  str(e["n_edges"]) if "n_edges" in e else None)
                                                 for e in found["edges"]), edges)

    def test_node_attributes(self):
        for folder, name, nodes, _ in self.each():
            if name == "graph":
                found = self.json(folder / "nodeattr.json")
                self.assertEqual(list(found), ["nodes"])
                self.assertEqual({str(node["id"]): attributes(node) for node in found["nodes"]}, nodes)

    def test_node_link_form_of_networkx(self):
        for folder, name, nodes, edges in self.each():
            graph = networkx.node_link_graph(self.json(folder / f"{name}.json") | {"links": self.json(folder / f"{name}.json")["edges"]})
            self.assertIsInstance(graph, networkx.MultiDiGraph)
            self.assertEqual((len(graph), graph.number_of_edges()), (len(nodes), sum(edges.values())))

    def test_graphml_by_networkx(self):
        for folder, name, nodes, edges in self.each():
            graph = networkx.read_graphml(folder / f"{name}.graphml", force_multigraph=True)
            expected = {i: {k: without_control(v) for k, v in node.items()} for i, node in nodes.items()}
            self.assertEqual({i: attributes(graph.nodes[i]) for i in graph}, expected)
            self.assertEqual(collections.Counter((s, t, e["kind"], str(e["n_edges"]) if "n_edges" in e else None)
                                                 for s, t, e in graph.edges(data=True)), edges)
            if name == "graph":
                self.assertTrue(networkx.is_directed_acyclic_graph(graph))

    @unittest.skipUnless(importlib.util.find_spec("igraph"), "there is no igraph")
    def test_graphml_by_igraph(self):
        import igraph
        for folder, name, nodes, edges in self.each():
            graph = igraph.Graph.Read_GraphML(str(folder / f"{name}.graphml"))
            self.assertEqual((graph.vcount(), graph.ecount()), (len(nodes), sum(edges.values())))
            self.assertTrue(graph.is_directed())
            if nodes:
                self.assertEqual(graph.vs["kind"], [node["kind"] for node in nodes.values()])
            if name == "graph":
                self.assertTrue(graph.is_dag())

    @unittest.skipUnless(shutil.which("dot"), "there is no Graphviz")
    def test_picture_by_graphviz(self):
        for folder, name, nodes, edges in self.each():
            drawn = subprocess.run(["dot", "-Tsvg", folder / f"{name}.gv"], capture_output=True, timeout=PATIENCE)
            self.assertEqual((drawn.returncode, drawn.stderr), (0, b""))
            text = drawn.stdout.decode()
            self.assertEqual(text.count('class="node"'), len(nodes))
            self.assertEqual(text.count('class="edge"'), sum(edges.values()))

    @unittest.skipUnless(shutil.which("dot"), "there is no Graphviz")
    def test_labels_are_drawn_as_frames_in_each_other(self):
        folder = self.write("framed", 0)
        drawn = subprocess.run(["dot", "-Tdot_json", folder / "grouped.gv"], capture_output=True, timeout=PATIENCE, check=True)
        frames = [item for item in json.loads(drawn.stdout)["objects"] if item["name"].startswith("cluster")]
        self.assertEqual(sorted(len(frame.get("subgraphs", ())) for frame in frames), [0] + [1] * (len(HOSTILE) - 1))
        # each label has a start, an end and a kernel, inside its frame and all outer frames
        self.assertEqual(sorted(len(frame["nodes"]) for frame in frames), [3 * (i + 1) for i in range(len(HOSTILE))])


class Content(ExportCase):
    def test_sizes_are_those_of_the_formula(self):
        for shape, size, n_nodes, n_edges in (("chain", 1000, 1000, 999), ("fork", 1000, 1002, 2000), ("random", 500, 500, 1497)):
            nodes, edges = self.nodes_and_edges(self.write(shape, size), "graph")
            self.assertEqual((len(nodes), sum(edges.values())), (n_nodes, n_edges))

    def test_all_kinds_of_edges(self):
        _, edges = self.nodes_and_edges(self.write("random", 300), "graph")
        self.assertEqual({kind for _, _, kind, _ in edges}, KINDS)

    def test_labels_of_any_bytes(self):
        folder = self.write("hostile", 0)
        nodes, _ = self.nodes_and_edges(folder, "graph")
        self.assertEqual([node["what"] for node in nodes.values()], HOSTILE)

    def test_no_cell_is_calculated(self):
        for shape in ("hostile", "framed"):
            for path in self.write(shape, 0).glob("*.csv"):
                with open(path, newline="", encoding="utf-8") as file:
                    cells = [cell for row in csv.reader(file) for cell in row]
                self.assertEqual([cell for cell in cells if cell.startswith(FORMULA)], [])

    def test_what_does_not_show_itself_is_escaped(self):
        for shape in ("hostile", "framed"):
            folder = self.write(shape, 0)
            for path in (*folder.glob("*.json"), *folder.glob("*.gv"), *folder.glob("*.graphml")):
                found = INVISIBLE.findall(path.read_bytes().decode())
                self.assertEqual((path.name, found), (path.name, []))

    @unittest.skipUnless(shutil.which("dot"), "there is no Graphviz")
    def test_pictures_show_the_escapes(self):
        for shape in ("hostile", "framed"):
            drawn = subprocess.run(["dot", "-Tsvg", self.write(shape, 0) / "graph.gv"], capture_output=True, timeout=PATIENCE, check=True)
            text = drawn.stdout.decode()
            self.assertEqual(INVISIBLE.findall(text), [])
            for escape in ("\\u009b31m \\u0085 \\u007f", "\\u202e reversed", "\\uffff"):
                self.assertTrue(escape in text, escape)

    def test_groups_say_what_is_labelled_and_in_which_label_they_lie(self):
        nodes, _ = self.nodes_and_edges(self.write("framed", 0), "grouped")
        found = [(node["kind"], node["construct"], node.get("scope")) for node in nodes.values()]
        begins = [i for i, node in nodes.items() if node["kind"] == "begin"]
        for at, around in zip(range(0, 2 * len(HOSTILE), 2), [None, *begins]):
            self.assertEqual(found[at], ("begin", "Kokkos region", around))
            self.assertEqual(found[at + 1], ("scope", "Kokkos parallel_reduce", str(at)))
        self.assertEqual([node[0] for node in found[2 * len(HOSTILE):]], ["end"] * len(HOSTILE))
        self.assertEqual([node[2] for node in found[2 * len(HOSTILE):]], begins[::-1])

    def test_groups_count_what_they_stand_for(self):
        folder = self.write("fork", 100)
        nodes, edges = self.nodes_and_edges(folder, "grouped")
        all_nodes, _ = self.nodes_and_edges(folder, "graph")
        self.assertEqual([(node["what"], node["n_nodes"]) for node in nodes.values()], [("task", "101"), ("taskwait", "1")])
        self.assertEqual(int(nodes["0"]["total_ns"]),
                         sum(int(node["duration_ns"]) for node in all_nodes.values() if node["what"] == "task"))
        self.assertEqual(edges, {("0", "0", "creation", "100"): 1, ("0", "1", "join", "100"): 1})

    def test_view_and_title(self):
        for shape, view in (("chain", "structure"), ("fragments", "fragments")):
            folder = self.write(shape, 3)
            found = self.json(folder / "graph.json")["graph"]
            self.assertEqual(found, {"view": view, "title": "<b>&amp;</b>"})
            self.assertEqual(self.json(folder / "grouped.json")["graph"]["grouped_by"], "label")
            self.assertEqual(networkx.read_graphml(folder / "graph.graphml").graph["view"], view)

    def test_tasks_name_their_nodes_and_creators(self):
        tasks = self.json(self.write("chain", 3) / "graph.json")["tasks"]
        self.assertEqual(tasks[0], {"index": 0, "id": "0:1", "kind": "explicit", "location": 0, "first_node": 0, "last_node": 0})
        self.assertEqual([task.get("creator") for task in tasks], [None, 0, 1])


if __name__ == "__main__":
    ExportCase.write_graph = str(pathlib.Path(sys.argv[1]).resolve())
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
