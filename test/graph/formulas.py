#!/usr/bin/env python3
"""Computes graphs by formula: applies the rules of core/graph/README.md to programs of any size.

    formulas.py --write     writes the file of expected/ for the small sizes named there
    formulas.py fib 4       prints one

T is the number of threads; `folded` means as `otter graph --fold-team` shows it. Nothing here depends on Otter's
output.
"""

import argparse
import glob
import os
import re
import sys

import drawing

HERE = os.path.dirname(os.path.abspath(__file__))


def parallel(graph, T, folded):
    """Draws the start of a region of T threads. Returns its members."""
    graph.node('initial', 'task', 'initial')
    graph.node('fork', 'begin', 'parallel', 'parallel')
    graph.edge('order', 'initial', 'fork')
    members = [graph.node(f'member{i}', 'task', 'implicit', 'parallel') for i in range(1 if folded else T)]
    graph.node('joined', 'end', 'parallel', 'parallel')
    for member in members:
        graph.edge('creation', 'fork', member)
        graph.edge('join', member, 'joined')
    graph.lies_in('fork', *members)
    return members


def region_end(graph, T, folded, arrivals):
    """Draws the barrier at the end of a region, at which members arrive from `arrivals`, and the end of the region."""
    graph.node('last', 'sync', 'implicit barrier', flags=['implied'] if T == 1 and not folded else [])
    for arrival in arrivals:
        graph.edge('order', arrival, 'last')
    graph.edge('join', 'last', 'joined')
    graph.lies_in('fork', 'last', 'joined')


def single(graph, T, folded):
    """Draws a single construct, executed by one member: `begin` ... `done`."""
    members = parallel(graph, T, folded)
    graph.node('begin', 'begin', 'single', 'single')
    graph.node('done', 'end', 'single', 'single')
    graph.node('barrier', 'sync', 'implicit barrier')
    graph.chain('order', 'member0', 'begin')
    graph.chain('order', 'done', 'barrier')
    for member in members[1:]:
        graph.edge('order', member, 'barrier')
    graph.lies_in('fork', 'begin', 'barrier')
    graph.lies_in('begin', 'done')
    region_end(graph, T, folded, ['barrier'])


def task(graph, name, creator, where):
    graph.node(name, 'task', 'explicit', where)
    graph.edge('creation', creator, name)
    graph.lies_in('fork', name)
    return name


def join_last(graph, tasks, where):
    """Joins the `tasks` without a successor."""
    before = {edge[0] for edge in graph.edges if edge[2] == 'dependence'}
    for name in tasks:
        if name not in before:
            graph.edge('join', name, where)


def fib(T, folded, n=5):
    """2 (F(n + 1) - 1) tasks, F(n + 1) - 1 taskwaits. A taskwait joins two tasks, and the last node of each task's chain."""
    graph = drawing.Drawing()
    single(graph, T, folded)

    def call(name, scope, creator, k):
        """Draws fib(k) in the task whose node is `creator`. Returns the last node."""
        if k < 2:
            return creator
        wait = graph.node(name + 'wait', 'sync', 'taskwait', 'wait')
        graph.lies_in(scope, wait)
        for child, where, less in (('a', 'first', 1), ('b', 'second', 2)):
            task(graph, name + child, creator, where)
            graph.edge('join', name + child, wait)
            graph.edge('join', call(name + child, 'fork', name + child, k - less), wait)
        graph.edge('order', creator, wait)
        return wait
    graph.edge('order', call('f', 'begin', 'begin', n), 'done')
    return graph


def fib_counts(n):
    """Returns the numbers of tasks and taskwaits of fib(n)."""
    numbers = [0, 1]
    while len(numbers) < n + 2:
        numbers.append(numbers[-1] + numbers[-2])
    return 2 * (numbers[n + 1] - 1), numbers[n + 1] - 1


def chain(T, folded, n=5):
    graph = drawing.Drawing()
    single(graph, T, folded)
    graph.edge('order', 'begin', 'done')
    links = [task(graph, f'link{i}', 'begin', 'link') for i in range(n)]
    graph.chain('dependence', *links)
    join_last(graph, links, 'barrier')
    return graph


def wavefront(T, folded, n=3):
    graph = drawing.Drawing()
    single(graph, T, folded)
    graph.edge('order', 'begin', 'done')
    cells = {(i, j): task(graph, f'c{i},{j}', 'begin', 'cell') for i in range(n) for j in range(n)}
    for (i, j), cell in cells.items():
        for neighbour in ((i - 1, j), (i, j - 1)):
            if neighbour in cells:
                graph.edge('dependence', cells[neighbour], cell)
    join_last(graph, cells.values(), 'barrier')
    return graph


def lu(T, folded, n=3):
    graph = drawing.Drawing()
    single(graph, T, folded)
    graph.edge('order', 'begin', 'done')
    writer = {}  # tile -> the last task that wrote the tile

    def add(where, k, i, j, *read):
        name = task(graph, f'{where}{k},{i},{j}', 'begin', where)
        for tile in (*read, (i, j)):
            if tile in writer:
                graph.edge('dependence', writer[tile], name)
        writer[i, j] = name
        return name
    tasks = []
    for k in range(n):
        rest = range(k + 1, n)
        tasks += [add('diagonal', k, k, k)]
        tasks += [add('row', k, k, j, (k, k)) for j in rest]
        tasks += [add('column', k, i, k, (k, k)) for i in rest]
        tasks += [add('inner', k, i, j, (i, k), (k, j)) for i in rest for j in rest]
    join_last(graph, tasks, 'barrier')
    return graph


def taskloop_split(T, folded, n=10, least=4):
    """Halves a loop as kmp_tasking.cpp does. More than `least` chunks are split: one half stays here, and a task of the
    runtime gets the other half. Folding removes these tasks."""
    graph = drawing.Drawing()
    single(graph, T, folded)
    for kind in ('begin', 'end'):
        graph.node('group_' + kind, kind, 'taskgroup', 'loop')
        graph.node('loop_' + kind, kind, 'taskloop', 'loop')
    graph.chain('order', 'begin', 'group_begin', 'loop_begin', 'loop_end', 'group_end', 'done')
    graph.lies_in('begin', 'group_begin')
    graph.lies_in('group_begin', 'group_end', 'loop_begin')
    graph.lies_in('loop_begin', 'loop_end')
    names = iter(f'task{i}' for i in range(4 * n))

    def add(creator):
        name = graph.node(next(names), 'task', 'explicit', 'loop')
        graph.edge('creation', creator, name)
        graph.edge('join', name, 'group_end')
        graph.lies_in('group_begin', name)
        return name

    def chunks(creator, m):
        if m <= least or folded:
            for _ in range(m):
                add(creator)
        else:
            chunks(add(creator), m - m // 2)
            chunks(creator, m // 2)
    chunks('loop_begin', n)
    return graph


def taskloop_nogroup(T, folded, n=10, least=4):
    """Without a taskgroup, the taskwait of the encountering task joins all chunks, even those that other tasks created.
    It also joins the tasks that split the loop, which are children as well."""
    grouped, graph = taskloop_split(T, folded, n, least), drawing.Drawing()
    single(graph, T, folded)
    for name in ('loop_begin', 'loop_end'):
        graph.nodes[name] = grouped.nodes[name]._replace(where='')
    graph.node('wait', 'sync', 'taskwait', 'wait')
    graph.chain('order', 'begin', 'loop_begin', 'loop_end', 'wait', 'done')
    graph.lies_in('begin', 'loop_begin', 'wait')
    graph.lies_in('loop_begin', 'loop_end')
    for name, label in grouped.nodes.items():
        if label.what == 'explicit':
            graph.nodes[name] = label._replace(where='')
            graph.lies_in('fork', name)
            graph.edge('join', name, 'wait')
    graph.edges |= {edge for edge in grouped.edges
                    if edge[2] == 'creation' and grouped.nodes[edge[0]].what in ('explicit', 'taskloop')}
    return graph


BY_NAME = {function.__name__: function for function in (fib, chain, wavefront, lu, taskloop_split,
                                                       taskloop_nogroup)}


def make(name, arguments, T, folded):
    return BY_NAME[name](T, folded, *arguments)


# ---- files

def path_of(name):
    return glob.glob(os.path.join(HERE, 'expected/*', name + '.txt'))[0]


def head_of(name):
    with open(path_of(name), encoding='utf-8') as file:
        return file.read()


VARIANTS = [('T == 1 and not folded', 1, False), ('T == 2 and not folded', 2, False), ('folded', 2, True)]


def without(graph, common):
    rest = drawing.Drawing()
    rest.nodes = {name: label for name, label in graph.nodes.items() if common.nodes.get(name) != label}
    rest.edges = graph.edges - common.edges
    rest.scopes = {name: scope for name, scope in graph.scopes.items() if common.scopes.get(name) != scope}
    return rest


def text_of(name, arguments):
    """Returns the part that all runs have in common, then the conditional parts."""
    graphs = [make(name, arguments, T, folded) for _, T, folded in VARIANTS]
    common = drawing.Drawing()
    common.nodes = {node: label for node, label in graphs[0].nodes.items() if all(g.nodes.get(node) == label for g in graphs)}
    common.edges = {edge for edge in set.intersection(*(g.edges for g in graphs))
                    if edge[0] in common.nodes and edge[1] in common.nodes}
    common.scopes = {node: scope for node, scope in graphs[0].scopes.items()
                     if node in common.nodes and scope in common.nodes and all(g.scopes.get(node) == scope for g in graphs)}
    parts = [drawing.write(common)]
    for (condition, _, _), graph in zip(VARIANTS, graphs):
        parts.append(f'[{condition}]\n' + drawing.write(without(graph, common)))
    return '\n'.join(parts)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--write', action='store_true')
    parser.add_argument('formula', nargs='?', choices=sorted(BY_NAME))
    parser.add_argument('sizes', nargs='*', type=int)
    options = parser.parse_args()
    if options.formula:
        print(text_of(options.formula, options.sizes), end='')
    if options.write:
        for name in BY_NAME:
            head, _, _ = head_of(name).partition('\n\n')
            sizes = [int(size) for size in re.search(r'formula: (.*)', head).group(1).split()]
            with open(path_of(name), 'w', encoding='utf-8') as file:
                file.write(head + '\n\n' + text_of(name, sizes))
    return 0


if __name__ == '__main__':
    sys.exit(main())
