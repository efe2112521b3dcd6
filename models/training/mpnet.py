"""The same network as transformers' MPNet classifier, computed faster for training: pairs are rows of tokens without padding, and attention goes pair by
pair (on a GPU over all pairs of a batch, padded); the last layer computes only the first token's state, because the pair head reads nothing else; the relative position bias is frozen. Dropout of states, none of attention."""
from functools import lru_cache

import torch
from torch.nn import functional

# The position table's first row for a token; those before it are for padding.
FIRST_POSITION = 2
MOST_TOKENS = 512
# Tokens at a time in the gradient of a matrix: processors are faster so.
CHUNK = 512
# cuDNN plans attention anew for each shape, 0.2 s each, and batches have many shapes.
torch.backends.cuda.enable_cudnn_sdp(False)


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, states, weight, bias):
        ctx.save_for_backward(states, weight)
        return functional.linear(states, weight, bias)

    @staticmethod
    def backward(ctx, above):
        states, weight = ctx.saved_tensors
        of_weight = above[:CHUNK].t() @ states[:CHUNK]
        for start in range(CHUNK, len(states), CHUNK):
            of_weight.addmm_(above[start : start + CHUNK].t(), states[start : start + CHUNK])
        return above @ weight if ctx.needs_input_grad[0] else None, of_weight, above.sum(0)


class Attention(torch.autograd.Function):
    """softmax(query key + bias) value of each pair; (tokens, heads, size) each, with the tokens of each pair. Softmax without subtracting the largest
    score: scores stay far below 88, the logarithm of the largest number."""

    @staticmethod
    def forward(ctx, query, key, value, bias, queries, lengths):
        mixed, ctx.shares, ctx.sizes = torch.empty_like(query), [], (queries, lengths)
        for query_part, key_part, value_part, out in parts(ctx.sizes, query, key, value, mixed):
            own_bias = bias[:, : query_part.shape[1], : key_part.shape[1]]
            shares = torch.baddbmm(own_bias, query_part, key_part.transpose(1, 2)).exp_()
            total = shares.sum(-1, keepdim=True)
            out.copy_((shares @ value_part).div_(total))
            ctx.shares.append((shares, total))
        ctx.save_for_backward(query, key, value, mixed)
        return mixed

    @staticmethod
    def backward(ctx, above):
        query, key, value, mixed = ctx.saved_tensors
        of = of_query, of_key, of_value = [torch.empty_like(tensor) for tensor in (query, key, value)]
        wholes = parts(ctx.sizes, query, key, value, mixed, above), parts(ctx.sizes, of_query, of_key, of_value)
        for (query, key, value, mixed, above), (of_query, of_key, of_value), (shares, total) in zip(*wholes, ctx.shares):
            above = above / total
            scores = (above @ value.transpose(1, 2)).sub_((above * mixed).sum(-1, keepdim=True)).mul_(shares)
            of_value.copy_(shares.transpose(1, 2) @ above)
            of_query.copy_(scores @ key)
            of_key.copy_(scores.transpose(1, 2) @ query)
        return *of, None, None, None


def parts(sizes, query, key, value, *like_query):
    """For each pair the (heads, tokens, size) of all tensors."""
    queries, lengths = sizes
    return zip(*(tensor.transpose(0, 1).split(lengths if tensor is key or tensor is value else queries, 1) for tensor in (query, key, value, *like_query)))


def attention(query, key, value, bias, queries, lengths):
    query = query * query.shape[-1] ** -0.5
    of_device = Attention.apply if query.device.type == "cpu" else gpu_attention
    return of_device(query, key, value, bias, queries, lengths)


def gpu_attention(query, key, value, bias, queries, lengths):
    """What Attention computes, for all pairs at once, padded to the longest."""
    of_queries, of_keys = places(tuple(queries), query.device), places(tuple(lengths), query.device)
    query, key, value = (padded(tensor, *of) for tensor, of in ((query, of_queries), (key, of_keys), (value, of_keys)))
    mask = masked(bias, query.shape[2], key.shape[2], tuple(lengths))
    mixed = functional.scaled_dot_product_attention(query, key, value, attn_mask=mask, scale=1.0)
    return mixed.transpose(1, 2).flatten(0, 1)[of_queries[0]]


@lru_cache(maxsize=2)
def masked(bias, queries, keys, lengths):
    """The bias of each pair (pairs, heads, queries, keys), minus infinity at the padding."""
    is_padding = torch.arange(keys, device=bias.device) >= torch.tensor(lengths, device=bias.device)[:, None, None, None]
    return bias[:, :queries, :keys].masked_fill(is_padding, float("-inf"))


@lru_cache(maxsize=4)
def places(lengths, device):
    """The place of each token among rows padded to the longest, and the shape of these rows; the kernel for GPUs wants a multiple of eight."""
    longest = -(-max(lengths) // 8) * 8
    rows = [pair * longest + token for pair, length in enumerate(lengths) for token in range(length)]
    return torch.tensor(rows, device=device), (len(lengths), longest)


def padded(tensor, rows, shape):
    """(tokens of all pairs, heads, size) -> (pairs, heads, longest, size), zero at the padding"""
    empty = tensor.new_zeros(shape[0] * shape[1], *tensor.shape[1:])
    return empty.index_copy(0, rows, tensor).unflatten(0, shape).transpose(1, 2)


def position_bias(network):
    """(heads, MOST_TOKENS, MOST_TOKENS)"""
    with torch.no_grad():
        return network.mpnet.encoder.compute_position_bias(torch.empty(1, MOST_TOKENS, 1))[0]


def linear(module, states):
    return Linear.apply(states, module.weight, module.bias) if states.device.type == "cpu" else module(states)


def layer_states(layer, hidden, bias, lengths, dropout, only_first=False):
    """The states after a layer of all tokens, or of the first token of each pair."""
    projections = layer.attention.attn
    size = projections.num_attention_heads, projections.attention_head_size
    own, queries = hidden, lengths
    if only_first:
        own = hidden[[sum(lengths[:number]) for number in range(len(lengths))]]
        queries = [1] * len(lengths)
    query, key, value = (
        linear(module, states).unflatten(1, size) for module, states in ((projections.q, own), (projections.k, hidden), (projections.v, hidden))
    )
    mixed = attention(query, key, value, bias, queries, lengths).flatten(1)
    hidden = layer.attention.LayerNorm(functional.dropout(linear(projections.o, mixed), dropout) + own)
    inner = functional.gelu(linear(layer.intermediate.dense, hidden))
    return layer.output.LayerNorm(functional.dropout(linear(layer.output.dense, inner), dropout) + hidden)


def states(network, bias, ids, mask, dropout=0.0):
    """States of padded pairs: the first token's after the last layer (pairs, width), and every token's before it (tokens of all pairs, width)."""
    embeddings, layers, lengths = network.mpnet.embeddings, network.mpnet.encoder.layer, mask.sum(1).tolist()
    positions = FIRST_POSITION + torch.arange(ids.shape[1], device=ids.device).expand_as(ids)
    is_token = mask.bool()
    hidden = embeddings.LayerNorm(embeddings.word_embeddings(ids[is_token]) + embeddings.position_embeddings(positions[is_token]))
    hidden = functional.dropout(hidden, dropout)
    for layer in layers[:-1]:
        hidden = layer_states(layer, hidden, bias, lengths, dropout)
    return layer_states(layers[-1], hidden, bias, lengths, dropout, only_first=True), hidden
