"""Makes the pairs of the second stage from a folder of pairs: premises as in documents, claims as in summaries.

    python make_pairs.py PAIRS OUT --veridic BINARY [--mixture FILE] [--seed N]

OUT receives files for train.py, and candidates.jsonl in OUT/near for mine.py:
    claims.jsonl      a document's sentences and their edits (edits.py), against the
                      document and the document with the same edit: four pairs, of which two
                      are entailed, so that the claim alone does not give its label away
    details.jsonl     a claim with a detail that was removed from the premise
    dialogues.jsonl   claims about speakers; edits give the wrong speaker, number or time
    wrapped.jsonl     the folder's own pairs, with their premise among other sentences
    replayed.jsonl    the folder's own pairs unchanged
    near/...          true claims against texts that share many words but lack their source
"""

import argparse
import json
import random
import re
from collections import Counter, defaultdict
from pathlib import Path

from contexts import LENGTHS, around, looks, padded
from dialogues import exchange, mixed, speech
from documents import Document, read_documents
from edits import WORDS, Edit, NamePool, choose_edit, names
from failure import Failure, run
from nearness import Index, words
from pairs import LABELS, NOT_ENTAILMENT, Pair, cap_sources, read_folder
from phrasing import aside_alone, capital, reword, uncapital

CONTRADICTING = {"number", "date", "unit", "opposite", "negation"}  # other kinds may also be neutral
CANDIDATES = 5  # texts near a claim, of which mine.py keeps the most entailed
LARGEST_COVERAGE = 0.7  # share of a claim's words: a text with more may well entail it
WRAPPED_LENGTHS = (2, 2, 2, 3, 3, 4, 6, 10)  # sentences and more, equally likely
JOINED_SHARE = 0.2
FIRST_PERSON = re.compile(r"(I|I'm|I've|I'll|I'd|My|We|But I|And I|So I|Well, I|Yes, I|No, I)\b[^?]*$")


def pair(premise: str, hypothesis: str, label: str, source: str) -> dict:
    return {"premise": premise, "hypothesis": hypothesis, "label": label, "source": source}


def both_ways(premise: str, claim: str, edit: Edit, source: str) -> list[dict]:
    """Claim and edited claim against premise and edited premise."""
    exchanged = Edit(edit.kind, edit.old, edit.new, edit.exchange or edit.new.lower() in premise.lower())
    other_premise, other_claim = exchanged.apply(premise), edit.apply(claim)
    label = "contradiction" if edit.kind in CONTRADICTING else NOT_ENTAILMENT

    def wrong(premise: str, claim: str) -> dict:
        return pair(premise, claim, label, source) | {"unsupported": edit.places(claim)}

    rows = [pair(premise, claim, "entailment", source), wrong(other_premise, claim),
            pair(other_premise, other_claim, "entailment", source)]
    return rows if edit.one_way else rows + [wrong(premise, other_claim)]


class Maker:
    """Documents, their names, an index of their sentences, and a seeded random generator."""

    def __init__(self, documents: list[Document], seed: int):
        self.documents = documents
        self.choose = random.Random(f"{seed}/make")
        self.places = [(number, place) for number, document in enumerate(documents)
                       for place in range(len(document.sentences))]
        self.sentences = [documents[number].sentences[place] for number, place in self.places]
        self.document_of = [number for number, _ in self.places]
        self.start_of = {number: at for at, (number, place) in enumerate(self.places) if place == 0}
        self.index = Index(self.sentences)
        self.pool = NamePool(self.sentences)

    def others(self, claim: str, number: int, count: int) -> list[str]:
        """Sentences of other documents that share rare words with the claim."""
        own = self.start_of[number]
        without = set(range(own, own + len(self.documents[number].sentences)))
        found = [self.sentences[at] for at in self.index.nearest(claim, count, without)]
        return [sentence for sentence in found if coverage(claim, sentence) < LARGEST_COVERAGE]

    def premise(self, claim: str, number: int, place: int, least: int = 1) -> str:
        """A passage of the document with the claim's sentence, extended with other documents' sentences if it is short."""
        document = self.documents[number]
        count = max(least, self.choose.choice(LENGTHS))
        window, at = around(list(document.sentences), place, count, self.choose)
        others = self.others(claim, number, count - len(window)) if len(window) < count else []
        return " ".join(padded(window, at, others, count, self.choose))

    def claim_at(self, number: int, place: int) -> tuple[str, int] | None:
        """A reworded claim of the sentence and the number of sentences it needs; clear pronouns are resolved."""
        document = self.documents[number]
        if not document.claims[place]:
            return None
        claim = self.choose.choice(document.claims[place])
        if place and re.match(r"(He|She) ", claim):
            before = document.sentences[place - 1]
            named = [name for name in names(before) if before.startswith(name) and len(name.split()) > 1]
            if named:
                return f"{named[0]} {claim.split(' ', 1)[1]}", 2
        return reword(aside_alone(claim) if self.choose.random() < 0.3 and aside_alone(claim) else claim, self.choose), 1

    def from_claim(self, number: int, place: int) -> list[dict]:
        """The pairs of one claim, alone or joined to a claim of the previous sentence."""
        made = self.claim_at(number, place)
        if not made:
            return []
        claim, needed = made
        document = self.documents[number]
        context, sentence = " ".join(document.sentences), document.sentences[place]
        edit = choose_edit(claim, sentence, context, self.pool, self.choose)
        if not edit:
            return []
        kind = edit.kind
        if place and self.choose.random() < JOINED_SHARE:
            first = self.claim_at(number, place - 1)
            if first and first[1] == 1:
                claim, needed, kind = f"{first[0].rstrip('.')}, and {uncapital(claim)}", 2, "joined"
        premise = looks(self.premise(claim, number, place, needed), self.choose)
        if edit.apply(premise) == premise or (needed == 2 and document.sentences[place - 1] not in premise):
            return []
        return both_ways(premise, claim, edit, f"made_{kind}")

    def without_detail(self, number: int, place: int) -> list[dict]:
        """A longer claim of a sentence against the document in which a shorter one replaces the sentence."""
        claims = sorted(self.documents[number].claims[place], key=len)
        if len(claims) < 2 or len(claims[-1].split()) < len(claims[0].split()) + 3:
            return []
        short, full = claims[0], claims[-1]
        rest = iter(full.lower().rstrip(".").split())
        if not all(word in rest for word in short.lower().rstrip(".").split()):
            return []
        premise = self.premise(full, number, place)
        sentence = self.documents[number].sentences[place]
        if sentence not in premise:
            return []
        full = reword(full, self.choose)
        return [pair(premise, full, "entailment", "made_detail"),
                pair(premise.replace(sentence, short), full, "neutral", "made_detail")]

    def dialogue(self, spoken: list[str]) -> list[dict]:
        """A conversation and a claim about it; its sentences are drawn from `spoken`."""
        speakers = self.choose.sample(WORDS["speakers"], 3)
        fillers = self.choose.sample(spoken, self.choose.choice((0, 1, 2, 4, 6)))
        if self.choose.random() < 0.5:
            turns, claims = exchange(speakers, self.choose)
            claim = self.choose.choice(claims)
        else:
            said = self.choose.choice([one for one in self.choose.sample(spoken, 10) if FIRST_PERSON.match(one)] or spoken)
            turns = [f"{speakers[at]}: {text}" for at, text in enumerate((said, self.choose.choice(spoken)))]
            claim = speech(said, speakers[0], speakers[1], self.choose)
        lines = mixed(turns, fillers, speakers, self.choose)
        premise = self.choose.choice((" ", "\n", "\n", " . ")).join(lines)
        who = [name for name in speakers if re.search(rf"\b{name}\b", claim)]
        if self.choose.random() < 0.6 and who:
            other = self.choose.choice([name for name in speakers if name != who[0]])
            edit = Edit("speaker", who[0], other, exchange=True)
        else:
            edit = choose_edit(claim, premise, "", NamePool(()), self.choose)
        return both_ways(premise, claim, edit, "made_dialogue") if edit and edit.apply(premise) != premise else []

    def near(self, claim: str, number: int, group: str) -> list[dict]:
        """Candidates for false alarms: windows of one to three sentences elsewhere, near the claim."""
        own = self.start_of[number]
        own_places = set(range(own, own + len(self.documents[number].sentences)))
        rows = []
        for at in self.index.nearest(claim, CANDIDATES, own_places):
            other = self.documents[self.document_of[at]]
            window, _ = around(list(other.sentences), self.places[at][1], self.choose.choice((1, 1, 2, 3, 5)), self.choose)
            rows.append(pair(" ".join(window), claim, NOT_ENTAILMENT, "made_near") | {"group": group})
        return [row for row in rows if coverage(claim, row["premise"]) < LARGEST_COVERAGE]

    def rest(self, claim: str, number: int, place: int, group: str) -> list[dict]:
        """Candidates of the claim's own document: the text before and after its sentence."""
        sentences = self.documents[number].sentences
        parts = (sentences[max(0, place - 5):place], sentences[place + 1:place + 6])
        return [pair(" ".join(part), claim, NOT_ENTAILMENT, "made_rest") | {"group": group} for part in parts
                if coverage(claim, " ".join(part)) < LARGEST_COVERAGE and part]


def make_claims(maker: Maker, count: int) -> tuple[list[dict], list[dict]]:
    """About `count` pairs of claims, and the candidates near the entailed claims."""
    places = list(maker.places)
    maker.choose.shuffle(places)
    rows, near = [], []
    for number, place in places:
        if len(rows) >= count:
            break
        made = maker.from_claim(number, place)
        rows += made
        if made:
            claim, group = maker.choose.choice(made)["hypothesis"], f"{number}/{place}"
            near += maker.near(claim, number, group) + maker.rest(claim, number, place, group)
    return rows, near


def make_details(maker: Maker, count: int) -> list[dict]:
    places = list(maker.places)
    maker.choose.shuffle(places)
    rows = []
    for number, place in places:
        if len(rows) >= count:
            break
        rows += maker.without_detail(number, place)
    return rows


def make_dialogues(maker: Maker, spoken: list[str], count: int) -> list[dict]:
    """Conversations; none if there are fewer than ten sentences to speak."""
    rows = []
    for _ in range(count if len(spoken) >= 10 else 0):
        if len(rows) < count:
            rows += maker.dialogue(spoken)
    return rows


def wrap(pairs: list[Pair], choose: random.Random) -> tuple[list[dict], list[dict]]:
    """Each pair's premise among premises near it; for entailed pairs also those premises as candidates."""
    premises = list(dict.fromkeys(one.premise for one in pairs))
    index, place = Index(premises), {premise: at for at, premise in enumerate(premises)}
    rows, near = [], []
    for number, one in enumerate(pairs):
        count = choose.choice(WRAPPED_LENGTHS)
        without = {place[one.premise]}
        others = [premises[at] for at in index.nearest(f"{one.hypothesis} {one.premise}", max(count - 1, CANDIDATES), without)]
        others = [other for other in others
                  if not alike(other, one.premise) and coverage(one.hypothesis, other) < LARGEST_COVERAGE]
        premise = " ".join(padded([one.premise], 0, others, count, choose))
        rows.append(pair(looks(premise, choose), one.hypothesis, one.label, f"wrapped_{one.source}"))
        if one.label == "entailment":
            near += [pair(other, one.hypothesis, NOT_ENTAILMENT, "wrapped_near") | {"group": f"wrapped {number}"}
                     for other in others[:CANDIDATES]]
    return rows, near


def coverage(claim: str, text: str) -> float:
    """The share of the claim's words that the text has."""
    asked = words(claim)
    return len(asked & words(text)) / len(asked) if asked else 0.0


def alike(one: str, other: str) -> bool:
    """Whether two premises may be versions of one text (some sources edit premises): most of their words are equal."""
    first, second = set(one.lower().split()), set(other.lower().split())
    return len(first & second) > 0.5 * min(len(first), len(second))


def spoken_sentences(pairs: list[Pair], documents: list[Document]) -> list[str]:
    """Sentences of ordinary talk: short, whole, in the first or second person or a question."""
    found = [one.premise for one in pairs] + [sentence for document in documents for sentence in document.sentences]
    return [text for text in dict.fromkeys(found)
            if 4 <= len(text.split()) <= 22 and text[-1] in ".?!" and not re.search(r"[:\"()]| \.|\.\w|\. ", text)
            and re.search(r"\b(I|you|my|me|we|You|My|We)\b", text) and not names(text)]


def write(file: Path, rows: list[dict]):
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    counts = Counter(row["label"] for row in rows)
    words = sum(len(row["premise"].split()) for row in rows) / max(1, len(rows))
    print(f"{file}: {len(rows)} pairs, premises of {words:.0f} words, "
          + ", ".join(f"{label} {count}" for label, count in sorted(counts.items())), flush=True)


def read_mixture(file: Path) -> dict:
    """documents: sources; claims, details, dialogues: number of pairs; wrapped, replayed: source -> most pairs."""
    try:
        mixture = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise Failure(f"{file}: cannot be read as JSON ({error})") from None
    missing = {"documents", "claims", "details", "dialogues", "wrapped", "replayed"} - mixture.keys()
    if missing:
        raise Failure(f"{file}: lacks {', '.join(sorted(missing))}; see mixture.json beside this script")
    return mixture


def chosen(pairs: list[Pair], caps: dict, seed: int) -> list[Pair]:
    """At most the cap of each source in `caps`, and the cap "*" of every other source (none without "*")."""
    full = {one.source: caps.get(one.source, caps.get("*", 0)) for one in pairs}
    return cap_sources(pairs, full, seed)


def main():
    parser = argparse.ArgumentParser(description="Make document-like training pairs from a folder of pairs.")
    parser.add_argument("pairs", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--veridic", type=Path, required=True, help="the program veridic, which cuts sentences and claims")
    parser.add_argument("--mixture", type=Path, default=Path(__file__).with_name("mixture.json"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    mixture, seed = read_mixture(arguments.mixture), arguments.seed
    pairs = read_folder(arguments.pairs)
    premises = defaultdict(list)
    for one in pairs:
        if one.source in mixture["documents"]:
            premises[one.source].append(one.premise)
    documents = read_documents(premises, arguments.veridic, arguments.threads)
    maker = Maker(documents, seed)
    print(f"{len(documents)} documents, {len(maker.sentences)} sentences", flush=True)

    claims, near = make_claims(maker, mixture["claims"])
    write(arguments.out / "claims.jsonl", claims)
    write(arguments.out / "details.jsonl", make_details(maker, mixture["details"]))
    write(arguments.out / "dialogues.jsonl", make_dialogues(maker, spoken_sentences(pairs, documents), mixture["dialogues"]))
    wrapped, wrapped_near = wrap(chosen(pairs, mixture["wrapped"], seed + 1), maker.choose)
    write(arguments.out / "wrapped.jsonl", wrapped)
    write(arguments.out / "replayed.jsonl", [pair(one.premise, one.hypothesis, one.label, one.source)
                                             for one in chosen(pairs, mixture["replayed"], seed)])
    write(arguments.out / "near" / "candidates.jsonl", near + wrapped_near)


if __name__ == "__main__":
    run(main)
