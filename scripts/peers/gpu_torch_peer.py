"""PyTorch's side of scripts/bench_gpu.py: a DeBERTa-v2/v3 classifier in 16 bits on the first GPU, over pairs of token
ids sorted by length and padded to the longest of their batch.

    gpu_torch_peer.py MODEL_FOLDER IDS.jsonl eager|sdpa|compile|flash BATCH_TOKENS

`flash` is the package flashdeberta; the others are transformers' own network, `compile` through torch.compile. Follows
scripts/peers/protocol.py; `seconds` are from ids in host memory to probabilities there. It answers the line "product"
with the best rate of an 8,192-cubed f16 product.
"""

import json
import sys
import time

import torch
import transformers

SIDE = 8192


def main():
    folder, ids, how, batch_tokens = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
    rows = [json.loads(line) for line in open(ids, encoding="utf-8")]
    model = load(folder, how).to(device="cuda", dtype=torch.float16).eval()
    if how == "compile":
        model = torch.compile(model, dynamic=True)
    versions = {"torch": torch.__version__, "transformers": transformers.__version__, "gpu": torch.cuda.get_device_name(0)}
    answer({"versions": versions, "batch": f"sorted, up to {batch_tokens} padded tokens"})
    for line in sys.stdin:
        if line.strip() == "product":
            answer({"tflops": product()})
        else:
            answer(run(model, rows, batch_tokens))


def load(folder, how):
    if how == "flash":
        from flashdeberta import FlashDebertaV2ForSequenceClassification

        return FlashDebertaV2ForSequenceClassification.from_pretrained(folder, local_files_only=True)
    attention = {"attn_implementation": "sdpa" if how == "sdpa" else "eager"}
    return transformers.AutoModelForSequenceClassification.from_pretrained(folder, local_files_only=True, **attention)


def batches(rows, batch_tokens):
    """Batches of indices, the longest first, each within the budget of padded tokens."""
    order = sorted(range(len(rows)), key=lambda index: -len(rows[index]["ids"]))
    at = 0
    while at < len(order):
        count = max(1, batch_tokens // len(rows[order[at]]["ids"]))
        yield order[at : at + count]
        at += count


@torch.inference_mode()
def run(model, rows, batch_tokens):
    torch.cuda.synchronize()
    start = time.perf_counter()
    padded, underway = 0, []
    for batch in batches(rows, batch_tokens):
        longest = len(rows[batch[0]]["ids"])
        padded += longest * len(batch)
        pad = lambda name: torch.tensor([rows[i][name] + [0] * (longest - len(rows[i][name])) for i in batch])
        lengths = torch.tensor([len(rows[i]["ids"]) for i in batch])
        mask = (torch.arange(longest)[None, :] < lengths[:, None]).long()
        inputs = [x.pin_memory().to("cuda", non_blocking=True) for x in (pad("ids"), mask, pad("types"))]
        logits = model(input_ids=inputs[0], attention_mask=inputs[1], token_type_ids=inputs[2]).logits
        underway.append((batch, logits.float().softmax(-1)))
    probabilities = [None] * len(rows)
    for batch, part in underway:
        for index, row in zip(batch, part.cpu().tolist()):
            probabilities[index] = row
    seconds = time.perf_counter() - start
    tokens = sum(len(row["ids"]) for row in rows)
    return {"seconds": seconds, "tokens": tokens, "padded_tokens": padded, "probabilities": probabilities}


def product():
    a, b = (torch.randn(SIDE, SIDE, device="cuda", dtype=torch.float16) for _ in range(2))
    best = 0.0
    for _ in range(10):
        torch.cuda.synchronize()
        start = time.perf_counter()
        a @ b
        torch.cuda.synchronize()
        best = max(best, 2 * SIDE**3 / (time.perf_counter() - start) / 1e12)
    return best


def answer(value):
    print(json.dumps(value), flush=True)


main()
