"""Makes a few hundred toy pairs for smoke.sh. Good for testing the chain, useless for a model.

    python synthetic_pairs.py FOLDER [COUNT]

Two files, as a folder of pairs may have several; all four labels; every premise twice,
so that the dev split has something to keep together.
"""

import json
import random
import sys
from pathlib import Path

PEOPLE = ("Anna", "The mayor", "A young farmer", "Dr. Okafor", "The older sister", "Mr. Lindqvist")
ACTIONS = (("sold", "bought"), ("painted", "burned"), ("repaired", "broke"), ("found", "lost"))
THINGS = ("boats", "wooden chairs", "bicycles", "old maps", "clay pots")
PLACES = ("in Lisbon", "near the harbour", "at the village fair", "behind the school")


def make_pairs(count: int) -> list[dict]:
    """`count` pairs, the same ones every time."""
    choose = random.Random(0)
    pairs = []
    while len(pairs) < count:
        person, thing, place = choose.choice(PEOPLE), choose.choice(THINGS), choose.choice(PLACES)
        verb, opposite = choose.choice(ACTIONS)
        number, year = choose.randint(3, 90), choose.randint(1950, 2020)
        premise = f"In {year}, {person} {verb} {number} {thing} {place}, and the neighbours still talk about it."
        hypotheses = [
            ("entailment", f"{person} {verb} {thing} {place}."),
            ("contradiction", f"{person} never {verb} any {thing}."),
            ("neutral", f"{person} was tired after the {thing} were gone."),
            ("not_entailment", f"{person} {opposite} {number + 7} {thing} {place}."),
        ]
        for label, hypothesis in choose.sample(hypotheses, 2):
            pairs.append({"premise": premise, "hypothesis": hypothesis, "label": label, "source": f"toy_{label}"})
    return pairs[:count]


def main():
    folder = Path(sys.argv[1])
    pairs = make_pairs(int(sys.argv[2]) if len(sys.argv) > 2 else 200)
    folder.mkdir(parents=True, exist_ok=True)
    for name, part in (("first.jsonl", pairs[::2]), ("second.jsonl", pairs[1::2])):
        (folder / name).write_text("".join(json.dumps(pair) + "\n" for pair in part), encoding="utf-8")


if __name__ == "__main__":
    main()
