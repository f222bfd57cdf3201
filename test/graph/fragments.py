#!/usr/bin/env python3
"""The fragments view of programs, by the rules of core/graph/README.md: a task is cut at its scheduling points.

    fragments.py --otter otter --tool libotter-ompt.so --libomp libomp.so --source programs/fib.c PROGRAM

Each program is described by the steps of the task that executes its `single` construct. A task is cut after each task
that it creates, around waits, and before an undeferred task that has to wait for others. So this view is the same in
every run as well, except for tasks that continue although they need not. The comparison is exact, at 1 and 2 threads.
Exit status: 0, 1 (the reasons are printed).
"""

import argparse
import os
import sys

import drawing
import recorded


class Task:
    """A step: creates a task. `reads`, `writes`: addresses of its depend clauses; `steps`: the task's body."""

    def __init__(self, where, steps=(), reads=(), writes=(), is_undeferred=False):
        self.where, self.steps, self.reads, self.writes, self.is_undeferred = where, steps, reads, writes, is_undeferred


class Wait:
    """A step: taskwait, or taskwait depend(in: reads)."""

    def __init__(self, where, reads=None):
        self.where, self.reads, self.writes = where, reads, ()


class Group:
    """A step: a taskgroup."""

    def __init__(self, where, steps):
        self.where, self.steps = where, steps


class Running:
    """A task during its execution. `last`: its most recent node."""

    def __init__(self, view, what, where, group):
        self.view, self.what, self.where, self.group = view, what, where, group
        self.last = None
        self.unjoined = []  # children
        self.accesses = {}  # address -> the latest readers or writer among the children, and their predecessors
        self.has_successor = self.is_joined = False
        self.first = self.fragment()

    def fragment(self):
        node = self.view.node('fragment', self.what, self.where)
        if self.last:
            self.view.graph.edge('order', self.last, node)
        self.last = node
        return node

    def sync(self, what, where):
        node = self.view.node('sync', what, where)
        self.view.graph.edge('order', self.last, node)
        self.last = node
        return node


class View:
    def __init__(self, T):
        self.graph = drawing.Drawing()
        self.T = T
        self.n = 0
        self.team = []  # tasks that nothing has joined yet

    def node(self, kind, what, where='', flags=(), is_inside=True):
        self.n += 1
        name = self.graph.node(f'n{self.n}', kind, what, where, flags)
        if is_inside:
            self.graph.lies_in('fork', name)
        return name

    # ---- steps

    def run(self, task, steps):
        for step in steps:
            {Task: self.create, Wait: self.wait, Group: self.take_part}[type(step)](task, step)

    @staticmethod
    def predecessors(creator, step, child=None):
        """Returns the predecessors of a new reader or writer. `child`: the new task, if it is a task."""
        found = []
        for address in (*step.reads, *step.writes):
            is_reader = address in step.reads
            state = creator.accesses.setdefault(address, {'before': [], 'now': [], 'read': False})
            if not (is_reader and state['read']):
                state['before'], state['now'], state['read'] = state['now'], [], is_reader
            found += state['before']
            if child:
                state['now'].append(child)
        return found

    def create(self, creator, step):
        is_undeferred = step.is_undeferred or self.T == 1
        if step.is_undeferred and (step.reads or step.writes):
            creator.fragment()  # first the creator waits for the task's predecessors
        child = Running(self, 'explicit', step.where, creator.group)
        self.graph.edge('creation', creator.last, child.first)
        for predecessor in self.predecessors(creator, step, child):
            self.graph.edge('dependence', predecessor.last, child.first)
            predecessor.has_successor = True
        self.run(child, step.steps)
        creator.fragment()
        if is_undeferred:
            self.graph.edge('undeferred', child.last, creator.last)
        creator.unjoined.append(child)
        (creator.group if creator.group is not None else self.team).append(child)

    def join(self, tasks, node):
        for task in tasks:
            if not task.is_joined and not task.has_successor:
                self.graph.edge('join', task.last, node)
            task.is_joined = True

    def wait(self, task, step):
        if step.reads is None:
            node = task.sync('taskwait', step.where)
            self.join(task.unjoined, node)
            task.unjoined = []
        else:
            node = task.sync('taskwait depend', step.where)
            for predecessor in self.predecessors(task, step):
                self.graph.edge('dependence', predecessor.last, node)
                predecessor.has_successor = True
        task.fragment()

    def take_part(self, task, step):
        outer, task.group = task.group, []
        self.run(task, step.steps)
        node = task.sync('taskgroup', step.where)
        self.join(task.group, node)
        task.group = outer
        task.fragment()

    # ---- a whole program

    def barrier(self, members):
        node = self.node('sync', 'implicit barrier')
        for member in members:
            self.graph.edge('order', member.last, node)
            member.last = node
        self.join(self.team, node)
        self.team = []
        return node

    def program(self, steps):
        """Draws a region with a single construct. At the end of a region of one thread, the runtime omits the barrier.
        """
        initial = self.node('fragment', 'initial', is_inside=False)
        self.graph.node('fork', 'begin', 'parallel', 'parallel')
        self.graph.edge('order', initial, 'fork')
        members = [Running(self, 'implicit', 'parallel', None) for _ in range(self.T)]
        for member in members:
            self.graph.edge('creation', 'fork', member.first)
        self.run(members[0], steps)
        self.barrier(members)
        for member in members:
            member.fragment()
        if self.T > 1:
            self.barrier(members)
        joined = self.node('end', 'parallel', 'parallel')
        for last in {member.last for member in members}:
            self.graph.edge('join', last, joined)
        self.graph.edge('order', joined, self.node('fragment', 'initial', is_inside=False))
        return self.graph


# ---- the programs of programs/

def fib(n):
    return [] if n < 2 else [Task('first', fib(n - 1)), Task('second', fib(n - 2)), Wait('wait')]


PROGRAMS = {  # name -> (size on the command line, steps)
    'fib': ('5', fib(5)),
    'chain': ('5', [Task('link', writes='x') for _ in range(5)]),
    'diamond': ('', [Task('a', writes='x'), Task('b', reads='x', writes='y'), Task('c', reads='x', writes='z'),
                     Task('d', reads='yz')]),
    'wavefront': ('4', [Task('cell', reads=[(i - 1, j), (i, j - 1)], writes=[(i, j)])
                        for i in range(1, 5) for j in range(1, 5)]),
    'taskwait': ('', [Task('parent', [Task('child', [Task('grandchild')]), Wait('inner'), Task('late')]), Wait('outer'),
                      Wait('again')]),
    'taskgroup': ('', [Task('before'), Group('group', [Task('child', [Task('grandchild'), Task('grandchild2')])]), Task('after')]),
    'taskgroup_nested': ('', [Group('outer', [Group('inner', [Task('a')]),
                                              Task('b', [Group('own', [Task('c')]), Group('own2', [Task('d')])])])]),
    'depobj': ('', [Task('writer', writes='x'), Task('reader', reads='x'), Task('reader2', reads='x'), Task('last', writes='x')]),
    'taskwait_depend': ('', [Task('a', writes='x'), Task('b', writes='y'), Wait('wait', 'x'), Group('group', [Task('c')])]),
    'if0': ('', [Task('plain', is_undeferred=True), Task('writer', writes='x'), Task('reader', reads='x', is_undeferred=True),
                 Task('last', writes='x')]),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    recorded.add_options(parser)
    parser.add_argument('--source', required=True, help='of the program')
    parser.add_argument('--print', action='store_true', help='print the graph that was got where it differs')
    parser.add_argument('program')
    options = parser.parse_args()
    recorded.make_absolute(options, 'program')
    name = os.path.splitext(os.path.basename(options.source))[0]
    size, steps = PROGRAMS[name]
    n_problems = 0
    with recorded.Recorder(options) as recorder:
        for threads in (1, 2):
            for when in ('none', 'early', 'late'):
                try:
                    graph = recorder.graph(recorder.record(options.program, [when, size], threads), '--view', 'fragments')
                    got = recorded.draw(graph, options.program, options.source)
                    problems = drawing.compare(View(threads).program(steps), got)
                    if problems and options.print:
                        print(drawing.write(got))
                except recorded.Failed as error:
                    problems = [str(error)]
                for problem in problems:
                    print(f'{name} {when} at {threads} threads: {problem}')
                n_problems += len(problems)
    return 1 if n_problems else 0


if __name__ == '__main__':
    sys.exit(main())
