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
    """The processes of the pool, which Ray names after the class."""
    found = []
    for process in psutil.process_iter(["name", "cmdline"]):
        line = " ".join(process.info["cmdline"] or [])
        if line.startswith("ray::") and "Map" in line and "Worker" in line:
            found.append(process.pid)
    return found


def kill_a_running_worker(killed, end):
    """Kills one worker, a while after all have started."""
    while not end.is_set():
        found = workers()
        if len(found) >= WORKERS:
            time.sleep(2.0)
            os.kill(found[0], signal.SIGKILL)
            killed.append(found[0])
            return
        time.sleep(0.1)


def test_cluster_scores_match_one_process_when_a_worker_dies(cluster, small):
    import veridic.ray

    rows = [short_row(number) for number in range(ROWS)]
    alone = [result.score for result in small.run(rows)]
    dataset = ray.data.from_items(rows).repartition(40)
    scored = veridic.ray.score_dataset(dataset, num_workers=WORKERS, model="mini", batch_size=50)
    killed, end = [], threading.Event()
    killer = threading.Thread(target=kill_a_running_worker, args=(killed, end))
    killer.start()
    found = scored.take_all()
    end.set()
    killer.join()
    assert len(killed) == 1, "no worker was killed, so nothing was tested"
    assert sorted(row["number"] for row in found) == list(range(ROWS))
    assert [row["number"] for row in found] == list(range(ROWS)), "the order of the dataset"
    assert {row["id"] for row in found} == {row["id"] for row in rows}
    # The column is float32, as are the scores of one process.
    import numpy

    ours = numpy.array([row["score"] for row in found], dtype=numpy.float32)
    theirs = numpy.array(alone, dtype=numpy.float32)
    assert (ours.view(numpy.uint32) == theirs.view(numpy.uint32)).all()


def test_invalid_pools_are_reported(cluster):
    import veridic
    import veridic.ray

    dataset = ray.data.from_items([short_row(1)])
    with pytest.raises(veridic.SettingError, match="num_workers 0"):
        veridic.ray.score_dataset(dataset, num_workers=0)
    with pytest.warns(veridic.VeridicWarning, match="no CPU is left to read rows"):
        veridic.ray.score_dataset(dataset, num_workers=WORKERS + 1)
