#!/usr/bin/env python3
"""Settings passed through Kokkos reach Otter, whichever connector attaches first: arguments.py KOKKOS OMPT PROGRAM.

Kokkos hands its arguments over after OpenMP regions of its own have been recorded.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

KOKKOS, OMPT, PROGRAM = (str(pathlib.Path(path).resolve()) for path in sys.argv[1:4])


def run(folder, *arguments, **variables):
    """Returns the names of the archives, and the run."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("OTTER_", "OMP_", "KOKKOS_"))}
    environment = {"OMP_NUM_THREADS": "2", "KOKKOS_TOOLS_LIBS": KOKKOS, "KOKKOS_PROFILE_LIBRARY": KOKKOS}
    result = subprocess.run([PROGRAM, *arguments], cwd=folder, env=clean | environment | variables, capture_output=True, text=True,
                            timeout=60, check=False)
    assert result.returncode == 0, result
    return [path.parent.name for path in pathlib.Path(folder).glob("*/traces.otf2")], result


def arguments_name_the_one_archive_of_both(folder):
    names, result = run(folder, "--kokkos-tools-args=--trace-name=named other=1", OMP_TOOL_LIBRARIES=OMPT)
    assert len(names) == 1 and names[0].startswith("named."), (names, result.stderr)


def arguments_name_the_archive_of_kokkos_alone(folder):
    names, result = run(folder, "--kokkos-tools-args=trace-name=named")
    assert len(names) == 1 and names[0].startswith("named."), (names, result.stderr)


def help_prints_the_settings_and_leaves_no_archive(folder, **variables):
    names, result = run(folder, "--kokkos-tools-help", **variables)
    assert not names and not list(pathlib.Path(folder).iterdir()), os.listdir(folder)
    assert "trace-name" in result.stdout and "chain" in result.stdout, result.stdout
    assert "otter" not in result.stderr.lower(), result.stderr


def help_leaves_no_archive_of_both(folder):
    help_prints_the_settings_and_leaves_no_archive(folder, OMP_TOOL_LIBRARIES=OMPT)


def what_is_wrong_is_told_once_by_both(folder):
    _, result = run(folder, "--kokkos-tools-args=nonsense=1 --clock=sundial -x word trace-name=a", OMP_TOOL_LIBRARIES=OMPT)
    warnings = [line for line in result.stderr.splitlines() if line.startswith("otter: ") and "ignored" in line]
    told = ("clock='sundial'", "'nonsense'", "'-x'", "'word'")  # in the order of the arguments
    assert len(warnings) == len(told) and all(name in line for name, line in zip(told, warnings)), result.stderr


for test in (arguments_name_the_one_archive_of_both, arguments_name_the_archive_of_kokkos_alone,
             help_prints_the_settings_and_leaves_no_archive, help_leaves_no_archive_of_both, what_is_wrong_is_told_once_by_both):
    with tempfile.TemporaryDirectory(prefix="otter-kokkos-") as made:
        test(made)
    print("ok", test.__name__)
