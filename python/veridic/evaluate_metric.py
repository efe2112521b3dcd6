"""A metric for Hugging Face's `evaluate`: predictions are summaries, references their documents.

>>> factuality = evaluate.load(veridic_path)          # or Factuality()
>>> factuality.compute(predictions=summaries, references=documents)
{'score': ..., 'scores': [...], 'verdicts': [...]}
"""

from __future__ import annotations

from typing import Any, Dict, List

import datasets
import evaluate

import veridic

_CITATION = """@inproceedings{scire-etal-2024-fenice, title = {FENICE: Factuality Evaluation of summarization based on
Natural language Inference and Claim Extraction}, booktitle = {Findings of ACL}, year = {2024}}"""


class Factuality(evaluate.Metric):  # type: ignore[misc, unused-ignore]
    """Whether summaries are supported by their documents."""

    def _info(self) -> Any:
        texts = {"predictions": datasets.Value("string"), "references": datasets.Value("string")}
        return evaluate.MetricInfo(
            description="Claim-by-claim factuality of summaries against their documents",
            citation=_CITATION,
            inputs_description="predictions: summaries; references: documents. Other arguments are settings of Scorer.",
            features=datasets.Features(texts),
        )

    def _compute(
        self, predictions: List[str], references: List[str], **settings: Any
    ) -> Dict[str, Any]:
        results = list(veridic.Scorer(**settings).run(zip(references, predictions)))
        scores = [result.score for result in results]
        return {
            "score": sum(scores) / len(scores),
            "scores": scores,
            "verdicts": [result.verdict for result in results],
        }
