# `make check` is the gate: format, lints, tests, docs. `make python` is the same for the Python package; it needs Python
# 3.9 or newer and fetches what it builds with. `make adapters` tests the package inside other frameworks, which it
# fetches. `make public-api` compares the library's public API with
# docs/reference/public-api.txt; it needs cargo-public-api.

.PHONY: check format lint test docs python adapters public-api

check: format lint test docs

format:
	cargo fmt --all --check

lint:
	cargo clippy --workspace --all-targets -- -D warnings

test:
	cargo test --workspace

docs:
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps

python:
	cargo fmt --manifest-path python/Cargo.toml --check
	cargo clippy --release --manifest-path python/Cargo.toml -- -D warnings
	python3 -m venv target/python
	target/python/bin/pip install '.[test]'
	target/python/bin/pytest python/tests

adapters:
	cargo build --release -p veridic-cli
	scripts/test_adapters.sh

# rustdoc's JSON is unstable: the pinned compiler is asked for it as a nightly one would be.
public-api:
	RUSTC_BOOTSTRAP=1 cargo public-api -sss -p veridic > target/public-api.txt
	diff -u docs/reference/public-api.txt target/public-api.txt
