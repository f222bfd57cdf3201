#!/usr/bin/env python3
"""Checks that a program's graph is the same on every run and, when folded, for any number of threads.

    determinism.py --otter otter --tool libotter-ompt.so --libomp libomp.so --expected expected/fib.txt PROGRAM

Compares the hash that `otter graph --hash` prints over 8 runs at 2 threads (scripts/check: 40). Each run takes the next of the program's
command lines (tasks that end early, late, or at any time). With --fold-team, the hash must also be equal for all
numbers of threads that the head of the drawing lists as `folded`. Which member executes a `single` is left to chance. The program's
`larger` size must have another hash. At `noted` numbers of threads, `otter graph` must say that the graph cannot be
folded in full. Exit status: 0, 1 (the reasons are printed).
"""

import argparse
import collections
import sys

import oracle
import recorded


def one_hash(what, hashes, archives):
    """Returns a complaint unless all hashes are equal. Each hash belongs to one of (arguments, threads, ...)."""
    if len(set(hashes.values())) == 1:
        return []
    counts = collections.Counter(hashes.values())
    by_hash = {value: next(run for run in hashes if hashes[run] == value) for value in counts}
    return [f'{what}: {len(counts)} graphs: ' + ', '.join(f'{n} x {value[:8]} (as {by_hash[value]}: {archives[by_hash[value]]})'
                                                           for value, n in counts.most_common())]


def check_note(recorder, archive, is_noted):
    """Returns a complaint unless `otter graph` does, or does not, report that an archive cannot be folded in full."""
    text = recorder.says_of_fold(archive)
    return [] if ('not completely folded' in text) == is_noted else [f'folding {archive}: {text!r}']


def check(options, recorder, expected):
    settings = expected.words('env')
    command_lines = list(dict.fromkeys(arguments for arguments, _, _ in expected.runs()))
    folded = sorted({threads for _, threads, is_folded in expected.runs() if is_folded})
    plain, at_any_number, archives = {}, {}, {}
    if any(threads == 2 and not is_folded for _, threads, is_folded in expected.runs()):
        for i in range(options.runs):
            run = command_lines[i % len(command_lines)], 2, i
            archives[run] = recorder.record(options.program, run[0].split(), 2, settings)
            plain[run] = recorder.hash(archives[run])
            if 2 in folded:
                at_any_number[run] = recorder.hash(archives[run], '--fold-team')
    for threads in set(folded) - ({2} if plain else set()):
        for i in range(options.runs_folded):
            for arguments in command_lines:
                run = arguments, threads, i
                archives[run] = recorder.record(options.program, arguments.split(), threads, settings)
                at_any_number[run] = recorder.hash(archives[run], '--fold-team')
    problems = []
    for threads in map(int, expected.words('noted')):
        archive = recorder.record(options.program, [], threads, settings)
        problems += check_note(recorder, archive, True) + check_note(recorder, archives[next(iter(at_any_number))], False)
    problems += one_hash('at 2 threads', plain, archives) if plain else []
    problems += one_hash('folded', at_any_number, archives) if at_any_number else []
    if expected.words('larger'):
        other = recorder.record(options.program, expected.words('larger'), 2, settings)
        if {recorder.hash(other), recorder.hash(other, '--fold-team')} & {*plain.values(), *at_any_number.values()}:
            problems.append(f'{expected.head["larger"]} has the same hash')
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    recorded.add_options(parser)
    parser.add_argument('--expected', required=True, help='the drawing, at whose head stands how the program is run')
    parser.add_argument('--runs', type=int, default=8, help='at 2 threads')
    parser.add_argument('--runs-folded', type=int, default=2, help='of each command line at each other number of threads')
    parser.add_argument('program')
    options = parser.parse_args()
    recorded.make_absolute(options, 'program')
    expected = oracle.Expected(options.expected)
    try:
        with recorded.Recorder(options) as recorder:
            problems = check(options, recorder, expected)
    except recorded.Failed as error:
        problems = [str(error)]
    for problem in problems:
        print(f'{expected.head["program"]}: {problem}')
    return 1 if problems else 0


if __name__ == '__main__':
    sys.exit(main())
