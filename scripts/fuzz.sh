#!/usr/bin/env bash
# Searches for inputs that make a reader panic, hang or take much memory.
#
#   scripts/fuzz.sh TARGET [SECONDS]      (default 1200 seconds; TARGET is a folder of fuzz/corpus)
#
# Uses libFuzzer with the pinned compiler: the coverage flags are stable, so no nightly and no cargo-fuzz is needed (a C++ compiler is).
# New inputs go to target/fuzz/corpus/TARGET, what failed to target/fuzz/failed/TARGET.
set -euo pipefail
cd "$(dirname "$0")/.."
target=${1:?name a folder of fuzz/corpus}
seconds=${2:-1200}
[ -d "fuzz/corpus/$target" ] || { echo "error: fuzz/corpus/$target does not exist" >&2; exit 2; }
coverage="-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 -Cllvm-args=-sanitizer-coverage-inline-8bit-counters"
coverage+=" -Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares"
host=$(rustc -vV | sed -n 's/^host: //p')
# Given a --target, cargo leaves build scripts and macros uninstrumented.
RUSTFLAGS="$coverage -Cdebug-assertions -Ccodegen-units=16" cargo build --release --target "$host" --target-dir target/fuzz \
    -p veridic-fuzz --features search --bin search
mkdir -p "target/fuzz/corpus/$target" "target/fuzz/failed/$target"
VERIDIC_FUZZ=$target "target/fuzz/$host/release/search" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=65536 \
    -artifact_prefix="target/fuzz/failed/$target/" -print_final_stats=1 "target/fuzz/corpus/$target" "fuzz/corpus/$target"
