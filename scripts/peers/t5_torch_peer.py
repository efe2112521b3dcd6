"""PyTorch's `transformers` as a peer of scripts/bench.py t5: greedy generation in float32, all
sequences as one batch.

    t5_torch_peer.py MODEL_FOLDER SEQUENCES.json --threads N

Answers each line `run` on stdin with {"seconds", "tokens"}, one JSON object a line.
"""

import argparse
import json
import os
import sys
import time

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["TRANSFORMERS_OFFLINE"] = "1"

import torch
import transformers


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model")
    parser.add_argument("sequences")
    parser.add_argument("--threads", type=int, required=True)
    arguments = parser.parse_args()
    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    torch.set_num_threads(arguments.threads)
    model = transformers.T5ForConditionalGeneration.from_pretrained(
        arguments.model, dtype=torch.float32, local_files_only=True
    ).eval()
    ids = torch.tensor(json.load(open(arguments.sequences)))
    print(json.dumps({"versions": {"torch": torch.__version__, "transformers": transformers.__version__}}), flush=True)
    for line in sys.stdin:
        if line.strip() != "run":
            sys.exit(f"unknown command {line.strip()!r}")
        start = time.perf_counter()
        with torch.inference_mode():
            tokens = model.generate(input_ids=ids, attention_mask=torch.ones_like(ids))
        seconds = time.perf_counter() - start
        print(json.dumps({"seconds": seconds, "tokens": tokens.tolist()}), flush=True)


if __name__ == "__main__":
    main()
