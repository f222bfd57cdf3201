#!/usr/bin/env python3
"""Runs scripts of tests one after the other, each in a fork of this process, which has imported their modules: for short scripts,
the imports take most of the time.

usage: batch.py --each SCRIPT [ARGUMENT...] [--each SCRIPT [ARGUMENT...]]...

Prints the commands that fail, or the one that runs when this process is terminated. Exit status: 0; 1 if a script fails; 77 if each
is skipped.
"""
import importlib
import os
import pathlib
import runpy
import shlex
import signal
import sys

SKIPPED = 77


def jobs_of(arguments):
    """Returns the words after each `--each`."""
    jobs = []
    for argument in arguments:
        if argument == "--each":
            jobs.append([])
        else:
            jobs[-1].append(argument)
    return jobs


def run(job):
    """Runs a script in a fork. Returns its exit status; in the fork, does not return."""
    sys.stdout.flush()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(f"terminated while this ran: {shlex.join(job)}"))
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        sys.argv = job
        runpy.run_module(pathlib.Path(job[0]).stem, run_name="__main__", alter_sys=True)
        sys.exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def main():
    jobs = jobs_of(sys.argv[1:])
    for script in {job[0]: None for job in jobs}:
        sys.path.insert(0, str(pathlib.Path(script).resolve().parent))
        importlib.import_module(pathlib.Path(script).stem)
    statuses = []
    for job in jobs:
        status = run(job)
        if status not in (0, SKIPPED):
            print(f"exit status {status}: {shlex.join(job)}\n")
        statuses.append(status)
    if not statuses or set(statuses) - {0, SKIPPED}:
        return 1
    return SKIPPED if set(statuses) == {SKIPPED} else 0


if __name__ == "__main__":
    sys.exit(main())
