import os
import signal
import threading
import time

import pytest
from conftest import short_row

ray = pytest.importorskip("ray", reason="Ray is not installed")
pytest.importorskip("ray.data", reason="Ray Data is not installed")
psutil = pytest.importorskip("psutil", reason="psutil finds the worker to kill")

ROWS = 2000
WORKERS = 2


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    ray.init(num_cpus=WORKERS + 1, include_dashboard=False, log_to_driver=False, configure_logging=False)
    yield
    ray.shutdown()


def workers():
    """Processes of this cluster's pool, which Ray gives the name of the class."""
    found = []
    for process in psutil.process_iter(["name", "cmdline"]):
        line = " ".join(process.info["cmdline"] or [])
        if line.startswith("ray::") and "Map" in line and "Worker" in line:
            found.append(process.pid)
    return found


def kill_one_when_it_works(killed, end):
    """One worker, a while after all of them are there."""
    while not end.is_set():
        found = workers()
        if len(found) >= WORKERS:
            time.sleep(2.0)
            os.kill(found[0], signal.SIGKILL)
            killed.append(found[0])
            return
        time.sleep(0.1)


def test_a_cluster_scores_as_one_process_though_a_worker_dies(cluster, scorer):
    import veridic.ray

    rows = [short_row(number) for number in range(ROWS)]
    alone = [result.score for result in scorer.run(rows)]
    dataset = ray.data.from_items(rows).repartition(40)
    scored = veridic.ray.score_dataset(dataset, num_workers=WORKERS, model="mini", batch_size=50)
    killed, end = [], threading.Event()
    killer = threading.Thread(target=kill_one_when_it_works, args=(killed, end))
    killer.start()
    found = scored.take_all()
    end.set()
    killer.join()
    assert len(killed) == 1, "no worker was killed: the test did not test"
    assert sorted(row["number"] for row in found) == list(range(ROWS))
    assert [row["number"] for row in found] == list(range(ROWS)), "the order of the dataset"
    assert {row["id"] for row in found} == {row["id"] for row in rows}
    # What comes back is float32; so is what one process says, printed with all its digits.
    import numpy

    ours = numpy.array([row["score"] for row in found], dtype=numpy.float32)
    theirs = numpy.array(alone, dtype=numpy.float32)
    assert (ours.view(numpy.uint32) == theirs.view(numpy.uint32)).all()


def test_a_pool_needs_a_worker(cluster):
    import veridic
    import veridic.ray

    dataset = ray.data.from_items([short_row(1)])
    with pytest.raises(veridic.SettingError, match="num_workers 0"):
        veridic.ray.score_dataset(dataset, num_workers=0)
    with pytest.warns(veridic.VeridicWarning, match="none is left to read rows"):
        veridic.ray.score_dataset(dataset, num_workers=WORKERS + 1)
    with pytest.warns(veridic.VeridicWarning, match="no GPU yet"):
        veridic.ray.score_dataset(dataset, gpus_per_worker=1)
