"""Compares the numbers of a page with each other and with the report. `complete` says that the page has all slices."""
import collections

BUSY = ("executing_s", "preempted_s", "creating_s")
STATES = ("outside", "executing", "waiting", "lock", "forking", "mpi", "paused", "lost", "unused")
AGGREGATE = 9


def rounded(seconds):
    """Returns seconds as in JSON, with 12 digits."""
    return f"{seconds:.11e}"


class Numbers:
    def __init__(self, test, page):
        self.test, self.page, self.index = test, page, page.index
        self.end = self.index["clock"]["end"]
        self.first, self.last = self.index["clock"]["first"], self.index["clock"]["last"]
        self.tick = 1 / self.index["clock"]["resolution"]
        self.n_means = 0  # labels whose mean slack was compared
        self.complete = self.index["left_out"]["is_complete"]
        self.threads = [i for i, lane in enumerate(self.index["lanes"]) if lane["kind"] == "thread"]
        self.slices = collections.defaultdict(list)
        for (lane, row, begin, end), rows in page.segments("slices"):
            test.assertEqual(begin, rows[0]["start"])
            test.assertEqual(end, rows[-1]["start"] + rows[-1]["duration"])
            self.slices[lane, row] += rows
        self.levels = collections.defaultdict(dict)
        for (lane, row, level), rows in page.segments("pyramid"):
            self.levels[lane, row].setdefault(level, []).extend(rows)

    def check(self):
        self.check_slices()
        self.check_totals()
        self.check_pyramid()
        self.check_tasks()
        self.check_slack()
        self.check_edges()
        self.check_paths()
        self.check_profile()
        self.check_flame()
        self.check_histogram()
        self.check_graph()
        self.check_findings()

    # ---- slices

    def check_slices(self):
        for (lane, row), rows in self.slices.items():
            self.test.assertLess(row, self.index["lanes"][lane]["rows"])
            at = self.first
            for slice in rows:
                self.test.assertGreaterEqual(slice["start"], at)
                if row == 0 and lane in self.threads:
                    self.test.assertEqual(slice["start"], at)
                self.test.assertGreater(slice["duration"], 0)
                self.test.assertLessEqual(slice["label"], len(self.index["labels"]))
                self.test.assertLessEqual(slice["construct"], len(self.index["labels"]))
                self.test.assertEqual(slice["count"] > 1, slice["state"] == AGGREGATE and slice["count"] > 1)
                at = slice["start"] + slice["duration"]
            if row == 0 and lane in self.threads:
                self.test.assertEqual(at, self.last)
        aggregates = sum(slice["state"] == AGGREGATE for rows in self.slices.values() for slice in rows)
        self.test.assertEqual(aggregates == 0, self.index["left_out"]["slices"] == 0)

    def check_totals(self):
        """Checks that the states of each thread agree with the report in its 12 digits."""
        report = self.index["report"]
        rows = {row["thread"]: row for row in report["tables"]["threads"]}
        for lane in self.threads:
            totals = self.index["lanes"][lane]["totals"]
            self.test.assertEqual(sum(totals), self.last - self.first)
            if self.complete:
                sums = collections.Counter()
                for slice in self.slices[lane, 0]:
                    sums[slice["state"]] += slice["duration"]
                self.test.assertEqual([sums[state] for state in range(len(STATES))], totals)
            row = rows[self.index["lanes"][lane]["name"]] if len(rows) == len(self.threads) else {}
            for columns, state in ((BUSY, 1), (("waiting_s",), 2), (("locks_s",), 3), (("forking_s",), 4), (("outside_s",), 0),
                                   (("mpi_s",), 5), (("paused_s",), 6), (("lost_s",), 7)):
                if columns[0] in row:
                    seconds = totals[state] * self.tick
                    self.test.assertAlmostEqual(sum(row[column] for column in columns), seconds, delta=1e-11 * seconds + 1e-15, msg=columns)
        time = report["thread_time"]
        for columns, state in ((BUSY, 1), (("locks_s",), 3), (("forking_s",), 4), (("outside_s",), 0),
                               (("mpi_s",), 5), (("paused_s",), 6), (("lost_s",), 7)):
            seconds = sum(self.index["lanes"][lane]["totals"][state] for lane in self.threads) * self.tick
            self.test.assertAlmostEqual(sum(time[column] for column in columns), seconds, delta=2e-9 + 1e-10 * seconds)

    # ---- pyramid

    def buckets(self, rows, level):
        """Returns the pyramid's rows of one level, computed from slices."""
        found = {}
        for slice in rows:
            begin, end = slice["start"], slice["start"] + slice["duration"]
            first = begin >> 2 * level
            for number in range(first, (end - 1 >> 2 * level) + 1):
                bucket = found.setdefault(number, {"ticks": [0] * len(STATES), "labels": collections.Counter(), "count": 0, "longest": 0})
                ticks = min(end, number + 1 << 2 * level) - max(begin, number << 2 * level)
                bucket["ticks"][slice["state"]] += ticks
                if slice["state"] == 1:
                    bucket["labels"][slice["label"]] += ticks
            bucket = found[first]
            bucket["count"] += 1
            bucket["longest"] = max(bucket["longest"], slice["duration"])
        return {number: (bucket["ticks"],
                         min(bucket["labels"], key=lambda label: (-bucket["labels"][label], label), default=len(self.index["labels"])),
                         bucket["count"], bucket["longest"]) for number, bucket in found.items()}

    def check_pyramid(self):
        self.test.assertEqual(set(self.levels), set(self.slices))
        coarsest = self.index["pyramid"]["coarsest"]
        self.test.assertTrue(4 ** coarsest >= self.end or coarsest == 31)
        for key, levels in self.levels.items():
            self.test.assertEqual(sorted(levels), list(range(min(levels), coarsest + 1)))
            stored = {level: {row["bucket"]: ([row[state] for state in STATES], row["label"], row["count"], row["longest"])
                              for row in rows} for level, rows in levels.items()}
            for level in levels:
                self.test.assertEqual(list(stored[level]), sorted(stored[level]))
                if self.complete:
                    self.test.assertEqual(stored[level], self.buckets(self.slices[key], level), (key, level))
                elif level > min(levels):
                    self.check_parents(stored[level], stored[level - 1])
            if key[1] == 0:
                self.test.assertEqual([sum(column) for column in zip(*(bucket[0] for bucket in stored[min(levels)].values()))],
                                      self.index["lanes"][key[0]]["totals"])

    def check_parents(self, parents, children):
        sums = {}
        for number, (ticks, _, count, longest) in children.items():
            before = sums.get(number >> 2, ([0] * len(STATES), 0, 0))
            sums[number >> 2] = ([a + b for a, b in zip(before[0], ticks)], before[1] + count, max(before[2], longest))
        self.test.assertEqual({number: (ticks, count, longest) for number, (ticks, _, count, longest) in parents.items()}, sums)

    # ---- tasks

    def check_tasks(self):
        tasks = self.page.table("tasks")
        numbers = [task["task"] for task in tasks]
        self.test.assertEqual(numbers, sorted(set(numbers)))
        self.test.assertTrue(all(0 < number <= self.index["tasks"] for number in numbers))
        known = set(numbers)
        for rows in self.slices.values():
            self.test.assertLessEqual({slice["task"] for slice in rows} - {0}, known)
        for task in tasks:
            self.test.assertGreaterEqual(task["begin"], self.first)
            self.test.assertLessEqual(task["begin"] + task["span"], self.last)
            self.test.assertLessEqual(task["since_created"], task["begin"])
            self.test.assertLessEqual(task["creator"], self.index["tasks"])
        if self.complete:
            self.check_uses(tasks)

    def check_uses(self, tasks):
        """Checks that the explicit tasks agree with the report."""
        kind = self.index["task_kinds"].index("explicit")
        found = collections.defaultdict(lambda: [0, 0])
        for task in tasks:
            if task["kind"] == kind and task["label"] < len(self.index["labels"]):
                text = self.index["labels"][task["label"]]["text"]
                found[text][0] += 1
                found[text][1] += task["work"]
        rows = self.index["report"]["tables"]["tasks"]
        self.test.assertEqual(sum(row["count"] for row in rows), sum(count for count, _ in found.values()))
        for row in rows if len({row["task"] for row in rows}) == len(rows) else []:
            self.test.assertEqual((row["count"], rounded(row["work_s"])),
                                  (found[row["task"]][0], rounded(found[row["task"]][1] * self.tick)))

    def check_slack(self):
        """Checks that, for each label of explicit tasks, the worst piece agrees with the report to the last digit. For
        tasks without a wait, the mean does, too."""
        kind = self.index["task_kinds"].index("explicit")
        rows = {row["label"]: row for row in self.index["report"]["tables"]["slack"]}
        found = collections.defaultdict(list)
        for task in self.page.table("tasks") if self.complete else []:
            if task["kind"] == kind and task["label"] < len(self.index["labels"]) and task["slack"]:
                found[self.index["labels"][task["label"]]["text"]].append((task["slack"] - 1, task["realised_slack"] - 1))
        for text, slacks in found.items():
            row = rows[text]
            for least, mean, values in zip(("least_s", "realised_least_s"), ("mean_s", "realised_mean_s"), zip(*slacks)):
                self.test.assertEqual(rounded(row[least]), rounded(min(values) * self.tick), text)
                if row["pieces"] == len(values):
                    self.n_means += 1
                    expected = sum(values) / len(values) * self.tick
                    self.test.assertAlmostEqual(row[mean], expected, delta=1e-9 * expected + 1e-15, msg=text)

    def check_edges(self):
        known = {task["task"] for task in self.page.table("tasks")} if "tasks" in self.index["tables"] else set()
        for edge in self.page.table("edges"):
            self.test.assertIn(edge["from"], known)
            self.test.assertIn(edge["to"], known)
            self.test.assertNotEqual(edge["from"], edge["to"])
            self.test.assertLess(edge["kind"], len(self.index["edge_kinds"]))

    # ---- sums

    def check_paths(self):
        at = self.first
        for step in self.page.table("realised"):
            self.test.assertEqual(step["begin"], at)
            at += step["duration"]
        self.test.assertEqual(at, self.first + self.index["wall"])
        self.test.assertEqual(at, self.last)
        for step in self.page.table("span"):
            self.test.assertLessEqual(step["begin"] + step["duration"], self.end)

    def check_profile(self):
        rows = self.page.table("profile")
        self.test.assertEqual(len(rows), -(-self.end // self.index["profile"]["step"]))
        for i, state in enumerate(STATES):
            self.test.assertEqual(sum(row[state] for row in rows), sum(self.index["lanes"][lane]["totals"][i] for lane in self.threads))
        step = self.index["profile"]["step"]
        for i, row in enumerate(rows):
            inside = max(min((i + 1) * step, self.last) - max(i * step, self.first), 0)
            self.test.assertEqual(sum(row[state] for state in STATES), inside * len(self.threads))

    def check_flame(self):
        rows = self.page.table("flame")
        executed = sum(self.index["lanes"][lane]["totals"][1] for lane in self.threads)
        self.test.assertEqual(rows[0]["total"], executed)
        self.test.assertEqual(sum(row["self"] for row in rows), executed)
        children = collections.Counter()
        for i, row in enumerate(rows[1:], 1):
            self.test.assertLess(row["parent"], i)
            children[row["parent"]] += row["total"]
        for i, row in enumerate(rows):
            self.test.assertEqual(row["total"], row["self"] + children[i])

    def check_histogram(self):
        tasks = self.index["report"]["tables"]["tasks"]
        rows = self.page.table("histogram") if tasks else []
        self.test.assertEqual(sum(row["count"] for row in rows), sum(row["count"] for row in tasks))
        for row in rows:
            mean, least = row["work"] / row["count"], 2 ** (row["bin"] >> 2) * (4 + (row["bin"] & 3)) / 4
            most = 2 ** (row["bin"] + 1 >> 2) * (4 + (row["bin"] + 1 & 3)) / 4
            self.test.assertTrue(row["bin"] == 0 or least <= mean < most, row)

    # ---- pictures

    def check_no_gap(self, graph):
        """Checks that no wide strip of the picture is empty from top to bottom."""
        end = 0
        for box in sorted(graph["nodes"] + graph["frames"], key=lambda box: box["x"]):
            self.test.assertLess(box["x"] - end, 60)
            end = max(end, box["x"] + box["w"])

    def check_graph(self):
        graph = self.index["graph"]
        for node in graph["nodes"]:
            self.test.assertTrue(-1 <= node["frame"] < len(graph["frames"]))
            around = graph["frames"][node["frame"]] if node["frame"] >= 0 else {"x": 0, "y": 0, "w": graph["width"], "h": graph["height"]}
            self.check_inside(node, around)
        for i, frame in enumerate(graph["frames"]):
            self.test.assertLess(frame["parent"], i)
            if frame["parent"] >= 0:
                self.check_inside(frame, graph["frames"][frame["parent"]])
        for edge in graph["edges"]:
            self.test.assertTrue(0 <= edge["from"] < len(graph["nodes"]) and 0 <= edge["to"] < len(graph["nodes"]))
        self.check_no_gap(graph)
        boxes = graph["nodes"][:200]
        for i, a in enumerate(boxes):
            for b in boxes[:i]:
                apart = (a["x"] + a["w"] <= b["x"] + 1 or b["x"] + b["w"] <= a["x"] + 1 or a["y"] + a["h"] <= b["y"] + 1 or
                         b["y"] + b["h"] <= a["y"] + 1)
                self.test.assertTrue(apart, (a, b))

    def check_inside(self, inner, outer):
        self.test.assertTrue(outer["x"] - 1 <= inner["x"] and inner["x"] + inner["w"] <= outer["x"] + outer["w"] + 1, (inner, outer))
        self.test.assertTrue(outer["y"] - 1 <= inner["y"] and inner["y"] + inner["h"] <= outer["y"] + outer["h"] + 1, (inner, outer))

    def check_findings(self):
        self.test.assertEqual(len(self.index["findings"]), len(self.index["report"]["findings"]))
        for finding, reported in zip(self.index["findings"], self.index["report"]["findings"]):
            has_no_place = reported["kind"] in ("allocation", "high water", "noise", "too short") or reported["cost_s"] == 0
            self.test.assertTrue(finding["spans"] or has_no_place, reported)
            self.test.assertTrue(0 <= finding["begin"] <= finding["end"] <= self.end)
            for lane, begin, end in finding["spans"]:
                self.test.assertLess(lane, len(self.index["lanes"]))
                self.test.assertLess(begin, end)
                if self.complete:
                    self.test.assertTrue(any(slice["start"] == begin and slice["start"] + slice["duration"] == end
                                             for slice in self.slices[lane, 0]))
