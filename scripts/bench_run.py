#!/usr/bin/env python3
"""Time the whole job, `veridic run`, beside a plain Python program of the `released` profile.

    python3 scripts/bench_run.py --data ROWS.jsonl [--documents 40] [--rounds 5] [--python PATH]

ROWS has `document` and `summary`. Takes the rows of the first documents, cuts sentences with our own
rules (example `sentences`), and scores them with both on the same weights and threads, alternating:
ours as a process from start to exit, under `released` and under the default profile; Python
(scripts/peers/released_procedure.py) without its loading time. Scores under `released` must agree
within 1e-4, or the run ends. Writes the result to benches/runs/NAME.json. Needs cargo, and
with --python an interpreter with the packages of scripts/peers/requirements.txt; one round of the
Python program takes minutes.
"""

import argparse
import json
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from bench_common import (
    PEER_SCRIPTS, REPOSITORY, cargo_build, commit, install_python_peers, machine, public, say, write_record,
)
from bench_peers import wide

TOLERANCE = 1e-4


def main():
    arguments = parse_arguments()
    binary = cargo_build(["-p", "veridic-cli", "--bin", "veridic"])[0]
    splitter = cargo_build(["-p", "veridic", "--example", "sentences"])[0]
    python = arguments.python or install_python_peers()
    with tempfile.TemporaryDirectory() as folder:
        rows = Path(folder) / "rows.jsonl"
        write_rows(rows, arguments, splitter)
        rounds = [one_round(index, folder, rows, arguments, binary, python) for index in range(arguments.rounds)]
    report(arguments, rounds)


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, metavar="FILE")
    parser.add_argument("--documents", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--model", type=Path, default=REPOSITORY / "models" / "weights" / "mini")
    parser.add_argument("--python", metavar="PATH")
    parser.add_argument("--name", default="run", help="name of the record in benches/runs/")
    arguments = parser.parse_args()
    if not arguments.data.is_file():
        sys.exit(f"no such file: {arguments.data}")
    arguments.model = wide(arguments.model)
    return arguments


def write_rows(path, arguments, splitter):
    """The rows of the first documents, with their sentences and claims."""
    rows = [json.loads(line) for line in arguments.data.read_text(encoding="utf-8").splitlines()]
    documents = list(dict.fromkeys(row["document"] for row in rows))[: arguments.documents]
    rows = [row for row in rows if row["document"] in documents]
    sentences = split(splitter, [row["document"] for row in rows])
    claims = split(splitter, [row["summary"] for row in rows])
    lines = []
    for row, row_sentences, row_claims in zip(rows, sentences, claims):
        worded = [claim for claim in row_claims if any(letter.isalnum() for letter in claim)]
        fields = {"document": row["document"], "summary": row["summary"]}
        fields |= {"document_sentences": row_sentences, "claims": worded}
        lines.append(json.dumps(fields, ensure_ascii=False))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def split(splitter, texts):
    rows = "".join(json.dumps({"document": text}) + "\n" for text in texts)
    result = subprocess.run([splitter], input=rows, stdout=subprocess.PIPE, text=True, check=True)
    spans = [json.loads(line) for line in result.stdout.splitlines()]
    return [[text[a:b] for a, b in row] for text, row in zip(texts, spans)]


def one_round(index, folder, rows, arguments, binary, python):
    """Seconds of each, and the largest difference of their scores."""
    released, ours = run_ours(binary, rows, Path(folder) / f"released-{index}", arguments, "released")
    default, _ = run_ours(binary, rows, Path(folder) / f"default-{index}", arguments, "veridic")
    command = [python, PEER_SCRIPTS / "released_procedure.py", arguments.model, rows]
    command += ["--threads", str(arguments.threads)]
    result = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    theirs = json.loads(result.stdout)
    difference = max(abs(a - b) for a, b in zip(ours, theirs["scores"], strict=True))
    say(f"round {index + 1}: released {released:.1f} s, default {default:.1f} s, Python {theirs['seconds']:.1f} s")
    if difference > TOLERANCE:
        sys.exit(f"scores differ by {difference}")
    return {"released": released, "default": default, "python": theirs["seconds"], "difference": difference}


def run_ours(binary, rows, output, arguments, profile):
    command = [binary, "run", rows, "-o", output, "--profile", profile, "--dtype", "f32", "--quiet"]
    command += ["--claims", "sentence", "--model", arguments.model, "--threads", str(arguments.threads)]
    start = time.perf_counter()
    subprocess.run(command, check=True)
    seconds = time.perf_counter() - start
    return seconds, [json.loads(line)["score"] for line in output.read_text(encoding="utf-8").splitlines()]


def report(arguments, rounds):
    command = shlex.join(["python3", "scripts/bench_run.py", *map(public, sys.argv[1:])])
    record = {"command": command, "commit": commit(), "machine": machine()}
    record |= {"documents": arguments.documents, "threads": arguments.threads, "rounds": rounds}
    for profile in ("released", "default"):
        ratios = [row["python"] / row[profile] for row in rounds]
        record[f"python / {profile}"] = median(ratios)
        say(f"Python / ours under {profile}: {median(ratios):.1f} ({min(ratios):.1f} to {max(ratios):.1f})")
    write_record(record, arguments.name)


if __name__ == "__main__":
    main()
