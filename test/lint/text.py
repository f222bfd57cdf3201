#!/usr/bin/env python3
"""Fails on text that must not be in the sources: reminders, private paths, registries, white space, long functions.

usage: text.py ROOT
"""
import pathlib
import re
import sys

FOLDERS = ("core", "connectors", "include", "packaging", "test", "scripts", "subprojects", ".ci")
TEXT = {".c", ".h", ".py", ".sh", ".build", ".txt", ".md", ".scd", ".wrap", ".f90", ".cpp", ""}
NOT_OURS = re.compile(r"(?:^|/)\.git$|/subprojects/(?!packagefiles)[^/]+/|/test/fuzz/corpus/")
LONGEST_FUNCTION = 40  # lines, not counting a flat switch or table

# forbidden text -> reason. The patterns do not match this file itself.
FORBIDDEN = {
    r"\bTO" r"DO\b|\bFIX" r"ME\b|\bX" r"XX\b": "a reminder: do it, or open an issue",
    r"(?<![\w.])/(?:ho" r"me|wo" r"rk|Us" r"ers)/\w+": "a path of one machine",
    r"deb\.deb" r"ian\.org|pypi\.o" r"rg|registry\.np" r"mjs|crates\.i" r"o|files\.python" r"hosted": "a package registry",
    r"^#!\S+ .*\s[a-z]+[,:]? [a-z]": "an interpreter's line with a sentence",
    r"\bu" r"sleep\(": "waiting for time to pass instead of for what is awaited",
}


def lines_of_text(path, lines):
    for number, line in enumerate(lines, 1):
        for pattern, why in FORBIDDEN.items():
            match = re.search(pattern, line)
            if match:
                yield f"{number}: '{match.group()}' is {why}"
        if line != line.rstrip():
            yield f"{number}: white space at the end"
        if "\t" in line and path.suffix in (".c", ".h", ".py"):
            yield f"{number}: a tab"


def functions(lines):
    """Yields (first line, last line, name) of each function: braces in the first column enclose a function."""
    begin = None
    for number, line in enumerate(lines, 1):
        if line == "{":
            begin = number
        elif line == "}" and begin:
            heads = " ".join(lines[max(0, begin - 6):begin - 1])
            names = re.findall(r"(\w+)\(", heads)
            yield begin, number, names[-1] if names else "?"
            begin = None


def long_functions(lines):
    for begin, end, name in functions(lines):
        length = end - begin - 1
        body = lines[begin:end - 1]
        n_cases = sum(1 for line in body if re.match(r"\s*(case |default:)", line))
        n_rows = sum(1 for line in body if re.match(r"""\s*[{"[].*[}"],?\s*(//.*)?$""", line))
        if length - 2 * n_cases - n_rows > LONGEST_FUNCTION:
            yield f"{begin}: {name} has {length} lines (at most {LONGEST_FUNCTION}, but for one flat switch or table)"


def check(root):
    complaints = []
    top = [p for p in root.glob("*") if p.suffix in TEXT]
    for path in sorted(top + [p for folder in FOLDERS for p in (root / folder).rglob("*")]):
        if not path.is_file() or path.suffix not in TEXT or NOT_OURS.search(str(path)):
            continue
        if {"__pycache__", "corpus"} & set(path.parts) or path.is_symlink():  # corpus: inputs of fuzzers
            continue
        lines = path.read_text().split("\n")
        found = list(lines_of_text(path, lines))
        if lines[-1] != "":
            found.append(f"{len(lines)}: no newline at the end")
        if path.suffix in (".c", ".h"):
            found += long_functions(lines)
        complaints += [f"{path.relative_to(root)}:{line}" for line in found]
    return complaints


if __name__ == "__main__":
    all_found = check(pathlib.Path(sys.argv[1]))
    print("\n".join(all_found))
    sys.exit(1 if all_found else 0)
