#!/usr/bin/env python3
"""Word overlap as a score, a baseline without a model.

    python3 scripts/score_overlap.py --data ROWS.jsonl --with sentence|document -o scores.jsonl
    veridic bench jsonl --data ROWS.jsonl --scores scores.jsonl

For each sentence of a summary, the share of its words that are in the document: with `sentence`, in the document
sentence that has the most of them; with `document`, anywhere (unigram precision). A summary's score is the mean over its
sentences. Words are lower-cased runs of letters and digits; sentences are Veridic's. ROWS has `document` and
`summary`; a row of the output has their `id`, if any, and `score`. Needs cargo, for the sentences.
"""

import argparse
import json
import re
import subprocess
import sys
from pathlib import Path
from statistics import mean

from bench_common import cargo_build

WORD = re.compile(r"\w+")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, metavar="FILE")
    parser.add_argument("--with", dest="part", choices=["sentence", "document"], required=True)
    parser.add_argument("--output", "-o", type=Path, required=True, metavar="FILE")
    arguments = parser.parse_args()
    if not arguments.data.is_file():
        sys.exit(f"no such file: {arguments.data}")
    rows = [json.loads(line) for line in arguments.data.read_text(encoding="utf-8").splitlines()]
    documents, summaries = (sentences([row[name] for row in rows]) for name in ("document", "summary"))
    with arguments.output.open("w", encoding="utf-8") as file:
        for row, document, summary in zip(rows, documents, summaries):
            known = {"id": row["id"]} if "id" in row else {}
            file.write(json.dumps(known | {"score": overlap(document, summary, arguments.part)}) + "\n")


def sentences(texts):
    [splitter] = cargo_build(["-p", "veridic", "--example", "sentences"])
    rows = "".join(json.dumps({"document": text}) + "\n" for text in texts)
    result = subprocess.run([splitter], input=rows, stdout=subprocess.PIPE, text=True, check=True)
    spans = [json.loads(line) for line in result.stdout.splitlines()]
    return [[text[start:end] for start, end in row] for text, row in zip(texts, spans)]


def overlap(document, summary, part):
    premises = [words(sentence) for sentence in document]
    if part == "document":
        premises = [[word for premise in premises for word in premise]]
    premises = [set(premise) for premise in premises]
    claims = [claim for claim in map(words, summary) if claim]
    share = lambda claim, premise: sum(word in premise for word in claim) / len(claim)
    return mean(max(share(claim, premise) for premise in premises) for claim in claims)


def words(text):
    return WORD.findall(text.lower())


if __name__ == "__main__":
    main()
