"""What the scripts share that try the program with other people's clients: a virtual environment with packages from PyPI that
is deleted at the end, and a server that is stopped at the end."""

import contextlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


@contextlib.contextmanager
def environment(*packages):
    """The Python of a virtual environment with these packages. TOOLS names a folder that keeps it for the next time."""
    with tempfile.TemporaryDirectory(prefix="veridic-tools-") as folder:
        tools = Path(os.environ.get("TOOLS", folder))
        python = tools / "bin" / "python"
        if not python.exists():
            subprocess.run([sys.executable, "-m", "venv", str(tools)], check=True)
        if packages:
            subprocess.run([str(python), "-m", "pip", "install", "--quiet", *packages], check=True)
        yield python


@contextlib.contextmanager
def server(program, *arguments, env=None):
    """The address of `veridic serve` with these arguments; it must end with 0 and have printed nothing on stderr."""
    command = [str(program), "serve", "--listen", "127.0.0.1:0", "--quiet", *arguments]
    with tempfile.TemporaryFile("w+") as stderr:
        child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=stderr, text=True, env=env)
        try:
            line = child.stdout.readline()
            if not line.startswith("listening on "):
                raise SystemExit(f"the server did not start: {stderr_of(stderr)}")
            yield line.split()[-1]
        finally:
            child.terminate()
            code = child.wait(timeout=60)
        printed = stderr_of(stderr)
        if code != 0 or printed:
            raise SystemExit(f"the server ended with {code} and printed: {printed}")


def stderr_of(file):
    file.seek(0)
    return file.read().strip()
