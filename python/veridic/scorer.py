"""The scorer: a loaded model with its settings."""

from __future__ import annotations

import difflib
import inspect
import json
import os
import time
import warnings
from dataclasses import replace
from typing import (
    TYPE_CHECKING,
    Any,
    Dict,
    Iterable,
    Iterator,
    List,
    Literal,
    Mapping,
    NoReturn,
    Optional,
    Sequence,
    Sized,
    Union,
    overload,
)

from . import errors
from ._engine import SETTINGS, Engine, Pace
from ._engine import sentences as _sentences
from ._rows import Row, as_json, document_as_json, take, whole_text
from .errors import ArgumentError, MissingPackage, RowError, SettingError, VeridicWarning
from .results import FailedRow, Models, PairResult, Profile, Span
from .stream import Stream

if TYPE_CHECKING:
    import numpy
    import numpy.typing

OnError = Literal["raise", "record", "skip"]

SourceLike = Union[str, "os.PathLike[str]", Mapping[str, Any]]
"""A source of a document: a text, the path of a file, or a mapping with a `text` or a `path` and, if it has one, an `id`."""

__all__ = ["Scorer", "sentences"]


def sentences(text: str) -> List[Span]:
    """The spans of a text's sentences, as the engine splits it."""
    return _sentences(whole_text(text))


class Scorer:
    """Judges summaries against their documents.

    A scorer may be used from many threads. A copy in another process (pickle, spawn) loads the model again, and one that is
    inherited by a fork starts its threads again. Results depend on the texts and the settings alone, bit for bit, whatever the
    batch, the order, the number of threads or the process.

    Args:
        model: the NLI model: a name from `veridic models list`, a folder, or the id of a hub model that was pulled.
        claims: how claims are extracted: `sentence`, `given` (rows have them), `t5` or `t5=NAME|DIR`.
        profile: the rules: `veridic`, `paper`, `released`, `released-aggrefact`, `checker`.
        threads: number of compute threads; by default one per core.
        coref: how coreference is resolved: `off`, `rules`, or the name or folder of an F-Coref model.
        device: where NLI models are computed: `cpu`; `cuda`, `cuda:N` or `metal` in a package built for them (docs/how-to/gpu.md).
        dtype: the arithmetic of the model: `auto` (the fastest that is accurate on this processor), `f32`, `int8`, or `bf16` if the
            processor supports it.
        abstain: claims whose score is nearer than this to the limit of support are `unsure`, as with 0.2.
        rules: all other settings by their keys, as in `{"window": 3, "languages": "any", "levels": ["sentence", "window"]}`, or the
            path of a rules file. `veridic rules` prints such a file, with every rule explained; docs/reference/settings.md lists all
            keys. Values are those of the program's `--set`; True is `on`, and False `off`.
        quiet: issue no VeridicWarning.

    Raises:
        SettingError: a value is invalid or contradicts another.
        ArgumentError: there is no such argument.
        ModelError: the model cannot be found or loaded.
    """

    _engine: Engine
    _settings: Dict[str, Any]

    def __init__(
        self,
        model: str = "base",
        claims: Optional[str] = None,
        profile: Optional[str] = None,
        threads: Optional[int] = None,
        *,
        coref: Optional[str] = None,
        device: Optional[str] = None,
        dtype: Optional[str] = None,
        abstain: Optional[float] = None,
        rules: Union[Mapping[str, Any], str, "os.PathLike[str]", None] = None,
        quiet: bool = False,
        **other: NoReturn,
    ) -> None:
        check_arguments(other)
        given: Dict[str, Any] = {
            "model": os.fspath(model),
            "claims": claims,
            "profile": profile,
            "threads": threads,
            "coref": coref,
            "device": device,
            "dtype": dtype,
            "abstain": abstain,
            "rules": dict(rules) if isinstance(rules, Mapping) else rules and os.fspath(rules),
        }
        self._settings = {name: value for name, value in given.items() if value is not None}
        self._quiet = quiet
        self._warned_of_language = quiet
        self._engine = Engine(_json(self._settings))
        if not quiet:
            for note in self._engine.notes:
                warnings.warn(note, VeridicWarning, stacklevel=2)

    @property
    def settings(self) -> Mapping[str, Any]:
        """The settings that were given."""
        return dict(self._settings)

    @property
    def rules(self) -> Profile:
        """The rules that decide its results, every value resolved: the `profile` of results."""
        return Profile.from_dict(self._facts()["profile"])

    profile = rules

    @property
    def models(self) -> Models:
        """The models and their digests."""
        return Models.from_dict(self._facts()["models"])

    @property
    def threads(self) -> int:
        """The number of compute threads."""
        return int(self._facts()["threads"])

    def score(
        self,
        document: Union[str, "os.PathLike[str]", Sequence[SourceLike]],
        summary: Union[str, "os.PathLike[str]"],
        *,
        claims: Optional[Sequence[str]] = None,
        document_sentences: Optional[Sequence[str]] = None,
        summary_sentences: Optional[Sequence[str]] = None,
        citations: bool = False,
    ) -> PairResult:
        """Judges one summary.

        Args:
            document: the source, or a list of sources: texts, or mappings with a `text` and an `id`, by default its number. They are
                joined with blank lines, and evidence has `sources`. A path is read as what its file is: text, PDF, Word, HTML, ...
            summary: the text to judge, or the path of its file.
            claims: the claims of the summary, for `claims="given"`.
            document_sentences: the sentences of the document; by default it is split by rules.
            summary_sentences: the sentences of the summary; by default it is split by rules.
            citations: check the citations in the summary, such as `[1]`, against the sources that they name; claims have `citations`.

        Raises:
            TextError: a text cannot be judged.
        """
        row: Dict[str, Any] = {"document": document, "summary": summary}
        optional = {
            "claims": claims,
            "document_sentences": document_sentences,
            "summary_sentences": summary_sentences,
        }
        row.update({name: value for name, value in optional.items() if value is not None})
        [(failure, text, _)] = self._engine.judge([as_json(row)], "document", "summary", citations)
        if failure is not None:
            raise _exception(failure, text)
        result = PairResult.from_dict(json.loads(text))
        self._warn_of_language(result)
        return result

    def stream(self, document: Union[str, Sequence[SourceLike]]) -> Stream:
        """Begins to judge a text against a document while the text is written.

        >>> stream = scorer.stream(document)
        >>> for sentence in stream.read(pieces):
        ...     print(sentence.text, [claim.verdict for claim in sentence.claims])
        >>> stream.result.score

        `document` is a text or a list of sources, as in `score`. Claims are extracted sentence by sentence.

        Raises:
            TextError: the document cannot be judged.
            SettingError: the scorer's claims are given with each row.
        """
        return Stream(self._engine.stream(document_as_json(document)))

    @overload
    def run(
        self,
        rows: Iterable[Row],
        *,
        on_error: Literal["raise", "skip"] = ...,
        progress: bool = ...,
        document_field: Optional[str] = ...,
        summary_field: Optional[str] = ...,
        citations: bool = ...,
    ) -> Iterator[PairResult]: ...

    @overload
    def run(
        self,
        rows: Iterable[Row],
        *,
        on_error: OnError,
        progress: bool = ...,
        document_field: Optional[str] = ...,
        summary_field: Optional[str] = ...,
        citations: bool = ...,
    ) -> Iterator[Union[PairResult, FailedRow]]: ...

    def run(
        self,
        rows: Iterable[Row],
        *,
        on_error: OnError = "raise",
        progress: bool = False,
        document_field: Optional[str] = None,
        summary_field: Optional[str] = None,
        citations: bool = False,
    ) -> Iterator[Union[PairResult, FailedRow]]:
        """Judges rows as a stream and yields the results in order, as soon as they are known.

        Rows are mappings with the fields that `veridic run` reads, or (document, summary) pairs, from any iterable. A generator
        is read lazily, a few seconds of work at a time and only when a result is requested. A result has the row's `index`, its
        `id`, and the fields that passed through as `input`.

        Args:
            rows: the rows to judge.
            on_error: for a row that cannot be judged: `raise` a RowError, yield a FailedRow (`record`), or `skip` it.
            progress: show a tqdm bar.
            document_field: the field of the document; by default the first of the usual names.
            summary_field: the same for the summary.
            citations: check the citations in the summaries, such as `[1]`; documents must be lists of sources.

        Raises:
            RowError: a row cannot be judged.
            SettingError: a value is invalid.
        """
        if on_error not in ("raise", "record", "skip"):
            raise SettingError(f"on_error {on_error}: known are raise, record, skip")
        if document_field is not None and document_field == summary_field:
            raise SettingError(f"field `{document_field}` cannot be both the document and the summary")
        results = self._run(iter(rows), on_error, document_field, summary_field, citations)
        return _with_bar(results, len(rows) if isinstance(rows, Sized) else None) if progress else results

    def _run(
        self,
        rows: Iterator[Row],
        on_error: str,
        document_field: Optional[str],
        summary_field: Optional[str],
        citations: bool,
    ) -> Iterator[Union[PairResult, FailedRow]]:
        pace, index = Pace(), 0
        while True:
            taken = take(rows, pace.rows)
            if not taken:
                return
            start = time.perf_counter()
            texts = [as_json(row, document_field, summary_field) for row in taken]
            outcomes = self._engine.judge(texts, document_field, summary_field, citations)
            pace.took(time.perf_counter() - start)
            for row, (failure, text, kept) in zip(taken, outcomes):
                through = {name: row[name] for name in kept if name in row}
                if failure is None:
                    result = PairResult.from_dict(json.loads(text))
                    self._warn_of_language(result)
                    yield replace(result, index=index, id=row.get("id"), input=through)
                elif on_error == "raise":
                    raise RowError(index, row.get("id"), text)
                elif on_error == "record":
                    yield FailedRow(index, row.get("id"), text, through)
                index += 1

    def nli(
        self,
        premises: Sequence[str],
        hypotheses: Sequence[str],
        *,
        truncate: Optional[Literal["premise", "longest_first"]] = None,
        on_error: Literal["raise", "record"] = "raise",
    ) -> "numpy.typing.NDArray[numpy.float32]":
        """The NLI model's probabilities of raw pairs: an array (n, 3) of entailment, neutral, contradiction.

        Args:
            premises: n texts.
            hypotheses: n texts, one for each premise.
            truncate: what to cut of a pair over the token limit; by default it is an error.
            on_error: for a pair that cannot be computed: `raise`, or `record` it as a row of NaN with a VeridicWarning.

        Raises:
            TextError: a pair cannot be computed.
        """
        import numpy

        if isinstance(premises, str) or isinstance(hypotheses, str):
            raise SettingError("premises and hypotheses must be lists of texts, not one text")
        if len(premises) != len(hypotheses):
            raise SettingError(f"{len(premises)} premises cannot be paired with {len(hypotheses)} hypotheses")
        if on_error not in ("raise", "record"):
            raise SettingError(f"on_error {on_error}: known are raise, record")
        texts = [[whole_text(text) for text in texts] for texts in (premises, hypotheses)]
        numbers, failed = self._engine.nli(texts[0], texts[1], truncate)
        if failed:
            index, failure, reason = failed[0]
            if on_error == "raise":
                raise _exception(failure, f"pair {index}: {reason}")
            message = f"{len(failed)} of {len(premises)} pairs cannot be computed, the first is pair {index}: {reason}"
            warnings.warn(message, VeridicWarning, stacklevel=2)
        return numpy.frombuffer(numbers, dtype=numpy.float32).reshape(len(premises), 3)

    def chunks(self, document: str) -> List[str]:
        """The chunks of whole sentences in which a checker such as MiniCheck reads the document."""
        return self._engine.chunks(whole_text(document))

    def _warn_of_language(self, result: PairResult) -> None:
        """Warns once of a text in a language that the model's card does not list."""
        if self._warned_of_language or not any(claim.reason == "language" for claim in result.claims):
            return
        self._warned_of_language = True
        message = (
            f"a text is in a language that the card of the model `{result.models.nli.id}` does not list: its claims are unsupported "
            'with the reason `language` unless rules={"languages": "any"} is given'
        )
        warnings.warn(message, VeridicWarning, stacklevel=3)

    def _facts(self) -> Dict[str, Any]:
        facts: Dict[str, Any] = json.loads(self._engine.facts())
        return facts

    def __reduce__(self) -> Any:
        return _unpickle, (self._settings,)

    def __repr__(self) -> str:
        return "Scorer(" + ", ".join(f"{name}={value!r}" for name, value in self._settings.items()) + ")"


def _unpickle(settings: Dict[str, Any]) -> Scorer:
    # The original has already issued its warnings.
    return Scorer(quiet=True, **settings)


_ARGUMENTS = frozenset(inspect.signature(Scorer).parameters) - {"other"}


def check_arguments(given: Mapping[str, Any]) -> None:
    """Refuses arguments that Scorer does not have.

    Raises:
        ArgumentError: there is one; a setting is named with the argument that takes it, a misspelt name with the nearest one.
    """
    for name, value in given.items():
        if name in _ARGUMENTS:
            continue
        if name in SETTINGS:
            raise ArgumentError(f'{name}={_shown(value)}: give rules={{"{name}": {_shown(value)}}}')
        nearest = difflib.get_close_matches(name, [*_ARGUMENTS, *SETTINGS], n=1, cutoff=0.75)
        meant = "".join(f" (did you mean `{name}`?)" for name in nearest)
        raise ArgumentError(f"Scorer has no argument `{name}`{meant}: help(veridic.Scorer) lists them")


def _shown(value: Any) -> str:
    return json.dumps(value, default=str) if isinstance(value, (str, list, tuple, dict)) else repr(value)


def _json(settings: Mapping[str, Any]) -> str:
    try:
        return json.dumps(settings, allow_nan=False, default=_path)
    except (TypeError, ValueError) as error:
        raise SettingError(f"settings must be texts, finite numbers or lists of them: {error}") from error


def _path(value: Any) -> Any:
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    raise TypeError(f"{value!r} is of type {type(value).__name__}")


def _exception(name: str, message: str) -> Exception:
    kind: Any = getattr(errors, name, errors.VeridicError)
    exception: Exception = kind(message)
    return exception


def _with_bar(
    results: Iterator[Union[PairResult, FailedRow]], total: Optional[int]
) -> Iterator[Union[PairResult, FailedRow]]:
    try:
        from tqdm.auto import tqdm
    except ImportError as error:
        raise MissingPackage("progress needs tqdm: pip install tqdm") from error
    return iter(tqdm(results, total=total, unit="row"))
