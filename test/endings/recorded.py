"""Runs test/endings/ends.c, recovers its recording, and compares the archive with the program's counts."""
import argparse
import atexit
import mmap
import os
import pathlib
import re
import resource
import signal
import struct
import subprocess

import leftovers

HAPPENINGS = ("task created", "task started", "task ended", "kernel begun", "kernel ended")
RECORDS = {"THREAD_TASK_CREATE": "task created", "THREAD_TASK_COMPLETE": "task ended", "ENTER": "kernel begun", "LEAVE": "kernel ended"}
KINDS = ("openmp", "kokkos", "both")
RECORDING, ENDING = 1, 2  # enum phase of tally.h
MAX_PLAYERS = 8
TALLY = struct.Struct(f"<Q{MAX_PLAYERS * len(HAPPENINGS) * 3}Q")
PATIENCE = 240  # seconds, for operations of milliseconds
SAMPLED = ("record", "--sample=5000", "--counters=page-faults")
WRITE_PID = ("sh", "-c", 'echo $$ >"$0" && exec "$@"')  # the program then has the shell's number
# What `otter record` says of programs that did not complete their recording.
OF_LAUNCHER = re.compile(r"otter: (the program was killed by signal|process \d+ (ended without completing|executed another program))"
                         r"|otter: (the samples lack |nothing was recorded: )")


class Wrong(Exception):
    """A failure of a test."""


class Tally:
    """The file in which a program counts, perhaps while the program still runs."""

    def __init__(self, path):
        self.path = str(path)
        with open(path, "wb") as file:
            file.truncate(TALLY.size)
        with open(path, "r+b") as file:
            self.memory = mmap.mmap(file.fileno(), TALLY.size)

    def phase(self):
        return self.memory[0]

    def total(self, what):
        """Returns {happening: n}, summed over all players: `begun`, `done`, or `noted` before the end."""
        numbers = TALLY.unpack(self.memory)[1:]
        first = ("begun", "done", "noted").index(what)
        return {happening: sum(numbers[3 * i + first::3 * len(HAPPENINGS)]) for i, happening in enumerate(HAPPENINGS)}


def count(archive):
    """Returns {happening: n} of an archive, from otf2-print."""
    printed = subprocess.run(["otf2-print", archive / "traces.otf2"], capture_output=True, text=True, timeout=PATIENCE)
    if printed.returncode != 0 or printed.stderr:
        raise Wrong(f"otf2-print: {printed.returncode}: {printed.stderr}")
    n, started = dict.fromkeys(HAPPENINGS, 0), set()
    for line in printed.stdout.splitlines():
        record = line.partition(" ")[0]
        if record == "THREAD_TASK_SWITCH":
            started.add(line.rpartition(", Creating Thread: ")[2])
        elif record in RECORDS and ("THREAD" in record or 'Region: "kernel"' in line):
            n[RECORDS[record]] += 1
    n["task started"] = sum(not task.endswith(" Number: 0") for task in started)  # 0: an implicit task
    return n


def bounds(tally, least, is_whole):
    """Returns {happening: (least, most)} of an archive."""
    least, most = tally.total(least), tally.total("begun")
    if not is_whole:  # constructs that are open at the program's end get an end
        most["kernel ended"] = most["kernel begun"]
    return {happening: (least[happening], most[happening]) for happening in HAPPENINGS}


def compare(archive, tally, least, is_whole=False):
    """Fails if an archive has less than `least`, or more than was begun. Returns its counts."""
    got = count(archive)
    for happening, (at_least, at_most) in bounds(tally, least, is_whole).items():
        if not at_least <= got[happening] <= at_most:
            raise Wrong(f"{archive.name}: {happening}: {got[happening]} recorded, {at_least} to {at_most} counted")
    return got


class Tools:
    """The programs, and the environment of their recording. With --sample, `otter record` starts them and samples."""

    def __init__(self, parser=None):
        atexit.register(leftovers.remove)
        parser = parser or argparse.ArgumentParser()
        parser.add_argument("--sample", action="store_true")
        for name in ("otter", "ompt", "kokkos", "ends"):
            parser.add_argument(f"--{name}", required=True, type=os.path.abspath)
        self.options = parser.parse_args()
        self.otter, self.ends = self.options.otter, self.options.ends
        self.is_sampled = self.options.sample
        self.n_samples = 0  # of all archives that were checked

    def environment(self, kind, **settings):
        ours = ("OTTER_", "OMP_", "KMP_", "KOKKOS_", "LD_PRELOAD")
        environment = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
        if kind != "kokkos" and not self.is_sampled:
            environment["OMP_TOOL_LIBRARIES"] = self.options.ompt
        if kind != "openmp" and not self.is_sampled:
            environment["KOKKOS_TOOLS_LIBS"] = self.options.kokkos
        return {**environment, "OMP_WAIT_POLICY": "passive", "OMP_DYNAMIC": "false", **settings}

    def start(self, folder, ending, kind, n_threads, tallies, **settings):
        command = [self.ends, ending, kind, str(n_threads), *(tally.path for tally in tallies)]
        if self.is_sampled:
            command = [self.otter, *SAMPLED, *WRITE_PID, self.path_of_pid(folder), *command]
        return subprocess.Popen(command, cwd=folder, env=self.environment(kind, **settings), stdin=subprocess.PIPE,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (0, 0)))

    @staticmethod
    def path_of_pid(folder):
        return str(pathlib.Path(folder, "pid"))

    def pid_of(self, process, folder):
        """Returns the program's process id, or the launcher's until the program has started."""
        path = pathlib.Path(self.path_of_pid(folder))
        text = path.read_text() if self.is_sampled and path.exists() else ""
        return int(text) if text.endswith("\n") else process.pid

    def status_of(self, process):
        """Returns the status of the program: negative after a signal."""
        status = process.returncode
        return 128 - status if self.is_sampled and 128 < status <= 128 + signal.SIGRTMAX else status

    def recover(self, recording):
        """Makes an archive from a recording, which must then be removed."""
        result = subprocess.run([self.otter, "recover", recording], capture_output=True, text=True, timeout=PATIENCE)
        said = "is complete" in result.stdout or "missing" in result.stderr
        if result.returncode != 0 or not said or recording.exists():
            raise Wrong(f"otter recover: {result.returncode}: {result.stdout}{result.stderr}{sorted(recording.glob('**/*'))}")
        return recording.with_suffix("")

    def check(self, archive):
        checked = subprocess.run([self.otter, "check", archive], capture_output=True, text=True, timeout=PATIENCE)
        if checked.returncode != 0:
            raise Wrong(f"otter check: {checked.returncode}: {checked.stdout}{checked.stderr}")
        if self.is_sampled:
            printed = subprocess.run(["otf2-print", archive / "traces.otf2"], capture_output=True, text=True, timeout=PATIENCE)
            self.n_samples += printed.stdout.count("CALLING_CONTEXT_SAMPLE ")

    def lacks_samples(self):
        """Returns whether no archive has samples, and says so. A short run may have none."""
        if self.is_sampled:
            print(f"{self.n_samples} samples")
        return self.is_sampled and self.n_samples == 0


def archives_in(folder):
    return sorted(path.parent for path in pathlib.Path(folder).glob("otter-*/traces.otf2"))


def recordings_in(folder):
    return sorted(pathlib.Path(folder).glob("*.recording"))
