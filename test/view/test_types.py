#!/usr/bin/env python3
"""Checks that TypeScript accepts the types of the page's modules, and that the page's code is small.

usage: test_types.py PAGE

The compiler is tsc (Debian: node-typescript). Without it, the test is skipped (77).
"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
MAX_BYTES = 230_000  # size of the whole code, so that a page opens at once
OPTIONS = {
    "allowJs": True, "checkJs": True, "noEmit": True, "skipLibCheck": True, "strict": True, "noUnusedLocals": True, "noUnusedParameters": True,
    "target": "ES2022", "module": "ES2022", "moduleResolution": "node", "lib": ["ES2022", "DOM", "DOM.Iterable"], "types": [],
}


def size_of(page):
    sys.path.insert(0, str(page))
    import page as generator
    return sum(len(part.encode()) for part in generator.page([]))


def main(page):
    page = pathlib.Path(page).resolve()
    size = size_of(page)
    if size > MAX_BYTES:
        sys.exit(f"the code of the page has {size} bytes, more than {MAX_BYTES}")
    if not shutil.which("tsc"):
        print("skipped: TypeScript is missing (Debian: node-typescript)")
        sys.exit(SKIPPED)
    with tempfile.TemporaryDirectory(prefix="otter-types-") as folder:
        project = pathlib.Path(folder) / "tsconfig.json"
        project.write_text(json.dumps({"compilerOptions": OPTIONS, "include": [f"{page}/**/*.js"]}))
        result = subprocess.run(["tsc", "-p", project], capture_output=True, text=True)
    print(result.stdout, result.stderr, f"{size} bytes", sep="\n")
    sys.exit(result.returncode)


if __name__ == "__main__":
    main(*sys.argv[1:])
