#!/usr/bin/env python3
"""Compares the results of two builds of the program, byte for byte.

    python3 scripts/compare_versions.py BEFORE AFTER --data FILE... [--rows 200]

Scores examples/ and evenly spaced rows of the given JSONL files with both programs, under several models, profiles and
metrics, and reports each command whose JSON differs. Exit code 0: all are equal; 1: something differs. The JSONL files
are labelled sets that are not part of the repository. Each program finds its models beside itself or in the checkout
that it was built in.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
# Options of `run`, and the share of the rows that they are run on.
SETTINGS = [
    (["--model", "base"], 1),
    (["--model", "mini"], 1),
    (["--model", "mini", "--profile", "paper", "--set", "epsilon=0"], 1),
    (["--model", "mini", "--profile", "released", "--dtype", "f32"], 5),
    (["--model", "mini", "--profile", "released-aggrefact", "--coref", "rules"], 5),
    (["--model", "mini", "--set", "metric=fenice;finesure;summac-zs"], 10),
    (["--model", "mini", "--set", "metric=menli;nli-sent", "--set", "key_facts=document"], 10),
    (["--model", "mini", "--set", "metric=all"], 10),
]


def rows(files, count):
    """Evenly spaced rows of all files, as lines."""
    taken = []
    for number, file in enumerate(files):
        lines = [line for line in file.read_text(encoding="utf-8").splitlines() if "document" in json.loads(line)]
        share = count // len(files) + (number < count % len(files))
        taken += [lines[index * len(lines) // share] for index in range(min(share, len(lines)))]
    return taken


def output(program, arguments, folder):
    """The program's output, preceded by the exit code if it fails."""
    done = subprocess.run([program, *arguments], cwd=folder, capture_output=True)
    return done.stdout if done.returncode == 0 else b"%d %s" % (done.returncode, done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument("--data", type=Path, nargs="+", required=True, metavar="FILE")
    parser.add_argument("--rows", type=int, default=200)
    arguments = parser.parse_args()
    programs = [arguments.before.resolve(), arguments.after.resolve()]
    lines = rows(arguments.data, arguments.rows)
    differing = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        commands = [["score", EXAMPLES / "article.txt", EXAMPLES / "summary.txt", "--format", "json", "--model", model]
                    for model in ["base", "mini"]]
        for settings, divisor in SETTINGS:
            name = f"rows-{divisor}.jsonl"
            (folder / name).write_text("\n".join(lines[::divisor]) + "\n", encoding="utf-8")
            commands.append(["run", name, "-o", "-", "--quiet", *settings])
        commands.append(["claims", EXAMPLES / "summary.txt", "--format", "json"])
        commands.append(["nli", "--input", EXAMPLES / "nli_pairs.jsonl", "--model", "mini"])
        for command in commands:
            before, after = (output(program, command, folder) for program in programs)
            lines_before, lines_after = before.splitlines(), after.splitlines()
            unequal = sum(a != b for a, b in zip(lines_before, lines_after))
            unequal += abs(len(lines_before) - len(lines_after))
            differing += unequal > 0
            verdict = f"{unequal} of {len(lines_before)} lines differ" if unequal else "equal"
            print(f"{verdict} ({len(before)} bytes): {' '.join(map(str, command))}", flush=True)
            if unequal:
                pair = next((pair for pair in zip(lines_before, lines_after) if pair[0] != pair[1]), (before, after))
                at = next((i for i, (a, b) in enumerate(zip(*pair)) if a != b), 0)
                for side, text in zip(["before", "after"], pair):
                    print(f"  {side}: ...{text[max(0, at - 80):at + 120].decode(errors='replace')}...")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
