#!/usr/bin/env python3
"""Tests that each finding is first for a run that has only this limit, and that a run without a limit has no finding:
test_findings.py DRIVER

Runs are texts of events (test/golden/README.md), written by a small simulator of two threads.
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

DRIVER = None


class Run:
    """Two threads in one parallel region. Each method appends to the events of one thread at its own time."""

    def __init__(self, region="parallel@a.c:3"):
        self.lines = []  # (time, number, line)
        self.time = [100, 100]
        self.region = region
        self.properties = []
        self.add(0, 0, "enter initial")

    def add(self, thread, ticks, records):
        self.time[thread] += ticks
        self.lines.append((self.time[thread], len(self.lines), f"{thread} {records}"))

    def fork(self):
        self.add(0, 1, "fork 2")
        self.time[1] = self.time[0]
        for thread in (0, 1):
            self.add(thread, 1, f"team 1 begin; enter {self.region}")

    def join(self, barrier=True):
        for thread in (0, 1):
            if barrier:
                self.add(thread, 0, f"enter barrier_parallel{self.region[self.region.index('@'):]}")
        end = max(self.time) + 1
        self.time = [end, end]
        for thread in (1, 0):
            self.add(thread, 0, "leave")
            self.add(thread, 0, "leave; team 1 end")
        self.add(0, 1, "join")

    def task(self, thread, task, ticks, scheduling=1, place="task@a.c:5"):
        self.add(thread, scheduling, f"switch {task}; enter {place}")
        self.add(thread, ticks, f"leave; complete {task}; switch {thread}:0")

    def text(self):
        self.add(0, 1, "leave initial")
        lines = ["threads 2", *self.properties, "team 1 parent 0 members 0 1", "team 2 parent 1 members 0"]
        for time, _, line in sorted(self.lines):
            lines += [f"@{time}", line]
        return "\n".join(lines) + "\n"


class Runs(unittest.TestCase):
    """Runs of several tests."""

    def lines(self, run):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "run.txt"
            path.write_text(run.text())
            result = subprocess.run([DRIVER, path], capture_output=True, text=True, timeout=60)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return result.stdout.splitlines()

    def small_tasks(self):
        run = Run()
        run.fork()
        for i in range(1, 201):
            run.add(0, 5, f"create 0:{i}")
        run.time[1] = run.time[0]
        for thread in (0, 1):
            run.add(thread, 0, "enter barrier_parallel@a.c:3")
            for i in range(1, 101):
                run.task(thread, f"0:{100 * thread + i}", 3, scheduling=4)
        run.join(barrier=False)
        return run

    def forks(self):
        run = Run()
        for _ in range(20):
            run.add(0, 0, "fork 2")
            run.time = [run.time[0] + 10, run.time[0] + 10]
            for thread in (0, 1):
                run.add(thread, 0, f"team 1 begin; enter {run.region}")
                run.add(thread, 5, "enter barrier_parallel@a.c:3")
            run.add(0, 0, "leave")
            run.add(1, 0, "leave; leave; team 1 end")
            run.add(0, 10, "leave; team 1 end")
            run.add(0, 5, "join")
        return run

    def recursion(self, last, leaf, more=0, late=4, properties=(), n_leaves=0):
        """Returns a run in which each task above the last depth creates a task of each construct. A task works 4 ticks
        and costs 2 + 4. Leaves of the second construct work `more` ticks. All tasks except every fourth begin `late`
        ticks late. `n_leaves` of the first tasks create no task."""
        run = Run()
        run.properties = list(properties)
        run.fork()
        run.add(1, 0, "enter barrier_parallel@a.c:3")
        queue, n = [(1, 0, 5)], 1
        run.add(0, 1, "create 0:1")
        for n in range(2, n_leaves + 2):
            run.add(0, 2, f"create 0:{n}")
            queue.append((n, last, 5))
        run.add(0, 0, "enter barrier_parallel@a.c:3")
        while queue:
            task, depth, line = queue.pop(0)
            run.add(0, late if task % 4 else 4, f"switch 0:{task}; enter task@a.c:{line}")
            for place in (5, 7) if depth < last else ():
                n += 1
                queue.append((n, depth + 1, place))
                run.add(0, 2, f"create 0:{n}")
            end = 4 if depth < last else leaf + (more if line == 7 else 0)
            run.add(0, end, f"leave; complete 0:{task}; switch 0:0")
        run.join(barrier=False)
        return self.lines(run)


class Findings(Runs):
    def findings(self, run):
        """Returns [(kind, cost, place)], the most costly finding first."""
        lines = [line[len("finding "):].split(", ") for line in self.lines(run) if line.startswith("finding ")]
        return [(kind, int(cost.split()[1]), place) for kind, cost, place in lines]

    def test_even_tasks_that_are_large(self):
        run = Run()
        run.fork()
        for i in range(1, 5):
            run.add(0, 1, f"create 0:{i}")
        run.time[1] = run.time[0]
        for thread in (0, 1):
            run.add(thread, 0, "enter barrier_parallel@a.c:3")
            for i in (1, 2):
                run.task(thread, f"0:{2 * thread + i}", 1000)
        run.join(barrier=False)
        self.assertEqual(self.findings(run), [])

    def test_small_tasks(self):
        kind, cost, place = self.findings(self.small_tasks())[0]
        self.assertEqual((kind, place), ("small tasks", "task@a.c:5"))
        self.assertGreaterEqual(cost, 200 * (5 + 4) - 50)

    def test_small_tasks_cost_the_event_in_them(self):
        """The recorder's event and as much time of the runtime are part of a task's piece of 3 ticks, and vanish with
        the task."""
        costs = {}
        for event in (0, 1, 2):
            run = self.small_tasks()
            run.properties = [f"property OTTER::EVENT_COST {1000 * event}"]
            costs[event] = self.findings(run)[0][1]
        self.assertEqual((costs[1] - costs[0], costs[2] - costs[0]), (200 * 2, 200 * 3))

    def test_small_tasks_gain_what_they_cost_without_the_recorder(self):
        """Each of 200 tasks has three calls of 1.1 events: its creation, its start and its end."""
        run = self.small_tasks()
        run.properties = ["property OTTER::EVENT_COST 1000"]
        lines = self.lines(run)
        cost = self.findings(run)[0][1]
        gain = next(int(line.split()[1]) for line in lines if line.startswith("  gain "))
        self.assertTrue(660 <= cost - 2 * gain <= 680, lines)

    def test_small_tasks_of_two_constructs_gain_what_they_cost_without_the_recorder(self):
        """Each of 1,023 tasks has three calls of 1.1 events, of which each counts for one construct."""
        lines = self.recursion(9, 2, properties=["property OTTER::EVENT_COST 1000"])
        cost = next(int(line.split()[4].rstrip(",")) for line in lines if line.startswith("finding small tasks"))
        gain = next(int(line.split()[1]) for line in lines if line.startswith("  gain "))
        self.assertTrue(2000 < cost - 2 * gain <= 3.3 * 1023 + 20, lines)

    def test_small_tasks_of_one_thread(self):
        """The runtime defers no task of a team of one. Between two tasks of 10 ticks, the creator needs 5."""
        self.assertEqual(self.small_tasks_of_one_thread(), 199 * 5 + 1)  # the last piece of the creator has 1 tick

    def test_small_tasks_of_one_thread_cost_their_start_and_end(self):
        """The runtime starts and ends a task in its piece. That takes as long as a creation without its event."""
        cost = self.small_tasks_of_one_thread("property OTTER::EVENT_COST 1000")
        self.assertEqual(cost, 199 * 5 + 1 + 200 * (2 + 4))

    def small_tasks_of_one_thread(self, *properties):
        run = Run()
        run.properties = list(properties)
        run.add(0, 1, "fork 1")
        run.add(0, 1, f"team 2 begin; enter {run.region}")
        for i in range(1, 201):
            run.add(0, 5, f"create 0:{i}; switch 0:{i}; enter task@a.c:5,undeferred")
            run.add(0, 10, f"leave; complete 0:{i}; switch 0:0")
        run.add(0, 1, "leave; team 2 end")
        run.add(0, 1, "join")
        kind, cost, place = self.findings(run)[0]
        self.assertEqual((kind, place), ("small tasks", "task@a.c:5,undeferred"))
        return cost

    def test_tasks_that_begin_late_are_not_small(self):
        """Each of 200 tasks works 100 us, and begins 90 us later than it could. A task never costs more than 20 us."""
        run = Run()
        run.fork()
        for i in range(1, 201):
            run.add(0, 5, f"create 0:{i}")
        run.time[1] = run.time[0]
        for thread in (0, 1):
            run.add(thread, 0, "enter barrier_parallel@a.c:3")
            for i in range(1, 101):
                run.task(thread, f"0:{100 * thread + i}", 200000, scheduling=90000)
        run.join(barrier=False)
        self.assertEqual([finding[::2] for finding in self.findings(run)], [("delay", "task@a.c:5")])

    def untied_tasks(self, rest=0):
        """Each task continues on the other thread after a wait, 40 ticks later than it could. One other task begins
        after all of them."""
        run = Run()
        run.fork()
        run.add(0, 1000, "create 0:200")
        if rest:
            run.add(0, 1, "create 0:201")
        for thread in (0, 1):
            run.time[thread] = max(run.time)
            run.add(thread, 0, "enter barrier_parallel@a.c:3")
        for i in range(1, 200):
            first, second = i % 2, 1 - i % 2
            run.time = [max(run.time)] * 2
            task = "0:200" if i == 1 else f"{1 - first}:{i - 1}"
            run.add(first, 20, f"switch {task}; enter task@a.c:5,untied")
            run.add(first, 5, f"create {first}:{i}")
            run.add(first, 0, f"leave; switch {first}:0")
            run.time[second] = run.time[first]
            run.add(second, 40, f"switch {task}; enter task@a.c:5,untied")
            run.add(second, 10, f"leave; complete {task}; switch {second}:0")
        if rest:
            run.task(0, "0:201", rest, place="task@a.c:9")
        run.join(barrier=False)
        return run

    def test_untied_tasks_that_stay_on_their_thread(self):
        """The task continues 80 ticks after its wait, on the thread that began it."""
        run = Run()
        run.fork()
        run.add(0, 1, "create 0:1; enter barrier_parallel@a.c:3")
        run.add(1, 1, "enter barrier_parallel@a.c:3")
        run.add(0, 1, "switch 0:1; enter task@a.c:5,untied")
        run.add(0, 200, "enter taskwait@a.c:7")
        run.add(0, 80, "leave")
        run.add(0, 200, "leave; complete 0:1; switch 0:0")
        run.join(barrier=False)
        self.assertNotIn("untied migrations", [kind for kind, _, _ in self.findings(run)])

    def test_untied_tasks_that_are_small(self):
        """Continuing a task costs as much as starting it."""
        self.assertEqual(self.findings(self.untied_tasks())[0][::2], ("small tasks", "task@a.c:5,untied"))

    def test_migrations_cost_no_events(self):
        """All migrations are as late as the other task. They cost no more than the tasks could continue late.

        Each of a task's two pieces contains an event, and the last one also as much time of the runtime.
        """
        costs = {}
        for event in (0, 2):
            run = self.untied_tasks(rest=10000)
            run.properties = [f"property OTTER::EVENT_COST {1000 * event}"]
            costs[event] = self.findings(run)[0][1]
        self.assertEqual(costs[2] - costs[0], 199 * 3 * 2)

    def test_depth_of_a_recursion_of_two_constructs(self):
        """54 ticks are enough for a task. With a cut-off at depth 7, 255 tasks take 162 ticks or more: tasks of depth 7
        have 4 leaves of 100, less 12 that are the runtime's. With the cut-off, the finding is gone.
        """
        lines = self.recursion(9, 100)
        depths = [lines[i + 1] for i, line in enumerate(lines) if line.startswith("finding small tasks")]
        self.assertEqual(depths, ["  depth 7 of the recursion: 352"], "both constructs have one cut-off, and one finding")
        self.assertEqual([line for line in self.recursion(7, 352) if line.startswith("finding small tasks")], [])

    def test_depth_of_a_recursion_of_unequal_constructs(self):
        lines = self.recursion(9, 2, 30)
        depths = [lines[i + 1] for i, line in enumerate(lines) if line.startswith("finding small tasks")]
        self.assertEqual(depths, ["  depth 4 of the recursion: 448"])

    def test_recursion_with_many_small_first_tasks(self):
        """No depth has large tasks on average, but the first has 32 leaves of 20, less 12 that are the runtime's."""
        lines = self.recursion(5, 20, n_leaves=200)
        sizes = [lines[i + 1] for i, line in enumerate(lines) if line.startswith("finding small tasks")]
        self.assertEqual(sizes, ["  largest task of the recursion: 256"])

    def deep_recursion(self, n_levels, has_leaves, ticks):
        """Returns a run in which each task creates the task of the next level, and another if it has leaves. A task
        costs 3 ticks."""
        run = Run()
        run.fork()
        run.add(1, 0, "enter barrier_parallel@a.c:3")
        run.add(0, 1, "create 0:1")
        run.add(0, 0, "enter barrier_parallel@a.c:3")
        for level in range(n_levels):
            task, leaf = 2 * level + 1, 2 * level + 2
            run.add(0, 1, f"switch 0:{task}; enter task@a.c:5")
            for new in (leaf, task + 2) if has_leaves else (task + 2,):
                run.add(0, 2, f"create 0:{new}")
            run.add(0, ticks, f"leave; complete 0:{task}; switch 0:0")
            if has_leaves:
                run.task(0, f"0:{leaf}", ticks)
        run.task(0, f"0:{2 * n_levels + 1}", ticks)
        run.join(barrier=False)
        return [line for line in self.lines(run) if line.startswith(("finding small tasks", "  depth"))]

    def test_depth_of_a_deep_recursion(self):
        """A depth stored in one byte would end at 255."""
        finding, depth = self.deep_recursion(1200, True, 25)
        self.assertGreater(int(depth.split()[1]), 255)

    def test_tasks_that_create_one_task_each_have_no_levels(self):
        self.assertEqual(len(self.deep_recursion(300, False, 4)), 1)

    def test_small_tasks_that_execute_undeferred_tasks(self):
        """The tasks of 10 ticks execute another 200 by undeferred tasks: they are large enough."""
        run = Run()
        run.fork()
        for i in range(1, 121):
            run.add(0, 2, f"create 0:{i}")
        run.time[1] = run.time[0]
        for thread in (0, 1):
            run.add(thread, 0, "enter barrier_parallel@a.c:3")
            for i in range(60 * thread + 1, 60 * thread + 61):
                run.add(thread, 1, f"switch 0:{i}; enter task@a.c:5")
                run.add(thread, 5, f"create {thread}:{1000 + i}")
                run.add(thread, 0, f"switch {thread}:{1000 + i}; enter task@a.c:5,undeferred")
                run.add(thread, 200, f"leave; complete {thread}:{1000 + i}; switch 0:{i}")
                run.add(thread, 5, f"leave; complete 0:{i}; switch {thread}:0")
        run.join(barrier=False)
        self.assertEqual(self.findings(run), [])

    def test_slow_creator(self):
        run = Run()
        run.fork()
        run.add(1, 0, "enter barrier_parallel@a.c:3")
        for i in range(1, 41):
            run.add(0, 100, f"create 0:{i}")
            run.time[1] = run.time[0]
            run.task(1, f"0:{i}", 20)
        run.time[0] = run.time[1]
        run.add(0, 0, "enter barrier_parallel@a.c:3")
        run.join(barrier=False)
        kind, cost, place = self.findings(run)[0]
        self.assertEqual((kind, place), ("slow creator", "task@a.c:5"))
        self.assertGreater(cost, 40 * 70)

    def test_dependences_that_one_of_two_stages_has(self):
        """x orders only the first stage. The longest chain ends in the second stage, which depends on the first."""
        run = Run()
        run.fork()
        for i in range(4):
            run.add(0, 1, f"create 0:{2 * i + 1}; inout item{i}; inout x")
            run.add(0, 1, f"create 0:{2 * i + 2}; in item{i}")
        for thread in (0, 1):
            run.add(thread, 0, "enter barrier_parallel@a.c:3")
        for i in range(4):
            run.task(0, f"0:{2 * i + 1}", 40)
            run.time[1] = run.time[0]
            run.task(1, f"0:{2 * i + 2}", 10, place="task@a.c:7")
        run.join(barrier=False)
        kind, _, place = self.findings(run)[0]
        self.assertEqual((kind, place), ("dependences", "task@a.c:5"))

    def test_chain_through_repeated_waits(self):
        """A task is created and waited for ten times. No other phase follows the last."""
        run = Run()
        run.fork()
        run.add(1, 0, "enter barrier_parallel@a.c:3")
        for i in range(1, 11):
            run.add(0, 1, f"create 0:{i}")
            run.add(0, 0, "enter taskwait@a.c:6")
            run.task(0, f"0:{i}", 100)
            run.add(0, 0, "leave")
        run.add(0, 0, "enter barrier_parallel@a.c:3")
        run.join(barrier=False)
        self.assertEqual(self.findings(run)[0][::2], ("phases", "taskwait@a.c:6"))
        self.assertEqual(self.findings(run)[1][::2], ("tail", "task@a.c:5"))

    def test_tail(self):
        run = Run()
        run.fork()
        for i in range(1, 14):
            run.add(0, 1, f"create 0:{i}")
        run.time[1] = run.time[0]
        for thread in (0, 1):
            run.add(thread, 0, "enter barrier_parallel@a.c:3")
            for i in range(1, 7):
                run.task(thread, f"0:{6 * thread + i}", 100)
        run.task(0, "0:13", 100)
        run.join(barrier=False)
        self.assertEqual([kind for kind, _, _ in self.findings(run)], ["tail"])

    def test_delay(self):
        run = Run()
        run.fork()
        run.add(0, 1, "create 0:1")
        run.add(0, 1, "create 0:2")
        run.add(1, 0, "enter barrier_parallel@a.c:3")
        run.add(0, 0, "enter barrier_parallel@a.c:3")
        run.task(0, "0:1", 1000)
        run.time[1] = run.time[0]
        run.task(1, "0:2", 1000)  # was ready for 1000 ticks, while thread 1 waited
        run.join(barrier=False)
        found = dict((kind, cost) for kind, cost, _ in self.findings(run))
        self.assertAlmostEqual(found["delay"], 1000, delta=20)

    def test_tied_task(self):
        run = Run()
        run.fork()
        run.add(0, 1, "create 0:1")
        run.time[1] = run.time[0]
        for thread in (0, 1):
            run.add(thread, 0, "enter barrier_parallel@a.c:3")
        run.add(0, 1, "switch 0:1; enter task@a.c:4")
        run.add(0, 1, "create 0:2")
        run.add(0, 1, "enter taskwait@a.c:6")
        run.time[1] = run.time[0]
        run.add(1, 1, "switch 0:2; enter task@a.c:5")
        run.add(1, 1, "create 1:1")
        run.add(1, 8, "leave; complete 0:2; switch 1:0")
        run.time[0] = run.time[1] - 5
        run.add(0, 0, "switch 1:1; enter task@a.c:7")  # a grandchild of task 0:1, which does not wait for it
        run.add(0, 1000, "leave; complete 1:1; switch 0:1")
        run.add(0, 0, "leave taskwait@a.c:6")
        run.add(0, 5, "leave; complete 0:1; switch 0:0")
        run.join(barrier=False)
        places = {kind: place for kind, _, place in self.findings(run)}
        found = {kind: cost for kind, cost, _ in self.findings(run)}
        self.assertAlmostEqual(found["tied tasks"], 995, delta=5)
        self.assertEqual(places["tied tasks"], "task@a.c:4")  # the task that could continue
        self.assertNotIn("delay", found)

    def test_forking(self):
        self.assertIn("forking", [kind for kind, _, _ in self.findings(self.forks())])

    def test_code_between_regions_that_the_fork_explains(self):
        """The thread that forks executes 3 or 100 ticks before each of 20 forks. A fork takes 8 ticks, a join 2. The
        code before the first fork is not between regions. Both threads lose the time of the rest."""
        costs = {}
        for ticks in (3, 100):
            run = Run()
            for _ in range(20):
                run.add(0, ticks, "fork 2")
                run.time = [run.time[0] + 8] * 2
                for thread in (0, 1):
                    run.add(thread, 0, f"team 1 begin; enter {run.region}")
                run.time[1] = run.time[0]
                run.add(1, 100, "leave; team 1 end")
                run.add(0, 100, "leave; team 1 end")
                run.add(0, 2, "join")
            costs[ticks] = {kind: cost for kind, cost, _ in self.findings(run)}
        self.assertEqual(costs[3]["forking"], 20 * 2 * 10 + 19 * 3 * 2)
        self.assertEqual(costs[100]["forking"], 20 * 2 * 10 + 19 * 8 * 2)
        self.assertEqual(costs[100]["serial code"], 20 * 100 - 19 * 8 + 1)

    def test_many_small_regions(self):
        """Forks and joins limit such small regions, whatever happens in them: neither an imbalance nor late workers are
        found."""
        run = Run()
        for i in range(120):
            run.add(0, 1, "fork 2")
            run.time = [run.time[0] + 1] * 2
            run.add(0, 1, f"team 1 begin; enter {run.region}")
            run.add(1, 20, f"team 1 begin; enter {run.region}")
            run.add(0, 30, "enter barrier_parallel@a.c:3")
            run.add(1, 30, "enter barrier_parallel@a.c:3")
            run.add(0, 20, "leave; leave; team 1 end")
            run.add(1, 1, "leave; leave; team 1 end")
            run.time = [max(run.time)] * 2
            run.add(0, 1, "join")
        found = [(kind, place) for kind, _, place in self.findings(run)]
        self.assertEqual(found[0], ("forking", "parallel@a.c:3"))
        self.assertLessEqual({kind for kind, _ in found}, {"forking", "serial code"})

    def test_a_member_without_a_processor_is_not_late(self):
        """The other members begin 20 ns after the first, so this is a cost of the forks."""
        run = Run()
        run.properties = ["processors 2", "property OTTER::PROCESSORS 2"]
        run.lines += [(90, 0, "2 on 0"), (90, 0, "3 on 1")]
        for i in range(100):
            run.add(0, 1, "fork 2")
            begin, off = run.time[0], 10**7 if i == 50 else 0
            if off:
                run.lines += [(begin, 0, "3 preempted 1"), (begin + off, 0, "3 on 1")]
            run.time[1] = begin + off
            run.add(0, 1, f"team 1 begin; enter {run.region}")
            run.add(1, 20, f"team 1 begin; enter {run.region}")
            run.join()
        self.assertEqual([kind for kind, _, _ in self.findings(run)], ["forking", "noise"])

    def test_explicit_barriers(self):
        run = Run()
        run.fork()
        for i in range(10):
            slow = i % 2
            run.add(slow, 100, "enter barrier@a.c:7")
            run.add(1 - slow, 10, "enter barrier@a.c:7")
            run.time = [max(run.time)] * 2
            for thread in (0, 1):
                run.add(thread, 0, "leave")
        run.join()
        found = {kind: (cost, place) for kind, cost, place in self.findings(run)}
        self.assertEqual(found["barrier"], (900, "barrier@a.c:7"))

    def test_barriers_in_small_regions(self):
        """Members that wait for each other in turn would not wait without the barrier, however short the region is."""
        run = Run()
        for _ in range(100):
            run.fork()
            for slow in (0, 1):
                run.add(slow, 100, "enter barrier@a.c:7")
                run.add(1 - slow, 10, "enter barrier@a.c:7")
                run.time = [max(run.time)] * 2
                for thread in (0, 1):
                    run.add(thread, 0, "leave")
            run.join()
        found = {kind: cost for kind, cost, _ in self.findings(run)}
        self.assertEqual(found["barrier"], 100 * 180)
        self.assertNotIn("imbalance", found)

    def test_a_late_wake_up_is_no_imbalance(self):
        """Thread 0 waits for thread 1 and leaves the barrier late: the time until then is not an imbalance."""
        run = Run()
        run.fork()
        for _ in range(10):
            run.add(0, 10, "enter barrier@a.c:7")
            run.add(1, 100, "enter barrier@a.c:7")
            run.add(1, 0, "leave")
            run.time[0] = run.time[1] + 50
            run.add(0, 0, "leave")
            run.time[1] = run.time[0]
        run.join()
        self.assertEqual([finding[:2] for finding in self.findings(run)], [("imbalance", 900), ("slow wake-up", 500)])

    def test_barriers_at_which_the_same_thread_is_late(self):
        run = Run()
        run.fork()
        for i in range(10):
            run.add(0, 100, "enter barrier@a.c:7")
            run.add(1, 10, "enter barrier@a.c:7")
            run.time = [max(run.time)] * 2
            for thread in (0, 1):
                run.add(thread, 0, "leave")
        run.join()
        self.assertEqual(self.findings(run), [("imbalance", 900, "parallel@a.c:3")])

    def test_an_uneven_single(self):
        run = Run()
        run.fork()
        run.add(0, 0, "enter single@a.c:5")
        run.add(1, 0, "enter barrier_workshare@a.c:5")
        run.add(0, 1000, "leave; enter barrier_workshare@a.c:5")
        run.time = [max(run.time)] * 2
        for thread in (0, 1):
            run.add(thread, 0, "leave")
        run.join()
        self.assertEqual(self.findings(run), [("serial part", 1000, "single@a.c:5")])

    def test_a_masked_block_before_an_even_loop(self):
        """The others wait at the end of the loop, although what made thread 0 late is the block."""
        run = Run()
        run.fork()
        run.add(0, 0, "enter masked@a.c:5")
        run.add(0, 1000, "leave; enter loop@a.c:7")
        run.add(1, 0, "enter loop@a.c:7")
        for thread in (0, 1):
            run.add(thread, 600, "leave; enter barrier_workshare@a.c:7")
        run.time = [max(run.time)] * 2
        for thread in (0, 1):
            run.add(thread, 0, "leave")
        run.join()
        self.assertEqual(self.findings(run), [("serial part", 1000, "masked@a.c:5")])

    def test_a_reduction_in_a_barrier(self):
        """Thread 0 adds the results of thread 1 to its own for 1000 ticks: both are lost."""
        run = Run()
        run.fork()
        for thread in (0, 1):
            run.add(thread, 600, "enter barrier_implementation@a.c:3")
        run.add(0, 0, "enter reduction@a.c:3")
        run.add(0, 1000, "leave")
        run.time = [max(run.time)] * 2
        for thread in (0, 1):
            run.add(thread, 0, "leave")
        run.join()
        self.assertEqual(self.findings(run), [("reduction", 2000, "reduction@a.c:3")])

    def after_loop(self, loop="a.c:3", barrier="a.c:3", ticks=20000):
        """Both threads set up copies for 5000 ticks, execute the loop for 50000, and add the copies up."""
        run = Run()
        run.fork()
        for thread in (0, 1):
            run.add(thread, 5000, f"enter loop@{loop}")
            run.add(thread, 50000, "leave")
            run.add(thread, ticks * (thread + 1), f"enter barrier_parallel@{barrier}")
        run.join(barrier=False)
        return self.findings(run)

    def test_a_reduction_after_a_loop(self):
        """The copies take 2 x 5000, 20000 and 40000 ticks, and thread 0 waits for 20000."""
        self.assertEqual(self.after_loop()[0], ("reduction", 90000, "parallel@a.c:3"))

    def test_code_after_a_loop_is_no_reduction(self):
        """The program may have code before another barrier; a scalar is added up in less than 10 us."""
        for found in (self.after_loop(barrier="a.c:9"), self.after_loop(ticks=6000)):
            self.assertEqual([finding[0] for finding in found][:1], ["imbalance"])

    def test_the_set_up_belongs_only_to_a_loop_at_the_place_of_its_region(self):
        found = self.after_loop(loop="a.c:4", barrier="a.c:4")
        self.assertEqual(found[0][:2], ("reduction", 60000 + 60000 * 20000 // 70000))

    def locked(self, place, updates=1):
        """Thread 0 is in a lock for 1000 ticks in all, and thread 1 waits for it."""
        run = Run()
        run.fork()
        for i in range(updates):
            run.add(0, 0 if i else 600, f"enter {place}")
            run.add(0, 0, f"acquire_lock {2 * i + 1}")
            run.add(1, 0 if i else 600, f"enter {place}")
            run.add(0, 1000 // updates, f"release_lock {2 * i + 1}; leave")
            run.time[1] = run.time[0]
            run.add(1, 0, f"acquire_lock {2 * i + 2}")
            run.add(1, 0, f"release_lock {2 * i + 2}; leave")
        run.join()
        return [finding[0] for finding in self.findings(run)][:1]

    def test_a_reduction_in_a_lock_of_the_runtime(self):
        self.assertEqual(self.locked("critical@a.c:3"), ["reduction"])
        self.assertEqual(self.locked("critical@a.c:4"), ["lock"])
        self.assertEqual(self.locked("atomic@a.c:4"), ["reduction"])
        self.assertEqual(self.locked("atomic@a.c:4", updates=10), ["lock"])

    def test_late_workers(self):
        run = Run()
        run.add(0, 1, "fork 2")
        run.add(0, 1, f"team 1 begin; enter {run.region}")
        run.add(1, 0, "other")  # so that the thread exists
        run.time[1] = run.time[0] + 60000
        run.add(1, 0, f"team 1 begin; enter {run.region}")
        run.add(1, 100000, "enter barrier_parallel@a.c:3")
        run.add(0, run.time[1] - run.time[0], "enter barrier_parallel@a.c:3")
        run.join(barrier=False)
        self.assertEqual(self.findings(run), [("late workers", 60000, "parallel@a.c:3")])

    def test_waiting_for_a_late_worker_is_no_imbalance(self):
        run = Run()
        run.add(0, 1, "fork 2")
        run.add(0, 1, f"team 1 begin; enter {run.region}")
        run.add(1, 0, "other")
        run.time[1] = run.time[0] + 60000
        run.add(1, 0, f"team 1 begin; enter {run.region}")
        run.add(1, 100000, "enter barrier_parallel@a.c:3")
        run.add(0, 100000, "enter barrier_parallel@a.c:3")
        run.time[0] = run.time[1]
        run.join(barrier=False)
        found = self.findings(run)
        self.assertEqual([kind for kind, _, _ in found], ["late workers"])
        self.assertAlmostEqual(found[0][1], 120000, delta=5)

    def test_nested_regions_of_one_thread(self):
        run = Run()
        run.fork()
        run.add(0, 10, "fork 1")
        run.add(0, 1, "team 2 begin; enter parallel@a.c:9")
        run.add(1, 10, "enter barrier_parallel@a.c:3")
        run.add(0, 1000, "leave; team 2 end")
        run.add(0, 1, "join")
        run.add(0, 1, "enter barrier_parallel@a.c:3")
        run.join(barrier=False)
        self.assertEqual(self.findings(run), [("small team", 1000, "parallel@a.c:9")])

    def test_kokkos_fences_and_copies(self):
        run = Run()
        run.add(0, 0, "enter kokkos_copy@b")
        run.add(0, 300, "leave")
        run.add(0, 0, "enter kokkos_fence@b")
        run.add(0, 500, "leave")
        found = {kind: cost for kind, cost, _ in self.findings(run)}
        self.assertEqual((found["fence"], found["copy"]), (500, 300))

    def test_calls_of_mpi(self):
        """MPI_Init and MPI_Finalize exchange nothing: they are a finding of their own, even where they are longest."""
        run = Run()
        for call, ticks in (("mpi_collective@MPI_Init_thread", 500), ("mpi_point@MPI_Send", 100), ("mpi_wait@MPI_Wait", 30),
                            ("mpi_collective@MPI_Finalize", 400)):
            run.add(0, 0, f"enter {call}")
            run.add(0, ticks, "leave")
        found = [finding for finding in self.findings(run) if "MPI" in finding[0]]
        self.assertEqual(found, [("MPI job", 900, "mpi_collective@MPI_Init_thread"), ("MPI", 130, "mpi_point@MPI_Send")])

    def test_undeferred_tasks(self):
        run = Run()
        run.fork()
        for i in range(1, 6):
            run.add(0, 1, f"create 0:{i}")
            run.add(0, 0, f"switch 0:{i}; enter task@a.c:5,undeferred")
            run.add(0, 100, f"leave; complete 0:{i}; switch 0:0")
        run.join()
        found = {kind: cost for kind, cost, _ in self.findings(run)}
        self.assertEqual(found["undeferred tasks"], 500)

    def test_undeferred_tasks_at_the_end_of_a_recursion(self):
        """Two nested deferred tasks end in undeferred ones, as with a cut-off: the finding that remains is the tail."""
        run = Run()
        run.fork()
        run.add(0, 1, "create 0:1")
        for thread in (0, 1):
            run.add(thread, 0, "enter barrier_parallel@a.c:3")
        run.add(0, 1, "switch 0:1; enter task@a.c:5")
        run.add(0, 1, "create 0:2")
        run.add(0, 1, "leave; complete 0:1; switch 0:0")
        run.add(0, 1, "switch 0:2; enter task@a.c:5")
        for i in range(3, 8):
            run.add(0, 1, f"create 0:{i}")
            run.add(0, 0, f"switch 0:{i}; enter task@a.c:5,undeferred")
            run.add(0, 100, f"leave; complete 0:{i}; switch 0:2")
        run.add(0, 1, "leave; complete 0:2; switch 0:0")
        run.join(barrier=False)
        self.assertEqual([kind for kind, _, _ in self.findings(run)], ["tail"])


if __name__ == "__main__":
    DRIVER = sys.argv.pop(1)
    unittest.main()
