"""Accuracy on the dev pairs: over three labels, and entailed-or-not, per source and in all.

A not_entailment pair counts as right over three labels when the prediction is not
entailment.
"""

from collections import defaultdict

import torch

import model as network
from batches import LABEL_IDS, Example, pack, tensors
from pairs import LABELS, NOT_ENTAILMENT, Pair

ALL = "all"


@torch.no_grad()
def logits(model, examples: list[Example], batch_tokens: int, device: str) -> torch.Tensor:
    """(examples, 3), in the order given."""
    found = torch.zeros(len(examples), len(LABELS))
    for indices in pack(list(range(len(examples))), examples, batch_tokens):
        token_ids, mask, type_ids, _ = tensors([examples[index] for index in indices], device)
        found[indices] = network.logits(model, token_ids, mask, type_ids).float().cpu()
    return found


def predict(model, examples: list[Example], batch_tokens: int, device: str) -> list[int]:
    """The label id of each example, in the order given."""
    return logits(model, examples, batch_tokens, device).argmax(-1).tolist()


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
