#!/usr/bin/env python3
"""Completion of `otter` in shells: bash, fish and zsh offer the words of the commands' help."""
import os
import pathlib
import pty
import select
import shutil
import signal
import subprocess
import time
import unittest

import case

SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "packaging/completion"
COMMANDS = {"record", "report", "recover"}
CLOCKS = {"auto", "tsc", "monotonic"}

BASH = """
source "$1"
_command_offset() { COMPREPLY=("program at $1"); }
shift
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_otter
printf '%s\\n' "${COMPREPLY[@]}"
"""


class CompletionCase(case.CommandCase):
    def setUp(self):
        super().setUp()
        self.environment["PATH"] = f"{pathlib.Path(self.otter).parent}:{os.environ['PATH']}"

    def output(self, *command):
        result = subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=case.PATIENCE, check=True)
        self.assertEqual(result.stderr, "")
        return result.stdout


@unittest.skipUnless(shutil.which("bash"), "no bash")
class BashTest(CompletionCase):
    def offered(self, *words):
        return set(self.output("bash", "-c", BASH, "bash", SCRIPTS / "otter.bash", "otter", *words).split("\n")) - {""}

    def test_commands_are_those_of_the_help(self):
        self.assertEqual(self.offered("re"), COMMANDS)
        self.assertIn("--version", self.offered(""))
        self.assertNotIn("otter", self.offered(""))

    def test_options_are_those_of_the_command(self):
        self.assertEqual(self.offered("record", "--chu"), {"--chunks=", "--chunk-size="})
        self.assertEqual(self.offered("graph", "--ha"), {"--hash"})
        self.assertEqual(self.offered("check", "--ha"), set())

    def test_values_are_offered_where_the_help_lists_them(self):
        self.assertEqual(self.offered("record", "--clock", "="), CLOCKS)
        self.assertEqual(self.offered("record", "--clock", "=", "m"), {"monotonic"})
        self.assertEqual(self.offered("record", "--folder", "=", "m"), set())

    def test_values_of_all_commands(self):
        self.assertEqual(self.offered("export", "--to", "=", "pe"), {"perfetto"})
        self.assertLessEqual({"csv", "json", "parquet"}, self.offered("export", "--to", "="))
        self.assertLessEqual({"tasks", "ranks"}, self.offered("export", "--table", "="))
        self.assertEqual(self.offered("report", "--critical-path", "="), {"ranks", "chain", "span"})
        self.assertEqual(self.offered("graph", "--group", "="), {"label"})
        self.assertEqual(self.offered("graph", "--view", "="), {"structure", "fragments"})
        self.assertEqual(self.offered("report", "--what-if", "="), set())

    def test_all_tables_are_offered_once(self):
        self.assertLessEqual({"--tasks", "--kernels", "--kernels=", "--loops", "--findings"}, self.offered("diff", "--"))
        words = self.output("bash", "-c", BASH, "bash", SCRIPTS / "otter.bash", "otter", "report", "--c").split()
        self.assertEqual(sorted(words), ["--copies", "--critical-path", "--critical-path=", "--csv"])

    def test_help_takes_a_command(self):
        self.assertEqual(self.offered("help", "re"), COMMANDS)
        self.assertEqual(self.offered("help", "record", "re"), set())

    def test_words_of_the_program_are_its_own(self):
        self.assertEqual(self.offered("record", "./app", "--chu"), {"program at 2"})
        self.assertEqual(self.offered("record", "--clock", "=", "tsc", "-o", "x", "./app", "--chu"), {"program at 7"})
        self.assertEqual(self.offered("record", "--quiet", "--", "./app", ""), {"program at 4"})


@unittest.skipUnless(shutil.which("fish"), "no fish")
class FishTest(CompletionCase):
    def offered(self, line):
        text = self.output("fish", "--no-config", "-c", f"source {SCRIPTS / 'otter.fish'}; complete -C '{line}'")
        return {word.split("\t")[0] for word in text.splitlines()}

    def test_commands_options_and_values(self):
        self.assertEqual(self.offered("otter re"), COMMANDS)
        self.assertLessEqual({"--chunk-size=", "--chunks=auto", "--chunks=mapped"}, self.offered("otter record --chu"))
        self.assertLessEqual({f"--clock={clock}" for clock in CLOCKS}, self.offered("otter record --clock="))
        self.assertEqual(self.offered("otter record ls --chu"), set())
        self.assertLessEqual({"--to=csv", "--to=perfetto"}, self.offered("otter export --to="))
        self.assertEqual(self.offered("otter help re"), COMMANDS)


@unittest.skipUnless(shutil.which("zsh"), "no zsh")
class ZshTest(CompletionCase):
    def offered(self, line, expected):
        """Types a line and two tabs into an interactive shell. Returns the screen text with the expected words."""
        pid, terminal = pty.fork()
        if pid == 0:
            os.environ.update(self.environment, TERM="dumb", PS1="> ")
            os.execlp("zsh", "zsh", "-f", "-i")
        try:
            os.write(terminal, f"stty cols 200; fpath=({SCRIPTS} $fpath); autoload -U compinit; compinit -u -D; echo re''ady\n".encode())
            self.read(terminal, {"ready"})
            os.write(terminal, f"{line}\t\t".encode())
            return self.read(terminal, expected)
        finally:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            os.close(terminal)

    def read(self, terminal, expected):
        text, end = "", time.monotonic() + case.PATIENCE
        while not all(word in text for word in expected) and time.monotonic() < end:
            if select.select([terminal], [], [], 0.2)[0]:
                text += os.read(terminal, 65536).decode(errors="replace")
        for word in expected:
            self.assertIn(word, text)
        return text

    def test_commands_options_and_values(self):
        self.offered("otter re", COMMANDS)
        self.offered("otter record --chu", {"--chunks=", "--chunk-size="})
        self.offered("otter record --clock=", CLOCKS)
        self.offered("otter export --to=", {"csv", "perfetto"})
        self.offered("otter help re", COMMANDS)


if __name__ == "__main__":
    case.main()
