#!/usr/bin/env python3
"""Plays a text of events into the graph builder and compares the graph with the expected graph.

golden.py [--update] DRIVER CASE...    CASE.txt has the events, CASE.expected both views of the graph
"""
import difflib
import pathlib
import subprocess
import sys

VIEWS = ("structure", "fragments")


def draw(driver, view, case, *options):
    result = subprocess.run([driver, view, *options, case], capture_output=True, text=True, timeout=60)
    if result.returncode != 0:
        sys.exit(f"{case}: {view}: exit status {result.returncode}\n{result.stderr}")
    return result.stdout


def draw_all(driver, case, *options):
    return "\n".join(f"== {view}\n{draw(driver, view, case, *options)}" for view in VIEWS)


def difference(expected, found, names):
    lines = [text.splitlines(keepends=True) for text in (expected, found)]
    return "".join(difflib.unified_diff(*lines, *names, n=1000))


def check(driver, case):
    """Returns what is wrong with this case, or ""."""
    found = draw_all(driver, case)
    expected = case.with_suffix(".expected").read_text()
    wrong = difference(expected, found, ("expected", "found"))
    backwards = draw_all(driver, case, "--reverse")
    return wrong + difference(found, backwards, ("read from the first thread", "read from the last thread"))


def main(arguments):
    update = "--update" in arguments
    driver, *cases = [argument for argument in arguments if argument != "--update"]
    failed = False
    for case in map(pathlib.Path, cases):
        if update:
            case.with_suffix(".expected").write_text(draw_all(driver, case))
            continue
        wrong = check(driver, case)
        if wrong:
            print(f"{case.stem}:\n{wrong}")
        failed |= bool(wrong)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
