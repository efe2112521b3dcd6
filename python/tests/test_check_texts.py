"""The check of files for pre-commit and GitHub, with the real program."""

import json
import os
import shutil
import subprocess
import sys

import pytest
from conftest import REPOSITORY
from veridic import check_texts

DOCUMENT = "The pool closes in March. Repairs would cost 4.2 million euros, the report said."
RIGHT = "The pool closes in March."
WRONG = "The pool closes in March. Repairs would cost 2.4 million euros."
MINI = ["--options=--model mini"]


@pytest.fixture(autouse=True)
def program(monkeypatch):
    built = REPOSITORY / "target" / "release" / "veridic"
    if built.exists() and "VERIDIC_BINARY" not in os.environ:
        monkeypatch.setenv("VERIDIC_BINARY", str(built))
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    if check_texts._program(None) is None:
        pytest.skip("the program is not installed, nor built (cargo build --release), nor named by VERIDIC_BINARY")


@pytest.fixture
def rows(tmp_path):
    """Writes a file of rows with these summaries."""

    def write(*summaries, name="rows.jsonl"):
        lines = [json.dumps({"id": f"r{number}", "document": DOCUMENT, "summary": text}) for number, text in enumerate(summaries)]
        file = tmp_path / name
        file.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
        return str(file)

    return write


def test_rows_that_pass(rows, capfd):
    assert check_texts.main([rows(RIGHT), *MINI]) == 0
    assert capfd.readouterr() == ("", "")


def test_rows_that_do_not_pass_are_shown(rows, capfd):
    file = rows(RIGHT, WRONG)
    assert check_texts.main([file, *MINI]) == 1
    printed = capfd.readouterr().out
    assert printed.startswith(f"{file}, id r1: contradicted, score 0.") and "1 of 2 claims supported" in printed
    assert "the document says 4.2 million euros" in printed and "r0" not in printed


def test_the_source_is_named(tmp_path, capfd):
    file = tmp_path / "rows.jsonl"
    sources = [{"id": "plan.txt", "text": "The pool closes in March."}, "Repairs would cost 4.2 million euros."]
    file.write_text(json.dumps({"contexts": sources, "answer": WRONG}) + "\n", encoding="utf-8")
    assert check_texts.main([str(file), *MINI]) == 1
    assert "against it in source 2 [0, 37]: Repairs would cost 4.2" in capfd.readouterr().out


def test_limits_are_the_programs(rows, capfd):
    unsupported = rows("The mayor of Selby sold his boat to a friend.")
    assert check_texts.main([unsupported, *MINI]) == 0
    assert check_texts.main([unsupported, "--fail-on", "unsupported", *MINI]) == 1
    assert check_texts.main([rows(RIGHT), "--fail-under", "0.999", *MINI]) == 1
    assert check_texts.main([rows(WRONG), "--fail-under", "0.001", *MINI]) == 0
    capfd.readouterr()


def test_texts_with_their_documents(tmp_path, capfd):
    (tmp_path / "sources").mkdir()
    for name, text in [("sources/a.txt", DOCUMENT), ("sources/b.txt", DOCUMENT), ("a.md", RIGHT), ("b.md", WRONG)]:
        (tmp_path / name).write_text(text, encoding="utf-8")
    pattern = "{folder}/sources/{stem}.txt"
    assert check_texts.main(["--document", pattern, str(tmp_path / "a.md"), *MINI]) == 0
    assert check_texts.main(["--document", pattern, str(tmp_path / "a.md"), str(tmp_path / "b.md"), *MINI]) == 1
    printed = capfd.readouterr().out
    assert printed.startswith(f"{tmp_path / 'b.md'}: contradicted")
    (tmp_path / "c.md").write_text(RIGHT, encoding="utf-8")
    assert check_texts.main(["--document", pattern, str(tmp_path / "c.md"), *MINI]) == 2
    assert "sources/c.txt" in capfd.readouterr().out


@pytest.mark.parametrize(
    ("content", "part"),
    [("", "rows"), ("{\n", "row 1: cannot be judged: is not valid JSON"), ('{"document": "", "summary": "The pool."}\n', "cannot be judged"), ('{"a": 1}\n', "document")],
)
def test_files_that_cannot_be_judged_are_errors(tmp_path, capfd, content, part):
    file = tmp_path / "rows.jsonl"
    file.write_text(content, encoding="utf-8")
    assert check_texts.main([str(file), *MINI]) == 2
    assert part in capfd.readouterr().out


def test_missing_file_and_options_are_errors(rows, capfd):
    assert check_texts.main(["no-such-file.jsonl", *MINI]) == 2
    assert "no-such-file.jsonl" in capfd.readouterr().out
    assert check_texts.main([rows(RIGHT), "--options", "--model no-such-model"]) == 2
    assert "no-such-model" in capfd.readouterr().out
    assert check_texts.main([rows(RIGHT), "--program", "no-such-program"]) == 2
    assert "--program" in capfd.readouterr().err
    for wrong in [["--document", "{other}.txt", "a"], ["--fail-on", "all", "a"], ["--options", "'", "a"], []]:
        with pytest.raises(SystemExit) as ended:
            check_texts.main(wrong)
        assert ended.value.code == 2


def test_annotations_and_summary(rows, tmp_path, capfd, monkeypatch):
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    file = rows(RIGHT, WRONG, name="50%, a.jsonl")
    assert check_texts.main([file, *MINI]) == 1
    [command] = [line for line in capfd.readouterr().out.splitlines() if line.startswith("::error ")]
    assert "50%25%2C a.jsonl,title=Not supported by its source (id r1)::contradicted" in command and "%0A- contradicted" in command
    summary = (tmp_path / "summary.md").read_text(encoding="utf-8")
    assert summary.startswith("### Texts that their sources do not support: 1\n") and "    - contradicted" in summary


def test_action_script(rows, tmp_path):
    cache = tmp_path / "cache" / "venv" / "bin"
    cache.mkdir(parents=True)
    (cache / "python").symlink_to(sys.executable)
    script = REPOSITORY / "scripts" / "action.sh"
    if shutil.which("bash") is None or not script.is_file():
        pytest.skip("the script needs bash")
    rows(RIGHT, name="good one.jsonl")
    rows(WRONG, name="bad.jsonl")
    base = {**os.environ, "VERIDIC_ACTION_CACHE": str(tmp_path / "cache"), "OPTIONS": "--model mini", "PYTHONPATH": os.pathsep.join(sys.path)}
    # This environment's folder has no program beside its Python.
    base["VERIDIC_BINARY"] = check_texts._program(None)

    def check(**given):
        done = subprocess.run(
            ["bash", str(script), "check"], env={**base, **given}, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        return done.returncode, done.stdout + done.stderr

    assert check(FILES="good *.jsonl") == (0, "")
    code, printed = check(FILES="  good one.jsonl\n\n  *d.jsonl ", FAIL_ON="contradicted")
    assert code == 1 and printed.startswith("bad.jsonl, id r0: contradicted")
    assert check(FILES="none*.jsonl") == (2, "no file is named by: none*.jsonl\n")
    assert check(FILES="")[0] == 2 and check(FILES="good one.jsonl", FAIL_UNDER="0.999", FAIL_ON="")[0] == 1
    output = tmp_path / "output"
    for _ in range(2):
        subprocess.run(["bash", str(script), "key"], env={**base, "GITHUB_OUTPUT": str(output)}, check=True)
    first, second = output.read_text().splitlines()
    assert first == second and len(first) == len("key=") + 32
