#!/usr/bin/env python3
"""Fails on an #include that points the wrong way (core/README.md shows the right ones).

usage: layers.py ROOT
"""
import pathlib
import re
import sys

# folder -> Otter's folders that it may include; each may include itself and include/otter
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
    "core/base": [],
    "core/trace": ["core/base"],
    "core/trace/write": ["core/trace", "core/base"],
    "core/recording": ["core/trace/write", "core/trace", "core/base"],
    "core/trace/read": ["core/trace", "core/base"],
    "core/trace/revise": ["core/trace/read", "core/trace/write", "core/trace", "core/base"],
    "core/trace/merge": ["core/trace/read", "core/trace/write", "core/trace", "core/base"],
    "core/merge": ["core/trace/merge", "core/trace/read", "core/trace", "core/base"],
    "core/record/process": ["core/recording", "core/trace/write", "core/trace", "core/base"],
    "core/record/thread": ["core/record/process", "core/recording", "core/trace/write", "core/trace", "core/base"],
    "core/record/control": ["core/record/thread", "core/record/process",
                            "core/recording", "core/trace/write", "core/trace", "core/base"],
    "core/record/entry": ["core/record/control", "core/record/thread", "core/record/process",
                          "core/recording", "core/trace/write", "core/trace", "core/base"],
    "core/record/device": ["core/record/entry", "core/record/control", "core/record/thread", "core/record/process",
                           "core/recording", "core/trace/write", "core/trace", "core/base"],
    "core/record": ["core/record/device", "core/record/entry", "core/record/control", "core/record/thread", "core/record/process",
                    "core/recording", "core/trace/write", "core/trace", "core/base"],
    "core/graph": ["core/trace/read", "core/trace", "core/base"],
    "core/graph/build": ["core/graph", "core/trace/read", "core/trace", "core/base"],
    "core/graph/hash": ["core/graph", "core/trace/read", "core/trace", "core/base"],
    "core/graph/fold": ["core/graph/hash", "core/graph", "core/trace/read", "core/trace", "core/base"],
    "core/graph/group": ["core/graph", "core/trace/read", "core/trace", "core/base"],
    "core/graph/export": ["core/graph/group", "core/graph", "core/trace/read", "core/trace", "core/base"],
    "core/check": ["core/graph/build", "core/graph", "core/trace/read", "core/trace", "core/base"],
    "core/analysis": ["core/graph/build", "core/graph", "core/trace/read", "core/trace", "core/base"],
    "core/end": ["core/record", "core/record/process", "core/graph/build", "core/graph/group", "core/graph/export", "core/graph", "core/base"],
    "core/report": ["core/check", "core/analysis", "core/graph/build", "core/graph/fold", "core/graph/hash",
                    "core/graph/export", "core/graph", "core/trace/revise", "core/trace/read", "core/trace", "core/base"],
    "core/view": ["core/report", "core/analysis", "core/graph/build", "core/graph/group", "core/graph", "core/trace/read",
                  "core/trace", "core/base"],
    "core/export": ["core/view", "core/report", "core/analysis", "core/graph/export", "core/graph", "core/trace/read",
                    "core/trace", "core/base"],
    "core/launcher": ["core/recording", "core/trace", "core/base"],
    "core/cli": ["core/launcher", "core/merge", "core/export", "core/view", "core/report", "core/graph/build", "core/graph/hash", "core/graph/fold", "core/graph/group",
                 "core/graph/export", "core/graph", "core/recording", "core/trace/read", "core/trace", "core/base"],
}

# foreign headers -> the only folder that may include them
FOREIGN = {
    r"otf2/": "core/trace",
    r"omp-tools\.h|omp\.h|ompt": "connectors/ompt",
    r"Kokkos|kokkosp": "connectors/kokkos",
    r"mpi\.h": "connectors/mpi",
}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def target_folder(header):
    """The folder of ours that `header`, as written between quotes, lies in; None where it names no folder."""
    folder = header.rpartition("/")[0]
    if not folder:
        return None
    if folder == "otter":
        return "include/otter"
    return ("connectors/" if folder.startswith(("ompt/", "loader")) else "core/") + folder


def complaint(folder, quote, header):
    """The complaint about this #include in `folder`, or None."""
    for pattern, owner in FOREIGN.items():
        if re.match(pattern, header) and quote == "<" and not folder.startswith(owner):
            return f"only {owner} may include <{header}>"
    if quote == "<":
        return None
    if folder.startswith("connectors/") and "/" not in header:
        return None  # its own header, beside it
    target = target_folder(header)
    if target is None:
        return f'"{header}" does not name its folder'
    allowed = [folder, "include/otter"] + LAYERS[folder]
    if target not in allowed:
        return f'{folder} may not include "{header}" (only {", ".join(allowed)})'
    return None


def layer_of(path):
    """The layer of a source file, or None for a folder without a layer."""
    parts = path.parts
    return max((layer for layer in LAYERS if parts[: layer.count("/") + 1] == tuple(layer.split("/"))), key=len, default=None)


def check(root):
    complaints = []
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
