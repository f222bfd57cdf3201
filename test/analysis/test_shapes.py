#!/usr/bin/env python3
"""Work, span and finding of programs of known shape, on two threads, in exact ticks: test_shapes.py DRIVER

A greedy scheduler here executes each shape and writes the events. The work is the sum of the tasks and of the creator, the span the
heaviest path; both are computed here by the definition of the shape, without a graph of Otter.
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

DRIVER = None
CREATE = 1  # ticks in which the creator works before each creation


class Shape:
    """Tasks in order of creation: ticks, and depend clauses as {address: "in", "out" or "inout"}."""

    def __init__(self):
        self.tasks = []

    def task(self, ticks, **clauses):
        self.tasks.append((ticks, clauses))

    def predecessors(self):
        """Returns the predecessors of each task, by OpenMP's rule for in and (in)out."""
        writer, readers, all_of = {}, {}, []
        for number, (_, clauses) in enumerate(self.tasks):
            found = set()
            for address, kind in clauses.items():
                if kind == "in":
                    found |= {writer[address]} if address in writer else set()
                    readers.setdefault(address, []).append(number)
                else:
                    found |= set(readers.get(address, [])) or ({writer[address]} if address in writer else set())
                    writer[address], readers[address] = number, []
            all_of.append(found)
        return all_of

    def span(self):
        """Returns the span. Before each task can begin, the creator needs CREATE ticks; to begin takes another tick."""
        ends = []
        for number, (ticks, _) in enumerate(self.tasks):
            created = 1 + CREATE * (number + 1)
            ends.append(max([created] + [ends[i] for i in self.predecessors()[number]]) + ticks)
        return max(ends)

    def work(self):
        return 1 + CREATE * len(self.tasks) + sum(ticks for ticks, _ in self.tasks)

    def events(self):
        """Returns the events: thread 0 creates all tasks, then both threads execute them in order of creation as they
        become ready."""
        lines, before, n = [], self.predecessors(), len(self.tasks)
        time = 100
        add = lambda time, line: lines.append((time, len(lines), line))
        add(time, "0 enter initial; fork 2")
        for thread in (0, 1):
            add(time, f"{thread} team 1 begin; enter parallel@a.c:3")
        add(time, "1 enter barrier_parallel@a.c:3")
        time += 1
        for number, (_, clauses) in enumerate(self.tasks, 1):
            time += CREATE
            add(time, "; ".join([f"0 create 0:{number}"] + [f"{kind} {address}" for address, kind in clauses.items()]))
        add(time, "0 enter barrier_parallel@a.c:3")
        ends, free = {}, [time, time]
        waiting = list(range(n))
        while waiting:
            thread = 0 if free[0] <= free[1] else 1
            can = [(max([ends[i] for i in before[k]] + [time]), k) for k in waiting if all(i in ends for i in before[k])]
            ready, number = min(can, key=lambda pair: (max(pair[0], free[thread]), pair[1]))
            begin = max(ready, free[thread])
            end = begin + self.tasks[number][0]
            add(begin, f"{thread} switch 0:{number + 1}; enter task@a.c:5")
            add(end, f"{thread} leave; complete 0:{number + 1}; switch {thread}:0")
            ends[number] = free[thread] = end
            waiting.remove(number)
        end = max(free)
        for line in ("1 leave", "0 leave", "1 leave; team 1 end", "0 leave; team 1 end", "0 join; leave initial"):
            add(end, line)
        head = ["threads 2", "team 1 parent 0 members 0 1"]
        return "\n".join(head + [f"@{time}\n{line}" for time, _, line in sorted(lines)]) + "\n"


class Shapes(unittest.TestCase):
    def analyse(self, shape):
        """Returns (work, span, [(kind, cost)])."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "shape.txt"
            path.write_text(shape.events())
            result = subprocess.run([DRIVER, path], capture_output=True, text=True, timeout=60)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        lines = result.stdout.splitlines()
        work, span = next(line for line in lines if line.startswith("work ")).replace(",", "").split()[1:4:2]
        found = [line[len("finding "):].split(", ") for line in lines if line.startswith("finding ")]
        return int(work), int(span), [(kind, int(cost.split()[1])) for kind, cost, _ in found]

    def check(self, shape, *kinds):
        work, span, found = self.analyse(shape)
        creating = len(shape.tasks) - 1  # a creation costs a tick here, which is not work, except after the last one
        self.assertEqual(work + creating, shape.work())
        self.assertLessEqual(abs(span - shape.span()), len(shape.tasks))
        self.assertEqual([kind for kind, _ in found], list(kinds))
        return found

    def test_independent_tasks_are_fine(self):
        shape = Shape()
        for _ in range(16):
            shape.task(1000)
        self.check(shape)

    def test_a_chain_of_different_addresses(self):
        shape = Shape()
        for i in range(20):
            shape.task(1000, **{f"a{i}": "in", f"a{i + 1}": "out"})
        self.check(shape, "dependences")

    def test_a_chain_through_one_address(self):
        shape = Shape()
        for _ in range(20):
            shape.task(1000, x="inout")
        found = self.check(shape, "dependences")
        self.assertAlmostEqual(found[0][1], 20 * 1000, delta=50)  # one of two threads is idle all the time

    def test_an_address_among_others(self):
        """Each task also reads data of its own; only x makes them a chain."""
        shape = Shape()
        for i in range(20):
            shape.task(1000, x="inout", **{f"d{i}": "in"})
        self.check(shape, "dependences")

    def test_a_diamond(self):
        shape = Shape()
        shape.task(4000, a="out")
        for i in range(4):
            shape.task(1000, a="in", **{f"b{i}": "out"})
        shape.task(4000, **{f"b{i}": "in" for i in range(4)})
        self.check(shape, "dependences")

    def test_a_wavefront(self):
        shape = Shape()
        for i in range(4):
            for k in range(4):
                before = {f"c{i - 1}{k}": "in" for _ in range(i > 0)} | {f"c{i}{k - 1}": "in" for _ in range(k > 0)}
                shape.task(1000, **before, **{f"c{i}{k}": "out"})
        self.assertEqual(shape.span() // 1000, 7)
        self.check(shape, "dependences")

    def test_a_pipeline_with_a_heavy_stage(self):
        """The longest chain is through the items of the heavy stage, in order."""
        shape = Shape()
        for item in range(16):
            for stage, ticks in enumerate((100, 1000, 100)):
                shape.task(ticks, **{f"s{stage}": "inout", f"i{item}": "inout"})
        self.check(shape, "dependences")

    def test_map_and_reduce(self):
        shape = Shape()
        for i in range(16):
            shape.task(1000, **{f"m{i}": "out"})
        shape.task(8000, **{f"m{i}": "in" for i in range(16)})
        self.check(shape, "dependences")


if __name__ == "__main__":
    DRIVER = sys.argv.pop(1)
    unittest.main()
