#!/usr/bin/env python3
"""Accuracy of checkpoints on hand-written pairs, by kind of error, before they are packed (kinds/measure.py measures the packed model in the program).

    evaluate.py CHECKPOINT... --pairs FILE.txt|FILE.jsonl [--every 1] [--threads 1] [--device cpu] [--scores FOLDER]

CHECKPOINT is a float16 folder; FILE as kinds/pairs.py reads or writes it. Takes every N-th document. "order" is explained in kinds/measure.py. SCORES
gets the pairs of each checkpoint with their probability of entailment, the worst first.
"""
import argparse
import json
import pathlib
import sys

import torch

import networks
from mixture import LABELS, batches, encoded, tensors

sys.path.insert(0, str(pathlib.Path(__file__).parent / "kinds"))
from measure import figures, order  # noqa: E402
from pairs import KINDS, pairs  # noqa: E402

LONGEST = 510
# Tokens of a batch, with padding.
AT_ONCE = {"cpu": 4096, "cuda": 65536}


def rows_of(path, every):
    rows = list(pairs(path)) if path.suffix == ".txt" else [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    documents = set(list(dict.fromkeys(row["document"] for row in rows))[::every])
    return [row for row in rows if row["document"] in documents]


@torch.no_grad()
def probabilities(checkpoint, rows, device="cpu"):
    """(pairs, 3), in the order of mixture.LABELS"""
    judge, tokenizer = networks.load(checkpoint)
    judge.to(device, torch.bfloat16).eval()
    made = encoded(tokenizer, judge.template, [[row] for row in rows], LONGEST)
    found = torch.zeros(len(made), len(LABELS))
    for number, some in enumerate(batches(made, AT_ONCE[device])):
        if number % 50 == 49:
            print(f"batch {number + 1}, of {len(made)} pairs", file=sys.stderr, flush=True)
        logits, _ = judge(tensors(some, judge.template.padding, device))
        found[[pair.group for pair in some]] = logits.softmax(-1).float().cpu()
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoints", type=pathlib.Path, nargs="+")
    parser.add_argument("--pairs", type=pathlib.Path, required=True)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--device", choices=AT_ONCE, default="cpu")
    parser.add_argument("--scores", type=pathlib.Path)
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    rows = rows_of(given.pairs, given.every)
    judged = {checkpoint: probabilities(checkpoint, rows, given.device)[:, 0].tolist() for checkpoint in given.checkpoints}
    print("| kind | pairs | " + " | ".join(f"{checkpoint.name}: right, AUC" for checkpoint in judged) + " |\n|---" + "|---" * (len(judged) + 1) + "|")
    for kind in (*KINDS, "all"):
        wanted = [index for index, row in enumerate(rows) if kind in (row["kind"], "all")]
        if wanted:
            columns = [figures([(scores[index], rows[index]["label"] == "entailment") for index in wanted]) for scores in judged.values()]
            print(f"| {kind} | {len(wanted)} | " + " | ".join(column.split(" | ")[1] for column in columns) + " |")
    for checkpoint, scores in judged.items():
        count, share = order(rows, scores)
        print(f"{checkpoint.name}, order: {share:.3f} of {count}")
        if given.scores:
            given.scores.mkdir(parents=True, exist_ok=True)
            scored = [{**row, "entailment": round(score, 4), "error": abs((row["label"] == "entailment") - score)} for row, score in zip(rows, scores)]
            lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in sorted(scored, key=lambda row: -row["error"]))
            (given.scores / f"{checkpoint.name}.{given.pairs.stem}.jsonl").write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
