"""The checks of scripts/check_clients.py, a module each."""
