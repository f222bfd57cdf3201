#!/usr/bin/env python3
"""Makes each of Otter's calls to the system fail in turn (inject.c), while a real program is recorded.

usage: faults.py --otter OTTER --inject LIBRARY [--every] [--sample] [--only CALL] [NAME=VALUE...] PROGRAM [ARGUMENT...]

NAME=VALUE selects what is recorded, and how. With --sample, `otter record` starts the program and samples it. The n-th call of a kind fails, either alone or together with all later
ones, for each n, or for a sample if there are many (--every: all).

Whatever fails, the program prints and ends as it does without Otter, without a crash or hang, with at most one warning
and one error. What remains is a complete archive, a recording that `otter recover` completes, or nothing. If no loss
was reported, the archive contains everything.
"""
import argparse
import concurrent.futures
import errno
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile

PATIENCE = 240  # seconds, for operations of a tenth of a second
SAMPLE = 3  # calls of a frequent kind
MAX_FAILURES = 40

# {kind of call: its failures}, as in inject.c.
CALLS = {
    "open": ["EMFILE", "EACCES", "EINTR"],
    "mkdir": ["EACCES", "ENOSPC"],
    "fallocate": ["ENOSPC", "EINTR", "EOPNOTSUPP"],
    "mmap": ["ENOMEM", "ENODEV"],
    "mremap": ["ENOMEM"],
    "madvise": ["ENOSYS"],
    "mprotect": ["EACCES"],
    "write": ["EIO", "short"],
    "pwrite": ["ENOSPC", "EIO", "EDQUOT", "EINTR", "short"],
    "pread": ["EIO", "EINTR", "short"],
    "ftruncate": ["EIO", "EINTR"],
    "rename": ["EACCES", "ENOSPC"],
    "link": ["ENOSPC"],
    "unlink": ["EACCES"],
    "rmdir": ["EACCES"],
    "close": ["EIO", "EINTR"],
    "fopen": ["EMFILE"],
    "fwrite": ["ENOSPC", "short"],
    "fclose": ["ENOSPC"],
    "membarrier": ["ENOSYS"],
    "malloc": ["ENOMEM"],
    "calloc": ["ENOMEM"],
    "realloc": ["ENOMEM"],
    "strdup": ["ENOMEM"],
}

CLOSING = re.compile(r"otter: ([\d,]+) events, ([\d,]+) tasks, ([\d,]+) threads?, ([\d,]+) lost;")


# What `otter record` says of a program whose recording was not completed.
OF_LAUNCHER = re.compile(r"otter: (the program was killed by signal|process \d+ ended without completing|the samples lack |nothing was recorded: )")


def sampled(otter):
    """Returns the command that starts and samples a program."""
    return [otter, "record", "--sample=5000", "--counters=page-faults"]


def clean_environment():
    ours = ("OTTER_", "OMP_", "KMP_", "KOKKOS_", "FAULT_", "LD_PRELOAD")
    return {name: value for name, value in os.environ.items() if not name.startswith(ours)}


def forget_runtime(pid):
    """Removes the file in which LLVM's runtime registers its process. If writing failed, the file is empty, and a later program whose
    process has this number does not start ("found unknown library already initialized")."""
    pathlib.Path(f"/dev/shm/__KMP_REGISTERED_LIB_{pid}_{os.getuid()}").unlink(missing_ok=True)


class Result:
    """The output of a run, and its messages about the recording."""

    def __init__(self, process):
        self.output, self.status = process.stdout, process.returncode
        self.said = process.stderr.splitlines()
        closing = CLOSING.search(process.stderr)
        self.is_complete = closing is not None
        self.n_tasks, self.n_lost = (int(closing[i].replace(",", "")) for i in (2, 4)) if closing else (0, 0)
        folder = re.search(r"^OTTER_TRACE_FOLDER=(.*)$", process.stderr, re.M)
        self.archive = pathlib.Path(folder[1]) if folder else None
        block = ("otter: next: ", "OTTER_TRACE_FOLDER=")
        self.complaints = [line for line in self.said if not line.startswith(block) and not CLOSING.match(line)]

    def leave_out_launcher(self):
        self.complaints = [line for line in self.complaints if not OF_LAUNCHER.match(line)]
        self.status = 128 - self.status if 128 < self.status <= 192 else self.status


class Case:
    """Something that failed."""

    def __init__(self, call, how, at, is_lasting):
        self.call, self.how, self.at, self.is_lasting = call, how, at, is_lasting

    def __str__(self):
        return f"{self.call} {self.at}{' and all after it' if self.is_lasting else ''}: {self.how}"

    def environment(self):
        lasting = {"FAULT_LASTING": "1"} if self.is_lasting else {}
        number = self.how if self.how == "short" else str(getattr(errno, self.how))
        return {"FAULT_CALL": self.call, "FAULT_AT": str(self.at), "FAULT_ERROR": number} | lasting


class Faults:
    def __init__(self, args, folder):
        n_settings = next(i for i, word in enumerate(args.words) if "=" not in word)
        self.otter, self.inject = os.path.abspath(args.otter), os.path.abspath(args.inject)
        self.program = [os.path.abspath(word) if os.path.exists(word) else word for word in args.words[n_settings:]]
        self.recorded = dict(word.split("=", 1) for word in args.words[:n_settings])
        self.folder, self.is_sampled = folder, args.sample
        self.untraced = self.run({"OTTER_ENABLED": "off"}, folder)
        counts = folder / "counts"
        counts.write_bytes(bytes(8 * len(CALLS)))
        self.undisturbed = self.run(self.tools(folder / "undisturbed") | {"FAULT_COUNTS": str(counts)}, folder)
        if self.undisturbed.complaints or not self.undisturbed.is_complete or self.undisturbed.n_lost:
            sys.exit(f"without faults:\n{self.undisturbed.said}")
        self.n_calls = dict(zip(CALLS, struct.unpack(f"{len(CALLS)}Q", counts.read_bytes())))

    def tools(self, archive):
        return self.recorded | {"OTTER_FOLDER": str(archive), "LD_PRELOAD": self.inject}

    def run(self, environment, folder):
        """The variables are those of the program, but not of its launcher."""
        is_launched = self.is_sampled and "OTTER_FOLDER" in environment
        own = {"OMP_NUM_THREADS": "2", "KMP_BLOCKTIME": "0"} | environment
        setting = [*sampled(self.otter), "env", *(f"{name}={value}" for name, value in own.items())] if is_launched else []
        result = Result(subprocess.run([*setting, *self.program], env=clean_environment() | ({} if is_launched else own), cwd=folder,
                                       capture_output=True, text=True, timeout=PATIENCE, check=False))
        if is_launched:
            result.leave_out_launcher()
        return result

    def cases(self, every, only):
        for call, hows in CALLS.items():
            n = self.n_calls[call]
            step = 1 if every else max(1, n // SAMPLE)
            for how in hows if only in (None, call) else []:
                for at in sorted({*range(1, n + 1, step), n} - {0}):
                    yield Case(call, how, at, False)
                    # interruptions without end, and memory without a device, do not occur
                    if how not in ("EINTR", "ENODEV") and (at == 1 or at + step > n or every):
                        yield Case(call, how, at, True)

    def command(self, name, *arguments):
        return subprocess.run([self.otter, name, *map(str, arguments)], env=clean_environment(), capture_output=True, text=True,
                              timeout=PATIENCE, check=False)

    def problems(self, case, folder):
        """The complaints about a run."""
        archive = folder / "archive"
        result = self.run(self.tools(archive) | case.environment(), folder)
        archive = result.archive or archive
        if (result.output, result.status) != (self.untraced.output, self.untraced.status):
            yield f"the program ended with {result.status} and printed {result.output!r}"
        if len(result.complaints) > 2 or any(not line.startswith("otter: ") for line in result.complaints):
            yield "too many messages"
        yield from self.problems_of_remains(case, archive, result)

    def problems_of_remains(self, case, archive, result):
        recording = archive.with_suffix(".recording")
        is_there = archive.exists()
        # A file that cannot be removed remains, and does no harm.
        if is_there and recording.exists() and not result.complaints and case.call not in ("unlink", "rmdir"):
            yield f"beside the archive remains {sorted(map(str, recording.rglob('*')))}"
        if result.is_complete and not is_there:
            yield "the archive that was announced is not there"
        if not is_there and not result.complaints and case.call != "write":
            yield "no archive, and no word of it"
        if not is_there and (recording / "journal").exists():
            recovered = self.command("recover", recording)
            is_there = recovered.returncode == 0
            if not is_there and "contains no events" not in recovered.stderr:
                yield f"otter recover: {recovered.stderr}"
        elif not is_there and recording.exists():
            yield f"without a journal remains {sorted(map(str, recording.rglob('*')))}"
        if is_there:
            yield from self.problems_of_archive(archive, result)

    def problems_of_archive(self, archive, result):
        is_whole = not result.complaints and result.n_lost == 0
        read = self.command("check" if is_whole else "info", archive)
        if read.returncode:
            yield f"{' '.join(read.args)}: {read.returncode}\n{read.stdout}{read.stderr}"
        if is_whole and result.is_complete and result.n_tasks != self.undisturbed.n_tasks:
            yield f"{result.n_tasks} tasks, and no word of those that are missing"

    def try_case(self, number, case):
        folder = self.folder / str(number)
        folder.mkdir()
        try:
            problems = list(self.problems(case, folder))
        except subprocess.TimeoutExpired:
            problems = ["it hangs"]
        shutil.rmtree(folder)
        return case, problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--otter", required=True)
    parser.add_argument("--inject", required=True)
    parser.add_argument("--every", action="store_true", help="no sample: each call of each kind")
    parser.add_argument("--sample", action="store_true", help="otter record starts the program and samples it")
    parser.add_argument("--only", help="this kind of call alone")
    parser.add_argument("words", nargs="+", help="NAME=VALUE..., then the program and its arguments")
    args = parser.parse_args()
    n_failures = n_cases = 0
    with tempfile.TemporaryDirectory(prefix="otter-faults-") as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        faults = Faults(args, pathlib.Path(folder))
        for case, problems in pool.map(faults.try_case, *zip(*enumerate(faults.cases(args.every, args.only)))):
            n_cases += 1
            n_failures += bool(problems)
            for problem in problems if n_failures <= MAX_FAILURES else []:
                print(f"{case}\n    {problem}", file=sys.stderr)
    print(f"{n_cases} faults, {n_failures} failures; calls: {faults.n_calls}")
    sys.exit(n_failures > 0)


if __name__ == "__main__":
    main()
