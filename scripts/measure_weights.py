#!/usr/bin/env python3
"""The gain from weighing evidence: every labelled file scored with weights fitted on the other files.

    python3 scripts/measure_weights.py --data A.jsonl B.jsonl ... --cache DIR [--dtype int8] [--name NAME]

Each file is scored by the plain rule; then `veridic calibrate` fits weights on all other files, the file is scored again
with them, and `veridic compare` tests whether the difference is more than chance. The model computes every pair of texts
once, into the score cache DIR. Prints a row a file and writes them to benches/runs/NAME.json. Files have `document`,
`summary` and `label`. Needs cargo.
"""

import argparse
import json
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import mean

from bench_common import cargo_build, commit, machine, public, say, write_record


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, nargs="+", required=True, metavar="FILE")
    parser.add_argument("--cache", type=Path, required=True, metavar="DIR")
    parser.add_argument("--dtype", default="f32")
    parser.add_argument("--name", default="weights", help="name of the record in benches/runs/")
    arguments = parser.parse_args()
    missing = [str(path) for path in arguments.data if not path.is_file()]
    if missing:
        sys.exit(f"no such file: {', '.join(missing)}")
    if len(arguments.data) < 2:
        sys.exit("--data: weights for a file are fitted on the others, so at least two are needed")
    [binary] = cargo_build(["-p", "veridic-cli", "--bin", "veridic"])
    how = ["--dtype", arguments.dtype, "--cache", arguments.cache, "--epsilon", "0", "--quiet"]
    with tempfile.TemporaryDirectory() as folder:
        rows = measure(binary, arguments.data, how, Path(folder))
    means = {side: mean(row[side]["value"] for row in rows.values()) for side in ("first", "second")}
    print(f"| mean | {means['first']:.3f} | {means['second']:.3f} | {means['second'] - means['first']:+.3f} |")
    record = {
        "command": shlex.join(["python3", "scripts/measure_weights.py", *map(public, sys.argv[1:])]),
        "commit": commit(),
        "machine": machine(),
        "roc_auc": rows,
        "mean": means,
    }
    write_record(record, arguments.name)


def measure(binary, files, how, folder):
    """ROC AUC of each file by the plain rule (first) and with weights of the other files (second)."""
    plain = {path: folder / f"{path.stem}-plain.jsonl" for path in files}
    for path, scores in plain.items():
        say(f"{path.name}: the plain rule")
        veridic(binary, "run", path, "-o", scores, "--calibration", "off", *how)
    rows = {}
    for path in files:
        weights, weighed = folder / f"{path.stem}.json", folder / f"{path.stem}-weighed.jsonl"
        others = [scores for other, scores in plain.items() if other != path]
        veridic(binary, "calibrate", *others, "--label", "label", "--even-if-worse", "-o", weights)
        say(f"{path.name}: weights of the others")
        veridic(binary, "run", path, "-o", weighed, "--calibration", weights, *how)
        compared = veridic(binary, "compare", plain[path], weighed, "--label", "label", "--format", "json")
        rows[path.name] = next(row for row in json.loads(compared)["measures"] if row["measure"] == "roc_auc")
        show(path.name, rows[path.name])
    return rows


def veridic(binary, *arguments):
    result = subprocess.run([binary, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if result.returncode:
        sys.exit(f"veridic {shlex.join(map(str, arguments))}: {result.stderr.strip()}")
    return result.stdout


def show(name, row):
    first, second, difference = row["first"], row["second"], row["difference"]
    between = f"{difference['value']:+.3f} [{difference['low']:+.3f}, {difference['high']:+.3f}]"
    print(f"| {name} | {first['value']:.3f} | {second['value']:.3f} | {between} |", flush=True)


if __name__ == "__main__":
    main()
