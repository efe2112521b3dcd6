#!/usr/bin/env python3
"""Trains an NLI model, MPNet or DeBERTa-v2, for a stated time.

    train.py CHECKPOINT OUT MINUTES RATE --data FILE_OR_FOLDER... [--caps CAPS.json] [--tokens 4096] [--stop-after MINUTES]

CHECKPOINT is a float16 folder of `pack.py unpack`. Data are JSON lines with premise, hypothesis and label (entailment, neutral,
contradiction, or not_entailment), optionally `unsupported` (spans.py) and `teacher` (soft.py). CAPS has the most pairs of each file (by its name
without .jsonl), and under `*` of all others. Passes over a seeded mixture until MINUTES of processor time a thread are used; the learning
rate falls to zero by then. Word embeddings are frozen. The moving average of the weights is saved. The network is bf16, which processors with AMX or AVX-512 BF16
compute (elsewhere use --f32 --freeze 6), with master weights in f32. --stop-after interrupts training; the same command resumes it.

Pairs of one hypothesis stay together, so that a batch has a claim with the premise that entails it and the one that does not. --contrast weighs the
loss of their order, --blame the loss of the token head; --soft is the share of a teacher's probabilities in the loss of a pair.
"""
import argparse
import itertools
import pathlib
import random
import time

import torch

import losses
import networks
from mixture import NOT_ENTAILMENT, UNKNOWN, batches, encoded, first_rows, groups_of_files, tensors

SET_ASIDE = 600
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
    parser.add_argument("--longest", type=int, default=384, help="most tokens of a pair; a longer premise is truncated")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--f32", action="store_true")
    parser.add_argument("--freeze", type=int, default=0, help="number of frozen layers, from the lowest")
    parser.add_argument("--contrast", type=float, default=0.0, help="weight of the order loss within pairs of one hypothesis")
    parser.add_argument("--blame", type=float, default=0.0, help="weight of the token loss")
    parser.add_argument("--soft", type=float, default=0.0, help="share of the teacher's probabilities in the loss")
    parser.add_argument("--stop-after", type=float, default=float("inf"), help="minutes until training is interrupted")
    return parser.parse_args()


class Training:
    """The network, its master weights in f32, their optimizer, and the moving average of the weights."""

    def __init__(self, given):
        self.given = given
        self.judge, self.tokenizer = networks.load(given.checkpoint)
        self.judge.embeddings().word_embeddings.weight.requires_grad_(False)
        if given.freeze:
            for module in (self.judge.embeddings(), self.judge.relative(), *self.judge.layers()[: given.freeze]):
                module.requires_grad_(False)
        self.judge.to(torch.float32 if given.f32 else torch.bfloat16).train()
        named = [(name, weight) for name, weight in self.judge.network.named_parameters() if weight.requires_grad]
        self.names = [name for name, _ in named]
        self.weights = [weight for _, weight in named]
        self.masters = [weight.detach().float().clone().requires_grad_(True) for weight in self.weights]
        self.means = [master.detach().clone() for master in self.masters]
        self.optimizer = torch.optim.AdamW(self.groups(), lr=given.rate, betas=(0.9, 0.98), fused=True)
        self.step = self.pairs = self.tokens = 0
        self.seconds = 0.0

    def groups(self):
        """Weight decay for matrices only; five times the learning rate for the classifier, twenty times for the token head."""
        kinds = ((0.01, 1), (0.0, 1), (0.0, 5), (0.0, 20))
        groups = [{"params": [], "weight_decay": decay, "times": times} for decay, times in kinds]
        for name, master in zip(self.names, self.masters):
            index = 3 if name.startswith(networks.TOKEN_HEAD) else 2 if name.startswith("classifier.") else int(master.dim() <= 1)
            groups[index]["params"].append(master)
        return groups

    def cost(self, batch):
        given = self.given
        logits, tokens = self.judge(batch)
        cost = losses.of_teacher(logits, batch.teacher, batch.labels, given.soft).mean()
        parts = [cost.item(), 0.0]
        if given.contrast:
            cost = cost + given.contrast * losses.of_order(logits, batch.labels, batch.groups)
        if given.blame:
            blame = losses.of_tokens(tokens, batch.blame)
            cost, parts[1] = cost + given.blame * blame, blame.item()
        return cost, parts

    def update(self, pairs, rate):
        """One step; returns the losses of labels and tokens."""
        batch = tensors(pairs, self.judge.template.padding)
        cost, parts = self.cost(batch)
        cost.backward()
        for group in self.optimizer.param_groups:
            group["lr"] = rate * group["times"]
        with torch.no_grad():
            for master, weight in zip(self.masters, self.weights):
                master.grad, weight.grad = None if weight.grad is None else weight.grad.float(), None
            torch.nn.utils.clip_grad_norm_(self.masters, 1.0)
            self.optimizer.step()
            torch._foreach_copy_(self.weights, self.masters)
            share = 1 - min(DECAY, (1 + self.step) / (10 + self.step))
            torch._foreach_lerp_(self.means, [master.detach() for master in self.masters], share)
        self.step += 1
        self.pairs += len(pairs)
        self.tokens += int(batch.mask.sum())
        return parts

    @torch.no_grad()
    def evaluate(self, pairs):
        """The averaged weights' accuracy on the development pairs, and precision and recall of unsupported tokens at a probability of 0.5."""
        torch._foreach_copy_(self.weights, self.means)
        self.judge.eval()
        three = right_of_three = right = blamed = to_blame = both = 0
        for some in batches(pairs, self.given.tokens):
            batch = tensors(some, self.judge.template.padding)
            logits, tokens = self.judge(batch)
            best, labels = logits.argmax(-1), batch.labels
            has_three = labels < NOT_ENTAILMENT
            three += int(has_three.sum())
            right_of_three += int((best == labels)[has_three].sum())
            right += int(((best == 0) == (labels == 0)).sum())
            is_blamed, is_known = tokens > 0, batch.blame != UNKNOWN
            blamed += int((is_blamed & is_known).sum())
            to_blame += int((batch.blame == 1).sum())
            both += int((is_blamed & (batch.blame == 1)).sum())
        torch._foreach_copy_(self.weights, [master.detach() for master in self.masters])
        self.judge.train()
        of_tokens = f" tokens precision {both / max(blamed, 1):.3f}, recall {both / max(to_blame, 1):.3f} of {to_blame}"
        return f"dev three-way {right_of_three / max(three, 1):.3f} entailed-or-not {right / max(len(pairs), 1):.3f}{of_tokens}"

    def save(self):
        given = self.given
        networks.save(self.judge, dict(zip(self.names, self.means)), self.tokenizer, given.checkpoint, given.out)

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
        print(f"resuming at step {self.step} after {self.seconds:.0f} s", flush=True)


def main():
    given = arguments()
    torch.manual_seed(given.seed)
    torch.set_num_threads(given.threads)
    chance = random.Random(given.seed)
    training, state = Training(given), given.out / "state.pt"
    groups = groups_of_files(given.data, given.caps, chance)
    first = len(first_rows(groups, SET_ASIDE))
    template = training.judge.template
    aside, pairs = (encoded(training.tokenizer, template, part, given.longest) for part in (groups[:first], groups[first:]))
    marked = sum(1 in pair.blame for pair in pairs)
    print(f"{len(pairs)} training pairs, mean {sum(len(pair.ids) for pair in pairs) / len(pairs):.1f} tokens, {marked} with unsupported words", flush=True)
    if state.exists():
        training.go_on(state)
    run(training, pairs, aside, chance, state)


def run(training, pairs, aside, chance, state):
    given, before, saved, costs = training.given, training.seconds, time.time(), []
    start = seconds_used(given)
    skip = training.step
    while True:
        for batch in batches(pairs, given.tokens, chance):
            if skip:
                skip -= 1
                continue
            sitting = seconds_used(given) - start
            training.seconds = before + sitting
            share = training.seconds / (60 * given.minutes)
            if share >= 1:
                print(training.evaluate(aside), flush=True)
                training.save()
                print(f"{training.pairs} pairs, {training.tokens} tokens, {training.seconds:.0f} s")
                return
            if sitting > 60 * given.stop_after:
                training.keep(state)
                training.save()
                print(f"interrupted at step {training.step}", flush=True)
                return
            rising = share / WARM_UP if share < WARM_UP else (1 - share) / (1 - WARM_UP)
            costs.append(training.update(batch, given.rate * rising))
            if training.step % 25 == 0:
                print_progress(training, share, costs[-25:])
            if time.time() - saved > SAVE_SECONDS:
                print(training.evaluate(aside), flush=True)
                training.save()
                training.keep(state)
                saved = time.time()
        print("all pairs seen", flush=True)
        groups = [list(same) for _, same in itertools.groupby(pairs, key=lambda pair: pair.group)]
        chance.shuffle(groups)
        pairs = [pair for group in groups for pair in group]


def seconds_used(given):
    """Processor seconds a thread, so that a process that is paused or shares its cores keeps its time."""
    return time.process_time() / given.threads


def print_progress(training, share, costs):
    speed = training.tokens / training.seconds if training.seconds else 0
    labels, tokens = (sum(part) / len(costs) for part in zip(*costs))
    print(f"step {training.step} pairs {training.pairs} share {share:.3f} loss {labels:.3f} words {tokens:.3f} tokens/s {speed:.0f}", flush=True)


if __name__ == "__main__":
    main()
