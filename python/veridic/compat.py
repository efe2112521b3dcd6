"""The call and return shapes of other packages, over a Scorer. Numbers are this engine's, by the settings that stand at
each class; what of another package has no meaning here is named in a VeridicWarning, never silently ignored."""

from __future__ import annotations

import warnings
from typing import Any, Dict, List, Mapping, Sequence, Tuple, Union

from .errors import SettingError, VeridicWarning
from .scorer import Scorer, sentences

__all__ = ["AlignScore", "FENICE", "MiniCheck", "SummaCZS"]

Texts = Union[str, Sequence[str]]

# Names of MiniCheck's own models under which this engine knows them.
_MINICHECK = {"roberta-large": "minicheck-roberta", "deberta-v3-large": "minicheck-deberta"}


class FENICE:
    """`FENICE().score_batch([{"document": ..., "summary": ...}])`.

    Settings are those of Scorer; `profile="paper"` computes the paper's equations.
    """

    def __init__(self, **settings: Any) -> None:
        self.scorer = Scorer(**settings)

    def score_batch(self, batch: Sequence[Mapping[str, Any]]) -> List[Dict[str, Any]]:
        """For each row its score and, claim by claim, the score and the passage that gave it."""
        return [
            {
                "score": result.score,
                "alignments": [
                    {"score": claim.score, "summary_claim": claim.text, "source_passage": claim.evidence.text}
                    for claim in result.claims
                ],
            }
            for result in self.scorer.run(batch)
        ]


class AlignScore:
    """`AlignScore(...).score(contexts=[...], claims=[...])`: floats from 0 to 1.

    Claims are cut into sentences, as AlignScore does. With a calibration a score is the probability that the claim is
    supported; without one it is (1 + entailment - contradiction) / 2.
    """

    def __init__(
        self,
        model: str = "base",
        batch_size: Any = None,
        device: Any = None,
        ckpt_path: Any = None,
        evaluation_mode: str = "nli_sp",
        verbose: bool = True,
        **settings: Any,
    ) -> None:
        _not_used(batch_size=batch_size, device=device, ckpt_path=ckpt_path)
        if evaluation_mode != "nli_sp":
            raise SettingError(f"evaluation_mode {evaluation_mode}: only nli_sp is computed")
        settings.setdefault("claims", "sentence")
        self.scorer = Scorer(model=model, **settings)
        del verbose

    def score(self, contexts: Sequence[str], claims: Sequence[str]) -> List[float]:
        """A score of each claim in the context of the same index."""
        rows = _pairs(contexts, claims)
        is_signed = self.scorer.profile.calibration is None and self.scorer.profile.score != "entailment"
        scores = [result.score for result in self.scorer.run(rows)]
        return [(1.0 + score) / 2.0 for score in scores] if is_signed else scores


class SummaCZS:
    """`SummaCZS(...).score([document], [summary])["scores"]`, Laban et al. 2022.

    For each summary sentence the highest entailment over the document's units less the highest contradiction; their
    mean. `granularity="paragraph"` is the metric `summac-zs`; `"sentence"` takes the document's sentences.
    """

    def __init__(
        self,
        granularity: str = "paragraph",
        model_name: str = "base",
        op1: str = "max",
        op2: str = "mean",
        use_ent: bool = True,
        use_con: bool = True,
        imager_load_cache: Any = None,
        device: Any = None,
        **settings: Any,
    ) -> None:
        _not_used(imager_load_cache=imager_load_cache, device=device)
        if granularity not in ("paragraph", "sentence"):
            raise SettingError(f"granularity {granularity}: known are paragraph, sentence")
        if (op1, op2, use_ent, use_con) != ("max", "mean", True, True):
            raise SettingError("of SummaC-ZS the published form is computed: max, mean, use_ent and use_con")
        self.granularity = granularity
        self.scorer = Scorer(model=model_name, metric="summac-zs", **settings)

    def score(self, sources: Sequence[str], generateds: Sequence[str]) -> Dict[str, List[float]]:
        """`{"scores": [...]}`, one for each source and the text of the same index."""
        pairs = _pairs(sources, generateds)
        if self.granularity == "paragraph":
            return {"scores": [result.score for result in self.scorer.run(pairs)]}
        return {"scores": [self._by_sentences(source, generated) for source, generated in pairs]}

    def _by_sentences(self, source: str, generated: str) -> float:
        units, statements = _worded(source), _worded(generated)
        premises = [unit for _ in statements for unit in units]
        hypotheses = [statement for statement in statements for _ in units]
        answers = self.scorer.nli(premises, hypotheses, truncate="premise").astype(float)
        best = answers.reshape(len(statements), len(units), 3).max(axis=1)
        return float((best[:, 0] - best[:, 2]).mean())


class MiniCheck:
    """`MiniCheck(model_name).score(docs=[...], claims=[...])`: labels, probabilities, chunks, probabilities per chunk.

    `roberta-large` and `deberta-v3-large` are the published checkers, which `veridic models pull` fetches; any other
    model is asked about the same chunks, its entailment being the probability.
    """

    threshold = 0.5

    def __init__(
        self,
        model_name: str = "base",
        enable_prefix_caching: Any = None,
        cache_dir: Any = None,
        **settings: Any,
    ) -> None:
        _not_used(enable_prefix_caching=enable_prefix_caching or None, cache_dir=cache_dir)
        self.scorer = Scorer(model=_MINICHECK.get(model_name, model_name), **settings)

    def score(
        self, docs: Sequence[str], claims: Sequence[str]
    ) -> Tuple[List[int], List[float], List[List[str]], List[List[float]]]:
        """Of each claim: 1 for supported, its probability, the document's chunks and the probability in each."""
        pairs = _pairs(docs, claims)
        chunks = [self.scorer.chunks(doc) for doc, _ in pairs]
        premises = [chunk for of_doc in chunks for chunk in of_doc]
        hypotheses = [claim for (_, claim), of_doc in zip(pairs, chunks) for _ in of_doc]
        answers = iter(self.scorer.nli(premises, hypotheses, truncate="premise")[:, 0].tolist())
        per_chunk = [[next(answers) for _ in of_doc] for of_doc in chunks]
        best = [max(probabilities) for probabilities in per_chunk]
        return [int(probability > self.threshold) for probability in best], best, chunks, per_chunk


def _pairs(documents: Texts, texts: Texts) -> List[Tuple[str, str]]:
    if isinstance(documents, str) or isinstance(texts, str):
        raise SettingError("give lists of texts, not one text")
    if len(documents) != len(texts):
        raise SettingError(f"{len(documents)} documents cannot be paired with {len(texts)} texts")
    return list(zip(documents, texts))


def _worded(text: str) -> List[str]:
    units = [text[start:end] for start, end in sentences(text)]
    return [unit for unit in units if any(letter.isalnum() for letter in unit)]


def _not_used(**given: Any) -> None:
    names = ", ".join(name for name, value in given.items() if value is not None)
    if names:
        warnings.warn(f"of no use here, and not used: {names}", VeridicWarning, stacklevel=3)
