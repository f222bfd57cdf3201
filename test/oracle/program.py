"""Random OpenMP programs: a tree of statements, and the C program of that tree.

A program is a list of parallel regions. A region has phases with a barrier after each; a phase has one block for each member of
the team. A block is a list of statements; every construct is on its own line, by which the graph names it.
"""

import dataclasses
import random

N_ADDRESSES = 5
KINDS = ('in', 'in', 'out', 'inout', 'mutexinoutset', 'inoutset')
WAIT_KINDS = ('in', 'out', 'inout', 'inoutset')  # 2.19.5: a taskwait does not accept mutexinoutset


@dataclasses.dataclass
class Task:
    body: list
    entries: list = dataclasses.field(default_factory=list)  # (kind, address); address None: omp_all_memory
    is_undeferred: bool = False  # if(0)
    is_final: bool = False
    is_untied: bool = False
    event: int = None  # number of the detach clause's event
    line: int = 0


@dataclasses.dataclass
class Fulfil:
    event: int


@dataclasses.dataclass
class Taskwait:
    entries: list = dataclasses.field(default_factory=list)
    line: int = 0


@dataclasses.dataclass
class Taskgroup:
    body: list
    line: int = 0


@dataclasses.dataclass
class Taskloop:
    n_tasks: int
    has_group: bool
    line: int = 0


@dataclasses.dataclass
class Ordered:
    """A worksharing loop with one iteration per member; the body of iteration i is an ordered region."""
    bodies: list


@dataclasses.dataclass
class Parallel:
    phases: list  # phase -> member -> block
    is_single: bool = False  # one phase, whose first block is in a single construct
    has_last_barrier: bool = True  # an explicit barrier before the region's implicit one
    line: int = 0


class Chance:
    """Draws programs. The same seed draws the same program."""

    def __init__(self, seed, most_statements=60):
        self.random = random.Random(seed)
        self.n_left = most_statements
        self.n_events = 0
        self.has_nogroup = False  # at most one: libomp reports no address for its tasks, so they have no line

    def entries(self, kinds, at_least=0):
        if self.random.random() < 0.08:
            return [(self.random.choice(('out', 'inout')), None)]
        addresses = self.random.sample(range(N_ADDRESSES), self.random.randint(at_least, 3))
        return [(self.random.choice(kinds), address) for address in addresses]

    def task(self, depth, within):
        task = Task(self.block(depth - 1, within) if self.random.random() < 0.6 else [])
        task.is_undeferred = within != 'serial' and self.random.random() < 0.15
        # LLVM 19 itself fails on an undeferred untied task: kmp_tasking.cpp, taskdata->td_last_tied
        task.is_untied = within == 'team' and not task.is_undeferred and self.random.random() < 0.1
        if self.random.random() < 0.5:
            task.entries = self.entries(KINDS)
        if within == 'team' and self.random.random() < 0.06:
            task.is_final = True
            task.body = self.block(depth - 1, 'final')
        return task

    def detached(self, depth, within):
        """Returns a detached task, followed by its fulfilment. Nothing in between waits for the task."""
        self.n_events += 1
        event = self.n_events
        task = Task(self.block(depth - 1, within), self.entries(KINDS), event=event)
        may_wait = within == 'team'  # the structure view has no orders of if(0) in a team of one thread
        task.is_undeferred = may_wait and self.random.random() < 0.2
        between = [Task([], is_undeferred=may_wait and self.random.random() < 0.4) for _ in range(self.random.randint(0, 2))]
        last = Fulfil(event)
        if self.random.random() < 0.5:
            last = Task([last] + (self.block(depth - 1, within) if depth > 1 else []))
        return [task, *between, last]

    def statement(self, depth, within):
        """Returns a statement, or several that belong together."""
        self.n_left -= 1
        makes = {'task': 10, 'taskwait': 2, 'wait': 1, 'group': 2, 'loop': 1, 'parallel': 0.5, 'detached': 1.0}
        if depth <= 1:
            del makes['group'], makes['parallel'], makes['detached']
        if within != 'team':
            makes.pop('parallel', None)
        if within == 'final':
            makes.pop('detached', None)
        if within != 'team':
            del makes['wait']  # every task is undeferred there: see block()
        what = self.random.choices(list(makes), list(makes.values()))[0]
        if what == 'task':
            return [self.task(depth, within)]
        if what == 'taskwait':
            return [Taskwait()]
        if what == 'wait':
            return [Taskwait(self.entries(WAIT_KINDS, 1))]
        if what == 'group':
            return [Taskgroup(self.block(depth - 1, within))]
        if what == 'loop':
            has_group = self.has_nogroup or self.random.random() < 0.6
            self.has_nogroup |= not has_group
            return [Taskloop(self.random.randint(1, 4), has_group)]
        if what == 'parallel':
            return [self.parallel(2 if self.random.random() < 0.7 else 1, depth - 1)]
        return self.detached(depth, within)

    def block(self, depth, within):
        statements = []
        for _ in range(self.random.randint(1, 5)):
            if depth > 0 and self.n_left > 0:
                statements += self.statement(depth, within)
        # The runtime reports the dependences of an undeferred task as a wait before the task.
        for before, task in zip(statements, statements[1:]):
            if isinstance(before, Taskwait) and before.entries and isinstance(task, Task) and task.is_undeferred:
                task.entries = task.entries or self.entries(KINDS, 1)
        return statements

    def parallel(self, n_members, depth):
        within = 'team' if n_members > 1 else 'serial'
        if self.random.random() < 0.5:
            return Parallel([[self.block(depth, within)] + [[]] * (n_members - 1)], is_single=True)
        phases = []
        for _ in range(self.random.randint(1, 2)):
            blocks = [self.block(depth, within) for _ in range(n_members)]
            if n_members > 1 and self.random.random() < 0.25:
                blocks = Ordered(blocks)
            phases.append(blocks)
        return Parallel(phases, has_last_barrier=self.random.random() < 0.5)


def draw(seed, n_members, most_statements=60):
    chance = Chance(seed, most_statements)
    return [chance.parallel(n_members, 4) for _ in range(chance.random.randint(1, 3))]


# ---- as C

class Writer:
    """Writes statements, and stores in each construct its line."""

    def __init__(self):
        self.lines = []
        self.n_tasks = 0

    def put(self, text):
        self.lines.append(text)
        return len(self.lines)

    def braces(self, body, first=''):
        self.put('{' + first)
        self.block(body)
        self.put('}')

    def block(self, body):
        for statement in body:
            getattr(self, 'put_' + type(statement).__name__.lower())(statement)

    @staticmethod
    def clauses(entries):
        return ''.join(f' depend({kind}: {"omp_all_memory" if address is None else f"x[{address}]"})'
                       for kind, address in entries)

    def put_task(self, task):
        if task.event is not None:
            self.put(f'omp_event_handle_t event{task.event};')
        task.line = self.put('#pragma omp task' + ' if(0)' * task.is_undeferred + ' final(1)' * task.is_final +
                             ' untied' * task.is_untied + self.clauses(task.entries) +
                             (f' detach(event{task.event})' if task.event is not None else ''))
        self.n_tasks += 1
        self.braces(task.body, ' __atomic_fetch_add(&n_run, 1, __ATOMIC_RELAXED);')

    def put_fulfil(self, fulfil):
        self.put(f'omp_fulfill_event(event{fulfil.event});')

    def put_taskwait(self, wait):
        wait.line = self.put('#pragma omp taskwait' + self.clauses(wait.entries))

    def put_taskgroup(self, group):
        group.line = self.put('#pragma omp taskgroup')
        self.braces(group.body)

    def put_taskloop(self, loop):
        loop.line = self.put(f'#pragma omp taskloop num_tasks({loop.n_tasks})' + ' nogroup' * (not loop.has_group))
        self.put(f'for (int i = 0; i < {loop.n_tasks}; i++) work();')

    def members(self, selector, blocks):
        self.put(f'switch ({selector}) {{')
        for number, block in enumerate(blocks):
            self.put(f'case {number}:')
            self.braces(block)
            self.put('break;')
        self.put('}')

    def put_phase(self, phase, has_barrier):
        if not isinstance(phase, Ordered):
            self.members('omp_get_thread_num()', phase)
            if has_barrier:
                self.put('#pragma omp barrier')
            return
        self.put('#pragma omp for ordered schedule(static, 1)')
        self.put(f'for (int i = 0; i < {len(phase.bodies)}; i++) {{')
        self.put('#pragma omp ordered')
        self.put('{')
        self.members('i', phase.bodies)
        self.put('} }')

    def put_parallel(self, region):
        first = region.phases[0]
        region.line = self.put(f'#pragma omp parallel num_threads({len(first.bodies if isinstance(first, Ordered) else first)})')
        self.put('{')
        if region.is_single:
            self.put('#pragma omp single')
            self.braces(first[0])
        else:
            for phase in region.phases:
                self.put_phase(phase, phase is not region.phases[-1] or region.has_last_barrier)
        self.put('}')


LOST_A_TASK = 3  # exit status of a program if the runtime did not run every task


def as_c(regions):
    writer = Writer()
    for text in ('#include <omp.h>', f'static char x[{N_ADDRESSES}];', 'static volatile int sink; static int n_run;',
                 'static void work(void) { sink++; }', 'int main(void)', '{'):
        writer.put(text)
    for region in regions:
        writer.put_parallel(region)
    writer.put(f'return n_run == {writer.n_tasks} ? 0 : {LOST_A_TASK}; }}')
    return '\n'.join(writer.lines) + '\n'
