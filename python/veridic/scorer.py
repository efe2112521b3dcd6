"""The scorer: a loaded model with its rules."""

from __future__ import annotations

import json
import os
import time
import warnings
from dataclasses import replace
from pathlib import Path
from typing import (
    TYPE_CHECKING,
    Any,
    Dict,
    Iterable,
    Iterator,
    List,
    Literal,
    Mapping,
    Optional,
    Sequence,
    Sized,
    Union,
    overload,
)

from . import errors
from ._engine import Engine, Pace
from ._engine import sentences as _sentences
from ._rows import Row, as_json, take, whole_text
from .errors import MissingPackage, RowError, SettingError, VeridicWarning
from .results import FailedRow, Models, PairResult, Profile, Span

if TYPE_CHECKING:
    import numpy
    import numpy.typing

OnError = Literal["raise", "record", "skip"]

__all__ = ["Scorer", "sentences"]


def sentences(text: str) -> List[Span]:
    """Where the sentences of a text stand, by the engine's rules."""
    return _sentences(whole_text(text))


class Scorer:
    """Judges summaries against their documents.

    One scorer may be used from many threads; a copy for another process (pickle, spawn) loads the model again, and one
    that came there by a fork starts its threads again. What it says depends on the texts and the settings alone, bit for
    bit, whatever the batch, the order, the number of threads or the process.

    Args:
        model: the NLI model: a name that `veridic models list` knows, a folder, or a hub id that was pulled.
        claims: where claims come from: `clause` (rules), `sentence`, `given` (rows bring them), `t5` or `t5=NAME|DIR`.
        profile: the rules: `veridic`, `paper`, `released`, `released-aggrefact`, `checker`.
        threads: threads that compute; one a core unless given.
        coref: who finds other names of the same thing: `off`, `rules`, or an F-Coref model's name or folder.
        levels: what is compared: of `sentence`, `coref`, `window`, `document`.
        window: sentences of a window.
        stride: sentences from one window to the next.
        threshold: a sentence score that ends a claim; below it, windows and document decide alone.
        rule: what a premise's probabilities become: `e`, `e-t`, `e-n`.
        over_claims: how claims' scores become the summary's: `mean`, `minimum`, `soft-minimum`.
        screen: how many sentences, windows and runs a claim is compared with: `4,3,2`, or `off` for all.
        epsilon: a claim whose score reached 1 - epsilon leaves its remaining premises out.
        calibration: a file of `veridic calibrate`, or `off`; the model's own unless given.
        any_language: give verdicts on texts in languages that the model's card does not list, which are else unsupported with
            the reason `language`.
        metric: what is measured, as `--metric` takes it; one name or several.
        keyfacts: where FineSurE's key facts come from: `row`, `reference`, `document`.
        extract: how long documents are shortened before they are judged, or `off`.
        budget: most tokens of such an extract.
        labels: names of the model's outputs in order, where its config.json does not give them.
        device: where models are computed: `cpu`, `cuda`, `cuda:N`; a GPU needs a build with feature `cuda`.
        dtype: the numbers that the model computes in: `auto` (the fastest that are accurate on this processor), `f32`, `int8`,
            or `bf16` where the processor multiplies it; on a GPU `f16` or `bf16`.
        max_tokens: longest pair in tokens, below the model's limit.
        batch_tokens: tokens computed together; never changes a result.
        cache: a folder that keeps what the model said, also for other runs.
        cache_mb: megabytes of memory for the same.
        quiet: no VeridicWarning about the settings.

    Raises:
        SettingError: a value has no meaning or contradicts another.
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
        levels: Optional[Sequence[str]] = None,
        window: Optional[int] = None,
        stride: Optional[int] = None,
        threshold: Optional[float] = None,
        rule: Optional[str] = None,
        over_claims: Optional[str] = None,
        screen: Optional[str] = None,
        epsilon: Optional[float] = None,
        calibration: Union[str, "os.PathLike[str]", None] = None,
        any_language: bool = False,
        metric: Union[str, Sequence[str], None] = None,
        keyfacts: Optional[str] = None,
        extract: Optional[str] = None,
        budget: Optional[int] = None,
        labels: Optional[Sequence[str]] = None,
        device: Optional[str] = None,
        dtype: Optional[str] = None,
        max_tokens: Optional[int] = None,
        batch_tokens: Optional[int] = None,
        cache: Union[str, "os.PathLike[str]", None] = None,
        cache_mb: Optional[int] = None,
        quiet: bool = False,
    ) -> None:
        given: Dict[str, Any] = {
            "model": os.fspath(model),
            "claims": claims,
            "profile": profile,
            "threads": threads,
            "coref": coref,
            "levels": None if levels is None else list(levels),
            "window": window,
            "stride": stride,
            "threshold": threshold,
            "rule": rule,
            "over_claims": over_claims,
            "screen": screen,
            "epsilon": epsilon,
            "calibration": None if calibration is None else os.fspath(calibration),
            "any_language": True if any_language else None,
            "metric": None if metric is None else [metric] if isinstance(metric, str) else list(metric),
            "key_facts": keyfacts,
            "extract": extract,
            "budget": budget,
            "labels": None if labels is None else list(labels),
            "device": device,
            "dtype": dtype,
            "max_tokens": max_tokens,
            "batch_tokens": batch_tokens,
            "cache": None if cache is None else os.fspath(cache),
            "cache_mb": cache_mb,
        }
        self._settings = {name: value for name, value in given.items() if value is not None}
        self._quiet = quiet
        self._told_language = quiet
        self._engine = Engine(_options(self._settings))
        if not quiet:
            for note in self._engine.notes:
                warnings.warn(note, VeridicWarning, stacklevel=2)

    @property
    def settings(self) -> Mapping[str, Any]:
        """What it was made with."""
        return dict(self._settings)

    @property
    def profile(self) -> Profile:
        """The rules that decide its results."""
        return Profile.from_dict(self._facts()["profile"])

    @property
    def models(self) -> Models:
        """The models that decide its results, with their digests."""
        return Models.from_dict(self._facts()["models"])

    @property
    def threads(self) -> int:
        """Threads that compute."""
        return int(self._facts()["threads"])

    def score(
        self,
        document: Union[str, Sequence[str]],
        summary: str,
        *,
        claims: Optional[Sequence[str]] = None,
        document_sentences: Optional[Sequence[str]] = None,
        key_facts: Optional[Sequence[str]] = None,
        reference: Optional[str] = None,
    ) -> PairResult:
        """Judges one summary.

        Args:
            document: the source; of a list, one text after the other, with a blank line between them.
            summary: what is judged.
            claims: the claims of the summary, for `claims="given"`.
            document_sentences: the document's sentences, instead of rules.
            key_facts: what the summary should say, for metrics that ask for it.
            reference: a summary by people, for metrics that ask for it.

        Raises:
            TextError: a text cannot be judged.
        """
        row: Dict[str, Any] = {"document": document, "summary": summary}
        beside = {
            "claims": claims,
            "document_sentences": document_sentences,
            "key_facts": key_facts,
            "reference": reference,
        }
        row.update({name: value for name, value in beside.items() if value is not None})
        [(failure, text, _)] = self._engine.judge([as_json(row)], "document", "summary")
        if failure is not None:
            raise _exception(failure, text)
        result = PairResult.from_dict(json.loads(text))
        self._tell_language(result)
        return result

    @overload
    def run(
        self,
        rows: Iterable[Row],
        *,
        on_error: Literal["raise", "skip"] = ...,
        progress: bool = ...,
        document_field: Optional[str] = ...,
        summary_field: Optional[str] = ...,
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
    ) -> Iterator[Union[PairResult, FailedRow]]: ...

    def run(
        self,
        rows: Iterable[Row],
        *,
        on_error: OnError = "raise",
        progress: bool = False,
        document_field: Optional[str] = None,
        summary_field: Optional[str] = None,
    ) -> Iterator[Union[PairResult, FailedRow]]:
        """Judges rows as one stream, in their order, and gives each result as soon as its rows are judged.

        Rows are mappings with the fields that `veridic run` reads, or (document, summary) pairs, from any iterable; a
        generator is asked for as many rows as take some seconds to judge, never for all, and only when results are
        wanted. A result has the row's `index`, its `id` and the fields that passed through as `input`.

        Args:
            rows: what to judge.
            on_error: of a row that cannot be judged: `raise` a RowError, `record` a FailedRow, or `skip` it.
            progress: show a tqdm bar.
            document_field: the field of the document, instead of the first of the usual names.
            summary_field: the same for the summary.

        Raises:
            RowError: a row cannot be judged.
            SettingError: a value has no meaning.
        """
        if on_error not in ("raise", "record", "skip"):
            raise SettingError(f"on_error {on_error}: known are raise, record, skip")
        if document_field is not None and document_field == summary_field:
            raise SettingError(f"field `{document_field}` cannot be both the document and the summary")
        results = self._run(iter(rows), on_error, document_field, summary_field)
        return _with_bar(results, len(rows) if isinstance(rows, Sized) else None) if progress else results

    def _run(
        self, rows: Iterator[Row], on_error: str, document_field: Optional[str], summary_field: Optional[str]
    ) -> Iterator[Union[PairResult, FailedRow]]:
        pace, index = Pace(), 0
        while True:
            taken = take(rows, pace.rows)
            if not taken:
                return
            start = time.perf_counter()
            texts = [as_json(row, document_field, summary_field) for row in taken]
            outcomes = self._engine.judge(texts, document_field, summary_field)
            pace.took(time.perf_counter() - start)
            for row, (failure, text, kept) in zip(taken, outcomes):
                through = {name: row[name] for name in kept if name in row}
                if failure is None:
                    result = PairResult.from_dict(json.loads(text))
                    self._tell_language(result)
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
        """What the NLI model says of raw pairs: an array (n, 3) of entailment, neutral, contradiction.

        Args:
            premises: n texts.
            hypotheses: n texts, each for the premise of the same index.
            truncate: what is cut of a pair over the token limit, instead of an error.
            on_error: of a pair that cannot be asked: `raise`, or `record` it as a row of NaN with a VeridicWarning.

        Raises:
            TextError: a pair cannot be asked.
        """
        import numpy

        if isinstance(premises, str) or isinstance(hypotheses, str):
            raise SettingError("premises and hypotheses are lists of texts, not one text")
        if len(premises) != len(hypotheses):
            raise SettingError(f"{len(premises)} premises cannot be paired with {len(hypotheses)} hypotheses")
        if on_error not in ("raise", "record"):
            raise SettingError(f"on_error {on_error}: known are raise, record")
        texts = [[whole_text(text) for text in texts] for texts in (premises, hypotheses)]
        numbers, refused = self._engine.nli(*texts, truncate)
        if refused:
            index, failure, reason = refused[0]
            if on_error == "raise":
                raise _exception(failure, f"pair {index}: {reason}")
            told = f"{len(refused)} of {len(premises)} pairs cannot be asked, the first is pair {index}: {reason}"
            warnings.warn(told, VeridicWarning, stacklevel=2)
        return numpy.frombuffer(numbers, dtype=numpy.float32).reshape(len(premises), 3)

    def chunks(self, document: str) -> List[str]:
        """The document in chunks of whole sentences, as a checker such as MiniCheck reads it."""
        return self._engine.chunks(whole_text(document))

    def _tell_language(self, result: PairResult) -> None:
        """Warns once of a text in a language that the model was not made for."""
        if self._told_language or not any(claim.reason == "language" for claim in result.claims):
            return
        self._told_language = True
        told = (
            f"a text is in a language that the card of the model `{result.models.nli.id}` does not list: its claims are unsupported, "
            "with the reason `language`, unless any_language=True is given"
        )
        warnings.warn(told, VeridicWarning, stacklevel=3)

    def _facts(self) -> Dict[str, Any]:
        facts: Dict[str, Any] = json.loads(self._engine.facts())
        return facts

    def __reduce__(self) -> Any:
        return _again, (self._settings,)

    def __repr__(self) -> str:
        return "Scorer(" + ", ".join(f"{name}={value!r}" for name, value in self._settings.items()) + ")"


def _again(settings: Dict[str, Any]) -> Scorer:
    # It said what there is to say where it was made.
    return Scorer(quiet=True, **settings)


def _options(settings: Mapping[str, Any]) -> str:
    options = dict(settings)
    calibration = options.get("calibration")
    if calibration is not None and calibration != "off":
        try:
            text = Path(calibration).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise SettingError(f"calibration {calibration}: {error}") from error
        options["calibration"] = {"file": calibration, "text": text}
    try:
        return json.dumps(options)
    except TypeError as error:
        raise SettingError(f"the settings are texts, numbers and lists of them: {error}") from error


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
