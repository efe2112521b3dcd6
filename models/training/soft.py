#!/usr/bin/env python3
"""Adds a larger model's probabilities to pairs, for `train.py --soft`.

    soft.py CHECKPOINT OUT.jsonl --data FILE_OR_FOLDER... --caps CAPS.json [--seed 1] [--device cpu]

Draws pairs as train.py does, at most the cap of each file, and writes them with `teacher`, the probabilities of CHECKPOINT, a float16 folder.
"""
import argparse
import json
import pathlib
import random

from evaluate import AT_ONCE, probabilities
from mixture import LABELS, groups_of_files


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoint", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--data", type=pathlib.Path, nargs="+", required=True)
    parser.add_argument("--caps", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", choices=AT_ONCE, default="cpu")
    given = parser.parse_args()
    rows = [row for group in groups_of_files(given.data, given.caps, random.Random(given.seed)) for row in group]
    teacher = probabilities(given.checkpoint, rows, given.device).tolist()
    with given.out.open("w", encoding="utf-8") as file:
        for row, shares in zip(rows, teacher, strict=True):
            file.write(json.dumps({**row, "teacher": dict(zip(LABELS, shares))}, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
