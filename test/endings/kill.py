#!/usr/bin/env python3
"""Kills programs at random moments and checks their recordings: kill.py N [--seed S] [--longest S] --otter --ompt --kokkos --ends PROGRAM.

Kills programs N times while they record, and N/5 times while they close the recording. Also kills `otter recover` N/5
times while it makes the archive. The archive must contain all that the program had counted. For each kind of event,
prints how many that had begun are missing.
"""
import argparse
import os
import pathlib
import random
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

import recorded
from recorded import Wrong

LONGEST_START = 0.04  # seconds, from the program's start until it records
SETTINGS = ({}, {"OTTER_CHUNK_SIZE": "256K"}, {"OTTER_CLOCK": "monotonic"})


class Killer:
    def __init__(self, tools):
        self.tools = tools
        self.random = random.Random(tools.options.seed)
        self.longest = tools.options.longest
        self.lost, self.unfinished = [], []  # numbers of events, for each kill
        self.outcomes = {}

    def note(self, outcome):
        self.outcomes[outcome] = self.outcomes.get(outcome, 0) + 1

    def start(self, folder, ending, kind=None):
        """Starts a program with its tally."""
        tally = recorded.Tally(pathlib.Path(folder, "tally"))
        kind = kind or self.random.choice(recorded.KINDS)
        self.n_threads = self.random.choice((1, 4))
        return self.tools.start(folder, ending, kind, self.n_threads, [tally], **self.random.choice(SETTINGS)), tally

    @staticmethod
    def wait_for(tally, phase, program):
        deadline = time.monotonic() + recorded.PATIENCE
        while tally.phase() < phase and program.poll() is None and time.monotonic() < deadline:
            time.sleep(0.0002)

    def end(self, process, folder=None):
        """Kills the program. With --sample, kills the launcher instead half of the time, and the kernel then kills the program."""
        pid = self.tools.pid_of(process, folder) if folder and self.random.random() < 0.5 else process.pid
        try:
            is_child = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1] == str(process.pid)
        except OSError:
            is_child = False  # it has ended
        if is_child:
            os.kill(pid, signal.SIGKILL)
        elif pid == process.pid:
            process.kill()
        process.communicate()

    def measure(self, archive, tally):
        """Adds to `lost` how many of the missing events were done, and to `unfinished` how many had only begun."""
        self.tools.check(archive)
        got = recorded.compare(archive, tally, "done")
        done, begun = tally.total("done"), tally.total("begun")
        self.lost.append(sum(max(0, done[happening] - n) for happening, n in got.items()))
        known = [happening for happening in got if happening != "task started"]  # the thread that starts a task is unknown
        self.unfinished.append(sum(max(0, begun[happening] - got[happening]) for happening in known))
        if any(begun[happening] - got[happening] > self.n_threads for happening in known):
            raise Wrong(f"begun {begun}, recorded {got}")

    def recover(self, folder, tally):
        """Returns the archive, or None if the program had not recorded anything."""
        recordings = recorded.recordings_in(folder)
        archives = recorded.archives_in(folder)
        has_events = sum(tally.total("done").values()) > 0 or archives
        return self.tools.recover(recordings[0]) if recordings and has_events else archives[0] if archives else None

    # ---- moments

    def while_recording(self, folder):
        program, tally = self.start(folder, "endless")
        if self.random.random() < 0.8:
            self.wait_for(tally, recorded.RECORDING, program)
            time.sleep(self.random.uniform(0, self.longest))
        else:
            time.sleep(self.random.uniform(0, LONGEST_START))
        self.end(program, folder)
        archive = self.recover(folder, tally)
        self.note("killed before its first event" if not archive else "killed while it recorded")
        if archive:
            self.measure(archive, tally)

    def while_closing(self, folder):
        program, tally = self.start(folder, "return")
        self.wait_for(tally, recorded.ENDING, program)
        time.sleep(self.random.uniform(0, self.time_of_closing))
        self.end(program, folder)
        self.note("killed while it closed" if recorded.recordings_in(folder) else "killed when it had closed")
        archive = self.recover(folder, tally)
        if not archive:
            raise Wrong(f"nothing is left: {sorted(pathlib.Path(folder).iterdir())}")
        self.measure(archive, tally)

    def while_recovering(self, folder):
        program, tally = self.start(folder, "endless")
        self.wait_for(tally, recorded.RECORDING, program)
        time.sleep(self.random.uniform(0, self.longest))
        self.end(program, folder)
        recording = recorded.recordings_in(folder)[0]
        duration = self.time_of_recovering(recording, folder)
        n_killed = 0
        for _ in range(3):
            with subprocess.Popen([self.tools.otter, "recover", recording], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
                time.sleep(self.random.uniform(0, duration))
                self.end(process)
                n_killed += process.returncode < 0
        self.note("recovery killed" if n_killed else "recovery not killed")
        archive = recording.with_suffix("")
        if recording.exists():
            archive = self.tools.recover(recording)
        self.measure(archive, tally)

    def time_of_recovering(self, recording, folder):
        copy = shutil.copytree(recording, pathlib.Path(folder, "copy.recording"))
        begin = time.monotonic()
        self.tools.recover(copy)
        duration = time.monotonic() - begin
        shutil.rmtree(copy.with_suffix(""))
        return duration

    def measure_closing(self):
        """Measures how long programs take to close their recording; stores the median."""
        durations = []
        for _ in range(5):
            with tempfile.TemporaryDirectory(prefix="otter-kill-") as folder:
                program, tally = self.start(folder, "return")
                self.wait_for(tally, recorded.ENDING, program)
                begin = time.monotonic()
                program.communicate(timeout=recorded.PATIENCE)
                durations.append(time.monotonic() - begin)
        self.time_of_closing = statistics.median(durations)

    # ---- all kills

    def kill(self, when, n):
        """Kills `n` programs. Returns the number of failures."""
        n_wrong = 0
        for i in range(n):
            with tempfile.TemporaryDirectory(prefix="otter-kill-") as folder:
                try:
                    when(folder)
                except (Wrong, subprocess.TimeoutExpired) as wrong:
                    n_wrong += 1
                    print(f"FAILED {when.__name__}, {i}: {wrong}", flush=True)
        return n_wrong

    def report(self):
        for outcome, n in sorted(self.outcomes.items()):
            print(f"{n:6} {outcome}")
        for name, numbers in (("events lost of those that were done", self.lost), ("events begun, but not recorded", self.unfinished)):
            print(f"{name}: minimum {min(numbers)}, median {statistics.median(numbers):g}, maximum {max(numbers)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("n", type=int)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    parser.add_argument("--longest", type=float, default=0.015, help="seconds from the first event to the kill")
    tools = recorded.Tools(parser)
    print(f"seed {tools.options.seed}", flush=True)
    killer = Killer(tools)
    killer.measure_closing()
    n = tools.options.n
    n_wrong = killer.kill(killer.while_recording, n)
    n_wrong += killer.kill(killer.while_closing, (n + 4) // 5)
    n_wrong += killer.kill(killer.while_recovering, (n + 4) // 5)
    killer.report()
    return 1 if tools.lacks_samples() or n_wrong else 0


if __name__ == "__main__":
    sys.exit(main())
