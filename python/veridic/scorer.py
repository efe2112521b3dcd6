"""The scorer: a loaded model with its settings."""

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
from ._rows import Row, as_json, document_as_json, take, whole_text
from .errors import MissingPackage, RowError, SettingError, VeridicWarning
from .results import FailedRow, Models, PairResult, Profile, Span
from .stream import Stream

if TYPE_CHECKING:
    import numpy
    import numpy.typing

OnError = Literal["raise", "record", "skip"]

SourceLike = Union[str, Mapping[str, Any]]
"""A source of a document: a text, or a mapping with a `text` and, if it has one, an `id`."""

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
        claims: how claims are extracted: `clause` (rules), `sentence`, `given` (rows have them), `t5` or `t5=NAME|DIR`,
            `answers` or `answers=FILE` (a language model's).
        profile: the rules: `veridic`, `paper`, `released`, `released-aggrefact`, `checker`.
        threads: number of compute threads; by default one a core.
        coref: how coreference is resolved: `off`, `rules`, or the name or folder of an F-Coref model.
        levels: the premises to compare: any of `sentence`, `coref`, `window`, `document`.
        window: number of sentences in a window.
        stride: number of sentences from one window to the next.
        threshold: a claim whose sentence score reaches it is decided; below it, windows and document alone decide.
        rule: the score of a premise from its probabilities: `e`, `e-t`, `e-n`.
        over_claims: the summary's score from those of its claims: `mean`, `minimum`, `soft-minimum`.
        screen: the premises that the judge reads of a claim, `METHOD:K` or `off` for all: K sentences, K/2 windows and the best run,
            ranked by `words`, `mini` (the small model reads sentences first) or `mini+words`. The default is `mini+words:6`.
        escalate: read everything of a claim whose score lies near the limit of support: at most so far from it, or `calibrated`.
        epsilon: once a claim's score reaches 1 - epsilon, its remaining premises are skipped.
        contrast: whether to ask what the document says instead; by default under the profile `veridic` only.
        calibration: a file of `veridic calibrate`, or `off`; by default the model's own.
        abstain: the share of summaries, from 0 to below 1, whose verdicts are the likeliest to be wrong: these verdicts are
            `unsure`. It needs a calibration with a risk.
        any_language: judge texts in languages that the model's card does not list; otherwise their claims are unsupported with
            the reason `language`.
        token_classifier: the model that marks a claim's unsupported words, in the place of the NLI model's own head: a name, a
            folder or a hub id.
        metric: the metrics to compute, named as for `--metric`; one or several.
        key_facts: the source of FineSurE's key facts: `row`, `reference`, `document`.
        topic: what summaries should be about, for the metric `relevance`; by default each row's field `topic`.
        alignment_rule: how SumAutoEval's two checks of a section are joined: `any`, `all`.
        answers: a file of a language model's answers, for the metrics `finesure`, `sumautoeval`, `rating` and `tofueval` and for claims.
        prompt_templates: the wording of the requests that they answer, by the names of steps such as `finesure:facts`.
        extract: the method that shortens long documents, or `off`.
        extract_rule: how wording counts for it, and what happens at the budget: `authors`, `fill`.
        budget: maximum number of tokens of such an extract.
        budget_tokenizer: the model whose tokenizer counts them; by default the NLI model.
        bertscore_model: BERTScore's encoder: a name, a folder or a hub id.
        bertscore_layer: the layer of its vectors; 0 is the embeddings.
        bertscore_idf: a text file of sentences, one a line, that weigh BERTScore's tokens.
        summac_conv: the file of SummaC-Conv's weights, for the metric `summac-conv`.
        summac_labels: the relations that these weights read: `e` (the default), `c`, `n`, `ec`, `en`, `cn`, `ecn`.
        align_head: the head of an AlignScore checkpoint: `nli` (the default) or `bin`.
        labels: names of the model's outputs in order, if its config.json does not name them.
        device: where models are computed: `cpu`, `cuda`, `cuda:N`; a GPU needs a build with the feature `cuda`.
        dtype: the arithmetic of the model: `auto` (the fastest that is accurate on this processor), `f32`, `int8`, or `bf16` if the
            processor supports it; on a GPU `f16` or `bf16`.
        max_tokens: token limit of a pair, below the model's own.
        batch_tokens: tokens of a batch; never changes a result.
        cache: a folder for the model's probabilities, which later runs reuse.
        cache_mb: megabytes of memory for the model's probabilities.
        quiet: issue no VeridicWarning.

    Raises:
        SettingError: a value is invalid or contradicts another.
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
        escalate: Union[str, float, None] = None,
        epsilon: Optional[float] = None,
        contrast: Optional[bool] = None,
        calibration: Union[str, "os.PathLike[str]", None] = None,
        abstain: Optional[float] = None,
        any_language: bool = False,
        token_classifier: Union[str, "os.PathLike[str]", None] = None,
        metric: Union[str, Sequence[str], None] = None,
        key_facts: Optional[str] = None,
        topic: Optional[str] = None,
        alignment_rule: Optional[str] = None,
        answers: Union[str, "os.PathLike[str]", None] = None,
        prompt_templates: Optional[Mapping[str, str]] = None,
        extract: Optional[str] = None,
        extract_rule: Optional[str] = None,
        budget: Optional[int] = None,
        budget_tokenizer: Optional[str] = None,
        bertscore_model: Union[str, "os.PathLike[str]", None] = None,
        bertscore_layer: Optional[int] = None,
        bertscore_idf: Union[str, "os.PathLike[str]", None] = None,
        summac_conv: Union[str, "os.PathLike[str]", None] = None,
        summac_labels: Optional[str] = None,
        align_head: Optional[str] = None,
        labels: Optional[Sequence[str]] = None,
        device: Optional[str] = None,
        dtype: Optional[str] = None,
        max_tokens: Optional[int] = None,
        batch_tokens: Optional[int] = None,
        cache: Union[str, "os.PathLike[str]", None] = None,
        cache_mb: Optional[int] = None,
        quiet: bool = False,
    ) -> None:
        given: Dict[str, Any] = dict(locals())
        del given["self"], given["quiet"]
        paths = ["model", "calibration", "cache", "token_classifier", "bertscore_model", "bertscore_idf", "summac_conv"]
        for name in [*paths, "answers"]:
            given[name] = None if given[name] is None else os.fspath(given[name])
        given["levels"] = None if levels is None else list(levels)
        given["labels"] = None if labels is None else list(labels)
        given["prompt_templates"] = None if prompt_templates is None else dict(prompt_templates)
        given["metric"] = None if metric is None else [metric] if isinstance(metric, str) else list(metric)
        given["any_language"] = any_language or None
        given["escalate"] = None if escalate is None else str(escalate)
        self._settings = {name: value for name, value in given.items() if value is not None}
        self._quiet = quiet
        self._warned_of_language = quiet
        self._engine = Engine(_options(self._settings))
        if not quiet:
            for note in self._engine.notes:
                warnings.warn(note, VeridicWarning, stacklevel=2)

    @property
    def settings(self) -> Mapping[str, Any]:
        """The settings that were given."""
        return dict(self._settings)

    @property
    def profile(self) -> Profile:
        """The settings that decide its results, with defaults filled in."""
        return Profile.from_dict(self._facts()["profile"])

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
        document: Union[str, Sequence[SourceLike]],
        summary: str,
        *,
        claims: Optional[Sequence[str]] = None,
        document_sentences: Optional[Sequence[str]] = None,
        summary_sentences: Optional[Sequence[str]] = None,
        key_facts: Optional[Sequence[str]] = None,
        reference: Optional[str] = None,
        citations: bool = False,
    ) -> PairResult:
        """Judges one summary.

        Args:
            document: the source, or a list of sources: texts, or mappings with a `text` and an `id`, by default its number. They are
                joined with blank lines, and evidence has `sources`.
            summary: the text to judge.
            claims: the claims of the summary, for `claims="given"`.
            document_sentences: the sentences of the document; by default it is split by rules.
            summary_sentences: the sentences of the summary; by default it is split by rules.
            key_facts: facts that the summary should contain, for metrics that need them.
            reference: a human-written summary, for metrics that need it.
            citations: check the citations in the summary, such as `[1]`, against the sources that they name; claims have `citations`.

        Raises:
            TextError: a text cannot be judged.
        """
        row: Dict[str, Any] = {"document": document, "summary": summary}
        optional = {
            "claims": claims,
            "document_sentences": document_sentences,
            "summary_sentences": summary_sentences,
            "key_facts": key_facts,
            "reference": reference,
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

        `document` is a text or a list of sources, as in `score`. Claims are extracted sentence by sentence; other metrics than
        `fenice` are not measured, and a long document is not replaced by an extract.

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
            "with the reason `language` unless any_language=True is given"
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


def _options(settings: Mapping[str, Any]) -> str:
    options = dict(settings)
    for name in ["calibration", "bertscore_idf"]:
        file = options.get(name)
        if file is not None and (name, file) != ("calibration", "off"):
            try:
                text = Path(file).read_text(encoding="utf-8")
            except (OSError, UnicodeDecodeError) as error:
                raise SettingError(f"{name}={file}: {error}") from error
            options[name] = {"file": file, "text": text}
    try:
        return json.dumps(options)
    except TypeError as error:
        raise SettingError(f"settings must be texts, numbers or lists of them: {error}") from error


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
