#!/usr/bin/env python3
"""Fails one allocation of a command of `otter`, for each place in the code that allocates (allocations.c).

usage: allocations.py --runs PROGRAM --otter OTTER --make MAKE_ARCHIVE --archives FOLDER --inject LIBRARY --tool TOOL --program PROGRAM
                      [--every] [--frames N] [--only TEXT]

A place is an address, with the addresses of its N callers. --every fails each allocation, not only the first of a
place.

Whatever fails, the command ends with exit status 1, one message and no output. If its last message fails, the output
is complete.
"""
import argparse
import collections
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from faults import clean_environment

MAX_SHOWN = 40
FORMATS = ["perfetto", "chrome", "collapsed", "speedscope", "csv", "json", "parquet"]
# The messages of a command that are not errors: notes and warnings.
NOTES = ("otter: merged ", "otter: next: ", "otter: source lines are not stored: ")
# an empty folder, which the next command removes
TEMPORARY = re.compile(r"^out\.\d+\.part$|(^|/)\.otter-merge-\w+$")
WRITTEN = re.compile(r"otter: out\S*: |otter: also written: ")


class Command:
    """`words` is the command line. `changes` is a folder that the command changes: each run gets a new copy."""

    def __init__(self, *words, changes=None):
        self.words, self.changes = [str(word) for word in words], changes

    def __str__(self):
        return " ".join(pathlib.Path(word).name if word.startswith("/") else word for word in self.words)


def commands(small, others, job, unmerged, again, recording):
    """Yields all commands. `others` are archives of other kinds of events."""
    one, two = others["fib"], others["dependences"]
    yield Command("report", small)
    for name in ("dependences", "kokkos", "taskgroup", "untied"):
        yield Command("report", "--json", others[name])
    yield Command("report", "--tasks", one)
    yield Command("report", "--critical-path=chain", two)
    yield Command("report", "--kernels=tree", "--csv", others["kokkos"])
    yield Command("report", "--threads=1..2", "--what-if=task fib+0x1358=0.5x", one)
    yield Command("report", one, others["taskgroup"])
    yield Command("report", job)
    yield Command("report", "--json", job)
    yield Command("report", "--tasks", job)
    yield Command("report", "--threads=1..2", job)
    yield Command("diff", one, two)
    yield Command("diff", "--json", two, small)
    yield Command("diff", "--fail-if=wall > +5%", "--junit=out.xml", one, one)
    yield Command("diff", job, job)
    yield Command("view", "-o", "out.html", two)
    yield Command("view", "-o", "out.html", job)
    for name in FORMATS:
        yield Command("export", f"--to={name}", "-o", "out", others["kokkos"])
    for name in ("perfetto", "csv", "parquet"):
        yield Command("export", f"--to={name}", "-o", "out", job)
    yield Command("export", "--to=csv", "--table=fragments", "-o", "out", two)
    yield Command("check", "--json", two)
    yield Command("check", job)
    yield Command("info", "--all", others["kokkos"])
    yield Command("info", "--json", job)
    yield Command("info", "--all", job)
    yield Command("graph", "-o", "out.gv", two)
    yield Command("graph", "--fold-team", "--group=label", "-f", "csv", "-o", "out.csv", one)
    yield Command("graph", "--view=fragments", "--root=1", "-f", "graphml", "-o", "out.xml", one)
    yield Command("graph", "--hash", one)
    yield Command("graph", "-f", "json", "-o", "out.json", job)
    yield Command("merge", "-o", "out", *sorted(unmerged.glob("rank-*")))
    yield Command("merge", "job", changes=unmerged)
    yield Command("merge", "again", changes=again)
    yield Command("recover", recording.name, changes=recording)


def code_of_otf2(runs):
    """Returns the addresses of OTF2's functions, which are contiguous: from the first to the end of the last. OTF2 does
    not survive a failed allocation."""
    lines = subprocess.run(["nm", "-n", "-S", runs], capture_output=True, text=True, check=True).stdout.splitlines()
    rows = [line.split() for line in lines]
    first = next(int(row[0], 16) for row in rows if row[-1] == "__executable_start")
    own = [row for row in rows if len(row) == 4 and row[2] in "tT" and row[3].startswith("OTF2_")]
    begin, end = int(own[0][0], 16), int(own[-1][0], 16) + int(own[-1][1], 16)
    return begin - first, end - first


class Runs:
    """Runs one command again and again, in an otherwise empty folder."""

    def __init__(self, args, folder, command, otf2):
        self.folder, self.command, self.place = folder, command, folder / "here"
        self.out, self.err = folder / "stdout", folder / "stderr"
        self.process = None
        self.restore()
        words = [args.runs, self.out, self.err, *(f"{at:x}" for at in otf2), *command.words]
        self.process = subprocess.Popen([str(word) for word in words], cwd=self.place, env=clean_environment(), text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def restore(self):
        """Restores the content of the folder. The folder itself stays, since it is the process's working folder."""
        self.place.mkdir(exist_ok=True)
        for path in self.place.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        if self.command.changes:
            shutil.copytree(self.command.changes, self.place / self.command.changes.name)
        self.before = self.files()

    def files(self):
        return sorted(str(path.relative_to(self.place)) for path in self.place.rglob("*"))

    def run(self, at):
        """Returns the status and the addresses of the failing allocation."""
        self.process.stdin.write(f"{at}\n")
        self.process.stdin.flush()
        status, *site = self.process.stdout.readline().split()
        return int(status), site

    def sites(self):
        """Runs without a failure. Returns the sites of all allocations."""
        self.run(0)
        self.said = self.messages()
        self.after = self.files()
        self.restore()
        return list(iter(lambda: self.process.stdout.readline().split(), []))

    def messages(self):
        lines = self.err.read_text(errors="replace").splitlines()
        return [line for line in lines if not line.startswith(NOTES)]

    def fault_of(self, at):
        """Returns what is wrong, and the site of the allocation."""
        status, site = self.run(at)
        messages = self.messages()
        new = [line for line in messages if line not in self.said]
        left = [path for path in self.files() if not TEMPORARY.search(path)]
        errors = [line for line in new if not WRITTEN.match(line)]
        if self.command.words[0] == "recover":
            wrong = self.fault_of_recovery(status, new)
        elif status != 1:
            wrong = f"ends with {status}"
        elif errors != ["otter: not enough memory"]:
            wrong = f"has {len(errors)} messages: {new}"
        elif left not in (self.before, self.after):
            wrong = f"leaves {sorted(set(left) ^ set(self.before))[:3]}"
        else:
            wrong = None
        if self.files() != self.before:
            self.restore()
        return wrong, site

    def fault_of_recovery(self, status, new):
        """Returns what is wrong. A recording that cannot be recovered must stay, and the next command must complete it.
        """
        if status == 1 and len(new) != 1:
            return f"has {len(new)} messages: {new}"
        if status == 1 and not (self.place / "killed").exists():
            next_status, _ = self.run(0)
            list(iter(lambda: self.process.stdout.readline().split(), []))
            if next_status != 0 or self.files() != self.after:
                return f"leaves what the next command does not recover: {self.messages()}"
        elif status not in (0, 1) or (status == 0 and self.files() != self.after):
            return f"ends with {status}, and leaves {sorted(set(self.files()) ^ set(self.after))[:3]}"
        return None

    def end(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()


def make_inputs(args, folder):
    """Returns the arguments of `commands`."""
    small, unmerged, job = folder / "small", folder / "job", folder / "merged"
    run = lambda *words, **more: subprocess.run([str(word) for word in words], check=True, stdout=subprocess.DEVNULL, **more)
    run(args.make, small, "20", "ours")
    unmerged.mkdir()
    for rank, name in enumerate(("fib", "dependences")):
        shutil.copytree(args.archives / name, unmerged / f"rank-{rank:04}")
    run(args.otter, "merge", "--force", "--copy", "-o", job, *sorted(unmerged.glob("rank-*")))
    shutil.rmtree(unmerged)
    unmerged.mkdir()
    for rank in range(2):
        run(args.make, unmerged / f"rank-{rank:04}", "20", "ours", "OTTER::RANK", rank, "OTTER::RANKS", 2, "OTTER::CLOCK_MONOTONIC", 1000 + rank)
    again = folder / "again"
    shutil.copytree(unmerged, again)
    run(args.otter, "merge", again)
    (again / "traces" / "notes").write_text("mine")  # a file that is not Otter's must stay
    others = {path.name: path for path in args.archives.iterdir()}
    return small, others, job, unmerged, again, make_recording(args, folder)


def make_recording(args, folder):
    """Kills a program as soon as its recording has events. That is after a certain number of calls to the system."""
    killed = {"OMP_NUM_THREADS": "2", "OMP_TOOL_LIBRARIES": args.tool, "OTTER_FOLDER": str(folder / "killed"), "LD_PRELOAD": args.inject}
    recording, copy = folder / "killed.recording", folder / "copy"
    for at in range(20, 1000, 10):
        subprocess.run([args.program], env=clean_environment() | killed | {"FAULT_KILL_AT": str(at)}, check=False, capture_output=True)
        shutil.copytree(recording, copy)
        recover = subprocess.run([args.otter, "recover", "--output", folder / "recovered", copy], env=clean_environment(), check=False,
                                 capture_output=True)
        shutil.rmtree(copy, ignore_errors=True)
        if recover.returncode == 0:
            return recording
        shutil.rmtree(recording)
    sys.exit("no recording has events")


def chosen(sites, n_frames, every):
    """Returns the numbers of the allocations to fail."""
    if every:
        return list(range(1, len(sites) + 1))
    first = {}
    for at, site in enumerate(sites, 1):
        first.setdefault(tuple(site[:n_frames]), at)
    return sorted(first.values())


def names_of(runs, site):
    """Returns the functions around an allocation."""
    first = int(re.search(r"(\w+) \w __executable_start", subprocess.run(["nm", runs], capture_output=True, text=True, check=True).stdout)[1], 16)
    addresses = [f"{first + int(at, 16) - 1:x}" for at in site if at != "0"]
    lines = subprocess.run(["addr2line", "-f", "-s", "-e", runs, *addresses], capture_output=True, text=True, check=True).stdout.split("\n")
    return " < ".join(f"{name} {place}" for name, place in zip(lines[::2], lines[1::2]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for option in ("--runs", "--otter", "--make", "--inject", "--tool", "--program"):
        parser.add_argument(option, required=True, type=os.path.abspath)
    parser.add_argument("--archives", required=True, type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("--every", action="store_true")
    parser.add_argument("--frames", type=int, default=3)
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    otf2 = code_of_otf2(args.runs)
    n_runs, faults = 0, collections.defaultdict(list)
    with tempfile.TemporaryDirectory(prefix="otter-test-") as name:
        folder = pathlib.Path(name)
        inputs = make_inputs(args, folder)
        for i, command in enumerate(commands(*inputs)):
            if args.only not in str(command):
                continue
            place = folder / f"run-{i}"
            place.mkdir()
            runs = Runs(args, place, command, otf2)
            sites = runs.sites()
            numbers = chosen(sites, args.frames, args.every)
            n_runs += len(numbers)
            for at in numbers:
                wrong, site = runs.fault_of(at)
                if wrong:
                    faults[tuple(site), wrong].append(f"{command}, allocation {at}")
            runs.end()
            print(f"{command}: {len(numbers)} of {len(sites)} allocations failed in turn")
            shutil.rmtree(place)
        for (site, wrong), where in list(faults.items())[:MAX_SHOWN]:
            print(f"\n{where[0]} (and {len(where) - 1} more): {wrong}\n    {names_of(args.runs, site)}")
    print(f"{n_runs} allocations failed, {len(faults)} faults")
    return 1 if faults or n_runs == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
