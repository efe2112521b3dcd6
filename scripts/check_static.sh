#!/usr/bin/env bash
# Fails unless a program for Linux needs no library and no loader of the system it runs on.
#   scripts/check_static.sh PROGRAM
set -euo pipefail

[ $# -eq 1 ] || { sed -n 2,3p "$0" >&2; exit 2; }
needed=$(readelf --dynamic "$1" | grep NEEDED || true)
loader=$(readelf --program-headers "$1" | grep INTERP || true)
if [ -n "$needed$loader" ]; then
  printf '%s is not static:\n%s\n%s\n' "$1" "$needed" "$loader" >&2
  exit 1
fi
echo "$1 is static, $(du -h "$1" | cut -f 1)"
