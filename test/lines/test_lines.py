#!/usr/bin/env python3
"""Compares the lines that `otter` shows with the constructs' lines, for programs built in many ways.

The comment `HERE task,taskgroup fib` in a program says which constructs are on its line, and in which function.
`:clang` marks constructs for which GCC's debug information has another line.
"""
import json
import os
import pathlib
import platform
import random
import re
import shutil
import subprocess
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "cli"))
import case  # noqa: E402

PROGRAMS = HERE / "programs"
CLANG = os.environ.get("OTTER_TEST_CLANG", "clang-19")
# GCC's code does not report these constructs, or reports other lines.
UNSURE_OF_GCC = {"single", "masked", "barrier"}
CHECKED = {"task", "taskwait", "taskloop", "taskgroup", "parallel", "single", "masked", "barrier", "for", "sections",
           "critical", "ordered"}


def every_second(*ways):
    """Every second way to build; with EVERY=1 in the environment, all."""
    return ways[::1 if os.environ.get("EVERY") == "1" else 2]


LEVELS = every_second(["-O0", "-g"], ["-O1", "-g"], ["-O2", "-g"], ["-O3", "-g"])


def expected(program, compiler=CLANG, mark="HERE"):
    """Returns (construct, function, line) of each mark."""
    found = set()
    for number, line in enumerate((PROGRAMS / program).read_text().splitlines(), 1):
        match = re.search(rf"\b{mark} (\S+) (\S+)$", line)
        for construct in match.group(1).split(",") if match else ():
            construct, _, only = construct.partition(":")
            if not only or compiler == CLANG:
                found |= {(construct, function, number) for function in match.group(2).split(",")}
    return found


def name_of(*words):
    """Returns a file name for a compiler, which may be a path."""
    return re.sub(r"\W+", "-", "-".join(words)).strip("-")


class LinesCase(case.CommandCase):
    def require(self, *tools):
        for tool in tools:
            if not shutil.which(tool):
                self.skipTest(f"no {tool} here")

    def run_tool(self, *command, **options):
        options = {"capture_output": True, "text": True, "cwd": self.folder, "check": True} | options
        return subprocess.run([str(word) for word in command], **options)

    def build(self, source, compiler, *options, name="app"):
        self.require(compiler)
        path = self.folder / name
        self.assertIn(self.folder, path.parents, "a name that leads out of the folder")
        path.parent.mkdir(exist_ok=True)
        self.run_tool(compiler, "-fopenmp", *options, PROGRAMS / source, "-o", path)
        return path

    def record_it(self, program, *arguments):
        """Returns the archive of a run."""
        before = set(self.archives())
        result = self.record(program, *arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        new, = set(self.archives()) - before
        return new

    def record_by_library(self, program, *arguments):
        """Returns the archive of a run that no command has closed, so it has only addresses."""
        library = pathlib.Path(self.otter).parents[2] / "connectors/ompt/libotter-ompt.so"
        environment = self.environment | {"OMP_TOOL_LIBRARIES": str(library), "OTTER_QUIET": "on"}
        before = set(self.archives())
        self.run_tool(program, *arguments, env=environment)
        new, = set(self.archives()) - before
        return new

    def read(self, archive, *messages):
        """Returns the regions of the compared constructs. `messages`: the expected lines of stderr."""
        result = self.run_otter("info", "--json", archive)
        self.assertEqual(result.returncode, 0, result.stderr)
        said = result.stderr.splitlines()
        self.assertEqual(len(said), len(messages), result.stderr)
        for line, message in zip(said, messages):
            self.assertIn(message, line)
        regions = [r for r in json.loads(result.stdout)["regions"] if r["canonical_name"].startswith("!$omp ")]
        for region in regions:
            region["construct"] = region["canonical_name"].removeprefix("!$omp ")
        return [r for r in regions if r["construct"] in CHECKED and r["entered"]]

    def places(self, regions, source):
        """Returns (construct, function, line) of each region with a line, which must be in `source`."""
        found = set()
        for region in regions:
            if region["line"]:
                self.assertEqual(region["where"], f"{source}:{region['line']}")
                self.assertEqual(pathlib.Path(region["file"]).resolve(), PROGRAMS / source)
                self.assertRegex(region["name"], r" @.+\+0x[0-9a-f]+$")
                found.add((region["construct"], region["function"], region["line"]))
        return found

    def assert_no_lines(self, regions):
        self.assertTrue(regions)
        for region in regions:
            self.assertEqual((region["line"], region["file"]), (0, ""), region)
            module, plus, _ = region["where"].partition("+0x")
            self.assertTrue(region["where"] == "" or (plus and module), region)
        self.assertTrue(any(region["where"] for region in regions))


class Compilers(LinesCase):
    def check(self, source, compiler, *options):
        with self.subTest(source=source, compiler=compiler, options=options):
            program = self.build(source, compiler, *options, name=name_of(source, compiler, *options))
            found = self.places(self.read(self.record_it(program)), source)
            if compiler == CLANG:
                self.assertEqual(found, expected(source))
            else:
                certain = expected(source, compiler)
                kinds = {(construct, function) for construct, function, _ in certain}
                self.assertEqual({place for place in found if place[:2] in kinds and place[0] not in UNSURE_OF_GCC}, certain)

    def test_clang(self):
        for options in every_second(["-O0", "-g"], ["-O1", "-g"], ["-O2", "-g"], ["-O0", "-gdwarf-4"], ["-O2", "-gdwarf-4"],
                        ["-O2", "-gdwarf-5"], ["-O1", "-g", "-no-pie", "-fno-pie"], ["-O1", "-g", "-gz"],
                        ["-O1", "-g", "-gsplit-dwarf"], ["-O1", "-g", "-Wl,--build-id=none"]):
            self.check("tasks.c", CLANG, *options)

    def test_target_tasks_of_clang(self):
        for options in every_second(["-O0", "-g"], ["-O1", "-g"], ["-O2", "-g"]):
            self.check("targets.c", CLANG, *options)

    def test_gcc(self):
        for options in every_second(["-O2", "-g"], ["-O0", "-g"], ["-O0", "-gdwarf-4"], ["-O1", "-g", "-no-pie", "-fno-pie"],
                        ["-O1", "-g", "-gsplit-dwarf"], ["-O1", "-g", "-gz"]):
            self.check("tasks.c", "gcc", *options)

    def test_gcc_with_equal_functions_of_constructs(self):
        for options in LEVELS:
            self.check("alike.c", "gcc", *options)

    def test_cxx(self):
        for options in (["-O0", "-g"], ["-O2", "-g"]):
            self.check("classes.cpp", CLANG, *options, "-lstdc++")
            self.check("classes.cpp", "g++", *options)

    def test_functions_have_namespaces_without_full_debug_information(self):
        for options in (["-O0"], ["-O2"]):
            self.check("members.cpp", CLANG, *options, "-gline-tables-only", "-lstdc++")

    def check_inlined(self, source, compiler, *options):
        with self.subTest(source=source, compiler=compiler, options=options):
            program = self.build(source, compiler, *options, name=name_of(source, compiler, *options))
            regions = [r for r in self.read(self.record_it(program)) if r["construct"] != "single"]
            self.assertEqual(self.places(regions, source), expected(source, compiler))

    def test_functions_that_were_inlined(self):
        for options in every_second(["-O0", "-g"], ["-O1", "-g"], ["-O2", "-g"], ["-O2", "-gdwarf-4"], ["-O2", "-g", "-gsplit-dwarf"]):
            self.check_inlined("inlined.c", CLANG, *options)
            self.check_inlined("inlined.c", "gcc", *options)
            self.check_inlined("lambdas.cpp", CLANG, *options, "-lstdc++")
            self.check_inlined("lambdas.cpp", "g++", *options)

    def test_taskloop_at_whose_address_another_construct_stands(self):
        for compiler in (CLANG, "gcc"):
            for options in (["-O0", "-g"], ["-O2", "-g"]):
                with self.subTest(compiler=compiler, options=options):
                    program = self.build("stale.c", compiler, *options, name=name_of(compiler, *options))
                    found = self.places(self.read(self.record_it(program)), "stale.c")
                    self.assertEqual({place for place in found if place[0].startswith("task")}, expected("stale.c"))

    def test_construct_of_a_task_in_the_final_barrier(self):
        for compiler in (CLANG, "gcc"):
            self.check("final.c", compiler, "-O0", "-g")

    def check_functions_of_samples(self, source, name, wanted):
        """Checks the names that contain `name` of functions with more than 20 samples."""
        for compiler, *options in ((CLANG, "-O0", "-lstdc++"), (CLANG, "-O2", "-lstdc++"), ("g++", "-O0"), ("g++", "-O2")):
            with self.subTest(compiler=compiler, options=options):
                program = self.build(source, compiler, "-g", *options, name=name_of(compiler, *options))
                archive = self.record_it("--sample", program)
                locations = json.loads(self.run_otter("info", "--json", archive).stdout)["locations"]
                if not any(location["name"].startswith("Processor") for location in locations):
                    self.skipTest("perf events are not allowed here")
                result = self.run_otter("report", "--functions", "--json", archive)
                found = {row["function"]: row["samples"] for row in json.loads(result.stdout) if row["samples"] > 20}
                self.assertEqual({function for function in found if name in function}, wanted, found)

    def test_functions_of_samples_tell_lambdas_apart(self):
        lambdas = {f"main::{{lambda:{line}}}" for _, _, line in expected("busy_lambdas.cpp")}
        self.check_functions_of_samples("busy_lambdas.cpp", "lambda", lambdas)

    def test_functions_of_samples_tell_overloads_apart(self):
        """Only they have parameters, whatever was sampled. One is inlined into a task."""
        wanted = {"Field::solve(int)", "Field::solve(double)", "Field::single(int)", "Field::only"}
        self.check_functions_of_samples("busy_overloads.cpp", "Field", wanted)

    def test_fortran(self):
        self.check("procedures.f90", "gfortran", "-O0", "-g")

    def test_call_that_became_a_jump_is_not_shown_where_the_caller_stands(self):
        for compiler in (CLANG, "gcc"):
            for options in (["-O0", "-g"], ["-O2", "-g"]):
                with self.subTest(compiler=compiler, options=options):
                    program = self.build("jumps.c", compiler, *options, name=name_of(compiler, *options))
                    regions = self.read(self.record_it(program))
                    found = {place[:2] for place in self.places(regions, "jumps.c")}
                    called = {place[:2] for place in expected("jumps.c")}
                    self.assertEqual(found | called, called)
                    self.assertEqual({r["function"] for r in regions if r["where"]}, {"f", "g", "h"})
                    if compiler == CLANG:
                        self.assertLessEqual(self.places(regions, "jumps.c"), expected("jumps.c"))
                    if "-O0" in options or platform.machine() == "x86_64":
                        self.assertEqual(found, called)

    def test_calls_that_became_jumps_one_behind_the_other_are_shown_where_the_last_stands(self):
        for compiler in (CLANG, "gcc"):
            for options in (["-O0", "-g"], ["-O2", "-g"]):
                with self.subTest(compiler=compiler, options=options):
                    program = self.build("chains.c", compiler, *options, name=name_of(compiler, *options))
                    regions = self.read(self.record_it(program))
                    found = {place[:2] for place in self.places(regions, "chains.c")}
                    self.assertLessEqual(found, {place[:2] for place in expected("chains.c")})
                    self.assertLessEqual({r["function"] for r in regions}, {"leaf", "other", ""})
                    if "-O0" in options or platform.machine() == "x86_64":
                        self.assertIn(("taskwait", "leaf"), found)


class Constructs(LinesCase):
    """Each construct has the line of its directive, though GCC's line table has no row for it."""

    def check(self, source, compiler, *options):
        with self.subTest(compiler=compiler, options=options):
            program = self.build(source, compiler, *options, name=name_of(compiler, *options))
            self.assertEqual(self.places(self.read(self.record_it(program)), source), expected(source, compiler))

    def test_in_c(self):
        for options in (*LEVELS, ["-O2", "-g", "-no-pie", "-fno-pie"], ["-O1", "-g", "-fPIC", "-fno-plt"]):
            self.check("constructs.c", "gcc", *options)
        for options in (["-O0", "-g"], ["-O2", "-g"]):
            self.check("constructs.c", CLANG, *options)

    def test_in_cxx(self):
        for options in LEVELS:
            self.check("constructs.c", "g++", *options)

    def test_in_fortran(self):
        for options in LEVELS:
            self.check("constructs.f90", "gfortran", *options)

    def test_barriers_of_gcc_are_at_their_loop_or_sections(self):
        for source, compiler in (("constructs.c", "gcc"), ("constructs.f90", "gfortran")):
            for options in LEVELS:
                with self.subTest(compiler=compiler, options=options):
                    archive = self.record_it(self.build(source, compiler, *options, name=name_of(compiler, *options)))
                    regions = json.loads(self.run_otter("info", "--json", archive).stdout)["regions"]
                    text = (PROGRAMS / source).read_text().splitlines()
                    work = {line for construct, function, line in expected(source, compiler) if "shared_work" in function and
                            construct in ("for", "sections") and not re.search("nowait|parallel", text[line - 1])}
                    found = {r["line"] for r in regions if "implementation barrier" in r["canonical_name"] and "shared_work" in r["function"]}
                    self.assertEqual(found, work)

    def test_work_of_gcc_and_its_barriers_are_at_their_directive(self):
        for source, compiler in (("ends.c", "gcc"), ("ends.c", "g++"), ("ends.f90", "gfortran")):
            for options in (*LEVELS, ["-O2", "-g", "-fno-plt"]):
                with self.subTest(compiler=compiler, options=options):
                    archive = self.record_it(self.build(source, compiler, *options, name=name_of(compiler, *options)))
                    regions = json.loads(self.run_otter("info", "--json", archive).stdout)["regions"]
                    kinds = {f"!$omp {kind}": kind for kind in ("single", "sections", "for", "taskgroup", "taskwait")} | {
                        "!$omp implementation barrier": "barrier", "!$omp taskgroup wait": "taskgroup"}
                    found = {(kinds[r["canonical_name"]], r["function"], r["line"]) for r in regions if r["canonical_name"] in kinds}
                    self.assertEqual(found, expected(source, compiler))

    @unittest.skipUnless(platform.machine() == "x86_64", "assembler of another machine")
    def test_without_a_function_are_at_the_nearest_directive(self):
        archive = self.record_it(self.build("assembled.c", "gcc", "-O0", "-g"))
        regions = json.loads(self.run_otter("info", "--json", archive).stdout)["regions"]
        (_, _, line), = expected("assembled.c", "gcc")
        self.assertEqual([r["line"] for r in regions if r["canonical_name"] == "!$omp implementation barrier"], [line])

    def test_in_a_source_that_changed_is_not_looked_up(self):
        self.require("gcc")
        source = self.write("changed.c", (PROGRAMS / "constructs.c").read_text())
        program = self.folder / "changed"
        self.run_tool("gcc", "-g", "-O1", "-fopenmp", source, "-o", program)
        archive = self.record_it(program)
        right = expected("constructs.c", "gcc")
        found = {(r["construct"], r["function"], r["line"]) for r in self.read(archive) if r["line"]}
        self.assertEqual(found, right)
        later = program.stat().st_mtime + 10
        source.write_text("\n" * 50 + source.read_text())
        os.utime(source, (later, later))
        found = {(r["construct"], r["function"], r["line"]) for r in self.read(archive) if r["line"]}
        of_functions = {place for place in right if place[0] in ("parallel", "task", "taskloop")}
        self.assertLessEqual(of_functions, found)
        near = {line + distance for _, _, line in right for distance in (-1, 0, 1)}
        self.assertLessEqual({line for _, _, line in found}, near)
        source.unlink()
        self.assertLessEqual(of_functions, {(r["construct"], r["function"], r["line"]) for r in self.read(archive)})


class Unplaced(LinesCase):
    def test_sections_of_gcc_without_its_library(self):
        program = self.build("schedules.c", "gcc", "-O2", "-g")
        self.environment["LD_PRELOAD"] = "libomp.so.5"
        archive = self.record_by_library(program)
        del self.environment["LD_PRELOAD"]
        regions = [r for r in self.read(archive) if r["construct"] == "for"]
        self.assertEqual(sorted(bool(r["line"]) for r in regions), [False, True])
        self.assertEqual({r["where"] for r in regions if not r["line"]}, {""})

    def test_taskloop_without_a_taskgroup_of_its_own(self):
        for compiler in (CLANG, "gcc"):
            with self.subTest(compiler=compiler):
                program = self.build("tasks.c", compiler, "-O1", "-g", name=name_of(compiler))
                regions = [r for r in self.read(self.record_it(program)) if r["construct"] in ("taskloop", "task")]
                places = {(r["construct"], r["where"]) for r in regions if not r["line"]}
                self.assertEqual(places, {("taskloop", ""), ("task", "")})
                # three taskloops in loops(): the taskgroup in the second is not its own, and the third has none
                self.assertEqual(sorted(r["function"] for r in regions if r["construct"] == "taskloop"),
                                 ["", "long_directive", "loops", "loops", "split_loop"])


class Stored(LinesCase):
    """The command that closes a recording stores lines in the archive, for readers that are not Otter's."""

    def definitions(self, archive):
        """Returns {(canonical name, name, file, line)} of the regions of constructs, as otf2-print shows them."""
        self.require("otf2-print")
        text = self.run_tool("otf2-print", "-G", self.folder / archive / "traces.otf2").stdout
        found = re.findall(r'^REGION +\d+ +Name: "(.*?)" <\d+> \(Aka\. "(!\$omp .*?)" <\d+>\).*'
                           r'File: "(.*?)" <\d+>, Begin: (\d+), End: 0$', text, re.M)
        self.assertTrue(found, text)
        return {(canonical, name, file, int(line)) for name, canonical, file, line in found}

    def assert_has_lines(self, archive, source, compiler=CLANG):
        found = self.definitions(archive)
        for construct, _, line in expected(source, compiler):
            canonical = f"!$omp {construct}"
            self.assertIn((canonical, f"{canonical} @{source}:{line}", str(PROGRAMS / source), line), found)
        return found

    def test_by_record(self):
        for compiler in (CLANG, "gcc"):
            program = self.build("constructs.c", compiler, "-O1", "-g", name=name_of(compiler))
            archive = self.record_it(program)
            found = self.assert_has_lines(archive, "constructs.c", compiler)
            self.assertFalse([name for _, name, _, _ in found if "+0x" in name])

    def test_for_python(self):
        try:
            import otf2
        except ImportError:
            self.skipTest("no Python module of OTF2 here")
        archive = self.record_it(self.build("tasks.c", CLANG, "-O1", "-g"))
        with otf2.reader.open(str(self.folder / archive / "traces.otf2")) as trace:
            regions = {(r.name, r.canonical_name, r.source_file, r.begin_line_number) for r in trace.definitions.regions}
        for construct, _, line in expected("tasks.c"):
            place = f"!$omp {construct} @tasks.c:{line}"
            self.assertIn((place, f"!$omp {construct}", str(PROGRAMS / "tasks.c"), line), regions)

    def test_by_recover(self):
        program = self.build("killed.c", CLANG, "-O1", "-g")
        self.assertNotEqual(self.record(program).returncode, 0)
        result = self.run_otter("recover")
        self.assertEqual(result.returncode, 0, result.stderr)
        archive, = self.archives()
        self.assert_has_lines(archive, "killed.c")

    def both(self, program):
        """Returns two equal archives, without and with lines."""
        without = self.record_by_library(program)
        shutil.copytree(self.folder / without, self.folder / "lined-copy")
        result = self.run_otter("check", "--add-lines", "lined-copy")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"^lined-copy: lines of [1-9]\d* regions added, 0 regions without a line\n$")
        return without, "lined-copy"

    def test_by_check_and_nothing_else_changes(self):
        without, lined = self.both(self.build("tasks.c", CLANG, "-O1", "-g"))
        self.assert_has_lines(lined, "tasks.c")
        self.assertTrue(all("+0x" in name for canonical, name, _, _ in self.definitions(without) if " @" in name))
        for command in (["graph", "--hash"], ["graph", "--format=csv", "-o", "-"], ["report", "--labels", "--csv"],
                        ["report", "--tasks", "--full"]):
            texts = [self.run_otter(*command, archive) for archive in (without, lined)]
            self.assertEqual([text.returncode for text in texts], [0, 0], texts)
            self.assertEqual(texts[0].stdout.replace(without, "A"), texts[1].stdout.replace(lined, "A"))
        self.assertEqual(self.read(without), self.read(lined))
        self.assertEqual(self.run_otter("check", lined).returncode, 0)
        again = self.run_otter("check", "--add-lines", lined)
        self.assertEqual(again.stdout, "lined-copy: lines of 0 regions added, 0 regions without a line\n")

    def test_keeps_addresses(self):
        self.require("addr2line")
        program = self.build("tasks.c", CLANG, "-O0", "-g")
        found = 0
        for region in self.read(self.record_it(program)):
            if region["line"] and region["construct"] == "task":
                offset = int(region["name"].rpartition("+")[2], 16)
                line = self.run_tool("addr2line", "-e", program, hex(offset - 1)).stdout
                self.assertIn(f"tasks.c:{region['line']}", line)
                found += 1
        self.assertGreater(found, 2)

    def test_remain_when_the_program_is_gone(self):
        program = self.build("tasks.c", CLANG, "-O1", "-g")
        archive = self.record_it(program)
        program.unlink()
        self.assertEqual(self.places(self.read(archive), "tasks.c"), expected("tasks.c"))

    def test_of_two_ranks_remain_in_the_merged_archive(self):
        program = self.build("tasks.c", CLANG, "-O1", "-g")
        for rank in "01":
            self.environment |= {"PMI_RANK": rank, "PMI_SIZE": "2", "OTTER_JOB": "j"}
            self.assertEqual(self.record(program).returncode, 0)
        job, = self.archives()
        program.unlink()
        self.assertEqual(self.run_otter("merge", job).returncode, 0)
        self.assert_has_lines(job, "tasks.c")
        for rank in "01":
            regions = json.loads(self.run_otter("info", "--json", f"--rank={rank}", job).stdout)["regions"]
            found = {(r["canonical_name"], r["function"], r["line"]) for r in regions}
            self.assertLessEqual({(f"!$omp {c}", f, line) for c, f, line in expected("tasks.c")}, found)
        self.assert_fails(self.run_otter("check", "--add-lines", f"{job}/traces.otf2"), 1, "merge")

    def test_without_debug_information_get_a_hint(self):
        hint = "labels are addresses: compile with -g for source lines"
        for option in ("-g0", "-g"):
            program = self.build("tasks.c", CLANG, "-O1", option, name=name_of(option))
            archive = f"of{option}"
            result = self.record("-o", archive, program)
            self.assertEqual(result.stderr.count(hint), option == "-g0", result.stderr)
            report = self.run_otter("report", archive).stdout
            self.assertEqual(report.count("compile with -g for source lines"), option == "-g0", report)
            self.assertEqual("hint" in json.loads(self.run_otter("report", "--json", archive).stdout), option == "-g0")


class Files(LinesCase):
    def make(self, name="app"):
        return self.build("tasks.c", CLANG, "-O1", "-g", name=name)

    def test_that_was_stripped_of_debug_information_gives_functions(self):
        self.require("strip")
        program = self.make()
        self.run_tool("strip", "-g", program)
        regions = self.read(self.record_by_library(program))
        self.assert_no_lines(regions)
        self.assertLessEqual({"fib", "loops", "main"}, {r["function"] for r in regions})

    def test_that_was_stripped_of_everything_gives_addresses(self):
        self.require("strip")
        program = self.make()
        self.run_tool("strip", program)
        regions = self.read(self.record_by_library(program))
        self.assert_no_lines(regions)
        self.assertEqual({r["function"] for r in regions}, {""})
        self.assertTrue(all(r["module"] == str(program) for r in regions if r["where"]))

    def test_with_debug_information_in_another(self):
        self.require("objcopy", "strip")
        for folder in (".", ".debug"):
            with self.subTest(folder=folder):
                program = self.make("other-" + str(len(folder)))
                debug = program.with_suffix(".debug")
                self.run_tool("objcopy", "--only-keep-debug", program, debug)
                self.run_tool("strip", program)
                self.run_tool("objcopy", f"--add-gnu-debuglink={debug}", program)
                (self.folder / folder).mkdir(exist_ok=True)
                debug.rename(self.folder / folder / debug.name)
                self.assertEqual(self.places(self.read(self.record_by_library(program)), "tasks.c"), expected("tasks.c"))

    def test_with_compressed_sections(self):
        self.require("objcopy")
        for kind in ("zlib", "zlib-gnu"):
            with self.subTest(kind=kind):
                program = self.make(kind)
                self.run_tool("objcopy", f"--compress-debug-sections={kind}", program)
                self.assertEqual(self.places(self.read(self.record_by_library(program)), "tasks.c"), expected("tasks.c"))

    def test_that_is_gone_leaves_addresses(self):
        program = self.make()
        archive = self.record_by_library(program)
        program.rename(self.folder / "moved")
        self.assert_no_lines(self.read(archive))
        (self.folder / "app").mkdir()
        self.assert_no_lines(self.read(archive))

    def test_that_deletes_itself_while_it_runs(self):
        self.assert_no_lines(self.read(self.record_by_library(self.make(), "unlink")))

    def test_that_was_rebuilt_is_not_asked(self):
        program = self.make()
        archive = self.record_by_library(program)
        self.build("tasks.c", CLANG, "-O2", "-g")
        self.assert_no_lines(self.read(archive, f"'{program}' was rebuilt since the recording: its lines are not shown"))
        result = self.run_otter("info", "--all", archive)
        self.assertRegex(result.stdout, r"!\$omp task app\+0x[0-9a-f]+\n")

    def test_without_a_build_id_must_be_older_than_the_recording(self):
        program = self.build("tasks.c", CLANG, "-O1", "-g", "-Wl,--build-id=none")
        archive = self.record_by_library(program)
        self.assertTrue(self.places(self.read(archive), "tasks.c"))
        os.utime(program)
        self.assert_no_lines(self.read(archive, "was rebuilt since"))

    def test_that_is_damaged_does_no_harm(self):
        program = self.make()
        archive = self.record_by_library(program)
        whole = program.read_bytes()
        sections = self.sections(program)
        for seed in range(60):
            random.seed(seed)
            damaged = bytearray(whole)
            offset, size = random.choice(sections)
            for _ in range(random.choice((1, 10, 1000))):
                damaged[offset + random.randrange(size)] = random.choice((0, 0x7f, 0x80, 0xff, random.randrange(256)))
            self.replace(program, bytes(damaged))
            with self.subTest(seed=seed):
                self.assertEqual(self.run_otter("info", "--all", archive, errors="replace").returncode, 0)
        for size in (0, 4, 64, 1000, len(whole) // 2, len(whole) - 1):
            self.replace(program, whole[:size])
            with self.subTest(size=size):
                self.assertEqual(self.run_otter("info", "--all", archive, errors="replace").returncode, 0)

    def replace(self, program, content):
        """Writes a new file: the old file may still be mapped."""
        fresh = program.with_suffix(".new")
        fresh.write_bytes(content)
        fresh.rename(program)

    def sections(self, program):
        """Returns (offset, size) of the debug sections and of the table of sections."""
        self.require("readelf")
        found = []
        for line in self.run_tool("readelf", "-SW", program).stdout.splitlines():
            match = re.match(r" *\[ *\d+\] \.debug\S+ +\S+ +\S+ ([0-9a-f]+) ([0-9a-f]+)", line)
            if match and int(match.group(2), 16):
                found.append((int(match.group(1), 16), int(match.group(2), 16)))
        self.assertGreater(len(found), 4)
        table = program.stat().st_size - 64 * 20
        return found + [(table, 64 * 20)]


class Libraries(LinesCase):
    def test_of_one_name_in_two_folders(self):
        self.require(CLANG)
        loader = self.build("loader.c", CLANG, "-O1", "-g", "-ldl", name="loader")
        for folder, option in (("one", "-O1"), ("two", "-DTHERE")):
            self.build("work.c", CLANG, "-shared", "-fPIC", "-O1", "-g", option, name=f"{folder}/libwork.so")
        # with relative paths
        regions = self.read(self.record_it(loader, "one/libwork.so", "./two/libwork.so"))
        for folder, mark in (("one", "HERE"), ("two", "THERE")):
            inside = [r for r in regions if r["module"] == str(self.folder / folder / "libwork.so")]
            self.assertEqual(self.places(inside, "work.c"), expected("work.c", mark=mark))
        in_loader = [r for r in regions if r["module"] == str(loader)]
        self.assertEqual(self.places(in_loader, "loader.c"), expected("loader.c"))

    def test_that_lay_in_one_place_one_after_the_other(self):
        self.require(CLANG)
        loader = self.build("reloader.c", CLANG, "-O1", "-g", "-ldl", name="reloader")
        libraries = [self.build("work.c", CLANG, "-shared", "-fPIC", "-O1", "-g", option, name=f"{name}.so")
                     for name, option in (("one", "-O1"), ("two", "-DTHERE"))]
        regions = self.read(self.record_it(loader, *libraries))
        for library, mark in zip(libraries, ("HERE", "THERE")):
            inside = [r for r in regions if r["module"] == str(library)]
            self.assertEqual(self.places(inside, "work.c"), expected("work.c", mark=mark))
            self.assertEqual([r["entered"] for r in inside], [2, 2])

    def test_in_a_folder_whose_name_is_no_utf8(self):
        loader = self.build("loader.c", CLANG, "-O1", "-g", "-ldl", name=os.fsdecode(b"caf\xe9/loader"))
        library = self.build("work.c", CLANG, "-shared", "-fPIC", "-O1", "-g", name=os.fsdecode(b"caf\xe9/libwork.so"))
        regions = self.read(self.record_it(loader, library))
        for module, source in (("loader", "loader.c"), ("libwork.so", "work.c")):
            inside = [r for r in regions if r["module"] == str(self.folder / "café" / module)]
            self.assertEqual(self.places(inside, source), expected(source))

    def test_that_is_an_openmp_runtime_has_no_lines(self):
        loader = self.build("loader.c", CLANG, "-O1", "-g", "-ldl", name="loader")
        library = self.build("work.c", CLANG, "-shared", "-fPIC", "-O1", "-g", name="libomp.so.99")
        regions = [r for r in self.read(self.record_it(loader, library)) if r["module"] == str(library)]
        self.assert_no_lines(regions)
        self.assertEqual({(r["function"], r["where"].partition("+")[0]) for r in regions}, {("", "libomp.so.99")})


class Text(LinesCase):
    def test_names_construct_line_and_function(self):
        program = self.build("tasks.c", CLANG, "-O1", "-g")
        result = self.run_otter("info", "--all", self.record_it(program))
        for construct, function, line in expected("tasks.c"):
            self.assertRegex(result.stdout, rf"\d+  !\$omp {construct} tasks\.c:{line} \({function}\)")


if __name__ == "__main__":
    case.main()
