"""How long a small request waits beside a large one, in `veridic serve`.

The small request is one pair: a document of two sentences with one claim. The loads are
  claims   one request with 5,000 claims on a document of 40 sentences
  batch    one batch of 60 rows, each a document of 40 sentences with 4 claims
and are sent again when they are answered. A round asks so many small requests alone and then beside each load, each with other
texts, then leaves the load. Nothing is cached (`--set cache_mb=0`). `--whole` times, at the end of each round, the whole batch alone.
"""

import http.client
import json
import statistics
import threading
import time

from bench.texts import Texts
from common import add_program, program, record, server

# Seconds from the start of a load to the first request beside it.
UNDER_WAY = 1.5


def claims(texts):
    return "/v1/score", json.dumps({**texts.pair(40, 1), "claims": [texts.sentence() for _ in range(5000)]})


def batch(texts):
    return "/v1/score/batch", "".join(json.dumps(texts.pair(40, 4)) + "\n" for _ in range(60))


LOADS = {"claims": claims, "batch": batch}


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
                post(self.connection, *LOADS[self.name](self.texts))
            except (OSError, http.client.HTTPException, ValueError):
                if not self.ends:
                    raise

    def leave(self):
        self.ends = True
        self.connection.sock.shutdown(2)
        self.join()
        self.server.wait_until_idle()


class Server:
    def __init__(self, url):
        self.times = {name: [] for name in ["alone", *LOADS, "whole"]}
        self.address = url.removeprefix("http://")

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
            connection, (path, body) = http.client.HTTPConnection(self.address, timeout=3600), batch(Texts(seed))
            start = time.perf_counter()
            post(connection, path, body)
            self.times["whole"].append(time.perf_counter() - start)

    def show(self):
        cuts = lambda times: (statistics.median(times), statistics.quantiles(times, n=20, method="inclusive")[18], max(times))
        alone = cuts(self.times["alone"])
        for name in ["alone", *LOADS]:
            cells = [f"{1000 * time:6.0f} ms ({time / base:5.2f} x)" for time, base in zip(cuts(self.times[name]), alone)]
            print(f"  {name:7} {len(self.times[name])} requests: median {cells[0]}, p95 {cells[1]}, longest {cells[2]}")
        if self.times["whole"]:
            times = ", ".join(f"{time:.1f}" for time in self.times["whole"])
            print(f"  the whole batch: median {statistics.median(self.times['whole']):.1f} s ({times})")


def add(parser):
    add_program(parser)
    parser.add_argument("--model", default="mini")
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--requests", type=int, default=5)
    parser.add_argument("--whole", action="store_true")


def main(arguments):
    with server(program(arguments), "--model", arguments.model, "--set", "cache_mb=0", "--timeout", "3600") as url:
        asked = Server(url)
        for _ in range(3):
            asked.ask(Texts(0))
        for seed in range(1, arguments.rounds + 1):
            asked.round(seed, arguments)
    asked.show()
    record(arguments, "beside", model=arguments.model, seconds=asked.times)
