#!/usr/bin/env bash
# Runs the kernels of feature `cuda` on this machine's processor, by the emulation in kernels/src/cuda/emulation, and
# the networks on top of them, against their definitions, the host's networks and the reference's numbers. Needs g++ 12
# or later, no GPU; takes some minutes. What it cannot show: speed, and races between warps of a real GPU beyond those
# that change a result when threads take turns in the other order.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo test -p veridic-kernels --features cuda-emulation --lib cuda
cargo test -p veridic-models --features cuda-emulation --lib cuda
cargo test -p veridic-models --features cuda-emulation --test it cuda
cargo test -p veridic-cli --features cuda-emulation --test it device
