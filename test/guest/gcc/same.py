#!/usr/bin/env python3
"""Checks that a program compiled by GCC has the same results on LLVM's runtime and on GCC's."""
import argparse
import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile

PATIENCE = 120
OURS = ("OTTER_", "OMP_", "KMP_", "LD_PRELOAD")


def run(*command, settings=(), **options):
    environment = {name: value for name, value in os.environ.items() if not name.startswith(OURS)}
    environment["OMP_SCHEDULE"] = "dynamic,2"
    environment.update(setting.split("=", 1) for setting in settings)
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=PATIENCE, **options)


def count_dependences(otter, folder):
    written = run(otter, "graph", "archive", "--format=csv", "--output=graph.csv", cwd=folder)
    if written.returncode != 0:
        sys.exit(f"otter graph: {written.stderr}")
    with open(folder / "graph.edges.csv") as edges:
        return sum(edge["kind"] == "dependence" for edge in csv.DictReader(edges))


def lines_of_tasks(otter, folder):
    written = run(otter, "graph", "archive", "--format=json", "--output=graph.json", cwd=folder)
    if written.returncode != 0:
        sys.exit(f"otter graph: {written.stderr}")
    with open(folder / "graph.json") as graph:
        return sorted({node.get("line") for node in json.load(graph)["nodes"]
                       if node["kind"] == "task" and node["task_kind"] == "explicit"}, key=str)


def check(options, folder):
    expected = (0, f"{options.prints}\n")
    if options.prints is None:
        alone = run(options.program, settings=options.env)
        expected = (alone.returncode, alone.stdout)
    recorded = run(options.otter, "record", "-o", "archive", options.program, settings=options.env, cwd=folder)
    if (recorded.returncode, recorded.stdout) != expected:
        sys.exit(f"expected: {expected}\nrecorded: {recorded.returncode}\n{recorded.stdout}\n{recorded.stderr}")
    if "running it on LLVM's" not in recorded.stderr or not (folder / "archive").is_dir():
        sys.exit(f"not recorded:\n{recorded.stderr}")
    if "OMP:" in recorded.stderr:
        sys.exit(f"the runtime says what the program's own does not:\n{recorded.stderr}")
    if options.places:
        found = lines_of_tasks(options.otter, folder)
        if found != options.places:
            sys.exit(f"tasks on lines {found} instead of {options.places}")
    if options.dependences is not None:
        n = count_dependences(options.otter, folder)
        if n != options.dependences:
            sys.exit(f"{n} dependences instead of {options.dependences}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("otter", type=os.path.abspath)
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("--prints", help="what it must print, where GCC's runtime here cannot run it")
    parser.add_argument("--places", type=int, nargs="+", help="the lines of its tasks, sorted as texts")
    parser.add_argument("--env", action="append", default=[], help="NAME=VALUE of the environment")
    parser.add_argument("--dependences", type=int, help="how many edges its graph has for them")
    with tempfile.TemporaryDirectory(prefix="otter-gcc-") as folder:
        check(parser.parse_args(), pathlib.Path(folder))


main()
