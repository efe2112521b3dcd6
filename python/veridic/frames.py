"""Scores for pandas and polars frames and Arrow tables: returns a copy of the same type with added columns.

The columns are `score` (float32), `verdict` and, for rows that cannot be judged, `error`; with
`details` also `claims`, a list of structs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Iterable, Iterator, List, Mapping, Optional, TypeVar, Union

from ._rows import READ
from .errors import SettingError
from .results import FailedRow, PairResult
from .scorer import Scorer

if TYPE_CHECKING:
    import pyarrow

__all__ = ["COLUMNS", "score", "score_batches"]

Frame = TypeVar("Frame")

COLUMNS = ("score", "verdict", "error")
"""The columns that are added."""

# Rows of an Arrow table that are converted to Python objects at a time.
_CHUNK_ROWS = 1024


def score(
    frame: Frame,
    scorer: Optional[Scorer] = None,
    *,
    document: Optional[str] = None,
    summary: Optional[str] = None,
    prefix: str = "",
    details: bool = False,
    progress: bool = False,
    **settings: Any,
) -> Frame:
    """A copy of a frame with columns for the results.

    Args:
        frame: a pandas or polars DataFrame, or a pyarrow Table or RecordBatch.
        scorer: the scorer; by default `Scorer(**settings)`.
        document: the column of the document; by default the first of the usual names.
        summary: the same for the summary.
        prefix: prefix of the names of the added columns.
        details: add a column with the claims.
        progress: show a tqdm bar.

    Raises:
        SettingError: the frame has another type, or has columns of these names already.
    """
    if scorer is not None and settings:
        raise SettingError(f"give a scorer or settings, not both: {', '.join(settings)}")
    kind = _kind(frame)
    names = [name for name in _names(frame, kind) if isinstance(name, str)]
    columns = [prefix + name for name in COLUMNS] + ([prefix + "claims"] if details else [])
    taken = [name for name in columns if name in names]
    if taken:
        raise SettingError(f"the frame already has the columns {', '.join(taken)}: give a prefix")
    read = [name for name in names if name in READ or name in (document, summary)]
    results = (scorer or Scorer(**settings)).run(
        _Rows(frame, kind, read), on_error="record", progress=progress, document_field=document, summary_field=summary
    )
    values: Dict[str, List[Any]] = {name: [] for name in columns}
    for result in results:
        for column, value in zip(values.values(), _cells(result, details)):
            column.append(value)
    added: Frame = _with_columns(frame, kind, values, prefix)
    return added


def score_batches(
    batches: Iterable["pyarrow.RecordBatch"], scorer: Optional[Scorer] = None, **options: Any
) -> Iterator["pyarrow.RecordBatch"]:
    """The same for a stream of Arrow batches; the model is loaded once.

    For Spark's `mapInArrow`. Options are those of `score`.
    """
    own = {"document", "summary", "prefix", "details"}
    settings = {name: value for name, value in options.items() if name not in own}
    scorer = scorer or Scorer(**settings)
    for batch in batches:
        yield score(batch, scorer, **{name: value for name, value in options.items() if name in own})


class _Rows:
    """The rows of a frame as mappings, made lazily."""

    def __init__(self, frame: Any, kind: str, names: List[str]) -> None:
        self.frame, self.kind, self.names = frame, kind, names

    def __len__(self) -> int:
        return len(self.frame)

    def __iter__(self) -> Iterator[Mapping[str, Any]]:
        if self.kind == "pandas":
            columns = [self.frame[name] for name in self.names]
            cells: Iterable[Any] = zip(*columns) if columns else (() for _ in range(len(self.frame)))
            return (dict(zip(self.names, row)) for row in cells)
        if self.kind == "polars":
            return (dict(zip(self.names, row)) for row in self.frame.select(self.names).iter_rows())
        return self._of_arrow()

    def _of_arrow(self) -> Iterator[Mapping[str, Any]]:
        columns = self.frame.select(self.names)
        for start in range(0, len(columns), _CHUNK_ROWS):
            yield from columns.slice(start, _CHUNK_ROWS).to_pylist()


def _kind(frame: Any) -> str:
    package = type(frame).__module__.split(".")[0]
    if type(frame).__name__ in ("DataFrame", "Table", "RecordBatch") and package in ("pandas", "polars", "pyarrow"):
        return package
    raise SettingError(
        f"{type(frame).__name__} is not a frame: give a pandas or polars DataFrame, or a pyarrow Table or RecordBatch"
    )


def _names(frame: Any, kind: str) -> List[Any]:
    return list(frame.schema.names if kind == "pyarrow" else frame.columns)


def _cells(result: Union[PairResult, FailedRow], details: bool) -> List[Any]:
    cells: List[Any] = [result.score, result.verdict, result.reason if isinstance(result, FailedRow) else None]
    if details:
        cells.append(None if isinstance(result, FailedRow) else [_claim(claim) for claim in result.judged_claims])
    return cells


def _claim(claim: Any) -> Dict[str, Any]:
    start, end = claim.evidence.span
    about = {"text": claim.text, "score": claim.score, "verdict": claim.verdict, "level": claim.level}
    return {**about, "evidence": claim.evidence.text, "evidence_start": start, "evidence_end": end}


# The fields of a claim and their types.
_CLAIM = {
    "text": "text",
    "score": "number",
    "verdict": "text",
    "level": "text",
    "evidence": "text",
    "evidence_start": "offset",
    "evidence_end": "offset",
}


def _with_columns(frame: Any, kind: str, values: Dict[str, List[Any]], prefix: str) -> Any:
    kinds = {prefix + "score": "number", prefix + "claims": "claims"}
    if kind == "pandas":
        return _in_pandas(frame, values, kinds)
    if kind == "polars":
        return _in_polars(frame, values, kinds)
    return _in_arrow(frame, values, kinds)


def _in_pandas(frame: Any, values: Dict[str, List[Any]], kinds: Dict[str, str]) -> Any:
    import pandas

    def series(name: str) -> Any:
        dtype = "float32" if kinds.get(name) == "number" else object
        return pandas.Series(values[name], index=frame.index, dtype=dtype)

    return frame.assign(**{name: series(name) for name in values})


def _in_polars(frame: Any, values: Dict[str, List[Any]], kinds: Dict[str, str]) -> Any:
    import polars

    types: Dict[str, Any] = {"text": polars.String, "number": polars.Float32, "offset": polars.Int64}
    types["claims"] = polars.List(polars.Struct({name: types[kind] for name, kind in _CLAIM.items()}))
    columns = [polars.Series(name, column, types[kinds.get(name, "text")]) for name, column in values.items()]
    return frame.with_columns(columns)


def _in_arrow(frame: Any, values: Dict[str, List[Any]], kinds: Dict[str, str]) -> Any:
    import pyarrow

    types: Dict[str, Any] = {"text": pyarrow.string(), "number": pyarrow.float32(), "offset": pyarrow.int64()}
    types["claims"] = pyarrow.list_(pyarrow.struct([(name, types[kind]) for name, kind in _CLAIM.items()]))
    for name, column in values.items():
        frame = frame.append_column(name, pyarrow.array(column, type=types[kinds.get(name, "text")]))
    return frame
