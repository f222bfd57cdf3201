#!/usr/bin/env python3
"""Plays scripts to the OMPT connector and compares the recording with their expectations.

    mock.py --player PLAYER --tool TOOL[:TOOL]... --otter OTTER [--update] SCRIPT     compares with the script's expectations
    mock.py --player PLAYER --coverage [--list] SCRIPT...                             checks that some script has each item
    and each word

README.md describes the language of the scripts. Exit status: 0, or 1 after printing the complaints.
"""
import argparse
import collections
import difflib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "run"))

import archive as archives  # noqa: E402  test/run/archive.py
import expectation  # noqa: E402
import invariants  # noqa: E402

TOLERANCE_NS = 200_000
CLOSING = re.compile(r"otter: [\d,]+ events, .*|otter: next: .*|OTTER_TRACE_FOLDER=.*")


class Script:
    """The directives of a script for this driver. The player reads the other lines."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        self.covers, self.settings, self.expected, self.events = [], {}, collections.defaultdict(list), []
        self.broken, self.has_team = None, False
        for words in self.lines(self.path):
            if words[0] == "covers":
                self.covers += words[1:]
            elif words[0] == "broken":
                self.broken = " ".join(words[1:])
            elif words[0] == "setting":
                name, _, value = words[1].partition("=")
                self.settings[name] = value
            elif words[0] == "expect":
                self.expected[words[1]].append(" ".join(words[2:]))
            else:
                self.events.append(words[1:] if re.fullmatch(r"T\d+", words[0]) else words)

    def lines(self, path):
        """Yields the words of each line, including the lines of included files."""
        for line in path.read_text().splitlines():
            words = line.partition("#")[0].split()
            if words and words[0] == "include":
                self.has_team = self.has_team or words[1].endswith("/team")
                yield from self.lines(path.parent / (words[1] + ".part"))
            elif words:
                yield words

    @property
    def conforms(self):
        """Returns whether the script expects no deviation."""
        return not (self.expected["error"] or self.expected["note"] or self.expected["archive"])

    def one(self, what, otherwise):
        return self.expected[what][0] if self.expected[what] else otherwise


def run(*command, **more):
    return subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=60, check=False, **more)


class Play:
    """One run of the player, its archive, and the complaints about them."""

    def __init__(self, options, script, folder):
        self.options, self.script, self.folder = options, script, pathlib.Path(folder)
        self.problems, self.counts, self.streams = [], {}, set()
        clean = {name: value for name, value in os.environ.items() if not name.startswith("OTTER_")}
        self.run = run(options.player, options.tool, str(script.path.resolve()), cwd=folder, env=clean | script.settings)
        self.said = collections.defaultdict(list)
        for line in self.run.stdout.splitlines():
            name, _, rest = line.partition(" ")
            self.said[name].append(rest)
        self.places = {offset: name for name, offset in (place.split() for place in self.said["place"])}

    def complain(self, text):
        self.problems.append(text)

    def compare(self, what, expected, found):
        if expected != found:
            self.complain(f"{what}: expected {expected}, found {found}")

    def compare_counts(self, what, found):
        """Compares counts with the script's lines `expect ... N NAME`."""
        for text in self.script.expected[what]:
            number, _, name = text.partition(" ")
            self.compare(f"{what} {name}", int(number), found[name])

    # ---- the run

    def check_run(self):
        self.compare("exit status", int(self.script.one("status", "0")), self.run.returncode)
        self.compare("tool", [self.script.one("tool", "1")], self.said["tool"])
        self.compare("initialized", [self.script.one("initialized", "1")], self.said["initialized"])
        self.check_devices()
        unexpected = [line for line in self.run.stderr.splitlines() if not CLOSING.fullmatch(line)]
        for text in self.script.expected["stderr"]:
            matching = [line for line in unexpected if text in line]
            if not matching:
                self.complain(f"stderr: missing: {text}")
            unexpected = [line for line in unexpected if line not in matching]
        if unexpected:
            self.complain("stderr: " + "\n".join(unexpected)[:2000])

    def check_devices(self):
        """Checks that devices got the calls of `expect device`, in this order, and none of `expect spared`."""
        for text in self.script.expected["spared"]:
            for call in self.said["device"]:
                if call.startswith(text):
                    self.complain(f"devices: needless call: {call}")
        asked = iter(self.said["device"])
        for text in self.script.expected["device"]:
            if text not in asked:
                self.complain(f"devices: not called, or not in this order: {text}; but {self.said['device']}")
                return

    def find_archive(self):
        left = sorted(self.folder.glob("*.recording"))
        found = sorted(self.folder.glob("*/traces.otf2"))
        if left or len(found) != (self.script.one("archive", "1") != "none"):
            self.complain(f"archives: {found}, not completed: {left}")
        return found[0] if found else None

    # ---- the archive

    def check_archive(self, path):
        archive = archives.read(str(path))
        self.streams = {location.id for location in archive.locations if location.is_stream}
        self.problems += invariants.accepted_by_otf2_print(archive)
        if self.script.conforms:
            self.check_invariants(archive)
        events = [event for location in archive.locations if not self.is_silent(archive, location) for event in location.events]
        entered = collections.Counter(self.name(event.region) for event in events if event.kind == "Enter")
        parameters = collections.Counter(event.name for event in events if event.kind == "Parameter")
        records = collections.Counter(event.kind for event in events)
        self.counts = {"record": records, "entered": entered, "parameter": parameters}
        for what, found in self.counts.items():
            self.compare_counts(what, found)
        for text in self.script.expected["property"]:
            name, _, value = text.partition(" ")
            self.compare(name, value, archive.properties.get(name))
        self.check_kernels(archive)
        self.check_info(path, len(events))

    @staticmethod
    def is_silent(archive, location):
        """Returns whether nothing was recorded on a location. Such a location has a single event at the first tick,
        since some readers need an event."""
        return [(event.kind, event.time) for event in location.events] == [("MeasurementOnOff", archive.clock_offset)]

    def check_kernels(self, archive):
        """Checks the translation of device times: kernels begin and end at the script's instants. Needs OTTER_CLOCK=monotonic."""
        instants = {name: int(ns) for name, ns in (text.split() for text in self.said["instant"])}
        found = [(location.name.partition(",")[0], event.kind, event.time) for location in archive.locations if location.is_stream
                 for event in location.events if event.kind in ("Enter", "Leave")]
        for text in self.script.expected["kernel"]:
            device, *names = text.split()
            for name, kind in zip(names, ("Enter", "Leave")):
                times = [time - instants[name] for number, what, time in found if (number, what) == (f"Device {device}", kind)]
                if not any(abs(time) < TOLERANCE_NS for time in times):
                    self.complain(f"device {device}: no {kind} at {name}, but {times} ns later")

    def check_invariants(self, archive):
        """Checks the properties that every archive of a real runtime has, except those that the script names."""
        broken = invariants.check(archive, archives.History(archive))
        for name in self.script.expected["invariant"]:
            matching = [problem for problem in broken if problem.startswith(name)]
            if not matching:
                self.complain(f"{name} holds")
            broken = [problem for problem in broken if problem not in matching]
        self.problems += broken

    @staticmethod
    def name(region):
        name = region.canonical.removeprefix("!$omp ")
        return f"{name} [{region.description}]" if region.description else name

    def otter(self, *arguments, statuses=(0,)):
        result = run(self.options.otter, *arguments)
        if result.returncode not in statuses or "anitizer" in result.stderr:
            self.complain(f"otter {' '.join(arguments)}: exit status {result.returncode}: {result.stdout[-500:]}{result.stderr[-3000:]}")
        return result.stdout

    def check_info(self, path, n_records):
        info = json.loads(self.otter("info", "--json", str(path)))
        self.compare("events of otter info", n_records, info["events"])
        self.compare("lost events", int(self.script.one("lost", "0")), info["lost"])

    def check_check(self, path):
        report = json.loads(self.otter("check", "--json", str(path), statuses=(1,) if self.script.expected["error"] else (0,)))
        found = []
        for check in report["checks"]:
            if check["errors"]:
                found.append(("error", check["name"], check["errors"], "", check["first_errors"]))
            found += [("note", check["name"], note["n"], note["quirk"] + ": ", note["first"]) for note in check["notes"]]
        wanted = [(kind, text) for kind in ("error", "note") for text in self.script.expected[kind]]
        for kind, name, n, prefix, first in found:
            texts = [prefix + deviation["text"] for deviation in first]
            match = next((w for w in wanted if w[0] == kind and self.matches(w[1], name, n, texts)), None)
            if match:
                wanted.remove(match)
            else:
                self.complain(f"otter check: {kind} {name} {n} {texts}")
        self.problems += [f"otter check does not find: {kind} {text}" for kind, text in wanted]
        self.check_names({name for check in report["checks"] for name in self.names_of(check)})

    @staticmethod
    def names_of(check):
        """Yields the names of deviations: a quirk, or the check and the text of an error, without numbers."""
        for deviation in check["first_errors"]:
            yield check["name"] + ": " + re.sub(r"^\d+ | \d+", "", deviation["text"])
        for note in check["notes"]:
            yield note["quirk"]

    def check_names(self, names):
        """Checks that all deviations have the name of the script's fault. A script without `broken` has at most one quirk."""
        broken = self.script.broken
        if broken:
            self.compare("deviations", sorted(broken.split("; ")), sorted(names))
        elif len(names) > 1 or self.script.expected["error"]:
            self.complain(f"the script is not marked as broken, but these deviate: {sorted(names)}")

    @staticmethod
    def matches(wanted, name, n, texts):
        wanted_name, wanted_n, text = (wanted.split(" ", 2) + [""])[:3]
        return wanted_name == name and int(wanted_n) == n and any(text in found for found in texts)

    # ---- the graph

    def draw(self, path, view):
        file = self.folder / f"{view}.json"
        self.otter("graph", str(path), "--all", f"--view={view}", "--format", "json", "-o", str(file))
        graph = json.loads(file.read_text())
        return [f"== {view}", *expectation.Drawing(graph, view, self.script.has_team, self.places, self.streams).lines()]

    def check_drawing(self, path):
        """Compares counts and graph with `.expected`, except where threads play at once."""
        file = self.script.path.with_suffix(".expected")
        if ["together"] in (event[:1] for event in self.script.events):
            return
        lines = expectation.counts(self.counts, self.script.expected, self.script.has_team)
        for view in ["structure", *self.script.expected["view"]]:
            lines += self.draw(path, view)
        drawn = "".join(line + "\n" for line in lines)
        if self.options.update:
            file.write_text(drawn)
        if not file.exists():
            self.complain(f"{file} is missing (--update writes it: read it)")
            return
        texts = [text.splitlines(keepends=True) for text in (file.read_text(), drawn)]
        if texts[0] != texts[1]:
            self.complain("\n" + "".join(difflib.unified_diff(*texts, "expected", "found", n=1000)))


def test(options, path):
    script = Script(path)
    with tempfile.TemporaryDirectory(prefix="otter-mock-") as folder:
        play = Play(options, script, folder)
        play.check_run()
        found = play.find_archive()
        if found:
            play.check_archive(found)
            play.check_check(found)
            play.check_drawing(found)
    return play.problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--player", required=True)
    parser.add_argument("--tool", help="libotter-ompt.so, and tools for the case that it declines")
    parser.add_argument("--otter")
    parser.add_argument("--update", action="store_true", help="write the .expected files: read the difference")
    parser.add_argument("--coverage", action="store_true")
    parser.add_argument("--list", action="store_true", help="which script covers what")
    parser.add_argument("scripts", nargs="+")
    options = parser.parse_args()
    options.player = os.path.abspath(options.player)
    if options.coverage:
        import coverage
        problems = coverage.check(options.player, [Script(path) for path in options.scripts], options.list)
    else:
        options.otter = os.path.abspath(options.otter)
        options.tool = ":".join(map(os.path.abspath, options.tool.split(":")))
        problems = [f"{path}: {problem}" for path in options.scripts for problem in test(options, path)]
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
