"""`scripts/bench scale` measures all stages of an archive from 10^5 to 10^7 tasks: recorded, checked, reported, exported.

Each stage runs in its own process. Seconds: processor time (user and system) and wall time; `run` is the program
without a tool. MiB: the largest memory of the process. Growth: the cost of a task divided by its cost at the first
size; 1 means linear. The last line states what 10^8 tasks would need if each cost as much as at the largest size.
--sizes 1e8 measures them, with 70 GiB of disk. --memory limits each stage by a control group, which needs root; MiB is
then the memory of the group, including pages of files.
"""
import argparse
import contextlib
import os
import pathlib
import shutil
import sys
import tempfile
import time

import bench_graph
import bench_report

# shape -> number of tasks -> argument of its kernel in test/bench/bench.c.
SHAPES = {
    "fib": {10**3: 14, 10**5: 23, 10**6: 28, 10**7: 33, 10**8: 38},
    "flat": {10**3: 10**3, 10**5: 10**5, 10**6: 10**6, 10**7: 10**7, 10**8: 10**8},
    "steps": {10**3: 1, 10**5: 100, 10**6: 10**3, 10**7: 10**4, 10**8: 10**5},
}
STAGES = ("run", "record", "info", "check", "report", "export")
MIB, GOAL = 1 << 20, 4 << 30  # bytes of memory within which 10^8 tasks should be analysed
HEADER = """\
shape thr      tasks  stage       s  wall s   us a task     MiB  bytes a task   disk: MiB  bytes a task    growth of s  bytes"""


def size_of(folder):
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) if folder else 0


# folder -> files with the limit and with the largest use: of version 1, then of version 2
KINDS = {"/sys/fs/cgroup/memory": ("memory.limit_in_bytes", "memory.max_usage_in_bytes"),
         "/sys/fs/cgroup": ("memory.max", "memory.peak")}


class Group:
    """A control group limits the memory of a command: its own, and the pages of files that it uses. Needs root.

    `command` runs words in the group; `peak` is the largest use in bytes.
    """

    def __init__(self, folder, peak):
        self.folder, self.peak_file = folder, folder / peak

    def command(self, words):
        return ["sh", "-c", 'echo $$ > "$0" && exec "$@"', self.folder / "cgroup.procs", *words]

    def peak(self):
        return int(self.peak_file.read_text())


@contextlib.contextmanager
def limited(size):
    """A group of `size` bytes, which ends with the block."""
    for root, (limit, peak) in KINDS.items():
        folder = pathlib.Path(root) / f"otter-{os.getpid()}"
        try:
            folder.mkdir()
            (folder / limit).write_text(str(size))
        except OSError:
            with contextlib.suppress(OSError):
                folder.rmdir()
            continue
        try:
            yield Group(folder, peak)
        finally:
            folder.rmdir()
        return
    sys.exit("no control group can limit memory: run as root, where the memory controller is enabled")


class Archive:
    """The stages of one archive, and the commands of each."""

    def __init__(self, args, shape, size, threads, folder):
        self.args, self.folder, self.tables = args, folder / "archive", folder / "tables"
        self.program = [args.build / "test/bench/bench", shape, SHAPES[shape][size]]
        self.settings = {"OMP_NUM_THREADS": threads} | ({"LD_LIBRARY_PATH": args.runtime} if args.runtime else {})

    def command(self, stage):
        otter = self.args.build / "core/cli/otter"
        settings = self.settings | {
            "run": {"OMP_TOOL": "disabled"},
            "record": {"OMP_TOOL_LIBRARIES": self.args.build / "connectors/ompt/libotter-ompt.so", "OTTER_FOLDER": self.folder,
                       "OTTER_QUIET": "on"},
        }.get(stage, {})
        return ["env", *(f"{name}={value}" for name, value in settings.items()), *{
            "run": self.program,
            "record": self.program,
            "export": [otter, "export", "--to=parquet", "-o", self.tables, self.folder],
        }.get(stage, [otter, stage, self.folder])]

    def cost_of(self, command):
        """Returns the output, seconds of the processor and the largest memory."""
        if not self.args.memory:
            return bench_report.cost_of(command)
        with limited(self.args.memory) as group:
            output, seconds, _ = bench_report.cost_of(group.command(command))
            return output, seconds, group.peak()

    def measure(self, stage):
        """Returns the number of tasks, or None; processor seconds, bytes of memory, bytes of disk and wall seconds."""
        if stage == "record":
            shutil.rmtree(self.folder, ignore_errors=True)
        begin = time.monotonic()
        output, seconds, memory = self.cost_of(self.command(stage))
        wall = time.monotonic() - begin
        written = {"record": self.folder, "export": self.tables}.get(stage)
        return bench_graph.values_of(output).get("tasks") if stage == "run" else None, seconds, memory, size_of(written), wall


def line(name, n_tasks, stage, cost, first):
    seconds, memory, disk, wall = cost
    growth = [mine / n_tasks / other for mine, other in zip((seconds, memory), first)]
    return (f"{name}{n_tasks:11.0f}  {stage:6}{seconds:8.2f}{wall:8.1f}{seconds / n_tasks * 1e6:12.3f}{memory / MIB:8.0f}{memory / n_tasks:14.1f}"
            + (f"{disk / MIB:12.1f}{disk / n_tasks:14.1f}" if disk else f"{'':26}") + f"{growth[0]:15.2f}{growth[1]:7.2f}")


def forecast(n_tasks, costs):
    """Returns what 10^8 tasks need, if each costs as much as at the largest size."""
    words = []
    for stage in list(costs)[1:]:
        seconds, memory, disk = (cost * 10**8 / n_tasks for cost in costs[stage][:3])
        words.append(f"{stage} {seconds:.0f} s" + (f", {disk / 2**30:.1f} GiB of disk" if disk else "")
                     + ("" if n_tasks < 10**6 else f", {memory / 2**30:.1f} GiB" + (" (above 4)" if memory > GOAL else "")))
    return "10^8 tasks at this cost: " + "; ".join(words)


def measure_shape(args, shape, threads):
    first, costs, n_tasks = {}, {}, 0
    for size in args.sizes:
        with tempfile.TemporaryDirectory(dir=args.folder or args.build, prefix="bench-") as folder:
            archive = Archive(args, shape, size, threads, pathlib.Path(folder))
            for stage in args.stages:
                runs = [archive.measure(stage) for _ in range(args.rounds)]
                n_tasks = runs[0][0] or n_tasks
                costs[stage] = [min(run[i] for run in runs) for i in (1, 2, 3, 4)]
                per_task = first.setdefault(stage, [cost / n_tasks or 1e-12 for cost in costs[stage][:2]])
                print(line(f"{shape:6}{threads:3}", n_tasks, stage, costs[stage], per_task), flush=True)
    print(forecast(n_tasks, costs), flush=True)


def main(arguments, prepare):
    parser = argparse.ArgumentParser(prog="bench scale", description=__doc__)
    parser.add_argument("shapes", nargs="*", default=["fib"], help="of " + ", ".join(SHAPES) + " (default: fib)")
    parser.add_argument("--build", type=pathlib.Path, default=os.environ.get("OTTER_BUILD", "build"))
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--sizes", default="1e5,1e6,1e7", help="numbers of tasks, with commas; 1e3 is for trying")
    parser.add_argument("--threads", type=int, default=2, help="of the recorded program")
    parser.add_argument("--runtime", default="", help="folder of the libomp.so.5 to use")
    parser.add_argument("--folder", help="where the archives are written (default: the build folder); 10^7 tasks need 2 GiB")
    parser.add_argument("--memory", type=lambda text: int(float(text) * (1 << 30)), help="GiB of memory for each stage")
    parser.add_argument("--stages", default=",".join(STAGES[2:]), help="those behind `record`, with commas (default: %(default)s)")
    args = parser.parse_args(arguments)
    args.build = args.build.resolve()
    args.sizes = [int(float(size)) for size in args.sizes.split(",")]
    args.stages = ["run", "record", *args.stages.split(",")]
    if set(args.stages) - set(STAGES):
        parser.error(f"the stages are {', '.join(STAGES[2:])}")
    unknown = set(args.shapes) - set(SHAPES)
    if unknown:
        parser.error(f"no such shape: {', '.join(unknown)}")
    if set(args.sizes) - set(SHAPES["fib"]):
        parser.error("the sizes are " + ", ".join(f"{size:.0e}" for size in SHAPES["fib"]))
    if not (args.build / "test/bench/bench").exists():
        sys.exit(f"there is no {args.build}/test/bench/bench: run scripts/test, or ninja -C {args.build}")
    prepare()
    print(HEADER)
    for shape in args.shapes:
        measure_shape(args, shape, args.threads)
