#!/usr/bin/env python3
"""How judging an extract of a long document changes scores, evidence and time.

    python3 scripts/measure_extracts.py --data A.jsonl B.jsonl ... [--rows 8] [--words 10000] [--dtype int8] [--against true]

Makes long documents: each chosen row's document at a random place among other documents of the same files, joined by
blank lines up to --words words (seeded). Each is judged whole, then by extracts of every method and budget. Prints, a
row a setting: the mean change of the score, its mean absolute change, the rank correlation with the scores of the whole
document, the share of claims whose evidence is in the true document, the ROC AUC of the scores if rows have a `label`,
seconds a row, and the speed-up over the whole document. With --against true the scores are compared with those of the
true document alone, and the long documents are not judged whole, which would take most of the time. Writes all to
benches/runs/NAME.json. Files have `document` and `summary`. Needs cargo.
"""

import argparse
import json
import random
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import mean

from bench_common import cargo_build, commit, machine, public, say, write_record

METHODS = ["lead", "rouge-1", "rouge-2", "rouge-1+2", "bertscore", "nli"]
BUDGETS = [128, 512, 1024, 2048, 4096]
BETWEEN = "\n\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, nargs="+", required=True, metavar="FILE")
    parser.add_argument("--rows", type=int, default=8)
    parser.add_argument("--words", type=int, default=10_000)
    parser.add_argument("--dtype", default="f32")
    parser.add_argument("--methods", nargs="+", default=METHODS, metavar="NAME")
    parser.add_argument("--budgets", type=int, nargs="+", default=BUDGETS, metavar="N")
    parser.add_argument("--rule", choices=["authors", "fill"], default="authors")
    parser.add_argument("--against", choices=["whole", "true"], default="whole")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--name", default="extracts", help="name of the record in benches/runs/")
    arguments = parser.parse_args()
    missing = [str(path) for path in arguments.data if not path.is_file()]
    if missing:
        sys.exit(f"no such file: {', '.join(missing)}")
    [binary] = cargo_build(["-p", "veridic-cli", "--bin", "veridic"])
    rows = long_rows(arguments)
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        if arguments.against == "true":
            (folder / "alone").mkdir()
            alone = [{**row, "document": row["document"][slice(*row["true"])], "true": [0, len(row["document"])]} for row in rows]
            usual = Judge(binary, arguments.dtype, alone, folder / "alone").run([])
        judge = Judge(binary, arguments.dtype, rows, folder)
        if arguments.against == "whole":
            usual = judge.run([])
        labels = [row["label"] for row in rows] if all("label" in row for row in rows) else []
        print("| extract | budget | change | size of change | rank correlation | evidence kept | AUC | s a row | times faster |")
        print("|---|---|---|---|---|---|---|---|---|")
        show(f"{arguments.against} document", "", usual, usual, labels)
        settings = {arguments.against: usual}
        for method in arguments.methods:
            for budget in arguments.budgets:
                result = judge.run(extract(method, arguments.rule, budget))
                show(method, budget, result, usual, labels)
                settings[f"{method} {budget}"] = result
    record = {
        "command": shlex.join(["python3", "scripts/measure_extracts.py", *map(public, sys.argv[1:])]),
        "commit": commit(),
        "machine": machine(),
        "settings": settings,
    }
    write_record(record, arguments.name)


def extract(method, rule, budget):
    return ["--set", f"extract={method}", "--set", f"extract_rule={rule}", "--set", f"budget={budget}"]


def long_rows(arguments):
    """Rows with long documents; `true` is the span of the row's own document."""
    rows = [json.loads(line) for path in arguments.data for line in path.open()]
    documents = sorted({row["document"] for row in rows})
    chance = random.Random(arguments.seed)
    chosen, seen = [], set()
    for row in chance.sample(rows, len(rows)):
        if row["document"] in seen:
            continue
        seen.add(row["document"])
        others = [document for document in chance.sample(documents, len(documents)) if document != row["document"]]
        parts, words = [row["document"]], len(row["document"].split())
        while others and words < arguments.words:
            parts.append(others.pop())
            words += len(parts[-1].split())
        place = chance.randrange(len(parts))
        parts[0], parts[place] = parts[place], parts[0]
        start = sum(len(part) + len(BETWEEN) for part in parts[:place])
        chosen.append({
            "document": BETWEEN.join(parts),
            "summary": row["summary"],
            "true": [start, start + len(row["document"])],
            **({"label": row["label"]} if "label" in row else {}),
        })
        if len(chosen) == arguments.rows:
            break
    return chosen


class Judge:
    def __init__(self, binary, dtype, rows, folder):
        self.rows, self.folder = rows, folder
        (folder / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        self.command = [binary, "run", folder / "rows.jsonl", "--dtype", dtype, "--set", "cache_mb=0", "--keep", "true", "-q"]

    def run(self, flags):
        """Scores, whether each claim's evidence is in the true document, and seconds of the whole run."""
        output = self.folder / f"out{len(list(self.folder.iterdir()))}.jsonl"
        start = time.perf_counter()
        result = subprocess.run([*self.command, "-o", output, *flags], stderr=subprocess.PIPE, text=True)
        seconds = time.perf_counter() - start
        judged = [json.loads(line) for line in output.open()]
        failed = [row["error"]["reason"] for row in judged if "error" in row]
        if result.returncode and not failed:
            sys.exit(f"veridic: {result.stderr.strip()}")
        if failed:
            say(f"{shlex.join(flags)}: {len(failed)} rows failed: {failed[0]}")
        good = [row for row in judged if "error" not in row]
        return {
            "scores": [row.get("score") for row in judged],
            "kept": [in_true(claim, row) for row in good for claim in row["claims"]],
            "seconds": seconds,
        }


def in_true(claim, row):
    (start, end), (first, last) = claim["evidence"]["span"], row["input"]["true"]
    return first <= start and end <= last


def ranks(values):
    order = sorted(range(len(values)), key=values.__getitem__)
    ranked = [0.0] * len(values)
    for rank, index in enumerate(order):
        ranked[index] = float(rank)
    return ranked


def correlation(first, second):
    a, b = ranks(first), ranks(second)
    middle = (len(a) - 1) / 2
    spread = sum((x - middle) ** 2 for x in a)
    return sum((x - middle) * (y - middle) for x, y in zip(a, b)) / spread if spread else 1.0


def area(scores, labels):
    """ROC AUC: the probability that a consistent row scores higher than an inconsistent one; ties count half."""
    judged = [(score, label) for score, label in zip(scores, labels) if score is not None]
    good = [score for score, label in judged if label]
    bad = [score for score, label in judged if not label]
    if not good or not bad:
        return "-"
    wins = sum((a > b) + 0.5 * (a == b) for a in good for b in bad)
    return f"{wins / (len(good) * len(bad)):.2f}"


def show(name, budget, result, usual, labels):
    pairs = [(old, new) for old, new in zip(usual["scores"], result["scores"]) if new is not None]
    changes = [new - old for old, new in pairs]
    rank = correlation([old for old, _ in pairs], [new for _, new in pairs])
    count = len(result["scores"])
    print(
        f"| {name} | {budget} | {mean(changes):+.3f} | {mean(map(abs, changes)):.3f} | {rank:.2f} "
        f"| {mean(result['kept']):.2f} | {area(result['scores'], labels)} "
        f"| {result['seconds'] / count:.1f} | {usual['seconds'] / result['seconds']:.1f} |",
        flush=True,
    )


if __name__ == "__main__":
    main()
