"""The `released` profile as a plain Python program, which `scripts/bench.py run` compares with
`veridic run`, in speed and in scores.

    released_procedure.py MODEL_FOLDER ROWS.jsonl --threads N

ROWS has `document`, `summary`, and `document_sentences` and `claims` (lists of strings), so that
segmentation does not differ. Every sentence, window and document is a premise for every claim;
sentences and windows go in batches of 256 in the order of arrival, padded to the longest, documents
one by one; s = entailment - neutral; the maximum over premises, the mean over claims. Prints one
JSON object: seconds without loading the model, and the scores.
"""

import argparse
import json
import time
from pathlib import Path

import torch
import transformers
from transformers import AutoModelForSequenceClassification, AutoTokenizer

WINDOW = 5
BATCH = 256
PAIR_TOKENS, DOCUMENT_TOKENS = 1024, 4096


class Nli:
    def __init__(self, folder):
        self.tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
        model = AutoModelForSequenceClassification.from_pretrained(
            folder, dtype=torch.float32, local_files_only=True
        )
        self.model = model.eval()
        labels = {name.lower(): index for index, name in model.config.id2label.items()}
        self.entailment, self.neutral = labels["entailment"], labels["neutral"]
        positions = model.config.max_position_embeddings if model.config.position_biased_input else 4096
        self.limit = positions

    @torch.inference_mode()
    def scores(self, pairs, limit):
        """Entailment minus neutral of each (premise, claim), as one padded batch."""
        premises, claims = zip(*pairs)
        batch = self.tokenizer(
            list(premises),
            list(claims),
            padding=True,
            truncation="longest_first",
            max_length=min(limit, self.limit),
            return_tensors="pt",
        )
        p = self.model(**batch).logits.double().softmax(-1)
        return (p[:, self.entailment] - p[:, self.neutral]).tolist()

    def in_batches(self, pairs):
        for start in range(0, len(pairs), BATCH):
            yield from self.scores(pairs[start : start + BATCH], PAIR_TOKENS)


def windows(sentences):
    """Sentences joined by one space; none if there would be only one window."""
    starts = range(len(sentences) - WINDOW + 1)
    return [" ".join(sentences[i : i + WINDOW]) for i in starts] if len(starts) > 1 else []


def score_rows(nli, rows):
    best = [[float("-inf")] * len(row["claims"]) for row in rows]
    keys, pairs, documents = [], [], []
    for index, row in enumerate(rows):
        long_premises = windows(row["document_sentences"])
        for number, claim in enumerate(row["claims"]):
            for premise in row["document_sentences"] + long_premises:
                keys.append((index, number))
                pairs.append((premise, claim))
            if long_premises:
                documents.append((index, number, row["document"], claim))
    for (index, number), score in zip(keys, nli.in_batches(pairs)):
        best[index][number] = max(best[index][number], score)
    for index, number, document, claim in documents:
        score = nli.scores([(document, claim)], DOCUMENT_TOKENS)[0]
        best[index][number] = max(best[index][number], score)
    return [sum(claims) / len(claims) for claims in best]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model")
    parser.add_argument("rows", type=Path)
    parser.add_argument("--threads", type=int, required=True)
    arguments = parser.parse_args()
    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    torch.set_num_threads(arguments.threads)
    rows = [json.loads(line) for line in arguments.rows.read_text(encoding="utf-8").splitlines()]
    nli = Nli(arguments.model)
    start = time.perf_counter()
    scores = score_rows(nli, rows)
    print(json.dumps({"seconds": time.perf_counter() - start, "scores": scores}))


if __name__ == "__main__":
    main()
