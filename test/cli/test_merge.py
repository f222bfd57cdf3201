#!/usr/bin/env python3
"""`otter merge` makes one archive from the archives of ranks, in which each rank is unchanged."""
import collections
import csv
import json
import os
import re
import shutil
import subprocess
import unittest

import case

RANKS = 4
HEADING = "rank       hostname             offset_median        offset_mean          offset_std\n"


class MergeCase(case.CommandCase):
    """The recordings have no switches, so that the archives have no locations of processors to count."""

    def setUp(self):
        super().setUp()
        self.environment["OTTER_SWITCHES"] = "off"

    def record_rank(self, rank, *words, folder=None, ranks=RANKS, **variables):
        """Records a program as the rank of a job, and returns the archive's folder."""
        folder = folder or self.folder / "job"
        self.environment |= {"PMI_RANK": str(rank), "PMI_SIZE": str(ranks), "PMI_JOBID": "7", **variables}
        result = self.record("--quiet", f"--folder={folder}", *(words or (self.tool("tasks"),)))
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return folder / f"rank-{rank:04}"

    def record_job(self, ranks=RANKS):
        tasks = self.tool("tasks")
        return [self.record_rank(rank, tasks, ranks=ranks, OMP_NUM_THREADS=str(2 + rank % 2)) for rank in range(ranks)]

    def merge(self, *arguments, **options):
        return self.run_otter("merge", *arguments, **options)

    def read(self, *words):
        result = self.run_otter(*words)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def leftovers(self, *folders):
        return [path for folder in (self.folder, *folders) for path in folder.glob(".otter-merge-*")]

    def files(self, folder):
        return {path.relative_to(folder): (path.stat().st_ino, path.stat().st_mtime_ns)
                for path in sorted(folder.rglob("*")) if path.is_file()}


class TestRanks(MergeCase):
    def test_a_merged_archive_remains_without_the_archives_of_its_ranks(self):
        self.record_job()
        result = self.merge("-o", "m", "job")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertIn("m: 4 ranks, 10 locations\nclocks: exact, one host\n", result.stdout)
        shutil.rmtree(self.folder / "job")  # hard links remain
        self.assertEqual(self.leftovers(), [])
        for rank in range(RANKS):
            self.assertIn("10 created, 10 completed", self.read("info", f"--rank={rank}", "m"))

    def test_all_commands_print_the_same_of_a_rank(self):
        archives = self.record_job()
        self.assertEqual(self.merge("-o", "m", "job").returncode, 0)
        for rank, alone in enumerate(archives):
            for words in (["report"], ["report", "--json"], ["report", "--tasks", "--csv"], ["check"], ["check", "--json"],
                          ["graph", "--hash"], ["graph", "-f", "csv", "-o", "-"], ["export", "--to=csv", "-o", "-"],
                          ["export", "--to=collapsed", "-o", "-"]):
                with self.subTest(rank=rank, words=words):
                    before = self.read(*words, alone.relative_to(self.folder)).replace("job/rank-", "X/rank-")
                    after = self.read(*words, f"--rank={rank}", "m").replace("m/rank-", "X/rank-")
                    self.assertEqual(before, after)
            path = self.read("info", "--json", "--all", f"m/rank-{rank}")
            before, after = json.loads(self.read("info", "--json", "--all", alone)), json.loads(path)
            differing = {name for name in before if before[name] != after.get(name)}
            self.assertLessEqual(differing, {"folder", "anchor", "size", "bytes_per_task", "size_per_task"})

    def test_definitions_are_unified(self):
        self.record_job(2)
        self.assertEqual(self.merge("-o", "m", "job").returncode, 0)
        if not shutil.which("otf2-print"):
            self.skipTest("otf2-print is not installed")
        text = subprocess.run(["otf2-print", "-G", self.folder / "m/traces.otf2"], capture_output=True, text=True).stdout
        alone = subprocess.run(["otf2-print", "-G", self.folder / "job/rank-0000/traces.otf2"], capture_output=True,
                               text=True).stdout
        for kind in ("REGION", "PARAMETER"):
            count = [len(re.findall(rf"^{kind} ", each, re.M)) for each in (text, alone)]
            self.assertEqual(count[0], count[1], kind)  # both ranks ran the same program
        self.assertEqual(len(re.findall(r"^LOCATION_GROUP ", text, re.M)), 2)
        self.assertEqual(len(re.findall(r'^COMM +\d+ +Name: "All threads"', text, re.M)), 2)
        self.assertEqual(len(re.findall(r"^SYSTEM_TREE_NODE ", text, re.M)), 2)
        names = re.findall(r'^STRING +\d+  ("(?:[^"\\]|\\.)*")$', text, re.M)
        self.assertEqual(len(names), len(set(names)))

    def test_other_readers_read_every_event_once(self):
        archives = self.record_job()
        self.assertEqual(self.merge("-o", "m", "job").returncode, 0)
        if not shutil.which("otf2-print"):
            self.skipTest("otf2-print is not installed")
        event = re.compile(r"^[A-Z_]+ +\d+ +\d+  ", re.M)

        def events(path):
            result = subprocess.run(["otf2-print", path / "traces.otf2"], capture_output=True, text=True)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            return len(event.findall(result.stdout))
        self.assertEqual(events(self.folder / "m"), sum(map(events, archives)))

    def test_event_files_are_links_and_nothing_of_the_ranks_changes(self):
        archives = self.record_job(2)
        before = [self.files(path) for path in archives]
        self.assertEqual(self.merge("-o", "m", *archives).returncode, 0)
        self.assertEqual([self.files(path) for path in archives], before)
        events = sorted((self.folder / "m/traces").glob("*.evt"))
        self.assertTrue(all(path.stat().st_nlink == 2 for path in events))
        self.assertEqual(self.merge("--copy", "-o", "copy", *archives).returncode, 0)
        copies = sorted((self.folder / "copy/traces").glob("*.evt"))
        self.assertTrue(all(path.stat().st_nlink == 1 for path in copies))
        self.assertEqual([path.read_bytes() for path in copies], [path.read_bytes() for path in events])

    def test_a_folder_becomes_the_archive_and_can_be_merged_again(self):
        self.record_job(2)
        for _ in range(2):
            result = self.merge("job/")
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertEqual(self.read("graph", "--hash", "--rank=1", "job"), self.read("graph", "--hash", "job/rank-0001"))
            self.assertEqual(self.leftovers(self.folder / "job"), [])

    def test_a_merge_replaces_no_archive_with_other_events(self):
        alone = self.record_rank(0).rename(self.folder / "a")
        self.record_rank(1, folder=alone)
        before = self.files(alone)
        self.assert_fails(self.merge("a"), 1, "'a' is the archive of one process", "--output")
        self.assertEqual((self.files(alone), self.leftovers(alone)), (before, []))

    def test_a_repeated_merge_keeps_ranks_whose_own_archives_are_gone(self):
        archives = self.record_job(2)
        self.assertEqual(self.merge("job").returncode, 0)
        shutil.move(archives[1], self.folder / "away")
        self.assert_fails(self.merge("job"), 1, "'job' contains the only copy of the events of rank 1", "--output")
        self.record_rank(1, ranks=2)  # of another run
        before = self.files(self.folder / "job")
        self.assert_fails(self.merge("job"), 1, "'job' contains the only copy of the events of rank 1", "--output")
        self.assertEqual(self.files(self.folder / "job"), before)
        (self.folder / "job/traces.def").write_bytes(b"damage")
        self.assert_fails(self.merge("job"), 1, "which cannot be read", "--output")

    def test_a_repeated_merge_keeps_the_files_of_others(self):
        self.record_job(2)
        self.assertEqual(self.merge("job").returncode, 0)
        self.write("job/traces/notes", "mine")
        self.assertEqual(self.merge("job").returncode, 0)
        self.assertEqual((self.folder / "job/traces/notes").read_text(), "mine")
        self.assertEqual(self.read("graph", "--hash", "--rank=1", "job"), self.read("graph", "--hash", "job/rank-0001"))
        self.assertEqual(self.leftovers(self.folder / "job"), [])

    def test_a_wrong_rank_is_refused(self):
        self.record_job(2)
        self.assertEqual(self.merge("-o", "m", "job").returncode, 0)
        self.assert_fails(self.run_otter("report", "--rank=7", "m"), 1, "'m' has no rank 7: it has 2 ranks, from 0 to 1")
        for command in ("report", "info", "check", "export", "graph"):
            for rank in ("x", "-1"):
                options = ["--to=csv"] if command == "export" else []
                self.assert_fails(self.run_otter(command, *options, f"--rank={rank}", "m"), 2, f"--rank takes the number of a rank, from 0 on, not '{rank}'")
        self.assert_fails(self.run_otter("report", "--rank=0", "job/rank-0001"), 1, "is the archive of one process")

    def test_ranks_can_be_compared(self):
        self.record_job(2)
        self.assertEqual(self.merge("-o", "m", "job").returncode, 0)
        self.assertIn("equal, task by task", self.read("diff", "m/rank-0", "job/rank-0000"))
        self.assertIn("equal, task by task", self.read("diff", "--rank=1", "m", "m"))


class TestGraphOfAllRanks(MergeCase):
    """Without messages, the job's graph is the ranks' graphs side by side (test/mpi tests jobs with messages)."""

    def graph(self, *words, archive="m"):
        return json.loads(self.read("graph", "-f", "json", "-o", "-", *words, archive))

    def merge_job(self, ranks):
        self.record_job(ranks)
        self.assertEqual(self.merge("-o", "m", "job").returncode, 0)

    def test_nodes_and_edges_are_those_of_the_ranks(self):
        self.merge_job(3)
        for view in ("structure", "fragments"):
            alone = [self.graph(f"--view={view}", f"--rank={rank}") for rank in range(3)]
            all_ranks = self.graph(f"--view={view}")
            offset = 0
            for rank, graph in enumerate(alone):
                own = [node for node in all_ranks["nodes"] if node["rank"] == rank]
                same = ("kind", "what", "where", "line", "location", "thread")
                self.assertEqual([[node.get(name) for name in same] for node in own],
                                 [[node.get(name) for name in same] for node in graph["nodes"]])
                self.assertEqual([node["id"] for node in own], [offset + node["id"] for node in graph["nodes"]])
                self.assertEqual([node.get("task") for node in own],
                                 [f"{rank}/{node['task']}" if "task" in node else None for node in graph["nodes"]])
                edges = [edge for edge in all_ranks["edges"] if 0 <= edge["source"] - offset < len(own)]
                self.assertEqual([(edge["source"] - offset, edge["target"] - offset, edge["kind"]) for edge in edges],
                                 [(edge["source"], edge["target"], edge["kind"]) for edge in graph["edges"]])
                offset += len(own)
            self.assertEqual(len(all_ranks["nodes"]), offset)
            self.assertEqual(len(all_ranks["teams"]), sum(len(graph["teams"]) for graph in alone))

    def test_a_task_is_named_with_its_rank(self):
        self.merge_job(2)
        task = next(node["task"] for node in self.graph("--rank=1")["nodes"] if "task" in node)
        part, alone = self.graph(f"--root=1/{task}"), self.graph(f"--root={task}", "--rank=1")
        self.assertEqual(len(part["nodes"]), len(alone["nodes"]))
        self.assertEqual({node["rank"] for node in part["nodes"]}, {1})
        self.assert_fails(self.run_otter("graph", f"--root={task}", "m"), 1, "the id of a task begins with its rank, as in 0/1:17")
        self.assert_fails(self.run_otter("graph", f"--root=7/{task}", "m"), 1, f"there is no task '7/{task}' in this graph")
        self.assert_fails(self.run_otter("graph", "--rank=1", f"--root=1/{task}", "m"), 1, "the ids of its tasks have no ranks, as in 1:17")
        self.assert_fails(self.run_otter("graph", "--root=1/7", "m"), 2, "of several ranks 0/1:17")

    def test_a_picture_frames_each_rank(self):
        self.merge_job(2)
        result = self.run_otter("graph", "-o", "-", "m")
        self.assertEqual(re.findall(r'subgraph (\S+) { label="([^"]*)"', result.stdout), [("cluster_rank0", "rank 0"), ("cluster_rank1", "rank 1")])
        self.assertIn("structure: 2 ranks, ", result.stdout)
        self.assertIn("there are no edges between ranks: no MPI call was recorded that exchanges data", result.stderr)
        self.assertIn("grouped by label", self.read("graph", "--group=label", "-o", "-", "m"))

    def test_teams_of_all_ranks_cannot_be_folded(self):
        self.merge_job(2)
        self.assert_fails(self.run_otter("graph", "--fold-team", "m"), 1, "'--fold-team' folds the graph of one rank: choose one with --rank=N")

    def test_a_damaged_rank_is_left_out(self):
        self.merge_job(3)
        definitions = sorted((self.folder / "m/traces").glob("*.def"), key=lambda path: int(path.stem))
        ranks = [node["rank"] for node in self.graph()["nodes"]]
        n_locations = len({node["location"] for node in self.graph()["nodes"] if node["rank"] == 0})
        self.assertEqual(sorted(set(ranks)), [0, 1, 2])
        for path in definitions[:n_locations + 1]:
            path.unlink()
            path.write_bytes(b"damaged")
        result = self.run_otter("graph", "-f", "json", "-o", "-", "m")
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("rank 0", result.stderr)
        self.assertEqual(sorted({node["rank"] for node in json.loads(result.stdout)["nodes"]}), [1, 2])


class TestAllRanks(MergeCase):
    def test_hashes_name_the_ranks_that_did_the_same(self):
        tasks = self.tool("tasks")
        for rank in range(RANKS):
            self.record_rank(rank, tasks, *(["regions"] if rank == 3 else []), OMP_NUM_THREADS="2")
        self.assertEqual(self.merge("-o", "m", "job").returncode, 0)
        text = self.read("graph", "--hash", "m")
        alone = [self.read("graph", "--hash", f"job/rank-{rank:04}").strip() for rank in range(RANKS)]
        lines = text.splitlines()
        self.assertLessEqual(max(map(len, lines)), 80)
        difference, last = " ".join(lines[RANKS + 2:-1]), lines[-1]
        self.assertEqual(lines[:RANKS + 2], [*(f"{code}  rank {rank}" for rank, code in enumerate(alone)), "ranks 0-2 did the same",
                                 "rank 3 differs from all other ranks"])
        self.assertRegex(difference, r"^rank 3 differs from rank 0: rank 0 has parallel tasks.c:\d+, rank 3 has parallel tasks.c:\d+; in ")
        self.assertEqual(last, "next: otter diff m/rank-0000 m/rank-0003")

    def test_check_has_a_verdict_of_all_ranks(self):
        self.record_job(2)
        self.assertEqual(self.merge("-o", "m", "job").returncode, 0)
        self.assertTrue(self.read("check", "m").endswith("\nm: 2 of 2 ranks passed\n"))
        self.assertEqual([each["folder"] for each in json.loads(self.read("check", "--json", "m"))],
                         ["m/rank-0000", "m/rank-0001"])
        os.remove(self.folder / "m/traces/2.evt")
        result = self.run_otter("check", "m")
        self.assertEqual(result.returncode, 1)
        self.assertTrue(result.stdout.endswith("\nm: 1 of 2 ranks passed\n"), result.stdout)

    def test_output_does_not_depend_on_the_number_of_threads(self):
        self.record_job(5)
        self.assertEqual(self.merge("-o", "m", "job").returncode, 0)
        (self.folder / "m/traces/2.evt").write_bytes(b"damaged")  # ranks with messages of their own
        (self.folder / "m/traces/4.def").unlink()
        for status, *words in ((0, "report"), (0, "report", "--findings"), (0, "report", "--json"), (0, "report", "--tasks", "--csv"),
                               (0, "report", "--critical-path"), (0, "report", "--threads=4", "--what-if", "task=0.5x"),
                               (1, "check"), (1, "check", "--json"), (0, "graph", "--hash"), (0, "graph", "-f", "csv", "-o", "-"),
                               (1, "info", "--all"), (0, "diff", "m"), (0, "view", "-o", "-"),
                               (0, "report", "--max-memory=1M"), (0, "view", "-o", "-", "--max-memory=1M")):
            self.environment.pop("OMP_NUM_THREADS", None)
            with self.subTest(words=words):
                results = [self.run_otter(*words, f"--jobs={threads}", "m") for threads in (1, 2, 3, 8)]
                self.environment["OMP_NUM_THREADS"] = "2"
                results.append(self.run_otter(*words, "m"))
                self.assertEqual(results[0].returncode, status, results[0].stderr)
                for result in results:  # the first rank that needs files says so
                    result.stderr = re.sub(".*large arrays are stored in files.*\n", "", result.stderr)
                for result in results[1:]:
                    self.assertEqual((result.returncode, result.stdout, result.stderr),
                                     (results[0].returncode, results[0].stdout, results[0].stderr))
        self.assert_fails(self.run_otter("report", "--jobs=0", "m"), 2, "--jobs takes the number of ranks to read at a time, from 1 to 4096, not '0'")

    def test_info_has_a_line_of_each_rank(self):
        self.record_job(2)
        self.assertEqual(self.merge("-o", "m", "job").returncode, 0)
        lines = self.read("info", "m").splitlines()
        self.assertEqual(lines[:3], ["m", "  ranks        2 of 2", "  clocks       exact"])
        self.assertEqual([line.split()[0] for line in lines[5:-2]], ["0", "1", "all"])
        self.assertEqual(lines[4].split(), ["rank", "locations", "events", "tasks", "lost", "time", "span", "processors", "host"])
        self.assertEqual([line.split()[3] for line in lines[5:-2]], ["10", "10", "20"])
        job = json.loads(self.read("info", "--json", "m"))
        self.assertEqual([int(line.split()[7]) for line in lines[5:-3]], [row["processors"] for row in job["ranks"]])
        self.assertEqual(lines[-2:], ["", "next: otter graph --hash m"])
        self.environment["COLUMNS"] = "60"
        narrow = self.read("info", "m").splitlines()
        self.assertEqual(narrow[4].split(), ["rank", "events", "tasks", "lost", "time", "span", "processors"])
        self.assertEqual([line for line in narrow if len(line) > 60], [])

    def test_processors_of_a_killed_rank_are_unknown(self):
        self.record_rank(0, ranks=2)
        self.environment["PMI_RANK"] = "1"
        with subprocess.Popen([self.otter, "record", "--quiet", f"--folder={self.folder}/job", self.tool("endless")],
                              stdout=subprocess.PIPE, env=self.environment, cwd=self.folder) as process:
            self.assertEqual(process.stdout.read(6), b"ready\n")
            process.kill()
            process.stdout.read()  # until the program has ended too
        self.read("recover", "job/rank-0001.recording")
        rows = [line.split() for line in self.read("info", "job").splitlines()]
        self.assertEqual([row[7] for row in rows if row and row[0] == "1"], ["-"])

    def test_report_compares_the_ranks(self):
        self.record_job(3)
        self.assertEqual(self.merge("-o", "m", "job").returncode, 0)
        rows = json.loads(self.read("report", "--json", "m"))["ranks"]
        self.assertEqual([row["rank"] for row in rows], [0, 1, 2])
        for row in rows:
            alone = json.loads(self.read("report", "--json", f"--rank={row['rank']}", "m"))
            for name in ("threads", "wall_s", "work_s", "complete"):
                self.assertEqual(row[name], alone[name], name)
            self.assertEqual(row["efficiency"], alone["efficiency"]["total"])
            self.assertEqual(row["regions_efficiency"], alone["efficiency"]["regions"])
        lines = self.read("report", "m").splitlines()
        self.assertEqual(lines[:2], [f"{self.tool('tasks')} (m)", "3 of 3 ranks, clocks: exact"])
        job = json.loads(self.read("report", "--json", "m"))
        self.assertEqual(job["threads"], sum(row["threads"] for row in rows))
        self.assertAlmostEqual(job["work_s"], sum(row["work_s"] for row in rows), delta=0.01 * job["work_s"])  # each rank measures its clock
        self.assertTrue(min(row["efficiency"] for row in rows) <= job["efficiency"] <= max(row["efficiency"] for row in rows))
        self.assertRegex(lines[2], rf"^{job['threads']} threads.*, .*: speed-up \d+\.\d\d, efficiency {100 * job['efficiency']:.1f} %$")
        work = [row["work_s"] for row in rows]
        line = next(line for line in lines if line.startswith("  work T1")).split()
        self.assertEqual((line[5], line[-1]), (str(work.index(min(work))), str(work.index(max(work)))))
        first = next(i for i, line in enumerate(lines) if line.split()[:2] == ["rank", "wall"]) + 1
        order = [int(line.split()[0]) for line in lines[first:first + 3]]
        mean = sum(work) / 3
        self.assertEqual(order, sorted(range(3), key=lambda rank: (-abs(work[rank] - mean), rank)))
        self.assertEqual(lines[-1], f"next: otter report --rank={order[0]} m")

    def test_info_prints_all_of_each_rank_and_json_of_the_job(self):
        self.record_job(3)
        self.assertEqual(self.merge("-o", "m", "job").returncode, 0)
        job = json.loads(self.read("info", "--json", "m"))
        self.assertEqual((job["archive"], job["ranks_of_job"], job["clocks"]), ("m", 3, "exact"))
        self.assertEqual([row["rank"] for row in job["ranks"]], [0, 1, 2])
        for row in job["ranks"]:
            alone = json.loads(self.read("info", "--json", f"--rank={row['rank']}", "m"))
            self.assertEqual((row["locations"], row["cut_off"]), (len(alone["locations"]), False))
        self.assertEqual(job["locations"], sum(row["locations"] for row in job["ranks"]))
        text = self.read("info", "--all", "m")
        self.assertTrue(text.startswith(self.read("info", "m")))
        for rank in range(3):
            self.assertIn(f"\nrank {rank}\n" + self.read("info", "--all", f"--rank={rank}", "m"), text)

    @unittest.skipUnless(os.geteuid() == 0, "the test runs a command as another user")
    def test_a_job_that_cannot_be_written_is_merged_elsewhere(self):
        self.record_job(2)
        (self.folder / "mine").mkdir()
        (self.folder / "mine").chmod(0o777)
        self.let_others_run_otter()
        result = self.run_otter("report", "job", user=65534, group=65534)
        self.assert_fails(result, 1, "cannot write the archive 'job'", "to write it elsewhere: otter merge -o NAME job")
        self.assertEqual(self.run_otter("merge", "-o", "mine/m", "job", user=65534, group=65534).returncode, 0)

    def test_a_rank_with_two_archives_is_read_alone(self):
        script = 'export PMI_RANK=0 PMI_SIZE=2 PMI_JOBID=7; "$0"; "$0"'
        result = self.record("--folder=job", "sh", "-c", script, self.tool("tasks"))
        self.assertIn("otter: next: otter report job/rank-0000.2\n", result.stderr)
        self.read("report", "job/rank-0000.2")
        self.assert_fails(self.run_otter("report", "job"), 1, "both belong to rank 0, as after MPI_Comm_spawn", "otter report job/rank-0000")

    def test_a_report_says_that_no_call_of_mpi_was_recorded(self):
        self.record_job(2)
        self.assertEqual(self.merge("-o", "m", "job").returncode, 0)
        report = self.read("report", "m")
        self.assertIn("\nThe MPI calls were not recorded (OTTER_MPI): their time counts as execution.\n", report)
        self.assertNotRegex(report, r"(?m)^ +(in )?MPI ")
        self.assertEqual([row["mpi_recorded"] for row in json.loads(self.read("report", "--json", "m"))["ranks"]], [False, False])
        self.assertIn("its MPI calls were not recorded: their time counts as execution", " ".join(self.read("report", "--rank=1", "m").split()))

    def test_predictions_for_the_job_are_those_of_its_ranks(self):
        """These ranks do not call MPI, so the job ends when the last of them ends."""
        self.record_job(3)
        self.assertEqual(self.merge("-o", "m", "job").returncode, 0)
        for option in ("--threads=1..2", "--what-if=initial task=0.5x"):
            with self.subTest(option=option):
                job = json.loads(self.read("report", option, "--json", "m"))
                name = "what_if" if "what" in option else "predicted"
                self.assertEqual(len(job[name]), 1 if "what" in option else 2)
                for i, item in enumerate(job[name]):
                    alone = [json.loads(self.read("report", option, "--json", f"--rank={rank}", "m"))[name][i] for rank in range(3)]
                    for own, rank in zip(item["ranks"], alone):
                        # each rank measures the rate of its clock by itself
                        self.assertTrue(0.99 * rank["least_s"] <= own["outside_mpi_s"] <= 1.01 * rank["most_s"], (own, rank))
                        self.assertEqual(own["waits_s"], 0)
        text = self.read("report", "--what-if=initial task=0.5x", "m").splitlines()
        self.assertTrue(text[3].startswith("what if "), text)
        self.assertEqual(sorted(line.split()[0] for line in text[6:9]), ["0", "1", "2"])
        unknown = self.run_otter("report", "--what-if=none=2x", "m")
        self.assertEqual((unknown.returncode, unknown.stdout), (1, ""))
        self.assertIn("no label 'none' in this run", unknown.stderr)
        self.assertIn("known label: 'initial task'", unknown.stderr)

    def test_findings_of_the_job_add_up_those_of_its_ranks(self):
        self.record_job(3)
        self.assertEqual(self.merge("-o", "m", "job").returncode, 0)
        job = json.loads(self.read("report", "--json", "m"))["findings"]
        self.assertTrue(job)
        costs = [finding["cost_s"] for finding in job]
        self.assertEqual(costs, sorted(costs, reverse=True))
        own = {}
        for rank in range(3):
            for finding in json.loads(self.read("report", "--json", f"--rank={rank}", "m"))["findings"]:
                own[(finding["kind"], finding.get("what"), finding.get("where"), rank)] = finding["cost_s"]
        for finding in job:
            of_the_job = "ranks on" in finding.get("what", "")  # oversubscription by all ranks
            for share in finding["ranks"] if not of_the_job else ():
                key = (finding["kind"], finding.get("what"), finding.get("where"), share["rank"])
                self.assertAlmostEqual(share["cost_s"], own[key], delta=0.01 * own[key])  # each rank measures its clock
            self.assertAlmostEqual(finding["cost_s"], sum(share["cost_s"] for share in finding["ranks"]))
        text = self.read("report", "--findings", "m")
        self.assertTrue(text.startswith("findings, by thread time of all ranks ("), text)
        self.assertEqual([line.split(".")[0].strip() for line in text.splitlines() if line[2:4] == ". "], [str(i + 1) for i in range(len(job))])

    def test_lines_fit_a_terminal(self):
        self.record_job(2)
        for words in (["report", "job"], ["info", "job"], ["check", "job"], ["report", "--rank=1", "job"], ["info", "--all", "--rank=1", "job"],
                      ["report", "--labels", "job"], ["diff", "job", "job"]):
            with self.subTest(words=words):
                lines = [line for line in self.read(*words).splitlines() if not line.startswith(("next: ", "what if ", "recording took "))]
                self.assertEqual([line for line in lines if len(line) > 80 and "/" not in line], [])

    def test_tables_of_the_report_have_the_rows_of_all_ranks(self):
        self.record_job(3)
        self.assertEqual(self.merge("-o", "m", "job").returncode, 0)
        for table in ("--tasks", "--labels", "--waits", "--threads", "--slack", "--critical-path=span"):
            with self.subTest(table=table):
                expected = []
                for rank in range(3):
                    head, *rows = csv.reader(self.read("report", table, "--csv", "--full", f"--rank={rank}", "m").splitlines())
                    expected += [[row[0], f"rank {rank}", *row[1:]] for row in rows]
                found_head, *found = csv.reader(self.read("report", table, "--csv", "--full", "m").splitlines())
                self.assertEqual(found_head, [head[0], "rank", *head[1:]])
                self.assertEqual(found if "=" in table else sorted(found), expected if "=" in table else sorted(expected))
        times = [row["executed_s"] for row in json.loads(self.read("report", "--labels", "--json", "m"))]
        self.assertEqual(times, sorted(times, reverse=True))
        lines = self.read("report", "--labels", "--filter=rank 1", "--top=1", "m").splitlines()
        self.assertRegex(lines[1], r" rank 1 ")
        self.assert_fails(self.run_otter("report", "--labels", "--sort=none", "m"), 2, "--labels has label, rank, executed_s")

    def record_two_jobs(self):
        """Records jobs a and b, which differ in what rank 1 does."""
        for job in ("a", "b"):
            for rank in range(3):
                words = ["regions"] if (job, rank) == ("b", 1) else []
                self.record_rank(rank, self.tool("tasks"), *words, folder=self.folder / job, ranks=3, OMP_NUM_THREADS="2")

    def assert_sums(self, row, rows, name):
        """Checks that the number for a job is the sum over its ranks, and names the rank that changed most."""
        for side in ("before", "after"):
            self.assertAlmostEqual(row[name][side]["median"], sum(own[name][side]["median"] for own in rows.values()))
        changes = {rank: abs(own[name]["change"]) for rank, own in rows.items()}
        self.assertAlmostEqual(abs(row[name]["rank_change"]), max(changes.values()))
        if row[name]["rank"] is not None:
            self.assertAlmostEqual(changes[row[name]["rank"]], max(changes.values()))

    def test_diff_adds_up_the_ranks(self):
        self.record_two_jobs()
        compared = json.loads(self.read("diff", "--json", "a", "b"))
        alone = {rank: json.loads(self.read("diff", "--json", f"--rank={rank}", "a", "b")) for rank in range(3)}
        self.assert_sums(compared["numbers"], {rank: own["numbers"] for rank, own in alone.items()}, "work_s")
        for side in ("before", "after"):
            walls = [own["numbers"]["wall_s"][side]["median"] for own in alone.values()]
            self.assertEqual(compared["numbers"]["wall_s"][side]["median"], max(walls))
        for table, head, name in (("labels", "label", "executed_s"), ("tasks", "task", "count"), ("waits", "wait", "waited_s")):
            texts = collections.Counter(row[head] for row in compared["tables"][table])
            for row in compared["tables"][table]:
                rows = {rank: own_row for rank, own in alone.items() for own_row in own["tables"][table] if own_row[head] == row[head]}
                if texts[row[head]] == 1:
                    self.assert_sums(row, rows, name)
            self.assertEqual(set(texts), {row[head] for own in alone.values() for row in own["tables"][table]})

    def test_diff_of_jobs_names_ranks(self):
        self.record_two_jobs()
        compared = json.loads(self.read("diff", "--json", "a", "b"))
        rows = {row["rank"]: row for row in compared["ranks"]}
        changes = [abs(row["work_s"]["after"] - row["work_s"]["before"]) for row in compared["ranks"]]
        for one, next_one in zip(changes, changes[1:]):
            self.assertGreater(one, next_one - 1e-9)  # JSON has 12 digits
        self.assertEqual({rank: row["graphs"] for rank, row in rows.items()}, {0: "equal", 1: "different", 2: "equal"})
        self.assertEqual(compared["graphs"]["rank_of_first_difference"], 1)
        text = self.read("diff", "a", "b")
        self.assertIn("equal, task by task and edge by edge in ranks 0, 2; different in rank 1: ", " ".join(text.split()))
        self.assertEqual(text.splitlines()[-1], f"next: otter diff --rank={compared['ranks'][0]['rank']} a b")
        self.assertLessEqual(max(map(len, text.splitlines())), 80)
        self.assertIn("equal, task by task and edge by edge in all ranks", self.read("diff", "a", "a"))

    def test_tables_and_conditions_of_jobs(self):
        self.record_two_jobs()
        head, *rows = self.read("diff", "--tasks", "--csv", "--filter=task tasks.c*", "a", "b").splitlines()
        self.assertIn(",count_rank,count_rank_change,", head)
        self.assertTrue(rows and all(row.startswith("task tasks.c") for row in rows), rows)
        self.assertRegex(self.read("diff", "--tasks", "a", "b"), r"^task: \S+ .* rank\n")
        result = self.run_otter("diff", "--fail-if=count(region 'tasks.c:30') > +0", "--fail-if=hash == same", "--fail-if=hash != same",
                                "--junit=out.xml", "a", "b")
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertRegex(result.stdout, r"FAILED  count\(region.*\n +(\d+), nothing before; most in rank 1: \+\1\n")
        self.assertIn("passed  hash == same", result.stdout)
        self.assertIn('tests="3" failures="2"', (self.folder / "out.xml").read_text())
        self.assertEqual(self.run_otter("diff", "--fail-if=count(task) != +0", "a", "a").returncode, 0)

    def test_several_jobs_of_a_side_tell_noise_from_change(self):
        for job in ("a", "b", "c", "d"):
            for rank in range(2):
                self.record_rank(rank, folder=self.folder / job, ranks=2)
        compared = json.loads(self.read("diff", "--json", "a", "b", "--after", "c", "d"))
        self.assertEqual([side["ranks"] for side in compared["before"] + compared["after"]], [2] * 4)
        self.assertIn(compared["numbers"]["work_s"]["verdict"], ("noise", "change"))
        row = next(row for row in compared["tables"]["tasks"] if row["count"]["before"]["max"] > 0)
        self.assertEqual((row["count"]["before"]["min"], row["count"]["verdict"]), (20, "noise"))

    def test_diff_of_ranks_that_one_archive_lacks(self):
        for job, ranks in (("a", (0, 1)), ("b", (1, 2))):
            for rank in ranks:
                self.record_rank(rank, folder=self.folder / job, ranks=3)
            self.assertEqual(self.merge("-o", f"m-{job}", job).returncode, 0)
        result = self.run_otter("diff", "--json", "m-a", "m-b")
        self.assertEqual(result.returncode, 0)
        compared = json.loads(result.stdout)
        self.assertEqual([row["rank"] for row in compared["ranks"]], [1])
        self.assertEqual([compared[side][0]["ranks"] for side in ("before", "after")], [1, 1])
        self.assertIn("'m-b' has no rank 0: the rank is left out", result.stderr)
        self.assertIn("'m-a' has no rank 2: the rank is left out", result.stderr)

    def test_jobs_of_other_sizes_are_compared_by_their_sums(self):
        for job, ranks in (("a", 3), ("b", 1)):
            for rank in range(ranks):
                self.record_rank(rank, folder=self.folder / job, ranks=ranks)
        self.assertEqual(self.merge("-o", "m-b", "b").returncode, 0)
        result = self.run_otter("diff", "--fail-if=count(task) < -10", "--fail-if=hash != same", "a", "m-b")
        self.assertEqual((result.returncode, result.stdout.count("FAILED")), (1, 2), result.stderr)
        self.assertIn("30 before, 10 after\n", result.stdout)
        self.assertIn("3 ranks before, 1 after; equal", result.stdout)
        self.assert_fails(self.run_otter("diff", "a", "m-b", "--after", "a"), 1, "on one side have different numbers of ranks")

    def test_a_job_and_a_process_are_not_compared(self):
        self.record_job(2)
        self.assertEqual(self.merge("-o", "m", "job").returncode, 0)
        for words in (["m", "m/rank-1"], ["m/rank-1", "m"]):
            self.assert_fails(self.run_otter("diff", *words), 1, "'m/rank-1' is the archive of one process", "such as 'm/rank-0'")
        self.assert_fails(self.run_otter("diff", "m", "none"), 1, "cannot open archive 'none'")

    def test_report_marks_an_incomplete_rank(self):
        self.record_job(2)
        self.assertEqual(self.merge("-o", "m", "job").returncode, 0)
        (self.folder / "m/traces/2.evt").write_bytes(b"no events")
        rows = json.loads(self.read("report", "--json", "m"))["ranks"]
        self.assertEqual([row["complete"] for row in rows], [True, False])
        self.assertEqual([line.split()[0] for line in self.read("report", "m").splitlines() if line.endswith(" *")], ["1"])


class TestRefusals(MergeCase):
    def test_processes_of_no_job_are_named_if_their_command_lines_differ(self):
        for name, words in (("a", []), ("b", []), ("c", ["another", "argument"])):
            result = self.record("-o", name, self.tool("tasks"), *words)
            self.assertTrue((self.folder / name).exists(), result.stderr)
        same = self.merge("--force", "-o", "same", "a", "b")
        self.assertEqual((same.returncode, same.stderr), (0, ""))
        other = self.merge("--force", "-o", "other", "a", "b", "c")
        self.assertEqual(other.returncode, 0)
        self.assertIn("'a' and 'c' belong to no job, and have different command lines", other.stderr)
        self.assertIn("as ranks 0 and 2", other.stderr)

    def test_runs_one_after_the_other_are_no_job(self):
        for name in "ab":
            self.assertEqual(self.record("-o", name, self.tool("tasks")).returncode, 0)
        self.assert_fails(self.merge("b", "a"), 1, "'a' ended before 'b' began", "otter diff", "--force")
        self.assertFalse((self.folder / "otter-merged").exists())
        self.assertEqual(self.merge("--force", "b", "a").returncode, 0)
        self.assert_fails(self.run_otter("report"), 1, "there is no archive here")
        self.assertEqual(self.run_otter("report", "otter-merged").returncode, 0)

    def test_copies_of_one_recording(self):
        self.assertEqual(self.record("-o", "a", self.tool("tasks")).returncode, 0)
        shutil.copytree(self.folder / "a", self.folder / "copy")
        for names in (["a", "copy"], ["a", "a"]):
            self.assert_fails(self.merge(*names), 1, f"'a' and '{names[1]}' are copies of one recording: name one of them", "--force")
        self.assertFalse((self.folder / "otter-merged").exists())
        self.assertEqual(self.merge("--force", "a", "copy").returncode, 0)
        rank = self.record_rank(1)
        shutil.copytree(rank, self.folder / "rank")
        self.assert_fails(self.merge("-o", "m", rank, "rank"), 1, "are copies of one recording")

    def test_a_rank_twice(self):
        first = self.record_rank(1, folder=self.folder / "a")
        second = self.record_rank(1, folder=self.folder / "b")
        self.assert_fails(self.merge("-o", "m", first, second), 1, "both belong to rank 1", "name one archive of each rank")
        self.assertFalse((self.folder / "m").exists())

    def test_chunks_of_two_sizes(self):
        self.record_rank(0, "--chunk-size=1M", self.tool("tasks"))
        self.record_rank(1, "--chunk-size=512k", self.tool("tasks"))
        self.assert_fails(self.merge("job"), 1, "chunks of 1048576 bytes", "of 524288")

    def test_an_existing_output(self):
        self.record_rank(0)
        (self.folder / "m").mkdir()
        self.assert_fails(self.merge("-o", "m", "job"), 1, "'m' exists already", "--output")
        self.assertEqual(list((self.folder / "m").iterdir()), [])
        self.assertEqual(self.leftovers(self.folder / "job"), [])

    def test_nothing_to_merge(self):
        (self.folder / "job").mkdir()
        result = self.merge("-o", "m", "job")
        self.assertEqual(result.returncode, 1)
        self.assertIn("there is no archive to merge", result.stderr)
        self.assert_fails(self.merge(), 2, "needs the folder of a job")

    def test_damaged_and_unfinished_ranks_are_left_out_by_name(self):
        self.record_job()
        (self.folder / "job/rank-0001/traces.def").write_bytes(b"damage")
        os.remove(self.folder / "job/rank-0002/traces/0.evt")
        (self.folder / "job/rank-0003").rename(self.folder / "job/rank-0003.recording")
        (self.folder / "job/rank-0003.recording/traces.otf2").rename(self.folder / "job/rank-0003.recording/journal")
        result = self.merge("-o", "m", "job")
        self.assertEqual(result.returncode, 1)
        left_out = [line for line in result.stderr.splitlines() if "left out" in line]
        self.assertEqual(len(left_out), 3, result.stderr)
        for line, name in zip(left_out, ("rank-0001/traces.def", "rank-0002/traces/0.evt", "rank-0003.recording")):
            self.assertIn(name, line)
        self.assertIn("m: 1 rank, ", result.stdout)
        self.assertIn("10 created, 10 completed", self.read("info", "--rank=0", "m"))

    def test_archives_of_other_tools_and_merged_ones(self):
        self.record_job(2)
        self.assertEqual(self.merge("-o", "m", "job").returncode, 0)
        result = self.merge("-o", "n", "m")
        self.assertIn("is a merged archive", result.stderr)
        result = self.merge("-o", "n", self.make("foreign", 100, "foreign"))
        self.assertIn("was not written by Otter", result.stderr)
        self.assertEqual(result.returncode, 1)


class TestForms(MergeCase):
    """Archives made by OTF2's writer, in forms that a recording never has."""

    def test_properties_of_the_merge_are_not_taken_from_a_rank(self):
        self.make("a", 20, "ours", "OTTER::RANK", "0")
        self.make("b", 20, "ours", "OTTER::RANK", "1", "OTTER::MERGE::RANK", "7", "OTTER::MERGE::CLOCK", "1 2 3 4")
        self.assertEqual(self.merge("-o", "m", "a", "b").returncode, 0)
        alone, merged = (json.loads(self.read("info", "--json", path)) for path in ("b", "m/rank-1"))
        for name in ("events", "date", "paused_ticks"):
            self.assertEqual(merged[name], alone[name])

    def test_definitions_that_are_not_numbered_in_their_order_are_left_out_by_name(self):
        self.make("a", 20, "ours", "OTTER::RANK", "0")
        for kind in ("attribute", "window"):
            self.make(kind, 20, kind, "OTTER::RANK", "1")
            result = self.merge("-o", f"m-{kind}", "a", kind)
            self.assertEqual(result.returncode, 1)
            self.assertRegex(result.stderr, rf"^otter: left out: '{kind}': its definitions are not numbered 0, 1, 2, ")
            self.assertIn(f"m-{kind}: 1 rank, ", result.stdout)

    def test_each_job_is_compared(self):
        for rank, job in enumerate((["OTTER::JOB", "x"], [], ["OTTER::JOB", "y"])):
            self.make(f"rank-{rank}", 20, "ours", "OTTER::RANK", str(rank), *job)
        self.assert_fails(self.merge("-o", "m", "rank-0", "rank-1", "rank-2"), 1, "belongs to job x", "to job y")
        self.assertEqual(self.merge("-o", "m", "rank-1", "rank-2").returncode, 0)
        self.assertIn(b"OTTER::JOB\0y\0", (self.folder / "m/traces.otf2").read_bytes())

    def test_a_rank_names_no_location_of_another(self):
        self.make("a", 20, "damaged", "OTTER::RANK", "0")
        self.make("b", 20, "damaged", "OTTER::RANK", "1")
        self.assertEqual(self.merge("-o", "m", "a", "b").returncode, 0)
        if not shutil.which("otf2-print"):
            self.skipTest("otf2-print is not installed")
        text = subprocess.run(["otf2-print", "-G", self.folder / "m/traces.otf2"], capture_output=True, text=True).stdout
        self.assertEqual(text.count(" 2 Members: UNDEFINED, "), 2)
        self.assertNotIn("LOCATION_PROPERTY", text)


class TestJobs(MergeCase):
    def launch(self, ranks, *words, **variables):
        """Starts `otter record` as each rank of a job. Returns what the ranks printed."""
        environments = [self.environment | {"PMI_RANK": str(rank), "PMI_SIZE": str(ranks), **variables}
                        for rank in range(ranks)]
        processes = [subprocess.Popen([self.otter, "record", *map(str, words)], cwd=self.folder, env=environment, text=True,
                                      stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) for environment in environments]
        return [process.communicate(timeout=case.PATIENCE)[1] for process in processes]

    def test_ranks_record_into_one_folder_and_one_prints(self):
        first, *others = self.launch(RANKS, self.tool("tasks"), PMI_JOBID="12.x")
        self.assertEqual(others, [""] * (RANKS - 1))
        self.assertRegex(first, r"^otter: rank 0: [\d,]+ events, .*\n"
                                r"otter: next, when all ranks have ended: otter report otter-job-12_x\n"
                                r"OTTER_TRACE_FOLDER=.*/otter-job-12_x\n$")
        self.assertEqual(self.archives(), ["otter-job-12_x"])
        self.assertEqual(sorted(path.name for path in (self.folder / "otter-job-12_x").iterdir()),
                         [f"rank-{rank:04}" for rank in range(RANKS)])

    def test_ranks_share_the_folder_that_the_user_names(self):
        self.assertEqual(self.launch(2, "-o", "job", self.tool("tasks"), PMI_JOBID="1")[1], "")
        self.assertEqual(self.run_otter("check", "--rank=1", "job").returncode, 0)

    def test_a_command_merges_the_newest_job(self):
        self.launch(RANKS, self.tool("tasks"), PMI_JOBID="12")
        result = self.run_otter("check", "--rank=2")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stderr, r"^otter: the newest archive here is otter-job-12: \S+/tasks, recorded .*\n"
                                        r"otter: merged 4 ranks of 'otter-job-12'\n$")
        again = self.run_otter("check", "--rank=2", "otter-job-12")
        self.assertEqual((again.returncode, again.stderr, again.stdout), (0, "", result.stdout))

    def test_an_unfinished_rank_is_named(self):
        self.launch(2, self.tool("tasks"), PMI_JOBID="12")
        job = self.folder / "otter-job-12"
        (job / "rank-0001").rename(job / "rank-0001.recording")
        (job / "rank-0001.recording/traces.otf2").rename(job / "rank-0001.recording/journal")
        self.assert_fails(self.run_otter("report", "otter-job-12"), 1, "rank-0001.recording", "otter recover otter-job-12", "otter merge otter-job-12")
        self.assertFalse((job / "traces.otf2").exists())

    def test_a_rank_that_comes_later_is_merged_too(self):
        self.launch(3, self.tool("tasks"), PMI_JOBID="12")
        job = self.folder / "otter-job-12"
        for rank in (1, 2):
            (job / f"rank-000{rank}").rename(self.folder / f"late-{rank}")
        result = self.run_otter("check", "--rank=0", job.name)
        note = "otter: merged {} of 'otter-job-12'\n"
        lack_two, lack_one = (f"otter: 'otter-job-12' lacks {ranks}\n" for ranks in ("2 of the job's 3 ranks: 1-2", "1 of the job's 3 ranks: 1"))
        self.assertEqual((result.returncode, result.stderr), (0, note.format("1 rank") + lack_two))
        self.assertEqual(self.run_otter("check", "--rank=0", job.name).stderr, lack_two)
        (self.folder / "late-2").rename(job / "rank-0002.recording")  # not complete: nothing is merged again
        self.assertEqual(self.run_otter("check", "--rank=0", job.name).stderr, lack_two)
        (job / "rank-0002.recording").rename(job / "rank-0002")
        result = self.run_otter("check", "--rank=2", job.name)
        self.assertEqual((result.returncode, result.stderr), (0, note.format("2 ranks") + lack_one))
        damaged = (self.folder / "late-1").rename(job / "rank-0001") / "traces.def"
        content = damaged.read_bytes()
        damaged.write_bytes(b"damage")  # the rank cannot be read yet
        self.assertEqual(self.run_otter("check", "--rank=2", job.name).stderr, lack_one)
        damaged.write_bytes(content)
        self.assertEqual(self.run_otter("check", "--rank=1", job.name).stderr, note.format("3 ranks"))
        self.assertEqual(self.run_otter("check", "--rank=1", job.name).stderr, "")

    def test_commands_at_one_time_merge_once(self):
        self.launch(RANKS, self.tool("tasks"), PMI_JOBID="12")
        commands = [subprocess.Popen([self.otter, "check", f"--rank={i % RANKS}", "otter-job-12"], cwd=self.folder, text=True,
                                     env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
                    for i in range(3 * RANKS)]
        said = [command.communicate(timeout=case.PATIENCE)[1] for command in commands]
        self.assertEqual([command.returncode for command in commands], [0] * len(commands), said)
        self.assertEqual("".join(said), "otter: merged 4 ranks of 'otter-job-12'\n")

    def test_the_path_of_a_rank_merges_the_job(self):
        self.launch(2, self.tool("tasks"), PMI_JOBID="1")
        result = self.run_otter("diff", "otter-job-1/rank-0", "otter-job-1/rank-1")
        self.assertEqual((result.returncode, result.stderr), (0, "otter: merged 2 ranks of 'otter-job-1'\n"))

    def test_a_comparison_merges_both_jobs(self):
        for job in ("1", "2"):
            self.launch(2, self.tool("tasks"), PMI_JOBID=job)
        result = self.run_otter("diff", "--rank=1", "otter-job-1", "otter-job-2")
        self.assertEqual((result.returncode, result.stderr),
                         (0, "otter: merged 2 ranks of 'otter-job-1'\notter: merged 2 ranks of 'otter-job-2'\n"))

    def test_two_jobs_have_two_folders(self):
        for job in ("1", "2"):
            self.launch(2, self.tool("tasks"), PMI_JOBID=job)
        self.assertEqual(self.archives(), ["otter-job-1", "otter-job-2"])
        archives = [self.folder / f"otter-job-{1 + rank}/rank-{rank:04}" for rank in range(2)]
        self.assert_fails(self.merge("-o", "m", *archives), 1, "belongs to job 1", "to job 2", "name the archives of one job")

    def test_a_single_process_is_no_job(self):
        for variables in ({"PMI_RANK": "0", "PMI_SIZE": "1"}, {"SLURM_PROCID": "0", "SLURM_NTASKS": "8", "SLURM_JOB_ID": "3"},
                          {"OMPI_COMM_WORLD_RANK": "0", "OMPI_COMM_WORLD_SIZE": "1", "SLURM_STEP_ID": "0", "SLURM_PROCID": "3"}):
            result = self.record(self.tool("tasks"), env=self.environment | variables)
            self.assertIn("otter: next: otter report otter-tasks-", result.stderr, variables)

    def test_each_launcher_names_rank_and_job(self):
        for job, variables in {
                "5-2": {"SLURM_PROCID": "3", "SLURM_STEP_NUM_TASKS": "4", "SLURM_JOB_ID": "5", "SLURM_STEP_ID": "2"},
                "99": {"OMPI_COMM_WORLD_RANK": "3", "OMPI_COMM_WORLD_SIZE": "4", "OMPI_MCA_ess_base_jobid": "99",
                       "SLURM_PROCID": "0", "SLURM_STEP_ID": "0", "SLURM_STEP_NUM_TASKS": "1"},
                "prte_a_1": {"PMIX_RANK": "3", "PMIX_NAMESPACE": "prte@a:1"},
                "6": {"MV2_COMM_WORLD_RANK": "3", "MV2_COMM_WORLD_SIZE": "4", "PMI_JOBID": "6"},
                "a": {"PALS_RANKID": "3", "PALS_APID": "a"},
                "7-8": {"JSM_NAMESPACE_RANK": "3", "JSM_NAMESPACE_SIZE": "4", "JSM_NAMESPACE_ID": "7", "LSB_JOBID": "8"},
                "9": {"ALPS_APP_PE": "3", "ALPS_APP_ID": "9"}}.items():
            with self.subTest(job=job):
                result = self.record(self.tool("tasks"), env=self.environment | variables)
                self.assertEqual((result.returncode, result.stderr), (0, ""))
                self.assertTrue((self.folder / f"otter-job-{job}/rank-0003/traces.otf2").exists())

    def launcher(self, name):
        if not shutil.which(name):
            self.skipTest(f"{name} is not installed")
        more = {"mpirun.openmpi": ["--oversubscribe", "--allow-run-as-root"]}.get(name, [])
        result = subprocess.run([name, "-n", "1", *more, "true"], capture_output=True, timeout=case.PATIENCE)
        if result.returncode != 0:
            self.skipTest(f"{name} cannot start a process here")
        return [name, "-n", str(RANKS), *more]

    def check_launcher(self, name):
        launcher = self.launcher(name)
        inside = subprocess.run([*launcher, self.otter, "record", "-o", "inside", self.tool("tasks")], cwd=self.folder,
                                env=self.environment, capture_output=True, text=True, timeout=case.PATIENCE)
        self.assertEqual(inside.stderr.count("OTTER_TRACE_FOLDER="), 1, inside.stderr)
        outside = self.record("-o", "outside", *launcher, self.tool("tasks"))
        self.assertRegex(outside.stderr, r"otter: 4 ranks: [\d,]+ events, 40 tasks, 0 lost\n"
                                         r"otter: next: otter report outside\nOTTER_TRACE_FOLDER=.*/outside\n$")
        for job in ("inside", "outside"):
            self.assertEqual(len(list((self.folder / job).glob("rank-000[0-3]/traces.otf2"))), RANKS)
            self.assertEqual(self.run_otter("check", "--rank=3", job).returncode, 0)

    def check_two_programs(self, name):
        """Checks one job of two programs: the report names both, and each rank has its own tasks."""
        launcher = self.launcher(name)[0]
        more = self.launcher(name)[3:]
        other = shutil.copy(self.tool("tasks"), self.folder / "other")
        words = [launcher, *more, "-n", "1", self.tool("tasks"), ":", "-n", "2", other, "regions"]
        result = self.record("-o", "job", *words)
        self.assertEqual(result.returncode, 0, result.stderr)
        lines = self.read("report", "job").splitlines()
        self.assertEqual(lines[2:4], [f"{self.tool('tasks')}: rank 0", f"{self.folder.resolve() / 'other'}: ranks 1-2"])
        hashes = self.read("graph", "--hash", "job")
        self.assertIn("rank 0 differs from all other ranks", hashes)
        self.assertIn("ranks 1-2 did the same", hashes)

    def test_two_programs_of_open_mpi(self):
        self.check_two_programs("mpirun.openmpi")

    def test_two_programs_of_mpich(self):
        self.check_two_programs("mpirun.mpich")

    def test_open_mpi(self):
        self.check_launcher("mpirun.openmpi")

    def test_mpich(self):
        self.check_launcher("mpirun.mpich")


class TestDamage(MergeCase):
    def test_a_location_without_its_local_definitions_is_damaged(self):
        self.record_job(2)
        self.assertEqual(self.merge("-o", "m", "job").returncode, 0)
        os.remove(self.folder / "m/traces/2.def")
        result = self.run_otter("check", "--rank=1", "m")
        self.assertEqual(result.returncode, 1)
        self.assertIn("traces/2.def", result.stdout + result.stderr)
        self.assertEqual(self.run_otter("check", "--rank=0", "m").returncode, 0)
        for path in (self.folder / "m/traces").glob("*.def"):
            path.unlink()
        self.assert_fails(self.run_otter("check", "--rank=1", "m"), 1, "the local definitions of rank 1 are damaged")


    def damage(self, path, change):
        """Changes the content of a file, but not of the archives that link to it."""
        content = change(bytearray(path.read_bytes()))
        path.unlink()
        path.write_bytes(content)

    def test_a_rank_without_whole_event_files_is_left_out(self):
        file = self.record_job(3)[1] / "traces/1.evt"
        content = file.read_bytes()
        cut = content[:-20]
        for i, (damaged, reason) in enumerate(((b"", "is empty"), (cut, f"is cut off at byte {len(cut)}"), (b"x" + content, "has no chunk header at byte 0"),
                                               (None, "is not a file"))):
            with self.subTest(reason=reason):
                file.rmdir() if file.is_dir() else file.unlink()
                file.mkdir() if damaged is None else file.write_bytes(damaged)
                result = self.merge("-o", f"m{i}", "job")
                self.assertEqual((result.returncode, result.stderr), (1, f"otter: left out: 'job/rank-0001/traces/1.evt' {reason}\n"))
                self.assertIn(f"m{i}: 2 ranks, ", result.stdout)

    def test_a_time_outside_of_the_recording_is_damage(self):
        archives = self.record_job(3)
        self.assertEqual(self.merge("-o", "m", "job").returncode, 0)
        before = {row["rank"]: row for row in json.loads(self.read("report", "--json", "m"))["ranks"]}
        first = sum(len(list((archive / "traces").glob("*.evt"))) for archive in archives[:1])

        def move(content):  # the last time is 10^9 s later
            at = content.rindex(content[23:27], 0)
            content[at + 2] ^= 0x10
            return content
        self.damage(self.folder / f"m/traces/{first}.evt", move)
        reason = rf"otter: 'm/rank-0001': 1 of \d+ locations cannot be read completely; the first: 'm/traces/{first}.evt' " \
                 r"has a time outside of the recording at byte \d+ of \d+; for details: otter check m/rank-0001\n"
        for words in (["report"], ["report", "--labels"], ["view", "-o", "v.html"], ["export", "--to=csv", "-o", "x.csv"]):
            with self.subTest(words=words):
                result = self.run_otter(*words, "m")
                self.assertEqual(result.returncode, 0)
                self.assertRegex(result.stderr, "^" + reason)
        rows = {row["rank"]: row for row in json.loads(self.run_otter("report", "--json", "m").stdout)["ranks"]}
        for rank in (0, 2):
            for row in (rows[rank], before[rank]):
                del row["first_finding"], row["first_finding_s"]  # these depend on the waits for all ranks
            self.assertEqual(rows[rank], before[rank])
        self.assertFalse(rows[1]["complete"])
        self.assertLess(rows[1]["wall_s"], 2 * before[1]["wall_s"])
        result = self.run_otter("check", "m")
        self.assertIn("has a time outside of the recording", " ".join(result.stdout.split()))
        self.assertTrue(result.stdout.endswith("\nm: 2 of 3 ranks passed\n"))

    def test_exchanged_event_files_are_damage(self):
        archive = self.record_rank(0)
        files = [archive / f"traces/{i}.evt" for i in (0, 1)]
        contents = [path.read_bytes() for path in files]
        for path, content in zip(files, reversed(contents)):
            path.write_bytes(content)
        result = self.run_otter("report", archive)
        self.assertRegex(result.stderr, r"0.evt' has \d+ events, but its location has \d+: another file is in its place")
        self.assertIn("The archive is not complete", result.stdout)

    def test_long_lists_of_missing_ranks_are_cut(self):
        for rank in range(0, 160, 40):
            self.record_rank(rank, ranks=161)
        result = self.merge("job")
        self.assertIn("'job' lacks 157 of the job's 161 ranks: 1-39, 41-79, 81-119, 121-160\n", result.stderr)


class TestClocks(MergeCase):
    def reboot(self, folder):
        """Pretends that an archive comes from another boot of the host."""
        path = folder / "traces.otf2"
        content = path.read_bytes()
        boot = re.search(rb"OTTER::BOOT_ID\0([0-9a-f-]{36})", content)[1]
        path.write_bytes(content.replace(boot, boot[::-1]))

    def test_missing_ranks_are_counted(self):
        self.record_rank(2)
        result = self.merge("job")
        self.assertEqual((result.returncode, result.stderr), (0, "otter: 'job' lacks 3 of the job's 4 ranks: 0-1, 3\n"))

    def test_boots_are_related_by_their_times_of_day(self):
        archives = self.record_job(2)
        self.reboot(archives[1])
        result = self.merge("-o", "m", "job")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertIn("by their times of day, deviation about ", result.stdout)
        counts = [json.loads(self.read("info", "--json", *words)) for words in ([archives[1]], ["--rank=1", "m"])]
        self.assertEqual(counts[0]["events"], counts[1]["events"])
        self.assertEqual(self.read("graph", "--hash", archives[1]), self.read("graph", "--hash", "--rank=1", "m"))

    def test_a_bad_file_of_offsets(self):
        self.record_job(2)
        path = self.write("offsets", HEADING + "0 host nonsense\n")
        self.assert_fails(self.merge("--offsets", path, "-o", "m", "job"), 1, "offsets', line 2: expected 'rank host")
        path = self.write("offsets", "")
        self.assert_fails(self.merge("--offsets", path, "-o", "m", "job"), 1, "has no offsets")
        self.assert_fails(self.merge("--offsets", "absent", "-o", "m", "job"), 1, "cannot read the offsets 'absent'")


if __name__ == "__main__":
    case.main()
