"""Accuracy on the dev pairs: over three labels, and entailed-or-not, per source and in all.

A not_entailment pair counts as right over three labels when the prediction is not
entailment.
"""

from collections import defaultdict

import torch

import model as network
from batches import LABEL_IDS, Example, pack, tensors
from pairs import NOT_ENTAILMENT, Pair

ALL = "all"


@torch.no_grad()
def predict(model, examples: list[Example], batch_tokens: int, device: str) -> list[int]:
    """The label id of each example, in the order given."""
    predictions = [0] * len(examples)
    for indices in pack(list(range(len(examples))), examples, batch_tokens):
        token_ids, mask, type_ids, _ = tensors([examples[index] for index in indices], device)
        best = network.logits(model, token_ids, mask, type_ids).argmax(-1).tolist()
        for index, prediction in zip(indices, best):
            predictions[index] = prediction
    return predictions


def accuracy(pairs: list[Pair], predictions: list[int]) -> dict[str, dict]:
    """Source (and "all") -> number of pairs, three_way and entailed_or_not accuracy."""
    entailment = LABEL_IDS["entailment"]
    outcomes = defaultdict(list)  # source -> [(right over three labels, right on entailed-or-not)]
    for pair, prediction in zip(pairs, predictions, strict=True):
        binary = (prediction == entailment) == (pair.label == "entailment")
        three_way = binary if pair.label == NOT_ENTAILMENT else prediction == LABEL_IDS[pair.label]
        outcomes[pair.source].append((three_way, binary))
        outcomes[ALL].append((three_way, binary))
    return {source: {"pairs": len(rows),
                     "three_way": round(sum(three for three, _ in rows) / len(rows), 4),
                     "entailed_or_not": round(sum(binary for _, binary in rows) / len(rows), 4)}
            for source, rows in sorted(outcomes.items())}


def summary(result: dict[str, dict]) -> str:
    """One line for the log."""
    every = result[ALL]
    return (f"dev: {every['pairs']} pairs, three-way {every['three_way']:.3f}, "
            f"entailed-or-not {every['entailed_or_not']:.3f}")
