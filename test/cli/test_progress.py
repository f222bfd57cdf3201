#!/usr/bin/env python3
"""Long work shows its progress on a terminal, clears its line, and shows nothing elsewhere."""
import os
import pty
import re
import subprocess

import case

ESCAPE = "\x1b"


class Progress(case.CommandCase):
    def setUp(self):
        super().setUp()
        self.archive = self.make("archive", 40000)
        self.environment["TERM"] = "xterm"

    def on_terminal(self, *arguments, is_long=True):
        """Returns what the command prints if stderr is a terminal and stdout a pipe."""
        master, slave = pty.openpty()
        environment = dict(self.environment)
        if is_long:
            environment["LD_PRELOAD"] = str(self.tool("libfast_clock.so"))
        with subprocess.Popen([self.otter, *map(str, arguments)], env=environment, cwd=self.folder, stderr=slave,
                              stdout=subprocess.PIPE, text=True) as process:
            os.close(slave)
            seen = b""
            while True:
                try:
                    more = os.read(master, 4096)
                except OSError:  # the other end is closed
                    break
                if not more:
                    break
                seen += more
            output = process.stdout.read()
            process.wait(case.PATIENCE)
        os.close(master)
        self.assertNotIn("reading", output)
        return seen.decode()

    def assert_shows_and_clears(self, text):
        lines = [line.rstrip() for line in text.split("\r")]
        self.assertRegex(text, "otter: reading( archive)?, ")
        self.assertTrue(any("%" in line for line in lines), text)
        last = max(i for i, line in enumerate(lines) if line.startswith(("otter: reading", "otter: analysing")))
        self.assertEqual(lines[last + 1], "", text)
        self.assertNotIn(ESCAPE, text)
        self.assertTrue(all(len(line) < 80 for line in lines[:last + 1]), text)

    def test_is_shown_and_cleared(self):
        for command in (["report"], ["check"], ["graph", "--hash"], ["export", "--to=csv", "-o", "tasks.csv"]):
            with self.subTest(command):
                self.assert_shows_and_clears(self.on_terminal(*command, self.archive))

    def test_is_shown_for_each_of_several_archives(self):
        second = self.make("second", 20000)
        for command in ("diff", "report"):
            with self.subTest(command):
                text = self.on_terminal(command, second.name, self.archive.name)
                self.assert_shows_and_clears(text)
                self.assertIn("otter: reading archive, ", text)
                self.assertIn("otter: analysing second ", text)

    def test_the_name_is_that_of_the_command_line(self):
        for name, shown in (("\u00e9" * 20, "\u00e9" * 20), ("\u00e9" * 40, "\u00e9" * 30), ("a\tb", "a\\tb")):
            with self.subTest(name):
                self.archive = self.archive.rename(self.folder / name)
                text = self.on_terminal("diff", f"{name}/.", name)
                self.assertIn(f"otter: reading {shown}, ", text)
                self.assertNotIn("reading .", text)

    def make_job(self, name):
        ranks = [f"{name}.{rank}" for rank in range(2)]
        for rank, archive in enumerate(ranks):
            self.make(archive, 60000, "", "OTTER::RANK", str(rank))
        self.assertEqual(self.run_otter("merge", "-o", name, *ranks).returncode, 0)

    def test_percents_of_an_archive_never_decrease(self):
        self.make_job("one")
        self.make_job("other")
        for name in ("process", "second"):
            self.make(name, 100000)
        for command in (["diff", "--jobs=1", "one", "other"], ["diff", "second", "process"], ["report", "second", "process"],
                        ["export", "--to=perfetto", "-o", "trace", "one"]):
            with self.subTest(command):
                text = self.on_terminal(*command)
                found = re.findall(r"otter: reading ?(\S*), (\d+) %", text)
                names = {name for name, _ in found}
                self.assertLessEqual(names, {"", *command})
                for name in names:
                    percents = [int(percent) for one, percent in found if one == name]
                    self.assertEqual(percents, sorted(percents), text)
                    self.assertTrue(80 <= percents[-1] < 100, percents)

    def test_the_time_left_decreases(self):
        text = self.on_terminal("check", self.archive)
        seconds = [int(n) * (60 if unit == "min" else 1) for n, unit in re.findall(r" %, (\d+) (s|min) left", text)]
        self.assertEqual(len(seconds), text.count(" %"), text)
        self.assertLess(seconds[-1], seconds[0] / 2)

    def test_a_report_shows_that_it_replays_the_run(self):
        text = self.on_terminal("report", self.archive)
        lines = [line.rstrip() for line in text.split("\r")]
        self.assertIn("otter: replaying the run", lines)
        self.assertEqual("".join(lines[lines.index("otter: replaying the run") + 1:]), "", text)
        self.assertNotIn("replaying", self.on_terminal("report", "--tasks", self.archive))

    def test_the_steps_of_a_page_follow_its_reading(self):
        text = self.on_terminal("view", "-o", "page.html", self.archive)
        lines = [line.rstrip() for line in text.split("\r")]
        steps = ["otter: reading", "otter: drawing the task graph", "otter: writing the page", "otter: page.html"]
        places = [next((i for i, line in enumerate(lines) if line.startswith(step)), -1) for step in steps]
        self.assertEqual(places, sorted(places), text)
        self.assertGreaterEqual(places[0], 0, text)
        self.assertEqual(lines[places[3] - 1], "", text)

    def test_messages_about_ranks_begin_on_a_line_of_their_own(self):
        for rank in range(3):
            self.make(f"r{rank}", 20000, "", "OTTER::RANK", str(rank))
        self.assertEqual(self.run_otter("merge", "-o", "m", "r0", "r1", "r2").returncode, 0)
        (self.folder / "m/traces/7.evt").write_bytes(b"damaged")  # of the last rank
        text = self.on_terminal("graph", "--hash", "--jobs=1", "m")
        lines = [line.rstrip() for line in text.split("\r")]
        place = next(i for i, line in enumerate(lines) if line.startswith("otter: the graph may have gaps"))
        self.assertTrue(any("reading" in line for line in lines[:place]), text)
        self.assertEqual(lines[place - 1], "", text)

    def test_percents_never_decrease(self):
        text = self.on_terminal("check", self.archive)
        percents = [int(part.split("%")[0]) for part in text.split("reading, ")[1:]]
        self.assertEqual(percents, sorted(percents))
        self.assertLess(percents[-1], 100)

    def test_short_work_shows_nothing(self):
        text = self.on_terminal("report", self.make("short", 10), is_long=False)
        self.assertEqual(text, "")

    def test_dumb_terminal_shows_nothing(self):
        self.environment["TERM"] = "dumb"
        self.assertEqual(self.on_terminal("report", self.archive), "")

    def test_pipe_shows_nothing(self):
        self.environment["LD_PRELOAD"] = str(self.tool("libfast_clock.so"))
        result = self.run_otter("report", self.archive)
        self.assertEqual((result.returncode, result.stderr), (0, ""))


if __name__ == "__main__":
    case.main()
