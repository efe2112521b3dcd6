"""`veridic serve` under load: many clients, each waiting for its answer, and clients that are killed.

For /alignscore_base and /v1/score: so many requests of a document of two sentences and one claim, drawn at random, from so many
connections that stay open. Every answer must have the status 200 and a score. The server caches nothing (`--set cache_mb=0`). Then a
process with as many clients sends long documents and is killed (SIGKILL): every worker must be free again, and a short request
answered, within a minute.
"""

import asyncio
import json
import multiprocessing
import statistics
import time
import urllib.request

from bench.texts import Texts
from common import add_program, program, record, server

BODIES = {
    "/alignscore_base": lambda pair: {"evidence": pair["document"], "claim": pair["summary"]},
    "/v1/score": lambda pair: pair,
}
SCORES = {"/alignscore_base": "alignscore", "/v1/score": "score"}


def add(parser):
    add_program(parser)
    parser.add_argument("--model", default="mini")
    parser.add_argument("--requests", type=int, default=10_000)
    parser.add_argument("--clients", type=int, default=64)


def main(arguments):
    found = {}
    with server(program(arguments), "--model", arguments.model, "--set", "cache_mb=0") as url:
        for path in BODIES:
            found[path] = asyncio.run(load(address_of(url), path, arguments)) | kill(url, path, arguments)
    record(arguments, "server", addresses=found)


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


async def load(address, path, arguments):
    texts = Texts(path)
    bodies = [json.dumps(BODIES[path](texts.pair(2, 1))).encode() for _ in range(arguments.requests)]
    times, failures = [], []
    start = time.perf_counter()
    await asyncio.gather(*(client(address, path, bodies, times, failures) for _ in range(arguments.clients)))
    seconds = time.perf_counter() - start
    cuts = statistics.quantiles(times, n=100)
    print(
        f"{path:17} {len(times)} requests, {arguments.clients} clients: {seconds:6.1f} s, {len(times) / seconds:6.1f} a second, "
        f"median {1000 * cuts[49]:.0f} ms, p99 {1000 * cuts[98]:.0f} ms, most {1000 * max(times):.0f} ms, errors {len(failures)}",
        flush=True,
    )
    if failures or len(times) != arguments.requests:
        raise SystemExit(f"not every request was answered: {failures[:3]}")
    return {"requests": len(times), "seconds": seconds, "median": cuts[49], "p99": cuts[98], "most": max(times)}


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
    texts = Texts(7)
    document = texts.text(3000)
    pairs = ({"document": f"Number {number}. {document}", "summary": texts.text(40)} for number in range(clients))
    bodies = [json.dumps(BODIES[path](pair)).encode() for pair in pairs]

    async def one(body):
        await exchange(*await asyncio.open_connection(*address), path, body)

    await asyncio.gather(*(one(body) for body in bodies))


def hold_in_process(address, path, clients):
    asyncio.run(hold(address, path, clients))


def kill(url, path, arguments):
    child = multiprocessing.get_context("spawn").Process(target=hold_in_process, args=(address_of(url), path, arguments.clients))
    child.start()
    wait_until(lambda: metric(url, "veridic_in_hand") >= min(arguments.clients, 64), f"{path}: every worker has a task")
    child.kill()
    child.join()
    freed = wait_until(lambda: metric(url, "veridic_in_hand") == 0, f"{path}: workers are free after their clients were killed")
    start = time.perf_counter()
    body = json.dumps(BODIES[path](Texts(9).pair(2, 1))).encode()
    urllib.request.urlopen(urllib.request.Request(url + path, body, {"Content-Type": "application/json"}), timeout=60).read()
    seconds = time.perf_counter() - start
    print(f"{path:17} {arguments.clients} clients killed: all workers free after {freed:.1f} s, then a short answer in {1000 * seconds:.0f} ms")
    return {"freed_seconds": freed, "then_seconds": seconds}


def address_of(url):
    host, port = url.removeprefix("http://").split(":")
    return host, int(port)
