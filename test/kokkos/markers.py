"""The markers of an archive, as OTF2's own otf2-marker prints them: read(path) -> [Marker]. (OTF2's Python module has no working
reader of markers.)"""
import collections
import re
import subprocess

Marker = collections.namedtuple("Marker", "time location text")

KIND = re.compile(r'MARKER_DEF +Group: "(\w+)", Category: "([\w ]+)", Severity: (\w+)')
MARKER = re.compile(r'MARKER +Time: (\d+), Duration 0, Scope: LOCATION:(\d+), Text: "(.*)"')


def read(path):
    run = subprocess.run(["otf2-marker", str(path)], capture_output=True, text=True, timeout=60, check=True)
    lines = run.stdout.splitlines()
    kinds = [match.groups() for match in map(KIND.fullmatch, lines) if match]
    markers = [Marker(int(match[1]), int(match[2]), match[3]) for match in map(MARKER.fullmatch, lines) if match]
    assert len(kinds) + len(markers) == len(lines), run.stdout
    assert kinds == ([("Kokkos", "event", "NONE")] if markers else []), kinds
    return markers
