"""Properties of every archive. Each check returns a list of complaints, a line each."""

import functools
import os
import pathlib
import re

from archive import NEVER, otf2_print

# The kinds of records that may have a parameter, by its name. A parameter follows its record, or another parameter of
# this record, at the same time. Parameters of the last group precede their record.
AFTER = {
    'encountering task': ('TaskCreate',),
    'task detached': ('Leave',),
    'team size': ('TeamBegin',),
    'iterations': ('Enter', 'Parameter'),
    'chunk ticks': ('Parameter',),
}
BEFORE = {'task never ran': 'TaskComplete', 'task cancelled': 'TaskComplete'}
# Reported by a separate call, so with a separate time. An `iterations` may follow.
ALONE = ('loop chunk', 'taskloop chunk', 'distribute chunk', 'iteration', 'section', 'dispatch', 'task fulfilled', 'depend source',
         'depend sink')
REQUIRED_PROPERTIES = ['OTTER::SCHEMA', 'OTTER::PROGRAM', 'OTTER::COMMAND_LINE', 'OTTER::RUNTIME', 'OTTER::OMP_VERSION',
                       'OTTER::HOST', 'OTTER::PID', 'OTTER::LOST', 'OTTER::REPAIRED', 'OTTER::UNBEGUN', 'OTTER::UNFINISHED',
                       'OTTER::CONNECTORS', 'OTTER::MODULE::0', 'OTTER::CALLBACK::TASK_CREATE',
                       'OTTER::SETTING::TRACE_PATH', 'OTF2::THREAD_FORK_JOIN_EVENT_COMPLETE']


def _at(location, event):
    return f'location {location.id}, {event}: '


def accepted_by_otf2_print(archive):
    """Checks with otf2-print, which validates the structure: dense and ordered definitions, known references."""
    status, output = otf2_print(archive.path, '-Werror')
    bad = [line for line in output.splitlines() if 'INVALID' in line or '[OTF2]' in line or 'arning' in line]
    return [f'accepted_by_otf2_print: exit status {status}, {len(bad)} bad lines: {bad[:3]}'] if status or bad else []


def has_local_definition_files(archive):
    folder = archive.path[:-len('.otf2')]
    return [f'{folder}/{location.id}{end} is not there' for location in archive.locations for end in ('.def', '.evt')
            if not os.path.exists(f'{folder}/{location.id}{end}')]


def definitions_are_dense(archive):
    problems = [f'{kind}: ids {ids[:20]} are not 0, 1, 2, ...' for kind, ids in archive.definition_ids.items()
                if ids != list(range(len(ids)))]
    seen = set()
    for region in archive.regions.values():
        key = (region.name, region.canonical, region.description)
        if key in seen:
            problems.append(f'two regions are {region}')
        seen.add(key)
    teams = set()
    for comm in list(archive.comms.values())[1:]:
        key = (comm.parent, tuple(comm.members))
        if key in teams:
            problems.append(f'two teams are {comm}')
        teams.add(key)
    return problems


def _threads(archive):
    return [location for location in archive.locations if not location.is_stream]


def comm_0_is_all_threads(archive):
    everyone = [location.id for location in _threads(archive)]
    if 0 not in archive.comms or archive.comms[0].members != everyone:
        return [f'comm 0 is {archive.comms.get(0)}, not all of {everyone}']
    return []


def properties_are_present(archive):
    problems = [f'property {name} is not there' for name in REQUIRED_PROPERTIES if name not in archive.properties]
    for location in _threads(archive):
        problems += [f'location {location.id} has no property {name}'
                     for name in ('OTTER::THREAD_KIND', 'OTTER::TID') if name not in location.properties]
    return problems


def regions_follow_the_convention(archive):
    """Checks names: `!$omp construct @module+0xoffset`, in a module of the load map; or `@file:line`, or neither."""
    problems = []
    modules = {value.split(' ', 4)[4]: value.split(' ', 4) for name, value in archive.properties.items()
               if name.startswith('OTTER::MODULE::') and value.count(' ') >= 4}
    for region in archive.regions.values():
        if region.canonical in ('none', 'unknown'):
            continue
        match = re.fullmatch(r'(.*?)(?: @(.*?)(?:\+0x([0-9a-f]+)|:(\d+)))?', region.name)
        if match.group(1) != region.canonical:
            problems.append(f'{region}: its canonical name is {region.canonical}')
        if region.paradigm != 'Paradigm.OPENMP' or region.role == 'RegionRole.UNKNOWN':
            problems.append(f'{region} is {region.paradigm}, {region.role}')
        if match.group(2) and os.path.basename(region.file) != match.group(2):
            problems.append(f'{region}: its file is "{region.file}"')
        if match.group(3):
            module = modules.get(region.file)
            if not module or not 0 <= int(match.group(3), 16) <= int(module[1], 16) - int(module[2], 16):
                problems.append(f'{region} is not in the load map: {module}')
    return problems


class Page:
    """doc/archive.md, which specifies the names of an archive; test/lint/archive.py compares the page with the sources."""

    def __init__(self, text):
        self.roles = dict(re.findall(r'^\| `([^`]+)` \| ([A-Z_0-9]+) \|', text, re.M))
        self.parameters = re.findall(r'^\| `([^`]+)` \| (?:its own|an addition|-) \|', text, re.M)
        self.properties = [re.sub('<.*', '.+', name) for name in re.findall(r'^\| `(OTTER::[^`]+)` \|', text, re.M)]

    def role(self, region):
        if region.canonical == '!$omp task' and 'untied' in region.description:
            return 'TASK_UNTIED'
        return self.roles.get(region.canonical) or self.roles.get(region.description.partition(',')[0])


@functools.cache
def page():
    return Page((pathlib.Path(__file__).resolve().parents[2] / 'doc/archive.md').read_text(encoding='utf-8'))


def names_are_specified(archive):
    problems = [f'{region} ({region.canonical}, {region.role}) is not on the page' for region in archive.regions.values()
                if region.canonical != 'none' and region.role != f'RegionRole.{page().role(region)}']
    problems += [f'parameter {name} is not on the page' for name in archive.parameters.values() if name not in page().parameters]
    names = set(archive.properties).union(*(location.properties for location in archive.locations))
    return problems + [f'property {name} is not on the page' for name in sorted(names) if name.startswith('OTTER::')
                       and not any(re.fullmatch(known, name) for known in page().properties)]


def system_is_described(archive):
    n = {kind: len(archive.definition_ids[kind]) for kind in ('system_tree_nodes', 'location_groups')}
    n_devices = len({location.name.rpartition(' stream ')[0] for location in archive.locations if location.is_stream})
    wanted = {'system_tree_nodes': 2, 'location_groups': 1 + n_devices}
    return [] if n == wanted else [f'defined are {n}, expected machine, node, process and {n_devices} devices']


GRANTED = {'always', 'sometimes', 'sometimes paired', 'never', 'impossible', 'error', 'off'}


def callbacks_are_described(archive):
    return [f'{name} is "{value}"' for name, value in archive.properties.items()
            if name.startswith('OTTER::CALLBACK::') and value not in GRANTED]


def event_counts_are_right(archive):
    return [f'location {location.id} has {len(location.events)} events, its definition says {location.n_events}'
            for location in archive.locations if len(location.events) != location.n_events]


def locations_have_events(archive):
    return [f'location {location.id} has no events' for location in _threads(archive)
            if all(event.kind == 'MeasurementOnOff' for event in location.events)]


def time_never_goes_back(archive):
    return [_at(location, event) + f'earlier than {before}' for location in archive.locations
            for before, event in zip(location.events, location.events[1:]) if event.time < before.time]


def clock_encloses_all_events(archive):
    first, last = archive.clock_offset, archive.clock_offset + archive.clock_length
    problems = [_at(location, event) + f'outside of the clock\'s {first} ... {last}' for location in archive.locations
                for event in location.events if not first <= event.time <= last]
    if archive.clock_resolution < 1000000:
        problems.append(f'{archive.clock_resolution} ticks a second')
    elif archive.clock_length > 600 * archive.clock_resolution:
        problems.append(f'the clock says that the run took {archive.clock_length / archive.clock_resolution} s')
    return problems


def regions_nest(archive):
    problems = []
    for location in archive.locations:
        stack = []
        for event in location.events:
            if event.kind == 'Enter':
                stack.append(event.region)
            elif event.kind == 'Leave':
                if not stack:
                    problems.append(_at(location, event) + 'nothing is open')
                elif stack.pop() is not event.region:
                    problems.append(_at(location, event) + 'another region is on top')
        if stack:
            problems.append(f'location {location.id}: still open at its end: ' + ', '.join(map(str, stack)))
    return problems


def _balance(archive, begin, end, may_stay_open):
    problems = []
    for location in archive.locations:
        stack = []
        for event in location.events:
            if event.kind == begin:
                stack.append(event)
            elif event.kind == end:
                if not stack:
                    problems.append(_at(location, event) + f'without a {begin}')
                elif stack.pop().comm is not event.comm:
                    problems.append(_at(location, event) + 'not the comm that was begun last')
        if stack and not may_stay_open:
            problems.append(_at(location, stack[-1]) + f'has no {end}')
    return problems


def forks_are_joined(archive, unfinished=()):
    return _balance(archive, 'Fork', 'Join', 'constructs' in unfinished)


def teams_are_balanced(archive, unfinished=()):
    problems = _balance(archive, 'TeamBegin', 'TeamEnd', 'constructs' in unfinished)
    for location in archive.locations:
        problems += [_at(location, event) + 'is not a member of that team' for event in location.events
                     if event.kind == 'TeamBegin' and event.comm and location.id not in event.comm.members]
    return problems


def members_begin_between_fork_and_join(archive):
    """Member 0 of a team, whose thread forked the team, begins after the fork and ends before the join."""
    problems = []
    for location in archive.locations:
        stack = []
        for event in location.events:
            if event.kind in ('Fork', 'TeamBegin'):
                stack.append(event.kind)
            elif event.kind in ('Join', 'TeamEnd'):
                begin = 'Fork' if event.kind == 'Join' else 'TeamBegin'
                if not stack or stack.pop() != begin:
                    problems.append(_at(location, event) + 'forks and teams do not nest')
    return problems


def comms_are_defined(archive):
    return [_at(location, event) + 'names no defined comm' for location in archive.locations for event in location.events
            if event.kind.startswith(('Team', 'Task')) and event.comm is None]


def parameters_follow_their_record(archive):
    problems = []
    for location in archive.locations:
        events = location.events
        owner = None
        for i, event in enumerate(events):
            if event.kind != 'Parameter' or event.name in ALONE:
                owner = event
                continue
            if event.name in BEFORE:
                rest = (e for e in events[i + 1:] if e.kind != 'Parameter')
                owner = next(rest, None)
                allowed = (BEFORE[event.name],)
            elif event.name.startswith('depend ') and event.name not in AFTER:
                allowed = ('TaskCreate', 'taskwait depend')
            else:
                allowed = AFTER.get(event.name)
            if owner is None or owner.time != event.time:
                problems.append(_at(location, event) + f'belongs to nothing; near it: {owner}')
            elif allowed and owner.kind not in allowed and not (
                    owner.kind == 'Enter' and owner.region.canonical[len('!$omp '):] in allowed):
                problems.append(_at(location, event) + f'belongs to {owner}')
    return problems


def tasks_are_complete(archive, history, unfinished=()):
    """A task is created once, by the thread in its id, and ends once."""
    problems = []
    for task in history.tasks.values():
        if task.n_created != 1:
            problems.append(f'{task} was created {task.n_created} times')
            continue
        if task.id[0] != task.location:
            problems.append(f'{task} was created by location {task.location}')
        if task.n_completed > 1 or (task.n_completed == 0 and 'tasks' not in unfinished):
            problems.append(f'{task} ended {task.n_completed} times')
        if task.began is None and not task.never_ran and task.n_completed:
            problems.append(f'{task} ended, was never switched to, and that is not said')
        if task.began is not None and task.never_ran:
            problems.append(f'{task} "never ran", and was switched to')
        if task.ended is not None and task.ended < task.created:
            problems.append(f'{task} ended before it was created')
        if task.began is not None and task.began < task.created:
            problems.append(f'{task} began before it was created')
    return problems


def numbers_of_tasks_are_dense(archive, history):
    problems = []
    for location in archive.locations:
        numbers = [e.task[1] for e in location.events if e.kind == 'TaskCreate']
        if numbers != list(range(1, len(numbers) + 1)):
            problems.append(f'location {location.id} creates tasks {numbers[:20]}..., not 1, 2, 3, ...')
    return problems


def _is_closing(location, event, unfinished):
    """Returns whether a record was added to end a construct that the program left open."""
    if 'constructs' not in unfinished:
        return False
    for last in reversed(location.events):
        if last.kind not in ('Leave', 'TeamEnd', 'Join'):
            return False
        if last is event:
            return True
    return False


def switches_are_consistent(archive, history, unfinished=()):
    """Only the current task of a location ends there, and only it leaves the regions that it entered."""
    return [_at(location, event) + text for location, event, text in history.problems
            if not _is_closing(location, event, unfinished)]


def tasks_run_on_one_thread_at_a_time(archive, history):
    problems = []
    for task in history.tasks.values():
        segments = sorted(task.segments, key=lambda s: s[1])
        for before, after in zip(segments, segments[1:]):
            if before[0] != after[0] and before[2] > after[1]:
                problems.append(f'{task} runs on location {before[0]} until {before[2]} and on {after[0]} from {after[1]}')
        if len({s[0] for s in segments}) > 1 and 'untied' not in task.flags:
            problems.append(f'{task} is tied and runs on locations {sorted({s[0] for s in segments})}')
    return problems


def _siblings(history):
    families = {}
    for task in history.tasks.values():
        if task.n_created == 1:
            families.setdefault(task.creator, []).append(task)
    for family in families.values():
        family.sort(key=lambda t: t.id[1])
    return families


class Part:
    """An item that dependences order: a task, or a taskwait with a depend clause."""
    __slots__ = ('text', 'order', 'dependences', 'may_begin', 'ended')

    def __init__(self, text, order, dependences, may_begin, ended):
        self.text = text
        self.order = order
        self.dependences = dependences
        self.may_begin = may_begin  # its start, or the end of a wait
        self.ended = ended


def _families_with_dependences(history):
    """Returns, for each creator, its tasks and waits with dependences in program order."""
    families = {}
    for task in history.tasks.values():
        if task.n_created == 1 and task.dependences:
            part = Part(str(task), task.created, task.dependences, task.began, task.ended)
            families.setdefault(task.creator, []).append(part)
    for wait in history.waits:
        if wait.dependences:
            text = f'a wait of location {wait.location}'
            families.setdefault(wait.waiter, []).append(
                Part(text, wait.began, wait.dependences, wait.ended, wait.ended))
    for family in families.values():
        family.sort(key=lambda part: part.order)
    return families


class Address:
    """The last entries for an address: a set of parts of one kind, and the previous set."""

    def __init__(self):
        self.kind = None
        self.group = []
        self.before = []

    def add(self, kind, part):
        """Returns the parts on which `part` depends."""
        if kind == self.kind and kind in ('in', 'inoutset', 'mutexinoutset'):
            self.group.append(part)
        else:
            self.kind, self.before, self.group = kind, self.group, [part]
        return [other for other in self.before if other is not part]


def predecessors(family):
    """Returns pairs of parts, the first of which must have ended before the second begins."""
    addresses, everyone, pairs = {}, [], []
    barrier = None  # the latest part that depends on all memory
    for part in family:
        if any(kind.endswith('all memory') for kind, _ in part.dependences):
            pairs += [(other, part) for other in everyone]
            barrier, addresses, everyone = part, {}, [part]
            continue
        for kind, address in part.dependences:
            before = addresses.setdefault(address, Address()).add(kind, part)
            pairs += [(other, part) for other in before]
        if barrier:
            pairs.append((barrier, part))
        everyone.append(part)
    return pairs


def exclusions(family):
    """Returns pairs of parts that may not run at the same time: the members of a mutexinoutset."""
    addresses, pairs = {}, []
    for part in family:
        for kind, address in part.dependences:
            state = addresses.setdefault(address, Address())
            state.add(kind, part)
            if kind == 'mutexinoutset':
                pairs += [(other, part) for other in state.group if other is not part]
    return pairs


def dependences_are_kept(archive, history):
    """Tasks were executed in the order that the recorded dependences require."""
    problems = []
    for family in _families_with_dependences(history).values():
        for before, after in predecessors(family):
            if after.may_begin is not None and (before.ended or NEVER) > after.may_begin:
                problems.append(f'{after.text} began before {before.text} ended, on which it depends')
        for a, b in exclusions(family):
            if None not in (a.may_begin, a.ended, b.may_begin, b.ended):
                if a.may_begin < b.ended and b.may_begin < a.ended:
                    problems.append(f'{a.text} and {b.text} of one mutexinoutset ran at the same time')
    return problems


def taskwaits_wait(archive, history, unfinished=()):
    """At the end of a taskwait, all earlier children have ended."""
    problems = []
    ends = {location.id: location.events[-1].time for location in archive.locations if location.events}
    families = _siblings(history)
    for wait in history.waits:
        if wait.construct != '!$omp taskwait' or wait.ended is None:
            continue
        if 'tasks' in unfinished and wait.ended == ends[wait.location]:
            continue
        for child in families.get(wait.waiter, ()):
            if child.created < wait.began and (child.ended or NEVER) > wait.ended:
                problems.append(f'{child} ended at {child.ended}, the taskwait of its creator on location '
                                f'{wait.location} at {wait.ended}')
    return problems


def locks_are_balanced(archive, unfinished=()):
    """Each acquisition is released by its thread. The order of a lock's acquisitions is their order in time."""
    problems = []
    acquired = {}
    for location in archive.locations:
        held = {}
        for event in location.events:
            if event.kind == 'AcquireLock':
                if event.lock in held:
                    problems.append(_at(location, event) + 'held already')
                held[event.lock] = event.order
                acquired.setdefault(event.lock, []).append((event.time, event.order))
            elif event.kind == 'ReleaseLock':
                if held.pop(event.lock, None) != event.order:
                    problems.append(_at(location, event) + 'not held, or acquired with another order')
        if held and 'constructs' not in unfinished:
            problems.append(f'location {location.id} still holds locks {sorted(held)}')
    for lock, times in acquired.items():
        orders = [order for _, order in sorted(times)]
        if any(b <= a for a, b in zip(orders, orders[1:])):
            problems.append(f'lock {lock} was acquired in the order {orders[:20]}')
    return problems


def check(archive, history, unfinished=()):
    """Checks all of the above but `accepted_by_otf2_print`, which takes ten times as long as the others together. `unfinished`
    lists the kinds that a program leaves open at its end: 'constructs', 'tasks'."""
    problems = []
    for of_archive in (has_local_definition_files, definitions_are_dense, comm_0_is_all_threads,
                       properties_are_present, regions_follow_the_convention, names_are_specified,
                       system_is_described, callbacks_are_described, event_counts_are_right, locations_have_events, time_never_goes_back,
                       clock_encloses_all_events, regions_nest, comms_are_defined, parameters_follow_their_record):
        problems += [f'{of_archive.__name__}: {problem}' for problem in of_archive(archive)]
    for of_ends in (forks_are_joined, teams_are_balanced, locks_are_balanced):
        problems += [f'{of_ends.__name__}: {problem}' for problem in of_ends(archive, unfinished)]
    if 'constructs' not in unfinished:
        problems += [f'members_begin_between_fork_and_join: {problem}'
                     for problem in members_begin_between_fork_and_join(archive)]
    for of_ended_tasks in (tasks_are_complete, switches_are_consistent, taskwaits_wait):
        problems += [f'{of_ended_tasks.__name__}: {problem}' for problem in of_ended_tasks(archive, history, unfinished)]
    for of_tasks in (numbers_of_tasks_are_dense, tasks_run_on_one_thread_at_a_time, dependences_are_kept):
        problems += [f'{of_tasks.__name__}: {problem}' for problem in of_tasks(archive, history)]
    return problems
