import itertools
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time

import pytest
import veridic
from test_scorer import BINARY


def test_results_keep_order_and_passed_fields(scorer, rows):
    kept = object()
    rows = [{**row, "kept": kept} for row in rows]
    results = list(scorer.run(rows))
    assert [result.index for result in results] == list(range(40))
    assert [result.id for result in results] == [row["id"] for row in rows]
    assert all(result.input["kept"] is kept for result in results)
    assert all(set(result.input) == {"number", "kept"} for result in results)


def test_result_of_a_row_does_not_depend_on_other_rows(scorer, rows):
    together = list(scorer.run((row["document"], row["summary"]) for row in rows))
    for row, result in list(zip(rows, together))[::7]:
        alone = scorer.score(row["document"], row["summary"])
        assert (alone.score, alone.claims, alone.ledger) == (result.score, result.claims, result.ledger)
    backwards = list(scorer.run([(row["document"], row["summary"]) for row in reversed(rows)]))
    assert [r.score for r in reversed(backwards)] == [r.score for r in together]


def test_generator_is_read_lazily(scorer, rows):
    asked = []

    def endless():
        for number in itertools.count():
            asked.append(number)
            yield rows[number % len(rows)]

    results = scorer.run(endless())
    assert asked == []
    next(results)
    assert len(asked) <= 16
    assert [result.index for result in itertools.islice(results, 100)] == list(range(1, 101))
    assert len(asked) <= 1024
    results.close()


def test_slow_generator_does_not_delay_results(scorer, rows):
    def slow():
        for row in rows[:3]:
            yield row
            time.sleep(0.6)

    results = scorer.run(slow())
    start = time.monotonic()
    next(results)
    assert time.monotonic() - start < 1.5
    assert len(list(results)) == 2


def test_errors_of_a_generator_are_raised(scorer, rows):
    def broken():
        yield rows[0]
        raise OSError("the disk is gone")

    with pytest.raises(OSError, match="disk is gone"):
        list(scorer.run(broken()))


def test_rows_that_cannot_be_judged(scorer, rows):
    bad = [rows[0], {"id": 7, "document": "A word.", "summary": "", "x": 1}, {"document": "A word."}, rows[1]]
    with pytest.raises(veridic.RowError, match=r"rows\[1\] \(id 7\): field `summary` is empty") as refused:
        list(scorer.run(bad))
    assert (refused.value.index, refused.value.id) == (1, 7) and isinstance(refused.value, veridic.VeridicError)
    recorded = list(scorer.run(bad, on_error="record"))
    assert [isinstance(result, veridic.FailedRow) for result in recorded] == [False, True, True, False]
    assert recorded[1].to_dict() == {
        "schema": 1,
        "id": 7,
        "error": {"row": 2, "reason": "field `summary` is empty"},
        "input": {"document": "A word.", "summary": "", "x": 1},
    }
    assert "document_field" not in recorded[2].reason and "summary_field" in recorded[2].reason
    assert [result.index for result in scorer.run(bad, on_error="skip")] == [0, 3]
    with pytest.raises(veridic.SettingError, match="on_error"):
        scorer.run(bad, on_error="ignore")
    with pytest.raises(TypeError, match="row is a mapping"):
        list(scorer.run(["text"]))


def test_fields_have_usual_or_given_names(scorer):
    usual = {"article": "The pool closed.", "response": "The pool closed."}
    named = {"a": ["The pool", "closed."], "b": "The pool closed.", "document": 3}
    contexts = {"contexts": ["The pool closed."], "answer": "The pool closed."}
    scores = [next(scorer.run([usual])).score, next(scorer.run([contexts])).score]
    assert scores[0] == scores[1]
    result = next(scorer.run([named], document_field="a", summary_field="b"))
    assert result.input == {"document": 3}
    with pytest.raises(veridic.SettingError, match="both"):
        scorer.run([named], document_field="a", summary_field="a")


def test_run_matches_the_program(scorer, rows, tmp_path):
    if not os.path.exists(BINARY):
        pytest.skip("the program is not built (cargo build --release), nor named by VERIDIC_BINARY")
    file, output = tmp_path / "rows.jsonl", tmp_path / "scores.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    subprocess.run([BINARY, "run", str(file), "-o", str(output), "--quiet"], check=True)
    lines = output.read_text(encoding="utf-8").splitlines()
    assert [result.to_dict() for result in scorer.run(rows)] == [json.loads(line) for line in lines]


def test_progress_bar(scorer, rows, capsys, monkeypatch):
    with monkeypatch.context() as without:
        without.setitem(sys.modules, "tqdm.auto", None)
        with pytest.raises(veridic.MissingPackage, match="pip install tqdm"):
            scorer.run(rows[:3], progress=True)
    pytest.importorskip("tqdm", reason="tqdm draws the bar")
    assert len(list(scorer.run(rows[:3], progress=True))) == 3
    assert "3/3" in capsys.readouterr().err


def test_other_threads_run_meanwhile(scorer, article, summary):
    beats, done = [], threading.Event()

    def beat():
        while not done.is_set():
            beats.append(time.perf_counter())
            time.sleep(0.005)

    heart = threading.Thread(target=beat)
    heart.start()
    start = time.perf_counter()
    # These texts are in no other test, so nothing is cached.
    scorer.score(article + " Something else was said by nobody.", summary + " It is another summary.")
    end = time.perf_counter()
    done.set()
    heart.join()
    during = [beat for beat in beats if start < beat < end]
    assert len(during) >= 3
    assert max(b - a for a, b in zip([start, *during], [*during, end])) < max(0.2, (end - start) / 2)


def test_threads_share_a_scorer(scorer, rows):
    expected = [result.score for result in scorer.run(rows)]
    found = {}

    def judge(name):
        found[name] = [result.score for result in scorer.run(rows)]

    threads = [threading.Thread(target=judge, args=(name,)) for name in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(found[name] == expected for name in range(4))


INTERRUPTED = """
import sys, veridic
scorer = veridic.Scorer(quiet=True)
text = " ".join(f"In {year} the town council of Harwell met {year % 7} times about the old bridge." for year in range(150))
print("ready", flush=True)
try:
    for result in scorer.run((text, f"The council met {number} times about the mill.") for number in range(10**9)):
        pass
except KeyboardInterrupt:
    print("interrupted", flush=True)
    assert scorer.score("The pool closed.", "The pool closed.").claims
    sys.exit(7)
"""


@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is a signal elsewhere")
def test_ctrl_c_ends_a_run_and_leaves_the_scorer_usable():
    process = subprocess.Popen([sys.executable, "-c", INTERRUPTED], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    time.sleep(1.0)
    process.send_signal(signal.SIGINT)
    start = time.monotonic()
    output, _ = process.communicate(timeout=60)
    assert output == "interrupted\n" and process.returncode == 7
    assert time.monotonic() - start < 30


def judge_in_child(scorer, pair, results):
    results.put(scorer.score(*pair).to_dict())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_scorer_works_after_a_fork(scorer):
    pair = ("The pool of Harwell closed in March.", "The pool closed.")
    expected = scorer.score(*pair).to_dict()
    context = multiprocessing.get_context("fork")
    results = context.Queue()
    child = context.Process(target=judge_in_child, args=(scorer, pair, results))
    child.start()
    assert results.get(timeout=60) == expected
    child.join(timeout=60)
    assert child.exitcode == 0
