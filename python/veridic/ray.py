"""Corpora over a cluster, by Ray Data: a pool of workers that load the model once each.

Every column of a row passes through, so that a key tells where a row belongs, and rows come in the order of the
dataset. A worker that dies is started again and the batches that it had are judged again: a batch's rows appear when the
whole batch is judged, so none is lost and none is there twice. Scores are bit for bit those of one process on machines
with the same instruction set, for what is said of a row depends on the row and the settings alone.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, Dict, Optional

from .errors import MissingPackage, SettingError, VeridicWarning
from .frames import score
from .scorer import Scorer

try:
    import ray.data
except ImportError as error:
    raise MissingPackage("veridic.ray needs Ray Data: pip install 'ray[data]' pyarrow") from error

if TYPE_CHECKING:
    import pyarrow

__all__ = ["score_dataset"]


class Worker:
    """One of the pool: a scorer, and batches as they come."""

    def __init__(self, settings: Dict[str, Any], options: Dict[str, Any]) -> None:
        self.scorer = Scorer(quiet=True, **settings)
        self.options = options

    def __call__(self, batch: "pyarrow.Table") -> "pyarrow.Table":
        return score(batch, self.scorer, **self.options)


def score_dataset(
    dataset: "ray.data.Dataset",
    num_workers: int = 1,
    gpus_per_worker: float = 0,
    *,
    cpus_per_worker: float = 1,
    batch_size: int = 256,
    document: Optional[str] = None,
    summary: Optional[str] = None,
    prefix: str = "",
    details: bool = False,
    **settings: Any,
) -> "ray.data.Dataset":
    """The dataset with columns of what is said of each row, computed when it is read.

    Args:
        dataset: rows with a document, a summary and whatever else shall pass through.
        num_workers: processes that judge, each with the model in memory.
        gpus_per_worker: what Ray reserves for each; `device="cuda"` computes there, in a build with feature `cuda`.
        cpus_per_worker: what Ray reserves for each, and its threads unless `threads` says otherwise.
        batch_size: rows that are judged together, and again when their worker dies.
        document: the column of the document, instead of the first of the usual names.
        summary: the same for the summary.
        prefix: before the names of the added columns; see veridic.frames.
        details: claims too.
        **settings: what Scorer takes, such as `model`.

    Raises:
        SettingError: fewer than one worker.
    """
    if num_workers < 1:
        raise SettingError(f"num_workers {num_workers}: at least one is needed")
    if gpus_per_worker:
        warnings.warn("GPUs are reserved, and computed is on CPUs: the engine has no GPU yet", VeridicWarning, stacklevel=2)
    if ray.is_initialized():
        resources: Any = ray.cluster_resources  # Ray does not type it.
        has, takes = resources().get("CPU", 0), num_workers * cpus_per_worker
        if takes >= has:
            warnings.warn(
                f"{num_workers} workers take {takes:g} CPUs, the cluster has {has:g}: none is left to read rows, which waits "
                "until there is one; give fewer workers or ray.init(num_cpus=...)",
                VeridicWarning,
                stacklevel=2,
            )
    settings.setdefault("threads", max(1, int(cpus_per_worker)))
    settings.pop("quiet", None)
    options = {"document": document, "summary": summary, "prefix": prefix, "details": details}
    # Workers of such a pool are started again, and their tasks with them, unless Ray is told otherwise.
    scored = dataset.map_batches(
        Worker,
        fn_constructor_kwargs={"settings": settings, "options": options},
        batch_size=batch_size,
        batch_format="pyarrow",
        compute=ray.data.ActorPoolStrategy(size=num_workers),
        num_cpus=cpus_per_worker,
        num_gpus=gpus_per_worker or None,
    )
    scored.context.execution_options.preserve_order = True
    return scored
