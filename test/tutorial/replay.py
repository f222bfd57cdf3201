#!/usr/bin/env python3
"""Replays a story of doc/tutorial.md, or the report of doc/tour.md: runs its commands and compares their output with
the quoted output.

usage: replay.py ROOT OTTER CLANG STORY|tour [--exact] [--kokkos FOLDER] [--keep FOLDER]

Quoted sources must be in doc/tutorial. Numbers and units of quoted output stand for any number. Lines of sources are compared,
and so are counts with a comma, except of events. A line of three dots stands for any text. Load changes which losses are large, so
the output of TIMED commands is compared only with --exact, as scripts/check does. The commands then run with real-time
priority, and a story whose output differs is recorded again, at most ATTEMPTS times. If the system refuses the
priority, such a story is skipped. With --keep, the files of the successful attempt, or of the last one, stay in FOLDER.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap

ATTEMPTS = 5
SKIPPED = 77
TIMED = ("otter report", "otter diff")
MARK = "@@@ replay"

NUMBER = r"(?<![\w.,:/-])[-+]?(?!\d{1,3}(?:,\d{3})+(?![\d,]))\d[\d.]*"
PATTERNS = (
    (re.compile(r"\b\d[\d,]* events\b"), r"\d[\d,]* events"),  # their number depends on the order of execution
    (re.compile(r" ?#+"), " ?#*"),
    (re.compile(NUMBER + r"(?: (?:ns|us|ms|s))(?!\w)"), r"[-+]?[\d.]+ (?:ns|us|ms|s)"),
    (re.compile(NUMBER + r"(?: (?:B|KiB|MiB|GiB))(?!\w)"), r"[-+]?[\d.]+ (?:B|KiB|MiB|GiB)"),
    (re.compile(NUMBER + r"(?!\w)"), r"[-+]?[\d.]+"),
    (re.compile(r"\b(?:less|more)\b"), "(?:less|more)"),
)


class Mismatch(Exception):
    """A command fails, or a source differs from the quoted one."""


class OtherOutput(Mismatch):
    """A command prints something other than the page says."""


def blocks_of(text):
    """Yields the indented blocks of a page, without their indentation."""
    for match in re.finditer(r"(?:(?:^ {4}.*\n)+\n*)+", text, re.M):
        yield textwrap.dedent(match.group()).strip("\n")


def commands_of(block):
    """Returns [command, quoted output] of each command of a block."""
    pairs = []
    for line in block.splitlines():
        if line.startswith("$ "):
            pairs.append([line[2:], ""])
        elif pairs[-1][0].endswith("\\"):
            pairs[-1][0] = pairs[-1][0][:-1] + line.strip()
        else:
            pairs[-1][1] += line + "\n"
    return pairs


def one_line(text):
    return re.sub(r"\s+", " ", text).strip()


def shape_of(words):
    """Returns an expression for all texts that differ only in numbers, units and bars."""
    for pattern, replacement in PATTERNS:
        match = pattern.search(words)
        if match:
            return shape_of(words[:match.start()]) + replacement + shape_of(words[match.end():])
    return re.escape(words)


def matches(quoted, output):
    """Returns whether the output has each part of the quoted output. Three dots separate parts, which may come in any
    order, since it depends on their times."""
    output = one_line(output)
    parts = [shape_of(one_line(part)) for part in re.split(r"^ *\.\.\.$", quoted, flags=re.M)]
    if len(parts) == 1:
        return bool(re.fullmatch(parts[0], output))
    return bool(re.match(parts[0], output) and re.search(parts[-1] + "$", output)
                and all(re.search(part, output) for part in parts[1:-1]))


def check_source(block, sources):
    lines = [line.strip() for line in block.splitlines()]
    for source in sources:
        have = [line.strip() for line in source.read_text().splitlines()]
        if any(have[at:at + len(lines)] == lines for at in range(len(have))):
            return
    raise Mismatch(f"no file of doc/tutorial has this block:\n{block}")


def take_processors():
    """Makes the machine's other programs wait, since they would add losses to the report. Returns False if the system
    refuses."""
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    except OSError:
        return False
    return True


def may_take_processors():
    return subprocess.run([sys.executable, "-c", "import replay, sys; sys.exit(not replay.take_processors())"],
                          cwd=pathlib.Path(__file__).parent).returncode == 0


def run_all(commands, folder, environment, before=None):
    """Returns the output of each command. All commands run in one shell, in the root of a copy."""
    script = "".join(f"{{ {command}\n}} 2>$errors; status=$?; cat $errors; echo '{MARK}' $status\n" for command in commands)
    result = subprocess.run(["sh", "-c", script], cwd=folder, env=environment, stdout=subprocess.PIPE, text=True,
                            timeout=120, preexec_fn=before)
    outputs = re.split(rf"^{MARK} (\d+)\n", result.stdout, flags=re.M)
    for command, output, status in zip(commands, outputs[::2], outputs[1::2]):
        if status != "0":
            raise Mismatch(f"$ {command}\n{output}ended with {status}")
    return outputs[:-1:2]


def copy_of(root, otter, clang, folder):
    """Arranges the sources and the command as in the root of a clone that was built."""
    shutil.copytree(root / "doc/tutorial", folder / "doc/tutorial")
    (folder / "build/core/cli").mkdir(parents=True)
    (folder / "build/core/cli/otter").symlink_to(otter)
    compilers = folder / "compilers"
    compilers.mkdir()
    for name in ("clang", "clang++"):
        (compilers / name).symlink_to(clang)
    ours = ("OTTER_", "OMP_", "KMP_", "KOKKOS_", "LD_PRELOAD", "COLUMNS")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    return environment | {"PATH": f"{compilers}:{environment['PATH']}"}


def replay(pairs, folder, environment, before=None, unchecked=()):
    """Makes one attempt. Raises Mismatch if a command's output has another shape."""
    outputs = run_all([command for command, _ in pairs], folder, environment, before)
    for (command, quoted), output in zip(pairs, outputs):
        if not command.startswith(unchecked) and not matches(quoted, output):
            raise OtherOutput(f"$ {command}\n{output}\ndoes not have the shape of\n{quoted}")


def is_compiler(command):
    return command.startswith(("clang ", "clang++ "))


def remove_new(folder, known):
    for path in folder.iterdir():
        if path.name not in known:
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def replay_until_right(pairs, folder, environment):
    """Compiles once; records and reports until all outputs are right."""
    sources = folder / "doc/tutorial"
    compiling = [pair for pair in pairs if is_compiler(pair[0]) or pair[0].startswith(("cd ", "export "))]
    recording = [pair for pair in pairs if not is_compiler(pair[0])]
    replay(compiling, folder, environment)
    known = {path.name for path in sources.iterdir()}
    for attempt in range(1, ATTEMPTS + 1):
        try:
            replay(recording, folder, environment, take_processors)
            return
        except OtherOutput as mismatch:
            print(f"attempt {attempt} of {ATTEMPTS}: {mismatch}")
            if attempt == ATTEMPTS:
                raise
        remove_new(sources, known)


def sections_of(page):
    """Returns {heading: text} of the sections."""
    parts = re.split(r"^## (.*)$", page, flags=re.M)
    return dict(zip(parts[1::2], parts[2::2]))


def story_of(pages, name):
    """Returns the blocks of the preparations and of a story of the tutorial, or the blocks of the tour's report."""
    if name == "tour":
        return list(blocks_of(sections_of((pages / "tour.md").read_text())["The report"]))
    sections = sections_of((pages / "tutorial.md").read_text())
    begin = next(text for heading, text in sections.items() if heading.startswith("Before"))
    story = next(text for heading, text in sections.items() if heading.startswith(f"{name}. "))
    return [*blocks_of(begin), *blocks_of(story)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("otter", type=pathlib.Path)
    parser.add_argument("clang")
    parser.add_argument("story")
    parser.add_argument("--exact", action="store_true")
    parser.add_argument("--kokkos")
    parser.add_argument("--keep", type=pathlib.Path)
    options = parser.parse_args()
    blocks = story_of(options.root / "doc", options.story)
    sources = sorted((options.root / "doc/tutorial").glob("*/*.c*"))
    pairs = []
    for block in blocks:
        if block.startswith("$ "):
            pairs += commands_of(block)
        else:
            check_source(block, sources)
    if len(os.sched_getaffinity(0)) < 2:
        print("skipped: the stories need two processors")
        return SKIPPED
    with tempfile.TemporaryDirectory(prefix="otter-tutorial-") as temporary:
        folder = options.keep or pathlib.Path(temporary)
        folder.mkdir(exist_ok=True)
        environment = {"errors": f"{folder.resolve()}/errors"} | copy_of(options.root.resolve(), options.otter.resolve(), options.clang, folder.resolve())
        if options.kokkos:
            environment["KOKKOS"] = options.kokkos
        try:
            if options.exact:
                replay_until_right(pairs, folder, environment)
            else:
                replay(pairs, folder, environment, unchecked=TIMED)
        except OtherOutput as other:
            if not options.keep:
                raise
            print(f"note: the files of the last attempt are kept, whose output differs: {other}")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except OtherOutput as failure:
        if may_take_processors():
            sys.exit(f"replay: {failure}")
        print("skipped: the output differs, and the system refuses the priority over other programs")
        sys.exit(SKIPPED)
    except Mismatch as failure:
        sys.exit(f"replay: {failure}")
