# `make check` is the product's gate: format, dependencies, lints, tests, docs. `make check-bench` is the laboratory's.
# `make python` checks the Python packages; it needs Python 3.9 or newer and fetches what it builds with. `make adapters`
# tests the package inside other frameworks, which it fetches. `make public-api` compares the library's public API with
# docs/reference/public-api.txt; it needs cargo-public-api.

PRODUCT = --workspace --exclude veridic-bench --exclude veridic-stats --features veridic-cli/mcp
LABORATORY = -p veridic-bench -p veridic-stats

.PHONY: check check-bench format python adapters public-api

check: format
	scripts/check_dependencies.sh
	cargo clippy $(PRODUCT) --all-targets -- -D warnings
	cargo test $(PRODUCT)
	RUSTDOCFLAGS="-D warnings" cargo doc $(PRODUCT) --no-deps

check-bench: format
	cargo clippy $(LABORATORY) --all-targets -- -D warnings
	cargo test $(LABORATORY)
	RUSTDOCFLAGS="-D warnings" cargo doc $(LABORATORY) --no-deps

format:
	cargo fmt --all --check

python: export CARGO_TARGET_DIR = $(CURDIR)/python/target
python:
	cargo fmt --manifest-path python/Cargo.toml --all --check
	cargo fmt --manifest-path benches/python/Cargo.toml --check
	cargo clippy --release --manifest-path python/Cargo.toml --workspace -- -D warnings
	cargo clippy --release --manifest-path benches/python/Cargo.toml -- -D warnings
	python3 -m venv target/python
	target/python/bin/pip install '.[test]' 'benches/python[test]'
	target/python/bin/pytest python/tests
	target/python/bin/pytest benches/python/tests

adapters:
	cargo build --release -p veridic-cli
	scripts/test_adapters.sh

# rustdoc's JSON is unstable: the pinned compiler is asked for it as a nightly one would be.
public-api:
	RUSTC_BOOTSTRAP=1 cargo public-api -sss -p veridic > target/public-api.txt
	diff -u docs/reference/public-api.txt target/public-api.txt
