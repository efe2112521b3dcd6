"""What a pair, a group of pairs and a hypothesis' tokens cost."""

import torch
from torch.nn import functional

from batches import LABEL_IDS, UNKNOWN
from pairs import NOT_ENTAILMENT


def pair_losses(logits: torch.Tensor, label_ids: torch.Tensor) -> torch.Tensor:
    """-log p(label) for each pair; for not_entailment p is the sum over the other two labels."""
    log_probabilities = logits.log_softmax(-1)  # (batch, 3)
    not_entailed = log_probabilities[:, 1:].logsumexp(-1)
    is_not_entailment = label_ids == LABEL_IDS[NOT_ENTAILMENT]
    exact = log_probabilities.gather(1, label_ids.clamp(max=2)[:, None])[:, 0]
    return -torch.where(is_not_entailment, not_entailed, exact)


def unit_losses(losses: torch.Tensor, label_ids: torch.Tensor, numbers: torch.Tensor) -> torch.Tensor:
    """The loss of each pair that stands alone; of a group, that of the pair with the highest probability of entailment.

    Where the claim is entailed that is the group's lowest loss, else its highest: the maximum of losses whose sign says
    which.
    """
    signed = torch.where(label_ids == LABEL_IDS["entailment"], -losses, losses)
    count = int(numbers.max()) + 1
    return signed.new_zeros(count).scatter_reduce(0, numbers, signed, "amax", include_self=False).abs()


def token_losses(token_logits: torch.Tensor, supported: torch.Tensor) -> torch.Tensor:
    """Of each pair, the mean binary cross-entropy over its tokens of which it is known whether they are supported; 0
    where there is none. Both arguments are (batch, length).
    """
    known = (supported != UNKNOWN).float()
    losses = functional.binary_cross_entropy_with_logits(token_logits, supported.clamp(min=0).float(), reduction="none")
    return (losses * known).sum(-1) / known.sum(-1).clamp(min=1)
