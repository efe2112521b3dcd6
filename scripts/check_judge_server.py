#!/usr/bin/env python3
"""Asks a real server of chat completions with --judge: `transformers serve` with a tiny model of random weights.

    scripts/check_judge_server.py [PROGRAM]          (default target/release/veridic; needs PyPI, about 2 GB)

What such a model says cannot be read, so this is about the way there and back: every request is sent once and answered, the
answers are kept and counted as unreadable, and a second run sends nothing. What answers mean is tested in tests/it/language_model.
TOOLS names a folder for the virtual environment, to keep it.
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
template = "{% for m in messages %}{{ m['role'] }}: {{ m['content'] }}\\n{% endfor %}assistant:"
fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, bos_token="<s>", eos_token="</s>", chat_template=template)
fast.save_pretrained(folder)
torch.manual_seed(7)
config = LlamaConfig(
    vocab_size=len(fast), hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4,
    max_position_embeddings=4096, bos_token_id=0, eos_token_id=1,
)
LlamaForCausalLM(config).save_pretrained(folder)
"""

ROWS = [
    {"document": "Anna closed the shop. It was open for ten years.", "summary": "Anna closed the shop. It was open for twelve years."},
    {"document": "The council met and rejected the plan.", "summary": "The council rejected the plan."},
]

# Metric and how many requests the rows need.
METRICS = [("tofueval:sentence", 3), ("rating", 2), ("finesure:faithfulness", 2)]


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


def run(program, folder, metric, url, model):
    command = [str(program), "run", "rows.jsonl", "-o", "-", "--metric", metric, "--model", "mini", "--progress", "plain"]
    command += ["--judge", url, "--judge-model", str(model), "--answers", f"{metric.replace(':', '-')}.jsonl"]
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
            for metric, requests in METRICS:
                check(program, folder, metric, requests, f"http://127.0.0.1:{port}/v1", model)
        finally:
            server.terminate()
            server.wait(timeout=60)


def check(program, folder, metric, requests, url, model):
    first = run(program, folder, metric, url, model)
    file = folder / f"{metric.replace(':', '-')}.jsonl"
    kept = file.read_text().splitlines() if file.exists() else []
    expected = f"{model}: {requests} requests sent"
    counts = next((line for line in first.stderr.splitlines() if "answers read" in line), "")
    all_replied = len(kept) == requests and expected in first.stderr and "failed" not in counts
    if first.returncode not in (0, 2) or not all_replied:
        raise SystemExit(f"{metric}: exit code {first.returncode}, {len(kept)} answers\n{first.stdout}\n{first.stderr}")
    again = run(program, folder, metric, url, model)
    if "0 requests sent" not in again.stderr or again.stdout != first.stdout:
        raise SystemExit(f"{metric}: a second run asks again or differs\n{again.stderr}")
    print(f"{metric}: {requests} requests answered, kept, and not asked again")
    print("".join(f"  {line}\n" for line in first.stderr.splitlines() if "answers read" in line or "tokens" in line), end="")


if __name__ == "__main__":
    main()
