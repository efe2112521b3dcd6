"""The interfaces of other packages, on a Scorer. Scores are those of this engine, with the settings named at each class.
Arguments that have no meaning here are named in a VeridicWarning, never silently ignored."""

from __future__ import annotations

import warnings
from typing import Any, Dict, List, Mapping, Sequence, Tuple, Union

from .errors import SettingError, VeridicWarning
from .scorer import Scorer

__all__ = ["AlignScore", "FENICE", "MiniCheck"]

Texts = Union[str, Sequence[str]]

# The names of MiniCheck's models, and their names here.
_MINICHECK = {
    "roberta-large": "minicheck-roberta",
    "deberta-v3-large": "minicheck-deberta",
    "flan-t5-large": "minicheck-flan-t5",
}


class FENICE:
    """`FENICE().score_batch([{"document": ..., "summary": ...}])`.

    Settings are those of Scorer; `profile="paper"` computes the equations of the paper.
    """

    def __init__(self, **settings: Any) -> None:
        self.scorer = Scorer(**settings)

    def score_batch(self, batch: Sequence[Mapping[str, Any]]) -> List[Dict[str, Any]]:
        """For each row its score and, for each claim, its score and evidence."""
        return [
            {
                "score": result.score,
                "alignments": [
                    {"score": claim.score, "summary_claim": claim.text, "source_passage": claim.evidence.text}
                    for claim in result.judged_claims
                ],
            }
            for result in self.scorer.run(batch)
        ]


class AlignScore:
    """`AlignScore(...).score(contexts=[...], claims=[...])`: floats from 0 to 1.

    Claims are split into sentences, as in AlignScore. A score is the probability of the weakest sentence; where rules make scores
    of differences, it is (1 + score) / 2.
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
        _warn_of_unused(batch_size=batch_size, device=device, ckpt_path=ckpt_path)
        if evaluation_mode != "nli_sp":
            raise SettingError(f"evaluation_mode {evaluation_mode}: only nli_sp is supported")
        settings.setdefault("claims", "sentence")
        self.scorer = Scorer(model=model, **settings)
        del verbose

    def score(self, contexts: Sequence[str], claims: Sequence[str]) -> List[float]:
        """The score of each claim in the context of the same index."""
        rows = _pairs(contexts, claims)
        is_signed = self.scorer.profile.score != "entailment"
        scores = [result.score for result in self.scorer.run(rows)]
        return [(1.0 + score) / 2.0 for score in scores] if is_signed else scores


class MiniCheck:
    """`MiniCheck(model_name).score(docs=[...], claims=[...])`: labels, probabilities, chunks, probabilities per chunk.

    `roberta-large` and `deberta-v3-large` are the published checkers, which `veridic models pull` fetches. Any other model reads
    the same chunks, and its entailment is the probability.
    """

    threshold = 0.5

    def __init__(
        self,
        model_name: str = "base",
        enable_prefix_caching: Any = None,
        cache_dir: Any = None,
        **settings: Any,
    ) -> None:
        _warn_of_unused(enable_prefix_caching=enable_prefix_caching or None, cache_dir=cache_dir)
        self.scorer = Scorer(model=_MINICHECK.get(model_name, model_name), **settings)

    def score(
        self, docs: Sequence[str], claims: Sequence[str]
    ) -> Tuple[List[int], List[float], List[List[str]], List[List[float]]]:
        """For each claim: 1 if supported, its probability, the document's chunks, and the probability for each chunk."""
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


def _warn_of_unused(**given: Any) -> None:
    names = ", ".join(name for name, value in given.items() if value is not None)
    if names:
        warnings.warn(f"these arguments are not used: {names}", VeridicWarning, stacklevel=3)
