#!/usr/bin/env python3
"""Records programs on a real MPI and compares the archives with the programs' own counts.

usage: calls.py OTTER LIBRARY NAME MPICC MPIRUN COMPILER [CASE...]

NAME: openmpi or mpich. Each case runs twice, without and with Otter, and the standard output must be equal. Each rank's
archive must have the counts of sends, receives, collectives and bytes that the rank printed; otf2-print and
python3-otf2 must read it, and `otter check` must accept it.
"""
import functools
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
COUNTS = re.compile(r"^(\S+) +rank=(\d+) sends=(\d+) recvs=(\d+) collectives=(\d+) sent=(\d+) received=(\d+)")
# mpirun of Open MPI 4 sometimes sees the end of a process before its MPI_Finalize, and complains although all ranks
# have ended properly (open-mpi/ompi, issues 7833 and 9389). What the ranks printed and recorded is still compared.
UNSEEN_END = re.compile(r"has exited due to process rank \d+ with PID 0 on\s+node \S+ exiting improperly")

# name, ranks, arguments, expected exit status of all, whether the archive has ended properly
CASES = [
    ("halo", 1, []), ("halo", 4, []), ("master", 3, []), ("collectives", 1, []), ("collectives", 3, []), ("nonblocking", 1, []), ("nonblocking", 3, []),
    ("persistent", 2, []), ("comms", 4, []), ("late", 2, []),
    *[("threads", 2, [str(level)]) for level in range(4)],
]
LEVELS = ["single", "funneled", "serialized", "multiple"]


class Mpi:
    def __init__(self, otter, library, name, mpicc, mpirun, compiler, folder):
        self.otter, self.library, self.name, self.mpicc, self.mpirun, self.compiler = otter, library, name, mpicc, mpirun, compiler
        self.folder = pathlib.Path(folder)
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("OTTER_", "OMP_", "PMI", "OMPI_", "LD_PRELOAD"))}
        # All jobs of Open MPI share a folder below TMPDIR, and the last one removes it while another one may start. The path is
        # short, since sockets are in it.
        self.sessions = tempfile.TemporaryDirectory(prefix="mpi-", dir="/tmp")
        # there are more ranks than processors, so ranks must not spin
        self.environment = kept | {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_CC": compiler, "MPICH_CC": compiler,
                                   "OMPI_MCA_mpi_yield_when_idle": "1", "OMPI_MCA_btl_vader_single_copy_mechanism": "none", "OMP_NUM_THREADS": "2",
                                   "TMPDIR": self.sessions.name, "OMPI_MCA_rmaps_base_oversubscribe": "1"}

    def build(self, source, *flags, wrapper=None):
        program = self.folder / f"{source.split('.')[0]}{len(list(self.folder.iterdir()))}"
        subprocess.run([wrapper or self.mpicc, *flags, "-o", str(program), str(HERE / source)], env=self.environment, check=True)
        return program

    def command(self, *parts):
        """Returns the command line of mpirun for pairs (ranks, command); several pairs are programs of one job (MPMD).
        """
        line = [self.mpirun]
        line += ["--oversubscribe"] if self.name == "openmpi" else []
        for i, (ranks, words) in enumerate(parts):
            line += ([":"] if i else []) + ["-n", str(ranks), *map(str, words)]
        return line

    def run(self, command, expect=0, **environment):
        result = subprocess.run(command, env=self.environment | environment, cwd=self.folder, capture_output=True, text=True, timeout=600, check=False)
        if expect is not None and result.returncode != expect and not UNSEEN_END.search(result.stderr):
            raise SystemExit(f"{command}: exit status {result.returncode}, not {expect}\n{result.stdout}{result.stderr}")
        return result

    def recover_all(self, out):
        """Recovers each recording below a folder. A process that its launcher has killed may still be ending."""
        for _ in range(600):
            recordings = list(out.rglob("*.recording"))
            if not recordings:
                return
            for folder in recordings:
                self.run([self.otter, "recover", str(folder)], expect=None)
            time.sleep(0.1)
        raise SystemExit(f"not recovered: {recordings}")


def archives(out):
    """Returns the archives below a folder by rank."""
    found = {}
    for anchor in out.rglob("*.otf2"):
        found[int(properties(anchor).get("OTTER::RANK", -1))] = anchor
    return found


@functools.cache  # archives do not change
def properties(anchor):
    text = subprocess.run(["otf2-print", "-I", str(anchor)], capture_output=True, text=True, check=True).stdout
    return dict(re.findall(r"^Property name +(\S+)\nProperty value +(.*)$", text, re.M))


class Records:
    """What otf2-print says about an archive's events."""

    def __init__(self, anchor):
        result = subprocess.run(["otf2-print", "-Werror", str(anchor)], capture_output=True, text=True, check=False)
        assert result.returncode == 0, f"otf2-print: {result.stderr}"
        self.lines = [line for line in result.stdout.splitlines() if re.match(r"[A-Z_]+ ", line)]

    def count(self, *kinds):
        return sum(line.split()[0] in kinds for line in self.lines)

    def bytes(self, *kinds):
        return sum(int(re.search(r"Length: (\d+)", line).group(1)) for line in self.lines if line.split()[0] in kinds)

    def calls(self, name):
        return sum(line.startswith("ENTER") and f'"{name}"' in line for line in self.lines)


def check_counts(line, records, where):
    mode, _, *numbers = COUNTS.match(line).groups()
    sends, recvs, collectives, sent, received = map(int, numbers)
    found = {
        "sends": (records.count("MPI_SEND", "MPI_ISEND"), sends),
        "receives": (records.count("MPI_RECV", "MPI_IRECV"), recvs),
        "collectives": (records.count("MPI_COLLECTIVE_END", "NON_BLOCKING_COLLECTIVE_COMPLETE"), collectives),
        "begun collectives": (records.count("MPI_COLLECTIVE_BEGIN", "NON_BLOCKING_COLLECTIVE_REQUEST"), collectives),
        "bytes sent": (records.bytes("MPI_SEND", "MPI_ISEND"), sent),
        "bytes received": (records.bytes("MPI_RECV", "MPI_IRECV"), received),
        "ended sends": (records.count("MPI_ISEND_COMPLETE"), records.count("MPI_ISEND")),
        "ended receives": (records.count("MPI_IRECV", "MPI_REQUEST_CANCELLED"), records.count("MPI_IRECV_REQUEST")),
        "MPI_Finalize": (records.calls("MPI_Finalize"), 1),
    }
    wrong = {name: pair for name, pair in found.items() if pair[0] != pair[1]}
    assert not wrong, f"{where} {mode}: archive and program differ: {wrong}"


def check_python(anchor):
    """Checks that python3-otf2 reads definitions and events, and resolves communicators."""
    import otf2
    with otf2.reader.open(str(anchor)) as trace:
        n = sum(1 for _ in trace.events)
        names = [comm.name for comm in trace.definitions.comms]
    assert n > 0 and "MPI_COMM_WORLD" in names, names


def check_archive(mpi, anchor, line, where):
    check_counts(line, Records(anchor), where)
    check_python(anchor)
    mpi.run([mpi.otter, "check", str(anchor.parent)])
    mpi.run([mpi.otter, "report", str(anchor.parent)])
    mpi.run([mpi.otter, "graph", "--format=csv", "-o", str(anchor.parent) + ".csv", str(anchor.parent)])


def sorted_lines(result):
    return sorted(line for line in result.stdout.splitlines() if COUNTS.match(line))


def results(result):
    """Returns what the ranks computed. The order in which a master serves its workers is not fixed."""
    return [re.sub(r" .*(rank=\d+) .*(result=.*)", r" \1 \2", line) for line in sorted_lines(result)]


def record(mpi, ranks, program, arguments, launcher_first=False, expect=0, **environment):
    """*Returns* the run with Otter, and the archives by rank."""
    out = pathlib.Path(tempfile.mkdtemp(dir=mpi.folder))
    settings = {"OTTER_TRACE_PATH": str(out), **environment}
    if launcher_first:
        command = [mpi.otter, "record", *mpi.command((ranks, [program, *arguments]))]
    else:
        command = mpi.command((ranks, [mpi.otter, "record", program, *arguments]))
    result = mpi.run(command, expect, **settings)
    return result, archives(out), out


def run_case(mpi, program, mode, ranks, arguments, launcher_first):
    where = f"{mpi.name} {mode} {' '.join(arguments)} on {ranks}"
    plain = mpi.run(mpi.command((ranks, [program, mode, *arguments])))
    result, found, _ = record(mpi, ranks, program, [mode, *arguments], launcher_first)
    assert results(plain) == results(result), f"{where}: results differ\n{plain.stdout}\n{result.stdout}"
    assert sorted(found) == list(range(ranks)), f"{where}: archives of ranks {sorted(found)}\n{result.stderr}"
    for line in sorted_lines(result):
        rank = int(COUNTS.match(line).group(2))
        check_archive(mpi, found[rank], line, where)
        assert properties(found[rank])["OTTER::RANKS"] == str(ranks), where
    if mode == "threads" and mpi.name == "openmpi":
        assert properties(found[0])["OTTER::MPI_THREAD_LEVEL"] == LEVELS[int(arguments[0])], properties(found[0])
    print(f"ok: {where}")


def run_endings(mpi, program):
    """Processes that end without MPI_Finalize lose no events."""
    for mode in ("exit", "abort", "kill"):
        result, found, out = record(mpi, 2, program, [mode], expect=None)
        mpi.recover_all(out)
        found = archives(out)
        assert sorted(found) == [0, 1], f"{mpi.name} {mode}: {sorted(found)}\n{result.stderr}"
        for line in sorted_lines(result):
            records = Records(found[int(COUNTS.match(line).group(2))])
            ended = records.count("MPI_COLLECTIVE_END")
            assert 1 <= ended <= 2 and records.calls("MPI_Finalize") == 0, f"{mpi.name} {mode}: {ended} collectives"
        print(f"ok: {mpi.name} {mode}")


def run_few(mpi, program):
    """Results do not change if some ranks are not recorded, or if a job has several programs."""
    plain = mpi.run(mpi.command((4, [program, "comms"])))
    out = pathlib.Path(tempfile.mkdtemp(dir=mpi.folder))
    result = mpi.run(mpi.command((1, [mpi.otter, "record", program, "comms"]), (3, [program, "comms"])), OTTER_TRACE_PATH=str(out))
    found = archives(out)
    assert results(plain) == results(result) and sorted(found) == [0], f"{mpi.name}: one rank of four\n{result.stdout}{result.stderr}"
    check_counts(next(line for line in sorted_lines(result) if " rank=0 " in line), Records(found[0]), "one rank of four")
    print(f"ok: {mpi.name}: one rank of four is recorded")


def run_identities(mpi, program):
    """A communicator has the same identity in all its processes, and different communicators have different
    identities."""
    _, found, _ = record(mpi, 4, program, ["comms"])
    members = {}
    for rank, anchor in found.items():
        text = subprocess.run(["otf2-print", "-G", str(anchor)], capture_output=True, text=True, check=True).stdout
        groups = re.findall(r'^GROUP .*Name: "(MPI communicator \w+)".*?Members?: (.*)$', text, re.M)
        assert len(groups) < 16, f"{len(groups)} communicators"  # 50 duplicates share one
        for name, list_of in groups:
            ranks = [int(r) for r in re.findall(r"(\d+) \(", list_of)]
            assert rank in ranks and members.setdefault(name, ranks) == ranks, (name, rank, ranks, members)
    print(f"ok: {mpi.name}: {len(members)} identities")


def run_fortran(mpi, wrapper):
    for mode, name in ((1, "mpif.h"), (2, "mpi"), (3, "mpi_f08")):
        try:
            program = mpi.build("fortran.F90", f"-DMODE={mode}", "-fallow-argument-mismatch", wrapper=wrapper)
        except subprocess.CalledProcessError:
            print(f"left out: {mpi.name}: gfortran has no {name}")
            continue
        run_case(mpi, program, "fortran", 2, [], False)


def run_offsets(mpi, program):
    _, found, _ = record(mpi, 3, program, ["late"], OTTER_MPI_OFFSETS="on")
    for rank in (1, 2):
        for name in ("OTTER::MPI_OFFSET_BEGIN", "OTTER::MPI_OFFSET_END"):
            time, offset, uncertainty = map(int, properties(found[rank])[name].split())
            assert time > 0 and abs(offset) <= uncertainty, (offset, uncertainty)  # one machine has one clock
    assert "OTTER::MPI_OFFSET_BEGIN" not in properties(found[0])
    print(f"ok: {mpi.name}: offsets")


def run_off(mpi, program):
    _, found, _ = record(mpi, 2, program, ["halo"], OTTER_MPI="off")
    for anchor in found.values():
        assert Records(anchor).count("MPI_SEND", "MPI_ISEND") == 0
    print(f"ok: {mpi.name}: --mpi=off")


def run_off_in_one(mpi, program):
    """The connector is preloaded into both programs of a job, and one of them has its own value of the setting."""
    out = mpi.folder / "off"
    plain = mpi.run(mpi.command((2, [program, "halo"])))
    halves = mpi.command((1, [program, "halo"]), (1, ["env", "OTTER_MPI=off", program, "halo"]))
    result = mpi.run([mpi.otter, "record", f"--folder={out}", *halves])
    found = archives(out)
    assert results(plain) == results(result) and sorted(found) == [0, 1], f"{result.stdout}{result.stderr}"
    connectors = [properties(found[rank])["OTTER::CONNECTORS"].split() for rank in (0, 1)]
    assert "mpi" in connectors[0] and connectors[1] == ["ompt"], connectors
    assert Records(found[0]).count("MPI_SEND", "MPI_ISEND") > 0
    assert not [line for line in Records(found[1]).lines if "MPI_" in line]
    report = " ".join(mpi.run([mpi.otter, "report", out]).stdout.split())
    assert "The MPI calls of rank 1 were not recorded" in report, report
    print(f"ok: {mpi.name}: OTTER_MPI=off in one of two ranks")


def main():
    otter, library, name, mpicc, mpirun, compiler, *wanted = sys.argv[1:]
    assert pathlib.Path(library).exists(), library
    with tempfile.TemporaryDirectory(prefix="otter-mpi-") as folder:
        mpi = Mpi(otter, library, name, mpicc, mpirun, compiler, folder)
        program = mpi.build("calls.c", "-fopenmp", "-g", "-O1", "-pthread")
        for i, (mode, ranks, arguments) in enumerate(CASES):
            if not wanted or mode in wanted:
                run_case(mpi, program, mode, ranks, arguments, launcher_first=i % 2 == 1)
        rest = {"endings": run_endings, "few": run_few, "identities": run_identities, "offsets": run_offsets, "off": run_off,
                "off_in_one": run_off_in_one}
        for word, function in rest.items():
            if not wanted or word in wanted:
                function(mpi, program)
        wrapper = shutil.which(mpicc.replace("mpicc", "mpifort"))
        if wrapper and shutil.which("gfortran") and (not wanted or "fortran" in wanted):
            run_fortran(mpi, wrapper)


if __name__ == "__main__":
    main()
