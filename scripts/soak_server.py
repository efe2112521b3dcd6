#!/usr/bin/env python3
"""Sends mixed requests to `veridic serve` on loopback for a while, from several clients, some of which leave before the answer.

    scripts/soak_server.py [--program FILE] [--model MODEL] [--minutes M] [--clients N] [--seed S]

Texts have from ten to two million characters: sentences, talks, tables, numbers, brackets. The addresses are /v1/score, /v1/score/batch,
/v1/score/events, /v1/claims and /v1/nli; one request in ten is wrong on purpose. Prints the resident memory after 100 requests and at
the end, the answers by status, and the longest answer to a small request. Fails if a status is none of those asked for, if an answer to
a fixed request changes, or if the memory is over 1.3 times that after 100 requests. Needs Linux.
"""

import argparse
import json
import random
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path

MOST_GROWTH = 1.3
FIXED = {"document": "The cat sat on the mat. The dog left.", "summary": "A cat sat."}
WORDS = "cat dog mayor bridge river closed opened in March Anna Berg 4 million euros 1998 the a of and".split()


def words(rng, count):
    return " ".join(rng.choice(WORDS) for _ in range(count))


def text(rng, characters):
    unit = rng.choice(
        [
            lambda at: f"The {words(rng, 6)}. ",
            lambda at: f"{rng.choice(['Anna', 'Ben'])}: {words(rng, 6)}.\n",
            lambda at: f"| {words(rng, 1)} | {at} |\n",
            lambda at: f"{at} ",
            lambda at: "(",
        ]
    )
    parts, length = ["A cat sat. "], 0
    while length < characters:
        parts.append(unit(len(parts)))
        length += len(parts[-1])
    return "".join(parts)[:characters]


def size(rng):
    """Most texts are short, one in two hundred is as long as the server accepts."""
    return rng.choices([rng.randint(20, 2000), rng.randint(2000, 50_000), rng.randint(50_000, 1_900_000)], [150, 49, 1])[0]


def request(rng):
    """Path, body, and the statuses that may answer it."""
    row = {"document": text(rng, size(rng)), "summary": text(rng, min(size(rng), 3000))}
    kind = rng.randrange(10)
    if kind == 0:
        wrong = rng.choice(['{"document": "A cat."}', "[[[[", '{"document": 4, "summary": "A."}', "", '{"a": "b"}'])
        return "/v1/score", wrong, {400, 422}
    if kind == 1:
        rows = [row, FIXED, {"document": "A cat.", "summary": ""}] * rng.randint(1, 5)
        return "/v1/score/batch", "".join(json.dumps(row) + "\n" for row in rows), {200, 413, 429}
    if kind == 2:
        return "/v1/score/events", json.dumps(row), {200, 422, 429, 504}
    if kind == 3:
        return "/v1/claims", json.dumps({"summary": row["summary"]}), {200, 422, 429, 504}
    if kind == 4:
        return "/v1/nli", json.dumps({"premise": row["summary"], "hypothesis": "A cat sat."}), {200, 422, 429, 504}
    return "/v1/score", json.dumps(row), {200, 422, 429, 504}


class Soak:
    def __init__(self, address, seed, end):
        host, port = address.removeprefix("http://").rsplit(":", 1)
        self.place, self.seed, self.end = (host, int(port)), seed, end
        self.lock, self.statuses, self.unexpected, self.slowest, self.sent = threading.Lock(), Counter(), [], 0.0, 0

    def send(self, path, body, leaves=False, rng=None):
        body = body.encode()
        kind = "application/x-ndjson" if path.endswith("batch") else "application/json"
        head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n"
        with socket.create_connection(self.place, timeout=120) as client:
            client.sendall(head.encode() + body)
            if leaves:
                time.sleep(rng.random() * 0.5)
                return None, b""
            answer = b""
            while part := client.recv(1 << 16):
                answer += part
        return int(answer[9:12]), answer

    def run(self, number):
        rng = random.Random(self.seed * 1000 + number)
        _, fixed = self.send("/v1/score", json.dumps(FIXED))
        fixed = fixed.split(b"\r\n\r\n", 1)[1]
        while time.time() < self.end:
            path, body, expected = request(rng)
            leaves = rng.random() < 0.1
            status, _ = self.send(path, body, leaves, rng)
            start = time.time()
            again, small = self.send("/v1/score", json.dumps(FIXED))
            with self.lock:
                self.sent += 2
                self.slowest = max(self.slowest, time.time() - start)
                self.statuses["left" if leaves else status] += 1
                if not leaves and status not in expected:
                    self.unexpected.append((path, status, body[:80]))
                if again not in (200, 429, 504) or (again == 200 and small.split(b"\r\n\r\n", 1)[1] != fixed):
                    self.unexpected.append(("fixed", again, small[:200]))


def resident(server):
    status = Path(f"/proc/{server.pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) // 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="target/release/veridic")
    parser.add_argument("--model", default="models/tests/fixtures/deberta/tiny_with_tokenizer")
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--clients", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    command = [arguments.program, "serve", "--listen", "127.0.0.1:0", "--quiet", "--model", arguments.model, "--timeout", "20"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        address = server.stdout.readline().removeprefix("listening on ").strip()
        soak = Soak(address, arguments.seed, time.time() + 60 * arguments.minutes)
        start = resident(server)
        threads = [threading.Thread(target=soak.run, args=(number,)) for number in range(arguments.clients)]
        for thread in threads:
            thread.start()
        after_100 = after_1000 = None
        while any(thread.is_alive() for thread in threads):
            time.sleep(0.2)
            after_100 = after_100 or (soak.sent >= 100 and resident(server)) or None
            after_1000 = after_1000 or (soak.sent >= 1000 and resident(server)) or None
        time.sleep(1)
        last = resident(server)
        print(f"{soak.sent} requests; {start} MB at the start, {after_100} after 100, {after_1000} after 1,000, {last} at the end")
        print("answers:", ", ".join(f"{status}: {count}" for status, count in sorted(soak.statuses.items(), key=str)))
        print(f"longest answer to a small request: {soak.slowest:.2f} s")
        for found in soak.unexpected[:20]:
            print("unexpected:", *found)
        growth = last / (after_100 or last)
        if soak.unexpected or growth > MOST_GROWTH:
            sys.exit(f"error: {len(soak.unexpected)} unexpected answers, {growth:.2f} times the memory after 100 requests")
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()
