"""On a real Dask cluster of two worker processes: the same answers, and a worker that dies costs nothing."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from asked import judge, judged_by, with_judge
from openai_server import answers
from quorate.collect.asking import Dask
from quorate.collect.judging import judge_study
from quorate.errors import JudgeError
from raters import under_way
from studies import visual_puns

distributed = pytest.importorskip("distributed", reason="needs quorate[dask]")


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    made = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, host="127.0.0.1"
    )
    try:
        yield made
    finally:
        made.close()


def test_a_cluster_gives_the_answers_of_one_machine(study_folder: Path, tmp_path: Path, cluster: Any) -> None:
    cut = "thresholds: {least: {alike: 0.5}, otherwise: unlike}"
    said = f"{{similarity: {{compare: {{idiom: [mllm_response, target_idiom]}}, encoder: lexical, {cut}}}}}"
    found = []
    for folder, engine in ((study_folder, None), (visual_puns(tmp_path / "second"), Dask(cluster.scheduler_address))):
        with under_way(with_judge(folder, said)) as running:
            (summary,) = judge_study(running.store, running.protocol, engine=engine)
            assert summary.is_whole
            found.append({answer.item: answer.value for answer in running.answers("mllm")})
    assert found[0] == found[1]
    assert set(found[0].values()) == {"alike", "unlike"}


def test_a_worker_that_is_killed_costs_nothing(tmp_path: Path, cluster: Any) -> None:
    folder = visual_puns(tmp_path / "many", pool=20, n=20)
    killed: list[int] = []
    once = threading.Lock()

    def script(body: dict[str, Any], n: int) -> Any:
        with once:
            if len(server.requests) >= 7 and not killed:
                killed.append(cluster.workers[0].pid)
                os.kill(killed[0], signal.SIGKILL)
        return answers(idiom="break the ice")

    with judged_by(folder, script, at_once=2) as (running, server):
        summary = judge(running, engine=Dask(cluster.scheduler_address))
        assert killed
        assert (summary.asked, summary.answered, summary.left) == (20, 20, 0)
        assert len(running.answers("mllm")) == 20
        assert len(running.read(lambda tx: tx.all_answers("mllm"))) == 20
        assert len(server.requests) >= 20  # what the dead worker had asked is asked once more


def test_a_scheduler_that_is_not_there_is_told_in_a_sentence(study_folder: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr("quorate.collect.asking.PATIENCE", "1s")
    with (
        under_way(with_judge(study_folder, "{simulated: 0.5}")) as running,
        pytest.raises(JudgeError, match="no Dask scheduler at tcp://127"),
    ):
        judge_study(running.store, running.protocol, engine=Dask("tcp://127.0.0.1:9"))
