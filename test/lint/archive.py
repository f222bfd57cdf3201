#!/usr/bin/env python3
"""Fails when doc/archive.md, the specification of archives, and the sources disagree: on properties, constructs, parameters,
or the version of the format.

usage: archive.py ROOT
"""
import pathlib
import re
import sys

PAGE = "doc/archive.md"
SCHEMA = "core/trace/schema.c"
FOLDERS = ("core", "connectors")

PREFIXES = {"KOKKOS"}  # readers compare the beginnings of names with these prefixes

NAME = r"([A-Z][A-Z_]*(?:::[^\"]*)?)"
# The ways in which sources name a property.
WRITTEN = [re.compile(text) for text in (
    r'"OTTER::' + NAME + '"',
    r'\b(?:otter_)?describe\("' + NAME + '"',
    r'\b(?:set_number|set_property|write_count)\(\w+, "' + NAME + '"',
    r'"describe ([A-Z][A-Z_]+) ',
    r'"((?:CALLBACK|SETTING|KOKKOS)::)"',
    r'\bname, sizeof\(name\), "' + NAME + '"',
)]
CONSTRUCT = re.compile(r'\[OTTER_CONSTRUCT_\w+\] = \{\s*"([^"]+)",\s*OTF2_REGION_ROLE_(\w+)')
PARAMETER = re.compile(r'\[OTTER_PARAMETER_\w+\] = "([^"]+)"')


def family(name):
    """Returns the part of a name that all properties of its kind share: MODULE:: of MODULE::%zu."""
    first, colons, _ = name.partition("::")
    return first + colons


def written(root):
    """Returns the properties that the sources write or read."""
    texts = [path.read_text(encoding="utf-8") for folder in FOLDERS for path in sorted((root / folder).rglob("*.c"))]
    return {family(name) for text in texts for way in WRITTEN for name in way.findall(text)} - PREFIXES


def rows(page, columns):
    """Yields the cells of each row of the table that has these columns."""
    _, _, table = page.partition("| " + " | ".join(columns) + " |\n")
    for line in table.splitlines()[1:]:
        if not line.startswith("|"):
            return
        yield [cell.strip().strip("`") for cell in line.strip("|").split("|")]


def compare(what, described, known):
    """Returns complaints about two sets that should be equal."""
    return ([f"{PAGE}: {what} '{name}' is not in the sources" for name in sorted(described - known)] +
            [f"{PAGE}: {what} '{name}' of the sources is not described" for name in sorted(known - described)])


def check(root):
    page = (root / PAGE).read_text(encoding="utf-8")
    schema = (root / SCHEMA).read_text(encoding="utf-8")
    header = (root / SCHEMA).with_suffix(".h").read_text(encoding="utf-8")
    complaints = compare("property", {family(name) for name in re.findall(r"^\| `OTTER::([^`]+)` \|", page, re.M)}, written(root))
    complaints += compare("construct", {" ".join(row[:2]) for row in rows(page, ("canonical name", "OTF2 role", "notes"))},
                          {" ".join(pair) for pair in CONSTRUCT.findall(schema)})
    complaints += compare("parameter", {row[0] for row in rows(page, ("name", "record", "value", "meaning"))}, set(PARAMETER.findall(schema)))
    complaints += compare("version", set(re.findall(r"version of this format: \*\*(\d+)\*\*", page)),
                          set(re.findall(r"OTTER_SCHEMA_VERSION = (\d+)", header)))
    return complaints


if __name__ == "__main__":
    found = check(pathlib.Path(sys.argv[1]))
    print("\n".join(found))
    sys.exit(1 if found else 0)
