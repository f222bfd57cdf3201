#!/usr/bin/env python3
"""Records programs for which preloading a library is not enough: GCC programs under a launcher, and programs that
load MPI late.

usage: launch.py OTTER LIBRARY NAME MPICC MPIRUN COMPILER [CASE...]
"""
import pathlib
import sys
import tempfile

from calls import Mpi, Records, archives, properties

VENDORS = {"openmpi": "Open MPI", "mpich": "MPICH"}


def build_gnu(mpi):
    mpi.environment |= {"OMPI_CC": "gcc", "MPICH_CC": "gcc"}
    program = mpi.build("gnu.c", "-fopenmp", "-g")
    mpi.environment |= {"OMPI_CC": mpi.compiler, "MPICH_CC": mpi.compiler}
    return program


def record(mpi, *parts, expect=0, **environment):
    out = pathlib.Path(tempfile.mkdtemp(dir=mpi.folder)) / "job"
    result = mpi.run([mpi.otter, "record", "-o", out, *mpi.command(*parts)], expect=expect, **environment)
    return result, archives(out)


def run_gnu(mpi):
    """GCC's program under a launcher runs on LLVM's runtime in each rank, and keeps the binding of its threads."""
    program = build_gnu(mpi)
    for environment in ({}, {"OMP_PROC_BIND": "true"}):
        result, found = record(mpi, (2, [program]), **environment)
        assert sorted(found) == [0, 1] and sorted(result.stdout.split()) == sorted("rank 0: 10 tasks rank 1: 10 tasks".split()), result
        for anchor in found.values():
            assert Records(anchor).count("THREAD_TASK_CREATE") >= 10, result.stderr
            assert properties(anchor).get("OTTER::CONNECTORS").split() in (["mpi", "ompt"], ["ompt", "mpi"]), properties(anchor)
        assert "running it on LLVM's" in result.stderr, result.stderr


def run_gnu_hidden(mpi):
    """If the command line does not show the program, the command says that OpenMP is missing although MPI is recorded.
    """
    program = build_gnu(mpi)
    result, found = record(mpi, (2, ["sh", "-c", f"{program}; true"]))
    assert sorted(found) == [0, 1], result
    assert "OpenMP was not recorded in 2 processes with GCC's runtime (libgomp)" in result.stderr, result.stderr


def run_gnu_forbidden(mpi):
    program = build_gnu(mpi)
    out = mpi.folder / "forbidden"
    result = mpi.run([mpi.otter, "record", "--libomp=none", "-o", out, *mpi.command((2, [program]))])
    assert "LLVM's" not in result.stderr and len(archives(out)) == 2, result.stderr


def run_masking(mpi):
    """A rank has the arguments with which it was started, though it overwrites them before MPI_Init."""
    program = mpi.build("masking.c")
    _, found = record(mpi, (2, [program, "-n", "1024"]))
    assert {properties(anchor).get("OTTER::COMMAND_LINE") for anchor in found.values()} == {f"{program} -n 1024"}, found


def run_late(mpi):
    """MPI that a plugin loads is recorded, whether the launcher starts `otter record` or the reverse."""
    plugin = mpi.build("plugin.c", "-shared", "-fPIC")
    host = mpi.build("plugin_host.c", "-ldl", wrapper=mpi.compiler)
    plain = mpi.run(mpi.command((3, [host, plugin])))
    result, found = record(mpi, (3, [host, plugin]))
    inside = pathlib.Path(tempfile.mkdtemp(dir=mpi.folder)) / "inside"
    second = mpi.run(mpi.command((3, [mpi.otter, "record", "-o", inside, host, plugin])))
    for run, ranks in ((result, found), (second, archives(inside))):
        assert sorted(run.stdout.splitlines()) == sorted(plain.stdout.splitlines()), run
        assert sorted(ranks) == [0, 1, 2], run.stderr
        assert Records(ranks[0]).count("MPI_SEND") == 1 and Records(ranks[1]).count("MPI_IRECV") == 1
        for anchor in ranks.values():
            assert Records(anchor).count("MPI_COLLECTIVE_END") >= 1
            mpi.run([mpi.otter, "check", anchor.parent])


def run_foreign(mpi):
    """With the connector of another MPI, a program runs as without any, whether it loads MPI early or late."""
    other, = {"openmpi", "mpich"} - {mpi.name}
    library = pathlib.Path(mpi.library).resolve()
    connector = library.with_name(library.name.replace(mpi.name, other))
    if not connector.exists():
        print(f"left out: {mpi.name}: no {connector.name}")
        return
    host = mpi.build("plugin_host.c", "-ldl", wrapper=mpi.compiler)
    for words in ([host, mpi.build("plugin.c", "-shared", "-fPIC")], [mpi.build("masking.c")]):
        plain = mpi.run(mpi.command((3, words)))
        result = mpi.run(mpi.command((3, ["env", f"LD_PRELOAD={connector}", *words])))
        assert sorted(result.stdout.splitlines()) == sorted(plain.stdout.splitlines()), result
        assert result.stderr.count(f"the process uses {VENDORS[mpi.name]} (LD_PRELOAD=") == 3, result.stderr


def run_lookup(mpi):
    """Calls of functions that the program finds by dlsym are not recorded, and this is the reason that a warning gives."""
    plugin = mpi.build("plugin.c", "-shared", "-fPIC")
    host = mpi.build("plugin_host.c", "-ldl", wrapper=mpi.compiler)
    result, found = record(mpi, (2, [host, plugin, "lookup"]))
    assert not found and result.stderr.count("looks up MPI's functions with dlsym") == 2 and "-fopenmp" not in result.stderr, result.stderr


def run_python(mpi):
    """A Python rank with mpi4py, if that is installed."""
    python = sys.executable
    code = "from mpi4py import MPI; w = MPI.COMM_WORLD; w.barrier(); print('rank', w.rank, w.allreduce(1)); print(MPI.get_vendor()[0])"
    plain = mpi.run(mpi.command((2, [python, "-c", code])), expect=None)
    if plain.returncode != 0 or VENDORS[mpi.name] not in plain.stdout:
        print(f"left out: {mpi.name}: no mpi4py")
        return
    result, found = record(mpi, (2, [python, "-c", code]))
    inside = pathlib.Path(tempfile.mkdtemp(dir=mpi.folder)) / "inside"
    second = mpi.run(mpi.command((2, [mpi.otter, "record", "-o", inside, python, "-c", code])))
    for run, ranks in ((result, found), (second, archives(inside))):
        assert sorted(ranks) == [0, 1] and sorted(run.stdout) == sorted(plain.stdout), run  # lines mix
        assert all(Records(anchor).count("MPI_COLLECTIVE_END") >= 2 for anchor in ranks.values()), run.stderr
    alone = mpi.run([mpi.otter, "record", python, "-c", code])
    assert "for mpi4py: LD_PRELOAD=" in alone.stderr and "-fopenmp" not in alone.stderr, alone.stderr


def main():
    otter, library, name, mpicc, mpirun, compiler, *wanted = sys.argv[1:]
    cases = {"gnu": run_gnu, "gnu_hidden": run_gnu_hidden, "gnu_forbidden": run_gnu_forbidden, "masking": run_masking,
             "late": run_late, "foreign": run_foreign, "lookup": run_lookup, "python": run_python}
    with tempfile.TemporaryDirectory(prefix="otter-mpi-") as folder:
        for word, function in cases.items():
            if not wanted or word in wanted:
                function(Mpi(otter, library, name, mpicc, mpirun, compiler, tempfile.mkdtemp(dir=folder)))
                print(f"ok: {name}: {word}")


if __name__ == "__main__":
    main()
