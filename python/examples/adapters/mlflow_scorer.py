"""MLflow: a scorer over rows; the scores are in the run, with the reasons as rationale."""

from __future__ import annotations

import tempfile
from pathlib import Path

import mlflow
from veridic.adapters.mlflow import VeridicScorer

CONTEXT = ["The pool closes in March.", "Repairs would cost 4.2 million euros, the report said."]
ROWS = [
    {"inputs": {"question": "When does it close?", "context": CONTEXT}, "outputs": "The pool closes in March."},
    {"inputs": {"question": "What would it cost?", "context": CONTEXT}, "outputs": "Repairs would cost 2.4 million euros."},
]


def main() -> None:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        mlflow.set_tracking_uri(f"sqlite:///{folder}/mlflow.db")
        mlflow.set_experiment(experiment_id=mlflow.create_experiment("answers", artifact_location=Path(folder).as_uri()))
        found = mlflow.genai.evaluate(data=ROWS, scorers=[VeridicScorer()])
        print({name: round(float(value), 2) for name, value in found.metrics.items()})
        for assessments in found.result_df["assessments"]:
            for assessment in assessments:
                print(assessment["rationale"])


if __name__ == "__main__":
    main()
