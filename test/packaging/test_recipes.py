#!/usr/bin/env python3
"""The recipes of packaging/ fit the build: their options exist, and what the build installs is in a package.

usage: test_recipes.py ROOT BUILD
"""
import ast
import fnmatch
import itertools
import json
import pathlib
import re
import subprocess
import sys
import unittest

import recipe

ROOT, BUILD = (pathlib.Path(argument) for argument in sys.argv[1:3])
PACKAGING = ROOT / "packaging"
DEBIAN = PACKAGING / "debian"
SPACK = PACKAGING / "spack/packages/otter/package.py"

# Packages that the build needs (scripts/packages) and that Build-Depends has under another name, or through another
# package.
THROUGH_OTHERS = {"gcc": "build-essential", "libc6-dev": "build-essential", "ninja-build": "meson", "pkg-config": "pkgconf"}


class OptionsTest(unittest.TestCase):
    def test_a_wrong_option_or_value_is_found(self):
        options = recipe.options_of(ROOT)
        self.assertEqual(recipe.wrong_options(["-Dotf2=system", "-Dompt_headers=/x", "-Dtests=true"], options), [])
        self.assertEqual(len(recipe.wrong_options(["-Dotf2=none", "-Dno_such=1", "-Dmpi=true", "kokkos"], options)), 4)


class SpackTest(unittest.TestCase):
    def setUp(self):
        self.spack = recipe.SpackRecipe(SPACK)

    def test_each_choice_of_variants_gives_options_of_the_build(self):
        options = recipe.options_of(ROOT)
        names = sorted(self.spack.variants)
        for n in range(len(names) + 1):
            for chosen in itertools.combinations(names, n):
                arguments = self.spack.arguments(chosen)
                self.assertEqual(recipe.wrong_options(arguments, options), [])
                for name in names:
                    self.assertIn(f"-D{name}=", " ".join(arguments))
                    self.assertEqual(any(re.fullmatch(f"-D{name}=(enabled|true)", text) for text in arguments), name in chosen)

    def test_conditions_name_variants(self):
        self.assertTrue(self.spack.conditions)
        for condition in self.spack.conditions:
            self.assertIn(condition.removeprefix("+"), self.spack.variants)

    def test_the_version_is_the_projects_and_the_source_is_this_tree(self):
        self.assertIn(recipe.version_of(ROOT), self.spack.versions)
        self.assertEqual(self.spack.package.git, ROOT.resolve().as_uri())

    def test_names_are_those_that_spack_expects(self):
        tree = ast.parse(SPACK.read_text())
        classes = [node.name for node in tree.body if isinstance(node, ast.ClassDef)]
        self.assertEqual(classes, ["Otter"])
        self.assertTrue((SPACK.parents[2] / "repo.yaml").is_file())


class EasyBuildTest(unittest.TestCase):
    def setUp(self):
        self.path, = sorted((PACKAGING / "easybuild").glob("*.eb"))
        self.values = recipe.easyconfig_of(self.path)

    def test_options_are_those_of_the_build(self):
        self.assertEqual(recipe.wrong_options(self.values["configopts"].split(), recipe.options_of(ROOT)), [])

    def test_the_file_is_named_after_its_contents(self):
        toolchain = self.values["toolchain"]
        self.assertEqual(self.path.name, f"{self.values['name']}-{self.values['version']}-{toolchain['name']}-{toolchain['version']}.eb")
        self.assertEqual(self.values["version"], recipe.version_of(ROOT))

    def test_the_expected_files_are_installed(self):
        installed = {pathlib.PurePosixPath(path).name for path in installed_paths()}
        expected = {pathlib.PurePosixPath(path).name for path in self.values["sanity_check_paths"]["files"]}
        # This build may lack a connector.
        expected -= {f"libotter-{name}.so" for name in ("ompt", "gomp", "kokkos", "mpi-openmpi")}
        self.assertLessEqual(expected, installed)


def build_options():
    options = json.loads((BUILD / "meson-info/intro-buildoptions.json").read_text())
    return {option["name"]: option["value"] for option in options}


def installed_paths():
    """Returns the files that `meson install` installs, at Debian's paths."""
    options = build_options()
    moved = {options["libdir"] + "/": "usr/lib/x86_64-linux-gnu/", "share/zsh/site-functions/": "usr/share/zsh/vendor-completions/"}
    paths = set()
    for path in json.loads((BUILD / "meson-info/intro-installed.json").read_text()).values():
        path = pathlib.PurePosixPath(path).relative_to(options["prefix"]).as_posix()
        begin = next((folder for folder in moved if path.startswith(folder)), "")
        paths.add(moved.get(begin, "usr/") + path.removeprefix(begin))
    return paths


class DebianTest(unittest.TestCase):
    def control(self):
        return (DEBIAN / "control").read_text()

    def test_options_are_those_of_the_build(self):
        arguments = re.findall(r"(?<=\s)-D\w+=\w+", (DEBIAN / "rules").read_text())
        self.assertTrue(arguments)
        self.assertEqual(recipe.wrong_options(arguments, recipe.options_of(ROOT)), [])

    def test_each_installed_file_is_in_one_package(self):
        patterns = {}
        for path in [*DEBIAN.glob("*.install"), DEBIAN / "not-installed"]:
            patterns[path.stem] = path.read_text().split()
        for package, pattern in re.findall(r"dh_install -p(\S+) '(.*)'", (DEBIAN / "rules").read_text()):
            patterns[package].append(pattern)
        for installed in sorted(installed_paths()):
            packages = [name for name, globs in patterns.items()
                        if any(fnmatch.fnmatch(installed, glob) or fnmatch.fnmatch(installed, glob + "/*") for glob in globs)]
            self.assertEqual(len(packages), 1, f"{installed} is in the packages {packages}")

    def test_packages_of_the_build_are_dependences(self):
        needed = re.findall(r"^build +(\S+)", (ROOT / "scripts/packages").read_text(), re.M)
        depends = re.search(r"^Build-Depends:(.*?)^\S", self.control() + "\nEnd", re.M | re.S)
        depends = {name.split()[0].split(":")[0] for line in depends[1].split(",") for name in line.split("|") if name.strip()}
        missing = {THROUGH_OTHERS.get(name, name) for name in needed} - depends - {"build-essential"}
        self.assertEqual(missing, set())

    def test_versions_are_the_projects(self):
        first = (DEBIAN / "changelog").read_text().splitlines()[0]
        version = recipe.version_of(ROOT)
        self.assertTrue(first.startswith(f"otter-trace ({version}-"), first)
        soname = re.search(r"soversion: '(\d+)'", (ROOT / "core/meson.build").read_text())[1]
        self.assertIn(f"\nPackage: libotter-core{soname}\n", self.control())
        self.assertTrue((DEBIAN / f"libotter-core{soname}.install").is_file())

    def test_scripts_are_valid(self):
        for script in ("debian/tests/demo", "../scripts/deb"):
            self.assertEqual(subprocess.run(["sh", "-n", PACKAGING / script]).returncode, 0)
            self.assertTrue((PACKAGING / script).stat().st_mode & 0o100, f"{script} is not executable")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
