#!/usr/bin/env python3
"""Tests what findings advise: test_texts.py DRIVER"""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import test_findings  # noqa: E402
import test_findings_kokkos  # noqa: E402

DRIVER = None
CASES = pathlib.Path(__file__).resolve().parents[1] / "cases"


FIRST_TOUCH = """
threads 2
processors 1
samples
counters page-faults
context code@a.c:9
property OTTER::SETTING::SAMPLE 100
property OTTER::SAMPLES_LOST 0
resolution 1000000
@50
2 on 0
@60
0 enter initial
@70
3 sample 0
@75
3 count page-faults 1
@100
0 enter task@fill@a.c:9
@1000
3 sample 0
@5000
3 sample 0
@50000
3 count page-faults 8001
@100100
0 leave
@100101
2 known
@100102
0 leave initial
"""


REDUCTION = """
threads 2
team 1 parent 0 members 0 1
@100
0 enter initial
@101
0 fork 2
@102
0 team 1 begin; enter parallel@a.c:3; enter loop@a.c:3; iterations 5; chunk 0; iterations 3
@102
1 team 1 begin; enter parallel@a.c:3; enter loop@a.c:3; iterations 5; chunk 3; iterations 2
@142
1 leave; enter barrier_implementation@a.c:3
@162
0 leave; enter barrier_implementation@a.c:3; enter reduction@a.c:3
@163
0 leave; leave; enter barrier_parallel@a.c:3
@163
1 leave; enter barrier_parallel@a.c:3
@163
0 leave
@163
1 leave
@163
1 leave; team 1 end
@163
0 leave; team 1 end
@164
0 join
@165
0 leave initial
"""


# Of threads 1 and 2, only the end of an iteration and the wait for it were recorded.
SINK = """
threads 3
team 1 parent 0 members 0 1
@100
0 enter initial
@101
0 fork 2
@102
0 team 1 begin; enter parallel@a.c:3; enter loop@a.c:4
@110
0 enter ordered@a.c:6
@200
1 source 0
@205
2 sink 0
@210
0 sink 0; leave
@300
0 leave; enter barrier_parallel@a.c:3
@301
0 leave
@302
0 leave; team 1 end
@303
0 join
@304
0 leave initial
"""


# Two initial threads, each with a region of its own.
TURNS = """
threads 2
processors 1
property OTTER::PROCESSORS 1
resolution 1000000
team 1 parent 0 members 0
team 2 parent 0 members 1
@90
2 on 0
@100
0 enter initial
@101
0 fork 1
@102
0 team 1 begin; enter parallel@a.c:3
@200
2 preempted 0
@201
2 on 1
@203
1 enter initial
@204
1 fork 1
@205
1 team 2 begin; enter parallel@a.c:8
@300
2 preempted 1
@301
2 on 0
@400
2 preempted 0
@401
2 on 1
@500
1 leave; team 2 end
@501
1 join
@502
1 leave initial
@503
2 off 1
@504
2 on 0
@600
0 leave; team 1 end
@601
0 join
@602
0 leave initial
@603
2 known
"""


# Each member of the outer region forks a region of its own, thread 1 for longer.
SHARED_NEST = """
threads 2
team 1 parent 0 members 0 1
team 2 parent 1 members 0
team 3 parent 1 members 1
@100
0 enter initial
@101
0 fork 2
@102
0 team 1 begin; enter parallel@a.c:3
@102
1 team 1 begin; enter parallel@a.c:3
@103
0 fork 1
@103
1 fork 1
@104
0 team 2 begin; enter parallel@a.c:5
@104
1 team 3 begin; enter parallel@a.c:5
@204
0 leave; team 2 end
@204
0 join
@205
0 enter barrier_parallel@a.c:3
@404
1 leave; team 3 end
@404
1 join
@405
1 enter barrier_parallel@a.c:3
@405
0 leave
@405
1 leave
@405
1 leave; team 1 end
@405
0 leave; team 1 end
@406
0 join
@407
0 leave initial
"""


# The only member of a region forks another region of one member, while thread 1 is idle.
LONE_NEST = """
threads 2
team 1 parent 0 members 0
team 2 parent 1 members 0
team 3 parent 0 members 0 1
@100
0 enter initial
@101
0 fork 1
@102
0 team 1 begin; enter parallel@a.c:3
@103
0 fork 1
@104
0 team 2 begin; enter parallel@a.c:5
@404
0 leave; team 2 end
@404
0 join
@405
0 leave; team 1 end
@406
0 join
@406
0 fork 2
@406
0 team 3 begin; enter parallel@a.c:9
@406
1 team 3 begin; enter parallel@a.c:9
@407
0 leave; team 3 end
@407
1 leave; team 3 end
@407
0 join
@407
0 leave initial
"""


# Two threads take turns, for 100 ticks each.
DOACROSS = """
threads 2
team 1 parent 0 members 0 1
@100
0 enter initial
@101
0 fork 2
@102
0 team 1 begin; enter parallel@a.c:3; enter loop@a.c:3; iterations 4; chunk 0; iterations 2
@102
1 team 1 begin; enter parallel@a.c:3; enter loop@a.c:3; iterations 4; chunk 2; iterations 2
@103
1 enter ordered@a.c:5
@202
0 source 1
@203
1 sink 1; leave
@303
1 leave; enter barrier_parallel@a.c:3
@303
0 leave; enter barrier_parallel@a.c:3
@303
0 leave
@303
1 leave
@303
1 leave; team 1 end
@303
0 leave; team 1 end
@304
0 join
@305
0 leave initial
"""


# A thread executes a dynamic loop of 40 chunks. The runtime needs 6 of 10 ticks to give a chunk to the thread.
SMALL_CHUNKS = """
threads 1
resolution 1000000
team 1 parent 0 members 0
@100
0 enter initial
@101
0 fork 1
@102
0 team 1 begin; enter parallel@a.c:3; enter loop@a.c:3,dynamic; iterations 4000
""" + "".join(f"@{110 + 10 * i}\n0 chunk {100 * i}; iterations 100{'; chunk_ticks 6' if i % 16 == 0 else ''}\n" for i in range(40)) + """
@510
0 leave; enter barrier_parallel@a.c:3
@510
0 leave
@510
0 leave; team 1 end
@511
0 join
@512
0 leave initial
"""

TEAMS_OF_TWO_SIZES = """
# A region and its loop execute on one thread for 20 ticks, then on two threads for 60 ticks each: evenly.
threads 2
team 1 parent 0 members 0
team 2 parent 0 members 0 1
@100
0 enter initial
@101
0 fork 1
@102
0 team 1 begin; enter parallel@a.c:3; enter loop@a.c:5; iterations 4
@122
0 leave; enter barrier_parallel@a.c:3
@122
0 leave; leave; team 1 end
@123
0 join
@124
0 fork 2
@125
0 team 2 begin; enter parallel@a.c:3; enter loop@a.c:5; iterations 24
@125
1 team 2 begin; enter parallel@a.c:3; enter loop@a.c:5; iterations 24
@185
0 leave; enter barrier_parallel@a.c:3
@185
1 leave; enter barrier_parallel@a.c:3
@185
0 leave; leave; team 2 end
@185
1 leave; leave; team 2 end
@186
0 join
@187
0 leave initial
"""


LARGER_TEAM = """@520
0 fork 2
""" + "".join(f"@521\n{i} team 2 begin; enter parallel@a.c:9\n@522\n{i} enter barrier_parallel@a.c:9\n@523\n{i} leave\n"
              f"@523\n{i} leave; team 2 end\n" for i in (0, 1, 2, 3)) + """@524
0 join
@600
"""


# The thread sleeps for 60 ticks while it holds a lock, and for 30 ticks before that.
SLEEP_IN_LOCK = """
threads 1
processors 1
resolution 1000000
@40
1 on 0
@100
0 enter initial
@110
1 off 0
@140
1 on 0
@150
0 enter set_lock@a.c:5
@150
0 acquire_lock 1; leave
@155
1 off 0
@215
1 on 0
@220
0 release_lock 1
@300
0 leave initial
"""


# Thread 1 tests the lock three times in vain, for 40, 0 and 30 ticks, and waits for 5 more ticks. Thread 0 holds it all
# the time. The release of thread 2 is recorded after the acquisition of thread 0.
TESTED_LOCK = """
threads 3
resolution 1000000
team 1 parent 0 members 0 1 2
@100
0 enter initial
@101
0 fork 3
@102
0 team 1 begin; enter parallel@a.c:3
@102
1 team 1 begin; enter parallel@a.c:3
@102
2 team 1 begin; enter parallel@a.c:3
@104
2 enter test_lock@a.c:5
@104
2 acquire_lock 1; leave
@110
0 enter test_lock@a.c:5
@110
0 acquire_lock 2; leave
@111
2 release_lock 1
@115
1 enter test_lock@a.c:5
@155
1 leave
@165
1 enter test_lock@a.c:5
@165
1 leave
@170
1 enter test_lock@a.c:5
@200
1 leave
@205
1 enter test_lock@a.c:5
@210
0 release_lock 2
@210
1 acquire_lock 3; leave
@303
1 release_lock 3
@310
0 enter barrier_parallel@a.c:3
@310
1 enter barrier_parallel@a.c:3
@310
2 enter barrier_parallel@a.c:3
@310
0 leave
@310
1 leave
@310
2 leave
@310
1 leave; team 1 end
@310
2 leave; team 1 end
@310
0 leave; team 1 end
@311
0 join
@312
0 leave initial
"""


# The initial task executes for 1 ms while two threads are idle, which leave one processor of two unused.
CROWDED_SERIAL = """
threads 3
processors 2
property OTTER::PROCESSORS 2
resolution 1000000
team 1 parent 0 members 0 1 2
@90
3 on 0
@91
4 on 1
@100
0 enter initial
@1100
0 fork 3
""" + "".join(f"@{time}\n{i} {record}\n" for time, record in ((1100, "team 1 begin; enter parallel@a.c:3"), (1110, "enter barrier_parallel@a.c:3"),
                                                            (1111, "leave"), (1111, "leave; team 1 end")) for i in range(3)) + """
@1112
0 join
@1113
0 leave initial
"""


# The thread executes for 200 ticks before the first region, where it loses its processor for 800 ticks, and for 300
# between the regions.
PREEMPTED_SERIAL = """
threads 2
processors 2
property OTTER::PROCESSORS 2
resolution 1000000
team 1 parent 0 members 0 1
team 2 parent 0 members 0 1
@90
2 on 0
@91
3 on 1
@100
0 enter initial
@110
2 preempted 0
@910
2 on 0
@1010
0 fork 2
@1010
0 team 1 begin; enter parallel@a.c:3
@1010
1 team 1 begin; enter parallel@a.c:3
@1110
0 enter barrier_parallel@a.c:3
@1110
1 enter barrier_parallel@a.c:3
@1111
0 leave
@1111
1 leave
@1111
1 leave; team 1 end
@1111
0 leave; team 1 end
@1111
0 join
@1411
0 fork 2
@1411
0 team 2 begin; enter parallel@a.c:9
@1411
1 team 2 begin; enter parallel@a.c:9
@1511
0 enter barrier_parallel@a.c:9
@1511
1 enter barrier_parallel@a.c:9
@1512
0 leave
@1512
1 leave
@1512
1 leave; team 2 end
@1512
0 leave; team 2 end
@1512
0 join
@1520
0 leave initial
"""


class Texts(test_findings.Runs):
    def lines(self, run):
        """Returns the report as one line."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "run.txt"
            path.write_text(run.text())
            return self.lines_of(path)

    def lines_of(self, path):
        result = subprocess.run([DRIVER, "100", path], capture_output=True, text=True, timeout=60)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return " ".join(result.stdout.split())

    def test_small_tasks(self):
        text = self.lines(self.small_tasks())
        self.assertIn("1. small tasks: task a.c:5", text)
        self.assertIn("Put the work of 25 tasks into one: a taskloop with 25 times the current grainsize", text)
        self.assertIn("Then record again", text)

    def test_the_cut_off_of_a_recursion(self):
        self.assertIn("Create tasks only down to depth 7 of the recursion", self.recursion(9, 100))

    def test_tasks_at_the_cut_off_are_large_enough(self):
        """The cost of a task includes the delay of the finding, which is most of it here."""
        text = self.recursion(9, 100, late=300)
        self.assertIn("Create tasks only down to depth 2 of the recursion, where a task takes 11.3 us on average", text)

    def test_a_recursion_of_uneven_tasks(self):
        text = self.recursion(5, 20, n_leaves=200)
        self.assertRegex(text, r"Tasks at the first depth take [0-9.]+ ns on average, the largest task [0-9.]+ (n|u)s, including "
                               r"all tasks below\. Create tasks only for work of 162 ns or more \(if, final\)\.")

    def recursion_of_two(self, leaf=80, preempted=0):
        """Returns a run in which two threads take the tasks of a recursion in turn. Leaves work `leaf` ticks, a task costs 6.
        Before the fork, the thread has no processor for `preempted` ticks."""
        run = test_findings.Run()
        if preempted > 0:
            run.properties = ["processors 2", "property OTTER::PROCESSORS 2"]
            run.lines += [(90, -2, "2 on 0"), (91, -1, "3 on 1"), (101, 1, "2 preempted 0"), (101 + preempted, 2, "2 on 0")]
            run.time[0] += preempted + 1
        run.fork()
        run.add(1, 0, "enter barrier_parallel@a.c:3")
        run.add(0, 1, "create 0:1; enter barrier_parallel@a.c:3")
        queue, n = [("0:1", 0, 0)], [1, 0]
        for task, depth, begin in queue:
            thread = run.time.index(min(run.time))
            run.time[thread] = max(run.time[thread], begin)
            run.add(thread, 4, f"switch {task}; enter task@a.c:5")
            for _ in range(2 if depth < 6 else 0):
                n[thread] += 1
                run.add(thread, 2, f"create {thread}:{n[thread]}")
                queue.append((f"{thread}:{n[thread]}", depth + 1, run.time[thread]))
            run.add(thread, 4 if depth < 6 else leaf, f"leave; complete {task}; switch {thread}:0")
        run.join(barrier=False)
        return run

    def lines_of_text(self, text):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "run.txt"
            path.write_text(text)
            return self.lines_of(path)

    def test_a_change_that_may_cost_time(self):
        self.assertIn("was created only down to depth 3: 0.2 % more to 59.8 % less time", self.lines(self.recursion_of_two()))

    def test_the_doubts_of_a_cut_off_do_not_depend_on_other_programs(self):
        self.assertIn("was created only down to depth 3: 0.2 % more to 59.8 % less time", self.lines(self.recursion_of_two(preempted=10 ** 6)))

    def test_a_cut_off_after_the_first_tasks(self):
        found = self.lines(self.recursion_of_two(leaf=0))
        self.assertIn("Create only the first tasks of the recursion, which take 252 ns on average", found)
        self.assertIn("what if task a.c:5 was created only at the start of the recursion: ", found)

    def test_regions_of_one_thread_that_share_the_work(self):
        text = self.lines_of_text(SHARED_NEST)
        self.assertIn("1. small team: parallel a.c:5", text)
        self.assertIn("Each thread of the enclosing region forks it, and all wait for the slowest", text)

    def test_a_region_forked_by_the_only_member_of_another(self):
        self.assertIn("Give it more threads (num_threads, a true if clause;", self.lines_of_text(LONE_NEST))

    def test_merged_regions_gain_little_if_a_barrier_stays(self):
        self.assertIn("put several loops into one parallel region and omit the barriers between them",
                      self.lines(self.forks()))

    def test_a_reduction_in_the_barrier_after_a_loop(self):
        """Thread 0 executes 60 of 100 ticks before the barrier in which it combines the results."""
        self.assertIn("The busiest thread executes 1.20 times the mean, and the others wait for it.",
                      self.lines_of_text(REDUCTION))

    def test_an_order_of_threads_without_regions(self):
        self.assertIn("1. lock: ordered a.c:6", self.lines_of_text(SINK))

    def test_small_teams_that_are_too_many_at_once(self):
        text = self.lines_of_text(TURNS)
        self.assertIn("1. oversubscription", text)
        self.assertIn("2 threads take turns on 1 processor: fork fewer teams at a time", text)

    def test_one_long_region_cannot_be_merged(self):
        run = test_findings.Run()
        run.add(0, 0, "fork 2")
        run.time = [run.time[0] + 1000000, run.time[0] + 1000000]
        for thread in (0, 1):
            run.add(thread, 0, f"team 1 begin; enter {run.region}")
        run.time = [run.time[0] + 2000000, run.time[1] + 2000000]
        run.join()
        text = self.lines(run)
        self.assertIn("the runtime also creates its threads.", text)
        self.assertIn("OMP_WAIT_POLICY=active, or record a longer run.", text)

    def test_long_labels_are_cut_between_characters(self):
        run = test_findings.Run()
        for serial, file in ((0, "a.c"), (900, "ab" + 64 * "\u00e4")):
            run.add(0, serial, "fork 2")
            run.time = [max(run.time) + 1] * 2
            for thread in (0, 1):
                run.add(thread, 0, f"team 1 begin; enter parallel@{file}:3")
            run.time = [run.time[0] + 1000] * 2
            run.join()
        text = self.lines(run)
        self.assertRegex(text, "between parallel a.c:3 and parallel ab\u00e4{54}\\)")
        self.assertNotIn("\\xc3", text)

    def test_lost_switches_are_counted(self):
        self.assertIn("whether threads were on a processor is unknown for 872 us of their time: 12 switches were lost",
                      self.lines_of(CASES / "processors/switches_lost.txt"))
        self.assertNotIn("switch was lost", self.lines_of(CASES / "processors/switched_out.txt"))

    def test_a_lock_that_is_held_elsewhere(self):
        text = self.lines_of(CASES / "locks/lock_held_elsewhere.txt")
        self.assertIn("1. lock: omp_set_lock a.c:5", text)
        self.assertIn("while another thread holds the lock acquired here. They wait mostly in omp_set_lock a.c:9. "
                      "Hold the lock for a shorter time", text)
        self.assertIn("Of this cost, 6 % at omp_set_lock a.c:9.", text)
        self.assertIn("1. lock: omp_set_lock a.c:5", self.lines_of(CASES / "locks/waits_for_different_locks.txt"))
        self.assertNotIn("They wait", self.lines_of(CASES / "locks/waits_for_different_locks.txt"))
        self.assertNotIn("They wait", self.lines_of(CASES / "locks/lock_convoy.txt"))

    def test_turns_of_few_threads_are_due_to_other_processes_or_other_threads(self):
        self.assertIn("Threads of this program took turns, although there are enough processors: other processes ran on them",
                      self.lines_of(CASES / "turns/turns_on_one_processor.txt"))
        text = self.lines_of(CASES / "turns/turns_with_other_threads.txt")
        self.assertIn("2 OpenMP threads and 1 other thread take turns on 2 processors. Start fewer of the other "
                      "threads, or give the program more processors", text)
        # fewer threads of OpenMP would only have a smaller share of the processors
        longer = (CASES / "turns/turns_with_other_threads.txt").read_text().replace("@202", "@192")
        self.assertNotIn("OMP_NUM_THREADS", self.lines_of_text(longer))

    def test_two_locks(self):
        text = self.lines_of(CASES / "locks/two_locks.txt")
        self.assertIn("1. lock: omp_set_lock a.c:20", text)
        self.assertIn("They wait mostly in omp_set_lock a.c:30.", text)
        self.assertIn("Of this cost, 44 % at omp_set_lock a.c:5, 5 % at omp_set_lock a.c:40.", text)

    def test_the_text_on_a_lock_says_how_long_it_is_held(self):
        text = (CASES / "locks/lock_taken_late.txt").read_text()
        found = self.lines_of_text(text)
        self.assertIn("1. lock: omp_set_lock a.c:5", found)
        self.assertIn("For 18 % of that time another thread holds the lock acquired here; for the rest, the next thread is slow", found)
        self.assertEqual(text.count("0 acquire_lock 1;"), 1)
        free = self.lines_of_text(text.replace("0 acquire_lock 1;", "0 acquire_lock 1:2;").replace("0 release_lock 1", "0 release_lock 1:2"))
        self.assertIn("1. lock: omp_set_lock a.c:9", free)
        self.assertIn("Acquiring a lock takes time here, though no other thread holds it. Acquire it less often", free)

    def test_work_between_tests_of_a_lock(self):
        """Thread 1 executes for 49, 5 and 5 ticks between tests. Thread 0 is the last one in the barrier."""
        text = TESTED_LOCK.replace("@155\n1 leave", "@116\n1 leave").replace("@310\n2 enter barrier_parallel@a.c:3\n", "")
        text = text.replace("2 release_lock 1\n", "2 release_lock 1\n@112\n2 enter barrier_parallel@a.c:3\n")
        text = text.replace("@310\n0 enter", "@410\n0 enter").replace("@310\n1 enter", "@305\n1 enter").replace("@31", "@41")
        text = text.replace("@410\n0 enter barrier_parallel@a.c:3\n@305\n1 enter barrier_parallel@a.c:3\n",
                            "@305\n1 enter barrier_parallel@a.c:3\n@410\n0 enter barrier_parallel@a.c:3\n")
        self.assertIn("For 59.0 us, threads execute code between failed tests of a lock (omp_test_lock). If this code only",
                      self.lines_of_text(text))
        # thread 1 has no processor for 10 of these ticks
        text = text.replace("threads 3\n", "threads 3\nprocessors 3\n").replace("@100\n0 enter", "@90\n3 on 0\n@90\n4 on 1\n@90\n5 on 2\n@100\n0 enter")
        text = text.replace("@165\n1 enter", "@140\n4 preempted 1\n@150\n4 on 1\n@165\n1 enter")
        self.assertIn("For 49.0 us, threads execute code between failed tests", self.lines_of_text(text))

    def test_failed_tests_of_a_lock(self):
        found = self.lines_of_text(TESTED_LOCK)
        self.assertIn("1. lock: omp_test_lock a.c:5", found)
        self.assertIn("Threads wait for mutual exclusion while another thread holds the lock acquired here. "
                      "Hold the lock for a shorter time", found)
        self.assertRegex(found, "omp_test_lock a.c:5 3 [12] 75.0 us 199 us 9[56].0 us ")
        # no acquisition follows: the holder is unknown
        text = TESTED_LOCK.replace("1 acquire_lock 3; leave", "1 leave").replace("@303\n1 release_lock 3\n", "")
        given_up = self.lines_of_text(text)
        self.assertIn("Threads wait for mutual exclusion. Hold the lock for a shorter time", given_up)
        self.assertNotIn("no other thread holds", given_up)

    def test_iterations_that_wait_for_each_other(self):
        found = self.lines_of_text(DOACROSS)
        self.assertIn("1. lock: ordered a.c:5", found)
        self.assertIn("Threads wait for earlier iterations, mostly here. The loop has chunks of 2 iterations, and the first iteration of a chunk "
                      "waits for the whole chunk before it: use schedule(static, 1).", found)
        self.assertIn("ordered a.c:5 1 0 100 ns 0 ns 0 ns 100 ns", found)
        found = self.lines_of_text(DOACROSS.replace("; iterations 2", "; iterations 1"))
        self.assertIn("Only the code between depend(sink) and depend(source) is serial: move code before it or after it", found)

    def test_an_ordered_loop_in_blocks(self):
        """The ordered region has a lock."""
        text = (DOACROSS.replace("1 sink 1; leave", "1 acquire_lock 2").replace("@303\n1 leave; enter", "@303\n1 release_lock 2; leave; leave; enter")
                .replace("0 source 1", "0 release_lock 1; leave").replace("@202", "@104\n0 enter ordered@a.c:5\n@104\n0 acquire_lock 1\n@202"))
        self.assertIn("The loop has chunks of 2 iterations, and the first iteration of a chunk waits for the whole chunk before it: "
                      "use schedule(static, 1).", self.lines_of_text(text))
        short = self.lines_of_text(text.replace("; iterations 2", "; iterations 1"))
        self.assertIn("Shorten the ordered region, or store its results", short)

    def test_the_longest_part_of_serial_code_is_the_one_that_executes_longest(self):
        self.assertIn("(mostly, for 300 us, between parallel a.c:3 and parallel a.c:9)", self.lines_of_text(PREEMPTED_SERIAL))

    def test_a_fork_without_a_processor_is_no_serial_code(self):
        """Without the 900 us in which the thread forks, but has no processor, 300 us of code are left before the fork."""
        before, after = PREEMPTED_SERIAL.rsplit("0 fork 2\n", 1)
        after = re.sub(r"@(\d+)", lambda time: f"@{int(time[1]) + 1000}", after)
        found = self.lines_of_text(before + "0 fork 2\n@1450\n2 preempted 0\n@2350\n2 on 0\n" + after)
        self.assertIn("(mostly, for 300 us, between parallel a.c:3 and parallel a.c:9)", found)

    def test_the_longest_part_of_serial_code_is_not_longer_than_all_of_it(self):
        """One of three threads on two processors can be idle at no cost, so two threads that are idle lose 75 % of their time."""
        found = self.lines_of_text(CROWDED_SERIAL)
        self.assertIn("Each of the other threads is idle for 750 us while one executes outside of parallel regions "
                      "(mostly before parallel a.c:3).", found)

    def test_much_noise_is_part_of_the_shares(self):
        """418 us of 2.84 ms are serial code, 1.6 ms are noise."""
        self.assertIn("Caution: 56 % of the thread time is noise. The shares below include it; 'what if' does not. Without noise, "
                      "the first finding would take 33.7 %.", self.lines_of_text(PREEMPTED_SERIAL))
        self.assertNotIn("Caution", self.lines_of_text(PREEMPTED_SERIAL.replace("2 preempted 0", "2 off 0")))

    def test_an_imbalance_of_unknown_members(self):
        text = self.lines_of(CASES.parents[1] / "golden/cases/incomplete/task_without_creation.txt")
        self.assertIn("One thread executes longer, and the others wait for it.", text)

    def test_few_iterations(self):
        """Thread 0 executes 3 of 5 iterations. In the second run, these take most of the time."""
        text = (CASES.parent / "text/few_iterations.txt").read_text()
        self.assertIn("few iterations, which no schedule divides evenly", self.lines_of_text(text))
        uneven = "\n".join(line if not line.startswith("@16") else f"@{int(line[1:]) + 100}" for line in text.split("\n"))
        self.assertIn("few iterations, some of them longer than others: start the longest ones first", self.lines_of_text(uneven))
        one_each = uneven.replace("iterations 5", "iterations 2")
        self.assertIn("few iterations, which no schedule divides evenly", self.lines_of_text(one_each))

    def phases(self, begin, end):
        """Returns the report of a run in which a task is created and waited for ten times."""
        run = test_findings.Run()
        run.fork()
        run.add(1, 0, "enter barrier_parallel@a.c:3")
        for i in range(1, 11):
            run.add(0, 0, begin)
            run.add(0, 1, f"create 0:{i}")
            run.add(0, 0, "enter taskgroup_wait@a.c:6")
            run.task(0, f"0:{i}", 100)
            run.add(0, 0, "leave")
            run.add(0, 0, end)
        run.add(0, 0, "enter barrier_parallel@a.c:3")
        run.join(barrier=False)
        return self.lines(run)

    def test_a_taskloop_has_no_dependences(self):
        text = self.phases("enter taskgroup@a.c:6", "leave")
        self.assertIn("Order the tasks of different phases by dependences", text)
        text = self.phases("enter taskgroup@a.c:6; enter taskloop@a.c:6; leave", "leave")
        self.assertIn("1. phases: taskgroup a.c:6", text.replace("taskgroup wait", "taskgroup"))
        self.assertIn("use nogroup, or one taskloop for several of them. Otherwise, replace the taskloop by tasks with depend", text)

    def test_dependences_on_one_address_are_one_finding(self):
        run = test_findings.Run()
        run.fork()
        for i in range(1, 11):
            run.add(0, 1, f"create 0:{i}; inout x")
        for thread in (0, 1):
            run.add(thread, 0, "enter barrier_parallel@a.c:3")
        for i in range(1, 11):
            run.task(0, f"0:{i}", 40 if i % 2 else 20, place=f"task@a.c:{5 + 2 * (i % 2)}")
        run.join(barrier=False)
        text = self.lines(run)
        self.assertEqual(text.count("dependences of the longest chain are on one address"), 1)
        self.assertIn("1. dependences: task a.c:7", text)
        self.assertIn("Of this cost, 33 % at task a.c:5.", text)

    def test_cost_of_a_run_that_is_too_short(self):
        """It contains no execution, not even the time in which the runtime gives out small chunks, 240 us."""
        found = self.lines_of_text(SMALL_CHUNKS.replace("threads 1\n", "threads 1\nproperty OTTER::BEFORE_RECORDING 5000\n"))
        self.assertIn("1. too short 2.00 us", found)

    def test_the_busiest_member_is_compared_with_its_own_team(self):
        found = self.lines_of_text(TEAMS_OF_TWO_SIZES)
        self.assertIn("for a.c:5 2 80 ns 140 ns 1.00", found)

    def test_small_chunks(self):
        found = self.lines_of_text(SMALL_CHUNKS)
        self.assertIn("1. small chunks: for a.c:3 240 us", found)
        self.assertIn("40 chunks of 100 iterations take 4.20 us each, and the runtime needs 6.00 us to give one to a thread. "
                      "Use chunks of about 500 iterations, or a static schedule", found)
        # the runtime takes as long with shorter iterations: of 10 ticks each 6 remain, and half of the rest, rounded down
        self.assertIn("what if for a.c:3 took half the time: 29.7 % less time", found)
        # a later team is larger
        found = self.lines_of_text(SMALL_CHUNKS.replace("threads 1\n", "threads 4\n").replace("members 0\n", "members 0\n"
                                   "team 2 parent 0 members 0 1 2 3\n").replace("@512\n", LARGER_TEAM))
        self.assertIn("40 chunks of 100 iterations take", found)
        self.assertIn("Use chunks of about 500 iterations", found)
        self.assertNotIn("small chunks", self.lines_of_text(SMALL_CHUNKS.replace("chunk_ticks 6", "chunk_ticks 1")))
        # other programs cause times above 20 us
        self.assertNotIn("small chunks", self.lines_of_text(SMALL_CHUNKS.replace("chunk_ticks 6", "chunk_ticks 21")))

    def test_more_threads_cannot_use_a_sleep_in_a_lock(self):
        found = self.lines_of_text(SLEEP_IN_LOCK)
        self.assertIn("for 90.0 us of their execution, most of it here. For 60.0 us of it they hold a lock", found)
        self.assertIn("wait outside of it. If they wait for a mutex, hold it for a shorter time", found)
        self.assertNotIn("hold a lock", self.lines_of_text(SLEEP_IN_LOCK.replace("@155\n1 off 0\n@215\n1 on 0\n", "")))
        # the other thread does not wait for the lock
        team = "".join(f"@291\n{i} team 1 begin; enter parallel@a.c:9\n@292\n{i} enter barrier_parallel@a.c:9\n@293\n{i} leave\n"
                       f"@293\n{i} leave; team 1 end\n" for i in (0, 1))
        found = self.lines_of_text(SLEEP_IN_LOCK.replace("threads 1\n", "threads 2\n").replace("\n1 o", "\n2 o")
                                   .replace("000000\n", "000000\nteam 1 parent 0 members 0 1\n")
                                   .replace("@300\n", f"@290\n0 fork 2\n{team}@294\n0 join\n@300\n"))
        self.assertIn("for 90.0 us of their execution, most of it here. If they wait for a mutex", found)

    def first_touch(self, *changes):
        """Returns whether a task of 100 ms with 2 samples of 10 ms and 8000 page faults is found, after changes of its text."""
        text = FIRST_TOUCH
        for old, new in changes:
            self.assertEqual(text.count(old), 1)
            text = text.replace(old, new)
        self.found = self.lines_of_text(text)
        self.assertIn("--labels", self.found)
        return "first touch" in self.found

    def test_first_touch_needs_time_in_the_kernel_and_page_faults(self):
        self.assertTrue(self.first_touch())
        self.assertTrue(self.first_touch(("8001", "4010")))
        self.assertFalse(self.first_touch(("8001", "3990")))  # 80 ms at 20 us each
        self.assertFalse(self.first_touch(("@50000", 5 * "3 sample 0\n" + "@50000")))  # 7 + 2 * sqrt(7) samples
        self.assertFalse(self.first_touch(("counters page-faults", "counters minor-faults"),
                                          ("count page-faults 1\n", "count minor-faults 1\n"),
                                          ("count page-faults 8001", "count minor-faults 8001")))

    def test_lost_samples_are_not_time_in_the_kernel(self):
        self.assertFalse(self.first_touch(("SAMPLES_LOST 0", "SAMPLES_LOST 1")))
        self.assertIn("1 of 4 samples was lost, so the shares of functions may be wrong: record with a lower rate", self.found)

    def test_shares_of_samples_in_a_run_shorter_than_their_periods(self):
        """Three samples of a second in a run of 100 ms: their shares are of three seconds."""
        self.assertFalse(self.first_touch(("SAMPLE 100", "SAMPLE 1")))
        self.assertRegex(self.found, r"\[a.c:9\] 66.7 % 36.5 % 66.7 % task fill@a.c:9 100.0 % 2 2.00 s .*"
                                     r"all samples 100.0 % - - - 3 3.00 s executed by threads 3.3 %")

    def test_a_fill_has_no_other_view(self):
        run = test_findings_kokkos.Run()
        run.serial("kokkos_copy@a~<-~Scalar,Host~<-~Host", 200, "; bytes 800")
        text = self.lines(run)
        self.assertIn("1 fill writes 800 bytes in all, with one value. Omit this if a kernel writes all", text)
        self.assertNotIn("swap", text)


if __name__ == "__main__":
    DRIVER = sys.argv.pop(1)
    unittest.main()
