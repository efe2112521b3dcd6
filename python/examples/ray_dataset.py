"""A corpus on a Ray cluster: a pool of workers, each with the model in memory.

    python python/examples/ray_dataset.py rows.parquet scores --workers 2

Give rows a key if they have none: it passes through, beside the scores.
"""

from __future__ import annotations

import argparse
import os

import ray
import veridic.ray


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows")
    parser.add_argument("scores", help="folder to write")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--model", default="mini")
    arguments = parser.parse_args()
    if "RAY_ADDRESS" not in os.environ:
        # A local cluster needs one CPU more than the workers, for reading.
        ray.init(num_cpus=arguments.workers + 1)
    dataset = ray.data.read_parquet(arguments.rows)
    scored = veridic.ray.score_dataset(dataset, num_workers=arguments.workers, model=arguments.model)
    scored.write_parquet(arguments.scores)


if __name__ == "__main__":
    main()
