#!/usr/bin/env python3
"""Fails when files of one folder, or folders, use each other in a circle.

usage: circles.py ROOT [--graph]

A file uses another when it names a function or a variable that the other defines, whatever header declares it. So a wide
header hides nothing. A weak symbol (`#pragma weak`) is no use: the file works without its definition.
--graph prints what uses what.
"""
import pathlib
import re
import sys

TOPS = ("core", "connectors")

# Folders whose files are still a circle. An entry is removed with its circle.
PENDING = ()

FUNCTION = re.compile(r"^(?!static\b|typedef\b|#)[a-z][\w\s*]*?[\s*](\w+)\((?:[^;{}]|\n)*?\)\n\{", re.M)
VARIABLE = re.compile(r"^(?!static\b|extern\b|typedef\b|return\b)(?:const |_Atomic )*(?:struct |enum )?\w+[ *]+(?:const )?(otter_\w+)(?:\[\w*\])?(?: =|;)", re.M)
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:[^\"\\\n]|\\.)*\"", re.S)
TAG = re.compile(r"\b(?:struct|enum|union)\s+\w+")
WEAK = re.compile(r"#\s*pragma\s+weak\s+(\w+)")
WORD = re.compile(r"\w+")


def read_sources(root):
    """Path of each .c and .h below the folders -> its text without comments and strings."""
    paths = [path for top in TOPS for path in sorted((root / top).rglob("*.[ch]"))]
    return {path.relative_to(root): COMMENT.sub(" ", path.read_text(encoding="utf-8")) for path in paths}


def module(path):
    return path.with_suffix("")


def uses(sources):
    """Module -> the modules whose functions or variables it names."""
    owner = {name: module(path) for path, text in sources.items() if path.suffix == ".c"
             for pattern in (FUNCTION, VARIABLE) for name in pattern.findall(text)}
    found = {module(path): set() for path in sources}
    for path, text in sources.items():
        if path.suffix == ".c":
            words = set(WORD.findall(TAG.sub(" ", text))) - set(WEAK.findall(text))
            found[module(path)] |= {owner[word] for word in words if word in owner} - {module(path)}
    return found


def circles(arrows):
    """The strongly connected components of more than one node (Tarjan)."""
    index, low, stack, on_stack, found = {}, {}, [], set(), []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        on_stack.add(node)
        for target in sorted(arrows.get(node, ())):
            if target not in index:
                visit(target)
                low[node] = min(low[node], low[target])
            elif target in on_stack:
                low[node] = min(low[node], index[target])
        if low[node] == index[node]:
            at = stack.index(node)
            component = stack[at:]
            del stack[at:]
            on_stack.difference_update(component)
            if len(component) > 1:
                found.append(sorted(component))

    for node in sorted(arrows):
        if node not in index:
            visit(node)
    return found


def check(root, pending=PENDING):
    used = uses(read_sources(root))
    complaints = []
    for folder in sorted({node.parent for node in used}):
        arrows = {node: {target for target in targets if target.parent == folder}
                  for node, targets in used.items() if node.parent == folder}
        if folder.as_posix() not in pending:
            complaints += [f"{folder}: a circle of {', '.join(node.name for node in circle)}" for circle in circles(arrows)]
    folders = {}
    for node, targets in used.items():
        folders.setdefault(node.parent, set()).update(target.parent for target in targets if target.parent != node.parent)
    if "folders" in pending:
        return complaints
    return complaints + [f"a circle of the folders {', '.join(map(str, circle))}" for circle in circles(folders)]


def main():
    sys.setrecursionlimit(10000)
    root = pathlib.Path(sys.argv[1])
    if sys.argv[2:] == ["--graph"]:
        for node, targets in sorted(uses(read_sources(root)).items()):
            print(node, "->", " ".join(sorted(map(str, targets))))
        return 0
    complaints = check(root)
    print("\n".join(complaints))
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
