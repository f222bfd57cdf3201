#!/usr/bin/env python3
"""For a program on real Kokkos, `otter info` agrees with the log of an independent tool in the same run.

usage: info.py --kokkos LIB --otter COMMAND --logger LIB PROGRAM [ARGUMENT...]
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

KERNELS = ("Kokkos parallel_for", "Kokkos parallel_reduce", "Kokkos parallel_scan")


class Test:
    def __init__(self, options):
        self.options = options
        self.problems = []

    def run_program(self, folder):
        """Returns the log of the run, and the output of `otter info --json` for its archive."""
        log = os.path.join(folder, "log")
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("OTTER_", "OMP_", "KOKKOS_"))}
        environment |= {"OMP_NUM_THREADS": "2", "OMP_PROC_BIND": "false", "OTTER_TRACE_PATH": folder, "KOKKOS_LOGGER_FILE": log,
                        "KOKKOS_TOOLS_LIBS": self.options.kokkos, "KOKKOS_PROFILE_LIBRARY": self.options.kokkos,
                        "OTTER_CHAIN": self.options.logger}
        program = str(pathlib.Path(self.options.program).resolve())
        subprocess.run([program, *self.options.arguments], cwd=folder, env=environment, capture_output=True, timeout=60, check=False)
        (archive,) = pathlib.Path(folder).glob("*/traces.otf2")
        command = [self.options.otter, "info", "--json", str(archive)]
        info = subprocess.run(command, capture_output=True, timeout=60, check=True)
        return hooks.Log(log), json.loads(info.stdout)

    def compare(self, what, expected, got):
        if expected != got:
            self.problems.append(f"{what}: {got}, expected {expected}")

    def check_labels(self, log, regions, found):
        def name(entry):
            return regions[entry["region"]]["canonical_name"]
        kernels = {record: n for record, n in log.records().items() if record[0] in KERNELS}
        self.compare("kernels", kernels, {(entry["kind"], name(entry), entry["space"]): entry["calls"]
                                          for entry in found["kernels"]})
        for key, construct, number in (("regions", "Kokkos region", "calls"), ("events", "Kokkos event", "count"),
                                       ("dual_view_syncs", "Kokkos dual_view sync", "count"),
                                       ("dual_view_modifies", "Kokkos dual_view modify", "count")):
            expected = collections.Counter(record[1] for record in log.records().elements() if record[0] == construct)
            got = collections.Counter()
            for entry in found[key]:
                got[name(entry)] += entry[number]
            self.compare(key, expected, got)
        sections = collections.Counter()
        for entry in found["sections"]:
            sections[name(entry), "start"] += entry["starts"]
            sections[name(entry), "stop"] += entry["stops"]
        self.compare("sections", log.sections(), +sections)

    def check_groups(self, log, found):
        """Compares copies by their spaces, and fences by their origin."""
        records, sizes = log.records(), log.bytes()
        copies, fences = collections.defaultdict(lambda: (0, 0)), collections.Counter()
        for record, n in records.items():
            if record[0] == "Kokkos deep_copy":
                calls, size = copies[record[2]]
                copies[record[2]] = (calls + n, size + sizes[record])
            elif record[0] == "Kokkos fence":
                fences[record[2].partition(",")[0]] += n
        self.compare("copies", dict(copies), {entry["spaces"]: (entry["calls"], entry["bytes"]) for entry in found["copies"]})
        self.compare("fences", dict(fences), {entry["whose"]: entry["calls"] for entry in found["fences"]})

    def check_memory(self, log, found):
        expected = {}
        for space, (in_use, high_water) in log.memory().items():
            expected[space] = {"space": space, "in_use": in_use, "high_water": high_water}
            for hook, calls, size in (("allocate_data", "allocations", "bytes_allocated"),
                                      ("deallocate_data", "deallocations", "bytes_deallocated")):
                blocks = [int(line.arguments[3]) for line in log.of(hook) if line.arguments[0] == space]
                expected[space] |= {calls: len(blocks), size: sum(blocks)}
        self.compare("memory", expected, {entry["space"]: entry for entry in found["memory"]})

    def check_times(self, found, seconds):
        for key in ("kernels", "regions"):
            for entry in (entry for entry in found[key] if entry["ended"]):
                if not 0 <= entry["min"] <= entry["mean"] * (1 + 1e-9) <= entry["max"] * (1 + 2e-9) <= seconds * (1 + 3e-9):
                    self.problems.append(f"times of {entry} in a run of {seconds} s")

    def run(self):
        with tempfile.TemporaryDirectory(prefix="otter-kokkos-info-") as folder:
            log, info = self.run_program(folder)
        found = info["kokkos"]
        if not log.records() or not found:
            self.problems.append("nothing was logged, or nothing is told")
        else:
            metadata = log.metadata()
            self.compare("version", metadata.get("Kokkos Version"), found["version"])
            if found["device"] not in ("Serial", "OpenMP") or found["device"] not in metadata["Default Device"]:
                self.problems.append(f"device {found['device']}, expected {metadata['Default Device']}")
            self.check_labels(log, info["regions"], found)
            self.check_groups(log, found)
            self.check_memory(log, found)
            self.check_times(found, info["clock"]["seconds"])
        for problem in self.problems:
            print(problem)
        return 1 if self.problems else 0


def options(usage):
    parser = argparse.ArgumentParser(description=usage, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("kokkos", "otter", "logger"):
        parser.add_argument(f"--{name}", required=True, type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("program")
    parser.add_argument("arguments", nargs="*")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(Test(options(__doc__)).run())
