"""Tests starts, settings, next tools and ends, without Kokkos: lifecycle.py LOADER LIBRARY OTTER FILTER SAMPLER LOGGER
CORE.

CORE is any library that is not a Kokkos tool. loader.py explains what a scene is.
"""
import os
import pathlib
import shutil
import sys
import tempfile

import loader
from loader import FILTER, FOR, LIBRARY, LOADER, REGION, expect, kernel, play, record, repaired

LOGGER, CORE = (str(pathlib.Path(path).resolve()) for path in sys.argv[6:8])

KERNEL = kernel("for", 0x01000001, "kernel")
INIT = ["init 20240906", "settings", "interface"]
SCENES = []


def scene(function):
    SCENES.append(function)
    return function


def warnings(run):
    """Returns Otter's messages without the closing block."""
    lines = [line for line in run.stderr.splitlines() if line.startswith("otter: ")]
    return [line for line in lines if " events, " not in line and "otter: next: " not in line]


def given(folder, *argument_lines, events=KERNEL, **environment):
    """Returns the messages about these arguments at the start, and the run."""
    _, run = play(folder, [*INIT, *argument_lines, *events, "finalize_library"], **environment)
    return warnings(run), run


def expect_one(said, *words):
    assert len(said) == 1 and all(word in said[0] for word in words), said


def hooks_in(folder):
    """Returns hooks and their arguments from the logger's log."""
    lines = (line.split("\t")[2:] for line in pathlib.Path(folder, "log").read_text().splitlines())
    return [(line[0], line[1:]) for line in lines]


# ---- names and values


@scene
def an_unknown_name_is_one_warning_however_often_it_comes(folder):
    for token in ("nonsense=1", "--nonsense=1", "--nonsense", "-o", "=1", "trace_nam=x"):
        with tempfile.TemporaryDirectory(dir=folder) as own:
            said, _ = given(own, f"args ./program {token}", f"args {token}")
            expect_one(said, "unknown setting", token.partition("=")[0] or token, "otter info --settings")


@scene
def each_unknown_name_has_its_warning(folder):
    said, _ = given(folder, "args one=1 two=2", "args one=1 two=2 three=3")
    assert len(said) == 3 and all(name in line for name, line in zip(("one", "two", "three"), said)), said


@scene
def a_setting_without_a_value_is_one_warning(folder):
    said, _ = given(folder, "args --append-hostname", "args --append-hostname")
    expect_one(said, "--append-hostname", "on or off")


@scene
def a_bad_value_is_one_warning_however_it_comes(folder):
    said, _ = given(folder, "args chunk-size=1", "args ./program chunk-size=1", KOKKOS_TOOLS_ARGS="chunk-size=1")
    expect_one(said, "chunk-size='1'", "256K to 16M")


@scene
def what_is_no_argument_is_not_warned_of(folder):
    said, _ = given(folder, "args kokkos_tools_impl_unset_option", "args script.py - /a=b/program", "args script.py")
    assert not said, said


@scene
def each_word_that_is_no_setting_is_one_warning(folder):
    said, _ = given(folder, "args ./program quiet out out", "args ./program quiet out")
    assert len(said) == 2 and "'quiet'" in said[0] and "on or off" in said[0] and "'out'" in said[1], said
    with tempfile.TemporaryDirectory(dir=folder) as own:
        said, _ = given(own, "args out name", KOKKOS_TOOLS_ARGS=" out name")
        assert len(said) == 2 and "'out'" in said[0] and "name=value" in said[1], said


@scene
def the_path_of_the_program_is_no_argument(folder):
    own = pathlib.Path(folder, "a b=c --d")
    own.mkdir()
    program = shutil.copy(LOADER, own / "e=f loader")
    loader.LOADER = str(program)
    try:
        said, _ = given(folder, *[f"args {program} trace-name=named"] * 2)
    finally:
        loader.LOADER = LOADER
    assert not said and len(list(pathlib.Path(folder).glob("named.*/traces.otf2"))) == 1, (said, os.listdir(folder))


@scene
def arguments_for_another_tool_are_not_warned_of(folder):
    """Arguments that do not reach Otter's hook do not concern Otter. If there is a next tool, unknown arguments belong
    to it."""
    said, run = given(folder, "args ./program", KOKKOS_TOOLS_ARGS="--other=1 -x")
    assert not said, run.stderr
    with tempfile.TemporaryDirectory(dir=folder) as own:
        said, run = given(own, f"args --other=1 chain={LOGGER}", KOKKOS_LOGGER_FILE="log")
        assert not said, run.stderr


@scene
def a_misspelt_setting_is_warned_of_beside_a_further_tool(folder):
    for token, meant in (("trace-nam=x", "trace-name"), ("--chnk-size=1M", "chunk-size"), ("OTTER_SKP=a", "skip")):
        with tempfile.TemporaryDirectory(dir=folder) as own:
            said, _ = given(own, f"args {token} chain={LOGGER}", f"args {token}", KOKKOS_LOGGER_FILE="log")
            expect_one(said, f"'{token}'", f"did you mean {meant}?")
            assert ["0", token] in [arguments for name, arguments in hooks_in(own) if name == "parse_args"], hooks_in(own)
    said, _ = given(folder, "args out=x skips=3 --verbose=1 trace-name nam=x", OTTER_CHAIN=LOGGER, KOKKOS_LOGGER_FILE="log")
    expect_one(said, "skips=3", "did you mean skip?")


@scene
def quiet_silences_the_warnings_and_the_closing_block(folder):
    for quiet, how in (("quiet=on", {}), ("", {"OTTER_QUIET": "on"})):
        with tempfile.TemporaryDirectory(dir=folder) as own:
            _, run = given(own, f"args nonsense=1 {quiet}", events=[*KERNEL, "args trace-name=late"], **how)
            assert run.stderr == "", run.stderr


# ---- too late


@scene
def a_setting_that_comes_after_events_is_one_warning(folder):
    late = ["args trace-name=late", *KERNEL, "args ./program trace-name=late"]
    said, _ = given(folder, "args trace-name=early", events=[*KERNEL, *late])
    expect_one(said, "trace-name=late", "too late", "trace-name='early'", "OTTER_TRACE_NAME")
    assert len(list(pathlib.Path(folder).glob("early.*/traces.otf2"))) == 1, os.listdir(folder)


@scene
def the_clock_is_chosen_before_the_first_hook(folder):
    said, _ = given(folder, "args clock=monotonic")
    expect_one(said, "clock=monotonic", "too late", "OTTER_CLOCK")
    with tempfile.TemporaryDirectory(dir=folder) as own:
        assert not given(own, "args clock=monotonic", KOKKOS_TOOLS_ARGS="clock=monotonic")[0]


@scene
def what_is_in_force_already_is_not_late(folder):
    arguments = "trace-name=first trace-name=named chunk-size=1M append-hostname=off"
    said, _ = given(folder, events=[*KERNEL, "args " + arguments.replace("1M", "1024K").replace("=off", "=no")],
                    KOKKOS_TOOLS_ARGS=arguments)
    assert not said, said


@scene
def what_is_used_at_the_end_is_never_late(folder):
    got = record(folder, [*INIT, *KERNEL, "args task-graph-output=graph task-graph-format=csv", "finalize_library"])
    assert len(list(pathlib.Path(folder).glob("graph.*.edges.csv"))) == 1, os.listdir(folder)
    assert got.archive.properties["OTTER::SETTING::TASK_GRAPH_FORMAT"] == "csv", got.archive.properties


# ---- the next tool


@scene
def a_further_tool_that_arguments_name_is_told_everything(folder):
    lines = [*INIT, f"args ./program chain={LOGGER}", f"args chain={LOGGER}", "metadata key value", *KERNEL, "create s section",
             "start s", "stop s", "destroy s", "start s", "start 77", "finalize_library"]
    got = record(folder, lines, KOKKOS_LOGGER_FILE="log")
    expect(got, {(FOR, "kernel", "OpenMP"): 1})
    told = hooks_in(folder)
    assert [name for name, _ in told] == [
        "init_library", "request_tool_settings", "provide_tool_programming_interface", "parse_args", "parse_args", "parse_args",
        "declare_metadata", "begin_parallel_for", "end_parallel_for", "create_profile_section", "start_profile_section",
        "stop_profile_section", "destroy_profile_section", "finalize_library"], told
    assert told[0][1] == ["1", "20240906"] and told[7][1][2] == told[8][1][0], told
    number = told[9][1][1]
    assert [arguments for name, arguments in told if "_profile_section" in name][1:] == [[number]] * 3, told


@scene
def a_further_tool_is_told_of_ends_that_come_late_and_elsewhere(folder):
    numbers = range(200)
    lines = ["begin parallel_for other 0x01000001 other", *(f"begin parallel_for n{i} 0x01000001 nested" for i in numbers),
             *(f"end parallel_for n{i}" for i in reversed(numbers)), "end_elsewhere parallel_for other"]
    got = record(folder, [*INIT, *lines, "finalize_library"], OTTER_CHAIN=LOGGER, KOKKOS_LOGGER_FILE="log")
    told = hooks_in(folder)
    begun = [arguments[2] for name, arguments in told if name == "begin_parallel_for"]
    ended = [arguments[0] for name, arguments in told if name == "end_parallel_for"]
    assert len(begun) == 201 and sorted(begun) == sorted(ended), (len(begun), len(ended))
    expect(got, {(FOR, "other", "OpenMP"): 1, (FOR, "nested", "OpenMP"): 200})
    properties = got.archive.properties
    # Another thread ends the session.
    assert [properties[f"OTTER::{name}"] for name in ("REPAIRED", "UNBEGUN", "UNFINISHED")] == ["0", "1", "1"], properties


@scene
def a_further_tool_runs_when_otter_records_nothing(folder):
    paths, run = play(folder, [*INIT, *KERNEL, "push_profile_region region", "finalize_library", *KERNEL], OTTER_ENABLED="off",
                      OTTER_CHAIN=LOGGER, KOKKOS_LOGGER_FILE="log")
    assert not paths and run.stderr == "", run.stderr
    assert [name for name, _ in hooks_in(folder)] == [
        "init_library", "request_tool_settings", "provide_tool_programming_interface", "begin_parallel_for", "end_parallel_for",
        "push_profile_region", "finalize_library"]


@scene
def a_further_tool_is_told_nothing_after_its_end(folder):
    """A finalised tool may have freed the memory of its hooks. When Kokkos begins again, so does the tool."""
    lines = ["attach ompt", *INIT, "create s section", *KERNEL, "begin parallel_for late 0x01000001 late", "finalize_library",
             "end parallel_for late", *KERNEL, "start s", "push_profile_region after", "pop_profile_region", "create t other", "finalize_library",
             "init 20240906", *KERNEL, "start s", "start t", "finalize_library", "detach ompt"]
    got = record(folder, lines, OTTER_CHAIN=LOGGER, KOKKOS_LOGGER_FILE="log")
    expect(got, {(FOR, "kernel", "OpenMP"): 3, (FOR, "late", "OpenMP"): 1, (REGION, "after", ""): 1})
    kernel_hooks = ["begin_parallel_for", "end_parallel_for"]
    assert [name for name, _ in hooks_in(folder)] == [
        "init_library", "request_tool_settings", "provide_tool_programming_interface", "create_profile_section", *kernel_hooks,
        "begin_parallel_for", "finalize_library", "init_library", *kernel_hooks, "start_profile_section", "finalize_library"], hooks_in(folder)


@scene
def what_is_no_kokkos_tool_is_one_warning(folder):
    for library, words in ((CORE, "not a Kokkos tool"), (LIBRARY, "Otter itself"), ("./nothing.so", "cannot forward calls")):
        for how in ({"OTTER_CHAIN": library}, {}):
            with tempfile.TemporaryDirectory(dir=folder) as own:
                argument = "args ./program" if how else f"args ./program chain={library}"
                said, _ = given(own, argument, argument, **how)
                expect_one(said, words, library)
                assert len(list(pathlib.Path(own).glob("*/traces.otf2"))) == 1, os.listdir(own)


@scene
def another_installation_of_otter_is_otter(folder):
    for name in ("libotter-kokkos.so", "libkp_renamed.so"):
        with tempfile.TemporaryDirectory(dir=folder) as own:
            settings = {"OTTER_CHAIN": str(shutil.copy(LIBRARY, pathlib.Path(own, name))), "LD_LIBRARY_PATH": str(pathlib.Path(CORE).parent)}
            said, run = given(own, **settings)
            expect_one(said, "Otter itself")
            assert "otter: 2 events," in run.stderr, run.stderr


@scene
def a_second_further_tool_is_one_warning(folder):
    said, _ = given(folder, f"args chain={FILTER}", f"args chain={FILTER}", OTTER_CHAIN=LOGGER, KOKKOS_LOGGER_FILE="log")
    expect_one(said, "chain", "too late", "OTTER_CHAIN")
    assert "begin_parallel_for" in dict(hooks_in(folder)), hooks_in(folder)


@scene
def a_further_tool_that_passes_on_to_otter_is_no_circle(folder):
    got = record(folder, [*INIT, *KERNEL, "finalize_library"], OTTER_CHAIN=FILTER, KOKKOS_FILTER=".*",
                 KOKKOS_TOOLS_LIBS=f"{LIBRARY};{FILTER};{LIBRARY}")
    expect(got, {(FOR, "kernel", "OpenMP"): 1})
    assert repaired(got) == (0, 0, 0)
    with tempfile.TemporaryDirectory(dir=folder) as own:
        said, _ = given(own, OTTER_CHAIN=FILTER, KOKKOS_FILTER=".*", KOKKOS_TOOLS_LIBS=f"{LIBRARY};{FILTER};{LIBRARY}")
        expect_one(said, "forwards them to Otter")


# ---- ends


@scene
def help_leaves_no_archive_of_what_was_recorded_before(folder):
    paths, run = play(folder, ["attach ompt", *KERNEL, *INIT, "help ./program", "finalize_library", *KERNEL, "detach ompt"], stdout=None)
    assert not paths and not os.listdir(folder) and run.stderr == "" and "trace-path" in run.stdout, (run, os.listdir(folder))


@scene
def kokkos_comes_again_while_openmp_runs(folder):
    """Each of these runs counts as a connector, and the archive is complete when the last has detached."""
    again = ["finalize_library", *KERNEL, *KERNEL, "finalize_library", "init 20240906", *KERNEL, "finalize_library"]
    got = record(folder, ["attach ompt", *INIT, *KERNEL, *again, "detach ompt", *KERNEL])
    expect(got, {(FOR, "kernel", "OpenMP"): 4})
    assert got.archive.properties["OTTER::CONNECTORS"] == "ompt kokkos", got.archive.properties
    assert repaired(got) == (0, 0, 0)


@scene
def what_comes_after_the_archive_is_one_warning(folder):
    _, run = play(folder, [*INIT, *KERNEL, "finalize_library", *KERNEL, "init 20240906", *KERNEL, "finalize_library", "attach ompt"])
    expect_one(warnings(run), "complete", "kokkos", "not recorded")


@scene
def a_latecomer_to_nothing_is_no_warning(folder):
    for how in ({"OTTER_ENABLED": "off"}, {}):
        paths, run = play(folder, [*INIT, "finalize_library", *KERNEL], **how)
        assert not paths and run.stderr == "", run.stderr


@scene
def the_end_of_what_was_not_recorded_is_no_repair(folder):
    """For a kernel that was not recorded, Kokkos gets the number 0, and passes it to the end."""
    got = record(folder, [*INIT, *KERNEL, "end parallel_for 0", "end fence 0", "finalize_library"])
    assert repaired(got) == (0, 0, 0)


if __name__ == "__main__":
    sys.exit(loader.play_scenes(SCENES))
