#!/usr/bin/env python3
"""Tests that a run that Kokkos limits has the finding for this, and that a run without a limit has no finding:
test_findings_kokkos.py DRIVER
"""
import sys
import unittest

import test_findings

MIB = 1 << 20


class Run(test_findings.Run):
    """Two threads. Thread 0 launches kernels, which fork a team of both."""
    processors = ""

    def kernel(self, label, ticks, launch=2, late=1):
        self.add(0, 0, f"enter kokkos_for@{label},OpenMP")
        self.add(0, launch, "fork 2")
        self.time[1] = self.time[0]
        for thread in (0, 1):
            self.add(thread, late if thread else 1, f"team 1 begin; enter {self.region}")
            self.add(thread, ticks, "enter barrier_parallel@a.c:3")
        self.time = [max(self.time) + 1] * 2
        for thread in (1, 0):
            self.add(thread, 0, "leave; leave; team 1 end")
        self.add(0, launch, "join")
        self.add(0, 0, "leave")

    def uneven(self, label):
        """Launches a kernel whose leader waits for the other thread."""
        self.add(0, 0, f"enter kokkos_for@{label},OpenMP")
        self.add(0, 1, "fork 2")
        self.time[1] = self.time[0]
        for thread, ticks in ((0, 10), (1, 100)):
            self.add(thread, 1, f"team 1 begin; enter {self.region}")
            self.add(thread, ticks, "enter barrier_parallel@a.c:3")
        self.time = [max(self.time) + 1] * 2
        for thread in (1, 0):
            self.add(thread, 0, "leave; leave; team 1 end")
        self.add(0, 1, "join")
        self.add(0, 0, "leave")

    def serial(self, what, ticks, parameter=""):
        self.add(0, 0, f"enter {what}{parameter}")
        self.add(0, ticks, "leave")

    def block(self, what, label, size, in_use, high, ticks=1):
        self.add(0, ticks, f"enter kokkos_{what}@{label},Host; bytes {size}; level Host {in_use} {high}; leave")

    def text(self):
        return super().text().replace("threads 2\n", f"threads 2\n{self.processors}spaces Host Pinned\n", 1)


class Findings(unittest.TestCase):
    lines, findings = test_findings.Findings.lines, test_findings.Findings.findings

    def kinds(self, run):
        return [kind for kind, _, _ in self.findings(run)]

    def test_large_kernels(self):
        run = Run()
        for _ in range(100):
            run.kernel("forces", 1000)
        self.assertEqual(self.findings(run), [])

    def test_small_kernels(self):
        run = Run()
        for _ in range(100):
            run.kernel("push", 10)
        kind, cost, place = self.findings(run)[0]
        # a launch takes 2 + 1 + 10 + 1 + 2 ticks, in which two threads execute for 10 each, and the leader also before
        # the fork
        self.assertEqual((kind, cost, place), ("small kernels", 100 * (2 * 16 - 20), "kokkos_for@push,OpenMP"))
        self.assertEqual(self.kinds(run), ["small kernels"])

    def test_small_kernels_cost_the_event_in_them(self):
        """Two members execute 10 ticks in each of 100 launches; 2 of these ticks are the recorder's event."""
        costs = {}
        for event in (0, 2, 20):
            run = Run()
            run.properties = [f"property OTTER::EVENT_COST {1000 * event}"]
            for _ in range(100):
                run.kernel("push", 10)
            costs[event] = self.findings(run)[0][1]
        self.assertEqual((costs[2] - costs[0], costs[20] - costs[0]), (2 * 100 * 2, 2 * 100 * 10))

    def test_small_kernels_that_wait_for_a_processor(self):
        """In most launches, one thread begins long after the other: the kernels are small if it had no processor."""
        found = []
        for kind in ("preempted", "off"):
            run = Run()
            run.processors = "processors 2\nproperty OTTER::PROCESSORS 2\n"
            run.lines += [(90, 0, "2 on 0"), (90, 0, "3 on 1")]
            for launch in range(100):
                begin, is_late = run.time[0], launch % 10 > 0
                if is_late:
                    run.lines += [(begin + 2, 0, f"3 {kind} 1"), (begin + 502, 0, "3 on 1")]
                run.kernel("push", 10, late=501 if is_late else 1)
            found.append(self.kinds(run)[0])
        self.assertEqual(found, ["small kernels", "forking"])

    def test_few_small_kernels(self):
        run = Run()
        for _ in range(99):
            run.kernel("push", 10)
        self.assertNotIn("small kernels", self.kinds(run))

    def test_kernels_of_two_sizes(self):
        """Large launches are not small kernels, and do not hide small ones."""
        run = Run()
        for _ in range(100):
            run.kernel("push", 5)
            run.kernel("forces", 40)
        small = [place for kind, _, place in self.findings(run) if kind == "small kernels"]
        self.assertEqual(small, ["kokkos_for@push,OpenMP"])

    def test_unequal_kernels_are_no_small_ones(self):
        """The leader waits in each launch; the duration of a kernel is that of its busiest member."""
        run = Run()
        for _ in range(100):
            run.uneven("forces")
        self.assertEqual(self.kinds(run)[0], "imbalance")
        self.assertNotIn("small kernels", self.kinds(run))

    def test_fences(self):
        run = Run()
        for _ in range(10):
            run.kernel("forces", 1000)
            run.serial("kokkos_fence@wait,user,~OpenMP", 300)
            run.serial("kokkos_fence@free,Kokkos,~OpenMP", 20)
        self.assertEqual(self.findings(run), [("fence", 2 * 10 * 320, "kokkos_fence@wait,user,~OpenMP")])

    def test_copies(self):
        run = Run()
        for _ in range(10):
            run.kernel("forces", 1000)
            run.serial("kokkos_copy@b~<-~a,Host~<-~Host", 200, "; bytes 800")
        self.assertEqual(self.findings(run), [("copy", 2 * 10 * 200, "kokkos_copy@b~<-~a,Host~<-~Host")])

    def test_kernels_inside_of_copies(self):
        """A kernel that does the work of a copy belongs to the copy, together with its team."""
        run = Run()
        for _ in range(10):
            run.kernel("forces", 1000)
            run.add(0, 0, "enter kokkos_copy@b~<-~Scalar,Host~<-~Host; bytes 800")
            run.kernel("Kokkos::ViewFill-1D", 200)
            run.add(0, 10, "leave")
        # of both threads: 2 + 1 + 200 + 1 + 2 ticks of the kernel, and 10 after it
        self.assertEqual(self.findings(run), [("copy", 2 * 10 * 216, "kokkos_copy@b~<-~Scalar,Host~<-~Host")])

    def allocating(self, n):
        run = Run()
        run.block("allocate", "kept", 5, 5, 5)
        for i in range(n):
            run.block("allocate", "tmp", 800, 805, 805, 30)
            run.serial("kokkos_for@Kokkos::View::initialization~[tmp],OpenMP", 50)
            run.block("deallocate", "tmp", 800, 5, 805)
            run.time[0] += 10
        for _ in range(5):
            run.kernel("forces", 1000)
        return self.findings(run)

    def test_allocation_in_a_loop(self):
        found = {kind: (cost, place) for kind, cost, place in self.allocating(100)}
        # on both threads: before the first allocation, then each initialisation and the ticks after each deallocation
        self.assertEqual(found["allocation"], (2 * (30 + 100 * (50 + 40)), "kokkos_allocate@tmp,Host"))

    def test_few_allocations(self):
        self.assertNotIn("allocation", [kind for kind, _, _ in self.allocating(99)])

    def initialising(self, kernel):
        """Returns a run that allocates blocks in two spaces in turn, each initialised by a Kokkos kernel on both
        threads."""
        run = Run()
        for _ in range(100):
            for space in ("Host", "Pinned"):
                run.add(0, 0, f"enter kokkos_allocate@tmp,{space}; bytes 8; leave")
                kernel(run)
                run.add(0, 0, f"enter kokkos_deallocate@tmp,{space}; bytes 8; leave")
                run.time[0] += 3
        return self.findings(run)

    def test_kernels_of_an_allocation(self):
        """The allocation contains its small kernels, so they are not a finding, and no other finding contains their
        loss."""
        found = self.initialising(lambda run: run.kernel("Kokkos::View::initialization~[tmp]", 10))
        # of both threads: 200 launches of 2 + 1 + 10 + 1 + 2 ticks for the first space, and 3 after each deallocation
        self.assertEqual(found, [("allocation", 2 * (200 * 16 + 100 * 3), "kokkos_allocate@tmp,Host"),
                                 ("allocation", 2 * 100 * 3, "kokkos_allocate@tmp,Pinned")])

    def test_uneven_kernels_of_an_allocation(self):
        found = self.initialising(lambda run: run.uneven("Kokkos::View::initialization~[tmp]"))
        self.assertEqual(found, [("allocation", 2 * (200 * 104 + 100 * 3), "kokkos_allocate@tmp,Host")])

    def test_launches_of_different_cost(self):
        """A launch that is slower than the cheapest one costs the difference; serial code and forks do not count this
        time again."""
        run = Run()
        for i in range(300):
            run.kernel("push", 10, launch=2 if i % 3 else 20)
        self.assertEqual(self.findings(run), [("small kernels", 200 * (2 * 16 - 20) + 100 * (2 * 52 - 20), "kokkos_for@push,OpenMP")])

    def test_fences_inside_of_copies(self):
        """The time of a fence does not also count as time of the copy around it."""
        run = Run()
        for _ in range(10):
            run.kernel("forces", 1000)
            run.add(0, 0, "enter kokkos_copy@b~<-~a,Host~<-~Host; bytes 800")
            run.serial("kokkos_fence@after,Kokkos,~OpenMP", 150)
            run.add(0, 100, "leave")
        self.assertEqual(self.findings(run), [("fence", 2 * 10 * 150, "kokkos_fence@after,Kokkos,~OpenMP"),
                                              ("copy", 2 * 10 * 100, "kokkos_copy@b~<-~a,Host~<-~Host")])

    def high_water(self, size, ticks_high):
        run = Run()
        run.block("allocate", "mesh", size, size, size)
        run.kernel("forces", 1000)
        run.block("allocate", "scratch", 3 * size, 4 * size, 4 * size)
        run.kernel("forces", ticks_high)
        run.block("deallocate", "scratch", 3 * size, size, 4 * size)
        run.kernel("forces", 1000)
        return self.findings(run)

    def test_high_water(self):
        self.assertEqual(self.high_water(20 * MIB, 100), [("high water", 0, "kokkos_allocate@scratch,Host")])

    def test_a_high_water_that_lasts(self):
        self.assertEqual(self.high_water(20 * MIB, 2000), [])

    def test_a_small_high_water(self):
        self.assertEqual(self.high_water(15 * MIB, 100), [])


if __name__ == "__main__":
    test_findings.DRIVER = sys.argv.pop(1)
    unittest.main()
