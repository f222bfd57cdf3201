"""`scripts/bench graph` measures building the task graph. Its floor is a program that only reads the same events.

Records programs of 10^5, 10^6 and 10^7 tasks. Then reads each archive, and builds both views, each in a process of its
own. Peak: the largest memory of a process, less its memory before. Held: the memory of the finished graph. Growth: the
cost of a task divided by its cost at the first size; 1 means linear.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

# shape -> number of tasks -> argument of its kernel in test/bench/bench.c. LLVM's runtime is too slow for 10^7 dependences.
SHAPES = {
    "fib": {10**3: 14, 10**5: 23, 10**6: 28, 10**7: 33},
    "flat": {10**3: 10**3, 10**5: 10**5, 10**6: 10**6, 10**7: 10**7},
    "depend": {10**3: 32, 10**5: 316, 10**6: 1000},
}
VIEWS = ["structure", "fragments"]
GOALS = "goals: growth 1, at most 150 bytes a task (structure), at least 2 million events a second"
HEADER = """\
                             read      build: s  M ev/s   times  bytes  bytes a node  nodes  growth of
shape  thr    tasks  M events  M ev/s                      read a task  peak    held  a task  s   bytes"""


class Cost:
    """The minima of several runs of test/bench/graph on an archive."""

    def __init__(self, args, archive, what):
        runs = []
        for _ in range(args.rounds):
            output = run([args.build / "test/bench/graph", archive, what], {})
            runs.append(values_of(output))
        self.seconds = min(one["seconds"] for one in runs)
        self.peak = min(one["peak"] for one in runs)
        self.n_events, self.n_nodes, self.held = runs[0]["events"], runs[0]["nodes"], runs[0]["held"]


def run(command, settings):
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("OTTER_", "OMP_", "KMP_"))}
    command = [str(word) for word in command]
    process = subprocess.run(command, env=environment | settings, capture_output=True, text=True, check=False)
    if process.returncode:
        sys.exit(f"{' '.join(command)} ended with status {process.returncode}\n{process.stderr}")
    return process.stdout


def values_of(output):
    return {name: float(value) for name, value in re.findall(r"(\w+)=([\d.]+)", output)}


def record_kernel(args, kernel, n, threads, archive):
    """Returns the number of tasks."""
    settings = {"OMP_NUM_THREADS": str(threads), "OTTER_FOLDER": str(archive), "OTTER_QUIET": "on",
                "OMP_TOOL_LIBRARIES": str(args.build / "connectors/ompt/libotter-ompt.so")}
    if args.runtime:
        settings["LD_LIBRARY_PATH"] = args.runtime
    return int(values_of(run([args.build / "test/bench/bench", kernel, n], settings))["tasks"])


def line(cells):
    return "".join(cells).rstrip()


def measure(args, shape, size, threads, archive, first):
    """Prints a line for each view. Stores the seconds and bytes per task of the smallest size in `first`, by view."""
    n_tasks = record_kernel(args, shape, SHAPES[shape][size], threads, archive)
    floor = Cost(args, archive, "read")
    for view in VIEWS:
        cost = Cost(args, archive, view)
        each = (cost.seconds / n_tasks, cost.peak / n_tasks)
        begin = first.setdefault(view, each)
        print(line([
            f"{shape:7}{threads:3}{n_tasks:9}{cost.n_events / 1e6:10.2f}{floor.n_events / floor.seconds / 1e6:8.1f}  ",
            f"{view:9}{cost.seconds:7.3f}{cost.n_events / cost.seconds / 1e6:8.1f}{cost.seconds / floor.seconds:8.1f}",
            f"{each[1]:7.0f}{cost.peak / cost.n_nodes:6.0f}{cost.held / cost.n_nodes:8.0f}{cost.n_nodes / n_tasks:8.2f}",
            f"{each[0] / begin[0]:5.2f}{each[1] / begin[1] if begin[1] else 0:7.2f}",
        ]), flush=True)


def main(arguments, prepare):
    parser = argparse.ArgumentParser(prog="bench graph", description=__doc__)
    parser.add_argument("shapes", nargs="*", default=list(SHAPES), help="of " + ", ".join(SHAPES))
    parser.add_argument("--build", type=pathlib.Path, default=os.environ.get("OTTER_BUILD", "build"))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--sizes", default="1e5,1e6,1e7", help="numbers of tasks, with commas; 1e3 is for trying")
    parser.add_argument("--threads", default="1,2", help="numbers of recorded threads, with commas; building uses a single thread")
    parser.add_argument("--runtime", default="", help="folder of the libomp.so.5 to use")
    parser.add_argument("--folder", help="where the archives are written (default: the build folder); 10^7 tasks need 1 GiB")
    args = parser.parse_args(arguments)
    args.build = args.build.resolve()
    unknown = set(args.shapes) - set(SHAPES)
    if unknown:
        parser.error(f"no such shape: {', '.join(unknown)}")
    if not (args.build / "test/bench/graph").exists():
        sys.exit(f"there is no {args.build}/test/bench/graph: run scripts/test, or ninja -C {args.build}")
    prepare()
    print(GOALS)
    print(HEADER)
    with tempfile.TemporaryDirectory(dir=args.folder or args.build, prefix="bench-") as folder:
        for shape in args.shapes:
            for threads in map(int, args.threads.split(",")):
                first = {}
                for size in map(int, map(float, args.sizes.split(","))):
                    if size in SHAPES[shape]:
                        archive = pathlib.Path(folder, "archive")
                        measure(args, shape, size, threads, archive, first)
                        shutil.rmtree(archive)
