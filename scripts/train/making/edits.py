"""Changes that make a claim false: one string of it replaced by another of the same kind.

Every edit is a plain replacement, so it can also be made in the premise, and then the
edited premise entails the edited claim. `make_pairs.py` uses both directions, so that a
hypothesis alone does not show whether it is supported.

Kinds: name, place, nationality, number, date, unit, opposite, negation, modality,
roles (two names exchange places), subject (another sentence's subject). An edit that is
`one_way` weakens: the edited premise no longer entails the claim, but the unedited
premise still entails, or nearly entails, the edited claim.
"""

import json
import random
import re
from dataclasses import dataclass
from pathlib import Path

WORDS = json.loads(Path(__file__).with_name("words.json").read_text(encoding="utf-8"))
NAME = re.compile(r"(?:[A-Z][\w’'.-]*[\w]|[A-Z])(?: (?:(?:of|the|and|de|van|von|al|bin) )?(?:[A-Z][\w’'.-]*[\w]|[A-Z]\.))*")
NUMBER = re.compile(r"(?<![\w.,])\d[\d,]*(?:\.\d+)?(?![\w])")
TITLES = ("Mr", "Mrs", "Ms", "Dr", "President", "Sir", "Lord", "Lady", "Professor", "Senator", "Captain", "Judge", "King", "Queen")
ORGANISATION = re.compile(r"\b(?:Inc|Corp|Company|University|Party|Bank|Department|Committee|Council|School|College|Church|Court|"
                          r"Association|Agency|Ministry|Institute|Club|League|Museum|Group|Records|Army|Navy|Congress|Senate)\b")
NOT_NAMES = {"I", "The", "A", "An", "This", "That", "These", "Those", "He", "She", "It", "They", "We", "You", "His", "Her", "Its", "Their", "Our",
             "My", "In", "On", "At", "But", "And", "Or", "If", "When", "While", "After", "Before", "As", "For", "From", "By", "With", "There",
             "Here", "What", "Who", "How", "Why", "Where", "Not", "No", "Yes", "So", "Then", "Some", "Many", "Most", "All", "One", "Two",
             "Such", "Both", "Each", "Every", "Another", "Other", "Only", "Also", "Now", "However", "Although", "Since", "Because", "To", "Of"}
AUXILIARY = re.compile(r" (is|are|was|were|has|have|had|will|would|can|could|should|may|must|did|does|do) (?!not\b|n't)")
SUBJECT = re.compile(r"^((?:[\w’'.,-]+ ){1,7}?)(is|are|was|were|has|have|had|will|would|can|could) ")
PRONOUNS = {"he", "she", "it", "they", "we", "you", "i", "this", "that", "these", "those", "there", "who", "which", "what"}


def whole_words(forms) -> re.Pattern:
    """Any of the forms as whole words, the longest first, in either case."""
    alternatives = sorted(forms, key=lambda form: (-len(form), form))
    return re.compile("|".join(rf"(?<!\w){re.escape(form)}(?!\w)" for form in alternatives), re.IGNORECASE)


@dataclass(frozen=True)
class Edit:
    """`old` becomes `new`; under `exchange` also `new` becomes `old`."""

    kind: str
    old: str
    new: str
    exchange: bool = False
    one_way: bool = False

    def apply(self, text: str) -> str:
        """The text with every whole-word occurrence replaced; a capital at the start of `text` is kept."""
        forms = {self.old: self.new} | ({self.new: self.old} if self.exchange else {})
        lowered = {old.lower(): new for old, new in forms.items()}

        def replaced(found):
            new = lowered[found[0].lower()]
            return new[:1].upper() + new[1:] if found[0][:1].isupper() else new

        return whole_words(forms).sub(replaced, text)

    def places(self, text: str) -> list[list[int]]:
        """Where the edited words are in the text, before or after the edit: [from, to), in characters."""
        return [[found.start(), found.end()] for found in whole_words({self.old, self.new}).finditer(text)]


def names(text: str) -> list[str]:
    """Capitalised strings that are probably names, found without a tagger."""
    found = []
    for match in NAME.finditer(text):
        words = match[0].split()
        start = match.start()
        while words and words[0] in NOT_NAMES:
            start += len(words[0]) + 1
            words = words[1:]
        name = " ".join(words).removesuffix("'s").removesuffix("’s").rstrip(".'’-")
        at_start = start == 0 or text[max(0, start - 2):start] in (". ", '" ', "? ", "! ", ": ") or text[start - 1:start] == "\n"
        if len(name) > 1 and not (at_start and len(words) == 1 and words[0] not in WORDS["first_names"] + WORDS["speakers"] + WORDS["places"]):
            found.append(name)
    return list(dict.fromkeys(found))


def name_kind(name: str) -> str:
    """person, place, organisation, nationality, month, day or name (anything else)."""
    first = name.split()[0].rstrip(".")
    for kind, listed in (("place", "places"), ("nationality", "nationalities"), ("month", "months"), ("day", "days")):
        if name in WORDS[listed]:
            return kind
    if first in WORDS["first_names"] or first in TITLES:
        return "person"
    if ORGANISATION.search(name):
        return "organisation"
    return "name" if len(name.split()) == 1 else "names"


class NamePool:
    """Names of all documents by kind, for texts without a second name of a kind."""

    def __init__(self, texts):
        self.by_kind = {}
        for text in texts:
            for name in names(text):
                self.by_kind.setdefault(name_kind(name), {})[name] = None
        self.by_kind = {kind: list(members) for kind, members in self.by_kind.items()}

    def other(self, name: str, context: str, choose: random.Random) -> str | None:
        """A name of the same kind, in three of four cases from the context, if it has one."""
        kind = name_kind(name)
        near = [one for one in names(context) if name_kind(one) == kind and not overlap(one, name)]
        far = [one for one in choose.sample(self.by_kind.get(kind, []), min(3, len(self.by_kind.get(kind, []))))
               if not overlap(one, name)]
        if near and (choose.random() < 0.75 or not far):
            return choose.choice(near)
        return choose.choice(far) if far else None


def overlap(one: str, other: str) -> bool:
    """Whether two names share a word: they may mean the same."""
    return bool(set(one.lower().split()) & set(other.lower().split()))


def name_edits(claim, context, pool, choose):
    for name in names(claim):
        if name_kind(name) not in ("month", "day"):
            other = pool.other(name, context, choose)
            if other:
                yield Edit("nationality" if name_kind(name) == "nationality" else "name", name, other)


def role_edits(claim, context, pool, choose):
    found = names(claim)
    for one, other in zip(found, found[1:]):
        between = claim[claim.find(one) + len(one):claim.find(other)]
        if not overlap(one, other) and len(between.split()) > 1 and not re.fullmatch(r"\W*(and|or|,|with|&)\W*", between):
            yield Edit("roles", one, other, exchange=True)


def changed_number(number: str, choose: random.Random) -> str:
    """Another number of about the same size and form; a year changes by a few."""
    digits = number.replace(",", "")
    if "." in digits:
        whole, decimals = digits.split(".")
        return f"{max(0, int(whole) + choose.choice((-3, -2, -1, 1, 2, 3, 5)))}.{decimals}"
    value = int(digits)
    if 1000 <= value <= 2100 and "," not in number:
        return str(value + choose.choice((-30, -11, -10, -5, -3, -2, -1, 1, 2, 3, 4, 7, 10, 20)))
    step = max(1, value // 10)
    new = choose.choice((value + step * choose.randint(1, 9), max(0, value - step * choose.randint(1, 6)), value * 2, value + 1))
    new += new == value
    return f"{new:,}" if "," in number else str(new)


def number_edits(claim, context, pool, choose):
    for found in NUMBER.finditer(claim):
        if len(found[0]) <= 12:
            others = [other[0] for other in NUMBER.finditer(context) if len(other[0]) == len(found[0]) and other[0] != found[0]]
            near = others and choose.random() < 0.4
            yield Edit("number", found[0], choose.choice(others) if near else changed_number(found[0], choose))
    for word in claim.lower().split():
        for listed in ("numbers", "ordinals"):
            if word in WORDS[listed] and word != "one":
                yield Edit("number", word, choose.choice([other for other in WORDS[listed] if other != word]))


def date_edits(claim, context, pool, choose):
    for listed in ("months", "days"):
        for word in WORDS[listed]:
            if word != "May" and re.search(rf"\b{word}\b", claim):
                yield Edit("date", word, choose.choice([other for other in WORDS[listed][:-3] if other != word]))


def unit_edits(claim, context, pool, choose):
    for units in WORDS["units"]:
        for unit in units:
            if re.search(rf"\b{unit}\b", claim):
                yield Edit("unit", unit, choose.choice([other for other in units if other != unit]))


def opposite_edits(claim, context, pool, choose):
    words = set(re.findall(r"\w+", claim))
    for pair in WORDS["opposites"]:
        for old, new in (pair, pair[::-1]):
            if old in words:
                yield Edit("opposite", old, new)


def negation_edits(claim, context, pool, choose):
    """Puts a "not" behind an auxiliary, together with two words around it so that no other place is hit."""
    for found in AUXILIARY.finditer(claim):
        before = claim[:found.start()].split()[-1:]
        after = claim[found.end():].split()[:1]
        if before and after and not after[0][0].isupper():
            old = f"{before[0]} {found[1]} {after[0]}".rstrip(".,")
            verb = "was never" if found[1] == "was" and choose.random() < 0.2 else f"{found[1]} not"
            yield Edit("negation", old, f"{before[0]} {verb} {after[0]}".rstrip(".,"))


def modality_edits(claim, context, pool, choose):
    for strong, weak in WORDS["weaker"]:
        found = re.search(rf"(\w+) {strong} (\w+)", claim)
        if found and found[2] != "not":
            yield Edit("modality", found[0], f"{found[1]} {weak} {found[2]}", one_way=True)


def subject_of(sentence: str) -> str | None:
    """The words before the first auxiliary, if they can be moved: no pronoun, no comma."""
    found = SUBJECT.match(sentence)
    if not found:
        return None
    subject = found[1].strip()
    usable = subject.split()[0].lower() not in PRONOUNS and "," not in subject and subject[0].isupper()
    return subject if usable else None


def subject_edits(claim, context, pool, choose):
    """One sentence's fact with another sentence's subject."""
    subject = subject_of(claim)
    if not subject:
        return
    others = [other for other in map(subject_of, re.split(r"(?<=[.!?]) ", context)) if other and not overlap(other, subject)]
    if others:
        yield Edit("subject", subject, choose.choice(others))


MAKERS = (name_edits, name_edits, role_edits, number_edits, date_edits, unit_edits, opposite_edits, opposite_edits, negation_edits,
          modality_edits, subject_edits, subject_edits)


def choose_edit(claim: str, sentence: str, context: str, pool: NamePool, choose: random.Random) -> Edit | None:
    """An edit that changes both claim and sentence, of a kind drawn at random among those that apply."""
    makers = list(MAKERS)
    choose.shuffle(makers)
    for maker in makers:
        found = [edit for edit in maker(claim, context, pool, choose)
                 if all(edit.apply(text).lower() != text.lower() for text in (claim, sentence))]
        if found:
            return choose.choice(found)
    return None
