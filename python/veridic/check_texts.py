"""Checks files of texts with the program, for pre-commit and GitHub's actions: exits with 1 where a text is not supported.

    python -m veridic.check_texts answers.jsonl --fail-on contradicted
    python -m veridic.check_texts --document 'articles/{stem}.txt' --options='--model mini' summaries/pool.txt

Files hold rows, as `veridic run` reads them; with --document each is one text, and the pattern names its document. Exit codes
are the program's: 0 all pass, 1 some do not, 2 an error.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple

from .adapters import reasons
from .results import PairResult

_FAILING = {"contradicted": ("contradicted",), "unsupported": ("contradicted", "unsupported")}


@dataclass(frozen=True)
class Finding:
    """A text that does not pass."""

    file: str
    row: Optional[str]
    """Which row of the file, as people name it."""
    text: str
    """Why."""


def main(arguments: Optional[Sequence[str]] = None) -> int:
    options = _parse(arguments)
    program = _program(options.program)
    if program is None:
        print("the program `veridic` is not found: install it, or name it by --program or VERIDIC_BINARY", file=sys.stderr)
        return 2
    worst, findings = 0, []
    for file in options.files:
        code, found = _check(program, file, options)
        worst = max(worst, code)
        findings += found
    _print(findings)
    _annotate(findings)
    return worst


def _parse(arguments: Optional[Sequence[str]]) -> argparse.Namespace:
    description, _, rest = (__doc__ or "").partition("\n\n")
    parser = argparse.ArgumentParser("veridic.check_texts", description=description, epilog=rest)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("files", nargs="+", metavar="FILE", help="rows as `veridic run` reads them, or texts with --document")
    parser.add_argument("--document", metavar="PATTERN", help="the document of a text: a path with {stem}, {name} or {folder} of the text's")
    parser.add_argument("--fail-on", choices=sorted(_FAILING), help="fail on this verdict or a worse one; by default contradicted")
    parser.add_argument("--fail-under", type=float, metavar="SCORE", help="fail where a score is below this")
    parser.add_argument("--program", metavar="PATH", help="the program; by default VERIDIC_BINARY, the one installed beside Python, or PATH's")
    parser.add_argument("--options", default="", metavar="TEXT", help="options of the program, as in --options='--model mini'")
    options = parser.parse_args(arguments)
    try:
        options.more = shlex.split(options.options)
    except ValueError as error:
        parser.error(f"--options {options.options}: {error}")
    if options.fail_on is None and options.fail_under is None:
        options.fail_on = "contradicted"
    if options.document is not None:
        try:
            _document(options.document, "folder/name.txt")
        except (KeyError, IndexError, ValueError) as error:
            parser.error(f"--document {options.document}: only {{stem}}, {{name}} and {{folder}} are replaced ({error})")
    return options


def _program(named: Optional[str]) -> Optional[str]:
    named = named or os.environ.get("VERIDIC_BINARY") or None
    if named is not None:
        return shutil.which(named)
    return shutil.which("veridic", path=str(Path(sys.executable).parent)) or shutil.which("veridic")


def _document(pattern: str, file: str) -> str:
    path = Path(file)
    return pattern.format(stem=path.stem, name=path.name, folder=path.parent.as_posix())


def _check(program: str, file: str, options: argparse.Namespace) -> Tuple[int, List[Finding]]:
    """The program's exit code for a file, and the texts that do not pass."""
    flags = {"--fail-on": options.fail_on, "--fail-under": options.fail_under}
    limits = [part for flag, limit in flags.items() if limit is not None for part in (flag, str(limit))]
    if options.document is not None:
        texts = [_document(options.document, file), file]
        command = [program, "score", *texts, "--format", "json", "--quiet", *limits, *options.more]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        results = [json.loads(done.stdout)] if done.returncode < 2 else []
    else:
        with tempfile.TemporaryDirectory() as folder:
            output = Path(folder) / "scores.jsonl"
            command = [program, "run", file, "-o", str(output), "--quiet", *limits, *options.more]
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            results = list(_rows(output))
    findings = list(_findings(file, results, options))
    if done.returncode in (0, 1):
        return done.returncode, findings
    if not findings:
        findings = [Finding(file, None, done.stderr.decode("utf-8", "replace").strip() or f"exit code {done.returncode}")]
    return 2, findings


def _rows(output: Path) -> Iterator[Dict[str, Any]]:
    if output.is_file():
        with output.open(encoding="utf-8") as lines:
            yield from map(json.loads, lines)


def _findings(file: str, results: Sequence[Mapping[str, Any]], options: argparse.Namespace) -> Iterator[Finding]:
    for number, result in enumerate(results, 1):
        row = None if options.document is not None else f"row {number}" if result.get("id") is None else f"id {result['id']}"
        if "error" in result:
            yield Finding(file, row, f"cannot be judged: {result['error']['reason']}")
        elif _fails(result, options):
            judged = PairResult.from_dict(result)
            yield Finding(file, row, f"score {judged.score:.2f}" if judged.verdict is None else reasons(judged))


def _fails(result: Mapping[str, Any], options: argparse.Namespace) -> bool:
    is_below = options.fail_under is not None and result["score"] < options.fail_under
    return is_below or (options.fail_on is not None and result.get("verdict") in _FAILING[options.fail_on])


def _print(findings: Sequence[Finding]) -> None:
    for finding in findings:
        row = "" if finding.row is None else f", {finding.row}"
        print(f"{finding.file}{row}: {finding.text}")


def _annotate(findings: Sequence[Finding]) -> None:
    """The same as annotations and a summary, where GitHub runs this."""
    if os.environ.get("GITHUB_ACTIONS") == "true":
        for finding in findings:
            title = "Not supported by its source" if finding.row is None else f"Not supported by its source ({finding.row})"
            print(f"::error file={_escaped(finding.file, True)},title={_escaped(title, True)}::{_escaped(finding.text, False)}")
    summary = os.environ.get("GITHUB_STEP_SUMMARY")
    if summary:
        lines = [f"### Texts that their sources do not support: {len(findings)}", ""]
        for finding in findings:
            quoted = "\n".join(f"    {line}" for line in finding.text.splitlines())
            lines += [f"{finding.file}{'' if finding.row is None else ', ' + finding.row}:", "", quoted, ""]
        with open(summary, "a", encoding="utf-8") as out:
            out.write("\n".join(lines) + "\n")


def _escaped(text: str, is_property: bool) -> str:
    """As GitHub's workflow commands want it."""
    for letter, code in [("%", "%25"), ("\r", "%0D"), ("\n", "%0A")]:
        text = text.replace(letter, code)
    for letter, code in [(":", "%3A"), (",", "%2C")] if is_property else []:
        text = text.replace(letter, code)
    return text


if __name__ == "__main__":
    sys.exit(main())
