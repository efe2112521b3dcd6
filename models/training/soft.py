#!/usr/bin/env python3
"""Adds a larger model's probabilities to pairs, for `train.py --soft`.

    soft.py VERIDIC MODEL OUT.jsonl --data FILE_OR_FOLDER... --caps CAPS.json [--seed 1] [-- FLAG...]

Draws pairs as train.py does, at most the cap of each file, and writes them with `teacher`, the probabilities of MODEL by `veridic nli`, which gets
FLAGs. It truncates long premises as training does. Needs only the packages of training.
"""
import argparse
import json
import pathlib
import random
import subprocess
import sys
import tempfile

from mixture import groups_of_files


def asked(program, model, rows, flags):
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl", encoding="utf-8") as file:
        for row in rows:
            file.write(json.dumps({"premise": row["premise"], "hypothesis": row["hypothesis"]}) + "\n")
        file.flush()
        command = [program, "nli", "--input", file.name, "--model", model, "--truncate", "premise", *flags]
        output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    return [json.loads(line) for line in output.splitlines()]


def main():
    split = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("veridic")
    parser.add_argument("model")
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--data", type=pathlib.Path, nargs="+", required=True)
    parser.add_argument("--caps", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(sys.argv[1:split])
    groups = groups_of_files(given.data, given.caps, random.Random(given.seed))
    rows = [row for group in groups for row in group]
    teacher = asked(given.veridic, given.model, rows, sys.argv[split + 1 :])
    with given.out.open("w", encoding="utf-8") as file:
        for row, probabilities in zip(rows, teacher, strict=True):
            taught = {**row, "teacher": probabilities} if "entailment" in probabilities else row
            file.write(json.dumps(taught, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
