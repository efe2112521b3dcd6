#!/usr/bin/env python3
"""Compares `veridic nli` with Python's `transformers` on pairs, for one NLI checkpoint.

    python3 scripts/compare_checkpoint.py FOLDER [--program target/release/veridic] [--dtype f32|int8] [--tolerance 1e-4]

FOLDER holds config.json, tokenizer.json and weights as `veridic score --model FOLDER` reads them; 8-bit rows (NAME.int8,
NAME.scale) are dequantized for `transformers`. Pairs: examples/nli_pairs.jsonl, and examples/article.txt cut so that
pairs have every length of LENGTHS up to the model's limit. Compares probabilities and, as logits up to the constant that
softmax ignores, their centred logarithms. Needs torch, transformers and safetensors in this interpreter
(scripts/fixtures/requirements.txt has the versions). Exit code 0: equal within the tolerance, 1: not.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

os.environ |= {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false"}

import torch
from tokenizers import Tokenizer
from transformers import AutoModelForSequenceClassification

import rows8

ROOT = Path(__file__).resolve().parents[1]
WIDE = ["model.safetensors", "model.safetensors.index.json", "pytorch_model.bin", "pytorch_model.bin.index.json"]
LENGTHS = [8, 9, 10, 12, 16, 24, 31, 32, 33, 48, 64, 65, 96, 127, 128, 129, 160, 200, 255, 256, 257, 300, 383, 400, 500, 511, 512]
RELATIONS = ("entailment", "neutral", "contradiction")


def load(folder):
    """The reference, float32, eager attention."""
    with tempfile.TemporaryDirectory() as scratch:
        if not any((folder / name).is_file() for name in WIDE):
            rows8.widen(folder, Path(scratch))
            folder = scratch
        return AutoModelForSequenceClassification.from_pretrained(
            folder, dtype=torch.float32, attn_implementation="eager", local_files_only=True
        ).eval()


def pairs_of(tokenizer, limit):
    """(premise, hypothesis)"""
    rows = [json.loads(line) for line in (ROOT / "examples/nli_pairs.jsonl").read_text().splitlines()]
    pairs = [(row["premise"], row["hypothesis"]) for row in rows]
    words = (ROOT / "examples/article.txt").read_text().split() * 8
    count = lambda *texts: len(tokenizer.encode(*texts).ids)
    for length in LENGTHS:
        hypothesis = "It rained." if length < 16 else pairs[length % len(pairs)][1]
        chosen, start = [], length
        while count(" ".join([*chosen, words[start]]), hypothesis) <= min(length, limit):
            chosen.append(words[start])
            start += 1
        premise = " ".join(chosen)
        pairs.append((premise + " a" * (min(length, limit) - count(premise, hypothesis)), hypothesis))
    return pairs


def reference(model, tokenizer, pairs):
    """(pairs, relations) in the order of RELATIONS, in double precision."""
    order = [{name.lower(): int(place) for place, name in model.config.id2label.items()}[name] for name in RELATIONS]
    rows = []
    for premise, hypothesis in pairs:
        encoded = tokenizer.encode(premise, hypothesis)
        inputs = {"input_ids": torch.tensor([encoded.ids])}
        if getattr(model.config, "type_vocab_size", 0) > 1:
            inputs["token_type_ids"] = torch.tensor([encoded.type_ids])
        rows.append(model(**inputs).logits[0].double().log_softmax(-1)[order])
    return torch.stack(rows)


def ours(program, folder, dtype, pairs):
    lines = "".join(json.dumps({"premise": premise, "hypothesis": hypothesis}) + "\n" for premise, hypothesis in pairs)
    with tempfile.TemporaryDirectory() as scratch:
        (Path(scratch) / "pairs.jsonl").write_text(lines)
        command = [program, "nli", "--input", Path(scratch) / "pairs.jsonl", "--model", folder, "--dtype", dtype, "--quiet"]
        output = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    rows = [json.loads(line) for line in output.splitlines()]
    assert len(rows) == len(pairs), f"{len(rows)} answers to {len(pairs)} pairs"
    return torch.tensor([[row[name] for name in RELATIONS] for row in rows], dtype=torch.float64)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--program", default=str(ROOT / "target/release/veridic"))
    parser.add_argument("--dtype", default="f32")
    parser.add_argument("--tolerance", type=float, default=1e-4)
    arguments = parser.parse_args()
    torch.set_grad_enabled(False)
    tokenizer = Tokenizer.from_file(str(arguments.folder / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    model = load(arguments.folder)
    pairs = pairs_of(tokenizer, limit=512)
    lengths = sorted(len(tokenizer.encode(*pair).ids) for pair in pairs)
    theirs = reference(model, tokenizer, pairs)
    probabilities = ours(arguments.program, arguments.folder, arguments.dtype, pairs)
    logits = probabilities.log()
    centred = lambda rows: rows - rows.mean(1, keepdim=True)
    gap = (probabilities - theirs.exp()).abs()
    logit_gap = (centred(logits) - centred(theirs)).abs()
    same = (probabilities.argmax(1) == theirs.argmax(1)).sum().item()
    print(f"{len(pairs)} pairs of {lengths[0]} to {lengths[-1]} tokens, {arguments.dtype}")
    print(f"probabilities: largest difference {gap.max():.1e}, mean {gap.mean():.1e}; most likely relation the same for {same}")
    print(f"logits: largest difference {logit_gap.max():.1e}, mean {logit_gap.mean():.1e}")
    sys.exit(0 if max(gap.max(), logit_gap.max()) <= arguments.tolerance else 1)


if __name__ == "__main__":
    main()
