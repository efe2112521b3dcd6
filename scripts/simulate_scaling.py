#!/usr/bin/env python3
"""How long a pool of workers takes for a large corpus: a discrete-event simulation of the scheduler of `veridic.ray`.

    python3 scripts/simulate_scaling.py [--pairs 10000000] [--workers 1,2,4,8,16,32,64] [--rate 5] [--seed 0]

The scheduler: a queue has batches of rows in the order of the corpus; an idle worker takes the next one, and its rows are
results when the whole batch is judged. A worker first loads the model. If a worker dies, its batch returns to the head of
the queue, and the worker restarts and loads the model again.

The work: a row takes a mean of 1 / RATE seconds of one worker, where RATE (rows a second) is an input, measured or
assumed; costs of rows are log-normal with the given spread (the standard deviation of the logarithm), workers differ in
speed by a few per cent, and die at random. Prints the time, the share of the ideal (all workers always busy), the batches
judged twice, the longest idle tail, and the rows in flight. Nothing is measured here: RATE and the spread are the only
inputs that can be measured.
"""

import argparse
import heapq
import random
from math import exp, log, sqrt


def main():
    arguments = parse_arguments()
    print(f"{arguments.pairs:,} pairs at {arguments.rate:g} rows/s a worker, batches of {arguments.batch}")
    print("| workers | hours | of the ideal | judged twice | tail, s | rows in flight |")
    print("|---|---|---|---|---|---|")
    for workers in arguments.workers:
        pool = simulate(workers, arguments)
        ideal = arguments.pairs / arguments.rate / workers
        print(
            f"| {workers} | {pool['seconds'] / 3600:,.2f} | {ideal / pool['seconds']:.3f} | {pool['again']:,} batches "
            f"| {pool['tail']:,.0f} | {workers * arguments.batch:,} |"
        )


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=10_000_000)
    parser.add_argument("--workers", type=numbers, default=numbers("1,2,4,8,16,32,64"), metavar="N,N,...")
    parser.add_argument("--rate", type=float, default=5.0, help="rows a second of one worker")
    parser.add_argument("--spread", type=float, default=0.7, help="standard deviation of the logarithm of a row's cost")
    parser.add_argument("--speeds", type=float, default=0.05, help="standard deviation of workers' speeds")
    parser.add_argument("--batch", type=int, default=256, help="rows in a batch")
    parser.add_argument("--load", type=float, default=10.0, help="seconds to load the model")
    parser.add_argument("--restart", type=float, default=30.0, help="seconds to restart a worker that died")
    parser.add_argument("--deaths", type=float, default=1.0, help="deaths of a worker a day")
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args()


def numbers(text):
    return [int(number) for number in text.split(",")]


def simulate(workers, arguments):
    """Seconds from the start to the last result, the idle tail, and the batches judged twice."""
    source = random.Random(f"{arguments.seed} {workers}")
    batches = -(-arguments.pairs // arguments.batch)
    speeds = [max(0.5, source.gauss(1.0, arguments.speeds)) for _ in range(workers)]
    # RATE is the mean over workers.
    speeds = [speed * workers / sum(speeds) for speed in speeds]
    deaths_a_second = arguments.deaths / 86_400
    # When each worker is idle next.
    idle_at = [(arguments.load, worker) for worker in range(workers)]
    heapq.heapify(idle_at)
    left, again, ends, done = batches, 0, [0.0] * workers, 0
    while left:
        now, worker = heapq.heappop(idle_at)
        rows = min(arguments.batch, arguments.pairs - done * arguments.batch)
        takes = batch_seconds(source, rows, arguments) / speeds[worker]
        dies_after = source.expovariate(deaths_a_second) if deaths_a_second else float("inf")
        if dies_after < takes:
            again += 1
            heapq.heappush(idle_at, (now + dies_after + arguments.restart + arguments.load, worker))
            continue
        left, done = left - 1, done + 1
        ends[worker] = now + takes
        heapq.heappush(idle_at, (now + takes, worker))
    return {"seconds": max(ends), "tail": max(ends) - min(ends), "again": again}


def batch_seconds(source, rows, arguments):
    """A sum of log-normal costs, approximated by the log-normal of the same mean and variance (Fenton 1960)."""
    mean, variance = 1.0 / arguments.rate, (exp(arguments.spread**2) - 1.0) / arguments.rate**2
    total, spread = rows * mean, sqrt(log(1.0 + variance / (rows * mean**2)))
    return source.lognormvariate(log(total) - spread**2 / 2.0, spread)


if __name__ == "__main__":
    main()
