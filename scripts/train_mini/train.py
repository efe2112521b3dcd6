"""Trains the classifier on a folder of pairs; stops and resumes without a trace.

    python train.py PAIRS START OUT (--minutes M | --epochs E | --steps S) [options]

Cross-entropy over three labels; a pair known only as not_entailment costs
-log(p_neutral + p_contradiction), and a group of pairs what its most entailed one costs.
With --token-weight, the words that an edit made wrong are told, too: a second head, which
is thrown away, says of each token of a hypothesis whether the premise supports it.
AdamW, warm-up, then linear decay to zero. Word embeddings stay as they are: most of
their 12 million values would hardly be touched.
No dropout, so the seed decides the order of the pairs and nothing else is random:
runs bounded by steps or epochs repeat exactly on a CPU with the same number of threads.
"""

import argparse
import hashlib
import json
import os
import signal
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import torch

import checkpoint
import evaluate
import model as network
from batches import Example, Limits, epoch_batches, select, support, tensors, tokenize, unit_numbers, units
from checkpoint import Progress
from failure import Failure, run
from losses import pair_losses, token_losses, unit_losses
from pairs import Pair, load

NEW_PARTS = ("classifier", "pooler", "deberta.encoder.rel_embeddings", "token_head")  # not from MiniLM: they learn faster
NEW_PARTS_RATE = 3.0
WEIGHT_DECAY = 0.01
LARGEST_GRADIENT_NORM = 1.0
STEPS_PER_LINE = 50


@dataclass(frozen=True)
class Schedule:
    """How long to train, by exactly one of three measures, and how fast."""

    steps: int | None
    epochs: int | None
    minutes: float | None
    learning_rate: float
    warm_up: float  # share of the run

    def share_done(self, progress: Progress, total_steps: int | None) -> float:
        """0 at the start, 1 or more when the run is over."""
        if self.minutes is not None:
            return progress.seconds / (60 * self.minutes)
        return progress.step / total_steps

    def rate(self, share: float) -> float:
        """The learning rate: up over the warm-up, then down to zero."""
        scale = share / self.warm_up if share < self.warm_up else (1 - share) / (1 - self.warm_up)
        return self.learning_rate * max(0.0, min(1.0, scale))


def make_optimizer(model) -> torch.optim.AdamW:
    """Groups by (new or copied, matrix or vector): rate factor and weight decay differ."""
    groups = {}
    for name, parameter in model.named_parameters():
        if parameter.requires_grad:
            groups.setdefault((name.startswith(NEW_PARTS), parameter.dim() > 1), []).append(parameter)
    return torch.optim.AdamW(
        [{"params": parameters, "rate_factor": NEW_PARTS_RATE if new else 1.0,
          "weight_decay": WEIGHT_DECAY if matrix and not new else 0.0}
         for (new, matrix), parameters in groups.items()],
        betas=(0.9, 0.98), fused=True)


class Run:
    """One training run: model, optimiser, data and progress."""

    def __init__(self, schedule: Schedule, limits: Limits, settings: dict, folder: Path, device: str):
        self.schedule, self.limits, self.settings = schedule, limits, settings
        self.folder, self.device = folder, device
        self.stop_asked = False

    def prepare(self, start: Path, train: list[Pair], dev: list[Pair]):
        """Tokenises, loads the starting model or the checkpoint, counts the steps."""
        seed = self.settings["seed"]
        tokenizer_file = start / "tokenizer.json"
        self.model = network.load(start, self.device)
        if self.settings["token_weight"]:
            network.add_token_head(self.model)
        self.examples = select(tokenize(train, tokenizer_file), self.limits, seed)
        dev_examples = tokenize(dev, tokenizer_file)
        fitting = [i for i, example in enumerate(dev_examples) if len(example) <= self.limits.most_tokens]
        self.dev, self.dev_examples = [dev[i] for i in fitting], [dev_examples[i] for i in fitting]
        if not self.dev:
            raise Failure(f"no dev pair has at most {self.limits.most_tokens} tokens; raise --most-tokens")
        mean_tokens = sum(map(len, self.examples)) / len(self.examples)
        print(f"{len(self.examples)} training pairs of {mean_tokens:.0f} tokens on average and {len(self.dev)} dev "
              f"pairs; left out as too long: {len(train) - len(self.examples)} and {len(dev) - len(self.dev)}")

        first_epoch = len(epoch_batches(self.examples, self.limits.batch_tokens, seed, 0))
        self.mean_batch = len(units(range(len(self.examples)), self.examples)) / first_epoch
        self.total_steps = self.schedule.steps
        if self.schedule.epochs is not None:
            self.total_steps = sum(len(epoch_batches(self.examples, self.limits.batch_tokens, seed, epoch))
                                   for epoch in range(self.schedule.epochs))
        self.optimizer = make_optimizer(self.model)
        self.progress = checkpoint.resume(self.folder, self.settings, self.model, self.optimizer, self.device)

    def remaining_batches(self):
        """Batches from the current place on, epoch after epoch, without end."""
        while True:
            batches = epoch_batches(self.examples, self.limits.batch_tokens, self.settings["seed"], self.progress.epoch)
            for batch in batches[self.progress.next_batch:]:
                self.progress.next_batch += 1
                yield batch
            self.progress.epoch, self.progress.next_batch = self.progress.epoch + 1, 0

    def share(self) -> float:
        return self.schedule.share_done(self.progress, self.total_steps)

    def step(self, batch: list[int], log):
        """One update of the weights."""
        began = time.monotonic()
        half_a_step = 0.5 / self.total_steps if self.total_steps else 0.0  # else the first step's rate is zero
        rate = self.schedule.rate(self.share() + half_a_step)
        for group in self.optimizer.param_groups:
            group["lr"] = rate * group["rate_factor"]
        examples = [self.examples[i] for i in batch]
        token_ids, mask, type_ids, label_ids = tensors(examples, self.device)
        with network.precision(self.device, self.settings["precision"]):
            first, before_last = network.states(self.model, token_ids, mask, type_ids)
            logits = network.head(self.model, first)
        losses = unit_losses(pair_losses(logits.float(), label_ids), label_ids, unit_numbers(examples, self.device))
        total = losses.sum()
        if self.settings["token_weight"]:
            token_logits = self.model.token_head(before_last.float()).squeeze(-1)
            total = total + self.settings["token_weight"] * token_losses(token_logits, support(examples, self.device)).sum()
        (total / self.mean_batch).backward()  # so a pair, or a group, weighs the same in a batch of any size
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), LARGEST_GRADIENT_NORM)
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        self.record(losses.mean().item(), rate, token_ids.numel(), len(batch), time.monotonic() - began, log)

    def record(self, loss: float, rate: float, tokens: int, pairs: int, seconds: float, log):
        """Counts the step and writes it down."""
        progress = self.progress
        if loss != loss:
            raise Failure(f"the loss is not a number at step {progress.step + 1}; lower --learning-rate")
        progress.running_loss = loss if progress.step == 0 else 0.98 * progress.running_loss + 0.02 * loss
        progress.step += 1
        progress.pairs += pairs
        progress.tokens += tokens
        progress.seconds += seconds
        log.write(json.dumps({"step": progress.step, "loss": loss, "learning_rate": rate}) + "\n")
        if progress.step % STEPS_PER_LINE == 0:
            print(f"step {progress.step}, {100 * self.share():.1f}% done, loss {progress.running_loss:.4f}, "
                  f"{progress.pairs} pairs, {progress.pairs / progress.seconds:.1f} pairs/s, "
                  f"{progress.tokens / progress.seconds:.0f} tokens/s", flush=True)

    def measure(self) -> dict:
        """Accuracy on the dev pairs, printed and kept."""
        predictions = evaluate.predict(self.model, self.dev_examples, self.limits.batch_tokens, self.device)
        result = evaluate.accuracy(self.dev, predictions)
        checkpoint.write_json(self.folder / "dev.json", result)
        print(f"step {self.progress.step}, {evaluate.summary(result)}", flush=True)
        return result

    def save(self, log):
        """A checkpoint, and every step up to it on disk."""
        log.flush()
        checkpoint.save(self.folder, self.settings, self.model, self.optimizer, self.progress)

    def train(self, checkpoint_minutes: float, stop_after: int | None, end_after: int | None):
        """Steps until the schedule or the run is over; checkpoints on the way and when asked to stop."""
        with open(self.folder / "steps.jsonl", "a", encoding="utf-8") as log:
            saved_at = time.monotonic()
            batches = self.remaining_batches()
            while self.share() < 1 and self.progress.step != end_after:
                self.step(next(batches), log)
                if self.stop_asked or self.progress.step == stop_after:
                    self.save(log)
                    raise Failure(f"stopped after step {self.progress.step} with a checkpoint; "
                                  "run the same command again to continue")
                if time.monotonic() - saved_at > 60 * checkpoint_minutes:
                    self.save(log)
                    self.measure()
                    saved_at = time.monotonic()

    def finish(self, start: Path):
        """Writes the trained model, then the file that says so."""
        trained = self.folder / "trained"
        if self.settings["token_weight"]:
            del self.model.token_head
        self.model.save_pretrained(trained)
        (trained / "tokenizer.json").write_bytes((start / "tokenizer.json").read_bytes())
        checkpoint.write_json(self.folder / "training.json", {
            "settings": self.settings, "progress": asdict(self.progress), "dev": self.measure()})
        (self.folder / "checkpoint.pt").unlink(missing_ok=True)
        progress = self.progress
        epochs = progress.pairs / len(self.examples)
        print(f"trained: {progress.step} steps, {progress.pairs} pairs ({epochs:.2f} epochs), "
              f"{progress.seconds:.0f} s, {progress.pairs / progress.seconds:.1f} pairs/s")


def pairs_digest(pairs: list[Pair]) -> str:
    """SHA-256 over the pairs in their order."""
    total = hashlib.sha256()
    for pair in pairs:
        total.update(json.dumps(asdict(pair)).encode() + b"\n")
    return total.hexdigest()


def describe_settings(arguments, schedule: Schedule, limits: Limits, train: list[Pair], dev: list[Pair]) -> dict:
    """Everything that decides the result, data and starting weights by digest."""
    weights = arguments.start / "model.safetensors"
    if not weights.is_file():
        raise Failure(f"{weights}: no such file; make a starting model with initialise.py, or give a trained one")
    return {"seed": arguments.seed, "precision": arguments.precision, "end_after": arguments.end_after,
            "token_weight": arguments.token_weight,
            **asdict(schedule), **asdict(limits),
            "train_sha256": pairs_digest(train), "dev_sha256": pairs_digest(dev),
            "start_sha256": hashlib.sha256(weights.read_bytes()).hexdigest()}


def parse_arguments():
    parser = argparse.ArgumentParser(description="Train the small NLI model on a folder of pairs.")
    parser.add_argument("pairs", type=Path, help="folder of *.jsonl files")
    parser.add_argument("start", type=Path, help="starting model: from initialise.py, or a trained one")
    parser.add_argument("out", type=Path, help="folder for checkpoint, log and trained model")
    duration = parser.add_mutually_exclusive_group(required=True)
    duration.add_argument("--minutes", type=float, help="train for this long (not exactly repeatable)")
    duration.add_argument("--epochs", type=int, help="times over all pairs")
    duration.add_argument("--steps", type=int, help="updates of the weights")
    parser.add_argument("--caps", type=Path, help="JSON file: source -> most pairs to take")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--learning-rate", type=float, default=1.5e-4, help="at its peak (default 1.5e-4)")
    parser.add_argument("--warm-up", type=float, default=0.05, help="share of the run (default 0.05)")
    parser.add_argument("--dev-pairs", type=int, default=600, help="set aside, at most a tenth (default 600)")
    parser.add_argument("--tokens", type=int, default=192, help="usual longest pair (default 192)")
    parser.add_argument("--most-tokens", type=int, default=320, help="longest pair of all (default 320)")
    parser.add_argument("--batch-tokens", type=int, default=2048, help="padded tokens a batch (default 2048)")
    parser.add_argument("--precision", choices=network.PRECISIONS, default="f32",
                        help="of products: bf16 trains nearly twice as fast where the processor computes it (default f32)")
    parser.add_argument("--token-weight", type=float, default=0.0,
                        help="of the loss over tokens, beside 1 for that over pairs (default 0)")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--checkpoint-minutes", type=float, default=8)
    parser.add_argument("--end-after", type=int, metavar="STEP",
                        help="finish there, the learning rate still high: for weights that another stage starts from")
    parser.add_argument("--stop-after", type=int, metavar="STEP", help="stop with a checkpoint, as Ctrl-C does")
    return parser.parse_args()


def check_arguments(arguments):
    """Refuses numbers that cannot be meant."""
    for name in ("minutes", "epochs", "steps", "learning_rate", "dev_pairs", "tokens", "batch_tokens", "threads",
                 "checkpoint_minutes"):
        value = getattr(arguments, name)
        if value is not None and not value > 0:
            raise Failure(f"--{name.replace('_', '-')} must be above 0, found {value}")
    if not arguments.token_weight >= 0:
        raise Failure(f"--token-weight must be 0 or more, found {arguments.token_weight}")
    if not 0 < arguments.warm_up < 1:
        raise Failure(f"--warm-up must be between 0 and 1, found {arguments.warm_up}")
    if not arguments.tokens <= arguments.most_tokens <= 512:
        raise Failure(f"--most-tokens must be from --tokens ({arguments.tokens}) to 512, found {arguments.most_tokens}")
    if arguments.device.startswith("cuda") and not torch.cuda.is_available():
        raise Failure(f"--device {arguments.device}: torch finds no CUDA GPU; use --device cpu")


def main():
    arguments = parse_arguments()
    check_arguments(arguments)
    torch.set_num_threads(arguments.threads)
    schedule = Schedule(arguments.steps, arguments.epochs, arguments.minutes,
                        arguments.learning_rate, arguments.warm_up)
    limits = Limits(arguments.tokens, arguments.most_tokens, batch_tokens=arguments.batch_tokens)
    train, dev = load(arguments.pairs, arguments.caps, arguments.dev_pairs, arguments.seed)
    settings = describe_settings(arguments, schedule, limits, train, dev)
    arguments.out.mkdir(parents=True, exist_ok=True)
    if checkpoint.is_complete(arguments.out, settings):
        print(f"{arguments.out}: already trained with these settings")
        return
    with open(arguments.out / "dev.jsonl", "w", encoding="utf-8") as file:
        file.writelines(json.dumps(asdict(pair), ensure_ascii=False) + "\n" for pair in dev)

    training = Run(schedule, limits, settings, arguments.out, arguments.device)
    training.prepare(arguments.start, train, dev)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: setattr(training, "stop_asked", True))
    training.train(arguments.checkpoint_minutes, arguments.stop_after, arguments.end_after)
    training.finish(arguments.start)


if __name__ == "__main__":
    run(main)
