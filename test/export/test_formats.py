#!/usr/bin/env python3
"""The files of `otter export` agree with the numbers of `otter report` and the edges of `otter graph`, and their texts are harmless.

usage: test_formats.py OTTER FOLDER [unittest's arguments]
"""
import collections
import csv
import dataclasses
import io
import json
import pathlib
import subprocess
import sys
import unicodedata

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "cli"))

import case  # noqa: E402  test/cli/case.py
import readers  # noqa: E402

FORMATS = "perfetto, chrome, collapsed, speedscope, csv, json, parquet"
TABLES = "tasks, fragments, waits, kernels, edges, labels, ranks, samples, remarks"
TRACES = ("chrome", "perfetto")
STATES = {"busy": ("executing_s", "preempted_s", "creating_s"), "waiting": ("waiting_s",), "lock": ("locks_s",),
          "forking": ("forking_s",), "paused": ("paused_s",)}
HOSTILE = ["</script>\"quotes' \\n \\", "\x1b[2J\r\n\x07\t", "bidi \u202e\u2066\u2028", "a;b 12;c\n", "=1+1,\"x\"", "\U0001f9a6" * 50]


def shown(text):
    """Returns a label as stacks show it."""
    escapes = {"\n": "\\n", "\r": "\\r", "\t": "\\t", ";": "\\x3b"}
    hidden = {"Cc", "Cf", "Zl", "Zp"}
    result = ""
    for i, character in enumerate(text):
        if character == "\\" and (text[i + 1:i + 2] in ("n", "r", "t", "x", "u", "U", "\\")):
            result += "\\\\"
        elif character in escapes:
            result += escapes[character]
        elif unicodedata.category(character) in hidden:
            result += f"\\x{ord(character):02x}" if ord(character) < 0x80 else f"\\u{ord(character):04x}"
        else:
            result += character
    return result


def cell(value):
    """Returns a value as a cell in CSV: a spreadsheet must not evaluate it."""
    return f"'{value}" if str(value)[:1] in tuple("=+-@\t\r\n") else str(value)


class ExportCase(case.CommandCase):
    maxDiff = 2000

    def setUp(self):
        super().setUp()
        self.environment["OMP_NUM_THREADS"] = "2"
        self.environment["OTTER_SWITCHES"] = "off"  # slices include time in which their thread is preempted, labels do not

    def play(self, kind, status=0):
        result = self.record("-o", kind, self.tool("../view/played"), kind)
        self.assertEqual(result.returncode, status, result.stderr)
        return self.folder / kind

    def play_devices(self):
        tool = (self.tools / "../../connectors/ompt/libotter-ompt.so").resolve()
        subprocess.run([self.tool("../mock/player"), tool, HERE.parent / "mock/scripts/device_trace/device_trace.mock"], cwd=self.folder,
                       env=self.environment, check=True, capture_output=True)
        return next(self.folder.glob("*/traces.otf2")).parent

    def export(self, name, archive, *options):
        """Returns the bytes of the file, which must equal those on standard output."""
        result = self.run_otter("export", f"--to={name}", *options, "-o", "file", archive)
        self.assertEqual((result.returncode, result.stdout), (0, ""), result.stderr)
        contents = "table " if name in ("csv", "json") else ""
        self.assertRegex(result.stderr, rf"^otter: file: [\d.]+ (bytes|[KMG]iB), {contents}[^\n]+\n$")
        data = (self.folder / "file").read_bytes()
        printed = self.run_otter("export", "-t", name, *options, "-o", "-", archive, text=False)
        self.assertEqual((printed.returncode, printed.stderr), (0, b""))
        self.assertEqual(printed.stdout, data)
        return data

    def json(self, *arguments):
        result = self.run_otter(*arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def check(self, archive):
        """Reads the archive in all formats, checks them against each other and returns the trace."""
        traces = {name: readers.READERS[name](self.export(name, archive)) for name in TRACES}
        for trace in traces.values():
            for part in ("title", "lanes", "slices", "flows", "samples", "instants", "sections"):
                self.assertEqual(getattr(trace, part), getattr(traces["chrome"], part), part)
        trace = traces["chrome"]
        self.check_times(archive, trace)
        self.check_profiles(archive, trace)
        self.check_stacks(archive)
        self.check_tables(archive, trace)
        self.check_remarks(archive, trace)
        return trace

    def table(self, archive, name):
        """Returns the rows of a table, which must be equal in CSV and JSON."""
        rows = json.loads(self.export("json", archive, f"--table={name}").decode("utf-8"))
        lines = list(csv.DictReader(io.StringIO(self.export("csv", archive, f"--table={name}").decode("utf-8"), newline="")))
        self.assertEqual(lines, [{column: "" if value is None else cell(value) for column, value in row.items()} for row in rows])
        return rows

    def check_tables(self, archive, trace):
        report = self.json("report", "--json", archive)
        tasks = self.table(archive, "tasks")
        by_index = {row["index"]: row for row in tasks}
        ids = [row["task"] for row in tasks if row["task"]]
        self.assertEqual(len(ids), len(set(ids)))
        self.assertLessEqual({slice.task for slice in trace.slices if slice.task and slice.category == "busy"}, set(ids))
        counts, work = collections.Counter(), collections.Counter()
        for row in tasks:
            self.assertLessEqual(row["begin_ns"], row["end_ns"])
            if row["kind"] == "explicit":
                counts[row["label"]] += 1
                work[row["label"]] += row["work_ns"]
        expected, seconds = collections.Counter(), collections.Counter()
        for row in report["tables"]["tasks"]:
            expected[row["task"]] += row["count"]
            seconds[row["task"]] += row["work_s"]
        self.assertEqual({label: counts[label] for label in expected}, expected)
        for label in counts:  # a task that never began has no label
            self.assertIn(label, {*expected, "(no label)"})
            self.assertAlmostEqual(work[label], seconds[label] * 1e9, delta=counts[label] + 1)
        for name in TABLES.split(", "):
            self.table(archive, name)
        waits = self.table(archive, "waits")
        self.assertAlmostEqual(sum(row["end_ns"] - row["begin_ns"] for row in waits), delta=len(waits) + 1,
                               second=sum(slice.end - slice.begin for slice in trace.slices if slice.category in ("waiting", "lock")))
        self.assertLessEqual({row["task_index"] for row in waits if row["task_index"] is not None}, set(by_index))
        streams = [lane for lane in trace.lanes if "Device" in lane]
        kernels = self.table(archive, "kernels")
        self.assertEqual(len([row for row in kernels if "Device" in row["lane"]]),
                         len([slice for slice in trace.slices if slice.lane in streams]))
        spans = {(slice.begin, slice.end, slice.name) for slice in trace.slices}
        self.assertLessEqual({(row["begin_ns"], row["end_ns"], row["label"]) for row in kernels if row["begin_ns"] < row["end_ns"]}, spans)

    def check_remarks(self, archive, trace):
        """Checks that the table contains the instants, sections and pauses of the trace."""
        rows = self.table(archive, "remarks")
        self.assertEqual([(row["kind"], row["text"], row["begin_ns"]) for row in rows if row["kind"] in ("marker", "loss", "stop")], trace.instants)
        self.assertEqual([(row["begin_ns"], row["end_ns"], row["text"]) for row in rows if row["kind"] == "section"], trace.sections)
        pauses = [row["end_ns"] - row["begin_ns"] for row in rows if row["kind"] == "pause"]
        paused = sum(slice.end - slice.begin for slice in trace.slices if slice.category == "paused")
        self.assertAlmostEqual(sum(pauses), paused, delta=len(trace.slices))
        self.assertTrue(all((row["lane"] is not None) == (row["kind"] == "pause") for row in rows))
        self.assertTrue(all((row["severity"] is not None) == (row["kind"] == "marker") for row in rows))
        return rows

    def check_profiles(self, archive, trace):
        """Checks that profiles contain the slices of the trace."""
        profiles = readers.speedscope(self.export("speedscope", archive))
        self.assertEqual(profiles.title, trace.title)
        self.assertEqual([(slice.begin, slice.end, slice.name, slice.depth, slice.lane) for slice in profiles.slices],
                         [(slice.begin, slice.end, slice.name, slice.depth, slice.lane.split(" ", 1)[1]) for slice in trace.slices])

    def check_stacks(self, archive):
        """Checks that, for each label that ends a path, stacks add up to its executed and creating time in the report.
        """
        stacks = readers.collapsed(self.export("collapsed", archive))
        report = self.json("report", "--json", archive)
        total = sum(row["executed_s"] + row["creating_s"] for row in report["tables"]["labels"])
        self.assertAlmostEqual(sum(stacks.values()), total * 1e6, delta=1)
        labels, expected = collections.Counter(), collections.Counter()
        for path, count in stacks.items():
            self.assertGreater(count, 0)
            self.assertEqual(len(set(path)), len(path))
            labels[path[-1]] += count
        for row in report["tables"]["labels"]:
            expected[shown(row["label"])] += (row["executed_s"] + row["creating_s"]) * 1e6
        for label in labels | expected:
            self.assertAlmostEqual(labels[label], expected[label], delta=len(stacks) + 1, msg=label)

    def check_times(self, archive, trace):
        """Checks that the sums equal the report's sums, except that each slice is rounded to nanoseconds."""
        report = self.json("report", "--json", archive)
        threads = {row["thread"] for row in report["tables"]["threads"]}
        sums, labels = collections.Counter(), collections.Counter()
        for slice in trace.slices:
            self.assertGreater(slice.end, slice.begin)
            if slice.lane.split(" ", 1)[1] in threads:
                sums[slice.category] += slice.end - slice.begin
                labels[slice.name] += slice.end - slice.begin if slice.category == "busy" else 0
        for category, columns in STATES.items():
            expected = sum(row.get(column, 0) for row in report["tables"]["threads"] for column in columns)
            self.assertAlmostEqual(sums[category], expected * 1e9, delta=len(trace.slices) + 1, msg=category)
        expected = collections.Counter()
        for row in report["tables"]["labels"]:
            expected[row["label"]] += round((row["executed_s"] + row["creating_s"]) * 1e9)
        for label in labels | expected:
            self.assertAlmostEqual(labels[label], expected[label], delta=len(trace.slices) + 1, msg=label)

    def check_flows(self, archive, trace):
        """Checks that each edge between different chains is a flow."""
        graph = self.json("graph", "--format=json", "--view=fragments", "-o", "-", archive)
        edges = collections.Counter(edge["kind"] for edge in graph["edges"] if edge["kind"] not in ("order", "nesting"))
        nodes = graph["nodes"]
        ends = sum(edge["kind"] == "join" and nodes[edge["target"]]["kind"] == "end" for edge in graph["edges"])
        self.assertGreater(trace.kinds["creation"], 0)
        for kind in trace.kinds | edges:
            # The last barrier of a region and the end of the region have no slice between them.
            self.assertIn(edges[kind] - trace.kinds[kind], range(ends + 1) if kind == "join" else [0], kind)


class Traces(ExportCase):
    def test_tasks(self):
        archive = self.play("tasks")
        trace = self.check(archive)
        self.check_flows(archive, trace)
        self.assertEqual(trace.kinds["dependence"], 19)
        self.assertEqual(trace.title, f"{self.tool('../view/played')} tasks")
        self.assertEqual(len({slice.task for slice in trace.slices if slice.task and slice.category == "busy"}), 484)

    def test_constructs_nest(self):
        archive = self.play("nested")
        trace = self.check(archive)
        self.check_flows(archive, trace)
        self.assertGreaterEqual(max(slice.depth for slice in trace.slices), 3)
        self.assertFalse([slice for slice in trace.slices if slice.category == "construct" and slice.task])

    def test_pauses(self):
        trace = self.check(self.play("paused"))
        self.assertIn("paused", {slice.name for slice in trace.slices})

    def test_a_recovered_recording(self):
        self.play("killed", status=137)
        self.assertEqual(self.run_otter("recover", "killed.recording").returncode, 0)
        trace = self.check(self.folder / "killed")
        self.assertEqual([kind for kind, _, _ in trace.instants], ["marker", "stop"])
        self.assertIn("high", [row["severity"] for row in self.table(self.folder / "killed", "remarks")])

    def test_devices(self):
        trace = self.check(self.play_devices())
        streams = [lane for lane in trace.lanes if "Device" in lane]
        self.assertEqual(len(streams), 2)
        self.assertEqual(len([slice for slice in trace.slices if slice.lane in streams]), 3)

    def test_memory(self):
        trace = self.check(self.make("kokkos", 50, "kokkos"))
        self.assertTrue(trace.samples)
        self.assertIn("construct", {slice.category for slice in trace.slices})
        self.assertTrue(all(name.startswith("memory in use: ") for name, _, _ in trace.samples))

    def test_losses_and_sections(self):
        archive = self.make("lost", 5, "kokkos", "OTTER::LOSING", "3000", "OTTER::STOPPED_AT", "3500")
        trace = self.check(archive)
        begin = 1000
        self.assertEqual(trace.instants, [("loss", "3 events are lost", 3000 - begin), ("stop", "the recording stopped", 3500 - begin)])
        self.assertEqual([(start, name) for start, _, name in trace.sections], [(2000 - begin, "phase"), (3700 - begin, "phase")])
        self.assertEqual(trace.sections[0][1], 3600 - begin)

    def test_a_damaged_clock(self):
        """Times of any size are in order; times too large for a signed number become the largest one. Archives of
        Otter's own writer are read up to the first time outside of their clock."""
        archive = self.make("damaged", 3, "kokkos")
        anchor = archive / "traces.otf2"
        anchor.write_bytes(anchor.read_bytes().replace(b"\0Otter\0", b"\0Other\0"))
        events = max((path for path in archive.rglob("*.evt")), key=lambda path: path.stat().st_size)
        content = events.read_bytes()
        ends = set()
        for at in range(0, min(len(content) - 8, 200), 3):
            events.write_bytes(content[:at] + b"\xf0" * 8 + content[at + 8:])
            for name in ("speedscope", *TRACES):
                result = self.run_otter("export", f"--to={name}", "-o", "-", archive, text=False)
                self.assertIn(result.returncode, (0, 1))
                if result.returncode == 0:
                    trace = getattr(readers, name)(result.stdout)
                    ends.update(slice.end for slice in trace.slices)
        self.assertEqual(max(ends), 2 ** 63 - 1)

    def test_hostile_texts_are_data(self):
        for i, text in enumerate(HOSTILE):
            with self.subTest(text=text):
                trace = self.check(self.make(f"a{i}", 20, "kokkos", "text", text, "OTTER::COMMAND_LINE", text))
                self.assertEqual(trace.title, text)
                self.assertTrue([slice for slice in trace.slices if text in slice.name])


class Samples(ExportCase):
    """The samples of all formats are those of `otter report --functions`."""

    PERIOD = 2_000_000  # nanoseconds

    def setUp(self):
        super().setUp()
        self.environment["OTTER_SWITCHES"] = "on"
        if not self.has_switches():
            self.skipTest("perf events are not allowed here")
        result = self.record("--quiet", f"--sample={10 ** 9 // self.PERIOD}", "-o", "a", self.tool("planted"))
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def count(self, rows):
        """Returns how many samples each function has for itself, by state or label."""
        counts = collections.Counter()
        for row in rows:
            counts[row["function"], row["label"] or row["state"]] += row.get("samples", 1)
        return +counts

    def test_all_formats_have_the_samples(self):
        rows = self.table("a", "samples")
        threads = [row for row in rows if row["thread"]]
        states = {"(outside)": "outside", "(waiting)": "waiting", "(lock)": "lock", "(forking)": "forking", "(other threads)": "unrecorded"}
        reported = self.json("report", "--functions", "--json", "a")
        for row in reported:
            row.update(state=states.get(row["label"]), label=None if row["label"] in states else row["label"])
        self.assertEqual(self.count(rows), self.count(reported))
        self.assertTrue(any(row["stack"].endswith("outer;inner") for row in rows), "inlined")
        for row in rows:
            self.assertEqual(row["stack"].split(";")[-1], row["function"])
            self.assertEqual(row["label"] is None, row["state"] != "executing")
        self.check_trace(threads)
        self.check_profiles_of_samples(threads)
        self.check_stacks_of_functions()

    def check_trace(self, rows):
        trace = readers.perfetto(self.export("perfetto", "a"))
        self.assertEqual([(lane.split(" ", 1)[1], time, names[-1], line) for lane, time, names, line in trace.calls],
                         [(row["thread"], row["time_ns"], row["function"], row["line"] and f"{pathlib.Path(row['file']).name}:{row['line']}")
                          for row in rows])

    def check_profiles_of_samples(self, rows):
        trace = readers.speedscope(self.export("speedscope", "a"))
        self.assertEqual([(name, weight, stack[-1]) for name, weight, stack, _ in trace.calls],
                         [(f"{row['thread']}, samples", self.PERIOD, row["function"]) for row in rows])
        self.assertEqual(trace.lanes, sorted(set(trace.lanes), key=trace.lanes.index), "a profile with slices for each thread")
        for (_, _, stack, _), row in zip(trace.calls, rows):
            n = len(row["stack"].split(";"))
            self.assertEqual(";".join(stack[-n:]), row["stack"])
            if row["label"]:
                self.assertEqual(stack[-n - 1], row["label"])

    def check_stacks_of_functions(self):
        """Checks that functions share the time of their path, and that the other form has no functions."""
        labels = readers.collapsed(self.export("collapsed", "a", "--stacks=labels"))
        stacks = readers.collapsed(self.export("collapsed", "a"))
        self.assertFalse([path for path in labels if {"heavy", "light"} & {*path}])
        sums = collections.Counter()
        for path, weight in stacks.items():
            sums[max((label for label in labels if path[:len(label)] == label), key=len)] += weight
        for path in labels | sums:
            self.assertAlmostEqual(sums[path], labels[path], delta=1)
        own = collections.Counter()
        for path, weight in stacks.items():
            own[path[-1]] += weight
        self.assertGreater(own["heavy"], own["light"])


class Ranks(ExportCase):
    """In the file of all ranks, each rank has the same content as in its own file, on a common time axis."""

    RANKS = 3

    def setUp(self):
        super().setUp()
        self.environment["OTTER_CLOCK"] = "monotonic"  # ticks are nanoseconds: nothing is rounded
        for rank in range(self.RANKS):
            self.environment |= {"PMI_RANK": str(rank), "PMI_SIZE": str(self.RANKS), "PMI_JOBID": "1"}
            result = self.record("--quiet", "--folder=job", self.tool("../view/played"), "tasks" if rank else "nested")
            self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(self.run_otter("merge", "-o", "m", "job").returncode, 0)
        self.archive = self.folder / "m"

    def begins(self):
        rows = json.loads(self.export("json", self.archive, "--table=ranks").decode("utf-8"))
        self.assertEqual([row["rank"] for row in rows], list(range(self.RANKS)))
        return [row["begin_ns"] for row in rows]

    def shifted(self, slices, ns):
        return [dataclasses.replace(slice, begin=slice.begin + ns, end=slice.end + ns) for slice in slices]

    def test_tables_have_a_column_of_ranks(self):
        for name in TABLES.split(", "):
            rows, expected = self.table(self.archive, name), []
            for rank in range(self.RANKS):
                expected += [{"rank": rank, **row} for row in self.table(self.archive / f"rank-{rank}", name)]
            for row in rows + expected if name == "ranks" else []:
                del row["begin_ns"]  # counts from the start of the first rank, or of the only one
            self.assertEqual(rows, expected, name)

    def test_traces_have_a_process_for_each_rank(self):
        for name in TRACES:
            data = self.export(name, self.archive)
            for rank, begin in enumerate(self.begins()):
                with self.subTest(format=name, rank=rank):
                    all_ranks = readers.READERS[name](data, rank + 1)
                    alone = readers.READERS[name](self.export(name, self.archive, f"--rank={rank}"))
                    self.assertEqual(all_ranks.title, f"rank {rank}: {alone.title}")
                    self.assertEqual(all_ranks.lanes, alone.lanes)
                    self.assertEqual(all_ranks.slices, self.shifted(alone.slices, begin))
                    self.assertEqual(sum(all_ranks.flows.values()), sum(alone.flows.values()))
                    self.assertGreater(sum(alone.flows.values()), 0)

    def test_numbers_of_ranks_do_not_collide(self):
        events = json.loads(self.export("chrome", self.archive))["traceEvents"]
        flows = collections.Counter(event["id"] for event in events if event["ph"] == "s")
        self.assertEqual(max(flows.values()), 1)
        packets = [readers.Message(packet) for packet in readers.Message(self.export("perfetto", self.archive))[1]]
        tracks = [packet.message(readers.DESCRIPTOR).one(1) for packet in packets if readers.DESCRIPTOR in packet]
        self.assertEqual(len(tracks), len(set(tracks)))
        numbers = collections.defaultdict(set)
        for packet in packets:
            if readers.EVENT in packet:
                event = packet.message(readers.EVENT)
                for number in event.get(47, []) + event.get(48, []):
                    numbers[number].add(packet.one(readers.SEQUENCE))
        self.assertEqual({len(ranks) for ranks in numbers.values()}, {1})

    def test_profiles_and_stacks_name_the_rank(self):
        profiles = readers.speedscope(self.export("speedscope", self.archive))
        stacks = readers.collapsed(self.export("collapsed", self.archive))
        for rank, begin in enumerate(self.begins()):
            alone = readers.speedscope(self.export("speedscope", self.archive, f"--rank={rank}"))
            own = [dataclasses.replace(slice, lane=slice.lane.removeprefix(f"rank {rank}: ")) for slice in profiles.slices
                   if slice.lane.startswith(f"rank {rank}: ")]
            self.assertEqual(own, self.shifted(alone.slices, begin))
            self.assertEqual({path[1:]: count for path, count in stacks.items() if path[0] == f"rank {rank}"},
                             dict(readers.collapsed(self.export("collapsed", self.archive, f"--rank={rank}"))))

    def test_a_damaged_rank_is_left_out_by_name(self):
        for location in range(len(list((self.folder / "job/rank-0000/traces").glob("*.evt")))):
            (self.archive / f"traces/{location}.def").write_bytes(b"damage")
        result = self.run_otter("export", "--to=csv", "-o", "-", self.archive)
        self.assertEqual(result.returncode, 0)
        self.assertIn("the export lacks rank 0", result.stderr)
        self.assertEqual({row["rank"] for row in csv.DictReader(io.StringIO(result.stdout))}, {"1", "2"})


class Command(ExportCase):
    def test_names_the_formats(self):
        self.assert_fails(self.run_otter("export", "--to=x", "a"), 2, "'x'", FORMATS)
        self.assert_fails(self.run_otter("export", "--to=csv", "--table=x", "a"), 2, "'x'", TABLES)
        self.assert_fails(self.run_otter("export", "--to=chrome", "--table=tasks", "a"), 2, "csv and json")
        self.assert_fails(self.run_otter("export", "--to=collapsed", "--stacks=x", "a"), 2, "'x'", "functions, labels")
        self.assert_fails(self.run_otter("export", "--to=csv", "--stacks=labels", "a"), 2, "collapsed")
        self.assert_fails(self.run_otter("export", "a"), 2, "--to=FORMAT", FORMATS)
        text = self.run_otter("help", "export").stdout
        for name in FORMATS.split(", "):
            self.assertRegex(text, rf"\n  {name} +\S")

    def test_names_the_file_after_the_archive(self):
        archive = self.make("run", 10)
        result = self.run_otter("export", "--to=perfetto", archive)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertTrue((self.folder / "run.perfetto-trace").exists())
        self.assertEqual(self.run_otter("export", "--to=csv", archive).returncode, 0)
        self.assertTrue((self.folder / "run.tasks.csv").exists())

    def test_writes_nothing_for_what_it_cannot_read(self):
        foreign = self.make("foreign", 10, "foreign")
        for name in FORMATS.split(", "):
            self.assert_fails(self.run_otter("export", f"--to={name}", foreign), 1, "foreign")
            self.assert_fails(self.run_otter("export", f"--to={name}", self.folder / "nothing"), 1, "nothing")
            self.assert_fails(self.run_otter("export", f"--to={name}", "-o", "no/file", self.make(f"{name}.a", 5)), 1, "no/file")
        self.assertEqual([path for path in self.folder.iterdir() if not path.is_dir()], [])


if __name__ == "__main__":
    case.main()
