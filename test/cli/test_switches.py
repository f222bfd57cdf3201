#!/usr/bin/env python3
"""Tests the switches of threads that `otter record` stores: test_switches.py OTTER FOLDER."""
import json
import os
import re
import resource
import signal
import subprocess
import time

import case

IN, OUT, PREEMPTED, LOST, COMPLETE = range(1, 6)
METRIC = re.compile(r"^METRIC\s+(\d+)\s+(\d+).*thread\" <\d+>; UINT64; (\d+)\).*kind\" <\d+>; UINT64; (\d+)\)", re.MULTILINE)


class SwitchesCase(case.CommandCase):
    def setUp(self):
        super().setUp()
        if not self.has_switches():
            self.skipTest("perf events are not allowed here")

    def locations(self, archive="a"):
        result = self.run_otter("info", "--json", archive)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return json.loads(result.stdout)["locations"]

    def processors(self, archive="a"):
        return [location for location in self.locations(archive) if "OTTER::PROCESSOR" in location["properties"]]

    def threads(self, archive="a"):
        return {int(location["properties"]["OTTER::TID"]) for location in self.locations(archive)
                if "OTTER::TID" in location["properties"]}

    def switches(self, archive="a"):
        """Returns location, time, thread and kind of each switch, as OTF2's reader prints them. Checks that the reader
        accepts the archive."""
        result = subprocess.run(["otf2-print", "-Werror", f"{archive}/traces.otf2"], cwd=self.folder,
                                capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stderr)
        return [tuple(map(int, found)) for found in METRIC.findall(result.stdout)]

    def assert_good(self, archive="a"):
        result = self.run_otter("check", archive)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def assert_sleeps(self, archive="a"):
        """Checks that the threads left their processors while they slept, and returned."""
        self.assert_good(archive)
        found = self.switches(archive)
        threads = self.threads(archive)
        self.assertGreaterEqual(sum(kind == OUT and thread in threads for _, _, thread, kind in found), 5)
        self.assertGreaterEqual(sum(kind == IN and thread in threads for _, _, thread, kind in found), 5)
        return found


class Recorded(SwitchesCase):
    def record_kind(self, kind="sleep", *options):
        result = self.record("-o", "a", *options, self.tool("switches"), kind)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result

    def test_each_thread_leaves_a_processor_and_returns(self):
        self.record_kind()
        found = self.assert_sleeps()
        self.assertEqual(found[-1][3], COMPLETE)
        self.assertEqual({thread for _, _, thread, kind in found if kind <= PREEMPTED} - self.threads(), set())
        times = {}
        for location, time_, _, _ in found:
            self.assertGreaterEqual(time_, times.get(location, 0))
            times[location] = time_

    def test_a_sleep_in_a_task_is_blocking(self):
        self.record_kind("long")
        numbers = json.loads(self.run_otter("report", "--json", "a").stdout)
        self.assertIn("blocking", [finding["kind"] for finding in numbers["findings"]])
        self.assertGreater(numbers["thread_time"]["blocked_s"], 0.38)  # 20 sleeps of 20 ms

    def test_the_time_of_threads_is_without_processors(self):
        self.record_kind()
        numbers = json.loads(self.run_otter("report", "--json", "a").stdout)
        number, unit = re.search(r"([\d.]+) (\w+) of all threads", self.run_otter("check", "a").stdout).groups()
        seconds = float(number) * {"s": 1, "ms": 1e-3, "us": 1e-6}[unit]
        self.assertLessEqual(seconds, 1.006 * numbers["threads"] * numbers["wall_s"])

    def test_the_setting_leaves_them_out(self):
        result = self.record_kind("sleep", "--switches=off")
        self.assertEqual(self.processors(), [])
        self.assertNotIn("processor", result.stderr)
        self.assert_good()

    def test_with_the_systems_clock(self):
        self.record_kind("sleep", "--clock=monotonic")
        self.assert_sleeps()

    def test_a_child_process_is_not_the_program(self):
        child = int(self.record_kind("fork").stdout)
        self.assertNotIn(child, {thread for _, _, thread, _ in self.assert_sleeps()})

    def test_of_a_nested_record(self):
        result = self.record(self.otter, "record", "-o", "a", self.tool("switches"))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assert_sleeps()

    def test_of_a_program_below_a_shell(self):
        result = self.record("-o", "a", "sh", "-c", f"{self.tool('switches')}; true")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assert_sleeps()

    def test_a_process_with_numbers_of_its_own_has_none(self):
        apart = ["unshare", "--user", "--pid", "--fork", "--map-root-user"]
        if subprocess.run([*apart, "true"], capture_output=True).returncode:
            self.skipTest("no namespaces here")
        result = self.record("-o", "a", *apart, self.tool("switches"))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.processors(), [])
        self.assert_good()

    def test_a_program_that_ends_its_recording_gets_an_archive_with_all_switches(self):
        self.record_kind("close")
        found = self.assert_sleeps()
        self.assertEqual(found[-1][3], COMPLETE)

    def test_the_graph_at_the_programs_end(self):
        self.environment["OTTER_TASK_GRAPH_OUTPUT"] = str(self.folder / "graph")
        self.record_kind()
        self.assertEqual(len(list(self.folder.glob("graph*.gv"))), 1)
        self.assert_sleeps()

    def test_the_programs_limits_and_descriptors_are_its_own(self):
        script = "ulimit -n; ls /proc/self/fd"
        plain = subprocess.run(["sh", "-c", script], capture_output=True, text=True, env=self.environment)
        result = self.record("--quiet", "sh", "-c", script)
        self.assertEqual(result.stdout, plain.stdout)

    def test_a_file_that_must_not_grow_leaves_the_program_running(self):
        result = self.record("-o", "a", self.tool("switches"),
                             preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000)))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assert_good()

    def test_they_count_for_the_largest_size(self):
        self.record_kind("long")
        self.assertGreater(len(self.switches()), 20)
        chunk, size, most = 256 * 1024, 26, 10
        max_size = 2 * chunk + most * size
        result = self.record("-o", "small", f"--max-size={max_size}", self.tool("switches"), "long")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assert_good("small")
        # more switches may come before the second thread's chunk, which then has no room
        n_chunks = 1 if "recording has stopped" in result.stderr else 2
        self.assertLessEqual(n_chunks * chunk + len(self.switches("small")) * size, max_size)

    def test_ranks_of_a_job_merge(self):
        for rank in range(2):
            self.environment |= {"PMI_RANK": str(rank), "PMI_SIZE": "2", "PMI_JOBID": "7"}
            result = self.record("--quiet", f"--folder={self.folder}/job", self.tool("switches"))
            self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(self.run_otter("merge", "-o", "m", "job").returncode, 0)
        self.assert_good("m")
        self.assertEqual(len(self.switches("m")), sum(len(self.switches(f"job/rank-000{rank}")) for rank in range(2)))


class Reported(SwitchesCase):
    """Load on the machine changes neither work nor span; it has a finding of its own. Only the time from a thread's
    wake-up until it gets a processor counts as work."""

    def report_of(self, kind, *processors, **variables):
        self.environment |= variables
        result = self.record("--quiet", "-o", "a", self.tool("switches"), kind,
                             preexec_fn=lambda: os.sched_setaffinity(0, processors or os.sched_getaffinity(0)))
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.output = result.stdout
        numbers = json.loads(self.run_otter("report", "--json", "a").stdout)
        self.assert_good()
        return numbers, [finding["kind"] for finding in numbers["findings"]]

    def test_threads_that_take_turns_are_oversubscription(self):
        numbers, kinds = self.report_of("compute", min(os.sched_getaffinity(0)), OMP_NUM_THREADS="4")
        self.assertIn("oversubscription", kinds)
        preempted = numbers["thread_time"]["preempted_s"]
        self.assertGreater(preempted, 0.4)
        self.assertGreater(numbers["work_s"], 0.97 * 0.4)
        self.assertGreater(numbers["span_s"], 0.97 * 0.1)
        self.assertLess(numbers["work_s"], 0.75 * (preempted + numbers["work_s"]))
        self.assertNotIn("imbalance", kinds)

    def test_changes_leave_the_threads_on_their_processor(self):
        self.report_of("compute", min(os.sched_getaffinity(0)), OMP_NUM_THREADS="4")
        found = json.loads(self.run_otter("report", "--json", "--what-if=parallel=0.5x", "a").stdout)
        self.assertGreater(found["quiet"]["least_s"], 0.97 * 0.4)
        self.assertAlmostEqual(found["what_if"][0]["change"], -0.5, delta=0.05)
        found = json.loads(self.run_otter("report", "--json", "--what-if=parallel=0.5x", "--threads=3..4", "a").stdout)
        self.assertLess(found["quiet"]["most_s"], 0.3)  # on 4 processors
        self.assertAlmostEqual(found["what_if"][1]["change"], -0.5, delta=0.05)

    def test_another_process_on_the_processor_is_noise(self):
        processor = min(os.sched_getaffinity(0))
        busy = subprocess.Popen(["sh", "-c", "while :; do :; done"],
                                preexec_fn=lambda: os.sched_setaffinity(0, {processor}))
        self.addCleanup(busy.wait)
        self.addCleanup(busy.kill)
        numbers, kinds = self.report_of("compute", processor, OMP_NUM_THREADS="1")
        self.assertIn("noise", kinds)
        total = numbers["thread_time"]["preempted_s"] + numbers["work_s"]
        self.assertLess(numbers["work_s"], 0.75 * total)  # half of it, except for the time after a sleep
        self.assertAlmostEqual(numbers["span_s"], numbers["work_s"], delta=0.005)

    def test_a_thread_that_sleeps_in_a_barrier_leaves_its_processor(self):
        self.report_of("wake", KMP_BLOCKTIME="0")
        asleep = int(self.output)
        self.assertIn(asleep, self.threads())
        self.assertIn((asleep, OUT), [(thread, kind) for _, _, thread, kind in self.switches()])

    def test_without_switches_the_systems_sums_remain(self):
        result = self.record("--quiet", "--switches=off", "-o", "a", self.tool("switches"), "compute",
                             preexec_fn=lambda: os.sched_setaffinity(0, {min(os.sched_getaffinity(0))}),
                             env=self.environment | {"OMP_NUM_THREADS": "4"})
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        numbers = json.loads(self.run_otter("report", "--json", "a").stdout)
        self.assertIsNone(numbers["thread_time"]["running_s"])
        self.assertGreater(numbers["waited_for_processor_s"], 0.4)
        self.assertIn("threads waited for a processor", self.run_otter("report", "a").stdout)


class Killed(SwitchesCase):
    def recover(self):
        result = self.run_otter("recover", "a")
        self.assertEqual(result.returncode, 0, result.stderr)
        return self.assert_sleeps()

    def test_a_killed_program_keeps_its_switches(self):
        result = self.record("-o", "a", self.tool("switches"), "kill")
        self.assertEqual(result.returncode, 128 + signal.SIGKILL)
        self.recover()

    def test_a_killed_launcher_keeps_what_was_stored(self):
        launcher = subprocess.Popen([self.otter, "record", "-o", "a", self.tool("endless")], cwd=self.folder,
                                    env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.assertEqual(launcher.stdout.readline(), "ready\n")
        log = self.folder / "a.recording" / "switches"
        deadline = time.monotonic() + case.PATIENCE
        while log.stat().st_size < 1000 and time.monotonic() < deadline:
            time.sleep(0.05)
        launcher.kill()
        launcher.wait()
        launcher.stdout.read()  # waits for the end of the program, too
        launcher.stdout.close()
        result = self.run_otter("recover", "a")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assert_good()
        self.assertGreater(len(self.switches()), 10)

    def test_an_interrupted_recovery_is_undone(self):
        """In the folder of an attempt, the files of processors come after the files of threads."""
        self.record("-o", "a", self.tool("switches"), "kill")
        recording = self.folder / "a.recording"
        attempt = recording / "archive" / "traces"
        attempt.mkdir(parents=True)
        for location in range(4):
            (attempt / f"{location}.def").touch()
        log = recording / "switches"
        data = bytearray(log.read_bytes())
        data[12:20] = (2).to_bytes(4, "little") + (2).to_bytes(4, "little")  # first location, their number
        log.write_bytes(data)
        self.recover()
        self.assertEqual(len(self.threads()), 2)


class Refused(case.CommandCase):
    def refused(self, *words, what=()):
        return subprocess.run([self.tool("no_perf"), *what, self.otter, "record", *words], cwd=self.folder,
                              env=self.environment, capture_output=True, text=True)

    def test_one_line_says_what_would_be_needed(self):
        result = self.refused("-o", "a", self.tool("tasks"))
        self.assertEqual(result.returncode, 0, result.stderr)
        lines = [line for line in result.stderr.splitlines() if "processor" in line]
        self.assertEqual(len(lines), 1, result.stderr)
        self.assertIn("perf_event_open", lines[0])
        self.assertIn("--switches=off", lines[0])
        self.assertNotIn("Processor", self.run_otter("info", "a").stdout)
        self.assertEqual(self.run_otter("check", "a").returncode, 0)

    def test_memory_for_the_buffers_is_refused(self):
        result = self.refused("-o", "a", self.tool("tasks"), what=["--buffers"])
        self.assertEqual(result.returncode, 0, result.stderr)
        line, = [line for line in result.stderr.splitlines() if "processor" in line]
        self.assertIn("perf_event_mlock_kb", line)
        self.assertNotIn("seccomp", line)

    def test_no_line_where_none_are_wanted(self):
        result = self.refused("-o", "a", "--switches=off", self.tool("tasks"))
        self.assertNotIn("processor", result.stderr)

    def test_no_line_where_nothing_is_recorded(self):
        result = self.refused("-o", "a", "/bin/true")
        self.assertNotIn("perf_event_open", result.stderr)


if __name__ == "__main__":
    case.main()
