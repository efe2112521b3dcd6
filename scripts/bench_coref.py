#!/usr/bin/env python3
"""What coreference costs: `veridic run` without it, with rules, and with F-Coref.

    python3 scripts/bench_coref.py --data ROWS.jsonl [--documents 40] [--rounds 5] [--python PATH]

ROWS has `document` and `summary`. The F-Coref model has the shape of the published one (DistilRoBERTa,
heads of 1,024) and random weights: its clusters are meaningless, but its time is real. Its byte-level
tokenizer of 50,265 tokens is trained on the rows' documents. Random clusters cause far more rewritten sentences than
real ones, so the seconds of the stage `coreference`, which finds clusters and rewrites sentences, are reported
separately. The three runs alternate, from process start to exit, with all levels and the default profile; the first
round is not counted. Writes the result to benches/runs/NAME.json. Needs cargo, and with --python an interpreter with
the packages of scripts/peers/requirements.txt.
"""

import argparse
import json
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from bench_common import (
    REPOSITORY, WORK, cargo_build, commit, install_python_peers, machine, public, say, spread, write_record,
)

MAKE_MODEL = """
import json, sys, torch, transformers
from pathlib import Path
from safetensors.torch import save_file
from tokenizers import Tokenizer, models, pre_tokenizers, processors, trainers

folder, rows = Path(sys.argv[1]), sys.argv[2]
head = {"max_span_length": 30, "top_lambda": 0.25, "ffnn_size": 1024, "dropout_prob": 0.3, "max_segment_len": 512}
config = transformers.RobertaConfig(
    vocab_size=50265, hidden_size=768, num_hidden_layers=6, num_attention_heads=12, intermediate_size=3072,
    max_position_embeddings=514, type_vocab_size=1, layer_norm_eps=1e-5, coref_head=head,
)
torch.manual_seed(1)
encoder = transformers.RobertaModel(config, add_pooling_layer=False)
tensors = {f"roberta.{name}": tensor for name, tensor in encoder.state_dict().items()}
size, hidden = head["ffnn_size"], config.hidden_size
for part in ("start_mention", "end_mention", "start_coref", "end_coref"):
    tensors |= {f"{part}_mlp.dense.weight": torch.randn(size, hidden) * 0.02, f"{part}_mlp.dense.bias": torch.zeros(size)}
    tensors |= {f"{part}_mlp.layer_norm.weight": torch.ones(size), f"{part}_mlp.layer_norm.bias": torch.zeros(size)}
square = ["mention_s2e", "antecedent_s2s", "antecedent_e2e", "antecedent_s2e", "antecedent_e2s"]
for name, outputs in [("mention_start", 1), ("mention_end", 1), *((name, size) for name in square)]:
    tensors |= {f"{name}_classifier.weight": torch.randn(outputs, size) * 0.02}
    tensors |= {f"{name}_classifier.bias": torch.zeros(outputs)}
save_file({name: tensor.contiguous() for name, tensor in tensors.items()}, folder / "model.safetensors")
(folder / "config.json").write_text(json.dumps(config.to_dict(), indent=1, default=str))
tokenizer = Tokenizer(models.BPE())
tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
trainer = trainers.BpeTrainer(
    vocab_size=50265, special_tokens=special, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False
)
documents = [json.loads(line)["document"] for line in open(rows, encoding="utf-8")]
tokenizer.train_from_iterator(documents, trainer)
tokenizer.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0))
tokenizer.save(str(folder / "tokenizer.json"))
"""


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, metavar="FILE")
    parser.add_argument("--documents", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--ways", default="off,rules,model", help="without `model`, Python is not needed")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--python", metavar="PATH")
    parser.add_argument("--name", default="coref", help="name of the record in benches/runs/")
    arguments = parser.parse_args()
    if not arguments.data.is_file():
        sys.exit(f"no such file: {arguments.data}")
    [binary] = cargo_build(["-p", "veridic-cli", "--bin", "veridic"])
    model = WORK / "f-coref"
    ways = {"off": "off", "rules": "rules", "model": str(model)}
    ways = {way: ways[way] for way in arguments.ways.split(",")}
    if "model" in ways:
        model.mkdir(parents=True, exist_ok=True)
        subprocess.run([arguments.python or install_python_peers(), "-c", MAKE_MODEL, model, arguments.data], check=True)
    with tempfile.TemporaryDirectory() as folder:
        rows = Path(folder) / "rows.jsonl"
        documents = choose(arguments, rows)
        rounds = [one_round(number, Path(folder), rows, binary, ways, arguments) for number in range(arguments.rounds + 1)]
    record = {
        "command": shlex.join(["python3", "scripts/bench_coref.py", *map(public, sys.argv[1:])]),
        "commit": commit(),
        "machine": machine(),
        "threads": arguments.threads,
        "documents": documents,
        "rounds": rounds[1:],
    }
    for way in (way for way in ways if way != "off"):
        record[f"{way} / off"] = spread([row[way] / row["off"] for row in rounds[1:]])
        ratio = record[f"{way} / off"]
        seconds, own = (median(row[name] for row in rounds[1:]) for name in (way, f"{way} coreference"))
        interval = f"{ratio['median']:.3f} ({ratio['least']:.3f} to {ratio['most']:.3f})"
        print(f"{way}: {seconds:.1f} s, {interval} of the run without; {own:.2f} s in the stage coreference")
    write_record(record, arguments.name)


def choose(arguments, path):
    """Writes the rows of the first documents; returns the number of documents."""
    rows = [json.loads(line) for line in arguments.data.read_text(encoding="utf-8").splitlines()]
    documents = list(dict.fromkeys(row["document"] for row in rows))[: arguments.documents]
    fields = [{"document": row["document"], "summary": row["summary"]} for row in rows if row["document"] in documents]
    path.write_text("".join(json.dumps(row) + "\n" for row in fields), encoding="utf-8")
    return len(documents)


def one_round(number, folder, rows, binary, ways, arguments):
    seconds = {}
    for name, coref in ways.items():
        output = folder / f"{name}-{number}"
        command = [binary, "run", rows, "-o", output, "--coref", coref, "--progress", "json"]
        command += ["--threads", str(arguments.threads)]
        start = time.perf_counter()
        log = subprocess.run(command, check=True, cwd=REPOSITORY, stderr=subprocess.PIPE, text=True).stderr
        seconds[name] = time.perf_counter() - start
        stages = json.loads(log.splitlines()[-1])["stage_seconds"]
        seconds[f"{name} coreference"] = stages.get("coreference", 0.0)
    say(f"round {number}: " + ", ".join(f"{name} {took:.1f} s" for name, took in seconds.items()))
    return seconds


if __name__ == "__main__":
    main()
