#!/usr/bin/env python3
"""Installs into an unusual folder, and uses the installed command, pkg-config file and headers.

usage: installed.py BUILD PREFIX CC PROGRAM
"""
import os
import pathlib
import subprocess
import sys
import tempfile

USER = "#include <otter/record.h>\nint main(void) { otter_detach(\"x\"); return OTTER_CONSTRUCT_UNKNOWN; }\n"


def run(command, **options):
    result = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, **options)
    assert result.returncode == 0, f"{command} ended with {result.returncode}:\n{result.stdout}{result.stderr}"
    return result


def main(build, prefix, compiler, program):
    with tempfile.TemporaryDirectory() as folder:
        run(["meson", "install", "-C", build, "--no-rebuild", "--destdir", folder])
        installed = pathlib.Path(folder, prefix.lstrip("/"))

        recorded = run([installed / "bin/otter", "record", pathlib.Path(program).resolve(), "2000"], cwd=folder)
        assert "OTTER_TRACE_FOLDER=" in recorded.stderr, recorded.stderr

        description = next(installed.rglob("otter-core.pc"))
        environment = os.environ | {"PKG_CONFIG_PATH": str(description.parent)}
        pkg_config = ["pkg-config", f"--define-variable=prefix={installed}", "otter-core"]
        tool = run([*pkg_config, "--variable=ompt_tool"], env=environment).stdout.strip()
        assert pathlib.Path(tool).is_file(), f"there is no {tool}"

        flags = run([*pkg_config, "--cflags", "--libs"], env=environment).stdout.split()
        source = pathlib.Path(folder, "user.c")
        source.write_text(USER)
        run([compiler, source, "-o", pathlib.Path(folder, "user"), *flags])
        run([pathlib.Path(folder, "user")], env=os.environ | {"LD_LIBRARY_PATH": str(pathlib.Path(tool).parent)})


if __name__ == "__main__":
    main(*sys.argv[1:])
