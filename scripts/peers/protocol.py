"""The protocol that the Python peers of scripts/bench.py peers share.

A peer is a process that loads a model and a JSON Lines file of pairs (fields premise, hypothesis),
and then answers each line on stdin with one JSON object a line on stdout:

  at the start       {"versions": {name: version}, "batch": what it batches by, ...}
  on the line "run"  {"seconds", "tokenize_seconds", "tokens", "padded_tokens", "probabilities"}
  on the line "product"  {"gflops": {name: best rate of a 2,048-cubed f32 product}}, if it has one

A run computes all pairs once, from texts to probabilities; `seconds` includes the tokenization.
`tokens` are the real ones, `padded_tokens` those given to the network. `probabilities`
has one row a pair in the file's order, with one number an output of the model.
"""

import json
import os
import sys
import time
from pathlib import Path

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["TRANSFORMERS_OFFLINE"] = "1"
os.environ["TOKENIZERS_PARALLELISM"] = "true"

import numpy as np
from tokenizers import Tokenizer

# Sides of the product that sets the limit.
CUBE = 2048


def read_pairs(path):
    rows = [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]
    return [(row["premise"], row["hypothesis"]) for row in rows]


def read_tokenizer(folder):
    """The model's tokenizer.json, without the truncation and padding that it may configure."""
    tokenizer = Tokenizer.from_file(str(Path(folder) / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def padding_id(folder):
    return json.loads((Path(folder) / "config.json").read_text()).get("pad_token_id") or 0


def padded(encodings, fill):
    """ids, attention mask and token types of a batch, each (batch, longest)."""
    shape = (len(encodings), max(len(encoding) for encoding in encodings))
    ids = np.full(shape, fill, dtype=np.int64)
    mask, types = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
    for row, encoding in enumerate(encodings):
        length = len(encoding)
        ids[row, :length] = encoding.ids
        mask[row, :length] = 1
        types[row, :length] = encoding.type_ids
    return ids, mask, types


def softmax(logits):
    shifted = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return shifted / shifted.sum(axis=-1, keepdims=True)


class Bench:
    """Runs a list of pairs in batches through `forward(ids, mask, types) -> logits`."""

    def __init__(self, folder, pairs, forward):
        self.tokenizer = read_tokenizer(folder)
        self.fill = padding_id(folder)
        self.pairs = read_pairs(pairs)
        self.forward = forward

    def run(self, batch, sort):
        """One run; `sort`: by length, otherwise in the order of arrival."""
        start = time.perf_counter()
        encodings = self.tokenizer.encode_batch_fast(self.pairs)
        tokenize_seconds = time.perf_counter() - start
        order = list(range(len(encodings)))
        if sort:
            order.sort(key=lambda index: len(encodings[index]))
        probabilities = [None] * len(order)
        padded_tokens = 0
        for first in range(0, len(order), batch):
            chosen = order[first : first + batch]
            arrays = padded([encodings[index] for index in chosen], self.fill)
            padded_tokens += arrays[0].size
            for index, row in zip(chosen, softmax(self.forward(*arrays))):
                probabilities[index] = row
        seconds = time.perf_counter() - start
        return {
            "seconds": seconds,
            "tokenize_seconds": tokenize_seconds,
            "tokens": sum(len(encoding) for encoding in encodings),
            "padded_tokens": padded_tokens,
            "probabilities": [[float(share) for share in row] for row in probabilities],
        }


def product_rate(multiply, repeats=4):
    """GFLOP/s of the fastest of several `multiply(x, y)`, after one that is not counted."""
    x, y = np.random.default_rng(1).standard_normal((2, CUBE, CUBE), dtype=np.float32)
    seconds = []
    for _ in range(repeats + 1):
        start = time.perf_counter()
        multiply(x, y)
        seconds.append(time.perf_counter() - start)
    return 2 * CUBE**3 / min(seconds[1:]) / 1e9


def serve(about, run, product=None):
    """Answers commands until stdin ends. `product`: its name and the rate as a function."""
    print(json.dumps(about), flush=True)
    answers = {"run": run}
    if product:
        name, rate = product
        answers["product"] = lambda: {"gflops": {name: rate()}}
    for line in sys.stdin:
        if line.strip() not in answers:
            sys.exit(f"unknown command {line.strip()!r}")
        print(json.dumps(answers[line.strip()]()), flush=True)
