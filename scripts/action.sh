#!/usr/bin/env bash
# The steps of action.yml. Needs Python 3.9 or newer, and to install also Rust.
#
#   scripts/action.sh key        writes `key`, a digest of what the package is built from, to $GITHUB_OUTPUT
#   scripts/action.sh install    builds the package's wheel, unless the cache folder has it, and installs it there
#   scripts/action.sh check      checks $FILES with $DOCUMENT, $FAIL_ON, $FAIL_UNDER and $OPTIONS, as action.yml describes them
#
# The cache folder is ~/.cache/veridic-action, or $VERIDIC_ACTION_CACHE.
set -euo pipefail
repository=$(cd "$(dirname "$0")/.." && pwd)
cache=${VERIDIC_ACTION_CACHE:-$HOME/.cache/veridic-action}
python=$cache/venv/bin/python
if [ "${RUNNER_OS:-}" = Windows ]; then python=$cache/venv/Scripts/python.exe; fi

key() {
    cd "$repository"
    local files
    # What the build reads; weights are named by the files that hold their digests.
    files=$(find Cargo.toml Cargo.lock pyproject.toml rust-toolchain.toml benches cli files kernels models python src \
        -type f ! -name '*.safetensors' ! -path '*/target/*' ! -name '*.pyc' | LC_ALL=C sort)
    echo "key=$(printf '%s\n' "$files" | tr '\n' '\0' | xargs -0 sha256sum | sha256sum | cut -c1-32)" >>"$GITHUB_OUTPUT"
}

install() {
    mkdir -p "$cache/wheels"
    local wheel
    wheel=$(find "$cache/wheels" -name 'veridic-*.whl' | head -n 1)
    if [ -z "$wheel" ]; then
        python3 -m pip wheel --no-deps --wheel-dir "$cache/wheels" "$repository"
        wheel=$(find "$cache/wheels" -name 'veridic-*.whl' | head -n 1)
    fi
    rm -rf "$cache/venv"
    python3 -m venv "$cache/venv"
    "$python" -m pip install --quiet "$wheel"
}

# Sets `found` to the files that a pattern names. A path may hold spaces, so the pattern is expanded but not split.
expand() {
    local IFS=
    shopt -s nullglob globstar
    # shellcheck disable=SC2206
    found=($1)
    shopt -u nullglob globstar
}

check() {
    local arguments=() files=() found=() pattern file count
    while read -r pattern; do
        if [ -z "$pattern" ]; then continue; fi
        expand "$pattern"
        count=${#files[@]}
        # `**` names folders too.
        for file in ${found[@]+"${found[@]}"}; do
            if [ -f "$file" ]; then files+=("$file"); fi
        done
        if [ ${#files[@]} -eq "$count" ]; then
            echo "no file is named by: $pattern" >&2
            return 2
        fi
    done <<<"${FILES:-}"
    if [ ${#files[@]} -eq 0 ]; then
        echo "no files are given: set the input \`files\`" >&2
        return 2
    fi
    if [ -n "${DOCUMENT:-}" ]; then arguments+=(--document "$DOCUMENT"); fi
    if [ -n "${FAIL_ON:-}" ]; then arguments+=(--fail-on "$FAIL_ON"); fi
    if [ -n "${FAIL_UNDER:-}" ]; then arguments+=(--fail-under "$FAIL_UNDER"); fi
    "$python" -m veridic.check_texts ${arguments[@]+"${arguments[@]}"} --options="${OPTIONS:-}" "${files[@]}"
}

case "${1:-}" in
key | install | check) "$1" ;;
*)
    echo "usage: action.sh key|install|check" >&2
    exit 2
    ;;
esac
