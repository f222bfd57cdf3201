#!/usr/bin/env python3
"""Otter after another tool that forwards only some kernels (filter.c): these are recorded exactly, and Otter is not
confused by the numbers that the other tool itself assigns.

    second.py --kokkos libotter-kokkos.so --ompt libotter-ompt.so --otter otter --logger logger.so --filter F --sampler S PROGRAM
"""
import argparse
import collections
import copy
import pathlib
import re
import sys
import tempfile

import hooks
from real import UNORDERED, Test

BEGINS = ("begin_parallel_for", "begin_parallel_reduce", "begin_parallel_scan")
SAMPLED = 3
# Forwarded labels: some kernels around kernels that are not forwarded, and the reverse.
FILTERS = {
    "range": ["fill.*", "sum.*", "sums"],
    "serial_in_openmp": ["inner", "outer", "(inner|outer)"],
    "in_openmp": ["on members", "(in a task|after all)"],
    "throws": ["goes on"],
    "unnamed": ["[a-z]", "[0-9].*"],
    "kokkos_md": ["(forces|push)", "Kokkos::.*"],
}
# With fences around nested kernels, Kokkos 4.4 and later waits for itself, whatever the tool.
NESTED = {"serial_in_openmp"}


def forwarded(log, passes):
    """The expected log of a tool after one that forwards only kernels for which passes(line) is true."""
    kept, lines = set(), []
    for line in log.lines:
        if line.hook in BEGINS and passes(line):
            kept.add(line.arguments[2])
            lines.append(line)
        elif line.hook.startswith("end_parallel") and line.arguments[0] in kept:
            kept.remove(line.arguments[0])
            lines.append(line)
    result = copy.copy(log)
    result.lines = lines
    return result


class Sample:
    """Every third kernel of a kind, in the order of the log."""

    def __init__(self):
        self.n = collections.Counter()

    def __call__(self, line):
        self.n[line.hook] += 1
        return self.n[line.hook] % SAMPLED == 0


class SecondTest(Test):
    def look(self, what, plain, folder, expected, tool, **variables):
        options = self.options
        if not expected.records():
            return  # no archive is expected
        chained = str(pathlib.Path(folder, f"{what}.log"))
        got = self.record(what, plain, folder, KOKKOS_TOOLS_LIBS=f"{tool};{options.kokkos}", OMP_TOOL_LIBRARIES=options.ompt,
                          OTTER_CHAIN=options.logger, KOKKOS_LOGGER_FILE=chained, **variables)
        if got is None:
            return
        third = hooks.Log(chained)
        if self.name in UNORDERED and tool == options.sampler:  # which kernels there are is random, but not how many
            for hook in BEGINS:
                self.compare(f"{what}: {hook}", collections.Counter({hook: len(expected.of(hook))}),
                             collections.Counter({hook: len(third.of(hook))}))
            expected = third
        self.compare(f"{what}: records", expected.records(), got.counts)
        self.compare(f"{what}: third tool", expected.records(), third.records())
        if third.unmatched():
            self.complain(f"{what}: the third tool is told ends without beginnings")
        sequence = [line.arguments[0] for line in third.of("init_library")]
        if sequence != ["2"]:
            self.complain(f"{what}: the third tool is initialised as {sequence}")
        if self.name not in UNORDERED:
            self.compare(f"{what}: order", *(collections.Counter(map(str, x)) for x in (expected.threads(), got.threads)))
        self.problems += [f"{what}: {problem}" for problem in got.problems]
        for name in ("LOST", "REPAIRED", "UNBEGUN", "UNFINISHED"):
            if got.archive.properties[f"OTTER::{name}"] != "0":
                self.complain(f"{what}: OTTER::{name} is {got.archive.properties[f'OTTER::{name}']}")

    def run(self):
        options = self.options
        with tempfile.TemporaryDirectory(prefix="otter-second-") as folder:
            path = str(pathlib.Path(folder, "log"))
            plain = self.execute(folder)
            self.run_with("logger", plain, folder, KOKKOS_TOOLS_LIBS=options.logger, KOKKOS_LOGGER_FILE=path)
            log = hooks.Log(path)
            version = int(log.of("init_library")[0].arguments[1])
            for i, expression in enumerate(FILTERS[self.name]):
                if self.name in NESTED and version >= 20211015:
                    continue
                expected = forwarded(log, lambda line, e=expression: re.fullmatch(e, line.arguments[0]))
                self.look(f"filter {i}", plain, folder, expected, options.filter, KOKKOS_FILTER=expression)
            if self.name != "throws":
                self.look("sampler", plain, folder, forwarded(log, Sample()), options.sampler)
        return self.finish()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("kokkos", "ompt", "otter", "logger", "filter", "sampler"):
        parser.add_argument(f"--{name}", required=True, type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("program")
    parser.add_argument("arguments", nargs="*")
    return SecondTest(parser.parse_args()).run()


if __name__ == "__main__":
    sys.exit(main())
