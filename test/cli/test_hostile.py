#!/usr/bin/env python3
"""Foreign text cannot begin a line, control the terminal or break machine-readable output, in any command.

usage: test_hostile.py OTTER FOLDER [unittest's arguments]
"""
import contextlib
import json
import os
import pty
import re
import shutil
import subprocess
import termios
import unicodedata

from case import PATIENCE, CommandCase, main

# Texts that forge a line, move the cursor, reorder text, or are not text.
TEXTS = [
    b"x\n  16 checks passed",
    b"\x1b[2J\x1b[31mred\x07\x08\x7f",
    b"a\rb\tc\x0bd",
    "c1 \u0085\u009b31m\u0090".encode(),
    "bidi \u202e\u2066\u200f\u061c\u2028\u2029".encode(),
    "none \uffff\ufffe\U0001fffe\ufdd0".encode(),
    b"bytes \xff\xfe\x9b\xc3",
    b"\"quotes' \\n \\ %s %n {} ]]> <b> &amp;",
    b"long" * 2500,
]
HIDDEN = {"Cc", "Cf", "Zl", "Zp", "Cn", "Cs", "Co"}
SETTINGS = ["trace-path", "chunks", "chunk-size", "quiet"]


def harmless(text):
    """Returns a harmless text that is as wide as this one on a terminal."""
    escape = {"\n": 2, "\r": 2, "\t": 2}
    width = 0
    for i, character in enumerate(text.decode(errors="surrogateescape")):
        code = ord(character)
        if 0xdc80 <= code <= 0xdcff or character not in escape and (code < 0x20 or code == 0x7f):
            width += 4  # \x1b
        elif character in escape:
            width += 2
        elif unicodedata.category(character) in HIDDEN:
            width += 10 if code > 0xffff else 6
        else:
            width += 1
    return b"x" * (width + len(re.findall(rb"\\n", text)))


def blanks(text):
    """Replaces blanks, at which lines may be broken."""
    return bytes(b if b != ord(" ") else ord("_") for b in text)


class Case(CommandCase):
    def run_bytes(self, *arguments, **options):
        return subprocess.run([self.otter, *arguments], capture_output=True, timeout=PATIENCE, cwd=self.folder,
                              env=self.environment | options.pop("env", {}), **options)

    def assert_visible(self, output, what):
        text = output.decode()  # fails unless it is UTF-8
        for character in text:
            if character != "\n" and unicodedata.category(character) in HIDDEN:
                self.fail(f"{what}: {character!r} in {text[:2000]!r}")


class Hostile(Case):
    """The output of the commands."""

    def archive(self, name, text):
        properties = [b"text", text]
        for key in (b"PROGRAM", b"COMMAND_LINE", b"HOST", b"PID", b"RANK", b"RUNTIME", b"OMP_VERSION", b"CONNECTORS", b"LOST",
                    b"STOPPED", b"UNREAD", b"DEPENDENCES", b"KOKKOS::KOKKOS_VERSION", b"KOKKOS::DEFAULT_DEVICE",
                    b"KOKKOS::NOTE", b"SETTING::CLOCK", b"SETTING::NEW", b"CALLBACK::WORK"):
            properties += [b"OTTER::" + key, text if key != b"CALLBACK::WORK" else b"sometimes"]
        path = os.fsencode(self.folder) + b"/" + name
        made = subprocess.run([self.tool("make_archive"), path, b"20", b"kokkos", *properties])
        self.assertEqual(made.returncode, 0)
        return name

    COMMANDS = [["info"], ["info", "--all"], ["info", "--json"], ["check"], ["check", "--json"], ["graph", "--hash"],
                ["graph", "--root=9:9"]]

    def outputs(self, archive):
        for command in self.COMMANDS:
            result = self.run_bytes(*command, archive)
            yield " ".join(command), result.stdout, result.stderr

    def test_no_name_in_an_archive_reaches_the_terminal(self):
        for i, text in enumerate(TEXTS):
            text = blanks(text)
            with self.subTest(text=text[:40]):
                hostile = self.outputs(self.archive(b"h%d" % i, text))
                plain = self.outputs(self.archive(b"p%d" % i, harmless(text)))
                for (command, *streams), (_, *wanted) in zip(hostile, plain):
                    for stream, expected in zip(streams, wanted):
                        self.assert_visible(stream, command)
                        self.assertEqual(stream.count(b"\n"), expected.count(b"\n"), f"{command}: {stream.decode()[:3000]}")
                    if "--json" in command:
                        json.loads(streams[0])

    MACHINE = [["report", "--labels", "--csv"], ["report", "--labels", "--json"], ["report", "--json"], ["diff", "--csv", "p"],
               ["diff", "--labels", "--csv", "p"], *(["export", f"--to={name}", "-o", "-"] for name in ("csv", "json", "chrome",
               "speedscope", "collapsed")), ["export", "--to=csv", "--table=labels", "-o", "-"],
               *(["graph", "--all", "-f", name, "-o", "-"] for name in ("dot", "csv", "json", "graphml"))]

    def on_terminal(self, *command):
        terminal, slave = pty.openpty()
        modes = termios.tcgetattr(slave)
        modes[1] &= ~termios.OPOST
        termios.tcsetattr(slave, termios.TCSANOW, modes)
        process = subprocess.Popen([self.otter, *command], stdout=slave, stderr=subprocess.PIPE, cwd=self.folder,
                                   env=self.environment)
        os.close(slave)
        output = b""
        with contextlib.suppress(OSError):  # the terminal's end raises an error
            while more := os.read(terminal, 1 << 16):
                output += more
        os.close(terminal)
        errors = process.communicate(timeout=PATIENCE)[1]
        return process.returncode, output, errors

    def test_no_form_for_programs_controls_the_terminal(self):
        self.archive(b"p", b"plain")
        for i, text in enumerate(TEXTS):
            archive = self.archive(b"h%d" % i, text)
            for command in self.MACHINE:
                with self.subTest(text=text[:40], command=command):
                    status, output, errors = self.on_terminal(*command, archive)
                    self.assertEqual(status, 0, errors)
                    self.assert_visible(output.replace(b"\t", b""), command[0])  # some formats separate by tabs

    def test_no_binary_form_is_written_to_a_terminal(self):
        archive = self.archive(b"p", b"plain")
        for command in (["export", "--to=perfetto", "-o", "-"], ["view", "-o", "-"]):
            status, output, errors = self.on_terminal(*command, archive)
            self.assertEqual((status, output), (2, b""))
            self.assertIn(b"a terminal cannot show", errors)

    def test_a_csv_file_has_the_text_itself(self):
        archive = self.archive(b"h", b"\x1b[2J\x07red")
        for command in (["report", "--labels", "--csv"], ["export", "--to=csv", "--table=labels", "-o", "-"]):
            self.assertIn(b"\x1b[2J\x07red", self.run_bytes(*command, archive).stdout)

    def test_no_name_of_a_folder_reaches_the_terminal(self):
        for text in TEXTS[:-1]:
            with self.subTest(text=text):
                folder = b"otter-" + text.replace(b"/", b"_")
                self.archive(folder, b"harmless")
                for command in [["info"], ["check"], ["graph", "-o", b"graph-" + folder]]:
                    result = self.run_bytes(*command)
                    plain = result.stderr.splitlines()
                    self.assertEqual(result.returncode, 1 if command == ["check"] else 0, result.stderr)
                    self.assertTrue(plain[0].startswith(b"otter: the newest archive here is "), plain)
                    self.assert_visible(result.stdout + result.stderr, command[0])
                    self.assertTrue(all(line.startswith(b"otter: ") for line in plain), plain)
                shutil.rmtree(os.fsencode(self.folder) + b"/" + folder)

    def test_no_word_of_a_command_line_reaches_the_terminal(self):
        for text in TEXTS:
            for command in [[text], [b"help", text], [b"info", text], [b"info", b"--" + text], [b"info", b"a", text],
                            [b"check", text], [b"graph", text], [b"graph", b"-f", text], [b"graph", b"-r", text],
                            [b"recover", text], [b"record", b"--clock=" + text, b"true"], [b"record", text],
                            [b"record", b"-o", text + b"/x", b"true"], [b"record", b"--libomp=" + text, b"true"]]:
                if any(len(word) > 9000 for word in command[:1]):
                    continue
                result = self.run_bytes(*command)
                with self.subTest(command=command):
                    self.assert_visible(result.stdout + result.stderr, "otter")
                    self.assertEqual(result.stderr.count(b"\n"), 1, result.stderr)

    def test_no_variable_reaches_the_terminal(self):
        for text in TEXTS:
            variables = {b"OTTER_CLOCK": text, b"OTTER_CHUNK_SIZE": text, b"OTTER_" + text.replace(b"=", b""): b"1"}
            result = self.run_bytes("record", "true", env=variables)
            self.assert_visible(result.stderr, "record")
            lines = result.stderr.splitlines()
            self.assertEqual(len(lines), 4, result.stderr)
            self.assertTrue(all(line.startswith(b"otter: ") for line in lines), lines)
            result = self.run_bytes("info", "--settings", env=variables | {b"OTTER_TRACE_PATH": text})
            self.assert_visible(result.stdout + result.stderr, "info --settings")


class Recording(Case):
    """The output of the recorder, in hostile folders and about hostile programs."""
    BLOCK = re.compile(rb"otter: (1 event|[0-9,]+ events), .* lost; .*\notter: next: (otter report (.*))\nOTTER_TRACE_FOLDER=(.*)\n")

    def shell(self, command, folder):
        return subprocess.run(["bash", "-c", command], capture_output=True, cwd=folder,
                              env=self.environment | {"PATH": os.path.dirname(self.otter) + ":" + os.environ["PATH"]})

    def record_in(self, folder, program):
        os.makedirs(folder, exist_ok=True)
        shutil.copy(self.tool("tasks"), program)
        result = subprocess.run([self.otter, "record", program, b"3"], capture_output=True, cwd=folder, env=self.environment)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assert_visible(result.stderr, "record")
        block = self.BLOCK.fullmatch(result.stderr)
        self.assertTrue(block, result.stderr)
        return block

    def folders(self, text):
        here = os.fsencode(self.folder)
        return [(here + b"/f-" + text, here + b"/tasks"), (here, here + b"/" + text)]

    def test_a_folder_is_named_so_that_a_shell_finds_it(self):
        for text in TEXTS[:-1] + [b"it's", b"a b", b"$(echo)", b"back\\slash", "grün".encode(), b"x'\x1b"]:
            text = text.replace(b"/", b"_")
            for folder, program in self.folders(text):
                with self.subTest(folder=folder, program=program):
                    block = self.record_in(folder, program)
                    shown = self.shell(block.group(2), folder)
                    self.assertEqual(shown.returncode, 0, shown.stderr)
                    path = block.group(4)
                    if path.startswith(b"$'"):
                        path = self.shell(b"printf %s " + path, folder).stdout
                    else:
                        self.assertNotRegex(path, rb"[\x00-\x1f\x7f\\]")
                    self.assertTrue(os.path.isfile(path + b"/traces.otf2"), path)
                    self.assertTrue(path.startswith(folder + b"/otter-"), path)
                    shutil.rmtree(path)

    def test_a_folder_that_cannot_be_made_is_named_on_one_line(self):
        for text in TEXTS:
            variables = {b"OTTER_TRACE_PATH": b"/dev/null/" + text}
            result = self.run_bytes("record", self.tool("tasks"), "3", env=variables)
            self.assert_visible(result.stderr, "record")
            self.assertEqual(result.stderr.count(b"\n"), 1, result.stderr)
            self.assertTrue(result.stderr.startswith(b"otter: cannot make the archive "), result.stderr)


if __name__ == "__main__":
    main()
