"""The programs with a planted fault: what `otter report` must find in each, and what the advice must gain.

`share` is the planted loss as a part of the thread time of *before*, computed from the program's durations; `why`
explains how. The place is the line with the mark HERE. Programs that rest (nanosleep) lose the same on a busy machine;
programs that compute do not.
"""
import dataclasses


@dataclasses.dataclass(frozen=True)
class Pair:
    program: str       # programs/FOLDER/NAME.c, in kokkos .cpp
    threads: int
    # kinds that the first finding may have: the planted fault, then other names that are also true; (): no finding at
    # all
    kinds: tuple
    share: float       # 0: not known by construction
    why: str
    rests: bool = True
    name: str = ""     # if the program is in the table twice
    what: str = ""     # the name of the place, for findings without a line
    environment: tuple = ()   # (name, value) of before
    options: tuple = ()  # of otter record
    remedy: tuple = ()        # (name, value) that only *after* has
    number: str = ""  # an expression whose group is the advice's number
    per: int = 1  # NUMBER of the program is the advice's number times this factor
    sweep: tuple = ()  # values of NUMBER; the fastest is the best
    never: str = ""    # an expression that no text of before may match
    wrong: str = ""  # what the report says today, if that is wrong

    @property
    def label(self):
        return self.name or self.program.split("/")[1]


CUT_OFF = r"down to depth (\d+)"
GRAIN = r"work of ([\d,]+) tasks"

PAIRS = (
    # ---- loops and regions
    Pair("loops/static", 2, ("imbalance",), 1 / 3, "(480 - 160) of 2 x 480 ms"),
    Pair("loops/sections", 2, ("imbalance",), 1 / 3, "(480 - 160) of 2 x 480 ms"),
    Pair("loops/members", 2, ("imbalance",), 1 / 3, "(480 - 160) of 2 x 480 ms"),
    Pair("loops/chunk", 2, ("imbalance",), 1 / 4, "chunks of 160 ms: (320 - 160) of 2 x 320 ms",
         sweep=(1, 2, 4, 8, 16, 24), never=r"\(dynamic"),
    Pair("loops/nowait", 2, ("imbalance",), 1 / 5, "each of 10 steps: 24 - 8 of 2 x 40 ms"),
    Pair("loops/reduction", 4, ("reduction",), 0.58, "each of 10 steps: (4 x 52 - 48 - 40) of 4 x 52 ms"),
    Pair("loops/array", 2, ("reduction",), 0, "each of 100 loops adds up two copies of 400,000 elements", rests=False),
    Pair("loops/guided", 2, ("imbalance",), 1 / 3, "(480 - 160) of 2 x 480 ms", sweep=(1, 2, 5, 10, 20)),
    Pair("loops/longest", 4, ("imbalance",), 0.56, "the first 8 of 64 iterations have 57 % of the work: (4 x 114 - 200) of 4 x 114 ms", never="longest"),
    Pair("loops/few", 4, ("imbalance",), 1 / 6, "2 of 4 threads execute 2 of at most 3 iterations: 2 x 60 of 4 x 180 ms",
         never=r"dynamic",
         wrong="oversubscription, without the switches of the scheduler"),
    Pair("loops/small_chunks", 2, ("small chunks",), 0, "1,000,000 chunks of 50 ns", rests=False,
         number=r"about ([\d,]+) iterations, or", sweep=(1, 10, 100, 1000, 10000, 100000)),
    Pair("loops/nested", 4, ("small team",), 0.42, "2 of 4 threads for 300 of 360 ms"),
    Pair("loops/forking", 2, ("forking",), 0, "60,000 forks, for 0.5 us of work of each thread", rests=False),
    Pair("loops/even_loop", 2, (), 0, "equal iterations, as many for each thread"),
    # ---- tasks
    Pair("tasks/loop", 2, ("small tasks",), 0, "500,000 tasks of 0.2 us", rests=False, number=GRAIN,
         sweep=(1, 3, 10, 30, 100, 300, 1000, 3000, 10000, 30000)),
    Pair("tasks/loop", 1, ("small tasks",), 0, "500,000 tasks of 0.2 us", rests=False, number=GRAIN, name="loop_of_one",
         sweep=(1, 3, 10, 30, 100, 300, 1000, 3000, 10000, 30000), never=r"fewer threads"),
    Pair("tasks/fib", 2, ("small tasks",), 0, "600,000 tasks of a few instructions", rests=False, number=CUT_OFF,
         sweep=(1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 23)),
    Pair("tasks/queens", 2, ("small tasks",), 0, "860,000 tasks of less than 1 us", rests=False, number=CUT_OFF,
         sweep=(1, 2, 3, 4, 5, 6, 7, 9)),
    Pair("tasks/tree", 2, ("small tasks",), 0, "400,000 tasks of 0.1 us", rests=False, number=CUT_OFF,
         sweep=(2, 4, 6, 8, 12, 16, 24, 32, 48, 64)),
    Pair("tasks/creator", 4, ("slow creator",), 0.44, "creates for 240 ms; 320 ms of tasks: (4 x 248 - 560) of 4 x 248 ms"),
    Pair("tasks/phases", 2, ("phases", "chain"), 1 / 3, "each of 24 phases: 12 of 2 x 18 ms"),
    Pair("tasks/order", 2, ("dependences",), 1 / 2, "one of 2 threads executes"),
    Pair("tasks/exclusive", 2, ("dependences",), 1 / 2, "one of 2 threads executes"),
    Pair("tasks/chain", 2, ("chain",), 0.3, "(480 - 192) of 2 x 480 ms"),
    Pair("tasks/tail", 2, ("tail",), 0.18, "the last 180 of 2 x 500 ms"),
    Pair("tasks/root", 2, ("chain", "serial part", "slow creator"), 1 / 4, "300 of 2 x 600 ms"),
    Pair("tasks/tied", 2, ("tied tasks",), 0.31, "380 ms from the child's end to the end of the task in the wait, of 2 x 620 ms"),
    Pair("tasks/detached", 2, ("detached tasks",), 0.67, "each of 24 reads: 10 of 15 ms on both threads"),
    Pair("tasks/undeferred", 2, ("undeferred tasks",), 1 / 2, "one of 2 threads executes"),
    Pair("tasks/buffers", 2, ("first touch",), 0, "80 buffers of 36 MiB, whose pages are new each time", rests=False,
         options=("--counters=page-faults",)),
    Pair("tasks/even_tasks", 2, (), 0, "80 equal tasks, of which none is late"),
    # ---- waits
    Pair("waits/lock", 4, ("lock",), 0.5, "4 x 40 x 3 ms in one lock: 4 x (483 - 240) of 4 x 483 ms"),
    Pair("waits/critical", 2, ("lock",), 0.38, "2 x 50 x 8 ms in it: 2 x (802 - 500) of 2 x 802 ms"),
    Pair("waits/doacross", 2, ("lock",), 0.34, "40 x 6 ms one after another: 2 x (242 - 160) of 2 x 242 ms"),
    Pair("waits/blocks", 2, ("lock",), 0.47, "one of 2 threads executes, for most of 228 ms: (2 x 228 - 240) of 2 x 228 ms"),
    Pair("waits/ordered", 2, ("lock",), 0.49, "one of 2 threads executes, for most of 314 ms: (2 x 314 - 320) of 2 x 314 ms"),
    Pair("waits/spin", 2, ("lock",), 0.3, "2 x 40 x 5 ms one after another: 2 x (402 - 280) of 2 x 402 ms", rests=False),
    Pair("waits/barrier", 2, ("barrier",), 1 / 3, "each of 32 phases: 12 of 2 x 18 ms"),
    Pair("waits/single", 2, ("serial part", "imbalance"), 1 / 4, "each of 15 steps: 20 of 2 x 40 ms"),
    Pair("waits/masked", 2, ("serial part",), 1 / 4, "each of 15 steps: 20 of 2 x 40 ms"),
    Pair("waits/late", 2, ("late workers",), 0.43, "each of 20 regions: 2 x 15 of 2 x 35 ms, of the late thread and of the other"),
    # ---- the whole program
    Pair("whole/serial", 2, ("serial code",), 1 / 4, "each of 8 steps: 40 of 2 x 80 ms"),
    Pair("whole/reading", 2, ("serial code",), 1 / 4, "each of 8 steps: 40 of 2 x 80 ms", never="Parallelise"),
    Pair("whole/tiny", 2, ("too short",), 0, "8 us of work", rests=False),
    Pair("whole/blocking", 8, (), 0, "8 of 8.1 ms of each task without a processor", rests=False, never=r"OMP_NUM_THREADS"),
    Pair("whole/crowded", 3, ("oversubscription",), 0, "3 threads compute on the processors of 2", rests=False,
         number=r"OMP_NUM_THREADS=(\d+)", sweep=(1, 2, 3, 4)),
    Pair("whole/helpers", 2, ("oversubscription",), 0, "2 threads with checksums take half of the processors; not with --first,"
         " where threads do not take turns", rests=False,
         never=r"OMP_NUM_THREADS"),
    # ---- Kokkos with OpenMP
    Pair("kokkos/small_kernels", 2, ("small kernels",), 0, "20,000 kernels of 64 additions", rests=False),
    Pair("kokkos/fences", 2, ("fence",), 1 / 2, "each step: 5 of 10 ms on both threads", what="wait for the step"),
    Pair("kokkos/fill", 2, ("copy",), 0, "60 fills of 32 MiB, as long as the kernel without its reading", rests=False,
         what="x <- Scalar", never="swap"),
    Pair("kokkos/copy", 2, ("copy",), 0, "60 copies of 32 MiB", rests=False, what="now <- next"),
    Pair("kokkos/allocation", 2, ("allocation",), 0, "120 allocations of 36 MiB, whose pages are new each time", rests=False, what="work"),
    Pair("kokkos/host", 2, ("serial code",), 1 / 4, "each step: 20 of 2 x 40 ms"),
    Pair("kokkos/uneven", 2, ("imbalance",), 1 / 3, "(480 - 160) of 2 x 480 ms"),
    Pair("kokkos/even_kernels", 2, (), 0, "equal iterations, as many for each thread"),
)
