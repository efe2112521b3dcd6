import pytest
import veridic
from veridic import frames


@pytest.fixture(scope="module")
def table(rows):
    few = [dict(row) for row in rows[:6]]
    few[4]["summary"] = ""
    return few


@pytest.fixture(scope="module")
def expected(scorer, table):
    return [result.score for result in scorer.run(table, on_error="record")]


def check(found, expected):
    """`found`: rows as mappings."""
    assert [row["score"] for row in found][:4] == pytest.approx(expected[:4], abs=1e-7)
    assert found[4]["error"] == "field `summary` is empty"
    assert [row["number"] for row in found] == list(range(6))
    assert all(row["verdict"] in ("supported", "unsupported", "contradicted") for row in found[:4])


def test_pandas(scorer, table, expected):
    pandas = pytest.importorskip("pandas")
    index = [f"i{number}" for number in range(6)]
    frame = pandas.DataFrame(table, index=index)
    before = frame.copy()
    found = frames.score(frame, scorer, details=True)
    assert isinstance(found, pandas.DataFrame) and list(found.index) == index and frame.equals(before)
    check(found.to_dict("records"), expected)
    assert found["score"].dtype == "float32" and pandas.isna(found["score"].iloc[4])
    assert found["error"].isna().sum() == 5
    assert found["claims"].iloc[0][0]["evidence"] == table[0]["document"]
    frame.loc["i2", "summary"] = float("nan")
    assert "null" in frames.score(frame, scorer)["error"].iloc[2]
    assert len(frames.score(frame.iloc[:0], scorer)) == 0


def test_details_are_of_claims_alone(small):
    pandas = pytest.importorskip("pandas")
    row = {"document": "The pool closes in March.", "summary": "# Summary\n\nThe pool closes in March. I hope this helps!"}
    found = frames.score(pandas.DataFrame([row]), small, details=True)
    assert [claim["text"] for claim in found["claims"].iloc[0]] == ["The pool closes in March."]


def test_polars(scorer, table, expected):
    polars = pytest.importorskip("polars")
    found = frames.score(polars.DataFrame(table), scorer, details=True)
    assert isinstance(found, polars.DataFrame) and found["score"].dtype == polars.Float32
    check(found.to_dicts(), expected)
    assert found["claims"].to_list()[0][0]["evidence"] == table[0]["document"]
    assert found["score"].to_list()[4] is None


def test_arrow(scorer, table, expected):
    pyarrow = pytest.importorskip("pyarrow")
    arrow = pyarrow.Table.from_pylist(table)
    found = frames.score(arrow, scorer, details=True)
    assert isinstance(found, pyarrow.Table) and found.schema.field("score").type == pyarrow.float32()
    check(found.to_pylist(), expected)
    assert found["claims"].to_pylist()[0][0]["evidence"] == table[0]["document"]
    batches = list(frames.score_batches(arrow.to_batches(max_chunksize=4), scorer))
    assert [batch.num_rows for batch in batches] == [4, 2]
    check([row for batch in batches for row in batch.to_pylist()], expected)


def test_existing_columns_are_not_overwritten(scorer, table):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(table).assign(score=1.0)
    with pytest.raises(veridic.SettingError, match="already has the columns score"):
        frames.score(frame, scorer)
    assert "veridic_score" in frames.score(frame, scorer, prefix="veridic_").columns


def test_columns_can_be_named(scorer):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"a": ["The pool closed."], "b": ["The pool closed."], 3: [4]})
    assert frames.score(frame, scorer, document="a", summary="b")["verdict"].iloc[0]
    assert "no field for the document" in frames.score(frame, scorer)["error"].iloc[0]


def test_other_types_are_errors(scorer):
    with pytest.raises(veridic.SettingError, match="dict is not a frame"):
        frames.score({"document": []}, scorer)
    with pytest.raises(veridic.SettingError, match="not a frame|not both"):
        frames.score([], scorer, model="mini")
