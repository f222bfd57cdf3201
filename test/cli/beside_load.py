#!/usr/bin/env python3
"""While two busy loops run, recordings give the same answers as on a quiet machine: the first finding, work and span.

usage: beside_load.py OTTER FOLDER CLANG [NAME...] [--rounds N]

FOLDER has the programs of test/cli, CLANG compiles those of test/advice. Each program is recorded N times without and with the
loops. The table has its most frequent first finding, and the medians of work and span. These must be the same (work and
span within 5 %), except for what no recording can show:

- The loops are not the program's fault: *noise* is not a finding.
- A finding below 5 % of the thread time without noise may appear by chance, even on a quiet machine.
- The start of the program occurs once, so chance decides how long it takes. So the initial task counts only if it is
  the place of the finding. *Serial code*, *forking* and *late workers* count only where the quiet recordings have them
  first.
- Work and span of fine tasks and loops are upper bounds, as the report says: the state of the caches determines them, and two quiet
  recordings of one program differ by more than half. They are printed with a mark, like the answers for a program that
  is too short.
"""
import argparse
import collections
import dataclasses
import pathlib
import statistics
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "advice"))
import catalogue  # noqa: E402
import trial  # noqa: E402
import test_limits  # noqa: E402

MOST = 0.05  # share by which work and span may differ
SKIPPED = 77  # for meson
LEAST = 0.05  # least share of the thread time, without noise, of a finding
NO_FAULT = {"noise", "blocking", "high water"}
START = {"serial code", "forking", "late workers"}
INITIAL = "initial task"


class Tool:
    """A program of this folder."""
    def __init__(self, otter, folder, program, kind):
        self.arguments = otter, folder, [program, kind, *test_limits.SIZES.get(kind, [])]
        self.label = f"{program.name} {kind}"

    def report(self):
        return trial.recorded(*self.arguments, {**trial.case.clean_environment(), "OMP_NUM_THREADS": "2"})


class Planted:
    """A program with a planted fault."""
    def __init__(self, pair, tools, folder):
        self.pair, self.arguments, self.label = pair, (pair, tools, folder), pair.label

    def report(self):
        self.test = getattr(self, "test", None) or trial.Trial(*self.arguments)
        return self.test.report("before")


def findings(report):
    """Returns the findings that cost enough to count, the most costly first."""
    total = report["thread_time"]["total_s"] - report["lost"]["causes_s"].get("noise", 0)
    return [finding for finding in report["findings"] if finding["kind"] not in NO_FAULT
            and (finding.get("cost_s", 0) >= LEAST * total or finding["kind"] == "too short")]


def most_frequent(reports, left_out=()):
    names = [next((": ".join(filter(None, (finding["kind"], finding.get("where") or finding.get("what"))))
                   for finding in findings(report) if finding["kind"] not in left_out), "none") for report in reports]
    return collections.Counter(names).most_common(1)[0][0]


def seconds(reports, table, column, is_all):
    """Returns the median of the sums over all labels, or over all but the initial task."""
    return statistics.median(sum(row[column] for row in report["tables"][table] if is_all or row["label"] != INITIAL)
                             for report in reports)


@dataclasses.dataclass
class Answer:
    first: str
    work: float
    span: float


def answer(reports, left_out, is_all):
    return Answer(most_frequent(reports, left_out), seconds(reports, "labels", "executed_s", is_all),
                  seconds(reports, "critical-path", "span_s", is_all))


def answers(program, rounds):
    """*Returns* both answers, and whether work and span are more than upper bounds."""
    quiet, loaded = [], []
    for reports, n_loops in ((quiet, 0), (loaded, 2)):
        with trial.load(n_loops):
            reports += [program.report() for _ in range(rounds)]
    first = most_frequent(quiet)
    left_out = () if first.split(":")[0] in START else START
    is_fine = any(report["recording"]["is_grain_fine"] for report in quiet + loaded)
    both = [answer(reports, left_out, first.endswith(INITIAL)) for reports in (quiet, loaded)]
    return *both, not is_fine and first != "too short"


def compare(program, rounds):
    """Prints a row. *Returns* whether the answers are the same."""
    quiet, loaded, is_exact = answers(program, rounds)
    changes = {name: getattr(loaded, name) / max(getattr(quiet, name), 1e-9) - 1 for name in ("work", "span")}
    wrong = [name for name, change in changes.items() if is_exact and abs(change) > MOST]
    wrong += ["finding"] if quiet.first != loaded.first else []
    firsts = quiet.first if quiet.first == loaded.first else f"{quiet.first} -> {loaded.first}"
    marks = ("" if is_exact else "  (fine)") + (f"  <-- {', '.join(wrong)}" if wrong else "")
    print(f"{program.label:20} {quiet.work:8.4f} s {100 * changes['work']:+6.1f} %  {quiet.span:8.4f} s "
          f"{100 * changes['span']:+6.1f} %  {firsts}{marks}", flush=True)
    return not wrong


def programs(arguments, folder):
    tools = trial.Tools(arguments.otter, arguments.clang)
    own = [Tool(tools.otter, folder, pathlib.Path(arguments.folder).resolve() / name, kind) for name, kind in test_limits.KNOWN]
    planted = [Planted(pair, tools, folder) for pair in catalogue.PAIRS if not trial.is_kokkos(pair)]
    return [program for program in own + planted if not arguments.names or program.label in arguments.names]


def run(selected, rounds):
    if selected and selected[0].report()["thread_time"]["running_s"] is None:
        print("perf events are not allowed here, so recordings do not know when threads are on a processor")
        return SKIPPED
    print(f"{'program':20} {'work':>10} {'loaded':>8}  {'span':>10} {'loaded':>8}  first finding")
    results = [compare(program, rounds) for program in selected]
    print(f"{results.count(True)} the same, {results.count(False)} different")
    return not results or False in results


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("otter")
    parser.add_argument("folder")
    parser.add_argument("clang")
    parser.add_argument("names", nargs="*", metavar="NAME", help="programs; default: all")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="otter-load-") as folder:
        return run(programs(arguments, folder), arguments.rounds)


if __name__ == "__main__":
    sys.exit(main())
