#!/usr/bin/env python3
"""Time Veridic on an NVIDIA GPU beside PyTorch and FlashDeBERTa, on the same pairs and weights.

    python3 scripts/bench_gpu.py [--lengths 60,250,1000,4000] [--peers ...] [--rounds 5]

DeBERTa-v3-large's shape with random weights of the scale of trained ones (a standard deviation of 0.05 in layers), and
pairs of random token ids whose lengths lie within a quarter of the mean. Each cell has one uncounted round, then the
peers alternate; each measures from ids in host memory to probabilities there. A peer that is not installed, or fails, is
named in the record and skipped; ours must not fail. The table gives real tokens and pairs a second (median, least to
most), the ratio to each peer as the median of the rounds' own ratios, and the share of the card's dense f16 peak, by its
datasheet and by the best 8,192-cubed product of the same run. models/src/deberta/arithmetic.rs counts the operations.

Then it measures our probabilities against f32 on the CPU for the first pairs of each cell, for a pair of 4,096 tokens
(where f16 would overflow first), and for the default model on the example texts; the share of `veridic run`'s time in
which the model computes; and compute-sanitizer's memcheck and racecheck over every kernel's tests (skipped with
--no-sanitizer and with --binaries). Failures are in the record and make the exit code 1.

Needs cargo and nvcc (scripts/cuda_toolchain.sh), or --binaries with `veridic` and `ids_peer` built elsewhere; and for
the peers a Python with torch, transformers and flashdeberta (--python; by default a virtual environment under target/
made from scripts/peers/gpu_requirements.txt). Without a GPU it reports that and measures nothing. The record is
benches/runs/gpu-SHAPE.json.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path
from statistics import median

from bench_common import PEER_SCRIPTS, REPOSITORY, WORK, Process, cargo_build, commit, machine, say, write_record
from bench_peers import EXAMPLE_PAIRS
from bench_shapes import SHAPES, make_model

TOLERANCE = 2e-3
LONGEST = 4096
CHECKED_PAIRS = 8
CHECKED_TOKENS = 4000
SCALE_WEIGHTS = """
import sys, safetensors.torch as st
path = sys.argv[1] + "/model.safetensors"
tensors = st.load_file(path)
for name, x in tensors.items():
    if x.dim() == 2:
        tensors[name] = (x / x.std() * 0.05).contiguous()
st.save_file(tensors, path, metadata={"format": "pt"})
"""
PEERS = ["eager", "sdpa", "compile", "flash"]
GPU_REQUIREMENTS = PEER_SCRIPTS / "gpu_requirements.txt"
# Dense f16 products with f32 sums, TFLOP/s, from NVIDIA's datasheets; the first name contained in the card's counts.
PEAKS = {"H200": 989, "H100 PCIe": 756, "H100 NVL": 835, "H100": 989, "A100": 312, "L40S": 362, "L4": 121, "A10": 125}


def main():
    arguments = parse_arguments()
    card = subprocess_output(["nvidia-smi", "--query-gpu=name,driver_version,memory.total", "--format=csv,noheader"])
    if not card:
        sys.exit("no NVIDIA GPU here (nvidia-smi does not answer): nothing was measured")
    python = arguments.python or install_peers()
    ours, veridic = binaries(arguments)
    folder = scaled_model(arguments.shape, python)
    record = {"command": sys.argv[1:], "commit": commit(), "machine": machine(), "gpu": card, "cells": {}}
    record["goals"] = "4 x eager at 60 and 250, 1.5 x flash, 45% of peak at 250, within 0.002 of f32, run 80% of raw"
    for length in map(int, arguments.lengths.split(",")):
        record["cells"][length] = cell(arguments, length, folder, ours, python)
        write_record(record, arguments.name or f"gpu-{arguments.shape}")
    record["longest"] = longest(folder, ours)
    record["bundled"] = bundled(veridic)
    record["run"] = whole_run(veridic, folder)
    if not (arguments.binaries or arguments.no_sanitizer):
        record["sanitizer"] = sanitize(python)
    record["failures"] = failures(record)
    record["table"] = table(record)
    print("\n".join(record["table"]))
    write_record(record, arguments.name or f"gpu-{arguments.shape}")
    sys.exit("\n".join(record["failures"]) or 0)


def failures(record):
    """Violated requirements. Speeds are goals and are only in the table."""
    apart = {f"{length} tokens": cell["difference"] for length, cell in record["cells"].items()}
    apart |= {f"{LONGEST} tokens, one pair": record["longest"], "the default model": record["bundled"]}
    found = [f"{what}: {difference} from f32 on the CPU" for what, difference in apart.items() if not difference <= TOLERANCE]
    found += [f"veridic run: {record['run']['failed']}"] if "failed" in record["run"] else []
    return found + [f"compute-sanitizer {tool}: {outcome}" for tool, outcome in record.get("sanitizer", {}).items() if outcome != "clean"]


def scaled_model(shape, python):
    """The shape's folder, with the layers' weights scaled to the spread of trained models."""
    folder = make_model(shape, python)
    if not (folder / "scaled").is_file():
        subprocess.run([python, "-c", SCALE_WEIGHTS, folder], check=True)
        (folder / "scaled").touch()
    return folder


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shape", default="large", choices=SHAPES)
    parser.add_argument("--lengths", default="60,250,1000,4000")
    parser.add_argument("--tokens", type=int, default=262_144, help="real tokens in a cell")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--peers", default=",".join(PEERS), help="some of " + ",".join(PEERS) + ", or none")
    parser.add_argument("--peer-batch-tokens", type=int, default=16_384, help="padded tokens in a peer's batch")
    parser.add_argument("--dtype", default="f16", choices=["f16", "bf16"], help="dtype of ours; the peers use f16")
    parser.add_argument("--python", metavar="PATH", help="an interpreter with the peers' packages")
    parser.add_argument("--binaries", type=Path, metavar="FOLDER", help="folder with veridic and ids_peer")
    parser.add_argument("--no-sanitizer", action="store_true", help="skip compute-sanitizer, which takes minutes")
    parser.add_argument("--name", help="name of the record in benches/runs/")
    return parser.parse_args()


def install_peers():
    folder = WORK / "gpu-venv"
    python = folder / "bin" / "python"
    if not (folder / "done").is_file():
        say(f"installing {GPU_REQUIREMENTS.relative_to(REPOSITORY)}")
        venv.create(folder, with_pip=True, clear=True)
        if subprocess.run([python, "-m", "pip", "install", "--quiet", "--requirement", GPU_REQUIREMENTS]).returncode:
            sys.exit("cannot install the peers; give --python")
        (folder / "done").touch()
    return str(python)


def binaries(arguments):
    if arguments.binaries:
        return [arguments.binaries / "ids_peer"], arguments.binaries / "veridic"
    ours = cargo_build(["-p", "veridic", "--features", "cuda", "--example", "ids_peer"])
    return ours, cargo_build(["-p", "veridic-cli", "--features", "cuda", "--bin", "veridic"])[0]


def cell(arguments, length, folder, ours, python):
    ids = folder / f"ids-{length}.jsonl"
    rows = write_ids(ids, length, arguments.tokens)
    numbers = ["bf16"] if arguments.dtype == "bf16" else []
    peers, missing = {"veridic": Process("veridic", [*ours, folder, ids, "cuda", *numbers], 0)}, {}
    script = PEER_SCRIPTS / "gpu_torch_peer.py"
    for how in [name for name in arguments.peers.split(",") if name in PEERS]:
        try:
            peers[how] = Process(how, [python, script, folder, ids, how, arguments.peer_batch_tokens], 0)
            peers[how].ask("run")
        except SystemExit as end:
            peers.pop(how, None)
            missing[how] = str(end)
            say(f"{how} is skipped: {end}")
    peers["veridic"].ask("run")
    rounds = []
    for number in range(arguments.rounds):
        order = list(peers)
        order = order[number % len(order) :] + order[: number % len(order)]
        rounds.append({name: peers[name].ask("run") for name in order})
        say(f"{length} tokens, round {number + 1}: " + ", ".join(f"{n} {r['seconds']:.3f} s" for n, r in rounds[-1].items()))
    products = [peers[name].ask("product")["tflops"] for name in peers if name != "veridic"][:1]
    about = {name: peer.about for name, peer in peers.items()}
    for peer in peers.values():
        peer.process.stdin.close()
        peer.process.wait()
    return summary(rounds, rows, about, missing, products) | {"difference": check(rounds, rows, folder, ours)}


def write_ids(path, length, tokens):
    chosen = random.Random(length)
    vocabulary = json.loads((path.parent / "config.json").read_text())["vocab_size"]
    rows = []
    for _ in range(max(4, tokens // length)):
        count = round(length * chosen.uniform(0.75, 1.25))
        ids = [chosen.randrange(1000, vocabulary) for _ in range(count)]
        rows.append({"ids": ids, "types": [int(place > count * 3 // 4) for place in range(count)]})
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return rows


def summary(rounds, rows, about, missing, products):
    tokens = sum(len(row["ids"]) for row in rows)
    operations = rounds[0]["veridic"]["operations"]
    peers = {}
    for name in rounds[0]:
        seconds = [result[name]["seconds"] for result in rounds]
        rates = sorted(tokens / s for s in seconds)
        peers[name] = {
            "seconds": seconds,
            "tokens_a_second": [median(rates), rates[0], rates[-1]],
            "pairs_a_second": len(rows) / median(seconds),
            "tflops": operations / median(seconds) / 1e12,
            "padded": rounds[0][name]["padded_tokens"] / tokens,
            "ratio_of_ours": median(result[name]["seconds"] / result["veridic"]["seconds"] for result in rounds),
            "about": about[name],
        }
    return {"pairs": len(rows), "tokens": tokens, "operations": operations, "product_tflops": products,
            "peers": peers, "missing": missing}


def check(rounds, rows, folder, ours):
    """The largest difference from f32 on the CPU over the first pairs."""
    few, tokens = [], 0
    for row in rows[:CHECKED_PAIRS]:
        tokens += len(row["ids"])
        if few and tokens > CHECKED_TOKENS:
            break
        few.append(row)
    return difference(rounds[0]["veridic"]["probabilities"], few, folder, ours)


def longest(folder, ours):
    """The largest difference for one pair of LONGEST tokens."""
    chosen, vocabulary = random.Random(LONGEST), json.loads((folder / "config.json").read_text())["vocab_size"]
    ids = [chosen.randrange(1000, vocabulary) for _ in range(LONGEST)]
    row = {"ids": ids, "types": [int(place > LONGEST - 64) for place in range(LONGEST)]}
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "ids.jsonl"
        path.write_text(json.dumps(row) + "\n")
        return difference(answers(ours, folder, path, "cuda"), [row], folder, ours)


def bundled(veridic):
    """The largest difference of the default model's probabilities over the example pairs."""
    rows = []
    for device in ["cuda", "cpu"]:
        command = [str(veridic), "nli", "--input", str(EXAMPLE_PAIRS), "--device", device, "-q"]
        output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        rows.append([list(json.loads(line).values()) for line in output.splitlines()])
    return max(abs(a - b) for x, y in zip(*rows) for a, b in zip(x, y))


def sanitize(python):
    """compute-sanitizer's result on every kernel's tests: `clean`, or its last lines."""
    tool = Path(subprocess_output([python, "-c", "import nvidia; print(list(nvidia.__path__)[0])"])) / "cu13/bin/compute-sanitizer"
    tool = tool if tool.is_file() else "compute-sanitizer"
    command = ["cargo", "test", "-p", "veridic-kernels", "--features", "cuda", "--lib", "--no-run", "--message-format=json"]
    built = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True)
    if built.returncode:
        return {"build": built.stderr[-2000:]}
    tests = [json.loads(line).get("executable") for line in built.stdout.splitlines() if line.startswith("{")]
    found = {}
    for check_of in ["memcheck", "racecheck"]:
        command = [tool, "--tool", check_of, "--error-exitcode", "1", [path for path in tests if path][-1], "cuda", "--test-threads", "1"]
        try:
            result = subprocess.run([str(part) for part in command], capture_output=True, text=True)
            found[check_of] = "clean" if result.returncode == 0 else (result.stdout + result.stderr)[-2000:]
        except OSError as error:
            found[check_of] = f"cannot be started: {error}"
    return found


def answers(ours, folder, path, device):
    """Probabilities of a file's pairs."""
    process = Process(f"veridic on {device}", [*ours, folder, path, device], os.cpu_count())
    probabilities = process.ask("run")["probabilities"]
    process.process.stdin.close()
    process.process.wait()
    return probabilities


def difference(got, few, folder, ours):
    """The largest difference of the first probabilities from f32 on the CPU."""
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "ids.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in few))
        exact = answers(ours, folder, path, "cpu")
    return max(abs(a - b) for x, y in zip(exact, got) for a, b in zip(x, y))


def whole_run(veridic, folder):
    """The share of time in which the model computes, in a `veridic run` over rows of the example texts."""
    sentences = [json.loads(line) for line in EXAMPLE_PAIRS.read_text(encoding="utf-8").splitlines()]
    chosen = random.Random(1)
    with tempfile.TemporaryDirectory() as place:
        rows = Path(place) / "rows.jsonl"
        with rows.open("w") as file:
            for _ in range(512):
                some = chosen.sample(sentences, 16)
                document = " ".join(row["premise"] for row in some)
                file.write(json.dumps({"document": document, "summary": " ".join(r["hypothesis"] for r in some[:4])}) + "\n")
        command = [veridic, "run", rows, "-o", Path(place) / "out.jsonl", "--model", folder, "--set",
                   "labels=entailment,neutral,contradiction", "--device", "cuda", "--progress", "json", "--set", "cache_mb=0"]
        start = time.perf_counter()
        result = subprocess.run([str(part) for part in command], capture_output=True, text=True)
        seconds = time.perf_counter() - start
    if result.returncode:
        return {"failed": result.stderr[-2000:]}
    end = [json.loads(line) for line in result.stderr.splitlines() if line.startswith("{")][-1]
    return {"seconds": seconds, "end": end, "share_of_model": end["stage_seconds"].get("model", 0.0) / end["seconds"]}


def table(record):
    peak = next((tflops for name, tflops in PEAKS.items() if name in record["gpu"]), None)
    lines = [record["gpu"], "| mean tokens | engine | real tokens/s | pairs/s | padded | ours is | of the datasheet's peak | of the measured product |",
             "|---|---|---|---|---|---|---|---|"]
    for length, cell in record["cells"].items():
        for name, peer in cell["peers"].items():
            rate, least, most = peer["tokens_a_second"]
            of_peak = f"{peer['tflops'] / peak:.2f}" if peak else "?"
            of_product = f"{peer['tflops'] / cell['product_tflops'][0]:.2f}" if cell["product_tflops"] else "?"
            ratio = "" if name == "veridic" else f"{peer['ratio_of_ours']:.2f} x"
            lines.append(f"| {length} | {name} | {rate:,.0f} ({least:,.0f} to {most:,.0f}) | {peer['pairs_a_second']:,.1f} | "
                         f"{peer['padded']:.2f} | {ratio} | {of_peak} | {of_product} |")
        lines += [f"| {length} | {name} | not measured: {why} | | | | | |" for name, why in cell["missing"].items()]
        lines.append(f"| {length} | largest difference from f32 | {cell['difference']:.1e} | | | | | |")
    lines.append(f"largest difference from f32: {record['longest']:.1e} at {LONGEST} tokens, {record['bundled']:.1e} of the default model")
    lines.append(f"compute-sanitizer: {record.get('sanitizer', 'not run')}")
    lines.append(f"rows in, verdicts out: {record['run']}")
    return lines


def subprocess_output(command):
    try:
        return subprocess.run(command, capture_output=True, text=True).stdout.strip()
    except OSError:
        return ""


main()
