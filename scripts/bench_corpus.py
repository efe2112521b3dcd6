#!/usr/bin/env python3
"""The overhead of `veridic run` over its model, and its memory on a long corpus.

    python3 scripts/bench_corpus.py --data ROWS.jsonl [--documents 40] [--rounds 9] [--rows 1000000]

Overhead: the rows of the first documents of ROWS (fields `document`, `summary`) through `veridic run`, with the
level sentence and no pair skipped, compared with `veridic nli --input` on the same pairs: every sentence of a document
with every sentence of its summaries, each distinct pair once. Both are timed from process start to exit,
alternating, without the first round; the script checks that `run` computed the same number of pairs. The interval is
the order-statistic interval of the ratios' median (binomial, at least 95%).

Memory: --rows rows of two short texts, through a DeBERTa of one tiny layer with random embeddings for the bundled
model's vocabulary, with journal and output. Resident memory is read every half second; its maximum is reported for
each tenth of the run.

Writes the result to benches/runs/NAME.json. Needs cargo, and /proc for the memory.
"""

import argparse
import array
import json
import random
import shlex
import struct
import subprocess
import sys
import tempfile
import time
from math import comb
from pathlib import Path
from statistics import median

from bench_common import REPOSITORY, cargo_build, commit, machine, public, say, write_record

TINY = REPOSITORY / "models" / "tests" / "fixtures" / "deberta" / "tiny_with_tokenizer"
TOKENIZER = REPOSITORY / "models" / "weights" / "mini" / "tokenizer.json"
EMBEDDINGS = "deberta.embeddings.word_embeddings.weight"
NAMES = ["Anna", "Tomas", "Lena", "Omar", "Ivy", "Noor"]
PLACES = ["the bridge", "a school", "the old mill", "the harbour", "a clinic", "the library"]
ACTS = ["opened", "closed", "repaired", "visited", "sold", "painted"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, metavar="FILE")
    parser.add_argument("--documents", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--rows", type=int, default=1_000_000, help="rows of the long corpus; 0: skip it")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--name", default="corpus", help="name of the record in benches/runs/")
    arguments = parser.parse_args()
    if not arguments.data.is_file():
        sys.exit(f"no such file: {arguments.data}")
    [binary], [splitter] = cargo_build(["-p", "veridic-cli", "--bin", "veridic"]), cargo_build(["-p", "veridic", "--example", "sentences"])
    record = {
        "command": shlex.join(["python3", "scripts/bench_corpus.py", *map(public, sys.argv[1:])]),
        "commit": commit(),
        "machine": machine(),
        "threads": arguments.threads,
    }
    with tempfile.TemporaryDirectory() as folder:
        if arguments.rounds:
            record["overhead"] = overhead(Path(folder), arguments, binary, splitter)
        if arguments.rows:
            record["memory"] = memory(Path(folder), arguments, binary)
    write_record(record, arguments.name)


def overhead(folder, arguments, binary, splitter):
    rows = [json.loads(line) for line in arguments.data.read_text(encoding="utf-8").splitlines()]
    documents = list(dict.fromkeys(row["document"] for row in rows))[: arguments.documents]
    rows = [{name: row[name] for name in ("document", "summary")} for row in rows if row["document"] in documents]
    write_lines(folder / "rows.jsonl", rows)
    pairs = distinct_pairs(rows, splitter)
    write_lines(folder / "pairs.jsonl", [{"premise": premise, "hypothesis": claim} for premise, claim in pairs])
    say(f"{len(rows)} rows, {len(pairs)} distinct pairs")
    rounds = [
        one_round(number, folder, arguments, binary, len(pairs)) for number in range(arguments.rounds + 1)
    ][1:]
    ratios = sorted(row["run"] / row["nli"] for row in rounds)
    low, high = median_interval(len(ratios))
    result = {"rows": len(rows), "pairs": len(pairs), "rounds": rounds, "ratio": median(ratios)}
    result["interval"] = [ratios[low], ratios[high]]
    print(f"run / nli: {result['ratio']:.3f} ({ratios[low]:.3f} to {ratios[high]:.3f})")
    return result


def write_lines(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def distinct_pairs(rows, splitter):
    documents, summaries = ([row[name] for row in rows] for name in ("document", "summary"))
    pairs = {}
    for premises, claims in zip(split(splitter, documents), split(splitter, summaries)):
        for claim in (claim for claim in claims if any(letter.isalnum() for letter in claim)):
            pairs.update(dict.fromkeys((premise, claim) for premise in premises))
    return list(pairs)


def split(splitter, texts):
    rows = "".join(json.dumps({"document": text}) + "\n" for text in texts)
    result = subprocess.run([splitter], input=rows, stdout=subprocess.PIPE, text=True, check=True)
    spans = [json.loads(line) for line in result.stdout.splitlines()]
    return [[text[a:b] for a, b in row] for text, row in zip(texts, spans)]


def one_round(number, folder, arguments, binary, pairs):
    threads = ["--threads", str(arguments.threads)]
    run = [binary, "run", folder / "rows.jsonl", "-o", folder / f"out-{number}.jsonl", "--progress", "json"]
    run += ["--set", "levels=sentence", "--set", "epsilon=0", "--claims", "sentence", *threads]
    start = time.perf_counter()
    log = subprocess.run(run, stderr=subprocess.PIPE, text=True, check=True).stderr
    run_seconds = time.perf_counter() - start
    computed = json.loads(log.splitlines()[-1])["pairs"]
    if computed != pairs:
        sys.exit(f"run computed {computed} pairs, nli {pairs}: the two must do the same work")
    nli = [binary, "nli", "--input", folder / "pairs.jsonl", "--quiet", *threads]
    start = time.perf_counter()
    subprocess.run(nli, stdout=subprocess.DEVNULL, check=True)
    nli_seconds = time.perf_counter() - start
    say(f"round {number}: run {run_seconds:.2f} s, nli {nli_seconds:.2f} s, {run_seconds / nli_seconds:.3f}")
    return {"run": run_seconds, "nli": nli_seconds}


def median_interval(count):
    """Indices of the sorted values that enclose the median with a probability of at least 95%."""
    index, below = 0, 1 / 2**count
    while below + comb(count, index + 1) / 2**count <= 0.025:
        index += 1
        below += comb(count, index) / 2**count
    return index, count - 1 - index


def memory(folder, arguments, binary):
    rows = folder / "long.jsonl"
    write_long(rows, arguments.rows)
    say(f"{arguments.rows:,} rows, {rows.stat().st_size / 1e6:.0f} MB")
    model = tiny_model(folder / "tiny")
    command = [binary, "run", rows, "-o", folder / "long-out.jsonl", "--model", model, "--progress", "json"]
    command += ["--threads", str(arguments.threads)]
    start = time.perf_counter()
    samples = []
    with open(folder / "log", "w") as log, subprocess.Popen(command, stderr=log) as process:
        while process.poll() is None:
            samples.append(resident_megabytes(process.pid))
            time.sleep(0.5)
    seconds = time.perf_counter() - start
    if process.returncode:
        sys.exit((folder / "log").read_text()[-500:])
    end = json.loads((folder / "log").read_text().splitlines()[-1])
    samples = [sample for sample in samples if sample]
    tenths = [max(part) for part in parts(samples, 10)]
    result = {
        "rows": end["rows"],
        "seconds": seconds,
        "resident_megabytes_by_tenth": tenths,
        "pairs": end["pairs"],
        "pairs_reused": end["pairs_reused"],
        "stage_seconds": end["stage_seconds"],
        "output_megabytes": (folder / "long-out.jsonl").stat().st_size / 1e6,
        "journal_megabytes": (folder / "long-out.jsonl.journal").stat().st_size / 1e6,
    }
    print(f"{end['rows']:,} rows in {seconds:.0f} s, resident MB by tenths: {tenths}")
    return result


def tiny_model(folder):
    """Makes the tests' one-layer model, with an embedding for each token of the bundled vocabulary."""
    folder.mkdir()
    (folder / "tokenizer.json").write_bytes(TOKENIZER.read_bytes())
    config = json.loads((TINY / "config.json").read_text())
    vocabulary = len(json.loads(TOKENIZER.read_text(encoding="utf-8"))["model"]["vocab"])
    (folder / "config.json").write_text(json.dumps(config | {"vocab_size": vocabulary}))
    stored = (TINY / "model.safetensors").read_bytes()
    (length,) = struct.unpack_from("<Q", stored)
    header, data = json.loads(stored[8 : 8 + length]), stored[8 + length :]
    header.pop("__metadata__", None)
    generator = random.Random(1)
    values = array.array("f", (generator.gauss(0, 0.1) for _ in range(vocabulary * config["hidden_size"])))
    tensors = {name: data[slice(*entry["data_offsets"])] for name, entry in header.items()} | {EMBEDDINGS: values.tobytes()}
    header[EMBEDDINGS]["shape"][0] = vocabulary
    end = 0
    for name, bytes_ in tensors.items():
        header[name]["data_offsets"] = [end, end := end + len(bytes_)]
    written = json.dumps(header).encode()
    (folder / "model.safetensors").write_bytes(struct.pack("<Q", len(written)) + written + b"".join(tensors.values()))
    return folder


def write_long(path, count):
    """A sentence of a few words; sentences hardly ever repeat."""
    generator = random.Random(1)

    def sentence():
        who, did, what = map(generator.choice, (NAMES, ACTS, PLACES))
        return f"{who} {did} {what} in {generator.randrange(1000, 2000)}."

    with open(path, "w", encoding="utf-8") as file:
        for number in range(count):
            row = {"id": number, "document": f"{sentence()} {sentence()}", "summary": sentence()}
            file.write(json.dumps(row) + "\n")


def parts(values, count):
    size = len(values) / count
    return [values[int(index * size) : max(int((index + 1) * size), int(index * size) + 1)] for index in range(count)]


def resident_megabytes(pid):
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return None
    lines = [line for line in status.splitlines() if line.startswith("VmRSS:")]
    return round(int(lines[0].split()[1]) / 1024) if lines else None


if __name__ == "__main__":
    main()
