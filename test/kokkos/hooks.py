"""Reads the log of the logging tool (logger.c), and derives the expected archive independently of the connector.

    log = Log(path)
    log.records()    Counter of (construct, label, where): each is one Enter of an archive
    log.threads()    for each thread, the order in which it entered and left them
"""

import collections
import re

DEVICES = ["Serial", "OpenMP", "Cuda", "HIP", "OpenMPTarget", "HPX", "Threads", "SYCL", "OpenACC"]
# Kokkos' own fences have the names of its functions.
OWN_FENCE = re.compile(r"(Kokkos::(?!.*Unnamed)|HostSpace|SharedAllocationRecord)")
ESCAPES = {r"\t": "\t", r"\n": "\n", r"\\": "\\"}


def device(text):
    return DEVICES[int(text, 16) >> 24]


def fence(name, text):
    origin = "tool" if "Kokkos Profile Tool Fence" in name else "Kokkos" if OWN_FENCE.match(name) else "user"
    return f"{origin}, {device(text)}"


# hook: (construct, label, where) from its arguments. All checks use these lines.
ENTERS = {
    "begin_parallel_for": lambda name, dev, _: ("Kokkos parallel_for", name, device(dev)),
    "begin_parallel_reduce": lambda name, dev, _: ("Kokkos parallel_reduce", name, device(dev)),
    "begin_parallel_scan": lambda name, dev, _: ("Kokkos parallel_scan", name, device(dev)),
    "begin_fence": lambda name, dev, _: ("Kokkos fence", name, fence(name, dev)),
    "push_profile_region": lambda name: ("Kokkos region", name, ""),
    "begin_deep_copy": lambda to_space, to, from_space, from_, *_: ("Kokkos deep_copy", f"{to} <- {from_}",
                                                                    f"{to_space} <- {from_space}"),
    "allocate_data": lambda space, label, *_: ("Kokkos allocate", label, space),
    "deallocate_data": lambda space, label, *_: ("Kokkos deallocate", label, space),
    "profile_event": lambda name: ("Kokkos event", name, ""),
    "dual_view_sync": lambda label, side, _: ("Kokkos dual_view sync", label, side),
    "dual_view_modify": lambda label, side, _: ("Kokkos dual_view modify", label, side),
}
# Hooks without a duration.
MARKS = {"Kokkos allocate", "Kokkos deallocate", "Kokkos event", "Kokkos dual_view sync", "Kokkos dual_view modify"}
# Hooks whose end has the number of their start, and ends of the other hooks.
NUMBERED = {"begin_parallel_for", "begin_parallel_reduce", "begin_parallel_scan", "begin_fence"}
ENDS = {"push_profile_region": "pop_profile_region", "begin_deep_copy": "end_deep_copy"}
# hook: index of the argument with the number of bytes
BYTES = {"begin_deep_copy": 4, "allocate_data": 3, "deallocate_data": 3}


class Line:
    """A call of a hook."""
    __slots__ = ("process", "thread", "hook", "arguments", "record")

    def __init__(self, text):
        fields = [re.sub(r"\\[tn\\]", lambda match: ESCAPES[match.group()], field) for field in text.split("\t")]
        self.process, self.thread, self.hook, *self.arguments = fields
        self.record = ENTERS[self.hook](*self.arguments) if self.hook in ENTERS else None


class Log:
    def __init__(self, path):
        with open(path, encoding="utf-8") as lines:
            calls = [Line(line.rstrip("\n")) for line in lines]
        # Child processes are not recorded.
        self.lines = [call for call in calls if call.process == calls[0].process]

    def of(self, hook):
        return [line for line in self.lines if line.hook == hook]

    def records(self):
        return collections.Counter(line.record for line in self.lines if line.record)

    def bytes(self):
        """Returns {(construct, label, where): bytes}."""
        total = collections.Counter()
        for line in self.lines:
            if line.hook in BYTES:
                total[line.record] += int(line.arguments[BYTES[line.hook]])
        return total

    def metadata(self):
        return {line.arguments[0]: line.arguments[1] for line in self.of("declare_metadata")}

    def unmatched(self):
        """Returns the number of ends without a start, or after another end."""
        begun, n = set(), 0
        for line in self.lines:
            if line.record and len(line.arguments) == 3 and line.hook.startswith("begin_"):
                begun.add(line.arguments[2])
            elif line.hook.startswith("end_") and line.arguments:
                n += line.arguments[0] not in begun
                begun.discard(line.arguments[0])
        return n

    def sections(self):
        """Returns a Counter of (name, "start" or "stop") for changes of existing sections. Destroying a started section
        stops it."""
        names, started, switches = {}, set(), collections.Counter()
        for line in self.lines:
            if line.hook == "create_profile_section":
                names[line.arguments[1]] = line.arguments[0]
            elif line.hook == "destroy_profile_section":
                name = names.pop(line.arguments[0], None)
                if line.arguments[0] in started:
                    switches[name, "stop"] += 1
                    started.remove(line.arguments[0])
            elif line.hook in ("start_profile_section", "stop_profile_section") and line.arguments[0] in names:
                what = line.hook.partition("_")[0]
                switches[names[line.arguments[0]], what] += (line.arguments[0] in started) == (what == "stop")
                (started.add if what == "start" else started.discard)(line.arguments[0])
        return switches

    def calls(self):
        """Returns a Counter of hooks; hooks of a section count only while its number is in use."""
        sections, calls = set(), collections.Counter()
        for line in self.lines:
            if line.hook == "create_profile_section":
                sections.add(line.arguments[1])
            elif line.hook.endswith("_profile_section") and line.arguments[0] not in sections:
                continue
            elif line.hook == "destroy_profile_section":
                sections.remove(line.arguments[0])
            calls[line.hook] += 1
        return calls

    def memory(self):
        """Returns {space: (bytes in use at the end, high water)}, without allocations before the tool was loaded."""
        memory, blocks = {}, {}
        for line in self.lines:
            if line.hook not in ("allocate_data", "deallocate_data"):
                continue
            space, _, address, size = line.arguments
            used, highest = memory.get(space, (0, 0))
            if line.hook == "allocate_data":
                blocks[address] = int(size)
                used += int(size)
            else:
                used -= blocks.pop(address, 0)
            memory[space] = (used, max(highest, used))
        return memory

    def threads(self):
        """Returns {thread: its enters and leaves in order}, without threads that have none."""
        walks = collections.defaultdict(_Walk)
        for line in self.lines:
            walks[line.thread].step(line)
        return [walk.finish() for walk in walks.values() if walk.steps]


class _Walk:
    """A thread's hooks as ("Enter" or "Leave", record). An end also ends everything open inside."""

    def __init__(self):
        self.steps = []
        self.open = []  # (what names its end: a number or the kind of hook; record)

    def step(self, line):
        if line.record:
            self.steps.append(("Enter", line.record))
            if line.record[0] not in MARKS:
                key = line.arguments[-1] if line.hook in NUMBERED else ENDS[line.hook]
                self.open.append((key, line.record))
        elif line.hook.startswith(("pop_", "end_")):
            self._end(line.arguments[0] if line.arguments else line.hook)

    def _end(self, key):
        if key in (key_of_open for key_of_open, _ in self.open):
            while self._leave() != key:
                pass

    def _leave(self):
        key, record = self.open.pop()
        self.steps.append(("Leave", record))
        return key

    def finish(self):
        """Ends everything that is open at the end."""
        while self.open:
            self._leave()
        return self.steps
