"""Removes the files in shared memory that LLVM's OpenMP runtime leaves when it is killed. Their names contain the process's number.
A later process with this number may fail ("unknown library already initialized")."""
import os
import pathlib
import re

FOLDER = pathlib.Path("/dev/shm")


def remove():
    """Removes the files of the test's processes that have ended."""
    for path in FOLDER.glob(f"__KMP_REGISTERED_LIB_*_{os.getuid()}"):
        process = re.fullmatch(r"__KMP_REGISTERED_LIB_(\d+)_\d+", path.name)
        if process and not os.path.exists(f"/proc/{process.group(1)}"):
            path.unlink(missing_ok=True)
