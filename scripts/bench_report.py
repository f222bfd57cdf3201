"""`scripts/bench report` measures `otter report`. Its floor is a program that only builds the graph of the same archive.

Records programs of about 10^6 and 10^7 events. Then reports each archive, and builds its graph, in turn, each in a process
of its own. Seconds: processor time, user and system. MiB: the largest memory of the process. Growth: the seconds of an
event divided by those at the first size; 1 means linear. --sizes 1e8 needs 8 GiB of memory and 2 GiB of disk.
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import bench_graph
import bench_predict

# shape -> number of events -> argument of its kernel in test/bench/bench.c.
SHAPES = {
    "fib": {10**4: 14, 10**6: 24, 10**7: 29, 10**8: 34},
    "flat": {10**4: 2000, 10**6: 180000, 10**7: 1800000},
    "taskwait": {10**4: 2500, 10**6: 250000, 10**7: 2500000},
    "regions": {10**4: 700, 10**6: 70000, 10**7: 700000},
    "loops": {10**4: 450, 10**6: 45000, 10**7: 450000},
    "locks": {10**4: 400, 10**6: 40000, 10**7: 400000},
}
MIB = 1 << 20
GOALS = "goals: growth 1; 10^7 events of fib in less than 5 s and 1 GiB"
HEADER = """\
                          report                        graph           report / graph  growth
shape    thr  M events       s  M ev/s     MiB       s     MiB        s     MiB   of s"""


def cost_of(command):
    """Runs a command. Returns its output, seconds and bytes."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("OTTER_")}
    with subprocess.Popen([str(word) for word in command], env=environment, stdout=subprocess.PIPE, text=True) as process:
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{' '.join(map(str, command))} ended with status {process.returncode}")
    return output, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def measure(args, shape, size, threads, archive, first):
    """Prints a line. Returns the seconds of an event at the first size."""
    bench_graph.record_kernel(args, shape, SHAPES[shape][size], threads, archive)
    runs = {"report": [], "graph": []}
    for _ in range(args.rounds):
        output, *cost = cost_of([args.build / "test/bench/graph", archive, "fragments"])
        runs["graph"].append(cost)
        runs["report"].append(cost_of([args.build / "core/cli/otter", "report", archive])[1:])
    n_events = bench_graph.values_of(output)["events"]
    (report_s, report_size), (graph_s, graph_size) = ([min(column) for column in zip(*runs[name])] for name in ("report", "graph"))
    first = first or report_s / n_events
    print(f"{shape:9}{threads:3}{n_events / 1e6:10.2f}{report_s:8.2f}{n_events / 1e6 / report_s:8.1f}{report_size / MIB:8.0f}"
          f"{graph_s:8.2f}{graph_size / MIB:8.0f}{report_s / graph_s:9.2f}{report_size / graph_size:8.2f}"
          f"{report_s / n_events / first:7.2f}", flush=True)
    return first


def main(arguments, prepare):
    parser = argparse.ArgumentParser(prog="bench report", description=__doc__)
    parser.add_argument("shapes", nargs="*", default=list(SHAPES), help="of " + ", ".join(SHAPES))
    parser.add_argument("--build", type=pathlib.Path, default=os.environ.get("OTTER_BUILD", "build"))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--sizes", default="1e6,1e7", help="numbers of events, with commas; 1e4 is for trying, 1e8 has fib alone")
    parser.add_argument("--threads", default="2", help="numbers of recorded threads, with commas; reporting uses a single thread")
    parser.add_argument("--runtime", default="", help="folder of the libomp.so.5 to use")
    parser.add_argument("--predictions-alone", action="store_true", help="measure no cost (bench_predict.py)")
    parser.add_argument("--folder", help="where the archives are written (default: the build folder)")
    args = parser.parse_args(arguments)
    args.build = args.build.resolve()
    unknown = set(args.shapes) - set(SHAPES)
    if unknown:
        parser.error(f"no such shape: {', '.join(unknown)}")
    if not (args.build / "test/bench/graph").exists():
        sys.exit(f"there is no {args.build}/test/bench/graph: run scripts/test, or ninja -C {args.build}")
    prepare()
    if not args.predictions_alone:
        measure_cost(args)
    with tempfile.TemporaryDirectory(dir=args.folder or args.build, prefix="bench-") as folder:
        bench_predict.measure(args, folder)


def measure_cost(args):
    """Measures the time and memory of a report."""
    print(GOALS)
    print(HEADER)
    with tempfile.TemporaryDirectory(dir=args.folder or args.build, prefix="bench-") as folder:
        for shape in args.shapes:
            for threads in map(int, args.threads.split(",")):
                first = None
                for size in map(int, map(float, args.sizes.split(","))):
                    if size in SHAPES[shape]:
                        archive = pathlib.Path(folder, "archive")
                        first = measure(args, shape, size, threads, archive, first)
                        shutil.rmtree(archive)
