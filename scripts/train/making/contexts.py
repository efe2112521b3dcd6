"""Makes premises of one sentence up to 512 tokens by surrounding a sentence with others.

Neighbours come from the sentence's own document, and then from texts that share rare
words with the claim. Some premises are formatted as an agency report or as tokenised text.
"""

import random
import re

MOST_WORDS = 330  # about 460 tokens, which leaves room for the hypothesis
LENGTHS = (1, 1, 1, 2, 2, 2, 3, 3, 4, 5, 6, 8, 16)  # sentences, equally likely
DATELINES = ("LONDON (Reuters) - ", "WASHINGTON (AP) — ", "(CNN) -- ", "NEW YORK — ", "By our correspondent. ", "PARIS, ")


def around(sentences: list[str], place: int, count: int, choose: random.Random) -> tuple[list[str], int]:
    """A window of at most `count` sentences that contains `place`, and the index of `place` in it."""
    first = max(0, min(place - choose.randrange(count), len(sentences) - count))
    window = list(sentences[first:first + count])
    return window, place - first


def padded(window: list[str], place: int, others: list[str], count: int, choose: random.Random) -> list[str]:
    """The window with sentences of `others` before and behind it, up to `count`; the sentence itself is never dropped."""
    others = [other for other in others if other not in window][:max(0, count - len(window))]
    cut = choose.randint(0, len(others))
    kept, room = [(0, window[place])], MOST_WORDS - len(window[place].split())
    ordered = others[:cut] + window + others[cut:]
    own = cut + place
    for distance in range(1, len(ordered)):
        for at in (own - distance, own + distance):
            if 0 <= at < len(ordered) and len(ordered[at].split()) <= room:
                room -= len(ordered[at].split())
                kept.append((at - own, ordered[at]))
    return [sentence for _, sentence in sorted(kept, key=lambda item: item[0])]


def tokenised(text: str) -> str:
    """The text as in treebanks: punctuation apart, brackets by name."""
    text = re.sub(r"([,;:?!\"])", r" \1 ", text).replace("(", " -LRB- ").replace(")", " -RRB- ")
    text = re.sub(r"\.(?= [A-Z]|$)", " .", text)
    text = re.sub(r"(\w)('s|n't|'re|'ve|'ll|'d|'m)\b", r"\1 \2", text)
    return re.sub(r" {2,}", " ", text).strip()


def looks(premise: str, choose: random.Random) -> str:
    """Usually the premise unchanged; sometimes with a dateline, tokenised or in lines."""
    drawn = choose.random()
    if drawn < 0.06:
        return choose.choice(DATELINES) + premise
    return tokenised(premise) if drawn < 0.16 else premise
