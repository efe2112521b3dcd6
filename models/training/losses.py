"""Losses of a batch. Logits are (pairs, 3), in f32."""
import torch
from torch.nn import functional

from mixture import NOT_ENTAILMENT, UNKNOWN


def of_labels(logits, labels):
    """Cross-entropy of each pair; the loss of a pair labelled not_entailment is -log(p_neutral + p_contradiction)."""
    logarithms = logits.log_softmax(-1)
    of_label = logarithms.gather(1, labels.clamp(max=2)[:, None])[:, 0]
    return -torch.where(labels == NOT_ENTAILMENT, logarithms[:, 1:].logsumexp(-1), of_label)


def of_teacher(logits, teacher, labels, soft):
    """`soft` times the cross-entropy with the teacher's probabilities, plus the rest with the label; the label alone for a pair without
    a teacher."""
    own = of_labels(logits, labels)
    theirs = -(teacher * logits.log_softmax(-1)).sum(-1)
    return torch.where(teacher.sum(-1) > 0, soft * theirs + (1 - soft) * own, own)


def of_order(logits, labels, groups):
    """The sum over each entailed pair and each other pair of its group of log(1 + exp(other log odds of entailment - entailed log odds)),
    divided by the number of rows of the batch."""
    odds = logits[:, 0] - logits[:, 1:].logsumexp(-1)
    same = (groups[:, None] == groups[None, :]) & (labels == 0)[:, None] & (labels != 0)[None, :]
    above = odds[None, :] - odds[:, None]
    return functional.softplus(above)[same].sum() / len(labels)


def of_tokens(token_logits, blame):
    """The mean over pairs with labelled tokens of the mean binary cross-entropy over these tokens."""
    known = (blame != UNKNOWN).float()
    losses = functional.binary_cross_entropy_with_logits(token_logits, blame.clamp(min=0).float(), reduction="none")
    per_pair = (losses * known).sum(-1) / known.sum(-1).clamp(min=1)
    labelled = (known.sum(-1) > 0).float()
    return (per_pair * labelled).sum() / labelled.sum().clamp(min=1)
