"""What the tests share: texts, the bundled model, rows that take hardly any time."""

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
def result(scorer, article, summary):
    return scorer.score(article, summary)


def short_row(number):
    """A row of its own, with few words."""
    towns, things = ["Harwell", "Oakham", "Selby", "Leith", "Truro"], ["bridge", "pool", "school", "mill"]
    town, thing = towns[number % 5], things[number // 5 % 4]
    document = f"The {thing} of {town} opened in {1000 + number}."
    said = f"The {thing} opened in {1000 + number + number % 2}."
    return {"id": f"row {number}", "document": document, "summary": said, "number": number}


@pytest.fixture(scope="session")
def rows():
    return [short_row(number) for number in range(40)]
