#!/usr/bin/env python3
"""Compares the edges between randomly dependent tasks with an independent model of OpenMP's rules.

    dependences.py --otter otter --tool libotter-ompt.so --libomp libomp.so --clang clang [--seeds 1 2 3]

Each seed gives a program (always the same one), which runs at 1, 2 and 4 threads, with tasks that end early, late and
at any time. Then follows a chain so long that it is recorded in many chunks. Exit status: 0, 1 (the reasons are
printed).
"""

import argparse
import collections
import os
import random
import re
import subprocess
import sys

import recorded

HERE = os.path.dirname(os.path.abspath(__file__))
WRITERS = ('out', 'inout', 'all')
N_ADDRESSES = 6
EVERYTHING_ELSE = -1  # addresses that only omp_all_memory names


class Item:
    """A task of the program, or a `taskwait depend`."""

    def __init__(self, kind, entries, children=None):
        self.kind = kind          # 'task', 'if0', 'wait'
        self.entries = entries    # (kind, address)
        self.children = children or []  # Items that the item creates


def random_entries(chance, kinds, at_least):
    addresses = chance.sample(range(N_ADDRESSES), chance.randint(at_least, 3))
    return [(chance.choice(kinds), address) for address in addresses]


def random_item(chance, depth):
    """Draws an item. libomp accepts only `in`, `out` and `inout` for an immediate wait."""
    kind = chance.choices(('task', 'if0', 'wait'), (10, 1, 1))[0]
    if kind == 'wait':
        return Item(kind, random_entries(chance, ('in', 'inout'), 1))
    if kind == 'if0':
        return Item(kind, random_entries(chance, ('in', 'out', 'inout'), 0))
    if chance.random() < 0.06:
        return Item(kind, [('all', None)])
    entries = random_entries(chance, ('in', 'in', 'out', 'inout', 'mutexinoutset', 'inoutset'), 0)
    children = [random_item(chance, depth - 1) for _ in range(4)] if depth and chance.random() < 0.15 else []
    return Item(kind, entries, children)


def random_program(seed):
    """Returns the items that one task creates. A task after a wait has dependences; otherwise the two would look like a
    task with if(0) in a team of one thread."""
    chance = random.Random(seed)
    items = [random_item(chance, 1) for _ in range(40)]

    def settle(items):
        for item, after in zip(items, items[1:] + [None]):
            if item.kind == 'wait' and (after is None or not after.entries):
                item.kind = 'task'
            settle(item.children)
    settle(items)
    return items


# ---- the program in C

def clause(kind, address):
    return 'depend(inout : omp_all_memory)' if kind == 'all' else f'depend({kind} : x[{address}])'


def write_items(items, indent, lines):
    for item in items:
        clauses = ''.join(' ' + clause(*entry) for entry in item.entries)
        if item.kind == 'wait':
            lines.append(f'#pragma omp taskwait{clauses}')
            continue
        lines.append(f'#pragma omp task{" if (0)" if item.kind == "if0" else ""}{clauses} shared(x)')
        lines.append(indent + '{')
        write_items(item.children, indent + '    ', lines)
        lines.append(indent + '    body();')
        lines.append(indent + '}')
        lines.append(indent + 'created();')


def as_c(programs):
    lines = ['#include "play.h"', f'static char x[{N_ADDRESSES}];', 'int main(int argc, char **argv)', '{',
             '    play(argc, argv);']
    for items in programs:
        lines += ['#pragma omp parallel', '#pragma omp single', '    {']
        write_items(items, '        ', lines)
        lines.append('    }')
    return '\n'.join(lines + ['    return 0;', '}', ''])


# ---- OpenMP's rules (5.1, 2.19.11)

def conflict(a, b):
    """Returns whether the later of two entries with the same address waits for the earlier one."""
    return a in WRITERS or b in WRITERS or a != b


def direct(history, kind):
    """Returns the earlier items with this address that must end first. Leaves out those for which another of them
    already waits."""
    found, awaited = [], []
    for earlier, item in reversed(history):
        is_awaited = any(conflict(earlier, later) for later in awaited)
        if conflict(earlier, kind) and not is_awaited:
            found.append(item)
        if conflict(earlier, kind) or is_awaited:
            awaited.append(earlier)
    return found


def expected_edges(items):
    """Returns pairs of indexes of siblings."""
    history = collections.defaultdict(list)
    edges = set()
    for i, item in enumerate(items):
        entries = item.entries
        if entries and entries[0][0] == 'all':
            entries = [('all', address) for address in (*range(N_ADDRESSES), EVERYTHING_ELSE)]
        for kind, address in entries:
            edges.update((before, i) for before in direct(history[address], kind))
            history[address].append((kind, i))
    return edges


# ---- the recording

class Recorded:
    def __init__(self, graph):
        self.nodes = {node['id']: node for node in graph['nodes']}
        self.tasks = {task['index']: task for task in graph['tasks']}
        self.edges = collections.defaultdict(set)
        for edge in graph['edges']:
            self.edges[edge['kind']].add((edge['source'], edge['target']))
        self.children = collections.defaultdict(list)  # task -> (number, first node, last node, index)
        for task in graph['tasks']:
            if task['kind'] == 'explicit':
                number = int(task['id'].partition(':')[2])
                self.children[task['creator']].append((number, task['first_node'], task['last_node'], task['index']))
        for children in self.children.values():
            children.sort()

    def waits(self, task):
        """Returns the waits of a task in program order."""
        found = [node for node in self.nodes.values() if node['what'] == 'taskwait depend' and node['task_index'] == task]
        return [node['id'] for node in sorted(found, key=lambda node: node['end_ns'])]

    def creators(self):
        """Returns the tasks that executed the single constructs, in the order of the program, each with the region's
        begin."""
        singles = [node for node in self.nodes.values() if node['kind'] == 'begin' and node['what'] == 'single']
        return [(node['task_index'], node['scope']) for node in sorted(singles, key=lambda node: node['start_ns'])]


def compare(graph, creator, items, where):
    """Reads the items that one task created and their dependences, and compares them."""
    waits, children = iter(graph.waits(creator)), iter(graph.children[creator])
    n = {'waits': len(graph.waits(creator)), 'tasks': len(graph.children[creator])}
    wanted = {'waits': sum(item.kind == 'wait' for item in items), 'tasks': sum(item.kind != 'wait' for item in items)}
    if n != wanted:
        return [f'{where}: expected {wanted}, got {n}']
    nodes, problems = [], []
    for i, item in enumerate(items):
        if item.kind == 'wait':
            nodes.append((next(waits),) * 2)
            continue
        _, first, last, task = next(children)
        nodes.append((first, last))
        problems += compare(graph, task, item.children, f'{where}.{i}')
    index = {node: i for i, ends in enumerate(nodes) for node in ends}
    starts = {first for first, _ in nodes}
    of_others = graph.edges['creation'] | graph.edges['order']  # an edge of these kinds replaces a dependence
    # A dependence leaves the completion of a task, which is its own node's end and the last node of its chain.
    wanted_edges = {(node, nodes[b][0]) for a, b in expected_edges(items) for node in nodes[a]} - of_others
    # may be a wait that the test inserts; dependences on the creator start here
    own_end = graph.tasks[creator]['last_node']
    edges = {(a, b) for a, b in graph.edges['dependence'] if b in starts or (a in index and a != own_end)}

    def text(pairs):
        return ', '.join(f'{index.get(a)} -> {index.get(b)}' for a, b in sorted(pairs)[:10])
    if wanted_edges - edges:
        problems.append(f'{where}: {len(wanted_edges - edges)} of {len(wanted_edges)} dependences are missing: '
                        f'{text(wanted_edges - edges)}')
    if edges - wanted_edges:
        problems.append(f'{where}: {len(edges - wanted_edges)} dependences too many: {text(edges - wanted_edges)}')
    return problems


OUTLIVES = re.compile(r'task \S+ leads to sync \S+ implicit barrier \S+ by join')


def check(recorder, program, programs, threads, when):
    # libomp 19 hangs in about 1 of 500 runs with mutexinoutset, without any tool.
    archive = recorder.record(program, [when], threads)
    recorder.check(archive)
    graph = Recorded(recorder.graph(archive))
    creators = graph.creators()
    if len(creators) != len(programs):
        return [f'expected {len(programs)} single constructs, got {len(creators)}']
    # A task may be the creator of more than one single construct only if regions were mixed up.
    if len(set(creators)) != len(creators):
        return [f'the single constructs are those of {creators}']
    return [problem for seed, ((creator, _), items) in enumerate(zip(creators, programs))
            for problem in compare(graph, creator, items, f'region {seed}')]


def check_once(recorder, program, programs, threads, when):
    """Returns what is wrong with a recording. libomp 19 sometimes loses count of tasks with mutexinoutset or inoutset,
    even without a tool: it never executes a task, or executes it in a later region. Then `otter check` reports that the
    task never ended, or that the region's barrier was over before, and the caller records the program again."""
    try:
        return check(recorder, program, programs, threads, when)
    except recorded.Failed as error:
        return [str(error)]


LONG = 20000


def check_long_chain(recorder, program):
    """Checks that each task depends on its predecessor, even if a chunk was stored in between."""
    graph = Recorded(recorder.graph(recorder.record(program, ['none', str(LONG)], 2, ['OTTER_CHUNK_SIZE=256K'])))
    links = [first for creator, _ in graph.creators() for _, first, _, _ in graph.children[creator]]
    missing = set(zip(links, links[1:])) - graph.edges['dependence']
    if len(links) != LONG or missing or len(graph.edges['dependence']) != LONG - 1:
        return [f'{len(links)} of {LONG} tasks, {len(graph.edges["dependence"])} dependences, missing are {len(missing)}']
    return []


def build(options, source, program):
    subprocess.run([options.clang, '-O0', '-g', '-fopenmp', f'-I{HERE}/programs', f'-I{HERE}/../run/programs', source, '-o',
                    program], check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    recorded.add_options(parser)
    parser.add_argument('--clang', required=True, help='the compiler of OpenMP programs')
    parser.add_argument('--seeds', type=int, nargs='+', default=range(12), help='the programs')
    options = parser.parse_args()
    recorded.make_absolute(options)
    programs = [random_program(seed) for seed in options.seeds]
    problems = []
    with recorded.Recorder(options) as recorder:
        source, program = f'{recorder.folder}/tasks.c', f'{recorder.folder}/tasks'
        with open(source, 'w', encoding='utf-8') as file:
            file.write(as_c(programs))
        build(options, source, program)
        for threads in (1, 2, 4):
            for when in ('none', 'early', 'late'):
                for _ in range(3):
                    found = check_once(recorder, program, programs, threads, when)
                    if not any('never ended' in problem or OUTLIVES.search(problem) for problem in found):
                        break
                problems += [f'tasks {when} at {threads} threads: {problem}' for problem in found]
        build(options, f'{HERE}/programs/dependences/chain.c', program)
        try:
            problems += [f'long chain: {problem}' for problem in check_long_chain(recorder, program)]
        except recorded.Failed as error:
            problems.append(f'long chain: {error}')
    for problem in problems[:40]:
        print(problem)
    n = sum(len(expected_edges(items)) for items in programs)
    print(f'{len(programs)} programs with {n} dependences, {len(problems)} problems')
    return 1 if problems else 0


if __name__ == '__main__':
    sys.exit(main())
