#!/usr/bin/env python3
"""Counts the instructions of each command of `otter` on programs of size n, 2n and 4n, and fails if they grow faster
than n log n, in the whole command or in a function, or if `otter view` reads events more often than `otter report`.

usage: growth.py --otter OTTER --player PLAYER --tool TOOL --clock LIBRARY --make MAKE_ARCHIVE [--few] [--shape NAME] [--times] [--only TEXT]

The archives are played (test/mock) with a stepping clock, and valgrind counts instructions, so that the machine's load
changes nothing. --few: some shapes and commands. --times: only measures the processor time with larger archives,
without a verdict.
"""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import shapes

SKIPPED = 77
MOST = 2.3  # n log n has 2.2 or less; n² has 4
MAX_OF_FUNCTION = 3.2  # for a single function, whose tables grow in steps
SMALL = 0.005  # share of all instructions at 4n below which a function is not compared
CALLBACK = "on_task_create"  # of the reader, for each task that is created
FEW = {"chain": ["report"], "labels": ["diff"], "phases": ["report"], "tasks": ["report", "view"]}
RANKS = (8, 60)


TOO_FAST = "  grows too fast"


def growth_of(counts):
    """Returns the growth. Differences are compared, so that constant parts do not count."""
    return (counts[2] - counts[1]) / max(counts[1] - counts[0], 1)


def functions(text, program):
    """{function: its own instructions} from callgrind's file, only for functions of the program."""
    names, counts = {}, collections.Counter()
    is_own, is_of_callee, function = False, False, None
    for line in text.splitlines():
        found = re.match(r"(fn|ob)=\((\d+)\)(?: (.*))?", line)
        called = re.match(r"c(fn|ob)=\((\d+)\) (.*)", line)
        if called:
            names[called[1], called[2]] = called[3]
        elif found:
            name = names.setdefault((found[1], found[2]), found[3])
            is_own = name.endswith("/" + program) if found[1] == "ob" else is_own
            function = name if found[1] == "fn" else function
        elif line.startswith("calls="):
            is_of_callee = True
        elif line[:1] in "0123456789+-*" and line:
            counts[function] += int(line.split()[1]) * (is_own and not is_of_callee)
            is_of_callee = False
    return counts


def commands(archive, other, is_job):
    """{name: words}"""
    one = {"report": ["report", archive], "report --json": ["report", "--json", archive], "report --slack": ["report", "--slack", archive],
           "report --threads": ["report", "--threads=1..3", archive], "diff": ["diff", archive, other], "diff --json": ["diff", "--json", archive, other],
           "view": ["view", "--output=page.html", archive], "check": ["check", archive], "info": ["info", "--all", archive],
           "graph": ["graph", "--output=graph.gv", archive], "graph --fold-team": ["graph", "--fold-team", "--output=fold.csv", archive],
           "graph --group": ["graph", "--group=label", "--output=group.gv", archive],
           "graph fragments": ["graph", "--view=fragments", "--output=graph.json", archive], "graph --hash": ["graph", "--hash", archive]}
    for name in ("perfetto", "chrome", "collapsed", "speedscope", "parquet", "csv"):
        one[f"export {name}"] = ["export", f"--to={name}", f"--output=trace-{name}", archive]
    if is_job:
        del one["report --slack"]
    return one


class Growth:
    def __init__(self, args, folder):
        self.args, self.folder = args, folder
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith(("OTTER_", "OMP_"))}

    def run(self, words, **more):
        return subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False, **more)

    def play(self, name, text):
        folder = self.folder / name
        folder.mkdir()
        script = folder / "script.mock"
        script.write_text(text)
        settings = {"OTTER_CLOCK": "monotonic", "LD_PRELOAD": str(self.args.clock), "OTTER_FOLDER": str(folder / "archive")}
        result = self.run([self.args.player, self.args.tool, script], cwd=folder, env=self.environment | settings)
        if result.returncode:
            sys.exit(f"{name}: {result.stderr}")
        script.unlink()
        return folder / "archive"

    def job(self, name, n):
        folder = self.folder / name
        folder.mkdir()
        for rank in range(n):
            properties = ["OTTER::RANK", rank, "OTTER::RANKS", n, "OTTER::HOST", f"node{rank // 2}", "OTTER::CLOCK_MONOTONIC", 1000 + rank]
            self.run([self.args.make, folder / f"rank-{rank:04}", 20, "ours", *properties])
        self.run([self.args.otter, "merge", "-o", folder / "archive", *sorted(folder.glob("rank-*"))])
        return folder / "archive"

    def archive(self, shape, n):
        return self.job(f"{shape}{n}", n) if shape == "ranks" else self.play(f"{shape}{n}", shapes.SHAPES[shape][0](n))

    def cost(self, words, place):
        """Returns the number of instructions, in all and in each of Otter's functions."""
        place.mkdir(exist_ok=True)
        if self.args.times:
            process = subprocess.Popen([str(word) for word in [self.args.otter, *words]], cwd=place, env=self.environment,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            _, _, used = os.wait4(process.pid, 0)
            return round((used.ru_utime + used.ru_stime) * 1e6), {}
        words = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={place}/counts", self.args.otter, *words]
        result = self.run(words, cwd=place, env=self.environment)
        found = re.search(r"Collected : (\d+)", result.stderr)
        if not found or result.returncode not in (0, 1):
            sys.exit(f"{words}: exit status {result.returncode}\n{result.stderr[-2000:]}")
        return int(found[1]), functions((place / "counts").read_text(), pathlib.Path(self.args.otter).name)

    @staticmethod
    def has_view_read_again(costs):
        """costs: {name: of n, 2n and 4n}."""
        if not {"report", "view"} <= costs.keys():
            return False
        view, report = (costs[name][2][1].get(CALLBACK, 0) for name in ("view", "report"))
        if view > report:
            print(f"view reads events again: {view} instructions of {CALLBACK}, not {report}", flush=True)
        return view > report

    def faults(self, shape):
        """Prints a row for each command, and returns how many commands grow too fast."""
        n = RANKS[self.args.times] if shape == "ranks" else shapes.SHAPES[shape][1 + self.args.times]
        if self.args.n:
            n = self.args.n
        archives = [self.archive(shape, size) for size in (n, 2 * n, 4 * n)]
        others = [self.archive(shape, size - size // 8) for size in (n, 2 * n, 4 * n)]
        rows = [commands(*pair, shape == "ranks") for pair in zip(archives, others)]
        wanted = [name for name in rows[0] if (not self.args.few or name in FEW[shape]) and self.args.only in name]
        jobs = [(name, row[name], self.folder / f"at-{shape}-{name.replace(' ', '')}-{i}") for name in wanted for i, row in enumerate(rows)]
        with concurrent.futures.ThreadPoolExecutor(1 if self.args.times else os.cpu_count()) as pool:
            costs = list(pool.map(lambda job: self.cost(*job[1:]), jobs))
        n_faults = 0
        for i, name in enumerate(wanted):
            totals, parts = zip(*costs[3 * i:3 * i + 3])
            growth = growth_of(totals)
            n_faults += growth > MOST
            print(f"{shape:10} {name:18} {totals[0]:12} {totals[1]:12} {totals[2]:12}  {growth:5.2f}{TOO_FAST * (growth > MOST)}", flush=True)
            for function in sorted(parts[2]):
                counts = [part.get(function, 0) for part in parts]
                growth = growth_of(counts)
                if growth > MAX_OF_FUNCTION and counts[2] > SMALL * totals[2]:
                    n_faults += 1
                    print(f"    {function:25} {counts[0]:12} {counts[1]:12} {counts[2]:12}  {growth:5.2f}{TOO_FAST}", flush=True)
        n_faults += self.has_view_read_again(dict(zip(wanted, (costs[i:i + 3] for i in range(0, len(costs), 3)))))
        for path in self.folder.iterdir():
            shutil.rmtree(path)
        return n_faults


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for option in ("--otter", "--player", "--tool", "--clock", "--make"):
        parser.add_argument(option, required=True, type=os.path.abspath)
    parser.add_argument("--few", action="store_true")
    parser.add_argument("--times", action="store_true")
    parser.add_argument("--shape", action="append")
    parser.add_argument("--only", default="")
    parser.add_argument("--n", type=int)
    args = parser.parse_args()
    if "MESON_EXE_WRAPPER" in os.environ or (not args.times and not shutil.which("valgrind")):  # of another processor
        return SKIPPED
    with tempfile.TemporaryDirectory(prefix="otter-test-") as folder:
        growth = Growth(args, pathlib.Path(folder))
        n_faults = sum(growth.faults(shape) for shape in args.shape or (FEW if args.few else [*shapes.SHAPES, "ranks"]))
    print(f"{n_faults} commands grow too fast")
    return 1 if n_faults else 0


if __name__ == "__main__":
    sys.exit(main())
