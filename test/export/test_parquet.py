#!/usr/bin/env python3
"""The Parquet files of `otter export`, read back by DuckDB and by hyparquet, which share no code.

usage: test_parquet.py OTTER FOLDER MODULES|- WRITER [unittest's arguments]

MODULES is the folder that `scripts/modules duckdb` prints; skipped (77) without it or Node.js. WRITER is write_parquet.c. SEEDS in the
environment is the number of random tables.
"""
import codecs
import collections
import json
import os
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "cli"))

import case  # noqa: E402  test/cli/case.py

SKIPPED = 77
PATIENCE = 300  # seconds
ROWS = 1 << 17  # of a row group
MAX = 2 ** 63 - 1
TABLES = ("tasks", "fragments", "waits", "kernels", "edges", "labels", "ranks", "samples", "remarks")
QUERIES = HERE.parent.parent / "doc/queries"
HOSTILE = ["</script>\"quotes' \\n \\", "\x1b[2J\r\n\x07\t", "=1+1,\"x\"", b"\xff\xfe latin \xe9 \xc3(".decode("latin-1"), "\U0001f9a6" * 50]


def missing(modules):
    """Returns what is missing to run the tests, or None."""
    if not shutil.which("node"):
        return "Node.js is missing"
    if not (pathlib.Path(modules) / "node_modules/hyparquet").is_dir():
        return "DuckDB is missing (`scripts/modules duckdb` installs it, then configure again)"
    return None


codecs.register_error("otter", lambda error: (chr(error.object[error.start]), error.start + 1))


def as_text(data):
    """Returns bytes as the exports show them: a byte that is not UTF-8 counts as Latin-1."""
    return data.decode("utf-8", "otter")


def shown(value):
    """Returns a value as read_parquet.mjs prints it."""
    if value is None:
        return None
    return f"n{value}" if isinstance(value, int) else f"t{as_text(value) if isinstance(value, bytes) else value}"


class ParquetCase(case.CommandCase):
    maxDiff = 2000
    modules = writer = None

    def read(self, *files):
        """Returns what both readers read, which must be the same: columns, row groups and rows of each file."""
        result = subprocess.run(["node", HERE / "read_parquet.mjs", self.modules, *files], capture_output=True, timeout=PATIENCE, check=False)
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        lines = [json.loads(line) for line in result.stdout.split(b"\n") if line]
        self.assertEqual(len(lines), 2 * len(files))
        for one, other in zip(lines[::2], lines[1::2]):
            self.assertEqual((one.pop("reader"), other.pop("reader")), ("duckdb", "hyparquet"))
            for part in ("file", "columns", "groups"):
                self.assertEqual(one[part], other[part])
            self.assert_rows(one["rows"], other["rows"])
            self.check_groups(one)
        return lines[::2]

    def assert_rows(self, rows, expected):
        """Asserts that rows are equal, and shows a difference in short form."""
        if rows != expected:
            self.assertEqual(len(rows), len(expected))
            number = next(i for i, row in enumerate(rows) if row != expected[i])
            self.fail(f"row {number}: {str(rows[number])[:500]}, not {str(expected[number])[:500]}")

    def check_groups(self, table):
        """Checks that the statistics of each row group fit its rows."""
        begin = 0
        for group in table["groups"]:
            rows = table["rows"][begin:begin + group["rows"]]
            begin += group["rows"]
            self.assertLessEqual(len(rows), ROWS)
            for i, (column, statistics) in enumerate(zip(table["columns"], group["columns"])):
                numbers = [int(row[i][1:]) for row in rows if row[i] is not None] if column[1] == "number" else []
                self.assertEqual(statistics, [sum(row[i] is None for row in rows),
                                              str(min(numbers)) if numbers else None, str(max(numbers)) if numbers else None])
        self.assertEqual(begin, len(table["rows"]))


class Written(ParquetCase):
    """Tables that write_parquet.c writes."""

    def write_table(self, name, columns, rows):
        """Writes a table. columns: (name, "n" or "t", whether optional); rows: values, None for missing."""
        parts = [b"c %s %s %s\n" % (column.encode(), kind.encode(), b"o" if is_optional else b"r") for column, kind, is_optional in columns]
        for row in rows:
            for value in row:
                if value is None:
                    parts.append(b"-\n")
                elif isinstance(value, int):
                    parts.append(b"n %d\n" % value)
                else:
                    data = value.encode() if isinstance(value, str) else value
                    parts.append(b"t %d\n%s\n" % (len(data), data))
        path = self.folder / f"{name}.parquet"
        subprocess.run([self.writer, path], input=b"".join(parts), check=True, timeout=PATIENCE)
        return path

    def check_tables(self, *tables):
        """Writes tables of (columns, rows), and reads them back. Returns what the readers read."""
        read = self.read(*(self.write_table(i, *table) for i, table in enumerate(tables)))
        for (columns, rows), table in zip(tables, read):
            self.assertEqual(table["columns"], [[name, {"n": "number", "t": "text"}[kind], is_optional] for name, kind, is_optional in columns])
            self.assert_rows(table["rows"], [[shown(value) for value in row] for row in rows])
        return read

    def test_no_row_and_few_rows(self):
        columns = [("number", "n", False), ("text", "t", True), ("missing", "n", True)]
        self.check_tables(*((columns, [(i, str(i), None) for i in range(n)]) for n in (0, 1, 2, 7, 8, 9, 15, 16, 17)))

    def test_more_rows_than_a_row_group(self):
        columns = [("number", "n", False), ("text", "t", False), ("maybe", "n", True)]
        for table in self.check_tables(*((columns, [(i * i, "ab"[i % 2], i if i % 3 else None) for i in range(n)])
                                         for n in (ROWS, ROWS + 1))):
            n = len(table["rows"])
            self.assertEqual([group["rows"] for group in table["groups"]], [ROWS, n - ROWS] if n > ROWS else [n])

    def test_dictionaries(self):
        """Columns of 1, 2, 3, 255 to 257, 65536 and 65537 different texts, each of which occurs twice in a group."""
        columns = [("text", "t", True), ("other", "t", False)]
        for numbers in ((1, 2, 3, 255, 256, 257), (65536, 65537)):
            with self.subTest(numbers=numbers):
                lists = [[f"text number {i}" for i in range(n)] * (2 if n > 1000 else 40) for n in numbers]
                self.check_tables(*((columns, list(zip(texts, reversed(texts)))) for texts in lists))

    def test_extreme_numbers(self):
        numbers = [0, -1, 1, MAX, -MAX - 1, 2 ** 53 + 1, -2 ** 31, 2 ** 32]
        columns = [("number", "n", False), ("maybe", "n", True)]
        self.check_tables((columns, [(number, None if number == 1 else -1 - number) for number in numbers]),
                          (columns, [(MAX, MAX)]), (columns, [(-MAX - 1, -MAX - 1)] * 20), ([("none", "n", True)], [(None,)] * 1000))

    def test_any_text(self):
        texts = [b"", b"\0", b"a\0b\0", b"\0" * 100, b"\xff", b"\xc3\x28 \xe2\x82 \xed\xa0\x80 \xf5", b"\xf4\x8f\xbf\xbf", "Ω\U0001f9a6\u202e", b"x" * 1000000,
                 b"\xe9" * 1000000, b"\xf0\x9f\xa6", b"\r\n\"',;"]
        columns = [("text", "t", False), ("twice", "t", True)]
        short = [text for text in texts if len(text) < 1000]
        self.check_tables((columns, [(text, None) for text in texts]), (columns, [(text, text) for text in short * 20 + texts]))

    def test_groups_of_long_texts_are_short(self):
        table, = self.check_tables(([("text", "t", False)], [(b"%d" % i + b"x" * 1000000,) for i in range(40)]))
        self.assertEqual([group["rows"] for group in table["groups"]], [17, 17, 6])

    def test_a_text_beyond_the_limit_loses_its_end(self):
        limit = 1 << 24
        read, = self.read(self.write_table("long", [("text", "t", False)], [("ä" * limit,), ("after",)]))
        self.assertEqual({len(read["rows"][0][0].encode()) - 1 - limit <= 0, len(read["rows"][0][0].encode()) - 1 - limit > -8}, {True})
        self.assertEqual(set(read["rows"][0][0][1:]), {"ä"})
        self.assertEqual(read["rows"][1], ["tafter"])

    def test_random_tables(self):
        n = int(os.environ.get("SEEDS", "12"))
        for first in range(0, n, 20):
            tables = [random_table(seed) for seed in range(first, min(n, first + 20))]
            with self.subTest(first=first):
                self.check_tables(*tables)


def random_table(seed):
    """Returns columns and rows, with runs, few and many different values, and missing ones."""
    source = random.Random(seed)
    n = source.choice([0, 1, 5, 8, 63, 64, 65, 100, 1000, 3000])
    columns, values = [], []
    for i in range(source.randint(1, 6)):
        columns.append((f"c{i}", source.choice("nt"), source.random() < 0.5))
        values.append(random_values(source, n, *columns[-1][1:]))
    return columns, list(zip(*values)) if n else []


def random_values(source, n, kind, is_optional):
    pool = [random_value(source, kind) for _ in range(source.choice([1, 2, 3, 200, 5000]))]
    density = source.choice([0, 0.01, 0.5, 0.99, 1]) if is_optional else 0
    values = []
    while len(values) < n:
        value = None if source.random() < density else source.choice(pool)
        values += [value] * source.choice([1, 1, 1, 2, 7, 8, 9, 30])
    return values[:n]


def random_value(source, kind):
    if kind == "n":
        return source.choice([source.randint(-MAX - 1, MAX), source.randint(-3, 300), source.randint(0, 2 ** 40)])
    return source.choice([source.randbytes(source.randint(0, 20)), b"label %d" % source.randint(0, 100), "é\0".encode() * source.randint(0, 5)])


class Exported(ParquetCase):
    """Folders that the command writes."""

    def play(self, kind):
        self.environment["OMP_NUM_THREADS"] = "2"
        result = self.record("-o", kind, self.tool("../view/played"), kind)
        self.assertEqual(result.returncode, 0, result.stderr)
        return self.folder / kind

    def export(self, archive, folder="tables"):
        result = self.run_otter("export", "--to=parquet", "-o", folder, archive)
        self.assertEqual((result.returncode, result.stdout), (0, ""), result.stderr)
        self.assertRegex(result.stderr, rf"^otter: {folder}: [^\n]+\n$")
        return self.folder / folder

    def check(self, archive, rank=0):
        """Checks that each table has the same values as the JSON table, which test_formats.py compares with CSV.
        Returns the tables as objects."""
        folder = self.export(archive)
        files = [folder / table / f"rank={rank}" / "part-0.parquet" for table in TABLES]
        self.assertEqual(sorted(path for path in folder.rglob("*") if path.is_file()), sorted(files))
        tables = {}
        for name, table in zip(TABLES, self.read(*files)):
            result = self.run_otter("export", "--to=json", f"--table={name}", "-o", "-", archive)
            self.assertEqual(result.returncode, 0, result.stderr)
            rows = json.loads(result.stdout)
            columns = [column for column, _, _ in table["columns"]]
            if rows:
                self.assertEqual(list(rows[0]), columns)
            self.assert_rows(table["rows"], [[shown(value) for value in row.values()] for row in rows])
            tables[name] = rows
            for column, kind, _ in table["columns"]:
                self.assertEqual(kind == "number" and column not in ("index", "line", "creator"),
                                 column.endswith(("_ns", "_index", "_events")) or column in ("threads", "tasks", "is_complete"), column)
        return tables

    def test_tasks(self):
        archive = self.play("tasks")
        tables = self.check(archive)
        result = self.run_otter("graph", "--format=json", "--view=fragments", "-o", "-", archive)
        graph = json.loads(result.stdout)
        self.assertEqual([row["kind"] for row in tables["fragments"]], [node["kind"] for node in graph["nodes"]])
        self.assertEqual(sorted((row["from_index"], row["to_index"], row["kind"]) for row in tables["edges"]),
                         sorted((edge["source"], edge["target"], edge["kind"]) for edge in graph["edges"]))
        report = json.loads(self.run_otter("report", "--json", archive).stdout)
        rank, = tables["ranks"]
        self.assertEqual((rank["threads"], rank["tasks"], rank["is_complete"], rank["lost_events"]), (2, 484, 1, 0))
        for column in ("wall", "work", "span"):
            self.assertAlmostEqual(rank[f"{column}_ns"], report[f"{column}_s"] * 1e9, delta=1)
        self.assertAlmostEqual(sum(row["span_ns"] for row in tables["fragments"]), rank["span_ns"], delta=len(tables["fragments"]))
        self.assertAlmostEqual(sum(row["span_ns"] for row in tables["labels"]), rank["span_ns"], delta=len(tables["labels"]))
        executed = collections.Counter()
        for row in report["tables"]["labels"]:
            executed[row["label"]] += row["executed_s"] * 1e9
        for row in tables["labels"]:
            executed[row["label"]] -= row["executed_ns"]
        creating = sum(row["creating_s"] * 1e9 for row in report["tables"]["labels"])
        self.assertAlmostEqual(sum(row["creating_ns"] for row in tables["labels"]), creating, delta=len(tables["labels"]))
        self.assertGreater(creating, 0)
        for label, difference in executed.items():
            self.assertAlmostEqual(difference, 0, delta=10, msg=label)

    def test_kernels(self):
        self.assertGreater(len(self.check(self.make("kokkos", 50, "kokkos"))["kernels"]), 0)

    def test_hostile_texts(self):
        for i, text in enumerate(HOSTILE):
            with self.subTest(text=text):
                tables = self.check(self.make(f"a{i}", 20, "kokkos", "text", text.encode("latin-1") if "latin" in text else text))
                self.assertTrue([row for row in tables["kernels"] if as_text(text.encode("latin-1")) in row["label"]] if "latin" in text
                                else [row for row in tables["kernels"] if text in row["label"]])

    def test_a_rank(self):
        self.check(self.make("ranked", 10, "kokkos", "OTTER::RANK", "7"), rank=7)

    # ---- the folder

    def test_replaces_an_export_and_nothing_else(self):
        archive = self.make("run", 10)
        self.assertEqual(self.run_otter("export", "--to=parquet", archive).returncode, 0)
        folder = self.folder / "run.parquet"
        self.assertTrue((folder / "tasks/rank=0/part-0.parquet").exists())
        (folder / "tasks/rank=3").mkdir()
        self.assertEqual(self.run_otter("export", "--to=parquet", archive).returncode, 0)
        self.assertFalse((folder / "tasks/rank=3").exists())
        (folder / "tasks/rank=0/notes.txt").write_text("mine")
        self.assert_fails(self.run_otter("export", "--to=parquet", archive), 1, "run.parquet", "other files", "--output")
        self.assertTrue((folder / "tasks/rank=0/notes.txt").exists())
        self.write("file", "mine")
        self.assert_fails(self.run_otter("export", "--to=parquet", "-o", "file", archive), 1, "file", "other files")
        self.assertEqual((self.folder / "file").read_text(), "mine")
        (self.folder / "empty").mkdir()
        self.assertEqual(self.run_otter("export", "--to=parquet", "-o", "empty/", archive).returncode, 0)
        self.assertTrue((self.folder / "empty/ranks").is_dir())
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["empty", "file", "run", "run.parquet"])

    def test_standard_output_is_no_folder(self):
        self.assert_fails(self.run_otter("export", "--to=parquet", "-o", "-", self.make("run", 10)), 2, "folder", "standard output")

    def test_a_full_disk_is_one_message_and_leaves_nothing(self):
        archive = self.make("run", 4000)
        sizes = [path.stat().st_size for path in self.export(archive).rglob("*.parquet")]
        shutil.rmtree(self.folder / "tables")

        def limit(size):
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

        for size in sorted({0, 3, *(size - 1 for size in sizes)} - {max(sizes)}):
            with self.subTest(size=size):
                result = self.run_otter("export", "--to=parquet", archive, preexec_fn=lambda size=size: limit(size), restore_signals=False)
                self.assert_fails(result, 1, "run.parquet", "File too large")
                self.assertEqual([path.name for path in self.folder.iterdir()], ["run"])

    def test_what_cannot_be_read_or_written_leaves_nothing(self):
        self.assert_fails(self.run_otter("export", "--to=parquet", self.make("foreign", 10, "foreign")), 1, "foreign")
        self.assert_fails(self.run_otter("export", "--to=parquet", "-o", "no/folder", self.make("run", 10)), 1, "no/folder")
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["foreign", "run"])


class Queries(ParquetCase):
    """The queries of doc/queries agree with `otter report` and `otter graph`, which do not read the tables."""

    def command(self, *arguments):
        result = self.run_otter(*arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def make_job(self, archives):
        """Exports the archives as ranks 0, 1, ... of one job."""
        self.job = self.folder / f"job{len(archives)}"
        for rank, archive in enumerate(archives):
            result = self.run_otter("export", "--to=parquet", "-o", "one", archive)
            self.assertEqual(result.returncode, 0, result.stderr)
            for table in TABLES:
                target = self.job / table / f"rank={rank}"
                target.parent.mkdir(parents=True, exist_ok=True)
                next((self.folder / "one" / table).iterdir()).rename(target)
            shutil.rmtree(self.folder / "one")
        self.reports = [self.command("report", "--json", archive) for archive in archives]
        self.graphs = [self.command("graph", "--format=json", "--view=fragments", "-o", "-", archive) for archive in archives]
        self.tasks = [row for archive in archives for row in self.command("export", "--to=json", "-o", "-", archive) if row["kind"] == "explicit"]

    def run_queries(self):
        """Runs all queries, and compares each with its own check."""
        files = sorted(QUERIES.glob("*.sql"))
        files.remove(QUERIES / "tables.sql")
        result = subprocess.run(["node", HERE / "query.mjs", self.modules, QUERIES / "tables.sql", *files], capture_output=True,
                                text=True, cwd=self.job, timeout=PATIENCE, check=False)
        self.assertEqual(result.returncode, 0, result.stderr)
        for file, line in zip(files, result.stdout.split("\n")):
            with self.subTest(query=file.name):
                rows = json.loads(line)
                self.assertTrue(file.read_text().startswith("-- "))
                getattr(self, f"check_{file.stem}")(rows)

    def of_reports(self, table, name, *columns):
        """Returns sums of columns over all ranks by the row's name, and each rank's value."""
        sums = collections.defaultdict(lambda: {column: [0] * len(self.reports) for column in columns})
        for rank, report in enumerate(self.reports):
            for row in report["tables"][table]:
                for column in columns:
                    sums[row[name]][column][rank] += row[column]
        return sums

    def assert_close(self, value, expected, message=None):
        self.assertAlmostEqual(value, expected, delta=1e-9 * (len(self.tasks) + 1000) + 1e-6 * abs(expected), msg=message)

    def check_work_by_label(self, rows):
        expected = self.of_reports("tasks", "task", "count", "work_s", "median_s", "p99_s", "max_s")
        self.assertEqual({row["label"] for row in rows}, set(expected))
        for row in rows:
            each = expected[row["label"]]
            self.assertEqual(row["tasks"], sum(each["count"]))
            self.assert_close(row["work_s"], sum(each["work_s"]))
            self.assert_close(row["max_s"], max(each["max_s"]))
            self.assert_close(each["max_s"][row["rank_of_max"]], max(each["max_s"]))
            self.check_quantiles(row, each, [task["work_ns"] for task in self.tasks if task["label"] == row["label"]])
        self.assertEqual([row["work_s"] for row in rows], sorted((row["work_s"] for row in rows), reverse=True))

    def check_quantiles(self, row, of_ranks, numbers, suffix="_s"):
        """Checks that quantiles are exact, by nearest rank. For a single rank they are near the report's, which are
        within 1 %."""
        numbers.sort()
        for column, percent in (("median", 50), ("p99", 99)):
            at = max(-(-len(numbers) * percent // 100), 1) - 1
            self.assert_close(row[f"{column}_s"], numbers[at] / 1e9)
            if len(self.reports) == 1:
                reported = of_ranks[column + suffix][0] * 1e9
                self.assertLessEqual(numbers[max(at - 1, 0)] * 0.99 - 2, reported)
                self.assertLessEqual(reported, numbers[min(at + 1, len(numbers) - 1)] * 1.01 + 2)

    def check_delay_by_label(self, rows):
        expected = self.of_reports("tasks", "task", "count", "median_queued_s", "p99_queued_s")
        for row in rows:
            each = expected[row["label"]]
            self.assertEqual(row["tasks"], sum(each["count"]))
            queued = [task["begin_ns"] - task["ready_ns"] for task in self.tasks if task["label"] == row["label"]]
            self.assert_close(row["queued_s"], sum(queued) / 1e9)
            self.assert_close(row["max_s"], max(queued) / 1e9)
            self.check_quantiles(row, each, queued, "_queued_s")

    def check_small_tasks(self, rows):
        self.assertEqual({row["label"] for row in rows}, {task["label"] for task in self.tasks})
        for row in rows:
            work = [task["work_ns"] for task in self.tasks if task["label"] == row["label"]]
            small = [one for one in work if one < 10000]
            self.assertEqual((row["tasks"], row["small_tasks"]), (len(work), len(small)))
            self.assert_close(row["small_percent"], 100 * len(small) / len(work))
            self.assert_close(row["small_work_s"], sum(small) / 1e9)

    def check_imbalance_of_labels(self, rows):
        expected = self.of_reports("labels", "label", "executed_s")
        self.assertEqual({row["label"] for row in rows}, set(expected))
        for row in rows:
            each = expected[row["label"]]["executed_s"]
            self.assert_close(row["executed_s"], sum(each))
            self.assert_close(row["loss_s"], max(each) - sum(each) / len(each))
            self.assert_close(each[row["rank_of_max"]], max(each))  # any of the ranks with equal values

    def check_critical_path(self, rows):
        expected = self.of_reports("critical-path", "label", "realised_s", "span_s")
        expected.pop("(between tasks)")
        self.assertEqual({row["label"] for row in rows}, set(expected))
        for row in rows:
            for column in ("realised_s", "span_s"):
                self.assert_close(row[column], sum(expected[row["label"]][column]))

    def check_critical_ranks(self, rows):
        self.assertEqual([row["rank"] for row in rows],
                         sorted(range(len(self.reports)), key=lambda rank: -self.reports[rank]["wall_s"]))
        for row in rows:
            report = self.reports[row["rank"]]
            for column in ("wall_s", "work_s", "span_s"):
                self.assert_close(row[column], report[column])
            self.assertEqual(row["threads"], report["threads"])
            self.assertAlmostEqual(row["parallelism"], report["work_s"] / report["span_s"], places=3)
            self.assertAlmostEqual(row["executing_share"], report["thread_time"]["executing_s"] / report["thread_time"]["total_s"], places=3)
        self.assert_close(sum(row["work_above_mean_s"] for row in rows), 0)

    def check_waits_by_construct(self, rows):
        self.assert_close(sum(row["waited_s"] for row in rows),
                          sum(sum(one["thread_time"]["waits_s"].values()) + one["thread_time"]["locks_s"] for one in self.reports))
        waits = self.of_reports("waits", "wait", "waited_s")
        taskwait = [row for row in rows if row["kind"] == "!$omp taskwait"]
        self.assert_close(taskwait[0]["waited_s"] if taskwait else 0, sum(sum(row["waited_s"]) for text, row in waits.items() if text.startswith("taskwait ")))

    def check_longest_waits(self, rows):
        self.assertEqual([row["waited_s"] for row in rows], sorted((row["waited_s"] for row in rows), reverse=True))
        waited = [sum(one["thread_time"]["waits_s"].values()) + one["thread_time"]["locks_s"] for one in self.reports]
        threads = [{row["thread"] for row in one["tables"]["threads"]} for one in self.reports]
        for row in rows:
            self.assertLessEqual(row["waited_s"], waited[row["rank"]] + 1e-9)
            self.assertIn(row["lane"], threads[row["rank"]])

    def check_kernels_by_label(self, rows):
        kernels = self.of_reports("kernels", "kernel", "launches", "total_s")
        copies = self.of_reports("copies", "copy", "count", "total_s")
        self.assertEqual({row["label"][:200] for row in rows}, {label[:200] for label in (*kernels, *copies)})
        for row in rows:
            if row["label"] in kernels:
                each = kernels[row["label"]]
                self.assertEqual(row["launches"], sum(each["launches"]))
                self.assert_close(row["total_s"], sum(each["total_s"]))

    def check_edges_between_labels(self, rows):
        kinds = collections.Counter(edge["kind"] for graph in self.graphs for edge in graph["edges"])
        found = collections.Counter()
        for row in rows:
            found[row["kind"]] += row["edges"]
            self.assertGreaterEqual(row["latency_s"], 0)
        del kinds["order"], kinds["nesting"]
        self.assertEqual(found, kinds)
        expected = collections.Counter()
        for graph in self.graphs:
            for edge in graph["edges"]:
                ends = [graph["nodes"][edge[end]] for end in ("source", "target")]
                expected[(*(" ".join(filter(None, (end["what"], end.get("where")))) for end in ends), edge["kind"])] += 1
        for row in rows:
            self.assertEqual(row["edges"], expected[row["from_label"], row["to_label"], row["kind"]], row)

    def check_fragments_around(self, rows):
        self.assertTrue(rows)
        longest = max(self.tasks, key=lambda task: task["work_ns"])
        self.assertIn("creation", {row["kind"] for row in rows})
        self.assertLessEqual(min(row["begin_s"] for row in rows), longest["begin_ns"] / 1e9)

    def play(self, kind, name):
        self.environment["OMP_NUM_THREADS"] = "2"
        result = self.record("-o", name, self.tool("../view/played"), kind)
        self.assertEqual(result.returncode, 0, result.stderr)
        return self.folder / name

    def test_one_rank(self):
        self.make_job([self.play("tasks", "a")])
        self.run_queries()

    def test_several_ranks(self):
        self.make_job([self.play("tasks", "a"), self.play("nested", "b"), self.make("c", 50, "kokkos"), self.play("tasks", "d"), self.make("e", 20, "kokkos")])
        self.run_queries()

    def merge_job(self, n=3):
        """Records ranks of a job, merges them and exports the merged archive."""
        self.environment["PMI_SIZE"] = str(n)
        for rank in range(n):
            self.environment["PMI_RANK"] = str(rank)
            self.play("tasks" if rank != 1 else "nested", f"rank{rank}")
        result = self.run_otter("merge", "-o", "merged", *(f"rank{rank}" for rank in range(n)))
        self.assertEqual(result.returncode, 0, result.stderr)

    def export_job(self):
        result = self.run_otter("export", "--to=parquet", "merged")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.job = self.folder / "merged.parquet"
        return result.stderr

    def test_a_merged_archive(self):
        self.merge_job()
        self.export_job()
        files = {rank: [self.job / table / f"rank={rank}/part-0.parquet" for table in TABLES] for rank in range(3)}
        self.assertEqual(sorted(self.job.rglob("*.parquet")), sorted(sum(files.values(), [])))
        self.reports, self.graphs, self.tasks, begins = [], [], [], []
        for rank in range(3):
            chosen = (f"--rank={rank}", "merged")
            self.reports.append(self.command("report", "--json", *chosen))
            self.graphs.append(self.command("graph", "--format=json", "--view=fragments", "-o", "-", *chosen))
            for name, table in zip(TABLES, self.read(*files[rank])):
                rows = self.command("export", "--to=json", f"--table={name}", "-o", "-", *chosen)
                if name == "ranks":
                    columns = [column for column, _, _ in table["columns"]]
                    read, = (dict(zip(columns, row)) for row in table["rows"])
                    begins.append(int(read["begin_ns"][1:]))
                    rows[0]["begin_ns"] = begins[-1]
                    self.assertEqual((read["process"], read["clock_uncertainty_ns"]), (f"tMPI Rank {rank}", "n0"))
                self.assert_rows(table["rows"], [[shown(value) for value in row.values()] for row in rows])
                self.tasks += [row for row in rows if row["kind"] == "explicit"] if name == "tasks" else []
        walls = [report["wall_s"] * 1e9 for report in self.reports]
        self.assertTrue(all(begins[i] + walls[i] < begins[i + 1] for i in range(2)), "the ranks ran one after the other")
        self.run_queries()

    def test_one_rank_of_a_merged_archive(self):
        self.merge_job()
        result = self.run_otter("export", "--to=parquet", "--rank=2", "-o", "two", "merged")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual([path.name for path in (self.folder / "two/tasks").iterdir()], ["rank=2"])

    def test_a_rank_without_events_is_left_out_by_name(self):
        self.merge_job()
        for path in (self.folder / "rank1").rglob("*.evt"):
            os.truncate(path, 0)  # also truncates the merged archive's files, which are links
        self.assertIn("the export lacks rank 1", self.export_job())
        self.assertEqual(sorted(path.name for path in (self.job / "tasks").iterdir()), ["rank=0", "rank=2"])

    def test_the_page_has_all_queries(self):
        page = (QUERIES / "README.md").read_text()
        for file in QUERIES.glob("*.sql"):
            self.assertIn(f"`{file.name}`" if file.stem != "tables" else file.name, page)


def main():
    otter, folder, modules, writer, *rest = sys.argv[1:]
    absent = missing(modules)
    if absent:
        print(f"skipped: {absent}")
        sys.exit(SKIPPED)
    ParquetCase.modules, ParquetCase.writer = modules, writer
    case.CommandCase.otter, case.CommandCase.tools = os.path.abspath(otter), pathlib.Path(folder).resolve()
    unittest.main(argv=[sys.argv[0], *rest])


if __name__ == "__main__":
    main()
