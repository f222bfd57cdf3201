#!/usr/bin/env python3
"""Ends programs in many ways, and checks their archives: endings.py --otter --ompt --kokkos --ends PROGRAM, KIND
[ENDING...].

After an ordinary end, there is a complete archive; after any other, a recording that `otter recover` turns into an archive
with everything recorded.
"""
import argparse
import collections
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

import recorded
from recorded import Wrong

# status: the program's exit status. whole: the program leaves an archive. least: the count that the archive must
# contain. second: another program also records. kinds: the plays that have this ending.
Ending = collections.namedtuple("Ending", "status whole least second kinds", defaults=(True, "done", False, recorded.KINDS))
ENDINGS = {
    "return": Ending(5),
    "exit": Ending(3),
    "never_finalize": Ending(5, kinds=("kokkos", "both")),  # test/mock has this ending for OpenMP
    "dlclose": Ending(5, kinds=("kokkos", "both")),  # test/run/programs/process/dlopen.c does this with OpenMP
    "pthread_exit": Ending(0, kinds=("kokkos",)),  # threads of an OpenMP runtime would not end
    "threads_play": Ending(5, least="noted"),
    "exit_in_task": Ending(3, least="noted"),
    "exit_beside": Ending(3, least="noted"),  # a thread that does not play ends the program
    "quick_exit": Ending(4, whole=False),
    "_exit": Ending(6, whole=False),
    "abort": Ending(-signal.SIGABRT, whole=False),
    "exception": Ending(-signal.SIGABRT, whole=False),
    "fault": Ending(-signal.SIGSEGV, whole=False),
    "sigterm": Ending(-signal.SIGTERM, whole=False),
    "sigint": Ending(-signal.SIGINT, whole=False),
    "sigkill": Ending(-signal.SIGKILL, whole=False),
    "exec": Ending(5, whole=False, second=True),
    "fork_exit": Ending(5),
    "fork__exit": Ending(5),
    "fork_exec": Ending(5, second=True),
    "vfork__exit": Ending(5),
    "vfork_exec": Ending(5, second=True),
    "spawn": Ending(5, second=True),
    "system": Ending(5, second=True),
    "daemon_early": Ending(7),
    "daemon_late": Ending(7, whole=False),
}
if "MESON_EXE_WRAPPER" in os.environ:
    # In an emulator: qemu often hangs when an exception ends a program of several threads, also without Otter.
    del ENDINGS["exception"]
IN_MIDST = ("threads_play", "exit_in_task", "exit_beside")  # other threads record while the archive is made
# In these endings, libomp frees memory that its threads still use. Most processes end before they crash. A crash also
# occurs without a tool, so the test then tries again.
FRAGILE = ("threads_play", "exit_beside")
MAX_TRIES = 20
CLOSING_BLOCK = re.compile(r"otter: ([\d,]+ events, |next: )|OTTER_TRACE_FOLDER=")


class RuntimeDied(Wrong):
    pass


class Case:
    """A program, from its start to its archives."""

    def __init__(self, tools, folder, name, kind, n_threads):
        self.tools, self.folder, self.name, self.n_threads = tools, pathlib.Path(folder), name, n_threads
        self.ending = ENDINGS[name]
        self.tallies = [recorded.Tally(self.folder / "tally"), recorded.Tally(self.folder / "second tally")]
        self.program = tools.start(folder, name, kind, n_threads, self.tallies)

    def wait(self):
        """Waits for the program and all its children."""
        stdin = self.program.stdin
        if self.name == "daemon_late":
            if self.program.stdout.readline() != "daemon plays\n":
                raise Wrong("the daemon does not play")
            self.program.wait(recorded.PATIENCE)
            self.look_at_recordings()
        stdin.close()
        self.program.stdin = None  # which communicate() would close again
        stdout, stderr = self.program.communicate(timeout=recorded.PATIENCE)
        status = self.tools.status_of(self.program)
        if self.name in FRAGILE and status in (-signal.SIGSEGV, -signal.SIGABRT):
            raise RuntimeDied(f"crashed each of {MAX_TRIES} times")
        if status != self.ending.status:
            raise Wrong(f"exit status {status}: {stdout}{stderr}")
        if stdout != ("daemon ends\n" if self.name.startswith("daemon") else ""):
            raise Wrong(f"it said {stdout}")
        said = [line for line in stderr.splitlines() if line.startswith("otter") and not CLOSING_BLOCK.match(line)
                and not (self.tools.is_sampled and recorded.OF_LAUNCHER.match(line))]
        if said:
            raise Wrong(f"Otter said {said}")

    def look_at_recordings(self):
        for recording in recorded.recordings_in(self.folder):
            archive = self.tools.recover(recording)
            self.tools.check(archive)
            recorded.compare(archive, self.tallies[0], "done")
            archive.rename(self.folder / "recovered")

    def is_of_first(self, archive):
        pid = self.tools.pid_of(self.program, self.folder)
        return archive.name.rpartition("-")[2] == str(pid) or self.name == "daemon_early"

    def look_at_archives(self):
        wanted = self.ending.whole + self.ending.second
        found = recorded.archives_in(self.folder)
        if len(found) != wanted or (self.folder / "recovered").exists() == self.ending.whole:
            raise Wrong(f"{wanted} archives wanted, found {sorted(p.name for p in self.folder.iterdir())}")
        for archive in found:
            is_first = self.ending.whole and self.is_of_first(archive)
            self.tools.check(archive)
            recorded.compare(archive, self.tallies[0 if is_first else 1], self.ending.least if is_first else "done",
                             is_whole=not is_first or self.name not in IN_MIDST)

    def run(self):
        try:
            self.wait()
            self.look_at_recordings()
            self.look_at_archives()
        finally:
            if self.program.poll() is None:
                self.program.kill()
                self.program.wait()


def try_to_end(tools, name, kind, n_threads, n_tries=1):
    with tempfile.TemporaryDirectory(prefix="otter-endings-") as folder:
        try:
            return Case(tools, folder, name, kind, n_threads).run()
        except RuntimeDied:
            if n_tries == MAX_TRIES:
                raise
    return try_to_end(tools, name, kind, n_threads, n_tries + 1)


def fails(tools, name, kind, n_threads):
    try:
        try_to_end(tools, name, kind, n_threads)
    except (Wrong, subprocess.TimeoutExpired) as wrong:
        print(f"FAILED {name}, {kind}, {n_threads} threads: {wrong}", flush=True)
        return True
    print(f"ok {name}, {kind}, {n_threads} threads", flush=True)
    return False


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=recorded.KINDS)
    parser.add_argument("ending", nargs="*", default=list(ENDINGS))
    parser.add_argument("--few", action="store_true", help="each ending with 1 or 4 threads, not with both")
    tools = recorded.Tools(parser)
    kind = tools.options.kind
    endings = [name for name in tools.options.ending if kind in ENDINGS[name].kinds]
    numbers = [(4,), (1,)] if tools.options.few else [(1, 4)]
    n_failed = sum(fails(tools, name, kind, n_threads) for i, name in enumerate(endings) for n_threads in numbers[i % len(numbers)])
    print(f"{len(endings)} endings, {n_failed} failed")
    return 1 if tools.lacks_samples() or n_failed else 0


if __name__ == "__main__":
    sys.exit(main())
