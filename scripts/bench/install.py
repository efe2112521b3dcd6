"""The time from nothing to a first verdict, for each way of installing.

PROGRAM is the program of a release (a static one for Linux), WHEEL what maturin built of it. Makes the release's archive with
scripts/package.sh, then starts each round in empty folders, with an empty cache and a PATH without Rust:

    archive     unpack it, judge
    install.sh  from a folder (sums are checked), judge
    http        install.sh from a server on this machine, judge
    wheel       make a virtual environment, pip install the wheel and what it needs, judge
    cargo       cargo install --path cli into an empty folder, judge (once, with --cargo: it takes minutes)

"Judge" is `veridic score examples/article.txt examples/summary.txt`, whose verdict must be the same each time.
"""

import functools
import hashlib
import http.server
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from statistics import median

from common import REPOSITORY, record, say

PAIR = ["examples/article.txt", "examples/summary.txt"]
VERDICT = "score 0.09   contradicted"


def add(parser):
    parser.add_argument("--program", type=Path, required=True, metavar="FILE")
    parser.add_argument("--wheel", type=Path, metavar="FILE")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--cargo", action="store_true")


def main(arguments):
    with tempfile.TemporaryDirectory() as folder:
        release = make_release(Path(folder) / "release", arguments.program)
        ways = {
            "archive": functools.partial(from_archive, release),
            "install.sh": functools.partial(from_script, str(release.parent)),
            "http": functools.partial(from_script, serve(release.parent)),
        }
        if arguments.wheel:
            ways["wheel"] = functools.partial(from_wheel, arguments.wheel.resolve())
        seconds = {way: [] for way in ways}
        for number in range(arguments.rounds):
            for way, install in ways.items():
                seconds[way].append(timed(way, install))
        if arguments.cargo:
            seconds["cargo"] = [timed("cargo", from_cargo)]
        sizes = {"archive": size(release), "program": size(arguments.program)}
        if arguments.wheel:
            sizes["wheel"] = size(arguments.wheel)
    report(arguments, seconds, sizes)


def make_release(folder, program):
    """The archive of this platform, with SHA256SUMS beside it."""
    system = {"Linux": "linux", "Darwin": "macos"}[platform.system()]
    processor = {"arm64": "aarch64"}.get(platform.machine(), platform.machine())
    name = f"veridic-{system}-{processor}"
    call(["scripts/package.sh", program.resolve(), name, folder])
    archive = folder / f"{name}.tar.gz"
    digest = hashlib.sha256(archive.read_bytes()).hexdigest()
    (folder / "SHA256SUMS").write_text(f"{digest}  {archive.name}\n")
    return archive


def serve(folder):
    """Serves the folder on this machine; returns its address."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


def from_archive(archive, empty):
    call(["tar", "-xzf", archive, "-C", empty])
    return empty / archive.name.removesuffix(".tar.gz") / "veridic"


def from_script(source, empty):
    call(["sh", "install.sh", "--from", source, "--prefix", empty])
    return empty / "bin" / "veridic"


def from_wheel(wheel, empty):
    call([sys.executable, "-m", "venv", empty])
    call([empty / "bin" / "pip", "install", "--quiet", "--no-cache-dir", wheel])
    return empty / "bin" / "veridic"


def from_cargo(empty):
    environment = {**os.environ, "CARGO_TARGET_DIR": str(empty / "target")}
    call(["cargo", "install", "--quiet", "--locked", "--path", "cli", "--root", empty], env=environment)
    return empty / "bin" / "veridic"


def timed(way, install):
    empty = Path(tempfile.mkdtemp())
    try:
        start = time.monotonic()
        program = install(empty)
        installed = time.monotonic()
        done = subprocess.run([program, "score", *PAIR], cwd=REPOSITORY, env=bare(), capture_output=True, text=True)
        end = time.monotonic()
        if VERDICT not in done.stdout:
            sys.exit(f"{way}: printed {done.stdout}{done.stderr}")
    finally:
        shutil.rmtree(empty)
    say(f"{way}: {end - start:.2f} s, of which {end - installed:.2f} s judge")
    return {"install": round(installed - start, 3), "judge": round(end - installed, 3)}


def bare():
    """An environment without the folders of Rust and of a checkout; pip keeps its settings."""
    kept = {name: value for name, value in os.environ.items() if name.startswith("PIP_") or name.lower().endswith("_proxy")}
    return {**kept, "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": tempfile.gettempdir()}


def call(line, env=None):
    environment = env or bare()
    done = subprocess.run([str(part) for part in line], cwd=REPOSITORY, env=environment, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(str(part) for part in line)} failed:\n{done.stdout}{done.stderr}")


def size(path):
    return round(path.stat().st_size / 1e6, 1)


def report(arguments, seconds, sizes):
    for way, rounds in seconds.items():
        total = [one["install"] + one["judge"] for one in rounds]
        print(f"{way:<11} {median(total):7.2f} s ({min(total):.2f} to {max(total):.2f})")
    print(", ".join(f"{name} {megabytes} MB" for name, megabytes in sizes.items()))
    record(arguments, "install", seconds=seconds, megabytes=sizes)
