#!/usr/bin/env python3
"""The tables of `otter report` about a program on real Kokkos agree with the log of an independent tool in the same run.

usage: report.py --kokkos LIB --otter COMMAND --logger LIB PROGRAM [ARGUMENT...]
"""
import collections
import json
import pathlib
import subprocess
import sys
import tempfile

import hooks
import info

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


class Test(info.Test):
    def read_tables(self, folder):
        (archive,) = pathlib.Path(folder).glob("*/traces.otf2")
        report = subprocess.run([self.options.otter, "report", "--json", str(archive)], capture_output=True, timeout=60, check=True)
        return json.loads(report.stdout)

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
            log, _ = self.run_program(folder)
            report = self.read_tables(folder)
        if not log.records():
            self.problems.append("nothing was logged")
        self.check_kernels(log, report)
        self.check_tree(log, report)
        self.check_copies(log, report)
        self.check_memory(log, report)
        for problem in self.problems:
            print(problem)
        return 1 if self.problems else 0


if __name__ == "__main__":
    sys.exit(Test(info.options(__doc__)).run())
