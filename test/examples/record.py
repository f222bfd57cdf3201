#!/usr/bin/env python3
"""Records an example and reads the archive back: usage: record.py OTTER PROGRAM [ARGUMENT]..."""
import pathlib
import re
import subprocess
import sys
import tempfile


def run(command, **options):
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, **options)


def main(otter, program, *arguments):
    program = [str(pathlib.Path(program).resolve()), *arguments]
    plain = run(program)
    with tempfile.TemporaryDirectory() as folder:
        recorded = run([otter, "record", *program], cwd=folder)
        print(recorded.stderr)
        assert (recorded.returncode, recorded.stdout) == (plain.returncode, plain.stdout), "the program behaves differently"
        archive = pathlib.Path(folder, re.search(r"^OTTER_TRACE_FOLDER=(.+)$", recorded.stderr, re.M).group(1))
        assert (archive / "traces.otf2").is_file(), f"no archive in {archive}"
        info = run([otter, "info", str(archive)])
        print(info.stdout, info.stderr)
        assert info.returncode == 0 and "task" in info.stdout, "otter info cannot read the archive"


if __name__ == "__main__":
    main(*sys.argv[1:])
