"""Texts of a folder of pairs -> documents: sentences in order, each with the claims it makes.

The engine cuts sentences and claims (`veridic claims`), so that the model is trained on
hypotheses of the form that it will judge. Premises that share sentences, as
windows of one text do, are joined to longer documents; if two texts disagree on the
sentence that follows, they stay separate. No sentence is in two documents.
"""

import json
import re
import subprocess
import tempfile
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from failure import Failure

FEWEST_CLAIM_WORDS, MOST_CLAIM_WORDS = 4, 40
LONGEST_DOCUMENT = 60  # sentences
CONTROL_CHARACTERS = {code: " " for code in (*range(32), *range(127, 160))}  # the engine accepts none in a summary


@dataclass(frozen=True)
class Document:
    """`claims[i]` are the claims of `sentences[i]`, possibly none."""

    sentences: tuple[str, ...]
    claims: tuple[tuple[str, ...], ...]
    source: str


def cut(texts: list[str], veridic: Path, threads: int) -> list[list[tuple[str, list[str]]]]:
    """For each text its sentences in order, each with its claims as the engine cuts them."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "texts.jsonl"
        file.write_text("".join(json.dumps({"summary": text.translate(CONTROL_CHARACTERS)}) + "\n" for text in texts), encoding="utf-8")
        command = [veridic, "claims", file, "--format", "json", "--quiet",
                   "--threads", str(threads)]
        try:
            done = subprocess.run(command, capture_output=True, check=True)
        except OSError as error:
            raise Failure(f"{veridic}: cannot be run ({error.strerror}); build it with cargo build --release") from None
        except subprocess.CalledProcessError as error:
            raise Failure(f"{veridic}: {error.stderr.decode(errors='replace').strip()[-300:]}") from None
    rows = [json.loads(line)["claims"] for line in done.stdout.splitlines()]
    if len(rows) != len(texts):
        raise Failure(f"{veridic}: returned claims of {len(rows)} texts, not {len(texts)}")
    return [sentences_of(row) for row in rows]


def sentences_of(claims: list[dict]) -> list[tuple[str, list[str]]]:
    """The engine's claims of one text, grouped by sentence."""
    gathered = []
    for claim in claims:
        if not gathered or gathered[-1][0] != claim["sentence"]:
            gathered.append((claim["sentence"], []))
        gathered[-1][1].append(claim["text"])
    return gathered


def is_usable(claim: str) -> bool:
    """Whether the claim is a whole statement of ordinary length."""
    words = claim.split()
    return (FEWEST_CLAIM_WORDS <= len(words) <= MOST_CLAIM_WORDS and claim[0].isalpha()
            and claim[-1] == "." and claim.count('"') % 2 == 0 and not re.search(r"[\[\]{}|<>]|\(\S*$|\.\.", claim))


def key(sentence: str) -> str:
    """The sentence's letters and digits: equal for its tokenised and its ordinary form."""
    return re.sub(r"[\W_]|lrb|rrb", "", sentence.lower())


def join(cuts: list[list[tuple[str, list[str]]]], source: str, used: set[str]) -> list[Document]:
    """Chains texts that share sentences into documents; `used` holds the keys of sentences that are in one."""
    claims, after = {}, defaultdict(set)
    for text in cuts:
        for sentence, found in text:
            claims.setdefault(sentence, tuple(claim for claim in found if is_usable(claim)))
        for (first, _), (second, _) in zip(text, text[1:]):
            after[first].add(second)
    following = {first: next(iter(nexts)) for first, nexts in after.items() if len(nexts) == 1}
    before = defaultdict(set)
    for first, second in following.items():
        before[second].add(first)
    documents = []
    starts = [sentence for sentence in claims if len(before[sentence]) != 1] + list(claims)
    for start in starts:
        chain, sentence = [], start
        while sentence is not None and key(sentence) not in used and len(chain) < LONGEST_DOCUMENT:
            chain.append(sentence)
            used.add(key(sentence))
            sentence = following.get(sentence)
        if chain:
            documents.append(Document(tuple(chain), tuple(claims[one] for one in chain), source))
    return documents


def read_documents(premises: dict[str, list[str]], veridic: Path, threads: int) -> list[Document]:
    """Documents of each source's premises, in the order of the sources and premises given."""
    documents, used = [], set()
    for source, texts in premises.items():
        documents += join(cut(list(dict.fromkeys(texts)), veridic, threads), source, used)
    return documents
