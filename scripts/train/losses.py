"""What a batch costs. Logits are (pairs, 3), in f32."""
import torch
from torch.nn import functional

from mixture import NOT_ENTAILMENT, UNKNOWN


def of_labels(logits, labels):
    """Cross-entropy of each pair; one that is only known not to be entailed costs -log(p_neutral + p_contradiction)."""
    logarithms = logits.log_softmax(-1)
    of_label = logarithms.gather(1, labels.clamp(max=2)[:, None])[:, 0]
    return -torch.where(labels == NOT_ENTAILMENT, logarithms[:, 1:].logsumexp(-1), of_label)


def of_teacher(logits, teacher, labels, soft):
    """Cross-entropy with the teacher's probabilities for the share `soft`, the rest with the label; a pair without a teacher has its label
    alone."""
    own = of_labels(logits, labels)
    theirs = -(teacher * logits.log_softmax(-1)).sum(-1)
    return torch.where(teacher.sum(-1) > 0, soft * theirs + (1 - soft) * own, own)


def of_order(logits, labels, groups):
    """Of each pair that is entailed and each of the same group that is not: log(1 + exp(what the second's log odds of entailment are above
    the first's)), the sum over the batch's number of rows."""
    odds = logits[:, 0] - logits[:, 1:].logsumexp(-1)
    same = (groups[:, None] == groups[None, :]) & (labels == 0)[:, None] & (labels != 0)[None, :]
    above = odds[None, :] - odds[:, None]
    return functional.softplus(above)[same].sum() / len(labels)


def of_tokens(token_logits, blame):
    """The mean over pairs, of which a token is known, of the mean binary cross-entropy over these tokens."""
    known = (blame != UNKNOWN).float()
    losses = functional.binary_cross_entropy_with_logits(token_logits, blame.clamp(min=0).float(), reduction="none")
    per_pair = (losses * known).sum(-1) / known.sum(-1).clamp(min=1)
    told = (known.sum(-1) > 0).float()
    return (per_pair * told).sum() / told.sum().clamp(min=1)
