"""What LLVM's OpenMP runtime leaves when it is killed: a file in shared memory with the process' number in its name. Another process that is given
this number later may die of it ("unknown library already initialized")."""
import os
import pathlib
import re

FOLDER = pathlib.Path("/dev/shm")


def remove():
    """Removes those of processes of ours that have ended."""
    for path in FOLDER.glob(f"__KMP_REGISTERED_LIB_*_{os.getuid()}"):
        process = re.fullmatch(r"__KMP_REGISTERED_LIB_(\d+)_\d+", path.name)
        if process and not os.path.exists(f"/proc/{process.group(1)}"):
            path.unlink(missing_ok=True)
