#!/usr/bin/env python3
"""Damages archives in many ways, and checks that every command survives and prints a message.

    damage.py OTTER [--every] [--points N] [--seed N] [ARCHIVE-NAME...]

The archives next to this script are recordings of small programs. Each of their files is cut, changed in some bytes,
removed, emptied, and exchanged with others. The commands that read archives must then end in time, without a crash,
with status 0, or with status 1 after saying why. The damage is the same each time. A damaged archive that a command
does not survive is kept.
"""
import argparse
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
CHUNK_HEADER_SIZE, GROUP = 18, 18  # of OTF2's files
MERGED = 'merged'  # an archive of two of them
PATIENCE = 240  # seconds, for operations of milliseconds
SANITIZED = 99  # exit status of a sanitizer
SIGNS = ('AddressSanitizer', 'LeakSanitizer', 'runtime error:', 'UndefinedBehavior')


def environment(folder):
    """Makes sanitizers end the program with this status. Leaks of OTF2 after damaged files are ignored."""
    suppressions = folder / 'suppressions'
    suppressions.write_text('leak:OTF2_\nleak:otf2_\n')
    options = f'exitcode={SANITIZED}:halt_on_error=1:abort_on_error=0:allocator_may_return_null=1'
    return {**{name: value for name, value in os.environ.items() if not name.startswith('OTTER_')},
            'ASAN_OPTIONS': options, 'UBSAN_OPTIONS': options + ':print_stacktrace=1',
            'LSAN_OPTIONS': f'suppressions={suppressions}:print_suppressions=0:exitcode={SANITIZED}'}


def commands(otter):
    """The commands in this build that read archives."""
    known = subprocess.run([otter, '--help'], capture_output=True, text=True, check=True).stdout
    wanted = [['info', '--all'], ['check'], ['graph', '--format', 'csv', '--all', '-o', 'graph.csv'],
              ['graph', '--fold-team', '--hash'],
              ['diff', '--json', str(HERE / 'archives/fib')],
              ['report', '--lines'], ['view', '-o', 'page.html'], ['export', '--to=perfetto', '-o', 'trace'],
              ['graph', '--view', 'fragments', '--root', '1', '-f', 'json', '-o', 'graph.json']]
    return [words for words in wanted if f'\n  {words[0]} ' in known]


def cuts(size, n, dice):
    """Lengths of cut files: all near the ends of the file, and some between."""
    near = [*range(min(size, 4)), *range(max(0, size - 4), size)]
    return sorted({*near, *(dice.randrange(size) for _ in range(n))})


def flip(content, dice):
    """Replaces one byte, or a few adjacent bytes."""
    changed = bytearray(content)
    at = dice.randrange(len(content))
    for i in range(at, min(at + dice.choice((1, 1, 1, 2, 8)), len(content))):
        changed[i] = dice.choice((0, 1, 0x7f, 0x80, 0xff, changed[i] ^ 1 << dice.randrange(8), dice.randrange(256)))
    return bytes(changed)


def groups(content):
    """The places of group definitions in a file of definitions: (first byte, byte after the last)."""
    at = CHUNK_HEADER_SIZE
    while at < len(content) and content[at] > 3:
        end = at + 2 + content[at + 1]
        if content[at + 1] == 0xff:
            return
        if content[at] == GROUP:
            yield at + 2, end
        at = end


def overflows(files):
    """Counts that exceed memory and file: large numbers at each place in the first group."""
    for begin, end in list(groups(files['traces.def']))[:1]:
        for at in range(begin, end):
            for number in (b'\xff', b'\x03\xff\xff\xff'):
                changed = bytearray(files['traces.def'])
                changed[at:at + len(number)] = number
                yield f'bytes from {at} of traces.def are {number.hex()}', {'traces.def': bytes(changed)}


def variants(files, n, dice):
    """Yields (kind of damage, {file: content or None})."""
    names = sorted(files)
    yield from overflows(files)
    for name in names:
        content = files[name]
        yield f'{name} removed', {name: None}
        yield f'{name} doubled', {name: content + content}
        yield f'{name} of zeros', {name: bytes(len(content))}
        for length in cuts(len(content), n, dice):
            yield f'{name} cut to {length} of {len(content)} bytes', {name: content[:length]}
        for i in range(n):
            yield f'{name} changed ({i})', {name: flip(content, dice)}
        for other in names:
            if other > name:
                yield f'{name} and {other} exchanged', {name: files[other], other: content}


class Damage:
    def __init__(self, options, folder):
        self.otter = os.path.abspath(options.otter)
        self.options = options
        self.folder = folder
        self.environment = environment(folder)
        self.commands = commands(self.otter)
        self.n_variants = 0
        self.complaints = []
        self.n_runs = 0
        self.n_statuses = {0: 0, 1: 0}

    def complain(self, archive, what, words, reason):
        kept = tempfile.mkdtemp(prefix='otter-damaged-')
        shutil.copytree(archive, f'{kept}/{archive.name}')
        self.complaints.append(f'{archive.name}, {what}: otter {" ".join(words)} {reason}; kept in {kept}')

    def run(self, archive, what, words):
        self.n_runs += 1
        try:
            result = subprocess.run([self.otter, *words, str(archive)], cwd=self.folder, env=self.environment,
                                    stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            self.complain(archive, what, words, f'does not end within {PATIENCE} s')
            return
        stderr = result.stderr.decode(errors='replace')
        if result.returncode not in (0, 1) or any(sign in stderr for sign in SIGNS):
            self.complain(archive, what, words, f'ends with {result.returncode}: {stderr[-1500:]}')
            return
        self.n_statuses[result.returncode] += 1
        if result.returncode == 1 and not self.says_why(words, result.stdout.decode(errors='replace'), stderr):
            self.complain(archive, what, words, f'fails and does not say why: {stderr[-300:]}')

    @staticmethod
    def says_why(words, stdout, stderr):
        lines = [line for line in stderr.splitlines() if line.startswith('otter: ') and len(line) > 20]
        return lines or (words[0] == 'check' and ' failed: ' in stdout)

    def of_archive(self, name):
        archive = self.folder / name
        if name == MERGED:
            ranks = [HERE / 'archives' / each for each in ('fib', 'untied')]
            subprocess.run([self.otter, 'merge', '--force', '--copy', '-o', archive, *ranks], check=True, stdout=subprocess.DEVNULL)
        else:
            shutil.copytree(HERE / 'archives' / name, archive)
        files = {str(path.relative_to(archive)): path.read_bytes() for path in archive.rglob('*') if path.is_file()}
        dice = random.Random(f'{self.options.seed} {name}')
        self.run_some(archive, 'as it was recorded', self.commands)
        for what, changed in variants(files, self.options.points, dice):
            for file, content in changed.items():
                if content is None:
                    (archive / file).unlink()
                else:
                    (archive / file).write_bytes(content)
            self.run_some(archive, what, self.commands if self.options.every else self.next_three())
            for file in changed:
                (archive / file).write_bytes(files[file])

    def next_three(self):
        """Three of the commands, different ones each time. They share the reader, so the reader sees all variants."""
        self.n_variants += 1
        return [self.commands[(self.n_variants + step) % len(self.commands)] for step in (0, 3, 5)]

    def run_some(self, archive, what, some):
        rank = ['--rank=1'] if archive.name == MERGED else []
        for words in some:
            words = words if words[0] == 'diff' else words + rank
            self.run(archive, what, words)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--points', type=int, default=8, help='cuts and changes of each file')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--every', action='store_true', help='every command for every damage; otherwise three')
    parser.add_argument('otter')
    parser.add_argument('archives', nargs='*')
    options = parser.parse_intermixed_args()
    names = options.archives or [*sorted(path.name for path in (HERE / 'archives').iterdir()), MERGED]
    with tempfile.TemporaryDirectory(prefix='otter-damage-') as folder:
        damage = Damage(options, pathlib.Path(folder))
        for name in names:
            damage.of_archive(name)
    print(f'{damage.n_runs} runs, {damage.n_statuses[0]} with status 0, {damage.n_statuses[1]} with status 1, '
          f'{len(damage.complaints)} complaints')
    for complaint in damage.complaints[:20]:
        print(complaint)
    return 1 if damage.complaints or min(damage.n_statuses.values()) == 0 else 0


if __name__ == '__main__':
    sys.exit(main())
