"""What the measurements share: the command line, rows, programs, a server, and the record of a run."""

import argparse
import contextlib
import importlib
import json
import os
import platform
import shlex
import subprocess
import sys
import tempfile
import venv
from pathlib import Path
from statistics import median

REPOSITORY = Path(__file__).resolve().parent.parent
PEERS = REPOSITORY / "scripts" / "peers"
WORK = REPOSITORY / "target" / "bench_peers"
MINI = REPOSITORY / "models" / "weights" / "mini"
CPU_FLAGS = ["avx2", "fma", "avx512f", "avx512_bf16", "avx512_vnni", "avx_vnni", "amx_tile", "asimd"]
# A commit is recorded as dirty if one of these has changed.
MEASURED = ["Cargo.toml", "Cargo.lock", "src", "cli", "kernels", "models", "benches", "scripts/peers"]


# ---- the command line


def start(doc, package, names):
    """Runs one module of a package. A module has `add(parser)` and `main(arguments)`; what follows `--` is `arguments.flags`."""
    split = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=doc, formatter_class=raw)
    commands = parser.add_subparsers(required=True, metavar="MEASUREMENT")
    for name in names:
        module = importlib.import_module(f"{package}.{name}")
        command = commands.add_parser(name, help=module.__doc__.split("\n")[0], description=module.__doc__, formatter_class=raw)
        module.add(command)
        command.add_argument("--name", help="name of the record in benches/runs/")
        command.set_defaults(main=module.main)
    arguments = parser.parse_args(sys.argv[1:split])
    arguments.flags = sys.argv[split + 1 :]
    missing = [str(file) for file in getattr(arguments, "data", None) or [] if not file.is_file()]
    if missing:
        sys.exit(f"no such file: {', '.join(missing)}")
    arguments.main(arguments)


def add_data(parser):
    parser.add_argument("--data", type=Path, nargs="+", required=True, metavar="FILE", help="JSON Lines")


def add_program(parser):
    parser.add_argument("--program", metavar="FILE", help="a built `veridic`; default: build it")


def add_python(parser):
    parser.add_argument("--python", metavar="FILE", help="an interpreter with the packages of scripts/peers/requirements.txt")


def program(arguments):
    return str(Path(arguments.program).resolve()) if arguments.program else cargo_build(["-p", "veridic-cli", "--bin", "veridic"])[0]


def say(message):
    print(message, file=sys.stderr, flush=True)


# ---- rows


def read(path):
    return [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines() if line.strip()]


def write(path, rows):
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


def spaced(rows, count):
    """Evenly spaced rows: number i * all / count."""
    count = min(count, len(rows))
    return [rows[index * len(rows) // count] for index in range(count)]


def split(splitter, texts):
    """The sentences of each text, by the example `sentences`."""
    rows = "".join(json.dumps({"document": text}) + "\n" for text in texts)
    result = subprocess.run([splitter], input=rows, stdout=subprocess.PIPE, text=True, check=True)
    spans = [json.loads(line) for line in result.stdout.splitlines()]
    return [[text[start:end] for start, end in row] for text, row in zip(texts, spans)]


def area(rows, score, label=lambda row: row["input"]["label"]):
    """ROC AUC: how often a consistent row scores higher than an inconsistent one; ties count half."""
    high, low = ([score(row) for row in rows if label(row) == wanted] for wanted in (1, 0))
    return sum((a > b) + (a == b) / 2 for a in high for b in low) / max(len(high) * len(low), 1)


# ---- programs


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
    """The interpreter of a virtual environment under target/ with the peers' packages."""
    requirements = PEERS / "requirements.txt"
    folder, done = WORK / "venv", WORK / "venv" / "requirements.txt"
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    if not done.is_file() or done.read_text() != requirements.read_text():
        say(f"installing {requirements.relative_to(REPOSITORY)}")
        venv.create(folder, with_pip=True, clear=True)
        pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        if subprocess.run([*pip, "--requirement", requirements]).returncode:
            sys.exit("cannot install the Python peers; give --python")
        done.write_text(requirements.read_text())
    return str(python)


@contextlib.contextmanager
def environment(*packages):
    """The Python of a virtual environment with these packages. TOOLS names a folder that keeps it for the next time."""
    with tempfile.TemporaryDirectory(prefix="veridic-tools-") as folder:
        tools = Path(os.environ.get("TOOLS", folder))
        python = tools / "bin" / "python"
        if not python.exists():
            venv.create(tools, with_pip=True)
        if packages:
            subprocess.run([str(python), "-m", "pip", "install", "--quiet", *packages], check=True)
        yield python


@contextlib.contextmanager
def server(program, *arguments):
    """The address of `veridic serve` with these arguments. It must end with 0 and print nothing on stderr."""
    command = [str(program), "serve", "--listen", "127.0.0.1:0", "--quiet", *arguments]
    with tempfile.TemporaryFile("w+") as stderr:

        def printed():
            stderr.seek(0)
            return stderr.read().strip()

        child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=stderr, text=True)
        try:
            line = child.stdout.readline()
            if not line.startswith("listening on "):
                sys.exit(f"the server did not start: {printed()}")
            yield line.split()[-1]
        finally:
            child.terminate()
            code = child.wait(timeout=60)
        if code != 0 or printed():
            sys.exit(f"the server ended with {code} and printed: {printed()}")


class Process:
    """A running program that answers each line on its stdin with one JSON object a line."""

    def __init__(self, name, line, threads):
        self.name = name
        names = [f"{name}_NUM_THREADS" for name in ("RAYON", "OMP", "MKL", "OPENBLAS", "MATMUL")]
        self.process = subprocess.Popen(
            [str(part) for part in line],
            cwd=REPOSITORY,
            env={**os.environ, **dict.fromkeys(names, str(threads)), "PYTHONDONTWRITEBYTECODE": "1"},
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
        return memory(self.process.pid, "VmHWM")

    def stop(self):
        self.process.stdin.close()
        self.process.wait()


def memory(pid, field):
    """Megabytes of a process (VmRSS: now, VmHWM: at most); None if the system does not report it."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return None
    lines = [line for line in status.splitlines() if line.startswith(f"{field}:")]
    return round(int(lines[0].split()[1]) / 1024) if lines else None


# ---- the record


def record(arguments, name, **results):
    """Writes what is needed to judge or repeat a run, without paths outside the repository."""
    about = {"command": shlex.join(["python3", *map(public, sys.argv)]), "commit": commit(), "machine": machine()}
    path = REPOSITORY / "benches" / "runs" / f"{getattr(arguments, 'name', None) or name}.json"
    path.write_text(json.dumps(about | results, indent=1) + "\n", encoding="utf-8")
    say(f"wrote {path.relative_to(REPOSITORY)}")


def public(argument):
    """A path inside the repository relative to it; the last part of any other path."""
    path = Path(argument)
    if not path.is_absolute():
        return argument
    return str(path.relative_to(REPOSITORY)) if path.is_relative_to(REPOSITORY) else f".../{path.name}"


def commit():
    name = output(["git", "rev-parse", "--short", "HEAD"]).strip()
    return f"{name} dirty" if output(["git", "status", "--porcelain", "--", *MEASURED]).strip() else name


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
        "load": [round(load, 2) for load in os.getloadavg()] if hasattr(os, "getloadavg") else None,
    }


def output(command):
    try:
        return subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True).stdout
    except OSError:
        return ""


def spread(values):
    return {"median": median(values), "least": min(values), "most": max(values)}
