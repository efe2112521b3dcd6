#!/usr/bin/env python3
"""Reads weights whose matrices are 8-bit rows (NAME.int8, NAME.scale; docs/reference/models.md has the format), as float32.

scripts/rows8.py FOLDER COPY    makes a copy of a model's folder that other programs can read
"""

import json
import shutil
import sys
from pathlib import Path

from safetensors.torch import load_file, save_file


def files_of(folder):
    """The weights: one file, or the parts that an index names."""
    index = folder / "model.safetensors.index.int8.json"
    names = set(json.loads(index.read_text())["weight_map"].values()) if index.is_file() else ["model.int8.safetensors"]
    return sorted(folder / name for name in names)


def read(folder):
    """Names to float32 tensors: a row is scale * integers."""
    stored = {name: tensor for file in files_of(folder) for name, tensor in load_file(file).items()}
    wide = {}
    for name, tensor in stored.items():
        if name.endswith(".int8"):
            matrix = name.removesuffix(".int8")
            wide[matrix] = tensor.float() * stored[f"{matrix}.scale"].float()[:, None]
        elif not name.endswith(".scale"):
            wide[name] = tensor.float()
    return wide


def widen(folder, copy):
    copy.mkdir(parents=True, exist_ok=True)
    for name in ("config.json", "tokenizer.json"):
        shutil.copy(folder / name, copy)
    save_file(read(folder), copy / "model.safetensors", metadata={"format": "pt"})


if __name__ == "__main__":
    widen(*map(Path, sys.argv[1:]))
