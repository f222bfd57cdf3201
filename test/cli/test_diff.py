#!/usr/bin/env python3
"""`otter diff` finds what differs between runs of real programs, tells noise from change, and decides conditions."""
import csv
import io
import json
import pathlib
import re
import unittest
import xml.etree.ElementTree

import case

SOURCE = pathlib.Path(__file__).parent / "programs/compared.c"


def place_of(code, shift=0):
    """Returns the line of the program that contains this code: "compared.c:42"."""
    lines = SOURCE.read_text().splitlines()
    return f"compared.c:{next(i for i, line in enumerate(lines, 1) if code in line) + shift}"


def shift_of(first_line):
    """Returns the number of lines by which `#line first_line` moves the program."""
    directive = next(i for i, line in enumerate(SOURCE.read_text().splitlines(), 1) if line.startswith("#line"))
    return first_line - directive - 1


class DiffCase(case.CommandCase):
    def diff(self, *arguments, **options):
        return self.run_otter("diff", *arguments, **options)

    def record_as(self, name, *arguments, program="compared", threads=2):
        self.environment["OMP_NUM_THREADS"] = str(threads)
        result = self.record("-o", name, self.tool(program), *arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        return name

    def compare(self, *arguments, status=0):
        result = self.diff("--json", *arguments)
        self.assertEqual((result.returncode, result.stderr), (status, ""))
        return json.loads(result.stdout)

    def row(self, numbers, table, text):
        head = {"tasks": "task", "labels": "label", "regions": "region"}[table]
        found = [row for row in numbers["tables"][table] if row[head] == text]
        self.assertEqual(len(found), 1, [row[head] for row in numbers["tables"][table]])
        return found[0]


class Graphs(DiffCase):
    def test_the_same_program_twice(self):
        numbers = self.compare(self.record_as("a", "4", "1"), self.record_as("b", "4", "1"))
        self.assertIn(numbers["graphs"]["result"], ["equal", "equal when folded"])
        self.assertEqual(numbers["before"][0]["folded_hash"], numbers["after"][0]["folded_hash"])
        self.assertEqual(numbers["moved_labels"], [])

    def test_an_archive_and_itself(self):
        numbers = self.compare(self.record_as("a", "4", "1"), "a")
        self.assertEqual(numbers["graphs"]["result"], "equal")
        self.assertEqual({number["change"] for number in numbers["numbers"].values()}, {0})
        for table in numbers["tables"].values():
            changes = {value["change"] for row in table for value in row.values() if isinstance(value, dict)}
            self.assertLessEqual(changes, {0, None})  # None: unknown numbers
        self.assertIn("AFTER takes as long as BEFORE", numbers["result"])

    def test_other_numbers_of_threads_have_one_folded_graph(self):
        numbers = self.compare(self.record_as("a", "4", "5", threads=1), self.record_as("b", "4", "5", threads=2))
        self.assertEqual(numbers["graphs"]["result"], "equal when folded")
        self.assertIsNone(numbers["graphs"]["first_difference"])
        self.assertEqual(numbers["numbers"]["threads"]["change"], 1)
        work = self.row(numbers, "tasks", f"task {place_of('omp task')}")["work_s"]
        self.assertAlmostEqual(work["inflation"], work["after"]["median"] / work["before"]["median"])

    def test_more_tasks_differ_first_behind_the_common_ones(self):
        numbers = self.compare(self.record_as("a", "4", "1"), self.record_as("b", "6", "1"))
        self.assertEqual(numbers["graphs"]["result"], "different")
        self.assertRegex(numbers["graphs"]["first_difference"],
                         rf"only after has task {place_of('omp task')} \(\d+:\d+\) \(tasks created here: 4 before, 6 after\)")
        count = self.row(numbers, "tasks", f"task {place_of('omp task')}")["count"]
        self.assertEqual((count["before"]["median"], count["after"]["median"], count["change_percent"]), (4, 6, 50))

    def test_an_added_wait(self):
        numbers = self.compare(self.record_as("a", "4", "1"), self.record_as("b", "4", "1", "wait"))
        self.assertEqual(numbers["graphs"]["result"], "different")
        self.assertIn(f"taskwait {place_of('omp taskwait')}", numbers["graphs"]["first_difference"])

    def test_shifted_lines_are_the_same_program(self):
        numbers = self.compare(self.record_as("a", "4", "1"), self.record_as("b", "4", "1", program="compared_shifted"))
        self.assertIn(numbers["graphs"]["result"], ["equal", "equal when folded"])
        shift = shift_of(200)
        self.assertNotEqual(shift, 0)
        moved = {row["before"]: row["after"] for row in numbers["moved_labels"]}
        self.assertEqual(moved[f"task {place_of('omp task')}"], f"task {place_of('omp task', shift)}")
        waits = [row["wait"] for row in numbers["tables"]["waits"]]  # labels of one place have notes: ", worksharing"
        self.assertEqual([text for text in waits if int(re.search(r"compared\.c:(\d+)", text)[1]) < 200], [])
        self.assertIn(f"implicit barrier {place_of('omp parallel', shift)}, worksharing", waits)
        row = self.row(numbers, "tasks", f"task {place_of('omp task', shift)}")
        self.assertEqual((row["archives_before"], row["archives_after"], row["count"]["change"]), (1, 1, 0))

    def test_an_edited_source_has_the_same_labels(self):
        """The tasks moved by different distances, and a new task is on the line where the first one was."""
        lines = (SOURCE.parent / "edited.c").read_text().splitlines()
        many = next(i for i, line in enumerate(lines) if "one of 20" in line)  # lines count from 1: the directive
        last = next(i for i, line in enumerate(lines) if "the last" in line)
        moved = {f"task edited.c:{many}": "task edited.c:102", f"task edited.c:{last}": "task edited.c:151"}
        numbers = self.compare(self.record_as("a", program="edited"), self.record_as("b", program="edited_twice"))
        found = {row["before"]: row["after"] for row in numbers["moved_labels"]}
        self.assertEqual({text: found.get(text) for text in moved}, moved)
        self.assertEqual(self.row(numbers, "tasks", "task edited.c:102")["count"]["change"], 0)
        self.assertIn("task edited.c:102 was edited.c:" + str(many), " ".join(self.diff("a", "b").stdout.split()))


class Changes(DiffCase):
    def test_slower_tasks_are_named_first(self):
        """Tasks spin for CPU time, so that other load on the machine makes them longer, never shorter."""
        self.record_as("a", "4", "1")
        self.record_as("b", "4", "400")  # 1.6 s, or more
        numbers = self.compare("a", "b")
        task = f"task {place_of('omp task')}"
        self.assertGreater(self.row(numbers, "tasks", task)["work_s"]["change"], 4 * 0.3)
        causes = [row for row in numbers["tables"]["causes"] if "noise" not in row.values()]
        parts = [row["executed_s"] for row in numbers["tables"]["labels"]] + [row["cost_s"] for row in causes]
        largest = max(part["change"] for part in parts)
        if numbers["cause"] is None:  # noise, which is no cause, makes up nearly all of the change
            self.assertLess(largest, 0.1 * numbers["numbers"]["thread_time_s"]["change"])
            return
        self.assertEqual(numbers["cause"]["change"], largest)
        self.assertGreater(numbers["cause"]["thread_time_change"], 4 * 0.3)
        summary = self.diff("a", "b").stdout
        self.assertRegex(summary, r"\AAFTER takes \d+\.\d % more: ")
        self.assertIn(task, summary.partition("waited in")[0])  # small changes of waits are not listed
        tasks = self.diff("--tasks", "a", "b").stdout.splitlines()
        self.assertTrue(tasks[0].startswith("task: work") and tasks[1].startswith(task), tasks)

    def test_several_archives_tell_noise_from_change(self):
        before = [self.record_as(f"a{i}", "4", "1") for i in range(4)]
        slow = [self.record_as(f"b{i}", "4", "200") for i in range(4)]
        task = f'work(task "{place_of("omp task")}") > +50%'
        changed = self.compare(*before, "--after", *slow, "--fail-if", task, status=1)
        self.assertEqual(self.row(changed, "tasks", f"task {place_of('omp task')}")["work_s"]["verdict"], "change")
        self.assertEqual(len(changed["before"]), 4)
        same = self.compare(*before, "--after", *before, "--fail-if", "time > +0.001%")
        self.assertEqual({value["verdict"] for value in same["numbers"].values()}, {"noise"})
        self.assertEqual(self.compare("a0", "b0")["numbers"]["wall_s"]["verdict"], "unknown")


class Predictions(DiffCase):
    def test_a_prediction_beside_what_was_measured(self):
        self.record_as("a", "4", "40")
        self.record_as("b", "4", "20", threads=1)
        changes = [f"--what-if=task {place_of('omp task')}=0.5x", "--what-if=for=0.5x"]
        prediction = self.compare(*changes, "a", "b")["prediction"]
        report = json.loads(self.run_otter("report", *changes, "--threads=1", "--json", "a").stdout)
        self.assertAlmostEqual(prediction["change_percent"], 100 * report["what_if"][0]["change"])
        text = " ".join(self.diff(*changes, "a", "b").stdout.split())
        change = f"{prediction['least_percent']:+.1f} to {prediction['most_percent']:+.1f} %"
        self.assertLess(prediction["least_percent"], prediction["most_percent"])
        self.assertRegex(text, rf"Predicted {re.escape(change)}, measured [+-]\d+\.\d %\. The replay of BEFORE is off by")
        self.assertNotIn("prediction", self.compare("a", "b"))
        same = self.compare("--predict", "a", "a")["prediction"]
        self.assertAlmostEqual(same["change_percent"], 0)

    def test_refusals(self):
        self.record_as("a", "4", "1")
        self.assert_fails(self.diff("--what-if=task", "a", "a"), 2, "'task'")
        result = self.diff("--what-if=nothing=2x", "a", "a")
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn("no label 'nothing' in this run", result.stderr)
        self.assert_fails(self.diff("--predict", "--tasks", "a", "a"), 2, "leave tables and --csv out")


class Conditions(DiffCase):
    def setUp(self):
        super().setUp()
        self.record_as("a", "4", "1")
        self.record_as("b", "6", "20")

    def test_exit_status_and_junit(self):
        conditions = ['count(task "task") > +1', "wall > 1000 s", "hash != same", 'time("<nothing & no\ttask>") > +5%']
        options = [option for text in conditions for option in ("--fail-if", text)]
        result = self.diff(*options, "--junit=junit.xml", "a", "b")
        self.assertEqual((result.returncode, result.stderr), (1, ""))
        suite = xml.etree.ElementTree.parse(self.folder / "junit.xml").getroot()
        self.assertEqual((suite.get("tests"), suite.get("failures"), suite.get("errors")), ("4", "2", "1"))
        self.assertEqual([len(test.findall("failure")) for test in suite], [1, 0, 1, 0])
        self.assertEqual([test.get("name") for test in suite][:3], conditions[:3])
        self.assertIn("FAILED  hash != same", result.stdout)
        self.assertIn("passed  wall > 1000 s", result.stdout)
        self.assertEqual([path.name for path in self.folder.iterdir() if "part" in path.name], [])

    def test_no_condition_holds(self):
        result = self.diff("--fail-if=wall > 1000 s", "--fail-if=efficiency < -100%", "a", "b")
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_junit_that_cannot_be_written(self):
        result = self.diff("--fail-if=wall > 1000 s", "--junit=none/junit.xml", "a", "b")
        self.assert_fails(result, 1, "none/junit.xml")


class Kokkos(DiffCase):
    """An archive with fixed times, made by make_archive."""
    ARCHIVE = SOURCE.parent.parent.parent / "damage/archives/kokkos"

    def test_conditions_on_kernels_and_memory(self):
        holding = ['time(kernel "sweep") == 400 ns', 'count(kernel "sweep") == 2', 'max(kernel "sweep") == 300 ns',
                   "high_water == 4 KiB", "high_water(memory_spaces \"Host\") > 4095 B", 'inclusive("sweep") >= 400 ns']
        for text in holding:
            numbers = self.compare(self.ARCHIVE, self.ARCHIVE, "--fail-if", text, status=1)
            self.assertEqual([(row["condition"], row["failed"]) for row in numbers["conditions"]], [(text, True)])
        for text in ['time(kernel "sweep") > +0%', 'time(kernel "sweep") != 400 ns', "high_water > 4 KiB"]:
            self.assertFalse(self.compare(self.ARCHIVE, self.ARCHIVE, "--fail-if", text)["conditions"][0]["failed"])

    def test_rows_of_a_tree_have_their_path(self):
        rows = json.loads(self.diff("--kernels=tree", "--json", self.ARCHIVE, self.ARCHIVE).stdout)
        self.assertIn("step > sweep", [row["label"] for row in rows])
        self.assert_fails(self.diff("--kernels=nothing", "a", "a"), 2, "--kernels=nothing")


class Forms(DiffCase):
    def test_summary_fits_a_terminal(self):
        result = self.diff(self.record_as("a", "4", "1"), self.record_as("b", "6", "20"))
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        lines = result.stdout.splitlines()
        self.assertLessEqual(max(map(len, lines)), 80)
        self.assertLessEqual(len(lines), 50)
        for word in ["wall time", "work T1", "span", "parallelism", "efficiency", "load balance", "executing", "graphs: different"]:
            self.assertIn(word, result.stdout)

    def test_each_part_of_the_thread_time_is_compared(self):
        self.record_as("a", "4", "1")
        report = json.loads(self.run_otter("report", "--json", "a").stdout)
        numbers = self.compare("a", "a")["numbers"]
        for part in report["heads"]["thread_time"]:
            self.assertAlmostEqual(numbers[part]["after"]["median"], report["thread_time"][part], msg=part)

    def test_each_table_of_the_report_is_compared(self):
        self.record_as("a", "4", "1")
        text = self.run_otter("help", "diff").stdout
        tables = re.findall(r"--[a-z-]+(?:=[a-z]+)?", text[text.index("Tables:"):text.index("Compares a table")])
        self.assertGreater(len(tables), 6)
        of_ranks = "--critical-path=ranks"
        self.assertIn(of_ranks, tables)
        alone = self.diff(of_ranks, "a", "a")
        self.assertEqual((alone.returncode, alone.stdout), (2, ""))
        self.assertIn("needs the ranks of jobs", alone.stderr)
        for table in sorted(set(tables) - {of_ranks, "--functions"}):  # without samples
            result = self.diff(table, "--csv", "a", "a")
            rows = list(csv.reader(io.StringIO(result.stdout)))
            self.assertEqual((result.returncode, result.stderr), (0, ""), table)
            self.assertEqual({len(row) for row in rows}, {len(rows[0])})
            if table not in ("--findings", "--causes"):
                report = self.run_otter("report", table, "--csv", "a").stdout
                self.assertEqual(len(rows), len(list(csv.reader(io.StringIO(report)))), table)
            numbers = json.loads(self.diff(table, "--json", "a", "a").stdout)
            self.assertEqual([row[rows[0][0]] for row in numbers], [row[0] for row in rows[1:]])
        self.assertTrue(self.diff("--csv", "a", "a").stdout.startswith("number,before,before_min"))

    def test_rows_of_a_table(self):
        self.record_as("a", "4", "1")
        result = self.diff("--labels", "--top=1", "a", "a")
        self.assertIn("more: --top=", result.stdout)
        result = self.diff("--labels", "--filter=task comp*", "a", "a")
        self.assertEqual(len(result.stdout.splitlines()), 2)
        result = self.diff("--tasks", "--sort=median_s", "a", "a")
        self.assertTrue(result.stdout.startswith("task: median"), result.stdout)


class Refusals(DiffCase):
    def test_wrong_command_lines(self):
        self.assert_fails(self.diff(), 2, "BEFORE AFTER")
        self.assert_fails(self.diff("a"), 2, "BEFORE AFTER")
        self.assert_fails(self.diff("a", "b", "c"), 2, "--after")
        self.assert_fails(self.diff("--after", "b"), 2, "BEFORE AFTER")
        self.assert_fails(self.diff("--nonsense", "a", "b"), 2, "--nonsense")
        self.assert_fails(self.diff("--top=0", "a", "b"), 2, "'0'")
        self.assert_fails(self.diff("--csv", "--json", "a", "b"), 2, "--csv and --json exclude each other")
        self.assert_fails(self.diff("--sort=work_s", "a", "b"), 2, "--sort")
        self.assert_fails(self.diff("--tasks", "--labels", "a", "b"), 2, "one table")
        self.assert_fails(self.diff("--junit=x", "a", "b"), 2, "--fail-if")
        self.assert_fails(self.diff("--fail-if=time > +5 parsec", "a", "b"), 2, "column 11", "parsec")
        self.assert_fails(self.diff(*["a"] * 33, "--after", "b"), 2, "32")

    def test_conditions_without_a_meaning(self):
        self.record_as("a", "4", "1")
        self.assert_fails(self.diff("--fail-if=speed > 5", "a", "a"), 2, "column 1", "speed")
        self.assert_fails(self.diff("--fail-if=time > 5%", "a", "a"), 2, "column 8")
        self.assert_fails(self.diff("--tasks", "--sort=nothing", "a", "a"), 2, "nothing", "work_s")

    def test_archives_that_cannot_be_analysed(self):
        self.assert_fails(self.diff("none", "none"), 1, "none")
        self.record_as("a", "4", "1")
        self.assert_fails(self.diff("a", "none"), 1, "none")
        self.assert_fails(self.diff("a", self.make("foreign", 10, "foreign")), 1, "foreign")


if __name__ == "__main__":
    case.main()
