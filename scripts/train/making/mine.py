"""Mines false alarms: of each claim's candidates, keeps the texts with the highest entailment.

    python mine.py PAIRS2 [--veridic BINARY --model FOLDER] [--keep 1] [--groups N]

The engine scores a claim by the premise that entails it most, so one false alarm among
many sentences is enough. `make_pairs.py` writes candidates to PAIRS2/near: texts near a
claim, none of which is its source. The engine scores them with the given model, and the
`--keep` texts with the highest entailment become not_entailment pairs in
PAIRS2/false_alarms.jsonl, one `group` a claim (the trainer of mini's versions 1 and 2 used
its maximum). Without a model it keeps, for each claim, the text that shares the rarest words
with it, and for every second claim the text after its source.
"""

import argparse
import json
import random
import subprocess
import tempfile
from collections import defaultdict
from pathlib import Path

from failure import Failure, run
from make_pairs import write


def entailment(rows: list[dict], veridic: Path, model: Path, threads: int) -> list[float | None]:
    """The probability of entailment of each row; None if the engine cannot score it."""
    with tempfile.TemporaryDirectory() as folder:
        candidates = Path(folder) / "candidates.jsonl"
        candidates.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        command = [veridic, "nli", "--model", model, "--input", candidates, "--dtype", "int8", "--truncate", "premise",
                   "--quiet", "--threads", str(threads)]
        try:
            done = subprocess.run(command, capture_output=True, check=True)
        except OSError as error:
            raise Failure(f"{veridic}: cannot be run ({error.strerror}); build it with cargo build --release") from None
        except subprocess.CalledProcessError as error:
            raise Failure(f"{veridic}: {error.stderr.decode(errors='replace').strip()[-300:]}") from None
    return [json.loads(line).get("entailment") for line in done.stdout.splitlines()]


def worst(rows: list[dict], scores: list[float | None], keep: int) -> list[dict]:
    """The `keep` rows of each group with the highest scores, the earlier one in a tie, in the order of the rows."""
    groups = defaultdict(list)
    for number, (row, score) in enumerate(zip(rows, scores, strict=True)):
        if score is not None:
            groups[row["group"]].append((-score, number))
    kept = sorted(number for members in groups.values() for _, number in sorted(members)[:keep])
    return [rows[number] for number in kept]


def nearest(rows: list[dict], keep: int) -> list[dict]:
    """The first rows of each group, which are the nearest, and sometimes the last, if it is of the claim's own document."""
    choose, groups, kept = random.Random(1), defaultdict(list), []
    for row in rows:
        groups[row["group"]].append(row)
    for members in groups.values():
        kept += members[:keep]
        if len(members) >= keep and members[-1]["source"] == "made_rest" and choose.random() < 0.5:
            kept.append(members[-1])
    return kept


def some_groups(rows: list[dict], count: int) -> list[dict]:
    """The rows of `count` groups, sampled with a fixed seed, in their order."""
    groups = list(dict.fromkeys(row["group"] for row in rows))
    kept = set(random.Random(1).sample(groups, min(count, len(groups))))
    return [row for row in rows if row["group"] in kept]


def main():
    parser = argparse.ArgumentParser(description="Keep the candidates with the highest entailment.")
    parser.add_argument("pairs", type=Path, help="what make_pairs.py wrote")
    parser.add_argument("--veridic", type=Path, help="the veridic program")
    parser.add_argument("--model", type=Path, help="an exported model; at least ten minutes for 47,000 candidates on two cores")
    parser.add_argument("--keep", type=int, default=1, help="candidates of each claim (default 1)")
    parser.add_argument("--groups", type=int, help="number of claims whose candidates are scored (default all)")
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    if (arguments.model is None) != (arguments.veridic is None):
        raise Failure("--model and --veridic go together")
    candidates = arguments.pairs / "near" / "candidates.jsonl"
    if not candidates.is_file():
        raise Failure(f"{candidates}: no such file; make_pairs.py writes it")
    rows = [json.loads(line) for line in candidates.read_text(encoding="utf-8").splitlines()]
    rows = some_groups(rows, arguments.groups or len(rows))
    kept = nearest(rows, arguments.keep)
    if arguments.model:
        scores = entailment(rows, arguments.veridic, arguments.model, arguments.threads)
        if len(scores) != len(rows):
            raise Failure(f"{arguments.veridic}: scored {len(scores)} of {len(rows)} candidates")
        kept = worst(rows, scores, arguments.keep)
    write(arguments.pairs / "false_alarms.jsonl", kept)


if __name__ == "__main__":
    run(main)
