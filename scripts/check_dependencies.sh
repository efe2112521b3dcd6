#!/usr/bin/env bash
# Checks the licences, sources, versions and known vulnerabilities of the dependencies, by deny.toml; a part of `make check`.
# What cannot be checked here is said: without cargo-deny nothing, without github.com no vulnerabilities.
set -euo pipefail
cd "$(dirname "$0")/.."
if ! cargo deny --version >/dev/null 2>&1; then
    echo "the dependencies were not checked: install cargo-deny by \`cargo install --locked cargo-deny\`" >&2
    exit 0
fi
cargo deny check bans licenses sources
if timeout 20 git ls-remote --quiet https://github.com/RustSec/advisory-db HEAD >/dev/null 2>&1; then
    cargo deny check advisories
else
    echo "known vulnerabilities were not looked up: github.com cannot be reached" >&2
fi
