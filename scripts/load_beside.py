#!/usr/bin/env python3
"""How long a small request waits beside a large one, in `veridic serve`. Needs Python alone.

    scripts/load_beside.py [--veridic target/release/veridic]... [--model mini] [--rounds 6] [--requests 5] [--whole]

The small request is one pair: a document of two sentences with one claim. The loads are
  claims   one request with 5,000 claims on a document of 40 sentences
  batch    one batch of 60 rows, each a document of 40 sentences with 4 claims
and are sent again if they are answered. A round asks so many small requests alone and then beside each load, each pair with
other texts, then leaves the load. Several programs take turns in each round. Nothing is cached (`--set cache_mb=0`).
Printed are median, 95th percentile and longest time, and their ratios to those alone. `--whole` times, at the end of each
round, the whole batch without small requests beside it.
"""

import argparse
import http.client
import json
import random
import statistics
import subprocess
import threading
import time
from pathlib import Path

from client_tools import ROOT

PLACES = "Harwell Dunmore Ashby Corby Selby Wells Ripon Truro Ely Bath Leeds York Derby Hull Crewe Luton".split()
THINGS = "pool library bridge market school station bakery museum theatre harbour park road mill church garden tower".split()
MONTHS = "January February March April May June July August September October November December".split()

# Seconds from the start of a load to the first request beside it.
UNDER_WAY = 1.5


class Texts:
    def __init__(self, seed):
        self.numbers = random.Random(seed)

    def sentence(self):
        place, thing, month = (self.numbers.choice(words) for words in (PLACES, THINGS, MONTHS))
        year, people = self.numbers.randrange(1800, 2030), self.numbers.randrange(100, 99999)
        return self.numbers.choice([
            f"The {thing} in {place}, which opened in {year}, closes in {month}, the council said on Monday.",
            f"About {people} people a year visit the {thing} of {place}, more than any other in the county.",
            f"Repairs of the {thing} in {place} would cost {people} pounds and take until {month} {year}.",
        ])

    def pair(self, sentences, claims):
        text = lambda count: " ".join(self.sentence() for _ in range(count))
        return {"document": text(sentences), "summary": text(claims)}

    def claims(self):
        return "/v1/score", json.dumps({**self.pair(40, 1), "claims": [self.sentence() for _ in range(5000)]})

    def batch(self):
        return "/v1/score/batch", "".join(json.dumps(self.pair(40, 4)) + "\n" for _ in range(60))


LOADS = ["claims", "batch"]


def post(connection, path, body):
    kind = "application/x-ndjson" if path.endswith("batch") else "application/json"
    connection.request("POST", path, body, {"Content-Type": kind})
    answer = connection.getresponse()
    text = answer.read()
    if answer.status != 200:
        raise SystemExit(f"{path}: {answer.status} {text[:300]}")
    return text


class Load(threading.Thread):
    """Sends a load until `leave`, which breaks off the one that is not answered."""

    def __init__(self, server, name, texts):
        super().__init__(daemon=True)
        self.server, self.name, self.texts, self.connection, self.ends = server, name, texts, None, False

    def run(self):
        while not self.ends:
            self.connection = http.client.HTTPConnection(self.server.address, timeout=3600)
            try:
                post(self.connection, *getattr(self.texts, self.name)())
            except (OSError, http.client.HTTPException, ValueError):
                if not self.ends:
                    raise

    def leave(self):
        self.ends = True
        self.connection.sock.shutdown(2)
        self.join()
        self.server.wait_until_idle()


class Server:
    def __init__(self, program, model):
        self.program, self.times = program, {name: [] for name in ["alone", *LOADS, "whole"]}
        command = [program, "serve", "--listen", "127.0.0.1:0", "--quiet", "--model", model]
        self.child = subprocess.Popen([*command, "--set", "cache_mb=0", "--timeout", "3600"], stdout=subprocess.PIPE, text=True)
        self.address = self.child.stdout.readline().split()[-1].removeprefix("http://")

    def ask(self, texts):
        connection = http.client.HTTPConnection(self.address, timeout=600)
        start = time.perf_counter()
        text = post(connection, "/v1/score", json.dumps(texts.pair(2, 1)))
        seconds = time.perf_counter() - start
        connection.close()
        assert isinstance(json.loads(text)["score"], float)
        return seconds

    def wait_until_idle(self):
        text = ""
        while "\nveridic_in_hand 0\n" not in text:
            time.sleep(0.05)
            connection = http.client.HTTPConnection(self.address, timeout=60)
            connection.request("GET", "/metrics")
            text = connection.getresponse().read().decode()
            connection.close()

    def round(self, seed, args):
        texts = Texts(seed)
        self.times["alone"] += [self.ask(texts) for _ in range(args.requests)]
        for name in LOADS:
            load = Load(self, name, Texts(seed))
            load.start()
            time.sleep(UNDER_WAY)
            self.times[name] += [self.ask(texts) for _ in range(args.requests)]
            load.leave()
        if args.whole:
            connection, (path, body) = http.client.HTTPConnection(self.address, timeout=3600), Texts(seed).batch()
            start = time.perf_counter()
            post(connection, path, body)
            self.times["whole"].append(time.perf_counter() - start)

    def show(self):
        cuts = lambda times: (statistics.median(times), statistics.quantiles(times, n=20, method="inclusive")[18], max(times))
        alone = cuts(self.times["alone"])
        print(self.program)
        for name in ["alone", *LOADS]:
            cells = [f"{1000 * time:6.0f} ms ({time / base:5.2f} x)" for time, base in zip(cuts(self.times[name]), alone)]
            print(f"  {name:7} {len(self.times[name])} requests: median {cells[0]}, p95 {cells[1]}, longest {cells[2]}")
        if self.times["whole"]:
            times = ", ".join(f"{time:.1f}" for time in self.times["whole"])
            print(f"  the whole batch: median {statistics.median(self.times['whole']):.1f} s ({times})")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--veridic", type=Path, action="append")
    parser.add_argument("--model", default="mini")
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--requests", type=int, default=5)
    parser.add_argument("--whole", action="store_true")
    args = parser.parse_args()
    servers = [Server(program, args.model) for program in args.veridic or [ROOT / "target/release/veridic"]]
    try:
        for server in servers:
            [server.ask(Texts(0)) for _ in range(3)]
        for seed in range(1, args.rounds + 1):
            for server in servers:
                server.round(seed, args)
        for server in servers:
            server.show()
    finally:
        for server in servers:
            server.child.terminate()
            server.child.wait()


if __name__ == "__main__":
    main()
