#!/usr/bin/env python3
"""`otter info` shows the content of an archive, and reports a damaged archive in one message."""
import json
import os
import re
import shutil
import subprocess
import unittest

import case


class InfoCase(case.CommandCase):
    def info(self, *arguments, **options):
        return self.run_otter("info", *arguments, **options)

    def line(self, text, label):
        found = [line.split(None, 1)[1] for line in text.splitlines() if line.split()[:1] == [label]]
        self.assertEqual(len(found), 1, f"'{label}' in {text}")
        return found[0]


class Text(InfoCase):
    def test_tells_what_the_archive_tells(self):
        result = self.info(self.make())
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        for label, value in {"program": "/usr/bin/fib", "command": "./fib 27", "host": "host1, process 4711",
                             "runtime": "a runtime", "connectors": "ompt", "tasks": "100 created, 100 completed",
                             "parallel": "1 region, team of 2 threads", "lost": "3 events",
                             "clock": "monotonic", "never": "1   TARGET"}.items():
            self.assertEqual(self.line(result.stdout, label), value)
        self.assertEqual(result.stdout.splitlines()[0], str(self.folder / "archive"))
        self.assertRegex(result.stdout, r"0 +thread +initial thread +606 events")
        self.assertRegex(result.stdout, r"task create +100\n")
        self.assertNotIn("TASK_CREATE", result.stdout)
        self.assertNotIn("quiet", result.stdout)

    def test_tells_the_bytes_of_a_task_where_tasks_make_the_size(self):
        self.assertIn("bytes per task", self.info(self.make("many", 100)).stdout)
        self.assertNotIn("bytes per task", self.info(self.make("few", 99)).stdout)

    def test_tells_what_was_refused_of_devices(self):
        path = self.make("without", 10, "ours", "OTTER::DEVICE_REFUSED", "4")
        self.assertEqual(self.line(self.info(path).stdout, "refused"), "4 invalid records of devices")
        self.assertEqual(json.loads(self.info("--json", path).stdout)["refused"], 4)

    def test_tells_that_dependences_were_left_out(self):
        path = self.make("without", 10, "ours", "OTTER::DEPENDENCES", "left out")
        self.assertIn("left out: depend clauses", self.line(self.info(path).stdout, "dependences"))
        self.assertEqual(json.loads(self.info("--json", path).stdout)["dependences"], "left out")
        self.assertNotIn("dependences", self.info(self.make()).stdout)

    def test_tells_everything_when_asked(self):
        result = self.info("--all", self.make())
        self.assertIn("TASK_CREATE", result.stdout)
        self.assertEqual(self.line(result.stdout, "quiet"), "off")
        self.assertRegex(result.stdout, r"\n +100 +!\$omp task fib:12, untied\n")

    def test_groups_long_numbers(self):
        self.assertEqual(self.line(self.info(self.make(tasks=1234567)).stdout, "tasks"),
                         "1,234,567 created, 1,234,567 completed")

    def test_understands_archives_of_others(self):
        result = self.info(self.make("foreign", 10, "foreign"))
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertIn("Somebody", self.line(result.stdout, "written"))
        self.assertRegex(result.stdout, r"other +2\n")
        kinds = json.loads(self.info("--json", self.folder / "foreign").stdout)["events_by_kind"]
        self.assertEqual((kinds["other"], kinds["sample"]), (2, 0))

    def test_fits_a_narrow_terminal(self):
        path = self.make("narrow")
        self.environment["COLUMNS"] = "60"
        text = self.info("--all", path).stdout
        lists = text[text.index("\nlocations\n"):text.index("\nsettings")]
        self.assertEqual([line for line in lists.splitlines() if len(line) > 60], [], text)
        self.environment["COLUMNS"] = "36"
        text = self.info("--all", path).stdout
        regions = text[text.index("entered\n"):text.index("\ncallbacks")].splitlines()
        self.assertEqual([line for line in regions if len(line) > 36], [], text)
        self.assertGreater(len([line for line in regions if line.startswith(" " * 19)]), 0, text)

    def test_fits_a_terminal(self):
        for line in self.info("-a", self.make()).stdout.splitlines():
            self.assertLessEqual(len(line), 100)


class Json(InfoCase):
    def test_tells_what_the_archive_tells(self):
        path = self.make(tasks=1000)
        result = self.info("--json", path)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        found = json.loads(result.stdout)
        size = sum(f.stat().st_size for f in path.rglob("*") if f.is_file())
        self.assertEqual(found["tasks"], {"created": 1000, "completed": 1000, "never_ran": 0, "cancelled": 0,
                                          "unfinished": 0})
        self.assertEqual((found["pid"], found["lost"], found["unfinished"]), (4711, 3, 2))
        self.assertEqual((found["size"], found["files"]), (size, 8))
        self.assertAlmostEqual(found["bytes_per_task"], size / 1000)
        self.assertEqual(found["events"], 6006 + 7)
        self.assertEqual(found["events_by_kind"]["task_switch"], 1000)
        self.assertEqual([entry["events"] for entry in found["locations"]], [6006, 7, 0])
        self.assertEqual(found["locations"][0]["properties"], {"OTTER::TID": "4711"})
        self.assertEqual([entry["entered"] for entry in found["regions"]], [1000, 1, 1])
        self.assertEqual((found["regions"][0]["name"], found["regions"][0]["line"]), ("!$omp task @fib+0x1234", 12))
        self.assertEqual((found["parallel_regions"], found["teams"], found["distinct_teams"], found["largest_team"]), (1, 1, 1, 2))
        self.assertEqual(found["callbacks"], {"task_create": "always", "work": "sometimes", "target": "never"})
        self.assertEqual(found["settings"], {"clock": "monotonic", "quiet": "off"})
        self.assertAlmostEqual(found["clock"]["seconds"], (101200 - 1000) / 1e9)
        self.assertIsNone(found["damage"])

    def test_has_one_type_for_each_key(self):
        for cut_off in ("false", "true"):
            path = self.make(f"cut-{cut_off}", 10, "ours", "OTTER::CUT_OFF", cut_off, "OTTER::PROGRAM", "7", "OTTER::HOST", "true",
                             "OTTER::RANK", "3")
            found = json.loads(self.info("--json", path).stdout)
            self.assertIs(found["cut_off"], cut_off == "true")
            self.assertEqual((found["program"], found["host"], found["rank"]), ("7", "true", 3))

    def test_counts_each_team_that_was_formed(self):
        self.assertEqual(self.record("--folder=otter-teams", self.tool("tasks"), "regions").returncode, 0)
        found = json.loads(self.info("--json", "otter-teams").stdout)
        self.assertEqual((found["parallel_regions"], found["teams"]), (7, 7))
        self.assertLess(found["distinct_teams"], 7)

    def test_is_json_whatever_the_folder_is_called(self):
        path = self.make()
        strange = os.fsencode(self.folder) + b"/\xff\"\n"
        os.rename(path, strange)
        result = self.info("-j", ".", cwd=strange)
        self.assertEqual(json.loads(result.stdout)["folder"], ".")
        result = subprocess.run([os.fsencode(self.otter), b"info", b"-j", strange], capture_output=True,
                                timeout=case.PATIENCE)
        self.assertTrue(json.loads(result.stdout)["folder"].endswith("\u00ff\"\n"))


class Kokkos(InfoCase):
    """The Kokkos archive of write_archive.c; `otter report` has its times and memory."""

    PROPERTIES = ("OTTER::KOKKOS::KOKKOS_VERSION", "4.6.99", "OTTER::KOKKOS::DEFAULT_DEVICE", "OpenMP", "OTTER::KOKKOS::MINE", "a\nb")

    def test_version_and_device_are_printed(self):
        path = self.make("kokkos", 100, "kokkos", *self.PROPERTIES)
        text = self.info(path).stdout
        self.assertRegex(text, r"\n  Kokkos +4\.6\.99, default device OpenMP\n")
        self.assertNotIn("metadata of Kokkos", text)
        found = json.loads(self.info("--json", path).stdout)
        self.assertEqual((found["kokkos_version"], found["kokkos_device"]), ("4.6.99", "OpenMP"))

    def test_mangled_device_is_readable(self):
        path = self.make("kokkos", 100, "kokkos", "OTTER::KOKKOS::DEFAULT_DEVICE", "N6Kokkos6OpenMPE")
        self.assertRegex(self.info(path).stdout, r"\n  Kokkos +of an unknown version, default device OpenMP\n")

    def test_metadata_is_complete(self):
        path = self.make("kokkos", 100, "kokkos", *self.PROPERTIES)
        text = self.info("--all", path).stdout
        self.assertIn(["MINE", r"a\nb"], [line.split() for line in text.partition("\nmetadata of Kokkos\n")[2].splitlines()])
        self.assertEqual(json.loads(self.info("--json", path).stdout)["kokkos_metadata"],
                         {"KOKKOS_VERSION": "4.6.99", "DEFAULT_DEVICE": "OpenMP", "MINE": "a\nb"})

    def test_labels_do_nothing_to_a_terminal(self):
        lines = self.info("--all", self.make("kokkos", 100, "kokkos", *self.PROPERTIES)).stdout.splitlines()
        self.assertTrue(any(r"two\nlines, \x1b[31mred, \xff\u0085" in line for line in lines), lines)
        self.assertFalse([line for line in lines if any(ord(c) < 32 or 127 <= ord(c) < 160 for c in line)])
        self.assertTrue(any(3000 * "l" in line for line in lines))

    def test_another_program_has_no_line(self):
        path = self.make()
        self.assertNotIn("Kokkos", self.info("--all", path).stdout)
        found = json.loads(self.info("--json", path).stdout)
        self.assertEqual((found["kokkos_version"], found["kokkos_device"], found["kokkos_metadata"]), (None, None, {}))


class Newest(InfoCase):
    def test_is_taken_when_none_is_named(self):
        for age, name in ((30, "otter-a"), (10, "otter-c"), (20, "otter-b"), (5, "other")):
            self.make(name)
            then = (self.folder / name).stat().st_mtime - age
            os.utime(self.folder / name / "traces.otf2", (then, then))
        (self.folder / "otter-z.recording").mkdir()
        result = self.info()
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("otter-c", result.stderr)
        self.assertEqual(result.stdout.splitlines()[0], "otter-c")

    def test_is_missed_where_there_is_none(self):
        self.assert_fails(self.info(), 1, "no archive here")


class Failure(InfoCase):
    def test_what_is_no_archive(self):
        (self.folder / "empty").mkdir()
        self.write("text", "hello")
        self.write("fake.otf2", "hello")
        self.assert_fails(self.info("nothing"), 1, "'nothing'", "No such file")
        self.assert_fails(self.info("empty"), 1, "'empty'", "not an archive")
        self.assert_fails(self.info("text"), 1, "'text'", "not an archive")
        self.assert_fails(self.info("fake.otf2"), 1, "'fake.otf2'", "not an OTF2 anchor file")

    def test_what_a_killed_program_left(self):
        (self.folder / "run.recording/events").mkdir(parents=True)
        self.write("run.recording/journal", "")
        for path in ("run.recording", "run"):
            self.assert_fails(self.info(path), 1, "run.recording", "not a complete archive")

    def test_two_archives_in_one_folder(self):
        path = self.make()
        shutil.copy(path / "traces.otf2", path / "more.otf2")
        os.rename(path / "traces.otf2", path / "one.otf2")
        self.assert_fails(self.info(path), 1, "2 archives")

    def cut(self, path, name, spare=2):
        """Truncates this file of the archive at many places in turn. A file that loses fewer than `spare` bytes counts as complete."""
        whole = (path / name).read_bytes()
        steps = {0, 1, 2, 17, 18, 19, len(whole) // 2, len(whole) - spare - 1, len(whole) - spare}
        steps |= {n * 256 * 1024 + d for n in range(1, 3) for d in (-1, 0, 1, 18, 19)}
        for size in sorted(s for s in steps if s <= len(whole) - spare):
            (path / name).write_bytes(whole[:size])
            yield size
        (path / name).write_bytes(whole)

    def test_definitions_or_anchor_cut_anywhere(self):
        path = self.make()
        for name, spare in (("traces.def", 2), ("traces.otf2", 3)):
            for size in self.cut(path, name, spare):
                with self.subTest(name, size=size):
                    self.assert_fails(self.info(path), 1, name)

    def test_events_cut_anywhere_and_the_rest_is_shown(self):
        path = self.make(tasks=10000)
        for size in self.cut(path, "traces/0.evt"):
            with self.subTest(size=size):
                result = self.info(path)
                self.assert_fails(result, 1, "0.evt", "1 of 3 locations")
                self.assertRegex(result.stdout, r"1 +thread +worker +7 events")
                self.assertIn("(damaged)", result.stdout)
        self.assertEqual(self.info(path).returncode, 0)

    def test_events_that_end_in_zeros(self):
        path = self.make(tasks=10000)
        whole = (path / "traces/0.evt").read_bytes()
        for size in (18, 1000, 256 * 1024 - 1, 256 * 1024, 256 * 1024 + 18, len(whole) - 2):
            with self.subTest(size=size):
                (path / "traces/0.evt").write_bytes(whole[:size] + bytes(len(whole) - size))
                self.assert_fails(self.info(path), 1, "0.evt")

    def test_output_that_cannot_be_written(self):
        with open("/dev/full", "w") as full:
            result = self.info(self.make(), stdout=full, capture_output=False, stderr=-1)
        self.assert_fails(result, 1, "standard output")

    def test_a_wrong_command_line(self):
        self.assert_fails(self.info("a", "b"), 2, "'b'")
        self.assert_fails(self.info("--nonsense"), 2, "--nonsense")
        self.assert_fails(self.info("-x"), 2, "'-x'")
        self.assert_fails(self.info("--json", "-xa"), 2, "'-x'")
        self.assert_fails(self.info("--json=yes", "a"), 2, "'--json' accepts no value")
        self.assert_fails(self.info("--settings", "a"), 2)


class Settings(case.CommandCase):
    def test_are_listed_with_what_is_in_force(self):
        self.environment["OTTER_CLOCK"] = "monotonic"
        result = self.run_otter("info", "--settings")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        entries = {entry.split()[0]: entry for entry in result.stdout.split("\n\n")}
        self.assertIn("OTTER_CLOCK", entries["clock"])
        self.assertIn("default 'auto'", entries["clock"])
        self.assertIn("in force 'monotonic'", entries["clock"])
        self.assertIn("auto|tsc|monotonic", entries["clock"])
        self.assertNotIn("in force", entries["trace-path"])
        self.assertIn("a size from 256K to 16M", entries["chunk-size"])

    def test_are_explained_in_lines_of_a_terminal(self):
        for command in (["info", "--settings"], ["help", "record"]):
            result = self.run_otter(*command)
            self.assertLess(max(map(len, result.stdout.splitlines())), 121, result.stdout)
            self.assertNotIn("empty. Default", result.stdout)
            self.assertNotIn("Default: empty", result.stdout)

    def test_that_are_unknown_are_named(self):
        self.environment["OTTER_NONSENSE"] = "1"
        result = self.run_otter("info", "--settings")
        self.assertEqual(result.returncode, 0)
        self.assertIn("OTTER_NONSENSE", result.stderr)


class Help(case.CommandCase):
    def test_is_there_for_all_commands(self):
        overview = self.run_otter("help")
        self.assertEqual((overview.returncode, overview.stderr), (0, ""))
        self.assertEqual(self.run_otter("--help").stdout, overview.stdout)
        for command in ("record", "info"):
            self.assertRegex(overview.stdout, rf"\n  {command} +\S")
            text = self.run_otter("help", command)
            self.assertEqual((text.returncode, text.stderr), (0, ""))
            self.assertIn(f"Usage: otter {command}", text.stdout)
            self.assertEqual(self.run_otter(command, "--help").stdout, text.stdout)
        self.assertIn("--trace-path", self.run_otter("help", "record").stdout)

    def test_fits_into_80_columns(self):
        texts = [self.run_otter("help").stdout]
        for command in re.findall(r"^  ([a-z]+) +", texts[0].split("Commands:")[1], re.M):
            texts.append(self.run_otter("help", command).stdout)
        self.assertGreater(len(texts), 10)
        long_lines = [line for text in texts for line in text.splitlines() if len(line) > 80]
        self.assertEqual(long_lines, [])

    def test_comes_on_stderr_when_no_command_is_given(self):
        result = self.run_otter()
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn("Usage", result.stderr)

    def test_names_the_commands_when_one_is_unknown(self):
        self.assert_fails(self.run_otter("recrod", "x"), 2, "'recrod'", "did you mean record?")
        self.assert_fails(self.run_otter("rep", "x"), 2, "did you mean report?")
        self.assert_fails(self.run_otter("prove", "x"), 2, "'prove'", "record, report, diff, view, export, info, graph, check, recover, merge, help")
        self.assert_fails(self.run_otter("help", "prove"), 2, "record, report, diff, view, export, info, graph, check, recover, merge, help")

    def test_has_a_version(self):
        self.assertRegex(self.run_otter("--version").stdout, r"^otter \d+\.\d+\.\d+\n$")


if __name__ == "__main__":
    case.main()
