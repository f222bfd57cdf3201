#!/usr/bin/env python3
"""Runs a Kokkos program without a tool, with a tool that logs every hook, and with Otter: nothing changes for the
program, and the archive agrees with the log.

    real.py --kokkos libotter-kokkos.so --ompt libotter-ompt.so --otter otter --logger logger.so PROGRAM [ARGUMENT]...
"""

import argparse
import collections
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "run"))

import otf2  # noqa: E402

import archive as archives  # noqa: E402
import hooks  # noqa: E402
import markers  # noqa: E402

KERNELS = ("Kokkos parallel_for", "Kokkos parallel_reduce", "Kokkos parallel_scan")
MAX_MARKERS = 4096  # the first events of a program
CLOSING_BLOCK = re.compile(r"otter: [\d,]+ events, |otter: next: |OTTER_TRACE_FOLDER=")

# These programs end while other threads work: OpenMP leaves their constructs open.
EXITS = {"exit_in_kernel", "exit_on_thread"}
# Begin calls without an end, counted by hand: they are ended at once or at the thread's end, or are unfinished at the
# program's end.
NOT_ENDED = {
    "exit_in_kernel": 2,
    "exit_on_thread": 3,
    "no_finalize": 1,
    "throws": 4,  # two kernels and their regions
    "unbalanced": 4,  # 2 starts of absent or started sections, 2 regions
}
# Ends without a start.
NOT_BEGUN = {"unbalanced": 5}  # 3 pops, 2 stops of absent or stopped sections
# Programs in which the threads' actions are random.
UNORDERED = {"in_openmp", "openmp_inside", "serial_in_openmp"}
# Several threads free memory that was allocated before the tool was loaded: the bytes in use depend on their order.
UNCERTAIN_MEMORY = {"team"}
# How many OpenMP regions each launch of a kernel forks, if OpenMP is Kokkos' default. A program's other kernels may
# fork any number. With Serial, no kernel forks.
FORKS = {
    "range": {"fill": 1, "fill dynamic": 1, "fill chunks": 1, "fill one": 1, "sum": 1, "largest": 1, "smallest": 1,
              "sum into a view": 1, "sums": 1, "sums and their total": 1},
    "mdrange": {"plane": 1, "plane in tiles": 1, "cube": 1, "sum of plane": 1, "sum of cube": 1},
    "regions": {"move": 1, "in one section": 1, "in two sections": 1},
    "fences": {"add": 1},
    "no_finalize": {"sum": 1},
    "tiny": {"tiny": 1},
    "in_openmp": {"on members": 0, "on members, by default": 0, "in a task": 0, "after all": 1},
    "serial_in_openmp": {"outer": 1, "inner": 0},
    "openmp_inside": {"makes tasks": 1},
    "throws": {"goes on": 0},
    "exit_in_kernel": {"before": 1},
    "kokkos_md": {"place on a lattice": 1, "count neighbours": 1, "forces": 1, "push and move": 1, "push": 1},
}
# Regions of the program's own directives in a kernel, with any back end.
OWN_FORKS = {
    "openmp_inside": {"forks": 3, "forks and makes tasks": 2, "forks on a host thread": 1, "in a region of a host thread": 0},
}
# The names of kernels without a label, and the unchanged labels of users.
SHOWN = {"unnamed": {"shapes::Add", "shapes::Sum<double>", "f", "i", "x", "b", "a/b"}}


def memory_of(path):
    """Returns {space: (bytes in use at the end, high water)} of the metrics."""
    samples = {}
    with otf2.reader.open(str(path)) as trace:
        for location, event in trace.events:
            if isinstance(event, otf2.events.Metric) and location.type != otf2.LocationType.METRIC:
                names = [member.name.partition(": ") for member in event.metric.members]
                assert [what for what, _, _ in names] == ["memory in use", "memory high water"], names
                samples.setdefault(names[0][2], []).append((event.time, *event.values))
    return {space: (max(of_space)[1], max(high for _, _, high in of_space)) for space, of_space in samples.items()}


class Frame:
    """An open Kokkos construct on a thread."""
    __slots__ = ("record", "begin", "end", "n_forks")

    def __init__(self, record, begin):
        self.record = record
        self.begin = begin
        self.end = math.inf
        self.n_forks = 0


class Share:
    """A thread's part of a team; for the forking thread, the kernel in which it forked the team, if any."""
    __slots__ = ("begin", "end", "is_fork", "kernel")

    def __init__(self, begin, is_fork, kernel):
        self.begin = begin
        self.end = math.inf
        self.is_fork = is_fork
        self.kernel = kernel


class Recorded:
    """The content of an archive, in the words of hooks.py."""

    def __init__(self, path):
        self.archive = archives.read(str(path))
        self.counts = collections.Counter()
        self.bytes = collections.Counter()
        self.sections = collections.Counter()
        self.memory = memory_of(path)
        self.threads = []
        self.forks = collections.defaultdict(list)  # kernel -> regions that each of its launches forked
        self.marks = []  # (time, location, name)
        self.shares = collections.defaultdict(lambda: collections.defaultdict(list))  # team -> location -> [Share]
        self.problems = []
        for location in self.archive.locations:
            self._walk(location)

    @staticmethod
    def record(region):
        construct, _, where = region.description.partition(", ")
        return construct, region.canonical, where

    def _walk(self, location):
        steps, stack, forks, shares, previous = [], [], [], [], None
        for event in location.events:
            is_kokkos = event.region and event.region.paradigm == "Paradigm.KOKKOS"
            if event.kind == "Enter" and is_kokkos:
                record = self.record(event.region)
                self.counts[record] += 1
                steps.append(("Enter", record))
                stack.append(Frame(record, event.time))
                if record[0] == "Kokkos event":
                    self.marks.append((event.time, location.id, record[1]))
            elif event.kind == "Leave" and is_kokkos:
                self._leave(event, steps, stack)
            elif event.kind == "Parameter" and event.name == "bytes":
                self.bytes[stack[-1].record] += event.value
            elif event.kind == "Parameter" and event.name in ("section start", "section stop"):
                self.sections[self.archive.regions[event.value].canonical, event.name.partition(" ")[2]] += 1
            elif event.kind == "Fork":
                forks.append(len(stack))
                if self._kernel(stack):
                    self._kernel(stack).n_forks += 1
            elif event.kind == "Join" and (not forks or forks.pop() != len(stack)):
                self.problems.append(f"{location.name}: a region is joined in another kernel than that which forked it")
            elif event.kind == "TeamBegin":
                is_fork = previous is not None and previous.kind == "Fork"
                shares.append(Share(event.time, is_fork, self._kernel(stack) if is_fork else None))
                self.shares[event.comm.id][location.id].append(shares[-1])
            elif event.kind == "TeamEnd":
                shares.pop().end = event.time
            previous = event
        if steps:
            self.threads.append(steps)

    @staticmethod
    def _kernel(stack):
        return next((frame for frame in reversed(stack) if frame.record[0] in KERNELS), None)

    def check_work(self):
        """Checks that the members' parts of a team are inside the kernel that forked it, exact to the tick."""
        for team, of_location in self.shares.items():
            if len({len(shares) for shares in of_location.values()}) != 1:
                self.problems.append(f"members of team {team} took part in {[*map(len, of_location.values())]} regions of it")
            for shares in zip(*of_location.values()):
                kernels = [share.kernel for share in shares if share.kernel]
                if sum(share.is_fork for share in shares) != 1:
                    self.problems.append(f"team {team} is not forked by one of its members")
                for kernel in kernels:
                    inside = sum(share.end - share.begin for share in shares)
                    under = sum(min(share.end, kernel.end) - max(share.begin, kernel.begin) for share in shares)
                    if inside != under:
                        self.problems.append(f"of {inside} ticks in a region of {kernel.record}, {under} are under it")

    def _leave(self, event, steps, stack):
        record = self.record(event.region)
        if not stack or stack[-1].record != record:
            self.problems.append(f"{record} is left in {[frame.record for frame in stack[-1:]]}")
            return
        frame = stack.pop()
        frame.end = event.time
        if record[0] in KERNELS:
            self.forks[record].append(frame.n_forks)
        if record[0] not in hooks.MARKS:
            steps.append(("Leave", record))


class Test:
    def __init__(self, options):
        self.options = options
        self.program = [str(pathlib.Path(options.program).resolve()), *options.arguments]
        self.name = pathlib.Path(options.program).name.partition("-")[0]
        self.problems = []

    def complain(self, text):
        self.problems.append(text)

    def compare(self, what, expected, got):
        if expected != got:
            missing, surplus = (list((a - b).items())[:8] for a, b in ((expected, got), (got, expected)))
            self.complain(f"{what}: missing {missing}, surplus {surplus}")

    def execute(self, folder, launcher=(), **variables):
        """Sets the tool for all Kokkos versions: some read the first variable, some the second, and some require
        equal values."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("OTTER_", "OMP_", "KOKKOS_"))}
        environment |= {"OMP_NUM_THREADS": "2", "OMP_PROC_BIND": "false"} | variables
        if "KOKKOS_TOOLS_LIBS" in variables:
            environment["KOKKOS_PROFILE_LIBRARY"] = variables["KOKKOS_TOOLS_LIBS"]
        return subprocess.run([*launcher, *self.program], cwd=folder, env=environment, capture_output=True, text=True, timeout=120, check=False)

    def run_with(self, what, plain, folder, **how):
        run = self.execute(folder, **how)
        if (run.returncode, run.stdout) != (plain.returncode, plain.stdout):
            self.complain(f"{what}: status {run.returncode}, expected {plain.returncode}; {run.stdout!r}, "
                          f"expected {plain.stdout!r}; {run.stderr[-600:]}")
        said = [line for line in run.stderr.splitlines() if "otter" in line.lower() and not CLOSING_BLOCK.match(line)]
        if said:
            self.complain(f"{what}: said {said}")

    def record(self, what, plain, folder, **how):
        """Returns the archive of a run with Otter, after comparing it with the log, or None if there is no archive."""
        path = pathlib.Path(folder, what)
        path.mkdir()
        self.run_with(what, plain, folder, OTTER_TRACE_PATH=str(path), **how)
        found = list(path.glob("*/traces.otf2"))
        if len(found) != 1 or list(path.glob("*.recording")):
            self.complain(f"{what}: not one archive, but {os.listdir(path)}")
            return None
        check = subprocess.run([self.options.otter, "check", str(found[0])], capture_output=True, text=True, timeout=120,
                               check=False)
        if check.returncode != 0:
            self.complain(f"{what}: otter check: {check.stdout[-2000:]}{check.stderr[-500:]}")
        got = Recorded(found[0])
        if self.name not in EXITS:
            got.check_work()
        self.check_markers(what, found[0], got)
        return got

    def check_markers(self, what, path, got):
        """Checks that the first events of the program are markers, each at its time on its thread. Any of several
        threads may be first."""
        found, events = markers.read(path), sorted(got.marks)
        if len(found) != min(len(events), MAX_MARKERS):
            self.complain(f"{what}: {len(found)} markers of {len(events)} events")
        strange = collections.Counter(map(tuple, found)) - collections.Counter(events)
        if strange:
            self.complain(f"{what}: markers that are not events: {list(strange)[:3]}")
        for location in {location for _, location, _ in events}:
            of_thread = [event for event in events if event[1] == location]
            marked = sorted(tuple(marker) for marker in found if marker.location == location)
            if marked != of_thread[:len(marked)]:
                self.complain(f"{what}: the markers of thread {location} are not its first events")

    # ---- the expected archive

    def check_archive(self, log, got):
        self.compare("records", log.records(), got.counts)
        self.compare("bytes", log.bytes(), got.bytes)
        self.compare("sections", log.sections(), got.sections)
        self.check_metadata(log, got)
        missing = SHOWN.get(self.name, set()) - {region.name for region in got.archive.regions.values()}
        if missing:
            self.complain(f"no kernel is called {missing}")
        if self.name not in UNCERTAIN_MEMORY and log.memory() != got.memory:
            self.complain(f"memory: {got.memory}, expected {log.memory()}")
        self.problems += got.problems
        if self.name not in UNORDERED:
            expected, found = (collections.Counter(map(str, x)) for x in (log.threads(), got.threads))
            self.compare("order on threads", expected, found)
        properties = got.archive.properties
        if properties["OTTER::LOST"] != "0":
            self.complain(f"OTTER::LOST is {properties['OTTER::LOST']}")
        n_repaired, n_unbegun, n_unfinished = (int(properties[f"OTTER::{name}"]) for name in ("REPAIRED", "UNBEGUN", "UNFINISHED"))
        if n_unbegun != NOT_BEGUN.get(self.name, 0) and self.name not in EXITS:
            self.complain(f"{n_unbegun} ends without a beginning, expected {NOT_BEGUN.get(self.name, 0)}")
        n_more = n_repaired + n_unfinished - NOT_ENDED.get(self.name, 0)
        if n_more < 0 or (n_more > 0 and self.name not in EXITS):
            self.complain(f"repaired {n_repaired} and unfinished {n_unfinished}, expected {NOT_ENDED.get(self.name, 0)}")

    def check_metadata(self, log, got):
        if not log.metadata():
            self.complain("Kokkos declares no metadata")
        for key, value in log.metadata().items():
            name = "OTTER::KOKKOS::" + re.sub("[^A-Z0-9]", "_", key.upper())
            if got.archive.properties.get(name) != value:
                self.complain(f"property {name} is {got.archive.properties.get(name)!r}, expected {value!r}")

    def check_forks(self, got, has_openmp):
        """Checks that each OpenMP region is in the kernel that forked it."""
        wanted = {label: n if has_openmp else 0 for label, n in FORKS.get(self.name, {}).items()}
        for label, expected in (wanted | OWN_FORKS.get(self.name, {})).items():
            kernels = {record: forks for record, forks in got.forks.items() if record[1] == label}
            if has_openmp and not kernels:
                self.complain(f"no kernel {label}")
            for record, forks in kernels.items():
                if set(forks) != {expected}:
                    self.complain(f"{record} forks {collections.Counter(forks)} regions, expected {expected} each")

    def check_chain(self, log, passed_on):
        """Checks that the next tool gets the same calls after Otter as without Otter, and that each end matches its
        start."""
        for what in ("records", "bytes", "sections", "metadata", "memory"):
            if what != "memory" or self.name not in UNCERTAIN_MEMORY:
                expected, got = getattr(log, what)(), getattr(passed_on, what)()
                if expected != got:
                    self.complain(f"chain: {what} are {got}, expected {expected}")
        self.compare("calls passed on", log.calls(), collections.Counter({line.hook: len(passed_on.of(line.hook)) for line in passed_on.lines}))
        if passed_on.unmatched() != log.unmatched():
            self.complain(f"chain: ends without beginnings: {passed_on.unmatched()}, expected {log.unmatched()}")

    # ---- the whole test

    def run(self):
        options = self.options
        with tempfile.TemporaryDirectory(prefix="otter-kokkos-") as folder:
            logs = [os.path.join(folder, name) for name in ("log", "chained")]
            plain = self.execute(folder)
            self.run_with("logger", plain, folder, KOKKOS_TOOLS_LIBS=options.logger, KOKKOS_LOGGER_FILE=logs[0])
            alone = self.record("kokkos", plain, folder, KOKKOS_TOOLS_LIBS=options.kokkos, OTTER_CHAIN=options.logger,
                                KOKKOS_LOGGER_FILE=logs[1])
            both = self.record("both", plain, folder, KOKKOS_TOOLS_LIBS=options.kokkos, OMP_TOOL_LIBRARIES=options.ompt)
            command = self.record("command", plain, folder, launcher=[options.otter, "record"])
            log, passed_on = (hooks.Log(path) if os.path.exists(path) else None for path in logs)
        if not log or not log.records():
            self.complain("the logger saw nothing")
            return self.finish()
        for got in filter(None, (alone, both, command)):
            self.check_archive(log, got)
        has_openmp = "OpenMP" in log.metadata().get("Default Device", "")
        for got in filter(None, (both, command)):
            self.check_forks(got, has_openmp)
        if passed_on:
            self.check_chain(log, passed_on)
        else:
            self.complain("chain: the further tool is told nothing")
        return self.finish()

    def finish(self):
        for problem in self.problems[:30]:
            print(problem)
        return 1 if self.problems else 0


def options(what):
    parser = argparse.ArgumentParser(description=what, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, what_it_is in (("kokkos", "libotter-kokkos.so"), ("ompt", "libotter-ompt.so"), ("otter", "the command"),
                             ("logger", "the tool that logs every hook")):
        parser.add_argument(f"--{name}", required=True, help=what_it_is, type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("program")
    parser.add_argument("arguments", nargs="*")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(Test(options(__doc__)).run())
