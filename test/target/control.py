#!/usr/bin/env python3
"""Runs an offloading program that controls its recording (OpenMP 5.1, table 3.3). Compares the results of its commands,
and what the archive contains about devices. Operations are recorded completely, even if a pause begins or ends in them.

    control.py --tool libotter-ompt.so --otter OTTER --logger LOGGER.so --runtime FOLDER --devices DEVICES PROGRAM
"""
import collections
import pathlib
import subprocess
import sys

import otf2
from otf2 import events as records

import target

ANSWERS = ["pause 0", "pause 0", "start 0", "start 0", "flush 0", "pause 0", "flush 0", "start 0",  # between
           "pause 0", "start 0", "pause 0", "start 0", "pause 0", "start 0",  # inside
           "end 0", "complete 1", "start 1", "pause 1"]
TO_DEVICE = [1001, 1004, 1005, 2001, 202, 2002]
FROM_DEVICE = [1001, 1004, 1005, 2001, 203, 2003, 2004]
ROUNDS = 3  # with random timing


def flat(trees):
    for tree in trees:
        yield tree
        yield from flat(tree[2])


class ControlTest(target.Test):
    def check(self):
        is_ordered = pathlib.Path(self.options.program).name == "target-control"
        plain = self.run(self.options.program)
        for i in range(1 if is_ordered else ROUNDS):
            path = self.folder / f"trace{i}"
            run = self.run(self.options.program, OMP_TOOL_LIBRARIES=self.options.tool, OTTER_FOLDER=str(path), OTTER_QUIET="on")
            self.expect("exit status", (plain.returncode, ""), (run.returncode, run.stderr))
            self.check_archive_of(path)
            if is_ordered:
                self.expect("answers without a tool", {"-2"}, {line.split()[1] for line in plain.stdout.splitlines()} - {"0"})
                self.expect("answers", ANSWERS, run.stdout.splitlines())
                self.check_transfers(target.Archive(path / "traces.otf2"))
            else:
                self.expect("output", plain.stdout, run.stdout)

    def check_transfers(self, archive):
        operations = list(flat(tree for trees in archive.trees.values() for tree in trees))
        for name, expected in (("to", TO_DEVICE), ("from", FROM_DEVICE)):
            found = [fields[1] for what, fields, _ in operations if what == f"!$omp target transfer {name} device"]
            self.expect(f"bytes that are transferred {name} the device", sorted(expected), sorted(found))
        self.expect("launches", 4, sum(what == target.SUBMIT for what, _, _ in operations))

    def check_archive_of(self, path):
        archive = target.Archive(path / "traces.otf2")
        self.problems += archive.problems
        self.expect("transfers that never end", {}, archive.transfers)
        self.expect("constructs that never end", [], [stack.open for stack in archive.stacks.values() if stack.open])
        self.check_pauses(path)
        printed = subprocess.run(["otf2-print", path / "traces.otf2"], capture_output=True, text=True, errors="replace", timeout=60,
                                 check=False)
        self.expect("otf2-print", (0, ""), (printed.returncode, printed.stderr))
        checked = subprocess.run([self.options.otter, "check", path], capture_output=True, text=True, timeout=60, check=False)
        if checked.returncode != 0:
            self.problems.append(f"otter check: {checked.stdout}{checked.stderr}")

    def check_pauses(self, path):
        """Checks that pauses are recorded, without records inside."""
        is_paused, n_pauses = collections.defaultdict(bool), 0
        with otf2.reader.open(str(path / "traces.otf2")) as trace:
            for location, event in trace.events:
                if location.type == otf2.LocationType.ACCELERATOR_STREAM:
                    continue
                if isinstance(event, records.MeasurementOnOff):
                    is_off = event.measurement_mode == otf2.MeasurementMode.OFF
                    self.expect("off and on in turn", not is_paused[location._ref], is_off)
                    is_paused[location._ref] = is_off
                    n_pauses += is_off
                elif is_paused[location._ref]:
                    self.problems.append(f"{event} during a pause")
        self.expect("there are pauses", True, n_pauses > 0)


if __name__ == "__main__":
    sys.exit(target.main(ControlTest))
