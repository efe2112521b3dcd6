"""Pairs -> tokens -> batches of similar length under a token budget, in a seeded order."""

import random
from dataclasses import dataclass
from pathlib import Path

import torch
from tokenizers import Tokenizer

from failure import Failure, loading
from pairs import LABELS, NOT_ENTAILMENT, Pair

LABEL_IDS = {**{label: number for number, label in enumerate(LABELS)}, NOT_ENTAILMENT: len(LABELS)}
MOST_PAIRS_IN_BATCH = 64
PAIRS_SORTED_TOGETHER = 1600
UNKNOWN = -1  # whether a token is supported


@dataclass(frozen=True)
class Limits:
    """Which lengths are trained on, in tokens of a whole pair, and how many fit a batch."""

    usual_tokens: int = 192
    most_tokens: int = 320  # pairs between the two: a small share, so that long inputs are not unseen
    long_share: float = 0.02
    batch_tokens: int = 2048  # padding included


@dataclass(frozen=True)
class Example:
    """A tokenised pair: [CLS] premise [SEP] hypothesis [SEP], type 1 from the hypothesis on."""

    token_ids: list[int]
    type_ids: list[int]
    label_id: int
    group: str = ""  # pairs of a group are in one batch
    supported: tuple[int, ...] = ()  # of each token 1, 0 or UNKNOWN; nothing where no token is known

    def __len__(self):
        return len(self.token_ids)


def supported_tokens(pair: Pair, encoding) -> tuple[int, ...]:
    """Which of the hypothesis' tokens the premise supports: all of an entailed one, else what the pair says."""
    places = () if pair.label == LABELS[0] else pair.unsupported
    if places is None:
        return ()
    return tuple(UNKNOWN if sequence != 1 else int(not any(start < to and since < end for since, to in places))
                 for sequence, (start, end) in zip(encoding.sequence_ids, encoding.offsets))


def tokenize(pairs: list[Pair], tokenizer_file: Path) -> list[Example]:
    """Whole pairs, never cut; `select` leaves out what is too long."""
    with loading(tokenizer_file):
        tokenizer = Tokenizer.from_file(str(tokenizer_file))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    examples = []
    for start in range(0, len(pairs), 4096):
        part = pairs[start:start + 4096]
        encodings = tokenizer.encode_batch([(pair.premise, pair.hypothesis) for pair in part])
        examples += [Example(encoding.ids, encoding.type_ids, LABEL_IDS[pair.label], pair.group, supported_tokens(pair, encoding))
                     for pair, encoding in zip(part, encodings)]
    return examples


def select(examples: list[Example], limits: Limits, seed: int) -> list[Example]:
    """The pairs of usual length, and a few longer ones."""
    usual = [example for example in examples if len(example) <= limits.usual_tokens]
    longer = [example for example in examples if limits.usual_tokens < len(example) <= limits.most_tokens]
    random.Random(f"{seed}/long").shuffle(longer)
    kept = usual + longer[: int(len(usual) * limits.long_share)]
    if not kept:
        raise Failure(f"no pair has at most {limits.usual_tokens} tokens; raise --tokens")
    return kept


def units(indices: list[int], examples: list[Example]) -> list[list[int]]:
    """The indices one by one, those of a group together, in the order of their first."""
    gathered = {}
    for index in indices:
        gathered.setdefault(examples[index].group or index, []).append(index)
    return list(gathered.values())


def pack(indices: list[int], examples: list[Example], batch_tokens: int) -> list[list[int]]:
    """Splits indices, sorted by length here, into batches whose padded size fits the budget; a group stays whole."""
    def longest(unit):
        return max(len(examples[index]) for index in unit)

    batches, batch = [], []
    for unit in sorted(units(indices, examples), key=longest):
        size = len(batch) + len(unit)
        if batch and (size * longest(unit) > batch_tokens or size > MOST_PAIRS_IN_BATCH):
            batches.append(batch)
            batch = []
        batch = batch + unit
    return batches + [batch] if batch else batches


def epoch_batches(examples: list[Example], batch_tokens: int, seed: int, epoch: int) -> list[list[int]]:
    """All batches of an epoch. Depends on nothing but the arguments, so a resumed run finds its place."""
    shuffle = random.Random(f"{seed}/epoch {epoch}").shuffle
    order = units(list(range(len(examples))), examples)
    shuffle(order)
    batches = []
    for start in range(0, len(order), PAIRS_SORTED_TOGETHER):
        together = [index for unit in order[start:start + PAIRS_SORTED_TOGETHER] for index in unit]
        part = pack(together, examples, batch_tokens)
        shuffle(part)
        batches += part
    return batches


def unit_numbers(examples: list[Example], device: str) -> torch.Tensor:
    """(batch): equal numbers for pairs of one group."""
    numbers = {}
    return torch.tensor([numbers.setdefault(example.group or position, len(numbers))
                         for position, example in enumerate(examples)], device=device)


def support(examples: list[Example], device: str) -> torch.Tensor:
    """(batch, longest): 1 for a supported token, 0 for an unsupported one, UNKNOWN for the others."""
    longest = max(map(len, examples))
    return torch.tensor([list(example.supported) + [UNKNOWN] * (longest - len(example.supported))
                         for example in examples], device=device)


def tensors(examples: list[Example], device: str) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """(token ids, mask, type ids), each (batch, longest), and the label ids (batch)."""
    longest = max(map(len, examples))

    def padded(rows):
        return torch.tensor([row + [0] * (longest - len(row)) for row in rows], device=device)

    return (padded([example.token_ids for example in examples]),
            padded([[1] * len(example) for example in examples]),
            padded([example.type_ids for example in examples]),
            torch.tensor([example.label_id for example in examples], device=device))
