"""`scripts/bench paused` measures the cost of a recording that is paused from the start.

Runs in turn, and compares the minima: no tool; a tool without callbacks (test/bench/idle.c); a tool with empty callbacks
(test/bench/empty.c); Otter with start=paused. The first two tools show the runtime's own cost.
The kernel fib, whose tasks only create tasks, is the worst case. In grain, a leaf computes a few microseconds.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HEADER = """\
                   no tool   times no tool                  ns a task more
kernel threads     seconds   no callbacks  empty  paused   empty  paused"""
KERNELS = ("fib", "grain")
TOOLS = ("none", "idle", "empty", "paused")


def run(kernel, tool, args, threads, folder):
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("OTTER_", "OMP_", "KMP_"))}
    environment["OMP_NUM_THREADS"] = str(threads)
    environment |= {
        "none": {"OMP_TOOL": "disabled"},
        "idle": {"OMP_TOOL_LIBRARIES": str(args.build / "test/bench/libidle.so")},
        "empty": {"OMP_TOOL_LIBRARIES": str(args.build / "test/bench/libempty.so")},
        "paused": {"OMP_TOOL_LIBRARIES": str(args.build / "connectors/ompt/libotter-ompt.so"), "OTTER_TRACE_PATH": folder,
                   "OTTER_QUIET": "on", "OTTER_START": "paused"},
    }[tool]
    process = subprocess.run([args.build / "test/bench/bench", kernel], env=environment, cwd=folder,
                             capture_output=True, text=True, check=False)
    if process.returncode:
        sys.exit(f"{kernel} with tool {tool} ended with status {process.returncode}\n{process.stderr}")
    values = {name: float(value) for name, value in re.findall(r"(\w+)=([\d.]+)", process.stdout)}
    return values["seconds"], values["tasks"]


def compare(kernel, args, threads):
    """Returns a row: runs all tools in turn, several times."""
    best = {}
    n_tasks = 0
    for _ in range(args.rounds):
        for tool in TOOLS:
            with tempfile.TemporaryDirectory() as folder:
                seconds, n_tasks = run(kernel, tool, args, threads, folder)
            best[tool] = min(seconds, best.get(tool, seconds))
    idle, empty, paused = (best[tool] / best["none"] for tool in TOOLS[1:])
    more = [(best[tool] - best["none"]) / n_tasks * 1e9 for tool in TOOLS[2:]]
    return f"{best['none']:12.3f}{idle:15.2f}{empty:7.2f}{paused:8.2f}{more[0]:8.1f}{more[1]:8.1f}"


def main(arguments, prepare):
    parser = argparse.ArgumentParser(prog="bench paused", description=__doc__)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--build", type=pathlib.Path, default=os.environ.get("OTTER_BUILD", "build"))
    args = parser.parse_args(arguments)
    args.build = args.build.resolve()
    if not (args.build / "test/bench/libempty.so").exists():
        sys.exit(f"there is no {args.build}/test/bench/libempty.so: run scripts/test, or ninja -C {args.build}")
    prepare()
    print(HEADER)
    for kernel in KERNELS:
        for threads in args.threads:
            print(f"{kernel:6}{threads:8}" + compare(kernel, args, threads))
