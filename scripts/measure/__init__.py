"""The measurements of scripts/measure.py, a module each."""
