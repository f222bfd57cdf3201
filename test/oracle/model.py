"""The orders between tasks that the OpenMP specification (5.1) demands, derived only from the specification.

A task has three points in time: begin, end of its structured block, completion. A construct adds points and orders between
them; `Order` has the transitive closure. Comments on the rules have the section numbers of the specification.
"""

import program

WRITERS = ('out', 'inout')


class Order:
    """A directed acyclic graph of points."""

    def __init__(self):
        self.later = []  # point -> later points

    def point(self, *after):
        self.later.append([])
        new = len(self.later) - 1
        for point in after:
            self.put(point, new)
        return new

    def put(self, before, after):
        self.later[before].append(after)

    def reachable(self):
        """Returns {point: bit set of the points reached from it}. Raises ValueError if a point is before itself."""
        n_earlier = [0] * len(self.later)
        for points in self.later:
            for point in points:
                n_earlier[point] += 1
        sequence = [point for point, n in enumerate(n_earlier) if n == 0]
        for point in sequence:
            for next_point in self.later[point]:
                n_earlier[next_point] -= 1
                if n_earlier[next_point] == 0:
                    sequence.append(next_point)
        if len(sequence) < len(self.later):
            raise ValueError(f'{len(self.later) - len(sequence)} points are on or behind a cycle')
        found = [0] * len(self.later)
        for point in reversed(sequence):
            found[point] = 1 << point
            for next_point in self.later[point]:
                found[point] |= found[next_point]
        return found


class Execution:
    """A task while it executes: its place and its children."""

    def __init__(self, here, team, group=None, is_included=False):
        self.here = here
        self.team = team              # completions of the explicit tasks of the team
        self.group = group            # completions of the tasks of the innermost taskgroup, or None
        self.is_included = is_included  # within a final task
        self.children = []            # completions
        self.history = []             # (entries, completion) of earlier siblings


def conflict(a, b):
    """2.19.11: returns whether a task with entry b waits for an earlier sibling with entry a."""
    if a[1] is not None and b[1] is not None and a[1] != b[1]:
        return False
    return None in (a[1], b[1]) or a[0] in WRITERS or b[0] in WRITERS or a[0] != b[0]


class Model:
    """`serial_is_undeferred`: a team of one thread executes each task at its creation. Runtimes do so, although they
    need not."""

    def __init__(self, regions, serial_is_undeferred=False):
        self.serial_is_undeferred = serial_is_undeferred
        self.order = Order()
        self.tasks = []  # (line, begin, completion) of each explicit task
        self.waits = []  # (line, end, end) of each taskwait and taskgroup
        self.members = []  # (line, end, end) of each implicit task
        self.undeferred = set()  # lines of undeferred and of included tasks
        self.events = {}  # event -> completion of its task
        here = self.order.point()
        for region in regions:
            here = self.parallel(region, here)
        self.reached = self.order.reachable()

    def is_before(self, a, b):
        return bool(self.reached[a] >> b & 1)

    # ---- parallel regions

    def parallel(self, region, here):
        """2.6: the implicit tasks begin after the fork; an implicit barrier completes all tasks of the team."""
        team, fork = [], self.order.point(here)
        n_members = len(region.phases[0].bodies if isinstance(region.phases[0], program.Ordered) else region.phases[0])
        is_included = n_members == 1 and self.serial_is_undeferred
        members = [Execution(self.order.point(fork), team, None, is_included) for _ in range(n_members)]
        for phase in region.phases:
            is_ordered = isinstance(phase, program.Ordered)
            for number, block in enumerate(phase.bodies if is_ordered else phase):
                if is_ordered and number:  # 2.19.9: ordered regions execute in the order of the iterations
                    members[number].here = self.order.point(members[number].here, members[number - 1].here)
                self.block(block, members[number])
            barrier = self.order.point(*(member.here for member in members), *team)
            for member in members:
                member.here = self.order.point(barrier)
                member.history = []
        self.members += [(region.line, member.here, member.here) for member in members]
        return self.order.point(*(member.here for member in members))

    # ---- statements

    def block(self, body, execution):
        for statement in body:
            getattr(self, 'do_' + type(statement).__name__.lower())(statement, execution)

    def predecessors(self, entries, execution):
        return [completion for earlier, completion in execution.history
                if any(conflict(a, b) for a in earlier for b in entries)]

    def create(self, line, execution, entries=()):
        """2.12.1: a task begins after its creation and, by 2.19.11, after its predecessors."""
        begin = self.order.point(execution.here, *self.predecessors(entries, execution))
        completion = self.order.point(begin)
        self.tasks.append((line, begin, completion))
        execution.team.append(completion)
        execution.children.append(completion)
        if execution.group is not None:
            execution.group.append(completion)
        if entries:
            execution.history.append((entries, completion))
        return begin, completion

    def do_task(self, task, execution):
        begin, completion = self.create(task.line, execution, task.entries)
        if task.event is not None:  # 2.12.1: completes when the event is also fulfilled
            self.events[task.event] = completion
        inner = Execution(begin, execution.team, execution.group, execution.is_included or task.is_final)
        self.block(task.body, inner)
        self.order.put(inner.here, completion)
        # 1.2.5: the creator of an undeferred or included task continues after the structured block, at which the task completes
        # unless it is detached
        if task.is_undeferred or execution.is_included:
            self.undeferred.add(task.line)
            execution.here = self.order.point(execution.here, inner.here if task.event is not None else completion)

    def do_fulfil(self, fulfil, execution):
        self.order.put(execution.here, self.events[fulfil.event])

    def do_taskwait(self, wait, execution):
        """2.19.5: a taskwait waits for the children created so far or, with depend clauses, for the predecessors."""
        awaited = self.predecessors(wait.entries, execution) if wait.entries else execution.children
        execution.here = self.order.point(execution.here, *awaited)
        self.waits.append((wait.line, execution.here, execution.here))

    def do_taskgroup(self, group, execution):
        """2.19.6: the end of a taskgroup waits for all descendants created inside."""
        outer, execution.group = execution.group, []
        self.block(group.body, execution)
        awaited, execution.group = execution.group, outer
        execution.here = self.order.point(execution.here, *awaited)
        self.waits.append((group.line, execution.here, execution.here))
        if outer is not None:
            outer += awaited

    def do_taskloop(self, loop, execution):
        """2.12.2: a taskloop has n tasks, in a taskgroup of its own unless nogroup is given."""
        tasks = [self.create(loop.line, execution) for _ in range(loop.n_tasks)]
        ends = [completion for _, completion in tasks]
        if loop.has_group:
            execution.here = self.order.point(execution.here, *ends)
        elif execution.is_included:
            for (begin, _), before in zip(tasks[1:], ends):
                self.order.put(before, begin)
            self.undeferred.add(loop.line)
            execution.here = self.order.point(execution.here, *ends[-1:])

    def do_parallel(self, region, execution):
        execution.here = self.parallel(region, execution.here)
