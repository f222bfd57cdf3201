"""`scripts/bench view` measures `otter view`, and its pages in a browser without a window.

Records fib with about 10^6 and 10^7 events. Write: seconds of the processor and the largest memory of `otter view`. First
picture: milliseconds from the navigation to the complete timeline. Frames: zooming in and out 10^4 times, one step per
frame. Without Node.js, puppeteer-core (scripts/modules) and a browser, only writing is measured.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

import bench_graph
import bench_report

GOALS = "goals for 10^6 tasks: first picture < 2000 ms, > 30 frames a second"


def browser_modules():
    """Returns the folder of puppeteer-core, or None."""
    script = pathlib.Path(__file__).resolve().parent / "modules"
    result = subprocess.run([script, "browser", "--list"], capture_output=True, text=True, check=False)
    return result.stdout.strip()


def main(arguments, prepare):
    parser = argparse.ArgumentParser(prog="bench view", description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, default=os.environ.get("OTTER_BUILD", "build"))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--sizes", default="1e6,1e7", help="numbers of events, with commas")
    parser.add_argument("--size", default="20M", help="of the pages, as for otter view")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--runtime", default="", help="folder of the libomp.so.5 to use")
    parser.add_argument("--folder", help="where archives and pages are written (default: the build folder)")
    args = parser.parse_args(arguments)
    args.build = args.build.resolve()
    otter = args.build / "core/cli/otter"
    if not otter.exists() or not (args.build / "test/bench/bench").exists():
        sys.exit(f"{args.build} is not built: run scripts/test, or ninja -C {args.build}")
    prepare()
    print(GOALS)
    modules = browser_modules()
    measure = pathlib.Path(__file__).resolve().parent.parent / "test/view/browser/measure.mjs"
    with tempfile.TemporaryDirectory(dir=args.folder or args.build, prefix="bench-") as folder:
        for size in map(int, map(float, args.sizes.split(","))):
            archive, page = pathlib.Path(folder, f"archive-{size}"), pathlib.Path(folder, f"page-{size}.html")
            bench_graph.record_kernel(args, "fib", bench_report.SHAPES["fib"][size], args.threads, archive)
            costs = [bench_report.cost_of([otter, "view", f"--size={args.size}", "-o", page, archive])[1:] for _ in range(args.rounds)]
            seconds, memory = (min(column) for column in zip(*costs))
            print(f"10^{len(str(size)) - 1} events: written in {seconds:.2f} s, {memory / bench_report.MIB:.0f} MiB", flush=True)
            if modules:
                subprocess.run(["node", measure, modules, page], check=True)
    if not modules:
        print("not measured in a browser: `scripts/modules browser` installs what is missing")
