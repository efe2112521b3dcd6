"""The programs `veridic` and `veridic-bench`: what `pip install` puts on the path, and `python -m veridic`."""

from __future__ import annotations

import signal
import sys

from ._engine import run_program


def main() -> int:
    """Run `veridic` with the arguments of this process; the result is its exit code."""
    return _run(["veridic", *sys.argv[1:]])


def bench() -> int:
    """Run `veridic-bench`, the laboratory, likewise."""
    return _run(["veridic", "bench", *sys.argv[1:]])


def _run(arguments: list[str]) -> int:
    # Python would only note Ctrl-C and wait for the program to end. Commands that finish something first listen for it themselves.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    return run_program(arguments)


if __name__ == "__main__":
    sys.exit(main())
