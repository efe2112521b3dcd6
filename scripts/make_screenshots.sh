#!/usr/bin/env bash
# Makes the pictures in docs/images: four screenshots of the browser tests (which need Node.js, playwright-core and
# Chromium, see tests/browser/browser_test.mjs).
#
#   scripts/make_screenshots.sh [PROGRAM]      (default target/release/veridic)
set -euo pipefail
cd "$(dirname "$0")/.."
program=${1:-target/release/veridic}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
SCREENSHOTS=$folder VERIDIC=$program VERIDIC_REPORT="$program report -q" node --test tests/browser/ >"$folder/log" ||
    { tail -n 60 "$folder/log"; exit 1; }
mkdir -p docs/images
for name in page-result-desktop-light page-result-phone-dark report-list-desktop-light report-claim-desktop-light; do
    mv "$folder/$name.png" docs/images/
done
ls -l docs/images
