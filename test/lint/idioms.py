#!/usr/bin/env python3
"""Fails on idioms of C that this project writes in another way: idioms.py ROOT."""
import pathlib
import re
import sys

TOPS = ("include", "core", "connectors")
MAX_TERNARIES = 2  # a ? b : c ? d : e

# Blanked, except for line ends; the text of a string has no operators.
TEXT = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)+'", re.S)
STATEMENT = re.compile(r"[^;{}]+")
REFUSED = (
    (re.compile(r"\b(status) = \1 \? \1 :"), "write OTTER_THEN(status, call) (base/status.h)"),
    (re.compile(r"\b(?:OTTER_)?(?:MOST|LEAST)_[A-Z0-9_]+"), "the names of limits begin with MAX_ and MIN_"),
)
# A struct's initialiser outside of a table; an option of getopt is a row that everyone knows.
INITIALISER = re.compile(r"(?:\bstruct\s+(?!option\b)\w+\s+\w+\s*=\s*|\(struct\s+(?!option\b)\w+\)\s*)\{")
BARE = re.compile(r"(?:NULL|true|false|-?\d\w*)$")


def ternaries(expression):
    """Returns how deeply the conditional operators of an expression are nested, also through their last operands."""
    deepest, groups = 0, [[0, 0]]  # of each open bracket: its own operators, the deepest brackets inside
    for character in expression + ")":
        if character == "?":
            groups[-1][0] += 1
        if character in "([":
            groups.append([0, 0])
        elif character in ",)]":
            own, inner = groups[-1]
            deepest = max(deepest, own + inner)
            if character == ",":
                groups[-1] = [0, 0]
            elif len(groups) > 1:
                groups.pop()
                groups[-1][1] = max(groups[-1][1], own + inner)
    return deepest


def values(text, start):
    """Returns the values of the initialiser that begins at `start`."""
    depth, last, found = 0, start, []
    for at in range(start, len(text)):
        if text[at] in "([{":
            depth += 1
        elif depth > 0 and text[at] in ")]}":
            depth -= 1
        elif text[at] in ",}" and depth == 0:
            found.append(text[last:at].strip())
            last = at + 1
            if text[at] == "}":
                break
    return found


def is_riddle(found):
    """Returns whether three or more values have no names, and one of them does not show which member it initialises."""
    return len(found) > 2 and not found[0].startswith((".", "[")) and any(BARE.match(value) for value in found)


def complaints_of(text):
    """Yields (offset, complaint) of each place in the text of a file."""
    text = TEXT.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    for pattern, advice in REFUSED:
        yield from ((match.start(), advice) for match in pattern.finditer(text))
    for match in INITIALISER.finditer(text):
        if is_riddle(values(text, match.end())):
            yield match.start(), "name the members: {.n = 3}"
    for match in STATEMENT.finditer(text):
        n = ternaries(match[0])
        if n > MAX_TERNARIES:
            yield match.start() + match[0].index("?"), f"{n} nested conditional operators (at most {MAX_TERNARIES}: write ifs)"


def check(root):
    found = []
    for path in sorted(path for top in TOPS for path in (root / top).rglob("*.[ch]")):
        text = path.read_text(encoding="utf-8")
        found += [f"{path.relative_to(root)}:{text.count(chr(10), 0, offset) + 1}: {complaint}"
                  for offset, complaint in complaints_of(text)]
    return found


if __name__ == "__main__":
    all_complaints = check(pathlib.Path(sys.argv[1]))
    print("\n".join(all_complaints))
    sys.exit(1 if all_complaints else 0)
