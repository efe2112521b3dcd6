#!/usr/bin/env bash
# Builds the program with its bundled model and feature `cuda`, without a GPU, and checks that kernels compile for every
# architecture with almost no register spills, that the program starts without CUDA's libraries, that `--device cuda`
# reports a missing driver, and that the stripped program stays under 60 MB.
#
#   scripts/check_cuda_build.sh [FOLDER]   FOLDER is that of scripts/cuda_toolchain.sh (default target/cuda)
set -euo pipefail
cd "$(dirname "$0")/.."

LARGEST_MB=60
# Bytes that a kernel may spill.
LARGEST_SPILL=16

exports=$(scripts/cuda_toolchain.sh "${1:-target/cuda}")
# The libraries are left out: the program has to start without them.
eval "$(grep NVCC <<<"$exports")"
# Its own folder, so that the program in target/, built with other features, is kept.
export CARGO_TARGET_DIR=target/check-cuda
cargo build --release -p veridic-cli --no-default-features --features bundled,cuda --bin veridic
binary=$CARGO_TARGET_DIR/release/veridic

fail() {
    echo "check_cuda_build.sh: $1" >&2
    exit 1
}

bytes=$(stat -c %s "$binary")
stripped=$(mktemp)
trap 'rm -f "$stripped"' EXIT
strip -o "$stripped" "$binary"
stripped_bytes=$(stat -c %s "$stripped")
echo "program: $((bytes / 1000000)) MB, stripped $((stripped_bytes / 1000000)) MB"
((stripped_bytes < LARGEST_MB * 1000000)) || fail "the stripped program is over $LARGEST_MB MB"

if ldd "$binary" | grep -iE 'cuda|cublas|nvidia'; then
    fail "the program is linked to CUDA's libraries"
fi
"$binary" --version >/dev/null || fail "the program does not start"

resources=$(ls -t "$CARGO_TARGET_DIR"/release/build/veridic-kernels-*/out/resources.txt | head -1)
echo "registers and spills ($resources):"
awk '/Compiling entry function/ { name = $0; sub(/.*function .?/, "", name); sub(/[^a-z0-9_].*/, "", name);
                                  target = $0; sub(/.*for ./, "", target); sub(/[^a-z0-9_].*/, "", target) }
     /spill stores/ { match($0, /[0-9]+ bytes spill stores/); spill = substr($0, RSTART, RLENGTH) + 0 }
     /Used [0-9]+ registers/ { match($0, /Used [0-9]+/); registers = substr($0, RSTART + 5, RLENGTH - 5)
                               print target, name, registers, spill }' "$resources" | sort -u | column -t | tee "$stripped"
while read -r target name registers spill; do
    ((spill <= LARGEST_SPILL)) || fail "$name for $target spills $spill bytes"
done <"$stripped"
for architecture in sm_80 sm_90; do
    grep -q "^$architecture" "$stripped" || fail "no kernels were compiled for $architecture"
done

if [[ -e /dev/nvidiactl ]]; then
    echo "this machine has a driver: the error without one was not checked"
    exit
fi
tiny=models/tests/fixtures/deberta/tiny_with_tokenizer
for command in "nli --model $tiny --premise A --hypothesis B" "models check $tiny"; do
    # shellcheck disable=SC2086
    if message=$("$binary" $command --device cuda 2>&1); then
        fail "$command --device cuda worked without a GPU"
    fi
    echo "$command --device cuda: $message"
    grep -q "NVIDIA's driver (libcuda) was not found" <<<"$message" || fail "the error does not name what is missing"
    grep -qE "panicked|backtrace" <<<"$message" && fail "it panicked"
done
echo "ok"
