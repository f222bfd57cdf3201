#!/usr/bin/env python3
"""Records a program and compares its graph with the drawing in expected/, which was made by hand or by formula.

    oracle.py --otter otter --tool libotter-ompt.so --libomp libomp.so --expected expected/fib.txt --source programs/fib.c PROGRAM

The head of the drawing says how the program is run:

    args: none 4 | late 4        command lines
    env: OMP_CANCELLATION=true   variables
    runs: 1, 2, 2 folded         numbers of threads; folded: by `otter graph --fold-team`
    formula: 4                   formulas.py must compute the same drawing for these sizes
    larger: none 12              another command line, to be compared with the drawing that formulas.py computes for its sizes

`otter check` must find nothing. Exit status: 0, 1 (the reasons are printed).
"""

import argparse
import sys

import drawing
import formulas
import recorded


class Expected:
    def __init__(self, path):
        with open(path, encoding='utf-8') as file:
            self.text = file.read()
        self.head = dict(match.groups() for match in map(drawing.DIRECTIVE.match, self.text.splitlines()) if match)

    def words(self, key):
        return self.head.get(key, '').split()

    def runs(self):
        """Returns (arguments, threads, folded)."""
        return [(arguments.strip(), int(run.split()[0]), 'folded' in run)
                for arguments in self.head.get('args', '').split('|') for run in self.head['runs'].split(',')]

    def drawing(self, threads, folded):
        return drawing.parse(self.text, T=threads, folded=folded)

    def by_formula(self, sizes, threads, folded):
        return formulas.make(self.head['program'], [int(size) for size in sizes], threads, folded)


def record(options, recorder, expected, arguments, threads):
    """Returns an archive that `otter check` accepts."""
    archive = recorder.record(options.program, arguments, threads, expected.words('env'))
    recorder.check(archive)
    return archive


def wanted(expected, threads, folded):
    """Returns the drawing, and its differences from the formula."""
    drawn = expected.drawing(threads, folded)
    if 'formula' not in expected.head:
        return drawn, []
    formula = expected.by_formula(expected.words('formula'), threads, folded)
    return drawn, [f'drawing and formula differ: {problem}' for problem in drawing.compare(drawn, formula)]


def compare(options, recorder, graph_wanted, archive, folded):
    graph = recorder.graph(archive, *(['--fold-team'] if folded else []))
    got = recorded.draw(graph, options.program, options.source)
    if folded:
        got = recorded.without_flag(got, 'implied')
    problems = drawing.compare(graph_wanted, got)
    if problems and options.print:
        print(drawing.write(got))
    return problems


def compare_larger(options, recorder, expected):
    arguments = expected.words('larger')
    if not arguments:
        return []
    try:
        archive = record(options, recorder, expected, arguments, 2)
        sizes = arguments[1:] + expected.words('formula')[len(arguments) - 1:]
        return [problem for folded in (False, True)
                for problem in compare(options, recorder, expected.by_formula(sizes, 2, folded), archive, folded)]
    except recorded.Failed as error:
        return [str(error)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    recorded.add_options(parser)
    parser.add_argument('--expected', required=True, help='the drawing')
    parser.add_argument('--source', required=True, help='of the program')
    parser.add_argument('--print', action='store_true', help='print the graph that was got where it differs')
    parser.add_argument('program')
    options = parser.parse_args()
    recorded.make_absolute(options, 'program')
    expected = Expected(options.expected)
    n_problems = 0
    with recorded.Recorder(options) as recorder:
        archives = {}
        for arguments, threads, folded in expected.runs():
            where = f'{expected.head["program"]} {arguments} at {threads} threads{", folded" if folded else ""}'
            key = arguments, threads
            try:
                if key not in archives:
                    archives[key] = record(options, recorder, expected, arguments.split(), threads)
                drawn, problems = wanted(expected, threads, folded)
                problems += compare(options, recorder, drawn, archives[key], folded)
            except recorded.Failed as error:
                problems = [str(error)]
            for problem in problems:
                print(f'{where}: {problem}')
            n_problems += len(problems)
        for problem in compare_larger(options, recorder, expected):
            print(f'{expected.head["program"]} {expected.head["larger"]}: {problem}')
            n_problems += 1
    return 1 if n_problems else 0


if __name__ == '__main__':
    sys.exit(main())
