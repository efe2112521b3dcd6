"""Corpora on a Ray cluster: a pool of workers, each of which loads the model once.

Every column passes through, so that a key identifies each row, and rows keep the order of the dataset. A worker that dies is
restarted and its batches are judged again; the rows of a batch appear only when all of it is judged, so none is lost or
duplicated. Scores are bit for bit those of one process on machines with the same instruction set, since a result depends on the
row and the settings alone.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, Dict, Optional

from .errors import MissingPackage, SettingError, VeridicWarning
from .frames import score
from .scorer import Scorer, check_arguments

try:
    import ray.data
except ImportError as error:
    raise MissingPackage("veridic.ray needs Ray Data: pip install 'ray[data]' pyarrow") from error

if TYPE_CHECKING:
    import pyarrow

__all__ = ["score_dataset"]


class Worker:
    """A worker of the pool: judges batches with its own scorer."""

    def __init__(self, settings: Dict[str, Any], options: Dict[str, Any]) -> None:
        self.scorer = Scorer(quiet=True, **settings)
        self.options = options

    def __call__(self, batch: "pyarrow.Table") -> "pyarrow.Table":
        return score(batch, self.scorer, **self.options)


def score_dataset(
    dataset: "ray.data.Dataset",
    num_workers: int = 1,
    *,
    cpus_per_worker: float = 1,
    batch_size: int = 256,
    document: Optional[str] = None,
    summary: Optional[str] = None,
    prefix: str = "",
    details: bool = False,
    **settings: Any,
) -> "ray.data.Dataset":
    """The dataset with columns for the results, computed when it is read.

    Args:
        dataset: rows with a document, a summary and any other columns, which pass through.
        num_workers: number of processes, each with the model in memory.
        cpus_per_worker: CPUs that Ray reserves for each; also its number of threads unless `threads` is given.
        batch_size: rows that are judged together, and judged again if their worker dies.
        document: the column of the document; by default the first of the usual names.
        summary: the same for the summary.
        prefix: prefix of the names of the added columns; see veridic.frames.
        details: add a column with the claims.
        **settings: settings of Scorer, such as `model`.

    Raises:
        SettingError: fewer than one worker, or no setting of Scorer.
    """
    if num_workers < 1:
        raise SettingError(f"num_workers {num_workers}: at least one is needed")
    if ray.is_initialized():
        resources: Any = ray.cluster_resources  # Ray does not type it.
        available, needed = resources().get("CPU", 0), num_workers * cpus_per_worker
        if needed >= available:
            warnings.warn(
                f"{num_workers} workers take {needed:g} CPUs of the cluster's {available:g}: no CPU is left to read rows, so reading "
                "waits for one; use fewer workers or ray.init(num_cpus=...)",
                VeridicWarning,
                stacklevel=2,
            )
    check_arguments(settings)
    settings.setdefault("threads", max(1, int(cpus_per_worker)))
    settings.pop("quiet", None)
    options = {"document": document, "summary": summary, "prefix": prefix, "details": details}
    # By default Ray restarts the workers of such a pool and repeats their tasks.
    scored = dataset.map_batches(
        Worker,
        fn_constructor_kwargs={"settings": settings, "options": options},
        batch_size=batch_size,
        batch_format="pyarrow",
        compute=ray.data.ActorPoolStrategy(size=num_workers),
        num_cpus=cpus_per_worker,
    )
    scored.context.execution_options.preserve_order = True
    return scored
