#!/usr/bin/env python3
"""Compares the order of tasks, waits and ends of members in Otter's graph with the order that the specification demands.

    oracle.py --otter build/core/cli/otter --clang clang-19 [--programs 500] [--seed 1] [--threads 2 3 1] [--jobs 2]

Random OpenMP programs are recorded. For every ordered pair of tasks and waits, the question for both views is: does the
first begin or complete before the second begins or completes? model.py answers from the specification, `paths` from the
graph, read as core/graph/README.md defines. A difference is printed with the smallest part of the program that still
shows it. Exit status: 0, 1 (differences), 2 (something did not run).
"""

import argparse
import collections
import concurrent.futures
import copy
import glob
import json
import os
import signal
import subprocess
import sys
import tempfile

import model
import program

# edges that leave a task's node at its start, in the structure view
LEAVE_AT_START = ('creation', 'order', 'nesting', 'fulfil')
SETTINGS = {'OMP_MAX_ACTIVE_LEVELS': '9', 'OMP_DYNAMIC': 'false', 'OMP_WAIT_POLICY': 'passive'}


class NotRun(Exception):
    """Compiling, recording or reading a program failed; the text gives the reason."""

    def __init__(self, text, status=None):
        super().__init__(text)
        self.status = status


class NotCorrect(Exception):
    """The program fails without Otter, or crashes the compiler, so it says nothing about Otter."""


def run(command, folder, seconds=60):
    environment = {k: v for k, v in os.environ.items() if not k.startswith(('OTTER_', 'OMP_', 'KMP_'))}
    with subprocess.Popen(command, cwd=folder, env={**environment, **SETTINGS}, stdin=subprocess.DEVNULL, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True) as process:
        try:
            output = process.communicate(timeout=seconds)[0]
        except subprocess.TimeoutExpired as error:
            os.killpg(process.pid, signal.SIGKILL)  # clang 19 loops forever in a child process on some programs
            raise NotRun(f'{" ".join(command)}: no end after {seconds} s') from error
    if process.returncode != 0:
        raise NotRun(f'{" ".join(command)}: exit status {process.returncode}\n{output[-2000:]}', process.returncode)


def record(options, folder, most_runs=300):
    """Records the program. LLVM 19 loses tasks of a mutexinoutset, aborts or hangs on some programs, with and without a
    tool: such a program says nothing about Otter if it also fails without Otter."""
    try:
        run([options.otter, 'record', './p'], folder)
    except NotRun:
        for _ in range(most_runs):
            try:
                run(['./p'], folder)
            except NotRun as alone:
                raise NotCorrect from alone
        raise


def graphs(regions, options):
    """Returns the graph of each view of one run."""
    with tempfile.TemporaryDirectory(prefix='otter-oracle-') as folder:
        with open(os.path.join(folder, 'p.c'), 'w', encoding='utf-8') as file:
            file.write(program.as_c(regions))
        try:  # clang 19 crashes on some programs, LLVM's runtime on others
            run([options.clang, '-fopenmp', '-g', '-O0', 'p.c', '-o', 'p'], folder)
            run(['./p'], folder)
        except NotRun as error:
            raise NotCorrect from error
        record(options, folder)
        archive = glob.glob(f'{folder}/otter-*/')[0]
        run([options.otter, 'check', archive], folder)
        found = {}
        for view in ('structure', 'fragments'):
            run([options.otter, 'graph', archive, '--all', f'--view={view}', '-o', f'{view}.json'], folder)
            with open(os.path.join(folder, f'{view}.json'), encoding='utf-8') as file:
                found[view] = json.load(file)
        return found


class Paths:
    """The points of a graph: a start and an end of each node, and the points reached from each.

    core/graph/README.md, "What a path proves", says where an edge leaves and what it reaches. It also says what
    precedes the end of a task without an edge: the nodes of its chain except `fulfil`, and the bodies of its undeferred
    children.
    """

    def __init__(self, graph, deferred_lines, wait_lines, member_lines):
        self.order = model.Order()
        nodes = {node['id']: node for node in graph['nodes']}
        self.start = {name: self.order.point() for name in nodes}
        self.end = {name: self.order.point(self.start[name]) for name in nodes}
        self.barriers = self.shared_barriers(graph, nodes)
        self.body = self.ends_of_bodies(graph, nodes)
        completion = dict(self.body)
        for node in graph['nodes']:
            if node['what'] == 'fulfil':
                completion[node['task_index']] = self.end[node['id']]
            elif self.end[node['id']] != self.body[node['task_index']]:
                self.order.put(self.end[node['id']], self.body[node['task_index']])
        for edge in graph['edges']:
            self.put(edge, nodes[edge['source']], nodes[edge['target']])
        for task, barriers in self.barriers.items():
            for barrier in barriers:
                if self.end[barrier['id']] != self.body[task]:
                    self.order.put(self.end[barrier['id']], self.body[task])
        for task in graph['tasks']:
            if 'undeferred' in task.get('flags', '').split() and nodes[task['first_node']].get('line') not in deferred_lines:
                self.order.put(self.body[task['index']], self.body[task['creator']])
        self.reached = self.order.reachable()
        self.tasks = collections.defaultdict(list)  # line -> (begin, completion) of each task and wait
        for task in graph['tasks']:
            if task['kind'] == 'explicit':
                first = nodes[task['first_node']]
                self.tasks[first.get('line')].append((self.start[first['id']], completion[task['index']]))
            elif task['kind'] == 'implicit' and nodes[task['first_node']].get('line') in member_lines:
                self.tasks[nodes[task['first_node']]['line']].append((self.body[task['index']],) * 2)
        for node in graph['nodes']:
            if node['kind'] in ('end', 'sync') and node.get('line') in wait_lines:
                self.tasks[node['line']].append((self.end[node['id']], self.end[node['id']]))

    def shared_barriers(self, graph, nodes):
        """{member: barriers in its chain that the graph assigns to another member, in order}.

        Two barriers without a node between them have one edge for all members.
        """
        later = collections.defaultdict(list)
        for edge in graph['edges']:
            if edge['kind'] == 'order' and nodes[edge['target']]['what'] != 'fulfil':
                later[edge['source']].append(nodes[edge['target']])
        found = collections.defaultdict(list)
        for node in graph['nodes']:
            task, here = node['task_index'], node
            while not any(target['task_index'] == task for target in later[here['id']]):
                here = next((target for target in later[here['id']] if 'barrier' in target['what']), None)
                if here is None:
                    break
                found[task].append(here)
        return {task: sorted(barriers, key=lambda node: node['end_ns']) for task, barriers in found.items()}

    def ends_of_bodies(self, graph, nodes):
        """Returns {task: end of its body}, which is the end of its own node (structure view), or of the last node of
        its chain."""
        if graph['graph']['view'] == 'structure':
            return {task['index']: self.end[task['first_node']] for task in graph['tasks']}
        sharers = collections.defaultdict(set)
        for task, barriers in self.barriers.items():
            for barrier in barriers:
                sharers[barrier['id']].add(task)
        inner = {edge['source'] for edge in graph['edges'] if edge['kind'] == 'order' and
                 nodes[edge['target']]['what'] != 'fulfil' and
                 nodes[edge['source']]['task_index'] in (nodes[edge['target']]['task_index'], *sharers[edge['target']])}
        last = {node['task_index']: self.end[node['id']] for node in graph['nodes']
                if node['id'] not in inner and node['what'] != 'fulfil' and node['kind'] != 'begin'}
        return {**{task: self.end[barriers[-1]['id']] for task, barriers in self.barriers.items()}, **last}

    def put(self, edge, source, target):
        if source['kind'] == 'task':
            leaves = self.start[source['id']] if edge['kind'] in LEAVE_AT_START else self.body[source['task_index']]
        else:
            leaves = self.end[source['id']]
        self.order.put(leaves, (self.end if target['kind'] in ('end', 'sync') else self.start)[target['id']])

    def is_before(self, a, b):
        return bool(self.reached[a] >> b & 1)


def differences(regions, view, graph):
    """Returns (text, line, line) for each pair of tasks whose order is not as required."""
    expected = model.Model(regions, serial_is_undeferred=view == 'fragments')
    try:
        got = Paths(graph, {line for line, *_ in expected.tasks} - expected.undeferred, {line for line, *_ in expected.waits},
                    {line for line, *_ in expected.members})
    except ValueError as error:
        return [(f'{view}: {error}', 0, 0)]
    lines = collections.defaultdict(list)
    for line, begin, completion in expected.tasks + expected.waits + expected.members:
        lines[line].append((begin, completion))
    for line in set(lines) - set(got.tasks):  # a task of the taskloop that has no taskgroup
        got.tasks[line] = got.tasks.pop(None, [])
    counts = [collections.Counter({line: len(points) for line, points in of.items()}) for of in (lines, got.tasks)]
    if counts[0] != counts[1]:
        return [(f'{view}: tasks and waits by line: missing {dict(counts[0] - counts[1])}, not in the program '
                 f'{dict(counts[1] - counts[0])}', 0, 0)]
    found = []
    for a in lines:
        for b in lines:
            if a != b:
                found += pair_differences(view, (a, lines[a][0], got.tasks[a]), (b, lines[b][0], got.tasks[b]), expected, got)
    return found


def pair_differences(view, first, second, expected, got):
    (a, a_points, a_tasks), (b, b_points, b_tasks) = first, second
    found = []
    for i, what in enumerate(('begins', 'completes')):
        for j, other in enumerate(('begins', 'completes')):
            demanded = expected.is_before(a_points[i], b_points[j])
            answers = {got.is_before(x[i], y[j]) for x in a_tasks for y in b_tasks}
            if answers != {demanded}:
                found.append((f'{view}: line {a} {what} before line {b} {other}: '
                              f'{"demanded" if demanded else "not demanded"}, '
                              f'the graph {"leaves it open" if demanded else "orders it"}', a, b))
    return found


def all_differences(regions, options):
    program.as_c(regions)  # stores in each task its line, by which the graph names it
    return [difference for view, graph in graphs(regions, options).items()
            for difference in differences(regions, view, graph)]


# ---- the smallest program with a difference

def blocks(regions):
    """Yields every list of statements in a program, and the list of its regions."""
    yield regions
    for region in regions:
        for phase in region.phases:
            for block in phase.bodies if isinstance(phase, program.Ordered) else phase:
                yield from statement_blocks(block)


def statement_blocks(block):
    yield block
    for statement in block:
        if isinstance(statement, program.Parallel):
            yield from list(blocks([statement]))[1:]
        elif hasattr(statement, 'body'):
            yield from statement_blocks(statement.body)


def smaller(regions):
    """Yields copies without one statement. A detached task and its fulfilment stay together: without it, the task never
    ends."""
    for number, block in enumerate(blocks(regions)):
        for i, statement in enumerate(block):
            if isinstance(statement, program.Fulfil) or getattr(statement, 'event', None) is not None:
                continue
            if 'Fulfil' in repr(statement) and 'event=' in repr(regions):
                continue
            shorter = copy.deepcopy(regions)
            del list(blocks(shorter))[number][i]
            if shorter:
                yield shorter


def shrink(regions, options, most_runs=150):
    """Returns the smallest program found that still has a difference, and its differences."""
    found, n_runs, goes_on = all_differences(regions, options), 0, True
    while goes_on:
        goes_on = False
        for candidate in smaller(regions):
            n_runs += 1
            if n_runs > most_runs:
                return regions, found
            try:
                differences_left = all_differences(candidate, options)
            except (NotRun, NotCorrect):
                continue
            if differences_left:
                regions, found, goes_on = candidate, differences_left, True
                break
    return regions, found


def judge(seed, options):
    """Returns (tasks, text of a difference or ''). No tasks: the program fails without Otter."""
    n_members = options.threads[seed % len(options.threads)]
    regions = program.draw(seed, n_members)
    try:
        found = all_differences(regions, options)
        n_tasks = len(model.Model(regions).tasks)
        if not found:
            return n_tasks, ''
        if options.shrink:
            regions, found = shrink(regions, options)
    except NotCorrect:
        return 0, ''
    except NotRun as error:
        return 0, f'program {seed}: {error}'
    numbered = '\n'.join(f'{n:4} {line}' for n, line in enumerate(program.as_c(regions).splitlines(), 1))
    return n_tasks, f'program {seed}: {len(found)} differences\n{numbered}\n' + \
        '\n'.join(f'    {text}' for text, _, _ in (found or [('it went away when it was made smaller', 0, 0)])[:12])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--otter', required=True, help='the otter command')
    parser.add_argument('--clang', default='clang-19', help='compiles the programs')
    parser.add_argument('--programs', type=int, default=500)
    parser.add_argument('--seed', type=int, default=1, help='of the first program; the others follow')
    parser.add_argument('--threads', type=int, nargs='+', default=[2, 3, 1], help='sizes of teams, in turn')
    parser.add_argument('--jobs', type=int, default=os.cpu_count())
    parser.add_argument('--no-shrink', dest='shrink', action='store_false', help='print programs as they were drawn')
    options = parser.parse_args()
    options.otter = os.path.abspath(options.otter)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        verdicts = list(pool.map(lambda seed: judge(seed, options), range(options.seed, options.seed + options.programs)))
    for _, text in verdicts:
        if text:
            print(text)
    n_bad = sum(bool(text) for _, text in verdicts)
    n_tasks = sum(n for n, _ in verdicts)
    n_left_out = sum(not n and not text for n, text in verdicts)
    print(f'{options.programs} programs, {n_tasks} tasks, {n_bad} programs with differences; '
          f'{n_left_out} left out (without tasks, or not run without Otter)')
    return 1 if n_bad else 0


if __name__ == '__main__':
    sys.exit(main())
