"""`scripts/bench kokkos` measures the cost of recording many tiny Kokkos kernels in regions (test/bench/kokkos.cpp).

Runs no tool, the Kokkos connector and both connectors in turn, and compares the minima of the launches' times.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HEADER = """\
                                    no tool   times no tool   ns more for a hook pair
Kokkos             back end            ns/launch   kokkos    both   kokkos"""


def run(program, space, args, environment, folder):
    archive = folder / "archive"
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("OTTER_", "OMP_", "KMP_", "KOKKOS_"))}
    settings = {"OMP_NUM_THREADS": str(args.threads), "OMP_PROC_BIND": "false", "OTTER_FOLDER": str(archive), "OTTER_QUIET": "on"}
    process = subprocess.run([program, space, str(args.n)], env=clean | settings | environment, cwd=folder,
                             capture_output=True, text=True, check=False)
    if process.returncode:
        sys.exit(f"{program} ended with status {process.returncode}\n{process.stderr}")
    if "KOKKOS_PROFILE_LIBRARY" in environment and not (archive / "traces.otf2").exists():
        sys.exit(f"{program}: no archive was written\n{process.stderr}")
    shutil.rmtree(archive, ignore_errors=True)
    return float(re.search(r"seconds=([\d.]+)", process.stdout).group(1)) / args.n * 1e9


def measure(program, space, args, folder):
    kokkos = str(args.build / "connectors/kokkos/libotter-kokkos.so")
    tools = {"none": {"OMP_TOOL": "disabled"},
             "kokkos": {"OMP_TOOL": "disabled", "KOKKOS_TOOLS_LIBS": kokkos, "KOKKOS_PROFILE_LIBRARY": kokkos}}
    if space == "openmp":
        tools["both"] = {"OMP_TOOL_LIBRARIES": str(args.build / "connectors/ompt/libotter-ompt.so"),
                         "KOKKOS_TOOLS_LIBS": kokkos, "KOKKOS_PROFILE_LIBRARY": kokkos}
    runs = {tool: [] for tool in tools}
    for _ in range(args.rounds):
        for tool, environment in tools.items():
            runs[tool].append(run(program, space, args, environment, folder))
    return {tool: min(times) for tool, times in runs.items()}


def main(arguments, prepare):
    parser = argparse.ArgumentParser(prog="bench kokkos", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=os.environ.get("OTTER_BUILD", "build"))
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--n", type=int, default=30000, help="launches")
    args = parser.parse_args(arguments)
    args.build = args.build.resolve()
    if subprocess.run(["ninja", "-C", args.build, "bench-kokkos"], stdout=subprocess.DEVNULL, check=False).returncode:
        sys.exit(f"cannot build bench-kokkos in {args.build}: build Kokkos with scripts/kokkos, then Otter with ninja")
    programs = sorted((args.build / "test/kokkos").glob("bench-*"))
    prepare()
    print(HEADER)
    for program in programs:
        for space in ["serial"] if program.name.endswith("debian") else ["openmp", "serial"]:
            with tempfile.TemporaryDirectory(dir=args.build, prefix="bench-") as folder:
                best = measure(program, space, args, pathlib.Path(folder))
            both = f"{best['both'] / best['none']:8.2f}" if "both" in best else " " * 8
            print(f"{program.name[6:]:19}{space:8}{best['none']:20.1f}{best['kokkos'] / best['none']:9.2f}{both}"
                  f"{(best['kokkos'] - best['none']) / 2:9.1f}", flush=True)
