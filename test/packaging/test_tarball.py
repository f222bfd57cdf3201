#!/usr/bin/env python3
"""The tarball of a release has everything that the build and the tests need: the build's inputs are tracked files, and
an export of the tracked files can be configured. On systems for which Otter is not made, it cannot.

usage: test_tarball.py ROOT BUILD
"""
import json
import os
import pathlib
import platform
import subprocess
import sys
import tempfile
import unittest

ROOT, BUILD = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
OWN = ("test/fuzz/corpus/", "subprojects/")  # paths that the build reads as folders, or fetches


def output(*command, **options):
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=120, **options).stdout


def tracked():
    return set(output("git", "-c", "safe.directory=*", "-C", ROOT, "ls-files").splitlines())


def inputs():
    """Returns the files of the tree from which targets, their headers and the build's description come."""
    paths = set(json.loads((BUILD / "meson-info/intro-buildsystem_files.json").read_text()))
    for target in json.loads((BUILD / "meson-info/intro-targets.json").read_text()):
        for sources in target["target_sources"]:
            paths.update(sources.get("sources", []))
    for test in json.loads((BUILD / "meson-info/intro-tests.json").read_text()):
        paths.update(test["cmd"])
    paths.update(line.strip() for line in output("ninja", "-C", BUILD, "-t", "deps").splitlines() if line.startswith("    "))
    found = set()
    for path in paths:
        path = pathlib.Path(os.path.normpath(BUILD / path))
        if path.is_file() and path.is_relative_to(ROOT) and not path.is_relative_to(BUILD):
            found.add(path.relative_to(ROOT).as_posix())
    return {path for path in found if not path.startswith((*OWN, "build"))}


CROSS_FILE = """
[binaries]
c = 'cc'
[properties]
needs_exe_wrapper = true
[built-in options]
c_args = [{argument}]
[host_machine]
system = '{system}'
cpu_family = 'x86_64'
cpu = 'x86_64'
endian = '{endian}'
"""


class SystemTest(unittest.TestCase):
    def test_other_systems_are_refused(self):
        hosts = [("linux", "big", "")]
        if platform.machine() == "x86_64":
            hosts.append(("linux", "little", "'-m32'"))
        for system, endian, argument in hosts:
            with self.subTest(system=system, endian=endian, argument=argument), tempfile.TemporaryDirectory() as folder:
                cross = pathlib.Path(folder, "cross.ini")
                cross.write_text(CROSS_FILE.format(system=system, endian=endian, argument=argument))
                setup = subprocess.run(["meson", "setup", f"--cross-file={cross}", f"{folder}/build", ROOT], capture_output=True,
                                       text=True, timeout=120)
                self.assertNotEqual(setup.returncode, 0)
                self.assertIn("Otter needs Linux on a 64-bit, little-endian processor", setup.stdout)


@unittest.skipUnless((ROOT / ".git").exists(), "no clone: this is a tarball")
class TarballTest(unittest.TestCase):
    def test_inputs_of_the_build_are_tracked(self):
        files = inputs()
        self.assertIn("include/otter/record.h", files)
        self.assertIn("core/view/page/main.js", files)
        self.assertEqual(files - tracked(), set())

    def test_an_export_can_be_configured(self):
        with tempfile.TemporaryDirectory() as folder:
            output("git", "-c", "safe.directory=*", "-C", ROOT, "checkout-index", "--all", f"--prefix={folder}/otter/")
            output("meson", "setup", f"{folder}/build", f"{folder}/otter", "-Dtests=true", "-Dkokkos_root=", "--wrap-mode=nodownload")
            self.assertTrue(pathlib.Path(folder, "build/build.ninja").is_file())
            for name in ("LICENSE", "CHANGELOG.md", "SECURITY.md", "packaging/debian/control", "scripts/demo"):
                self.assertTrue(pathlib.Path(folder, "otter", name).is_file(), name)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
