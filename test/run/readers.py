#!/usr/bin/env python3
"""Opens the archive of a program, or the merged archive of two ranks, with a foreign reader.

Exit status 77: the reader is not installed.
"""

import argparse
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

NOT_THERE = 77


def need(*commands):
    for command in commands:
        if not shutil.which(command):
            print(f'{command} is not installed')
            sys.exit(NOT_THERE)


def run(command, **more):
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors='replace',
                            timeout=100, **more)
    return result.returncode, result.stdout


def otf2_print(archive):
    need('otf2-print')
    status, output = run(['otf2-print', archive])
    assert status == 0, output[-500:]
    assert 'INVALID' not in output and 'UNKNOWN' not in output.replace('"UNKNOWN"', ''), 'invalid records'
    for record in ('ENTER', 'LEAVE', 'THREAD_FORK', 'THREAD_TEAM_BEGIN', 'THREAD_TASK_CREATE', 'THREAD_TASK_COMPLETE'):
        assert record in output, f'no {record}'
    status, output = run(['otf2-print', '-G', archive])
    assert status == 0 and '!$omp taskwait' in output, output[-500:]


def python3_otf2(archive):
    import otf2
    n = 0
    with otf2.reader.open(archive) as trace:
        n_defined = sum(location.number_of_events for location in trace.definitions.locations)
        for _, _ in trace.events:
            n += 1
    assert n == n_defined and n > 0, f'{n} events read, {n_defined} defined'


def vite(archive):
    need('vite', 'xvfb-run')
    with tempfile.TemporaryDirectory() as folder:
        picture = os.path.join(folder, 'fib.svg')
        status, output = run(['xvfb-run', '-a', 'vite', archive, '-e', picture])
        assert status == 0 and os.path.exists(picture), f'exit status {status}: {output[-500:]}'
        root = xml.etree.ElementTree.parse(picture).getroot()
        n = sum(1 for _ in root.iter())
        assert n > 20, f'a picture of {n} elements'


def otf2_profile(archive):
    need('otf2-profile')
    with tempfile.TemporaryDirectory() as folder:
        status, output = run(['otf2-profile', '-i', archive, '--json', '-o', os.path.join(folder, 'profile')], cwd=folder)
        assert status == 0, f'exit status {status}: {output[-500:]}'
        for path in glob.glob(os.path.join(folder, '*.json')):
            with open(path, encoding='utf-8') as file:
                json.load(file)


def count(archive):
    """Returns the events by location, and their order in time."""
    import otf2
    counts, last = {}, 0
    with otf2.reader.open(archive) as trace:
        for location, event in trace.events:
            assert event.time >= last, f'{event.time} behind {last}'
            last = event.time
            counts[location.name, location.group.name] = counts.get((location.name, location.group.name), 0) + 1
    return counts


def compare_counts(merged, archives):
    """Checks that the merged archive has each event of the ranks once, in the locations of its rank."""
    alone = [count(archive) for archive in archives]
    all_ranks = count(merged)
    assert sum(all_ranks.values()) == sum(sum(counts.values()) for counts in alone), (all_ranks, alone)
    for rank, counts in enumerate(alone):
        own = {name: n for (name, process), n in all_ranks.items() if process == f'MPI Rank {rank}'}
        assert own == {name: n for (name, _), n in counts.items()}, (rank, own, counts)


READERS = {'otf2-print': otf2_print, 'python3-otf2': python3_otf2, 'vite': vite, 'otf2-profile': otf2_profile}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--tool', required=True)
    parser.add_argument('--libomp', required=True)
    parser.add_argument('--otter', help='also reads a merged archive')
    parser.add_argument('--reader', choices=READERS, required=True)
    parser.add_argument('program')
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix='otter-readers-') as folder:
        environment = dict(os.environ, OMP_NUM_THREADS='2', OMP_TOOL_LIBRARIES=os.path.abspath(options.tool),
                           OTTER_TRACE_PATH=folder, LD_LIBRARY_PATH=os.path.dirname(os.path.abspath(options.libomp)))
        subprocess.run([os.path.abspath(options.program), '10'], env=environment, check=True, timeout=60,
                       stdout=subprocess.DEVNULL)
        archives = glob.glob(os.path.join(folder, '*', 'traces.otf2'))
        assert len(archives) == 1, f'archives: {os.listdir(folder)}'
        READERS[options.reader](archives[0])
        if options.otter:
            read_ranks(options, os.path.join(folder, 'job'), environment)
    return 0


def read_ranks(options, job, environment):
    """Records two ranks, merges them, and reads the merged archive."""
    for rank in range(2):
        more = {'OTTER_TRACE_PATH': '', 'OTTER_FOLDER': job, 'PMI_RANK': str(rank), 'PMI_SIZE': '2', 'PMI_JOBID': '1'}
        subprocess.run([os.path.abspath(options.program), str(8 + rank)], env=environment | more, check=True, timeout=60,
                       stdout=subprocess.DEVNULL)
    subprocess.run([os.path.abspath(options.otter), 'merge', job], check=True, timeout=60, stdout=subprocess.DEVNULL)
    merged = os.path.join(job, 'traces.otf2')
    READERS[options.reader](merged)
    if options.reader == 'python3-otf2':
        compare_counts(merged, [os.path.join(job, f'rank-{rank:04}', 'traces.otf2') for rank in range(2)])


if __name__ == '__main__':
    sys.exit(main())
