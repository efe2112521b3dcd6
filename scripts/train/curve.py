#!/usr/bin/env python3
"""Fits the calibration of a model that judges by entailment alone: a curve to probabilities, without weights of facts.

    curve.py SCORES.jsonl... --out CALIBRATION.json [--contradicted 0.7] [--shared-words 3]

SCORES are rows of `veridic run --calibration off --epsilon 0 --keep label`, with their facts. A row's score is the least of its claims' entailments. The curve
1 / (1 + exp(-(intercept + slope x score))) is the maximum-likelihood fit to the labels (Platt 1999, by Newton's method), `supported` its value at an entailment
of 0.5, and `quantity_nowhere` the share of consistent rows among those with such a claim, with one row added for each label. Needs only Python.
"""
import argparse
import json
import math
import pathlib


def rows_of(files):
    """The judged rows, without those that failed."""
    lines = (line for file in files for line in file.read_text(encoding="utf-8").splitlines())
    return [row for row in map(json.loads, lines) if "claims" in row]


def curve(scores, labels):
    intercept, slope = 0.0, 1.0
    for _ in range(50):
        chances = [1 / (1 + math.exp(-(intercept + slope * score))) for score in scores]
        errors = [label - chance for label, chance in zip(labels, chances)]
        weights = [chance * (1 - chance) for chance in chances]
        gradient = sum(errors), sum(error * score for error, score in zip(errors, scores))
        one, mixed = sum(weights), sum(weight * score for weight, score in zip(weights, scores))
        square = sum(weight * score * score for weight, score in zip(weights, scores))
        determinant = one * square - mixed * mixed
        intercept += (square * gradient[0] - mixed * gradient[1]) / determinant
        slope += (one * gradient[1] - mixed * gradient[0]) / determinant
    return intercept, slope


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scores", type=pathlib.Path, nargs="+")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--contradicted", type=float, default=0.7)
    parser.add_argument("--shared-words", type=int, default=3)
    given = parser.parse_args()
    rows = rows_of(given.scores)
    labels = [int(row["input"]["label"]) for row in rows]
    scores = [min(claim["probabilities"]["entailment"] for claim in row["claims"]) for row in rows]
    intercept, slope = curve(scores, labels)
    nowhere = [label for row, label in zip(rows, labels) if any(claim["facts"]["quantity_nowhere"] for claim in row["claims"])]
    nli, profile = rows[0]["models"]["nli"], rows[0]["profile"]
    content = {
        "format": "veridic calibration 2",
        "fitted_for": {
            "nli_sha256": nli["sha256"],
            "nli_settings_sha256": nli["settings_sha256"],
            "profile": profile["name"],
            "levels": profile["levels"],
            "claims": profile["claims"],
        },
        "fitted_on": {"files": [file.name for file in given.scores], "rows": len(rows), "consistent": sum(labels)},
        "rule": "entailment",
        "weights": None,
        "thresholds": {
            "supported": round(1 / (1 + math.exp(-(intercept + slope / 2))), 3),
            "contradicted": given.contradicted,
            "shared_words": given.shared_words,
        },
        "quantity_nowhere": round((sum(nowhere) + 1) / (len(nowhere) + 2), 3),
        "probability": {"intercept": round(intercept, 4), "slope": round(slope, 4)},
    }
    given.out.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
    print(f"{len(rows)} rows, {sum(labels)} consistent; {len(nowhere)} with a quantity that is nowhere, {sum(nowhere)} of them consistent")


if __name__ == "__main__":
    main()
