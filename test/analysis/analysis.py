#!/usr/bin/env python3
"""Plays a text of events into the analysis and compares its numbers with the expected ones.

analysis.py [--update] DRIVER CASE...    CASE.txt has the events, CASE.expected the numbers; without CASE.expected, a case
                                         only has to add up
"""
import difflib
import pathlib
import subprocess
import sys


def play(driver, case, *options):
    result = subprocess.run([driver, *options, case], capture_output=True, text=True, timeout=60)
    if result.returncode != 0:
        sys.exit(f"{case} {' '.join(options)}: exit status {result.returncode}\n{result.stdout}{result.stderr}")
    return result.stdout


def check(driver, case):
    """Returns the differences of a case; "" if there are none."""
    found, backwards = play(driver, case), play(driver, case, "--reverse")
    expected = case.with_suffix(".expected")
    has_numbers = expected.exists() and not expected.read_text().startswith("== ")  # a golden case has its graph there
    texts = [("expected", expected.read_text(), found)] if has_numbers else []
    texts += [("read from the last thread", backwards, found)]
    return "".join("".join(difflib.unified_diff(text.splitlines(True), own.splitlines(True), name, "found", n=100))
                   for name, text, own in texts)


def main(arguments):
    update = "--update" in arguments
    driver, *cases = [argument for argument in arguments if argument != "--update"]
    failed = False
    for case in map(pathlib.Path, cases):
        if update:
            case.with_suffix(".expected").write_text(play(driver, case))
            continue
        wrong = check(driver, case)
        if wrong:
            print(f"{case.stem}:\n{wrong}")
        failed |= bool(wrong)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
