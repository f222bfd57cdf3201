"""Plays a Kokkos program without Kokkos and looks at the archive: loader.py LOADER LIBRARY."""
import collections
import os
import pathlib
import subprocess
import sys
import tempfile

import otf2

LOADER, LIBRARY = (str(pathlib.Path(path).resolve()) for path in sys.argv[1:3])


def record(argument, folder):
    """Runs the loader; its archive's folder."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("OTTER_")}
    run = subprocess.run([LOADER, LIBRARY, argument], cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run
    assert run.stdout == "global fencing 0\nend\n", run.stdout
    archives = list(pathlib.Path(folder).glob("from-arguments.*"))
    assert len(archives) == 1, run.stderr
    return archives[0]


def read(archive):
    """Counts of regions entered by (name, description), after a check of nesting; and the names of all regions."""
    counts, stack = collections.Counter(), []
    with otf2.reader.open(str(archive / "traces.otf2")) as trace:
        for _, event in trace.events:
            if isinstance(event, otf2.events.Enter):
                assert event.region.paradigm == otf2.Paradigm.KOKKOS, event
                counts[event.region.name, event.region.description] += 1
                stack.append(event.region)
            elif isinstance(event, otf2.events.Leave):
                assert stack.pop() is event.region, event
        assert not stack
        names = [region.name for region in trace.definitions.regions]
    return counts, names


def labels_are_interned_by_content(folder):
    counts, names = read(record("30", folder))
    expected = {("time step", "Kokkos region"): 30}
    for i in range(3):
        expected |= {(f"move {i}", "Kokkos parallel_for"): 10, (f"energy {i}", "Kokkos parallel_reduce"): 10,
                     (f"outer {i}", "Kokkos parallel_for"): 10, (f"inner {i}", "Kokkos parallel_scan"): 10}
    assert counts == expected, counts
    assert len(names) == len(expected) + 2, names


def what_is_unbalanced_is_repaired(folder):
    counts, _ = read(record("broken", folder))
    assert set(counts.values()) == {1} and len(counts) == 4, counts


for test in (labels_are_interned_by_content, what_is_unbalanced_is_repaired):
    with tempfile.TemporaryDirectory() as made:
        test(made)
    print("ok", test.__name__)
