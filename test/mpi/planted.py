#!/usr/bin/env python3
"""Jobs with a planted fault (planted.c): the findings name the fault and its rank.

usage: planted.py OTTER LIBRARY NAME MPICC MPIRUN COMPILER [--quiet-machine] [FAULT...]

The faults were written down before the first run. Ranks nap instead of working, and the late rank naps after all others
have arrived. So load on the machine only makes the others wait longer for the same rank, and the fault is among the
findings. `crowd` computes on more ranks than processors. In `turns`, load may delay one rank more than its turn does.

With --quiet-machine, the first finding must be the fault. Ranks of MPICH keep their processors while they wait, so with more
ranks than processors, each step of MPI_Comm_dup or of a fence takes a time slice: the naps of these faults are longer. The
suite analysis tests findings with exact events.
"""
import json
import os
import pathlib
import sys
import tempfile

import calls

IMBALANCE, SENDERS, RECEIVERS, ARRIVALS, CROWD = "rank imbalance", "late senders", "late receivers", "last arrivals", "oversubscription"
FAULTS = {
    "imbalance": (IMBALANCE, "rank 2"), "sender": (SENDERS, "rank 1"), "chain": (IMBALANCE, "rank 0"), "master": (IMBALANCE, "rank 0"),
    "halo": (IMBALANCE, "rank 2"), "split": (IMBALANCE, "rank 3"), "duplicate": (IMBALANCE, "rank 1"), "onesided": (IMBALANCE, "rank 1"),
    "sleep": (IMBALANCE, "rank 1"), "crowd": (CROWD, None), "receiver": (RECEIVERS, "rank 1"), "root": (ARRIVALS, "rank 3"),
    "serial": (IMBALANCE, "rank 0"), "turns": (ARRIVALS, None),
}
CODE = "from MPI_Allreduce to MPI_Allreduce"
SLEEPS = "it uses no processor time"


def check_rows(report, kind, guilty):
    """The guilty rank's row must name the same cause, and the other rows must name the guilty rank."""
    for row in report["ranks"]:
        own = guilty == f"rank {row['rank']}"
        wanted = f"{kind}: {'this rank' if own else guilty}" if guilty else kind
        assert row["first_finding"].startswith(wanted) or not own, row


def check_finding(report, mpi, fault):
    kind, guilty = FAULTS[fault]
    first = report["findings"][0]
    found = (first["kind"], first.get("what") if guilty else None)
    assert found == (kind, guilty), f"{mpi.name} {fault}: {json.dumps(report['findings'], indent=1)}"
    check_rows(report, kind, guilty)
    assert fault != "sleep" or SLEEPS in first["text"], first


def check_some_finding(report, mpi, fault):
    """The planted finding is among all findings. Late messages may name no rank if load also delays others, but never a wrong one."""
    kind, guilty = FAULTS[fault]
    kinds = (ARRIVALS, IMBALANCE) if fault == "turns" else (kind,)
    names = {one.get("what") for one in report["findings"] if one["kind"] in kinds}
    is_found = guilty in names or (names if guilty is None else kind != IMBALANCE and names == {None})
    assert is_found, f"{mpi.name} {fault}: {json.dumps(report['findings'], indent=1)}"


def check_advice(report, n):
    """If ranks share processors, their exchange of data is slow for that reason."""
    is_shared = n > len(os.sched_getaffinity(0))
    for one in report["findings"]:
        if one["kind"] == "MPI" and "exchange data, longest" in one["text"]:
            assert ("ranks that poll in MPI" in one["text"]) == is_shared, one["text"]
            assert ("Send fewer" in one["text"]) != is_shared, one["text"]


def record(mpi, n, program, fault):
    out = pathlib.Path(tempfile.mkdtemp(dir=mpi.folder))
    (out / "arrived").write_bytes(bytes(4096))
    mpi.run(mpi.command((n, [mpi.otter, "record", "--quiet", "-o", out / "job", program, fault, out / "arrived"])))
    return out / "job"


def check(mpi, program, fault, is_quiet):
    kind, guilty = FAULTS[fault]
    n = 2 * len(os.sched_getaffinity(0)) + 2 if fault == "crowd" else 4
    out = record(mpi, n, program, fault)
    report = json.loads(mpi.run([mpi.otter, "report", "--json", out]).stdout)
    (check_finding if is_quiet else check_some_finding)(report, mpi, fault)
    check_advice(report, n)
    info = json.loads(mpi.run([mpi.otter, "info", "--json", out]).stdout)
    assert all(row["processors"] == len(os.sched_getaffinity(0)) for row in report["ranks"] + info["ranks"]), (report["ranks"], info)
    if fault in ("duplicate", "split", "onesided"):
        assert "no partners" not in json.dumps(report), report["findings"]
    print(f"ok: {mpi.name}: {fault}")


def check_what_if(mpi, program):
    """Calls of MPI and the code between them can be changed like all labels of --labels."""
    out = record(mpi, 4, program, "imbalance")
    labels = mpi.run([mpi.otter, "report", "--csv", "--labels", out]).stdout
    assert labels.count(CODE) == 4 and "(no label)" not in labels, labels
    def longest(change):
        prediction = json.loads(mpi.run([mpi.otter, "report", "--json", f"--what-if={change}", out]).stdout)
        return prediction["what_if"][-1]["most_s"]
    walls = {change: longest(change) for change in ("MPI_Allreduce=0.5x", "(no label)=0.5x", "(no label)=1x", f"{CODE}=0.5x", f"rank 2: {CODE}=0.5x")}
    assert walls["(no label)=0.5x"] < walls["(no label)=1x"], walls  # naps of 30 ms become shorter
    assert walls[f"{CODE}=0.5x"] < walls["(no label)=1x"], walls  # which most naps are in
    assert walls[f"rank 2: {CODE}=0.5x"] < walls["(no label)=1x"], walls  # the others wait for rank 2
    missing = mpi.run([mpi.otter, "report", "--what-if=rank 9: (no label)=0.5x", out], expect=None)
    assert missing.returncode != 0 and "in rank 9 of this run" in missing.stderr, missing


def main():
    otter, library, name, mpicc, mpirun, compiler, *wanted = [word for word in sys.argv[1:] if word != "--quiet-machine"]
    with tempfile.TemporaryDirectory(prefix="otter-mpi-") as folder:
        mpi = calls.Mpi(otter, library, name, mpicc, mpirun, compiler, folder)
        mpi.environment = {key: value for key, value in mpi.environment.items() if "single_copy" not in key}  # windows need it
        program = mpi.build("planted.c", "-g", "-O1")
        for fault in FAULTS:
            if not wanted or fault in wanted:
                check(mpi, program, fault, "--quiet-machine" in sys.argv)
        if not wanted or "what_if" in wanted:
            check_what_if(mpi, program)


if __name__ == "__main__":
    main()
