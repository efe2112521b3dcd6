"""Writes a trained model as Veridic bundles it, reloads it and compares.

    python export.py TRAINED OUT --dev DEV.jsonl

OUT receives model.safetensors (float16), config.json, tokenizer.json (no truncation, no
padding) and tokenizer_config.json. The word embeddings are whole numbers of 8 bits times a scale
for each row, which models/build.rs stores so, at half the size. Before that the classifier is
divided by the temperature under which the dev pairs are most probable, so that the probabilities
mean what they say (Guo et al. 2017, "On Calibration of Modern Neural Networks"); no prediction
changes. Both models, the trained one and the one just written, then score dev pairs through
transformers' own forward and tokenizer.
"""

import argparse
import hashlib
import json
from pathlib import Path

import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer
from transformers import AutoModelForSequenceClassification, AutoTokenizer
from transformers.utils import logging

import batches
import evaluate
from evaluate import accuracy, summary
from failure import Failure, loading, run
from losses import pair_losses
from pairs import LABELS, Pair, parse_line

PAIRS_COMPARED = 200
LARGEST_PROBABILITY_DIFFERENCE = 0.01
TEMPERATURES = [step / 100 for step in range(20, 301)]
MOST_TOKENS = 512
CONFIG_FIELDS = """vocab_size hidden_size num_hidden_layers num_attention_heads intermediate_size hidden_act
hidden_dropout_prob attention_probs_dropout_prob max_position_embeddings type_vocab_size initializer_range
layer_norm_eps relative_attention max_relative_positions position_buckets norm_rel_ebd share_att_key pos_att_type
position_biased_input pad_token_id pooler_hidden_size pooler_hidden_act pooler_dropout""".split()


@torch.no_grad()
def calibrate(model, dev: list[Pair], tokenizer_file: Path):
    """Divides the classifier by the temperature, of TEMPERATURES, with the lowest mean loss on the dev pairs."""
    examples = [example for example in batches.tokenize(dev, tokenizer_file) if len(example) <= MOST_TOKENS]
    if not examples:
        raise Failure(f"no dev pair has at most {MOST_TOKENS} tokens, so there is nothing to calibrate on")
    logits = evaluate.logits(model, examples, batch_tokens=2048, device="cpu")
    label_ids = torch.tensor([example.label_id for example in examples])
    losses = {temperature: pair_losses(logits / temperature, label_ids).mean().item() for temperature in TEMPERATURES}
    best = min(losses, key=losses.get)
    print(f"temperature {best:.2f}: mean loss of {len(examples)} dev pairs {losses[best]:.4f}, before {losses[1.0]:.4f}")
    model.classifier.weight /= best
    model.classifier.bias /= best


def scale_over(least: torch.Tensor) -> torch.Tensor:
    """The smallest scales of four significant bits that are not under `least`."""
    unit = 2.0 ** (least.log2().floor() - 3)
    return (least / unit).ceil() * unit


def rounded_rows(table: torch.Tensor) -> torch.Tensor:
    """Each row rounded to -127..127 times a scale of four significant bits; such products are exact in float16, and
    stay as they are when rounded again. models/build.rs finds the scales again."""
    scale = scale_over((table.abs().amax(1, keepdim=True) / 127).clamp(min=2.0**-20))
    higher = scale_over(scale * 1.01)
    has_higher = ((table / higher).round() * higher == table).all(1, keepdim=True)
    scale = torch.where(has_higher, higher, scale)
    return (table / scale).round() * scale


@torch.no_grad()
def round_embeddings(model, dev: list[Pair], tokenizer_file: Path):
    """Puts the word embeddings, which training leaves as they are, on rows of 8 bits, and tells what that changes."""
    examples = [example for example in batches.tokenize(dev[:PAIRS_COMPARED], tokenizer_file)
                if len(example) <= MOST_TOKENS]
    probabilities = [evaluate.logits(model, examples, batch_tokens=2048, device="cpu").softmax(-1)]
    embeddings = model.deberta.embeddings.word_embeddings.weight
    embeddings.copy_(rounded_rows(embeddings))
    probabilities.append(evaluate.logits(model, examples, batch_tokens=2048, device="cpu").softmax(-1))
    change = (probabilities[0] - probabilities[1]).abs()
    print(f"word embeddings in 8 bits: {len(examples)} dev pairs' probabilities change by {change.mean():.1e}, "
          f"at most {change.max():.1e}")


def write_weights(model, file: Path):
    """All parameters as float16; refuses values that float16 cannot hold."""
    weights = {name: tensor.half().contiguous() for name, tensor in model.state_dict().items()
               if not name.endswith("position_ids")}
    for name, tensor in weights.items():
        if not tensor.isfinite().all():
            raise Failure(f"{name} holds values outside float16's range; train again with a lower --learning-rate")
    save_file(weights, file, metadata={"format": "pt"})


def write_config(model, file: Path):
    """The fields that decide the computation, and nothing of the library's version."""
    fields = {"architectures": ["DebertaV2ForSequenceClassification"], "model_type": "deberta-v2"}
    fields |= {name: getattr(model.config, name) for name in CONFIG_FIELDS}
    fields |= {"id2label": {str(number): label for number, label in enumerate(LABELS)},
               "label2id": {label: number for number, label in enumerate(LABELS)},
               "dtype": "float16", "num_labels": len(LABELS)}
    file.write_text(json.dumps(fields, indent=2) + "\n", encoding="utf-8")


def write_tokenizer(source: Path, out: Path):
    """tokenizer.json without truncation and padding, and the settings transformers asks for."""
    tokenizer = Tokenizer.from_file(str(source))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    tokenizer.save(str(out / "tokenizer.json"))
    settings = {"tokenizer_class": "BertTokenizer", "do_lower_case": True, "unk_token": "[UNK]", "sep_token": "[SEP]",
                "pad_token": "[PAD]", "cls_token": "[CLS]", "mask_token": "[MASK]", "model_max_length": MOST_TOKENS,
                "tokenize_chinese_chars": True, "strip_accents": None}
    (out / "tokenizer_config.json").write_text(json.dumps(settings, indent=2) + "\n", encoding="utf-8")


def read_dev(file: Path) -> list[Pair]:
    """The dev pairs that train.py set aside."""
    if not file.is_file():
        raise Failure(f"{file}: no such file; train.py writes it as dev.jsonl")
    lines = file.read_bytes().splitlines()
    return [parse_line(line, f"{file}:{number}") for number, line in enumerate(lines, 1)]


def tokenize(tokenizer, raw: Tokenizer, pairs: list[Pair]) -> list[dict]:
    """Inputs of the pairs that fit the model; transformers and tokenizer.json must agree on them."""
    inputs = []
    for pair in pairs:
        encoding = tokenizer(pair.premise, pair.hypothesis, return_token_type_ids=True)
        plain = raw.encode(pair.premise, pair.hypothesis)
        if (encoding["input_ids"], encoding["token_type_ids"]) != (plain.ids, plain.type_ids):
            raise Failure(f"transformers and tokenizer.json give different tokens for {pair.premise[:200]!r}")
        inputs.append({name: torch.tensor([values]) for name, values in encoding.items()})
    return inputs


@torch.no_grad()
def probabilities(model, inputs: list[dict]) -> torch.Tensor:
    """(pairs, 3), one pair at a time."""
    return torch.cat([model(**one).logits.softmax(-1) for one in inputs])


def compare(trained, out: Path, dev: list[Pair]):
    """Raises when the files written do not reproduce the trained model."""
    tokenizer = AutoTokenizer.from_pretrained(out)
    raw = Tokenizer.from_file(str(out / "tokenizer.json"))
    if raw.truncation is not None or raw.padding is not None:
        raise Failure(f"{out / 'tokenizer.json'}: still truncates or pads")
    written = AutoModelForSequenceClassification.from_pretrained(out, dtype=torch.float32).eval()
    if [written.config.id2label[number] for number in range(len(LABELS))] != list(LABELS):
        raise Failure(f"{out / 'config.json'}: labels are {written.config.id2label}")

    dev = [pair for pair in dev[:PAIRS_COMPARED] if len(raw.encode(pair.premise, pair.hypothesis)) <= MOST_TOKENS]
    if not dev:
        raise Failure(f"no dev pair has at most {MOST_TOKENS} tokens, so there is nothing to compare on")
    inputs = tokenize(tokenizer, raw, dev)
    before, after = probabilities(trained, inputs), probabilities(written, inputs)
    for name, scores in (("trained, float32", before), ("written, float16", after)):
        print(f"{name}: {summary(accuracy(dev, scores.argmax(-1).tolist()))}")
    difference = (before - after).abs().max().item()
    same = (before.argmax(-1) == after.argmax(-1)).sum().item()
    print(f"largest probability difference {difference:.1e}, same label for {same} of {len(dev)}")
    if not difference < LARGEST_PROBABILITY_DIFFERENCE:
        raise Failure(f"{out}: differs from the trained model by {difference:.1e} "
                      f"(allowed {LARGEST_PROBABILITY_DIFFERENCE})")


def main():
    parser = argparse.ArgumentParser(description="Write a trained model as float16 and check what was written.")
    parser.add_argument("trained", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--dev", type=Path, required=True, help="dev.jsonl of the training run")
    arguments = parser.parse_args()
    if not (arguments.trained / "model.safetensors").is_file():
        raise Failure(f"{arguments.trained}: holds no model.safetensors; train.py writes it to OUT/trained")
    logging.disable_progress_bar()
    logging.set_verbosity_error()
    arguments.out.mkdir(parents=True, exist_ok=True)
    with loading(arguments.trained):
        trained = AutoModelForSequenceClassification.from_pretrained(arguments.trained, dtype=torch.float32).eval()
    dev = read_dev(arguments.dev)
    round_embeddings(trained, dev, arguments.trained / "tokenizer.json")
    calibrate(trained, dev, arguments.trained / "tokenizer.json")
    write_weights(trained, arguments.out / "model.safetensors")
    write_config(trained, arguments.out / "config.json")
    write_tokenizer(arguments.trained / "tokenizer.json", arguments.out)
    compare(trained, arguments.out, dev)
    weights = arguments.out / "model.safetensors"
    digest = hashlib.sha256(weights.read_bytes()).hexdigest()
    print(f"{weights}: {weights.stat().st_size / 1e6:.1f} MB, SHA-256 {digest}")


if __name__ == "__main__":
    run(main)
