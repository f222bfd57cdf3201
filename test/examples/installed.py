#!/usr/bin/env python3
"""Installs into an unusual folder, and uses the installed command, pkg-config file, CMake package and headers.

usage: installed.py BUILD PREFIX CC PROGRAM
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

USER = "#include <otter/record.h>\nint main(void) { otter_detach(\"x\"); return OTTER_CONSTRUCT_UNKNOWN; }\n"

CONTROLLED = "#include <otter/control.h>\nint main(void) { return otter_pause() == OTTER_CONTROL_NO_TOOL ? 0 : 1; }\n"

PROJECT = """
cmake_minimum_required(VERSION 3.5)
project(user C)
find_package(Otter 0.1 REQUIRED)
add_executable(user user.c)
target_link_libraries(user Otter::core)
add_executable(controlled controlled.c)
target_link_libraries(controlled Otter::control)
file(WRITE command.txt "${Otter_EXECUTABLE}")
find_package(Otter 7.0 QUIET)
if(Otter_FOUND)
  message(FATAL_ERROR "version 7.0 was found")
endif()
"""


def run(command, **options):
    result = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, **options)
    assert result.returncode == 0, f"{command} ended with {result.returncode}:\n{result.stdout}{result.stderr}"
    return result


def build_with_cmake(folder, installed):
    """Builds a project that uses find_package(Otter), and runs its programs."""
    project = pathlib.Path(folder, "project")
    project.mkdir()
    for name, text in {"CMakeLists.txt": PROJECT, "user.c": USER, "controlled.c": CONTROLLED}.items():
        (project / name).write_text(text)
    run(["cmake", "-G", "Ninja", "-S", project, "-B", project / "build", f"-DCMAKE_PREFIX_PATH={installed}"], cwd=project)
    run(["cmake", "--build", project / "build"])
    run([project / "build/user"])
    run([project / "build/controlled"])
    assert os.path.samefile((project / "command.txt").read_text(), installed / "bin/otter")


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
        if shutil.which("cmake"):
            build_with_cmake(folder, installed)


if __name__ == "__main__":
    main(*sys.argv[1:])
