#!/usr/bin/env python3
"""Writes seeds for fuzzing in the form that each target needs: archives of test/damage, texts of test/golden, and names.

    seeds.py FOLDER         FOLDER/<target>/...
"""
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
ARCHIVES = HERE.parent / 'damage/archives'


def words_of(name):
    """Returns the words of a table in archive.c; inputs contain their indexes."""
    source = (HERE / 'archive.c').read_text()
    table = re.search(r'\*const ' + name + r'\[\] = \{(.*?)\}', source, re.S).group(1)
    return re.findall(r'"([^"]+)"', table)


def two_bytes(number):
    return number.to_bytes(2, 'little')


def archive_seeds():
    """Yields each file of each archive, replaced by itself."""
    for a, archive in enumerate(words_of('archives')):
        for how in (0x01, 0x02, 0x40, 0x42, *range(0x80, 0xc0, 5), *range(0xc0, 0x100, 7)):
            yield f'{archive}-{how:02x}', bytes([a, how])
        for f, name in enumerate(words_of('files')):
            path = ARCHIVES / archive / name
            if path.exists():
                content = path.read_bytes()
                yield f'{archive}-{name}', bytes([a, 0x40 if name.endswith('evt') else 0, f]) + two_bytes(len(content)) + content


def event_file_seeds():
    """Yields event files and chunks, whole and cut."""
    for path in sorted(ARCHIVES.glob('*/traces/*.evt')):
        content = path.read_bytes()
        name = f'{path.parent.parent.name}-{path.name}'
        yield name, bytes([0x16]) + two_bytes(len(content)) + content
        yield name + '-chunk', bytes([0x26, 0, 0]) + content[:-2]
        yield name + '-small', bytes([0x23]) + two_bytes(0) + content[:500]
        for n in (0, 1, 20, 41, 64, 264):
            yield f'{name}-cut-{n}', bytes([0x10 + n % 8]) + two_bytes(n) + content[:n]
            yield f'{name}-chunk-cut-{n}', bytes([0x20 + n % 8, 0, 0]) + content[:n]
            yield f'{name}-both-cut-{n}', bytes([0x30]) + two_bytes(64) + content[:64] + content[64:64 + n]


def names_seeds():
    names = [b'7Functor/4TagA', b'ZN2ns3runEvEUlT_E_', b'N6Kokkos4Impl22CombinedFunctorReducerI3FooE',
             b'(lambda at app/main.cpp:4:64)/ns::Tag',
             b'Kokkos::Impl::CombinedFunctorReducer<std::vector<int, std::allocator<int> >, double>', b'_ZN2ns3runEi',
             b'_ZNSt6vectorIiSaIiEE9push_backEOi', b'a label - with %20 and \xc3\xa9', b'\x1b[31m\xe2\x80\xae',
             b'', b'_Zr', b'_ZN2(nE', b'%0D%ab%', b'00', b'[\t', b'7Functor/gA)', b'(lambda at ', b'(lambda at p:4:6)',
             b'(lambda at a:5:6 b',
             b'Kokkos::Impl::CombinedFunctorReducer<op(r)x', b'Kokkos::Impl::CombinedFunctorReducer<a<b:4:5>, c>',
             b'CombinedFunctorReducer<c<d,<<', b'Kokkos::Impl::CombinedFunctorReducer<', b'\xe0\x80\xae', b'\xed\xa0\x80',
             b'\xf4\x9c\x9c\x9c', b'\xe2\xd8\x9c', b'\xf0\x90\x80', b'\xc6\x84\x9d\xb1', b'\xc2\x85\xdc\x9c', b'-' * 40 + b'\xe2\x80\x8d']
    for i, name in enumerate(names):
        for how in (0, 0x40, 1, 2, 3, 0x80, 0x82, 0x83):
            yield f'{i}-{how:02x}', bytes([how]) + name


def scene_seeds():
    for path in sorted((HERE.parent / 'golden/cases').rglob('*.txt')):
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
