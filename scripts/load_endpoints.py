#!/usr/bin/env python3
"""Many clients at once, each waiting for its answer before its next request, and clients that are killed. Needs Python alone.

    scripts/load_endpoints.py [--veridic target/release/veridic] [--model mini] [--requests 10000] [--clients 64]

For /alignscore_base and /v1/score: so many requests of short texts, drawn at random, from so many connections that stay
open; every answer must have the status 200 and a score. Nothing is cached (`--set cache_mb=0`).
Then a process with as many clients sends long documents and is killed (SIGKILL): every worker must be free again, and a
short request must be answered, within a minute.
"""

import argparse
import asyncio
import json
import os
import random
import signal
import statistics
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from client_tools import ROOT, server

PLACES = "Harwell Dunmore Ashby Corby Selby Wells Ripon Truro Ely Bath Leeds York Derby Hull Crewe Luton".split()
THINGS = "pool library bridge market school station bakery museum theatre harbour park road mill church garden tower".split()
MONTHS = "January February March April May June July August September October November December".split()

BODIES = {
    "/alignscore_base": lambda document, summary: {"evidence": document, "claim": summary},
    "/v1/score": lambda document, summary: {"document": document, "summary": summary},
}
SCORES = {"/alignscore_base": "alignscore", "/v1/score": "score"}


def texts(numbers):
    """A document of two sentences and a claim about it."""
    place, thing, month = numbers.choice(PLACES), numbers.choice(THINGS), numbers.choice(MONTHS)
    year, people = numbers.randrange(1800, 2030), numbers.randrange(100, 99999)
    document = f"The {thing} in {place} closes in {month}, the council said. It opened in {year} and has {people} visitors a year."
    return document, numbers.choice([f"The {thing} in {place} closes in {month}.", f"It opened in {year + 1}.", f"{people} people visit it."])


async def exchange(reader, writer, path, body):
    """Sends a request and returns its status and its answer."""
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    writer.write(head.encode() + body)
    await writer.drain()
    head = (await reader.readuntil(b"\r\n\r\n")).decode()
    status = int(head.split(" ", 2)[1])
    length = next(int(line.split(":")[1]) for line in head.lower().splitlines() if line.startswith("content-length:"))
    return status, await reader.readexactly(length)


async def client(address, path, bodies, times, failures):
    reader, writer = await asyncio.open_connection(*address)
    while bodies:
        body = bodies.pop()
        start = time.perf_counter()
        status, answer = await exchange(reader, writer, path, body)
        times.append(time.perf_counter() - start)
        if status != 200 or not isinstance(json.loads(answer)[SCORES[path]], float):
            failures.append((status, answer[:200]))
    writer.close()


async def load(address, path, args):
    numbers = random.Random(path)
    bodies = [json.dumps(BODIES[path](*texts(numbers))).encode() for _ in range(args.requests)]
    times, failures = [], []
    start = time.perf_counter()
    await asyncio.gather(*(client(address, path, bodies, times, failures) for _ in range(args.clients)))
    seconds = time.perf_counter() - start
    cuts = statistics.quantiles(times, n=100)
    print(
        f"{path:17} {len(times)} requests, {args.clients} clients: {seconds:6.1f} s, {len(times) / seconds:6.1f} a second, "
        f"median {1000 * cuts[49]:.0f} ms, p99 {1000 * cuts[98]:.0f} ms, most {1000 * max(times):.0f} ms, errors {len(failures)}",
        flush=True,
    )
    if failures or len(times) != args.requests:
        raise SystemExit(f"not every request was answered: {failures[:3]}")


def metric(url, name):
    with urllib.request.urlopen(f"{url}/metrics") as answer:
        return next(float(line.split()[1]) for line in answer.read().decode().splitlines() if line.startswith(f"{name} "))


def wait_until(holds, what, seconds=60.0):
    start = time.monotonic()
    while not holds():
        if time.monotonic() - start > seconds:
            raise SystemExit(f"not within {seconds:.0f} s: {what}")
        time.sleep(0.05)
    return time.monotonic() - start


async def hold(address, path, clients):
    """Sends a long document from every client; the process is killed before the answers come."""
    numbers = random.Random(7)
    document = " ".join(texts(numbers)[0] for _ in range(1500))
    bodies = [json.dumps(BODIES[path](f"Number {n}. {document}", " ".join(texts(numbers)[1] for _ in range(40)))).encode() for n in range(clients)]

    async def one(body):
        await exchange(*await asyncio.open_connection(*address), path, body)

    await asyncio.gather(*(one(body) for body in bodies))


def kill(url, path, args):
    command = [sys.executable, __file__, "--hold", url, "--path", path, "--clients", str(args.clients)]
    child = subprocess.Popen(command)
    wait_until(lambda: metric(url, "veridic_in_hand") >= min(args.clients, 64), f"{path}: every worker has a task")
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    freed = wait_until(lambda: metric(url, "veridic_in_hand") == 0, f"{path}: workers are free after their clients were killed")
    start = time.perf_counter()
    body = json.dumps(BODIES[path](*texts(random.Random(9)))).encode()
    urllib.request.urlopen(urllib.request.Request(url + path, body, {"Content-Type": "application/json"}), timeout=60).read()
    print(f"{path:17} {args.clients} clients with long documents killed: all workers free after {freed:.1f} s, then a short answer in {1000 * (time.perf_counter() - start):.0f} ms", flush=True)


def address_of(url):
    host, port = url.removeprefix("http://").split(":")
    return host, int(port)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--veridic", type=Path, default=ROOT / "target/release/veridic")
    parser.add_argument("--model", default="mini")
    parser.add_argument("--requests", type=int, default=10_000)
    parser.add_argument("--clients", type=int, default=64)
    parser.add_argument("--hold", help=argparse.SUPPRESS)
    parser.add_argument("--path", choices=sorted(BODIES), help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.hold:
        asyncio.run(hold(address_of(args.hold), args.path, args.clients))
        return
    with server(args.veridic, "--model", args.model, "--set", "cache_mb=0") as url:
        for path in BODIES:
            asyncio.run(load(address_of(url), path, args))
            kill(url, path, args)


if __name__ == "__main__":
    main()
