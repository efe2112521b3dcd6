"""The program `veridic` that the package installs: the same results, exit codes and signals as the program from an archive."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import sysconfig
import time
import urllib.request

import pytest
import veridic

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent.parent / "examples"
PAIR = [str(EXAMPLES / "article.txt"), str(EXAMPLES / "summary.txt")]
MODULE = [sys.executable, "-m", "veridic"]
SCRIPT = [os.path.join(sysconfig.get_path("scripts"), "veridic.exe" if os.name == "nt" else "veridic")]

on_unix = pytest.mark.skipif(os.name == "nt", reason="signals and names of Unix")


def run(*arguments, command=MODULE, **options):
    return subprocess.run([*command, *arguments], capture_output=True, timeout=300, **options)


@pytest.mark.parametrize("command", [MODULE, SCRIPT], ids=["module", "script"])
def test_it_is_the_program(command):
    done = run("--version", command=command)
    assert (done.returncode, done.stdout.decode().strip()) == (0, f"veridic {veridic.__version__}")
    help_text = run("score", "--help", command=command)
    assert help_text.returncode == 0
    assert b"Usage: veridic score" in help_text.stdout


def test_it_judges_as_the_package_does(result):
    done = run("score", *PAIR, "--format", "json", "--quiet", "--threads", "2")
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout) == result.to_dict()


def test_exit_codes():
    assert run("score", *PAIR, "--fail-on", "contradicted", "--quiet").returncode == 1
    for arguments, part in [(["score", "no such file", PAIR[1]], b"no such file"), (["score", "--no-such-flag"], b"--no-such-flag")]:
        done = run(*arguments)
        assert (done.returncode, done.stdout) == (2, b"")
        assert part in done.stderr
        assert b"Traceback" not in done.stderr


def test_output_is_utf_8_whatever_python_writes():
    done = run("score", *PAIR, env={**os.environ, "PYTHONIOENCODING": "ascii", "LC_ALL": "C", "PYTHONUTF8": "0"})
    assert (done.returncode, done.stderr) == (0, b"")
    assert "✓ supported" in done.stdout.decode("utf-8")


@on_unix
def test_a_name_that_is_not_utf_8(tmp_path):
    try:
        path = os.path.join(os.fsencode(tmp_path), b"caf\xe9.txt")
        with open(path, "wb") as file:
            file.write(b"The pool closes in March.")
    except OSError:
        pytest.skip("this file system has no such names")
    done = run("score", path, path, "--model", "mini", "--quiet")
    assert (done.returncode, done.stderr) == (0, b"")


@on_unix
def test_a_reader_that_goes_away_is_no_error():
    process = subprocess.Popen([*MODULE, "completions", "zsh"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.close()
    errors = process.stderr.read()
    process.stderr.close()
    assert (process.wait(60), errors) == (0, b"")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
def test_a_full_disk_is_an_error():
    for arguments in [["score", *PAIR, "--model", "mini", "--quiet"], ["--help"]]:
        with open("/dev/full", "wb") as full:
            done = subprocess.run([*MODULE, *arguments], stdout=full, stderr=subprocess.PIPE, timeout=300)
        assert done.returncode == 2
        assert done.stderr.startswith(b"veridic: ")


@on_unix
def test_control_c_ends_a_command_at_once():
    process = subprocess.Popen([*MODULE, "score", "-", PAIR[1]], stdin=subprocess.PIPE, stderr=subprocess.PIPE)
    wait_for_the_program(process)
    process.send_signal(signal.SIGINT)
    errors = process.communicate(timeout=60)[1]
    assert (process.returncode, errors) == (-signal.SIGINT, b"")


@on_unix
def test_control_c_lets_a_run_keep_what_it_judged(tmp_path, rows):
    source = tmp_path / "rows.jsonl"
    source.write_text("".join(json.dumps(row) + "\n" for row in rows * 500))
    output = tmp_path / "scores.jsonl"
    line = ["run", str(source), "-o", str(output), "--model", "mini", "--quiet", "--progress", "json", "--set", "screen=off"]
    process = subprocess.Popen([*MODULE, *line], stderr=subprocess.PIPE)
    journal = wait_until(lambda: [path for path in tmp_path.iterdir() if path != source and path.stat().st_size > 2000])
    process.send_signal(signal.SIGINT)
    errors = process.communicate(timeout=60)[1]
    assert process.returncode == 2, errors
    assert b"Traceback" not in errors
    assert journal[0].exists()
    assert not output.exists()


@on_unix
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_server(number):
    process = subprocess.Popen([*MODULE, "serve", "--listen", "127.0.0.1:0", "--quiet"], stdout=subprocess.PIPE)
    try:
        address = process.stdout.readline().decode().strip().rsplit("/", 1)[1]
        assert run("serve", "--probe", "--listen", address).returncode == 0
        body = json.dumps({"document": "The pool closes in March.", "summary": "The pool closes."}).encode()
        request = urllib.request.Request(f"http://{address}/v1/score", body, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            assert json.load(answer)["verdict"] == "supported"
        process.send_signal(number)
        assert process.wait(60) == 0
    finally:
        process.kill()
        process.stdout.close()
    assert run("serve", "--probe", "--listen", address).returncode == 1


def wait_for_the_program(process):
    """Wait until Python has handed over: the handler of SIGINT is then the system's own."""

    def is_handed_over():
        try:
            status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
        except OSError:
            pytest.skip("needs /proc")
        caught = int(next(line.split()[1] for line in status.splitlines() if line.startswith("SigCgt")), 16)
        return "veridic/_engine" in maps(process.pid) and not caught >> (signal.SIGINT - 1) & 1

    wait_until(is_handed_over)


def maps(process_id):
    return pathlib.Path(f"/proc/{process_id}/maps").read_text()


def wait_until(condition, seconds=60):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = condition()
        if found:
            return found
        time.sleep(0.01)
    raise AssertionError(f"not within {seconds} s")
