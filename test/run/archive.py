"""Reads an OTF2 archive of Otter into plain lists, with OTF2's own readers.

    archive = read('trace/traces.otf2')
    for location in archive.locations:
        for event in location.events:
            print(location.name, event)

invariants.py says what must be true of every archive.
"""

import os
import re
import subprocess

import _otf2
import otf2

NEVER = float('inf')


class Event:
    """One record. Fields that a kind of record does not have are None.

    kind: the record's name without a leading `Thread`: Enter, Leave, Fork, Join, TeamBegin, TeamEnd, TaskCreate,
    TaskSwitch, TaskComplete, AcquireLock, ReleaseLock, Parameter, BufferFlush, ...
    """
    __slots__ = ('kind', 'time', 'region', 'comm', 'task', 'lock', 'order', 'name', 'value')

    def __init__(self, kind, time, **fields):
        self.kind = kind
        self.time = time
        for name in self.__slots__[2:]:
            setattr(self, name, fields.get(name))

    def __repr__(self):
        fields = [f'{n}={getattr(self, n)}' for n in self.__slots__[2:] if getattr(self, n) is not None]
        return f'{self.kind}({", ".join(fields)}) at {self.time}'


class Region:
    __slots__ = ('id', 'name', 'canonical', 'description', 'file', 'line', 'role', 'paradigm')

    def __init__(self, region):
        self.id = region._ref
        self.name = region.name
        self.canonical = region.canonical_name
        self.description = region.description
        self.file = region.source_file
        self.line = region.begin_line_number
        self.role = str(region.region_role)
        self.paradigm = str(region.paradigm)

    def __str__(self):
        return f'"{self.name}"' + (f' [{self.description}]' if self.description else '')


class Comm:
    __slots__ = ('id', 'name', 'members', 'parent')

    def __init__(self, comm):
        self.id = comm._ref
        self.name = comm.name
        self.members = [location._ref for location in comm.group.members]
        self.parent = comm.parent._ref if comm.parent else None

    def __str__(self):
        return f'comm {self.id} of locations {self.members}'


class Location:
    __slots__ = ('id', 'name', 'is_stream', 'n_events', 'properties', 'events')

    def __init__(self, id, name, is_stream, n_events):
        self.id = id
        self.name = name
        self.is_stream = is_stream  # whether it belongs to a device; otherwise to a thread
        self.n_events = n_events  # as its definition states
        self.properties = {}
        self.events = []


class Archive:
    def __init__(self, path):
        self.path = path
        self.locations = []
        self.regions = {}
        self.comms = {}
        self.parameters = {}  # id -> name
        self.properties = {}
        self.clock_offset = 0
        self.clock_length = 0
        self.clock_resolution = 0
        self.definition_ids = {}  # 'regions', ... -> ids in the order of their definition

    def n_definitions(self):
        """Returns the number of definitions of the kinds that must not grow with the length of a run."""
        return {'regions': len(self.regions), 'comms': len(self.comms), 'parameters': len(self.parameters),
                'locations': len(self.locations)}


def _fields_of(event, archive):
    """Returns the fields of an Event, from an event of python3-otf2."""
    fields = {}
    if hasattr(event, 'region'):
        fields['region'] = archive.regions[event.region._ref]
    if hasattr(event, 'thread_team'):
        fields['comm'] = archive.comms[event.thread_team._ref] if event.thread_team else None
    if hasattr(event, 'generation_number'):
        fields['task'] = (event.creating_thread, event.generation_number)
    if hasattr(event, 'lock_id'):
        fields['lock'] = event.lock_id
        fields['order'] = event.acquisition_order
    if hasattr(event, 'parameter'):
        fields['name'] = archive.parameters[event.parameter._ref]
        fields['value'] = event.value
    if hasattr(event, 'number_of_requested_threads'):
        fields['value'] = event.number_of_requested_threads
    return fields


def _kind_of(event):
    name = type(event).__name__
    if name == 'ParameterUnsignedInt':
        return 'Parameter'
    return re.sub('^Thread(?=Fork|Join|Team|Task|Acquire|Release)', '', name)


def _read_definitions(trace, archive):
    definitions = trace.definitions
    archive.regions = {region._ref: Region(region) for region in definitions.regions}
    archive.comms = {comm._ref: Comm(comm) for comm in definitions.comms}
    archive.parameters = {parameter._ref: parameter.name for parameter in definitions.parameters}
    archive.locations = [Location(location._ref, location.name, str(location.type) != 'LocationType.CPU_THREAD',
                                  location.number_of_events)
                         for location in definitions.locations]
    by_id = {location.id: location for location in archive.locations}
    for prop in definitions.location_properties:
        by_id[prop.location._ref].properties[prop.name] = prop.value
    for kind in ('strings', 'regions', 'comms', 'groups', 'parameters', 'locations', 'system_tree_nodes',
                 'location_groups'):
        archive.definition_ids[kind] = [d._ref for d in getattr(definitions, kind)]
    clock = definitions.clock_properties
    archive.clock_offset = clock.global_offset
    archive.clock_length = clock.trace_length
    archive.clock_resolution = clock.timer_resolution
    return by_id


def _read_properties(trace):
    return {name: _otf2.Reader_GetProperty(trace.handle, name)
            for name in _otf2.Reader_GetPropertyNames(trace.handle)}


def read(path):
    """Reads an archive. `path`: the anchor file, or the folder that contains traces.otf2."""
    if os.path.isdir(path):
        path = os.path.join(path, 'traces.otf2')
    archive = Archive(path)
    with otf2.reader.open(path, batch_events=10000) as trace:
        by_id = _read_definitions(trace, archive)
        archive.properties = _read_properties(trace)
        for location, event in trace.events:
            by_id[location._ref].events.append(Event(_kind_of(event), event.time, **_fields_of(event, archive)))
    return archive


def otf2_print(path, *options):
    """Runs otf2-print; returns (exit status, output of both kinds)."""
    result = subprocess.run(['otf2-print', *options, path], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            text=True, errors='replace', timeout=120)
    return result.returncode, result.stdout


class Task:
    """The history of an explicit task."""
    __slots__ = ('id', 'creator', 'created', 'location', 'flags', 'dependences', 'began', 'ended', 'segments',
                 'never_ran', 'cancelled', 'detached', 'fulfilled', 'n_created', 'n_completed')

    def __init__(self, id):
        self.id = id
        self.creator = None      # a task id, or for an implicit or initial task (location, instance, 0)
        self.created = NEVER
        self.location = None     # of the creation
        self.flags = ''          # the description of its region
        self.dependences = []    # (kind, address)
        self.began = None
        self.ended = None
        self.segments = []       # [location, from, to] of its execution
        self.never_ran = False
        self.cancelled = False
        self.detached = False
        self.fulfilled = False   # before its body ended
        self.n_created = 0
        self.n_completed = 0

    def __str__(self):
        return f'task {self.id[0]}.{self.id[1]}'


class Wait:
    """A taskwait: its task and location, the awaited tasks, its start and end."""
    __slots__ = ('waiter', 'location', 'began', 'ended', 'dependences', 'construct')

    def __init__(self, waiter, location, began, construct):
        self.waiter = waiter
        self.location = location
        self.began = began
        self.ended = None
        self.dependences = []
        self.construct = construct


class History:
    """The execution of tasks, rebuilt from the events, location by location.

    `problems` lists violations of the rules on task switches, as (location, event, text).
    """

    def __init__(self, archive):
        self.tasks = {}
        self.waits = []
        self.problems = []
        self._note_remarks(archive)
        for location in archive.locations:
            _Walk(self, location).walk()

    def _note_remarks(self, archive):
        """Reads first the events of a thread that affect tasks of other threads."""
        for location in archive.locations:
            for event in location.events:
                if event.kind == 'Parameter' and event.name in ('task cancelled', 'task detached', 'task fulfilled'):
                    task = self.task((event.value >> 32, event.value & 0xffffffff))
                    setattr(task, event.name[len('task '):], True)

    def task(self, id):
        if id not in self.tasks:
            self.tasks[id] = Task(id)
        return self.tasks[id]


class _Walk:
    """Replays one location."""

    def __init__(self, history, location):
        self.history = history
        self.location = location
        self.n_instances = 0
        # the current task of each open region of this thread; None if the task has left
        self.frames = [self._implicit()]
        self.open = []                    # (region, task that entered it)
        self.waits = []
        self.never_ran = False
        self.left = None                  # (task, time) of the task whose region was left last
        self.dependences = None           # the list of `depend` parameters

    def _implicit(self):
        self.n_instances += 1
        return (self.location.id, self.n_instances, 0)

    def _problem(self, event, text):
        self.history.problems.append((self.location, event, text))

    def walk(self):
        self.implicit_of_frame = [self.frames[0]]
        for event in self.location.events:
            handle = getattr(self, '_on_' + event.kind.lower(), None)
            if handle:
                self._check_someone_runs(event)
                handle(event)
        self._stop_segment(self.frames[-1], self.location.events[-1].time if self.location.events else 0)

    def _check_someone_runs(self, event):
        if self.frames[-1] is None and event.kind in ('Enter', 'Leave', 'TaskCreate', 'Fork', 'TeamEnd'):
            self._problem(event, 'the task has left and no switch says who goes on')

    # ---- tasks

    def _on_taskcreate(self, event):
        task = self.history.task(event.task)
        task.n_created += 1
        task.created = event.time
        task.creator = self.frames[-1]
        task.location = self.location.id
        self.dependences = task.dependences

    def _start_segment(self, id, time):
        if id is not None and len(id) == 2:
            task = self.history.task(id)
            if task.began is None or time < task.began:
                task.began = time
            task.segments.append([self.location.id, time, NEVER])

    def _stop_segment(self, id, time):
        if id is not None and len(id) == 2:
            self.history.task(id).segments[-1][2] = time

    def _on_taskswitch(self, event):
        self._stop_segment(self.frames[-1], event.time)
        if event.task[1] == 0:
            if event.task[0] != self.location.id:
                self._problem(event, 'the implicit task of another location')
            self.frames[-1] = self.implicit_of_frame[-1]
        else:
            self.frames[-1] = event.task
            self._start_segment(event.task, event.time)

    def _on_taskcomplete(self, event):
        task = self.history.task(event.task)
        task.n_completed += 1
        task.ended = event.time
        task.never_ran = self.never_ran
        self.never_ran = False
        if self.frames[-1] == event.task:
            self._stop_segment(event.task, event.time)
            self.frames[-1] = None
        elif not (task.never_ran or task.detached or self.left == (event.task, event.time) or 'untied' in task.flags):
            # The last thread of an untied task that returns to the runtime reports its end.
            self._problem(event, f'the current task is {self.frames[-1] or self.left}')

    # ---- regions of a team

    def _on_teambegin(self, event):
        self.frames.append(self._implicit())
        self.implicit_of_frame.append(self.frames[-1])

    def _on_teamend(self, event):
        if len(self.frames) == 1:
            self._problem(event, 'no team was begun')
            return
        self.frames.pop()
        self.implicit_of_frame.pop()

    # ---- constructs

    def _on_enter(self, event):
        self.open.append((event.region, self.frames[-1]))
        self.dependences = None
        canonical = event.region.canonical
        if canonical == '!$omp task' and self.frames[-1] is not None and len(self.frames[-1]) == 2:
            self.history.task(self.frames[-1]).flags = event.region.description
        if canonical in ('!$omp taskwait', '!$omp taskwait depend'):
            wait = Wait(self.frames[-1], self.location.id, event.time, canonical)
            self.waits.append(wait)
            self.history.waits.append(wait)
            self.dependences = wait.dependences

    def _on_leave(self, event):
        if not self.open:
            return  # the balance of regions is checked elsewhere
        region, task = self.open.pop()
        if self.frames[-1] is not None and task != self.frames[-1]:
            self._problem(event, f'entered by task {task}, left by task {self.frames[-1]}')
        elif region.canonical == '!$omp task':
            self._leave_task(event.time)
        if region.canonical in ('!$omp taskwait', '!$omp taskwait depend') and self.waits:
            self.waits.pop().ended = event.time

    def _leave_task(self, time):
        """The current task ends or, if untied, leaves this thread. The next record names the task that continues."""
        self._stop_segment(self.frames[-1], time)
        self.left = (self.frames[-1], time)
        self.frames[-1] = None

    def _on_parameter(self, event):
        if event.name.startswith('depend ') and event.name not in ('depend source', 'depend sink'):
            if self.dependences is not None:
                self.dependences.append((event.name[len('depend '):], event.value))
        elif event.name == 'task never ran':
            self.never_ran = True  # the task that ends next
