"""How well the hypothesis alone predicts the label: a check of balance, for which 0.5 is best.

    python hypothesis_only.py FILE.jsonl...        (needs scikit-learn)

ROC AUC of entailment against the rest, by a logistic regression over words and bigrams of
the hypothesis, on the fifth of the hypotheses that it was not fitted on.
"""

import json
import random
import sys
from pathlib import Path

from failure import Failure, run


def split(rows: list[dict]) -> tuple[list[dict], list[dict]]:
    """(training, test) pairs; no hypothesis is in both."""
    hypotheses = sorted({row["hypothesis"] for row in rows})
    random.Random(0).shuffle(hypotheses)
    measured = set(hypotheses[:len(hypotheses) // 5])
    return ([row for row in rows if row["hypothesis"] not in measured],
            [row for row in rows if row["hypothesis"] in measured])


def auc(fitted: list[dict], measured: list[dict]) -> float:
    """The area for entailment by the words of the hypothesis."""
    try:
        from sklearn.feature_extraction.text import CountVectorizer
        from sklearn.linear_model import LogisticRegression
        from sklearn.metrics import roc_auc_score
    except ImportError:
        raise Failure("this check needs scikit-learn: pip install scikit-learn") from None
    counter = CountVectorizer(ngram_range=(1, 2), min_df=2)
    words = counter.fit_transform([row["hypothesis"] for row in fitted])
    model = LogisticRegression(max_iter=300, C=0.3).fit(words, [row["label"] == "entailment" for row in fitted])
    scores = model.decision_function(counter.transform([row["hypothesis"] for row in measured]))
    return roc_auc_score([row["label"] == "entailment" for row in measured], scores)


def main():
    files = [Path(name) for name in sys.argv[1:]]
    if not files:
        raise Failure("give at least one file of pairs")
    for file in files:
        if not file.is_file():
            raise Failure(f"{file}: no such file")
    rows = {file: [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line] for file in files}
    for file, members in rows.items():
        if len({row["label"] == "entailment" for row in members}) < 2:
            print(f"{file.name}: {len(members)} pairs, all of one kind")
            continue
        print(f"{file.name}: {len(members)} pairs, AUC {auc(*split(members)):.3f}", flush=True)
    if len(files) > 1:
        every = [row for members in rows.values() for row in members]
        print(f"all: {len(every)} pairs, AUC {auc(*split(every)):.3f}")


if __name__ == "__main__":
    run(main)
