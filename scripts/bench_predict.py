"""Predicts changes of programs (test/bench/predict.c), and measures the changed programs: a part of `scripts/bench report`.

Both times are from recorded runs, from the first to the last event. The shortest of several runs counts. The error is
the distance from the nearer end of the interval.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys

# kernel, threads of the recorded run, options of `otter report`, threads and argument of the changed run
CHANGES = [
    ("fib", 1, ["--threads=2"], 2, ""),
    ("sort", 1, ["--threads=2"], 2, ""),
    ("wavefront", 1, ["--threads=2"], 2, ""),
    ("creator", 1, ["--threads=2"], 2, ""),
    ("locks", 1, ["--threads=2"], 2, ""),
    ("loop", 2, ["--what-if=balance for"], 2, "changed"),
    ("locks", 2, ["--what-if=critical=0.5x"], 2, "changed"),
    ("barrier", 2, ["--what-if=drop barrier barrier"], 2, "changed"),
    ("small", 2, ["--what-if=cut-off task at 8"], 2, "changed"),
]
HEADER = """\
predictions                                                    replay of             predicted
kernel    thr  change                           run ms  itself, error                ms  measured ms   error"""


def record(args, kernel, threads, argument, archive):
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("OTTER_", "OMP_", "KMP_"))}
    environment |= {"OMP_NUM_THREADS": str(threads), "OTTER_FOLDER": str(archive), "OTTER_QUIET": "on",
                    "OMP_TOOL_LIBRARIES": str(args.build / "connectors/ompt/libotter-ompt.so")}
    command = [str(args.build / "test/bench/predict"), kernel, argument]
    process = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if process.returncode:
        sys.exit(f"{' '.join(command)} ended with status {process.returncode}\n{process.stderr}")


def report(args, archive, options):
    command = [str(args.build / "core/cli/otter"), "report", "--json", *options, str(archive)]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def shortest(args, kernel, threads, argument, options, folder):
    """Returns the predictions of the shortest of several runs."""
    runs = []
    for i in range(args.rounds):
        archive = pathlib.Path(folder, f"predict-{i}")
        record(args, kernel, threads, argument, archive)
        runs.append(report(args, archive, options))
        shutil.rmtree(archive)
    return min(runs, key=lambda run: run["observed_s"])


def measure(args, folder):
    print(HEADER)
    for kernel, threads, options, changed_threads, argument in CHANGES:
        run = shortest(args, kernel, threads, "", options, folder)
        changed = shortest(args, kernel, changed_threads, argument, ["--threads=1"], folder)["observed_s"]
        prediction, = run.get("what_if", []) + run.get("predicted", [])
        least, most = prediction["least_s"], prediction["most_s"]
        nearest = min(max(changed, least), most)
        print(f"{kernel:9}{threads:4}  {options[0]:30}{run['observed_s'] * 1e3:9.1f}{run['replayed']['error']:+15.1%}"
              f"{least * 1e3:9.1f} to {most * 1e3:5.1f}{changed * 1e3:13.1f}{nearest / changed - 1:+8.1%}", flush=True)
