#!/usr/bin/env python3
"""The page of `otter view` has the numbers of `otter report`, in full detail or as sums, and its texts are harmless.

usage: test_view.py OTTER FOLDER [unittest's arguments]
"""
import collections
import json
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))

import case  # noqa: E402  test/cli/case.py
import decode  # noqa: E402
import numbers_of_page  # noqa: E402

HARMLESS = {"'none'", "'unsafe-inline'", "data:", "blob:"}  # sources of a policy that allow no network
HOSTILE = ["</script><script>alert(1)</script>", "<!--<script>", "]]>&amp;\"'<b>", "\x1b[2J\r\n\x07", "bidi \u202e\u2066\u2028",
           "&lt;/noscript&gt;</noscript><img src=x onerror=alert(1)>", "\U0001f9a6" * 300]


class ViewCase(case.CommandCase):
    maxDiff = 2000

    def setUp(self):
        super().setUp()
        self.environment["OMP_NUM_THREADS"] = "2"
        self.environment.pop("COLUMNS", None)

    def play(self, kind, threads=2, status=0):
        self.environment["OMP_NUM_THREADS"] = str(threads)
        result = self.record("-o", kind, self.tool("../view/played"), kind)
        self.assertEqual(result.returncode, status, result.stderr)
        return self.folder / kind

    def view(self, archive, *options, warning=""):
        result = self.run_otter("view", "-o", "page.html", *options, archive)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stderr, rf"^{warning}otter: page\.html: .*xdg-open page\.html\n$")
        self.assertEqual(result.stdout, "")
        return decode.Page(self.folder / "page.html")

    def check(self, archive, *options):
        """Makes a page and checks it."""
        page = self.view(archive, *options)
        self.check_report(page.index["report"], archive)
        self.assertEqual(page.index["report_text"], self.run_otter("report", archive).stdout)
        self.numbers = numbers_of_page.Numbers(self, page)
        self.numbers.check()
        self.check_safety(page)
        return page

    def check_report(self, shown, *archive):
        """The report in a page is that of the command, but may lack the shorter steps of a path."""
        result = self.run_otter("report", "--json", *archive)
        self.assertEqual(result.returncode, 0, result.stderr)
        report = json.loads(result.stdout)
        for name, n in shown.pop("left_out_steps", {}).items():
            steps, kept = report["tables"][name], shown["tables"][name]
            self.assertEqual(sorted(step["duration_s"] for step in kept), sorted(step["duration_s"] for step in steps)[n:])
            report["tables"][name] = [step for step in steps if step in kept]
        self.assertEqual(shown, report)

    def check_safety(self, page):
        policies = [attributes["content"] for tag, attributes in page.elements.all
                    if attributes.get("http-equiv") == "Content-Security-Policy"]
        self.assertEqual(len(policies), 1)
        rules = {words[0]: words[1:] for words in (rule.split() for rule in policies[0].split(";"))}
        self.assertEqual(rules["default-src"], ["'none'"])
        self.assertLessEqual({source for sources in rules.values() for source in sources}, HARMLESS)
        for tag, attributes in page.elements.all:
            self.assertNotIn("src", attributes, tag)
            self.assertFalse([name for name in attributes if name.startswith("on")], tag)
            self.assertTrue(attributes.get("href", "#").startswith(("#", "data:")), tag)
        ids = [attributes["id"] for _, attributes in page.elements.all if "id" in attributes]
        self.assertEqual(len(ids), len(set(ids)))


class Archives(ViewCase):
    def test_tasks(self):
        page = self.check(self.play("tasks"))
        self.assertIsNone(page.index["samples"])
        self.assertTrue(page.index["left_out"]["is_complete"])
        kinds = {page.index["edge_kinds"][edge["kind"]] for edge in page.table("edges")}
        self.assertLessEqual({"dependence", "join"}, kinds)
        self.assertGreater(len(page.table("tasks")), 400)
        self.assertGreater(self.numbers.n_means, 0)
        self.assertGreater(max(task["slack"] for task in page.table("tasks")), 1)

    def test_one_thread(self):
        page = self.check(self.play("tasks", threads=1))
        self.assertEqual(len(page.index["lanes"]), 1)

    def test_256_threads(self):
        page = self.check(self.play("threads", threads=256))
        self.assertEqual(len(page.index["lanes"]), 256)

    def test_nested_regions(self):
        page = self.check(self.play("nested"))
        self.assertGreaterEqual(max(lane["rows"] for lane in page.index["lanes"]), 4)
        inner = [slice for slice in page.slices(0, 2) if page.index["labels"][slice["label"]]["what"] == "parallel"]
        outer = page.slices(0, 1)
        self.assertTrue(inner)
        for slice in inner:
            self.assertTrue(any(around["start"] <= slice["start"] and slice["start"] + slice["duration"] <= around["start"] + around["duration"]
                                for around in outer))

    def test_constructs_in_more_rows_than_the_page_has(self):
        page = self.check(self.play("deep", threads=1))
        self.assertEqual(page.index["lanes"][0]["rows"], 65)
        self.assertEqual(page.index["left_out"]["bars"], 16)
        self.assertIn("lacks 16 constructs", page.index["left_out"]["text"])
        starts = [page.slices(0, row)[0]["start"] for row in range(1, 65)]
        self.assertEqual(starts, sorted(starts))

    def test_pauses(self):
        page = self.check(self.play("paused"))
        paused = sum(slice["duration"] for slice in page.slices(0, 0) if slice["state"] == page.index["states"].index("paused"))
        self.assertGreater(paused, 0)
        self.assertEqual(sum(end - begin for lane, begin, end in page.index["pauses"] if lane == 0), paused)

    def test_a_recovered_recording(self):
        self.play("killed", status=137)
        self.assertEqual(self.run_otter("recover", "killed.recording").returncode, 0)
        page = self.check(self.folder / "killed")
        self.assertTrue(page.index["losses"]["cut_off"])

    def mock(self, script):
        """Returns the archive of a script of a mock runtime."""
        scripts = pathlib.Path(__file__).resolve().parent.parent / "mock/scripts"
        tool = self.tools / "../../connectors/ompt/libotter-ompt.so"
        subprocess.run([self.tool("../mock/player"), tool.resolve(), scripts / script], cwd=self.folder, env=self.environment, check=True,
                       capture_output=True)
        return next(self.folder.glob("*/traces.otf2")).parent

    def test_helper_threads_are_unused_between_tasks(self):
        page = self.check(self.mock("target/target_task.mock"))
        state = page.index["states"].index("unused")
        threads = page.index["lanes"]
        unused = [lane["totals"][state] for lane in threads]
        self.assertEqual([ticks > 0 for ticks in unused].count(True), 1)
        total = page.index["report"]["thread_time"]["total_s"]
        self.assertLess(total, page.index["report"]["wall_s"] * len(threads))

    def test_devices(self):
        archive = self.mock("device_trace/device_trace.mock")
        page = self.check(archive)
        streams = [i for i, lane in enumerate(page.index["lanes"]) if lane["kind"] == "device"]
        self.assertEqual(len(streams), 2)
        self.assertEqual(sum(len(page.slices(lane, 0)) for lane in streams), 3)

    def test_kokkos(self):
        page = self.check(self.make("kokkos", 50, "kokkos"))
        self.assertTrue(page.index["memory"]["spaces"])
        for row in page.table("memory"):
            self.assertTrue(row["least"] <= row["last"] <= row["most"])
        self.check_sections(page)

    def check_sections(self, page):
        """The lane after the threads shows the sections that make_archive wrote."""
        lane = next(i for i, lane in enumerate(page.index["lanes"]) if lane["kind"] == "sections")
        self.assertEqual(lane, 2)
        self.assertEqual(sum(page.index["lanes"][lane]["totals"]), 0)
        self.assertEqual([(page.index["labels"][slice["label"]]["what"], slice["start"], slice["duration"]) for slice in page.slices(lane, 1)],
                         [("phase", 1000, 1600), ("phase", 2700, page.index["clock"]["end"] - 2700)])

    def test_samples(self):
        """The page has the samples of `otter report --functions`, except those of threads without a lane."""
        if not self.has_switches():
            self.skipTest("perf events are not allowed here")
        self.assertEqual(self.record("--quiet", "--sample=500", "-o", "a", self.tool("planted")).returncode, 0)
        page = self.check(self.folder / "a")
        index, calls, rows = page.index, page.table("calls"), page.table("samples")
        self.assertEqual((index["samples"]["period_ns"], index["samples"]["every"]), (2_000_000, 1))
        self.assertTrue(all(row["parent"] < i for i, row in enumerate(calls) if i > 0))
        self.assertEqual([(row["lane"], row["time"]) for row in rows], sorted((row["lane"], row["time"]) for row in rows))
        counts = collections.Counter()
        for row in rows:
            is_executing = index["states"][row["state"]] == "executing"
            self.assertEqual(row["label"] < len(index["labels"]), is_executing)
            label = index["labels"][row["label"]]["text"] if is_executing else None
            counts[index["samples"]["functions"][calls[row["call"]]["function"]], label] += 1
        reported = collections.Counter()
        for row in json.loads(self.run_otter("report", "--functions", "--json", "a").stdout):
            if row["label"] != "(other threads)":
                reported[row["function"], None if row["label"].startswith("(") else row["label"]] += row["samples"]
        self.assertEqual(counts, +reported)
        labels = {task["task"]: task["label"] for task in page.table("tasks")}
        self.assertGreater(len([row for row in rows if labels.get(row["task"]) == row["label"]]), len(rows) / 4)
        self.check_off(page)

    def check_off(self, page):
        """Checks that the times on no processor of each lane are in order."""
        ends = {}
        for row in page.table("off"):
            self.assertGreaterEqual(row["begin"], ends.get(row["lane"], 0))
            self.assertIn(row["kind"], (0, 1, 2))
            ends[row["lane"]] = row["begin"] + row["duration"]
        self.assertEqual(page.index["shortest_off"], 0)

    def test_another_tool_and_an_empty_archive(self):
        foreign = self.make("foreign", 10, "foreign")
        self.assert_fails(self.run_otter("view", foreign), 1, "foreign")
        self.assert_fails(self.run_otter("view", self.folder / "nothing"), 1, "nothing")
        self.assertEqual(list(self.folder.glob("*.html")) + list(self.folder.glob("*.part")), [])


class Texts(ViewCase):
    def test_hostile_texts_are_data(self):
        for i, text in enumerate(HOSTILE):
            with self.subTest(text=text):
                page = self.check(self.make(f"a{i}", 20, "kokkos", "text", text, "OTTER::COMMAND_LINE", text))
                self.assertEqual(page.index["title"], text)
                self.assertIn(text, [label["what"] for label in page.index["labels"]])
                self.assertFalse([tag for tag, _ in page.elements.all if tag in ("img", "b")])
                scripts = [attributes for tag, attributes in page.elements.all if tag == "script"]
                self.assertEqual(len([attributes for attributes in scripts if "id" not in attributes]), 1)
                shown = page.texts["title"] + page.texts["noscript"]
                self.assertFalse(set(shown) & set("\x1b\x07\r\u202e\u2066\u2028"))


class Sizes(ViewCase):
    def test_the_size_bounds_the_file(self):
        archive = self.play("many")
        whole = self.view(archive, "--size=100M")
        self.assertTrue(whole.index["left_out"]["is_complete"])
        page = self.check(archive, "--size=1M")
        self.assertTrue(600_000 < len(page.bytes) <= 1_000_000, len(page.bytes))
        self.assertFalse(page.index["left_out"]["is_complete"])
        self.assertEqual(page.index["left_out"]["slices"] + sum(row["state"] < numbers_of_page.AGGREGATE for row in page.table("slices")), len(whole.table("slices")))
        self.assertEqual(page.index["left_out"]["tasks"] + len(page.table("tasks")), len(whole.table("tasks")))
        self.check_window(archive, whole)

    def check_window(self, archive, whole):
        """On request, a part of the run is shown in full detail. The part is chosen by slices of the busier thread: in a part of the time,
        a thread may be without a processor."""
        resolution = whole.index["clock"]["resolution"]
        lane = max((0, 1), key=lambda lane: len(whole.slices(lane, 0)))
        rows = whole.slices(lane, 0)
        begin, end = rows[len(rows) // 2]["start"], rows[len(rows) * 11 // 20]["start"]
        page = self.view(archive, "--size=1M", f"--from={begin / resolution:.12f}s", f"--to={end / resolution:.12f}")
        self.assertEqual(page.index["window"], [begin, end])
        inside = [(row["start"], row["duration"]) for row in rows if begin < row["start"] and row["start"] + row["duration"] < end]
        self.assertGreater(len(inside), 100)
        self.assertLessEqual(set(inside), {(row["start"], row["duration"]) for row in page.slices(lane, 0)})

    def test_options(self):
        archive = self.make("a", 20)
        for option, word in (("--size=10", "1M"), ("--size=x", "'x'"), ("--size=5Mx", "5Mx"), ("--from=y", "'y'"), ("--to=-1", "'-1'"),
                             ("--to=1h", "1h")):
            self.assert_fails(self.run_otter("view", option, archive), 2, word)
        self.assert_fails(self.run_otter("view", "--from=2", "--to=1s", archive), 2, "--from")
        self.assert_fails(self.run_otter("view", "--from=9000s", archive), 1, "--from=9000s is after the end of", "which takes")
        result = self.run_otter("view", archive)
        self.assertEqual((result.returncode, (self.folder / "a.html").exists()), (0, True), result.stderr)


class Files(ViewCase):
    def test_standard_output_is_the_page(self):
        archive = self.make("archive", 20, "kokkos")
        self.view(archive)
        result = self.run_otter("view", "-o", "-", archive)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(result.stdout, (self.folder / "page.html").read_text())
        self.assertFalse((self.folder / "-").exists())
        with open("/dev/full", "w", encoding="utf-8") as full:
            result = subprocess.run([self.otter, "view", "-o", "-", archive], cwd=self.folder, env=self.environment, stdout=full,
                                    stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual((result.returncode, result.stderr), (1, "otter: cannot write page '-': No space left on device\n"))

    def test_a_terminal_gets_no_page(self):
        archive = self.make("archive", 20)
        leader, follower = os.openpty()
        self.addCleanup(os.close, leader)
        result = subprocess.run([self.otter, "view", "-o", "-", archive], cwd=self.folder, env=self.environment, stdout=follower,
                                stderr=subprocess.PIPE, text=True, check=False)
        os.close(follower)
        self.assertEqual((result.returncode, len(result.stderr.splitlines())), (2, 1))
        self.assertIn("a terminal cannot show the page", result.stderr)

    def test_a_full_disk_leaves_the_old_file(self):
        archive = self.make("a", 2000)
        (self.folder / "page.html").write_text("old")
        limit = f'ulimit -f 64; trap "" XFSZ; exec "{self.otter}" view -o page.html a'
        result = subprocess.run(["sh", "-c", limit], cwd=self.folder, env=self.environment, capture_output=True, text=True)
        self.assert_fails(result, 1, "cannot write page 'page.html'", "File too large")
        self.assertEqual((self.folder / "page.html").read_text(), "old")
        self.assertEqual(list(self.folder.glob("*.part")), [])
        self.assert_fails(self.run_otter("view", "-o", "/dev/full", archive), 1, "/dev/full", "No space left")

    def test_a_folder_that_is_not_there(self):
        archive = self.make("a", 20)
        self.assert_fails(self.run_otter("view", "-o", "none/page.html", archive), 1, "none/page.html", "No such file")

    def test_two_pages_of_an_archive_are_equal(self):
        archive = self.make("a", 2000)
        first = self.view(archive).bytes
        self.assertEqual(first, self.view(archive).bytes)


if __name__ == "__main__":
    case.main()
