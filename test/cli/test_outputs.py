#!/usr/bin/env python3
"""What an output may replace, and what remains of it if the command does not finish.

usage: test_outputs.py OTTER FOLDER [unittest's arguments]
"""
import fcntl
import os
import resource
import signal
import subprocess
import threading
import time

from case import PATIENCE, CommandCase, main

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)


class Outputs(CommandCase):
    def setUp(self):
        super().setUp()
        self.archive = self.make("a")

    def content(self):
        return {str(path): path.read_bytes() for path in sorted(self.archive.rglob("*")) if path.is_file()}

    def assert_refuses(self, *arguments):
        before = self.content()
        result = self.run_otter(*arguments)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertRegex(result.stderr.splitlines()[-1], "cannot write .*: it would be inside the archive that is being read")
        self.assertEqual(self.content(), before)

    COMMANDS = [("view", "-o"), ("export", "--to=csv", "-o"), ("export", "--to=perfetto", "-o"), ("graph", "--all", "-o"),
                ("export", "--to=parquet", "-o")]

    def test_no_output_is_in_the_archive(self):
        (self.folder / "file").symlink_to("a/traces.def")
        (self.folder / "folder").symlink_to("a/traces")
        (self.folder / "around").symlink_to(self.folder)
        for command in self.COMMANDS:
            for name in ("a/traces.def", "a/traces.otf2", "a/new", "a/traces/new", "./a//../a/traces/0.evt", "folder/new",
                         "around/a/new", str(self.archive / "x")):
                for archive in ("a", "a/traces.otf2", "around/a"):
                    self.assert_refuses(*command, name, archive)
            if "parquet" not in command[1]:
                self.assert_refuses(*command, "file", "a")

    def test_the_files_beside_a_graph_are_not_in_the_archive(self):
        (self.folder / "g.nodes.csv").symlink_to("a/traces.def")
        before = self.content()
        result = self.run_otter("graph", "-o", "g.csv", "a")
        self.assertEqual(result.returncode, 1)
        self.assertIn("inside the archive that is being read", result.stderr)
        self.assertEqual(self.content(), before)
        self.assertFalse((self.folder / "g.csv").exists())

    def test_a_comparison_writes_into_neither_side(self):
        self.make("b")
        for name in ("a/traces.def", "b/new.xml"):
            before = self.content()
            result = self.run_otter("diff", "--fail-if=wall>+1000%", f"--junit={name}", "a", "b")
            self.assertEqual(result.returncode, 1)
            self.assertIn(f"cannot write '{name}': it would be inside the archive that is being read", result.stderr)
            self.assertEqual(self.content(), before)

    def test_a_merged_archive_is_not_in_its_sources(self):
        self.make("b")
        result = self.run_otter("merge", "--force", "-o", "a/merged", "a", "b")
        self.assert_fails(result, 1, "'a/merged'", "in an archive that is merged")
        self.assertEqual(sorted(path.name for path in self.archive.iterdir()), ["traces", "traces.def", "traces.otf2"])

    def test_a_merged_archive_is_no_standard_output(self):
        self.assert_fails(self.run_otter("merge", "-o", "-", "a"), 2, "standard output")
        self.assertFalse((self.folder / "-").exists())

    def test_a_file_beside_the_archive_is_replaced(self):
        for command in self.COMMANDS[:-1]:
            self.write("out.gv", "old")
            self.assertEqual(self.run_otter(*command, "out.gv", "a").returncode, 0, command)
            self.assertNotEqual((self.folder / "out.gv").read_bytes(), b"old")

    def test_a_replaced_file_keeps_its_mode(self):
        for mode in (0o600, 0o640, 0o604):
            path = self.write("out.html", "old", mode)
            self.assertEqual(self.run_otter("view", "-o", "out.html", "a").returncode, 0)
            self.assertEqual(path.stat().st_mode & 0o777, mode)
            self.assertNotEqual(path.read_bytes(), b"old")

    def test_only_a_file_is_offered_to_a_browser(self):
        with open(self.folder / "page", "w", encoding="utf-8") as page:
            for device in ("/dev/null", "/dev/stdout"):
                result = self.run_otter("view", "-o", device, "a", capture_output=False, stdout=page, stderr=subprocess.PIPE)
                self.assertEqual((result.returncode, result.stderr), (0, ""), device)

    def test_a_pipe_gets_the_page(self):
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        contents = []
        reader = threading.Thread(target=lambda: contents.append(pipe.read_bytes()))
        reader.start()
        result = self.run_otter("view", "-o", "pipe", "a")
        reader.join(PATIENCE)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertTrue(contents[0].rstrip().endswith(b"</html>"))


class Unfinished(CommandCase):
    def parts(self):
        return sorted(path.name for path in self.folder.rglob("*.part"))

    def wait_for(self, condition):
        end = time.monotonic() + PATIENCE
        while not condition():
            self.assertLess(time.monotonic(), end, "nothing in time")
            time.sleep(0.01)

    @staticmethod
    def heed_signals():
        """Restores the default action of signals that the caller of this test may ignore."""
        for number in SIGNALS:
            signal.signal(number, signal.SIG_DFL)

    def start_and_block(self, preexec_fn=None):
        """Starts a command that has an unfinished file and waits for the reader of a pipe."""
        self.make("a")
        if not (self.folder / "g.nodes.csv").exists():
            os.mkfifo(self.folder / "g.nodes.csv")
        process = subprocess.Popen([self.otter, "graph", "-o", "g.csv", "a"], cwd=self.folder, env=self.environment,
                                   stderr=subprocess.PIPE, text=True, preexec_fn=preexec_fn or self.heed_signals)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.wait_for(self.parts)
        return process

    def test_a_signal_removes_what_is_not_complete(self):
        for number in SIGNALS:
            with self.subTest(number):
                process = self.start_and_block()
                process.send_signal(number)
                self.assertEqual(process.wait(PATIENCE), -number)
                self.assertEqual(self.parts(), [])
                self.assertFalse((self.folder / "g.csv").exists())
                subprocess.run(["rm", "-r", self.folder / "a"], check=True)

    def test_an_ignored_signal_stays_ignored(self):
        process = self.start_and_block(preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        process.send_signal(signal.SIGHUP)
        (self.folder / "g.nodes.csv").read_bytes()
        self.assertEqual(process.wait(PATIENCE), 0)

    def test_the_next_run_removes_what_a_killed_run_left(self):
        process = self.start_and_block()
        process.kill()
        process.wait(PATIENCE)
        self.assertEqual(self.parts(), [f"g.csv.{process.pid}.part"])
        (self.folder / "g.nodes.csv").unlink()
        self.assertEqual(self.run_otter("graph", "-o", "g.csv", "a").returncode, 0)
        self.assertEqual(self.parts(), [])

    def test_the_next_run_removes_a_folder_that_a_killed_run_left(self):
        self.make("a")
        left = self.folder / "p.1234.part" / "tasks"
        left.mkdir(parents=True)
        (left / "x.parquet").write_text("x")
        self.assertEqual(self.run_otter("export", "--to=parquet", "-o", "p", "a").returncode, 0)
        self.assertEqual(self.parts(), [])

    def test_other_files_remain(self):
        self.make("a")
        names = ["out.csv.12.part", "out.csv.x.part", "other.csv.12.part", "out.csv.12.part2", "out.csv..part"]
        for name in names:
            self.write(name, "x")
        with open(self.folder / "out.csv.12.part") as writer:  # the command that writes this file is still running
            fcntl.flock(writer, fcntl.LOCK_EX)
            self.assertEqual(self.run_otter("export", "--to=csv", "-o", "out.csv", "a").returncode, 0)
        for name in names:
            self.assertEqual((self.folder / name).read_text(), "x", name)

    def test_a_limit_on_the_size_of_files_is_an_error(self):
        self.make("a")
        limit = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024))}
        for arguments in (("view", "-o", "x.html", "a"), ("export", "--to=csv", "-o", "x.csv", "a"),
                          ("graph", "--all", "-o", "x.gv", "a"), ("export", "--to=parquet", "-o", "x", "a")):
            with self.subTest(arguments):
                result = self.run_otter(*arguments, **limit)
                self.assertEqual(result.returncode, 1, result.stderr)
                self.assertIn("File too large", result.stderr)
                self.assertEqual([path.name for path in self.folder.iterdir()], ["a"])


if __name__ == "__main__":
    main()
