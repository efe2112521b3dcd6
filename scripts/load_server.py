#!/usr/bin/env python3
"""`veridic serve` under load, measured by oha (https://github.com/hatoo/oha) on loopback.

    cargo install oha --no-default-features --root /tmp/oha
    scripts/load_server.py ROWS.jsonl --oha /tmp/oha/bin/oha [--veridic target/release/veridic] [--seconds 30] [--dtype int8]

ROWS.jsonl has rows with `document` and `summary`. Server and `veridic run` cache nothing (`--set cache_mb=0`), so that every
request is computed. The steps and their goals:
  run      `veridic run` on the same rows: the throughput to compare with
  lone     one client, one request at a time
  closed   32 clients, each with one request at a time: p99 at most 3 x this step's median, throughput within 10% of
           `run`
  open     requests at half of `closed`'s rate, independent of the responses: p99 at most 3 x the lone p99 (the ratio
           to the lone median is printed too)
  beyond   400 clients against a queue of 64: every status is 200 or 429
"""

import argparse
import json
import subprocess
import tempfile
import time
from pathlib import Path

CLIENTS = 32


def serve(veridic, *more):
    command = [veridic, "serve", "--listen", "127.0.0.1:0", "--quiet", "--set", "cache_mb=0", *more]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    return server, server.stdout.readline().split()[-1]


def load(args, url, bodies, *how):
    command = [args.oha, "--no-tui", "--output-format", "json", "-m", "POST", "-T", "application/json"]
    command += ["-Z", str(bodies), *how, f"{url}/v1/score"]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True)
    report = json.loads(done.stdout)
    statuses = report["statusCodeDistribution"]
    times = report["latencyPercentiles"]
    return {
        "rate": report["summary"]["requestsPerSec"],
        "p50": times["p50"],
        "p99": times["p99"],
        "slowest": report["summary"]["slowest"],
        "statuses": statuses,
        "errors": report["errorDistribution"],
    }


def show(name, step, note=""):
    answers = ", ".join(f"{status}: {count}" for status, count in sorted(step["statuses"].items()))
    errors = {error: count for error, count in step["errors"].items() if "deadline" not in error}
    print(
        f"{name:8} {step['rate']:7.1f} rows/s  p50 {1000 * step['p50']:7.1f} ms  p99 {1000 * step['p99']:7.1f} ms  "
        f"p99/p50 {step['p99'] / step['p50']:.2f}  {answers} {errors or ''} {note}",
        flush=True,
    )


def run_rate(args, rows, folder):
    command = [args.veridic, "run", str(rows), "-o", str(folder / "out.jsonl"), "--set", "cache_mb=0"]
    command += ["--progress", "json", "--dtype", args.dtype]
    # The time of a run with one row is subtracted, since loading the model does not count.
    one = folder / "one.jsonl"
    one.write_text(rows.read_text().splitlines()[0] + "\n")
    start = time.monotonic()
    subprocess.run([*command[:2], str(one), "-o", str(folder / "one.out.jsonl"), "--set", "cache_mb=0", "-q", "--dtype", args.dtype], check=True)
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
        show("lone", lone)
        closed = load(args, url, bodies, "-c", str(CLIENTS), *duration)
        show("closed", closed, f"{closed['rate'] / rate:.2f} of run")
        half = closed["rate"] / 2
        open_loop = load(args, url, bodies, "-c", "200", *duration, "-q", f"{half:.2f}", "--latency-correction")
        show("open", open_loop, f"p99 is {open_loop['p99'] / lone['p50']:.2f} x lone p50, {open_loop['p99'] / lone['p99']:.2f} x lone p99")
    finally:
        server.terminate()
        print("exit code", server.wait(), flush=True)
    server, url = serve(args.veridic, "--dtype", args.dtype, "--queue", "64")
    try:
        show("beyond", load(args, url, bodies, "-c", "400", "-z", f"{args.seconds}s", "-w"))
    finally:
        server.terminate()
        print("exit code", server.wait())


if __name__ == "__main__":
    main()
