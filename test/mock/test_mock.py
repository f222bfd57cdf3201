#!/usr/bin/env python3
"""Tests mock.py, expectation.py and coverage.py: deviations are found under one name, and missing items are found.

    test_mock.py PLAYER
"""
import contextlib
import io
import pathlib
import sys
import tempfile
import unittest

import coverage
import expectation
import mock

PLAYER = sys.argv.pop()


def script(text):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "a.mock"
        path.write_text(text)
        return mock.Script(path)


def check(name, errors=(), notes=()):
    """Returns a check as in the report of `otter check --json`; errors are texts, notes are quirks."""
    return {"name": name, "first_errors": [{"text": text} for text in errors], "notes": [{"quirk": quirk} for quirk in notes]}


def complaints(text, *checks):
    play = mock.Play.__new__(mock.Play)
    play.script, play.problems = script(text), []
    play.check_names({name for one in checks for name in play.names_of(one)})
    return play.problems


class OfNames(unittest.TestCase):
    def test_a_fault_with_one_name_in_several_checks_is_right(self):
        self.assertEqual(complaints("broken untold ends", check("counts", notes=["untold ends"]), check("tasks", notes=["untold ends"])), [])

    def test_an_error_is_named_by_its_check_and_its_text_without_numbers(self):
        errors = ["acquires lock 1, which it holds", "acquires lock 22, which it holds"]
        self.assertEqual(complaints("broken locks: acquires lock, which it holds", check("locks", errors)), [])
        self.assertEqual(complaints("broken graph: task without an end", check("graph", ["1 task without an end"])), [])

    def test_a_fault_that_is_not_found_is_complained_of(self):
        self.assertEqual(len(complaints("broken untold ends", check("counts"))), 1)

    def test_a_fault_with_two_names_is_complained_of(self):
        self.assertEqual(len(complaints("broken tasks: ends once more", check("tasks", ["ends once more"]), check("time", ["its events run"]))), 1)
        self.assertEqual(len(complaints("broken untold ends", check("counts", notes=["untold ends", "late end"]))), 1)

    def test_a_fault_with_another_name_is_complained_of(self):
        self.assertEqual(len(complaints("broken untold ends", check("counts", notes=["late end"]))), 1)

    def test_what_is_not_broken_has_one_quirk_at_most_and_no_error(self):
        self.assertEqual(complaints("covers H1", check("tasks", notes=["paused"]), check("graph", notes=["paused"])), [])
        self.assertEqual(len(complaints("covers H1", check("tasks", notes=["paused", "late end"]))), 1)
        self.assertEqual(len(complaints("expect error tasks 1 never ended", check("tasks", ["never ended"]))), 1)


class OfDevices(unittest.TestCase):
    def complaints(self, text):
        play = mock.Play.__new__(mock.Play)
        play.script, play.problems, play.said = script(text), [], {"device": ["start_trace 0", "stop_trace 1"]}
        play.check_devices()
        return play.problems

    def test_what_is_asked_in_another_order_or_not_at_all_is_complained_of(self):
        self.assertEqual(self.complaints("expect device start_trace 0\nexpect device stop_trace 1"), [])
        self.assertEqual(len(self.complaints("expect device stop_trace 1\nexpect device start_trace 0")), 1)
        self.assertEqual(len(self.complaints("expect device flush_trace 0")), 1)

    def test_what_is_asked_though_the_script_spares_it_is_complained_of(self):
        self.assertEqual(self.complaints("expect spared stop_trace 0\nexpect spared flush_trace"), [])
        self.assertEqual(len(self.complaints("expect spared stop_trace 1\nexpect spared start_trace")), 2)


def node(number, kind, what, location=0, **more):
    """Returns a node as in the graph of `otter graph --format json`; all nodes begin at different times."""
    return {"id": number, "kind": kind, "what": what, "location": location, "start_ns": 100 * number, "task_kind": "implicit"} | more


class OfExpectations(unittest.TestCase):
    """An idle team equals the frame, so nothing is drawn; each changed node or edge is a line."""

    def setUp(self):
        place, initial = {"where": "player+0x1"}, {"task_kind": "initial"}
        self.nodes = [node(1, "task", "initial task", **initial), node(2, "begin", "parallel", **place, **initial),
                      node(3, "task", "parallel", **place, scope=2), node(4, "task", "parallel", 1, **place, scope=2),
                      node(5, "sync", "implicit barrier", **place, scope=2),
                      node(6, "end", "parallel", **place, **initial, scope=2)]
        self.edges = [(1, "order", 2), (2, "creation", 3), (2, "creation", 4), (3, "join", 6), (4, "join", 6), (3, "order", 5),
                      (4, "order", 5), (5, "join", 6)]

    def drawn(self, view="structure"):
        edges = [{"source": source, "kind": kind, "target": target} for source, kind, target in self.edges]
        return list(expectation.Drawing({"nodes": self.nodes, "edges": edges}, view, True, {"0x1": "fork"}, set()).lines())

    def test_the_frame_draws_nothing(self):
        self.assertEqual(self.drawn(), [])

    def test_another_edge_of_the_frame_is_drawn(self):
        self.edges.append((4, "join", 5))
        self.assertEqual(self.drawn(), ["T1 -> join barrier"])

    def test_an_absent_edge_of_the_frame_is_drawn(self):
        self.edges.remove((2, "creation", 4))
        self.assertEqual(self.drawn(), ["absent: fork creation T1"])

    def test_an_absent_node_and_a_changed_node_of_the_frame_are_drawn(self):
        self.nodes[4]["flags"] = "implied"
        self.nodes[5]["what"] = "teams"
        drawn = self.drawn()
        self.assertIn("barrier sync implicit barrier@fork of implicit on 0 implied -> join n1", drawn)
        self.assertIn("join absent", drawn)
        self.assertIn("n1 end teams@fork of initial on 0", drawn)

    def test_a_task_is_drawn_with_its_edges(self):
        self.nodes.append(node(7, "task", "task", 1, task="0:1", scope=2))
        self.edges += [(3, "creation", 7), (7, "join", 5)]
        self.assertEqual(self.drawn(), ["T0 -> creation n1", "n1 task task of 0:1 on 1 -> join barrier"])
        self.assertEqual(self.drawn("fragments"), self.drawn())

    def test_counts_that_differ_from_the_frame_are_drawn(self):
        found = {"record": {"Enter": 5, "Leave": 5, "Fork": 1, "Join": 1, "TeamBegin": 2, "TeamEnd": 2}, "parameter": {},
                 "entered": {"implicit barrier [parallel]": 2, "initial task": 1, "parallel": 2}}
        stated = script("expect record 3 Flush").expected
        self.assertEqual(expectation.counts(found, stated, True), [])
        found["record"] |= {"Join": 0, "Flush": 3, "Leave": 4, "Switch": 1}
        self.assertEqual(expectation.counts(found, stated, True), ["record 0 Join", "record 4 Leave", "record 1 Switch"])
        self.assertEqual(expectation.counts(found, stated, False)[0], "entered 2 implicit barrier [parallel]")


class OfCoverage(unittest.TestCase):
    def problems_of(self, *scripts):
        with contextlib.redirect_stdout(io.StringIO()):
            return coverage.check(PLAYER, list(scripts), True)

    def test_each_item_that_no_script_covers_is_named(self):
        missing = [problem.partition(" ")[0] for problem in self.problems_of(script("covers H1 D5 C10")) if "no script covers it" in problem]
        self.assertEqual(sorted(missing), sorted(set(coverage.ITEMS) - {"H1", "D5", "C10"}))

    def test_items_are_all_that_hosts_devices_and_commands_have(self):
        items = [f"H{i}" for i in range(1, 7)] + [f"D{i}" for i in range(1, 13)] + [f"C{i}" for i in range(1, 11)]
        self.assertEqual(sorted(coverage.ITEMS), sorted(items))

    def test_a_word_that_no_script_plays_is_named(self):
        played = self.problems_of(script("T0 cancel i1 taskgroup"))
        self.assertIn("cancel sections: no script plays it", played)
        self.assertNotIn("cancel taskgroup: no script plays it", played)

    def test_an_item_that_is_not_there_is_complained_of(self):
        self.assertTrue(any(problem.endswith("there is no item H99") for problem in self.problems_of(script("covers H99"))))


if __name__ == "__main__":
    unittest.main()
