#!/usr/bin/env python3
"""Fails if the manual and the command disagree: a command without a page, a setting without a description, a link to a
page or file that does not exist.

usage: docs.py ROOT OTTER
"""
import pathlib
import re
import subprocess
import sys


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout


def commands_of(help_text):
    """Returns the commands that `otter help` lists: indented, one per line, with a description next to each."""
    return re.findall(r"^ {2,8}([a-z][a-z-]*)(?: [\[A-Z.-].*?)? {2,}\S", help_text, re.M)


def settings_of(table):
    """Returns the settings that `otter info --settings` lists, as named in the environment."""
    return sorted(set(re.findall(r"\bOTTER_[A-Z_]+\b", table)))


def check_pages(commands, pages):
    return [f"`otter {name}` has no manual page otter-{name}.1.scd" for name in commands
            if name != "help" and f"otter-{name}.1.scd" not in pages]


def check_settings(names, page):
    described = set(re.findall(r"^\*(OTTER_[A-Z_]+)\*", page.replace("\\_", "_"), re.M))
    missing = [f"{name} is not described in otter-settings.7.scd" for name in names if name not in described]
    return missing + [f"otter-settings.7.scd describes {name}, which is not a setting" for name in sorted(described - set(names))]


def anchors_of(page):
    """Returns the names by which viewers of pages address headings."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(), re.M)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def check_links(root):
    complaints = []
    for page in sorted(list(root.glob("*.md")) + [p for d in ("core", "test", "connectors", "doc", "packaging") for p in (root / d).rglob("*.md")]):
        for link, anchor in re.findall(r"\]\(([^)#:]*)(?:#([^)]*))?\)", page.read_text()):
            target = page.parent / link if link else page
            if not target.exists():
                complaints.append(f"{page.relative_to(root)}: there is no {link}")
            elif anchor and anchor not in anchors_of(target):
                complaints.append(f"{page.relative_to(root)}: {link} has no heading for #{anchor}")
    return complaints


def check(root, otter):
    manual = root / "core/cli/man"
    commands = commands_of(run(otter, "help"))
    settings = settings_of(run(otter, "info", "--settings"))
    complaints = check_pages(commands, {p.name for p in manual.glob("*.scd")})
    complaints += check_settings(settings, (manual / "otter-settings.7.scd").read_text())
    complaints += check_links(root)
    if "record" not in commands or not settings:
        complaints.append("cannot read the output of `otter help` or `otter info --settings`")
    return complaints


if __name__ == "__main__":
    found = check(pathlib.Path(sys.argv[1]), sys.argv[2])
    print("\n".join(found))
    sys.exit(1 if found else 0)
