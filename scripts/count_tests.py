#!/usr/bin/env python3
"""Prints the last lines of each failed test in meson's testlog.json, then `N passed, N failed[, N skipped]`.
Exit status 0 if at least one test passed and none failed."""
import json
import sys

N_LINES_SHOWN = 15

PASSED = {"OK", "EXPECTEDFAIL"}
SKIPPED = {"SKIP"}


def main(path):
    try:
        with open(path, encoding="utf-8") as log:
            tests = [json.loads(line) for line in log]
    except OSError as error:
        print(f"no test has run: {error}", file=sys.stderr)
        tests = []
    n_passed = sum(test["result"] in PASSED for test in tests)
    skipped = [test["name"] for test in tests if test["result"] in SKIPPED]
    failed = [test for test in tests if test["result"] not in PASSED | SKIPPED]
    for name in skipped:
        print(f"skipped: {name}")
    for test in failed:
        print(f"failed: {test['name']} ({test['result'].lower()})")
        printed = test.get("stdout", "").splitlines() + test.get("stderr", "").splitlines()
        for line in printed[-N_LINES_SHOWN:]:
            print(f"    {line}")
    print(f"{n_passed} passed, {len(failed)} failed" + (f", {len(skipped)} skipped" if skipped else ""))
    return 1 if failed or not n_passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
