#!/usr/bin/env bash
# Runs the kernels of feature `cuda` on this machine's processor, by the emulation in kernels/src/cuda/emulation, and
# compares them with their definitions, and networks on top of them with the host's networks and the reference's values.
# Needs g++ 12 or later and no GPU; takes some minutes. It does not show speed, nor races between warps, except those
# that change a result when threads run in the opposite order.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo clippy --workspace --all-targets --features cuda-emulation -- -D warnings
cargo test -p veridic-kernels --features cuda-emulation --lib cuda
cargo test -p veridic-models --features cuda-emulation --lib cuda
cargo test -p veridic-models --features cuda-emulation --test it cuda
cargo test -p veridic-cli --features cuda-emulation --test it device
