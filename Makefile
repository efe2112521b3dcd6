# `make check` is the gate: format, lints, tests, docs.

.PHONY: check format lint test docs

check: format lint test docs

format:
	cargo fmt --all --check

lint:
	cargo clippy --release --workspace --all-targets -- -D warnings

test:
	cargo test --release --workspace

docs:
	RUSTDOCFLAGS="-D warnings" cargo doc --release --workspace --no-deps
