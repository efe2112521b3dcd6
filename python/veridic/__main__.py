"""The program `veridic`: what `pip install` puts on the path, and `python -m veridic`."""

from __future__ import annotations

import signal
import sys

from ._engine import run_program


def main() -> int:
    """Run `veridic` with the arguments of this process; the result is its exit code."""
    # Python would only note Ctrl-C and wait for the program to end. Commands that finish something first listen for it themselves.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    return run_program(["veridic", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
