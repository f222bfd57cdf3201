#!/usr/bin/env python3
"""`otter recover` makes archives of killed programs' recordings, and of nothing else."""
import json
import mmap
import os
import re
import shutil
import signal
import socket
import struct
import subprocess
import time

import case

OUTPUT = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}


class RecoverCase(case.CommandCase):
    def recover(self, *arguments, **options):
        return self.run_otter("recover", *arguments, **options)

    def start(self, *settings):
        """Starts recording the endless program into otter-endless, and returns when the program has created tasks."""
        program = subprocess.Popen([self.otter, "record", "--folder=otter-endless", *settings, self.tool("endless")],
                                   cwd=self.folder, env=self.environment, start_new_session=True, **OUTPUT)
        self.addCleanup(self.kill, program)
        self.assertEqual(program.stdout.readline(), "ready\n")
        return program

    @staticmethod
    def kill(program):
        if program.returncode is None:
            os.killpg(program.pid, signal.SIGKILL)
            program.wait()
            program.stdout.close()

    def leave_recording(self, *settings):
        self.kill(self.start(*settings))
        path = self.folder / "otter-endless.recording"
        deadline = time.monotonic() + case.PATIENCE
        while self.is_mapped(path / "journal") and time.monotonic() < deadline:
            time.sleep(0.01)
        return path

    @staticmethod
    def is_mapped(journal):
        """Returns whether a process still maps the journal: the system may still be removing a killed process."""
        for process in os.listdir("/proc"):
            try:
                with open(f"/proc/{process}/maps", errors="replace") as maps:
                    if process.isdigit() and str(journal) in maps.read():
                        return True
            except OSError:
                pass
        return False

    def change_journal(self, path, before, after):
        journal = path / "journal"
        content = journal.read_bytes()
        self.assertIn(before, content)
        self.assertEqual(len(before), len(after))
        journal.write_bytes(content.replace(before, after))

    @staticmethod
    def lines_of(journal):
        content = journal.read_bytes()
        length, = struct.unpack_from("<Q", content, 8)
        return content[4096:4096 + length].splitlines(keepends=True)

    @staticmethod
    def write_lines(journal, lines):
        text = b"".join(lines)
        head = bytearray(journal.read_bytes()[:4096])
        struct.pack_into("<Q", head, 8, len(text))
        journal.write_bytes(head + text)

    @staticmethod
    def end_journal(journal, n_recorded, n_lost):
        """Marks the recording as ended, with these counts."""
        content = bytearray(journal.read_bytes())
        length, = struct.unpack_from("<Q", content, 8)
        start = [int(n) for n in re.search(rb"\nstart (\d+) (\d+) (\d+)", content).groups()]
        tail = f"count recorded {n_recorded}\ncount lost {n_lost}\nend {' '.join(str(n + 10**10) for n in start)}\n".encode()
        content[4096 + length:4096 + length + len(tail)] = tail
        struct.pack_into("<Q", content, 8, length + len(tail))
        journal.write_bytes(content)

    def assert_sound(self, name, n_threads=2):
        checked = self.run_otter("check", name)
        self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)
        self.assertIn("cut off", checked.stdout)
        told = self.run_otter("info", name).stdout.splitlines()
        self.assertLessEqual(max(len(line) for line in told if line.startswith("  cut off")), 120)
        read = subprocess.run(["otf2-print", "--silent", self.folder / name / "traces.otf2"], capture_output=True, text=True)
        self.assertEqual((read.returncode, read.stderr), (0, ""))
        return checked


class TestJobs(RecoverCase):
    SCRIPT = """for i in 0 1; do PMI_RANK=$i PMI_SIZE=2 PMI_JOBID=7 "$0" >out$i & p="$p $!"; done
                until grep -q ready out0 && grep -q ready out1; do sleep 0.1; done; kill -9 $p; wait"""

    def test_the_ranks_of_a_killed_job_are_recovered_together(self):
        result = self.record("--folder=job", "sh", "-c", self.SCRIPT, self.tool("endless"))
        self.assertIn("otter: 2 ranks ended without completing their archives; to make archives: otter recover job\n", result.stderr)
        self.assertNotIn("process ", result.stderr)
        self.assert_fails(self.run_otter("report", "job"), 1, "has no rank that is complete", "otter recover job")
        self.assert_fails(self.recover("-o", "all", "job"), 2, "'job' is the folder of a job")
        result = self.recover("job")
        self.assertEqual((result.returncode, len(result.stdout.splitlines())), (0, 2), result.stderr)
        self.assertEqual(sorted(path.name for path in (self.folder / "job").iterdir()), ["rank-0000", "rank-0001"])
        result = self.run_otter("report", "job")
        self.assertIn("\nRanks 0, 1 were killed, or ended without completing an archive.\n", result.stdout)
        self.assertIn("\n* was killed, or ended without completing its archive\n", self.run_otter("info", "job").stdout)
        result = self.run_otter("report", "--labels", "job")
        self.assertEqual(result.stderr, "otter: 2 of 2 ranks are not complete, so all numbers are estimates\n")


class Killed(RecoverCase):
    def test_gives_an_archive_with_all_but_the_event_being_recorded(self):
        path = self.leave_recording()
        result = self.recover(path.name)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"^otter-endless: [0-9,]{3,} events of 2 threads\n$")
        self.assertIn("missing: at most the event that each thread was recording", result.stderr)
        self.assertFalse(path.exists())
        self.assert_sound("otter-endless")
        self.assertIn("cut off      the program ended before", self.run_otter("info", "otter-endless").stdout)

    def test_has_the_rate_of_the_clock_even_if_no_chunk_was_full(self):
        def rate(archive):
            return json.loads(self.run_otter("info", "--json", archive).stdout)["clock"]["resolution"]

        self.leave_recording("--chunk-size=16M")
        self.assertEqual(self.recover("otter-endless.recording").returncode, 0)
        self.assertEqual(self.record("--quiet", "-o", "complete", self.tool("tasks")).returncode, 0)
        self.assertLess(abs(rate("otter-endless") / rate("complete") - 1), 0.1)

    def test_is_found_by_its_archives_name_and_without_any(self):
        path = self.leave_recording()
        copy = self.folder / "otter-copy.recording"
        shutil.copytree(path, copy)
        self.assertEqual(self.recover("otter-copy/").returncode, 0)
        result = self.recover()
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("the newest recording here is otter-endless.recording", result.stderr)
        self.assertEqual(self.archives(), ["otter-copy", "otter-endless"])

    def test_several_at_once_and_one_by_another_name(self):
        path = self.leave_recording()
        for name in ("a.recording", "b.recording", "c"):
            shutil.copytree(path, self.folder / name)
        self.assertEqual(self.recover("a.recording", "b.recording").returncode, 0)
        self.assertEqual(self.recover("c").returncode, 0)
        self.assertEqual(self.recover("--output=elsewhere", path).returncode, 0)
        for name in ("a", "b", "c.recovered", "elsewhere"):
            self.assert_sound(name)
        self.assert_fails(self.recover("-o", "x", "a", "b"), 2, "cannot make one archive of 2 recordings")

    def test_with_chunks_in_memory_says_what_is_missing(self):
        path = self.leave_recording("--chunks=memory")
        result = self.recover(path.name)
        if result.returncode == 0:  # a chunk was full
            self.assertIn("less than a chunk (chunks=memory)", result.stderr)
        else:
            self.assert_fails(result, 1, "contains no events")

    def test_what_was_recorded_before_an_end_in_good_order_and_is_not_there_is_told(self):
        path = self.leave_recording()
        self.end_journal(path / "journal", n_recorded=10**9, n_lost=2)
        result = self.recover(path.name)
        n_lost = re.search(r"^otter: missing: (\d{1,3}(?:,\d{3})+) events that could not be stored", result.stderr, re.M)[1].replace(",", "")
        self.assertRegex(n_lost, r"^99\d{7}$")
        self.assertIn("nothing else is missing", result.stderr)
        info = self.run_otter("info", "otter-endless").stdout.replace(",", "")
        self.assertIn(f"lost         {n_lost} events", info)

    def test_what_an_end_after_the_archives_appearance_has_left_is_removed(self):
        path = self.leave_recording()
        journal = (path / "journal").read_bytes()
        self.assertEqual(self.recover(path.name).returncode, 0)
        for left in (("journal", "events/"), ("events/",), ()):
            for name in (path.name, "otter-endless/"):
                path.mkdir()
                for part in left:
                    (path / part).mkdir() if part.endswith("/") else (path / part).write_bytes(journal)
                result = self.recover(name)
                self.assertEqual((result.returncode, result.stderr), (0, ""))
                self.assertIn("otter-endless is complete", result.stdout)
                self.assertFalse(path.exists())
        self.assert_sound("otter-endless")

    def test_nothing_is_removed_that_holds_more(self):
        path = self.leave_recording()
        shutil.copytree(path, self.folder / "copy")
        self.assertEqual(self.recover(path.name).returncode, 0)
        shutil.copytree(self.folder / "copy", path)
        self.assert_fails(self.recover(path.name), 1, "'otter-endless' exists already", "--output")
        (path / "journal").unlink()
        self.assert_fails(self.recover(path.name), 1, "is not a recording")
        self.assertEqual(len(list(path.glob("events/*"))), 2)
        shutil.rmtree(path)
        (path / "archive").mkdir(parents=True)
        self.assert_fails(self.recover(path.name), 1, "is not a recording")
        self.assertTrue((path / "archive").exists())

    def test_no_damaged_line_of_its_journal_costs_an_event(self):
        path = self.leave_recording("--chunk-size=256K")
        lines = self.lines_of(path / "journal")
        whole = self.recover("-o", "whole", shutil.copytree(path, self.folder / "copy.recording")).stdout.split(":")[1]
        for i, line in enumerate(lines):
            if line.startswith((b"describe CALLBACK", b"describe SETTING")) and i % 20 or line.startswith((b"otter ", b"files ")):
                continue
            for first in (b"x", b"\0"):
                copy = shutil.copytree(path, self.folder / "damaged.recording")
                self.write_lines(copy / "journal", lines[:i] + [first + line[1:]] + lines[i + 1:])
                result = self.recover("--force", copy.name)
                self.assertEqual((result.returncode, result.stdout), (0, "damaged:" + whole), (line, result.stderr))
                self.assertRegex(result.stderr, r"its journal is damaged, \d+ lines? could not be read")
                self.assertIn("also missing: at most", result.stderr)
                self.assertEqual("for 1 of its threads, only the events are known" in result.stderr, line.startswith(b"location "), line)
                self.assertEqual("the time of day is unknown" in result.stderr, line.startswith(b"start "), line)
                self.assertEqual("durations may be wrong" in result.stderr, line.startswith(b"clock "), line)
                self.assertRegex(self.run_otter("info", "damaged").stdout, r"  damaged      \d+ lines? of the journal could not be read")
                self.assertFalse(copy.exists())
                shutil.rmtree(self.folder / "damaged")

    def test_a_journal_that_is_there_in_part_gives_an_archive_of_all_events(self):
        path = self.leave_recording()
        size = 4096 + sum(map(len, self.lines_of(path / "journal")))
        whole = self.recover("-o", "whole", shutil.copytree(path, self.folder / "copy.recording")).stdout.split(":")[1]
        for cut in (size - 1, 4096 + (size - 4096) // 2):
            copy = shutil.copytree(path, self.folder / "cut.recording")
            os.truncate(copy / "journal", cut)
            result = self.recover(copy.name)
            self.assertEqual((result.returncode, result.stdout), (0, "cut:" + whole), result.stderr)
            self.assertIn("its journal is damaged", result.stderr)
            shutil.rmtree(self.folder / "cut")

    def test_says_how_many_events_of_a_removed_or_zeroed_file_are_missing(self):
        path = self.leave_recording()
        for name, change in (("removed", lambda chunk: chunk.unlink()),
                             ("zeroed", lambda chunk: chunk.write_bytes(bytes(chunk.stat().st_size)))):
            copy = shutil.copytree(path, self.folder / f"{name}.recording")
            change(copy / "events/1.chunk")
            result = self.recover("--delete-empty", copy.name)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertRegex(result.stderr, r"missing: at least [\d,]+ and at most [\d,]+ events of 1 location, whose files were removed")
            self.assertIn("also missing: at most the event that each thread", result.stderr)
            self.assertRegex(self.run_otter("info", name).stdout, r"lost  +at least [\d,]+ event")
            self.assertRegex(self.run_otter("info", name).stdout, r"missing  +[\d,]+ to [\d,]+ events of location 1")
            self.assertIn("lost", self.run_otter("check", name).stdout)

    def test_is_not_empty_when_its_event_files_were_removed(self):
        path = self.leave_recording()
        for event_file in path.glob("events/*"):
            event_file.unlink()
        result = self.recover("--delete-empty", path.name)
        self.assertEqual((result.returncode, result.stdout), (0, "otter-endless: 0 events of 2 threads\n"), result.stderr)
        self.assertIn("events of 2 locations, whose files were removed", result.stderr)

    def test_a_recording_with_events_of_what_is_unknown_is_kept(self):
        path = self.leave_recording()
        shutil.copy(path / "events/0.chunk", path / "events/77.chunk")
        result = self.recover(path.name)
        self.assertEqual(result.returncode, 1)
        self.assertIn("otter: 'otter-endless.recording' is not removed", result.stderr)
        self.assertTrue((path / "journal").exists())
        self.assertEqual(os.listdir(path / "events"), ["77.chunk"])
        self.assert_sound("otter-endless")

    def test_what_a_damaged_journal_does_not_tell_is_whose_it_was(self):
        path = self.leave_recording()
        lines = self.lines_of(path / "journal")
        for name in (b"PID", b"HOST"):
            copy = shutil.copytree(path, self.folder / "damaged.recording")
            self.write_lines(copy / "journal", [line for line in lines if not line.startswith(b"describe %s " % name)])
            self.assert_fails(self.recover(copy.name), 1, "does not name its process", "--force")
            self.assertEqual(self.recover("--force", copy.name).returncode, 0)
            shutil.rmtree(self.folder / "damaged")

    def test_a_process_of_another_user_that_has_its_number_now_is_told_apart(self):
        path = self.leave_recording()
        nobody = 65534
        reads = f"open('/proc/{os.getpid()}/maps')"
        if os.getuid() != 0 or not self.may(nobody, ["python3", "-c", "0"]) or self.may(nobody, ["python3", "-c", reads]):
            self.skipTest("needs to be root, and another user who may not look into its processes")
        lines = self.lines_of(path / "journal")
        with open(f"/proc/{os.getpid()}/stat") as stat:
            start = stat.read().rpartition(")")[2].split()[19].encode()
        self.let_others_run_otter()
        for told, is_over, word in ((b"PID_START 1", True, ""), (b"PID_START " + start, False, "is still being recorded"),
                                    (b"PID_STARX 1", False, "--force"), (b"BOOT_ID 1", True, "")):
            copy = shutil.copytree(path, self.folder / "reused.recording")
            name = told.split()[0]
            others = [line for line in lines if not line.startswith((b"describe PID ", b"describe PID_START", b"describe " + name + b" "))]
            self.write_lines(copy / "journal", others + [b"describe PID %d\n" % os.getpid(), b"describe %s\n" % told])
            subprocess.run(["chown", "-R", str(nobody), copy], check=True)
            (self.folder / "out").mkdir()
            os.chown(self.folder / "out", nobody, -1)
            shutil.move(copy, self.folder / "out/reused.recording")
            words = [self.otter, "recover", "out/reused.recording"]
            result = self.as_user(nobody, words)
            self.assertEqual(result.returncode, 0 if is_over else 1, (told, result.stderr))
            self.assertIn(word, result.stderr)
            if word == "--force":
                self.assertEqual(self.as_user(nobody, words + ["--force"]).returncode, 0)
            shutil.rmtree(self.folder / "out")

    def test_a_process_that_could_not_map_its_journal_is_told_apart(self):
        path = self.leave_recording()
        lines = [line for line in self.lines_of(path / "journal") if not line.startswith(b"describe PID")]
        with open(f"/proc/{os.getpid()}/stat") as stat:
            start = int(stat.read().rpartition(")")[2].split()[19])
        without_boot = [line for line in lines if not line.startswith(b"describe BOOT_ID")]
        for others, is_hidden, told, word in ((lines, 1, start, "is still being recorded"), (lines, 1, 1, ""), (lines, 0, start, ""),
                                              (without_boot, 1, start, "is still being recorded")):
            with self.subTest(has_boot=others is lines, is_hidden=is_hidden, start=told):
                copy = shutil.copytree(path, self.folder / "hidden.recording")
                self.write_lines(copy / "journal", others + [b"describe PID %d\ndescribe PID_START %d\n" % (os.getpid(), told)])
                content = bytearray((copy / "journal").read_bytes())
                struct.pack_into("<Q", content, 32, is_hidden)
                (copy / "journal").write_bytes(content)
                result = self.recover(copy.name)
                self.assertEqual(result.returncode, 1 if word else 0, result.stderr)
                self.assertIn(word, result.stderr)
                shutil.rmtree(copy if word else self.folder / "hidden")

    def test_a_process_is_known_by_the_journal_that_it_maps_and_by_no_other_file(self):
        path = self.leave_recording()
        lines = [line for line in self.lines_of(path / "journal") if not line.startswith(b"describe PID ")]
        self.write_lines(path / "journal", lines + [b"describe PID %d\n" % os.getpid()])
        os.link(path / "journal", self.folder / "linked")
        shutil.copy(path / "journal", path / "journal.copy")
        for file, is_live in ((self.folder / "linked", True), (path / "journal", True), (path / "journal.copy", False)):
            with self.subTest(file=file), open(file, "rb") as opened, mmap.mmap(opened.fileno(), 4096, access=mmap.ACCESS_READ):
                result = self.recover("-o", "told", path.name)
                self.assertEqual(result.returncode, int(is_live), result.stderr)
                self.assertEqual("is still being recorded" in result.stderr, is_live)

    def as_user(self, user, words):
        return subprocess.run(words, cwd=self.folder, user=user, group=user, extra_groups=[], capture_output=True, text=True,
                              timeout=case.PATIENCE)

    def may(self, user, words):
        return self.as_user(user, words).returncode == 0

    def test_reading_commands_offer_it(self):
        path = self.leave_recording()
        for command in ("info", "check", "graph"):
            self.assert_fails(self.run_otter(command, path.name), 1, "otter recover otter-endless.recording")
            self.assert_fails(self.run_otter(command, "otter-endless"), 1, "otter recover otter-endless.recording")
            self.assert_fails(self.run_otter(command), 1, "otter recover otter-endless.recording")


class KilledAtItsStart(RecoverCase):
    """Recordings without events, from programs killed before their first event."""

    def assert_is_deleted_when_wanted(self, path):
        for arguments in ((), ("--force",)):
            result = self.recover(*arguments, path.name)
            self.assert_fails(result, 1, "killed before the first event; to delete the folder: otter recover --delete-empty")
            self.assertTrue(path.exists())
        result = self.recover("--delete-empty", path.name)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertIn(f"{path.name}: deleted", result.stdout)
        self.assertFalse(path.exists())

    def test_without_a_journal_and_with_parts_of_it(self):
        path = self.folder / "otter-begun.recording"
        magic = struct.pack("<Q", 0x314c4e4a5254544f)
        for journal in (None, b"", bytes(4096), bytes(4096 + 256 * 1024), magic + bytes(4088), magic + bytes(4088 + 256 * 1024)):
            for others in ((), ("reserve",), ("reserve", "events/")):
                path.mkdir()
                if journal is not None:
                    (path / "journal").write_bytes(journal)
                for other in others:
                    (path / other).mkdir() if other.endswith("/") else (path / other).write_bytes(b"")
                self.assert_is_deleted_when_wanted(path)

    def test_between_any_two_lines_of_its_journals_head(self):
        path = self.leave_recording()
        lines = self.lines_of(path / "journal")
        head = lines[:next(i for i, line in enumerate(lines) if line.startswith((b"location ", b"module ", b"region ")))]
        self.assertGreater(len(head), 20)
        for event_file in path.glob("events/*"):
            event_file.unlink()
        for n in range(len(head) + 1):
            copy = shutil.copytree(path, self.folder / "otter-cut.recording")
            self.write_lines(copy / "journal", head[:n])
            self.assert_is_deleted_when_wanted(copy)

    def test_is_never_deleted_with_an_event(self):
        path = self.leave_recording()
        (path / "journal").write_bytes(b"")
        self.assert_fails(self.recover("--delete-empty", path.name), 1, "damaged", "nothing of the recording")
        (path / "journal").unlink()
        self.assert_fails(self.recover("--delete-empty", path.name), 1, "is not a recording")
        self.assertEqual(len(list(path.glob("events/*"))), 2)

    def test_is_not_deleted_while_a_process_begins_it(self):
        path = self.folder / "otter-begun.recording"
        path.mkdir()
        (path / "journal").write_bytes(bytes(4096))
        with open(path / "journal", "r+b") as opened, mmap.mmap(opened.fileno(), 4096):
            result = self.recover("--delete-empty", path.name)
            self.assert_fails(result, 1, f"is still being recorded by process {os.getpid()}")
        self.assert_is_deleted_when_wanted(path)

    def test_what_holds_events_is_recovered_all_the_same(self):
        path = self.leave_recording()
        (self.folder / "otter-begun.recording").mkdir()
        result = self.recover("--delete-empty", path.name, "otter-begun.recording")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(os.listdir(self.folder), ["otter-endless"])


class Refused(RecoverCase):
    def test_while_the_program_runs(self):
        self.start()
        result = self.recover("otter-endless")
        self.assert_fails(result, 1, "is still being recorded by process", "endless")
        self.assertTrue((self.folder / "otter-endless.recording/journal").exists())

    def test_even_by_force_and_the_program_does_not_notice(self):
        program = self.start()
        self.assert_fails(self.recover("--force", "otter-endless"), 1, "is still being recorded")
        self.assertIsNone(program.poll())

    def test_where_another_host_recorded(self):
        path = self.leave_recording()
        host = socket.gethostname().encode()
        self.change_journal(path, b"HOST " + host, b"HOST " + b"x" * len(host))
        self.assert_fails(self.recover(path.name), 1, "was recorded on 'xx"[:18], "--force")
        self.assertEqual(self.recover("-f", path.name).returncode, 0)

    def test_where_processes_have_other_numbers(self):
        path = self.leave_recording()
        here = b"PID_NAMESPACE %d" % os.stat("/proc/self/ns/pid").st_ino
        self.change_journal(path, here, here[:-1] + (b"1" if here[-1:] == b"0" else b"0"))
        self.assert_fails(self.recover(path.name), 1, "in another container", "--force")
        self.assertEqual(self.recover("-f", path.name).returncode, 0)

    def test_where_the_archive_exists(self):
        path = self.leave_recording()
        (self.folder / "otter-endless").mkdir()
        self.assert_fails(self.recover(path.name), 1, "'otter-endless' exists already", "--output")
        self.assertEqual(self.recover("-o", "other", path.name).returncode, 0)

    def test_where_no_folder_can_hold_the_archive(self):
        path = self.leave_recording()
        (self.folder / "file").write_text("")
        for output in ("missing/deep/x", "file/x"):
            self.assert_fails(self.recover("-o", output, path.name), 1, f"cannot make the archive '{output}'", "parent folder")
        self.assertEqual(self.recover(path.name).returncode, 0)

    def test_where_something_else_is_in_the_archives_place(self):
        path = self.leave_recording()
        (path / "archive").write_text("")
        result = self.recover(path.name)
        self.assert_fails(result, 1, "cannot make the archive 'otter-endless'", "nothing of the recording")
        (path / "archive").unlink()
        self.assertEqual(self.recover(path.name).returncode, 0)

    def test_what_is_no_recording(self):
        (self.folder / "other.recording").mkdir()
        (self.folder / "other.recording/file").write_text("")
        self.assert_fails(self.recover("other.recording"), 1, "'other.recording' is not a recording")
        self.assert_fails(self.recover("--delete-empty", "other.recording"), 1, "'other.recording' is not a recording")
        (self.folder / "empty.recording").mkdir()
        self.assert_fails(self.recover("nothing"), 1, "'nothing': No such file or directory")
        self.assert_fails(self.recover(), 1, "there is no recording here")
        (self.folder / "empty.recording/journal").write_text("nonsense")
        self.assert_fails(self.recover("empty.recording"), 1, "journal is damaged")
        self.assert_fails(self.recover("--nonsense"), 2, "unknown")

    def test_while_another_recovers_it(self):
        path = self.leave_recording()
        with subprocess.Popen(["flock", path / "journal", "sh", "-c", "echo locked; exec cat"], stdin=subprocess.PIPE,
                              **OUTPUT) as holder:
            self.assertEqual(holder.stdout.readline(), "locked\n")
            self.assert_fails(self.recover(path.name), 1, "is being recovered by another process")
            holder.stdin.close()
        self.assertEqual(self.recover(path.name).returncode, 0)


if __name__ == "__main__":
    case.main()
