"""If Kokkos ran without Otter although its variable names Otter, one line is printed at the end; otherwise none.

    absent.py HOST PLUGIN OPENMP_PLUGIN KOKKOS OMPT OTTER LOGGER FILTER
"""
import os
import pathlib
import subprocess
import sys
import tempfile

HOST, PLUGIN, OPENMP_PLUGIN, KOKKOS, OMPT, OTTER, LOGGER, FILTER = (str(pathlib.Path(path).resolve()) for path in sys.argv[1:9])
BOTH, FIRST = ("KOKKOS_TOOLS_LIBS", "KOKKOS_PROFILE_LIBRARY"), ("KOKKOS_TOOLS_LIBS",)


def said(tools, variables=BOTH, plugin=PLUGIN, end="now", how=(), command=()):
    """Returns the message about Kokkos, and whether its connector attached."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("OTTER_", "KOKKOS_", "OMP_"))}
    clean |= {"PLUGIN_END": end, "OMP_NUM_THREADS": "2", "OMP_PROC_BIND": "false", "OMP_TOOL_LIBRARIES": OMPT, "KOKKOS_FILTER": ".*"}
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run([*command, HOST, plugin, *how], cwd=folder, env=clean | dict.fromkeys(variables, tools), capture_output=True,
                             text=True, timeout=120, check=False)
        assert (run.returncode, run.stdout) == (0, "100\n"), run
        paths = list(pathlib.Path(folder).glob("*/traces.otf2"))
        assert len(paths) == 1, run.stderr
        info = subprocess.run([OTTER, "info", str(paths[0])], capture_output=True, text=True, timeout=120, check=True)
    connectors = next(line for line in info.stdout.splitlines() if line.startswith("  connectors "))
    return [line for line in run.stderr.splitlines() if "Kokkos ran without Otter" in line], " kokkos" in connectors


def one(lines, *words):
    assert len(lines) == 1 and all(word in lines[0] for word in words), lines


for how in ([], ["close"], ["fork"]):
    for end in ("now", "exit", "never"):
        lines, is_recorded = said(f"{LOGGER};{KOKKOS}", end=end, how=how)
        one(lines, "loads the first tool of KOKKOS_TOOLS_LIBS", f"OTTER_CHAIN='{LOGGER}'")
        assert not is_recorded
for tools in (KOKKOS, f"{FILTER};{KOKKOS}"):
    assert said(tools, how=["fork"]) == ([], True), tools
for tools in (LOGGER, ""):
    assert said(tools) == ([], False), tools
for tools in (KOKKOS, f"{LOGGER};{KOKKOS}"):
    for command in ([], ["sh", "-c", '"$@"; exit $?', "sh"]):
        assert said(tools, plugin=OPENMP_PLUGIN, how=["fork"], command=command) == ([], False), tools
# Versions before 3.7 do not know this variable.
lines, is_recorded = said(KOKKOS, variables=FIRST, end="never")
if is_recorded:
    assert not lines, lines
else:
    one(lines, "KOKKOS_PROFILE_LIBRARY")
