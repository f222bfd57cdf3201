#!/usr/bin/env python3
"""Commands of programs to the tool, and the records after them: omp_control_tool (C1 to C10), pauses, phases.

    control.py --tool libotter-ompt.so --otter otter --program PROGRAM CASE [PATTERN]
"""
import argparse
import collections
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import otf2
from otf2.events import (Enter, Leave, MeasurementOnOff, ThreadAcquireLock, ThreadReleaseLock, ThreadTaskCreate,
                         ThreadTeamBegin, ThreadTeamEnd)

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'run'))

import archive as archives  # noqa: E402  test/run/archive.py

THREADS = [1, 2, 4]
STANDARD = {1: 0, 2: 0, 3: 0, 4: 0, 64: 0, 65: 0}
STATES = {  # OpenMP 5.1, table 3.3, and Otter's own commands; others are ignored
    'recording': STANDARD | {66: 0, 67: 65},
    'paused': STANDARD | {67: 66},
    'ended': {67: 67},
}


class Case:
    def __init__(self, arguments, folder):
        self.arguments = arguments
        self.folder = pathlib.Path(folder)
        self.archive = self.folder / 'archive'
        self.failures = []

    def expect(self, truth, text):
        if not truth:
            self.failures.append(text)

    def run(self, *command, threads=2, tool=True, **settings):
        """Runs the program. Returns its output."""
        if self.archive.exists():
            shutil.rmtree(self.archive)
        environment = {k: v for k, v in os.environ.items() if not k.startswith(('OTTER_', 'OMP_', 'KMP_'))}
        environment |= {'OMP_NUM_THREADS': str(threads), 'OTTER_FOLDER': str(self.archive), 'OTTER_QUIET': 'on'}
        environment |= {'OTTER_' + name.upper(): value for name, value in settings.items()}
        if tool:
            environment['OMP_TOOL_LIBRARIES'] = self.arguments.tool
        if self.arguments.runtime:
            environment['LD_PRELOAD'] = self.arguments.runtime
        # Older runtimes sometimes crash in some programs, also without a tool: such a run is not evidence.
        for _ in range(1 if tool else 3):
            process = subprocess.run([self.arguments.program, *command], env=environment, cwd=self.folder, timeout=100,
                                     stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
            if process.returncode == 0:
                break
        self.is_full = 'has stopped: the archive is as large' in process.stderr
        self.expect(process.returncode == 0, f'{command} ended with {process.returncode}: {process.stderr}')
        self.stderr = process.stderr
        return process.stdout

    def check(self, what):
        """Checks that `otter check` accepts the archive, and that pauses caused no repair."""
        process = subprocess.run([self.arguments.otter, 'check', str(self.archive)], stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, text=True, check=False)
        self.expect(process.returncode == 0, f'{what}: {process.stdout}')

    def check_graph(self, what, n_pauses):
        """Checks that `otter graph`, in a message and in the picture, marks times that include pauses."""
        for view, includes in (('structure', n_pauses > 0), ('fragments', False)):
            process = subprocess.run([self.arguments.otter, 'graph', '-o', '-', f'--view={view}', str(self.archive)],
                                     stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
            told = 'recording was paused' in process.stderr, 'times include waits and pauses' in process.stdout
            self.expect(told == (includes, includes), f'{what}, {view}: {told} of {n_pauses} pauses: {process.stderr}')

    def events(self):
        """Returns {location: its events}, and the names of regions."""
        events = collections.defaultdict(list)
        with otf2.reader.open(str(self.archive / 'traces.otf2')) as trace:
            for location, event in trace.events:
                events[location.name].append(event)
            regions = [region.name for region in trace.definitions.regions]
            self.clock = trace.definitions.clock_properties
        return events, regions


def is_off(event):
    return isinstance(event, MeasurementOnOff) and event.measurement_mode == otf2.MeasurementMode.OFF


def is_on(event):
    return isinstance(event, MeasurementOnOff) and event.measurement_mode == otf2.MeasurementMode.ON


def check_pauses(case, what):
    """Off and on alternate, with nothing between them, and everything nests. An archive that is full during a pause ends open regions."""
    n_pauses = 0
    for name, events in case.events()[0].items():
        if len(events) == 1 and is_on(events[0]):
            continue  # nothing was recorded
        paused, off = False, None
        stack, locks = [], set()
        for event in events:
            where = f'{what}, {name}, {event.time}'
            if isinstance(event, MeasurementOnOff):
                case.expect(is_on(event) == paused, f'{where}: off and on do not alternate')
                paused, off = is_off(event), event.time
                n_pauses += paused
                continue
            is_closed = case.is_full and event.time == off and not isinstance(event, Enter)
            case.expect(not paused or is_closed or type(event).__name__ == 'BufferFlush', f'{where}: {event} during a pause')
            if isinstance(event, (Enter, ThreadTeamBegin)):
                stack.append(event.region if isinstance(event, Enter) else event.thread_team)
            elif isinstance(event, (Leave, ThreadTeamEnd)):
                case.expect(stack and stack.pop() == (event.region if isinstance(event, Leave) else event.thread_team),
                            f'{where}: {event} does not nest')
            elif isinstance(event, ThreadAcquireLock):
                case.expect(event.lock_id not in locks, f'{where}: lock {event.lock_id} twice')
                locks.add(event.lock_id)
            elif isinstance(event, ThreadReleaseLock):
                case.expect(event.lock_id in locks, f'{where}: lock {event.lock_id} is not held')
                locks.discard(event.lock_id)
        case.expect(not stack and not locks, f'{what}, {name}: {stack} and {locks} at the end')
    case.check_graph(what, n_pauses)
    return n_pauses


def count(events, kind):
    return sum(isinstance(e, kind) for of_location in events.values() for e in of_location)


def markers(case):
    output = subprocess.run(['otf2-marker', str(case.archive / 'traces.otf2')], stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True, check=False).stdout
    return output


def commands(case):
    """C1 to C8: each command in each state returns what the table says, and is recorded while recording is on."""
    for line in case.run().splitlines():
        state, *numbers = line.split()
        if state == 'complete':
            case.expect(numbers == ['1'], 'the archive is not there when `end` has returned')
        elif state == 'before':  # LLVM's runtime forwards no commands before the first region (llvm 112924)
            case.expect(numbers[1] == '-2', f'{line}: before the first region')
        else:
            command, result = map(int, numbers)
            case.expect(result == STATES[state].get(command, 1), f'{line}: {STATES[state].get(command, 1)} is right')
    case.check('commands')
    check_pauses(case, 'commands')
    events, regions = case.events()
    said = [name for name in regions if name.startswith('omp_control_tool')]
    case.expect(len(said) >= 5 and all('@' in name for name in said), f'each kind of command with its code: {said}')
    case.expect({'a name', 'phase 7', 'a text', 'mark 7'} <= set(regions), f'phases and marks: {regions}')
    of_phase = [e for e in events['Master thread'] if isinstance(e, (Enter, Leave)) and e.region.name == 'a name']
    case.expect(len(of_phase) == 2, f'a phase that began during a pause is there, or one that did not is not: {of_phase}')
    in_time = markers(case)
    for word in ('control', 'pause', 'start', 'flush', 'mark', 'a text'):
        case.expect(word in in_time, f'no marker tells "{word}": {in_time}')


def silent(case):
    """Without a tool, the runtime answers every command, and commands have no effect."""
    for line in case.run(tool=False).splitlines():
        case.expect(line.split()[0] == 'complete' or line.endswith(' -2'), f'{line}: there is no tool')


def no_openmp(case):
    case.expect(case.run(tool=False).split() == ['-2'] * 8, 'a program without OpenMP has no tool')


def fortran(case):
    case.expect(case.run().split() == ['65', '0', '0', '0', '0', '66', '0', '0', '0'], 'what Fortran is answered')
    case.check('fortran')
    case.expect(check_pauses(case, 'fortran') >= 1, 'no pause')
    case.expect({'of Fortran', 'moment of Fortran'} <= set(case.events()[1]), 'names that Fortran gives')


def fortran_silent(case):
    case.expect(case.run(tool=False).split() == ['-2'] * 9, 'Fortran without a tool')


def fixed_fortran(case):
    case.expect(case.run().split() == ['65', '0', '0', '1', '0', '1'], 'what Fortran is answered')
    case.check('fixed form')
    case.expect('phase 5' in case.events()[1], 'a phase that has a number for a name')


def pattern(case):
    """C9: wherever a pause begins and ends, the records nest, and the graph can be built."""
    name = case.arguments.pattern
    for threads in THREADS:
        expected = case.run(name, str(threads), '3', tool=False)
        for repetition in range(3):
            what = f'{name} with {threads} threads, repetition {repetition}'
            chunks = 'memory' if repetition == 2 else 'auto'
            case.expect(case.run(name, str(threads), '3', threads=threads, chunks=chunks) == expected,
                        f'{what}: the program computes something else')
            case.check(what)
            case.expect(check_pauses(case, what) >= 1, f'{what}: no pause')


def signals(case):
    """A signal pauses before the first record, and the program that gets the signal continues."""
    for threads in THREADS:
        output = case.run(threads=threads, toggle_signal='USR1')
        what = f'signals, {threads} threads'
        case.expect(output.split() == ['paused', 'recorded', 'paused'], f'{what}: {output}')
        case.check(what)
        case.expect(check_pauses(case, what) >= threads, f'{what}: each thread pauses')
        case.expect(count(case.events()[0], ThreadTaskCreate) == 20, f'{what}: tasks of the one region that is recorded')


def parents(case):
    """C9: a task created after the pause is in its enclosing taskgroup, which began before the pause."""
    for threads in THREADS:
        case.run('in_taskgroup', str(threads), '1', threads=threads)
        case.check(f'parents, {threads} threads')
        drawing = case.folder / 'graph.json'
        subprocess.run([case.arguments.otter, 'graph', str(case.archive), '-o', str(drawing)], check=True,
                       stderr=subprocess.DEVNULL)
        nodes = {node['id']: node for node in json.loads(drawing.read_text())['nodes']}
        drawing.unlink()
        of_single = next(events for events in case.events()[0].values()
                         if any(isinstance(e, Enter) and e.region.name.startswith('!$omp taskgroup') for e in events))
        behind = of_single[next(i for i, e in enumerate(of_single) if is_on(e)):]
        created = next(e for e in behind if isinstance(e, ThreadTaskCreate))
        name = f'{created.creating_thread}:{created.generation_number}'
        task = next(node for node in nodes.values() if node['kind'] == 'task' and node.get('task') == name)
        around = nodes.get(task.get('scope'), {})
        case.expect(around.get('what') == 'taskgroup', f'{threads} threads: task {name} lies in {around}')


def phases(case):
    """Ending a phase at the wrong place has no effect: the phase and its content continue."""
    for threads in THREADS:
        case.run('misplaced_phases', str(threads), '1', threads=threads)
        case.check(f'phases, {threads} threads')
        of_single = next(events for events in case.events()[0].values()
                         if any(isinstance(e, Enter) and e.region.name == 'around' for e in events))
        names = {'around': 'around', 'within': 'within', '!$omp taskgroup': 'taskgroup'}
        seen = [(type(e).__name__, names[e.region.canonical_name]) for e in of_single
                if isinstance(e, (Enter, Leave)) and e.region.canonical_name in names]
        begin = [('Enter', 'around'), ('Enter', 'taskgroup'), ('Enter', 'within'), ('Leave', 'within')]
        end = [('Leave', 'taskgroup'), ('Leave', 'around')]
        case.expect((seen[:4], seen[-2:]) == (begin, end), f'phases, {threads} threads: {seen}')
        case.expect(len(seen) % 2 == 0 and not set(seen[4:-2]) & set(begin[:1] + begin[2:]), f'phases: {seen}')


def random(case):
    for seed in range(1, 5):
        for threads in THREADS:
            case.run(str(seed), '3', threads=threads)
            case.check(f'seed {seed}, {threads} threads')
            check_pauses(case, f'seed {seed}, {threads} threads')


def totals(case):
    """A full archive with when-full=totals: visits and times of a pause are neither summed nor recorded."""
    n, pause_s = 8000, 0.29  # the program sleeps 0.3 s in its pause; its clock and the recorder's differ a little
    for threads in THREADS:
        expected = case.run(str(n), str(threads), tool=False)
        # everything is in totals; one thread has totals from before and from after the pause
        for size in ('100K', '600K', '1000K'):
            what = f'totals, {threads} threads, {size}'
            printed = case.run(str(n), str(threads), threads=threads, max_size=size, when_full='totals', quiet='off')
            case.expect(printed == expected, f'{what}: the program computes something else')
            case.check(what)
            check_pauses(case, what)
            check_totals(case, what, n, pause_s)
            check_info(case, what, rf'.*\b{n + 1:,} tasks were created meanwhile')


def check_totals(case, what, n, pause_s):
    events, _ = case.events()
    archive = archives.read(str(case.archive))
    visits = collections.Counter(e.region.name for of_location in events.values() for e in of_location if isinstance(e, Enter))
    seconds = {}
    n_summed_up = 0
    for name, value in archive.properties.items():
        if name.startswith('OTTER::TOTALS::'):
            of_region, inclusive, exclusive = map(int, value.split())
            region = archive.regions[int(name.rpartition(':')[2])].name
            visits[region] += of_region
            n_summed_up += of_region
            seconds[region] = inclusive / case.clock.timer_resolution
            case.expect(inclusive >= exclusive, f'{what}: {region} has {value}')
    case.expect(n_summed_up > 0, f'{what}: nothing is summed up')
    of_tasks = sorted(of_region for name, of_region in visits.items() if name.startswith('!$omp task @'))
    case.expect(of_tasks == [n, n + 2], f'{what}: tasks of each part: {of_tasks}')
    case.expect('paused' not in visits and visits['around'] == 1, f'{what}: visits of phases: {visits}')
    whole = case.clock.trace_length / case.clock.timer_resolution
    case.expect(seconds['around'] <= whole - pause_s, f'{what}: a pause is among the {seconds["around"]} s of {whole} s')
    stated = {name: archive.properties[f'OTTER::{name}'] for name in ('LOST', 'REPAIRED', 'UNBEGUN', 'UNFINISHED', 'UNRECORDED')}
    case.expect(stated == {'LOST': '0', 'REPAIRED': '0', 'UNBEGUN': '0', 'UNFINISHED': '0', 'UNRECORDED': str(n + 1)}, f'{what}: {stated}')
    created = count(events, ThreadTaskCreate)
    case.expect(f' {created:,} tasks, ' in case.stderr, f'{what}: {created} tasks are recorded: {case.stderr}')


def check_info(case, what, paused):
    info = subprocess.run([case.arguments.otter, 'info', str(case.archive)], stdout=subprocess.PIPE, text=True,
                          check=True).stdout
    case.expect(re.search(f'^ *paused +{paused}', info, re.MULTILINE), f'{what}: otter info says nothing of pauses: {info}')


def start_paused(case):
    case.run('none', '2', '1', threads=2, start='paused')
    case.check('start=paused')
    events, _ = case.events()
    case.expect(len(events) == 2, f'{len(events)} locations')
    for name, of_location in events.items():
        case.expect([is_off(e) for e in of_location] == [True], f'{name}: {of_location}')
    check_info(case, 'start=paused', '.*2 pauses')
    case.run('over_regions', '2', '2', threads=2, start='paused')
    case.check('start=paused, then started')
    events, _ = case.events()
    case.expect(all(is_off(of_location[0]) for of_location in events.values()), 'a location that begins during a pause')
    case.expect(count(events, ThreadTaskCreate) > 0, 'nothing is recorded when it was started')


def play(case):
    """Threads that switch recording while others record; without a runtime, so that ThreadSanitizer understands all code."""
    for seed in range(1, 5):
        case.run(str(seed), tool=False)
        case.check(f'seed {seed}')
        case.expect(check_pauses(case, f'seed {seed}') > 0, f'seed {seed}: no pause')
        case.expect('WARNING' not in case.stderr, case.stderr)


def kokkos(case):
    """The settings only and skip: regions and sections switch recording."""
    everywhere = ['first', 'setup', 'in setup', 'solve', 'in solve', 'inner', 'in inner', 'in solve in solve',
                  'in solve again', 'in section', 'last']
    cases = [
        ({}, everywhere),
        ({'only': 'solve,section'}, ['solve', 'in solve', 'inner', 'in inner', 'in solve in solve', 'in solve again',
                                     'in section']),
        ({'only': ' section , solve'}, ['solve', 'in solve', 'inner', 'in inner', 'in solve in solve', 'in solve again',
                                        'in section']),
        ({'skip': 'solve'}, ['first', 'setup', 'in setup', 'solve', 'in section', 'last']),
        ({'start': 'paused', 'skip': 'solve'}, []),
        ({'only': 'solve', 'skip': 'inner'}, ['solve', 'in solve', 'inner', 'in solve in solve', 'in solve again']),
        ({'only': 'sol,solves,nothing'}, []),
    ]
    library = pathlib.Path(case.arguments.tool).parents[1] / 'kokkos/libotter-kokkos.so'
    os.environ['KOKKOS_TOOLS_LIBS'] = os.environ['KOKKOS_PROFILE_LIBRARY'] = str(library)
    for settings, expected in cases:
        for tool in (True, False):  # with the other connector, and without it
            case.run(tool=tool, **settings)
            case.check(f'{settings}')
            check_pauses(case, f'{settings}')
            entered = [e.region.name for e in case.events()[0]['Master thread'] if isinstance(e, Enter)]
            seen = [name for name in dict.fromkeys(entered) if name in everywhere]
            case.expect(seen == expected, f'{settings}: {seen}, not {expected}')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--tool', required=True)
    parser.add_argument('--otter', required=True)
    parser.add_argument('--program', required=True)
    parser.add_argument('--runtime', help='preloaded: not the one that the program was linked with')
    parser.add_argument('case', choices=['commands', 'silent', 'no_openmp', 'fortran', 'fortran_silent', 'fixed_fortran', 'pattern', 'random', 'start_paused', 'totals', 'parents', 'phases', 'signals', 'play', 'kokkos'])
    parser.add_argument('pattern', nargs='?')
    arguments = parser.parse_args()
    arguments.program = os.path.abspath(arguments.program)
    with tempfile.TemporaryDirectory() as folder:
        case = Case(arguments, folder)
        globals()[arguments.case](case)
        for failure in case.failures[:20]:
            print(failure)
        return 1 if case.failures else 0


sys.exit(main())
