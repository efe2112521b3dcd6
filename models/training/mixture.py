"""Files of pairs -> a seeded mixture -> tokens -> batches."""
import json
import pathlib
from dataclasses import dataclass

import numpy as np
import torch

LABELS = ["entailment", "neutral", "contradiction"]
# Neutral or contradiction, not distinguished.
NOT_ENTAILMENT = 3
NUMBER_OF = {**{label: index for index, label in enumerate(LABELS)}, "not_entailment": NOT_ENTAILMENT}
MOST_CLAIM_TOKENS = 160
# Most pairs of one hypothesis that stay together.
MOST_OF_ONE_CLAIM = 4
# Pairs sorted by length at a time.
SORTED_TOGETHER = 4000
# A token's label if it is not known whether the token is unsupported.
UNKNOWN = -1


@dataclass(frozen=True)
class Pair:
    """A tokenized row."""

    ids: list
    types: list
    label: int
    group: int
    # For each token 1 (unsupported), 0 or UNKNOWN.
    blame: list
    # Probabilities of a larger model, if the row has them.
    teacher: list | None


def groups_of_files(paths, caps_file, chance):
    """Groups of rows of all files, at most the file's cap of rows from each, in random order."""
    caps = json.loads(pathlib.Path(caps_file).read_text()) if caps_file else {}
    groups = []
    for path in paths:
        for file in sorted(path.glob("*.jsonl")) if path.is_dir() else [path]:
            most = caps.get(file.stem, caps.get("*"))
            if most == 0:
                continue
            rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
            chance.shuffle(rows)
            found = list(groups_of(rows))
            chance.shuffle(found)
            taken = first_rows(found, len(rows) if most is None else most)
            groups += taken
            print(file.name, sum(map(len, taken)), flush=True)
    chance.shuffle(groups)
    return groups


def groups_of(rows):
    """Groups of rows with the same hypothesis, at most MOST_OF_ONE_CLAIM in each."""
    by_claim = {}
    for row in rows:
        by_claim.setdefault(row["hypothesis"], []).append(row)
    for same in by_claim.values():
        yield from (same[start : start + MOST_OF_ONE_CLAIM] for start in range(0, len(same), MOST_OF_ONE_CLAIM))


def first_rows(groups, most):
    """The first groups with at most `most` rows together; the last one is cut."""
    taken = []
    for group in groups:
        if most <= 0:
            break
        taken.append(group[:most])
        most -= len(group)
    return taken


def encoded(tokenizer, template, groups, longest):
    """Pairs of at most `longest` tokens; a longer premise is truncated."""
    rows = [(number, row) for number, group in enumerate(groups) for row in group]
    premises = tokenizer.encode_batch([row["premise"] for _, row in rows], add_special_tokens=False)
    claims = tokenizer.encode_batch([row["hypothesis"] for _, row in rows], add_special_tokens=False)
    return [pair_of(number, row, premise, claim, template, longest) for (number, row), premise, claim in zip(rows, premises, claims)]


def pair_of(number, row, premise, claim, template, longest):
    claim_ids = claim.ids[:MOST_CLAIM_TOKENS]
    room = longest - len(claim_ids) - len(template.start) - len(template.between) - len(template.end)
    first = [*template.start, *premise.ids[:room], *template.between]
    ids = [*first, *claim_ids, *template.end]
    types = [0] * len(first) + [template.second_type] * (len(ids) - len(first))
    blame = [UNKNOWN] * len(first) + blamed(row, claim)[: len(claim_ids)] + [UNKNOWN] * len(template.end)
    teacher = [row["teacher"][label] for label in LABELS] if "teacher" in row else None
    return Pair(ids, types, NUMBER_OF[row["label"]], number, blame, teacher)


def blamed(row, claim):
    """Labels of the hypothesis' tokens: none is unsupported if it is entailed, otherwise those of the spans that spans.py found."""
    spans = [] if row["label"] == LABELS[0] else row.get("unsupported")
    if spans is None:
        return [UNKNOWN] * len(claim.ids)
    return [int(any(start < to and since < end for since, to in spans)) for start, end in claim.offsets]


def batches(pairs, tokens, chance=None):
    """Batches of pairs of similar lengths, of at most `tokens` tokens with padding, in random order if `chance` is given. A group stays
    together unless a batch ends within it."""
    for start in range(0, len(pairs), SORTED_TOGETHER):
        chunk, longest = pairs[start : start + SORTED_TOGETHER], {}
        for pair in chunk:
            longest[pair.group] = max(len(pair.ids), longest.get(pair.group, 0))
        found, batch, width = [], [], 0
        for pair in sorted(chunk, key=lambda pair: (longest[pair.group], pair.group)):
            width = max(width, len(pair.ids))
            if batch and (len(batch) + 1) * width > tokens:
                found.append(batch)
                batch, width = [], len(pair.ids)
            batch.append(pair)
        found += [batch] if batch else []
        if chance:
            chance.shuffle(found)
        yield from found


@dataclass(frozen=True)
class Batch:
    ids: torch.Tensor  # (pairs, longest)
    types: torch.Tensor  # (pairs, longest)
    mask: torch.Tensor  # (pairs, longest)
    labels: torch.Tensor  # (pairs)
    groups: torch.Tensor  # (pairs)
    blame: torch.Tensor  # (pairs, longest)
    teacher: torch.Tensor  # (pairs, 3), zeros where there is none


def tensors(pairs, padding, device="cpu"):
    longest = max(len(pair.ids) for pair in pairs)

    def rows(values, fill):
        out = np.full((len(pairs), longest), fill)
        for own, row in zip(out, values):
            own[: len(row)] = row
        return torch.from_numpy(out).to(device)

    return Batch(
        ids=rows((pair.ids for pair in pairs), padding),
        types=rows((pair.types for pair in pairs), 0),
        mask=rows(([1] * len(pair.ids) for pair in pairs), 0),
        labels=torch.tensor([pair.label for pair in pairs], device=device),
        groups=torch.tensor([pair.group for pair in pairs], device=device),
        blame=rows((pair.blame for pair in pairs), UNKNOWN),
        teacher=torch.tensor([pair.teacher or [0.0] * len(LABELS) for pair in pairs], device=device),
    )
