#!/usr/bin/env python3
"""Tries the advice of `otter report` on the programs of catalogue.py, and prints a line for each.

usage: try.py [NAME...] [--rounds N] [--record [--keep FOLDER]] [--load LOOPS | --first] [--sweep] [--otter FILE]
              [--clang COMPILER] [--kokkos FOLDER]

Each round records *before* and *after*, and runs both without a recording. With --record nothing runs without a
recording, and --keep keeps the archives of *before* with another first finding. The columns:

  right      recordings of *before* whose first finding is the planted one, at its line; noise may precede it. In
             brackets: recordings in which other processes took more than a quarter of the thread time
  cost       of that finding, and planted by construction: both of the thread time
  promised   the gain of the finding, a share of the wall time: its own if the report has one, else its cost; and what the
             plain runs gained, both of the fastest runs. Recording makes runs of fine tasks longer, so seconds differ
  number     of the advice, and the best of it and the program's sweep: all that are as fast as the fastest but for 2 %.
             Right: the number is at most twice or at least half of one of the best, or at most 3 % slower than the fastest
  left       share of the planted kinds in recordings of *after*, and how many of them have no finding of these kinds

Other shares are medians of the rounds. --load runs that many loops meanwhile. --first runs everything with real-time
priority, so that a busy machine behaves like a quiet one.
"""
import argparse
import collections
import os
import pathlib
import statistics
import subprocess
import tempfile

import catalogue
import trial

MAX_RUNS, ENOUGH = 30, 0.6  # most runs of a value of a sweep; seconds of runs that are enough
NOISY = 0.25  # share of the thread time that other processes take in a noisy recording
NEAR, AS_FAST = 2, 1.03  # a number is right if it is this close to one of the best, or almost as fast as the fastest
SLOW = 1.5  # times the best: slower values run only once
ROOT = pathlib.Path(__file__).resolve().parents[2]


def built_kokkos():
    """Returns the folder of a build by scripts/kokkos, or None."""
    result = subprocess.run([ROOT / "scripts/kokkos", "--list"], capture_output=True, text=True)
    return result.stdout.strip().split("\n")[0] or None


def best_of(test, sweep, rounds):
    """Returns the values of NUMBER that are within 2 % of the fastest, and the minimum of the runs of each value.

    Short programs run more often, the values in turn.
    """
    times = {number: test.seconds("after", number) for number in sweep}
    for _ in range(max(rounds, min(MAX_RUNS, int(ENOUGH / min(times.values()))))):
        for number in sweep:
            if times[number] < SLOW * min(times.values()):
                times[number] = min(times[number], test.seconds("after", number))
    return [number for number in sweep if times[number] <= 1.02 * min(times.values())], times


def is_near(number, best, times):
    """Returns whether a number of the advice is as good as the best numbers of a sweep. `times`: seconds by number."""
    is_close = number is not None and any(number <= NEAR * other and other <= NEAR * number for other in best)
    return is_close or times.get(number, float("inf")) <= AS_FAST * min(times.values())


def gain_of(finding, report):
    """Returns the finding's gain as a share of the wall time, from which the recorder's time is subtracted if the
    finding has `gain_s`."""
    recorder = report.get("recording", {}).get("thread_time_s", 0) / report["threads"]
    return finding["gain_s"] / (report["wall_s"] - recorder) if "gain_s" in finding else trial.share_of(finding)


def promise(pair, reports):
    """Returns the gain that the first right finding of the fastest recording promises, or None."""
    gains = []
    for report in sorted(reports, key=lambda report: report["wall_s"]):
        gains += [gain_of(finding, report) for finding in report["findings"] if trial.is_right(pair, finding)][:1]
    return gains[0] if gains else None


def percent(value):
    return "-" if value is None else f"{100 * value:.1f}"


def milliseconds(value):
    return "-" if value is None else f"{1e3 * value:.0f}"


def measured(pair, before, plain):
    if not plain["before"]:
        return ""
    gain = 1 - min(plain["after"]) / min(plain["before"])
    return (f"  promised {percent(promise(pair, before)):>4} measured {percent(gain):>4} %"
            f" of {milliseconds(min(plain['before']))} ms")


def print_row(pair, before, after, plain, number):
    right = [report for report in before if not trial.complaints(pair, report)]
    noisy = sum(trial.noise(report) > NOISY for report in before)
    costs = [trial.share_of(f) for report in before for f in report["findings"] if trial.is_right(pair, f)]
    left = [trial.left(pair, report) for report in after]
    print(f"{pair.label:14} {pair.threads} {(pair.kinds or ('none',))[0]:17} right {len(right)} of {len(before)}{f' ({noisy} beside noise)' if noisy else ''}"
          f"  cost {100 * statistics.median(costs) if costs else 0:5.1f} planted {100 * pair.share:4.1f} %"
          f"{measured(pair, before, plain)}{number}  left {100 * statistics.median(left):.1f} %,"
          f" none in {left.count(0)} of {len(left)}", flush=True)
    for version, texts in (("before", [text for report in before for text in trial.complaints(pair, report)]),
                           ("after", [trial.words(f) for report in after for f in trial.findings(report)])):
        for text, n in collections.Counter(texts).most_common():
            print(f"    {version}: {n} x {text}", flush=True)
    if any(abs(trial.unaccounted(report)) > 1e-6 for report in before + after):
        print("    findings and the unexplained rest are not the losses", flush=True)


def attempt(pair, arguments, tools, folder):
    test = trial.Trial(pair, tools, folder, arguments.keep, arguments.load > 0)
    before, after, plain = [], [], {"before": [], "after": []}
    numbers = []
    for _ in range(arguments.rounds):
        before.append(test.report("before"))
        numbers.append(trial.advised(pair, before[-1]))
        after.append(test.report("after", numbers[-1] or 0))
        for version, n in () if arguments.record else (("before", 0), ("after", numbers[-1] or 0)):
            plain[version].append(test.seconds(version, n))
    said = collections.Counter(numbers)
    number = f"  number {', '.join(f'{n} ({said[n]} x)' for n in said)}" if pair.number else ""
    if pair.sweep and not arguments.record:
        best, times = best_of(test, sorted({*pair.sweep, *filter(None, numbers)}), arguments.rounds)
        number += f" right {[is_near(n, best, times) for n in numbers].count(True)} of {len(numbers)}" if pair.number else ""
        number += f" best {','.join(map(str, best))}"
        if arguments.sweep:
            number += " (" + ", ".join(f"{n}: {milliseconds(t)}" for n, t in times.items()) + ")"
    print_row(pair, before, after, plain, number)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="programs of the catalogue; default: all")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--record", action="store_true", help="only with a recording")
    parser.add_argument("--keep", help="a folder for archives with another first finding")
    beside = parser.add_mutually_exclusive_group()
    beside.add_argument("--load", type=int, default=0, metavar="LOOPS", help="beside so many busy loops")
    beside.add_argument("--first", action="store_true", help="with real-time priority")
    parser.add_argument("--sweep", action="store_true", help="print the times of the sweeps")
    parser.add_argument("--otter", default=ROOT / os.environ.get("OTTER_BUILD", "build") / "core/cli/otter")
    parser.add_argument("--clang", default="clang-19")
    parser.add_argument("--kokkos", help="folder of a Kokkos with OpenMP; default: of scripts/kokkos")
    arguments = parser.parse_args()
    unknown = set(arguments.names) - {pair.label for pair in catalogue.PAIRS}
    if unknown:
        parser.error(f"no program {', '.join(sorted(unknown))}; known: {', '.join(pair.label for pair in catalogue.PAIRS)}")
    tools = trial.Tools(arguments.otter, arguments.clang, arguments.kokkos or built_kokkos())
    if arguments.first:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    with trial.load(arguments.load), tempfile.TemporaryDirectory(prefix="otter-advice-") as folder:
        for pair in catalogue.PAIRS:
            if trial.is_kokkos(pair) and not tools.kokkos:
                print(f"{pair.label:14} left out: scripts/kokkos builds Kokkos")
            elif not arguments.names or pair.label in arguments.names:
                attempt(pair, arguments, tools, folder)


if __name__ == "__main__":
    main()
