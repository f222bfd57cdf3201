#!/usr/bin/env python3
"""Runs an OpenMP program without and with the tool, at several numbers of threads, and checks the archives.

    run.py --tool libotter-ompt.so --source programs/fib.c BUILT-PROGRAM

The head of the program's source says what is expected; README.md explains how to write it. Exit status: 0, 1 (the
reasons are printed), 77 (not applicable here).
"""

import argparse
import ast
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

import expectations
import invariants
from archive import History, read
from execute import execute

NOT_APPLICABLE = 77
# a hang, a task that was lost, and one that is executed in a later region
OF_THE_RUNTIME = re.compile('timeout|never ended|leads to sync')


class Head:
    """The directives at the head of a source: `// key[condition]: value` lines."""

    pattern = re.compile(r'^(?://|!) ([a-z-]+)(?:\[(.*?)\])?: (.*)$')

    def __init__(self, path):
        self.lines = []
        with open(path, encoding='utf-8') as source:
            for line in source:
                if not line.startswith(('//', '!')):
                    break
                match = self.pattern.match(line.rstrip())
                if match:
                    self.lines.append(match.groups())

    def all(self, key, names):
        return [value for k, condition, value in self.lines
                if k == key and (not condition or eval(condition, {'__builtins__': {}}, names))]

    def get(self, key, names, otherwise=''):
        values = self.all(key, names)
        return values[-1] if values else otherwise


def lacking(program, runtime):
    """Entry points that the program needs and the runtime lacks: without them, a run fails. nm is slow."""
    output = subprocess.run(['nm', '-D', '--undefined-only', program], stdout=subprocess.PIPE, text=True, check=True).stdout
    needed = {line.split()[-1].split('@')[0] for line in output.splitlines() if line.strip()}
    with open(runtime, 'rb') as file:
        names = file.read()  # nm needs a hundred times as long for the runtime
    return sorted(s for s in needed if re.match('__kmpc_|omp_|GOMP_', s) and s.encode() + b'\0' not in names)


class Test:
    def __init__(self, options):
        self.options = options
        self.head = Head(options.source)
        self.problems = []
        self.folder = None
        self.threads = []  # the numbers of threads with which the program runs

    # ---- the runs

    def names(self, threads):
        version = re.search(r'llvm-(\d+)', os.path.realpath(self.options.libomp))
        return {'T': threads, 'gcc': self.options.compiler == 'gcc', 'clang': self.options.compiler == 'clang',
                'libomp': int(version.group(1)) if version else 19}

    def environment(self, threads):
        environment = {k: v for k, v in os.environ.items() if not k.startswith(('OTTER_', 'OMP_', 'KMP_', 'LIBOMP_'))}
        environment['OMP_NUM_THREADS'] = str(threads)
        if self.options.compiler == 'gcc':
            environment['LD_PRELOAD'] = self.options.libomp
        environment['LD_LIBRARY_PATH'] = os.path.dirname(self.options.libomp)
        for setting in self.head.get('env', self.names(threads)).split():
            name, _, value = setting.partition('=')
            environment[name] = value
        return environment

    def complain(self, where, text):
        self.problems.append(f'{where}: {text}')

    # ---- one number of threads

    def run_at(self, threads):
        """LLVM's runtime sometimes loses a task of a mutexinoutset or an inoutset, or hangs, also without a tool. Programs with
        such tasks have several attempts, which no other problem gets."""
        n_known = len(self.problems)
        for attempt in range(int(self.head.get('attempts', self.names(threads), '1'))):
            if attempt > 0:
                print('again:', *self.problems[n_known:][:3], sep='\n')
                del self.problems[n_known:]
            self.run_once(threads)
            if not any(OF_THE_RUNTIME.search(problem) for problem in self.problems[n_known:]):
                break

    def run_once(self, threads):
        names = self.names(threads)
        arguments = self.head.get('args', names).split()
        where = f'{os.path.basename(self.options.program)} {" ".join(arguments)} at {threads} threads'
        expected = int(self.head.get('exit', names, '0'))
        # Older runtimes sometimes crash in some programs, even without a tool: such a run is ignored.
        for _ in range(3):
            without = self.run_plain(threads, arguments)
            if without.status == expected:
                break
        if without.status != expected:
            self.complain(where, f'without the tool: exit status {without.status}, expected {expected}: '
                                 f'{without.stdout[-300:]}{without.stderr[-300:]}')
            return
        archives = self.run_and_read(where, threads, arguments, without, self.head.get('archives', names, '1'))
        for archive in archives:
            self.expect(where, archive, names, without)
        if archives:
            self.check_growth(where, threads, archives[0])

    def run_plain(self, threads, arguments):
        return execute([self.options.program, *arguments], self.environment(threads), self.folder, self.timeout(threads))

    def timeout(self, threads):
        return float(self.head.get('timeout', self.names(threads), '120'))

    def run_with_tool(self, threads, arguments, trace_path):
        environment = self.environment(threads)
        environment['OMP_TOOL_LIBRARIES'] = self.options.tool
        relative = self.head.get('trace-path', self.names(threads)) == 'relative'
        environment['OTTER_TRACE_PATH'] = os.path.basename(trace_path) if relative else trace_path
        for setting in self.head.get('settings', self.names(threads)).split() + self.options.tool_env:
            name, _, value = setting.partition('=')
            environment[name] = value
        return execute([self.options.program, *arguments], environment, self.folder, self.timeout(threads))

    def run_and_read(self, where, threads, arguments, without, n_archives):
        """Runs with the tool and compares. Returns the archives, read and checked."""
        trace_path = tempfile.mkdtemp(prefix='trace-', dir=self.folder)
        result = self.run_with_tool(threads, arguments, trace_path)
        for what in ('status', 'stdout'):
            expected, got = getattr(without, what), getattr(result, what)
            if expected != got:
                self.complain(where, f'{what} with the tool: expected {expected!r}, got {got!r}; '
                                     f'stderr: {result.stderr[-600:]}')
        self.check_stderr(where, threads, without, result)
        paths = sorted(glob.glob(f'{trace_path}/*/traces.otf2'))
        recordings = [p for p in sorted(os.listdir(trace_path)) if p.endswith('.recording')]
        if n_archives == 'recording':
            if len(recordings) != 1 or not os.path.exists(f'{trace_path}/{recordings[0]}/journal'):
                self.complain(where, f'expected one unfinished recording, got {os.listdir(trace_path)}')
            return []
        if len(paths) != int(n_archives) or recordings:
            self.complain(where, f'expected {n_archives} archives, got {os.listdir(trace_path)}; '
                                 f'stderr: {result.stderr[-600:]}')
        return [archive for archive in (self.read(where, path, threads) for path in paths) if archive]

    def check_stderr(self, where, threads, without, result):
        """Checks that stderr has only the program's output and the closing block."""
        expected = without.stderr.splitlines()
        closing_block = re.compile(r'otter: ([\d,]+ events, |next: |task graph: )|OTTER_TRACE_FOLDER=')
        said = [line for line in result.stderr.splitlines()
                if line.strip() and line not in expected and not closing_block.match(line)]
        warnings = self.head.all('warning', self.names(threads))
        if len(said) != len(warnings) or not all(w in line for w, line in zip(warnings, said)):
            self.complain(where, f'stderr with the tool: expected {warnings}, got {said[:5]}')

    def read(self, where, path, threads):
        try:
            archive = read(path)
        except Exception as error:  # python3-otf2 raises many kinds for a broken archive
            self.complain(where, f'python3-otf2 cannot read {path}: {type(error).__name__}: {error}')
            return None
        archive.history = History(archive)
        self.check_addresses(where, archive)
        unfinished = self.head.get('unfinished', self.names(threads)).split()
        # otf2-print is slow, so it reads the archives of one number of threads only
        is_last = threads == self.threads[-1]
        of_otf2_print = invariants.accepted_by_otf2_print(archive) if is_last and not self.options.without_otf2_print else []
        for problem in of_otf2_print + invariants.check(archive, archive.history, unfinished):
            self.complain(where, problem)
        self.check_with_otter(where, path)
        return archive

    def check_with_otter(self, where, path):
        """Checks that `otter check`, which also checks the task graph, accepts the archive."""
        if not self.options.otter:
            return
        result = subprocess.run([self.options.otter, 'check', path], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                text=True, errors='replace', timeout=240)
        if result.returncode != 0:
            self.complain(where, f'otter check: exit status {result.returncode}: {result.stdout[:3000]}')

    def check_addresses(self, where, archive):
        """Checks that the code address of each construct of the program (before the return address) is in its
        source."""
        sources = (os.path.basename(self.options.source), 'check.h')  # compilers inline functions of the header
        offsets = {region: int(region.name.rpartition('+0x')[2], 16) - 1 for region in archive.regions.values()
                   if '+0x' in region.name and region.file == self.options.program}
        output = subprocess.run(['addr2line', '-e', self.options.program, *map(hex, offsets.values())],
                                stdout=subprocess.PIPE, text=True, check=True).stdout if offsets else ''
        for region, line in zip(offsets, output.splitlines()):
            if os.path.basename(line.partition(':')[0]) not in sources:
                self.complain(where, f'{region} is at {line}')

    def expect(self, where, archive, names, without):
        facts = expectations.names(archive, without.stdout, names)
        wanted = list(self.head.all('expect', names))
        if not self.head.get('unfinished', names):
            wanted += ["prop('OTTER::UNFINISHED') == '0'", "prop('OTTER::PROCESSORS') not in (None, '0')"]
            # For gcc's code, the runtime never reports the end of a single construct.
            if names['clang'] and not self.head.get('repaired', names):
                wanted.append("prop('OTTER::REPAIRED') == prop('OTTER::UNBEGUN') == '0'")
        wanted.append("prop('OTTER::LOST') == '0'")
        for setting in self.options.tool_env:
            name, _, value = setting.removeprefix('OTTER_').partition('=')
            wanted.append(f"prop('OTTER::SETTING::{name}') == '{value}'")
        for expression in wanted:
            try:
                if not eval(expression, {'__builtins__': {}}, facts):
                    self.complain(where, f'expected {expression}; got {self.sides(expression, facts)}')
            except Exception as error:
                self.complain(where, f'expected {expression}: {type(error).__name__}: {error}')

    @staticmethod
    def sides(expression, facts):
        """The values on both sides of a comparison."""
        tree = ast.parse(expression, mode='eval').body
        if not isinstance(tree, ast.Compare):
            return eval(expression, {'__builtins__': {}}, facts)
        parts = [tree.left, *tree.comparators]
        values = [eval(ast.unparse(part), {'__builtins__': {}}, facts) for part in parts]
        return ' and '.join(map(repr, values))

    def check_growth(self, where, threads, archive):
        """Checks that a longer run has no more definitions than `archive`."""
        arguments = self.head.get('grow', self.names(threads)).split()
        if not arguments:
            return
        where = f'{where}, grown to {" ".join(arguments)}'
        without = self.run_plain(threads, arguments)
        for longer in self.run_and_read(where, threads, arguments, without, '1'):
            if longer.n_definitions() != archive.n_definitions():
                self.complain(where, f'definitions grow from {archive.n_definitions()} to {longer.n_definitions()}: '
                                     + self.new_regions(archive, longer))

    @staticmethod
    def new_regions(archive, longer):
        names = [{str(region) for region in a.regions.values()} for a in (archive, longer)]
        return ', '.join(sorted(names[0] ^ names[1]))

    # ---- all runs

    def is_allowed(self, threads):
        allowed = self.head.get('threads', self.names(threads))
        return not allowed or str(threads) in allowed.split()

    def run(self):
        self.folder = tempfile.mkdtemp(prefix='otter-run-')
        self.threads = [threads for threads in self.options.threads if self.is_allowed(threads)]
        for threads in self.threads:
            self.run_at(threads)
        if self.problems and self.options.keep:
            print(f'kept: {self.folder}')
        else:
            shutil.rmtree(self.folder)
        missing = lacking(self.options.program, self.options.libomp) if self.problems else []
        if missing:
            print(f'not applicable: {self.options.libomp} has no {", ".join(missing)}')
            return NOT_APPLICABLE
        for problem in self.problems[:40]:
            print(problem)
        if len(self.problems) > 40:
            print(f'... and {len(self.problems) - 40} more')
        if not self.threads:
            print('not applicable: this runtime lacks the construct')
            return NOT_APPLICABLE
        return 1 if self.problems else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--tool', required=True, help='libotter-ompt.so')
    parser.add_argument('--source', required=True, help='the source, with what is expected at its head')
    parser.add_argument('--compiler', choices=['clang', 'gcc'], default='clang',
                        help='which built the program; what gcc built gets libomp by LD_PRELOAD')
    parser.add_argument('--libomp', default='/usr/lib/llvm-19/lib/libomp.so.5', help='the OpenMP runtime')
    parser.add_argument('--threads', type=int, nargs='+', default=[1, 2, 4])
    parser.add_argument('--otter', help='the command, whose `check` is to find each archive sound')
    parser.add_argument('--tool-env', action='append', default=[], help='a setting of the tool, NAME=VALUE')
    parser.add_argument('--without-otf2-print', action='store_true', help='otf2-print reads no archive')
    parser.add_argument('--keep', action='store_true', help='keep the archives of a test that fails')
    parser.add_argument('program')
    options = parser.parse_args()
    for name in ('tool', 'program', 'libomp'):
        setattr(options, name, os.path.abspath(getattr(options, name)))
    return Test(options).run()


if __name__ == '__main__':
    sys.exit(main())
