"""PyTorch's `transformers` as a peer (protocol.py): float32, or with --bf16 in bfloat16, eager attention, its only one for
DeBERTa; sorted by length, or in the order of arrival.

    torch_peer.py MODEL_FOLDER PAIRS.jsonl --batch N --order sorted|arrival --threads N [--bf16]
"""

import argparse

from protocol import Bench, product_rate, serve

import torch
import transformers
from transformers import AutoModelForSequenceClassification


def load(folder, dtype):
    model = AutoModelForSequenceClassification.from_pretrained(folder, dtype=dtype, local_files_only=True).eval()

    @torch.inference_mode()
    def forward(ids, mask, types):
        tensors = [torch.from_numpy(array) for array in (ids, mask, types)]
        logits = model(input_ids=tensors[0], attention_mask=tensors[1], token_type_ids=tensors[2]).logits
        return logits.float().numpy()

    return forward


def product():
    return product_rate(lambda x, y: torch.from_numpy(x) @ torch.from_numpy(y))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model")
    parser.add_argument("pairs")
    parser.add_argument("--batch", type=int, required=True)
    parser.add_argument("--order", choices=["sorted", "arrival"], required=True)
    parser.add_argument("--threads", type=int, required=True)
    parser.add_argument("--bf16", action="store_true")
    arguments = parser.parse_args()
    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    torch.set_num_threads(arguments.threads)
    dtype = torch.bfloat16 if arguments.bf16 else torch.float32
    bench = Bench(arguments.model, arguments.pairs, load(arguments.model, dtype))
    versions = {"torch": torch.__version__, "transformers": transformers.__version__}
    about = {"versions": versions, "batch": arguments.batch}
    run = lambda: bench.run(arguments.batch, sort=arguments.order == "sorted")
    serve(about, run, ("torch", product))


if __name__ == "__main__":
    main()
