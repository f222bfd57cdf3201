#!/usr/bin/env python3
"""Tests that the losses of programs with a planted fault add up. On a quiet machine, it also tests that the report
names the fault first, and that the fault is gone once the advice is followed.

usage: test_advice.py OTTER CLANG [KOKKOS] [--quiet-machine] [unittest's arguments]

Tests only programs that rest (nanosleep). With KOKKOS, a folder, it tests only programs that use Kokkos. try.py
measures the other programs, and the gains.
"""
import pathlib
import sys
import tempfile
import unittest

import catalogue
import trial

TOOLS = None
IS_QUIET = "--quiet-machine" in sys.argv
OF_PROGRAM = {"serial code", "too short", "oversubscription"}  # kinds of findings without a line
NOISE = 0.05  # share of the thread time that other load may delay


class Advice(unittest.TestCase):
    def check(self, pair):
        with tempfile.TemporaryDirectory(prefix="otter-advice-") as folder:
            test = trial.Trial(pair, TOOLS, folder)
            before, after = test.report("before"), test.report("after")
        if IS_QUIET:
            self.assertEqual(trial.complaints(pair, before), [])
            self.assertLess(trial.left(pair, after), max(NOISE, pair.share / 3), after["findings"])
        for report in (before, after):
            self.assertAlmostEqual(trial.unaccounted(report), 0, places=6)


class Catalogue(unittest.TestCase):
    def test_each_fault_has_a_line(self):
        """Except for faults of the whole program, which have no line."""
        for pair in catalogue.PAIRS:
            has_line = bool(pair.kinds) and pair.kinds[0] not in OF_PROGRAM
            self.assertEqual(bool(trial.marks(pair)), has_line, pair.label)

    def test_each_program_is_in_the_table(self):
        programs = {str(path.relative_to(trial.PROGRAMS).with_suffix("")) for path in trial.PROGRAMS.glob("*/*.c*")}
        self.assertEqual(programs, {pair.program for pair in catalogue.PAIRS})


def add_tests():
    for pair in catalogue.PAIRS:
        if pair.rests and pair.kinds and not pair.wrong and trial.is_kokkos(pair) == bool(TOOLS.kokkos):
            setattr(Advice, f"test_{pair.label}", lambda self, pair=pair: self.check(pair))


if __name__ == "__main__":
    sys.argv = [word for word in sys.argv if word != "--quiet-machine"]
    has_kokkos = pathlib.Path(sys.argv[3]).is_dir() if len(sys.argv) > 3 else False
    TOOLS = trial.Tools(*sys.argv[1:4 if has_kokkos else 3])
    add_tests()
    unittest.main(argv=[sys.argv[0], *sys.argv[4 if has_kokkos else 3:]])
