#!/usr/bin/env python3
"""The page of a job has the report of all ranks, and shows each rank as the rank's own page does, but in the job's
time.

usage: test_job.py OTTER FOLDER [unittest's arguments]
With EVERY=1 in the environment, the largest job has 64 ranks, not 16.
"""
import json
import os
import pathlib
import random
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))

import case  # noqa: E402  test/cli/case.py
import numbers_of_page  # noqa: E402
import test_view  # noqa: E402

RANKS = 3


class JobCase(test_view.ViewCase):
    def record_job(self, kinds=("tasks", "nested", "tasks")):
        """Records ranks of different programs and numbers of threads, one after the other."""
        for rank, kind in enumerate(kinds):
            self.environment |= {"PMI_RANK": str(rank), "PMI_SIZE": str(len(kinds)), "PMI_JOBID": "7", "OMP_NUM_THREADS": str(1 + rank)}
            result = self.record("--quiet", f"--folder={self.folder / 'job'}", self.tool("../view/played"), kind)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
        return self.merged("job")

    def merged(self, *archives):
        result = self.run_otter("merge", "-o", "m", *archives)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return "m"

    def make_job(self, ranks, tasks, *more):
        """Makes a job whose archives were made with OTF2's writer."""
        return self.merged(*(self.make(f"rank-{rank}", tasks + rank, *(more or ("ours",)), "OTTER::RANK", str(rank)) for rank in range(ranks)))

    def read(self, *words):
        result = self.run_otter(*words)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def check_job(self, archive, page):
        """Checks the numbers of the job, and of each rank in the file."""
        self.assertEqual(page.index["report"], json.loads(self.read("report", "--json", archive)))
        text = self.read("report", archive)
        self.assertEqual(page.index["report_text"], text)
        first = text.splitlines()[0]
        self.assertIn(first, page.texts["noscript"])
        self.assertTrue(first.startswith(f"{page.index['title']} ("), f"'{page.index['title']}' names no program: {first}")
        for sentence in page.index["sentences"]:
            self.assertIn(sentence, " ".join(text.split()))
        rows = re.findall(r"^ *(\d+)  .*%.*%  ", text, re.M)
        self.assertEqual(page.index["outliers"], [int(row) for row in rows])  # in the order of the report
        numbers = [entry["rank"] for entry in page.index["ranks"]]
        self.assertEqual(numbers, sorted(set(numbers)))
        self.assertEqual(page.index["left_out"] + len(numbers), len(page.index["report"]["ranks"]))
        chunks = []
        for number in numbers:
            with self.subTest(rank=number):
                chunks += self.check_rank(archive, page, page.rank(number), number)
        self.assertEqual(sorted(chunks), [name for name in sorted(page.texts) if name.startswith("otter-chunk-")])
        self.check_safety(page)

    def check_rank(self, archive, page, own, number):
        clock = own.index["clock"]
        self.assertEqual([clock[name] for name in ("begin", "end")], [page.index["clock"][name] for name in ("begin", "end")])
        self.assertTrue(0 <= clock["first"] < clock["last"] <= clock["end"])
        self.check_report(own.index["report"], f"--rank={number}", archive)
        self.assertNotIn("report_text", own.index)  # nothing reads it, and its predictions take a third of the time
        numbers_of_page.Numbers(self, own).check()
        return [f"otter-chunk-{own.first_chunk + i}" for i in range(len(own.index["chunks"]))]


class Jobs(JobCase):
    def test_each_rank_is_as_its_own_page_has_it(self):
        archive = self.record_job()
        page = self.view(archive)
        self.check_job(archive, page)
        self.assertEqual([entry["rank"] for entry in page.index["ranks"]], [0, 1, 2])
        firsts, lasts = [], []
        for rank in range(RANKS):
            alone = self.view(archive, f"--rank={rank}")
            self.assertNotIn("ranks", alone.index)
            own = page.rank(rank)
            later = alone.index["clock"]["begin"] - page.index["clock"]["begin"]
            self.assertEqual(later, own.index["clock"]["first"])
            for table, times in (("slices", ("start",)), ("tasks", ("begin",)), ("edges", ("leaves", "arrives")),
                                 ("span", ("begin",)), ("realised", ("begin",)), ("flame", ()), ("histogram", ())):
                rows = [row | {name: row[name] + later for name in times} for row in alone.table(table)]
                self.assertEqual(own.table(table), rows, table)
                self.assertTrue(rows or table == "edges", table)
            for key in ("labels", "graph", "tasks", "wall", "work", "span", "costs", "left_out"):
                self.assertEqual(own.index[key], alone.index[key], key)
            firsts.append(alone.index["clock"]["begin"])
            lasts.append(alone.index["clock"]["begin"] + alone.index["clock"]["end"])
        self.assertEqual(page.index["clock"]["begin"], min(firsts))
        self.assertEqual(page.index["clock"]["end"], max(lasts) - min(firsts))
        self.assertGreater(len(set(firsts)), 1)
        self.check_path(page)

    def check_path(self, page):
        """Checks that, without messages, the path is in the rank that ended last, and as long as the job."""
        last = max(range(RANKS), key=lambda rank: page.rank(rank).index["clock"]["last"])
        for rank in range(RANKS):
            own = page.rank(rank)
            rows = own.table("job_path") if "job_path" in own.index["tables"] else []
            self.assertEqual(sum(row["duration"] for row in rows), page.index["clock"]["end"] if rank == last else 0)

    def test_a_window_is_of_the_time_of_the_job(self):
        archive = self.record_job()
        page = self.view(archive, "--from=1ms", "--to=2ms")
        for entry in page.index["ranks"]:
            own = page.rank(entry["rank"]).index
            for tick, seconds in zip(own["window"], (1e-3, 2e-3)):
                self.assertAlmostEqual(tick, seconds * own["clock"]["resolution"], delta=1)


class Sizes(JobCase):
    def test_many_ranks(self):
        n = 64 if os.environ.get("EVERY") == "1" else 16
        archive = self.make_job(n, 30)
        page = self.view(archive)
        self.assertEqual((page.index["left_out"], len(page.index["ranks"])), (0, n))
        self.check_job(archive, page)

    def test_ranks_share_the_size(self):
        archive = self.record_job(("many", "many"))
        whole = self.view(archive, "--size=100M")
        self.assertGreater(len(whole.bytes), 1_000_000)
        page = self.view(archive, "--size=1M")
        self.assertLessEqual(len(page.bytes), 1_000_000)
        self.assertEqual(page.index["left_out"], 0)
        for rank in range(2):
            self.assertTrue(whole.rank(rank).index["left_out"]["is_complete"])
            self.assertFalse(page.rank(rank).index["left_out"]["is_complete"])
            self.assertGreater(len(page.rank(rank).table("slices")), 1000)

    def test_ranks_that_do_not_fit_are_left_out(self):
        archive = self.make_job(150, 20)
        result = self.run_otter("view", "-o", "page.html", "--size=1M", archive)
        self.assertEqual(result.returncode, 0, result.stderr)
        page = test_view.decode.Page(self.folder / "page.html")
        self.assertLessEqual(len(page.bytes), 1_000_000)
        self.assertGreater(page.index["left_out"], 0)
        self.assertIn(f"{page.index['left_out']} ranks without pictures", result.stderr)
        self.assertGreater(len(page.index["ranks"]), 2)
        self.check_job(archive, page)
        self.assertIn(page.index["outliers"][0], [entry["rank"] for entry in page.index["ranks"]])


class Damage(JobCase):
    def test_the_page_has_what_is_left_of_a_damaged_rank(self):
        archive = self.make_job(3, 20)
        broken = min((self.folder / archive).rglob("*.evt"), key=lambda path: int(path.stem))
        content = broken.read_bytes()
        broken.unlink()  # a link to the file of the rank's archive
        broken.write_bytes(content[:60])
        page = self.view(archive, warning="otter: 'm/rank-0000': 1 of 3 locations cannot be read completely; .* otter check m/rank-0000\n")
        self.check_job(archive, page)
        self.assertEqual([page.rank(rank).index["losses"]["damaged"] for rank in range(3)], [True, False, False])

    def test_no_rank_fits(self):
        names = "".join(random.Random(1).choices("abcdefghijklmnopqrstuvwxyz", k=120_000))
        archive = self.make_job(2, 20, "kokkos", "text", names)
        result = self.run_otter("view", "-o", "page.html", "--size=1M", archive)
        self.assert_fails(result, 1, "no rank of 'm' fits", "--size")
        self.assertFalse((self.folder / "page.html").exists())

    def test_hostile_texts_are_data(self):
        archive = self.make_job(2, 20, "kokkos", "text", "".join(test_view.HOSTILE[:-1]))
        page = self.view(archive)
        self.check_job(archive, page)
        scripts = [attributes for tag, attributes in page.elements.all if tag == "script"]
        self.assertEqual(len([attributes for attributes in scripts if "id" not in attributes]), 1)

    def test_a_full_disk_leaves_the_old_file(self):
        archive = self.make_job(2, 20)
        self.assert_fails(self.run_otter("view", "-o", "/dev/full", archive), 1, "/dev/full", "No space left")
        self.assertEqual(list(self.folder.glob("*.part")), [])


if __name__ == "__main__":
    case.main()
