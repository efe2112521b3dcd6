#!/usr/bin/env python3
"""Asks a real server of chat completions with the setting `judge`: `transformers serve` with a tiny model whose weights are chosen so that
it says "Yes" to everything.

    scripts/check_judge_server.py [PROGRAM]          (default target/release/veridic; needs PyPI, about 2 GB)

TofuEval's answers can then be read, those of other metrics cannot. Every request is sent once and answered, the answers are kept,
a second run sends nothing, and an answer that is cut at one token is not kept. What answers mean is tested in
tests/it/language_model. TOOLS names a folder for the virtual environment, to keep it.
"""

import json
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

from client_tools import ROOT, environment

PACKAGES = ["torch", "transformers[serving]"]

MODEL = """
import sys
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast
import torch

folder, text = sys.argv[1], open(sys.argv[2]).read()
tokenizer = Tokenizer(models.BPE())
tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
tokenizer.decoder = decoders.ByteLevel()
special = ["<s>", "</s>"]
alphabet = pre_tokenizers.ByteLevel.alphabet()
tokenizer.train_from_iterator([text], trainers.BpeTrainer(vocab_size=600, special_tokens=special, initial_alphabet=alphabet))
tokenizer.add_tokens(["Yes"])
template = "{% for m in messages %}{{ m['role'] }}: {{ m['content'] }}\\n{% endfor %}assistant:"
fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, bos_token="<s>", eos_token="</s>", chat_template=template)
fast.save_pretrained(folder)
torch.manual_seed(7)
config = LlamaConfig(
    vocab_size=len(fast), hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4,
    max_position_embeddings=4096, bos_token_id=0, eos_token_id=1, tie_word_embeddings=False,
)
model = LlamaForCausalLM(config)
# The layers add nothing, so the next token depends on the last one: a colon is followed by Yes, and Yes by the end.
with torch.no_grad():
    for layer in model.model.layers:
        layer.self_attn.o_proj.weight.zero_()
        layer.mlp.down_proj.weight.zero_()
    model.lm_head.weight.zero_()
    colon, yes, end = tokenizer.token_to_id(":"), tokenizer.token_to_id("Yes"), tokenizer.token_to_id("</s>")
    for token, following in [(colon, yes), (yes, end)]:
        model.lm_head.weight[following] = model.model.embed_tokens.weight[token]
model.save_pretrained(folder)
"""

ROWS = [
    {"document": "Anna closed the shop. It was open for ten years.", "summary": "Anna closed the shop. It was open for twelve years."},
    {"document": "The council met and rejected the plan.", "summary": "The council rejected the plan."},
]

# Metric, how many requests the rows need, and how many answers can be read.
METRICS = [("tofueval:sentence", 3, 3), ("rating:consistency", 2, 0), ("finesure:faithfulness", 2, 0)]


def wait_for(url, server):
    for _ in range(600):
        if server.poll() is not None:
            raise SystemExit("the server ended")
        try:
            with urllib.request.urlopen(url):
                return
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.2)
    raise SystemExit("the server did not start")


def run(program, folder, metric, url, model, *more):
    command = [str(program), "run", "rows.jsonl", "-o", "-", "--set", f"metric={metric}", "--model", "mini", "--progress", "plain"]
    command += ["--set", f"judge={url}", "--set", f"judge_model={model}", "--set", f"answers={metric.replace(':', '-')}.jsonl"]
    command += more
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


def main():
    program = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "target/release/veridic").resolve()
    with environment(*PACKAGES) as python, tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS))
        model = folder / "tiny"
        subprocess.run([str(python), "-c", MODEL, str(model), str(folder / "rows.jsonl")], check=True)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        serve = [str(python), "-m", "transformers.cli.transformers", "serve", str(model), "--port", str(port), "--device", "cpu"]
        with open(folder / "server.log", "w") as log:
            server = subprocess.Popen(serve, stdout=log, stderr=subprocess.STDOUT)
        try:
            wait_for(f"http://127.0.0.1:{port}/health", server)
            for metric, requests, readable in METRICS:
                check(program, folder, metric, (requests, readable), f"http://127.0.0.1:{port}/v1", model)
        finally:
            server.terminate()
            server.wait(timeout=60)


def check(program, folder, metric, counts, url, model):
    requests, readable = counts
    file = folder / f"{metric.replace(':', '-')}.jsonl"
    cut = run(program, folder, metric, url, model, "--set", "judge_max_tokens=1")
    if "0 of" not in cut.stderr or file.read_text():
        raise SystemExit(f"{metric}: answers of one token are kept\n{cut.stdout}\n{cut.stderr}")
    first = run(program, folder, metric, url, model)
    kept = file.read_text().splitlines()
    expected = [f"{model}: {requests} requests sent, 0 known", f"{readable} of {requests} answers read"]
    if len(kept) != requests or not all(words in first.stderr for words in expected):
        raise SystemExit(f"{metric}: exit code {first.returncode}, {len(kept)} answers\n{first.stdout}\n{first.stderr}")
    again = run(program, folder, metric, url, model)
    if "0 requests sent" not in again.stderr or again.stdout != first.stdout:
        raise SystemExit(f"{metric}: a second run asks again or differs\n{again.stderr}")
    print(f"{metric}: {requests} requests answered, kept, and not asked again")
    print("".join(f"  {line}\n" for line in first.stderr.splitlines() if "answers read" in line or "tokens" in line), end="")


if __name__ == "__main__":
    main()
