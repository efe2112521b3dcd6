#!/usr/bin/env python3
"""Time Veridic beside other engines over model shapes and pair lengths.

    python3 scripts/bench_shapes.py [--shapes mini,xsmall,base,large] [--lengths 30,90,250,1000] [--rounds 3]
        [--peers veridic,openvino,veridic-bf16,veridic-int8 --name bits]

Shapes are those of the bundled model `mini`, DeBERTa-v3-xsmall, -base and -large, with random weights and
the bundled tokenizer and its vocabulary (an embedding is a look-up, whose size does not change the speed).
Each cell is about 8,000 tokens of pairs cut from the example texts, with lengths within a quarter of
the mean; other engines get them sorted, at the best of the batch sizes --batches. The second of --peers has ratio 1.
Every cell is one run of bench_peers.py, whose head describes how engines alternate and are checked; its
record is benches/runs/shapes-[NAME-]SHAPE-LENGTH.json, and the table is printed at the end. The large shape takes
minutes a cell. Needs what bench_peers.py needs.
"""

import argparse
import json
import random
import subprocess
import sys
from pathlib import Path

from bench_common import REPOSITORY, WORK, install_python_peers
from bench_peers import EXAMPLE_PAIRS

MINI = REPOSITORY / "models" / "weights" / "mini"
TOKENS_A_CELL = 8000
# Layers, hidden size, heads, whether there is a table of absolute positions.
SHAPES = {
    "mini": (6, 384, 12, True),
    "xsmall": (12, 384, 6, False),
    "base": (12, 768, 12, False),
    "large": (24, 1024, 16, False),
}
MAKE_WEIGHTS = """
import sys, torch, transformers
torch.manual_seed(1)
config = transformers.AutoConfig.from_pretrained(sys.argv[1], local_files_only=True)
model = transformers.AutoModelForSequenceClassification.from_config(config, dtype=torch.float32)
model.save_pretrained(sys.argv[1])
"""


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--shapes", default="mini,base,large", help="some of " + ",".join(SHAPES))
    parser.add_argument("--peers", default="veridic,onnxruntime", help="peers of bench_peers.py")
    parser.add_argument("--name", help="name of a separate set of records")
    parser.add_argument("--lengths", default="30,90,250,1000")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--batches", default="1,4,16", help="batch sizes that other engines choose from")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--python", metavar="PATH")
    parser.add_argument("--candle-target", metavar="DIR")
    arguments = parser.parse_args()
    arguments.python = arguments.python or install_python_peers()
    cells = {}
    for shape in arguments.shapes.split(","):
        folder = make_model(shape, arguments.python)
        for length in map(int, arguments.lengths.split(",")):
            cells[shape, length] = run_cell(shape, folder, length, arguments)
    print_table(cells)


def make_model(shape, python):
    """A folder with the shape's config, random weights and the bundled tokenizer."""
    layers, hidden, heads, has_positions = SHAPES[shape]
    folder = WORK / "shapes" / shape
    folder.mkdir(parents=True, exist_ok=True)
    config = json.loads((MINI / "config.json").read_text())
    config |= {
        "num_hidden_layers": layers,
        "hidden_size": hidden,
        "pooler_hidden_size": hidden,
        "intermediate_size": 4 * hidden,
        "num_attention_heads": heads,
        "position_biased_input": has_positions,
        "max_position_embeddings": 2048,
        "relative_attention": True,
        "position_buckets": 256,
        "norm_rel_ebd": "layer_norm",
        "share_att_key": True,
        "pos_att_type": ["c2p", "p2c"],
    }
    (folder / "config.json").write_text(json.dumps(config, indent=1))
    (folder / "tokenizer.json").write_bytes((MINI / "tokenizer.json").read_bytes())
    if not (folder / "model.safetensors").is_file():
        subprocess.run([python, "-c", MAKE_WEIGHTS, folder], check=True)
    return folder


def write_pairs(path, length):
    """Pairs of consecutive words of the examples, with `length` tokens on average."""
    rows = [json.loads(line) for line in EXAMPLE_PAIRS.read_text(encoding="utf-8").splitlines()]
    words = " ".join(row["premise"] + " " + row["hypothesis"] for row in rows).split()
    chosen = random.Random(length)
    # Tokens a word in these texts; special tokens are negligible.
    words_a_pair = length / 1.33
    pairs = []
    while len(pairs) < max(4, TOKENS_A_CELL // length):
        count = round(words_a_pair * chosen.uniform(0.75, 1.25))
        start = chosen.randrange(len(words) - count)
        text, cut = words[start : start + count], max(1, count // 4)
        pairs.append({"premise": " ".join(text[cut:]), "hypothesis": " ".join(text[:cut])})
    path.write_text("".join(json.dumps(pair) + "\n" for pair in pairs), encoding="utf-8")


def run_cell(shape, folder, length, arguments):
    name = "-".join(filter(None, ["shapes", arguments.name, shape, str(length)]))
    pairs = folder / f"pairs-{length}.jsonl"
    write_pairs(pairs, length)
    command = [sys.executable, Path(__file__).with_name("bench_peers.py"), "--model", folder]
    command += ["--pairs", pairs, "--peers", arguments.peers, "--rounds", arguments.rounds]
    command += ["--batches", arguments.batches, "--threads", arguments.threads]
    command += ["--python", arguments.python, "--name", name]
    if arguments.candle_target:
        command += ["--candle-target", arguments.candle_target]
    subprocess.run([str(part) for part in command], cwd=REPOSITORY, check=True, stdout=subprocess.DEVNULL)
    return json.loads((REPOSITORY / "benches" / "runs" / f"{name}.json").read_text())


def print_table(cells):
    print("shape   mean tokens   engine                tokens/s   ratio (least-most)   of the limit   peak MB   difference")
    for (shape, _), record in cells.items():
        for name, peer in record["peers"].items():
            ratio = peer["ratio"]
            print(
                f"{shape:<7} {peer['tokens'] / peer['pairs']:>11.0f}   {name:<18}"
                f" {peer['tokens_per_second']['median']:>11,.0f}"
                f"   {ratio['median']:.2f} ({ratio['least']:.2f}-{ratio['most']:.2f})"
                f" {peer['of_the_limit']['median']:>15.2f} {peer['peak_megabytes']:>9} {peer['largest_difference']:>12.1e}"
            )


if __name__ == "__main__":
    main()
