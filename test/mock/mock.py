#!/usr/bin/env python3
"""Plays scripts to the OMPT connector and looks at what was recorded.

    mock.py --player PLAYER --tool TOOL[:TOOL]... --otter OTTER [--update] SCRIPT     what the script expects is there
    mock.py --player PLAYER --coverage [--list] SCRIPT...                             each item and each word is in some script

README.md has the language of the scripts. Exit status: 0, 1 (what is wrong is printed).
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
import invariants  # noqa: E402

VIEWS = ("structure", "fragments")
TOLERANCE_NS = 200_000
ONE_TIME_NS = 8
CLOSING = re.compile(r"otter: \d+ events, .*|otter: next: .*|OTTER_TRACE_FOLDER=.*")


class Script:
    """What a script says to the driver. The player reads the rest."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        self.covers, self.settings, self.expected, self.events = [], {}, collections.defaultdict(list), []
        self.broken = None
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
        """The words of each line, those of included files in their place."""
        for line in path.read_text().splitlines():
            words = line.partition("#")[0].split()
            if words and words[0] == "include":
                yield from self.lines(path.with_name(words[1] + ".part"))
            elif words:
                yield words

    @property
    def conforms(self):
        """Whether nothing of it may deviate."""
        return not (self.expected["error"] or self.expected["note"] or self.expected["archive"])

    def one(self, what, otherwise):
        return self.expected[what][0] if self.expected[what] else otherwise


def run(*command, **more):
    return subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=60, check=False, **more)


class Play:
    """One run of the player, its archive, and what is wrong with them."""

    def __init__(self, options, script, folder):
        self.options, self.script, self.folder = options, script, pathlib.Path(folder)
        self.problems, self.counts, self.streams = [], "", set()
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
        """With what the script says of some of them, `N NAME`."""
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
                self.complain(f"stderr: nowhere is said: {text}")
            unexpected = [line for line in unexpected if line not in matching]
        if unexpected:
            self.complain("stderr: " + "\n".join(unexpected)[:2000])

    def check_devices(self):
        """What the script names was asked of devices, in this order, and what it spares them was not."""
        for text in self.script.expected["spared"]:
            for call in self.said["device"]:
                if call.startswith(text):
                    self.complain(f"devices: asked in vain: {call}")
        asked = iter(self.said["device"])
        for text in self.script.expected["device"]:
            if text not in asked:
                self.complain(f"devices: not asked, or not in this order: {text}; but {self.said['device']}")
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
        counts = {"record": records, "entered": entered, "parameter": parameters}
        for what, found in counts.items():
            self.compare_counts(what, found)
        self.counts = "".join(f"{what} {n} {name}\n" for what, found in counts.items() for name, n in sorted(found.items()))
        for text in self.script.expected["property"]:
            name, _, value = text.partition(" ")
            self.compare(name, value, archive.properties.get(name))
        self.check_kernels(archive)
        self.check_info(path, len(events))

    @staticmethod
    def is_silent(archive, location):
        """Nothing was recorded of it: one event stands in its place, at the first tick, for readers that want one of each location."""
        return [(event.kind, event.time) for event in location.events] == [("MeasurementOnOff", archive.clock_offset)]

    def check_kernels(self, archive):
        """That the clocks of devices were understood: kernels run from one instant to another. Needs OTTER_CLOCK=monotonic."""
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
        """What holds of every archive of a real runtime, but for what the script names."""
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
        """What deviates, without numbers: by the name of a quirk, or the check and the text of an error."""
        for deviation in check["first_errors"]:
            yield check["name"] + ": " + re.sub(r"^\d+ | \d+", "", deviation["text"])
        for note in check["notes"]:
            yield note["quirk"]

    def check_names(self, names):
        """What a runtime does wrong has a name of its own, and what follows from it none. A script that is not marked breaks nothing."""
        broken = self.script.broken
        if broken:
            self.compare("what deviates", sorted(broken.split("; ")), sorted(names))
        elif len(names) > 1 or self.script.expected["error"]:
            self.complain(f"it is not marked as broken, and these deviate: {sorted(names)}")

    @staticmethod
    def matches(wanted, name, n, texts):
        wanted_name, wanted_n, text = (wanted.split(" ", 2) + [""])[:3]
        return wanted_name == name and int(wanted_n) == n and any(text in found for found in texts)

    # ---- the graph

    def label(self, node):
        """What a node is, and where: the name that the script gives to the place."""
        where = re.sub(r"^player\+(0x\w+)$", lambda match: self.places.get(match.group(1), "?"), node.get("where", ""))
        return node["what"] + (f"@{where}" if where else "")

    def in_order(self, nodes):
        """By time; what is at one time, or some ticks later since time goes on with each record, by what it is. The clock of a device
        is only about right: what each device did comes last."""
        rank = {"end": 1, "task": 2, "begin": 3, "fragment": 4}
        instant, last = {}, None
        for node in sorted(nodes, key=lambda node: node["start_ns"]):
            if last is None or node["start_ns"] - last["start_ns"] > ONE_TIME_NS:
                instant[node["id"]] = node["start_ns"]
            else:
                instant[node["id"]] = instant[last["id"]]
            last = node
        return sorted(nodes, key=lambda node: (node["location"] if node["location"] in self.streams else -1, instant[node["id"]], rank.get(node["kind"], 0), node["location"],
                                               self.label(node), node["id"]))

    def draw(self, path, view):
        file = self.folder / f"{view}.json"
        self.otter("graph", str(path), "--all", f"--view={view}", "--format", "json", "-o", str(file))
        graph = json.loads(file.read_text())
        nodes = self.in_order(graph["nodes"])
        names = {node["id"]: f"n{i}" for i, node in enumerate(nodes, 1)}
        lines = []
        for node in nodes:
            task = node.get("task", node.get("task_kind", "?"))
            scope = f" in {names[node['scope']]}" if "scope" in node else ""
            lines.append(f"{names[node['id']]:4} {node['kind']:8} {self.label(node)} of {task}{scope} on {node['location']} "
                         f"{node.get('flags', '')}".rstrip())
        edges = collections.defaultdict(list)
        for edge in graph["edges"]:
            edges[names[edge["source"]], edge["kind"]].append(names[edge["target"]])
        for (source, kind), targets in sorted(edges.items(), key=lambda item: (int(item[0][0][1:]), item[0][1])):
            lines.append(f"{source:4} {kind} {' '.join(sorted(targets, key=lambda name: int(name[1:])))}")
        return f"== {view}\n" + "\n".join(lines) + "\n"

    def check_drawing(self, path):
        """Counts of all that was recorded, and the graph; not where threads play at once."""
        file = self.script.path.with_suffix(".expected")
        if ["together"] in (event[:1] for event in self.script.events):
            return
        drawn = "\n".join(["== events\n" + self.counts, *(self.draw(path, view) for view in VIEWS)])
        if self.options.update:
            file.write_text(drawn)
        if not file.exists():
            self.complain(f"{file} is not there (--update writes it: read it)")
            return
        lines = [text.splitlines(keepends=True) for text in (file.read_text(), drawn)]
        if lines[0] != lines[1]:
            self.complain("\n" + "".join(difflib.unified_diff(*lines, "expected", "found", n=1000)))


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
    parser.add_argument("--tool", help="libotter-ompt.so, and tools that may take its place")
    parser.add_argument("--otter")
    parser.add_argument("--update", action="store_true", help="write what is expected: read the difference")
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
