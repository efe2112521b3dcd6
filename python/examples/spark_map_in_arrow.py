"""A Spark DataFrame with scores, by `mapInArrow`: each task loads the model once and streams its partition.

    python python/examples/spark_map_in_arrow.py            # 200 rows in local mode, compared with one process

On a cluster, install veridic on the workers and give a task as many cores as the scorer has threads
(`spark.task.cpus`). Spark repeats a failed task as a whole, so no row is lost or duplicated.
"""

from __future__ import annotations

import os
import sys
from typing import Iterator, List, Tuple

import pyarrow
import veridic
from pyspark.sql import SparkSession
from veridic import frames

SCHEMA = "number long, document string, summary string, score float, verdict string, error string"


def judge(batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
    return frames.score_batches(batches, model="mini", threads=1, quiet=True)


def pair(number: int) -> Tuple[int, str, str]:
    verb = "opened" if number % 2 else "closed"
    return number, f"The mill of Selby closed in {1000 + number}.", f"The mill {verb} in {1000 + number}."


def main() -> None:
    # Tasks in local mode use this interpreter, not the `python3` of the path.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    spark = SparkSession.builder.master("local[2]").appName("veridic").getOrCreate()
    rows: List[Tuple[int, str, str]] = [pair(number) for number in range(200)]
    frame = spark.createDataFrame(rows, "number long, document string, summary string").repartition(4)
    found = {row["number"]: row["score"] for row in frame.mapInArrow(judge, SCHEMA).collect()}
    spark.stop()
    scorer = veridic.Scorer(model="mini", quiet=True)
    table = pyarrow.table({"document": [row[1] for row in rows], "summary": [row[2] for row in rows]})
    alone = frames.score(table, scorer)["score"].to_pylist()
    assert sorted(found) == list(range(200)), "every row once"
    assert [found[number] for number in range(200)] == alone, "the same scores bit for bit"
    print(f"{len(found)} rows, the scores of one process bit for bit")


if __name__ == "__main__":
    main()
