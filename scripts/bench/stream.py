"""How long after the end of a sentence its verdict comes, while a text is still written.

Takes --rows evenly spaced rows whose documents have 550 to 650 words, and sends each summary to POST /v1/score/stream word by word,
--words-per-second of them. Measured is the time from the word that completes a sentence (the first of the next one, or the end of
the body) to the line with its claims, and the time in which the document is read. Options after `--` go to `veridic serve`.
"""

import json
import socket
import sys
import threading
import time
from statistics import median, quantiles

from common import add_data, add_program, program, read, record, server, spaced

WORDS = range(550, 651)


class Upload:
    """A request whose body is sent in chunks while its answer is read."""

    def __init__(self, address):
        host, port = address.rsplit(":", 1)
        self.socket = socket.create_connection((host, int(port)))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        head = f"POST /v1/score/stream HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n"
        self.socket.sendall(f"{head}Transfer-Encoding: chunked\r\nContent-Type: application/x-ndjson\r\n\r\n".encode())
        self.lines = self.socket.makefile("rb")

    def send(self, value):
        data = json.dumps(value).encode() + b"\n"
        self.socket.sendall(f"{len(data):x}\r\n".encode() + data + b"\r\n")

    def end(self):
        self.socket.sendall(b"0\r\n\r\n")

    def head(self):
        """Reads the head of the answer, which comes when the document is read."""
        while self.lines.readline().strip():
            pass

    def answer(self):
        for line in self.lines:
            if line.startswith(b"{"):
                value = json.loads(line)
                if "error" in value:
                    sys.exit(f"error: {value['error']['message']}")
                return value
        sys.exit("error: the server ended the answer")


def delays(address, row, pace):
    """Seconds from the end of each sentence to its line, seconds to read the document, and the result."""
    upload, arrived = Upload(address), []
    ended = threading.Event()

    def receive():
        while not ended.is_set():
            line = upload.answer()
            arrived.append((time.perf_counter(), line))
            if "result" in line:
                ended.set()

    begun = time.perf_counter()
    upload.send({"document": row["document"]})
    upload.head()
    read = time.perf_counter() - begun
    receiver = threading.Thread(target=receive)
    receiver.start()
    sent, length = [], 0
    for word in row["summary"].split():
        time.sleep(1 / pace)
        piece = word if not length else f" {word}"
        sent.append((length + len(piece) - len(word), time.perf_counter()))
        upload.send({"text": piece})
        length += len(piece)
    sent.append((length, time.perf_counter()))
    upload.end()
    receiver.join()
    found = []
    for moment, line in arrived[:-1]:
        end = line["sentence"]["span"][1]
        complete = next(at for start, at in sent if start >= end)
        found.append(moment - complete)
    return found, read, arrived[-1][1]["result"]


def add(parser):
    add_data(parser)
    add_program(parser)
    parser.add_argument("--rows", type=int, default=20)
    parser.add_argument("--model", default="base")
    parser.add_argument("--words-per-second", type=float, default=20)


def main(arguments):
    rows = [row for file in arguments.data for row in read(file) if len(row["document"].split()) in WORDS]
    if not rows:
        sys.exit("no document has 550 to 650 words")
    rows = spaced(rows, arguments.rows)
    with server(program(arguments), "--model", arguments.model, *arguments.flags) as url:
        judged = [delays(url.removeprefix("http://"), row, arguments.words_per_second) for row in rows]
    seconds = [second for found, _, _ in judged for second in found]
    claims = sum(len(result["claims"]) for _, _, result in judged)
    hundredth = quantiles(seconds, n=100, method="inclusive")
    print(f"{len(rows)} rows, {len(seconds)} sentences, {claims} claims")
    print(f"sentence to verdict: median {median(seconds):.3f} s, 99th percentile {hundredth[98]:.3f} s, most {max(seconds):.3f} s")
    print(f"reading the document: median {median(taken for _, taken, _ in judged):.3f} s")
    record(arguments, f"stream-{arguments.model}", rows=len(rows), claims=claims, seconds=seconds, read_seconds=[taken for _, taken, _ in judged])
