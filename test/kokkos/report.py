#!/usr/bin/env python3
"""`otter report` and `otter info` agree with the log of an independent tool in the same run of a program on real Kokkos.

usage: report.py --kokkos LIB --otter COMMAND --logger LIB PROGRAM [ARGUMENT...]
"""
import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import hooks

KINDS = {"Kokkos parallel_for": "for", "Kokkos parallel_reduce": "reduce", "Kokkos parallel_scan": "scan"}


# Kokkos' own memory: threads free blocks from before the recording, so it is uncertain what their first event frees.
UNCERTAIN = {"[unlabeled]", "Kokkos::OpenMP::scratch_mem"}


def shown(label):
    return label or "(no label)"


class Blocks:
    """Facts that a log states about blocks of memory, for each (space, label) and at the high-water mark of each space.
    """

    def __init__(self, log):
        self.used = collections.Counter()
        self.highest = collections.Counter()
        self.at_high = {}  # space: {label: [blocks, bytes]}
        self.known = {}  # address: (space, label, size)
        self.live = collections.defaultdict(lambda: [0, 0])
        for line in log.lines:
            if line.hook == "allocate_data":
                self.allocate(*line.arguments)
            elif line.hook == "deallocate_data":
                self.free(line.arguments[2])

    def allocate(self, space, label, address, size):
        self.free(address)
        self.known[address] = (space, label, int(size))
        self.change(space, label, int(size), 1)
        if self.used[space] > self.highest[space]:
            self.highest[space] = self.used[space]
            self.at_high[space] = {key[1]: list(value) for key, value in self.live.items() if key[0] == space and value[0]}

    def free(self, address):
        if address in self.known:
            self.change(*self.known.pop(address), -1)

    def change(self, space, label, size, by):
        self.used[space] += by * size
        self.live[space, label][0] += by
        self.live[space, label][1] += by * size


class Test:
    def __init__(self, options):
        self.options = options
        self.problems = []

    def run_program(self, folder):
        """Returns the log of the run."""
        log = os.path.join(folder, "log")
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("OTTER_", "OMP_", "KOKKOS_"))}
        environment |= {"OMP_NUM_THREADS": "2", "OMP_PROC_BIND": "false", "OTTER_TRACE_PATH": folder, "KOKKOS_LOGGER_FILE": log,
                        "KOKKOS_TOOLS_LIBS": self.options.kokkos, "KOKKOS_PROFILE_LIBRARY": self.options.kokkos,
                        "OTTER_CHAIN": self.options.logger}
        program = str(pathlib.Path(self.options.program).resolve())
        subprocess.run([program, *self.options.arguments], cwd=folder, env=environment, capture_output=True, timeout=60, check=False)
        return hooks.Log(log)

    def read(self, folder, command):
        (archive,) = pathlib.Path(folder).glob("*/traces.otf2")
        result = subprocess.run([self.options.otter, command, "--json", str(archive)], capture_output=True, timeout=60, check=True)
        return json.loads(result.stdout)

    def compare(self, what, expected, got):
        if expected != got:
            self.problems.append(f"{what}: {got}, expected {expected}")

    def check_origin(self, log, info):
        metadata = log.metadata()
        self.compare("version", metadata.get("Kokkos Version"), info["kokkos_version"])
        if info["kokkos_device"] not in ("Serial", "OpenMP") or info["kokkos_device"] not in metadata["Default Device"]:
            self.problems.append(f"device {info['kokkos_device']}, expected {metadata['Default Device']}")

    def check_kernels(self, log, report):
        expected, got = collections.Counter(), collections.Counter()
        for (construct, label, where), n in log.records().items():
            if construct in KINDS:
                expected[label, KINDS[construct], where] += n
        for row in report["tables"]["kernels"]:
            got[row["kernel"], row["kind"], row["space"]] += row["launches"]
            if not row["exclusive_s"] <= row["total_s"] + 1e-9 or not 0 <= row["min_s"] <= row["median_s"] <= row["max_s"] * 1.01:
                self.problems.append(f"times of {row}")
        self.compare("kernels", expected, got)
        kernels = report["kernels"]
        both = kernels["inside_s"] + kernels["outside_s"]
        if abs(both - kernels["launching_threads"] * report["wall_s"]) > 1e-6:
            self.problems.append(f"{kernels} in a run of {report['wall_s']} s")
        inside = sum(row["inclusive_s"] for row in report["tables"]["kernel_tree"] if row["depth"] == 0)
        if inside > report["wall_s"] * report["threads"] * 1.001:
            self.problems.append(f"{inside} s in the tree of a run of {report['wall_s']} s")

    def check_tree(self, log, report):
        """Checks that each start has one path."""
        expected, got = collections.Counter(), collections.Counter()
        for thread in log.threads():
            stack = []
            for step, record in thread:
                if record[0] in hooks.MARKS:
                    continue
                if step == "Leave":
                    stack.pop()
                    continue
                stack.append(shown(record[1]))
                expected[" > ".join(stack)] += 1
        for row in report["tables"]["kernel_tree"]:
            got[row["path"]] += row["count"]
        self.compare("paths", expected, got)

    def check_copies(self, log, report):
        sizes, copies, fences = log.bytes(), {}, collections.Counter()
        for record, n in log.records().items():
            construct, label, where = record
            if construct == "Kokkos deep_copy":
                copies[label, *where.split(" <- ")] = (n, sizes[record])
            elif construct == "Kokkos fence":
                fences[label, *where.split(", ")] += n
        self.compare("copies", copies, {(row["copy"], row["destination"], row["source"]): (row["count"], row["bytes"])
                                        for row in report["tables"]["copies"]})
        self.compare("fences", fences, collections.Counter({(row["fence"], row["whose"], row["space"]): row["count"]
                                                            for row in report["tables"]["fences"]}))

    def check_memory(self, log, report):
        records, sizes, blocks = log.records(), log.bytes(), Blocks(log)
        expected = collections.defaultdict(lambda: [0, 0, 0, 0])
        for record in records:
            construct, label, space = record
            if construct in ("Kokkos allocate", "Kokkos deallocate"):
                place = 0 if construct == "Kokkos allocate" else 2
                expected[label, space][place] += records[record]
                expected[label, space][place + 1] += sizes[record]
        rows = {(row["memory"], row["space"]): row for row in report["tables"]["memory"]}
        self.compare("memory", {(shown(label), space): value for (label, space), value in expected.items()},
                     {key: [row["allocations"], row["allocated_bytes"], row["frees"], row["freed_bytes"]] for key, row in rows.items()})
        at_high = {(shown(label), space): value for space, labels in blocks.at_high.items() for label, value in labels.items()
                   if label not in UNCERTAIN}
        certain = {key: row for key, row in rows.items() if key[0] not in UNCERTAIN}
        self.compare("at the high water", at_high, {key: [row["high_blocks"], row["high_bytes"]] for key, row in certain.items()
                                                    if row["high_blocks"]})
        left = {(shown(label), space): list(value) for (space, label), value in blocks.live.items() if value[0] > 0
                and label not in UNCERTAIN}
        self.compare("never freed", left, {key: [row["left_blocks"], row["left_bytes"]] for key, row in certain.items()
                                           if row["left_blocks"]})
        self.compare("high water", dict(blocks.highest),
                     {row["space"]: row["high_bytes"] for row in report["tables"]["memory_spaces"] if row["high_bytes"]})

    def run(self):
        with tempfile.TemporaryDirectory(prefix="otter-kokkos-report-") as folder:
            log = self.run_program(folder)
            info, report = self.read(folder, "info"), self.read(folder, "report")
        if not log.records():
            self.problems.append("nothing was logged")
        self.check_origin(log, info)
        self.check_kernels(log, report)
        self.check_tree(log, report)
        self.check_copies(log, report)
        self.check_memory(log, report)
        for problem in self.problems:
            print(problem)
        return 1 if self.problems else 0


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("kokkos", "otter", "logger"):
        parser.add_argument(f"--{name}", required=True, type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("program")
    parser.add_argument("arguments", nargs="*")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(Test(options()).run())
