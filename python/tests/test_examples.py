"""The examples run and are typed."""

import json
import subprocess
import sys

import pytest
from conftest import REPOSITORY

EXAMPLES = REPOSITORY / "python" / "examples"


def run(name, *arguments):
    command = [sys.executable, "-W", "ignore", str(EXAMPLES / name), *map(str, arguments)]
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=REPOSITORY)
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_score():
    printed = run("score.py", "examples/article.txt", "examples/summary.txt")
    assert len(printed.splitlines()) == 1 + 2 * 5


def test_stream(rows, tmp_path):
    pytest.importorskip("tqdm", reason="the example shows a bar")
    file = tmp_path / "rows.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows[:5]), encoding="utf-8")
    assert [json.loads(line)["id"] for line in run("stream.py", file).splitlines()] == [row["id"] for row in rows[:5]]


@pytest.mark.parametrize(
    ("name", "packages"),
    [
        ("tables.py", ["pandas", "polars", "pyarrow"]),
        ("hf_datasets.py", ["datasets"]),
        ("evaluate_metric.py", ["evaluate"]),
        ("spark_map_in_arrow.py", ["pyspark", "pyarrow", "pandas"]),
    ],
)
def test_examples_of_other_packages(name, packages):
    for package in packages:
        pytest.importorskip(package, reason=f"{package} is not installed")
    assert run(name)


def test_ray(rows, tmp_path):
    ray = pytest.importorskip("ray", reason="Ray is not installed")
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    import pyarrow

    del ray
    parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / "rows.parquet")
    run("ray_dataset.py", tmp_path / "rows.parquet", tmp_path / "scores")
    found = parquet.read_table(tmp_path / "scores")
    assert sorted(found["id"].to_pylist()) == sorted(row["id"] for row in rows)


def test_types():
    pytest.importorskip("mypy", reason="mypy is not installed")
    command = [sys.executable, "-m", "mypy", "--strict", str(EXAMPLES)]
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=REPOSITORY)
    assert result.returncode == 0, result.stdout
