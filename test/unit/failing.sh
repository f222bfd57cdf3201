#!/bin/sh
# Makes a library of copies of object files, which call the functions of failing.h instead of the C library's.
#
# usage: failing.sh OBJCOPY AR LIBRARY OBJECT...
set -eu
objcopy=$1
ar=$2
library=$3
shift 3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
names=
for name in malloc calloc realloc strdup vasprintf mmap sysconf; do
    names="$names --redefine-sym $name=failing_$name"
done
n=0
for object in "$@"; do
    n=$((n + 1))
    # shellcheck disable=SC2086 # several words
    "$objcopy" $names "$object" "$folder/$n.o"
done
rm -f "$library"
"$ar" -rcs "$library" "$folder"/*.o
