"""Shared code of the tests of the command line."""
import json
import os
import pathlib
import select
import shutil
import subprocess
import sys
import tempfile
import unittest

PATIENCE = 240  # seconds, for operations of milliseconds on a busy machine


def clean_environment():
    """Returns the present environment without variables that change the recording."""
    ours = ("OTTER_", "OMP_", "KMP_", "KOKKOS_", "LD_PRELOAD")
    return {name: value for name, value in os.environ.items() if not name.startswith(ours)}


class CommandCase(unittest.TestCase):
    """Runs `otter` in a folder of its own."""
    otter = None
    tools = None  # the folder of the programs that meson built for the tests

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="otter-cli-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.environment = clean_environment()

    def run_otter(self, *arguments, **options):
        options = {"capture_output": True, "text": True, "timeout": PATIENCE, "cwd": self.folder,
                   "env": self.environment} | options
        return subprocess.run([self.otter, *map(str, arguments)], **options)

    def let_others_run_otter(self):
        """From now on, runs a copy of the command and its libraries, since the build may be in a home that other users
        cannot enter."""
        build = pathlib.Path(self.otter).parents[2]
        copy = self.folder / "copied"
        for path in (self.otter, *build.glob("core/libotter-core.so.*[0-9]"), *build.glob("connectors/*/libotter-*.so")):
            target = copy / pathlib.Path(path).relative_to(build)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)
        self.folder.chmod(0o755)
        self.otter = copy / "core/cli/otter"

    def record(self, *arguments, **options):
        return self.run_otter("record", *arguments, **options)

    def has_switches(self):
        """Returns whether the system allows `otter record` to observe when threads are on a processor."""
        with tempfile.TemporaryDirectory(prefix="otter-cli-") as folder:
            archive = pathlib.Path(folder) / "a"
            self.record("--quiet", "-o", archive, self.tool("tasks"))
            return any(location["name"].startswith("Processor") for location in
                       json.loads(self.run_otter("info", "--json", archive).stdout)["locations"])

    def tool(self, name):
        path = self.tools / name
        if not path.exists():
            self.skipTest(f"{name} was not built: its compiler or runtime is missing here")
        return path

    def make(self, name="archive", tasks=100, *more):
        """Makes an archive with OTF2's writer; make_archive.c describes `more`."""
        path = self.folder / name
        self.assertEqual(subprocess.run([self.tool("make_archive"), path, str(tasks), *more]).returncode, 0)
        return path

    def write(self, name, content, mode=0o644):
        path = self.folder / name
        path.write_text(content)
        path.chmod(mode)
        return path

    def archives(self):
        return sorted(p.name for p in self.folder.glob("otter-*"))

    def assert_fails(self, result, status, *words):
        """Checks that the command ends with this status after a single otter message containing these words."""
        self.assertEqual(result.returncode, status, result.stderr)
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        self.assertTrue(result.stderr.startswith("otter: "), result.stderr)
        for word in words:
            self.assertIn(word, result.stderr)


class Lines:
    """Reads lines one by one from a file descriptor, and closes the descriptor at the end of the test."""

    def __init__(self, test, descriptor):
        self.descriptor = descriptor
        self.seen = b""
        test.addCleanup(os.close, descriptor)

    def next(self):
        while b"\n" not in self.seen:
            ready, _, _ = select.select([self.descriptor], [], [], PATIENCE)
            more = os.read(self.descriptor, 4096) if ready else b""
            if not more:
                return "nothing in time"
            self.seen += more
        line, _, self.seen = self.seen.partition(b"\n")
        return line.decode()


def main():
    """usage: test_*.py OTTER FOLDER [unittest's arguments]"""
    CommandCase.otter = os.path.abspath(sys.argv[1])
    CommandCase.tools = pathlib.Path(sys.argv[2]).resolve()
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
