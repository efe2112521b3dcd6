#!/usr/bin/env python3
"""How long a small request waits beside a large one, in `veridic serve`. Needs Python alone.

    scripts/load_beside.py [--veridic target/release/veridic] [--model mini] [--rounds 6] [--requests 5]

The small request is one pair: a document of two sentences with one claim. The loads, each of them sent again when it is
answered, are
  claims   one request with 5,000 claims on a document of 40 sentences
  batch    one batch of 60 rows, each a document of 40 sentences with 4 claims
Rounds alternate: so many small requests alone, then beside each load, one after another, each pair with other texts.
Nothing is cached (`--set cache_mb=0`). Printed are median, 95th percentile and longest time, and what they are as multiples of the times
alone; then how many rows or claims a second each load has alone and beside the small requests.
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
NUMBERS = random.Random(49)


def sentence():
    place, thing, month = NUMBERS.choice(PLACES), NUMBERS.choice(THINGS), NUMBERS.choice(MONTHS)
    year, people = NUMBERS.randrange(1800, 2030), NUMBERS.randrange(100, 99999)
    return NUMBERS.choice([
        f"The {thing} in {place}, which opened in {year}, closes in {month}, the council said on Monday.",
        f"About {people} people a year visit the {thing} of {place}, more than any other in the county.",
        f"Repairs of the {thing} in {place} would cost {people} pounds and take until {month} {year}.",
    ])


def pair(sentences, claims):
    return {"document": " ".join(sentence() for _ in range(sentences)), "summary": " ".join(sentence() for _ in range(claims))}


def claims_load():
    row = pair(40, 1)
    return "/v1/score", json.dumps({**row, "claims": [sentence() for _ in range(5000)]}), 5000


def batch_load():
    return "/v1/score/batch", "".join(json.dumps(pair(40, 4)) + "\n" for _ in range(60)), 60


LOADS = {"claims": claims_load, "batch": batch_load}


class Load(threading.Thread):
    """Sends a load again and again, and counts the lines of the answers; `stop` leaves in the middle of one."""

    def __init__(self, address, make):
        super().__init__(daemon=True)
        self.address, self.make, self.lines, self.socket, self.ends = address, make, 0, None, False

    def run(self):
        while not self.ends:
            path, body, _ = self.make()
            connection = http.client.HTTPConnection(self.address, timeout=3600)
            try:
                kind = "application/x-ndjson" if path.endswith("batch") else "application/json"
                connection.request("POST", path, body, {"Content-Type": kind})
                self.socket = connection.sock
                answer = connection.getresponse()
                assert answer.status == 200, answer.read()[:300]
                for _ in answer:
                    self.lines += 1
            except (OSError, http.client.HTTPException, ValueError, AttributeError):
                if not self.ends:
                    raise

    def stop(self):
        self.ends = True
        if self.socket:
            self.socket.shutdown(2)
        self.join()


def ask(address):
    body = json.dumps(pair(2, 1))
    connection = http.client.HTTPConnection(address, timeout=600)
    start = time.perf_counter()
    connection.request("POST", "/v1/score", body, {"Content-Type": "application/json"})
    answer = connection.getresponse()
    text = answer.read()
    seconds = time.perf_counter() - start
    assert answer.status == 200 and isinstance(json.loads(text)["score"], float), text[:300]
    connection.close()
    return seconds


def wait_until_idle(address):
    while True:
        connection = http.client.HTTPConnection(address, timeout=60)
        connection.request("GET", "/metrics")
        text = connection.getresponse().read().decode()
        connection.close()
        if "\nveridic_in_hand 0\n" in text:
            return
        time.sleep(0.05)


def show(name, times, alone=None):
    of = lambda values: (statistics.median(values), statistics.quantiles(values, n=20)[18], max(values))
    cells = [f"{1000 * value:7.0f} ms" for value in of(times)]
    if alone:
        cells = [f"{cell} ({value / base:5.2f} x)" for cell, value, base in zip(cells, of(times), of(alone))]
    print(f"{name:14} {len(times):3} requests: median {cells[0]}, p95 {cells[1]}, longest {cells[2]}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--veridic", type=Path, default=ROOT / "target/release/veridic")
    parser.add_argument("--model", default="mini")
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--requests", type=int, default=5)
    parser.add_argument("--only", choices=LOADS, help="this load alone")
    args = parser.parse_args()
    command = [args.veridic, "serve", "--listen", "127.0.0.1:0", "--quiet", "--model", args.model]
    server = subprocess.Popen([*command, "--set", "cache_mb=0", "--timeout", "3600"], stdout=subprocess.PIPE, text=True)
    address = server.stdout.readline().split()[-1].removeprefix("http://")
    names = [args.only] if args.only else list(LOADS)
    times = {name: [] for name in ["alone", *names]}
    try:
        for _ in range(4):
            ask(address)
        for _ in range(args.rounds):
            times["alone"] += [ask(address) for _ in range(args.requests)]
            for name in names:
                load = Load(address, LOADS[name])
                load.start()
                time.sleep(1.5)
                for _ in range(args.requests):
                    times[name].append(ask(address))
                    time.sleep(0.2)
                load.stop()
                wait_until_idle(address)
        show("alone", times["alone"])
        for name in names:
            show(f"beside {name}", times[name], times["alone"])
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()
