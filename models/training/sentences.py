#!/usr/bin/env python3
"""Writes pairs of single sentences made from the documents of `pairs/`, for a short last stage: on pairs with whole documents alone a model forgets to
read numbers in a sentence.

    sentences.py OUT.jsonl [--choices 620] [--numbers 450] [--held-out] [--seed 11]

Each of --choices sentences that the two versions of a document word differently is paired with itself and with the other version's; each of --numbers
sentences with a number is paired with itself, and after a digit has been changed. Documents that kinds/pairs.py holds out are left out; with --held-out only these are
taken.
"""
import argparse
import json
import pathlib
import random
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "kinds"))
from pairs import CHOICE, Malformed, documents, is_held_out, version  # noqa: E402

SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"“{])")
NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
WORDS = range(5, 46)


def split(text):
    return [sentence for line in text.splitlines() for sentence in SENTENCE.split(line) if sentence]


def sentences(held_out):
    """The sentences, with their choices, of all documents that are held out, or of all others."""
    for path in sorted((pathlib.Path(__file__).parent / "pairs").glob("*.txt")):
        for name, _, text, _ in documents(path):
            if is_held_out({"document": name}) == held_out:
                yield from split(text)


def versions(sentence):
    try:
        both = [version(sentence, which) for which in (0, 1)]
    except Malformed:  # a choice of several sentences, cut
        return None
    return both if all(len(text.split()) in WORDS for text in both) else None


def other_number(sentence, chance):
    """The sentence with two digits of a number exchanged, or one replaced; None if nothing has changed."""
    number = chance.choice(list(NUMBER.finditer(sentence)))
    digits, places = list(number.group()), [place for place, sign in enumerate(number.group()) if sign.isdigit()]
    if len(places) > 1 and chance.random() < 0.6:
        one, other = chance.sample(places, 2)
        digits[one], digits[other] = digits[other], digits[one]
    else:
        place = chance.choice(places)
        digits[place] = str((int(digits[place]) + chance.randint(1, 9)) % 10)
    changed = "".join(digits)
    is_number = not re.search(r"\b0\d", changed)
    return sentence[: number.start()] + changed + sentence[number.end() :] if is_number and changed != number.group() else None


def row(premise, hypothesis):
    return {"premise": premise, "hypothesis": hypothesis, "label": "entailment" if premise == hypothesis else "not_entailment"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--choices", type=int, default=620)
    parser.add_argument("--numbers", type=int, default=450)
    parser.add_argument("--held-out", action="store_true")
    parser.add_argument("--seed", type=int, default=11)
    given = parser.parse_args()
    chance, found = random.Random(given.seed), list(sentences(given.held_out))
    changed = [both for sentence in found if len(CHOICE.findall(sentence)) == 1 and (both := versions(sentence)) and both[0] != both[1]]
    rows = [row(premise, hypothesis) for both in chance.sample(changed, given.choices) for premise in both for hypothesis in both]
    numbered = [both[0] for sentence in found if (both := versions(sentence)) and NUMBER.search(both[0])]
    made = ((sentence, other_number(sentence, chance)) for sentence in chance.sample(numbered, len(numbered)))
    for sentence, other in [pair for pair in made if pair[1]][: given.numbers]:
        premise, hypothesis = chance.sample([sentence, other], 2)
        rows += [row(hypothesis, hypothesis), row(premise, hypothesis)]
    given.out.write_text("".join(json.dumps(each, ensure_ascii=False) + "\n" for each in rows), encoding="utf-8")


if __name__ == "__main__":
    main()
