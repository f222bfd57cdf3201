#!/usr/bin/env python3
"""The folder of an archive, and the messages about it: output.py TOOL PROGRAM (a fib).

Each test runs the program under the tool with some environment and looks at folder, messages, stdout and exit status.
"""
import os
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import unittest

TOOL, PROGRAM = (str(pathlib.Path(path).resolve()) for path in sys.argv[1:3])


class Output(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.folder = pathlib.Path(made.name).resolve()

    def run_program(self, tool=TOOL, **settings):
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("OTTER_", "OMP_"))}
        environment |= {"OMP_NUM_THREADS": "2", "OMP_TOOL_LIBRARIES": tool} | settings
        run = subprocess.run([PROGRAM, "8"], cwd=self.folder, env=environment, capture_output=True, text=True, check=False)
        plain = subprocess.run([PROGRAM, "8"], cwd=self.folder, env=environment | {"OMP_TOOL": "disabled"},
                               capture_output=True, text=True, check=False)
        self.assertEqual((run.returncode, run.stdout), (plain.returncode, plain.stdout))
        return run

    def names(self):
        return sorted(path.name for path in self.folder.iterdir())

    def the_archive(self):
        self.assertEqual(len(self.names()), 1, self.names())
        archive = self.folder / self.names()[0]
        self.assertTrue((archive / "traces.otf2").is_file())
        return archive.name

    def test_default_name_tells_program_date_and_process(self):
        run = self.run_program()
        name = pathlib.Path(PROGRAM).name
        self.assertRegex(self.the_archive(), rf"^otter-{re.escape(name)}-\d{{8}}-\d{{6}}-\d+$")
        self.assertIn(f"OTTER_TRACE_FOLDER={self.folder}/{self.the_archive()}\n", run.stderr)
        self.assertIn(f"otter report {self.the_archive()}\n", run.stderr)

    def test_path_is_made_and_name_gets_the_process(self):
        self.run_program(OTTER_TRACE_PATH="a/b", OTTER_TRACE_NAME="mine")
        names = [path.name for path in (self.folder / "a/b").iterdir()]
        self.assertEqual(len(names), 1)
        self.assertRegex(names[0], r"^mine\.\d+$")

    def test_host_and_rank_are_in_the_name(self):
        self.run_program(OTTER_TRACE_NAME="mine", OTTER_APPEND_HOSTNAME="on", PMIX_RANK="7")
        self.assertRegex(self.the_archive(), rf"^mine\.{re.escape(socket.gethostname())}\.7\.\d+$")

    def test_rank_of_slurm_is_in_the_default_name(self):
        self.run_program(SLURM_PROCID="12")
        self.assertRegex(self.the_archive(), r"-r12-\d+$")

    def test_exact_folder(self):
        self.run_program(OTTER_FOLDER="exact")
        self.assertEqual(self.the_archive(), "exact")

    def test_existing_folder_is_left_alone(self):
        (self.folder / "exact").mkdir()
        run = self.run_program(OTTER_FOLDER="exact")
        self.assertEqual(list((self.folder / "exact").iterdir()), [])
        self.assertRegex(self.names()[1], r"^exact\.\d+$")
        self.assertEqual(run.stderr.count("has the name 'exact': this one is 'exact."), 1, run.stderr)

    def test_recording_of_another_process_is_left_alone(self):
        (self.folder / "exact.recording").mkdir()
        run = self.run_program(OTTER_FOLDER="exact")
        self.assertEqual(list((self.folder / "exact.recording").iterdir()), [])
        self.assertEqual(run.stderr.count("has the name 'exact': this one is 'exact."), 1, run.stderr)

    def test_a_folder_that_cannot_be_made_gets_one_message(self):
        (self.folder / "file").write_text("")
        run = self.run_program(OTTER_TRACE_PATH="file/below")
        self.assertEqual(self.names(), ["file"])
        self.assertRegex(run.stderr, r"\Aotter: cannot make the archive '[^\n]*'[^\n]*trace-path[^\n]*\n\Z")

    def test_unknown_and_bad_settings_get_one_message_each(self):
        run = self.run_program(OTTER_NONSENSE="1", OTTER_CHUNK_SIZE="12", OTTER_CLOCK="sundial")
        self.assertEqual(run.stderr.count("unknown setting 'OTTER_NONSENSE'"), 1, run.stderr)
        self.assertEqual(run.stderr.count("OTTER_CHUNK_SIZE='12' ignored"), 1, run.stderr)
        self.assertEqual(run.stderr.count("OTTER_CLOCK='sundial' ignored"), 1, run.stderr)
        self.the_archive()

    def test_quiet_says_nothing(self):
        self.assertEqual(self.run_program(OTTER_QUIET="on").stderr, "")
        self.the_archive()

    def test_switched_off_records_nothing(self):
        self.assertEqual(self.run_program(OTTER_ENABLED="off").stderr, "")
        self.assertEqual(self.names(), [])

    def test_callbacks_are_reported(self):
        run = self.run_program(OTTER_REPORT_CALLBACKS="on")
        self.assertIn("otter: callback task_create: always\n", run.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
