# `make check` is the gate: format, lints, tests, docs. `make python` is the same for the Python package; it needs Python
# 3.9 or newer and fetches what it builds with.

.PHONY: check format lint test docs python

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
