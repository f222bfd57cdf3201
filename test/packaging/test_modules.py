#!/usr/bin/env python3
"""The environment modules of an installation: after `module load otter`, the command and its manual are found.

usage: test_modules.py BUILD PREFIX
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

BUILD, PREFIX = sys.argv[1:3]

# Both programs print commands for the shell.
ENVIRONMENT_MODULES = [*pathlib.Path("/usr/lib").glob("*/modulecmd.tcl"), *pathlib.Path("/usr/libexec").glob("modulecmd.tcl"),
                       *pathlib.Path("/usr/share/Modules/libexec").glob("modulecmd.tcl")]
LMOD = sorted(pathlib.Path(os.environ.get("LMOD_PKG", "/usr/share/lmod/lmod")).glob("libexec/lmod"))


class ModulesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        subprocess.run(["meson", "install", "-C", BUILD, "--no-rebuild", "--destdir", folder.name], check=True, capture_output=True)
        cls.installed = pathlib.Path(folder.name, PREFIX.lstrip("/"))
        cls.folder = cls.installed / "share/modulefiles"
        for path in cls.folder.rglob("*"):  # the files name the prefix, which here is in a folder of the test
            if path.is_file():
                path.write_text(path.read_text().replace(PREFIX, str(cls.installed)))

    def loaded(self, *module):
        """Returns what a shell finds after `module load otter`."""
        variables = {name: value for name, value in os.environ.items()
                     if not name.startswith(("LMOD", "MODULE", "LOADEDMODULES", "_LM", "MANPATH", "PKG_CONFIG_PATH"))}
        variables["MODULEPATH"] = str(self.folder)
        script = 'set -e; commands=$("$@" bash load otter); eval "$commands"; type -p otter; otter --version; man -w otter || true; ' \
                 'pkg-config --variable=libdir otter-core; echo "$MANPATH"'
        result = subprocess.run(["bash", "-c", script, "bash", *map(str, module)], env=variables, capture_output=True, text=True, timeout=60)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return result.stdout

    def check(self, *module):
        output = self.loaded(*module)
        self.assertTrue(output.startswith(f"{self.installed}/bin/otter\notter "), output)
        if shutil.which("man") and (self.installed / "share/man/man1/otter.1").exists():
            self.assertIn(f"{self.installed}/share/man/man1/otter.1\n", output)
        self.assertRegex(output, r"(?m)^\S*share/man::?$")  # an empty part stands for the system's folders

    @unittest.skipUnless(ENVIRONMENT_MODULES, "no Environment Modules")
    def test_environment_modules_load_the_file_in_tcl(self):
        self.check(*ENVIRONMENT_MODULES[:1])

    @unittest.skipUnless(LMOD, "no Lmod")
    def test_lmod_loads_the_file_in_lua(self):
        self.check(*LMOD[:1])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
