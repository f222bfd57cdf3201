#!/usr/bin/env python3
"""When an archive is full and when-full=totals, each kernel, region, fence, ... is either recorded or summed up,
exactly as often as it was called. A logging tool gives the numbers for Kokkos; with both connectors, an archive without
limits gives the numbers for OpenMP.

    totals.py --kokkos libotter-kokkos.so --ompt libotter-ompt.so --otter otter --logger logger.so PROGRAM [ARGUMENT]...
"""
import collections
import json
import pathlib
import subprocess
import sys
import tempfile

import hooks
import real

# The size of the archive: no room for events, or room for some.
SIZES = {"nothing": "100K", "some": "300K"}
# Programs with enough events to fill the second size.
LONG = {"tiny"}
FULL = "otter: recording has stopped: the archive is as large as max-size="


class TotalsTest(real.Test):
    def execute_with(self, what, plain, folder, **variables):
        """Returns the archive, after checking that the program's results are unchanged and that the limit causes one
        warning."""
        path = pathlib.Path(folder, what)
        path.mkdir()
        run = self.execute(folder, OTTER_TRACE_PATH=str(path), **variables)
        if (run.returncode, run.stdout) != (plain.returncode, plain.stdout):
            self.complain(f"{what}: status {run.returncode}, {run.stdout!r}, expected {plain.stdout!r}; {run.stderr[-600:]}")
        said = [line for line in run.stderr.splitlines() if "otter" in line.lower() and not real.CLOSING_BLOCK.match(line)]
        if [line.startswith(FULL) for line in said] != [True] * ("OTTER_MAX_SIZE" in variables):
            self.complain(f"{what}: said {said}")
        (archive,) = path.glob("*/traces.otf2")
        return archive

    def visits(self, what, path):
        """Returns {Kokkos record, or name of OpenMP: (number in records, number in totals)}."""
        got = real.Recorded(path)
        self.problems += [f"{what}: {problem}" for problem in got.problems]
        recorded = collections.Counter(self.key(event.region) for location in got.archive.locations for event in location.events
                                       if event.kind == "Enter")
        summed = collections.Counter()
        for name, value in got.archive.properties.items():
            if name.startswith("OTTER::TOTALS::"):
                visits, inclusive, exclusive = map(int, value.split())
                summed[self.key(got.archive.regions[int(name.rpartition(":")[2])])] += visits
                if exclusive > inclusive:
                    self.complain(f"{what}: {name} is {value}")
        for name in ("LOST", "REPAIRED", "UNBEGUN"):
            if got.archive.properties[f"OTTER::{name}"] != "0":
                self.complain(f"{what}: OTTER::{name} is {got.archive.properties[f'OTTER::{name}']}")
        return recorded, +summed

    @staticmethod
    def key(region):
        return real.Recorded.record(region) if region.paradigm == "Paradigm.KOKKOS" else region.canonical

    def check_info(self, what, path, summed):
        """Checks that `otter info` shows the totals."""
        info = subprocess.run([self.options.otter, "info", "--json", str(path)], capture_output=True, check=True, timeout=60)
        totals = json.loads(info.stdout)["totals"]
        self.compare(f"{what}: otter info", collections.Counter({"visits": sum(summed.values())}),
                     collections.Counter({"visits": sum(total["visits"] for total in totals["regions"])}))

    def check(self, what, room, path, expected):
        recorded, summed = self.visits(what, path)
        of_kokkos = collections.Counter({key: n for key, n in (recorded + summed).items() if isinstance(key, tuple)})
        self.compare(what, expected[0], of_kokkos)
        if len(expected) > 1:
            self.compare(f"{what}: OpenMP", expected[1], recorded + summed - of_kokkos)
        if not summed or (room == "nothing") != (not recorded):
            self.complain(f"{what}: {sum(recorded.values())} are recorded, {sum(summed.values())} summed up")
        self.check_info(what, path, summed)

    def run(self):
        options = self.options
        with tempfile.TemporaryDirectory(prefix="otter-kokkos-totals-") as folder:
            plain = self.execute(folder)
            tools = {"KOKKOS_TOOLS_LIBS": options.kokkos}
            both = tools | {"OMP_TOOL_LIBRARIES": options.ompt}
            whole, _ = self.visits("whole", self.execute_with("whole", plain, folder, **both))
            of_openmp = collections.Counter({key: n for key, n in whole.items() if not isinstance(key, tuple)})
            for room in ("nothing", "some")[:1 + (self.name in LONG)]:
                log = str(pathlib.Path(folder, f"{room}.log"))
                limit = {"OTTER_MAX_SIZE": SIZES[room], "OTTER_WHEN_FULL": "totals"}
                path = self.execute_with(f"{room}, alone", plain, folder, **tools, **limit, OTTER_CHAIN=options.logger, KOKKOS_LOGGER_FILE=log)
                expected = hooks.Log(log).records()
                self.check(f"{room}, alone", room, path, [expected])
                path = self.execute_with(f"{room}, both", plain, folder, **both, **limit)
                self.check(f"{room}, both", room, path, [expected, of_openmp])
        return self.finish()


if __name__ == "__main__":
    sys.exit(TotalsTest(real.options(__doc__)).run())
