#!/usr/bin/env python3
"""Checks that a program does not notice its recording: guest.py WAY [--sample] --otter --ompt --kokkos --guest PROGRAM --unusual PROGRAM.

guest.c prints what a tool could change; it runs without and with Otter, in one of several ways. With --sample, `otter record` starts
what is recorded, and samples it. test/kokkos/second.py
and lifecycle.py test other Kokkos tools before and after Otter.
"""
import argparse
import difflib
import os
import pathlib
import re
import shutil
import stat
import subprocess
import sys
import tempfile

NOT_APPLICABLE = 77
PATIENCE = 240
UNUSUAL_PATIENCE = 120
STATUS = 17  # of guest.c
SAMPLED = ("record", "--sample=5000", "--counters=page-faults")
UNUSUAL_STATUS = 7  # of unusual.c
NOBODY = 65534
ROUNDS = "3000"  # enough for several chunks
CLOSING_BLOCK = re.compile(r"otter: ([\d,]+ events, |next: )|OTTER_TRACE_FOLDER=")


class Wrong(Exception):
    """A failure of a test."""


class Skipped(Exception):
    """The reason why this way is not available here."""


class Guest:
    def __init__(self, options, folder):
        self.options = options
        self.folder = pathlib.Path(folder)
        self.traces = self.folder / "traces"
        self.traces.mkdir()

    def environment(self, is_recorded=False, **more):
        ours = ("OTTER_", "OMP_", "KMP_", "KOKKOS_", "LD_PRELOAD", "MALLOC_")
        environment = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
        environment.update(OMP_WAIT_POLICY="passive", OMP_DYNAMIC="false", **more)
        if is_recorded and self.options.sample:
            environment.update(OTTER_CHUNK_SIZE="256K", OTTER_TRACE_PATH=str(self.traces))
        elif is_recorded:
            environment.update(OMP_TOOL_LIBRARIES=self.options.ompt, KOKKOS_TOOLS_LIBS=self.options.kokkos,
                               OTTER_CHUNK_SIZE="256K", OTTER_TRACE_PATH=str(self.traces))
        return environment

    def run(self, command, is_recorded, status=STATUS, input="what is read\n", **more):
        settings = more.pop("settings", {})
        if is_recorded and self.options.sample:
            command = [self.options.otter, *SAMPLED, *command]
        result = subprocess.run(command, cwd=self.folder, env=self.environment(is_recorded, **settings), input=input,
                                capture_output=True, text=True, **{"timeout": PATIENCE, **more})
        if result.returncode != status:
            raise Wrong(f"{command}: status {result.returncode}: {result.stdout[-2000:]}{result.stderr[-2000:]}")
        return result

    def archives(self):
        return sorted(self.traces.glob("*/traces.otf2"))

    def expect_archive(self):
        found = self.archives()
        if len(found) != 1 or len(list(self.traces.iterdir())) != 1:
            raise Wrong(f"one archive wanted, found {sorted(self.traces.iterdir())}")
        checked = subprocess.run([self.options.otter, "check", found[0]], capture_output=True, text=True, timeout=PATIENCE)
        if checked.returncode != 0:
            raise Wrong(f"otter check: {checked.stdout}{checked.stderr}")

    def expect_same(self, without, recorded):
        if without.stdout != recorded.stdout:
            lines = difflib.unified_diff(without.stdout.splitlines(), recorded.stdout.splitlines(), "without", "recorded", lineterm="", n=0)
            raise Wrong("\n".join(lines))
        said = [line for line in recorded.stderr.splitlines() if not CLOSING_BLOCK.match(line)]
        if said:
            raise Wrong(f"it said {said}")

    def compare(self, **settings):
        """Compares runs without and with the tool."""
        command = [self.options.guest, ROUNDS]
        without = self.run(command, False, settings=settings)
        if "same" not in without.stdout or "what is read" not in without.stdout:
            raise Wrong(without.stdout)
        self.expect_same(without, self.run(command, True, settings=settings))
        self.expect_archive()


# ---- ways to run a program


def plain(guest):
    guest.compare()


def bind_now(guest):
    guest.compare(LD_BIND_NOW="1")


def memory_chunks(guest):
    guest.compare(OTTER_CHUNKS="memory")


def other_zone(guest):
    guest.compare(TZ="Pacific/Chatham", LC_ALL="C.UTF-8")


def launched(guest, *options):
    """Runs the program by `otter record`, which changes only the variables in its environment that cause the recording.
    """
    command = [guest.options.guest, ROUNDS]
    without = guest.run(command, False)
    recorded = guest.run([guest.options.otter, "record", *options, f"--trace-path={guest.traces}", *command], False)
    recorded.stderr = ""  # the command prints its own messages to stderr
    guest.expect_same(without, recorded)
    guest.expect_archive()


def sampled(guest):
    launched(guest, *SAMPLED[1:])


def without_standard_files(guest):
    """Closes descriptors 0 to 2: Otter's files must not get these descriptors."""
    text = guest.folder / "text"
    command = ["sh", "-c", 'exec 0<&- 1<&- 2<&-; exec "$0" "$@"', guest.options.guest, "10", str(text)]
    guest.run(command, False)
    without = text.read_text()
    text.unlink()
    guest.run(command, True)
    if text.read_text() != without:
        raise Wrong("\n".join(difflib.unified_diff(without.splitlines(), text.read_text().splitlines(), lineterm="", n=0)))
    guest.expect_archive()


def installed(name):
    path = shutil.which(name)
    if not path:
        raise Skipped(f"{name} is not installed")
    return path


def under_gdb(guest):
    result = guest.run([installed("gdb"), "-nx", "-batch", "-ex", "set debuginfod enabled off", "-ex", "run", "-ex", "print $_exitcode", "--args",
                        guest.options.guest, "100"], True, status=0)
    if not re.search(r"exited with code 0?21\]", result.stdout) or f"= {STATUS}" not in result.stdout:
        raise Wrong(f"{result.stdout[-2000:]}{result.stderr}")
    guest.expect_archive()


def under_perf(guest):
    perf = installed("perf")
    command = [perf, "record", "-q", "-o", str(guest.folder / "perf.data"), "-e", "cpu-clock", "--"]
    if subprocess.run([*command, "true"], capture_output=True).returncode != 0:
        raise Skipped("perf may not record here")
    result = guest.run([*command, guest.options.guest, "100"], True)
    if "thread 1: " not in result.stdout:
        raise Wrong(result.stdout)
    guest.expect_archive()
    shutil.rmtree(guest.traces)
    guest.traces.mkdir()
    guest.run([*command, guest.options.otter, "record", "--sample", f"--trace-path={guest.traces}", guest.options.guest, "100"], False)
    guest.expect_archive()


def under_valgrind(guest):
    """Treats complaints about Otter's libraries as defects; ignores complaints about the runtime."""
    command = [installed("valgrind"), "--error-exitcode=0", "--num-callers=30", guest.options.guest, "2"]
    result = guest.run(command, True)
    blocks = re.split(r"==\d+== \n", result.stderr)
    ours = [block for block in blocks if re.search(r"(Invalid|uninitialised|Mismatched)", block) and re.search("libotter|otter_", block)]
    if ours:
        raise Wrong("\n".join(ours))
    guest.expect_archive()


def be_nobody():
    os.setgid(NOBODY)
    os.setuid(NOBODY)


def setuid(guest):
    """A setuid program of another user is not recorded; the same program without the bit is recorded."""
    if os.getuid() != 0:
        raise Skipped("only root can give a program to another user")
    guest.folder.chmod(0o755)
    guest.traces.chmod(0o777)
    program = pathlib.Path(shutil.copy(guest.options.guest, guest.folder / "program"))
    os.chown(program, NOBODY, NOBODY)
    try:
        guest.run([str(program), "10"], True, preexec_fn=be_nobody)
    except (Wrong, OSError) as why:
        raise Skipped(f"another user cannot run programs of this build: {why}") from why
    if len(guest.archives()) != 1:
        raise Skipped("another user cannot load Otter from this build")
    program.chmod(0o4755)
    if os.statvfs(program).f_flag & os.ST_NOSUID or not program.stat().st_mode & stat.S_ISUID:
        raise Skipped("this file system knows no setuid")
    result = guest.run([str(program), "10"], True)
    has_said = "otter" in result.stderr and not guest.options.sample  # `otter record` says why nothing is recorded
    if len(list(guest.traces.iterdir())) != 1 or has_said:
        raise Wrong(f"{sorted(guest.traces.iterdir())} {result.stderr}")


def run_unusual(guest, what, **settings):
    """Checks that the program has the same end and output without and with the tool."""
    command = [guest.options.unusual, what]
    without = guest.run(command, False, UNUSUAL_STATUS)
    recorded = guest.run(command, True, UNUSUAL_STATUS, settings=settings, timeout=UNUSUAL_PATIENCE)
    said = [line for line in recorded.stderr.splitlines() if not CLOSING_BLOCK.match(line)]
    if (recorded.stdout, said) != (without.stdout, without.stderr.splitlines()):
        raise Wrong(f"{what}: {recorded.stdout}{recorded.stderr}, and without: {without.stdout}{without.stderr}")


def cancelled(guest):
    """A cancelled thread ends at the same place as without Otter, not in a hook that holds a lock."""
    for what in ("first", "chunk", "hook"):
        for chunks in ("mapped", "memory"):
            run_unusual(guest, what, OTTER_CHUNKS=chunks)
            guest.expect_archive()
            shutil.rmtree(guest.traces)
            guest.traces.mkdir()


def closed(guest):
    """A write to a closed standard output does not reach a file of Otter's."""
    run_unusual(guest, "closed")
    guest.expect_archive()


def timers(guest):
    run_unusual(guest, "timers")
    guest.expect_archive()


def filtered(guest):
    run_unusual(guest, "filter")
    guest.expect_archive()


WAYS = (plain, bind_now, memory_chunks, other_zone, launched, sampled, without_standard_files, cancelled, closed, timers, filtered,
        under_gdb, under_perf, under_valgrind, setuid)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", action="store_true")
    parser.add_argument("way", choices=[way.__name__ for way in WAYS])
    for name in ("otter", "ompt", "kokkos", "guest", "unusual"):
        parser.add_argument(f"--{name}", required=True, type=os.path.abspath)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="otter-guest-") as folder:
        try:
            {way.__name__: way for way in WAYS}[options.way](Guest(options, folder))
        except Skipped as why:
            print(f"not applicable: {why}")
            return NOT_APPLICABLE
        except (Wrong, subprocess.TimeoutExpired) as wrong:
            print(wrong)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
