"""`veridic nli` beside other engines, on the same pairs, weights and number of threads.

Every engine ("peer") is a process that has loaded the model (scripts/peers/protocol.py has the protocol). After one uncounted
round the peers take turns: in each round every peer scores all pairs once, from texts to probabilities, and each round starts with
a different peer. The table has real (unpadded) tokens per second, median with the lowest and the highest, and the ratio to a
reference peer as the median of the rounds' own ratios, which a drift of the machine's speed does not bias.

The limit: in every round each engine and each matrix-product crate (benches/peers/src/products.rs) also multiplies two 2,048-cubed
f32 matrices. The best rate of a round, divided by the operations that the pairs need (models/src/deberta/arithmetic.rs), is a speed
that no engine can pass; `of the limit` is the median of the rounds' own fractions.

In every round every probability is compared with ours in float32. A difference above 0.001 ends the run, except for peers that
compute in fewer bits and for candle-transformers; the table marks them with a star and has each peer's largest difference.

A model in 8-bit rows is first widened to f32 under target/, since other engines do not read such rows. The pairs, unless --pairs
names a JSON Lines file (premise, hypothesis), are 256 made from the 64 of examples/nli_pairs.jsonl: the 64; then each premise with
the hypothesis 21 rows later; then the k-th distinct premise with the hypothesis of row 5 k. Needs about 8 GB under target/.
"""

import hashlib
import itertools
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from common import MINI, PEERS as PEER_SCRIPTS, REPOSITORY, WORK, Process, add_python, cargo_build, install_python_peers, record, say, spread

EXAMPLE_PAIRS = REPOSITORY / "examples" / "nli_pairs.jsonl"
PAIRS, HYPOTHESIS_SHIFT, HYPOTHESIS_STEP = 256, 21, 5
LEAST_ROUNDS = 3
TOLERANCE = 1e-3
# Threads of the previous peer may still spin after its answer.
PAUSE_SECONDS = 0.5

# What each peer is, in the order of the table.
PEERS = {
    "veridic": "Veridic f32, packed batches",
    "veridic-bf16": "Veridic bf16, packed batches",
    "veridic-int8": "Veridic int8, packed batches",
    "openvino": "OpenVINO in the precision that it chooses, sorted, its best batch of --batches",
    "openvino-f32": "OpenVINO f32, the same",
    "torch-bf16": "PyTorch transformers bf16, sorted, batch 8",
    "onnxruntime-int8": "ONNX Runtime int8, its best batch of --batches",
    "onnxruntime": "ONNX Runtime f32, sorted, its best batch of 1, 4, 8, 16, 32",
    "torch-sorted": "PyTorch transformers, sorted, batch 8",
    "candle": "candle-transformers debertav2, sorted, batch 8 (1 with absolute positions)",
    "torch-arrival": "PyTorch transformers, order of arrival, batch 64",
}
OURS = "veridic"
PRODUCTS = "products"
MAY_DIFFER = {"candle", "veridic-bf16", "veridic-int8", "openvino", "torch-bf16", "onnxruntime-int8"}
USUAL = ["veridic", "onnxruntime", "torch-sorted", "candle", "torch-arrival"]


def add(parser):
    parser.add_argument("--model", type=Path, default=MINI, metavar="DIR")
    parser.add_argument("--pairs", type=Path, metavar="FILE", help="pairs instead of the fixed list")
    parser.add_argument("--peers", default=",".join(USUAL), help="some of " + ",".join(PEERS))
    parser.add_argument("--reference", help="the peer of ratio 1; default: the second in the list")
    add_engines(parser)


def add_engines(parser):
    parser.add_argument("--rounds", type=int, default=5, help=f"counted rounds, at least {LEAST_ROUNDS}")
    parser.add_argument("--threads", type=int, default=2, help="threads of every peer")
    parser.add_argument("--batches", default="1,4,8,16", help="batch sizes that ONNX Runtime and OpenVINO choose from")
    parser.add_argument("--candle-target", type=Path, default=WORK / "cargo", help="where benches/peers is built")
    add_python(parser)


def main(arguments):
    arguments.peers = arguments.peers.split(",")
    check(arguments)
    peers = compared(arguments)
    lines = table(peers["peers"], arguments.reference)
    print("\n".join(lines))
    record(arguments, f"peers-{arguments.model.resolve().name}", **peers, table=lines)


def compared(arguments):
    # Building and measuring do not overlap: everything is built before a peer starts.
    commands = {name: command_of(name, arguments) for name in [*arguments.peers, PRODUCTS]}
    with tempfile.TemporaryDirectory() as folder:
        pairs = arguments.pairs or write_pairs(Path(folder) / "pairs.jsonl")
        digests = {"model_sha256": digest(arguments.model / "model.safetensors"), "pairs_sha256": digest(pairs)}
        peers = []
        try:
            for name, command in commands.items():
                say(f"starting {name}")
                peers.append(Peer(name, command, arguments, pairs))
            limits = measure(peers, arguments.rounds)
        finally:
            for peer in peers:
                peer.stop()
    engines = [peer for peer in peers if peer.name != PRODUCTS]
    found = {**digests, "operations": operations_of(engines), "product_gflops": limits}
    return found | {"peers": summarize(engines, arguments.reference, limits)}


def check(arguments):
    unknown = [name for name in arguments.peers if name not in PEERS]
    if unknown:
        sys.exit(f"unknown peers {', '.join(unknown)}: known are {', '.join(PEERS)}")
    if OURS not in arguments.peers or len(set(arguments.peers)) < len(arguments.peers):
        sys.exit(f"--peers: give each once, with {OURS}")
    arguments.reference = arguments.reference or arguments.peers[min(1, len(arguments.peers) - 1)]
    if arguments.reference not in arguments.peers:
        sys.exit(f"--reference {arguments.reference} is not among the peers")
    if arguments.rounds < LEAST_ROUNDS:
        sys.exit(f"--rounds {arguments.rounds}: at least {LEAST_ROUNDS}")
    if arguments.pairs and not arguments.pairs.is_file():
        sys.exit(f"no such file: {arguments.pairs}")
    if not (arguments.model / "config.json").is_file():
        sys.exit(f"{arguments.model} has no model")
    arguments.model = wide(arguments.model, arguments)


# ---- the model


def wide(folder, arguments):
    """The folder itself, or a copy whose matrices in 8-bit rows are f32."""
    if (folder / "model.safetensors").is_file():
        return folder
    arguments.python = arguments.python or install_python_peers()
    copy = WORK / "models" / folder.resolve().name
    subprocess.run([arguments.python, REPOSITORY / "scripts" / "rows8.py", folder, copy], check=True)
    return copy


# ---- the pairs


def fixed_pairs(rows):
    """The pairs that the head of this file describes, from the rows of the example pairs."""
    premises = [row["premise"] for row in rows]
    hypotheses = [row["hypothesis"] for row in rows]
    distinct = list(dict.fromkeys(premises))
    shifted = hypotheses[HYPOTHESIS_SHIFT:] + hypotheses[:HYPOTHESIS_SHIFT]
    pairs = dict.fromkeys([*zip(premises, hypotheses), *zip(premises, shifted)])
    for k in itertools.count():
        if len(pairs) == PAIRS:
            return list(pairs)
        pairs[distinct[k % len(distinct)], hypotheses[HYPOTHESIS_STEP * k % len(hypotheses)]] = None


def write_pairs(path):
    rows = [json.loads(line) for line in EXAMPLE_PAIRS.read_text(encoding="utf-8").splitlines()]
    lines = [json.dumps({"premise": a, "hypothesis": b}, ensure_ascii=False) for a, b in fixed_pairs(rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


# ---- building the peers


def command_of(name, arguments):
    """The start of a peer's command line, and its arguments after the model and the pairs."""
    threads = ["--threads", arguments.threads]
    if name.startswith(OURS):
        return cargo_build(["-p", "veridic", "--example", "nli_peer"]), [name.partition("-")[2] or "f32"]
    if name in ("candle", PRODUCTS):
        manifest = REPOSITORY / "benches" / "peers" / "Cargo.toml"
        where = ["--manifest-path", str(manifest), "--target-dir", str(arguments.candle_target)]
        if name == PRODUCTS:
            return cargo_build([*where, "--bin", "products"]), None
        return cargo_build([*where, "--bin", "candle_peer"]), [8]
    arguments.python = arguments.python or install_python_peers()
    best = ["--batches", arguments.batches, *threads]
    if name.startswith("onnxruntime"):
        return [arguments.python, PEER_SCRIPTS / "onnx_peer.py"], best + ["--int8"] * name.endswith("int8")
    if name.startswith("openvino"):
        precision = ["--precision", "f32"] if name.endswith("f32") else []
        return [arguments.python, PEER_SCRIPTS / "openvino_peer.py"], best + precision
    order, batch = ("arrival", 64) if name == "torch-arrival" else ("sorted", 8)
    options = ["--order", order, "--batch", batch, *threads] + ["--bf16"] * name.endswith("bf16")
    return [arguments.python, PEER_SCRIPTS / "torch_peer.py"], options


# ---- running them


class Peer(Process):
    """A running peer: its answers, one a round."""

    def __init__(self, name, command, arguments, pairs):
        start, options = command
        line = start if options is None else [*start, arguments.model, pairs, *options]
        super().__init__(name, line, arguments.threads)
        is_ours = name.startswith(OURS) or name == PRODUCTS
        self.relations = None if is_ours else relations(arguments.model)
        self.rounds = []
        self.peak = None
        self.difference = 0.0

    def product(self):
        """GFLOP/s of the peer's 2,048-cubed product, by back end."""
        return self.ask("product")["gflops"]

    def run(self):
        result = self.ask("run")
        if self.relations:
            result["probabilities"] = [self.relations(row) for row in result["probabilities"]]
        return result


def relations(model):
    """From a row in the model's output order to (entailment, neutral, contradiction)."""
    labels = json.loads((model / "config.json").read_text())["id2label"]
    names = ["".join(c for c in labels[str(i)].lower() if c.isalpha()) for i in range(len(labels))]
    if "entailment" not in names:
        sys.exit(f"the labels of {model} do not name the entailment output")
    wanted = [("entailment",), ("neutral", "notentailment"), ("contradiction",)]
    columns = [next((i for i, name in enumerate(names) if name in among), None) for among in wanted]
    return lambda row: [0.0 if column is None else row[column] for column in columns]


def measure(peers, rounds):
    """The uncounted round, then the counted ones; returns each round's product rates."""
    limits = []
    engines = [peer for peer in peers if peer.name != PRODUCTS]
    multipliers = [peer for peer in peers if peer.name in (PRODUCTS, "onnxruntime", "torch-sorted")]
    for number in range(rounds + 1):
        first = number % len(engines)
        results = {}
        for peer in engines[first:] + engines[:first]:
            time.sleep(PAUSE_SECONDS)
            results[peer.name] = peer.run()
        rates = {}
        for peer in multipliers:
            time.sleep(PAUSE_SECONDS)
            rates |= peer.product()
        compare(engines, results)
        seconds = ", ".join(f"{peer.name} {results[peer.name]['seconds']:.2f}" for peer in engines)
        best = max(rates, key=rates.get)
        say(f"round {number} of {rounds}{'' if number else ' (not counted)'}, seconds: {seconds}; "
            f"best product {rates[best]:.0f} GFLOP/s ({best})")
        if number:
            limits.append(rates)
            for peer in engines:
                peer.rounds.append(results[peer.name])
    for peer in engines:
        peer.peak = peer.peak_megabytes()
    return limits


def compare(peers, results):
    """Ends the run if a peer's results differ from ours."""
    ours = results[OURS]
    for peer in peers:
        theirs = results[peer.name]
        rows = zip(ours["probabilities"], theirs["probabilities"], strict=True)
        difference = max(abs(a - b) for mine, other in rows for a, b in zip(mine, other, strict=True))
        peer.difference = max(peer.difference, difference)
        if theirs["tokens"] != ours["tokens"]:
            sys.exit(f"{peer.name} has {theirs['tokens']} tokens, {OURS} {ours['tokens']}")
        # Written so that NaN counts as a difference.
        if not difference <= TOLERANCE and peer.name not in MAY_DIFFER:
            sys.exit(f"{peer.name} and {OURS} differ by {difference} in a probability: one of them is wrong")


# ---- the results


def operations_of(peers):
    return next(peer for peer in peers if peer.name == OURS).rounds[0]["operations"]


def summarize(peers, reference, limits):
    base = next(peer for peer in peers if peer.name == reference)
    best = [max(rates.values()) for rates in limits]
    return {peer.name: summary(peer, base, operations_of(peers), best) for peer in peers}


def summary(peer, base, operations, best_rates):
    first = peer.rounds[0]
    seconds = [result["seconds"] for result in peer.rounds]
    ratios = [other["seconds"] / own for other, own in zip(base.rounds, seconds)]
    fractions = [operations / 1e9 / own / best for own, best in zip(seconds, best_rates)]
    return {
        "what": PEERS[peer.name],
        **peer.about,
        "pairs": len(first["probabilities"]),
        "tokens": first["tokens"],
        "padded_tokens": first["padded_tokens"],
        "tokens_per_second": spread([first["tokens"] / each for each in seconds]),
        "ratio": spread(ratios),
        "of_the_limit": spread(fractions),
        "peak_megabytes": peer.peak,
        "largest_difference": peer.difference,
        "differs": not peer.difference <= TOLERANCE,
        "check": first["probabilities"][:3],
        "seconds": seconds,
        "tokenize_seconds": [result["tokenize_seconds"] for result in peer.rounds],
    }


def table(peers, reference):
    head = ["peer", "batch", "real tokens/s (least-most)", "pairs/s", "padded", "tokenize ms"]
    head += [f"ratio to {reference} (least-most)", "of the limit", "peak MB", "largest difference"]
    rows = [head, *(table_row(name, peer) for name, peer in peers.items())]
    widths = [max(len(row[column]) for row in rows) for column in range(len(head))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows]
    if any(peer["differs"] for peer in peers.values()):
        lines.append(f"* its probabilities differ from ours by more than {TOLERANCE}")
    return lines


def table_row(name, peer):
    speed, ratio = peer["tokens_per_second"], peer["ratio"]
    seconds = median(peer["seconds"])
    return [
        name + ("*" if peer["differs"] else ""),
        str(peer["batch"]),
        f"{speed['median']:,.0f} ({speed['least']:,.0f}-{speed['most']:,.0f})",
        f"{peer['pairs'] / seconds:.1f}",
        f"{peer['padded_tokens'] / peer['tokens']:.2f} x",
        f"{1000 * median(peer['tokenize_seconds']):.0f}",
        f"{ratio['median']:.2f} ({ratio['least']:.2f}-{ratio['most']:.2f})",
        f"{peer['of_the_limit']['median']:.2f}",
        str(peer["peak_megabytes"]),
        f"{peer['largest_difference']:.1e}",
    ]


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()
