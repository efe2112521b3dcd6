"""Paraphrases a claim without changing its meaning.

Synonyms, numbers as words, passive to active, "said that" to "according to", a leading
adverbial moved to the end. Applied to hypotheses of every label, so that rewording does
not predict support.
"""

import random
import re

from edits import WORDS

MOST_WORD_CHANGES = 3
IRREGULAR = {"written": "wrote", "made": "made", "built": "built", "won": "won", "led": "led", "held": "held", "sold": "sold", "bought": "bought",
             "given": "gave", "taken": "took", "shot": "shot", "found": "found", "sung": "sang", "chosen": "chose", "seen": "saw", "told": "told"}
PASSIVE = re.compile(r"^(?P<patient>[^,;]{3,60}?) (?:was|were|is|are|has been|have been) (?P<verb>\w+) by (?P<agent>(?:the |a |an )?[A-Z\w][^,;.]{2,50})\.$")
REPORTED = re.compile(r"^(?P<who>[A-Z][\w.’'-]*(?: [A-Z][\w.’'-]*){0,3}) (?:said|says|stated|reported|reports) (?:that )?(?P<what>[a-z][^\"“”]{10,})\.$")
LEADING = re.compile(r"^(?P<when>(?:In|On|At|During|After|Before|By|Since|Until|For|With) [^,]{3,50}), (?P<rest>[^\"“”]{12,})\.$")
TRAILING = re.compile(r"^(?P<rest>[^,\"“”]{12,}) (?P<when>in (?:[A-Z]\w+ )?\d{4}|on (?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)\.$")
ASIDE = re.compile(r"^(?P<name>[A-Z][\w’'-]*(?: [A-Z][\w’'.-]*){0,3}), (?P<what>(?:a|an|the) [^,]{4,60}), (?P<rest>[^,\"]{8,})\.$")


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def uncapital(text: str) -> str:
    """Lower-cases the first letter of a word that never needs a capital."""
    first = text.split(" ", 1)[0]
    return text[:1].lower() + text[1:] if first in ("The", "A", "An", "This", "It", "He", "She", "They", "We", "There", "His", "Her", "Its") else text


def active(claim: str) -> str | None:
    """"X was founded by Y." -> "Y founded X." """
    found = PASSIVE.match(claim)
    if not found or found["verb"].startswith("not"):
        return None
    verb = IRREGULAR.get(found["verb"], found["verb"] if found["verb"].endswith("ed") else None)
    return f"{capital(found['agent'])} {verb} {uncapital(found['patient'])}." if verb else None


def according_to(claim: str) -> str | None:
    found = REPORTED.match(claim)
    return f"According to {uncapital(found['who'])}, {found['what']}." if found else None


def adverbial_last(claim: str) -> str | None:
    found = LEADING.match(claim)
    return f"{capital(found['rest'])} {uncapital(found['when'])}.".replace(" In ", " in ").replace(" On ", " on ") if found else None


def adverbial_first(claim: str) -> str | None:
    found = TRAILING.match(claim)
    return f"{capital(found['when'])}, {uncapital(found['rest'])}." if found else None


def aside_alone(claim: str) -> str | None:
    """"Ann, a doctor, left." -> "Ann is a doctor." """
    found = ASIDE.match(claim)
    return f"{found['name']} is {found['what']}." if found else None


def other_words(claim: str, choose: random.Random) -> str:
    """Replaces up to three words or phrases by synonyms."""
    pairs = [pair for pair in WORDS["alike"] if pair[0] in claim]
    choose.shuffle(pairs)
    for old, new in pairs[:MOST_WORD_CHANGES]:
        ends = "" if old.endswith(" ") else r"(?![\w-])"
        claim = re.sub(rf"(?<![\w.,$-]){re.escape(old)}{ends}", new, claim, count=1)
    return claim


def reword(claim: str, choose: random.Random) -> str:
    """The paraphrased claim; sometimes, or if no rule applies, unchanged."""
    shapes = [made for made in (active(claim), according_to(claim), adverbial_last(claim), adverbial_first(claim)) if made]
    if shapes and choose.random() < 0.7:
        claim = choose.choice(shapes)
    if choose.random() < 0.7:
        claim = other_words(claim, choose)
    return capital(re.sub(r" {2,}", " ", claim))
