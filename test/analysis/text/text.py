#!/usr/bin/env python3
"""Plays a text of events and compares the tables of its report, as a terminal shows them, with the expected text.

text.py [--update] DRIVER FOLDER CASE...    FOLDER/NAME.expected has the tables of CASE NAME.txt on 80 columns

On other widths, each line has to fit, unless its first column of numbers alone does not.
"""
import difflib
import pathlib
import subprocess
import sys

LEAST = 60  # columns; a narrower terminal breaks lines


def play(driver, case, width):
    result = subprocess.run([driver, str(width), case], capture_output=True, text=True, timeout=60)
    if result.returncode != 0:
        sys.exit(f"{case} on {width} columns: exit status {result.returncode}\n{result.stdout}{result.stderr}")
    return result.stdout


def check(driver, case, expected):
    """Returns the mistakes of a case."""
    found = play(driver, case, 80)
    lines = difflib.unified_diff(expected.read_text().splitlines(True), found.splitlines(True), str(expected), "found", n=3)
    mistakes = ["".join(lines)] if found != expected.read_text() else []
    tables = [line for line in found.splitlines() if line.startswith("--")]
    for width in (20, 60, 80, 100):
        shown = play(driver, case, width).splitlines()
        if [line for line in shown if line.startswith("--")] != tables:
            mistakes.append(f"other tables on {width} columns")
        mistakes += [f"{len(line)} columns on a terminal of {width}: {line}" for line in shown if len(line) > max(width, LEAST)]
    return mistakes


def main(arguments):
    update = "--update" in arguments
    driver, folder, *cases = [argument for argument in arguments if argument != "--update"]
    failed = False
    for case in map(pathlib.Path, cases):
        expected = pathlib.Path(folder) / (case.stem + ".expected")
        if update:
            expected.write_text(play(driver, case, 80))
            continue
        mistakes = check(driver, case, expected)
        if mistakes:
            print(f"{case.stem}:\n" + "\n".join(mistakes))
        failed |= bool(mistakes)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
