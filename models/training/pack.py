#!/usr/bin/env python3
"""Checkpoints in 8-bit rows and in float16.

    pack.py pack CHECKPOINT OUT             model.safetensors -> model.int8.safetensors: matrices as 8-bit rows with a scale each
    pack.py unpack PACKED OUT               the reverse: float16, as transformers reads it; PACKED may be in the parts of shards.py
    pack.py mix CHECKPOINT OTHER SHARE OUT  the weighted mean of the weights of two float16 checkpoints; SHARE is OTHER's
    pack.py cool CHECKPOINT TEMPERATURE OUT a float16 checkpoint whose logits are divided by TEMPERATURE

config.json and tokenizer.json are copied. shards.py cuts the packed file into parts for the repository.
"""
import pathlib
import shutil
import sys

import torch
from safetensors.torch import load_file, save_file

# Smaller matrices are not packed.
LEAST_NUMBERS = 10_000
# The beginning of the names of a classifier's last layer, in MPNet and in DeBERTa-v2.
LAST_LAYERS = ("classifier.out_proj.", "classifier.weight", "classifier.bias")


def packed(tensors):
    out = {}
    for name, tensor in tensors.items():
        if tensor.dim() == 2 and tensor.numel() > LEAST_NUMBERS:
            wide = tensor.float()
            scale = wide.abs().amax(1).clamp(min=1e-8) / 127
            out[f"{name}.int8"] = (wide / scale[:, None]).round().clamp(-127, 127).to(torch.int8)
            out[f"{name}.scale"] = scale
        else:
            out[name] = tensor.contiguous()
    return out


def unpacked(tensors):
    out = {}
    for name, tensor in tensors.items():
        matrix, is_rows = name.removesuffix(".int8"), name.endswith(".int8")
        if is_rows:
            out[matrix] = (tensor.float() * tensors[f"{matrix}.scale"].float()[:, None]).to(torch.float16)
        elif not name.endswith(".scale"):
            out[name] = tensor
    return out


def mixed(tensors, others, share):
    mean = lambda name, tensor: (1 - share) * tensor.float() + share * others[name].float()  # noqa: E731
    return {name: mean(name, tensor).to(tensor.dtype).contiguous() for name, tensor in tensors.items()}


def cooled(tensors, temperature):
    divided = lambda name, tensor: (tensor.float() / temperature).to(tensor.dtype) if name.startswith(LAST_LAYERS) else tensor  # noqa: E731
    return {name: divided(name, tensor) for name, tensor in tensors.items()}


def main():
    verb, *paths = sys.argv[1:] or [""]
    wanted = {"pack": 2, "unpack": 2, "mix": 4, "cool": 3}
    if wanted.get(verb) != len(paths):
        sys.exit(__doc__)
    folder, out = pathlib.Path(paths[0]), pathlib.Path(paths[-1])
    plain, rows = "model.safetensors", "model.int8.safetensors"
    out.mkdir(parents=True, exist_ok=True)
    if verb == "pack":
        save_file(packed(load_file(folder / plain)), out / rows)
    elif verb == "unpack":
        parts = [load_file(path) for path in sorted(folder.glob("model.int8*.safetensors"))]
        save_file(unpacked({name: tensor for part in parts for name, tensor in part.items()}), out / plain)
    elif verb == "cool":
        save_file(cooled(load_file(folder / plain), float(paths[1])), out / plain)
    else:
        others = load_file(pathlib.Path(paths[1]) / plain)
        save_file(mixed(load_file(folder / plain), others, float(paths[2])), out / plain)
    for name in ("config.json", "tokenizer.json"):
        shutil.copyfile(folder / name, out / name)


if __name__ == "__main__":
    main()
