#!/usr/bin/env python3
"""Tries the program with other people's clients and servers, which are fetched from PyPI.

    scripts/check_clients.py CHECK [--program FILE]

TOOLS names a folder that keeps the virtual environment for the next time.
"""

import common

if __name__ == "__main__":
    common.start(__doc__, "clients", ["mcp", "nemo", "openapi"], records=False)
