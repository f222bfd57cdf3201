#!/usr/bin/env python3
"""Random programs of tasks: a path of their graph means what core/graph/README.md says it proves.

    reading.py --otter otter --tool libotter-ompt.so --libomp libomp.so --clang clang

Each construct of a program is an event or two: the start and the end of a task, the end of a wait, both ends of a taskgroup, a
fulfilment. Which event comes before which is asked twice: of a model of the specification, and of the paths of the recorded graph.
The answers must be equal, for each pair of events. Exit status: 0, 1 (the reasons are printed).
"""

import argparse
import collections
import random
import subprocess
import sys

import recorded

Item = collections.namedtuple('Item', 'kind line clauses children')  # kind: task, wait, group, fulfil
VARIABLES = 'xy'


# ---- programs

class Writer:
    """C, one construct a line; the line is the construct's name."""

    def __init__(self):
        self.lines = ['#include <omp.h>', 'static volatile int sink;']

    def add(self, text):
        self.lines.append(text)
        return len(self.lines)


def task_clauses(chance, is_detached):
    clauses = {'if0'} if chance.random() < 0.3 else set()
    if is_detached:
        clauses.add('detach')
    elif chance.random() < 0.4:
        clauses.add((chance.choice(['in', 'out']), chance.choice(VARIABLES)))
    return clauses


def pragma(clauses, handle):
    words = {'if0': 'if(0)', 'detach': f'detach({handle})'}
    return ' '.join(words[c] if c in words else f'depend({c[0]}: {c[1]})' for c in sorted(clauses, key=str))


def write_task(writer, chance, depth, clauses, handle=''):
    line = writer.add(f'#pragma omp task {pragma(clauses, handle)}')
    writer.add('{ int x, y; (void)x; (void)y;')
    children = write_body(writer, chance, depth + 1)
    writer.add('sink++; }')
    return Item('task', line, clauses, children)


def write_detached(writer, chance, depth):
    """A detached task, perhaps an undeferred one behind it, and its fulfilment: nothing between waits for the event."""
    handle = f'event{len(writer.lines)}'
    writer.add(f'omp_event_handle_t {handle};')
    items = [write_task(writer, chance, depth, task_clauses(chance, True), handle)]
    if chance.random() < 0.6:
        items.append(write_task(writer, chance, depth, {'if0'}))
    writer.add(f'omp_fulfill_event({handle});')
    return items + [Item('fulfil', items[0].line, set(), [])]


def write_body(writer, chance, depth):
    items = []
    for _ in range(chance.randint(0, 4 if depth < 3 else 0)):
        kind = chance.choices(['task', 'wait', 'group', 'detached'], [6, 2, 2, 1])[0]
        if kind == 'task':
            items.append(write_task(writer, chance, depth, task_clauses(chance, False)))
        elif kind == 'wait':
            items.append(Item('wait', writer.add('#pragma omp taskwait'), set(), []))
        elif kind == 'detached':
            items += write_detached(writer, chance, depth)
        else:
            line = writer.add('#pragma omp taskgroup')
            writer.add('{')
            items.append(Item('group', line, set(), write_body(writer, chance, depth + 1)))
            writer.add('}')
    return items


def random_program(seed):
    """The text of a program, and what it does in its single construct."""
    writer, chance = Writer(), random.Random(seed)
    writer.add('int main(void) { int x, y; (void)x; (void)y;')
    writer.add('#pragma omp parallel num_threads(2)')
    line = writer.add('#pragma omp single')
    writer.add('{')
    items = write_body(writer, chance, 0)
    writer.add('} return 0; }')
    return '\n'.join(writer.lines) + '\n', Item('single', line, set(), items)


# ---- what OpenMP asks for

def end_of_body(task):
    """A detached task ends when its event is fulfilled, too; any other with its body."""
    return task.line, 'body' if 'detach' in task.clauses else 'end'


class Model:
    """Pairs (event, event) that follow each other at once. An event: (line, 'start' | 'body' | 'end')."""

    def __init__(self, single):
        self.pairs = set()
        self.run(single.children, (single.line, 'start'), (single.line, 'end'), [])

    def run(self, items, begin, end, groups):
        """The events of one task's body from `begin` to `end`; `groups`: lists of tasks, one for each taskgroup around."""
        self.sequence(items, begin, end, groups, [], {})

    def sequence(self, items, now, end, groups, children, last):
        for item in items:
            if item.kind == 'task':
                now = self.task(item, now, groups, children, last)
            elif item.kind == 'wait':
                self.pairs |= {(child, (item.line, 'end')) for child in children} | {(now, (item.line, 'end'))}
                now = item.line, 'end'
            elif item.kind == 'fulfil':
                self.pairs.add((now, (item.line, 'end')))
            else:
                begin, own = (item.line, 'start'), []
                self.pairs.add((now, begin))
                now = self.sequence(item.children, begin, (item.line, 'end'), groups + [own], children, last)
                self.pairs |= {(task, now) for task in own}
        if end:
            self.pairs.add((now, end))
        return end or now

    def task(self, item, now, groups, children, last):
        start, end = (item.line, 'start'), (item.line, 'end')
        body = end_of_body(item)
        self.pairs |= {(now, start)} | ({(body, end)} if body != end else set())
        children.append(end)
        for group in groups:
            group.append(end)
        for how, variable in (clause for clause in item.clauses if isinstance(clause, tuple)):
            writers, readers = last.setdefault(variable, ([], []))
            before = writers if how == 'in' or not readers else readers
            self.pairs |= {(predecessor, start) for predecessor in before}
            last[variable] = (writers, readers + [end]) if how == 'in' else ([end], [])
        self.run(item.children, start, body, groups)
        return body if 'if0' in item.clauses else now


def closure(pairs):
    """For each event those that come later."""
    after = collections.defaultdict(set)
    for a, b in pairs:
        after[a].add(b)
    done = {}

    def later(event):
        if event not in done:
            done[event] = set(after[event]).union(*(later(b) for b in after[event]))
        return done[event]
    return {event: later(event) for event in list(after)}


# ---- what the graph says

class Reading:
    """Pairs of the same events, by the paths of a graph."""

    LEAVE_AT_START = ('creation', 'order', 'nesting', 'fulfil')
    REACHED_AT_START = ('task', 'begin')

    def __init__(self, graph):
        self.nodes = {node['id']: node for node in graph['nodes']}
        self.pairs = {((n, 0), (n, 1)) for n in self.nodes}
        for edge in graph['edges']:
            at_start = self.nodes[edge['source']]['kind'] == 'task' and edge['kind'] in self.LEAVE_AT_START
            reached_at_start = self.nodes[edge['target']]['kind'] in self.REACHED_AT_START
            self.pairs.add(((edge['source'], 0 if at_start else 1), (edge['target'], 0 if reached_at_start else 1)))

    def event(self, node, part):
        """The event that the start (0) or end (1) of a node is, or None."""
        line, kind, what = node.get('line'), node['kind'], node['what']
        if what in ('single', 'taskgroup') or (kind == 'sync' and what in ('taskwait', 'fulfil')):
            wanted = {'begin': 0, 'end': 1, 'sync': 1}[kind]
            return (line, 'start' if kind == 'begin' else 'end') if part == wanted else None
        if kind == 'task' and what == 'task':
            is_detached = 'detached' in node.get('flags', '')
            return line, 'start' if part == 0 else 'body' if is_detached else 'end'
        return None

    def closure(self):
        events = {(n, part): self.event(node, part) for n, node in self.nodes.items() for part in (0, 1)}
        result = collections.defaultdict(set)
        for place, places in closure(self.pairs).items():
            if events[place]:
                result[events[place]] |= {events[other] for other in places} - {None}
        return result


# ---- both

def is_asked(before, after, ends):
    """Nothing in the graph reaches the end of a body: what a task does lies between its start and its end."""
    return before != after and after not in ends


def bodies(item):
    """The ends of the bodies of all tasks in `item`."""
    return {end_of_body(child) for child in item.children if child.kind == 'task'}.union(*map(bodies, item.children))


def compare(single, graph, name):
    ends = bodies(single)
    model, reading = closure(Model(single).pairs), Reading(graph).closure()
    wanted = {(a, b) for a, later in model.items() for b in later if is_asked(a, b, ends)}
    got = {(a, b) for a, later in reading.items() for b in later if is_asked(a, b, ends)}
    problems = [f'{name}: lines {a[0]} ({a[1]}) and {b[0]} ({b[1]}) have no order' for a, b in sorted(wanted - got)]
    problems += [f'{name}: lines {a[0]} ({a[1]}) and {b[0]} ({b[1]}) have an order' for a, b in sorted(got - wanted)]
    return problems, len(wanted)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    recorded.add_options(parser)
    parser.add_argument('--clang', required=True, help='the compiler of OpenMP programs')
    parser.add_argument('--seeds', type=int, nargs='+', default=range(20), help='the programs')
    options = parser.parse_args()
    recorded.make_absolute(options)
    problems, n_pairs = [], 0
    with recorded.Recorder(options) as recorder:
        for seed in options.seeds:
            text, single = random_program(seed)
            source, program = f'{recorder.folder}/{seed}.c', f'{recorder.folder}/program{seed}'
            with open(source, 'w', encoding='utf-8') as file:
                file.write(text)
            subprocess.run([options.clang, '-O0', '-g', '-fopenmp', source, '-o', program], check=True)
            try:
                archive = recorder.record(program, [], 2, ['OTTER_DEPENDENCES=on'])
                recorder.check(archive)
                found, n = compare(single, recorder.graph(archive), f'program {seed}')
            except recorded.Failed as error:
                found, n = [f'program {seed}: {error}'], 0
            problems += found
            n_pairs += n
    for problem in problems[:40]:
        print(problem)
    print(f'{n_pairs} ordered pairs, {len(problems)} problems')
    return 1 if problems else 0


if __name__ == '__main__':
    sys.exit(main())
