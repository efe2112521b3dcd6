#!/usr/bin/env bash
# Compiles the kernels for aarch64 and runs their tests under qemu, Arm's bf16 and 8-bit matrix products among them; then checks
# that the whole workspace's library compiles there. On Debian it installs what is missing (qemu-user, the cross-compiler); Rust's
# target comes by rustup. What it cannot show: speed on a real processor.
set -euo pipefail
cd "$(dirname "$0")/.."

target=aarch64-unknown-linux-gnu
rustup target add "$target"
if ! command -v qemu-aarch64 >/dev/null || ! command -v aarch64-linux-gnu-gcc >/dev/null; then
    apt-get update && apt-get install -y qemu-user gcc-aarch64-linux-gnu libc6-dev-arm64-cross
fi
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER="qemu-aarch64 -cpu max -L /usr/aarch64-linux-gnu"
# The tests take every set of instructions that the processor has; qemu's has these two.
export VERIDIC_EXPECT_NEON=1
cargo test --target "$target" -p veridic-kernels --lib
cargo check --target "$target" -p veridic-models
