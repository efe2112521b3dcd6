#!/usr/bin/env python3
"""How `veridic serve` holds under load, measured by oha (https://github.com/hatoo/oha) on loopback.

    cargo install oha --no-default-features --root /tmp/oha
    scripts/load_server.py ROWS.jsonl --oha /tmp/oha/bin/oha [--veridic target/release/veridic] [--seconds 30] [--dtype int8]

ROWS.jsonl has rows with `document` and `summary`. Nothing is remembered between requests (`--cache-mb 0`), neither
by the server nor by `veridic run`, so that every request is computed. The steps, and what is wanted of each:
  run      `veridic run` on the same rows: the throughput to compare with
  lone     one client, one request at a time
  closed   32 clients, each asking again when it has its answer: p99 at most 3 x this step's median, throughput
           within 10% of `run`
  open     requests at half of `closed`'s rate, whether answers came or not: p99 at most 3 x the lone p99 (told
           beside the lone median)
  beyond   400 clients against a queue of 64: answers are 200 or 429 and nothing else
"""

import argparse
import json
import subprocess
import tempfile
import time
from pathlib import Path

CLIENTS = 32


def serve(veridic, *more):
    command = [veridic, "serve", "--listen", "127.0.0.1:0", "--quiet", "--cache-mb", "0", *more]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    return server, server.stdout.readline().split()[-1]


def load(args, url, bodies, *how):
    command = [args.oha, "--no-tui", "--output-format", "json", "-m", "POST", "-T", "application/json"]
    command += ["-Z", str(bodies), *how, f"{url}/v1/score"]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True)
    told = json.loads(done.stdout)
    statuses = told["statusCodeDistribution"]
    times = told["latencyPercentiles"]
    return {
        "rate": told["summary"]["requestsPerSec"],
        "p50": times["p50"],
        "p99": times["p99"],
        "slowest": told["summary"]["slowest"],
        "statuses": statuses,
        "errors": told["errorDistribution"],
    }


def tell(name, told, note=""):
    answers = ", ".join(f"{status}: {count}" for status, count in sorted(told["statuses"].items()))
    errors = {error: count for error, count in told["errors"].items() if "deadline" not in error}
    print(
        f"{name:8} {told['rate']:7.1f} rows/s  p50 {1000 * told['p50']:7.1f} ms  p99 {1000 * told['p99']:7.1f} ms  "
        f"p99/p50 {told['p99'] / told['p50']:.2f}  {answers} {errors or ''} {note}",
        flush=True,
    )


def run_rate(args, rows, folder):
    command = [args.veridic, "run", str(rows), "-o", str(folder / "out.jsonl"), "--cache-mb", "0"]
    command += ["--progress", "json", "--dtype", args.dtype]
    # Loading the model is no part of the rate: the same on one row is taken away.
    one = folder / "one.jsonl"
    one.write_text(rows.read_text().splitlines()[0] + "\n")
    start = time.monotonic()
    subprocess.run([*command[:2], str(one), "-o", str(folder / "one.out.jsonl"), "--cache-mb", "0", "-q", "--dtype", args.dtype], check=True)
    loading = time.monotonic() - start
    start = time.monotonic()
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    return sum(1 for _ in rows.open()) / (time.monotonic() - start - loading)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", type=Path)
    parser.add_argument("--oha", default="oha")
    parser.add_argument("--veridic", default="target/release/veridic")
    parser.add_argument("--seconds", type=int, default=30)
    parser.add_argument("--dtype", default="f32")
    args = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="veridic-load-"))
    rows = [json.loads(line) for line in args.rows.open()]
    pairs = [json.dumps({"document": row["document"], "summary": row["summary"]}) for row in rows]
    bodies = folder / "bodies.jsonl"
    bodies.write_text("".join(f"{pair}\n" for pair in pairs))
    rate = run_rate(args, bodies, folder)
    print(f"run      {rate:7.1f} rows/s", flush=True)
    server, url = serve(args.veridic, "--dtype", args.dtype)
    try:
        duration = ["-z", f"{args.seconds}s", "-w"]
        load(args, url, bodies, "-c", "4", "-n", "20")
        lone = load(args, url, bodies, "-c", "1", *duration)
        tell("lone", lone)
        closed = load(args, url, bodies, "-c", str(CLIENTS), *duration)
        tell("closed", closed, f"{closed['rate'] / rate:.2f} of run")
        half = closed["rate"] / 2
        # oha sends a whole number of requests a second; the period is a fraction of it.
        open_loop = load(args, url, bodies, "-c", "200", *duration, "-q", f"{half:.2f}", "--latency-correction")
        tell("open", open_loop, f"p99 is {open_loop['p99'] / lone['p50']:.2f} x lone p50, {open_loop['p99'] / lone['p99']:.2f} x lone p99")
    finally:
        server.terminate()
        print("exit code", server.wait(), flush=True)
    server, url = serve(args.veridic, "--dtype", args.dtype, "--queue", "64")
    try:
        tell("beyond", load(args, url, bodies, "-c", "400", "-z", f"{args.seconds}s", "-w"))
    finally:
        server.terminate()
        print("exit code", server.wait())


if __name__ == "__main__":
    main()
