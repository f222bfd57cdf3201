"""Builds and runs the programs of catalogue.py, with and without `otter record`."""
import contextlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
PROGRAMS = HERE / "programs"
LEAST = 0.02  # share of the thread time that findings of a program without a fault may cost
PATIENCE = 600  # seconds, for compiling and for runs that take a second on a machine without other load
sys.path.insert(0, str(HERE.parent / "cli"))
import case  # noqa: E402


def marks(pair):
    """The places where the fault is planted, as reports print them."""
    path = source(pair)
    lines = path.read_text().splitlines()
    return {f"{path.name}:{number}" for number, line in enumerate(lines, 1) if line.endswith("// HERE")}


def is_kokkos(pair):
    return pair.program.startswith("kokkos/")


def source(pair):
    return PROGRAMS / f"{pair.program}{'.cpp' if is_kokkos(pair) else '.c'}"


def run(command, folder, **more):
    """The standard output of a command that must succeed."""
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=PATIENCE, cwd=folder, **more)
    if result.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))}: exit status {result.returncode}\n{result.stderr}")
    return result.stdout


def recorded(otter, folder, command, environment, place=lambda report: None, options=()):
    """Returns the report of a recorded run of this command. Moves its archive to `place`, or removes it."""
    with tempfile.TemporaryDirectory(dir=folder) as parent:
        archive = f"{parent}/archive"
        run([otter, "record", *options, "-o", archive, *command], folder, env=environment)
        report = json.loads(run([otter, "report", "--json", archive], folder))
        if place(report):
            shutil.move(archive, place(report))
        return report


@contextlib.contextmanager
def load(n):
    """Starts loops that each need a processor; ends them with the block."""
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(n)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


class Tools:
    """The command, the compiler, and the folder of a Kokkos with OpenMP or None."""

    def __init__(self, otter, clang, kokkos=None):
        self.otter, self.clang, self.kokkos = os.path.abspath(otter), clang, kokkos

    def compile(self, pair):
        """Returns the command that builds a program, without its output file."""
        command = [self.clang, "-D_GNU_SOURCE", "-O1", "-g", "-fopenmp", source(pair)]
        if is_kokkos(pair):
            command += ["-std=c++17", "-pthread", "-isystem", f"{self.kokkos}/include", f"{self.kokkos}/lib/libkokkoscore.a",
                        "-ldl", "-lstdc++", "-lm"]
        return command


class Trial:
    """The runs of one pair in a folder. `number` replaces the depth, block or chunk of the program.

    `keep` is a folder for archives of *before* that have another first finding, or None. On a busy machine, programs
    with many small parts have fewer of them.
    """

    def __init__(self, pair, tools, folder, keep=None, is_loaded=False):
        self.more = {"LESS": "1"} if is_loaded else {}
        self.pair, self.otter, self.folder, self.keep = pair, tools.otter, pathlib.Path(folder), keep
        self.program = self.folder / pair.label
        self.run(*tools.compile(pair), "-o", self.program)

    def run(self, *command, **more):
        return run(command, self.folder, **more)

    def environment(self, version):
        pair = self.pair
        return {**case.clean_environment(), **self.more, "OMP_NUM_THREADS": str(pair.threads), "OMP_PROC_BIND": "false",
                **dict(pair.environment),
                **(dict(pair.remedy) if version == "after" else {})}

    def command(self, version, number):
        return [self.program, version, *([number] if number else [])]

    def seconds(self, version, number=0):
        """Returns the time of a run without a recording."""
        return float(self.run(*self.command(version, number), env=self.environment(version)))

    def report(self, version, number=0):
        """Returns the report of a recorded run."""

        def place(report):
            is_kept = self.keep and version == "before" and complaints(self.pair, report)
            return pathlib.Path(self.keep) / f"{self.pair.label}-{time.time_ns()}" if is_kept else None

        return recorded(self.otter, self.folder, self.command(version, number), self.environment(version), place,
                        self.pair.options)


def share_of(finding):
    return finding.get("cost_percent", 0) / 100


def is_right(pair, finding):
    """Returns whether this is the planted fault at its place. Faults of the whole program have no place."""
    if pair.what:
        is_there = finding.get("what") == pair.what
    else:
        is_there = not marks(pair) or finding.get("where") in marks(pair)
    return finding["kind"] in pair.kinds and is_there


def findings(report):
    """Returns the losses that the program causes, and first touches, which are no losses. High water and blocking cost
    nothing."""
    found = [finding for finding in report["findings"] if finding.get("cost_s", 0) > 0 and finding["kind"] != "noise"]
    return found + [finding for finding in report["findings"] if finding["kind"] == "first touch"]


def noise(report):
    """Returns the share of the thread time that other processes took."""
    return sum(share_of(finding) for finding in report["findings"] if finding["kind"] == "noise")


def complaints(pair, report):
    """Returns what is wrong if the planted fault is not the first finding, or if an advice contradicts the program."""
    found = findings(report)
    if not pair.kinds:
        wrong = [words(finding) for finding in found if share_of(finding) > LEAST]
    else:
        wrong = [] if found and is_right(pair, found[0]) else [f"first: {words(found[0]) if found else 'no finding'}"]
    if pair.never:
        wrong += [f"text of {words(f)}: {f['text']}" for f in report["findings"] if re.search(pair.never, f["text"])]
    return wrong


def words(finding):
    place = " ".join(filter(None, (finding.get("what"), finding.get("where"))))
    return f"{finding['kind']}{': ' if place else ''}{place} {100 * share_of(finding):.1f} %"


def left(pair, report):
    """Returns the share of the planted kinds in a report of *after*."""
    return sum(share_of(finding) for finding in report["findings"] if finding["kind"] in pair.kinds)


def advised(pair, report):
    """Returns the number that the first finding of the planted kind advises, or None."""
    for finding in report["findings"]:
        match = re.search(pair.number, finding["text"]) if finding["kind"] in pair.kinds[:1] and pair.number else None
        if match:
            return pair.per * int(match.group(1).replace(",", ""))
    return None


def unaccounted(report):
    """Returns the seconds by which the causes, the findings or the unexplained rest exceed the lost time."""
    lost = report["lost"]
    causes = sum(lost["causes_s"].values()) + lost["unexplained_s"]
    found = sum(finding.get("cost_s", 0) for finding in report["findings"]) + lost["unexplained_s"]
    return max(abs(causes - lost["total_s"]), found - lost["total_s"])
