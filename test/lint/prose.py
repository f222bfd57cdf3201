#!/usr/bin/env python3
"""Fails on prose that a stranger has to read twice: in comments of C, JavaScript and CSS, in pages and in manual pages.

usage: prose.py ROOT [FILE...]

A sentence has at most 30 words and does not begin with Whoever or That. Words that doc/glossary.md
replaces are refused. A line of these languages has at most 100 columns. A source file opens with a comment.
With FILEs, the rules apply only to these, even if they are in PENDING.
"""
import pathlib
import re
import sys

FOLDERS = ("include", "core", "connectors", "test")
PAGES = ("*.md", "doc/*.md", "core/**/*.md", "connectors/**/*.md", "test/**/*.md", "core/**/*.scd")
CODE_ENDINGS = (".c", ".h", ".js", ".css")
NOT_OURS = re.compile(r"/test/fuzz/corpus/|/doc/glossary\.md$")
MAX_WORDS, MAX_COLUMNS = 30, 100

# Folders and files whose prose is older than these rules. An entry is removed when its prose has been rewritten.
PENDING = ()

BAD_BEGIN = re.compile(r"^\W*(Whoever|That)\b")
SENTENCE_END = re.compile(r"(?<!\be\.g)(?<!\bi\.e)(?<!\bvs)(?<!\.\.)[.?!]['\")\]*_`]*\s+(?=['\"(`*_]*[A-Z0-9`])")
CODE = re.compile(r"`[^`]*`")


def refused_words(root):
    """Returns the words of the glossary's last columns, as one expression."""
    words = []
    for line in (root / "doc/glossary.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("|") and len(cells) == 3 and cells[2] not in ("not", "---", ""):
            words += filter(None, (word.strip() for word in re.sub(r"\(.*?\)", "", cells[2]).split(",")))
    return re.compile(r"(?<![\w-])(" + "|".join(sorted(words, key=len, reverse=True)) + r")(?![\w-])", re.I)


def comment_units(lines):
    """Yields (line, text) of each comment of a C file: lines of // that follow each other are one; an indented line is
    code."""
    unit, begin = [], 0
    for number, line in enumerate(lines, 1):
        masked = re.sub(r'"(?:[^"\\]|\\.)*"', lambda m: "_" * len(m.group()), line)
        at = masked.find("//")
        alone = at >= 0 and not line[:at].strip()
        if unit and not alone:
            yield begin, unit
            unit = []
        if alone:
            begin = begin if unit else number
            unit.append(line[at + 2:])
        elif at >= 0:
            yield number, [line[at + 2:]]
    if unit:
        yield begin, unit


def block_units(lines):
    """Yields (line, text) of each comment between /* and */."""
    for match in re.finditer(r"/\*+(.*?)\*/", "\n".join(lines), re.S):
        text = re.sub(r"^( *\*)? ?(@.*(\n *\* {2,}.*)*)?", "", match.group(1), flags=re.M)  # without types
        yield "\n".join(lines)[:match.start()].count("\n") + 1, [line.strip() for line in text.split("\n")]


def manual_lines(lines):
    """Yields the lines of a manual page. A description is indented; indented lines after an empty line are code."""
    before = ""
    for line in lines:
        is_description = line.startswith("\t") and before.strip()
        yield re.sub("[;:] ", ". X", line[1:]) if is_description else line  # each part of a list is a sentence
        before = line


def page_units(lines):
    """Yields (line, text) of each paragraph or item of a page, without tables, headings and code."""
    unit, begin, in_code = [], 0, False
    for number, line in enumerate(lines + [""], 1):
        if line.startswith("```"):
            in_code = not in_code
        prose = not in_code and line.strip() and not re.match(r"( {4}|\t|\||#|```|\[.*\]: |<|\*)", line)
        if unit and (not prose or re.match(r"\s*([-*+]|\d+\.) ", line)):
            yield begin, unit
            unit = []
        if prose:
            begin = begin if unit else number
            unit.append(re.sub(r"^\s*([-*+]|\d+\.) ", "", line))
    # the empty line at the end has closed the last unit


def sentences(unit):
    """Returns the sentences of a unit; an empty line, a list's item and an indented line of code end a sentence."""
    text, found = "", []
    for line in unit + [""]:
        is_break = not line.strip() or re.match(r" {3,}|\s*[-*] |\t", line)
        if is_break and text:
            found += SENTENCE_END.split(text)
            text = ""
        if not re.match(r" {4,}", line):
            text += " " + re.sub(r"^\s*[-*] ", "", line).strip()
    return [sentence.strip() for sentence in found if sentence.strip()]


def check_unit(begin, unit, refused):
    for sentence in sentences(unit):
        words = [word for word in CODE.sub("code", sentence).split() if re.search(r"\w", word)]
        if len(words) > MAX_WORDS:
            yield f"{begin}: {len(words)} words in a sentence (at most {MAX_WORDS}): '{sentence[:60]}...'"
        if BAD_BEGIN.match(sentence):
            yield f"{begin}: a sentence begins with '{sentence.split()[0]}': '{sentence[:60]}'"
        match = refused.search(CODE.sub("code", sentence))
        if match:
            yield f"{begin}: '{match.group()}' (doc/glossary.md has the word): '{sentence[:70]}'"


def check_file(path, refused):
    lines = path.read_text(encoding="utf-8").splitlines()
    is_code = path.suffix in CODE_ENDINGS
    if is_code:
        yield from (f"{number}: {len(line)} columns (at most {MAX_COLUMNS})" for number, line in enumerate(lines, 1)
                    if len(line) > MAX_COLUMNS and not re.search(r'https?://|"', line))
        if lines and not lines[0].startswith(("//", "/*")):
            yield "1: no comment that says what the file is for"
    for begin, unit in units_of(path.suffix, lines):
        yield from check_unit(begin, unit, refused)


def units_of(ending, lines):
    if ending in CODE_ENDINGS:
        yield from block_units(lines)
        yield from comment_units(lines) if ending != ".css" else ()
    else:
        yield from page_units(list(manual_lines(lines)) if ending == ".scd" else lines)


def files_of(root):
    sources = [path for folder in FOLDERS for path in (root / folder).rglob("*") if path.suffix in CODE_ENDINGS]
    return sorted({path for path in sources + [path for page in PAGES for path in root.glob(page)]
                   if not NOT_OURS.search("/" + path.relative_to(root).as_posix())})


def check(root, paths=None):
    refused = refused_words(root)
    if paths is None:
        paths = [path for path in files_of(root) if not path.relative_to(root).as_posix().startswith(PENDING)]
    return [f"{path.relative_to(root)}:{complaint}" for path in paths for complaint in check_file(path, refused)]


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    complaints = check(root, [pathlib.Path(name).resolve() for name in sys.argv[2:]] or None)
    print("\n".join(complaints))
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
