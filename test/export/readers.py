"""Readers for the formats of `otter export`, written only from the formats' definitions.

Each returns a Trace. Times are nanoseconds.
"""
import collections
import dataclasses
import json


@dataclasses.dataclass
class Slice:
    lane: str
    begin: int
    end: int
    category: str
    name: str
    task: str = None
    depth: int = 0


@dataclasses.dataclass
class Trace:
    title: str
    lanes: list  # names, in order
    slices: list
    # (begin and name of the slice at which the flow starts, begin and name of the slice at which it ends)
    flows: collections.Counter
    kinds: collections.Counter  # numbers of flows by name; empty if the format has no names
    samples: list  # (name, time, bytes)
    instants: list = dataclasses.field(default_factory=list)  # (category, name, time)
    sections: list = dataclasses.field(default_factory=list)  # (begin, end, name), which may overlap
    calls: list = dataclasses.field(default_factory=list)  # samples: (lane, time or weight, functions, line of the innermost)


def nest(slices):
    """Sets the depths; fails if slices of a lane overlap without being nested."""
    stack = []
    for slice in slices:
        while stack and (stack[-1].lane != slice.lane or stack[-1].end <= slice.begin):
            stack.pop()
        if stack and slice.end > stack[-1].end:
            raise ValueError(f"not nested: {slice} in {stack[-1]}")
        slice.depth = len(stack)
        stack.append(slice)


def nanoseconds(text):
    whole, fraction = text.split(".")
    return int(whole) * 1000 + int(fraction.ljust(3, "0"))


def around(slices, lane, time):
    """Returns the innermost slice of the lane around a time."""
    inner = [slice for slice in slices[lane] if slice.begin <= time < slice.end]
    if not inner:
        raise ValueError(f"no slice around {time} of {lane}")
    return inner[-1]


def chrome(data, process=None):
    """Reads the Trace Event Format of Chromium: X, M, C, s and f. If `process` is None, there must be only one."""
    events = json.loads(data.decode("utf-8"), parse_float=nanoseconds)["traceEvents"]
    if len({event["pid"] for event in events}) != 1 and process is None:
        raise ValueError("several processes")
    events = [event for event in events if process in (None, event["pid"])]
    title = next(event["args"]["name"] for event in events if event["name"] == "process_name")
    order = {event["tid"]: event["args"]["sort_index"] for event in events if event["name"] == "thread_sort_index"}
    names = {event["tid"]: event["args"]["name"] for event in events if event["name"] == "thread_name" and event["ph"] == "M"}
    lane = {number: f"{number} {names[number]}" for number in sorted(names, key=order.get)}
    trace = Trace(title, list(lane.values()), [], collections.Counter(), collections.Counter(), [])
    for event in events:
        if event["ph"] == "X":
            trace.slices.append(Slice(lane[event["tid"]], event["ts"], event["ts"] + event["dur"], event["cat"], event["name"],
                                      event.get("args", {}).get("task")))
        elif event["ph"] == "C":
            trace.samples.append((event["name"], event["ts"], event["args"]["bytes"]))
        elif event["ph"] == "i":
            if event["s"] != "p":
                raise ValueError("an instant that is not of the process")
            trace.instants.append((event["cat"], event["name"], event["ts"]))
    trace.sections = asynchronous(events)
    nest(trace.slices)
    by_lane = collections.defaultdict(list)
    for slice in trace.slices:
        by_lane[slice.lane].append(slice)
    begins, ends = ({event["id"]: event for event in events if event["ph"] == phase} for phase in "sf")
    if begins.keys() != ends.keys():
        raise ValueError("a flow has one end")
    for number, begin in begins.items():
        end = ends[number]
        if (begin["name"], begin["cat"], end["bp"]) != (end["name"], end["cat"], "e") or begin["ts"] > end["ts"]:
            raise ValueError(f"flow {number}: {begin}, {end}")
        source = around(by_lane, lane[begin["tid"]], begin["ts"])
        target = around(by_lane, lane[end["tid"]], end["ts"])
        trace.flows[source.begin, source.name, target.begin, target.name] += 1
        trace.kinds[begin["name"]] += 1
    return trace


def asynchronous(events):
    """Returns the pairs of b and e; pairs with the same id do not overlap."""
    found, open_events = [], {}
    for event in events:
        if event["ph"] == "b":
            if event["id"] in open_events or event["cat"] != "section":
                raise ValueError(f"begins twice: {event}")
            open_events[event["id"]] = event
        elif event["ph"] == "e":
            begin = open_events.pop(event["id"])
            if begin["name"] != event["name"]:
                raise ValueError(f"another event ends: {event}")
            found.append((begin["ts"], event["ts"], event["name"]))
    if open_events:
        raise ValueError("an event without an end")
    return found


# ---- perfetto

def varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 0x7f) << shift
        shift += 7
        at += 1
        if data[at - 1] < 0x80:
            return value, at


class Message(dict):
    """Protocol Buffers: the values of each field, in order."""

    def __init__(self, data):
        at = 0
        while at < len(data):
            tag, at = varint(data, at)
            if tag & 7 == 0:
                value, at = varint(data, at)
            elif tag & 7 == 1:
                value, at = int.from_bytes(data[at:at + 8], "little"), at + 8
            elif tag & 7 == 2:
                size, at = varint(data, at)
                value, at = data[at:at + size], at + size
            else:
                raise ValueError(f"type {tag & 7}")
            self.setdefault(tag >> 3, []).append(value)
        if at != len(data):
            raise ValueError("cut off")

    def one(self, field, default=None):
        values = self.get(field, [default])
        if len(values) != 1:
            raise ValueError(f"field {field} has {len(values)} values")
        return values[0]

    def text(self, field):
        return self.one(field).decode("utf-8")

    def message(self, field):
        return Message(self.one(field))


TIMESTAMP, SEQUENCE, EVENT, INTERNED, FLAGS, DESCRIPTOR, SAMPLE = 8, 10, 11, 12, 13, 60, 66  # fields of TracePacket
FUNCTIONS, FRAMES, CHAINS, MAPPING_PATHS, SOURCES, MAPPINGS = 5, 6, 7, 17, 18, 19  # fields of InternedData


class Perfetto:
    def __init__(self, data, sequence):
        # categories, names of events, names of annotations, and what samples need
        self.interned = {field: {} for field in (1, 2, 3, FUNCTIONS, FRAMES, CHAINS, MAPPING_PATHS, SOURCES, MAPPINGS)}
        self.calls = []
        self.lanes, self.counters, self.title, self.process = {}, {}, None, None
        self.open, self.ended = collections.defaultdict(list), {}
        self.flows = collections.defaultdict(list)  # {flow: its slices}
        self.terminated = collections.Counter()
        self.slices, self.samples = [], []
        self.section_tracks, self.sections, self.instants = {}, [], []
        for data in Message(data)[1]:
            packet = Message(data)
            if packet.one(SEQUENCE) != (sequence or 1):
                if sequence is None:
                    raise ValueError("another sequence")
                continue
            if packet.one(FLAGS) & 1 and self.interned[2]:
                raise ValueError("cleared twice")
            if INTERNED in packet:
                self.intern(packet.message(INTERNED))
            if DESCRIPTOR in packet:
                self.describe(packet.message(DESCRIPTOR))
            if SAMPLE in packet:
                self.add_sample(packet.one(TIMESTAMP), packet.message(SAMPLE))
            if EVENT in packet:
                if not packet.one(FLAGS) & 2:
                    raise ValueError("an event without names")
                self.add(packet.one(TIMESTAMP), packet.message(EVENT))
        if any(self.open.values()):
            raise ValueError("a slice without an end")

    def intern(self, names):
        for field, values in names.items():
            for value in map(Message, values):
                self.interned[field][value.one(1)] = value if field in (FRAMES, CHAINS, MAPPINGS) else value.text(2)

    def describe(self, track):
        number = track.one(1)
        if 3 in track:
            self.title, self.process = track.message(3).text(6), (number, track.message(3).one(1))
        elif 4 in track:
            thread = track.message(4)
            if thread.one(1) != self.process[1]:
                raise ValueError("a thread of another process")
            self.lanes[number] = f"{thread.one(2)} {thread.text(5)}"
        else:
            if track.one(5) != self.process[0]:
                raise ValueError("a track without a process")
            if 8 in track:
                self.counters[number] = track.text(2)
            elif track.text(2) == "Kokkos sections":
                self.section_tracks[number] = []
            else:
                self.lanes[number] = f"{number - self.process[0]} {track.text(2)}"

    def add(self, time, event):
        track, kind = event.one(11), event.one(9)
        if kind == 4:
            self.samples.append((self.counters[track], time, event.one(30)))
            return
        if kind == 3:
            if track != self.process[0]:
                raise ValueError("an instant that is not of the process")
            self.instants.append((event.text(22), event.text(23), time))
            return
        if time < self.ended.get(track, 0):
            raise ValueError("time decreases")
        self.ended[track] = time
        if track in self.section_tracks:
            self.add_section(self.section_tracks[track], kind, time, event)
            return
        if kind == 2:
            self.open[track].pop().end = time
            return
        if kind != 1:
            raise ValueError(f"type {kind}")
        annotation = event.message(4) if 4 in event else None
        slice = Slice(self.lanes[track], time, None, self.interned[1][event.one(3)], self.interned[2][event.one(10)],
                      annotation.text(6) if annotation else None, len(self.open[track]))
        if annotation and self.interned[3][annotation.one(1)] != "task":
            raise ValueError("an annotation without a name")
        self.open[track].append(slice)
        self.slices.append(slice)
        for number in event.get(47, []) + event.get(48, []):
            self.flows[number].append(slice)
        self.terminated.update(event.get(48, []))


    def add_sample(self, time, sample):
        frames = [self.interned[FRAMES][number] for number in self.interned[CHAINS][sample.one(4)][2]]
        names = [self.interned[FUNCTIONS][frame.one(2)] for frame in frames]
        if not all(frame.one(4) and self.interned[MAPPINGS][frame.one(3)] for frame in frames) or sample.one(2) != self.process[1]:
            raise ValueError("a frame without a mapping, or a sample of another process")
        source = self.interned[SOURCES][frames[-1].one(5)] if 5 in frames[-1] else None
        lane, = (name for name in self.lanes.values() if name.startswith(f"{sample.one(3)} "))
        self.calls.append((lane, time, names, f"{source}:{frames[-1].one(6)}" if source else None))

    def add_section(self, stack, kind, time, event):
        if event.text(22) != "section" or len(stack) != (0 if kind == 1 else 1):
            raise ValueError("sections of a track overlap")
        if kind == 1:
            stack.append((time, event.text(23)))
        else:
            begin, name = stack.pop()
            self.sections.append((begin, time, name))


def perfetto(data, sequence=None):
    """Reads TracePacket, TrackDescriptor and TrackEvent of perfetto/trace/*.proto, for one sequence or the only one."""
    reader = Perfetto(data, sequence)
    trace = Trace(reader.title, list(reader.lanes.values()), reader.slices, collections.Counter(), collections.Counter(), reader.samples,
                  reader.instants, reader.sections, reader.calls)
    for number, slices in reader.flows.items():
        source, target = sorted(slices, key=lambda slice: slice.begin)
        if source.end > target.begin or reader.terminated[number] != 1:
            raise ValueError(f"flow {number}: {source}, {target}")
        trace.flows[source.begin, source.name, target.begin, target.name] += 1
    depths = [slice.depth for slice in trace.slices]
    nest(trace.slices)
    if depths != [slice.depth for slice in trace.slices]:
        raise ValueError("the stacks are wrong")
    return trace


# ---- others

def speedscope(data):
    """Reads the profiles of speedscope's file-format-spec.ts: events are balanced, and ordered by time."""
    file = json.loads(data.decode("utf-8"))
    if file["$schema"] != "https://www.speedscope.app/file-format-schema.json":
        raise ValueError(file["$schema"])
    frames = file["shared"]["frames"]
    trace = Trace(file["name"], [], [], collections.Counter(), collections.Counter(), [])
    for profile in file["profiles"]:
        if profile["type"] == "sampled":
            if len(profile["samples"]) != len(profile["weights"]) or sum(profile["weights"]) != profile["endValue"]:
                raise ValueError("weights")
            trace.calls += [(profile["name"], weight, [frames[frame]["name"] for frame in stack], None)
                            for stack, weight in zip(profile["samples"], profile["weights"])]
            continue
        if (profile["type"], profile["unit"]) != ("evented", "nanoseconds"):
            raise ValueError(profile["type"])
        trace.lanes.append(profile["name"])
        stack, time = [], profile["startValue"]
        for event in profile["events"]:
            if not time <= event["at"] <= profile["endValue"]:
                raise ValueError("time decreases")
            time = event["at"]
            if event["type"] == "O":
                stack.append(event["frame"])
                trace.slices.append(Slice(profile["name"], time, None, None, frames[event["frame"]]["name"], depth=len(stack) - 1))
                stack[-1] = event["frame"], trace.slices[-1]
            else:
                frame, slice = stack.pop()
                if frame != event["frame"]:
                    raise ValueError("another frame ends")
                slice.end = time
        if stack:
            raise ValueError("a frame without an end")
    return trace


def collapsed(data):
    """Reads stacks as flamegraph.pl does: the paths of labels, and their microseconds."""
    stacks = collections.Counter()
    for line in data.decode("utf-8").split("\n")[:-1]:
        path, count = line.rsplit(" ", 1)
        stacks[tuple(path.split(";"))] += int(count)
    return stacks


READERS = {"chrome": chrome, "perfetto": perfetto}
