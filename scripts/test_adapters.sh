#!/usr/bin/env bash
# Tests the adapters with the frameworks themselves: one environment each, with the versions of
# python/tests/adapters/requirements, and the package installed from a wheel.
#
#   scripts/test_adapters.sh [FRAMEWORK...]        by default all, promptfoo last
#
# Environments are in target/adapters, or $VERIDIC_ADAPTERS; one is made again when its requirements file changes. The wheel is built unless
# $VERIDIC_WHEEL names one or $VERIDIC_PACKAGE a folder that holds the package. promptfoo needs npm, and the program
# (target/release/veridic or $VERIDIC_BINARY).
set -euo pipefail
cd "$(dirname "$0")/.."
repository=$PWD
folder=${VERIDIC_ADAPTERS:-$repository/target/adapters}
requirements=$repository/python/tests/adapters/requirements
export VERIDIC_BINARY=${VERIDIC_BINARY:-$repository/target/release/veridic}
all=()
for file in "$requirements"/*.txt; do
    all+=("$(basename "$file" .txt)")
done
if [ $# -eq 0 ]; then set -- "${all[@]}" promptfoo; fi

wheel=${VERIDIC_WHEEL:-}
if [ -z "$wheel" ] && [ -z "${VERIDIC_PACKAGE:-}" ]; then
    rm -rf "$folder/wheel"
    python3 -m pip wheel --quiet --no-deps --wheel-dir "$folder/wheel" .
    wheel=$(find "$folder/wheel" -name '*.whl')
fi

# The environment of a framework, with the package.
environment() {
    local venv=$folder/$1 file=$requirements/$1.txt
    if [ ! -f "$file" ]; then file=/dev/null; fi
    if ! cmp --silent "$file" "$venv/requirements.txt"; then
        rm -rf "$venv"
        python3 -m venv "$venv"
        "$venv/bin/pip" install --quiet pytest numpy -r "$file"
        cp "$file" "$venv/requirements.txt"
    fi
    if [ -n "$wheel" ]; then "$venv/bin/pip" install --quiet --force-reinstall --no-deps "$wheel"; fi
}

for name in "$@"; do
    if [ "$name" != promptfoo ] && [ ! -f "$requirements/$name.txt" ]; then
        echo "no adapter $name: there are ${all[*]} promptfoo" >&2
        exit 2
    fi
    echo "== $name"
    environment "$name"
    if [ "$name" = promptfoo ]; then
        # promptfoo needs a newer Node.js than many systems have; the package `node` brings one.
        read -ra packages <"$requirements/promptfoo.npm"
        npm install --silent --no-fund --no-audit --prefix "$folder/promptfoo/npm" "${packages[@]}"
        export PROMPTFOO=$folder/promptfoo/npm/node_modules/.bin/promptfoo
        PATH=$folder/promptfoo/npm/node_modules/.bin:$PATH
    fi
    export PYTHONPATH=${VERIDIC_PACKAGE:-}
    "$folder/$name/bin/python" -m pytest --quiet -p no:cacheprovider "python/tests/adapters/test_$name.py"
done
