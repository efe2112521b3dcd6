"""What the benchmarks of engines share: building programs, a process that answers commands, and the description of
machine and commit in a record."""

import json
import os
import platform
import shlex
import subprocess
import sys
import venv
from pathlib import Path
from statistics import median

REPOSITORY = Path(__file__).resolve().parent.parent
PEER_SCRIPTS = REPOSITORY / "scripts" / "peers"
WORK = REPOSITORY / "target" / "bench_peers"
CPU_FLAGS = ["avx2", "fma", "avx512f", "avx512_bf16", "avx512_vnni", "avx_vnni", "amx_tile", "asimd"]
# Paths that a measurement depends on.
MEASURED = ["Cargo.toml", "Cargo.lock", "src", "cli", "bench", "text", "stats", "kernels", "models/src", "models/weights"]
MEASURED += ["benches/programs", "benches/peers", "scripts/peers"]


def cargo_build(options):
    """Builds one program and returns the command that starts it."""
    command = ["cargo", "build", "--release", "--message-format=json-render-diagnostics", *options]
    say(shlex.join(command))
    result = subprocess.run(command, cwd=REPOSITORY, stdout=subprocess.PIPE, text=True)
    if result.returncode:
        sys.exit("cargo build failed")
    messages = [json.loads(line) for line in result.stdout.splitlines()]
    return [[m["executable"] for m in messages if m.get("executable")][-1]]


def install_python_peers():
    """Makes a virtual environment under target/, again when the requirements change. Returns its interpreter."""
    requirements = PEER_SCRIPTS / "requirements.txt"
    folder, done = WORK / "venv", WORK / "venv" / "requirements.txt"
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    if not done.is_file() or done.read_text() != requirements.read_text():
        say(f"installing {requirements.relative_to(REPOSITORY)}")
        venv.create(folder, with_pip=True, clear=True)
        pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        if subprocess.run([*pip, "--requirement", requirements]).returncode:
            sys.exit("cannot install the Python peers; give --python, or --peers without them")
        done.write_text(requirements.read_text())
    return str(python)


class Process:
    """A running program that answers each line on its stdin with one JSON object a line."""

    def __init__(self, name, line, threads):
        self.name = name
        self.process = subprocess.Popen(
            [str(part) for part in line],
            cwd=REPOSITORY,
            env=environment(threads),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.about = self.answer()

    def answer(self):
        line = self.process.stdout.readline()
        if not line:
            sys.exit(f"{self.name} ended with status {self.process.wait()}")
        return json.loads(line)

    def ask(self, command):
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        return self.answer()

    def peak_megabytes(self):
        """Peak resident memory so far; None if the system does not report it."""
        try:
            status = Path(f"/proc/{self.process.pid}/status").read_text()
        except OSError:
            return None
        lines = [line for line in status.splitlines() if line.startswith("VmHWM:")]
        return round(int(lines[0].split()[1]) / 1024) if lines else None

    def stop(self):
        self.process.stdin.close()
        self.process.wait()


def environment(threads):
    names = ["RAYON", "OMP", "MKL", "OPENBLAS", "MATMUL"]
    names = [f"{name}_NUM_THREADS" for name in names]
    return {**os.environ, **{name: str(threads) for name in names}, "PYTHONDONTWRITEBYTECODE": "1"}


def spread(values):
    return {"median": median(values), "least": min(values), "most": max(values)}


def public(argument):
    """A path inside the repository relative to it; the last part of any other path."""
    path = Path(argument)
    if not path.is_absolute():
        return argument
    inside = path.is_relative_to(REPOSITORY)
    return str(path.relative_to(REPOSITORY)) if inside else f".../{path.name}"


def commit():
    name = output(["git", "rev-parse", "--short", "HEAD"]).strip()
    changed = output(["git", "status", "--porcelain", "--", *MEASURED]).strip()
    return f"{name} dirty" if changed else name


def machine():
    rows = dict(line.split(":", 1) for line in output(["lscpu"]).splitlines() if ":" in line)
    flags = rows.get("Flags", "").split()
    return {
        "cpu": rows.get("Model name", platform.processor()).strip(),
        "family": "/".join(rows.get(key, "?").strip() for key in ("CPU family", "Model", "Stepping")),
        "cores": os.cpu_count(),
        "flags": [flag for flag in CPU_FLAGS if flag in flags],
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "rustc": output(["rustc", "--version"]).strip(),
    }


def output(command):
    try:
        return subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True).stdout
    except OSError:
        return ""


def load_average():
    return [round(load, 2) for load in os.getloadavg()] if hasattr(os, "getloadavg") else None


def say(message):
    print(message, file=sys.stderr, flush=True)


def write_record(record, name):
    path = REPOSITORY / "benches" / "runs" / f"{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    say(f"wrote {path.relative_to(REPOSITORY)}")
