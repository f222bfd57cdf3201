#!/usr/bin/env python3
"""`otter record` does not disturb the program, and prints everything that a user needs."""
import json
import os
import pathlib
import pty
import select
import shutil
import signal
import subprocess
import unittest

import case


class ExitStatus(case.CommandCase):
    def test_is_that_of_the_program(self):
        for status in (0, 3, 127, 255):
            self.assertEqual(self.record(self.tool("probe"), "exit", status).returncode, status)

    def test_is_128_and_the_signal_that_ended_it(self):
        for number in (signal.SIGKILL, signal.SIGSEGV, signal.SIGTERM, signal.SIGINT):
            result = self.record(self.tool("probe"), "raise", int(number))
            self.assertEqual(result.returncode, 128 + number)

    def test_is_127_when_there_is_no_program(self):
        self.assert_fails(self.record("./nothing"), 127, "./nothing", "No such file")
        self.assert_fails(self.record("a-program-that-is-nowhere"), 127, "a-program-that-is-nowhere")
        self.assert_fails(self.record(""), 127)

    def test_is_127_when_the_program_is_here_and_not_in_the_path(self):
        shutil.copy(self.tool("probe"), self.folder / "fib")
        self.assert_fails(self.record("fib", "exit", "3"), 127, "cannot run 'fib'", "is not in PATH", "otter record ./fib")
        self.assertEqual(self.record("./fib", "exit", "3").returncode, 3)

    def test_is_127_when_the_interpreter_of_a_script_is_missing(self):
        self.assert_fails(self.record(self.write("script", "#!/nowhere/sh\n", 0o755)), 127)

    def test_is_126_when_it_cannot_be_executed(self):
        self.assert_fails(self.record(self.write("text", "hello", 0o644)), 126, "ermission")
        self.assert_fails(self.record(self.folder), 126)

    def test_is_2_for_a_wrong_command_line(self):
        self.assert_fails(self.record(), 2, "no program given")
        self.assert_fails(self.record("--nonsense=1", "true"), 2, "'--nonsense' is unknown", "otter help record")
        self.assert_fails(self.record("--chunk=1", "true"), 2, "'--chunk' is ambiguous", "--chunk-size")
        self.assert_fails(self.record("-x", "true"), 2, "'-x'")
        self.assert_fails(self.record("-o"), 2, "needs a value")
        self.assert_fails(self.record("--clock"), 2, "--clock", "needs a value")
        self.assert_fails(self.record("--clock=sundial", "true"), 2, "--clock", "sundial", "auto|tsc|monotonic")
        self.assert_fails(self.record("--chunk-size=0", "true"), 2, "--chunk-size", "'0'", "from 256K to 16M")
        self.assert_fails(self.record("--enabled=maybe", "true"), 2, "--enabled", "'maybe'", "on or off")
        self.assert_fails(self.record("-o", "", "true"), 2)

    def test_is_1_when_the_folder_of_the_archive_cannot_be_made(self):
        self.write("file", "")
        for folder in ("file/a", "file/a/b"):
            self.assert_fails(self.record("-o", folder, self.tool("probe"), "exit", 3), 1, f"'{folder}' cannot be made", ": Not a directory")
        self.assertEqual(self.record("-o", "new/a", self.tool("probe"), "exit", 3).returncode, 3)

    def test_is_1_when_the_libraries_are_missing(self):
        lonely = self.folder / "otter"
        lonely.write_bytes(pathlib.Path(self.otter).read_bytes())
        lonely.chmod(0o755)
        result = subprocess.run([lonely, "record", self.tool("probe"), "exit", "3"], capture_output=True, text=True,
                                timeout=case.PATIENCE, env=self.environment)
        self.assert_fails(result, 1, "libotter-ompt.so")


class Program(case.CommandCase):
    def test_keeps_its_input_and_output(self):
        data = bytes(range(256)) * 5000
        result = self.record("--quiet", self.tool("probe"), "copy", input=data, text=False)
        self.assertEqual(result.stdout, data)
        self.assertEqual(result.stderr, b"said on standard error\n")

    def test_keeps_its_arguments(self):
        arguments = ["--help", "-o", "", "two words", "--", "-x"]
        result = self.record(self.tool("probe"), "arguments", *arguments)
        self.assertEqual(result.stdout.splitlines(), arguments)
        result = self.record("--", self.tool("probe"), "arguments", *arguments)
        self.assertEqual(result.stdout.splitlines(), arguments)

    def test_that_masks_its_arguments_has_those_of_its_start(self):
        program = self.tool("masking")
        self.record("--quiet", "-o", self.folder / "a", program, "-n", "1024")
        found = json.loads(self.run_otter("info", "--json", self.folder / "a").stdout)
        self.assertEqual(found["command_line"], f"{program} -n 1024")

    def test_has_no_time_of_the_recorders_own_files(self):
        self.environment |= {"LD_PRELOAD": str(self.tool("libslow_chunks.so")), "OTTER_CLOCK": "monotonic", "OMP_NUM_THREADS": "1"}
        result = self.record("-o", "a", self.tool("tasks"))
        self.assertEqual(result.returncode, 0, result.stderr)
        report = json.loads(self.run_otter("report", "--json", "a").stdout)
        self.assertLess(report["wall_s"], 500)

    def test_is_searched_in_the_path(self):
        (self.folder / "bin").mkdir()
        self.write("bin/program-of-path", "#!/bin/sh\nexit 4\n", 0o755)
        self.environment["PATH"] = f"{self.folder}/bin:{self.environment['PATH']}"
        self.assertEqual(self.record("program-of-path").returncode, 4)

    def test_may_be_a_script_without_first_line(self):
        self.assertEqual(self.record(self.write("script", "exit 5\n", 0o755)).returncode, 5)

    def test_starts_with_the_signals_otter_was_started_with(self):
        def change():
            signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1, signal.SIGTERM])
            for number in (signal.SIGCHLD, signal.SIGINT, signal.SIGUSR2):
                signal.signal(number, signal.SIG_IGN)
        for prepare in (None, change):
            command = [str(self.tool("probe")), "signals"]
            plain = subprocess.run(command, capture_output=True, text=True, preexec_fn=prepare, timeout=case.PATIENCE)
            recorded = self.record(*command, preexec_fn=prepare)
            self.assertEqual(recorded.stdout, plain.stdout)
            self.assertEqual(recorded.returncode, 0)
        self.assertIn(f"blocked {int(signal.SIGUSR1)}", plain.stdout)
        self.assertIn(f"ignored {int(signal.SIGCHLD)}", plain.stdout)


class Environment(case.CommandCase):
    def of_program(self, *options):
        result = self.record(*options, self.tool("probe"), "environment")
        self.assertEqual(result.returncode, 0, result.stderr)
        return dict(line.split("=", 1) for line in result.stdout.splitlines())

    def test_names_the_tool(self):
        library = self.of_program()["OMP_TOOL_LIBRARIES"]
        self.assertTrue(library.endswith("/libotter-ompt.so"), library)
        self.assertTrue(os.path.exists(library), library)

    def test_keeps_the_tools_of_the_user_behind_ours(self):
        self.environment["OMP_TOOL_LIBRARIES"] = "/a/libtool.so:libother.so"
        ours, rest = self.of_program()["OMP_TOOL_LIBRARIES"].split(":", 1)
        self.assertTrue(ours.endswith("/libotter-ompt.so"))
        self.assertEqual(rest, "/a/libtool.so:libother.so")

    def test_says_that_the_tools_of_the_user_wait(self):
        for variable, separator in (("OMP_TOOL_LIBRARIES", ":"), ("KOKKOS_TOOLS_LIBS", ";"),
                                    ("KOKKOS_PROFILE_LIBRARY", ";")):
            with self.subTest(variable):
                self.environment = case.clean_environment() | {variable: f"/a/libtool.so{separator}libother.so"}
                if variable.startswith("KOKKOS") and not (self.folder / "lib").exists():
                    self.environment.pop(variable)
                    self.with_library_for_kokkos()
                    self.environment[variable] = f"/a/libtool.so{separator}libother.so"
                result = self.record(self.tool("probe"), "environment")
                said = [line for line in result.stderr.splitlines() if variable in line]
                self.assertEqual(len(said), 1, result.stderr)
                self.assertIn("/a/libtool.so", said[0])
                self.assertNotIn(variable, self.record("--enabled=off", self.tool("probe"), "exit").stderr)

    def test_keeps_everything_else(self):
        self.environment |= {"LD_LIBRARY_PATH": "/nowhere", "OMP_NUM_THREADS": "3", "EMPTY": ""}
        found = self.of_program()
        for name, value in self.environment.items():
            self.assertEqual(found.get(name), value, name)
        new = {name for name in found if name not in self.environment}
        self.assertLessEqual(new, {"OMP_TOOL_LIBRARIES", "OTTER_REPORT_FILE", "OTTER_WORKING_FOLDER", "OTTER_COMMAND_LINE", "OTTER_JOB",
                                   "KOKKOS_TOOLS_LIBS", "KOKKOS_PROFILE_LIBRARY"})

    def with_library_for_kokkos(self):
        """Pretends that Otter has a Kokkos connector: puts a file in its place, which nothing loads here."""
        for folder in ("bin", "lib"):
            (self.folder / folder).mkdir()
        (self.folder / "lib/libotter-ompt.so").symlink_to(self.of_program()["OMP_TOOL_LIBRARIES"])
        self.otter = shutil.copy(self.otter, self.folder / "bin")
        return self.write("lib/libotter-kokkos.so", "")

    def program_with(self, text):
        program = pathlib.Path(shutil.copy(self.tool("probe"), self.folder / "program"))
        with program.open("ab") as end:
            end.write(b"\0" + text + b"\0")
        return program

    def test_has_both_variables_of_kokkos_the_same(self):
        """Some versions of Kokkos read only the older variable, and a user may have set it."""
        library = self.with_library_for_kokkos()
        older = self.program_with(b"KOKKOS_PROFILE_LIBRARY")
        profile = {"KOKKOS_PROFILE_LIBRARY": "libmine.so"}
        for program, users, rest in ((older, {}, ""),
                                     (older, {"KOKKOS_TOOLS_LIBS": "libmine.so;libtwo.so"}, ";libmine.so;libtwo.so"),
                                     (self.tool("probe"), profile, ";libmine.so"),
                                     (self.tool("probe"), profile | {"KOKKOS_TOOLS_LIBS": ""}, ";libmine.so"),
                                     (older, profile | {"KOKKOS_TOOLS_LIBS": "libmine.so"}, ";libmine.so")):
            with self.subTest(users=users):
                self.environment = case.clean_environment() | users
                found = dict(line.split("=", 1) for line in self.record(program, "environment").stdout.splitlines())
                self.assertEqual(found["KOKKOS_TOOLS_LIBS"], f"{library}{rest}")
                self.assertEqual(found["KOKKOS_PROFILE_LIBRARY"], f"{library}{rest}")

    def test_has_one_variable_for_a_kokkos_that_is_loaded_later(self):
        """The older variable would cause a warning, as with Kokkos 3.7 and later."""
        library = self.with_library_for_kokkos()
        for users, rest in (({}, ""), ({"KOKKOS_TOOLS_LIBS": "libmine.so"}, ";libmine.so")):
            self.environment = case.clean_environment() | users
            found = self.of_program()
            self.assertEqual(found["KOKKOS_TOOLS_LIBS"], f"{library}{rest}")
            self.assertNotIn("KOKKOS_PROFILE_LIBRARY", found)

    def test_has_kokkos_call_the_tool_of_the_user_through_otter(self):
        library = self.with_library_for_kokkos()
        self.environment["KOKKOS_TOOLS_LIBS"] = "/a/libmine.so;libtwo.so"
        self.assertEqual(self.of_program()["OTTER_CHAIN"], "/a/libmine.so")
        self.assertEqual(self.of_program("--chain=libother.so")["OTTER_CHAIN"], "libother.so")
        said = self.record("--chain=libother.so", self.tool("probe"), "exit").stderr
        self.assertIn("will not run", said)
        self.environment["KOKKOS_TOOLS_LIBS"] = str(library)
        self.assertNotIn("OTTER_CHAIN", self.of_program())

    def test_has_one_variable_for_a_kokkos_that_knows_it(self):
        """The older variable causes a warning in Kokkos 3.7 and later."""
        library = self.with_library_for_kokkos()
        program = self.program_with(b"KOKKOS_TOOLS_LIBS")
        for command in ([program, "environment"], ["env", "A=1", program, "environment"]):
            for users, rest in (({}, ""), ({"KOKKOS_PROFILE_LIBRARY": "libmine.so"}, ";libmine.so")):
                self.environment = case.clean_environment() | users
                found = self.record(*command).stdout.splitlines()
                self.assertEqual([line for line in found if line.startswith("KOKKOS")], [f"KOKKOS_TOOLS_LIBS={library}{rest}"])

    def test_has_kokkos_call_the_further_tool_also_when_disabled(self):
        library = self.with_library_for_kokkos()
        self.assertEqual(self.of_program("--enabled=off", "--chain=libmine.so").get("KOKKOS_TOOLS_LIBS"), str(library))

    def test_leaves_kokkos_to_the_tools_of_the_user_when_disabled(self):
        self.with_library_for_kokkos()
        self.environment["KOKKOS_TOOLS_LIBS"] = "libmine.so"
        self.assertEqual(self.of_program("--enabled=off")["KOKKOS_TOOLS_LIBS"], "libmine.so")

    def test_keeps_the_variables_of_kokkos_without_a_library_for_it(self):
        library = self.with_library_for_kokkos()
        library.unlink()
        self.environment["KOKKOS_TOOLS_LIBS"] = "libmine.so"
        found = self.of_program()
        self.assertEqual(found["KOKKOS_TOOLS_LIBS"], "libmine.so")
        self.assertNotIn("KOKKOS_PROFILE_LIBRARY", found)

    def test_has_the_settings_of_the_command_line(self):
        self.environment["OTTER_CLOCK"] = "tsc"
        found = self.of_program("--clock=monotonic", "--trace-path", "/some/where", "--quiet", "--enabled=off")
        self.assertEqual(found["OTTER_CLOCK"], "monotonic")
        self.assertEqual(found["OTTER_TRACE_PATH"], "/some/where")
        self.assertEqual(found["OTTER_QUIET"], "on")
        self.assertEqual(found["OTTER_ENABLED"], "off")

    def test_has_the_folder_of_the_archive_absolute(self):
        found = self.of_program("-o", "results/")
        self.assertEqual(found["OTTER_FOLDER"], f"{self.folder}/results")
        self.assertEqual(self.of_program("--output=/some/where")["OTTER_FOLDER"], "/some/where")

    def test_leaves_no_report_behind(self):
        self.environment["TMPDIR"] = str(self.folder)
        report = self.of_program()["OTTER_REPORT_FILE"]
        self.assertEqual(os.path.dirname(report), str(self.folder))
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_has_a_report_of_its_own_also_without_a_temporary_folder(self):
        self.environment |= {"TMPDIR": "/nowhere", "OTTER_REPORT_FILE": "/somebody/elses"}
        self.assertRegex(self.of_program()["OTTER_REPORT_FILE"], "^/tmp/otter-report-")


class Output(case.CommandCase):
    def test_numbers_have_the_form_of_the_report(self):
        result = self.record("-o", "many", self.tool("../view/played"), "tasks")
        self.assertRegex(result.stderr, r"otter: \d{1,3}(,\d{3})+ events, \d+ tasks, ")

    def test_must_not_exist_and_then_the_program_is_not_run(self):
        (self.folder / "old").mkdir()
        result = self.record("-o", "old", "touch", "has-run")
        self.assert_fails(result, 1, "'old'", "exists")
        self.assertFalse((self.folder / "has-run").exists())

    def test_of_a_recording_is_not_given_to_another(self):
        (self.folder / "old.recording").mkdir()
        result = self.record("-o", "old", "touch", "has-run")
        self.assert_fails(result, 1, "'old.recording'", "exists", "otter recover")
        self.assertFalse((self.folder / "has-run").exists())

    def test_is_where_the_archive_goes(self):
        result = self.record("-o", "new", self.tool("tasks"))
        self.assertEqual((result.returncode, result.stdout), (0, "10 tasks\n"), result.stderr)
        self.assertTrue((self.folder / "new/traces.otf2").exists(), result.stderr)
        self.assertEqual(self.archives(), [])


class Watched:
    """A program under otter that prints the signals it receives."""

    def __init__(self, test, *command):
        reading, writing = os.pipe()
        self.process = subprocess.Popen([test.otter, "record", *map(str, command)], stdout=writing,
                                        stderr=subprocess.DEVNULL, env=test.environment, cwd=test.folder)
        os.close(writing)
        self.lines = case.Lines(test, reading)
        test.addCleanup(self.end)
        word, pid = self.line().split()
        assert word == "ready", word
        self.pid = int(pid)

    def line(self):
        return self.lines.next()

    def end(self):
        if self.process.poll() is None:
            os.kill(self.pid, signal.SIGKILL)
        self.process.wait()


class Signals(case.CommandCase):
    def test_for_otter_reach_the_program_once_each(self):
        watched = Watched(self, self.tool("probe"), "wait")
        for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2, signal.SIGALRM):
            watched.process.send_signal(number)
            self.assertEqual(watched.line(), f"signal {int(number)}")
        watched.process.send_signal(signal.SIGTERM)
        self.assertEqual(watched.line(), f"signal {int(signal.SIGTERM)}")
        self.assertEqual(watched.process.wait(case.PATIENCE), 42)

    def test_for_the_program_end_it_as_without_otter(self):
        watched = Watched(self, self.tool("probe"), "wait")
        os.kill(watched.pid, signal.SIGKILL)
        self.assertEqual(watched.process.wait(case.PATIENCE), 128 + signal.SIGKILL)

    def end_of_output(self, reading):
        """Returns whether all writers have closed the pipe; waits for it up to PATIENCE."""
        while select.select([reading], [], [], case.PATIENCE)[0]:
            if not os.read(reading, 4096):
                return True
        return False

    def test_that_kill_otter_end_the_program_too(self):
        watched = Watched(self, self.tool("probe"), "wait")
        self.addCleanup(Terminal.end, watched.pid)
        watched.process.kill()
        watched.process.wait()
        self.assertTrue(self.end_of_output(watched.lines.descriptor))

    def test_that_kill_otter_leave_what_was_recorded(self):
        reading, writing = os.pipe()
        self.addCleanup(os.close, reading)
        process = subprocess.Popen([self.otter, "record", self.tool("endless")], stdout=writing,
                                   stderr=subprocess.DEVNULL, env=self.environment, cwd=self.folder)
        os.close(writing)
        self.assertEqual(os.read(reading, 6), b"ready\n")
        process.kill()
        process.wait()
        self.assertTrue(self.end_of_output(reading))
        left, = self.archives()
        self.assertTrue(left.endswith(".recording"), left)
        self.assertEqual(self.run_otter("recover", left).returncode, 0)
        tasks = json.loads(self.run_otter("info", "--json", left.removesuffix(".recording")).stdout)["tasks"]
        self.assertGreaterEqual(tasks["created"], 100, tasks)

    def test_that_stop_the_program_alone_do_not_stop_otter(self):
        watched = Watched(self, self.tool("probe"), "wait")
        os.kill(watched.pid, signal.SIGSTOP)
        while pathlib.Path(f"/proc/{watched.pid}/stat").read_text().split()[2] != "T":
            os.sched_yield()
        watched.process.send_signal(signal.SIGUSR1)  # reaches the program only if otter is not stopped
        os.kill(watched.pid, signal.SIGCONT)
        self.assertEqual({watched.line(), watched.line()},
                         {f"signal {int(signal.SIGCONT)}", f"signal {int(signal.SIGUSR1)}"})
        watched.process.send_signal(signal.SIGTERM)
        self.assertEqual(watched.line(), f"signal {int(signal.SIGTERM)}")
        self.assertEqual(watched.process.wait(case.PATIENCE), 42)


def shell(command, environment, report):
    """Runs in a shell with job control and one job. Reports the job's changes. Continues the job after a stop: first
    the whole group, as shells do, then only otter."""
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    job = os.fork()
    if job == 0:
        os.setpgid(0, 0)
        os.tcsetpgrp(0, os.getpid())
        signal.signal(signal.SIGTTOU, signal.SIG_DFL)
        os.execvpe(command[0], command, environment)
    os.write(report, b"job %d\n" % job)
    go_on = os.killpg
    while True:
        _, status = os.waitpid(job, os.WUNTRACED)
        if os.WIFSTOPPED(status):
            os.write(report, b"stopped\n")
            go_on(job, signal.SIGCONT)
            go_on = os.kill
            continue
        os.write(report, b"status %d\n" % os.waitstatus_to_exitcode(status))
        os._exit(0)


class Terminal(case.CommandCase):
    """The keys of a terminal reach both otter and the program."""

    def start(self, *command):
        reading, report = os.pipe()
        pid, self.terminal = pty.fork()
        if pid == 0:
            shell([self.otter, "record", *map(str, command)], self.environment, report)
        os.close(report)
        self.report = case.Lines(self, reading)
        self.addCleanup(os.waitpid, pid, 0)
        self.addCleanup(os.close, self.terminal)
        self.seen = ""
        self.wait_for("ready ")
        self.wait_for("\n")
        self.otter_pid = int(self.told().split()[1])
        self.program = int(self.last)
        self.addCleanup(self.end, self.program)

    @staticmethod
    def end(program):
        try:
            os.kill(program, signal.SIGKILL)
        except ProcessLookupError:
            pass

    def wait_for(self, word):
        while word not in self.seen:
            ready, _, _ = select.select([self.terminal], [], [], case.PATIENCE)
            self.assertTrue(ready, f"no '{word}' in time after {self.seen!r}")
            self.seen += os.read(self.terminal, 4096).decode()
        self.last, _, self.seen = self.seen.partition(word)

    def told(self):
        return self.report.next()

    def test_keys_reach_the_program_once(self):
        self.start(self.tool("probe"), "wait")
        for key, number in ((b"\x03", signal.SIGINT), (b"\x1c", signal.SIGQUIT)):
            os.write(self.terminal, key)
            self.wait_for(f"signal {int(number)}")
            os.kill(self.otter_pid, signal.SIGUSR1)  # otter forwards signals in order
            self.wait_for(f"signal {int(signal.SIGUSR1)}")
            self.assertNotIn("signal", self.last)
        os.kill(self.program, signal.SIGTERM)
        self.assertEqual(self.told(), "status 42")

    def test_stop_stops_both_and_continue_continues_both(self):
        self.start(self.tool("probe"), "wait")
        for _ in range(3):
            os.write(self.terminal, b"\x1a")
            self.assertEqual(self.told(), "stopped")
            self.wait_for(f"signal {int(signal.SIGCONT)}")
        os.write(self.terminal, b"\x03")
        self.wait_for(f"signal {int(signal.SIGINT)}")
        self.assertNotIn("signal", self.last)


if __name__ == "__main__":
    case.main()
