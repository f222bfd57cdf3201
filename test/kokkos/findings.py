#!/usr/bin/env python3
"""For a program on real Kokkos, the first Kokkos finding of `otter report` is the program's known limit; a program without a
limit has none.

The program runs on one thread. A busy machine adds findings: forks take long while the thread has no processor.

usage: findings.py --kokkos LIB --ompt LIB --otter COMMAND PROGRAM LIMIT...
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

# limit of the program: kind, label and text of the first finding
EXPECTED = {
    "small": ("small kernels", "small", "50,000 launches"),
    "allocate": ("allocation", "tmp", "200 times, 1.0 MiB each"),
    "copy": ("copy", "to <- from", "20 copies transfer 160.0 MiB"),
    "fence": ("fence", "Kokkos::fence: Unnamed Global Fence", "fences wait"),
    "high": ("high water", "scratch", "128.0 MiB of it"),
    "fine": None,
}


KINDS = {expected[0] for expected in EXPECTED.values() if expected}


def findings(options, limit):
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("OTTER_", "OMP_", "KOKKOS_"))}
    with tempfile.TemporaryDirectory(prefix="otter-kokkos-findings-") as folder:
        environment |= {"OMP_NUM_THREADS": "1", "OMP_PROC_BIND": "false", "OTTER_TRACE_PATH": folder,
                        "KOKKOS_TOOLS_LIBS": options.kokkos, "KOKKOS_PROFILE_LIBRARY": options.kokkos, "OMP_TOOL_LIBRARIES": options.ompt}
        subprocess.run([options.program, limit], cwd=folder, env=environment, capture_output=True, timeout=60, check=True)
        (archive,) = pathlib.Path(folder).glob("*/traces.otf2")
        report = subprocess.run([options.otter, "report", "--json", archive], capture_output=True, timeout=60, check=True)
    return [finding for finding in json.loads(report.stdout)["findings"] if finding["kind"] in KINDS]


def problem(found, expected):
    """What is wrong; "" if nothing is."""
    if not expected:
        return f"found {found}, expected none" if found else ""
    kind, label, text = expected
    first = found[0] if found else {"kind": "none", "what": "", "text": ""}
    is_good = first["kind"] == kind and first["what"] == label and text in first["text"]
    if kind == "small kernels":
        is_good &= first["where"].startswith("limits.cpp:")
    return "" if is_good else f"first is {first}, expected {expected}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("kokkos", "ompt", "otter"):
        parser.add_argument(f"--{name}", required=True, type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("program", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("limits", nargs="+", choices=list(EXPECTED))
    options = parser.parse_args()
    problems = {limit: problem(findings(options, limit), EXPECTED[limit]) for limit in options.limits}
    for limit, what in problems.items():
        print(f"{limit}: {what or 'as expected'}")
    return 1 if any(problems.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
