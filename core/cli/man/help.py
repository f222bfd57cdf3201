#!/usr/bin/env python3
"""Makes the texts of `otter help COMMAND` from the manual: usage, the first paragraph, each option with a sentence.

usage: help.py OUTPUT.c PAGE.1.scd...

An option is a line `*-x*, *--name*=_value_` of a page; the indented lines below describe it. The help has the options
of all sections and the entries of FORMATS, each with its first sentence and the sentence about its default.
"""
import pathlib
import re
import sys
import textwrap

WIDTH, COLUMN = 80, 23
WORD = r"(?<![\w\\])_([a-z-]+)_(?!\w)"


def wrapped(text, first="", rest=""):
    return textwrap.wrap(text, WIDTH, initial_indent=first, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False)


class Page:
    def __init__(self, path):
        self.name = path.name.split(".")[0]
        parts = re.split(r"^# (.*)\n", path.read_text(encoding="utf-8"), flags=re.M)
        self.sections = dict(zip(parts[1::2], parts[2::2]))
        places = self.sections["SYNOPSIS"] + " ".join(re.findall(r"^\*-.*$", "".join(parts), re.M))
        self.arguments = set(re.findall(WORD, places))

    def plain(self, text):
        """Returns the text without marks, in one line, with the names of arguments in capitals."""
        text = re.sub(r"\s*\(\*otter-\w+\*\(\d\)\)", "", text)
        text = re.sub(WORD, lambda found: found[1].upper() if found[1] in self.arguments else found[1], text)
        text = re.sub(r"(?<!\\)\*|(?<=\w\*)\(\d\)", "", re.sub(r"(?<![\w\\])_([^_\n]*[^\\_])_(?!\w)", r"\1", text))
        return " ".join(re.sub(r"\\(.)", r"\1", text).split())

    def paragraphs(self, title):
        return self.sections[title].strip().split("\n\n")

    def usage(self):
        lines = []
        for form in map(self.plain, self.sections["SYNOPSIS"].strip().split("++\n")):
            rest = " " * (8 + len(" ".join(form.split()[:2])))
            lines += wrapped(form, "       " if lines else "Usage: ", rest)
        return lines

    def sentences(self, description):
        text = " ".join(description.split("\n\n")[0].split())
        parts = re.split(r"(?<=[^.]\.)\s+(?=[A-Z*_])", text)
        chosen = parts[:1] + [part for part in parts[1:] if part.startswith("Default:")]
        return self.plain(" ".join(chosen)).rstrip(".")

    def entry(self, names, description):
        head = self.plain(names)
        is_list = not re.match(r"-\w, |\w", head)
        head = ("      " + head.replace(", ", " ")) if is_list else "  " + head
        column = " " * COLUMN
        if len(head) > COLUMN - 2:
            return wrapped(head.strip(), head[:len(head) - len(head.lstrip())], "      ") + wrapped(self.sentences(description), column, column)
        return wrapped(self.sentences(description), head.ljust(COLUMN), column)

    def options(self):
        lines = []
        for title, text in self.sections.items():
            marks = r"\*" if title == "FORMATS" else r"\*-(?!-\*_)"
            entries = re.findall(rf"^((?:{marks}.*\n)+)((?:\t.*\n)+)", text, re.M)
            if entries and title != "EXAMPLES":
                lines += ["", title.capitalize() + ":"] + [line for entry in entries for line in self.entry(*entry)]
        return lines

    def help(self):
        first, *others = self.paragraphs("DESCRIPTION")
        lines = self.usage()
        for text in [first] + [text for text in others if re.match(r"_[a-z]+_ is", text)]:
            lines += ["", *wrapped(self.plain(text))]
        status = self.plain(self.paragraphs("EXIT STATUS")[0])
        return [*lines, *self.options(), "", *wrapped("Exit status: " + status), "", f"More: man {self.name}"]


def literal(line):
    escaped = line.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("?", "\\?")
    return f'    otter_print(out, "{escaped}\\n");\n'


def main(output, *paths):
    with open(output, "w", encoding="ascii") as out:
        out.write('// Made by help.py from the manual.\n#include "cli/command.h"\n#include "base/text/print.h"\n')
        for page in map(Page, map(pathlib.Path, paths)):
            out.write(f"\nvoid {page.name.replace('-', '_help_')}(FILE *out)\n{{\n")
            out.writelines(map(literal, page.help()))
            out.write("}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
