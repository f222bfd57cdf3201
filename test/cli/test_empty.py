#!/usr/bin/env python3
"""`otter record` explains why nothing, or only a part, was recorded."""
import json
import os
import pathlib
import re
import shutil
import signal
import unittest

import case


class Recorded(case.CommandCase):
    """Complete recordings must not cause any of the explanations below."""

    def assert_recorded(self, result):
        self.assertEqual((result.returncode, result.stdout), (0, "10 tasks\n"), result.stderr)
        self.assertNotIn("nothing was recorded", result.stderr)
        self.assertEqual(len(self.archives()), 1, result.stderr)
        found = self.run_otter("info", "--json", self.archives()[0])
        self.assertIn('"created": 10', found.stdout)

    def test_without_explanation(self):
        self.assert_recorded(self.record(self.tool("tasks")))

    def test_by_a_script(self):
        script = self.write("script", f"#!/bin/sh\n{self.tool('tasks')}\n", 0o755)
        self.assert_recorded(self.record(script))

    def test_on_another_runtime_when_gcc_built_it(self):
        result = self.record(self.tool("tasks_gcc"))
        if "was not found" in result.stderr:
            self.skipTest("there is no libomp where one is searched")
        self.assert_recorded(result)
        said = [line for line in result.stderr.splitlines() if "GCC's OpenMP runtime" in line]
        self.assertEqual(len(said), 1, result.stderr)
        self.assertIn("--libomp=none", said[0])

    def test_on_the_runtime_that_is_named(self):
        result = self.record(self.tool("tasks_gcc"))
        named = re.search(r"running it on LLVM's, (\S+)", result.stderr)
        if not named:
            self.skipTest("there is no libomp where one is searched")
        link = self.folder / "libomp.so.5"
        os.symlink(named.group(1), link)
        result = self.record("--libomp", link, self.tool("tasks_gcc"))
        self.assertIn(f"running it on LLVM's, {link} ", result.stderr)
        result = self.record("--libomp=./libomp.so.5", "-o", "relative", self.tool("tasks_gcc"))
        self.assertIn(f"running it on LLVM's, {os.path.realpath(link)} ", result.stderr)
        self.assertEqual(result.stdout, "10 tasks\n")

    def test_with_a_reduction_that_resembles_a_scan(self):
        result = self.record("-o", "reduced", self.tool("reduce_gcc"))
        if "was not found" in result.stderr:
            self.skipTest("there is no libomp where one is searched")
        self.assertEqual((result.returncode, result.stdout), (0, "45 tasks\n"), result.stderr)
        self.assertIn("10 created, 10 completed", self.run_otter("info", "reduced").stdout)

    def test_with_a_doacross_loop_in_a_team_of_two(self):
        self.environment["OMP_NUM_THREADS"] = "2"
        result = self.record("-o", "ordered", self.tool("doacross_gcc"))
        if "was not found" in result.stderr:
            self.skipTest("there is no libomp where one is searched")
        self.assertEqual((result.returncode, result.stdout), (0, "45\n"), result.stderr)
        self.assertIn("1 region, team of 2 threads", self.run_otter("info", "ordered").stdout)

    def test_where_the_command_was_typed(self):
        self.folder = self.folder / "here"
        self.folder.mkdir()
        self.assert_recorded(self.record(self.tool("tasks"), "elsewhere"))

    def test_of_a_program_that_clears_its_environment(self):
        self.assert_recorded(self.record(self.tool("tasks"), "clear"))

    def test_in_words_that_fit_the_numbers(self):
        self.environment["OMP_NUM_THREADS"] = "1"
        self.record("-o", "single", "--switches=off", self.tool("tasks"))
        result = self.run_otter("info", "single")
        self.assertRegex(result.stdout, r"parallel +1 region, team of 1 thread\n")
        self.assertRegex(result.stdout, r"events +\d+ on 1 location,")

    def assert_refused(self, libomp, *words):
        """Checks that the program does not run and that the only output is the reason."""
        result = self.record("--libomp", libomp, self.tool("tasks_gcc"))
        self.assert_fails(result, 1, f"--libomp={libomp}", "--libomp=none", *words)
        self.assertEqual(result.stdout, "")

    def test_not_on_a_runtime_that_is_none(self):
        self.assert_refused("/nowhere/libomp.so", "No such file")
        self.assert_refused("libnowhere.so", "the loader does not find it")
        self.assert_refused(str(self.folder), "not a shared library")
        self.assert_refused(str(self.write("text.so", "text")), "not a shared library")
        self.assert_refused(str(self.tool("probe")), "not a shared library")
        self.assert_refused(str(self.tool("libother_tool.so")), "not LLVM's OpenMP runtime")
        self.assert_refused("libm.so.6", "not LLVM's OpenMP runtime")

    def test_not_on_a_runtime_for_another_machine(self):
        foreign = bytearray(self.tool("libother_tool.so").read_bytes())
        foreign[18:20] = b"\xff\x00"  # e_machine
        path = self.folder / "foreign.so"
        path.write_bytes(foreign)
        self.assert_refused(str(path), "a different machine")

    def test_with_the_address_sanitizer_that_wants_to_be_first(self):
        result = self.record(self.tool("tasks_gcc_asan"))
        if "was not found" in result.stderr:
            self.skipTest("there is no libomp where one is searched")
        self.assert_recorded(result)

    def test_and_tasks_that_were_cancelled_counted_once(self):
        self.environment["OMP_CANCELLATION"] = "true"
        result = self.record("-o", "cancelled", self.tool("tasks"), "cancel")
        found = json.loads(self.run_otter("info", "--json", "cancelled").stdout)["tasks"]
        self.assertEqual(found, {"created": 20, "completed": 10, "never_ran": 9, "cancelled": 1, "unfinished": 0}, result.stderr)


class Nothing(case.CommandCase):
    def assert_explained(self, result, *words, status=0):
        """Checks that a single message says that nothing was recorded, and gives the reason in these words."""
        self.assertEqual(result.returncode, status, result.stderr)
        said = [line for line in result.stderr.splitlines() if "nothing was recorded" in line]
        self.assertEqual(len(said), 1, result.stderr)
        for word in words:
            self.assertIn(word, said[0])
        self.assertEqual(self.archives(), [])

    def test_program_without_openmp(self):
        result = self.record(self.tool("probe"), "exit", "3")
        self.assert_explained(result, "'probe' uses no OpenMP", "-fopenmp", "LD_PRELOAD=libomp", status=3)

    def test_python_that_loads_openmp_later(self):
        python = shutil.copy(self.tool("probe"), self.folder / "python3.11")
        self.assert_explained(self.record(python, "exit"), "LD_PRELOAD=libomp.so.5 otter record python3.11", "package")

    def test_program_of_which_a_library_is_missing(self):
        program = pathlib.Path(self.folder, "program")
        program.write_bytes(self.tool("probe").read_bytes().replace(b"libc.so.6\0", b"libX.so.6\0"))
        program.chmod(0o755)
        self.assert_explained(self.record(program), "libraries of 'program' cannot be listed", "ldd", status=127)

    def test_labels_without_kokkos(self):
        result = self.record("--only=solve", "-o", "nothing", self.tool("tasks"))
        said = [line for line in result.stderr.splitlines() if "only=solve" in line]
        self.assertEqual(len(said), 1, result.stderr)
        self.assertIn("no Kokkos", said[0])

    def test_static_program(self):
        self.assert_explained(self.record(self.tool("probe_static"), "exit"), "'probe_static' is linked statically", "without -static")

    def test_script(self):
        script = self.write("script", "#!/bin/sh\nexit 3\n", 0o755)
        self.assert_explained(self.record(script), f"the script '{script}' started", "LD_PRELOAD=libomp", status=3)

    def test_program_that_never_enters_openmp(self):
        self.assert_explained(self.record(self.tool("tasks"), "none"), "was not loaded", "did the program use OpenMP")

    def test_kokkos_program_that_does_nothing(self):
        self.assert_explained(self.record(self.tool("idle_kokkos")), "never executed an OpenMP construct", "named nothing in Kokkos")

    def test_library_whose_path_the_variable_cannot_hold(self):
        for folder in ("a:b", "a:b/bin", "a:b/lib"):
            (self.folder / folder).mkdir()
        self.otter = shutil.copy(self.otter, self.folder / "a:b/bin")
        self.write("a:b/lib/libotter-ompt.so", "")
        self.assert_fails(self.record(self.tool("tasks")), 1, "a:b", "colon", "OMP_TOOL_LIBRARIES")

    def test_swapped_runtime_may_be_why_a_program_crashes(self):
        words = "'tasks_gcc' ran on LLVM's OpenMP runtime instead of GCC's"
        self.assertIn(words, self.record(self.tool("tasks_gcc"), "abort").stderr.splitlines()[-1])
        self.assertNotIn(words, self.record(self.tool("tasks_gcc"), "kill").stderr)
        self.assertNotIn("instead of GCC's", self.record(self.tool("tasks"), "abort").stderr)

    def test_tools_are_forbidden(self):
        self.environment["OMP_TOOL"] = "Disabled"
        result = self.record(self.tool("tasks"))
        self.assert_explained(result, "OMP_TOOL=Disabled")
        self.assertIn("OpenMP will not be recorded", result.stderr)

    def test_tools_are_forbidden_by_a_word_that_runtimes_do_not_know(self):
        for word in ("foo", "1", "on"):
            self.environment["OMP_TOOL"] = word
            result = self.record(self.tool("tasks"))
            self.assert_explained(result, f"OMP_TOOL={word}", "enabled")
            self.assertIn("OpenMP will not be recorded", result.stderr)

    def test_setting(self):
        self.assert_explained(self.record("--enabled=off", self.tool("tasks")), "enabled=off")

    def test_setting_among_the_arguments_of_kokkos(self):
        self.assert_explained(self.record(self.tool("tasks"), "x", "--kokkos-tools-args=enabled=off"), "enabled=off")
        self.environment["KOKKOS_TOOLS_ARGS"] = "enabled=off"
        self.assert_explained(self.record(self.tool("tasks")), "enabled=off")

    def test_gcc_runtime_and_no_other_wanted(self):
        result = self.record("--libomp=none", self.tool("tasks_gcc"))
        self.assert_explained(result, "GCC's OpenMP runtime", "--libomp=none")
        self.assertEqual(result.stdout, "10 tasks\n")

    def test_gcc_program_that_other_runtimes_cannot_run(self):
        result = self.record(self.tool("fulfil_gcc"))
        self.assert_explained(result, "GCC's OpenMP runtime", "detach")
        self.assertEqual(result.stdout, "fulfilled\n")

    def test_gcc_program_with_a_target_region_that_other_runtimes_lack(self):
        result = self.record(self.tool("target_gcc"))
        self.assert_explained(result, "GCC's OpenMP runtime", "target regions")
        self.assertEqual(result.stdout, "3\n")

    def test_gcc_program_that_wants_what_other_runtimes_lack(self):
        result = self.record(self.tool("devices_gcc"))
        self.assert_explained(result, "GCC's OpenMP runtime", "lacks omp_target_alloc@OMP_4.5")
        self.assertEqual((result.returncode, result.stdout), (0, "3 7\n"))

    def test_gcc_program_with_a_scan_that_other_runtimes_abort(self):
        result = self.record(self.tool("scan_gcc"))
        self.assert_explained(result, "GCC's OpenMP runtime", "scan")
        self.assertEqual(result.stdout, "45\n")

    def test_gcc_program_with_a_doacross_loop_that_crashes_in_a_team_of_one(self):
        for name, value in (("OMP_NUM_THREADS", "1,4"), ("OMP_THREAD_LIMIT", "1")):
            self.environment[name] = value
            result = self.record(self.tool("doacross_gcc"))
            self.assert_explained(result, "GCC's OpenMP runtime", "one thread", "doacross")
            self.assertEqual(result.stdout, "45\n")
            del self.environment[name]

    def test_another_tool_was_there_first(self):
        self.environment["LD_PRELOAD"] = str(self.tool("libother_tool.so"))
        result = self.record(self.tool("tasks"))
        self.assert_explained(result, "libother_tool.so", "ompt_start_tool")
        self.assertEqual(result.stdout, "10 tasks\n")

    def test_library_that_cannot_be_loaded(self):
        for folder in ("bin", "lib"):
            (self.folder / folder).mkdir()
        self.otter = shutil.copy(self.otter, self.folder / "bin")
        self.write("lib/libotter-ompt.so", "no library")
        self.assert_explained(self.record(self.tool("tasks")), "cannot be loaded", "libotter-ompt.so")

    def test_runtime_without_tools_interface(self):
        self.environment["LD_LIBRARY_PATH"] = str(self.tool("no_tools"))
        result = self.record(self.tool("tasks"), "none")
        self.assert_explained(result, "without a tools interface", "no_tools/libomp.so.5")

    def test_nobody_knows_of_a_program_with_the_rights_of_another(self):
        if os.geteuid() != 0:
            self.skipTest("only root can make one")
        self.let_others_run_otter()
        os.chmod(self.folder, 0o777)
        program = shutil.copy(self.tool("tasks"), self.folder)
        os.chown(program, 65534, -1)
        os.chmod(program, 0o4755)
        result = self.record(program, "none", user=1, group=1, extra_groups=[])
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("'tasks' is not recorded: it is setuid or setgid", result.stderr)
        self.assertNotIn("nothing was recorded", result.stderr)

    def test_program_killed_before_openmp(self):
        result = self.record("sh", "-c", "kill -SEGV $$")
        self.assertEqual(result.returncode, 128 + signal.SIGSEGV, result.stderr)
        self.assertRegex(result.stderr, r"(?s)killed by signal 11 \(.*nothing was recorded")

    def test_killed_program_names_what_it_left(self):
        result = self.record(self.tool("tasks"), "kill")
        self.assertEqual(result.returncode, 128 + signal.SIGKILL, result.stderr)
        said = [line for line in result.stderr.splitlines() if "killed by signal 9" in line]
        self.assertEqual(len(said), 1, result.stderr)
        left = self.folder / said[0].split()[-1]
        self.assertTrue(left.is_dir() and left.name.endswith(".recording"), said[0])

    def test_killed_program_names_what_it_left_elsewhere(self):
        (self.folder / "there").mkdir()
        for option, beginning in (("--trace-path=there", "there/"), ("--output=out", "")):
            with self.subTest(option):
                result = self.record(option, self.tool("tasks"), "kill")
                left = pathlib.Path(self.folder, result.stderr.split()[-1])
                self.assertTrue(left.is_dir() and left.name.endswith(".recording"), result.stderr)

    def test_killed_program_of_a_script_names_what_it_left(self):
        tasks = self.tool("tasks")
        result = self.record(self.write("script", f"#!/bin/sh\n{tasks} kill\n{tasks}\n", 0o755))
        self.assertEqual((result.returncode, result.stdout), (0, "10 tasks\n"), result.stderr)
        said = [line for line in result.stderr.splitlines() if "without completing its archive" in line]
        self.assertEqual(len(said), 1, result.stderr)
        self.assertTrue((self.folder / said[0].split()[-1]).is_dir(), said[0])
        self.assertEqual(len([name for name in self.archives() if not name.endswith(".recording")]), 1)

    def test_program_that_becomes_another_names_what_it_left(self):
        for options, times, n in (([], "exec", 1), (["--output=out"], "exec", 1), ([], "exec twice", 2)):
            with self.subTest(options=options, times=times):
                result = self.record(*options, self.tool("tasks"), times)
                self.assertEqual((result.returncode, result.stdout), (0, "10 tasks\n"), result.stderr)
                left = {line.split()[-1] for line in result.stderr.splitlines() if "executed another program" in line}
                self.assertEqual(len(left), n, result.stderr)
                self.assertTrue(all(name.endswith(".recording") and (self.folder / name).is_dir() for name in left), left)

    def test_names_that_are_taken_have_the_process_once_and_a_number(self):
        for setting, expected in (("OTTER_TRACE_NAME", ["a.P.recording", "a.P.2.recording", "a.P.3"]),
                                  ("OTTER_FOLDER", ["b.recording", "b.P.recording", "b.P.2"])):
            with self.subTest(setting):
                self.environment[setting] = expected[0][0]
                result = self.record(self.tool("tasks"), "exec twice")
                names = {re.sub(r"^(.)\.\d+", r"\1.P", path.name) for path in self.folder.glob(expected[0][0] + ".*")}
                self.assertEqual(names, set(expected), result.stderr)

    def test_recording_of_another_process_is_not_its_own(self):
        (self.folder / "out.recording").mkdir()
        self.environment["OTTER_FOLDER"] = "out"
        result = self.record(self.tool("idle_kokkos"), self.tool("tasks"))
        self.assertEqual((result.returncode, result.stdout), (0, "10 tasks\n"), result.stderr)
        self.assertNotIn("another program", result.stderr)
        self.assertEqual(len(list(self.folder.glob("out.*/traces.otf2"))), 1, result.stderr)
        result = self.record(self.tool("tasks"), "kill")
        left = self.folder / result.stderr.split()[-1]
        self.assertRegex(left.name, r"^out\.\d+\.recording$")
        self.assertTrue(left.is_dir(), result.stderr)

    def test_what_is_amiss_in_the_environment_is_told_once_for_all_processes(self):
        self.environment["OTTER_COLOUR"] = "red"
        tasks = self.tool("tasks")
        for command in ([tasks, "exec"], ["sh", "-c", f"{tasks}; {tasks}"], [tasks, "none"]):
            with self.subTest(command):
                result = self.record(*command)
                self.assertEqual(result.stderr.count("OTTER_COLOUR"), 1, result.stderr)

    def test_silence_when_quiet(self):
        for command in (["probe", "exit"], ["tasks"], ["tasks", "none"]):
            result = self.record("--quiet", self.tool(command[0]), *command[1:])
            self.assertEqual((result.returncode, result.stderr), (0, ""))


if __name__ == "__main__":
    case.main()
