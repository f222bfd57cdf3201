#!/usr/bin/env python3
"""Programs with a planted fault: the report names the fault first, at its line, and after the advice it is gone.

usage: test_advice.py OTTER CLANG [unittest's arguments]

Only programs that rest: other load does not change their losses. try.py measures the other programs, and the gains.
"""
import sys
import tempfile
import unittest

import catalogue
import trial

OTTER = CLANG = None
NOISE = 0.05  # of the thread time: delays by other load


class Advice(unittest.TestCase):
    def check(self, pair):
        with tempfile.TemporaryDirectory(prefix="otter-advice-") as folder:
            test = trial.Trial(pair, OTTER, CLANG, folder)
            before, after = test.report("before"), test.report("after")
        self.assertEqual(trial.complaints(pair, before), [])
        self.assertLess(trial.left(pair, after), max(NOISE, pair.share / 3), after["findings"])
        for report in (before, after):
            self.assertAlmostEqual(trial.unaccounted(report), 0, places=6)


class Catalogue(unittest.TestCase):
    def test_each_fault_has_a_line(self):
        """But faults of the whole program."""
        for pair in catalogue.PAIRS:
            has_line = bool(pair.kinds) and not pair.program.startswith("whole/")
            self.assertEqual(bool(trial.marks(pair)), has_line, pair.label)

    def test_each_program_is_in_the_table(self):
        programs = {str(path.relative_to(trial.PROGRAMS).with_suffix("")) for path in trial.PROGRAMS.glob("*/*.c")}
        self.assertEqual(programs, {pair.program for pair in catalogue.PAIRS})


def add_tests():
    for pair in catalogue.PAIRS:
        if pair.rests and pair.kinds and not pair.wrong:
            setattr(Advice, f"test_{pair.label}", lambda self, pair=pair: self.check(pair))


if __name__ == "__main__":
    OTTER, CLANG = sys.argv[1:3]
    add_tests()
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
