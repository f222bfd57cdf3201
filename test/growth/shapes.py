"""Programs of a chosen size, as scripts of test/mock: in each, only the number of one thing grows."""

BEGIN = """\
T0 thread_begin initial
T0 implicit_task begin i0 size=1 index=1 flags=initial
"""
FORK = """\
T0 parallel_begin {region} requested={n} code=fork
T0 implicit_task begin {region}m0 in={region} size={n} index=0
{members}
"""
MEMBER = "T{i} {begin}implicit_task begin {region}m{i} in={region} size={n} index={i}"
JOIN = """\
{barriers}
T0 sync begin barrier_implicit_parallel code=fork
T0 sync end barrier_implicit_parallel in=null code=fork
T0 implicit_task end {region}m0 size={n} index=0
T0 parallel_end {region} code=fork
{ends}
"""
END = """\
T0 implicit_task end i0 index=1 flags=initial
T0 thread_end
T0 finalize
"""


def region(name, body, n=2, is_first=True, is_last=True):
    """Returns a parallel region of `n` threads around the lines of `body`."""
    members = "\n".join(MEMBER.format(i=i, region=name, n=n, begin=f"thread_begin worker\nT{i} " if is_first else "") for i in range(1, n))
    barriers = "\n".join(f"T{i} sync begin barrier_implicit_parallel" for i in range(1, n))
    ends = "\n".join(f"T{i} sync end barrier_implicit_parallel in=null\nT{i} implicit_task end {name}m{i} index={i}"
                     + (f"\nT{i} thread_end" if is_last else "") for i in range(1, n))
    return FORK.format(region=name, n=n, members=members) + body + "\n" + JOIN.format(region=name, n=n, barriers=barriers, ends=ends)


def program(body, n=2):
    return BEGIN + region("p", body, n) + END


def task(number, thread=0, around="pm0", place="task", creator=0, more=()):
    """Returns a task that its thread executes at once."""
    name = f"z{number}"
    depends = [f"T{creator} dependences {name} {' '.join(more)}"] if more else []
    return [f"T{creator} task_create {name}{' depends' if more else ''} code={place}", *depends,
            f"T{thread} task_schedule {around} switch {name}", f"T{thread} task_schedule {name} complete {around}"]


def lines(*groups):
    return "\n".join(line for group in groups for line in group)


def tasks(n):
    """Independent tasks that two threads execute."""
    return program(lines(*(task(i, i % 2, f"pm{i % 2}") for i in range(n))))


def chain(n):
    """Tasks that depend on each other."""
    return program(lines(*(task(i, more=["inout:x"]) for i in range(n))))


def readers(n):
    """Tasks that read what the first one wrote, alternating with writers of other addresses."""
    return program(lines(*(task(i, more=["inout:x" if i == 0 else "in:x", f"inout:y{i % 8}"]) for i in range(n))))


def succession(n):
    """Each task creates the next, and ends."""
    text, before = ["T0 task_create z0 code=task", "T0 task_schedule pm0 switch z0"], "z0"
    for i in range(1, n):
        text += [f"T0 task_create z{i} code=task", f"T0 task_schedule {before} complete z{i}"]
        before = f"z{i}"
    return program(lines([*text, f"T0 task_schedule {before} complete pm0"]))


def waits(n):
    """A wait after each task."""
    wait = ["T0 sync begin taskwait code=wait", "T0 sync end taskwait code=wait"]
    return program(lines(*(task(i) + wait for i in range(n))))


def phases(n):
    """Waits for a task that another thread executes."""
    phase = ["T0 task_create z{i} code=task", "T0 sync begin taskwait code=wait", "T1 task_schedule pm1 switch z{i}",
             "T1 task_schedule z{i} complete pm1", "T0 sync end taskwait code=wait"]
    return program("\n".join(line.format(i=i) for i in range(n) for line in phase))


def regions(n):
    """Parallel regions, one after the other."""
    return BEGIN + "".join(region(f"x{i}", lines(task(i, around=f"x{i}m0")), is_first=i == 0, is_last=i == n - 1) for i in range(n)) + END


def loops(n):
    """Loops without a barrier."""
    loop = ["T0 work begin loop_static count=4 code=loop", "T1 work begin loop_static count=4 code=loop",
            "T1 work end loop_static code=loop", "T0 work end loop_static code=loop"]
    return program(lines(loop * n))


def locks(n):
    """A lock that two threads acquire in turn."""
    return program(lines(*([f"T{i % 2} mutex_acquire lock a code=set", f"T{i % 2} mutex_acquired lock a code=set",
                                     f"T{i % 2} mutex_released lock a code=unset"] for i in range(n))))


def labels(n):
    """Many constructs with two tasks each, at most 16000."""
    return program(lines(*(task(2 * i + k, place=f"c{i}") for i in range(n) for k in range(2))))


def threads(n):
    """Many threads in one region with a task each, at most 256."""
    return program(lines(*(task(i, i, f"pm{i}", creator=i) for i in range(n))), n)


# shape: (its function, its size when instructions are counted, its size when times are measured)
SHAPES = {"tasks": (tasks, 500, 40000), "chain": (chain, 500, 40000), "readers": (readers, 500, 20000), "succession": (succession, 500, 40000),
          "waits": (waits, 400, 20000),
          "phases": (phases, 400, 20000), "regions": (regions, 200, 10000), "loops": (loops, 300, 20000), "locks": (locks, 300, 40000),
          "labels": (labels, 150, 3000), "threads": (threads, 12, 60)}
