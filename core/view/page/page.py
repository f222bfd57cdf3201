#!/usr/bin/env python3
"""Turns the sources of the page into four C strings, the parts of the file that `otter view` writes.

usage: page.py OUTPUT.c [DEPFILE]

In index.html, a comment `<!-- otter: NAME -->` ends each part: there the C code inserts the title, the report and the
data. `style` and `code` are replaced here. A module becomes a function that returns its exports; main.js is the last.
"""
import pathlib
import re
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
PARTS = ("head", "report", "data", "tail")
IMPORT = re.compile(r'^import \{([^}]*)\}\s+from "\.\.?/(?:\w+/)?(\w+)\.js";\n', re.M)
EXPORT = re.compile(r"^export ((?:async )?(?:function|const|class)) (\w+)", re.M)
INDENT = re.compile(r"^ +", re.M)
COMMENT = re.compile(r"^[ \t]*(?:/\*\*(?:(?!\*/).)*\*/|//[^\n]*)[ \t]*\n", re.M | re.S)


def read(name, seen):
    seen.append(FOLDER / name)
    return seen[-1].read_text(encoding="utf-8")


def path_of(module):
    """Returns the file of a module. No two folders have a module of the same name."""
    return next(FOLDER.rglob(module + ".js")).relative_to(FOLDER)


def add_module(name, modules, seen, path=()):
    """Adds to `modules` (name -> text) the modules that this one imports, then the module itself."""
    if name in path:
        sys.exit(f"page.py: {' imports '.join(path + (name,))}: a circle")
    if name in modules:
        return
    text = read(path_of(name), seen)
    for _, other in IMPORT.findall(text):
        add_module(other, modules, seen, path + (name,))
    exports = [found[1] for found in EXPORT.findall(text)]
    text = IMPORT.sub(lambda found: f"const {{{found[1]}}} = module_{found[2]};\n", text)
    text = EXPORT.sub(r"\1 \2", INDENT.sub("", COMMENT.sub("", text)))
    left = re.search(r"^(import|export)\b.*|^const \{[^}]* as .*", text, re.M)
    if left:
        sys.exit(f"page.py: {name}.js: cannot translate: {left.group()}")
    modules[name] = f"const module_{name} = (() => {{\n{text}return {{ {', '.join(exports)} }};\n}})();\n"


def page(seen):
    """Returns the four parts."""
    modules = {}
    add_module("main", modules, seen)
    code = '"use strict";\n' + "".join(modules.values())
    if "</script" in code or "<!--" in code:
        sys.exit("page.py: the code would end its own element")
    style = re.sub(r"^\s*/\*.*?\*/\n", "", read("style.css", seen), flags=re.M | re.S)
    style = INDENT.sub("", style)
    text = read("index.html", seen)
    text = text.replace("<!-- otter: style -->\n", style).replace("<!-- otter: code -->\n", code)
    parts = re.split(r"<!-- otter: (?:title|report|data) -->\n?", text)
    if len(parts) != len(PARTS):
        sys.exit("page.py: index.html does not have the places title, report and data")
    return parts


def literal(text):
    """Returns the text as a C string, line by line."""
    def escape(byte):
        return chr(byte) if 32 <= byte < 127 and byte not in b'"\\?' else f"\\{byte:03o}"
    lines = text.encode("utf-8").splitlines(keepends=True) or [b""]
    return "\n".join('    "' + "".join(map(escape, line)) + '"' for line in lines)


def main(output, depfile=None):
    seen = []
    parts = page(seen)
    with open(output, "w", encoding="ascii") as out:
        out.write("// Made by page.py from the sources of the page.\n")
        for name, part in zip(PARTS, parts):
            out.write(f"extern const char otter_view_page_{name}[];\n")
            out.write(f"const char otter_view_page_{name}[] =\n{literal(part)};\n")
    if depfile:
        pathlib.Path(depfile).write_text(f"{output}: {' '.join(map(str, seen))}\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
