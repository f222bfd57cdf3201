#!/usr/bin/env python3
"""Fails on an #include that points the wrong way (core/README.md shows the allowed ones), and on a folder with too many
files.

usage: layers.py ROOT
"""
import collections
import pathlib
import re
import sys

# A folder may include itself, include/otter and these; rows list them from top to bottom.
BASE = ["core/base/output", "core/base/large", "core/base", "core/base/text"]
READ = ["core/trace/read", "core/trace/read/checked", "core/trace", *BASE]
WRITE = ["core/trace/write", "core/trace", *BASE]
RECORDING = ["core/recording", *WRITE]
RECORD = ["core/record/device", "core/record/entry", "core/record/control", "core/record/thread", "core/record/process"]
GRAPH = ["core/graph", *READ]
BUILD = ["core/graph/build", "core/graph/build/edges", *GRAPH]
PARTS = ["core/analysis/cause", "core/analysis/task", "core/analysis/path", "core/analysis/kokkos", "core/analysis/time"]
ANALYSIS = ["core/analysis", *PARTS, *BUILD]
SOURCE = ["core/source", "core/source/unit", "core/source/machine", "core/trace/revise", "core/graph", *READ]
FINDINGS = ["core/analysis/findings", "core/analysis/detail", "core/analysis/sample", "core/analysis/job", "core/analysis/replay", "core/source", *ANALYSIS]
REPORT = ["core/report/ranks", "core/report/runs", "core/report/diff", "core/report/job", "core/report/check", "core/report/screen", "core/report/predict",
          "core/report/info", "core/report/table", "core/report/form"]
GRAPHS = ["core/graph/fold", "core/graph/hash", "core/graph/export", "core/graph/group"]


def below(rooms, name):
    """Returns the rooms below the room `name`."""
    return rooms[rooms.index(name) + 1:]


LAYERS = {
    "include/otter": [],
    "connectors/gomp": [],
    "connectors/loader": [],
    "connectors/ompt/base": ["connectors/loader"],
    "connectors/ompt/device": ["connectors/ompt/base"],
    "connectors/ompt/quirks": ["connectors/ompt/base", "connectors/loader"],
    "connectors/ompt": ["connectors/ompt/device", "connectors/ompt/quirks", "connectors/ompt/base", "connectors/loader"],
    "connectors/kokkos": [],
    "connectors/mpi": ["connectors/loader"],
    **{room: below(BASE, room) for room in BASE},
    "core/base/output": ["core/base", "core/base/text"],
    "core/trace": BASE,
    "core/trace/write": below(WRITE, "core/trace/write"),
    "core/trace/read/checked": ["core/trace", *BASE],
    "core/trace/read": below(READ, "core/trace/read"),
    "core/trace/revise": [*READ, *WRITE],
    "core/trace/merge": [*READ, *WRITE],
    "core/merge": ["core/trace/merge", *READ],
    "core/recording": WRITE,
    "core/recording/finish": RECORDING,
    **{room: [*below(RECORD, room), "core/recording/finish", *RECORDING] for room in RECORD},
    "core/record": [*RECORD, "core/recording/finish", *RECORDING],
    "core/graph": READ,
    "core/graph/build/edges": GRAPH,
    "core/graph/build": below(BUILD, "core/graph/build"),
    "core/graph/hash": GRAPH,
    "core/graph/fold": ["core/graph/hash", *GRAPH],
    "core/graph/group": GRAPH,
    "core/graph/export": ["core/graph/group", *GRAPH],
    "core/end": ["core/record", "core/record/process", "core/graph/export", "core/graph/group", "core/graph/build", "core/graph", *BASE],
    "core/check": BUILD,
    **{room: below(SOURCE, room) for room in SOURCE[:3]},
    **{room: [*below(PARTS, room), *BUILD] for room in PARTS},
    "core/analysis": below(ANALYSIS, "core/analysis"),
    "core/analysis/replay": ["core/analysis/detail", *ANALYSIS],
    "core/analysis/job": ANALYSIS,
    "core/analysis/detail": ANALYSIS,
    "core/analysis/sample": ANALYSIS,
    "core/analysis/findings": ["core/analysis/detail", "core/analysis/sample", "core/analysis/replay", "core/source", *ANALYSIS],
    **{room: [*below(REPORT, room), "core/check", *GRAPHS, *FINDINGS] for room in REPORT},
    "core/view/lane": ["core/graph/group", *FINDINGS],
    "core/view/table": ["core/view/lane", "core/graph/group", *FINDINGS],
    "core/view": ["core/view/table", "core/view/lane", "core/report/form", "core/graph/group", *FINDINGS],
    "core/export/encode": BASE,
    "core/export/slice": ["core/view/lane", *FINDINGS],
    "core/export": ["core/export/encode", "core/export/slice", "core/view", "core/view/table", "core/view/lane", "core/report/form",
                    "core/graph/export", "core/graph/group", *FINDINGS],
    "core/launcher/observe": ["core/recording", "core/trace", *BASE],
    "core/launcher": ["core/launcher/observe", *SOURCE, "core/recording", "core/trace", *BASE],
    "core/cli/request": [*REPORT, "core/merge", "core/recording/finish", "core/recording", *GRAPHS, *FINDINGS],
    "core/cli": ["core/cli/request", "core/launcher", "core/merge", "core/export", "core/view", *REPORT,
                 "core/recording/finish", "core/recording", *GRAPHS, *FINDINGS],
}

# foreign headers -> the only folder that may include them
FOREIGN = {
    r"otf2/": "core/trace",
    r"omp-tools\.h|ompt": "connectors/ompt",
    r"Kokkos|kokkosp": "connectors/kokkos",
    r"mpi\.h": "connectors/mpi",
}

# The limit lets a folder be read at a glance. Inputs of fuzzers and files that Python and editors leave do not count.
MAX_FILES = 30
NOT_COUNTED = re.compile(r"/corpus/|\.pyc$|~$")

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def target_folder(header):
    """Returns our folder that contains `header`, as written between quotes; None if it names no folder."""
    folder = header.rpartition("/")[0]
    if not folder:
        return None
    if folder == "otter":
        return "include/otter"
    return ("connectors/" if folder.startswith(("ompt/", "loader")) else "core/") + folder


def complaint(folder, quote, header):
    """Returns the complaint about this #include in `folder`, or None."""
    for pattern, owner in FOREIGN.items():
        if re.match(pattern, header) and quote == "<" and not folder.startswith(owner):
            return f"only {owner} may include <{header}>"
    if quote == "<":
        return None
    if folder.startswith("connectors/") and "/" not in header:
        return None  # its own header, in the same folder
    target = target_folder(header)
    if target is None:
        return f'"{header}" does not name its folder'
    allowed = [folder, "include/otter"] + LAYERS[folder]
    if target not in allowed:
        return f'{folder} may not include "{header}" (only {", ".join(allowed)})'
    return None


def layer_of(path):
    """Returns the layer of a source file, or None for a folder without a layer."""
    parts = path.parts
    return max((layer for layer in LAYERS if parts[: layer.count("/") + 1] == tuple(layer.split("/"))), key=len, default=None)


def crowded(root):
    """Returns a complaint for each folder with too many files."""
    folders = collections.Counter(path.parent.relative_to(root) for top in ("include", "core", "connectors", "test", "scripts", "doc")
                                  for path in (root / top).rglob("*") if path.is_file() and not NOT_COUNTED.search(str(path)))
    return [f"{folder}: {n} files (at most {MAX_FILES}: make rooms)" for folder, n in sorted(folders.items()) if n > MAX_FILES]


def check(root):
    complaints = crowded(root)
    for top in ("include", "core", "connectors"):
        for path in sorted((root / top).rglob("*.[ch]")):
            name = path.relative_to(root)
            folder = layer_of(name)
            if folder is None:
                complaints.append(f"{name}: in no layer (add its folder to {pathlib.Path(__file__).name})")
                continue
            for number, line in enumerate(path.read_text().splitlines(), 1):
                match = INCLUDE.match(line)
                wrong = match and complaint(folder, *match.groups())
                if wrong:
                    complaints.append(f"{name}:{number}: {wrong}")
    return complaints


if __name__ == "__main__":
    found = check(pathlib.Path(sys.argv[1]))
    print("\n".join(found))
    sys.exit(1 if found else 0)
