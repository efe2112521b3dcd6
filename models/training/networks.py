"""The trained networks: MPNet and DeBERTa-v2 as `mpnet.py` and `deberta.py` compute them, each with a pair head and a token head. The
token head reads the states before the last layer, because the engine's last layer computes only the first token."""
import ctypes
import json
import pathlib
from dataclasses import dataclass

import torch
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer
from transformers import MPNetForSequenceClassification

import deberta
import mpnet
from mixture import LABELS

TOKEN_HEAD = "token_head."


@dataclass(frozen=True)
class Template:
    """The special tokens around a premise and a hypothesis."""

    start: tuple
    between: tuple
    end: tuple
    second_type: int
    padding: int


class Judge(torch.nn.Module):
    """`network` is transformers' classifier; the checkpoint uses its tensor names."""

    def __init__(self, network):
        super().__init__()
        self.network = network
        self.dropout = 0.0
        network.token_head = torch.nn.Linear(network.config.hidden_size, 1)
        torch.nn.init.zeros_(network.token_head.weight)
        torch.nn.init.zeros_(network.token_head.bias)

    def embeddings(self):
        return self.network.base_model.embeddings

    def layers(self):
        return self.network.base_model.encoder.layer

    def tokens(self, states):
        return self.network.token_head(states)[..., 0].float()


class Mpnet(Judge):
    template = Template(start=(0,), between=(2, 2), end=(2,), second_type=0, padding=1)

    def __init__(self, network):
        super().__init__(network)
        self.relative().requires_grad_(False)
        self.register_buffer("bias", mpnet.position_bias(network))

    def forward(self, batch):
        """Logits of pairs (pairs, 3) and of tokens (pairs, longest)."""
        first, before_last = mpnet.states(self.network, self.bias, batch.ids, batch.mask, self.dropout if self.training else 0.0)
        tokens = torch.zeros(batch.ids.shape, device=first.device).masked_scatter(batch.mask.bool(), self.tokens(before_last))
        return self.network.classifier(first[:, None]).float(), tokens

    def relative(self):
        return self.network.mpnet.encoder.relative_attention_bias


class Deberta(Judge):
    template = Template(start=(101,), between=(102,), end=(102,), second_type=1, padding=0)

    def forward(self, batch):
        first, before_last = deberta.states(self.network, batch.ids, batch.mask, batch.types)
        return deberta.head(self.network, first).float(), self.tokens(before_last)

    def relative(self):
        return self.network.deberta.encoder.rel_embeddings


def keep_freed_memory():
    """Makes glibc reuse the memory of freed tensors. Otherwise it returns large ones to the system, which clears every page again when
    the next step allocates it."""
    trim_threshold, mmap_max = -1, -4  # of malloc.h
    if mallopt := getattr(ctypes.CDLL(None), "mallopt", None):
        mallopt(mmap_max, 0)
        mallopt(trim_threshold, -1)


def load(folder):
    """The network of a float16 folder, in f32, and its tokenizer. A checkpoint without a token head gets one with zero weights."""
    folder = pathlib.Path(folder)
    kind = json.loads((folder / "config.json").read_text())["model_type"]
    settings = {"num_labels": len(LABELS), "hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0, "dtype": torch.float32}
    if kind == "mpnet":
        judge = Mpnet(MPNetForSequenceClassification.from_pretrained(folder, **settings))
    elif kind == "deberta-v2":
        judge = Deberta(deberta.load(folder))
    else:
        raise SystemExit(f"{folder / 'config.json'}: model_type is {kind!r}; these scripts train mpnet and deberta-v2")
    kept = {name.removeprefix(TOKEN_HEAD): tensor.float() for name, tensor in load_file(folder / "model.safetensors").items() if name.startswith(TOKEN_HEAD)}
    if kept:
        judge.network.token_head.load_state_dict(kept)
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return judge, tokenizer


def save(judge, weights, tokenizer, start, out):
    """Writes the network in float16 as transformers and pack.py read it: the trained `weights` (name -> tensor), and all other tensors
    from the folder `start`."""
    out.mkdir(parents=True, exist_ok=True)
    fixed = load_file(pathlib.Path(start) / "model.safetensors")
    state = {name: weights.get(name, fixed.get(name, tensor)) for name, tensor in judge.network.state_dict().items()}
    save_file({name: tensor.detach().to(torch.float16).contiguous() for name, tensor in state.items()}, out / "model.safetensors")
    config = judge.network.config
    config.id2label = dict(enumerate(LABELS))
    config.label2id = {label: index for index, label in enumerate(LABELS)}
    config.architectures = [type(judge.network).__name__]
    config.save_pretrained(out)
    tokenizer.save(str(out / "tokenizer.json"))
