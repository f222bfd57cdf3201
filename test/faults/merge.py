#!/usr/bin/env python3
"""Tests `otter merge` on a full disk, and when it is killed at each of its calls to the system.

usage: merge.py --otter OTTER --inject LIBRARY --make MAKE_ARCHIVE [--every] [unittest's arguments]

Without --every, it is killed at some of the calls.

Whatever happens, the ranks' archives do not change, and the merged archive is either absent or complete. The next merge is
complete, and removes the temporary folder of the killed one.
"""
import argparse
import errno
import fcntl
import os
import pathlib
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import unittest

from faults import CALLS, clean_environment

PATIENCE = 240  # seconds, for operations of a tenth of a second
RANKS, TASKS = 2, 900
LEFT = ".otter-merge-*"
# {kind of call: errno} of a failing disk.
FAILURES = {"mkdir": errno.ENOSPC, "open": errno.ENOSPC, "write": errno.ENOSPC, "pwrite": errno.ENOSPC, "fopen": errno.ENOSPC,
            "fwrite": errno.ENOSPC, "fclose": errno.EIO, "close": errno.EIO, "link": errno.ENOSPC, "rename": errno.ENOSPC}


class MergeCase(unittest.TestCase):
    args = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="otter-test-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.job = self.folder / "job"
        self.job.mkdir()
        for rank in range(RANKS):
            properties = ["OTTER::RANK", str(rank), "OTTER::RANKS", str(RANKS), "OTTER::CLOCK_MONOTONIC", str(1000 + rank)]
            subprocess.run([self.args.make, self.job / f"rank-{rank:04}", str(TASKS), "ours", *properties], check=True)
        self.before = self.contents()

    def otter(self, *words, inject=False, place=None, most_bytes=None, **variables):
        if inject:
            variables |= {"LD_PRELOAD": self.args.inject, "FAULT_FILE": os.path.basename(self.args.otter)}
        return subprocess.run([self.args.otter, *map(str, words)], cwd=place or self.folder, env=clean_environment() | variables,
                              capture_output=True, text=True, timeout=PATIENCE, check=False,
                              restore_signals=most_bytes is None,  # Python ignores SIGXFSZ, and then so does the command
                              preexec_fn=lambda: most_bytes is None or resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, most_bytes)))

    def contents(self):
        """Returns the bytes of all files of the ranks."""
        return {path: path.read_bytes() for path in sorted(self.job.glob("rank-*/**/*")) if path.is_file()}

    def leftovers(self):
        return [path for folder in (self.folder, self.job) for path in folder.glob(LEFT)]

    def assert_ranks_are_untouched(self):
        self.assertEqual(self.contents(), self.before)

    def assert_complete(self, archive):
        info = self.otter("info", archive)
        self.assertEqual((info.returncode, info.stderr), (0, ""))
        rows = [line.split() for line in info.stdout.splitlines()]
        self.assertEqual([row[3] for row in rows if row and row[0] in map(str, range(RANKS))], [str(TASKS)] * RANKS)

    def assert_absent_or_complete(self, archive):
        if (archive / "traces.otf2").exists():
            self.assert_complete(archive)

    def assert_next_merge_is_complete(self, archive, *words):
        merge = self.otter("merge", *words)
        self.assertEqual((merge.returncode, merge.stderr), (0, ""))
        self.assert_complete(archive)
        self.assertEqual(self.leftovers(), [])
        self.assert_ranks_are_untouched()

    def remove(self, archive):
        """Removes the merged archive, but no files of the ranks."""
        for path in archive.glob("traces*"):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        if archive != self.job and archive.exists():
            archive.rmdir()


class TestKills(MergeCase):
    def kill_at_calls(self, archive, words, prepare, step):
        """Returns how many kills left no archive, and how many left one."""
        counts = [0, 0]
        for at in range(1, 10000, 1 if self.args.every else step):
            self.remove(archive)
            prepare()
            result = self.otter("merge", *words, inject=True, FAULT_KILL_AT=str(at))
            if result.returncode == 0:
                self.assert_complete(archive)
                return counts
            self.assertEqual(result.returncode, -signal.SIGKILL, result.stderr)
            with self.subTest(at=at):
                self.assert_ranks_are_untouched()
                self.assert_absent_or_complete(archive)
                counts[(archive / "traces.otf2").exists()] += 1
                if archive.exists() and archive != self.job:  # a user would choose another name
                    self.remove(archive)
                self.assert_next_merge_is_complete(archive, *words)
        self.fail("the merge does not end")

    def test_a_new_archive(self):
        n_absent, _ = self.kill_at_calls(self.folder / "m", ["-o", "m", "job"], lambda: None, 12)
        self.assertGreater(n_absent, 5)

    def test_the_folder_of_the_job(self):
        n_absent, _ = self.kill_at_calls(self.job, ["job"], lambda: None, 9)
        self.assertGreater(n_absent, 5)

    def test_a_repeated_merge(self):
        n_absent, n_complete = self.kill_at_calls(self.job, ["job"], lambda: self.otter("merge", "job"), 5)
        self.assertGreater(n_absent, 0)  # while the new archive replaces the old one
        self.assertGreater(n_complete, 5)

    def test_a_command_merges_after_a_kill(self):
        result = self.otter("merge", "job", inject=True, FAULT_KILL_AT="20")
        self.assertEqual(result.returncode, -signal.SIGKILL)
        self.assertEqual(len(self.leftovers()), 1)
        result = self.otter("info", "--rank=1", "job")
        self.assertEqual((result.returncode, result.stderr), (0, f"otter: merged {RANKS} ranks of 'job'\n"))
        self.assertEqual(self.leftovers(), [])

    def test_the_folder_of_a_merge_that_runs_is_kept(self):
        living = self.folder / ".otter-merge-living"
        living.mkdir()
        lock = os.open(living, os.O_RDONLY)
        fcntl.flock(lock, fcntl.LOCK_EX)
        self.assertEqual(self.otter("merge", "-o", "m", "job").returncode, 0)
        self.assertEqual(self.leftovers(), [living])
        os.close(lock)
        self.assertEqual(self.otter("merge", "-o", "n", "job").returncode, 0)
        self.assertEqual(self.leftovers(), [])

    def test_the_only_events_are_kept(self):
        result = self.otter("merge", "--copy", "-o", "m", "job", inject=True, FAULT_CALL="rename", FAULT_AT="1", FAULT_ERROR="9")
        self.assertEqual(result.returncode, 1)
        for name in ("events", "notes"):
            left = self.folder / f".otter-merge-{name}" / "old" / "traces"
            left.mkdir(parents=True)
            (left / ("0.evt" if name == "events" else "notes")).write_text("mine")
        result = self.otter("merge", "-o", "m", "job")
        self.assertEqual(result.returncode, 0)
        self.assertEqual({path.name for path in self.leftovers()}, {".otter-merge-events", ".otter-merge-notes"})
        self.assertIn("'./.otter-merge-events' is left over from a merge that was killed, and contains events that no other archive has", result.stderr)
        self.assertNotIn("notes", result.stderr)
        self.assertEqual((self.folder / ".otter-merge-events/old/traces/0.evt").read_text(), "mine")


class TestDisks(MergeCase):
    def assert_failed(self, result, archive):
        """Checks that there is one error and nothing is left over."""
        self.assertEqual(result.returncode, 1)
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        self.assertEqual(result.stdout, "")
        self.assertFalse((archive / "traces.otf2").exists())
        self.assertEqual(self.leftovers(), [])
        self.assert_ranks_are_untouched()

    def test_each_call_fails(self):
        counts = self.folder / "counts"
        counts.write_bytes(bytes(8 * len(CALLS)))
        result = self.otter("merge", "-o", "m", "job", inject=True, FAULT_COUNTS=str(counts))
        self.assertEqual(result.returncode, 0, result.stderr)
        n_calls = dict(zip(CALLS, struct.unpack(f"{len(CALLS)}Q", counts.read_bytes())))
        self.assertGreater(sum(n_calls[call] for call in FAILURES), 20)
        self.remove(self.folder / "m")
        for call, error in FAILURES.items():
            for at in range(1, n_calls[call] + 1):
                with self.subTest(call=call, at=at):
                    result = self.otter("merge", "-o", "m", "job", inject=True, FAULT_CALL=call, FAULT_AT=str(at), FAULT_ERROR=str(error))
                    self.assertIn(result.returncode, (0, 1), result.stderr)
                    if result.returncode == 0 and "left out" not in result.stderr:
                        self.assert_complete(self.folder / "m")
                    self.assert_ranks_are_untouched()
                    self.assertEqual(self.leftovers(), [])
                    if call != "fwrite":  # fwrite also writes messages
                        self.assertEqual((self.folder / "m/traces.otf2").exists(), "next: otter report" in result.stdout)
                    self.remove(self.folder / "m")

    def test_files_that_may_not_grow(self):
        for most_bytes in (100, 1000, 20000):
            with self.subTest(most_bytes=most_bytes):
                result = self.otter("merge", "--copy", "-o", "m", "job", most_bytes=most_bytes)
                self.assert_failed(result, self.folder / "m")
                self.assertIn("the file is too large", result.stderr)

    def test_a_full_disk(self):
        place = self.folder / "disk"
        place.mkdir()
        if os.geteuid() or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "otter-test", place], capture_output=True,
                                          check=False).returncode:
            self.skipTest("a small disk can only be mounted by root")
        self.addCleanup(subprocess.run, ["umount", place], check=True)
        for room in (0, 8, 64):  # KiB
            with self.subTest(room=room):
                (place / "filling").write_bytes(bytes((1024 - room) * 1024))
                result = self.otter("merge", "-o", "m", self.job, place=place)
                self.assert_failed(result, place / "m")
                self.assertIn("no space left", result.stderr)
                self.assertEqual([path.name for path in place.iterdir()], ["filling"])


def main():
    parser = argparse.ArgumentParser()
    for option in ["--otter", "--inject", "--make"]:
        parser.add_argument(option, required=True, type=os.path.abspath)
    parser.add_argument("--every", action="store_true")
    MergeCase.args, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])


if __name__ == "__main__":
    main()
