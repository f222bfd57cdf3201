#!/usr/bin/env python3
"""Runs an offloading program without a tool, with Otter, and with a tool that logs the runtime's device events.

    target.py --tool libotter-ompt.so --otter OTTER --logger LOGGER.so --runtime FOLDER [--env NAME=VALUE] [--host] PROGRAM

Output and exit status must be the same as without a tool, and the archive must agree with the log of the other run.
--host: the runtime reports nothing about a device except that it exists. Exit status: 0, 1 (what is wrong is printed),
77 (there is no device).
"""
import argparse
import collections
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import otf2
from otf2 import events as records

NOT_APPLICABLE = 77

# The numbers in OMPT, and the names in archives.
TARGETS = {1: "", 2: "enter data", 3: "exit data", 4: "update", 9: "", 10: "enter data", 11: "exit data", 12: "update"}
OPERATIONS = {1: "alloc", 2: "transfer to device", 3: "transfer from device", 4: "delete", 5: "associate", 6: "disassociate",
              17: "alloc", 18: "transfer to device", 19: "transfer from device", 20: "delete"}
FIRST_NOWAIT_TARGET, FIRST_NOWAIT_OPERATION = 9, 17
SUBMIT = "!$omp target submit"
OPERATION_NAMES = {f"!$omp target {name}" for name in OPERATIONS.values()}
NAMES = {f"!$omp target {name}".strip() for name in TARGETS.values()} | OPERATION_NAMES | {SUBMIT}
DEVICE_EVENTS = {"device initialize", "device load", "device finalize"}
UNTOLD = -1  # instead of the device of a construct that a pause has cut
CLOSING = re.compile(r"otter: ([\d,]+ events, |next: )|OTTER_TRACE_FOLDER=")


class Stack:
    """Makes trees of begins and ends: (name, fields, content)."""

    def __init__(self):
        self.trees, self.open = [], []

    def begin(self, name, fields):
        self.open.append((name, fields, []))

    def end(self, name, fields=()):
        if not self.open or self.open[-1][0] != name:
            raise ValueError(f"end of {name}, open are {[entry[0] for entry in self.open]}")
        _, begun, inside = self.open.pop()
        (self.open[-1][2] if self.open else self.trees).append((name, (*begun, *fields), tuple(inside)))


def place_of(text):
    """Returns the place of a record. If the runtime passes an address of its own, Otter uses the address of the
    enclosing construct, if any. Kernels are in a file whose name differs in each run."""
    return "runtime" if text.startswith("libomp") or text == "-" else re.sub(r"^(tmpfile_\w*|device image of [^+]+)", "kernel", text)


def read_log(path):
    """Returns {thread: list of trees}."""
    stacks = collections.defaultdict(Stack)
    for line in path.read_text().splitlines():
        thread, what, endpoint, *rest = line.split()
        if what == "target":
            kind = int(rest[0])
            name, fields = f"!$omp target {TARGETS[kind]}".strip(), (kind >= FIRST_NOWAIT_TARGET, int(rest[1]), place_of(rest[2]))
        elif what == "data":
            kind, size, source, destination = map(int, rest[:4])
            name = f"!$omp target {OPERATIONS[kind]}"
            fields = (kind >= FIRST_NOWAIT_OPERATION, size, max(source, -1), max(destination, -1), *map(int, rest[4:6]), place_of(rest[6]))
        elif what == "submit":
            name, fields = SUBMIT, (int(rest[0]),)
        else:
            stacks[thread].begin(f"device {endpoint}", (int(rest[0]),))
            stacks[thread].end(f"device {endpoint}")
            continue
        if endpoint == "begin":
            stacks[thread].begin(name, fields)
        else:
            stacks[thread].end(name)
    return {thread: stack.trees for thread, stack in stacks.items()}


class Archive:
    """The device records of an archive, and the complaints about them."""

    def __init__(self, path):
        self.problems, self.operations, self.n_tasks, self.n_depend = [], set(), 0, 0
        self.resumed = {}  # location -> end of the pause: constructs begun in the pause are recorded then, without parameters
        self.stacks, self.entered, self.parameters, self.transfers = collections.defaultdict(Stack), {}, {}, {}
        with otf2.reader.open(str(path)) as trace:
            self.windows = [window.name for window in trace.definitions.rma_wins]
            self.groups = {group.name: group for group in trace.definitions.location_groups}
            self.streams = [location for location in trace.definitions.locations
                            if location.type == otf2.LocationType.ACCELERATOR_STREAM]
            for location, event in trace.events:
                self.take(location._ref, event)
            for location in list(self.entered):
                self.settle(location)

    @property
    def trees(self):
        return {location: stack.trees for location, stack in self.stacks.items() if stack.trees}

    def complain(self, text):
        self.problems.append(text)

    def take(self, location, event):
        if isinstance(event, records.ParameterUnsignedInt):
            self.n_depend += event.parameter.name.startswith("depend ")
            if location in self.entered:
                self.parameters[location][event.parameter.name] = event.value
            return
        if isinstance(event, (records.RmaPut, records.RmaGet)):
            self.begin_transfer(location, event)
            return
        self.settle(location)
        self.n_tasks += isinstance(event, records.ThreadTaskCreate)
        if isinstance(event, records.MeasurementOnOff):
            self.resumed[location] = event.time
        if isinstance(event, records.Enter) and event.region.canonical_name in NAMES | DEVICE_EVENTS:
            self.entered[location], self.parameters[location] = event, {}
        elif isinstance(event, records.RmaOpCompleteBlocking):
            if self.transfers.pop((location, event.matching_id), None) is None:
                self.complain(f"transfer {event.matching_id} ends and never began")
        elif isinstance(event, records.Leave) and event.region.canonical_name in NAMES | DEVICE_EVENTS:
            self.stacks[location].end(event.region.canonical_name)

    def begin_transfer(self, location, event):
        enter = self.entered.get(location)
        to_device = isinstance(event, records.RmaPut)
        wanted = f"!$omp target transfer {'to' if to_device else 'from'} device"
        if enter is None or enter.time != event.time or enter.region.canonical_name != wanted:
            self.complain(f"{event} does not belong to a transfer")
            return
        self.transfers[location, event.matching_id] = event
        self.parameters[location]["transfer"] = (event.win.name, event.matching_id, event.bytes)

    def settle(self, location):
        """Completes a construct when all parameters after its Enter are read."""
        enter = self.entered.pop(location, None)
        if enter is None:
            return
        region, found = enter.region, self.parameters[location]
        nowait, place = region.description == "nowait", place_of(region.name.partition(" @")[2] or "-")
        if region.canonical_name in DEVICE_EVENTS:
            fields = (found.get("device"),)
        elif enter.time == self.resumed.get(location):
            fields = (nowait, UNTOLD, place)
        elif region.canonical_name == SUBMIT:
            self.note_operation(found)
            outer = self.stacks[location].open
            if not outer or outer[-1][1][1] not in (found.get("device"), UNTOLD):
                self.complain(f"a launch on device {found.get('device')} in {outer}")
            fields = (found.get("teams requested", 0),)
        elif region.canonical_name in OPERATION_NAMES:
            self.note_operation(found)
            source, destination = found.get("source device", -1), found.get("destination device", -1)
            fields = (nowait, found.get("bytes", 0), source, destination, int("source address" in found),
                      int("destination address" in found), place)
            self.check_transfer(region.canonical_name, found, source, destination)
        else:
            self.note_operation(found)
            fields = (nowait, found.get("device", UNTOLD), place)
        self.stacks[location].begin(region.canonical_name, fields)

    def note_operation(self, found):
        if found["operation"] in self.operations or found["operation"] == 0:
            self.complain(f"operation {found['operation']} is not the only one of its number")
        self.operations.add(found["operation"])

    def check_transfer(self, name, found, source, destination):
        device = {"!$omp target transfer to device": destination, "!$omp target transfer from device": source}.get(name)
        wanted = None if device is None else (f"Device {device}", found["operation"], found.get("bytes", 0))
        if found.get("transfer") != wanted:
            self.complain(f"{name}: {found}")


class Test:
    def __init__(self, options, folder):
        self.options, self.folder, self.problems, self.is_whole = options, pathlib.Path(folder), [], True
        self.clean = {name: value for name, value in os.environ.items() if not name.startswith(("OTTER_", "OMP_", "KMP_", "LIBOMP"))}
        self.clean |= {"LD_LIBRARY_PATH": options.runtime, "OMP_NUM_THREADS": "2"}
        self.clean |= dict(setting.split("=", 1) for setting in options.env)

    def run(self, program, **more):
        return subprocess.run([program], env=self.clean | more, cwd=self.folder, capture_output=True, text=True, errors="replace",
                              timeout=60, check=False)

    def expect(self, what, expected, found):
        if expected != found:
            self.problems.append(f"{what}: expected {expected!r}, found {found!r}")

    def has_device(self):
        found = self.run(self.options.devices).stdout.split()
        return found[:1] == ["devices"] and found[1] != "0"

    def check(self):
        plain = self.run(self.options.program)
        log = self.folder / "log"
        logged = self.run(self.options.program, OMP_TOOL_LIBRARIES=self.options.logger, OTTER_TEST_LOG=str(log))
        recorded = self.run(self.options.program, OMP_TOOL_LIBRARIES=self.options.tool, OTTER_FOLDER=str(self.folder / "trace"))
        for name, run in (("the logging tool", logged), ("Otter", recorded)):
            self.expect(f"exit status with {name}", plain.returncode, run.returncode)
            self.expect(f"output with {name}", plain.stdout, run.stdout)
        said = [line for line in recorded.stderr.splitlines() if line and line not in plain.stderr and not CLOSING.match(line)]
        self.expect("further words of Otter", [], said)
        self.is_whole = plain.returncode == 0
        if (self.folder / "trace" / "traces.otf2").exists():
            self.check_archive(read_log(log))
        elif not self.options.host:
            self.problems.append(f"there is no archive: {recorded.stderr}")

    def record(self, name):
        self.run(self.options.program, OMP_TOOL_LIBRARIES=self.options.tool, OTTER_FOLDER=str(self.folder / name))
        return self.folder / name

    def hash_of(self, folder):
        return subprocess.run([self.options.otter, "graph", "--hash", folder], capture_output=True, text=True, timeout=60, check=False).stdout

    def check_archive(self, log):
        path = self.folder / "trace" / "traces.otf2"
        archive = Archive(path)
        self.problems += archive.problems
        self.compare(log, archive.trees)
        self.expect("transfers that never end", {}, archive.transfers)
        self.expect("devices with a window", sorted(archive.windows), sorted({f"Device {s.group.name.split()[1].strip(':')}"
                                                                          for s in archive.streams}))
        if self.options.host:
            constructs = [tree for trees in archive.trees.values() for tree in trees if tree[0] not in DEVICE_EVENTS]
            self.expect("what is told of constructs", ([], []), (constructs, archive.windows))
        if self.is_whole:  # if the program ends inside a region, the threads' progress is unknown
            hashes = {self.hash_of(folder) for folder in (path.parent, self.record("again"))}
            self.expect("number of structures in two runs", 1, len(hashes))
        if self.options.tasks is not None:
            self.expect("tasks and dependences", self.options.tasks, f"{archive.n_tasks} {archive.n_depend}")
        printed = subprocess.run(["otf2-print", path], capture_output=True, text=True, errors="replace", timeout=60, check=False)
        self.expect("otf2-print", (0, ""), (printed.returncode, printed.stderr))
        checked = subprocess.run([self.options.otter, "check", path.parent], capture_output=True, text=True, timeout=60, check=False)
        if checked.returncode != 0:
            self.problems.append(f"otter check: {checked.stdout}{checked.stderr}")
        with otf2.reader.open(str(path)) as trace:
            found = {name: otf2.reader._otf2.Reader_GetProperty(trace.handle, f"OTTER::{name}") for name in ("LOST", "REPAIRED", "UNBEGUN")}
            images = {region.name.partition(" @")[2].partition("+")[0] for region in trace.definitions.regions
                      if "tmpfile" in region.name or "image" in region.name}
        self.expect("names of the device's code", images & {f"device image of {pathlib.Path(self.options.program).name}"}, images)
        self.expect("lost and repaired", {"LOST": "0", "REPAIRED": "0", "UNBEGUN": "0"}, found)

    def compare(self, log, found):
        """Compares the events of a single thread in order. With several threads, any thread may execute a target task.
        """
        if len(log) == 1 and len(found) == 1:
            self.compare_lists(*log.values(), *found.values())
        else:
            self.compare_lists(*(sorted(sum(trees.values(), [])) for trees in (log, found)))

    def compare_lists(self, expected, found):
        self.expect("number of constructs and operations", len(expected), len(found))
        for one, other in zip(expected, found):
            if one != other:
                self.expect("the first that differs", one, other)
                return


def main(kind=Test):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("tool", "otter", "logger", "runtime", "devices"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--env", action="append", default=[])
    parser.add_argument("--host", action="store_true")
    parser.add_argument("--tasks", help="how many tasks and entries of depend clauses there are")
    parser.add_argument("program")
    options = parser.parse_args()
    for name in ("tool", "otter", "logger", "devices", "program"):
        setattr(options, name, os.path.abspath(getattr(options, name)))
    with tempfile.TemporaryDirectory(prefix="otter-target-") as folder:
        test = kind(options, folder)
        if not test.has_device():
            print("not applicable: this runtime has no device to offload to")
            return NOT_APPLICABLE
        test.check()
    for problem in test.problems[:20]:
        print(problem)
    return 1 if test.problems else 0


if __name__ == "__main__":
    sys.exit(main())
