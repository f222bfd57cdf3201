#!/usr/bin/env python3
"""Fails when doc/quirks.md, the table of workarounds, and the code disagree.

usage: quirks.py ROOT

Each file, folder and name that a row gives must exist. The code of each workaround must name the quirk in a comment.
Each name that a comment or a note of `otter check` uses must be in the table, or in the list below it.
"""
import pathlib
import re
import sys

PAGE = "doc/quirks.md"
FOLDERS = ("include", "core", "connectors")
NO_TEST = "-"

# Places whose comments do not name their rows yet. An entry is removed when its comments do.
PENDING = ()

ROW = re.compile(r"^\| (?!name \||---)([a-z0-9 ]+) \|(.*)\|$", re.M)
OTHERS = "\n## Other notes"  # the section of names without a workaround
IN_COMMENT = re.compile(r"\b[Qq]uirks? ((?:(?:, | and )?'[a-z0-9 ]+')+)")
IN_CHECK = re.compile(r'\[OTTER_QUIRK_\w+\]\s*=\s*\{\s*"([^"]+)"')


def rows_of(page):
    """Yields (name, workaround, test) of each row."""
    for match in ROW.finditer(page):
        cells = [cell.strip() for cell in match.group(2).split("|")]
        yield match.group(1), cells[-2], cells[-1]


def sources(root, place):
    """Returns the texts of a file, or of the C files of a folder; none if the place does not exist."""
    paths = [root / place] if (root / place).is_file() else (root / place).rglob("*.[ch]")
    return [path.read_text(encoding="utf-8") for path in paths]


def check_places(root, cell):
    """Returns complaints about places, and about words that follow a place but are not in it; and the places that exist."""
    complaints, places, texts = [], [], []
    for word in re.findall(r"`([^`]+)`", cell):
        if re.fullmatch(r"[\w.-]+(/[\w.-]+)+", word):
            texts = sources(root, word)
            if texts:
                places.append(word)
            else:
                complaints.append(f"there is no {word}")
        elif texts and not any(re.search(rf"\b{re.escape(word)}\b", text) for text in texts):
            complaints.append(f"{places[-1]} has no {word}")
    return complaints, places


def names_in(text):
    """Returns the names that the comments of a C file use."""
    text = re.sub(r"\n\s*// ?", " ", text)
    return [name for names in IN_COMMENT.findall(text) for name in re.findall(r"'([^']+)'", names)]


def check_row(root, name, workaround, test, pending):
    complaints, places = check_places(root, workaround)
    if not places and not complaints:
        complaints.append("names no place of its workaround")
    complaints += [f"{place} does not name it" for place in places
                   if not place.startswith(pending) and not any(name in names_in(text) for text in sources(root, place))]
    wrong, tests = check_places(root, test)
    if not tests and not wrong and test != NO_TEST:
        wrong = ["names no test"]
    return complaints + wrong


def check(root, pending=PENDING):
    page = (root / PAGE).read_text(encoding="utf-8")
    page, _, others = page.partition(OTHERS)
    rows = list(rows_of(page))
    complaints = [f"{PAGE}: {name}: {complaint}" for name, workaround, test in rows
                  for complaint in check_row(root, name, workaround, test, pending)]
    known = [name for name, _, _ in rows]
    complaints += [f"{PAGE}: {name} has two rows" for name in sorted({name for name in known if known.count(name) > 1})]
    known += [name for names in re.findall(r"^\| ([a-z, -]+) \|", others, re.M) for name in names.split(", ")]
    for path in sorted(path for folder in FOLDERS for path in (root / folder).rglob("*.[ch]")):
        text = path.read_text(encoding="utf-8")
        used = names_in(text) + (IN_CHECK.findall(text) if path.parent.name == "check" else [])
        complaints += [f"{path.relative_to(root)}: '{name}' is not in {PAGE}" for name in used if name not in known]
    return complaints


if __name__ == "__main__":
    found = check(pathlib.Path(sys.argv[1]))
    print("\n".join(found))
    sys.exit(1 if found else 0)
