#!/usr/bin/env python3
"""Measures speed and memory. Every measurement writes a record (command, commit, machine, raw times) to benches/runs/.

    scripts/bench.py MEASUREMENT [OPTIONS]

docs/measurements/performance.md has the results.
"""

import common

MEASUREMENTS = ["peers", "shapes", "t5", "run", "stories", "server", "beside", "stream"]

if __name__ == "__main__":
    common.start(__doc__, "bench", MEASUREMENTS)
