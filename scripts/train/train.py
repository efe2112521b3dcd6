#!/usr/bin/env python3
"""Trains an MPNet classifier as an NLI model for a stated time.

    train.py CHECKPOINT OUT MINUTES RATE --data FILE_OR_FOLDER... [--caps CAPS.json] [--tokens 4096] [--stop-after MINUTES]

CHECKPOINT is a float16 folder of `pack.py unpack`. Data are JSON lines with premise, hypothesis and label (entailment, neutral,
contradiction, or not_entailment); CAPS says at most how many pairs of a file (by its name without .jsonl) are taken, `*` of all others.
One pass over a seeded mixture, as far as the time reaches; the rate falls to zero with the clock. Word embeddings stay as they are. What is
saved is the mean of the weights along the way. The network is bf16, which processors with AMX or AVX-512 BF16 compute (elsewhere
--f32 --freeze 6), its master weights f32. --stop-after ends a sitting; the same command goes on where it stopped.

Pairs of one hypothesis stay together, so that a batch holds a claim beside the premise that entails it and the one that does not; --contrast adds
what it costs that the second looks as entailed as the first.
"""
import argparse
import itertools
import json
import pathlib
import random
import time

import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer
from transformers import MPNetForSequenceClassification

LABELS = ["entailment", "neutral", "contradiction"]
# Neutral or contradiction, not told apart.
NOT_ENTAILMENT = 3
NUMBER_OF = {**{label: index for index, label in enumerate(LABELS)}, "not_entailment": NOT_ENTAILMENT}
PAD = 1
MOST_CLAIM_TOKENS = 160
SET_ASIDE = 600
# Pairs of one hypothesis that stay together, at most.
MOST_OF_ONE_CLAIM = 4
# Pairs that are sorted by length together.
SORTED_TOGETHER = 4000
DECAY = 0.997
WARM_UP = 0.04
SAVE_SECONDS = 900


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoint", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("minutes", type=float)
    parser.add_argument("rate", type=float)
    parser.add_argument("--data", type=pathlib.Path, nargs="+", required=True)
    parser.add_argument("--caps", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tokens", type=int, default=4096, help="of a batch")
    parser.add_argument("--longest", type=int, default=384, help="tokens of a pair; a longer premise is cut")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--f32", action="store_true")
    parser.add_argument("--freeze", type=int, default=0, help="lowest layers that stay as they are")
    parser.add_argument("--contrast", type=float, default=0.0, help="weight of the order within pairs of one hypothesis")
    parser.add_argument("--stop-after", type=float, default=float("inf"), help="minutes of this sitting")
    return parser.parse_args()


def groups_of(rows):
    """Rows of one hypothesis together, at most MOST_OF_ONE_CLAIM of them."""
    by_claim = {}
    for row in rows:
        by_claim.setdefault(row[1], []).append(row)
    for same in by_claim.values():
        yield from (same[start : start + MOST_OF_ONE_CLAIM] for start in range(0, len(same), MOST_OF_ONE_CLAIM))


def groups_of_files(given, chance):
    """Groups of pairs of all files, at most so many pairs of each, in an order of chance."""
    caps = json.loads(given.caps.read_text()) if given.caps else {}
    groups = []
    for path in given.data:
        for file in sorted(path.glob("*.jsonl")) if path.is_dir() else [path]:
            lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
            rows = [(row["premise"], row["hypothesis"], NUMBER_OF[row["label"]]) for row in lines]
            chance.shuffle(rows)
            found = list(groups_of(rows))
            chance.shuffle(found)
            taken = first_rows(found, caps.get(file.stem, caps.get("*", len(rows))))
            groups += taken
            if taken:
                print(file.name, sum(map(len, taken)), flush=True)
    chance.shuffle(groups)
    return groups


def first_rows(groups, most):
    """The first groups of at most so many rows together, the last one cut."""
    taken = []
    for group in groups:
        if most <= 0:
            break
        taken.append(group[:most])
        most -= len(group)
    return taken


def encoded(tokenizer, groups, longest):
    """(ids of `<s> premise </s></s> hypothesis </s>`, label, number of the group)."""
    rows = [(number, *row) for number, group in enumerate(groups) for row in group]
    premises = tokenizer.encode_batch([row[1] for row in rows], add_special_tokens=False)
    claims = tokenizer.encode_batch([row[2] for row in rows], add_special_tokens=False)
    out = []
    for premise, claim, row in zip(premises, claims, rows):
        ids = claim.ids[:MOST_CLAIM_TOKENS]
        out.append(([0, *premise.ids[: longest - len(ids) - 4], 2, 2, *ids, 2], row[3], row[0]))
    return out


def batches(pairs, tokens, chance=None):
    """Batches of about equal lengths, of at most `tokens` tokens with their padding, in an order of chance if one is given. Groups stay together
    where a batch does not end within one."""
    for start in range(0, len(pairs), SORTED_TOGETHER):
        chunk, longest = pairs[start : start + SORTED_TOGETHER], {}
        for ids, _, group in chunk:
            longest[group] = max(len(ids), longest.get(group, 0))
        found, batch, width = [], [], 0
        for pair in sorted(chunk, key=lambda pair: (longest[pair[2]], pair[2])):
            width = max(width, len(pair[0]))
            if batch and (len(batch) + 1) * width > tokens:
                found.append(batch)
                batch, width = [], len(pair[0])
            batch.append(pair)
        found += [batch] if batch else []
        if chance:
            chance.shuffle(found)
        yield from found


def tensors(batch):
    longest = max(len(ids) for ids, *_ in batch)
    ids = torch.full((len(batch), longest), PAD)
    mask = torch.zeros(len(batch), longest, dtype=torch.long)
    for row, (numbers, *_) in enumerate(batch):
        ids[row, : len(numbers)] = torch.tensor(numbers)
        mask[row, : len(numbers)] = 1
    return ids, mask, torch.tensor([pair[1] for pair in batch])


def loss_of(logits, labels):
    """Cross-entropy; a pair that is only known not to be entailed costs -log(p_neutral + p_contradiction)."""
    logarithms = logits.log_softmax(-1)
    of_label = logarithms.gather(1, labels.clamp(max=2)[:, None])[:, 0]
    return -torch.where(labels == NOT_ENTAILMENT, logarithms[:, 1:].logsumexp(-1), of_label).mean()


def contrast_of(logits, labels, groups):
    """Of each pair that is entailed and each of the same group that is not: log(1 + exp(what the second's log odds of entailment are above
    the first's)), the mean over the batch's rows."""
    odds = logits[:, 0] - logits[:, 1:].logsumexp(-1)
    same = (groups[:, None] == groups[None, :]) & (labels == 0)[:, None] & (labels != 0)[None, :]
    above = odds[None, :] - odds[:, None]
    return torch.nn.functional.softplus(above)[same].sum() / len(labels)


class Training:
    """The network, its masters in f32, their optimizer, and the mean of the weights along the way."""

    def __init__(self, given):
        settings = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0, "dtype": torch.float32}
        self.model = MPNetForSequenceClassification.from_pretrained(given.checkpoint, num_labels=3, **settings)
        network = self.model.mpnet
        network.embeddings.word_embeddings.weight.requires_grad_(False)
        if given.freeze:
            fixed = [network.embeddings, network.encoder.relative_attention_bias, *network.encoder.layer[: given.freeze]]
            for module in fixed:
                module.requires_grad_(False)
        self.model.to(torch.float32 if given.f32 else torch.bfloat16).train()
        named = [(name, weight) for name, weight in self.model.named_parameters() if weight.requires_grad]
        self.names = [name for name, _ in named]
        self.weights = [weight for _, weight in named]
        self.masters = [weight.detach().float().clone().requires_grad_(True) for weight in self.weights]
        self.means = [master.detach().clone() for master in self.masters]
        self.optimizer = torch.optim.AdamW(self.groups(), lr=given.rate, betas=(0.9, 0.98), fused=True)
        self.step = self.pairs = self.tokens = 0
        self.seconds = 0.0

    def groups(self):
        """Matrices decay, vectors do not; the classifier learns five times as fast."""
        groups = [{"params": [], "weight_decay": decay, "times": times} for decay, times in ((0.01, 1), (0.0, 1), (0.0, 5))]
        for name, master in zip(self.names, self.masters):
            index = 2 if name.startswith("classifier.") else int(master.dim() <= 1)
            groups[index]["params"].append(master)
        return groups

    def update(self, batch, rate, contrast):
        ids, mask, labels = tensors(batch)
        logits = self.model(input_ids=ids, attention_mask=mask).logits.float()
        loss = loss_of(logits, labels)
        ordered = contrast_of(logits, labels, torch.tensor([group for *_, group in batch])) if contrast else 0
        (loss + contrast * ordered).backward()
        for group in self.optimizer.param_groups:
            group["lr"] = rate * group["times"]
        with torch.no_grad():
            for master, weight in zip(self.masters, self.weights):
                master.grad, weight.grad = weight.grad.float(), None
            torch.nn.utils.clip_grad_norm_(self.masters, 1.0)
            self.optimizer.step()
            torch._foreach_copy_(self.weights, self.masters)
            share = 1 - min(DECAY, (1 + self.step) / (10 + self.step))
            torch._foreach_lerp_(self.means, [master.detach() for master in self.masters], share)
        self.step += 1
        self.pairs += len(batch)
        self.tokens += int(mask.sum())
        return loss.item()

    @torch.no_grad()
    def evaluate(self, pairs, tokens):
        """What the mean gets right of the pairs that were set aside."""
        torch._foreach_copy_(self.weights, self.means)
        self.model.eval()
        three = right_of_three = right = 0
        for batch in batches(pairs, tokens):
            ids, mask, labels = tensors(batch)
            said = self.model(input_ids=ids, attention_mask=mask).logits.argmax(-1)
            told = labels < NOT_ENTAILMENT
            three += int(told.sum())
            right_of_three += int((said == labels)[told].sum())
            right += int(((said == 0) == (labels == 0)).sum())
        torch._foreach_copy_(self.weights, [master.detach() for master in self.masters])
        self.model.train()
        return f"dev three-way {right_of_three / max(three, 1):.3f} entailed-or-not {right / max(len(pairs), 1):.3f}"

    def save(self, out, tokenizer):
        """The mean in float16, as transformers and pack.py read it."""
        out.mkdir(parents=True, exist_ok=True)
        state = {name: tensor.to(torch.float16).contiguous() for name, tensor in self.model.state_dict().items()}
        state.update({name: mean.to(torch.float16).contiguous() for name, mean in zip(self.names, self.means)})
        save_file(state, out / "model.safetensors")
        config = self.model.config
        config.id2label = dict(enumerate(LABELS))
        config.label2id = {label: index for index, label in enumerate(LABELS)}
        config.architectures = ["MPNetForSequenceClassification"]
        config.save_pretrained(out)
        tokenizer.save(str(out / "tokenizer.json"))

    def keep(self, path):
        path.parent.mkdir(parents=True, exist_ok=True)
        counts = {"step": self.step, "pairs": self.pairs, "tokens": self.tokens, "seconds": self.seconds}
        masters = [master.detach() for master in self.masters]
        torch.save({"optimizer": self.optimizer.state_dict(), "masters": masters, "means": self.means, **counts}, path)

    def go_on(self, path):
        kept = torch.load(path, weights_only=True)
        self.optimizer.load_state_dict(kept["optimizer"])
        self.step, self.pairs, self.tokens, self.seconds = (kept[name] for name in ("step", "pairs", "tokens", "seconds"))
        with torch.no_grad():
            torch._foreach_copy_(self.masters, kept["masters"])
            torch._foreach_copy_(self.means, kept["means"])
            torch._foreach_copy_(self.weights, self.masters)
        print(f"going on from step {self.step} after {self.seconds:.0f} s", flush=True)


def main():
    given = arguments()
    torch.manual_seed(given.seed)
    torch.set_num_threads(given.threads)
    chance = random.Random(given.seed)
    tokenizer = Tokenizer.from_file(str(given.checkpoint / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    groups = groups_of_files(given, chance)
    first = len(first_rows(groups, SET_ASIDE))
    aside, pairs = (encoded(tokenizer, part, given.longest) for part in (groups[:first], groups[first:]))
    print(f"{len(pairs)} training pairs, mean {sum(len(ids) for ids, *_ in pairs) / len(pairs):.1f} tokens", flush=True)
    training, state = Training(given), given.out / "state.pt"
    if state.exists():
        training.go_on(state)
    run(given, training, pairs, aside, chance, tokenizer, state)


def run(given, training, pairs, aside, chance, tokenizer, state):
    before, start, saved, losses = training.seconds, time.time(), time.time(), []
    skip = training.step
    while True:
        for batch in batches(pairs, given.tokens, chance):
            if skip:
                skip -= 1
                continue
            sitting = time.time() - start
            training.seconds = before + sitting
            share = training.seconds / (60 * given.minutes)
            if share >= 1:
                print(training.evaluate(aside, given.tokens), flush=True)
                training.save(given.out, tokenizer)
                print(f"{training.pairs} pairs, {training.tokens} tokens, {training.seconds:.0f} s")
                return
            if sitting > 60 * given.stop_after:
                training.keep(state)
                training.save(given.out, tokenizer)
                print(f"stopped for now at step {training.step}", flush=True)
                return
            rising = share / WARM_UP if share < WARM_UP else (1 - share) / (1 - WARM_UP)
            losses.append(training.update(batch, given.rate * rising, given.contrast))
            if training.step % 25 == 0:
                speed = training.tokens / training.seconds if training.seconds else 0
                mean = sum(losses[-25:]) / len(losses[-25:])
                print(f"step {training.step} pairs {training.pairs} share {share:.3f} loss {mean:.3f} tokens/s {speed:.0f}", flush=True)
            if time.time() - saved > SAVE_SECONDS:
                print(training.evaluate(aside, given.tokens), flush=True)
                training.save(given.out, tokenizer)
                training.keep(state)
                saved = time.time()
        print("all pairs seen", flush=True)
        groups = [list(same) for _, same in itertools.groupby(pairs, key=lambda pair: pair[2])]
        chance.shuffle(groups)
        pairs = [pair for group in groups for pair in group]


if __name__ == "__main__":
    main()
