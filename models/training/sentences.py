#!/usr/bin/env python3
"""Writes pairs of single sentences made from the documents of `pairs/`, for a short last stage: on pairs with whole documents alone a model forgets to
read numbers in a sentence.

    sentences.py OUT.jsonl [--choices 620] [--numbers 450] [--notations 0] [--seed 11]

Each of --choices sentences that the two versions of a document word differently is paired with itself and with the other version's; each of --numbers
sentences with a number is paired with itself, and after a digit has been changed; each of --notations is paired with the same number in another
notation ("7.5 hours", "seven and a half hours") and with another number in it. Documents that kinds/pairs.py holds out are left out.
"""
import argparse
import itertools
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

SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
).split()
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
ORDINALS = {
    "one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth", "twelve": "twelfth",
    **{tens: tens[:-1] + "ieth" for tens in TENS},
}  # fmt: skip


def in_words(number):
    """A number below a million."""
    if number < 20:
        return SMALL[number]
    for size, name in ((1000, "thousand"), (100, "hundred")):
        if number >= size:
            rest = f" and {in_words(number % size)}" if 0 < number % size < 100 else f" {in_words(number % size)}" if number % size else ""
            return f"{in_words(number // size)} {name}{rest}"
    return TENS[number // 10 - 2] + (f"-{SMALL[number % 10]}" if number % 10 else "")


def ordinal(number):
    start, hyphen, last = in_words(number).rpartition("-")
    return start + hyphen + ORDINALS.get(last, last + "th")


def suffixed(number):
    return f"{number}{'th' if number % 100 in (11, 12, 13) else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"


CENTURIES = {word: number for number in range(11, 21) for word in (ordinal(number), suffixed(number))}
IN_WORDS = {in_words(number): number for number in range(2, 100)}
MILLION = 1_000_000
# How a number is found, its value, other values that it is mistaken for, and the ways to write it.
NOTATIONS = [
    (
        re.compile(r"\b(\d+)(?:\.5|½| 1/2|-1/2)(?= \w)"),
        lambda found: int(found[1]),
        lambda value: [value + 1, value + 2, value * 10],
        [lambda n: f"{in_words(n)} and a half", lambda n: f"{n} 1/2", lambda n: f"{n}½", lambda n: f"{n}.5"],
    ),
    (
        re.compile(r"(?<![\d,.])(\d+(?:\.\d\d?)?) million\b"),
        lambda found: round(float(found[1]) * MILLION),
        lambda value: [value * 10, value // 10, value + MILLION],
        [lambda n: f"{n:,}"],
    ),
    (
        re.compile(r"(?<![\d,.])(\d+(?:\.\d+)?) ?(?:%|per ?cent)"),
        lambda found: float(found[1]),
        lambda value: [value + 10, value + 1, 100.5 - value],
        [lambda n: f"{n:g} percent", lambda n: f"{n:g}%", lambda n: f"{in_words(int(n)) if n == int(n) else f'{n:g}'} per cent"],
    ),
    (
        re.compile(r"(?<![\d:])(1[3-9]|2[0-3]):([0-5]\d)(?![\d:])"),
        lambda found: (int(found[1]), found[2]),
        lambda value: [((value[0] - 12) % 11 + 13, value[1]), (value[0], f"{(int(value[1]) + 15) % 60:02}")],
        [lambda time: f"{time[0] - 12}:{time[1]} p.m."],
    ),
    (
        re.compile(r"\b(1[89]|20)(\d\d)[-–/](\d\d)(?![\d-])"),
        lambda found: int(found[1] + found[2]),
        lambda value: [value + 1, value - 1, value + 10],
        [lambda n: f"{n}-{n + 1}", lambda n: f"{n}/{(n + 1) % 100:02}"],
    ),
    (
        re.compile(r"\b(" + "|".join(CENTURIES) + r")[ -]century"),
        lambda found: CENTURIES[found[1]],
        lambda value: [value + 1, value - 1],
        [lambda n: f"{n - 1}00s", lambda n: f"{ordinal(n)} century", lambda n: f"{suffixed(n)} century"],
    ),
    (
        re.compile(r"\b(\d\d?)(?:st|nd|rd|th)\b(?! century)"),
        lambda found: int(found[1]),
        lambda value: [value + 1, value + 10],
        [ordinal],
    ),
    (
        re.compile(r"\b(" + "|".join(sorted(IN_WORDS, key=len, reverse=True)) + r")\b(?!-| hundred| thousand| million| and a half)"),
        lambda found: IN_WORDS[found[1]],
        lambda value: [value + 1, value + 10, value * 10],
        [str],
    ),
    (
        re.compile(r"(?<![\d.,:/$€£-])([2-9]|[1-9]\d|[1-9]\d\d)(?![\w:/%-]|[.,]\d| (?:million|January|February|March|April|May|June|July|August|September)| (?:October|November|December))"),
        lambda found: int(found[1]),
        lambda value: [value + 1, value + 10, value * 10],
        [in_words],
    ),
]  # fmt: skip


def sentences():
    """The sentences of all documents that are not held out, with their choices."""
    for path in sorted((pathlib.Path(__file__).parent / "pairs").glob("*.txt")):
        for name, _, text, _ in documents(path):
            if not is_held_out({"document": name}):
                yield from (sentence for line in text.splitlines() for sentence in SENTENCE.split(line))


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


def in_another_notation(sentence, notation, chance):
    """The sentence with a number in another notation, and with another number; None if it has no such number."""
    pattern, value_of, mistaken, ways = notation
    places = list(pattern.finditer(sentence))
    if not places:
        return None
    place = chance.choice(places)
    value, write = value_of(place), chance.choice(ways)
    texts = [sentence[: place.start()] + write(number) + sentence[place.end() :] for number in (value, chance.choice(mistaken(value)))]
    return None if sentence in texts else [text[0].upper() + text[1:] for text in texts]


def row(premise, hypothesis, is_same=None):
    is_same = premise == hypothesis if is_same is None else is_same
    return {"premise": premise, "hypothesis": hypothesis, "label": "entailment" if is_same else "not_entailment"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--choices", type=int, default=620)
    parser.add_argument("--numbers", type=int, default=450)
    parser.add_argument("--notations", type=int, default=0)
    parser.add_argument("--seed", type=int, default=11)
    given = parser.parse_args()
    chance, found = random.Random(given.seed), list(sentences())
    changed = [both for sentence in found if len(CHOICE.findall(sentence)) == 1 and (both := versions(sentence)) and both[0] != both[1]]
    rows = [row(premise, hypothesis) for both in chance.sample(changed, given.choices) for premise in both for hypothesis in both]
    numbered = [both[0] for sentence in found if (both := versions(sentence)) and NUMBER.search(both[0])]
    made = ((sentence, other_number(sentence, chance)) for sentence in chance.sample(numbered, len(numbered)))
    for sentence, other in [pair for pair in made if pair[1]][: given.numbers]:
        premise, hypothesis = chance.sample([sentence, other], 2)
        rows += [row(hypothesis, hypothesis), row(premise, hypothesis)]
    plain = [both[0] for sentence in found if (both := versions(sentence))]
    for notation in NOTATIONS:
        shuffled = chance.sample(plain, len(plain))
        made = ((sentence, texts) for sentence in shuffled if (texts := in_another_notation(sentence, notation, chance)))
        for sentence, texts in itertools.islice(made, given.notations // len(NOTATIONS)):
            forward = chance.random() < 0.5
            rows += [row(*((sentence, text) if forward else (text, sentence)), is_same) for text, is_same in zip(texts, (True, False))]
    given.out.write_text("".join(json.dumps(each, ensure_ascii=False) + "\n" for each in rows), encoding="utf-8")


if __name__ == "__main__":
    main()
