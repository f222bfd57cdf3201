"""Records programs with the OMPT connector and reads their graphs with `otter graph`."""

import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'run'))

import drawing  # noqa: E402
import execute  # noqa: E402  test/run/execute.py

PATIENCE = 240  # seconds, for commands that take milliseconds on a machine without other load


class Failed(Exception):
    """Recording or reading failed; the text gives the reason."""


def add_options(parser):
    parser.add_argument('--otter', required=True, help='the otter command')
    parser.add_argument('--tool', required=True, help='libotter-ompt.so')
    parser.add_argument('--libomp', required=True, help='the OpenMP runtime')
    parser.add_argument('--compiler', choices=['clang', 'gcc'], default='clang',
                        help='which built the program; what gcc built gets libomp by LD_PRELOAD')
    parser.add_argument('--keep', action='store_true', help='keep the archives')


def make_absolute(options, *names):
    for name in ('otter', 'tool', 'libomp', *names):
        setattr(options, name, os.path.abspath(getattr(options, name)))


class Recorder:
    """Records into a folder of its own, which is removed at the end of the `with` block."""

    def __init__(self, options):
        self.options = options
        self.n_archives = 0

    def __enter__(self):
        self.folder = tempfile.mkdtemp(prefix='otter-graph-')
        return self

    def __exit__(self, *unused):
        if self.options.keep:
            print(f'kept: {self.folder}')
        else:
            shutil.rmtree(self.folder)

    def record(self, program, arguments, threads, settings=(), timeout=60, n_attempts=3):
        """Runs `program`, once more after a hang. Returns the path of its archive."""
        self.n_archives += 1
        trace_path = f'{self.folder}/{self.n_archives}'
        os.mkdir(trace_path)
        environment = {k: v for k, v in os.environ.items() if not k.startswith(('OTTER_', 'OMP_', 'KMP_', 'LIBOMP_'))}
        environment.update(OMP_NUM_THREADS=str(threads), OMP_TOOL_LIBRARIES=self.options.tool, OTTER_TRACE_PATH=trace_path,
                           LD_LIBRARY_PATH=os.path.dirname(self.options.libomp))
        if self.options.compiler == 'gcc':
            environment['LD_PRELOAD'] = self.options.libomp
        environment.update(setting.split('=', 1) for setting in settings)
        result = execute.execute([program, *arguments], environment, self.folder, timeout)
        if result.status == 'timeout' and n_attempts > 1:
            return self.record(program, arguments, threads, settings, timeout, n_attempts - 1)
        archives = glob.glob(f'{trace_path}/*/traces.otf2')
        what = f'{os.path.basename(program)} {" ".join(arguments)} at {threads} threads'
        if result.status != 0:
            raise Failed(f'{what}: exit status {result.status}: {result.stdout} {result.stderr}')
        if len(archives) != 1:
            raise Failed(f'{what}: made {len(archives)} archives: {result.stderr}')
        return os.path.dirname(archives[0])

    def otter(self, *arguments):
        """Returns the output of a command. Raises Failed if its exit status is not 0."""
        result = subprocess.run([self.options.otter, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                errors='replace', timeout=PATIENCE, check=False)
        if result.returncode != 0:
            raise Failed(f'otter {" ".join(arguments)}: exit status {result.returncode}: '
                         f'{result.stdout[-1500:]}{result.stderr[-500:]}')
        return result.stdout

    def says_of_fold(self, archive):
        """Returns the messages of `otter graph --fold-team`."""
        result = subprocess.run([self.options.otter, 'graph', archive, '--hash', '--fold-team'], stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, timeout=PATIENCE, check=False)
        return result.stderr

    def check(self, archive):
        return self.otter('check', archive)

    def graph(self, archive, *options):
        """Returns the graph as a dict: nodes, edges, tasks, teams."""
        path = f'{archive}.json'
        self.otter('graph', archive, '--all', '--format', 'json', '-o', path, *options)
        with open(path, encoding='utf-8') as file:
            graph = json.load(file)
        places = list(range(len(graph['tasks'])))
        if [task['index'] for task in graph['tasks']] != places or any(
                node['task_index'] >= len(places) for node in graph['nodes'] if 'task_index' in node):
            raise Failed(f'otter graph {archive}: an index of a task is not its place in the list of tasks')
        return graph

    def hash(self, archive, *options):
        words = re.findall(r'\b[0-9a-f]{32}\b', self.otter('graph', archive, '--hash', *options))
        if len(words) != 1:
            raise Failed(f'otter graph {archive} --hash: printed no hash')
        return words[0]


# ---- names of lines

_MARK = re.compile(r'// @(\w+)')


def marks(source):
    """Returns {line: name} of the comments `// @name`."""
    with open(source, encoding='utf-8') as file:
        return {number: match.group(1) for number, match in enumerate((_MARK.search(line) for line in file), 1) if match}


def lines(graph, program):
    """Returns {where: line} of all places in the program."""
    places = {node['where'] for node in graph['nodes'] if 'where' in node}
    found = {place: int(place.rpartition(':')[2]) for place in places if re.search(r':\d+$', place)}
    offsets = {place: int(place.rpartition('+0x')[2], 16) for place in places
               if place.startswith(os.path.basename(program) + '+0x')}
    if offsets:  # the call precedes its return address
        output = subprocess.run(['addr2line', '-e', program, *(hex(offset - 1) for offset in offsets.values())],
                                stdout=subprocess.PIPE, text=True, check=True).stdout
        found.update((place, int('0' + re.sub(r'[^0-9].*', '', line.rpartition(':')[2])))
                     for place, line in zip(offsets, output.splitlines()))
    return found


def draw(graph, program, source):
    """Returns the drawing of Otter's graph. Implicit barriers have no line, since members arrive from different code.
    """
    names, line_of = marks(source), lines(graph, program)
    result = drawing.Drawing()
    flags_of_task = {task['index']: task.get('flags', '') for task in graph['tasks']}
    for node in graph['nodes']:
        flags = set(node.get('flags', '').split())
        what = node['what']
        where = names.get(line_of.get(node.get('where')), '')
        if node['kind'] in ('task', 'fragment'):
            what = node.get('task_kind', 'unknown')
            where = '' if what == 'initial' else where
            flags.update(flags_of_task.get(node.get('task_index'), '').split())
        elif what.endswith(' barrier') or 'implied' in node.get('flags', ''):
            what, where = 'implicit barrier', ''
        elif what == 'fulfil':
            where = ''
        result.node(node['id'], node['kind'], what, where, flags - {'undeferred'})  # visible from the edges
    for edge in graph['edges']:
        result.edge(edge['kind'], edge['source'], edge['target'])
    if len(result.edges) != len(graph['edges']):
        raise Failed('two nodes have two edges')
    for node in graph['nodes']:
        if 'scope' in node:
            result.lies_in(node['scope'], node['id'])
    return result


def without_flag(graph, flag):
    for name, label in graph.nodes.items():
        graph.nodes[name] = label._replace(flags=tuple(f for f in label.flags if f != flag))
    return graph
