#!/usr/bin/env python3
"""Fails if an interface changed, but interfaces.txt did not: the binary interface of libotter-core and of otter/control.h, or
the names, types and records of archives.

After a release, --update refuses a change without a new number: an item that changed or vanished needs a new soname
(core/meson.build) or schema version (core/trace/schema.h), a new item a new version of the project.

usage: interfaces.py ROOT [LIBRARY]     compares; also the symbols that the library exports
       interfaces.py --update ROOT      writes interfaces.txt
"""
import pathlib
import re
import subprocess
import sys

import archive

LIST = pathlib.PurePath("test/lint/interfaces.txt")
HEADERS = [f"include/otter/{name}.h" for name in ("control", "event", "record")]
HEAD = "# The interfaces that a release promises. interfaces.py --update writes this file, interfaces.py compares it.\n"
NUMBERS = {  # files that contain the numbers of this tree
    "version": ("meson.build", r"^  version: '([^']*)'"),
    "soname": ("core/meson.build", r"soversion: '(\d+)'"),
    "schema": ("core/trace/schema.h", r"OTTER_SCHEMA_VERSION = (\d+)"),
}


def declarations(text):
    """Returns the declarations of a header, each as one line without comments."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.S)
    text = re.sub(r"#ifdef __cplusplus.*?#endif", "", text, flags=re.S)
    inline = r"OTTER_CONTROL_INLINE [^{;]*\{.*?\n\}\n"
    defines = re.findall(r"^#define (\w+ (?!static|__)[^\n]+)$", text, re.M)
    text = re.sub(r"^#.*$", "", re.sub(inline, "", text, flags=re.S), flags=re.M)
    parts = re.findall(r"[^;{}]+(?:\{[^{}]*\}[^;]*)?;", text)
    return [f"define {define.strip()}" for define in defines] + [" ".join(part.rstrip(";").split()) for part in parts]


def without_name(parameter):
    return re.sub(r"(?<=[\w* ])\b\w+$", "", parameter.strip()).strip() if " " in parameter.strip() else parameter.strip()


def items_of(declaration):
    """Returns (name, text) of each promise of a declaration; names of parameters are not promises."""
    match = re.fullmatch(r"(enum \w+) \{ (.*?),? \}", declaration)
    if match:
        return [(f"{match[1]}: {name}", value) for name, _, value in (part.partition(" = ") for part in match[2].split(", "))]
    match = re.fullmatch(r"OTTER_API (.*?)(\w+)\((.*)\)( __attribute__.*)?", declaration)
    if match:
        return [(f"function {match[2]}", f"{match[1].strip()}({', '.join(map(without_name, match[3].split(',')))})")]
    match = re.match(r"(?:struct|define|extern)(?: int)? (\w+)|typedef .*?\b(\w+)(?:\(|$)", declaration)
    return [(f"declaration {match[1] or match[2]}", declaration)]


def abi_of(root):
    return dict(item for header in HEADERS for declaration in declarations((root / header).read_text()) for item in items_of(declaration))


def archive_of(root):
    schema = (root / archive.SCHEMA).read_text()
    layout = (root / "core/trace/event_layout.h").read_text()
    writer = "\n".join(path.read_text() for path in sorted((root / "core/trace").rglob("*.c")))
    items = {f"construct {name}, {role}": "" for name, role in archive.CONSTRUCT.findall(schema)}
    items |= {f"parameter {name}": "" for name in archive.PARAMETER.findall(schema)}
    items |= {f"property {name}": "" for name in archive.written(root)}
    items |= {f"definition {name}": "" for name in re.findall(r"OTF2_GlobalDefWriter_Write(\w+)", writer)}
    return items | {f"record {name}": value for name, value in re.findall(r"^    RECORD_(\w+) = (0x\w+)", layout, re.M)}


def present(root):
    numbers = {name: re.search(way, (root / path).read_text(), re.M)[1] for name, (path, way) in NUMBERS.items()}
    return numbers, {"soname": abi_of(root), "schema": archive_of(root)}


def written(root):
    """Returns what interfaces.txt promises, in the form of present()."""
    numbers, parts, part = {}, {"soname": {}, "schema": {}}, None
    for line in (root / LIST).read_text().splitlines():
        if line.startswith("  "):
            name, _, text = line.strip().partition(" | ")
            parts[part][name] = text
        elif line and not line.startswith("#"):
            part, number = line.split()
            numbers[part] = number
    return numbers, parts


def differences(old, new):
    """Returns the names of items that changed or vanished, and of new items."""
    return sorted(name for name in old if new.get(name) != old[name]), sorted(set(new) - set(old))


def is_released(root, version):
    return re.search(rf"^## \[?{re.escape(version)}\]? - \d{{4}}-", (root / "CHANGELOG.md").read_text(), re.M) is not None


def refusals(root):
    """Returns the reasons why interfaces.txt must not be written."""
    (old_numbers, old), (numbers, new) = written(root), present(root)
    if not is_released(root, old_numbers["version"]):
        return []
    reasons = []
    for part in old:
        broken, added = differences(old[part], new[part])
        if broken and numbers[part] == old_numbers[part]:
            reasons += [f"'{name}' of {old_numbers['version']} changed: {NUMBERS[part][0]} needs another {part}" for name in broken]
        if (broken or added) and numbers["version"] == old_numbers["version"]:
            reasons.append(f"{old_numbers['version']} is released: meson.build needs another version")
    return reasons


def check(root, library=None):
    (old_numbers, old), (numbers, new) = written(root), present(root)
    complaints = [f"{name} is {numbers[name]}, but {old_numbers.get(name)} in {LIST}" for name in numbers if numbers[name] != old_numbers.get(name)]
    for part in new:
        broken, added = differences(old[part], new[part])
        complaints += [f"'{name}' changed: raise the {part} if it was released" for name in broken]
        complaints += [f"'{name}' is not in {LIST}" for name in added]
    if library:
        listing = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
        exported = {line.split()[2].split("@")[0] for line in listing.splitlines()}
        declared = {name.split()[1] for name in new["soname"] if name.startswith("function ")}
        complaints += [f"{name} is either declared or exported" for name in sorted(exported ^ declared) if name.startswith("otter_")]
    return complaints + ([f"then: {sys.argv[0]} --update {root}"] if complaints else [])


def update(root):
    numbers, parts = present(root)
    lines = [HEAD + f"version {numbers['version']}\n"]
    for part, items in parts.items():
        lines.append(f"\n{part} {numbers[part]}\n" + "".join(f"  {name} | {text}".removesuffix(" | ") + "\n" for name, text in sorted(items.items())))
    (root / LIST).write_text("".join(lines))


if __name__ == "__main__":
    is_update = sys.argv[1] == "--update"
    folder = pathlib.Path(sys.argv[2 if is_update else 1])
    found = refusals(folder) if is_update else check(folder, *sys.argv[2:])
    if is_update and not found:
        update(folder)
    print("\n".join(found))
    sys.exit(1 if found else 0)
