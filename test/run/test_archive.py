#!/usr/bin/env python3
"""Tests archive.py and invariants.py: a sound archive passes, and each way to break an archive is detected.

Archives are written with python3-otf2 from a text, in which each group of words is a record, and `=` means "at the same
time as the previous record".
"""

import os
import re
import sys
import tempfile
import unittest

import _otf2
import otf2
from otf2 import enums

import expectations
import invariants
from archive import History, read

NAMES = {'initial': '!$omp initial task', 'parallel': '!$omp parallel', 'task': '!$omp task',
         'taskwait': '!$omp taskwait', 'waitdep': '!$omp taskwait depend', 'for': '!$omp for', 'untied': '!$omp task',
         'critical': '!$omp critical'}
ROLES = {'initial': enums.RegionRole.ARTIFICIAL, 'parallel': enums.RegionRole.PARALLEL, 'task': enums.RegionRole.TASK,
         'for': enums.RegionRole.LOOP, 'untied': enums.RegionRole.TASK_UNTIED, 'critical': enums.RegionRole.CRITICAL}
PARAMETERS = ['depend in', 'depend inout', 'depend mutexinoutset', 'task never ran', 'task detached', 'iterations',
              'depend inout all memory', 'encountering task']
IN, INOUT, MUTEX, NEVER_RAN, DETACHED, ITERATIONS, ALL_MEMORY, ENCOUNTERING = range(8)

# Two threads; the first creates three tasks: 1 and 2 in a chain, 3 untied and executed by both threads.
GOOD = [
    '''enter initial; fork 2; begin 1; = enter parallel
       create 0.1; = param 1 64
       create 0.2; = param 0 64; = param 1 72
       create 0.3
       enter waitdep; = param 0 72
       switch 0.3; = enter untied; leave untied; = switch 0.0
       @18 leave waitdep
       enter taskwait
       @60 switch 0.0; leave taskwait
       acquire 7.1; = enter critical; leave critical; = release 7.1
       leave parallel; = end 1; join; leave initial''',
    '''begin 1; = enter parallel
       @12 switch 0.1; = enter task; leave task; = complete 0.1
       switch 0.2; = enter task; leave task; = complete 0.2; = switch 1.0
       @20 switch 0.3; = enter untied; leave untied; = complete 0.3; = switch 1.0
       @70 acquire 7.2; = enter critical; leave critical; = release 7.2
       leave parallel; = end 1''',
]


VALUES = {'OTTER::MODULE::0': '5000 6000 5000 0123abcd /bin/app', 'OTTER::CALLBACK::TASK_CREATE': 'always'}


def lines_of(text):
    return [line.strip() for line in re.split(r'[;\n]', text) if line.strip()]


class Script:
    """Writes one archive."""

    def __init__(self, folder, locations, properties=None):
        self.path = os.path.join(folder, 'traces.otf2')
        with otf2.writer.open(folder, timer_resolution=10**9, chunk_size_events=2**18,
                              chunk_size_definitions=2**18) as trace:
            self.define(trace, len(locations))
            writers = [trace.event_writer_from_location(location) for location in self.locations]
            self.write_all(writers, locations)
            for name in invariants.REQUIRED_PROPERTIES if properties is None else properties:
                _otf2.Archive_SetProperty(trace._handle, name, VALUES.get(name, '0'), True)

    def define(self, trace, n_locations):
        d = trace.definitions
        root = d.system_tree_node('machine', class_name='machine')
        node = d.system_tree_node('host', class_name='node', parent=root)
        process = d.location_group('Process', system_tree_parent=node)
        self.locations = [d.location(f'thread {i}', group=process) for i in range(n_locations)]
        d.group('', group_type=enums.GroupType.COMM_LOCATIONS, paradigm=enums.Paradigm.OPENMP,
                members=self.locations)
        self.comms = [d.comm(name, group=d.group(name, group_type=enums.GroupType.COMM_GROUP,
                                                 paradigm=enums.Paradigm.OPENMP, members=which))
                      for name, which in (('All threads', self.locations), ('team', self.locations),
                                          ('of the first', self.locations[:1]))]
        self.regions = {key: d.region(f'{name} @app+0x10{n}', canonical_name=name, source_file='/bin/app',
                                      description='untied' if key == 'untied' else '',
                                      region_role=ROLES.get(key, enums.RegionRole.TASK_WAIT), paradigm=enums.Paradigm.OPENMP)
                        for n, (key, name) in enumerate(NAMES.items())}
        self.parameters = [d.parameter(name, parameter_type=enums.ParameterType.UINT64) for name in PARAMETERS]

    def write_all(self, writers, locations):
        records = []
        for number, text in enumerate(locations):
            time = 1
            for order, line in enumerate(lines_of(text)):
                explicit = re.match(r'@(\d+) ', line)
                if explicit:
                    time = max(time, int(explicit.group(1)))
                    line = line[explicit.end():]
                elif line.startswith('= '):
                    line = line[2:]
                else:
                    time += 1
                records.append((time * 100 + number, number, order, line))
        for time, number, _, line in sorted(records):
            self.write(writers[number], time, line.split())

    def write(self, writer, time, words):
        word, arguments = words[0], words[1:]
        if word in ('enter', 'leave'):
            getattr(writer, word)(time, self.regions[arguments[0]])
        elif word == 'fork':
            writer.thread_fork(time, enums.Paradigm.OPENMP, int(arguments[0]))
        elif word == 'join':
            writer.thread_join(time, enums.Paradigm.OPENMP)
        elif word in ('begin', 'end'):
            getattr(writer, 'thread_team_' + word)(time, self.comms[int(arguments[0])])
        elif word in ('create', 'switch', 'complete'):
            creator, number = map(int, arguments[0].split('.'))
            getattr(writer, 'thread_task_' + word)(time, self.comms[0], creator, number)
        elif word in ('acquire', 'release'):
            lock, order = map(int, arguments[0].split('.'))
            getattr(writer, f'thread_{word}_lock')(time, enums.Paradigm.OPENMP, lock, order)
        elif word == 'param':
            writer.parameter_unsigned_int(time, self.parameters[int(arguments[0])], int(arguments[1]))
        else:
            raise ValueError(word)


class InvariantsTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix='otter-archive-')
        self.n = 0

    def tearDown(self):
        self.folder.cleanup()

    def archive(self, locations, **more):
        self.n += 1
        folder = os.path.join(self.folder.name, str(self.n))
        archive = read(Script(folder, locations, **more).path)
        for location in archive.locations:  # python3-otf2 cannot write these records
            location.properties = {'OTTER::THREAD_KIND': 'worker', 'OTTER::TID': 1}
        return archive

    def problems(self, archive, unfinished=()):
        return invariants.check(archive, History(archive), unfinished)

    def changed(self, old, new, location=None, count=1):
        """Returns GOOD with `old`, which it must contain, replaced."""
        texts = list(GOOD)
        for i in range(len(texts)) if location is None else [location]:
            if old in texts[i]:
                texts[i] = texts[i].replace(old, new, count)
                return self.archive(texts)
        raise LookupError(old)

    def rejects(self, archive, check, text=''):
        found = self.problems(archive)
        self.assertTrue(any(p.startswith(check + ': ') and text in p for p in found), f'{check} "{text}" not in {found}')

    # ---- sound archives

    def test_a_right_archive_passes(self):
        archive = self.archive(GOOD)
        self.assertEqual(invariants.accepted_by_otf2_print(archive) + self.problems(archive), [])

    def test_history_knows_what_tasks_did(self):
        tasks = History(self.archive(GOOD)).tasks
        self.assertEqual(sorted(tasks), [(0, 1), (0, 2), (0, 3)])
        self.assertEqual(tasks[(0, 2)].dependences, [('in', 64), ('inout', 72)])
        self.assertEqual([s[0] for s in tasks[(0, 3)].segments], [0, 1])
        self.assertEqual(tasks[(0, 1)].creator, (0, 2, 0))

    def test_expectations_count(self):
        archive = self.archive(GOOD)
        archive.history = History(archive)
        names = expectations.names(archive, 'rounds 3\n', {'T': 2})
        for expression in ("tasks == 3", "ran == 3", "forks == 1", "team_begins == 2", "acquires == 2", "locks == 1",
                           "migrations == 1", "enters('task') == 4", "enters('task', 'untied') == 2",
                           "regions('task') == 2", "param('depend in') == 2", "flags('untied') == 1",
                           "values('depend in', after='taskwait depend') == [72]", "out('rounds') == T + 1"):
            self.assertTrue(eval(expression, {'__builtins__': {}}, names), expression)

    def test_splitters(self):
        self.assertEqual([expectations.splitters(*x) for x in ((20, 2), (21, 2), (160, 4), (160, 1))], [0, 1, 3, 15])

    # ---- broken archives

    def test_an_unbalanced_region(self):
        self.rejects(self.changed('leave initial', ''), 'regions_nest', 'still open')
        self.rejects(self.changed('enter initial; ', ''), 'regions_nest', 'nothing is open')

    def test_crossing_regions(self):
        self.rejects(self.changed('leave critical', 'leave parallel'), 'regions_nest', 'another region is on top')

    def test_time_going_back(self):
        archive = self.archive(GOOD)
        archive.locations[0].events[5].time -= 500
        self.rejects(archive, 'time_never_goes_back')

    def test_a_clock_that_does_not_enclose(self):
        archive = self.archive(GOOD)
        archive.clock_length -= 1
        self.rejects(archive, 'clock_encloses_all_events', 'outside')
        archive = self.archive(GOOD)
        archive.clock_offset += 1
        self.rejects(archive, 'clock_encloses_all_events', 'outside')

    def test_a_clock_of_for_ever(self):
        archive = self.archive(GOOD)
        archive.clock_length = 2**64 - 1
        self.rejects(archive, 'clock_encloses_all_events', 'the run took')

    def test_a_task_created_twice(self):
        self.rejects(self.changed('create 0.3', 'create 0.3; create 0.3'), 'tasks_are_complete', 'created 2 times')

    def test_a_task_never_created(self):
        self.rejects(self.changed('create 0.3', ''), 'tasks_are_complete', 'created 0 times')

    def test_a_task_that_never_ends(self):
        archive = self.changed('= complete 0.3; ', '')
        self.rejects(archive, 'tasks_are_complete', 'ended 0 times')
        self.assertEqual([p for p in self.problems(archive, ['tasks']) if 'ended 0' in p], [])

    def test_a_task_that_ends_twice(self):
        self.rejects(self.changed('= complete 0.3; ', '= complete 0.3; = complete 0.3; '), 'tasks_are_complete', '2 times')

    def test_a_task_of_another_thread(self):
        self.rejects(self.archive([GOOD[0].replace('create 0.3', 'create 1.1'), GOOD[1]]), 'tasks_are_complete',
                     'created by location 0')

    def test_a_task_that_ends_without_having_run(self):
        text = GOOD[0].replace('create 0.3', 'create 0.3; create 0.4').replace('leave taskwait', 'leave taskwait; {}')
        silent = self.archive([text.format('complete 0.4'), GOOD[1]])
        self.rejects(silent, 'tasks_are_complete', 'that is not said')
        self.rejects(silent, 'switches_are_consistent', 'the current task is')
        said = self.archive([text.format('param 3 0; = complete 0.4'), GOOD[1]])
        self.assertEqual([p for p in self.problems(said) if not p.startswith('taskwaits_wait')], [])

    def test_numbers_with_a_gap(self):
        self.rejects(self.archive([GOOD[0].replace('0.3', '0.4'), GOOD[1].replace('0.3', '0.4')]),
                     'numbers_of_tasks_are_dense')

    def test_the_wrong_task_ends(self):
        self.rejects(self.changed('= complete 0.1', '= complete 0.2'), 'switches_are_consistent', 'the current task is ((0, 1)')

    def test_a_record_after_the_end_of_a_task_without_a_switch(self):
        self.rejects(self.changed('= complete 0.3; = switch 1.0', '= complete 0.3'), 'switches_are_consistent',
                     'no switch says who goes on')

    def test_a_construct_left_by_another_task(self):
        self.rejects(self.changed('leave untied; = switch 0.0', 'leave untied'), 'switches_are_consistent', 'entered by')

    def test_an_implicit_task_of_another_thread(self):
        self.rejects(self.changed('@60 switch 0.0', '@60 switch 1.0'), 'switches_are_consistent', 'of another location')

    def test_a_task_on_two_threads_at_once(self):
        self.rejects(self.changed('leave untied; = switch 0.0', '@40 leave untied; = switch 0.0', 0),
                     'tasks_run_on_one_thread_at_a_time', 'runs on location 0 until')

    def test_a_tied_task_that_migrates(self):
        texts = [text.replace('untied', 'task') for text in GOOD]
        self.rejects(self.archive(texts), 'tasks_run_on_one_thread_at_a_time', 'is tied')

    def test_a_dependence_not_kept(self):
        texts = [GOOD[0], GOOD[1].replace('0.1', '0.9').replace('0.2', '0.1').replace('0.9', '0.2')]
        self.rejects(self.archive(texts), 'dependences_are_kept', 'task 0.2 began before task 0.1 ended')

    def test_a_wait_that_ends_before_its_predecessor(self):
        self.rejects(self.changed('@12 switch 0.1', '@40 switch 0.1'), 'dependences_are_kept', 'a wait of location 0 began before')

    def test_a_dependence_on_all_memory_not_kept(self):
        texts = [GOOD[0].replace('create 0.3', 'create 0.3; = param 6 0'), GOOD[1].replace('@12', '@50')]
        self.rejects(self.archive(texts), 'dependences_are_kept', 'task 0.3 began before task 0.1 ended')

    def test_mutual_exclusion_not_kept(self):
        text = '''enter initial; fork 2; begin 1; = enter parallel; create 0.1; = param 2 64; create 0.2; = param 2 64
                  @20 switch 0.1; = enter task; @40 leave task; = complete 0.1; = switch 0.0
                  leave parallel; = end 1; join; leave initial'''
        other = 'begin 1; = enter parallel; {} switch 0.2; = enter task; leave task; = complete 0.2; = switch 1.0; ' \
                'leave parallel; = end 1'
        self.rejects(self.archive([text, other.format('@25')]), 'dependences_are_kept', 'at the same time')
        self.assertEqual(self.problems(self.archive([text, other.format('@50')])), [])

    def test_a_taskwait_that_does_not_wait(self):
        self.rejects(self.changed('@20 switch 0.3', '@65 switch 0.3'), 'taskwaits_wait', 'task 0.3 ended')

    def test_a_fork_without_join(self):
        self.rejects(self.changed('join; ', ''), 'forks_are_joined', 'has no Join')
        self.rejects(self.changed('fork 2; ', ''), 'forks_are_joined', 'without a Fork')

    def test_a_team_without_end(self):
        self.rejects(self.changed('leave parallel; = end 1', 'leave parallel', 1), 'teams_are_balanced', 'has no TeamEnd')

    def test_a_team_that_ends_as_another(self):
        self.rejects(self.changed('= end 1', '= end 2', 0), 'teams_are_balanced', 'not the comm')

    def test_a_team_of_others(self):
        self.rejects(self.archive([GOOD[0], GOOD[1].replace('begin 1', 'begin 2').replace('end 1', 'end 2')]),
                     'teams_are_balanced', 'is not a member')

    def test_a_team_across_a_join(self):
        self.rejects(self.changed('leave parallel; = end 1; join', 'leave parallel; join; end 1'),
                     'members_begin_between_fork_and_join')

    def test_a_lock_not_released(self):
        self.rejects(self.changed('; = release 7.1', ''), 'locks_are_balanced', 'still holds')
        self.rejects(self.changed('acquire 7.1; = ', ''), 'locks_are_balanced', 'not held')

    def test_a_lock_acquired_out_of_order(self):
        self.rejects(self.archive([GOOD[0].replace('7.1', '7.3'), GOOD[1]]), 'locks_are_balanced', 'in the order [3, 2]')

    def test_a_lock_released_with_another_order(self):
        self.rejects(self.changed('release 7.2', 'release 7.3'), 'locks_are_balanced', 'another order')

    def test_a_wrong_number_of_events(self):
        archive = self.archive(GOOD)
        archive.locations[1].n_events += 1
        self.rejects(archive, 'event_counts_are_right')

    def test_a_parameter_that_belongs_to_nothing(self):
        self.rejects(self.changed('= param 1 64', 'param 1 64'), 'parameters_follow_their_record', 'belongs to nothing')

    def test_a_dependence_of_no_task(self):
        self.rejects(self.changed('acquire 7.1;', 'acquire 7.1; = param 0 64;'), 'parameters_follow_their_record', 'Acquire')

    def test_iterations_of_nothing(self):
        self.rejects(self.changed('acquire 7.1;', 'acquire 7.1; = param 5 64;'), 'parameters_follow_their_record', 'Acquire')
        self.rejects(self.changed('acquire 7.1;', 'acquire 7.1; param 5 64;'), 'parameters_follow_their_record', 'nothing')

    def test_a_missing_property(self):
        archive = self.archive(GOOD, properties=invariants.REQUIRED_PROPERTIES[1:])
        self.rejects(archive, 'properties_are_present', invariants.REQUIRED_PROPERTIES[0])
        archive = self.archive(GOOD)
        del archive.locations[1].properties['OTTER::TID']
        self.rejects(archive, 'properties_are_present', 'location 1')

    def test_a_region_of_another_name(self):
        archive = self.archive(GOOD)
        archive.regions[1].canonical = '!$omp for'
        self.rejects(archive, 'regions_follow_the_convention', 'canonical')

    def test_names_that_are_not_on_the_page(self):
        self.assertEqual(invariants.page().parameters[2:4], ['depend in', 'depend out'])
        for change, name in ((lambda archive: setattr(archive.regions[1], 'role', 'RegionRole.CODE'), 'parallel'),
                             (lambda archive: archive.parameters.update({0: 'depend within'}), 'within'),
                             (lambda archive: archive.properties.update({'OTTER::LUCK': '1'}), 'LUCK'),
                             (lambda archive: archive.locations[1].properties.update({'OTTER::TIDE': 1}), 'TIDE')):
            archive = self.archive(GOOD)
            change(archive)
            self.rejects(archive, 'names_are_specified', name)

    def test_a_region_outside_of_the_load_map(self):
        archive = self.archive(GOOD)
        archive.regions[1].name = '!$omp parallel @app+0x7000'
        self.rejects(archive, 'regions_follow_the_convention', 'load map')
        archive = self.archive(GOOD)
        archive.regions[1].file = '/bin/other'
        self.rejects(archive, 'regions_follow_the_convention', 'its file')

    def test_a_region_without_a_role(self):
        archive = self.archive(GOOD)
        archive.regions[1].role = 'RegionRole.UNKNOWN'
        self.rejects(archive, 'regions_follow_the_convention', 'UNKNOWN')

    def test_a_system_without_a_node(self):
        archive = self.archive(GOOD)
        del archive.definition_ids['system_tree_nodes'][1]
        self.rejects(archive, 'system_is_described')

    def test_a_callback_granted_in_an_unknown_way(self):
        archive = self.archive(GOOD)
        archive.properties['OTTER::CALLBACK::TASK_CREATE'] = 'perhaps'
        self.rejects(archive, 'callbacks_are_described', 'perhaps')

    def test_missing_local_definitions(self):
        archive = self.archive(GOOD)
        os.remove(os.path.join(os.path.dirname(archive.path), 'traces', '1.def'))
        self.rejects(archive, 'has_local_definition_files')
        self.assertTrue(invariants.accepted_by_otf2_print(archive))

    def test_a_damaged_event_file(self):
        archive = self.archive(GOOD)
        path = os.path.join(os.path.dirname(archive.path), 'traces', '1.evt')
        with open(path, 'r+b') as file:
            file.seek(30)
            file.write(b'\xfe\xfe\xfe\xfe')
        self.assertTrue(invariants.accepted_by_otf2_print(archive))

    def test_ids_that_are_not_dense(self):
        archive = self.archive(GOOD)
        archive.definition_ids['regions'][1] += 40
        self.rejects(archive, 'definitions_are_dense', 'regions')

    def test_a_region_defined_twice(self):
        archive = self.archive(GOOD)
        archive.regions[2].name = archive.regions[1].name
        archive.regions[2].canonical = archive.regions[1].canonical
        self.rejects(archive, 'definitions_are_dense', 'two regions')

    def test_a_team_defined_twice(self):
        archive = self.archive(GOOD)
        archive.comms[2].members = archive.comms[1].members
        self.rejects(archive, 'definitions_are_dense', 'two teams')

    def test_a_comm_0_without_a_thread(self):
        archive = self.archive(GOOD)
        archive.comms[0].members = [0]
        self.rejects(archive, 'comm_0_is_all_threads')

    def test_a_comm_that_is_not_defined(self):
        archive = self.archive(GOOD)
        next(e for e in archive.locations[1].events if e.kind == 'TeamBegin').comm = None
        self.rejects(archive, 'comms_are_defined')

    def test_a_location_without_events(self):
        archive = self.archive(GOOD)
        archive.locations[1].events = []
        self.rejects(archive, 'locations_have_events', 'location 1')


if __name__ == '__main__':
    sys.exit(unittest.main(verbosity=1))
