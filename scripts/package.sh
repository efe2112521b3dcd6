#!/usr/bin/env bash
# Makes the archive of a release: both programs, the model beside them, completions, manual pages, licences and
# documentation.
#   scripts/package.sh PROGRAM NAME OUT     makes OUT/NAME.tar.gz; PROGRAM is `veridic`, with `veridic-bench` beside it, and runs here
set -euo pipefail

[ $# -eq 3 ] || { sed -n 2,4p "$0" >&2; exit 2; }
program=$1 name=$2 out=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$out" "$folder/$name/completions" "$folder/$name/models"
cp -r models/weights/base "$folder/$name/models/base"
case $program in *.exe) suffix=.exe ;; *) suffix= ;; esac
cp "$program" "$(dirname "$program")/veridic-bench$suffix" "$folder/$name/"
cp README.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE "$folder/$name/"
cp -r docs "$folder/$name/docs"
for each in veridic veridic-bench; do
  for shell in bash elvish fish powershell zsh; do
    "$folder/$name/$each$suffix" completions "$shell" > "$folder/$name/completions/$each.$shell"
  done
  "$folder/$name/$each$suffix" completions man --output "$folder/$name/man/man1"
done
tar -C "$folder" -czf "$out/$name.tar.gz" "$name"
