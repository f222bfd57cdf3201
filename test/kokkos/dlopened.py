"""A program that loads Kokkos and OpenMP with dlopen is recorded to its end, in whatever order the libraries are finalised.

    dlopened.py HOST PLUGIN KOKKOS OMPT OTTER LOGGER LOGGER_OPENMP

LOGGER_OPENMP is the logging tool as a library that needs OpenMP's runtime: it makes the runtime end after Otter at
exit.
"""
import itertools
import os
import pathlib
import subprocess
import sys
import tempfile

HOST, PLUGIN, KOKKOS, OMPT, OTTER, LOGGER, LOGGER_OPENMP = (str(pathlib.Path(path).resolve()) for path in sys.argv[1:8])
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import hooks  # noqa: E402
from real import Recorded  # noqa: E402


def run(folder, end, close, **variables):
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("OTTER_", "KOKKOS_", "OMP_"))}
    clean |= {"PLUGIN_END": end, "OMP_NUM_THREADS": "2", "OMP_PROC_BIND": "false"}
    ended = subprocess.run([HOST, PLUGIN, *close], cwd=folder, env=clean | variables, capture_output=True, text=True, timeout=120,
                           check=False)
    assert (ended.returncode, ended.stdout) == (0, "100\n"), ended
    return ended.stderr


def check(folder, end, close, chain, ompt):
    settings = {"KOKKOS_TOOLS_LIBS": KOKKOS, "KOKKOS_PROFILE_LIBRARY": KOKKOS} | ({"OMP_TOOL_LIBRARIES": OMPT} if ompt else {})
    if chain:
        settings |= {"OTTER_CHAIN": chain, "KOKKOS_LOGGER_FILE": "log"}
    said = run(folder, end, close, **settings)
    paths = list(pathlib.Path(folder).glob("*/traces.otf2"))
    assert len(paths) == 1, said
    checked = subprocess.run([OTTER, "check", str(paths[0])], capture_output=True, text=True, timeout=120, check=False)
    assert checked.returncode == 0, checked.stdout
    got = Recorded(paths[0])
    counts = {name: got.archive.properties[f"OTTER::{name}"] for name in ("LOST", "REPAIRED", "UNBEGUN", "UNFINISHED")}
    assert set(counts.values()) == {"0"}, counts
    assert got.archive.properties["OTTER::CONNECTORS"].split() in (["kokkos"], ["ompt", "kokkos"], ["kokkos", "ompt"]), got.archive.properties
    if chain:
        log = hooks.Log(pathlib.Path(folder, "log"))
        assert log.records() == got.counts, (log.records(), got.counts)
        assert len(log.of("finalize_library")) == (end != "never"), end
    assert any(label == "kernel" for _, label, _ in got.counts), got.counts


for case in itertools.product(("now", "exit", "never"), ([], ["close"]), (None, LOGGER, LOGGER_OPENMP), (True, False)):
    with tempfile.TemporaryDirectory() as made:
        try:
            check(made, *case)
        except Exception:
            print(case, file=sys.stderr)
            raise
