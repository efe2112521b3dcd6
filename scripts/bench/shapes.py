"""Veridic beside other engines (see `peers`), over model shapes and pair lengths.

Shapes are those of `mini` and of DeBERTa-v3-xsmall, -base and -large, with random weights and the bundled tokenizer. Each cell is
about 8,000 tokens of pairs cut from the example texts, with lengths within a quarter of the mean. The second of --peers has ratio 1.
"""

import argparse
import json
import random
import subprocess

from bench import peers
from common import MINI, WORK, install_python_peers, read, record, write

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


def add(parser):
    parser.add_argument("--shapes", default="mini,base,large", help="some of " + ",".join(SHAPES))
    parser.add_argument("--lengths", default="30,90,250,1000")
    parser.add_argument("--peers", default="veridic,onnxruntime", help="peers of `peers`")
    peers.add_engines(parser)


def main(arguments):
    arguments.python = arguments.python or install_python_peers()
    cells = {}
    for shape in arguments.shapes.split(","):
        folder = make_model(shape, arguments.python)
        for length in map(int, arguments.lengths.split(",")):
            pairs = folder / f"pairs-{length}.jsonl"
            write_pairs(pairs, length)
            names = arguments.peers.split(",")
            given = vars(arguments) | {"model": folder, "pairs": pairs, "peers": names, "reference": names[1]}
            cells[f"{shape}-{length}"] = peers.compared(argparse.Namespace(**given))
    print_table(cells)
    record(arguments, "shapes", cells=cells)


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
    rows = read(peers.EXAMPLE_PAIRS)
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
    write(path, pairs)


def print_table(cells):
    print("shape   mean tokens   engine                tokens/s   ratio (least-most)   of the limit   peak MB   difference")
    for cell, found in cells.items():
        for name, peer in found["peers"].items():
            ratio = peer["ratio"]
            print(
                f"{cell.partition('-')[0]:<7} {peer['tokens'] / peer['pairs']:>11.0f}   {name:<18}"
                f" {peer['tokens_per_second']['median']:>11,.0f}"
                f"   {ratio['median']:.2f} ({ratio['least']:.2f}-{ratio['most']:.2f})"
                f" {peer['of_the_limit']['median']:>15.2f} {peer['peak_megabytes']:>9} {peer['largest_difference']:>12.1e}"
            )
