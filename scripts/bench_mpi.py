"""`scripts/bench mpi` measures the message rate of two ranks, without and with Otter.

Runs both in turn, and compares the minima. The ranks exchange messages one after the other (test/mpi/pingpong.c), so that each message
waits for the one before: the worst case. `more` is the additional cost of a message: a send and a receive, four
records.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parent.parent / "test/mpi/pingpong.c"


def run(args, name, program, size, tool, folder):
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("OTTER_", "OMP_"))}
    environment |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OTTER_QUIET": "on", "OTTER_TRACE_PATH": folder}
    command = [f"mpirun.{name}", *(["--oversubscribe"] if name == "openmpi" else []), "-n", "2"]
    command += [str(args.build / "core/cli/otter"), "record"] if tool == "otter" else []
    process = subprocess.run([*command, program, str(args.messages // 2), str(size)], env=environment, cwd=folder, capture_output=True, text=True,
                             check=False)
    if process.returncode:
        sys.exit(f"{command}: exit status {process.returncode}\n{process.stderr}")
    return float(re.search(r"seconds=(\S+)", process.stdout).group(1))


def compare(args, name, program, size):
    best = {}
    for _ in range(args.rounds):
        for tool in ("none", "otter"):
            with tempfile.TemporaryDirectory() as folder:
                best[tool] = min(run(args, name, program, size, tool, folder), best.get(tool, float("inf")))
    none, otter = best["none"], best["otter"]
    return f"{args.messages / none:14.0f}{args.messages / otter:14.0f}{otter / none:8.2f}{(otter - none) / args.messages * 1e9:10.0f}"


def main(arguments, prepare):
    parser = argparse.ArgumentParser(prog="bench mpi", description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--messages", type=int, default=200000)
    parser.add_argument("--sizes", type=int, nargs="+", default=[8, 65536], help="bytes of a message")
    parser.add_argument("--build", type=pathlib.Path, default=os.environ.get("OTTER_BUILD", "build"))
    args = parser.parse_args(arguments)
    args.build = args.build.resolve()
    names = [name for name in ("openmpi", "mpich") if shutil.which(f"mpicc.{name}") and
             (args.build / f"connectors/mpi/libotter-mpi-{name}.so").exists()]
    if not names:
        sys.exit("bench mpi needs Open MPI or MPICH, and Otter built with it")
    prepare()
    print("                  messages a second\nMPI       bytes     no tool         Otter   times   ns more")
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            program = str(pathlib.Path(folder) / name)
            subprocess.run([f"mpicc.{name}", "-O2", "-o", program, str(SOURCE)], check=True)
            for size in args.sizes:
                print(f"{name:8}{size:7}" + compare(args, name, program, size))
