#!/usr/bin/env bash
# Installs what the feature `cuda` needs, from PyPI, into a virtual environment: nvcc and its parts, the headers, and
# cuBLAS, all of CUDA 13.0. Compiling needs no GPU, driver or administrator rights.
#
#   scripts/cuda_toolchain.sh [FOLDER]         installs into FOLDER (default target/cuda) and prints what to export
#   scripts/cuda_toolchain.sh --print FOLDER   only prints it, for an existing environment
#
# About 900 MB. Then:
#
#   eval "$(scripts/cuda_toolchain.sh --print target/cuda)"
#   cargo build --release -p veridic-cli --features cuda
set -euo pipefail

# CUDA's versions; packages have patch releases of their own.
PACKAGES=(
    "nvidia-cuda-nvcc>=13.0,<13.1"
    "nvidia-nvvm>=13.0,<13.1"
    "nvidia-cuda-crt>=13.0,<13.1"
    "nvidia-cuda-runtime>=13.0,<13.1"
    "nvidia-cuda-cccl>=13.0,<13.1"
    "nvidia-cublas>=13.0,<13.1"
)

fail() {
    echo "cuda_toolchain.sh: $1" >&2
    exit 1
}

# The folder into which all packages install.
toolkit_of() {
    local folders=("$1"/lib/python3*/site-packages/nvidia/cu13)
    [[ -x "${folders[0]}/bin/nvcc" ]] || return 1
    echo "${folders[0]}"
}

print_exports() {
    local toolkit
    toolkit=$(toolkit_of "$1") || fail "$1 has no nvcc: run scripts/cuda_toolchain.sh $1"
    printf 'export NVCC=%q\n' "$toolkit/bin/nvcc"
    # cuBLASLt is loaded when a GPU is opened.
    printf 'export LD_LIBRARY_PATH=%q${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}\n' "$toolkit/lib"
}

if [[ "${1:-}" == "--print" ]]; then
    [[ $# == 2 ]] || fail "--print takes a folder"
    print_exports "$(realpath "$2")"
    exit
fi

[[ "${1:-}" != -* ]] || fail "unknown option $1"
folder=${1:-"$(dirname "$0")/../target/cuda"}
if ! toolkit_of "$folder" >/dev/null; then
    python3 -m venv "$folder" >&2 || fail "cannot make a virtual environment in $folder"
    "$folder/bin/python" -m pip install --quiet "${PACKAGES[@]}" >&2 || fail "pip cannot install ${PACKAGES[*]}"
fi
folder=$(realpath "$folder")
toolkit=$(toolkit_of "$folder") || fail "the packages contain no nvcc: delete $folder and try again"
release=$("$toolkit/bin/nvcc" --version | grep -o 'release [0-9.]*') || fail "$toolkit/bin/nvcc does not run"
[[ "$release" == "release 13.0" ]] || fail "nvcc is $release; the kernels are checked with release 13.0"
print_exports "$folder"
