#!/usr/bin/env python3
"""Fails if a library that is loaded into the user's program exports or needs more than allowed.

usage: symbols.py LIBRARY EXPORTS NEEDED...
  EXPORTS  regular expression of the symbols it may export; at least one must exist NEEDED   regular expressions of the
  libraries it may depend on besides libc and the loader
"""
import re
import subprocess
import sys

# Forbidden calls: name services may take seconds, and cause network traffic.
UNWANTED = r"gethostid|gethostby.*|getaddrinfo|getpw.*|system|popen"
LIBC = [r"libc\.so\.\d+", r"ld-linux.*\.so\.\d+", r"ld64\.so\.\d+"]


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def check_symbols(listing, exports):
    """Checks the exported symbols. `listing`: the output of nm -D."""
    symbols = [line.split() for line in listing.splitlines()]
    defined = [fields[-1].split("@")[0] for fields in symbols if len(fields) == 3 and fields[1] not in "Uwv"]
    undefined = [fields[-1].split("@")[0] for fields in symbols if fields[-2] in "Uwv"]
    complaints = [f"exports {name}" for name in defined if not re.fullmatch(exports, name)]
    complaints += [f"leaves {name} undefined" for name in undefined if name.startswith("OTF2_")]
    complaints += [f"calls {name}" for name in undefined if re.fullmatch(UNWANTED, name)]
    if not any(re.fullmatch(exports, name) for name in defined):
        complaints.append(f"exports nothing that matches {exports}")
    return complaints


def check_dynamic(section, needed):
    """Checks the libraries that are needed. `section`: the output of readelf -d."""
    libraries = re.findall(r"\(NEEDED\).*\[(.*)\]", section)
    flags = " ".join(re.findall(r"\(FLAGS(?:_1)?\)\s*(.*)", section))
    allowed = "|".join(LIBC + needed)
    complaints = [f"needs {library}" for library in libraries if not re.fullmatch(allowed, library)]
    if "NODELETE" not in flags:
        complaints.append("may be unloaded: link with -z nodelete")
    if "(TEXTREL)" in section or "TEXTREL" in flags:
        complaints.append("holds code that is not position independent")
    if "STATIC_TLS" in flags:
        complaints.append("uses the initial-exec TLS model, and so cannot always be loaded late")
    return complaints


def check(library, exports, needed):
    complaints = check_dynamic(run("readelf", "-Wd", library), needed)
    listing = run("nm", "-D", library)
    if any("otf2" in pattern for pattern in needed):
        listing = "\n".join(line for line in listing.splitlines() if " U OTF2_" not in line)
    return complaints + check_symbols(listing, exports)


if __name__ == "__main__":
    found = check(sys.argv[1], sys.argv[2], sys.argv[3:])
    for line in found:
        print(f"{sys.argv[1]}: {line}")
    sys.exit(1 if found else 0)
