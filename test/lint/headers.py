#!/usr/bin/env python3
"""Fails if a header does not compile on its own: all headers as C, public headers also as C++.

usage: headers.py ROOT BUILD CC [CXX]
The flags come from a source file of the same folder, in BUILD/compile_commands.json.
"""
import json
import pathlib
import shlex
import subprocess
import sys

WARNINGS = ["-Wall", "-Wextra", "-Wno-unused-parameter", "-Werror", "-fsyntax-only"]


def flags_by_folder(root, build):
    """Returns {folder: flags for including and defining, with which its sources are compiled}."""
    flags = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        source = (pathlib.Path(entry["directory"]) / entry["file"]).resolve()
        if root not in source.parents:
            continue
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
    flags = flags_by_folder(root, build)
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
        good &= compiles([cc, "-std=c11", *WARNINGS, *include, *own, "-xc", "-"], header)
        if cxx and header in public:
            good &= compiles([cxx, "-std=c++17", *WARNINGS, *include, "-xc++", "-"], header)
    return good and bool(public)


if __name__ == "__main__":
    top_folder, build_folder = (pathlib.Path(a).resolve() for a in sys.argv[1:3])
    sys.exit(0 if check(top_folder, build_folder, sys.argv[3], (sys.argv[4:] or [None])[0]) else 1)
