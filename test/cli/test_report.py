#!/usr/bin/env python3
"""`otter report` finds the known limit of programs, its numbers add up, and one message says what it cannot analyse."""
import csv
import io
import json
import math
import os
import pathlib
import re
import shutil
import tempfile

import case


def place_of(code):
    """Returns the first line of the program that contains this code: "reported.c:42"."""
    lines = (pathlib.Path(__file__).parent / "programs/reported.c").read_text().splitlines()
    return f"reported.c:{next(i for i, line in enumerate(lines, 1) if code in line)}"


class ReportCase(case.CommandCase):
    recordings = tempfile.TemporaryDirectory(prefix="otter-cli-")

    def setUp(self):
        super().setUp()
        self.environment["OMP_NUM_THREADS"] = "2"

    def report(self, *arguments, **options):
        return self.run_otter("report", *arguments, **options)

    def record_kind(self, kind):
        """Returns a copy of the program's archive, which is recorded once for all tests."""
        once = pathlib.Path(self.recordings.name, f"{kind}-{self.environment['OMP_NUM_THREADS']}")
        if not once.exists():
            self.record_anew(kind, once)
        name = f"otter-{kind}-{len(self.archives())}"
        shutil.copytree(once, self.folder / name)
        return name

    def record_anew(self, kind, archive):
        result = self.record("-o", archive, self.tool("reported"), kind)
        self.assertEqual(result.returncode, 0, result.stderr)
        return archive

    def numbers(self, kind):
        result = self.report("--json", self.record_kind(kind))
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return json.loads(result.stdout)


class Programs(ReportCase):
    """Programs spin for CPU time, so that other load on the machine makes pieces longer, never shorter.

    Load changes which finding is first, and adds findings. So the suite analysis tests this with exact events, and
    test_limits.py with these programs.
    """

    def find(self, numbers, kind):
        found = [finding for finding in numbers["findings"] if finding["kind"] == kind]
        self.assertTrue(found, numbers["findings"])
        return found[0]

    def test_work_and_span_of_an_even_loop(self):
        numbers = self.numbers("even")
        self.assertGreaterEqual(numbers["work_s"], 0.97 * 8 * 0.02)
        self.assertGreaterEqual(numbers["span_s"], 0.97 * 4 * 0.02)
        self.assertLess(numbers["span_s"], numbers["work_s"])
        self.assertGreaterEqual(numbers["burdened_span_s"], numbers["span_s"])

    def test_a_chain_of_tasks(self):
        numbers = self.numbers("chain")
        task = numbers["tables"]["tasks"][0]
        self.assertGreaterEqual(task["work_s"], 0.97 * 20 * 0.02)
        self.assertGreaterEqual(numbers["span_s"], 0.999 * task["work_s"])
        finding = self.find(numbers, "dependences")
        self.assertIn(place_of("task depend"), finding["where"])
        self.assertIn("19 dependences of the longest chain are on one address, 0x", finding["text"])
        self.assertEqual(task["count"], 20)

    def test_an_uneven_loop(self):
        numbers = self.numbers("imbalance")
        finding = self.find(numbers, "imbalance")
        self.assertIn(place_of("uneven"), finding["where"])
        self.assertGreaterEqual(finding["cost_s"], 0.1)

    def test_serial_code(self):
        numbers = self.numbers("serial")
        self.assertGreaterEqual(self.find(numbers, "serial code")["cost_s"], 0.15)

    def test_tasks_that_do_nothing(self):
        numbers = self.numbers("small")
        self.assertEqual(numbers["tables"]["tasks"][0]["count"], 20000)
        self.assertGreater(numbers["creation_cost_s"], 0)

    def test_a_lock(self):
        finding = self.find(self.numbers("lock"), "lock")
        self.assertIn("critical", finding["what"])
        self.assertGreaterEqual(finding["cost_s"], 0.05)

    def test_loops_and_locks(self):
        loop = self.numbers("even")["tables"]["loops"][0]
        self.assertIn(place_of("parallel for schedule(static)"), loop["loop"])
        self.assertEqual((loop["executions"], loop["members"], loop["iterations"]), (1, 2, 8))
        self.assertGreaterEqual(loop["busy_s"], 0.97 * 8 * 0.02)
        lock = self.numbers("lock")["tables"]["locks"][0]
        self.assertIn("critical", lock["lock"])
        self.assertEqual((lock["acquisitions"], lock["locks"]), (20, 1))
        self.assertGreaterEqual(lock["contended"], 5)
        self.assertGreaterEqual(lock["held_s"], 0.97 * 20 * 0.01)
        self.assertGreaterEqual(lock["held_s"], lock["held_against_s"])

    def test_the_chain_adds_up_in_every_form(self):
        archive = self.record_kind("chain")
        numbers = json.loads(self.report("--json", archive).stdout)
        for path, total in [("chain", numbers["wall_s"]), ("span", numbers["span_s"])]:
            folded, full = (json.loads(self.report("--critical-path=" + path, "--json", *options, archive).stdout)
                            for options in [[], ["--full"]])
            for row, following in zip(full, full[1:]):
                self.assertLess(row["begin_s"] + row["duration_s"], following["begin_s"] + 1e-7)
            first_begins = {}
            for row in full:
                first_begins.setdefault((row["label"], row["reason"]), row["begin_s"])
            for row in folded:
                self.assertGreaterEqual(row["begin_s"], first_begins[row["label"], row["reason"]])
            for rows in [folded, full]:
                self.assertAlmostEqual(sum(row["duration_s"] for row in rows), total, places=7)
                begins = [row["begin_s"] for row in rows]
                self.assertEqual(begins, sorted(begins))
            self.assertLess(len(folded), len(full))
            self.assertEqual({row["steps"] for row in full}, {1})

    def test_copies_of_a_construct_are_one_row(self):
        tasks = self.numbers("copies")["tables"]["tasks"]
        self.assertEqual([(row["task"], row["count"]) for row in tasks], [("task " + place_of("TWO_TASKS // here"), 10)])

    def test_each_command_shows_copies_as_one_row(self):
        """The compiler makes two regions from one line. view, diff and export show them as one row, like the report;
        `otter info` lists both, each with its function."""
        archive = self.record_kind("copies")
        label = "task " + place_of("TWO_TASKS // here")
        reported = json.loads(self.report("--json", archive).stdout)
        compared = json.loads(self.run_otter("diff", "--json", archive, archive).stdout)
        self.assertEqual(self.run_otter("view", "-o", "page.html", archive).returncode, 0)
        page = (self.folder / "page.html").read_text()
        shown = json.loads(re.search(r'id="otter-index">(.*?)</script>', page, re.S)[1])["report"]
        self.assertEqual(shown["tables"], reported["tables"])
        self.assertEqual(shown["thread_time"], reported["thread_time"])
        for name, column in (("tasks", "task"), ("labels", "label"), ("waits", "wait"), ("regions", "region")):
            rows = sorted(row[column] for row in reported["tables"][name])
            self.assertEqual(sorted(row[column] for row in compared["tables"][name]), rows)
        self.assertEqual(self.run_otter("export", "--to=json", "-o", "tasks.json", archive).returncode, 0)
        exported = [row for row in json.loads((self.folder / "tasks.json").read_text()) if row["kind"] == "explicit"]
        self.assertEqual([row["label"] for row in exported], 10 * [label])
        info = json.loads(self.run_otter("info", "--json", archive).stdout)
        entered = [region["entered"] for region in info["regions"] if "task " + region["where"] == label and "task" in region["name"]]
        self.assertEqual(sorted(entered), [5, 5])
        text = self.run_otter("info", "--all", archive).stdout
        self.assertEqual(text.count(label.split()[1]), 2)

    def test_time_before_the_recording(self):
        archive = "late"
        self.record("-o", archive, "sh", "-c", f"sleep 0.5; exec {self.tool('reported')} memory")
        before = json.loads(self.report("--json", archive).stdout)["before_recording_s"]
        self.assertGreaterEqual(before, 0.5)
        self.assertLess(before, 60)
        text = self.report(archive).stdout
        self.assertIn("\nbefore recording began: ", text)
        self.assertIn("look for serial code there", " ".join(text.split()))

    def test_memory_of_the_process(self):
        archive = self.record_kind("memory")
        mib = 1 << 20
        high = json.loads(self.report("--json", archive).stdout)["resident_high_bytes"]
        self.assertGreaterEqual(high, 64 * mib)
        self.assertLess(high, 192 * mib)
        self.assertEqual(json.loads(self.run_otter("info", "--json", archive).stdout)["resident_high_bytes"], high)
        text = f"{high / mib:.1f} MiB"
        self.assertIn(f"at most {text} resident in the process", self.run_otter("info", archive).stdout)
        self.assertRegex(self.report("--memory", archive).stdout, rf"(?m)^resident memory +{text}")

    def test_slack(self):
        rows = self.numbers("chain")["tables"]["slack"]
        task = next(row for row in rows if row["label"].startswith("task"))
        self.assertEqual((task["least_s"], task["growth_percent"], task["realised_least_s"]), (0, 0, 0))

    def test_thread_time_adds_up(self):
        for kind in ["even", "chain", "small", "lock"]:
            numbers = self.numbers(kind)
            parts = dict(numbers["thread_time"])
            waits = sum(parts.pop("waits_s").values())
            self.assertAlmostEqual(waits, parts["delay_s"] + parts["scheduling_s"] + parts["tied_s"] + parts["no_work_s"], places=7)
            total = parts.pop("total_s")
            blocked, running = parts.pop("blocked_s"), parts.pop("running_s")
            if running is not None:  # the archive has switches
                self.assertAlmostEqual(blocked + running, parts["executing_s"], places=7)
            self.assertAlmostEqual(sum(parts.values()), total, places=7)
            self.assertAlmostEqual(total, numbers["wall_s"] * numbers["threads"], places=7)
            path = sum(row["realised_s"] for row in numbers["tables"]["critical-path"])
            self.assertAlmostEqual(path, numbers["wall_s"], places=7)
            span = sum(row["span_s"] for row in numbers["tables"]["critical-path"])
            self.assertAlmostEqual(span, numbers["span_s"], places=7)
            for column, part in (("no_work_s", parts["no_work_s"]), ("delay_s", parts["delay_s"] + parts["scheduling_s"]), ("tied_s", parts["tied_s"])):
                in_regions = sum(row[column] for row in numbers["tables"]["regions"])  # these programs wait only in regions
                self.assertAlmostEqual(in_regions, part, places=7)
            tables = numbers["tables"]
            for column, rows in (("executing_s", tables["threads"]), ("preempted_s", tables["threads"]), ("creating_s", tables["threads"]),
                                 ("forking_s", tables["threads"]), ("outside_s", tables["threads"]), ("creating_s", tables["labels"])):
                self.assertAlmostEqual(sum(row[column] for row in rows), parts[column], places=7, msg=column)
            self.assertAlmostEqual(sum(row["executed_s"] for row in tables["labels"]), parts["executing_s"], places=7)
            tree = numbers["efficiency"]
            self.assertAlmostEqual(tree["serial"] * tree["regions"], tree["total"])
            self.assertAlmostEqual(tree["load_balance"] * tree["scheduling"], tree["regions"])
            self.assertAlmostEqual(math.prod(tree["losses"].values()), tree["regions"])


class Paths(ReportCase):
    """The program measures its tasks within the recorded times, so load can only make the recorded numbers larger."""

    def test_work_and_span_of_known_shapes(self):
        self.environment["SHAPES_CLOCK"] = "wall"
        for kind in ["independent", "chain", "diamond", "wavefront", "pipeline", "reduce", "fib", "grain", "creator", "uneven", "convoy"]:
            with self.subTest(kind=kind):
                result = self.record("--switches=off", "-o", kind, self.tool("shapes"), kind)
                self.assertEqual(result.returncode, 0, result.stderr)
                work, span = map(float, result.stdout.split()[:2])
                numbers = json.loads(self.report("--json", kind).stdout)
                labels = numbers["tables"]["labels"]
                self.assertGreaterEqual(sum(row["executed_s"] for row in labels if "shapes.c:" in row["label"]), work)
                self.assertGreaterEqual(numbers["work_s"], work)
                self.assertGreaterEqual(numbers["span_s"], span)
                self.assertGreaterEqual(numbers["work_s"], numbers["span_s"])


class Forms(ReportCase):
    def test_summary_fits_a_terminal(self):
        result = self.report(self.record_kind("imbalance"))
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        for word in ["work T1", "span", "parallelism", "thread time", "efficiency", "imbalance", "next: otter report --"]:
            self.assertIn(word, result.stdout)
        without_findings = re.sub(r"(?s)\nfindings, .*?\n\n", "\n", result.stdout)  # load adds some
        self.assertLessEqual(len(without_findings.splitlines()), 40)

    def test_the_next_command_is_valid_with_any_name(self):
        shutil.copytree(self.folder / self.record_kind("imbalance"), self.folder / "a\nb")
        self.assertIn(" $'a\\012b'", self.report("a\nb").stdout.splitlines()[-1])

    def test_on_one_thread_the_bounds_are_the_work(self):
        self.environment["OMP_NUM_THREADS"] = "1"
        found = re.search(r"\n  work T1 +(\S+ \S+)\n(?s:.*?)\n  bounds +(\S+ \S+)  to (\S+ \S+) for", self.report(self.record_kind("even")).stdout)
        self.assertEqual(found.groups(), (found[1], found[1], found[1]))

    def test_fewer_processors_than_threads_are_named(self):
        one = {min(os.sched_getaffinity(0))}
        archive = "narrow"
        result = self.record("-o", archive, self.tool("tasks"), preexec_fn=lambda: os.sched_setaffinity(0, one))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("\n2 threads on 1 processor, ", self.report(archive).stdout)
        self.assertEqual(json.loads(self.report("--json", archive).stdout)["processors"], 1)

    def test_summary_follows_the_width(self):
        archive = self.record_kind("imbalance")
        for columns, width in (("", 80), ("-5", 80), ("60", 60), ("10", 60), ("100", 100), ("500", 100)):
            self.environment["COLUMNS"] = columns
            lines = self.report(archive).stdout.splitlines()
            lines = [line for line in lines if not line.startswith(("next: ", "what if ", "recording took "))]
            self.assertLessEqual(max(map(len, lines[1:])), width)
            self.assertNotIn("\033", "".join(lines))  # no terminal, no bold

    def test_the_speed_up_is_without_pauses(self):
        archive = self.make("paused", 20, "kokkos")
        numbers = json.loads(self.report("--json", archive).stdout)
        times = numbers["thread_time"]
        recorded = 1 - (times["paused_s"] + times["lost_s"]) / times["total_s"]
        self.assertLess(recorded, 0.9)
        head = self.report(archive).stdout.splitlines()[1]
        self.assertAlmostEqual(float(head.split("speed-up ")[1].split(",")[0]), numbers["work_s"] / numbers["wall_s"] / recorded, delta=0.006)

    def test_a_prediction_that_errs_is_left_out(self):
        """The replay of this archive, which lacks events, is always wrong by the same percentage."""
        lines = " ".join(self.report(self.make("errs", 20, "kokkos")).stdout.split())
        self.assertIn("A replay of the task graph takes 26 % less time than the run, so predictions could be just as wrong;", lines)

    def test_findings_in_full(self):
        archive = self.record_kind("imbalance")
        result = self.report("--findings", archive)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(len([line for line in result.stdout.splitlines() if line[:4].strip().rstrip(".").isdigit()]),
                         len(json.loads(self.report("--json", archive).stdout)["findings"]))

    def test_tables_as_text_and_csv(self):
        archives = {"chain": self.record_kind("chain"), "lock": self.record_kind("lock"), "even": self.record_kind("even")}
        for table in ["tasks", "regions", "loops", "labels", "threads", "waits", "locks", "critical-path", "slack"]:
            archive = archives[{"loops": "even", "locks": "lock"}.get(table, "chain")]
            text = self.report("--" + table, "--full", archive)
            rows = list(csv.reader(io.StringIO(self.report("--" + table, "--csv", archive).stdout)))
            self.assertEqual((text.returncode, text.stderr), (0, ""))
            self.assertGreater(len(rows), 1, table)
            self.assertEqual({len(row) for row in rows}, {len(rows[0])})
            self.assertEqual(len(text.stdout.splitlines()), len(rows))
        archive = archives["chain"]
        self.assertIn("more: --top=", self.report("--labels", "--top=1", archive).stdout)
        self.assertEqual(len(self.report("--devices", "--csv", archive).stdout.splitlines()), 1)
        empty = self.report("--devices", "--full", archive).stdout.splitlines()
        self.assertEqual(empty[1:], ["(no rows)"])

    def test_rows_of_different_constructs_have_different_labels(self):
        archive = self.folder / "single"
        self.environment["OMP_NUM_THREADS"] = "2"
        self.assertEqual(self.record("--quiet", "-o", archive, self.tool("tasks")).returncode, 0)
        for table in ("labels", "slack"):
            rows = [row[0] for row in csv.reader(io.StringIO(self.report("--" + table, "--csv", archive).stdout))]
            self.assertEqual(len(rows), len(set(rows)), rows)
            other = next(row for row in rows if row.endswith(", other"))
            self.assertIn(other.removesuffix(", other"), rows)
        self.assertEqual(self.report(f"--what-if={other}=0.5x", archive).returncode, 0)
        kokkos = self.report("--memory", "--csv", self.make("kokkos", 20, "kokkos")).stdout.splitlines()
        self.assertTrue(kokkos[1].startswith("x,"), kokkos)  # not "x, Kokkos allocate"

    def test_json_of_one_table(self):
        archive = self.record_kind("chain")
        rows = json.loads(self.report("--tasks", "--json", archive).stdout)
        self.assertEqual(rows, json.loads(self.report("--json", archive).stdout)["tables"]["tasks"])

    def test_a_table_fits_its_terminal(self):
        archive = self.record_kind("lock")
        for table in ["tasks", "regions", "labels", "waits", "critical-path"]:
            for columns, most in [(None, 80), ("40", 40), ("120", 120)]:
                self.environment.pop("COLUMNS", None)
                self.environment.update({"COLUMNS": columns} if columns else {})
                lines = self.report("--" + table, archive).stdout.splitlines()
                self.assertLessEqual(max(map(len, lines)), most, table)
        self.environment["COLUMNS"] = "40"
        narrow = self.report("--labels", archive).stdout
        self.assertIn("columns left out:", narrow)
        self.assertNotIn("columns left out:", self.report("--labels", "--full", archive).stdout)

    def test_rows_are_sorted_and_selected(self):
        archive = self.record_kind("lock")
        rows = lambda *options: list(csv.DictReader(io.StringIO(self.report("--labels", "--csv", *options, archive).stdout)))
        labels = [row["label"] for row in rows("--sort=label")]
        self.assertEqual(labels, sorted(labels))
        blame = [float(row["blame_s"]) for row in rows("--sort=blame_s")]
        self.assertEqual(blame, sorted(blame, reverse=True))
        self.assertEqual(rows("--sort=blame"), rows("--sort=blame_s"))
        self.assertEqual([row["label"] for row in rows("--filter=parallel")],
                         [row["label"] for row in rows() if "parallel" in row["label"]])
        self.assertEqual(rows("--filter=par*"), rows("--filter=parallel"))
        self.assertEqual(rows("--filter=nothing has this"), [])

    def test_the_newest_archive_is_the_default_and_its_run_is_named(self):
        archive = self.record_anew("chain", "otter-new")
        self.assertEqual(self.record("true").returncode, 0)  # leaves no archive
        result = self.report()
        age = r"recorded (just now|\d+ (second|minute)s? ago)"
        self.assertRegex(result.stdout, rf"^\S+ chain.*, {age}\n")
        self.assertRegex(result.stderr, rf"^otter: the newest archive here is {archive}: \S+ chain.*, {age}\n$")
        self.assertRegex(self.report("--labels", "--csv").stderr, rf" chain.*, {age}\n$")
        self.assertNotIn("recorded", self.report(archive).stdout.splitlines()[0])


class Words(ReportCase):
    def test_the_page_has_the_heads_of_the_tables(self):
        archive = self.record_kind("small")
        heads = json.loads(self.report("--json", archive).stdout)["heads"]
        self.assertEqual(heads["tasks"]["inclusive_s"], "with below")
        for option in ("tasks", "labels", "threads"):
            first = self.report(f"--{option}", "--full", archive).stdout.splitlines()[0]
            self.assertTrue(all(head in first for head in heads[option].values()), first)


class Predictions(ReportCase):
    def test_other_numbers_of_threads(self):
        archive = self.record_kind("even")
        self.assertEqual(self.report("--threads", "1..4", archive).stdout, self.report("--threads=1..4", archive).stdout)
        result = self.report("--threads=1..4", archive)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        rows = [line.split() for line in result.stdout.splitlines() if line.startswith("predicted")]
        self.assertEqual([row[1] for row in rows], ["1", "2", "3", "4"])
        self.assertRegex(result.stdout, r"observed .*\nreplayed .* error [+-]")

    def predict(self, archive, *arguments):
        result = self.report("--json", *arguments, archive)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return json.loads(result.stdout)

    def test_a_loop_is_divided_among_more_threads(self):
        numbers = self.predict(self.record_kind("even"), "--threads=1..4")
        self.assertEqual([item["threads"] for item in numbers["predicted"]], [1, 2, 3, 4])
        for item in numbers["predicted"]:
            self.assertLessEqual(item["lower_bound_s"], item["least_s"])
            self.assertLessEqual(item["least_s"], item["most_s"])
        one, two, _, four = (item["most_s"] for item in numbers["predicted"])
        self.assertGreaterEqual(one, 0.97 * 8 * 0.02)
        self.assertGreaterEqual(two, 0.97 * 4 * 0.02)
        self.assertLess(four, two)
        self.assertLess(two, one)

    def test_a_lock_that_is_never_busy(self):
        archive = self.record_kind("lock")
        change, = self.predict(archive, "--what-if=drop lock critical")["what_if"]
        self.assertLess(change["change"], 0)
        combined, = self.predict(archive, "--what-if=drop lock critical", "--what-if=critical=0.5x")["what_if"]
        self.assertLess(combined["change"], change["change"])

    def test_waits_can_be_dropped_by_their_names(self):
        archive = self.record_kind("recursion")
        waits = [row["wait"] for row in json.loads(self.report("--waits", "--json", archive).stdout)]
        kinds = {wait: wait.rpartition(" ")[0].split()[-1] for wait in (text.partition(",")[0] for text in waits)}
        self.assertEqual(set(kinds.values()), {"taskwait", "barrier"}, waits)
        for wait in waits:
            self.predict(archive, f"--what-if=drop {kinds[wait.partition(',')[0]]} {wait}")

    def test_an_ordered_region(self):
        """The ten ordered regions take 100 of 111 ms in sequence; without order, two threads need 55 ms. Load makes the gain
        smaller."""
        archive = self.record_kind("ordered")
        label = "ordered " + place_of("ordered // in order")
        for change in (label + "=0.5x", "drop lock " + label):
            predicted, = self.predict(archive, "--what-if=" + change)["what_if"]
            self.assertLess(predicted["change"], 0)
        texts = self.report("--findings", archive).stdout
        self.assertIn("lock: " + label, texts)
        self.assertIn("Threads wait for earlier iterations", texts)
        self.assertIn("!$omp ordered region", self.run_otter("info", "--all", archive).stdout)

    def test_the_order_of_a_doacross_loop(self):
        """The ten iterations take 21 of 30 ms in sequence; without order, two threads need 15 ms."""
        predicted, = self.predict(self.record_kind("doacross"), "--what-if=drop lock ordered")["what_if"]
        self.assertLess(predicted["change"], -0.1)

    def test_a_balanced_loop(self):
        change, = self.predict(self.record_kind("imbalance"), "--what-if=balance for")["what_if"]
        self.assertLess(change["change"], 0)

    def test_a_label_that_takes_half_the_time(self):
        archive = self.record_kind("chain")
        result = self.report(f"--what-if={place_of('task depend')}=0.5x", archive)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        line, = (line for line in result.stdout.splitlines() if line.startswith("what if"))
        gain = float(line.split()[-2])
        self.assertLess(gain, 0)
        self.assertGreater(gain, -51)
        # on a busy machine, the replay of the run may be too inaccurate
        self.assertRegex(self.report(archive).stdout, f"what if task {place_of('task depend')} took half the time|what if: no prediction")


class Fences(ReportCase):
    """Kokkos 3.4 has the hooks for fences but does not call them."""

    def fences(self, interface):
        archive = self.make(interface, 10, "plain", "OTTER::KOKKOS_INTERFACE", interface)
        return self.report("--fences", archive).stdout.splitlines()[1:]

    def test_an_old_kokkos_reports_none(self):
        lines = self.fences("20210225")
        self.assertIn("version 3.5 on", " ".join(lines))
        self.assertLessEqual(max(map(len, lines)), 80)

    def test_a_program_without_fences(self):
        self.assertEqual(self.fences("20210623"), ["(no rows)"])


class SeveralRecordings(ReportCase):
    def test_ranges_are_those_of_all_recordings(self):
        archives = [self.record_anew("imbalance", f"otter-{i}") for i in range(3)]
        reports = [json.loads(self.report("--json", archive).stdout) for archive in archives]
        runs = json.loads(self.report("--json", *archives).stdout)
        self.assertEqual(runs["archives"], archives)
        self.assertTrue(runs["has_one_graph"])
        for number in ("wall_s", "work_s", "span_s"):
            values = sorted(report[number] for report in reports)
            self.assertEqual([runs["numbers"][number][name] for name in ("min", "median", "max")],
                             [value for value in values], number)
        self.compare_findings(runs["findings"], reports)

    def compare_findings(self, findings, reports):
        """Each finding says how many recordings have it; its percentages come from these recordings."""
        for finding in findings:
            kind = finding["finding"].split(":")[0]
            shares = [found["cost_percent"] for report in reports for found in report["findings"] if found["kind"] == kind]
            same_kind = [other for other in findings if other["finding"].split(":")[0] == kind]
            self.assertEqual(sum(other["recordings"] for other in same_kind), len(shares), finding)
            self.assertAlmostEqual(max(other["cost_percent"]["max"] for other in same_kind), max(shares), places=4)
        firsts = [report["findings"][0]["kind"] for report in reports if report["findings"]]
        self.assertEqual(sum(finding["first_in"] for finding in findings), len(firsts))

    def test_the_text_fits_a_terminal(self):
        archives = [self.record_anew("imbalance", f"otter-{i}") for i in range(2)]
        result = self.report(*archives)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertRegex(result.stdout, r"^2 recordings of .*reported imbalance\n")
        self.assertIn("All recordings have the same task graph.", " ".join(result.stdout.split()))
        # on a busy machine, another finding may be first in a recording
        self.assertRegex(result.stdout, r"\n +2 +[0-2] +[0-9.]+ % +[0-9.]+ % +[0-9.]+ %  imbalance: for reported.c:\d+\n")
        self.assertLessEqual(max(map(len, result.stdout.splitlines())), 80)

    def test_one_archive_is_incomplete(self):
        archives = [self.record_anew("chain", f"otter-{i}") for i in range(2)]
        os.truncate(pathlib.Path(self.folder, archives[0], "traces/0.evt"), 100)
        text = " ".join(self.report(*archives).stdout.split())
        self.assertIn("1 of the recordings is incomplete", text)
        self.assertIn("The task graphs differ", text)

    def test_recordings_that_cannot_be_combined(self):
        even, chain = self.record_kind("even"), self.record_kind("chain")
        self.assert_fails(self.report(even, chain), 2, "reported even", "reported chain", "otter diff")
        self.assert_fails(self.report(even, even), 2, "same archive")
        self.assert_fails(self.report(even, self.folder / even / "traces.otf2"), 2, "same archive")
        self.assert_fails(self.report(even, "none"), 1, "'none'")
        for option in ("--tasks", "--findings", "--threads=4", "--rank=1"):
            self.assert_fails(self.report(option, even, chain), 2, "several archives give one summary")
        self.environment["OMP_NUM_THREADS"] = "3"
        self.assert_fails(self.report(even, self.record_kind("even")), 2, "has 2 threads", "has 3", "otter diff")


class Refusals(ReportCase):
    def test_wrong_command_lines(self):
        self.assert_fails(self.report("--top=0"), 2, "--top", "'0'")
        self.assert_fails(self.report("--csv"), 2, "--csv", "--tasks")
        self.assert_fails(self.report("--nonsense"), 2, "--nonsense")
        self.assert_fails(self.report("--threads=4..2"), 2, "'4..2'")
        self.assert_fails(self.report("--tasks", "--regions"), 2, "one thing")
        self.assert_fails(self.report("--threads=1..2", "--tasks"), 2, "one thing")
        self.assert_fails(self.report("--what-if=drop barrier "), 2, "'drop barrier '")
        for forms in (["--csv", "--json"], ["--json", "--csv"]):
            self.assert_fails(self.report("--tasks", *forms), 2, "--csv and --json exclude each other")
        self.assert_fails(self.report("--sort=count"), 2, "--sort", "--tasks")
        self.assert_fails(self.report("--filter=x"), 2, "--filter", "--tasks")
        self.assert_fails(self.report("--full"), 2, "--full", "--tasks")
        self.assert_fails(self.report("--top=3"), 2, "--top", "--tasks")
        self.assert_fails(self.report("--findings", "--top=1"), 2, "--top", "--tasks")
        self.assert_fails(self.report("--critical-path=fast"), 2, "'fast'", "--critical-path=chain, --critical-path=span")
        for rows in ["-1", "x", "1x", "", "99999999999999999999"]:
            self.assert_fails(self.report("--tasks", "--top=" + rows), 2, "--top", f"'{rows}'")
        self.assert_fails(self.report("--what-if==0.5x"), 2, "'=0.5x'")
        self.assert_fails(self.report("--what-if=x=0x10"), 2, "'x=0x10'")
        self.assert_fails(self.report("--what-if=x"), 2, "LABEL=FACTORx", "'x'")
        self.assert_fails(self.report("--what-if=x=fast"), 2, "'x=fast'")

    def test_a_column_that_does_not_exist(self):
        archive = self.record_kind("even")
        for form in [[], ["--csv"], ["--json"]]:
            self.assert_fails(self.report("--labels", "--sort=speed", *form, archive), 2, "'speed'", "label, executed_s", "blame_s")

    def test_a_label_that_does_not_occur(self):
        archive = self.record_kind("even")
        for change in ["nothing=2x", "drop barrier nothing", "drop taskwait nothing", "drop lock nothing",
                       "cut-off nothing at 2", "balance nothing"]:
            result = self.report("--what-if=" + change, archive)
            self.assertEqual((result.returncode, result.stdout), (1, ""))
            self.assertIn("'nothing' in this run", result.stderr)
        self.assertIn("known loop: 'for reported.c:", result.stderr)

    def test_the_nearest_label_is_suggested_first(self):
        archive = self.record_kind("copies")
        rows = [row["label"] for row in json.loads(self.report("--json", archive).stdout)["tables"]["labels"]]
        label = next(row for row in rows if row.startswith("task "))
        word = label.replace("task", "tsk")
        self.assertGreater(len(rows), 2)
        for typed in [word, word.split()[1] + "7"]:
            result = self.report(f"--what-if={typed}=0.5x", archive)
            self.assertIn(f"known label: '{label}", result.stderr.splitlines()[1])

    def test_each_output_of_a_damaged_archive_says_so(self):
        archive = self.record_kind("chain")
        os.truncate(pathlib.Path(self.folder, archive, "traces/0.evt"), 100)
        for option in ["--labels", "--findings", "--threads=1", "--critical-path=chain"]:
            result = self.report(option, archive)
            self.assertEqual(result.returncode, 0)
            self.assertIn("the archive is not complete", result.stderr)
        summary = self.report(archive).stdout
        self.assertRegex(summary, r"\n\nThe archive is not complete[^.]*:\notter check .*\n\n  work T1")
        self.assertNotIn("Nothing limits this run", summary)

    def test_archives_that_cannot_be_analysed(self):
        self.assert_fails(self.report(self.folder / "none"), 1, "none")
        self.assert_fails(self.report(self.make("foreign", 10, "foreign")), 1, "foreign")


if __name__ == "__main__":
    case.main()
