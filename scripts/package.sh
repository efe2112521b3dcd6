#!/usr/bin/env bash
# Makes the archive of a release: the program, the model beside it, completions, manual pages, licences and
# documentation.
#   scripts/package.sh PROGRAM NAME OUT     makes OUT/NAME.tar.gz; PROGRAM must run on this machine
set -euo pipefail

[ $# -eq 3 ] || { sed -n 2,4p "$0" >&2; exit 2; }
program=$1 name=$2 out=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$out" "$folder/$name/completions" "$folder/$name/models"
cp -r models/weights/base "$folder/$name/models/base"
case $program in *.exe) file=veridic.exe ;; *) file=veridic ;; esac
cp "$program" "$folder/$name/$file"
cp README.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE "$folder/$name/"
cp -r docs "$folder/$name/docs"
for shell in bash elvish fish powershell zsh; do
  "$program" completions "$shell" > "$folder/$name/completions/veridic.$shell"
done
"$program" completions man --output "$folder/$name/man/man1"
tar -C "$folder" -czf "$out/$name.tar.gz" "$name"
