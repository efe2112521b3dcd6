"""The measurements of scripts/bench.py, a module each."""
