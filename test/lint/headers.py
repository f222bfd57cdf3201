#!/usr/bin/env python3
"""Fails if a header does not compile on its own: all headers as C, public headers also as C++.

usage: headers.py ROOT BUILD CC [CXX]
The flags come from a source file of the same folder, in BUILD/compile_commands.json. A header that a source of the build includes
before anything else is not compiled again: the build has shown that it compiles on its own.
"""
import json
import pathlib
import re
import shlex
import subprocess
import sys

WARNINGS = ["-Wall", "-Wextra", "-Wno-unused-parameter", "-Werror", "-fsyntax-only"]


FIRST_INCLUDE = re.compile(r'\A(?:\s|//[^\n]*\n)*#include "([^"]+)"')


def sources_of(root, build):
    """Returns the build's sources in the tree, with their entries."""
    entries = json.loads((build / "compile_commands.json").read_text())
    sources = [((pathlib.Path(entry["directory"]) / entry["file"]).resolve(), entry) for entry in entries]
    return [(source, entry) for source, entry in sources if root in source.parents]


def compiled_first(root, sources):
    """Returns the headers that a source includes before anything else."""
    headers = set()
    for source, _ in sources:
        found = FIRST_INCLUDE.match(source.read_text()) if source.suffix == ".c" else None
        if found:
            paths = (folder / found[1] for folder in (source.parent, root / "core", root / "include"))
            headers |= {path.resolve() for path in [*filter(pathlib.Path.exists, paths)][:1]}
    return headers


def flags_by_folder(sources):
    """Returns {folder: flags for including and defining, with which its sources are compiled}."""
    flags = {}
    for source, entry in sources:
        words = shlex.split(entry["command"])
        kept = [w if w[:2] == "-D" else absolute(w, entry["directory"]) for w in words
                if w.startswith(("-I", "-D", "-isystem"))]
        for flag, folder in zip(words, words[1:]):
            kept += [flag, folder] if flag == "-idirafter" else []
        flags.setdefault(source.parent, kept)
    return flags


def absolute(flag, directory):
    prefix = "-isystem" if flag.startswith("-isystem") else "-I"
    return prefix + str((pathlib.Path(directory) / flag[len(prefix):]).resolve())


def compiles(command, header):
    source = f'#include "{header}"\n'
    result = subprocess.run(command, input=source, capture_output=True, text=True, check=False)
    if result.returncode:
        print(f"{header} does not compile alone:\n  {shlex.join(command)}\n{result.stderr}")
    return result.returncode == 0


def check(root, build, cc, cxx):
    sources = sources_of(root, build)
    flags = flags_by_folder(sources)
    proven = compiled_first(root, sources)
    public = sorted((root / "include").rglob("*.h"))
    private = sorted(h for top in ("core", "connectors", "test") for h in (root / top).rglob("*.h"))
    good = True
    for header in public + private:
        own = flags.get(header.parent)
        if own is None and header in public:
            own = []
        if own is None:
            continue  # this build omits the part
        include = [f"-I{root / 'include'}", f"-I{header.parent}"]
        if header not in proven:
            good &= compiles([cc, "-std=c11", *WARNINGS, *include, *own, "-xc", "-"], header)
        if cxx and header in public:
            good &= compiles([cxx, "-std=c++17", *WARNINGS, *include, "-xc++", "-"], header)
    return good and bool(public)


if __name__ == "__main__":
    top_folder, build_folder = (pathlib.Path(a).resolve() for a in sys.argv[1:3])
    sys.exit(0 if check(top_folder, build_folder, sys.argv[3], (sys.argv[4:] or [None])[0]) else 1)
