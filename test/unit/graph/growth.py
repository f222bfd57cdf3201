#!/usr/bin/env python3
"""Counts the instructions of a program at N, 2 N and 4 N, and fails when they grow faster than n log n.

growth.py PROGRAM N

Instructions counted by valgrind do not depend on the machine's load.
"""
import os
import re
import shutil
import subprocess
import sys

SKIPPED = 77
MOST = 2.3  # n log n has 2.2 or less from n = 1000 on; n² has 4


def instructions(program, n):
    result = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program, str(n)],
                            capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"{program} {n}: exit status {result.returncode}\n{result.stderr}")
    return int(re.search(r"Collected : (\d+)", result.stderr).group(1))


def main(program, n):
    if "MESON_EXE_WRAPPER" in os.environ or not shutil.which("valgrind"):  # another processor's program: valgrind cannot run it
        return SKIPPED
    counts = [instructions(program, size) for size in (n, 2 * n, 4 * n)]
    growth = (counts[2] - counts[1]) / (counts[1] - counts[0])  # differences do not contain the start of the program
    print(f"{counts} instructions at {n}, {2 * n} and {4 * n}: {growth:.2f} times for twice the size")
    return 0 if growth <= MOST else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2])))
