#!/usr/bin/env python3
"""The critical path of real jobs crosses the right ranks.

usage: path.py OTTER LIBRARY NAME MPICC MPIRUN COMPILER [MODE...]

Each program in path.c waits for one thing: a token, a late rank, or a worker. A rank that must be on the path starts
its work when the others are known to wait for it.
"""
import collections
import csv
import io
import json
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "view"))

import calls  # noqa: E402
import decode  # noqa: E402  test/view/decode.py
import joint  # noqa: E402

FLAGS = ["-D_GNU_SOURCE", "-fopenmp", "-g", "-O1", "-rdynamic", "-ldl"]
LATE, HALO, POLL = 6 * 0.15, 5 * 0.15, 6 * 0.03  # seconds in which rank 1 works and all others wait
ALWAYS = {"MPI_Init": 1, "MPI_Barrier": 1, "MPI_Finalize": 1}  # operations of each program


class Job:
    """A recorded and merged job."""

    def __init__(self, mpi, *parts, expect=0):
        self.mpi, self.out = mpi, pathlib.Path(tempfile.mkdtemp(dir=mpi.folder))
        command = mpi.command(*[(n, [*own, mpi.otter, "record", "--quiet", *words]) for n, words, *own in parts])
        mpi.run(command, expect, OTTER_TRACE_PATH=str(self.out / "job"))
        mpi.recover_all(self.out)
        folders = sorted({anchor.parent for anchor in self.out.rglob("*.otf2")})
        self.merged = self.out / "merged"
        mpi.run([mpi.otter, "merge", "-o", self.merged, *folders])

    def otter(self, *words):
        return self.mpi.run([self.mpi.otter, *words, self.merged])

    def rows(self, table):
        return list(csv.DictReader(io.StringIO(self.otter("report", table, "--csv", "--full").stdout)))

    def path(self):
        """Returns the steps of the path; they add up to the time of the job."""
        steps = self.rows("--critical-path=chain")
        wall = json.loads(self.otter("report", "--json").stdout)["critical_path"]["wall_s"]
        total = sum(float(step["duration_s"]) for step in steps)
        assert abs(total - wall) <= 1e-6 * max(wall, 1), (total, wall)
        by_rank = sum(float(row["on_path_s"]) for row in self.rows("--critical-path=ranks"))
        assert abs(by_rank - wall) <= 1e-6 * max(wall, 1), (by_rank, wall)
        return steps

    def check_threads(self):
        """The output does not depend on the number of threads that read the ranks."""
        for words in (["report"], ["report", "--json"], ["report", "--critical-path=chain"], ["report", "--threads=2"], ["view", "-o", "-"]):
            texts = {self.otter(*words, f"--jobs={threads}").stdout for threads in (1, 2, 8)}
            assert len(texts) == 1, words

    def groups(self):
        """Checks which ranks have the same graph, and where another rank's graph differs."""
        return [line for line in self.otter("graph", "--hash").stdout.splitlines() if " did " in line or " differs " in line]

    def check_page(self, routes):
        """Checks that the page of the job shows the same path, rank by rank, and each message."""
        self.otter("view", "-o", self.out / "page.html")
        page = decode.Page(self.out / "page.html")
        ticks = {}
        for entry in page.index["ranks"]:
            own = page.rank(entry["rank"])
            rows = own.table("job_path") if "job_path" in own.index["tables"] else []
            ticks[entry["rank"]] = sum(row["duration"] for row in rows)
        assert sum(ticks.values()) == page.index["clock"]["end"], (ticks, page.index["clock"])
        for row in self.rows("--critical-path=ranks"):
            seconds = ticks[int(row["rank"].split()[-1])] / page.index["clock"]["resolution"]
            assert abs(seconds - float(row["on_path_s"])) <= 1e-3 * max(seconds, 1), (row, ticks)  # each rank measures its clock
        sends, receives = {}, {}
        for entry in page.index["ranks"]:
            for row in page.rank(entry["rank"]).table("messages"):
                ends = sends if row["is_send"] else receives
                assert row["message"] not in ends, row
                ends[row["message"]] = (entry["rank"], row["time"], row["bytes"])
        assert sends.keys() == receives.keys() and page.index["shortest_message"] == 0, (sends, receives)
        found = collections.Counter((sends[i][0], receives[i][0]) for i in sends)
        assert found == routes, (found, routes)
        for i, (_, time, size) in sends.items():
            assert time < receives[i][1] and size == receives[i][2], (i, sends, receives)
        assert page.index["sentences"], "the page says where the path is"

    def on_path(self):
        """Returns seconds of the path by rank, whatever the rank's threads do in that time."""
        self.path()
        return {int(row["rank"].split()[-1]): float(row["on_path_s"]) for row in self.rows("--critical-path=ranks")}

    def work(self):
        """Returns seconds of work on the path by rank."""
        seconds = {}
        for step in self.path():
            if "path.c" in step["label"] and step["reason"] == "executed":
                rank = int(step["rank"].split()[1])
                seconds[rank] = seconds.get(rank, 0) + float(step["duration_s"])
        return seconds


def check_comparison(before, after):
    """Checks that `otter diff` compares the critical paths across ranks that `otter report` shows."""
    for table, column in (("--critical-path", "realised_s"), ("--critical-path=ranks", "on_path_s")):
        rows = json.loads(before.mpi.run([before.mpi.otter, "diff", "--json", table, before.merged, after.merged]).stdout)
        for side, job in (("before", before), ("after", after)):
            own = {row.get("label", row.get("rank")): float(row[column]) for row in job.rows(table)}
            found = {row.get("label", row.get("rank")): row[column][side]["median"] for row in rows}
            assert abs(sum(own.values()) - sum(found.values())) < 1e-6 * sum(own.values()), (table, side, own, found)
            most = max(own, key=own.get)
            assert abs(own[most] - found[most]) < 1e-6, (table, side, own, found)


def check_ring(mpi, program):
    job = Job(mpi, (4, [program, "ring"]))
    on_path = job.on_path()
    assert sorted(on_path) == [0, 1, 2, 3] and min(on_path.values()) >= 0.99 * 2 * 0.1, on_path  # each rank gets the token twice
    routes = {(0, 1): 2, (1, 2): 2, (2, 3): 2, (3, 0): 1}
    job.check_page(routes)
    job.check_threads()
    joint.check(job, 7, ALWAYS, routes)
    joint.check_flows(job, routes)


def check_rank_1(job, seconds):
    """Checks that whenever all others begin to wait, the path is on rank 1 until they continue."""
    on_path = job.on_path()
    assert on_path[1] >= 0.99 * seconds, on_path


def check_late(mpi, program):
    job = Job(mpi, (3, [program, "late"]))
    check_rank_1(job, LATE)
    text = job.otter("report").stdout
    assert "on rank 1" in text and "last arrivals at collective operations, most for rank" in " ".join(text.split()), text
    findings = {finding["kind"]: finding for finding in json.loads(job.otter("report", "--json").stdout)["findings"]}
    imbalance = findings["rank imbalance"]
    assert imbalance["what"] == "rank 1" and 1 not in [share["rank"] for share in imbalance["ranks"]], imbalance
    assert imbalance["gain_s"] > 0.2 and "rank imbalance: rank 1" in job.otter("report", "--findings").stdout, imbalance
    # rank 1 works for 0.9 s or more, and the waits of the others become shorter with this work
    label = max((row for row in job.rows("--labels") if "path.c" in row["label"]), key=lambda row: float(row["executed_s"]))["label"]
    found = json.loads(job.otter("report", "--json", f"--what-if={label}=0.1x").stdout)
    now, then = ({own["rank"]: own for own in part["ranks"]} for part in (found["replayed"], found["what_if"][0]))
    assert now[1]["outside_mpi_s"] - then[1]["outside_mpi_s"] > 0.7, found
    assert now[0]["waits_s"] - then[0]["waits_s"] > 0.3 and found["replayed"]["least_s"] - found["what_if"][0]["least_s"] > 0.3, found
    # load on the machine may make another rank later at MPI_Init
    waits = {row["rank"]: float(row["others_waited_s"]) for row in job.rows("--critical-path=ranks")}
    assert waits["rank 1"] > 0.3, waits
    joint.check(job, 0, ALWAYS | {"MPI_Allreduce": 6})


def check_master(mpi, program):
    job = Job(mpi, (3, [program, "master"]))
    on_path = job.on_path()
    assert 0 not in job.work() and on_path[1] + on_path[2] >= 0.2, on_path
    assert job.groups()[:2] == ["rank 0 differs from all other ranks", "ranks 1-2 did the same"], job.groups()
    messages = json.loads(job.otter("report", "--json").stdout)["critical_path"]
    assert messages["messages"] == 12 and messages["unmatched_sends"] == messages["unmatched_receives"] == 0, messages
    joint.check(job, 12, ALWAYS, {(0, 1): 3, (1, 0): 3, (0, 2): 3, (2, 0): 3})


def check_halo(mpi, program):
    job = Job(mpi, (3, [program, "halo"]))
    assert job.groups() == ["ranks 0-2 did the same"], job.groups()
    late = Job(mpi, (3, [program, "late"]))
    other = late.merged
    check_comparison(late, job)
    compared = json.loads(job.otter("diff", "--json", other).stdout)
    assert [row["graphs"] for row in compared["ranks"]] == ["different"] * 3, compared["ranks"]
    assert compared["graphs"]["rank_of_first_difference"] == 0, compared["graphs"]
    assert "in all ranks" in " ".join(job.otter("diff", job.merged).stdout.split())
    check_rank_1(job, HALO)
    path = json.loads(job.otter("report", "--json").stdout)["critical_path"]
    assert path["messages"] == 30 and path["unmatched_sends"] == path["unmatched_receives"] == 0, path
    routes = {(a, b): 5 for a in range(3) for b in range(3) if a != b}
    joint.check(job, 30, ALWAYS, routes)
    joint.check_flows(job, routes)


def check_poll(mpi, program):
    """The path leaves the polling rank at each of six messages, since rank 1 works while rank 0 polls."""
    job = Job(mpi, (2, [program, "poll"]))
    check_rank_1(job, POLL)
    assert job.work().get(0, 0) > 0.5, job.work()
    waits = {row["rank"]: float(row["late_senders_s"]) for row in job.rows("--critical-path=ranks")}
    assert waits["rank 0"] >= 0.99 * POLL, waits


def check_chain(mpi, program):
    """Rank 0 waits for rank 1, because of rank 2."""
    job = Job(mpi, (3, [program, "chain"]))
    ranks = json.loads(job.otter("report", "--json").stdout)["critical_path"]["ranks"]
    direct, root = ([rank[f"{what}_late_senders_s"] for rank in ranks] for what in ("caused", "root_cause"))
    assert direct[1] > 0.2 and direct[2] > 0.2, ranks
    assert root[2] > 0.4 and root[1] < 0.5 * direct[1], ranks
    assert abs(sum(direct) - sum(root)) < 1e-6, ranks


def check_programs(mpi, program):
    """Two programs of one job (MPMD)."""
    other = mpi.build("path.c", *FLAGS)
    check_rank_1(Job(mpi, (1, [program, "late"]), (2, [other, "late"])), LATE)


def check_unrecorded(mpi, program):
    """Ranks 0 and 1 match their operations without rank 2, whose MPI calls are not recorded."""
    job = Job(mpi, (2, [program, "late"]), (1, [program, "late"], "env", "OTTER_MPI=off"))
    path = json.loads(job.otter("report", "--json").stdout)["critical_path"]
    assert path["collectives"] == path["partial_collectives"] == sum(ALWAYS.values()) + 6, path
    assert path["unmatched_collectives"] == 0, path
    check_rank_1(job, LATE)
    text = " ".join(job.otter("report").stdout.split())
    assert "9 collective operations without all members: no MPI call was recorded for rank 2." in text, text
    graph = job.otter("graph", "-o", "graph.gv")
    assert "9 collective operations without all members" in graph.stderr, graph.stderr


def check_dies(mpi, program):
    job = Job(mpi, (2, [program, "dies"]), expect=None)
    path = json.loads(job.otter("report", "--json").stdout)["critical_path"]
    assert path["unmatched_sends"] == 1 and path["messages"] == 1, path
    assert "without a partner in another rank: 1 send, 0 receives" in " ".join(job.otter("report").stdout.split())
    job.path()
    graph = job.otter("graph", "-o", "graph.gv")
    assert "no edge for operations without a partner in another rank: 1 send, 0 receives" in graph.stderr, graph.stderr
    export = job.otter("export", "--to=chrome", "-o", "dies.json")
    assert "no flow for 1 send or receive without a partner in another rank" in export.stderr, export.stderr


def main():
    otter, library, name, mpicc, mpirun, compiler, *wanted = sys.argv[1:]
    assert pathlib.Path(library).exists(), library
    checks = {"ring": check_ring, "late": check_late, "master": check_master, "halo": check_halo, "poll": check_poll, "chain": check_chain, "programs": check_programs, "unrecorded": check_unrecorded, "dies": check_dies}
    with tempfile.TemporaryDirectory(prefix="otter-path-") as folder:
        mpi = calls.Mpi(otter, library, name, mpicc, mpirun, compiler, folder)
        program = mpi.build("path.c", *FLAGS)
        for mode, check in checks.items():
            if not wanted or mode in wanted:
                check(mpi, program)
                print(f"ok: {name} {mode}")


if __name__ == "__main__":
    main()
