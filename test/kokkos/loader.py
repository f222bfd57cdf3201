"""Plays Kokkos programs without Kokkos and checks the archives: loader.py LOADER LIBRARY OTTER FILTER SAMPLER LOGGER.

A scene is the input of loader.c; real.py shows what Kokkos itself does. Scenes imitate Kokkos 4 exactly in what
matters: its version, names that live only as long as the call, and arguments that it passes twice and in odd forms.
"""
import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import traceback

import hooks
import markers
from real import Recorded

LOADER, LIBRARY, OTTER, FILTER, SAMPLER, LOGGER = (str(pathlib.Path(path).resolve()) for path in sys.argv[1:7])

START = ["init 20240906", "settings", "interface", "args ./program --trace-name=archive", "args ./program --trace-name=archive",
         "metadata Kokkos_Version 4.6.99"]
FOR, REDUCE, SCAN = "Kokkos parallel_for", "Kokkos parallel_reduce", "Kokkos parallel_scan"
FENCE, REGION = "Kokkos fence", "Kokkos region"
PATIENCE = 240  # seconds, for operations of milliseconds on a busy machine
SCENES = []


def scene(function):
    SCENES.append(function)
    return function


def play(folder, lines, status=0, stdout="global fencing 0\nend\n", library=None, **environment):
    """Runs the loader. Returns the folders of its archives, and its messages."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("OTTER_", "KOKKOS_"))}
    run = subprocess.run([LOADER, library or LIBRARY], input="\n".join(lines) + "\n", cwd=folder, env=clean | environment,
                         capture_output=True, encoding="utf-8", errors="surrogateescape", timeout=PATIENCE, check=False)
    assert run.returncode == status, run
    assert stdout is None or run.stdout == stdout, run.stdout
    assert not list(pathlib.Path(folder).glob("*.recording")), run.stderr
    return sorted(pathlib.Path(folder).glob("*/traces.otf2")), run


def record(folder, lines, **how):
    """Returns the single archive of a run, which `otter check` accepts."""
    paths, run = play(folder, lines, **how)
    assert len(paths) == 1, run.stderr
    check = subprocess.run([OTTER, "check", str(paths[0])], capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert check.returncode == 0, check.stdout + check.stderr
    got = Recorded(paths[0])
    assert not got.problems, got.problems
    return got


def expect(got, wanted):
    assert got.counts == collections.Counter(wanted), (got.counts - collections.Counter(wanted),
                                                       collections.Counter(wanted) - got.counts)


def repaired(got):
    properties = got.archive.properties
    assert properties["OTTER::LOST"] == "0", properties
    return tuple(int(properties[f"OTTER::{name}"]) for name in ("REPAIRED", "UNBEGUN", "UNFINISHED"))


def told_by(command, folder, *arguments):
    """Returns the output of `otter` for the single archive, with runs of blanks as one blank."""
    path, = pathlib.Path(folder).glob("*/traces.otf2")
    run = subprocess.run([OTTER, command, *arguments, str(path)], capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout if arguments else " ".join(run.stdout.split())


def kernel(kind, device, label, end=None):
    return [f"begin parallel_{kind} k {device} {label}", f"end {end or 'parallel_' + kind} k"]


# ---- names and places


@scene
def labels_are_interned_by_content(folder):
    lines, wanted = [], collections.Counter()
    for i in range(30):
        lines += ["push_profile_region time step", *kernel("for", 0x01000001, f"move {i % 3}"),
                  *kernel("reduce", 0x01000001, f"energy {i % 3}", end="parallel_scan"),  # like the sampler of kokkos-tools
                  f"begin parallel_for outer 0x01000001 outer {i % 3}", *kernel("scan", 1, f"inner {i % 3}"),
                  "end parallel_for outer", "pop_profile_region"]
        wanted += {(REGION, "time step", ""): 1, (FOR, f"move {i % 3}", "OpenMP"): 1, (REDUCE, f"energy {i % 3}", "OpenMP"): 1,
                   (FOR, f"outer {i % 3}", "OpenMP"): 1, (SCAN, f"inner {i % 3}", "Serial"): 1}
    got = record(folder, [*START, *lines, "finalize_library"])
    expect(got, wanted)
    names = [region.name for region in got.archive.regions.values() if region.paradigm == "Paradigm.KOKKOS"]
    assert len(names) == len(wanted), names
    assert repaired(got) == (0, 0, 0)


@scene
def a_label_of_any_length_and_bytes_is_kept(folder):
    labels = ["", " ", "%", "a %s b", "tab\tand \"quotes\" \\", "é" * 60, "x" * 1000, "*", "-", "k" * 15 + "é"]
    lines = [line for label in labels for line in kernel("for", 0x01000001, label)]
    got = record(folder, [*START, *lines, "finalize_library"])
    expect(got, {(FOR, label, "OpenMP"): 1 for label in labels})


@scene
def a_device_is_read_as_its_version_means_it(folder):
    devices = {0x00000001: "Serial", 0x01000001: "OpenMP", 0x02000001: "Cuda 0 instance 1",
               0x02000000 | 3 << 17 | 5: "Cuda 3 instance 5", 0x03020007: "HIP 1 instance 7", 0x06000001: "Threads",
               0x07000001: "SYCL 0 instance 1", 0x08000001: "OpenACC 0 instance 1", 0x44000001: "unknown device 0 instance 1"}
    lines = [line for device in devices for line in kernel("for", device, "kernel")]
    got = record(folder, [*START, *lines, "finalize_library"])
    expect(got, {(FOR, "kernel", where): 1 for where in devices.values()})


@scene
def before_kokkos_3_6_an_instance_has_24_bits(folder):
    lines = ["init 20210225", *kernel("for", 0x02000000 | 3 << 17 | 5, "kernel"), *kernel("for", 0x01000000, "kernel"),
             "finalize_library"]
    got = record(folder, lines, stdout="end\n")
    expect(got, {(FOR, "kernel", f"Cuda 0 instance {3 << 17 | 5}"): 1, (FOR, "kernel", "OpenMP"): 1})


def shown(folder, version, names):
    """Returns the archive's names of kernels; the program has a C++ library, as Kokkos has."""
    lines = [line for name in names for line in kernel("for", 0x01000001, name)]
    got = record(folder, ["c++", f"init {version}", *lines, "finalize_library"], stdout="end\n")
    expect(got, {(FOR, name, "OpenMP"): 1 for name in names})
    return {region.canonical: region.name for region in got.archive.regions.values()}


@scene
def labels_of_a_person_are_never_demangled(folder):
    labels = ["f", "i", "x", "b", "2nd", "3", "Zoo", "New step", "move", "a/b"]
    names = shown(folder, 20210225, [*labels, "7Functor"])
    assert all(names[label] == label for label in labels), names
    assert names["7Functor"] == "Functor", names


@scene
def names_of_kokkos_4_are_not_demangled(folder):
    raw = ["7Functor", "Z4mainE3$_7", "N6Kokkos6OpenMPE"]
    names = shown(folder, 20240906, raw)
    assert [names[name] for name in raw] == raw, names


@scene
def fences_are_told_apart(folder):
    fences = {"mine": "user, OpenMP", "solver::done": "user, OpenMP", "Kokkos::fence: Unnamed Global Fence": "user, OpenMP",
              "Kokkos::deep_copy: scalar copy, pre copy fence": "Kokkos, OpenMP", "HostSpace fence": "Kokkos, OpenMP",
              "SharedAllocationRecord<Host, void>::reallocate_tracked(): fence after copying data": "Kokkos, OpenMP",
              "Kokkos::Tools::invoke_kokkosp_callback: Kokkos Profile Tool Fence": "tool, OpenMP"}
    lines = [line for label in fences for line in (f"begin fence f 0x01000001 {label}", "end fence f")]
    got = record(folder, [*START, *lines, "finalize_library"])
    expect(got, {(FENCE, label, where): 1 for label, where in fences.items()})


@scene
def times_of_launches_are_called_launch(folder):
    """Kernels of a GPU run after the launch has returned, unless the tool asks for fences around them."""
    for name, devices, fence, head in [("host", [0x00000001, 0x01000001], [], "total"), ("gpu", [0x02000001], [], "launch"),
                                       ("both", [0x01000001, 0x03000001], [], "total or launch"),
                                       ("fenced", [0x02000001], [f"begin fence f {0x02000001} Kokkos Profile Tool Fence", "end fence f"], "total")]:
        place = pathlib.Path(folder) / name
        place.mkdir()
        record(place, [*START, *(line for device in devices for line in kernel("for", device, "kernel")), *fence, "finalize_library"])
        told = told_by("report", place, "--kernels", "--full").splitlines()[0]
        assert told.split("  ")[0] == "kernel" and re.search(rf"launches +{head} +of wall", told), told


@scene
def a_fence_says_what_its_device_says(folder):
    """If all low bits of the device are 0, the fence is for all instances; if all are 1, for the resources of copies.
    The other bits are recorded as the device's number."""
    devices = {0x02000000: "Cuda", 0x02ffffff: "Cuda copies", 0x02000001: "Cuda 0 instance 1", 0x02000000 | 3 << 17: "Cuda 3",
               0x02000000 | 3 << 17 | 5: "Cuda 3 instance 5", 0x02000000 | 3 << 17 | 0x1ffff: "Cuda 3 copies",
               0x01ffffff: "OpenMP", 0x01000000: "OpenMP", 0x01000001: "OpenMP"}
    lines = [line for device in devices for line in (f"begin fence f {device} mine {device}", "end fence f")]
    got = record(folder, [*START, *lines, "finalize_library"])
    expect(got, {(FENCE, f"mine {device}", f"user, {where}"): 1 for device, where in devices.items()})


@scene
def of_devices_without_number_fences_say_whose_they_are(folder):
    """Each instance has a different text, and the number of texts is limited."""
    names = {"mine": "user", "Kokkos::deep_copy: post copy fence": "Kokkos"}
    lines = [line for i in range(2000) for name in names
             for line in (f"begin fence f {0x02000001 + i} {name}", "end fence f")]
    got = record(folder, [*START, *lines, "finalize_library"])
    for name, owner in names.items():
        where = {where for _, label, where in got.counts if label == name}
        assert where <= {f"{owner}, Cuda 0 instance {i + 1}" for i in range(2000)} | {f"{owner}, Cuda"}, where
        assert len(where) > 900 and sum(n for (_, label, _), n in got.counts.items() if label == name) == 2000, len(where)


# ---- data


@scene
def memory_is_added_up_for_each_space(folder):
    lines = ["allocate Host 100 a", "allocate Cuda 1000 b", "allocate Host 50 a", "deallocate Host 100 a", "allocate Host 20 c",
             "deallocate Cuda 1000 b", "deallocate Host 7000 from before the tool was loaded", "allocate Host 30 d"]
    got = record(folder, [*START, *lines, "finalize_library"])
    assert got.memory == {"Host": (100, 150), "Cuda": (0, 1000)}, got.memory
    assert got.bytes["Kokkos allocate", "a", "Host"] == 150 and got.bytes["Kokkos deallocate", "b", "Cuda"] == 1000, got.bytes


@scene
def a_block_that_is_allocated_twice_is_in_use_once(folder):
    """An address is allocated again without a deallocation in between."""
    got = record(folder, [*START, "allocate Host 100 a", "allocate Host 100 a", "deallocate Host 100 a", "finalize_library"])
    assert got.memory == {"Host": (0, 100)}, got.memory


@scene
def the_name_of_a_space_may_fill_its_room(folder):
    space = "S" * 63
    got = record(folder, [*START, f"allocate {space} 8 a", f"copy {space} Host to 8 from", "end_deep_copy",
                          "finalize_library"])
    expect(got, {("Kokkos allocate", "a", space): 1, ("Kokkos deep_copy", "to <- from", f"{space} <- Host"): 1})
    assert got.bytes["Kokkos deep_copy", "to <- from", f"{space} <- Host"] == 8, got.bytes


@scene
def spaces_without_a_metric_are_told_once(folder):
    spaces = [f"Space{i}" for i in range(70)]
    lines = [f"{what} {space} {8 + i} a" for what in ("allocate", "deallocate") for i, space in enumerate(spaces)]
    paths, run = play(folder, [*START, *lines, "finalize_library"])
    got = Recorded(paths[0])
    expect(got, {(f"Kokkos {what}", "a", space): 1 for space in spaces for what in ("allocate", "deallocate")})
    assert got.memory == {space: (0, 8 + i) for i, space in enumerate(spaces[:64])}, got.memory
    assert run.stderr.count("can be recorded: 'Space64' and later") == 1, run.stderr
    assert "Space65" not in run.stderr, run.stderr


@scene
def a_text_that_is_too_long_is_cut_between_characters(folder):
    """Labels of copies have a limit of their own; for other labels, the journal's limit applies."""
    lines = []
    for shift in range(3):
        lines += [f"copy Host Host {'x' * shift}{'é€' * 300} 8 from", "end_deep_copy",
                  *kernel("for", 0x01000001, "k" * shift + "é€" * 2000), f"create s {'s' * shift}{'é€' * 100}", "start s", "stop s"]
    got = record(folder, [*START, *lines, "finalize_library"])
    long = sorted(label for what, label, _ in got.counts if what == FOR)
    copies = sorted(label for what, label, _ in got.counts if what == "Kokkos deep_copy")
    assert len(long) == len(copies) == 3, (long, copies)
    for label in long:
        text = label.lstrip("k")
        assert len(label.encode()) > 8000 and ("é€" * 2000).startswith(text) and text[-1] in "é€", label
    for label in copies:
        text = label.removesuffix(" <- from").lstrip("x")
        assert label.endswith(" <- from") and len(text.encode()) > 494 and ("é€" * 300).startswith(text), label
    for name, _ in got.sections:
        text = name.lstrip("s")
        assert len(text.encode()) > 249 and ("é€" * 100).startswith(text), name


@scene
def metadata_may_have_any_key(folder):
    got = record(folder, [*START, "metadata größe 3", "metadata 1 one", "metadata a: b", "metadata  of no name",
                          *kernel("for", 1, "kernel"), "finalize_library"])
    properties = got.archive.properties
    assert properties["OTTER::KOKKOS::GR____E"] == "3", properties
    assert properties["OTTER::KOKKOS::1"] == "one" and properties["OTTER::KOKKOS::A_"] == "b", properties
    assert properties["OTTER::KOKKOS::_"] == "of no name", properties


@scene
def what_is_no_utf8_is_taken_for_latin1(folder):
    """Readers in Python accept only archives with valid UTF-8."""
    got = record(folder, [*START, "metadata town Z\udcfcrich", *kernel("for", 0x01000001, "gr\udcf6\udcdfer"), "push_profile_region \udce4",
                          "allocate H\udcf6st 8 a", "copy Host H\udcf6st \udcff 8 from", "end_deep_copy", "profile_event \udce9",
                          "pop_profile_region", "finalize_library"])
    expect(got, {(FOR, "größer", "OpenMP"): 1, (REGION, "ä", ""): 1, ("Kokkos allocate", "a", "Höst"): 1,
                 ("Kokkos deep_copy", "ÿ <- from", "Host <- Höst"): 1, ("Kokkos event", "é", ""): 1})
    assert got.archive.properties["OTTER::KOKKOS::TOWN"] == "Zürich", got.archive.properties
    texts = [marker.text for marker in markers.read(next(pathlib.Path(folder).glob("*/traces.otf2")))]
    assert texts == ["é"], texts


# ---- all orders


def arguments(folder, *lines, **how):
    """Returns the names of the archives after parse_args with these arguments."""
    paths, run = play(folder, ["init 20240906", *lines, *kernel("for", 1, "kernel"), "finalize_library"], stdout="end\n", **how)
    assert len(paths) == 1, run.stderr
    return paths[0].parent.name


@scene
def arguments_come_with_a_program_name_or_without(folder):
    forms = ["args trace-name=a{}", "args --trace-name=a{} other", "args ./sp ace/program -x --trace-name=a{}",
             "args kokkos_tools_impl_unset_option\nargs x --trace-name=a{}", "args --trace-name=no\nargs --trace-name=a{}"]
    for i, form in enumerate(forms):
        with tempfile.TemporaryDirectory(dir=folder) as own:
            name = arguments(own, form.format(i))
            assert name.startswith(f"a{i}"), (form, name)


@scene
def without_arguments_the_environment_says_it(folder):
    assert arguments(folder, OTTER_TRACE_NAME="from-environment").startswith("from-environment")


@scene
def help_leaves_no_archive(folder):
    paths, run = play(folder, ["init 20240906", "settings", "interface", "help ./program", "finalize_library"], stdout=None)
    assert not paths and "trace-path" in run.stdout and "OTTER_TRACE_FOLDER" not in run.stderr, run


@scene
def a_program_without_events_leaves_no_archive_and_says_nothing(folder):
    paths, run = play(folder, [*START, "finalize_library"])
    assert not paths and run.stderr == "" and not os.listdir(folder), (paths, run, os.listdir(folder))


@scene
def fences_around_events_can_be_asked_for(folder):
    for value, answer in (("1", 1), ("0", 0), ("", 0)):
        with tempfile.TemporaryDirectory(dir=folder) as own:
            play(own, [*START, "finalize_library"], stdout=f"global fencing {answer}\nend\n", KOKKOS_TOOLS_GLOBALFENCES=value)


@scene
def hooks_may_come_before_init(folder):
    got = record(folder, ["push_profile_region early", *kernel("for", 0x01000001, "early"), "pop_profile_region", *START,
                          *kernel("for", 0x01000001, "late"), "finalize_library"])
    expect(got, {(REGION, "early", ""): 1, (FOR, "early", "OpenMP"): 1, (FOR, "late", "OpenMP"): 1})


@scene
def finalize_may_never_come(folder):
    got = record(folder, [*START, *kernel("for", 0x01000001, "kernel"), "begin parallel_for k 0x01000001 exits", "exit 3"],
                 status=3, stdout="global fencing 0\n")
    expect(got, {(FOR, "kernel", "OpenMP"): 1, (FOR, "exits", "OpenMP"): 1})
    assert repaired(got) == (0, 0, 1)


@scene
def what_comes_after_finalize_is_ignored(folder):
    got = record(folder, [*START, *kernel("for", 0x01000001, "kernel"), "finalize_library", *kernel("for", 0x01000001, "after"),
                          "push_profile_region after", "allocate Host 8 after", "profile_event after", "finalize_library"])
    expect(got, {(FOR, "kernel", "OpenMP"): 1})


@scene
def what_is_unbalanced_is_repaired(folder):
    got = record(folder, [*START, "pop_profile_region", "end parallel_for 0", "end parallel_for 0xffffffffffffffff",
                          "push_profile_region left open", "begin parallel_for lost 0x01000001 left by an exception",
                          *kernel("for", 0x01000001, "after it"),
                          "pop_profile_region",  # also ends the kernel
                          "end parallel_for lost", "end_deep_copy", "push_profile_region open at the end", "finalize_library"])
    expect(got, {(REGION, "left open", ""): 1, (FOR, "left by an exception", "OpenMP"): 1, (FOR, "after it", "OpenMP"): 1,
                 (REGION, "open at the end", ""): 1})
    # The kernel that an exception left; without a start: a pop, two ends of kernels and an end of a copy; the last region.
    assert repaired(got) == (1, 4, 1), repaired(got)
    told = told_by("info", folder)
    for line in ("left out 4 ends without a beginning", "repaired 1 beginning without an end",
                 "unfinished 1 construct that was open when recording ended"):
        assert line in told, told
    checked = told_by("check", folder)
    assert "untold beginnings (4)" in checked and "untold ends (1)" in checked, checked


@scene
def beginnings_without_an_end_are_no_ends_without_a_beginning(folder):
    lost = [line for i in range(3) for line in (f"push_profile_region outer {i}", f"begin parallel_for k{i} 1 lost {i}", "pop_profile_region")]
    got = record(folder, [*START, *lost, "create a section", "start a", "start a", "stop a", "finalize_library"])
    assert repaired(got) == (4, 0, 0), repaired(got)
    told = told_by("info", folder)
    assert "repaired 4 beginnings without an end" in told and "without a beginning" not in told, told


@scene
def labels_beyond_the_limit_are_counted_with_their_kind(folder):
    n = 60000
    lines = [line for i in range(n) for line in kernel("for", 0x01000001, f"step {i}")]
    late = ["push_profile_region late", *kernel("reduce", 0x01000001, "late"), *kernel("scan", 0x01000001, "late"),
            *kernel("reduce", 0x01000001, "later"), "pop_profile_region"]
    paths, run = play(folder, [*START, *lines, *late, "finalize_library"])
    assert run.stderr.count("further labels are recorded as 'unknown', one of each kind") == 1, run.stderr
    found = json.loads(told_by("info", folder, "--json"))
    entered = {(entry["description"].partition(", ")[0], entry["name"]): entry["entered"] for entry in found["regions"]}
    kernels = {key: n for key, n in entered.items() if key[0] != REGION}
    n_named = sum(label.startswith("step ") for _, label in kernels)
    assert 50000 < n_named < n, n_named
    assert sum(kernels.values()) == n + 3, sum(kernels.values())
    assert kernels["Kokkos parallel_for", "unknown"] == n - n_named, kernels["Kokkos parallel_for", "unknown"]
    assert (kernels["Kokkos parallel_reduce", "unknown"], kernels["Kokkos parallel_scan", "unknown"]) == (2, 1)
    assert entered[REGION, "unknown"] == 1, entered
    n_beyond = found["beyond_limit"]  # some may have the same hash
    assert 0.99 * (n - n_named + 4) < n_beyond <= n - n_named + 4, (n_beyond, n_named)
    told = f"{n_beyond} or more labels or code locations "
    assert f"unnamed {told}beyond the limit" in told_by("info", folder)
    assert f"unnamed ({n_beyond}) " in told_by("check", folder).replace(",", "")
    assert json.loads(told_by("graph", folder, "--format=json", "--output=-"))["nodes"]


@scene
def sections_overlap_and_may_be_misused(folder):
    got = record(folder, [*START, "create a first section", "create b second section", "start a", "start b", "stop a", "start a",
                          "stop b", "stop a", "destroy a", "start b", "start b", "stop 4711", "start 0xffffffff", "destroy 4711",
                          "stop a", "stop a", "create c destroyed while it runs", "start c", "destroy c", "finalize_library"])
    assert (got.sections["first section", "start"], got.sections["first section", "stop"]) == (2, 2), got.sections
    assert (got.sections["second section", "start"], got.sections["second section", "stop"]) == (2, 1), got.sections
    third = "destroyed while it runs"
    assert (got.sections[third, "start"], got.sections[third, "stop"]) == (1, 1), got.sections
    assert set(name for name, _ in got.sections) == {"first section", "second section", third}, got.sections
    # Starts of a started section and of no section; stops of no section, and two of a destroyed section.
    assert repaired(got) == (2, 3, 0), repaired(got)


@scene
def numbers_that_nobody_wants_are_not_given(folder):
    got = record(folder, [*START, "push_profile_region region", "nowhere lost", "pop_profile_region", "finalize_library"])
    expect(got, {(REGION, "region", ""): 1, (FOR, "lost", "Serial"): 1, (FENCE, "lost", "user, Serial"): 1})


@scene
def a_child_forked_while_recording_is_switched_waits_for_nothing(folder):
    got = record(folder, [*START, "fork_meanwhile 40 a", "push_profile_region a", *kernel("for", 1, "inside"), "pop_profile_region",
                          *kernel("for", 1, "outside"), "finalize_library"], OTTER_ONLY="a")
    assert got.counts[FOR, "inside", "Serial"] == 1 and got.counts[FOR, "outside", "Serial"] == 0, got.counts


@scene
def regions_switch_recording_at_any_depth(folder):
    def nested(n, *inside):
        return ["push_profile_region deep"] * n + list(inside) + ["pop_profile_region"] * n
    inner = nested(100, *kernel("for", 1, "left out"), "push_profile_region b", *kernel("for", 1, "left out"), "pop_profile_region",
                   *kernel("for", 1, "left out"))
    lines = nested(100, "push_profile_region a", *kernel("for", 1, "before"),
                   *nested(70, "push_profile_region a", "pop_profile_region", *kernel("for", 1, "inside")),
                   "push_profile_region b", *inner, "pop_profile_region", *kernel("for", 1, "after"), "pop_profile_region",
                   *kernel("for", 1, "left out"))
    got = record(folder, [*START, *lines, *kernel("for", 1, "left out"), "finalize_library"], OTTER_ONLY="a", OTTER_SKIP="b")
    kernels = {label: n for (what, label, _), n in got.counts.items() if what == FOR}
    assert kernels == {"before": 1, "inside": 1, "after": 1}, kernels


@scene
def what_is_skipped_to_the_end_is_one_warning(folder):
    """A region is skipped to its end if, for instance, an exception has left it."""
    kernels = [*kernel("for", 1, "before"), "push_profile_region out", *kernel("for", 1, "in it")]
    for more, n in (([], 1), (["pop_profile_region"], 0)):
        for end in (["finalize_library"], []):
            with tempfile.TemporaryDirectory(dir=folder) as own:
                paths, run = play(own, [*START, *kernels, *more, *end], OTTER_SKIP="out")
                assert run.stderr.count("'skip' never ended") == n and len(paths) == 1, run.stderr


@scene
def labels_that_name_nothing_are_told_with_those_that_there_were(folder):
    def said_of(*lines, **settings):
        with tempfile.TemporaryDirectory(dir=folder) as own:
            _, run = play(own, [*START, *lines], **settings)
            return [line for line in run.stderr.splitlines() if "is called" in line]
    regions = [line for name in ("setup", "solve", "step 1", "solve") for line in (f"push_profile_region {name}", "pop_profile_region")]
    for end in (["finalize_library"], []):
        said = said_of(*regions, *end, OTTER_ONLY="setup,solv", OTTER_SKIP="out")
        assert len(said) == 2, said
        assert "'solv' (setting 'only'); the program had: 'solve', 'step 1'" in said[0] and "'setup'" not in said[0], said
        assert "'out' (setting 'skip')" in said[1], said
    assert not said_of(*regions, "finalize_library", OTTER_ONLY="solve,solve,", OTTER_SKIP="setup")
    assert not said_of(*regions, "finalize_library", OTTER_ONLY="solv", OTTER_QUIET="on")
    said = said_of(*kernel("for", 1, "outside"), "finalize_library", OTTER_ONLY="solve")
    assert len(said) == 1 and "the program had none" in said[0], said


@scene
def numbers_of_kernels_are_large_and_differ(folder):
    """Tools before Otter mix small numbers of their own with Otter's. Their numbers must end no kernel of Otter's."""
    lines, numbers = [], [f"n{i}" for i in range(50)]
    for number in numbers:
        lines += [f"begin parallel_for {number} 1 kernel", f"number {number}"]
    lines += [f"end parallel_for {i}" for i in range(300)]
    lines += [*kernel("for", 1, "inside of all"), *(f"end parallel_for {number}" for number in reversed(numbers))]
    paths, run = play(folder, [*START, *lines, "finalize_library"], stdout=None)
    printed = [int(line) for line in run.stdout.splitlines() if line.isdigit()]
    assert len(set(printed)) == 50 and min(printed) >= 1 << 32, printed
    got = Recorded(paths[0])
    expect(got, {(FOR, "kernel", "Serial"): 50, (FOR, "inside of all", "Serial"): 1})
    assert [step for step, _ in got.threads[0]] == ["Enter"] * 51 + ["Leave"] * 51, got.threads
    assert repaired(got) == (0, 299, 0), repaired(got)  # Kokkos gets 0 for an unrecorded kernel


# ---- after another tool, loaded as Kokkos 4 loads it


def record_behind(folder, tool, lines, fencing, **environment):
    return record(folder, ["init 20240906", "settings", *lines, "finalize_library"], library=tool,
                  stdout=f"global fencing {fencing}\nend\n", KOKKOS_TOOLS_LIBS=f"{tool};{LIBRARY}", **environment)


@scene
def behind_a_filter_its_own_small_numbers_end_nothing(folder):
    lines = kernel("for", 1, "kept before") * 10  # if Otter counted from 0, its numbers would occur in the loop
    for i in range(20):  # kernels with the filter's numbers are open around, between and inside Otter's
        lines += ["begin parallel_for a 0x01000001 left out", f"begin parallel_reduce b 1 kept {i % 2}",
                  *kernel("scan", 1, "left out too"), "begin parallel_for c 1 kept inside", *kernel("for", 1, "left out as well"),
                  "end parallel_for c", "end parallel_reduce b", "end parallel_for a"]
    for third_tool in ("", LOGGER):  # with a third tool, the numbers differ
        with tempfile.TemporaryDirectory(dir=folder) as own:
            log = str(pathlib.Path(own, "log"))
            got = record_behind(own, FILTER, lines, fencing=1, KOKKOS_FILTER="kept.*", OTTER_CHAIN=third_tool, KOKKOS_LOGGER_FILE=log)
            expect(got, {(REDUCE, "kept 0", "Serial"): 10, (REDUCE, "kept 1", "Serial"): 10, (FOR, "kept inside", "Serial"): 20,
                         (FOR, "kept before", "Serial"): 10})
            steps = [(step, label.partition(" ")[2]) for step, (_, label, _) in got.threads[0][20:]]
            assert steps == [step for i in range(20) for step in (("Enter", str(i % 2)), ("Enter", "inside"), ("Leave", "inside"),
                                                                  ("Leave", str(i % 2)))], steps
            assert repaired(got) == (0, 0, 0), repaired(got)
            assert not third_tool or hooks.Log(log).threads() == got.threads, hooks.Log(log).threads()


@scene
def behind_a_sampler_reductions_end_as_scans(folder):
    lines = []
    for i in range(30):
        lines += ["begin parallel_for outer 1 outer", *kernel("reduce", 1, f"sum {i}"), "end parallel_for outer",
                  *kernel("scan", 1, f"scan {i}")]
    got = record_behind(folder, SAMPLER, lines, fencing=0)
    sampled = range(2, 30, 3)
    expect(got, {(FOR, "outer", "Serial"): 10} | {(REDUCE, f"sum {i}", "Serial"): 1 for i in sampled} |
           {(SCAN, f"scan {i}", "Serial"): 1 for i in sampled})
    outer, inner, scan = (FOR, "outer", "Serial"), (REDUCE, "sum 2", "Serial"), (SCAN, "scan 2", "Serial")
    assert got.threads[0][:6] == [("Enter", outer), ("Enter", inner), ("Leave", inner), ("Leave", outer), ("Enter", scan),
                                  ("Leave", scan)], got.threads[0][:6]
    assert repaired(got) == (0, 0, 0), repaired(got)


def play_scenes(scenes):
    """Runs all scenes, each in a folder of its own. Returns 1 after a failure."""
    n_failed = 0
    for scene in scenes:
        with tempfile.TemporaryDirectory(prefix="otter-kokkos-") as folder:
            try:
                scene(folder)
                print("ok", scene.__name__)
            except AssertionError:
                n_failed += 1
                print("FAILED", scene.__name__)
                traceback.print_exc()
    return 1 if n_failed else 0


if __name__ == "__main__":
    sys.exit(play_scenes(SCENES))
