#!/usr/bin/env python3
"""Fails on a struct whose body stands in a header though no other file needs the body.

usage: structs.py ROOT

A file needs the body if it accesses the members, holds the struct by value (also as a part of another struct) or
applies sizeof. If only the .c file of the header's own name does, the body belongs in that file.
"""
import pathlib
import re
import sys

import circles

TOPS = ("include", "core", "connectors")
USERS = (*TOPS, "test")  # tests may build data by hand
BODY = re.compile(r"^struct\s+(otter_\w+)\s*\{(.*?)^\}", re.M | re.S)
POINTER = re.compile(r"\bstruct\s+(otter_\w+)\s*\*(\w+);")
POINTED = re.compile(r"\bstruct\s+(otter_\w+)\s*\*+\s*(?:const\s+)?(\w+)")
MENTIONED = re.compile(r"\bstruct (otter_\w+)")
USED = re.compile(r"\b(\w+)(?:\[|->)|sizeof \*(?:\w+(?:\.|->))*(\w+)")
HELD = re.compile(r"\bstruct\s+(otter_\w+)\s*(?:\w|\)|\[)")  # a variable, a member, a cast, sizeof, OTTER_VECTOR


def needed(text, arrays):
    """Returns the tags of the structs whose bodies the text needs, also for the elements of another struct's array."""
    mentioned, used = set(MENTIONED.findall(text)), {name for pair in USED.findall(text) for name in pair}
    followed = {tag for tag, name in POINTED.findall(text) if name in used}
    elements = {tag for outer, tag, name in arrays if outer in mentioned and name in used}
    return followed | set(HELD.findall(text)) | elements


def check(root):
    sources = {path: circles.COMMENT.sub(" ", path.read_text(encoding="utf-8"))
               for top in USERS for path in sorted((root / top).rglob("*.[ch]"))}
    arrays = [(outer, *member) for path, text in sources.items() if path.suffix == ".h"
              for outer, body in BODY.findall(text) for member in POINTER.findall(body)]
    needs = {path: needed(text, arrays) for path, text in sources.items()}
    complaints = []
    for path, text in sources.items():
        for tag, _ in BODY.findall(text) if path.suffix == ".h" and path.relative_to(root).parts[0] != "test" else ():
            users = {user for user, tags in needs.items() if tag in tags}
            if not users - {path.with_suffix(".c")}:
                complaints.append(f"{path.relative_to(root)}: only {path.stem}.c needs the body of struct {tag}: move the body there")
    return complaints


if __name__ == "__main__":
    all_complaints = check(pathlib.Path(sys.argv[1]))
    print("\n".join(all_complaints))
    sys.exit(1 if all_complaints else 0)
