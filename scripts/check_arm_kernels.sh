#!/usr/bin/env bash
# Compiles the kernels for aarch64 and runs their tests under qemu, with Arm's bf16 and 8-bit matrix products; then checks that
# `veridic-models` compiles for aarch64. On Debian it installs what is missing (qemu-user, the cross-compiler); rustup installs
# Rust's target. It does not show speed on a real processor.
set -euo pipefail
cd "$(dirname "$0")/.."

target=aarch64-unknown-linux-gnu
rustup target add "$target"
if ! command -v qemu-aarch64 >/dev/null || ! command -v aarch64-linux-gnu-gcc >/dev/null; then
    apt-get update && apt-get install -y qemu-user gcc-aarch64-linux-gnu libc6-dev-arm64-cross
fi
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER="qemu-aarch64 -cpu max -L /usr/aarch64-linux-gnu"
# The tests use every instruction set that the processor has; with this variable they fail without bf16 and I8MM.
export VERIDIC_EXPECT_NEON=1
cargo test --target "$target" -p veridic-kernels --lib
cargo check --target "$target" -p veridic-models
