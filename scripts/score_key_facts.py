#!/usr/bin/env python3
"""The share of key-fact words in a summary as a score, the baseline of completeness without a model.

    python3 scripts/score_key_facts.py --data ROWS.jsonl -o scores.jsonl
    veridic bench realsumm --data ROWS.jsonl --scores scores.jsonl

A row's score is the mean over its key facts of the share of their content words that the summary has. Words are
lower-cased runs of letters and digits; the commonest function words are ignored. ROWS has `summary` and `keyfacts`
(objects with `text`); the output has a row for each, in order.
"""

import argparse
import json
import re
import sys
from pathlib import Path
from statistics import mean

WORD = re.compile(r"[a-z0-9]+")
FUNCTION_WORDS = set(
    "a an and are as at be been but by for from had has have he her his in is it its not of on or she that the their "
    "they this to was were will with would".split()
)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, metavar="FILE")
    parser.add_argument("--output", "-o", type=Path, required=True, metavar="FILE")
    arguments = parser.parse_args()
    if not arguments.data.is_file():
        sys.exit(f"no such file: {arguments.data}")
    with arguments.data.open(encoding="utf-8") as rows, arguments.output.open("w", encoding="utf-8") as file:
        for row in map(json.loads, rows):
            held = set(words(row["summary"]))
            facts = [words(fact["text"]) for fact in row["keyfacts"]]
            shares = [mean(word in held for word in fact) for fact in facts if fact]
            file.write(json.dumps({"score": mean(shares) if shares else 0.0}) + "\n")


def words(text):
    return [word for word in WORD.findall(text.lower()) if word not in FUNCTION_WORDS]


if __name__ == "__main__":
    main()
