#!/usr/bin/env python3
"""What a screen costs in accuracy and what it saves: the frontier of docs/measurements/accuracy.md.

    measure_screen.py accuracy VERIDIC --data FILE.jsonl... [--cache DIR] [--rows 40] [--model base] [-- FLAG...]
    measure_screen.py time VERIDIC --data FILE.jsonl... [--rows 2] [--rounds 3] [--model base | --large] [-- FLAG...]
    measure_screen.py plot

`accuracy` judges --rows evenly spaced rows of each file (document, summary, and label where people gave one) with every screen and without one, and
prints the ROC AUC of the summary score for each set with labels, their mean, the share of claims whose verdict (and whose support) differs from reading
everything (`--set screen=off --set epsilon=0`), and the pairs that the judge and the small model read. With --cache later screens reuse the pairs of earlier ones. `time` judges the rows
without a cache, round after round with every screen once a round, and prints seconds a row and the ratio to reading everything; --large makes a model of
DeBERTa-v3-large's shape with random weights. Both write benches/runs/screen-*.json; `plot` draws docs/images/screen.svg from these. Needs only Python.
"""
import argparse
import json
import pathlib
import random
import struct
import subprocess
import sys
import tempfile
import time
from statistics import mean, median

from bench_common import REPOSITORY, commit, machine, say, write_record
from measure_judges import area, spaced

METHODS = ("words", "mini", "mini+words")
SENTENCES = (2, 4, 6, 8, 16)
EVERYTHING = "everything"
SCREENS = [EVERYTHING, "off", *(f"{method}:{most}" for method in METHODS for most in SENTENCES)]
LARGE = {"hidden": 1024, "layers": 24, "heads": 16}
IMAGE = REPOSITORY / "docs" / "images" / "screen.svg"


def judge(given, rows, screen, out, flags):
    """The judged rows and the seconds of the run."""
    chosen = ["--set", "screen=off", "--set", "epsilon=0"] if screen == EVERYTHING else ["--set", f"screen={screen}"]
    command = [given.veridic, "run", rows, "-o", out, "--model", given.model, *chosen, "--keep", "label", "--quiet", *flags]
    for old in out.parent.glob(f"{out.name}*"):
        old.unlink()
    start = time.perf_counter()
    if subprocess.run([str(part) for part in command]).returncode:
        sys.exit(f"error: {screen} on {rows}: its messages are above")
    seconds = time.perf_counter() - start
    return [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()], seconds


def write_rows(given, folder):
    """Evenly spaced rows of those of each file whose document is long enough."""
    files = []
    for file in given.data:
        rows = folder / f"{file.stem}.jsonl"
        lines = file.read_text(encoding="utf-8").splitlines()
        long_enough = [line for line in lines if len(json.loads(line)["document"].split()) >= given.min_words]
        rows.write_text("\n".join(long_enough) + "\n", encoding="utf-8")
        rows.write_text("\n".join(spaced(rows, given.rows)) + "\n", encoding="utf-8")
        files.append(rows)
    return [file for file in files if file.read_text(encoding="utf-8").strip()]


def differing(full, screened, same):
    """The share of claims for which `same` does not hold."""
    pairs = [pair for a, b in zip(full, screened) for pair in zip(a["claims"], b["claims"])]
    return sum(not same(a, b) for a, b in pairs) / max(len(pairs), 1)


def accuracy(given, flags, folder):
    files = write_rows(given, folder)
    flags = [*flags, *(["--set", f"cache={given.cache}"] if given.cache else [])]
    record, full = {}, None
    for screen in given.screens:
        judged = {file.stem: [row for row in judge(given, file, screen, folder / "scores.jsonl", flags)[0] if "claims" in row] for file in files}
        rows = [row for of_set in judged.values() for row in of_set]
        full = full or rows
        labelled = {name: of_set for name, of_set in judged.items() if all(row["input"].get("label") is not None for row in of_set)}
        claims = sum(len(row["claims"]) for row in rows)
        counted = lambda field: sum(row["ledger"][field] for row in rows) / claims  # noqa: E731
        record[screen] = {
            "auc": {name: round(area(of_set, lambda row: row["score"]), 4) for name, of_set in labelled.items()},
            "verdicts_changed": differing(full, rows, lambda a, b: a["verdict"] == b["verdict"]),
            "support_changed": differing(full, rows, lambda a, b: (a["verdict"] == "supported") == (b["verdict"] == "supported")),
            "pairs_a_claim": counted("premises"),
            "screen_pairs_a_claim": counted("screen_pairs"),
            "claims": claims,
            "rows": len(rows),
        }
        line(screen, record)
    return record


def line(screen, record):
    of_screen, full = record[screen], record[EVERYTHING]
    if screen == EVERYTHING:
        print("| " + " | ".join(["screen", *of_screen["auc"], "mean AUC", "difference", "verdicts changed", "support changed", "pairs a claim", "by mini"]) + " |")
        print("|---" * (len(of_screen["auc"]) + 7) + "|")
    average = mean(of_screen["auc"].values())
    cells = [screen, *(f"{value:.3f}" for value in of_screen["auc"].values()), f"{average:.4f}", f"{average - mean(full['auc'].values()):+.4f}"]
    cells += [f"{100 * of_screen[share]:.1f}%" for share in ("verdicts_changed", "support_changed")]
    cells += [f"{of_screen[pairs]:.1f}" for pairs in ("pairs_a_claim", "screen_pairs_a_claim")]
    print("| " + " | ".join(cells) + " |", flush=True)


def times(given, flags, folder):
    """Seconds a row of each screen, of each round; loading is measured with a row of two sentences and left out."""
    everything = folder / "everything.jsonl"
    everything.write_text("".join(file.read_text(encoding="utf-8") for file in write_rows(given, folder)), encoding="utf-8")
    tiny = folder / "tiny.jsonl"
    tiny.write_text(json.dumps({"document": "It rained.", "summary": "It rained."}) + "\n", encoding="utf-8")
    count = len(everything.read_text(encoding="utf-8").splitlines())
    seconds = {screen: [] for screen in given.screens}
    for number in range(given.rounds):
        for screen in given.screens:
            loading = judge(given, tiny, screen, folder / "scores.jsonl", flags)[1]
            rows, taken = judge(given, everything, screen, folder / "scores.jsonl", flags)
            seconds[screen].append((taken - loading) / count)
            say(f"round {number + 1}: {screen} {seconds[screen][-1]:.3f} s a row")
    full = median(seconds[EVERYTHING])
    print("| screen | seconds a row (least to most) | of reading everything |\n|---|---|---|")
    for screen, taken in seconds.items():
        print(f"| {screen} | {median(taken):.3f} ({min(taken):.3f} to {max(taken):.3f}) | {median(taken) / full:.3f} |")
    return {"rows": count, "seconds_a_row": seconds}


def make_large(folder):
    """A model of DeBERTa-v3-large's shape: random weights in bf16, the tokenizer of `mini`."""
    mini = REPOSITORY / "models" / "weights" / "mini"
    hidden, layers = LARGE["hidden"], LARGE["layers"]
    config = json.loads((mini / "config.json").read_text())
    config |= {"num_hidden_layers": layers, "hidden_size": hidden, "pooler_hidden_size": hidden, "intermediate_size": 4 * hidden}
    config |= {"num_attention_heads": LARGE["heads"], "position_biased_input": False, "type_vocab_size": 0}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps(config))
    for file in ("tokenizer.json", "tokenizer_config.json"):
        (folder / file).write_bytes((mini / file).read_bytes())
    shapes = {"deberta.embeddings.word_embeddings.weight": (config["vocab_size"], hidden)}
    shapes["deberta.encoder.rel_embeddings.weight"] = (2 * config["position_buckets"], hidden)
    for norm in ("deberta.embeddings.LayerNorm", "deberta.encoder.LayerNorm"):
        shapes |= {f"{norm}.weight": (hidden,), f"{norm}.bias": (hidden,)}
    for layer in range(layers):
        name = f"deberta.encoder.layer.{layer}"
        inner = {"intermediate.dense": (4 * hidden, hidden), "output.dense": (hidden, 4 * hidden), "attention.output.dense": (hidden, hidden)}
        inner |= {f"attention.self.{part}_proj": (hidden, hidden) for part in ("query", "key", "value")}
        for dense, (rows, columns) in inner.items():
            shapes |= {f"{name}.{dense}.weight": (rows, columns), f"{name}.{dense}.bias": (rows,)}
        for norm in ("attention.output.LayerNorm", "output.LayerNorm"):
            shapes |= {f"{name}.{norm}.weight": (hidden,), f"{name}.{norm}.bias": (hidden,)}
    labels = len(config["id2label"])
    shapes |= {"pooler.dense.weight": (hidden, hidden), "pooler.dense.bias": (hidden,), "classifier.weight": (labels, hidden), "classifier.bias": (labels,)}
    chosen = random.Random(1)
    block = b"".join(struct.pack("<f", chosen.gauss(0, 0.02))[2:] for _ in range(1 << 20))
    ones = struct.pack("<f", 1.0)[2:]
    header, offset = {}, 0
    sizes = {name: 2 * (shape[0] * (shape[1] if len(shape) > 1 else 1)) for name, shape in shapes.items()}
    for name, size in sizes.items():
        header[name] = {"dtype": "BF16", "shape": list(shapes[name]), "data_offsets": [offset, offset + size]}
        offset += size
    head = json.dumps(header).encode()
    with open(folder / "model.safetensors", "wb") as file:
        file.write(struct.pack("<Q", len(head)) + head)
        for name, size in sizes.items():
            if "LayerNorm.weight" in name:
                file.write(ones * (size // 2))
                continue
            shift = 2 * chosen.randrange(1 << 19)
            data = block[shift:] + block[:shift]
            file.write((data * (size // len(data) + 1))[:size])
    return folder


def plot(_):
    """The difference in mean AUC against the share of time, a line a method."""
    runs = REPOSITORY / "benches" / "runs"
    lost, taken = (json.loads((runs / f"screen-{part}-base.json").read_text())["screens"] for part in ("accuracy", "time"))
    seconds = {screen: median(values) for screen, values in taken["seconds_a_row"].items()}
    average = {screen: mean(of_screen["auc"].values()) for screen, of_screen in lost.items()}
    lost = {screen: average[EVERYTHING] - value for screen, value in average.items()}
    shown = [screen for screen in SCREENS[1:] if screen in seconds and screen in lost]
    left, top, width, height = 70, 20, 560, 300
    most_time = 1.1 * max(seconds[screen] / seconds[EVERYTHING] for screen in shown)
    least, most = min(0, *(lost[screen] for screen in shown)) - 0.002, max(0.005, *(lost[screen] for screen in shown)) + 0.002
    down = lambda value: top + height * (value - least) / (most - least)  # noqa: E731
    x = lambda screen: left + width * seconds[screen] / seconds[EVERYTHING] / most_time  # noqa: E731
    y = lambda screen: down(lost[screen])  # noqa: E731
    text = lambda at, below, words, anchor="middle": f'<text x="{at:.0f}" y="{below:.0f}" text-anchor="{anchor}">{words}</text>'  # noqa: E731
    parts = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 700 400" font-family="sans-serif" font-size="12">']
    parts += ['<rect width="700" height="400" fill="white"/>', f'<path d="M{left} {top}V{top + height}H{left + width}" stroke="black" fill="none"/>']
    for tick in range(0, 7):
        parts.append(text(left + width * tick / 6, top + height + 18, f"{100 * most_time * tick / 6:.0f}%"))
    for tick in range(0, 6):
        value = least + (most - least) * tick / 5
        parts.append(text(left - 8, down(value) + 4, f"{-value:+.3f}", "end"))
    goal = [down(0.003), left + width * 0.2 / most_time]
    parts.append(f'<path d="M{left} {goal[0]:.1f}H{left + width}M{goal[1]:.1f} {top}V{top + height}" stroke="#999" stroke-dasharray="4 4" fill="none"/>')
    for method, colour, shape in zip(METHODS, ("#c2570c", "#1d4ed8", "#15803d"), ("", "6 3", "2 3")):
        names = [f"{method}:{most}" for most in SENTENCES if f"{method}:{most}" in shown]
        points = " ".join(f"{x(name):.1f},{y(name):.1f}" for name in names)
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2" stroke-dasharray="{shape}"/>')
        for name in names:
            parts.append(f'<circle cx="{x(name):.1f}" cy="{y(name):.1f}" r="4" fill="{colour}"/>')
            parts.append(text(x(name) + 7, y(name) - 6, name.split(":")[1], "start"))
        place = top + 200 + 20 * METHODS.index(method)
        parts.append(f'<path d="M500 {place}h30" stroke="{colour}" stroke-width="2" stroke-dasharray="{shape}"/>' + text(538, place + 4, method, "start"))
    parts.append(text(left + width / 2, top + height + 40, "time of a row as a share of reading everything (dashed: a fifth)"))
    parts.append(f'<text transform="translate(18 {top + height / 2}) rotate(-90)" text-anchor="middle">mean AUC against reading everything (dashed: -0.003)</text></svg>')
    IMAGE.parent.mkdir(parents=True, exist_ok=True)
    IMAGE.write_text("\n".join(parts) + "\n", encoding="utf-8")
    say(f"wrote {IMAGE.relative_to(REPOSITORY)}")


def main():
    split = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    flags = sys.argv[split + 1 :]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["accuracy", "time", "plot"])
    parser.add_argument("veridic", nargs="?")
    parser.add_argument("--data", type=pathlib.Path, nargs="+", default=[])
    parser.add_argument("--rows", type=int)
    parser.add_argument("--min-words", type=int, default=0, help="rows whose document has fewer words are left out")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--model", default="base")
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--cache")
    parser.add_argument("--screens", nargs="+", default=SCREENS)
    given = parser.parse_args(sys.argv[1:split])
    if given.what == "plot":
        return plot(given)
    if not given.veridic or not given.data:
        sys.exit("error: give the program and --data")
    given.rows = given.rows or {"accuracy": 40, "time": 2}[given.what]
    name = "large" if given.large else given.model
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        if given.large:
            given.model = make_large(folder / "large")
        screens = {"accuracy": accuracy, "time": times}[given.what](given, flags, folder)
    command = f"scripts/measure_screen.py {given.what} VERIDIC --data {' '.join(file.name for file in given.data)} --rows {given.rows}"
    command += f" --min-words {given.min_words}" if given.min_words else ""
    record = {"command": " ".join([command, "--large" if given.large else f"--model {given.model}", *flags])}
    name += f"-{given.min_words}-words" if given.min_words else ""
    write_record(record | {"commit": commit(), "machine": machine(), "screens": screens}, f"screen-{given.what}-{name}")


if __name__ == "__main__":
    main()
