#!/usr/bin/env python3
"""With little memory, `otter` keeps large arrays in files: results are the same, and a full disk is one clear message."""
import contextlib
import itertools
import os
import pathlib
import resource
import shutil
import subprocess
import tempfile
import unittest

import case

LITTLE = "--max-memory=1M"
IN_FILES = "large arrays are stored in files in "
FIB = "20"  # 22,000 tasks: each array of nodes has more than 1 MiB


class MemoryCase(case.CommandCase):
    def setUp(self):
        super().setUp()
        disk = tempfile.TemporaryDirectory(prefix="memory-", dir=self.tools)  # next to the programs: probably on a disk
        self.addCleanup(disk.cleanup)
        self.disk = pathlib.Path(disk.name)
        self.environment |= {"OMP_NUM_THREADS": "2", "TMPDIR": disk.name}

    def record_many(self):
        result = self.record(self.tool("../bench/bench"), "fib", FIB)
        self.assertEqual(result.returncode, 0, result.stderr)
        return self.archives()[0]

    def run_twice(self, *arguments):
        """Returns the results without and with little memory. Skips the test if no folder is on a disk."""
        usual = self.run_otter(*arguments)
        little = self.run_otter(arguments[0], LITTLE, *arguments[1:])
        if "no folder has room" in little.stderr:
            self.skipTest("all folders are in memory")
        self.assertEqual(os.listdir(self.disk), [])
        self.assertIn(IN_FILES, little.stderr)
        self.assertNotIn(IN_FILES, usual.stderr)
        return usual, little

    def test_results_are_the_same(self):
        archive = self.record_many()
        for arguments in (["check"], ["check", "--json"], ["report", "--json"], ["report", "--tasks", "--csv"], ["report", "--threads=1..2"],
                          ["graph", "--hash"], ["graph", "--view=fragments", "--format=json", "-o-"], ["export", "--to=chrome", "-o-"],
                          ["view", "-o-"]):
            with self.subTest(arguments):
                usual, little = self.run_twice(*arguments, archive)
                self.assertEqual((little.returncode, little.stdout), (usual.returncode, usual.stdout))
                self.assertEqual(usual.returncode, 0, usual.stderr)
                self.assertGreater(len(usual.stdout), 30)

    def test_exported_files_are_the_same(self):
        archive = self.record_many()
        self.run_otter("export", "--to=parquet", "-o", "usual", archive)
        self.run_otter("export", "--to=parquet", LITTLE, "-o", "little", archive)
        files = sorted(path.relative_to(self.folder / "usual") for path in (self.folder / "usual").rglob("*.parquet"))
        self.assertGreater(len(files), 5)
        for path in files:
            self.assertEqual((self.folder / "usual" / path).read_bytes(), (self.folder / "little" / path).read_bytes(), path)

    def test_line_names_the_folder_once(self):
        archive = self.record_many()
        _, little = self.run_twice("report", archive)
        self.assertEqual(little.stderr.count("otter: "), 1, little.stderr)
        self.assertIn(f"'{self.disk}'", little.stderr)
        self.assertRegex(little.stderr, r" [1-9]\d* MiB is available")

    def test_folder_of_memory_or_without_access_is_not_used(self):
        archive = self.record_many()
        for folder in ("missing", "/dev/shm", "/proc"):
            self.environment["TMPDIR"] = folder
            result = self.run_otter("report", LITTLE, archive)
            if "no folder has room" not in result.stderr:
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertIn(IN_FILES, result.stderr)
                self.assertNotIn(f"in '{folder}'", result.stderr)

    def mount(self, size):
        """Returns the folder of a new disk."""
        image, place = self.folder / "image", self.folder / "full"
        place.mkdir()
        image.write_bytes(bytes(size))
        if os.geteuid() or not shutil.which("mkfs.ext4") or subprocess.run(["mkfs.ext4", "-q", image], check=False).returncode or \
                subprocess.run(["mount", "-o", "loop", image, place], capture_output=True, check=False).returncode:
            self.skipTest("no disk can be mounted")
        self.addCleanup(subprocess.run, ["umount", place], check=True)
        return place

    def test_full_disk_ends_with_a_failure(self):
        """Some parts of a report do without the arrays that did not fit, so the rest looks complete."""
        archive = self.record_many()
        whole = self.run_otter("report", archive)
        disk = self.mount(20 << 20)
        self.environment["TMPDIR"] = str(disk)
        for size in range(2, 14):
            (disk / "x").write_bytes(bytes(size << 20))
            result = self.run_otter("report", LITTLE, archive)
            if "No space left on device" in result.stderr:
                self.assertEqual(result.returncode, 1, result)
            else:
                self.assertEqual((result.returncode, result.stdout), (0, whole.stdout), result.stderr)
        self.assertIn(f"in '{disk}': No space left on device", result.stderr)

    def test_full_folder_is_not_used(self):
        archive = self.record_many()
        place = self.mount(3 << 20)
        with contextlib.suppress(OSError), open(place / "x", "wb") as full:
            while True:
                full.write(bytes(1 << 16))
        self.environment["TMPDIR"] = str(place)
        result = self.run_otter("report", LITTLE, archive)
        if "no folder has room" not in result.stderr:
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertNotIn(f"in '{place}'", result.stderr)

    def test_limit_of_the_process_is_named(self):
        archive = self.record_many()
        size = 4 << 20
        result = self.run_otter("report", archive, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (size, size)))
        lines = result.stderr.splitlines()
        self.assertEqual((result.returncode, len(lines)), (1, 2), result.stderr)
        self.assertIn("ulimit -d", lines[0])
        self.assertIn("not enough memory", lines[1])

    def test_limit_of_open_files_is_no_lack_of_room(self):
        for rank in range(2):
            self.make(f"r{rank}", 20, "", "OTTER::RANK", str(rank))
        self.assertEqual(self.run_otter("merge", "-o", "m", "r0", "r1").returncode, 0)
        for limit, status in ((4, 1), (16, 0)):  # ranks that do not stay in memory are opened again while the page is open
            result = self.run_otter("view", LITTLE, "-o", "x.html", "m",
                                    preexec_fn=lambda n=limit: resource.setrlimit(resource.RLIMIT_NOFILE, (n, n)))
            self.assertEqual(result.returncode, status, result.stderr)
            self.assertEqual("too many open files" in result.stderr, status == 1, result.stderr)
            self.assertNotIn("--size", result.stderr)

    def test_limit_of_open_files_is_named_by_all(self):
        job = self.folder / "job"
        job.mkdir()
        for rank in range(2):
            self.make(f"job/rank-{rank:04}", 20, "", "OTTER::RANK", str(rank))
        self.make("a", 20)
        failed = []
        for number, (limit, archive, command) in enumerate(itertools.product((4, 5, 6), ("a", "job"), (
                ["report"], ["check"], ["info"], ["graph", "--hash"], ["graph", "-o"], ["view", "-o"], ["export", "--to=csv", "-o"],
                ["export", "--to=perfetto", "-o"], ["export", "--to=parquet", "-o"], ["merge", "-o"], ["diff", "ARCHIVE"]))):
            with self.subTest(limit=limit, archive=archive, command=command):
                output = [f"x{number}"] if command[-1] == "-o" else []
                words = [archive if word == "ARCHIVE" else word for word in command] + output
                result = self.run_otter(*words, archive, preexec_fn=lambda n=limit: resource.setrlimit(resource.RLIMIT_NOFILE, (n, n)))
                if "too many open files" not in result.stderr:  # then the result is complete
                    complete = self.run_otter(*[f"y{number}" if word in output else word for word in words], archive)
                    self.assertEqual((result.returncode, result.stdout.replace(f"x{number}", f"y{number}")),
                                     (complete.returncode, complete.stdout))
                else:
                    failed.append(limit)
                    self.assertNotEqual(result.returncode, 0)
                    self.assertRegex(result.stderr, r"otter: .*too many open files \(raise ulimit -n\)\n\Z")
                self.assertEqual(list(self.folder.glob("*.part")), [])
        self.assertGreaterEqual(failed.count(4), 15)  # of 22

    def test_full_disk_is_an_error(self):
        archive = self.record_many()
        self.run_twice("report", archive)
        limit = 1 << 20  # of a file
        result = self.run_otter("report", LITTLE, archive,
                                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertEqual(result.stderr.count("cannot extend a file for large arrays in "), 1, result.stderr)
        self.assertIn("File too large", result.stderr)
        self.assertIn("not enough memory", result.stderr)

    def test_wrong_sizes_are_refused(self):
        for size in ("", "x", "1", "1023K", "-4G", "4GiB", "99999999999G"):
            for command in ("check", "report", "export", "view", "graph", "info", "diff"):
                self.assert_fails(self.run_otter(command, f"--max-memory={size}", "archive"), 2, "--max-memory takes a size", f"'{size}'")


if __name__ == "__main__":
    case.main()
