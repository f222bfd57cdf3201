#!/usr/bin/env python3
"""Tests the samples of threads that `otter record --sample` stores: test_samples.py OTTER FOLDER."""
import json
import pathlib
import re
import resource
import signal
import subprocess
import time

import case

SOURCE = (pathlib.Path(__file__).parent / "programs" / "planted.c").read_text().splitlines()
HOT = 1 + next(i for i, line in enumerate(SOURCE) if "heavy's line" in line)


class SamplesCase(case.CommandCase):
    def setUp(self):
        super().setUp()
        if not self.has_switches():
            self.skipTest("perf events are not allowed here")

    def record_planted(self, *options, kind=(), archive="a"):
        return self.record("--quiet", *options, "-o", archive, self.tool("planted"), *kind)

    def rows(self, archive="a"):
        result = self.run_otter("report", "--functions", "--json", archive)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def samples_of(self, function, rows):
        """Returns the samples in a function while a task was executed."""
        return sum(row["samples"] for row in rows
                   if row["function"] == function and row["label"].startswith("task planted.c:"))

    def n_samples(self, archive="a"):
        """Returns how many samples OTF2's reader finds. Checks that it accepts the archive, and so does Otter."""
        result = subprocess.run(["otf2-print", "-Werror", f"{archive}/traces.otf2"], cwd=self.folder,
                                capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stderr)
        checked = self.run_otter("check", archive)
        self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)
        return result.stdout.count("CALLING_CONTEXT_SAMPLE ")


class Recorded(SamplesCase):
    def test_the_planted_functions_have_their_shares(self):
        """The kernel counts processor time, so load changes little."""
        result = self.record_planted("--sample")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        rows = self.rows()
        heavy, light, inner = (self.samples_of(name, rows) for name in ("heavy", "light", "inner"))
        self.assertGreater(light, 10)
        self.assertGreater(heavy, 1.5 * light)
        self.assertGreater(inner, 10)
        tasks = sum(row["samples"] for row in rows if row["label"].startswith("task planted.c:"))
        self.assertGreater(heavy + light + inner, 0.5 * tasks)
        hottest = max(rows, key=lambda row: row["samples"] if row["label"].startswith("task") else 0)
        self.assertEqual(hottest["function"], "heavy")
        self.assertIn(hottest["line"], (f"planted.c:{HOT}", f"planted.c:{HOT - 1}"))
        self.assertLess(hottest["least_percent"], hottest["self_percent"])
        self.assertLess(hottest["self_percent"], hottest["most_percent"])

    def test_lines_labels_and_the_critical_path(self):
        self.record_planted("--sample")
        rows = self.rows()
        label = next(row["label"] for row in rows if row["label"].startswith("task"))
        result = self.run_otter("report", "--lines", f"--label={label}", "--json", "a")
        lines = json.loads(result.stdout)
        self.assertEqual({row["label"] for row in lines}, {label})
        self.assertIn(lines[0]["line"], (f"planted.c:{HOT}", f"planted.c:{HOT - 1}"))
        self.assertEqual(lines[0]["function"], "heavy")
        narrowed = json.loads(self.run_otter("report", "--functions", f"--label={label}", "--json", "a").stdout)
        self.assertEqual(narrowed, [row for row in rows if row["label"] == label])
        self.assertEqual(sum(row["samples"] for row in lines), sum(row["samples"] for row in narrowed))
        for row in narrowed + lines:
            self.assertLessEqual(row["path_percent"], 100)
        unknown = self.run_otter("report", "--functions", f"--label={label[:-1]}", "a")
        self.assertEqual((unknown.returncode, unknown.stdout), (1, ""))
        self.assertEqual(unknown.stderr.splitlines()[1], f"otter:   known label: '{label}'")

    def test_the_summary_and_predictions_know_functions(self):
        self.record_planted("--sample")
        report = json.loads(self.run_otter("report", "--json", "a").stdout)
        self.assertEqual(report["path_functions"][0]["function"], "heavy")
        summary = " ".join(self.run_otter("report", "a").stdout.split())
        self.assertIn("critical path by functions: heavy ", summary)
        self.assertRegex(summary, r"what if heavy, with the functions that it calls, took half the time: [\d.]+ (to|%)")
        changes = {}
        for change in ("function:heavy=1x", "function:heavy=0.5x", "task=0.5x"):
            result = self.run_otter("report", f"--what-if={change}", "--json", "a")
            self.assertEqual(result.returncode, 0, result.stderr)
            changes[change], = json.loads(result.stdout)["what_if"]
        same, halved = changes["function:heavy=1x"], changes["function:heavy=0.5x"]
        self.assertEqual(same["change"], 0)
        self.assertLess(halved["least_s"], halved["most_s"])
        self.assertLess(halved["most_s"], same["least_s"])
        self.assertGreater(halved["least_s"], changes["task=0.5x"]["least_s"])
        diff = json.loads(self.run_otter("diff", "--functions", "--json", "a", "a").stdout)
        row, = [row for row in diff if row["function"] == "heavy"]
        self.assertEqual(row["samples"]["after"]["median"],
                         sum(row["samples"] for row in self.rows() if row["function"] == "heavy"))
        for condition, status in (('time(function "heavy") > 1us', 1), ('time(function "heavy") > +1%', 0)):
            self.assertEqual(self.run_otter("diff", "--fail-if", condition, "a", "a").returncode, status)
        self.record_planted("--sample", kind=["late"], archive="b")
        moved = json.loads(self.run_otter("diff", "--json", "a", "b").stdout)["moved_labels"]
        self.assertEqual([label for label in moved if label["after"].startswith("code ")], [])  # of samples only
        unknown = self.run_otter("report", "--what-if=function:heavi=0.5x", "a")
        self.assertEqual(unknown.returncode, 1)
        self.assertIn("known function: 'heavy'", unknown.stderr)

    def test_an_inlined_function_counts_for_the_function_around_it(self):
        self.record_planted("--sample")
        rows = self.rows()
        total = {row["function"]: row["total_percent"] for row in rows if row["label"].startswith("task")}
        self.assertGreaterEqual(total["outer"], total["inner"])
        self.assertLess(self.samples_of("outer", rows), self.samples_of("inner", rows))

    def test_callers_are_found_in_stacks_or_by_frame_pointers(self):
        for program, stack in (("frameless", "8K"), ("planted", "0")):
            result = self.record("--quiet", "--sample", f"--sample-stack={stack}", "-o", program, self.tool(program))
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            total = {row["function"]: row["total_percent"] for row in self.rows(program) if row["label"].startswith("task")}
            self.assertGreater(total["carrier"], 0.95 * total["heavy"])
            cut = json.loads(self.run_otter("info", "--json", program).stdout)["samples_cut"] or 0
            self.assertLess(cut, 0.05 * self.n_samples(program))

    def test_callers_are_found_in_the_files_that_the_program_sees(self):
        """Its mount namespace has the program at the path of another file."""
        app = self.folder / "app"
        app.write_text("no program\n")
        inside = f'mount --bind "{self.tool("frameless")}" "{app}" && exec "{app}"'
        if subprocess.run(["unshare", "-rm", "sh", "-c", inside], capture_output=True).returncode != 0:
            self.skipTest("mount namespaces are not allowed here")
        result = self.record("--sample", "-o", "a", "unshare", "-rm", "sh", "-c", inside)
        self.assertEqual(result.returncode, 0, result.stderr)
        cut = json.loads(self.run_otter("info", "--json", "a").stdout)["samples_cut"] or 0
        self.assertLess(cut, 0.05 * self.n_samples())

    def counts(self, archive="a"):
        """Returns the last value of each counter in each location."""
        result = subprocess.run(["otf2-print", "-Werror", f"{archive}/traces.otf2"], cwd=self.folder,
                                capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stderr)
        values = {}
        for line in result.stdout.splitlines():
            found = re.match(r'METRIC +(\d+) .*Metric: \d+, 1 Value: \("([a-z0-9-]+)" <\d+>; UINT64; (\d+)\)', line)
            if found:
                location, name, value = found.groups()
                self.assertGreaterEqual(int(value), values.get((name, location), 0))
                values[name, location] = int(value)
        return values

    def test_counters_are_those_of_the_tasks(self):
        """Each of 300 tasks touches 64 pages for the first time. A record stands for 16 page faults of a thread."""
        self.environment["OTTER_COUNTERS"] = "faults,nonsense,minor-faults,page-faults"
        result = self.record("-o", "a", self.tool("planted"), "touch")
        del self.environment["OTTER_COUNTERS"]
        self.assertEqual(result.returncode, 0, result.stderr)
        line, = [line for line in result.stderr.splitlines() if "nonsense" in line]
        self.assertIn("no such event", line)
        for name, hint in (("page-fault", "; did you mean 'page-faults'?"), ("zzz", ""), ("L1-dcache-load-miss", "; did you mean 'L1-dcache-load-misses'?"),
                           ("llc-stores", "; did you mean 'LLC-stores'?")):
            result = self.record("-o", "b", f"--counters=faults,{name}", self.tool("planted"))
            self.assertEqual((result.returncode, result.stdout), (2, ""))
            self.assertTrue(result.stderr.startswith(f"otter: --counters has no event '{name}'{hint} ("), result.stderr)
            self.assertFalse((self.folder / "b").exists())
        self.n_samples()  # checks the archive
        values = self.counts()
        self.assertEqual({name for name, _ in values}, {"page-faults", "minor-faults"})
        self.assertEqual({value % 16 for value in values.values()}, {0})
        total = sum(value for (name, _), value in values.items() if name == "page-faults")
        self.assertGreater(total, 300 * 48)
        self.assertLess(total, 300 * 80)
        report = json.loads(self.run_otter("report", "--json", "a").stdout)
        task, = [row for row in report["tables"]["tasks"] if row["task"].startswith("task planted.c:")]
        for name in ("page_faults", "minor_faults"):
            self.assertGreater(task[f"mean_{name}"], 48)
            self.assertLess(task[f"mean_{name}"], 80)
        self.assertEqual(json.loads(self.run_otter("info", "--json", "a").stdout)["settings"]["counters"],
                         "page-faults,minor-faults")
        self.record_planted("--counters=page-faults", kind=["touch"], archive="b")
        for condition, status in (("> 48", 1), ("> 80", 0), ("> +50%", 0)):
            condition = f'mean_page_faults(task "{task["task"]}") {condition}'
            for sides in (("a", "b"), ("b", "a")):
                self.assertEqual(self.run_otter("diff", "--fail-if", condition, *sides).returncode, status, condition)
        for sides, side in ((("a", "b"), "before"), (("b", "a"), "after")):
            row, = json.loads(self.run_otter("diff", "--tasks", "--json", *sides).stdout)
            self.assertNotIn("mean_minor_faults", row)  # only one side has them
            self.assertEqual(row["inclusive_s"][side]["median"], task["inclusive_s"])
        row, = json.loads(self.run_otter("diff", "--tasks", "--json", "a", "b").stdout)
        self.assertGreater(row["mean_page_faults"]["before"]["median"], 48)

    def test_a_library_that_was_opened_late_has_its_name(self):
        """It was opened after the first construct, and no construct is in it."""
        result = self.record_planted("--sample", kind=["late"])
        self.assertEqual(result.returncode, 0, result.stderr)
        hottest = max(self.rows(), key=lambda row: row["samples"] if row["label"].startswith("parallel") else 0)
        self.assertRegex(hottest["function"], "adler32|^.libz[.]so")

    def test_samples_of_processes_without_a_recording_are_missed(self):
        for kind, wanted in (("fork", r"the samples lack [\d.]+ m?s of processor time: 1 process ran without a recording \("),
                             ("late", None)):
            result = self.record("--sample", "-o", kind, self.tool("planted"), kind)
            self.assertEqual(result.returncode, 0, result.stderr)
            found = [line for line in result.stderr.splitlines() if "without a recording" in line]
            self.assertEqual(len(found), bool(wanted), result.stderr)
            for line in found:
                self.assertRegex(line, wanted)

    def test_samples_leave_room_for_switches(self):
        self.record_planted("--sample=20000", "--max-size=1M")
        report = json.loads(self.run_otter("report", "--json", "a").stdout)
        self.assertEqual(report["switches_unknown_s"], 0)
        self.assertGreater(self.n_samples(), 1000)
        info = json.loads(self.run_otter("info", "--json", "a").stdout)
        self.assertGreater(info["samples_lost"], 1000)  # beyond the limit

    def test_each_reader_finds_all_samples(self):
        self.record_planted("--sample=500")
        info = json.loads(self.run_otter("info", "--json", "a").stdout)
        n = self.n_samples()
        self.assertGreater(n, 50)
        self.assertEqual(sum(row["samples"] for row in self.rows()), n)
        owners = [location["properties"]["OTTER::SAMPLES_OF"] for location in info["locations"]
                  if "OTTER::SAMPLES_OF" in location["properties"]]
        self.assertEqual(len(owners), len(set(owners)))
        self.assertLessEqual({location["properties"]["OTTER::TID"] for location in info["locations"]
                              if "OTTER::TID" in location["properties"]}, set(owners))

    def test_without_the_option_nothing_changes(self):
        self.record_planted()
        self.assertEqual(self.n_samples(), 0)
        self.assertIn("otter record --sample", self.run_otter("report", "--functions", "a").stdout)
        report = json.loads(self.run_otter("report", "--json", "a").stdout)
        self.assertNotIn("functions", report["tables"])
        self.assertNotIn("path_functions", report)
        self.record_planted("--sample", archive="b")
        for before, after, complaint in (("a", "b", "BEFORE has no"), ("b", "a", "AFTER has no"), ("a", "a", "archives have no")):
            for option in ("--functions", '--fail-if=time(function "heavy") > +5%'):
                compared = self.run_otter("diff", option, before, after)
                self.assertEqual((compared.returncode, compared.stdout), (2, ""), option)
                self.assertIn(complaint, compared.stderr)
        change = self.run_otter("report", "--what-if=function:heavy=0.5x", "a")
        self.assertEqual(change.returncode, 1)
        self.assertIn("otter record --sample", change.stderr)

    def test_all_commands_read_them(self):
        self.record_planted("--sample")
        for words in (["report"], ["report", "--json"], ["report", "--functions", "--full"], ["info"], ["graph"],
                      ["view", "-o", "a.html"], ["export", "--to=collapsed"], ["check", "--add-lines"],
                      ["diff", "a"]):
            result = self.run_otter(*words, "a")
            self.assertIn(result.returncode, (0, 1) if words[0] == "diff" else (0,), (words, result.stderr))

    def test_a_damaged_sample_is_found(self):
        self.record_planted("--sample")
        location = next(location["id"] for location in json.loads(self.run_otter("info", "--json", "a").stdout)["locations"]
                        if "OTTER::SAMPLES_OF" in location["properties"])
        path = self.folder / f"a/traces/{location}.evt"
        data = path.read_bytes()
        sample = re.search(rb"\x44\x04\x01.\xff\x00", data, re.DOTALL)  # a context below 256, without a distance
        path.write_bytes(data[:sample.start() + 3] + b"\xff" + data[sample.start() + 4:])
        result = self.run_otter("check", "a")
        self.assertEqual(result.returncode, 1)
        self.assertIn("calling context that is not defined", " ".join(result.stdout.split()))
        self.assertGreater(self.samples_of("heavy", self.rows()), 10)

    def test_a_full_disk_loses_only_them(self):
        result = self.record("-o", "a", "--sample=5000", self.tool("planted"),
                             preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000)))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.n_samples()
        limited = json.loads(self.run_otter("info", "--json", "a").stdout)
        self.record_planted(archive="b")
        complete = json.loads(self.run_otter("info", "--json", "b").stdout)
        self.assertEqual((limited["lost"], limited["tasks"]), (0, complete["tasks"]))

    def test_ranks_of_a_job_merge(self):
        for rank in range(2):
            self.environment |= {"PMI_RANK": str(rank), "PMI_SIZE": "2", "PMI_JOBID": "7"}
            result = self.record("--quiet", "--sample", f"--folder={self.folder}/job", self.tool("planted"))
            self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(self.run_otter("merge", "-o", "m", "job").returncode, 0)
        self.assertEqual(self.n_samples("m"), sum(self.n_samples(f"job/rank-000{rank}") for rank in range(2)))
        for rank in range(2):
            self.assertEqual(self.rows(f"m/rank-000{rank}"), self.rows(f"job/rank-000{rank}"))

    def test_tables_of_a_job_have_the_counters_of_all_ranks(self):
        """A counter that one rank lacks has no column. The ranks have the others in different order."""
        for rank, counters in enumerate(("minor-faults,page-faults,major-faults", "page-faults,minor-faults")):
            self.environment |= {"PMI_RANK": str(rank), "PMI_SIZE": "2", "PMI_JOBID": "7"}
            result = self.record("--quiet", f"--counters={counters}", f"--folder={self.folder}/job", self.tool("planted"), "touch")
            self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(self.run_otter("merge", "-o", "m", "job").returncode, 0)
        for option, key in (("--tasks", "mean_"), ("--labels", "")):
            rows = json.loads(self.run_otter("report", option, "--json", "m").stdout)
            for rank in range(2):
                own = json.loads(self.run_otter("report", option, "--json", f"m/rank-000{rank}").stdout)
                of_rank = [row for row in rows if row["rank"] == f"rank {rank}"]
                self.assertEqual(len(of_rank), len(own))
                for name in (f"{key}page_faults", f"{key}minor_faults"):
                    self.assertEqual([row[name] for row in of_rank], [row[name] for row in own])
            self.assertNotIn(f"{key}major_faults", rows[0])
        task, other = json.loads(self.run_otter("report", "--tasks", "--json", "m").stdout)
        self.assertGreater(task["mean_page_faults"], 48)
        self.assertIn("page-faults each", self.run_otter("report", "--tasks", "--full", "m").stdout)
        row, = json.loads(self.run_otter("diff", "--tasks", "--json", "m", "m").stdout)
        least, most = sorted((task["mean_page_faults"], other["mean_page_faults"]))
        self.assertTrue(least <= row["mean_page_faults"]["after"]["median"] <= most, (least, row, most))
        self.assertNotIn("mean_major_faults", row)
        condition = f'mean_page_faults(task "{task["task"]}") > 48'
        self.assertEqual(self.run_otter("diff", "--fail-if", condition, "m", "m").returncode, 1)


class Killed(SamplesCase):
    def test_a_killed_program_keeps_its_samples(self):
        result = self.record_planted("--sample", kind=["kill"])
        self.assertEqual(result.returncode, 128 + signal.SIGKILL)
        self.assertEqual(self.run_otter("recover", "a").returncode, 0)
        self.assertGreater(self.n_samples(), 50)
        self.assertGreater(self.samples_of("heavy", self.rows()), 10)

    def test_a_killed_launcher_keeps_what_was_stored(self):
        launcher = subprocess.Popen([self.otter, "record", "--sample", "-o", "a", self.tool("endless")],
                                    cwd=self.folder, env=self.environment, stdout=subprocess.PIPE,
                                    stderr=subprocess.DEVNULL, text=True)
        self.assertEqual(launcher.stdout.readline(), "ready\n")
        log = self.folder / "a.recording" / "switches"
        deadline = time.monotonic() + case.PATIENCE
        while log.stat().st_size < 5000 and time.monotonic() < deadline:
            time.sleep(0.05)
        self.assertGreaterEqual(log.stat().st_size, 5000)
        launcher.kill()
        launcher.wait()
        launcher.stdout.read()  # waits for the end of the program, too
        launcher.stdout.close()
        self.assertEqual(self.run_otter("recover", "a").returncode, 0)
        self.assertGreater(self.n_samples(), 0)
        self.assertGreaterEqual(json.loads(self.run_otter("report", "--json", "a").stdout)["processors"], 1)


class Refused(case.CommandCase):
    def test_one_line_says_what_would_be_needed(self):
        result = subprocess.run([self.tool("no_perf"), self.otter, "record", "--sample", "-o", "a", self.tool("tasks")],
                                cwd=self.folder, env=self.environment, capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stderr)
        line, = [line for line in result.stderr.splitlines() if "samples" in line]
        self.assertIn("perf_event_open", line)
        self.assertEqual(self.run_otter("check", "a").returncode, 0)

    def test_they_need_the_switches(self):
        result = self.record("-o", "a", "--sample", "--switches=off", self.tool("tasks"))
        self.assertEqual(result.returncode, 0)
        self.assertIn("switches=on", result.stderr)

    def test_a_rate_needs_no_word_of_its_own(self):
        result = self.record("--sample", "50", self.tool("tasks"))
        self.assertEqual(result.returncode, 127)
        self.assertIn("--sample=50", result.stderr)

    def test_a_rate_that_no_kernel_allows(self):
        result = self.record("--sample=1000000", self.tool("tasks"))
        self.assertEqual(result.returncode, 2)
        self.assertIn("--sample", result.stderr)


if __name__ == "__main__":
    case.main()
