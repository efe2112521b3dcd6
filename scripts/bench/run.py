"""`veridic run` beside a plain Python program of the profile `released`, on the rows of the first documents.

Sentences are those of our own rules (example `sentences`); both score them with the same weights and threads, in turns: ours from
process start to exit, under `released` and under the default profile; Python (scripts/peers/released_procedure.py) without its
loading time. Scores under `released` must agree within 1e-4. One round of the Python program takes minutes.
"""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from bench.peers import wide
from common import MINI, PEERS, add_data, add_program, add_python, cargo_build, install_python_peers, program, read, record, say, split, write

TOLERANCE = 1e-4


def add(parser):
    add_data(parser)
    add_program(parser)
    add_python(parser)
    parser.add_argument("--documents", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--model", type=Path, default=MINI)


def main(arguments):
    arguments.model = wide(arguments.model, arguments)
    binary, splitter = program(arguments), cargo_build(["-p", "veridic", "--example", "sentences"])[0]
    python = arguments.python or install_python_peers()
    with tempfile.TemporaryDirectory() as folder:
        rows = Path(folder) / "rows.jsonl"
        write_rows(rows, arguments, splitter)
        rounds = [one_round(index, folder, rows, arguments, binary, python) for index in range(arguments.rounds)]
    report(arguments, rounds)


def write_rows(path, arguments, splitter):
    """The rows of the first documents, with their sentences and claims."""
    rows = [row for file in arguments.data for row in read(file)]
    documents = list(dict.fromkeys(row["document"] for row in rows))[: arguments.documents]
    rows = [row for row in rows if row["document"] in documents]
    sentences = split(splitter, [row["document"] for row in rows])
    claims = split(splitter, [row["summary"] for row in rows])
    lines = []
    for row, row_sentences, row_claims in zip(rows, sentences, claims):
        worded = [claim for claim in row_claims if any(letter.isalnum() for letter in claim)]
        fields = {"document": row["document"], "summary": row["summary"]}
        lines.append(fields | {"document_sentences": row_sentences, "claims": worded})
    write(path, lines)


def one_round(index, folder, rows, arguments, binary, python):
    """Seconds of each, and the largest difference of their scores."""
    released, ours = run_ours(binary, rows, Path(folder) / f"released-{index}", arguments, "released")
    default, _ = run_ours(binary, rows, Path(folder) / f"default-{index}", arguments, "veridic")
    command = [python, PEERS / "released_procedure.py", arguments.model, rows]
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
    ratios = {}
    for profile in ("released", "default"):
        of_profile = [row["python"] / row[profile] for row in rounds]
        ratios[profile] = median(of_profile)
        say(f"Python / ours under {profile}: {median(of_profile):.1f} ({min(of_profile):.1f} to {max(of_profile):.1f})")
    record(arguments, "run", documents=arguments.documents, threads=arguments.threads, rounds=rounds, python_over=ratios)
