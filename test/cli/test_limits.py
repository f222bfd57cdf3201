#!/usr/bin/env python3
"""On a quiet machine, `otter report` names the known limit of real programs first, names no other limit, and predicts
well.

Each claim must be true in most of the recordings of a program. `meson test` does not run this: there, events with exact
times stand for the programs (the suite analysis), and test_report.py checks what load on the machine cannot change.
"""
import json
import shutil

import case
import test_report

RECORDINGS = 5

# Findings that load on the machine adds to any program, because it delays threads and slows creations.
NOISE = {"delay", "serial code", "late workers", "forking", "oversubscription", "noise", "slow wake-up"}

# program, kind -> its finding, and other findings that load may add
KNOWN = {
    ("reported", "even"): (None, {"imbalance"}),
    ("reported", "chain"): ("dependences", set()),
    ("reported", "imbalance"): ("imbalance", set()),
    ("reported", "small"): ("small tasks", {"slow creator"}),
    ("reported", "recursion"): ("small tasks", {"chain", "tail"}),
    ("reported", "lock"): ("lock", {"imbalance"}),
    ("reported", "ordered"): ("lock", {"imbalance"}),
    ("shapes", "independent"): (None, {"tail"}),
    ("shapes", "fib"): (None, {"tail"}),
    ("shapes", "grain"): (None, {"tail"}),
    ("shapes", "creator"): ("slow creator", set()),
    ("shapes", "chain"): ("dependences", set()),
    ("shapes", "diamond"): ("dependences", set()),
    ("shapes", "wavefront"): ("dependences", set()),
    ("shapes", "pipeline"): ("dependences", set()),
    ("shapes", "reduce"): ("dependences", {"tail", "chain"}),
    ("shapes", "uneven"): ("imbalance", set()),
    ("shapes", "convoy"): ("lock", {"imbalance"}),
}
SIZES = {"small": ["200000"], "recursion": ["24"]}
# Shapes whose work is not only in explicit tasks: here the work of all the program's constructs counts.
OTHERS = {"creator", "uneven", "convoy"}


class Limits(test_report.ReportCase):
    def check_most(self, holds):
        """`holds` records a program once, and returns "" or what is wrong."""
        wrong = [text for text in (holds() for _ in range(RECORDINGS)) if text]
        self.assertLessEqual(len(wrong), RECORDINGS // 2, wrong)

    def wrong_findings(self, numbers, expected, others):
        found = [finding["kind"] for finding in numbers["findings"] if finding["kind"] not in NOISE]
        is_right = set(found) <= others | {expected} and (not expected or found[:1] == [expected])
        return "" if is_right else f"found {found}"

    def wrong_paths(self, kind, numbers, work, span):
        """Returns what is wrong. The program measures its tasks with the recording's clock, so load changes both
        numbers alike."""
        rows = numbers["tables"]["tasks"]
        executed = sum(row["work_s"] for row in rows)
        if kind in OTHERS:
            rows = [row for row in numbers["tables"]["labels"] if "shapes.c:" in row["label"]]
            executed = sum(row["executed_s"] for row in rows)
        on_span = sum(row["span_s"] for row in rows)
        is_right = abs(executed / work - 1) < 0.03 and 0.97 < on_span / span < 1.08
        return "" if is_right else f"work {executed}, not {work}; span {on_span}, not {span}"

    def check_recording(self, program, kind):
        archive = self.folder / f"{program}-{kind}"
        result = self.record("-o", archive, self.tool(program), kind, *SIZES.get(kind, []))
        self.assertEqual(result.returncode, 0, result.stderr)
        numbers = json.loads(self.report("--json", archive).stdout)
        shutil.rmtree(archive)
        wrong = self.wrong_findings(numbers, *KNOWN[program, kind])
        return wrong or (program == "shapes" and self.wrong_paths(kind, numbers, *map(float, result.stdout.split()[:2])))

    def test_findings_work_and_span(self):
        self.environment["SHAPES_CLOCK"] = "processor" if self.has_switches() else "wall"
        for program, kind in KNOWN:
            with self.subTest(program=program, kind=kind):
                self.check_most(lambda program=program, kind=kind: self.check_recording(program, kind))

    def test_serial_code_comes_first(self):
        def holds():
            found = [finding["kind"] for finding in self.numbers("serial")["findings"]]
            return "" if found[:1] == ["serial code"] and set(found) <= NOISE else f"found {found}"
        self.check_most(holds)

    def record_kind(self, kind):
        """Records the program anew, since each recording counts."""
        return self.record_anew(kind, f"otter-{kind}-{len(self.archives())}")

    def predicted(self, kind, *arguments):
        return json.loads(self.report("--json", *arguments, self.record_kind(kind)).stdout)

    def test_the_replay_of_the_run_is_not_longer_than_the_run(self):
        def holds(kind):
            numbers = self.predicted(kind, "--threads=2")
            replayed, observed = numbers["replayed"]["least_s"], numbers["observed_s"]
            return "" if replayed < 1.05 * observed else f"{replayed} s, not {observed} s"
        for kind in ("lock", "chain"):
            self.check_most(lambda kind=kind: holds(kind))

    def test_predicted_gains(self):
        def holds(kind, change, most):
            found = self.predicted(kind, f"--what-if={change}")["what_if"][0]["change"]
            return "" if found < most else f"{change}: {found}"
        ordered = "ordered " + test_report.place_of("ordered // in order")
        for kind, change, most in [("lock", "drop lock critical", -0.2), ("imbalance", "balance for", -0.1),
                                   ("ordered", ordered + "=0.5x", -0.2), ("ordered", "drop lock " + ordered, -0.2)]:
            self.check_most(lambda kind=kind, change=change, most=most: holds(kind, change, most))

    def test_more_threads(self):
        def holds():
            numbers = self.predicted("even", "--threads=1..4")
            two, four = (numbers["predicted"][i]["most_s"] for i in (1, 3))
            return "" if four < 0.75 * two and numbers["undivided"] < 0.2 else f"{two} s, {four} s, {numbers['undivided']}"
        self.check_most(holds)


if __name__ == "__main__":
    case.main()
