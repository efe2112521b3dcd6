"""Finds the texts that share the rarest words with a query: candidates for false alarms."""

import math
import re
from collections import Counter, defaultdict

MOST_POSTINGS = 400  # words in more texts are ignored


def words(text: str) -> set[str]:
    """Lower-cased words of at least three letters or digits."""
    return set(re.findall(r"[^\W_]{3,}", text.lower()))


class Index:
    """An index of texts by their words."""

    def __init__(self, texts: list[str]):
        self.texts = texts
        self.postings = defaultdict(list)
        for number, text in enumerate(texts):
            for word in words(text):
                self.postings[word].append(number)

    def nearest(self, query: str, count: int, without: set[int] = frozenset()) -> list[int]:
        """Numbers of the `count` texts with the highest sum of log(texts / texts with the word); ties by number."""
        scores = Counter()
        for word in sorted(words(query)):
            found = self.postings.get(word, ())
            if len(found) <= MOST_POSTINGS:
                weight = math.log(len(self.texts) / len(found)) if found else 0.0
                for number in found:
                    scores[number] += weight
        ranked = sorted(scores.items(), key=lambda item: (-item[1], item[0]))
        return [number for number, _ in ranked if number not in without][:count]
