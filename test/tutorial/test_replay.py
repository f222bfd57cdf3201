#!/usr/bin/env python3
"""Tests the comparison of replay.py: output with other times matches, output with other findings, places or counts does
not."""
import pathlib
import sys
import tempfile
import unittest

import replay

REPORT = """./app
2 threads, 90.4 ms: speed-up 0.29, efficiency 14.7 %
  executing                 26.6 ms  14.7 %  #####

findings, by thread time
 1. small tasks: task app.c:19                                    153 ms  84.7 %
    166,925 tasks of 149 ns on average, while creating and scheduling a task
    costs 791 ns here.
 2. lock: critical app.c:30                                      1.50 ms   2.1 %

next: otter report --tasks app
"""
QUOTED = """./app
2 threads, 1.2 s: speed-up 1.29, efficiency 4.7 %
...
 1. lock: critical app.c:30                                       9.9 ms  12.1 %
...
 2. small tasks: task app.c:19                                     15 us     3 %
    166,925 tasks of 1.49 us on average, while creating and
    scheduling a task costs 7 us here.
...
"""


class Outputs(unittest.TestCase):
    def test_numbers_units_bars_and_breaks_of_lines(self):
        self.assertTrue(replay.matches(QUOTED, REPORT))
        self.assertTrue(replay.matches(REPORT, REPORT.replace("#####", "").replace("90.4 ms", "1.1 s")))
        self.assertTrue(replay.matches("takes -1.3 ms, 3.1 % less\n", "takes +4 us, 33 % more\n"))

    def test_text_places_and_counts(self):
        for old, new in (("small tasks", "slow creator"), ("app.c:19", "app.c:18"), ("166,925", "166,924"), ("./app", "./other"),
                         ("2 threads", "2 members"), ("84.7 %", "84.7"), ("costs 791 ns", "costs")):
            self.assertFalse(replay.matches(QUOTED, REPORT.replace(old, new)), old)

    def test_lines_that_are_left_out_need_dots(self):
        self.assertFalse(replay.matches(QUOTED.removesuffix("...\n"), REPORT))
        self.assertFalse(replay.matches("", REPORT))
        self.assertTrue(replay.matches("...\n", REPORT))
        self.assertFalse(replay.matches("...\n" + QUOTED, "./app\n"))


class Pages(unittest.TestCase):
    def test_commands_and_their_output(self):
        page = "## Before\n\n    $ cd x\n\n## 1. A\n\ntext\n\n    $ a \\\n        b\n    out\n\n    more\n    $ c\n\ntext\n\n    int i;\n\n## 2. B\n"
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "tutorial.md").write_text(page)
            blocks = replay.story_of(pathlib.Path(folder), "1")
        self.assertEqual(blocks[-1], "int i;")
        self.assertEqual([pair for block in blocks[:-1] for pair in replay.commands_of(block)],
                         [["cd x", ""], ["a b", "out\n\nmore\n"], ["c", ""]])

    def test_a_source_that_is_not_there(self):
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder, "a.c")
            source.write_text("int a;\n    int b;\nint c;\n")
            replay.check_source("int b;\nint c;", [source])
            for other in ("int c;\nint a;", "int a;\nint c;", "int"):
                self.assertRaises(replay.Mismatch, replay.check_source, other, [source])

    def test_a_command_that_fails(self):
        with tempfile.TemporaryDirectory() as folder:
            environment = {"errors": folder + "/errors", "PATH": "/bin:/usr/bin"}
            commands = ["export word=x", "echo $word; echo y >&2"]
            self.assertEqual(replay.run_all(commands, folder, environment), ["", "x\ny\n"])
            self.assertRaises(replay.Mismatch, replay.run_all, ["false", "true"], folder, environment)


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    unittest.main()
