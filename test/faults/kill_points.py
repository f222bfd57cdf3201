#!/usr/bin/env python3
"""Kills a program at each of Otter's calls at the start of a recording, and checks the result of `otter recover`.

usage: kill_points.py --otter OTTER --inject LIBRARY --tool LIBRARY [--sample] PROGRAM

The program is killed at the n-th call after the recording's folder was made (inject.c), for n = 1, 2, ... until it has
recorded an event. Before that, `otter recover` says that there is no event, and removes the folder if asked to, unless
it contains foreign files.
"""
import argparse
import os
import pathlib
import signal
import subprocess
import sys
import tempfile

import faults

AFTER = 3  # kills after the first kill that leaves an event


class KillPoints:
    def __init__(self, args):
        self.otter, self.program = os.path.abspath(args.otter), os.path.abspath(args.program)
        self.setting = [*faults.sampled(self.otter), "env"] if args.sample else []
        self.tools = {"OMP_TOOL_LIBRARIES": os.path.abspath(args.tool), "LD_PRELOAD": os.path.abspath(args.inject)}

    def run(self, folder, at, chunks):
        """Returns whether the program was killed."""
        settings = {"OMP_NUM_THREADS": "2", "KMP_BLOCKTIME": "0", "OTTER_FOLDER": "otter-killed", "OTTER_CHUNKS": chunks,
                    "FAULT_KILL_AT": str(at)}
        own = self.tools | settings
        words = [f"{name}={value}" for name, value in own.items()] if self.setting else []
        process = subprocess.Popen([*self.setting, *words, self.program], cwd=folder, env=faults.clean_environment() | ({} if words else own),
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        status = process.wait(faults.PATIENCE)
        faults.forget_runtime(process.pid)
        return status == (128 + signal.SIGKILL if words else -signal.SIGKILL)

    def recover(self, folder, *arguments):
        return subprocess.run([self.otter, "recover", *arguments, "otter-killed"], cwd=folder, env=faults.clean_environment(),
                              capture_output=True, text=True, timeout=faults.PATIENCE, check=False)

    def end_empty(self, folder, chunks):
        """Returns what is wrong with a recording without an event, or None."""
        recording = folder / "otter-killed.recording"
        told = self.recover(folder)
        reasons = ["the first event"] + ["a chunk was full (chunks=memory)"] * (chunks == "memory")
        if told.returncode != 1 or not any(f"killed before {reason}; to delete the folder: " in told.stderr for reason in reasons):
            return f"said {told.returncode} {told.stdout + told.stderr}"
        (recording / "foreign").write_text("")
        kept = self.recover(folder, "--delete-empty")
        (recording / "foreign").unlink()
        if kept.returncode != 1 or "--force" in kept.stderr:
            return f"beside a foreign file it said {kept.returncode} {kept.stdout + kept.stderr}"
        deleted = self.recover(folder, "--delete-empty")
        if deleted.returncode != 0 or deleted.stderr or recording.exists():
            return f"to delete it said {deleted.returncode} {deleted.stdout + deleted.stderr}"
        return None

    def kill(self, at, chunks):
        """Returns what remains: nothing, an empty recording, or an archive; or an error."""
        with tempfile.TemporaryDirectory(prefix="otter-killed-") as name:
            folder = pathlib.Path(name)
            if not self.run(folder, at, chunks):
                return "the program was not killed"
            recording = folder / "otter-killed.recording"
            if not recording.exists():
                return "nothing" if not (folder / "otter-killed").exists() else "archive"
            events = [file for file in recording.glob("events/*") if any(file.read_bytes()[:64])]
            if not events:
                return self.end_empty(folder, chunks) or "empty"
            result = self.recover(folder)
            return "archive" if result.returncode == 0 else self.end_empty(folder, chunks) or "empty"

    def problems(self, chunks):
        n, at = {"nothing": 0, "empty": 0, "archive": 0}, 0
        while n["archive"] <= AFTER:
            at += 1
            outcome = self.kill(at, chunks)
            if outcome not in n:
                yield f"chunks={chunks}, call {at}: {outcome}"
                break
            n[outcome] += 1
        print(f"chunks={chunks}: {at} kills, {n}")
        if n["empty"] < 10:
            yield f"chunks={chunks}: only {n['empty']} kills left a recording without an event"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for option in ("--otter", "--inject", "--tool"):
        parser.add_argument(option, required=True)
    parser.add_argument("--sample", action="store_true")
    parser.add_argument("program")
    kill_points = KillPoints(parser.parse_args())
    problems = [problem for chunks in ("mapped", "memory") for problem in kill_points.problems(chunks)]
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
