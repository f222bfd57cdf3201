#!/usr/bin/env python3
"""`otter check` accepts sound archives, and reports the faults of others with their places."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import unittest

import case

RECORDED = pathlib.Path(__file__).resolve().parent.parent / "damage" / "archives"

# An archive of another tool, written by python3-otf2: regions on two threads, {body} on the second.
FOREIGN = """
import sys
import otf2
with otf2.writer.open(sys.argv[1], timer_resolution=1000000) as trace:
    one = trace.definitions.region("one", source_file="a.c", begin_line_number=3)
    two = trace.definitions.region("two")
    node = trace.definitions.system_tree_node("node")
    group = trace.definitions.location_group("process", system_tree_parent=node)
    first = trace.event_writer("first", group=group)
    second = trace.event_writer("second", group=group)
    first.enter(100, one)
    first.leave(300, one)
    {body}
"""


def python_with_otf2():
    for python in ("python3", "/usr/bin/python3"):
        if shutil.which(python) and subprocess.run([python, "-c", "import otf2"], capture_output=True).returncode == 0:
            return python
    return None


class CheckCase(case.CommandCase):
    def recorded(self, name):
        """Copies a recording of a small program."""
        path = self.folder / name
        shutil.copytree(RECORDED / name, path)
        return path

    def check(self, *arguments, **options):
        return self.run_otter("check", *arguments, **options)

    def results(self, *arguments, status=0):
        """Returns the JSON report, and its checks by name."""
        result = self.check("--json", *arguments)
        self.assertEqual((result.returncode, result.stderr), (status, ""))
        found = json.loads(result.stdout)
        return found, {entry["name"]: entry for entry in found["checks"]}

    @staticmethod
    def quirks(checks):
        return {note["quirk"]: note["n"] for entry in checks.values() for note in entry["notes"]}

    def change(self, path, before, after):
        content = path.read_bytes()
        self.assertEqual(len(re.findall(before, content, re.S)), 1, f"{before} in {path}")
        path.write_bytes(re.sub(before, after, content, flags=re.S))


class Sound(CheckCase):
    def test_is_said_in_one_block(self):
        result = self.check(self.recorded("fib"))
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertRegex(result.stdout, r"\n  17 checks passed: 454 events on 2 locations,\n  66 tasks, \d+ nodes and \d+ edges")
        self.assertLess(len(result.stdout.splitlines()), 6)
        self.assertRegex(result.stdout, r"\n  \d[\d.]{0,3} (s|ms|us) of all threads: [\d.]+ % busy")

    def test_fits_a_terminal(self):
        for name in ("fib", "cancelled", "untied", "killed"):
            for line in self.check(self.recorded(name)).stdout.splitlines():
                self.assertLessEqual(len(line), 80, line)

    def test_is_proven_in_json(self):
        found, checks = self.results(self.recorded("taskgroup"))
        self.assertTrue(found["sound"])
        self.assertEqual((found["events"], found["tasks"]), (484, 84))
        self.assertEqual({entry["verdict"] for entry in checks.values()}, {"ok"})
        for name in ("nesting", "tasks", "clock", "order", "scopes", "acyclic", "time", "account"):
            self.assertGreater(checks[name]["tested"], 0, name)
        times = found["times"]
        self.assertEqual(times["wall"], times["running"] + times["locks"] + times["forking"] + times["outside"]
                         + sum(times["waiting"].values()))

    def test_names_what_was_discarded(self):
        _, checks = self.results(self.recorded("cancelled"))
        self.assertEqual(checks["tasks"]["verdict"], "note")
        self.assertEqual(self.quirks(checks), {"discarded tasks": 39})

    def test_names_what_was_cut_off(self):
        found, checks = self.results(self.recorded("killed"))
        self.assertEqual(self.quirks(checks), {"cut off": 1})
        self.assertEqual([(marker["group"], marker["category"]) for marker in found["markers"]], [("Otter", "cut off")])
        self.assertIn("cut off (1)", self.check(self.folder / "killed").stdout)

    def test_names_what_was_left_out(self):
        left_out, off, untold = (("OTTER::" + name, value) for name, value in (
            ("DEPENDENCES", "left out"), ("SETTING::DEPENDENCES", "off"), ("CALLBACK::DEPENDENCES", "never")))
        cases = ((left_out, "memory.* OTTER_DEPENDENCES=on"), (left_out + off, "because of OTTER_DEPENDENCES=off"),
                 (("OTTER::DEPENDENCES", "some of unknown kind"), "the graph treats them as inout"),
                 (untold, "this OpenMP runtime does not report"), (off, None), ((), None))
        for i, (properties, reason) in enumerate(cases):
            path = self.make(f"a{i}", 10, "ours", *properties)
            _, checks = self.results(path, status=1)  # tasks without regions are another deviation
            notes = [note for note in checks["counts"]["notes"] if note["quirk"] == "dependences left out"]
            text = self.check(path).stdout
            if reason:
                self.assertRegex(notes[0]["first"][0]["text"], reason)
                self.assertIn("\n    dependences left out (1)\n", text)
                self.assertRegex(text.replace("\n     ", ""), reason)
            else:
                self.assertEqual(notes, [])
                self.assertNotIn("left out", text)
            self.assertEqual(bool(re.search("(no|uncertain) dependences", self.run_otter("graph", "--hash", path).stderr)), bool(reason))

    def test_is_the_newest_without_a_name(self):
        for age, name in enumerate(("otter-b", "otter-a")):
            shutil.copytree(RECORDED / "fib", self.folder / name)
            os.utime(self.folder / name / "traces.otf2", (1000 - age, 1000 - age))
        result = self.check()
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("otter-b", result.stdout.splitlines()[0])


class Wrong(CheckCase):
    def test_task_is_named(self):
        path = self.recorded("fib")
        # The end of task 0:5 becomes an end of task 0:99, which does not exist.
        self.change(path / "traces" / "0.evt", rb"\x3d\x04\x00\x00\x01\x05", b"\x3d\x04\x00\x00\x01\x63")
        found, checks = self.results(path, status=1)
        self.assertFalse(found["sound"])
        self.assertEqual(checks["tasks"]["errors"], 2)
        self.assertEqual({(error["task"], error["text"]) for error in checks["tasks"]["first_errors"]},
                         {("0:5", "never ended"), ("0:99", "was never created, and is referred to")})
        error = checks["switches"]["first_errors"][0]
        self.assertEqual((error["thread"], error["location"], error["task"]), ("Master thread", 0, "0:99"))
        self.assertGreater(error["ns"], 0)
        text = self.check(path).stdout
        self.assertRegex(text, r"checks passed, [2-9] failed: ")
        self.assertRegex(text, r"\n  tasks: 2 deviations among \d+ tasks\n    rule: a task is created once")
        self.assertRegex(text, r"\n +Master thread \(location 0\), [0-9,]+ ns: task 0:99: ended here")

    def test_long_names_are_wrapped(self):
        self.make("archive", 50, "kokkos", "text", "\U0001f680 rocket " * 10)
        self.environment["COLUMNS"] = "80"
        for command in ("check", "info"):
            lines = self.run_otter(command, "archive").stdout.splitlines()
            self.assertEqual([line for line in lines if len(line) + line.count("\U0001f680") > 80], [])
        self.assertIn("was left, but no switch names the next task", " ".join(self.run_otter("check", "archive").stdout.split()))

    def test_loss_is_a_note(self):
        path = self.recorded("fib")
        self.change(path / "traces.otf2", rb"OTTER::LOST\x000\x00", b"OTTER::LOST\x007\x00")
        _, checks = self.results(path)
        self.assertEqual(self.quirks(checks), {"lost events": 7})
        self.change(path / "traces" / "0.evt", rb"\x3d\x04\x00\x00\x01\x05", b"\x3d\x04\x00\x00\x01\x63")
        _, checks = self.results(path, status=1)
        self.assertEqual(checks["tasks"]["verdict"], "note")  # the end may be among the lost events

    def test_damage_is_told_and_the_rest_checked(self):
        path = self.recorded("fib")
        events = path / "traces" / "1.evt"
        os.truncate(events, events.stat().st_size // 2)
        _, checks = self.results(path, status=1)
        self.assertEqual({name for name, entry in checks.items() if entry["verdict"] == "error"}, {"files"})
        self.assertIn("1.evt' is cut off", checks["files"]["first_errors"][0]["text"])
        self.assertEqual(checks["order"]["reason"], "not all locations can be read")
        self.assertGreater(checks["nesting"]["tested"], 20)

    def test_damaged_markers_are_told(self):
        path = self.recorded("killed")
        os.truncate(path / "traces.marker", 40)
        found, checks = self.results(path, status=1)
        self.assertIn("traces.marker' is cut off", checks["files"]["first_errors"][0]["text"])
        self.assertEqual(found["markers"], [])

    def test_unreadable_is_one_message(self):
        path = self.recorded("fib")
        os.truncate(path / "traces.def", 100)
        self.assert_fails(self.check(path), 1, "traces.def", "cut off")
        self.assert_fails(self.check(self.folder / "nothing"), 1, "nothing")
        self.assert_fails(self.check(cwd="/"), 1, "no archive here")

    def test_command_line(self):
        self.assert_fails(self.check("a", "b"), 2, "one archive")
        self.assert_fails(self.check("--all"), 2, "--all", "--json")
        self.assertIn("Usage: otter check", self.check("--help").stdout)


class Foreign(CheckCase):
    def write_foreign(self, body):
        python = python_with_otf2()
        if not python:
            self.skipTest("there is no python3-otf2")
        path = self.folder / "foreign"
        subprocess.run([python, "-c", FOREIGN.replace("{body}", body), str(path)], check=True, capture_output=True)
        return path

    def test_is_checked_for_what_holds_of_all(self):
        path = self.write_foreign("second.enter(120, two); second.enter(130, one); second.leave(140, one); second.leave(150, two)")
        _, checks = self.results(path)
        verdicts = {name: entry["verdict"] for name, entry in checks.items()}
        self.assertEqual({name for name in verdicts if verdicts[name] == "ok"},
                         {"files", "definitions", "counts", "clock", "nesting"})
        self.assertEqual(checks["tasks"]["verdict"], "not applicable")
        self.assertIn("not written by Otter", checks["tasks"]["reason"])
        text = self.check(path).stdout
        self.assertIn("5 checks passed: 6 events on 2 locations", text)
        self.assertIn("not applicable: teams, locks", text)

    def test_must_nest(self):
        path = self.write_foreign("second.enter(120, two); second.leave(140, one); second.enter(150, one)")
        _, checks = self.results(path, status=1)
        self.assertEqual(checks["nesting"]["errors"], 2)
        self.assertEqual(checks["nesting"]["first_errors"][0],
                         {"location": 1, "thread": "second", "time": 140, "ns": 40000,
                          "text": "leaves one, two was entered last"})

    def test_newer_schema_is_no_error(self):
        path = self.recorded("fib")
        self.change(path / "traces.otf2", rb"OTTER::SCHEMA\x00\d\x00", b"OTTER::SCHEMA\x009\x00")
        _, checks = self.results(path)
        self.assertEqual(checks["nesting"]["verdict"], "ok")
        self.assertEqual(checks["tasks"]["verdict"], "not applicable")
        self.assertIn("schema 9", checks["tasks"]["reason"])
        # Only one place in the code decides which schemas are known.
        self.assert_fails(self.run_otter("graph", path), 1, checks["tasks"]["reason"])


if __name__ == "__main__":
    case.main()
