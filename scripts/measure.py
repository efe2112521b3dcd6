#!/usr/bin/env python3
"""Measures accuracy against people's labels.

    scripts/measure.py MEASUREMENT [OPTIONS]

docs/measurements/accuracy.md has the results. The labelled files are not part of the repository; that page names their sources.
"""

import common

MEASUREMENTS = ["judges", "screen", "texts", "sentences"]

if __name__ == "__main__":
    common.start(__doc__, "measure", MEASUREMENTS)
