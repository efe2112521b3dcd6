"""The mean of several models' weights ("model soups", Wortsman et al. 2022), for export.py.

    python average.py OUT MODEL MODEL...

Every MODEL is a folder as export.py writes it; all must have the same config and tokenizer,
and come from the same starting weights, or the mean is no model. OUT receives
model.safetensors (float16), config.json and tokenizer.json. The mean's logits are small:
export.py's temperature mends that.
"""

import argparse
import json
from functools import reduce
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file

from failure import Failure, loading, run


def mean_weights(models: list[dict[str, torch.Tensor]]) -> dict[str, torch.Tensor]:
    """Of each tensor the mean over the models, float16; the names must be the same."""
    if any(model.keys() != models[0].keys() for model in models):
        raise Failure("the models hold different tensors; give models that the same scripts made")
    first, *others = ({name: tensor.float() / len(models) for name, tensor in model.items()} for model in models)
    return {name: reduce(torch.add, (other[name] for other in others), tensor).half().contiguous()
            for name, tensor in first.items()}


def same_file(folders: list[Path], name: str) -> bytes:
    """The file's bytes, whose JSON must be the same in all folders."""
    try:
        contents = [(folder / name).read_bytes() for folder in folders]
    except OSError as error:
        raise Failure(f"{error.filename}: cannot be read ({error.strerror}); give folders that export.py wrote") from None
    if any(json.loads(content) != json.loads(contents[0]) for content in contents):
        raise Failure(f"{name} differs between the models; give models that the same scripts made")
    return contents[-1]


def main():
    parser = argparse.ArgumentParser(description="Average the weights of models.")
    parser.add_argument("out", type=Path)
    parser.add_argument("models", type=Path, nargs="+")
    arguments = parser.parse_args()
    kept = {name: same_file(arguments.models, name) for name in ("config.json", "tokenizer.json")}
    models = []
    for folder in arguments.models:
        with loading(folder):
            models.append(load_file(folder / "model.safetensors"))
    arguments.out.mkdir(parents=True, exist_ok=True)
    save_file(mean_weights(models), arguments.out / "model.safetensors", metadata={"format": "pt"})
    for name, content in kept.items():
        (arguments.out / name).write_bytes(content)
    print(f"{arguments.out}: the mean of {len(models)} models")


if __name__ == "__main__":
    run(main)
