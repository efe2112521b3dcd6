#!/usr/bin/env python3
"""Trains an NLI model, MPNet or DeBERTa-v2, on a stated number of tokens.

    train.py CHECKPOINT OUT TOKENS RATE --data FILE_OR_FOLDER... [--caps CAPS.json] [--hold SHARE] [--after OTHER/state.pt]

CHECKPOINT is a float16 folder of `pack.py unpack`. Data are JSON lines with premise, hypothesis and label (entailment, neutral,
contradiction, or not_entailment), optionally `unsupported` (spans.py) and `teacher` (soft.py). CAPS has the most pairs of each file (by its name
without .jsonl), and under `*` of all others. Passes over a seeded mixture until TOKENS are seen. The learning rate rises over the first hundredths, stays
at RATE until the share --hold of the tokens, and falls to zero by the end. With --seconds the stage ends after that time, if that is sooner, and
the rate has fallen by then. --after goes on with the weights and the optimizer of another stage, without the
rise. Word embeddings are frozen. The moving average of the weights is saved. The network is bf16, with master weights in f32; a processor without AMX is faster
with --f32. A stage that was interrupted (SIGTERM) is resumed by the same command.

Pairs of one hypothesis stay together, so that a batch has a claim with the premise that entails it and the one that does not. --contrast weighs the
loss of their order, --blame the loss of the token head; --soft is the share of a teacher's probabilities in the loss of a pair.
"""
import argparse
import itertools
import pathlib
import random
import signal
import time

import torch

import losses
import networks
from mixture import batches, encoded, groups_of_files, tensors

DECAY = 0.997
WARM_UP = 0.04
SAVE_SECONDS = 600
COUNTS = ("step", "pairs", "tokens", "seconds")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoint", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("tokens", type=float)
    parser.add_argument("rate", type=float)
    parser.add_argument("--data", type=pathlib.Path, nargs="+", required=True)
    parser.add_argument("--caps", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="most seconds of the stage, without loading")
    parser.add_argument("--hold", type=float, default=0.0, help="share of the tokens before the rate falls")
    parser.add_argument("--after", type=pathlib.Path, help="state.pt of another stage")
    parser.add_argument("--batch", type=int, default=2048, help="tokens of a batch, with padding")
    parser.add_argument("--batches", type=int, default=2, help="of a step")
    parser.add_argument("--longest", type=int, default=384, help="most tokens of a pair; a longer premise is truncated")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--f32", action="store_true")
    parser.add_argument("--freeze", type=int, default=0, help="number of frozen layers, from the lowest")
    parser.add_argument("--contrast", type=float, default=0.0, help="weight of the order loss within pairs of one hypothesis")
    parser.add_argument("--blame", type=float, default=0.0, help="weight of the token loss")
    parser.add_argument("--dropout", type=float, default=0.0, help="of states, MPNet only")
    parser.add_argument("--soft", type=float, default=0.0, help="share of the teacher's probabilities in the loss")
    return parser.parse_args()


class Training:
    """The network, its master weights in f32, their optimizer, and the moving average of the weights."""

    def __init__(self, given):
        self.given = given
        self.judge, self.tokenizer = networks.load(given.checkpoint)
        self.judge.dropout = given.dropout
        self.judge.embeddings().word_embeddings.weight.requires_grad_(False)
        if given.freeze:
            for module in (self.judge.embeddings(), self.judge.relative(), *self.judge.layers()[: given.freeze]):
                module.requires_grad_(False)
        self.judge.to(given.device, torch.float32 if given.f32 else torch.bfloat16).train()
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
        parts = [cost.detach(), torch.zeros_like(cost)]
        if given.contrast:
            cost = cost + given.contrast * losses.of_order(logits, batch.labels, batch.groups)
        if given.blame:
            blame = losses.of_tokens(tokens, batch.blame)
            cost, parts[1] = cost + given.blame * blame, blame.detach()
        return cost, parts

    def update(self, step_batches, rate):
        """One step; returns the losses of labels and tokens."""
        parts = []
        for pairs in step_batches:
            batch = tensors(pairs, self.judge.template.padding, self.given.device)
            cost, of_batch = self.cost(batch)
            (cost / len(step_batches)).backward()
            parts.append(of_batch)
            self.pairs += len(pairs)
            self.tokens += sum(len(pair.ids) for pair in pairs)
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
        return [sum(part) / len(parts) for part in zip(*parts)]

    def save(self):
        given = self.given
        networks.save(self.judge, dict(zip(self.names, self.means)), self.tokenizer, given.checkpoint, given.out)

    def keep(self, path):
        """Writes the state, and the averaged weights."""
        path.parent.mkdir(parents=True, exist_ok=True)
        counts = {name: getattr(self, name) for name in COUNTS}
        masters = [master.detach() for master in self.masters]
        torch.save({"optimizer": self.optimizer.state_dict(), "masters": masters, "means": self.means, **counts}, path.with_suffix(".new"))
        path.with_suffix(".new").replace(path)
        self.save()

    def go_on(self, path, with_counts):
        kept = torch.load(path, weights_only=True, map_location=self.given.device)
        self.optimizer.load_state_dict(kept["optimizer"])
        with torch.no_grad():
            torch._foreach_copy_(self.masters, kept["masters"])
            torch._foreach_copy_(self.means, kept["means"])
            torch._foreach_copy_(self.weights, self.masters)
        if with_counts:
            for name in COUNTS:
                setattr(self, name, kept[name])
        print(f"going on from {path}, step {kept['step']}", flush=True)


def main():
    given = arguments()
    torch.manual_seed(given.seed)
    torch.set_num_threads(given.threads)
    networks.keep_freed_memory()
    chance = random.Random(given.seed)
    training, state = Training(given), given.out / "state.pt"
    pairs = encoded(training.tokenizer, training.judge.template, groups_of_files(given.data, given.caps, chance), given.longest)
    marked = sum(1 in pair.blame for pair in pairs)
    print(f"{len(pairs)} training pairs, mean {sum(len(pair.ids) for pair in pairs) / len(pairs):.1f} tokens, {marked} with unsupported words", flush=True)
    if state.exists() or given.after:
        training.go_on(state if state.exists() else given.after, state.exists())
    run(training, stream(pairs, given.batch, chance), state)


def stream(pairs, tokens, chance):
    while True:
        yield from batches(pairs, tokens, chance)
        groups = [list(same) for _, same in itertools.groupby(pairs, key=lambda pair: pair.group)]
        chance.shuffle(groups)
        pairs = [pair for group in groups for pair in group]


def run(training, coming, state):
    given, saved, costs, stopped = training.given, time.time(), [], []
    signal.signal(signal.SIGTERM, lambda *_: stopped.append(True))
    for _ in range(training.step * given.batches):
        next(coming)
    start = time.time() - training.seconds
    while (done := max(training.tokens / given.tokens, training.seconds / given.seconds)) < 1 and not stopped:
        costs.append(training.update(list(itertools.islice(coming, given.batches)), given.rate * rate_at(done, given)))
        training.seconds = time.time() - start
        if training.step % 25 == 0:
            print_progress(training, costs[-25:])
        if time.time() - saved > SAVE_SECONDS:
            training.keep(state)
            saved = time.time()
    training.keep(state)
    print(f"{training.pairs} pairs, {training.tokens} tokens, {training.seconds:.0f} s", flush=True)


def rate_at(share, given):
    """The part of the rate when a share of the stage is done."""
    rise = 1.0 if given.after else share / WARM_UP
    return min(rise, 1.0, (1 - share) / (1 - given.hold) if given.hold < 1 else 1.0)


def print_progress(training, costs):
    labels, tokens = (sum(part) / len(costs) for part in zip(*costs))
    counts = f"step {training.step} pairs {training.pairs} tokens {training.tokens}"
    print(f"{counts} loss {labels:.3f} words {tokens:.3f} tokens/s {training.tokens / training.seconds:.0f}", flush=True)


if __name__ == "__main__":
    main()
