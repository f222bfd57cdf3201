"""`scripts/bench switches` measures what the scheduler's switches cost a recorded program; with --sample, what samples cost.

Runs `otter record` with and without them in turn, and compares minima and medians of the kernels and of whole processes.
"""
import argparse
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

HEADER = """\
                      without, seconds     with, times without           archive, KiB
kernel threads      kernel     process    kernel (median)  process    without    with"""
KERNELS = ("fib", "grain")


def run(kernel, switches, args, threads, folder):
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("OTTER_", "OMP_", "KMP_"))}
    environment["OMP_NUM_THREADS"] = str(threads)
    archive = pathlib.Path(folder) / "a"
    programs = args.build / "test/bench"
    option = f"--sample={997 if switches == 'on' else 0}" if args.sample else f"--switches={switches}"
    process = subprocess.run([args.build / "core/cli/otter", "record", "--quiet", option, "-o", archive,
                              programs / "measure", programs / "bench", kernel],
                             env=environment, cwd=folder, capture_output=True, text=True, check=False)
    if process.returncode:
        sys.exit(f"{kernel} with {option} ended with status {process.returncode}\n{process.stderr}")
    values = {name: float(value) for name, value in re.findall(r"(\w+)=([\d.]+)", process.stdout)}
    size = sum(f.stat().st_size for f in archive.rglob("*") if f.is_file())
    return values["seconds"], values["process_s"], size / 1024


def compare(kernel, args, threads):
    """Returns a row: runs the kernel with and without switches, or samples, in turn, several times."""
    runs = {"off": [], "on": []}
    for _ in range(args.rounds):
        for switches, found in runs.items():
            with tempfile.TemporaryDirectory(dir=args.build, prefix="bench-") as folder:
                found.append(run(kernel, switches, args, threads, folder))
    off, on = ([min(values) for values in zip(*runs[switches])] for switches in runs)
    medians = [statistics.median(values[0] for values in runs[switches]) for switches in runs]
    return (f"{off[0]:12.3f}{off[1]:12.3f}{on[0] / off[0]:10.3f}{f'({medians[1] / medians[0]:.3f})':>9}{on[1] / off[1]:9.3f}"
            f"{off[2]:11.0f}{on[2]:8.0f}")


def main(arguments, prepare):
    parser = argparse.ArgumentParser(prog="bench switches", description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--sample", action="store_true", help="compare --sample with recording without samples")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--build", type=pathlib.Path, default=os.environ.get("OTTER_BUILD", "build"))
    args = parser.parse_args(arguments)
    args.build = args.build.resolve()
    if not (args.build / "test/bench/measure").exists():
        sys.exit(f"there is no {args.build}/test/bench/measure: run scripts/test, or ninja -C {args.build}")
    prepare()
    print(HEADER)
    for kernel in KERNELS:
        for threads in args.threads:
            print(f"{kernel:6}{threads:8}" + compare(kernel, args, threads), flush=True)
