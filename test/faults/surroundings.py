#!/usr/bin/env python3
"""Records a program without enough resources: a full disk, a removed folder, limits on files, refused calls.

usage: surroundings.py --otter OTTER --refuse REFUSE --tool LIBRARY [--sample] PROGRAM [unittest's arguments]

The program prints and ends as it does without Otter. There is one warning, or a warning and an error. Otter can read
what it has written.
"""
import argparse
import collections
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import unittest

from faults import Result, clean_environment, forget_runtime, sampled

PATIENCE = 240
KIB = 1024
MANY_THREADS = 500
SKIPPED = 77  # exit status of refuse.c
NS_PER_S = 1_000_000_000
CLOCK_SOURCES = "/sys/devices/system/clocksource/clocksource0/available_clocksource"


def has_counter():
    """Returns whether the clock has a constant rate."""
    return {"constant_tsc", "nonstop_tsc"} <= set(pathlib.Path("/proc/cpuinfo").read_text().split())


class Surroundings(unittest.TestCase):
    args = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="otter-surroundings-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.environment = clean_environment() | {"OMP_NUM_THREADS": "2", "KMP_BLOCKTIME": "0"}

    def run_program(self, *arguments, before=(), limits=(), **settings):
        def limit():
            for kind, value in limits:
                resource.setrlimit(kind, (value, resource.getrlimit(kind)[1]))
        is_launched = self.args.sample and "OTTER_FOLDER" in settings
        launcher = sampled(self.args.otter) if is_launched else []
        process = subprocess.Popen([*launcher, *before, self.args.program, *map(str, arguments)], env=self.environment | settings,
                                   cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=limit)
        try:
            output = process.communicate(timeout=PATIENCE)
        finally:
            process.kill()
            process.wait()
            forget_runtime(process.pid)
        process = subprocess.CompletedProcess(process.args, process.returncode, *output)
        if before and process.returncode == SKIPPED:
            self.skipTest(process.stderr)
        result = Result(process)
        if is_launched:
            result.leave_out_launcher()
        return result

    def record(self, *arguments, folder=None, **options):
        """Records the program. Checks that it behaves as without Otter, with at most a warning and an error."""
        archive = (folder or self.folder) / "archive"
        alone = self.run_program(*arguments, before=options.get("before", ()), limits=options.get("limits", ()))
        result = self.run_program(*arguments, OMP_TOOL_LIBRARIES=self.args.tool, OTTER_FOLDER=str(archive), **options)
        result.complaints = [line for line in result.complaints if line not in alone.said]  # messages of the runtime
        self.assertEqual((result.output, result.status), (alone.output, alone.status), result.said)
        self.assertLessEqual(len(result.complaints), 2, result.complaints)
        for line in result.complaints:
            self.assertTrue(line.startswith("otter: "), line)
        return archive, result

    def command(self, *arguments):
        return subprocess.run([self.args.otter, *map(str, arguments)], env=clean_environment(), capture_output=True, text=True,
                              timeout=PATIENCE, check=False)

    def assert_reads(self, *arguments):
        read = self.command(*arguments)
        self.assertEqual(read.returncode, 0, read.stdout + read.stderr)
        return read.stdout

    def assert_whole(self, archive, result):
        self.assertEqual((result.complaints, result.n_lost), ([], 0), result.said)
        self.assert_reads("check", archive)

    def assert_stopped_early(self, archive, result):
        """Checks that the archive is well-formed and states its losses, and that there is one warning."""
        self.assertTrue(result.is_complete, result.said)
        self.assertEqual(len(result.complaints), 1, result.complaints)
        self.assertGreater(result.n_lost, 0)
        self.assertFalse(archive.with_suffix(".recording").exists())
        self.assert_numbers_agree(archive, result)

    def assert_numbers_agree(self, archive, result):
        """Checks that the closing block, `otter info`, `otter check` and foreign readers agree on all numbers."""
        info = json.loads(self.assert_reads("info", "--json", archive))
        self.assertEqual((info["tasks"]["created"], info["lost"]), (result.n_tasks, result.n_lost), result.said)
        told = self.assert_reads("info", archive).replace(",", "")
        self.assertIn(f"{result.n_tasks} created", told)
        self.assertRegex(told, rf"\n  lost         {result.n_lost} events?\n")
        check = json.loads(self.command("check", "--json", archive).stdout)
        self.assertEqual(check["tasks"], result.n_tasks)
        lost = re.search(r"\n    lost events \((\d+)\)", self.command("check", archive).stdout.replace(",", ""))
        self.assertEqual(int(lost[1]) if lost else 0, result.n_lost)
        if (archive / "traces.marker").exists() and result.n_lost:
            marker = re.search(rb"(\d+) events? could not be kept", (archive / "traces.marker").read_bytes())
            self.assertEqual(int(marker[1]), result.n_lost)

    def assert_nothing(self, archive, result):
        self.assertEqual(len(result.complaints), 1, result.complaints)
        self.assertEqual(sorted(archive.parent.glob("archive*")), [])

    def mount(self, options):
        place = self.folder / "disk"
        place.mkdir()
        if os.geteuid() or subprocess.run(["mount", "-t", "tmpfs", "-o", options, "otter-test", place], capture_output=True,
                                          check=False).returncode:
            self.skipTest("a small disk can only be mounted by root")
        self.addCleanup(subprocess.run, ["umount", place], check=True)
        return place

    # ---- disks

    def test_a_disk_that_becomes_full_ends_recording_and_nothing_else(self):
        place = self.mount("size=2200k")
        archive, result = self.record(8000, folder=place)
        self.assert_stopped_early(archive, result)
        self.assertIn("no space left", result.complaints[0])

    def test_a_disk_that_is_full_is_one_warning(self):
        place = self.mount("size=100k")
        archive, result = self.record(100, folder=place)
        self.assert_nothing(archive, result)

    def test_a_disk_without_room_for_names_is_one_warning(self):
        place = self.mount("size=10m,nr_inodes=4")
        archive, result = self.record(100, folder=place)
        self.assertGreaterEqual(len(result.complaints), 1)
        self.assertFalse(archive.exists())

    def test_a_disk_that_cannot_be_written_is_one_warning(self):
        place = self.mount("size=10m,ro")
        archive, result = self.record(100, folder=place)
        self.assert_nothing(archive, result)

    def test_a_folder_that_goes_away_is_told(self):
        recording = self.folder / "archive.recording"
        archive, result = self.record(8000, "lost", recording)
        self.assertGreaterEqual(len(result.complaints), 1)
        self.assertIn("no longer exists", result.complaints[-1])
        self.assertFalse(archive.exists())

    def test_a_folder_that_may_be_entered_no_more_is_not_said_to_be_gone(self):
        if os.geteuid():
            self.skipTest("only root has rights to give up")
        archive, result = self.record(8000, "rights")
        self.assertIn("permission denied; what was recorded is in", result.complaints[-1])
        self.assertIn("missing: ", self.command("recover", archive).stderr)
        self.assert_reads("check", archive)

    # ---- limits of the process

    def test_a_limit_on_the_size_of_files_ends_like_a_full_disk(self):
        for limit in [400, 530, 700, 1100]:
            with self.subTest(limit):
                folder = self.folder / str(limit)
                folder.mkdir()
                archive, result = self.record(8000, folder=folder, limits=[(resource.RLIMIT_FSIZE, limit * KIB)])
                self.assert_stopped_early(archive, result)

    def test_a_kill_behind_that_leaves_no_claim_that_all_is_there(self):
        for settings in ({"limits": [(resource.RLIMIT_FSIZE, 530 * KIB)]}, {"OTTER_MAX_MEMORY": "256K"}):
            with self.subTest(settings):
                folder = self.folder / next(iter(settings))
                folder.mkdir()
                archive, _ = self.record(8000, "killed", folder=folder, **settings)
                recovered = self.command("recover", archive)
                self.assertEqual(recovered.returncode, 0, recovered.stderr)
                self.assertIn("missing: an unknown number of events that could not be stored", recovered.stderr)
                self.assertRegex(self.assert_reads("info", archive), r"lost +at least \d+ events?\n")
                self.assert_reads("graph", "-o", "-", archive)

    def test_a_limit_that_no_file_keeps_within_is_one_warning(self):
        archive, result = self.record(100, limits=[(resource.RLIMIT_FSIZE, 100 * KIB)])
        self.assert_nothing(archive, result)

    def test_where_no_descriptor_is_left_the_archive_is_completed(self):
        self.assert_whole(*self.record(100, "files", limits=[(resource.RLIMIT_NOFILE, 64)]))

    def test_where_no_descriptor_is_left_files_cannot_grow(self):
        archive, result = self.record(8000, "files", limits=[(resource.RLIMIT_NOFILE, 64)])
        self.assert_stopped_early(archive, result)
        self.assertIn("too many open files", result.complaints[0])

    def test_where_no_descriptor_can_be_had_the_recording_can_be_recovered(self):
        for n_tasks in [100, 8000]:
            with self.subTest(n_tasks):
                folder = self.folder / str(n_tasks)
                folder.mkdir()
                archive, result = self.record(n_tasks, "files", folder=folder, before=["sh", "-c", 'ulimit -n 64; exec "$@"', "sh"])
                self.assertIn("too many open files", result.complaints[0])
                self.assert_reads("recover", archive)
                self.assert_reads("info", archive)

    def test_small_stacks_are_large_enough(self):
        self.environment["OMP_STACKSIZE"] = "64k"
        self.assert_whole(*self.record(200, limits=[(resource.RLIMIT_STACK, 64 * KIB)]))

    def test_many_threads_are_recorded(self):
        self.environment["OMP_NUM_THREADS"] = str(MANY_THREADS)
        self.environment["OMP_STACKSIZE"] = "64k"
        archive, result = self.record(MANY_THREADS)
        self.assert_whole(archive, result)
        self.assertIn(f"teams of up to {MANY_THREADS} threads", self.assert_reads("info", archive))

    # ---- an unreliable clock

    def test_the_counter_is_left_where_the_system_does_not_trust_it(self):
        listed = self.folder / "listed"
        listed.write_text("hpet acpi_pm \n")
        before = ["unshare", "--mount", "sh", "-c", f'mount --bind {listed} {CLOCK_SOURCES} && exec "$@"', "sh"]
        if subprocess.run([*before, "true"], capture_output=True, check=False).returncode:
            self.skipTest("nothing can be mounted over the system's clock sources")
        for clock, is_monotonic in [("auto", True), ("monotonic", True), ("tsc", not has_counter())]:
            with self.subTest(clock):
                archive, result = self.record(10, folder=self.folder / clock, before=before, OTTER_CLOCK=clock)
                self.assertEqual(len(result.complaints), clock == "tsc" and is_monotonic, result.said)
                ticks = json.loads(self.assert_reads("info", "--json", archive))["clock"]["resolution"]
                self.assertEqual(ticks == NS_PER_S, is_monotonic, ticks)

    # ---- refused calls

    def test_calls_that_only_make_it_faster_may_be_refused(self):
        for call in ["madvise", "membarrier", "mremap"]:
            with self.subTest(call):
                folder = self.folder / call
                folder.mkdir()
                self.assert_whole(*self.record(100, folder=folder, before=[self.args.refuse, call]))

    def test_where_files_cannot_be_mapped_they_are_written(self):
        for call, chunks, n_warnings in [("fallocate", "auto", 1), ("shared", "auto", 1), ("shared", "mapped", 1), ("shared", "memory", 0)]:
            with self.subTest(call, chunks=chunks):
                folder = self.folder / f"{call}-{chunks}"
                folder.mkdir()
                archive, result = self.record(3000, folder=folder, before=[self.args.refuse, call], OTTER_CHUNKS=chunks)
                self.assertEqual((len(result.complaints), result.n_lost), (n_warnings, 0), result.said)
                self.assertTrue(all("cannot be mapped" in line for line in result.complaints), result.said)
                self.assert_reads("check", archive)

    def test_where_files_cannot_be_mapped_a_kill_leaves_full_chunks(self):
        archive, _ = self.record(8000, "killed", before=[self.args.refuse, "shared"])
        self.assert_reads("recover", archive)
        self.assert_reads("info", archive)

    def test_a_full_disk_that_copies_on_write_ends_no_program(self):
        """A store into a mapped file would need new space on the disk: SIGBUS."""
        image, place = self.folder / "image", self.folder / "disk"
        place.mkdir()
        with image.open("wb") as file:
            file.truncate(130 << 20)
        if os.geteuid() or not shutil.which("mkfs.btrfs") or subprocess.run(["mkfs.btrfs", "-q", "-M", image], capture_output=True, check=False).returncode or \
                subprocess.run(["mount", "-o", "loop", image, place], capture_output=True, check=False).returncode:
            self.skipTest("no btrfs can be mounted")
        self.addCleanup(subprocess.run, ["umount", place], check=True)
        archive = place / "archive"
        result = self.run_program(8000, "filled", place, OMP_TOOL_LIBRARIES=self.args.tool, OTTER_FOLDER=str(archive))
        self.assertEqual(result.status, 7, result.said)
        (place / "filling").unlink()
        if not archive.exists():
            self.assert_reads("recover", archive)
        self.assert_reads("info", archive)

    # ---- limits of the user

    def test_an_archive_grows_no_larger_than_it_may(self):
        for size in ["600K", "1M", "2M"]:
            with self.subTest(size):
                folder = self.folder / size
                folder.mkdir()
                archive, result = self.record(8000, folder=folder, OTTER_MAX_SIZE=size)
                self.assert_stopped_early(archive, result)
                self.assertIn(f"max-size={size}", result.complaints[0])
                limit = int(size[:-1]) * KIB * (KIB if size.endswith("M") else 1)
                self.assertLessEqual(sum(path.stat().st_size for path in archive.glob("traces/*.evt")), limit)
                self.assertIn("max-size was reached", self.assert_reads("info", archive))
                self.assertIn(b"max-size was reached", (archive / "traces.marker").read_bytes())

    def visits(self, archive):
        """Returns {construct: number of visits} from records and from totals together, and the number of totals."""
        info = json.loads(self.assert_reads("info", "--json", archive))
        visits = collections.Counter()
        for region in info["regions"]:
            visits[region["canonical_name"]] += region["entered"]
        for total in info["totals"]["regions"]:
            visits[info["regions"][total["region"]]["canonical_name"]] += total["visits"]
            self.assertGreaterEqual(total["inclusive_ticks"], total["exclusive_ticks"])
        return visits, sum(total["visits"] for total in info["totals"]["regions"])

    def assert_summed_up(self, archive, n_tasks):
        visits, n_summed_up = self.visits(archive)
        self.assertEqual((visits["!$omp task"], visits["!$omp critical sblock"]), (4 * n_tasks, 4 * n_tasks))
        self.assertEqual(visits["!$omp for"], 4 * int(self.environment["OMP_NUM_THREADS"]))
        self.assertGreater(n_summed_up, n_tasks)
        self.assertIn("only the region totals below", self.assert_reads("info", archive))
        self.assertIn("max-size reached", self.assert_reads("check", archive))
        self.assertIn(b"only the totals", (archive / "traces.marker").read_bytes())

    def test_what_does_not_fit_is_summed_up_where_that_is_wanted(self):
        for n_threads, chunks in [(1, "mapped"), (4, "mapped"), (4, "memory")]:
            with self.subTest(n_threads, chunks=chunks):
                folder = self.folder / f"{n_threads}-{chunks}"
                folder.mkdir()
                self.environment["OMP_NUM_THREADS"] = str(n_threads)
                archive, result = self.record(4000, folder=folder, OTTER_MAX_SIZE="1200K", OTTER_WHEN_FULL="totals",
                                              OTTER_CHUNKS=chunks)
                self.assertEqual((len(result.complaints), result.n_lost), (1, 0), result.said)
                self.assert_summed_up(archive, 4000)
                self.assert_numbers_agree(archive, result)
                graph = self.command("graph", "--hash", archive)
                self.assertIn("the graph ends where events end", graph.stderr)

    def test_what_is_summed_up_survives_a_kill(self):
        archive, _ = self.record(4000, "killed", OTTER_MAX_SIZE="1200K", OTTER_WHEN_FULL="totals")
        self.assert_reads("recover", archive)
        self.assert_summed_up(archive, 4000)

    def test_without_room_for_any_event_all_is_summed_up(self):
        archive, result = self.record(100, OTTER_MAX_SIZE="100K", OTTER_WHEN_FULL="totals")
        self.assertEqual((len(result.complaints), result.n_lost), (1, 0), result.said)
        self.assert_summed_up(archive, 100)

    def test_an_archive_that_may_not_even_begin_is_one_warning_and_a_count(self):
        archive, result = self.record(100, OTTER_MAX_SIZE="100K")
        self.assertEqual(len(result.complaints), 2)
        self.assertIn("max-size=100K", result.complaints[0])
        self.assertIn("were lost", result.complaints[1])
        self.assertEqual(sorted(self.folder.glob("archive*")), [])

    def test_threads_for_which_there_is_no_memory_are_counted_as_lost(self):
        self.environment["OMP_NUM_THREADS"] = "8"
        archive, result = self.record(1300, OTTER_MAX_MEMORY="1M")
        self.assert_stopped_early(archive, result)
        self.assertIn("max-memory=1M", result.complaints[0])

    def test_tasks_of_a_thread_without_memory_are_tasks_where_others_run_them(self):
        self.environment |= {"OMP_NUM_THREADS": "2", "KMP_BLOCKTIME": "0"}
        archive, result = self.record(300, OTTER_MAX_MEMORY="256K")
        self.assert_stopped_early(archive, result)
        self.assert_reads("check", archive)

    def test_an_archive_within_its_limits_is_whole(self):
        self.assert_whole(*self.record(1300, OTTER_MAX_SIZE="10M", OTTER_MAX_MEMORY="512K"))


def main():
    parser = argparse.ArgumentParser()
    for option in ["--otter", "--refuse", "--tool"]:
        parser.add_argument(option, required=True)
    parser.add_argument("--sample", action="store_true")
    parser.add_argument("program")
    Surroundings.args, rest = parser.parse_known_args()
    for name in ("otter", "refuse", "tool", "program"):
        setattr(Surroundings.args, name, os.path.abspath(getattr(Surroundings.args, name)))
    unittest.main(argv=[sys.argv[0], *rest])


if __name__ == "__main__":
    main()
