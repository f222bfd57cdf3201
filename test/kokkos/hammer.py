"""Many threads call the Kokkos hooks at once, and nothing is lost or mixed up: hammer.py HAMMER LIBRARY OTTER STRICT."""
import collections
import os
import pathlib
import subprocess
import sys
import tempfile

HAMMER, LIBRARY, OTTER, STRICT = (str(pathlib.Path(path).resolve()) for path in sys.argv[1:5])
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from real import Recorded  # noqa: E402

N_THREADS, N_ROUNDS, N_LABELS, BLOCK = 8, 210, 7, 64
FENCED = ("Cuda", "HIP", "OpenMPTarget", "HPX")


def record(mode, folder, n_threads=N_THREADS, n_rounds=N_ROUNDS, **variables):
    """Returns the archive of a run, which `otter check` accepts, and the standard error."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("OTTER_")}
    run = subprocess.run([HAMMER, LIBRARY, str(n_threads), str(n_rounds), mode], cwd=folder, env=environment | variables,
                         capture_output=True, text=True, timeout=300, check=False)
    assert (run.returncode, run.stdout) == (0, "end\n"), run
    paths = list(pathlib.Path(folder).glob("*/traces.otf2"))
    assert len(paths) == 1, run.stderr
    check = subprocess.run([OTTER, "check", str(paths[0])], capture_output=True, text=True, timeout=300, check=False)
    assert check.returncode == 0, check.stdout + check.stderr
    return Recorded(paths[0]), run.stderr


def expected_counts():
    every, share = N_THREADS * N_ROUNDS, N_ROUNDS // N_LABELS
    counts = collections.Counter({
        ("Kokkos region", "round", ""): every,
        ("Kokkos allocate", "block", "Host"): every, ("Kokkos deallocate", "block", "Host"): every,
        ("Kokkos deep_copy", "to <- from", "Host <- Cuda"): every})
    for side in ("host", "device"):
        for what in ("sync", "modify"):
            counts[f"Kokkos dual_view {what}", "both", side] = every // 2
    for label in range(N_LABELS):
        counts["Kokkos parallel_for", f"shared {label}", "OpenMP"] = N_THREADS * share
        for thread in range(N_THREADS):
            counts["Kokkos parallel_reduce", f"own {thread} {label}", "Serial"] = share
    for thread in range(N_THREADS):
        counts["Kokkos event", f"section of {thread}", ""] = N_ROUNDS
    return counts


def all_is_recorded(mode, folder):
    got, _ = record(mode, folder)
    fences = {record: n for record, n in got.counts.items() if record[0] == "Kokkos fence"}
    assert sum(fences.values()) == N_THREADS * N_ROUNDS, fences
    assert all(record[1] == "user" and any(name in record[2] for name in FENCED) for record in fences), fences
    counts = collections.Counter({record: n for record, n in got.counts.items() if record not in fences})
    assert counts == expected_counts(), (counts - expected_counts(), expected_counts() - counts)
    assert not got.problems, got.problems[:5]
    assert got.memory["Host"][0] == 0 and got.memory["Host"][1] <= N_THREADS * BLOCK, got.memory
    for thread in range(N_THREADS):
        for what in ("start", "stop"):
            assert got.sections[f"section of {thread}", what] == N_ROUNDS, got.sections
    n_shared = 0 if mode == "bare" else N_THREADS * N_ROUNDS
    n_started, n_stopped = (got.sections["shared section", what] for what in ("start", "stop"))
    assert n_started == n_stopped <= n_shared and (n_started > 0) == (n_shared > 0), got.sections
    properties = got.archive.properties
    # Several threads start a section at once: only one start takes effect. The same applies to stops.
    assert int(properties["OTTER::REPAIRED"]) == int(properties["OTTER::UNBEGUN"]) == n_shared - n_started, properties
    assert all(properties[f"OTTER::KOKKOS::KEY_{label}"] == "value" for label in range(N_LABELS)), properties
    assert properties["OTTER::LOST"] == "0", properties


def all_threads_call_at_once(folder):
    all_is_recorded("all", folder)


def the_first_hooks_of_all_threads_come_at_once(folder):
    all_is_recorded("bare", folder)


def threads_call_on_while_the_session_ends(folder):
    got, _ = record("late", folder)
    assert not got.problems, got.problems[:5]
    assert not expected_counts() - got.counts, expected_counts() - got.counts


def numbers_are_given_without_limit(folder):
    """All sections and kernels that are open at once are recorded, and the next tool gets its own numbers."""
    n_threads, n = 4, 25000
    got, said = record("live", folder, n_threads, n, OTTER_CHAIN=STRICT)
    every, again = n_threads * n, n_threads * len(range(0, n, 3))
    started = sum(count for (_, what), count in got.sections.items() if what == "start")
    stopped = sum(count for (_, what), count in got.sections.items() if what == "stop")
    assert (started, stopped) == (every, every), (started, stopped)
    kernels = every // 4
    assert (f"strict: {every + again + 1} sections, {every} started, {every // 2} stopped, {every + again} destroyed; "
            f"{kernels} kernels, {kernels} ended") in said, said
    names = {f"section {i}" for i in range(N_LABELS)}
    long = {"n" * 300 + name for name in names}
    assert {name for name, _ in got.sections} == names | long, {name for name, _ in got.sections}
    assert got.counts["Kokkos parallel_for", "kernel", "OpenMP"] == kernels, got.counts
    properties = {name: got.archive.properties[f"OTTER::{name}"] for name in ("LOST", "REPAIRED", "UNBEGUN", "UNFINISHED")}
    assert properties == {"LOST": "0", "REPAIRED": "0", "UNBEGUN": str(kernels), "UNFINISHED": "0"}, properties


for test in (numbers_are_given_without_limit, all_threads_call_at_once, the_first_hooks_of_all_threads_come_at_once, threads_call_on_while_the_session_ends):
    with tempfile.TemporaryDirectory() as made:
        test(made)
    print("ok", test.__name__)
