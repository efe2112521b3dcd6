#!/usr/bin/env python3
"""Adds a larger model's probabilities to pairs, for `train.py --soft`.

    soft.py CHECKPOINT OUT.jsonl --data FILE_OR_FOLDER... --caps CAPS.json [--windows] [--seed 1] [--threads 1] [--device cpu]

Draws pairs as train.py does, at most the cap of each file, and writes them with `teacher`, the probabilities of CHECKPOINT, a float16 folder.
With --windows the premises are windows of one to four sentences instead, which is most of what the program reads; the label is then the
one that CHECKPOINT finds most probable, because people have judged only the whole premise.
"""
import argparse
import json
import pathlib
import random
import re

import torch

from evaluate import AT_ONCE, probabilities
from mixture import LABELS, groups_of_files
from sentences import split

WORD = re.compile(r"\w{3,}")
LONGEST_WINDOW = 4
# The part of the windows that share the most words with the hypothesis; the others are drawn.
NEAREST = 0.7


def window(row, chance):
    """The row with a window of its premise, and still the label of all of it; None if the premise is hardly longer than a window."""
    sentences = split(row["premise"])
    if len(sentences) <= LONGEST_WINDOW:
        return None
    size = chance.randint(1, LONGEST_WINDOW)
    windows = [" ".join(sentences[start : start + size]) for start in range(len(sentences) - size + 1)]
    words = set(WORD.findall(row["hypothesis"].lower()))
    shared = lambda text: len(words & set(WORD.findall(text.lower())))  # noqa: E731
    premise = max(windows, key=shared) if chance.random() < NEAREST else chance.choice(windows)
    return {"premise": premise, "hypothesis": row["hypothesis"], "label": row["label"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoint", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--data", type=pathlib.Path, nargs="+", required=True)
    parser.add_argument("--caps", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--windows", action="store_true")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--device", choices=AT_ONCE, default="cpu")
    given = parser.parse_args()
    chance = random.Random(given.seed)
    torch.set_num_threads(given.threads)
    rows = [row for group in groups_of_files(given.data, given.caps, chance) for row in group]
    if given.windows:
        rows = [made for row in rows if (made := window(row, chance))]
    teacher = probabilities(given.checkpoint, rows, given.device).tolist()
    with given.out.open("w", encoding="utf-8") as file:
        for row, shares in zip(rows, teacher, strict=True):
            label = LABELS[shares.index(max(shares))] if given.windows else row["label"]
            file.write(json.dumps({**row, "label": label, "teacher": dict(zip(LABELS, shares))}, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
