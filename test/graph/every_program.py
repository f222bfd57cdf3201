#!/usr/bin/env python3
"""Runs all programs of test/run at 1, 2 and 4 threads, with `otter check`, the hash and both views, and prints
anomalies. Not a test: start it by hand.

    every_program.py --build build [--rounds 5] [NAME...]

The folder is a build of Otter that includes the run tests.
"""

import argparse
import glob
import os
import sys
import types

import recorded
import run

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCES = os.path.join(HERE, '..', 'run', 'programs')


class Program:
    def __init__(self, path):
        self.path = path
        self.name, _, self.compiler = os.path.basename(path).rpartition('-')
        self.source = next(iter(glob.glob(f'{SOURCES}/*/{self.name}.*')), None)

    def test(self, options):
        """Returns the directives of test/run for a program."""
        return run.Test(types.SimpleNamespace(source=self.source, program=self.path, compiler=self.compiler, tool=options.tool,
                                              libomp=options.libomp, tool_env=[], keep=False))


def archives(program, options, threads, folder):
    test = program.test(options)
    names = test.names(threads)
    allowed = test.head.get('threads', names)
    if allowed and str(threads) not in allowed.split():
        return []
    test.folder = folder
    trace_path = f'{folder}/{program.name}-{program.compiler}-{threads}-{len(os.listdir(folder))}'
    os.mkdir(trace_path)
    test.run_with_tool(threads, test.head.get('args', names).split(), trace_path)
    return sorted(os.path.dirname(path) for path in glob.glob(f'{trace_path}/*/traces.otf2'))


def look(recorder, archive):
    """Returns (hash, folded hash, problems)."""
    problems, hashes = [], []
    for arguments in (['check', archive], ['graph', archive, '--all', '-f', 'csv', '-o', f'{archive}.csv'],
                      ['graph', archive, '--view', 'fragments', '--all', '-f', 'csv', '-o', f'{archive}.fragments.csv']):
        try:
            recorder.otter(*arguments)
        except recorded.Failed as error:
            problems.append(str(error))
    for arguments in ([], ['--fold-team']):
        try:
            hashes.append(recorder.hash(archive, *arguments)[:8])
        except recorded.Failed as error:
            problems.append(str(error))
            hashes.append('')
    return *hashes, problems


def look_at_all(recorder, options, program):
    plain, folded = {}, {}
    for threads in (1, 2, 4):
        for _ in range(options.rounds):
            for i, archive in enumerate(archives(program, options, threads, recorder.folder)):
                one, any_number, problems = look(recorder, archive)
                plain.setdefault((threads, i), []).append(one)
                folded.setdefault(i, []).append((threads, any_number))
                for problem in problems:
                    print(f'{program.name} ({program.compiler}) at {threads}: {problem}')
    for (threads, i), hashes in plain.items():
        if len(set(hashes)) > 1:
            print(f'{program.name} ({program.compiler}) at {threads}, archive {i}: {len(set(hashes))} graphs in {len(hashes)} runs')
    for i, hashes in folded.items():
        if len({value for _, value in hashes}) > 1:
            by_threads = {threads: sorted({value for t, value in hashes if t == threads}) for threads in (1, 2, 4)}
            print(f'{program.name} ({program.compiler}) folded, archive {i}: {by_threads}')
    sys.stdout.flush()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', required=True, help='a build of Otter')
    parser.add_argument('--programs', help='the built programs; BUILD/test/run')
    parser.add_argument('--libomp', default='/usr/lib/llvm-19/lib/libomp.so')
    parser.add_argument('--rounds', type=int, default=3)
    parser.add_argument('--keep', action='store_true', help='keep the archives')
    parser.add_argument('names', nargs='*')
    options = parser.parse_args()
    build = os.path.abspath(options.build)
    options.otter, options.tool = f'{build}/core/cli/otter', f'{build}/connectors/ompt/libotter-ompt.so'
    options.compiler = 'clang'
    with recorded.Recorder(options) as recorder:
        for path in sorted(glob.glob(f'{os.path.abspath(options.programs or build + "/test/run")}/*-*')):
            program = Program(path)
            if program.source and os.access(path, os.X_OK) and os.path.isfile(path) and program.compiler in ('clang', 'gcc') and (
                    not options.names or program.name in options.names):
                look_at_all(recorder, options, program)
    return 0


if __name__ == '__main__':
    sys.exit(main())
