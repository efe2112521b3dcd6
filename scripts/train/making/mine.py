"""Training for the maximum: of each claim's candidates, keeps the texts that fool the model most.

    python mine.py PAIRS2 [--veridic BINARY --model FOLDER] [--keep 1] [--groups N]

The engine scores a claim by the premise that entails it most, so one false alarm among
many sentences is enough. `make_pairs.py` leaves candidates in PAIRS2/near: texts near a
claim of which none is its source. The engine scores them all with the model given, and the
`--keep` with the highest probability of entailment become pairs, not_entailment, in
PAIRS2/false_alarms.jsonl, a `group` each claim (the trainer of mini's versions 1 and 2 weighed its maximum). Without a
model it keeps of each claim the text that shares the rarest words with it, and for every
second claim what stands behind its source.
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
    """The probability of entailment of each row; None where the engine could not score it."""
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
    """Of each group the `keep` rows with the highest scores, the earlier of two alike, in the order of the rows."""
    groups = defaultdict(list)
    for number, (row, score) in enumerate(zip(rows, scores, strict=True)):
        if score is not None:
            groups[row["group"]].append((-score, number))
    kept = sorted(number for members in groups.values() for _, number in sorted(members)[:keep])
    return [rows[number] for number in kept]


def nearest(rows: list[dict], keep: int) -> list[dict]:
    """Of each group its first rows, which are the nearest, and at times its last, if that is of the claim's own document."""
    choose, groups, kept = random.Random(1), defaultdict(list), []
    for row in rows:
        groups[row["group"]].append(row)
    for members in groups.values():
        kept += members[:keep]
        if len(members) >= keep and members[-1]["source"] == "made_rest" and choose.random() < 0.5:
            kept.append(members[-1])
    return kept


def some_groups(rows: list[dict], count: int) -> list[dict]:
    """The rows of `count` groups, drawn with a fixed seed, in their order."""
    groups = list(dict.fromkeys(row["group"] for row in rows))
    kept = set(random.Random(1).sample(groups, min(count, len(groups))))
    return [row for row in rows if row["group"] in kept]


def main():
    parser = argparse.ArgumentParser(description="Keep the candidates that a model takes for entailed.")
    parser.add_argument("pairs", type=Path, help="what make_pairs.py wrote")
    parser.add_argument("--veridic", type=Path, help="the veridic program")
    parser.add_argument("--model", type=Path, help="an exported model; ten minutes and more for 47,000 candidates on two cores")
    parser.add_argument("--keep", type=int, default=1, help="candidates of each claim (default 1)")
    parser.add_argument("--groups", type=int, help="claims whose candidates are looked at (default all)")
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
