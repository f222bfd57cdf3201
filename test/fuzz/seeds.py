#!/usr/bin/env python3
"""Writes what fuzzing begins with: the archives of test/damage and the texts of test/golden, as the targets want them.

    seeds.py FOLDER         FOLDER/<target>/...
"""
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
ARCHIVES = HERE.parent / 'damage/archives'


def words_of(name):
    """The words of a table in archive.c: the numbers by which its inputs name archives and files."""
    source = (HERE / 'archive.c').read_text()
    table = re.search(r'\*const ' + name + r'\[\] = \{(.*?)\}', source, re.S).group(1)
    return re.findall(r'"([^"]+)"', table)


def two_bytes(number):
    return number.to_bytes(2, 'little')


def archive_seeds():
    """Each file of each archive, put in place of itself."""
    for a, archive in enumerate(words_of('archives')):
        for how in (0x01, 0x02, 0x40, 0x42, *range(0x80, 0xc0, 5), *range(0xc0, 0x100, 7)):
            yield f'{archive}-{how:02x}', bytes([a, how])
        for f, name in enumerate(words_of('files')):
            path = ARCHIVES / archive / name
            if path.exists():
                content = path.read_bytes()
                yield f'{archive}-{name}', bytes([a, 0x40 if name.endswith('evt') else 0, f]) + two_bytes(len(content)) + content


def event_file_seeds():
    """Event files, and chunks that were not completed."""
    for path in sorted(ARCHIVES.glob('*/traces/*.evt')):
        content = path.read_bytes()
        name = f'{path.parent.parent.name}-{path.name}'
        yield name, bytes([0x16]) + two_bytes(len(content)) + content
        yield name + '-chunk', bytes([0x26, 0, 0]) + content[:-2]
        yield name + '-small', bytes([0x23]) + two_bytes(0) + content[:500]


def names_seeds():
    names = [b'7Functor/4TagA', b'ZN2ns3runEvEUlT_E_', b'N6Kokkos4Impl22CombinedFunctorReducerI3FooE', b'(lambda at app/main.cpp:4:64)/ns::Tag',
             b'Kokkos::Impl::CombinedFunctorReducer<std::vector<int, std::allocator<int> >, double>', b'_ZN2ns3runEi',
             b'_ZNSt6vectorIiSaIiEE9push_backEOi', b'a label - with %20 and \xc3\xa9', b'\x1b[31m\xe2\x80\xae']
    for i, name in enumerate(names):
        for how in (0, 0x40, 1, 2, 3, 0x80, 0x82, 0x83):
            yield f'{i}-{how:02x}', bytes([how]) + name


def scene_seeds():
    for path in sorted((HERE.parent / 'golden/cases').glob('*.txt')):
        for how in (0x00, 0x80):
            yield f'{path.stem}-{how:02x}', bytes([how]) + path.read_bytes()


SEEDS = {'archive': archive_seeds, 'event_file': event_file_seeds, 'names': names_seeds, 'scene': scene_seeds}


def main():
    for target, seeds in SEEDS.items():
        folder = pathlib.Path(sys.argv[1]) / target
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in seeds():
            (folder / name.replace('/', '-')).write_bytes(content)


if __name__ == '__main__':
    main()
