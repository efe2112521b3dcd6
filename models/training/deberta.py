"""The same network as transformers' DeBERTa-v2 classifier, computed faster for training.

transformers projects all 512 relative embeddings, repeats them over the batch and
gathers (length, length) scores. Here only the 2 length - 1 distances that occur are
projected, once a layer, and the scores are read along diagonals; the last layer computes
only the first token's state, because the pair head reads nothing else. No dropout.

`load` refuses a model for which this forward pass differs from transformers'.
"""

import math
from functools import lru_cache
from pathlib import Path

import torch
from torch.nn import functional
from transformers import DebertaV2Config, DebertaV2ForSequenceClassification
from transformers.models.deberta_v2.modeling_deberta_v2 import make_log_bucket_position
from transformers.utils import logging

TOLERANCE = 1e-3  # on logits whose size is about 1


@lru_cache(maxsize=None)
def distance_rows(length: int, buckets: int, furthest: int, device: torch.device) -> torch.Tensor:
    """Row of the relative embedding table for the distances length-1 .. -(length-1)."""
    with torch.inference_mode(False):  # the cached tensor is reused in later training steps
        distances = torch.arange(length - 1, -length, -1)
        rows = make_log_bucket_position(distances, buckets, furthest).long() + buckets
        return rows.clamp(0, 2 * buckets - 1).to(device)


def along_diagonals(scores: torch.Tensor) -> torch.Tensor:
    """out[i, j] = scores[i, j - i + length - 1].

    In the flattened scores, the value for (i, j) is at i (2 length - 2) + j + length - 1.
    """
    batch, heads, length, distances = scores.shape  # distances = 2 length - 1
    of_batch, of_head, _, _ = scores.stride()
    return scores.as_strided((batch, heads, length, length), (of_batch, of_head, distances - 1, 1), length - 1)


def first_diagonal(scores: torch.Tensor) -> torch.Tensor:
    """out[0, j] = scores[j, length - 1 - j]: the first row of `along_diagonals(scores).transpose(-1, -2)`."""
    length = scores.shape[-2]
    return scores[..., :length].flip(-1).diagonal(dim1=-2, dim2=-1).unsqueeze(-2)


def attention(layer, hidden: torch.Tensor, relative: torch.Tensor, mask_bias: torch.Tensor, queries: int) -> torch.Tensor:
    """softmax((q.k + q.k_rel + q_rel.k) / sqrt(3 d)) v of one layer, before its output projection.

    `queries`: the number of query tokens, from the first on: all, or one.
    """
    projections = layer.attention.self
    heads = projections.num_attention_heads
    batch, length, width = hidden.shape
    size = width // heads
    scale = 1 / math.sqrt(3 * size)

    def split(tensor):  # (batch, length, hidden) -> (batch, heads, length, size)
        return tensor.view(batch, -1, heads, size).transpose(1, 2)

    query = split(projections.query_proj(hidden[:, :queries]) * scale)
    key = split(projections.key_proj(hidden))
    value = split(projections.value_proj(hidden))
    relative_key = projections.key_proj(relative).view(-1, heads, size).permute(1, 2, 0)  # (heads, size, distances)
    relative_query = (projections.query_proj(relative) * scale).view(-1, heads, size).flip(0).permute(1, 2, 0)

    scores = query @ key.transpose(-1, -2)  # (batch, heads, queries, length)
    if queries == length:
        scores = scores + along_diagonals(query @ relative_key)
        scores = scores + along_diagonals(key @ relative_query).transpose(-1, -2)
    else:
        scores = scores + query @ relative_key[..., length - 1:]
        scores = scores + first_diagonal(key @ relative_query)
    mixed = (scores + mask_bias).softmax(-1) @ value
    return mixed.transpose(1, 2).reshape(batch, queries, width)


def embed(model, token_ids: torch.Tensor, mask: torch.Tensor, type_ids: torch.Tensor) -> torch.Tensor:
    """Word + position + type embeddings, normalised; zero where the mask is zero."""
    table = model.deberta.embeddings
    hidden = table.word_embeddings(token_ids)
    hidden = hidden + table.position_embeddings.weight[: token_ids.shape[1]]
    hidden = hidden + table.token_type_embeddings(type_ids)
    return table.LayerNorm(hidden) * mask.unsqueeze(-1)


def states(model, token_ids: torch.Tensor, mask: torch.Tensor, type_ids: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """States of padded pairs: the first token's after the last layer (batch, hidden), and every token's before it
    (batch, length, hidden). The three inputs are (batch, length), length at least 2.
    """
    config, encoder = model.config, model.deberta.encoder
    hidden = before_last = embed(model, token_ids, mask, type_ids)
    rows = distance_rows(token_ids.shape[1], config.position_buckets, config.max_position_embeddings, hidden.device)
    relative = encoder.get_rel_embedding()[rows]  # (distances, hidden)
    mask_bias = (mask - 1).to(hidden.dtype)[:, None, None, :] * 1e9
    for layer in encoder.layer:
        before_last = hidden
        queries = 1 if layer is encoder.layer[-1] else hidden.shape[1]
        mixed = attention(layer, hidden, relative, mask_bias, queries)
        output = layer.attention.output
        hidden = output.LayerNorm(output.dense(mixed) + hidden[:, :queries])
        inner = functional.gelu(layer.intermediate.dense(hidden))
        hidden = layer.output.LayerNorm(layer.output.dense(inner) + hidden)
    return hidden[:, 0], before_last


def head(model, first: torch.Tensor) -> torch.Tensor:
    """(batch, 3) logits of the first token's state."""
    return model.classifier(functional.gelu(model.pooler.dense(first)))


def logits(model, token_ids: torch.Tensor, mask: torch.Tensor, type_ids: torch.Tensor) -> torch.Tensor:
    """(batch, 3) logits of padded pairs."""
    return head(model, states(model, token_ids, mask, type_ids)[0])


@torch.no_grad()
def largest_difference(model) -> float:
    """The largest logit difference between `logits` and transformers over a few padded batches."""
    random = torch.Generator().manual_seed(0)
    weight = model.classifier.weight
    kept = weight.clone()
    weight.mul_(0.5 / weight.std())  # an untrained head's logits are too small to show a difference
    worst = 0.0
    for batch, length in ((3, 17), (2, 64), (2, 180), (1, 320)):
        token_ids = torch.randint(1000, 20000, (batch, length), generator=random)
        mask = torch.ones_like(token_ids)
        mask[0, length * 2 // 3:] = 0
        type_ids = torch.zeros_like(token_ids)
        type_ids[:, length // 2:] = 1
        inputs = [tensor.to(weight.device) for tensor in (token_ids, mask, type_ids)]
        theirs = model(input_ids=inputs[0], attention_mask=inputs[1], token_type_ids=inputs[2]).logits
        worst = max(worst, (logits(model, *inputs) - theirs).abs().max().item())
    weight.copy_(kept)
    return worst


def check_config(config: DebertaV2Config, folder: Path):
    """Refuses configurations that `logits` does not compute."""
    needed = dict(relative_attention=True, share_att_key=True, position_biased_input=True, norm_rel_ebd="layer_norm",
                  hidden_act="gelu", pooler_hidden_act="gelu", type_vocab_size=2, num_labels=3)
    for name, value in needed.items():
        if getattr(config, name) != value:
            raise SystemExit(f"{folder / 'config.json'}: {name} is {getattr(config, name)!r}; these scripts only train "
                          f"models with {value!r}")


def load(folder: Path) -> DebertaV2ForSequenceClassification:
    """The model of `folder` in float32, with frozen word embeddings and a checked forward pass."""
    logging.disable_progress_bar()
    logging.set_verbosity_error()
    check_config(DebertaV2Config.from_pretrained(folder), folder)
    model = DebertaV2ForSequenceClassification.from_pretrained(folder, dtype=torch.float32).eval()
    difference = largest_difference(model)
    if not difference < TOLERANCE:
        raise SystemExit(f"{folder}: the fast forward pass differs from transformers' by {difference:.1e} on logits "
                      f"(allowed {TOLERANCE:.0e}); use the versions of requirements.txt")
    print(f"fast forward pass agrees with transformers: largest logit difference {difference:.1e}")
    return model
