"""What a training run leaves in its folder, so that it can be stopped and continued.

    checkpoint.pt   weights, optimiser and progress; replaced whole, never half-written
    steps.jsonl     one line a step: step, loss, learning rate; cut back on resuming
    dev.jsonl       the dev pairs              dev.json   accuracy on them, last measured
    trained/        the finished model, float32
    training.json   settings and result; its presence says that the run is complete

A run continues only under the settings it was begun with.
"""

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

import torch

from failure import Failure, loading


@dataclass
class Progress:
    """How far a run has come. `seconds` counts training steps alone."""

    step: int = 0
    epoch: int = 0
    next_batch: int = 0
    pairs: int = 0
    tokens: int = 0
    seconds: float = 0.0
    running_loss: float = 0.0


def write_json(file: Path, content):
    """Writes to the side and renames, so that a reader never sees half a file."""
    aside = file.with_suffix(".part")
    aside.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    os.replace(aside, file)


def require_same_settings(theirs: dict, ours: dict, file: Path):
    """Raises when the folder holds a run begun with other settings."""
    changed = [f"{name} was {theirs.get(name)!r} and is now {ours.get(name)!r}"
               for name in sorted(theirs.keys() | ours.keys()) if theirs.get(name) != ours.get(name)]
    if changed:
        raise Failure(f"{file}: belongs to a run with other settings ({'; '.join(changed)}); "
                      "choose another output folder, or delete this one to start afresh")


def is_complete(out: Path, settings: dict) -> bool:
    """Whether the folder already holds the finished model of these settings."""
    file = out / "training.json"
    if not file.is_file():
        return False
    require_same_settings(json.loads(file.read_text(encoding="utf-8"))["settings"], settings, file)
    return True


def save(out: Path, settings: dict, model, optimizer, progress: Progress):
    """Replaces the checkpoint."""
    aside = out / "checkpoint.part"
    torch.save({"settings": settings, "progress": asdict(progress),
                "model": model.state_dict(), "optimizer": optimizer.state_dict()}, aside)
    os.replace(aside, out / "checkpoint.pt")


def resume(out: Path, settings: dict, model, optimizer, device: str) -> Progress:
    """Loads the checkpoint into model and optimiser, if there is one."""
    file = out / "checkpoint.pt"
    if not file.is_file():
        keep_steps(out, 0)
        return Progress()
    with loading(f"{file} (delete it to start afresh)"):
        saved = torch.load(file, map_location=device, weights_only=True)
    require_same_settings(saved["settings"], settings, file)
    model.load_state_dict(saved["model"])
    optimizer.load_state_dict(saved["optimizer"])
    progress = Progress(**saved["progress"])
    keep_steps(out, progress.step)
    print(f"continuing after step {progress.step}", flush=True)
    return progress


def keep_steps(out: Path, last_step: int):
    """Drops the lines of steps.jsonl that a resumed run will write again."""
    file = out / "steps.jsonl"
    lines = file.read_text().splitlines(keepends=True) if file.is_file() else []
    file.write_text("".join(lines[:last_step]))  # line n is step n
