#!/usr/bin/env python3
"""Fails when files of one folder, or folders, use each other in a circle.

usage: circles.py ROOT [--graph]

A file uses another if it names a function or variable defined there, whichever header declares it, or if it accesses
the members of a struct whose body is there, by value or through a pointer. So including more headers than necessary
makes no difference. A pointer that is only passed on does not count, nor does a weak symbol (`#pragma weak`): the file
works without its definition. --graph prints which file uses which.
"""
import pathlib
import re
import sys

TOPS = ("core", "connectors")

FUNCTION = re.compile(r"^(?!static\b|typedef\b|#)[a-z][\w\s*]*?[\s*](\w+)\((?:[^;{}]|\n)*?\)\n\{", re.M)
VARIABLE = re.compile(r"^(?!static\b|extern\b|typedef\b|return\b)(?:const |_Atomic )*(?:struct |enum )?\w+[ *]+(?:const )?(otter_\w+)(?:\[\w*\])?(?: =|;)", re.M)
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:[^\"\\\n]|\\.)*\"", re.S)
TAG = re.compile(r"\b(?:struct|enum|union)\s+\w+")
BODY = re.compile(r"^struct\s+(otter_\w+)\s*\{", re.M)
OF_STRUCT = re.compile(r"\bstruct\s+(otter_\w+)\s*(\**)\s*(?:const\s+)?(\w*)")
WEAK = re.compile(r"#\s*pragma\s+weak\s+(\w+)")
WORD = re.compile(r"\w+")


def read_sources(root):
    """Returns path of each .c and .h below the folders -> its text without comments and strings."""
    paths = [path for top in TOPS for path in sorted((root / top).rglob("*.[ch]"))]
    return {path.relative_to(root): COMMENT.sub(" ", path.read_text(encoding="utf-8")) for path in paths}


def module(path):
    return path.with_suffix("")


def followed(text):
    """Returns the tags of the structs whose members the text uses."""
    return {tag for tag, stars, name in OF_STRUCT.findall(text)
            if not stars and name or stars and re.search(rf"\b{name}(?:->|\[)", text)}


def uses(sources):
    """Returns module -> the modules whose functions or variables it names."""
    owner = {name: module(path) for path, text in sources.items() if path.suffix == ".c"
             for pattern in (FUNCTION, VARIABLE) for name in pattern.findall(text)}
    found = {module(path): set() for path in sources}
    for path, text in sources.items():
        if path.suffix == ".c":
            words = set(WORD.findall(TAG.sub(" ", text))) - set(WEAK.findall(text))
            found[module(path)] |= {owner[word] for word in words if word in owner} - {module(path)}
    return found


def knows(sources):
    """Returns module -> the modules whose structs it uses."""
    bodies = {}
    for path, text in sources.items():
        for tag in BODY.findall(text) if path.suffix == ".h" else ():
            bodies.setdefault(tag, set()).add(module(path))
    found = {module(path): set() for path in sources}
    for path, text in sources.items():  # the recorder and the command may use the same tag for different structs
        known = {owner for tag in followed(text) for owner in bodies.get(tag, ()) if len(bodies[tag]) == 1}
        found[module(path)] |= known - {module(path)}
    return found


def circles(arrows):
    """Returns the strongly connected components of more than one node (Tarjan)."""
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


def check(root):
    sources = read_sources(root)
    used, known = uses(sources), knows(sources)
    both = {node: targets | known[node] for node, targets in used.items()}
    complaints = []
    for folder in sorted({node.parent for node in used}):
        inside = {node: {target for target in targets if target.parent == folder}
                  for node, targets in both.items() if node.parent == folder}
        complaints += [f"{folder}: a circle of {', '.join(node.name for node in circle)}" for circle in circles(inside)]
    folders = {}
    for node, targets in both.items():
        folders.setdefault(node.parent, set()).update(target.parent for target in targets if target.parent != node.parent)
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
