"""Failures are one line on stderr, with the cause and the remedy, and exit code 2."""

import sys
from contextlib import contextmanager


class Failure(Exception):
    """An error that the caller can correct; its text is the whole message."""


@contextmanager
def loading(path):
    """Turns any exception of a library into a `Failure` that names the path."""
    try:
        yield
    except Failure:
        raise
    except Exception as error:
        reason = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise Failure(f"{path}: cannot be loaded ({reason})") from error


def run(main):
    """Runs `main()` and turns a `Failure` into one line on stderr and exit code 2."""
    try:
        main()
    except Failure as failure:
        print(f"error: {failure}", file=sys.stderr)
        sys.exit(2)
