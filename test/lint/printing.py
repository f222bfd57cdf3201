#!/usr/bin/env python3
"""Fails on user output that does not go through core/base/text/print.h, the only place that makes foreign text harmless.

usage: printing.py ROOT
"""
import pathlib
import re
import sys

FOLDERS = ("core", "connectors")

# The printer itself, and files whose output has its own escapes.
PRINTERS = ("core/base/text/print.c", "core/base/log.c", "core/report/form/plain.c", "core/report/form/json.c", "core/graph/export",
            "core/export/encode/packets.c", "core/export/encode/parquet_file.c", "core/view/lane/chunk.c", "core/view/html.c",
            "connectors/gomp/")  # prints only names of its own functions, and depends only on libc

OUTPUT = re.compile(r"(?<![\w.>])(?:v?f?printf|v?dprintf|f?puts|f?putc|putchar|fwrite|\w+_unlocked|perror|psignal|psiginfo|json_dump\w*)\s*\(|"
                    r"#\s*include\s*<(?:err|error|syslog)\.h>|"
                    r"(?<!\w)write\s*\(\s*(?:STD(?:OUT|ERR)_FILENO|[12]\s*,)")
TEXT_OR_COMMENT = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*')


def check(root):
    complaints = []
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*.[ch]")):
            name = path.relative_to(root)
            if str(name).startswith(PRINTERS):
                continue
            for number, line in enumerate(path.read_text().splitlines(), 1):
                match = OUTPUT.search(TEXT_OR_COMMENT.sub('""', line))
                if match:
                    complaints.append(f"{name}:{number}: {match.group()} shows text of others as it is: "
                                      "use otter_print (base/text/print.h) or otter_note (base/log.h)")
    return complaints


if __name__ == "__main__":
    found = check(pathlib.Path(sys.argv[1]))
    print("\n".join(found))
    sys.exit(1 if found else 0)
