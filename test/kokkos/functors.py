#!/usr/bin/env python3
"""A kernel has the source line of its launch or of its functor's code. Regions of Kokkos itself show their function.

CODE marks the line of a kernel's code in SOURCE or its header, LAUNCH the line of its launch. `functors` is built at two levels of
optimisation. In `apart` the launch has no debug information.

    functors.py OTTER SOURCE PROGRAM...
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "cli"))

from case import clean_environment  # noqa: E402


def marked(source):
    """Returns {CODE or LAUNCH: {kernel: place}}."""
    found = {"CODE": {}, "LAUNCH": {}}
    for path in filter(pathlib.Path.exists, (source, source.with_suffix(".hpp"))):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if match := re.search(r"// (CODE|LAUNCH) (\w+)$", line):
                found[match.group(1)][match.group(2)] = f"{path.name}:{number}"
    return found


class Functors(unittest.TestCase):
    otter = source = None
    programs = ()

    def read(self, program):
        """Returns the nodes of the graph, the regions, and the lines of `otter info --all` about the regions."""
        with tempfile.TemporaryDirectory(prefix="otter-functors-") as folder:
            options = {"cwd": folder, "env": clean_environment() | {"OMP_NUM_THREADS": "2", "OMP_PROC_BIND": "false"},
                       "capture_output": True, "text": True, "timeout": 120, "check": True}
            subprocess.run([self.otter, "record", "--output=run", program], **options)
            graph = subprocess.run([self.otter, "graph", "--format=json", "--output=-", "run"], **options).stdout
            info = subprocess.run([self.otter, "info", "--json", "run"], **options).stdout
            text = subprocess.run([self.otter, "info", "--all", "run"], **options).stdout
        return json.loads(graph)["nodes"], [r for r in json.loads(info)["regions"] if r["entered"]], text

    def check_kernels(self, nodes):
        places = {}
        for node in nodes:
            if node.get("construct", "").startswith("Kokkos parallel_") and not node["what"].startswith("Kokkos::"):
                places.setdefault(node["what"], set()).add(node.get("where", ""))
        lines = marked(self.source)
        self.assertEqual(set(places), set(lines["CODE"]))
        for kernel, found in places.items():
            self.assertEqual(len(found), 1, kernel)
            self.assertLessEqual(found, {lines["CODE"][kernel], lines["LAUNCH"].get(kernel)}, kernel)
        for kernel in ("class", "inherited"):
            self.assertIn(lines["CODE"][kernel], places[kernel])

    def check_functions(self, regions):
        functions = {region["where"]: region["function"] for region in regions if region["line"]}
        lines = marked(self.source)["CODE"]
        self.assertEqual(functions.get(lines["class"]), "Fill::operator()")
        if "lambda" in lines:
            self.assertEqual(functions.get(lines["lambda"]), "main")

    def check_own(self, regions, text):
        own = [region for region in regions if re.match(r"Kokkos::[^<]*$", region["function"])]
        self.assertTrue(own)
        for region in own:
            self.assertEqual((region["line"], region["file"]), (0, ""), region)
            self.assertRegex(region["where"], r"^Kokkos::[\w:~]+(\(\))?:\d+$")
        self.assertTrue(any("initialize" in region["where"] for region in own))
        self.assertFalse([region for region in regions if region["where"].startswith("Kokkos_")])
        self.assertRegex(text, r"parallel Kokkos::[\w:]*initialize[\w:]*\n")

    def test_all(self):
        for program in self.programs:
            with self.subTest(program=program):
                nodes, regions, text = self.read(program)
                self.check_kernels(nodes)
                self.check_functions(regions)
                self.check_own(regions, text)


if __name__ == "__main__":
    Functors.otter, Functors.source = sys.argv[1], pathlib.Path(sys.argv[2])
    Functors.programs = [str(pathlib.Path(program).resolve()) for program in sys.argv[3:]]
    unittest.main(argv=sys.argv[:1])
