#!/usr/bin/env python3
"""Compares the metric summac-conv with its authors' package on the same NLI probabilities.

    python3 scripts/compare_summac.py WEIGHTS ROWS.jsonl [--limit 20] [--model mini] [--program target/release/veridic]

WEIGHTS is the authors' file summac_conv_vitc_sent_perc_e.bin; rows have `document` and `summary`. Texts are cut into
sentences here, since the package's NLTK would fetch a model. `veridic nli` answers the package's pairs instead of its own
model; the choice of sentences, the histograms, the layers and the softmax are the package's. The other side is `veridic
bench run`. Two rows are added: one with more sentences than the package reads, one with too short ones only. Needs, in
an environment of its own:
    pip install nltk numpy torch transformers && pip install --no-deps summac==0.0.4
Exit code 0: equal within the tolerance, 1: not.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import nltk
import numpy as np
import torch
from summac.model_summac import SummaCConv

from common import REPOSITORY, read, spaced, write

RELATIONS = ("entailment", "contradiction", "neutral")  # the package's order


def cut(row):
    document, summary = (re.split(r"(?<=[.!?])\s+", row[name].strip()) for name in ("document", "summary"))
    return {"document_sentences": document, "summary_sentences": summary}


def with_extremes(rows):
    """These rows, one with more than 100 and 10 sentences, and one whose sentences are too short."""
    texts = [sentence for row in rows for sentence in row["document_sentences"]]
    long = {"document_sentences": (texts * 150)[:150], "summary_sentences": (texts[::7] * 15)[:15]}
    short = {"document_sentences": ["So it was."], "summary_sentences": ["It was so."]}
    return [
        {"id": number, **{name.split("_")[0]: " ".join(row[name]) for name in row}, **row}
        for number, row in enumerate([*rows, long, short])
    ]


def program(arguments, command, lines, *more):
    """The rows that `veridic` prints for these, in order."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "in.jsonl", Path(folder) / "out.jsonl"
        write(source, lines)
        line = [arguments.program, *command, source, "--model", arguments.model, "--quiet", *more]
        if command[0] == "bench":
            subprocess.run([*line, "-o", target], check=True)
        else:
            target.write_text(subprocess.run(line, stdout=subprocess.PIPE, text=True, check=True).stdout)
        found = read(target)
    assert len(found) == len(lines) and not any("error" in row for row in found), "a row failed"
    return found


def theirs(arguments, rows):
    """(score, values of the summary sentences) of each row by the package, and the number of pairs."""
    nltk.tokenize.sent_tokenize = str.splitlines
    package = SummaCConv(
        models=["vitc"],
        bins="percentile",
        granularity="sentence",
        nli_labels="e",
        device="cpu",
        start_file=arguments.weights,
        imager_load_cache=False,
    )
    texts = [["\n".join(row[name]) for name in ("document_sentences", "summary_sentences")] for row in rows]
    chunks = [package.imagers[0].build_chunk_dataset(*pair) for pair in texts]
    pairs = [{name: pair[name] for name in ("premise", "hypothesis")} for of_row, _, _ in chunks for pair in of_row]
    answers = iter(program(arguments, ["nli", "--input"], pairs, "--truncate", "premise"))
    images = []
    for of_row, documents, summaries in chunks:
        image = np.zeros((3, documents, summaries)) if of_row else np.zeros((3, 1, 1))
        for pair in of_row:
            answer = next(answers)
            image[:, pair["doc_i"], pair["gen_i"]] = [answer[name] for name in RELATIONS]
        images.append(image)
    with torch.no_grad():
        logits, histograms, _ = package(None, None, images=images)
        values = [package.mlp(torch.tensor(histogram)).flatten().tolist() for histogram in histograms]
        scores = logits.softmax(-1)[:, 1].tolist()
    counts = [min(image.shape[2], len(histogram)) for image, histogram in zip(images, histograms)]
    return [(score, of_row[:count]) for score, of_row, count in zip(scores, values, counts)], len(pairs)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("weights")
    parser.add_argument("rows", type=Path)
    parser.add_argument("--limit", type=int, default=20, help="compare so many rows, evenly spaced")
    parser.add_argument("--model", default="mini")
    parser.add_argument("--program", default=str(REPOSITORY / "target/release/veridic"))
    parser.add_argument("--tolerance", type=float, default=1e-5)
    arguments = parser.parse_args()
    rows = with_extremes([cut(row) for row in spaced(read(arguments.rows), arguments.limit)])
    reference, pairs = theirs(arguments, rows)
    ours = program(arguments, ["bench", "run"], rows, "--metric", "summac-conv", "--summac-conv", arguments.weights)
    scores = max(abs(our["summac_conv"] - score) for our, (score, _) in zip(ours, reference))
    values = 0.0
    for our, (_, sentences) in zip(ours, reference):
        own = our["summac_conv_facts"]["sentences"]
        assert len(own) == len(sentences), f"row {our['id']}: {len(own)} sentences, the package has {len(sentences)}"
        values = max([values, *(abs(a - b) for a, b in zip(own, sentences))])
    spread = [score for score, _ in reference]
    print(f"{len(rows)} rows, {pairs} pairs, scores from {min(spread):.3f} to {max(spread):.3f}")
    print(f"largest difference: {values:.1e} in sentences' values, {scores:.1e} in scores")
    sys.exit(0 if max(values, scores) <= arguments.tolerance else 1)


if __name__ == "__main__":
    main()
