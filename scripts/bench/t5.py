"""The T5 generator at T5-base's shape beside Python's `transformers`.

Random weights, greedy search without an end token: 16 sequences of 60 tokens, 80 new tokens each, the same threads. The two take
turns after one uncounted round and time themselves, encoder included.

The bound: the encoder's operations at the best rate that any back end reaches in that round on a 2,048-cubed product, plus for each
of the 80 steps the longer of two times: reading the decoder's weights once at the threads' memory bandwidth, or their operations
for 16 rows at that best rate. Needs what `peers` needs.
"""

import json
import subprocess
import sys
from statistics import median

from common import PEERS, REPOSITORY, WORK, Process, add_python, cargo_build, install_python_peers, record, say, spread

SEQUENCES, LENGTH, NEW_TOKENS = 16, 60, 80
HIDDEN, WIDTH, INNER, LAYERS, HEADS, VOCABULARY = 768, 768, 3072, 12, 12, 32128
MAKE_WEIGHTS = """
import sys, torch, transformers
torch.manual_seed(1)
config = transformers.AutoConfig.from_pretrained(sys.argv[1], local_files_only=True)
model = transformers.T5ForConditionalGeneration(config)
model.generation_config = transformers.GenerationConfig.from_pretrained(sys.argv[1], local_files_only=True)
model.save_pretrained(sys.argv[1])
"""


def add(parser):
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--candle-target", default=WORK / "cargo", help="where benches/peers is built")
    add_python(parser)


def main(arguments):
    arguments.python = arguments.python or install_python_peers()
    manifest = REPOSITORY / "benches" / "peers" / "Cargo.toml"
    where = ["--manifest-path", str(manifest), "--target-dir", str(arguments.candle_target)]
    [ours], [products] = cargo_build(["-p", "veridic", "--example", "t5_peer"]), cargo_build([*where, "--bin", "products"])
    folder = make_model(arguments.python)
    sequences = write_sequences(folder / "sequences.json")
    python = [arguments.python, PEERS / "t5_torch_peer.py", folder, sequences]
    peers = [
        Process("veridic", [ours, folder, sequences], arguments.threads),
        Process("transformers", [*python, "--threads", arguments.threads], arguments.threads),
        Process("products", [products], arguments.threads),
    ]
    rounds = [one_round(number, peers) for number in range(arguments.rounds + 1)][1:]
    peak = {peer.name: peer.peak_megabytes() for peer in peers[:2]}
    for peer in peers:
        peer.stop()
    record(arguments, "t5-base", threads=arguments.threads, peak_megabytes=peak, rounds=rounds, **report(rounds, peak))


def make_model(python):
    folder = WORK / "t5-base"
    folder.mkdir(parents=True, exist_ok=True)
    config = {
        "architectures": ["T5ForConditionalGeneration"], "model_type": "t5", "vocab_size": VOCABULARY,
        "d_model": HIDDEN, "d_kv": WIDTH // HEADS, "d_ff": INNER, "num_layers": LAYERS, "num_heads": HEADS,
        "num_decoder_layers": LAYERS, "feed_forward_proj": "relu", "decoder_start_token_id": 0, "pad_token_id": 0,
        "eos_token_id": None, "is_encoder_decoder": True, "tie_word_embeddings": False,
    }  # fmt: skip
    generation = {"decoder_start_token_id": 0, "pad_token_id": 0, "eos_token_id": None}
    generation |= {"max_new_tokens": NEW_TOKENS, "num_beams": 1}
    (folder / "config.json").write_text(json.dumps(config, indent=1))
    (folder / "generation_config.json").write_text(json.dumps(generation, indent=1))
    if not (folder / "model.safetensors").is_file():
        subprocess.run([python, "-c", MAKE_WEIGHTS, folder], check=True)
        # Saving adds defaults, such as an end-of-sequence token.
        (folder / "config.json").write_text(json.dumps(config, indent=1))
        (folder / "generation_config.json").write_text(json.dumps(generation, indent=1))
    return folder


def write_sequences(path):
    sequences = [
        [2 + (31 * row * row + 7919 * row + 104729 * token + token * token) % (VOCABULARY - 2) for token in range(LENGTH)]
        for row in range(SEQUENCES)
    ]
    path.write_text(json.dumps(sequences))
    return path


def one_round(number, peers):
    ours, theirs, products = peers
    result = {"veridic": ours.ask("run"), "transformers": theirs.ask("run")}
    rates = products.ask("product")["gflops"]
    tokens = [result[name].pop("tokens") for name in ("veridic", "transformers")]
    if any(len(row) != NEW_TOKENS + 1 for rows in tokens for row in rows):
        sys.exit(f"an output does not have {NEW_TOKENS} tokens")
    result["equal_outputs"] = sum(a == b for a, b in zip(*tokens, strict=True))
    result["product_gflops"] = max(rates.values())
    result["gigabytes_per_second"] = ours.ask("bandwidth")["gigabytes_per_second"]
    result["bound_seconds"] = bound(result["product_gflops"], result["gigabytes_per_second"])
    say(f"round {number}: veridic {result['veridic']['seconds']:.2f} s, transformers"
        f" {result['transformers']['seconds']:.2f} s, bound {result['bound_seconds']:.2f} s")
    return result


def bound(gflops, gigabytes_per_second):
    """The least seconds possible at these rates."""
    block = 4 * HIDDEN * WIDTH + 2 * HIDDEN * INNER
    encoder = 2 * LAYERS * (block * SEQUENCES * LENGTH + 2 * SEQUENCES * LENGTH * LENGTH * WIDTH)
    # Keys and values of the encoder's states, computed once.
    encoder += 2 * LAYERS * 2 * HIDDEN * WIDTH * SEQUENCES * LENGTH
    weights = LAYERS * (block + 2 * HIDDEN * WIDTH) + HIDDEN * VOCABULARY
    step = max(4 * weights / gigabytes_per_second, 2 * weights * SEQUENCES / gflops)
    return (encoder / gflops + NEW_TOKENS * step) / 1e9


def report(rounds, peak):
    ratios = [row["transformers"]["seconds"] / row["veridic"]["seconds"] for row in rounds]
    fractions = [row["bound_seconds"] / row["veridic"]["seconds"] for row in rounds]
    for name in ("veridic", "transformers"):
        seconds = median(row[name]["seconds"] for row in rounds)
        print(f"{name}: {seconds:.2f} s, {SEQUENCES * NEW_TOKENS / seconds:.0f} tokens/s, {peak[name]} MB")
    print(f"ratio {median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f}),"
          f" of the bound {median(fractions):.2f} ({min(fractions):.2f} to {max(fractions):.2f}),"
          f" equal outputs {min(row['equal_outputs'] for row in rounds)} of {SEQUENCES}")
    return {"ratio": spread(ratios), "of_the_bound": spread(fractions)}
