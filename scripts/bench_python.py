#!/usr/bin/env python3
"""The overhead of the Python package over `veridic run`: the same rows through both, from process start to exit.

    python3 scripts/bench_python.py --python VENV/bin/python --data ROWS.jsonl [--rows 500] [--rounds 9] [-- OPTIONS]

ROWS has fields that `veridic run` reads. PYTHON has the package installed (`pip install .`). Both read the file, judge
its first rows and write a JSONL file; the lines must be equal as values, or the run ends. The one that starts alternates
from round to round, and the first round is not counted. Reports the median of the rounds' own ratios with a bootstrap
interval (percentiles 2.5 and 97.5 of 10,000 resampled medians, seed 0). --levels keeps a round short: the overhead is a
few milliseconds a row at most, and a longer computation would hide it. Writes the result to benches/runs/NAME.json.
Needs cargo.
"""

import argparse
import json
import random
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from bench_common import REPOSITORY, cargo_build, commit, load_average, machine, public, say, write_record

RESAMPLES = 10_000
PROGRAM = """
import json, sys
import veridic
settings, rows, output = json.loads(sys.argv[1]), sys.argv[2], sys.argv[3]
scorer = veridic.Scorer(quiet=True, **settings)
with open(rows, encoding="utf-8") as lines, open(output, "w", encoding="utf-8") as out:
    for result in scorer.run(map(json.loads, lines), on_error="record"):
        out.write(json.dumps(result.to_dict(), ensure_ascii=False) + "\\n")
"""


def main():
    arguments = parse_arguments()
    binary = arguments.binary.resolve() if arguments.binary else cargo_build(["-p", "veridic-cli", "--bin", "veridic"])[0]
    with tempfile.TemporaryDirectory() as folder:
        rows = Path(folder) / "rows.jsonl"
        count = write_rows(rows, arguments)
        engines = {"run": program(binary, rows, folder, arguments), "python": python(rows, folder, arguments)}
        rounds = []
        for index in range(arguments.rounds + 1):
            seconds = one_round(index, engines, folder)
            say(f"round {index}: run {seconds['run']:.2f} s, Python {seconds['python']:.2f} s")
            rounds.append(seconds)
    report(arguments, count, rounds[1:])


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, nargs="+", required=True, metavar="FILE")
    parser.add_argument("--python", required=True, metavar="PATH", help="an interpreter with the package")
    parser.add_argument("--binary", type=Path, metavar="PATH", help="the program, instead of building it")
    parser.add_argument("--rows", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--levels", default="sentence", help="the setting `levels`")
    parser.add_argument("--name", default="python-overhead", help="name of the record in benches/runs/")
    arguments = parser.parse_args()
    for file in arguments.data:
        if not file.is_file():
            sys.exit(f"no such file: {file}")
    return arguments


def write_rows(path, arguments):
    """The first rows of the files, with their texts and a number."""
    lines = []
    for file in arguments.data:
        for line in file.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            if row["summary"].strip() and row["document"].strip():
                lines.append({"id": len(lines), "document": row["document"], "summary": row["summary"]})
    lines = lines[: arguments.rows]
    if len(lines) < arguments.rows:
        sys.exit(f"the files have {len(lines)} rows, not {arguments.rows}")
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return len(lines)


def program(binary, rows, folder, arguments):
    command = [binary, "run", rows, "-o", Path(folder) / "run.jsonl", "--quiet"]
    return [*command, "--threads", str(arguments.threads), "--set", f"levels={arguments.levels}"]


def python(rows, folder, arguments):
    settings = {"threads": arguments.threads, "rules": {"levels": arguments.levels}}
    return [arguments.python, "-c", PROGRAM, json.dumps(settings), rows, Path(folder) / "python.jsonl"]


def one_round(index, engines, folder):
    """Seconds of each; ends the run if the results differ."""
    order = list(engines) if index % 2 else list(reversed(engines))
    outputs = {name: Path(folder) / f"{name}.jsonl" for name in engines}
    seconds = {}
    for name in order:
        for old in Path(folder).glob(f"{name}.jsonl*"):
            old.unlink()
        start = time.perf_counter()
        subprocess.run(engines[name], check=True, cwd=folder)
        seconds[name] = time.perf_counter() - start
    lines = {name: outputs[name].read_text(encoding="utf-8").splitlines() for name in engines}
    if [json.loads(line) for line in lines["run"]] != [json.loads(line) for line in lines["python"]]:
        sys.exit("the results differ")
    return seconds


def interval(ratios):
    source = random.Random(0)
    medians = sorted(median(source.choices(ratios, k=len(ratios))) for _ in range(RESAMPLES))
    return medians[int(0.025 * RESAMPLES)], medians[int(0.975 * RESAMPLES)]


def report(arguments, count, rounds):
    ratios = [seconds["python"] / seconds["run"] for seconds in rounds]
    low, high = interval(ratios)
    record = {
        "command": shlex.join(["python3", "scripts/bench_python.py", *map(public, sys.argv[1:])]),
        "commit": commit(),
        "machine": machine(),
        "load": load_average(),
        "rows": count,
        "rounds": rounds,
        "ratio": {"median": median(ratios), "interval": [low, high]},
    }
    say(f"Python / run on {count} rows: {median(ratios):.3f} ({low:.3f} to {high:.3f})")
    write_record(record, arguments.name)


if __name__ == "__main__":
    main()
