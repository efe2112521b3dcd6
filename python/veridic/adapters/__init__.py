"""Veridic inside evaluation and guard frameworks: one module a framework, which imports it when it is imported itself.

| module | has | for |
|---|---|---|
| `deepeval` | `VeridicMetric` | DeepEval |
| `ragas` | `VeridicMetric`, `VeridicSampleMetric` | RAGAS |
| `mlflow` | `VeridicScorer` | MLflow |
| `langchain` | `VeridicStringEvaluator`, `VeridicRunnable` | LangChain |
| `llama_index` | `VeridicEvaluator` | LlamaIndex |
| `haystack` | `VeridicEvaluator` | Haystack |
| `guardrails` | `VeridicSupported` | Guardrails |
| `inspect` | `veridic_support` | Inspect |

All judge an answer against its contexts as `Scorer.score` does, and give the claims that are not supported as the reason, in
the words of `reasons`. Scores are never NaN: what cannot be judged is an error of the framework's own kind.
"""

from ._judge import Judge, Judgement
from ._reasons import reasons

__all__ = ["Judge", "Judgement", "reasons"]
