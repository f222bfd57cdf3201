#!/usr/bin/env python3
"""Fails when doc/troubleshooting.md and the messages in the sources disagree.

usage: messages.py ROOT

An item of the page begins with messages, in which ... stands for names and numbers. The sources must contain each of
them, from its first word to its last. The page must have each message that users get unasked, from the recorder, the
connectors, and the commands that record and recover. It omits messages that explain themselves, such as those about a
wrong command line, and messages with hardly any words.
"""
import pathlib
import re
import sys

PAGE = "doc/troubleshooting.md"
FOLDERS = ("core", "connectors")
UNASKED = ("core/base/", "core/record", "core/end/", "connectors/", "core/launcher/outcome.c", "core/launcher/environment.c",
           "core/cli/cmd_record.c", "core/cli/cmd_recover.c")
FEWEST_WORDS = 3  # of a message that the page explains

ITEM = re.compile(r"^- (`[^`]+`(?:,\s*`[^`]+`)*)", re.M)
LITERAL = r'"(?:[^"\\\n]|\\.)*"'
TEXT = re.compile(LITERAL + r"(?:\s*(?:[A-Z]\w*\s*)?" + LITERAL + ")*")
CALL = re.compile(r"\botter_(?:warning|warn|error|note)\s*\(\s*(?=" + LITERAL + ")")
CONVERSION = re.compile(r"%[-+ #0-9.*]*(?:[hlzj]*)[a-zA-Z]|%(?=\0)")
GAP = "\0"


def plain(literals):
    """Returns the text of adjacent literals, with a gap for each macro and conversion."""
    text = re.sub(r'"\s*"', "", literals)
    text = re.sub(r'"\s*[A-Z]\w*\s*"', GAP, text)[1:-1]
    return CONVERSION.sub(GAP, text.replace('\\"', '"'))


def fits(key, text):
    """Returns whether the parts of a key follow each other in a text, the first at its start and the last at its end.
    """
    parts = [part.strip() for part in key.split("...")]
    pattern = ".*".join(re.escape(part) for part in parts)
    return re.fullmatch(pattern, text.strip(), re.S) is not None


def sources(root):
    return sorted(path for folder in FOLDERS for path in (root / folder).rglob("*.c"))


def explains_itself(text):
    return "(otter help" in text or len(re.findall(r"[A-Za-z]{2,}", text)) < FEWEST_WORDS


def check(root):
    page = (root / PAGE).read_text(encoding="utf-8")
    keys = [key for item in ITEM.findall(page) for key in re.findall(r"`([^`]+)`", item)]
    texts, complaints = set(), []
    for path in sources(root):
        source = path.read_text(encoding="utf-8")
        texts |= {plain(match.group()) for match in TEXT.finditer(source)}
        name = path.relative_to(root).as_posix()
        for call in CALL.finditer(source) if name.startswith(UNASKED) else ():
            text = plain(TEXT.match(source, call.end()).group())
            if not explains_itself(text) and not any(fits(key, text) for key in keys):
                complaints.append(f"{name}: {PAGE} does not have '{text.replace(GAP, '...')}'")
    complaints += [f"{PAGE}: no source has '{key}'" for key in keys if not any(fits(key, text) for text in texts)]
    return complaints + [f"{PAGE}: '{key}' is there twice" for key in sorted({key for key in keys if keys.count(key) > 1})]


if __name__ == "__main__":
    found = check(pathlib.Path(sys.argv[1]))
    print("\n".join(found))
    sys.exit(1 if found else 0)
