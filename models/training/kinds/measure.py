#!/usr/bin/env python3
"""A model's accuracy on the hand-written development pairs, by kind of error.

    measure.py VERIDIC MODEL [FILE.txt] [-- FLAG...]     without FILE: dev.txt of this folder; FLAGs go to `veridic nli`

VERIDIC is the program, MODEL what `--model` takes. Whole document and claim; a pair is right if its probability of entailment is at
least 0.5 exactly when it is entailed. "order": of the claims that one version of a document entails and the other does not, the share whose probability
is higher for the version that entails it. Then the same claims without their documents: an AUC of 0.5 shows that the claim alone does not decide. Needs
only Python.
"""
import json
import pathlib
import subprocess
import sys
import tempfile
from collections import defaultdict

from pairs import KINDS, pairs

HALF = 0.5


def probabilities_of(program, model, rows, flags):
    """The probability of entailment of each pair."""
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl", encoding="utf-8") as file:
        for row in rows:
            file.write(json.dumps({"premise": row["premise"], "hypothesis": row["hypothesis"]}) + "\n")
        file.flush()
        command = [program, "nli", "--input", file.name, "--model", model, "--truncate", "premise", "--quiet", *flags]
        output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    return [json.loads(line)["entailment"] for line in output.splitlines()]


def area(entailed, others):
    """ROC AUC: how often an entailed pair scores higher than another; ties count half."""
    wins = sum((high > low) + (high == low) / 2 for high in entailed for low in others)
    return wins / max(len(entailed) * len(others), 1)


def figures(rows):
    """The number of pairs, accuracy and ROC AUC of rows of (probability, is entailed)."""
    right = sum((probability >= HALF) == is_entailed for probability, is_entailed in rows) / max(len(rows), 1)
    entailed = [probability for probability, is_entailed in rows if is_entailed]
    others = [probability for probability, is_entailed in rows if not is_entailed]
    return f"{len(rows)} | {right:.3f}, {area(entailed, others):.3f}"


def order(rows, probabilities):
    """The number of claims that one version entails and another does not, and the share in the right order."""
    by_claim = defaultdict(list)
    for row, probability in zip(rows, probabilities):
        by_claim[row["document"], row["hypothesis"]].append((row["label"] == "entailment", probability))
    changed = [dict(versions) for versions in by_claim.values() if {is_entailed for is_entailed, _ in versions} == {False, True}]
    return len(changed), sum(versions[True] > versions[False] for versions in changed) / max(len(changed), 1)


def main():
    split = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    given, flags = sys.argv[1:split], sys.argv[split + 1 :]
    if len(given) not in (2, 3):
        sys.exit(__doc__)
    file = pathlib.Path(given[2]) if len(given) == 3 else pathlib.Path(__file__).parent / "dev.txt"
    rows = list(pairs(file))
    probabilities = probabilities_of(given[0], given[1], rows, flags)
    judged = [(row["kind"], (probability, row["label"] == "entailment")) for row, probability in zip(rows, probabilities)]
    print("| kind | pairs | right, AUC |\n|---|---|---|")
    for kind in (kind for kind in KINDS if any(kind == of for of, _ in judged)):
        print(f"| {kind} | {figures([pair for of, pair in judged if of == kind])} |")
    print(f"| all | {figures([pair for _, pair in judged])} |")
    count, share = order(rows, probabilities)
    print(f"order: {share:.3f} of {count}")
    for name, premises in (("no document", ["Nothing."] * len(rows)), ("another document", another(rows))):
        probabilities = probabilities_of(given[0], given[1], [{**row, "premise": premise} for row, premise in zip(rows, premises)], flags)
        judged = [(probability, row["label"] == "entailment") for row, probability in zip(rows, probabilities)]
        print(f"{name}: {figures(judged)}, mean {sum(probabilities) / len(probabilities):.2f}")


def another(rows):
    """For each row the document that comes next in the file."""
    documents = list(dict.fromkeys(row["document"] for row in rows))
    first = {row["document"]: row["premise"] for row in reversed(rows)}
    follows = dict(zip(documents, documents[1:] + documents[:1]))
    return [first[follows[row["document"]]] for row in rows]


if __name__ == "__main__":
    main()
