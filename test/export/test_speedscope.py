#!/usr/bin/env python3
"""The files of `otter export` for speedscope, as speedscope's page shows them in a browser.

usage: test_speedscope.py OTTER FOLDER BROWSER_MODULES|- SPEEDSCOPE_MODULES|- [unittest's arguments]

The modules are the folders that `scripts/modules browser` and `scripts/modules speedscope` print. Skipped (77) without them,
Node.js or a browser.
"""
import collections
import json
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "cli"))

import case  # noqa: E402  test/cli/case.py
import readers  # noqa: E402

SKIPPED = 77
PATIENCE = 300  # seconds, for all files
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
UNITS = {"ns": 1, "µs": 1e3, "ms": 1e6, "s": 1e9}
FORMATS = ("speedscope", "collapsed", "chrome")
HOSTILE = "</script>\"quotes' <b>&amp; \u4e16\U0001f9a6"


def missing(modules, speedscope):
    """Returns what is missing to run the test, or None."""
    if not shutil.which("node"):
        return "Node.js is missing"
    if not any(map(shutil.which, BROWSERS)):
        return "a browser is missing (Debian: chromium-headless-shell)"
    if not (pathlib.Path(modules) / "node_modules/puppeteer-core").is_dir():
        return "puppeteer-core is missing (`scripts/modules browser` installs it, then configure again)"
    if not (pathlib.Path(speedscope) / "node_modules/speedscope").is_dir():
        return "speedscope is missing (`scripts/modules speedscope` installs it, then configure again)"
    return None


def shown_weight(text):
    """Returns (value, largest error of rounding) of "15.30ms (40%)" or "15,296 (63%)"."""
    digits, unit = re.match(r"([\d.,]+)(\S*)", text).groups()
    scale = UNITS[unit] if unit else 1
    return float(digits.replace(",", "")) * scale, 0.0051 * scale if unit else 0


def weights_of_stacks(stacks):
    """Returns (total, self) of each name, for [(path of names, weight)]."""
    totals, selves = collections.Counter(), collections.Counter()
    for path, weight in stacks:
        selves[path[-1]] += weight
        for name in set(path):
            totals[name] += weight
    return {name: (totals[name], selves[name]) for name in totals}


def stacks_of(profile):
    """Returns [(path of frames, weight)] of an evented profile."""
    stacks, path, time = [], [], profile["startValue"]
    for event in profile["events"]:
        if path:
            stacks.append((tuple(path), event["at"] - time))
        time = event["at"]
        if event["type"] == "O":
            path.append(event["frame"])
        else:
            path.pop()
    return stacks


class Speedscope(case.CommandCase):
    maxDiff = 2000
    modules = speedscope = None

    def export(self, name, archive):
        path = self.folder / f"{archive.name}.{name}"
        result = self.run_otter("export", f"--to={name}", "-o", path, archive)
        self.assertEqual(result.returncode, 0, result.stderr)
        return path

    def show(self, files):
        """Returns what import_speedscope.mjs prints for each file."""
        result = subprocess.run(["node", HERE / "import_speedscope.mjs", self.modules, self.speedscope, *files],
                                capture_output=True, text=True, timeout=PATIENCE, check=False)
        self.assertEqual(result.returncode, 0, result.stderr)
        lines = [json.loads(line) for line in result.stdout.splitlines()]
        self.assertEqual(len(lines), len(files))
        return lines

    def check_archive(self, archive):
        files = [self.export(name, archive) for name in FORMATS]
        profiles, stacks, trace = self.show(files)
        self.assertEqual(profiles["complaints"], [])
        self.assertEqual(stacks["complaints"], [])
        file = json.loads(files[0].read_text(encoding="utf-8"))
        self.check_profiles(profiles, file)
        self.check_labels(profiles, archive)
        self.check_stacks(stacks, readers.collapsed(files[1].read_bytes()))
        self.assertEqual(len(trace["profiles"]), len(profiles["profiles"]))
        # the import adds times as floating point, so this only proves that the file opens
        self.assertTrue(all(trace["frames"]))

    def check_weight(self, text, expected, what):
        value, error = shown_weight(text)
        self.assertAlmostEqual(value, expected, delta=error, msg=what)

    def check_rows(self, rows, expected):
        """Compares rows. `expected`: (name, total, self) of each frame."""
        self.assertEqual(sorted(name for name, _, _ in rows), sorted(name for name, _, _ in expected))
        by_weight = sorted(rows, key=lambda row: (row[0], shown_weight(row[2])[0], shown_weight(row[1])[0]))
        expected = sorted(expected, key=lambda row: (row[0], row[2], row[1]))
        for (name, total, itself), (_, expected_total, expected_self) in zip(by_weight, expected):
            self.check_weight(total, expected_total, f"total of {name}")
            self.check_weight(itself, expected_self, f"self of {name}")

    def check_profiles(self, shown, file):
        names = [frame["name"] for frame in file["shared"]["frames"]]
        listed = shown["profiles"] or [[file["profiles"][0]["name"], None]]
        self.assertEqual([name for name, _ in listed], [profile["name"] for profile in file["profiles"]])
        for (name, weight), profile, rows in zip(listed, file["profiles"], shown["frames"]):
            stacks = stacks_of(profile)
            if weight:
                self.check_weight(weight, sum(weight for _, weight in stacks), name)
            self.check_rows(rows, [(names[frame], *pair) for frame, pair in weights_of_stacks(stacks).items()])

    def check_labels(self, shown, archive):
        """Checks that the top frames of tasks add up to the executed time in the report."""
        report = json.loads(self.run_otter("report", "--json", archive).stdout)
        executed = collections.Counter()
        for row in report["tables"]["labels"]:
            executed[row["label"]] += (row["executed_s"] + row["creating_s"]) * 1e9
        values, errors = collections.Counter(), collections.Counter()
        for name, _, itself in (row for rows in shown["frames"] for row in rows):
            value, error = shown_weight(itself)
            values[name] += value
            errors[name] += error
        top = sorted(executed, key=executed.get)[-5:]
        self.assertTrue(top)
        for label in top:
            self.assertAlmostEqual(values[label], executed[label], delta=errors[label] + executed[label] / 1e3, msg=label)

    def check_stacks(self, shown, stacks):
        self.assertEqual(shown["profiles"], [])
        expected = weights_of_stacks(stacks.items())
        self.check_rows(shown["frames"][0], [(name, *pair) for name, pair in expected.items()])

    def play(self, kind):
        self.environment["OMP_NUM_THREADS"] = "2"
        self.environment["OTTER_SWITCHES"] = "off"  # slices include time in which their thread is preempted, labels do not
        result = self.record("-o", kind, self.tool("../view/played"), kind)
        self.assertEqual(result.returncode, 0, result.stderr)
        return self.folder / kind

    def test_tasks(self):
        self.check_archive(self.play("tasks"))

    def test_constructs_nest(self):
        self.check_archive(self.play("nested"))

    def test_hostile_texts_are_data(self):
        """The stacks of this archive are empty: its tasks are shorter than a microsecond."""
        archive = self.make("hostile", 20, "kokkos", "text", HOSTILE, "OTTER::COMMAND_LINE", HOSTILE)
        path = self.export("speedscope", archive)
        shown, = self.show([path])
        self.assertEqual(shown["complaints"], [])
        self.check_profiles(shown, json.loads(path.read_text(encoding="utf-8")))
        self.assertIn(HOSTILE, [name for rows in shown["frames"] for name, _, _ in rows])


if __name__ == "__main__":
    lack = missing(*sys.argv[3:5])
    if lack:
        print(f"skipped: {lack}")
        sys.exit(SKIPPED)
    Speedscope.modules, Speedscope.speedscope = sys.argv[3:5]
    del sys.argv[3:5]
    case.main()
