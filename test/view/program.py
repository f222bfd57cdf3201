"""The events of a program, as a script of test/mock, for pages that have the same numbers on every run.

One thread creates a tree of tasks and a chain of dependent ones; all threads execute them, then share a loop, then enter a
critical region one after the other. The threads take turns in an order that depends only on the numbers here.
"""
import random

CHAIN, ITERATIONS = 20, 32
PAUSE = {5: "pause", 15: "start"}  # what the program does at these tasks of the chain

# Two threads that fork a region of two each, with a task in a taskgroup.
NESTED = """
T0 thread_begin initial
T0 implicit_task begin i0 size=1 index=1 flags=initial
T0 parallel_begin p1 requested=2 code=outer
T0 implicit_task begin a0 in=p1 size=2 index=0
T1 thread_begin worker
T1 implicit_task begin a1 in=p1 size=2 index=1
T0 parallel_begin p2 requested=2 by=a0 code=inner
T0 implicit_task begin b0 in=p2 size=2 index=0
T1 parallel_begin p3 requested=2 by=a1 code=inner
T1 implicit_task begin c0 in=p3 size=2 index=0
T2 thread_begin worker
T2 implicit_task begin b1 in=p2 size=2 index=1
T3 thread_begin worker
T3 implicit_task begin c1 in=p3 size=2 index=1
{tasks}
T2 sync begin barrier_implicit_parallel
T3 sync begin barrier_implicit_parallel
T0 sync begin barrier_implicit_parallel code=inner
T0 sync end barrier_implicit_parallel in=null code=inner
T0 implicit_task end b0 size=2 index=0
T0 parallel_end p2 by=a0 code=inner
T1 sync begin barrier_implicit_parallel code=inner
T1 sync end barrier_implicit_parallel in=null code=inner
T1 implicit_task end c0 size=2 index=0
T1 parallel_end p3 by=a1 code=inner
T2 sync end barrier_implicit_parallel in=null
T2 implicit_task end b1 index=1
T2 thread_end
T3 sync end barrier_implicit_parallel in=null
T3 implicit_task end c1 index=1
T3 thread_end
T1 sync begin barrier_implicit_parallel
T0 sync begin barrier_implicit_parallel code=outer
T0 sync end barrier_implicit_parallel in=null code=outer
T0 implicit_task end a0 size=2 index=0
T0 parallel_end p1 code=outer
T1 sync end barrier_implicit_parallel in=null
T1 implicit_task end a1 index=1
T1 thread_end
T0 implicit_task end i0 index=1 flags=initial
T0 thread_end
T0 finalize
"""
GROUP = """
{0} sync begin taskgroup code=group
{0} task_create {1}t code=task
{0} task_schedule {1} switch {1}t
{0} task_schedule {1}t complete {1}
{0} sync end taskgroup code=group
"""


def nested():
    groups = (GROUP.format(thread, member).strip() for thread, member in (("T0", "b0"), ("T1", "c0"), ("T2", "b1"), ("T3", "c1")))
    return NESTED.format(tasks="\n".join(groups)).lstrip()


def uneven():
    """Returns a program of two threads: one executes nearly all iterations of a loop, the other waits."""
    program = Program(2)
    program.start()
    for thread in (1, 0):
        program.say(thread, "work begin loop_dynamic count=20000 code=loop")
        if thread == 0:
            program.lines += [f"T0 dispatch ws_loop_chunk start={i % 99} iterations=1" for i in range(20000)]
        program.say(thread, "work end loop_dynamic code=loop")
        program.say(thread, "sync begin barrier_implicit_workshare code=loop")
    for thread in (0, 1):
        program.say(thread, "sync end barrier_implicit_workshare code=loop")
    program.end([1])
    return "\n".join([*program.lines, ""])


class Program:
    """`depth` is the depth of the tree. `pauses`: it pauses while it creates the chain. `is_killed`: a signal kills it
    before the chain."""

    def __init__(self, threads, depth=12, pauses=False, is_killed=False):
        self.threads, self.depth, self.pauses, self.is_killed = threads, depth, pauses, is_killed
        self.random = random.Random(7)
        self.lines = []
        self.n_tasks = 0
        self.ready = []  # tasks: (name, body, tasks to release)
        self.n_open = 0  # tasks that have not ended
        self.ended = set()

    def say(self, thread, text):
        self.lines.append(f"T{thread} {text}")

    def create(self, thread, place, body, more=""):
        self.n_tasks += 1
        self.n_open += 1
        name = f"z{self.n_tasks}"  # a name after those of all places: the player has room for the first 16384 names
        self.say(thread, f"task_create {name}{more} code={place}")
        return name, body, []

    def execute(self, thread, current, task):
        name, body, followers = task
        self.say(thread, f"task_schedule {current} switch {name}")
        yield
        yield from body(thread, name)
        self.say(thread, f"task_schedule {name} complete {current}")
        self.n_open -= 1
        self.ended.add(name)
        self.ready += followers
        yield

    def tree(self, depth):
        """Yields the body of a task that creates two tasks, and waits for them."""
        def body(thread, name):
            if depth < 2:
                return
            children = []
            for place, less in (("left", 1), ("right", 2)):
                children.append(self.create(thread, place, self.tree(depth - less)))
                yield
            self.ready += children
            self.say(thread, "sync begin taskwait code=wait")
            while not all(child[0] in self.ended for child in children):
                own = next((child for child in reversed(children) if child in self.ready), None)
                if own:
                    self.ready.remove(own)
                    yield from self.execute(thread, name, own)
                else:
                    yield
            self.say(thread, "sync end taskwait code=wait")
            yield
        return body

    def creator(self, thread, name):
        yield from self.tree(self.depth)(thread, name)
        if self.is_killed:
            self.say(thread, "signal")
        before = None
        for i in range(CHAIN):
            if self.pauses and i in PAUSE:
                self.say(thread, f"control_tool {PAUSE[i]} code=control")
            task = self.create(thread, "chain", lambda *_: iter(()), " depends")
            self.say(thread, f"dependences {task[0]} inout:x")
            waits = before and before[0] not in self.ended
            (before[2] if waits else self.ready).append(task)
            before = task
            yield

    def member(self, thread):
        own, is_creator = f"i{thread + 1}", thread == 0
        kind = "single_executor" if is_creator else "single_other"
        self.say(thread, f"work begin {kind} count=1 code=single")
        if is_creator:
            yield from self.creator(thread, own)
        self.say(thread, f"work end {kind} count=1 code=single")
        yield from self.barrier(thread, own, "single")
        self.say(thread, f"work begin loop_dynamic count={ITERATIONS} code=loop")
        while self.next_iteration < ITERATIONS:
            self.say(thread, f"dispatch ws_loop_chunk start={self.next_iteration} iterations=1")
            self.next_iteration += 1
            yield
        self.say(thread, "work end loop_dynamic code=loop")
        yield from self.barrier(thread, own, "loop")
        self.say(thread, "mutex_acquire critical c code=critical")
        while self.holder is not None:
            yield
        self.holder = thread
        self.say(thread, "mutex_acquired critical c code=critical")
        yield
        self.holder = None
        self.say(thread, "mutex_released critical c code=critical")
        yield

    def barrier(self, thread, own, place):
        self.say(thread, f"sync begin barrier_implicit_workshare code={place}")
        self.n_arrived[place] = self.n_arrived.get(place, 0) + 1
        while self.n_arrived[place] < self.threads or self.n_open > 0:
            if self.ready and self.n_open > 0:
                yield from self.execute(thread, own, self.ready.pop(0))
            else:
                yield
        self.say(thread, f"sync end barrier_implicit_workshare code={place}")
        yield

    def start(self):
        self.say(0, "thread_begin initial")
        self.say(0, "implicit_task begin i0 size=1 index=1 flags=initial")
        self.say(0, f"parallel_begin p1 requested={self.threads} code=fork")
        self.say(0, f"implicit_task begin i1 in=p1 size={self.threads} index=0")
        for thread in range(1, self.threads):
            self.say(thread, "thread_begin worker")
            self.say(thread, f"implicit_task begin i{thread + 1} in=p1 size={self.threads} index={thread}")

    def script(self):
        self.start()
        self.next_iteration, self.holder, self.n_arrived = 0, None, {}
        members = [self.member(thread) for thread in range(self.threads)]
        while members:
            member = self.random.choice(members)
            if next(member, self) is self:
                members.remove(member)
        self.end(range(1, self.threads))
        return "\n".join([*self.lines, ""])

    def end(self, others):
        self.say(0, "sync begin barrier_implicit_parallel code=fork")
        for thread in others:
            self.say(thread, "sync begin barrier_implicit_parallel")
        self.say(0, "sync end barrier_implicit_parallel in=null code=fork")
        self.say(0, f"implicit_task end i1 size={self.threads} index=0")
        self.say(0, "parallel_end p1 code=fork")
        self.say(0, "implicit_task end i0 index=1 flags=initial")
        self.say(0, "thread_end")
        for thread in others:
            self.say(thread, "sync end barrier_implicit_parallel in=null")
            self.say(thread, f"implicit_task end i{thread + 1} index={thread}")
            self.say(thread, "thread_end")
        self.say(0, "finalize")
