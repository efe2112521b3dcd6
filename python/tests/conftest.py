"""Shared fixtures: texts, the default model, short rows."""

import pathlib

import pytest
import veridic

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent.parent


@pytest.fixture(scope="session")
def article():
    return (REPOSITORY / "examples" / "article.txt").read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def summary():
    return (REPOSITORY / "examples" / "summary.txt").read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def scorer():
    return veridic.Scorer(threads=2, quiet=True)


@pytest.fixture(scope="session")
def small():
    """The small model, which is fast; it knows 4.2 from 2.4 by rules."""
    return veridic.Scorer(model="mini", threads=2, quiet=True)


@pytest.fixture(scope="session")
def result(scorer, article, summary):
    return scorer.score(article, summary)


def short_row(number):
    """A short row that differs for each number."""
    towns, things = ["Harwell", "Oakham", "Selby", "Leith", "Truro"], ["bridge", "pool", "school", "mill"]
    town, thing = towns[number % 5], things[number // 5 % 4]
    document = f"The {thing} of {town} opened in {1000 + number}."
    summary = f"The {thing} opened in {1000 + number + number % 2}."
    return {"id": f"row {number}", "document": document, "summary": summary, "number": number}


@pytest.fixture(scope="session")
def rows():
    return [short_row(number) for number in range(40)]
