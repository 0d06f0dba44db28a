"""`/metrics`, `/health` and `/ready` through the dashboard's door, read by Prometheus's client."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families
from tests.unit.interfaces.web.conftest import TOKEN, Door

from reverie.interfaces.metrics.catalogue import METRICS
from reverie.model.outcome import TestOutcome
from reverie.store import ExecutionRecorder, Journal, journal_url
from reverie.testing.fakes import finished

PROGRAM = {"authorization": f"Bearer {TOKEN}"}


def record(repository: Path, numbers: range) -> None:
    with (
        Journal.open(journal_url(repository)) as journal,
        ExecutionRecorder(journal) as recorder,
    ):
        for number in numbers:
            recorder(*finished(number, outcome=TestOutcome.SUCCESS))


@pytest.fixture
def recorded(repository: Path) -> Path:
    (repository / ".reverie").mkdir()
    record(repository, range(7))
    return repository


def counted(text: str) -> float:
    every = [each for family in text_string_to_metric_families(text) for each in family.samples]
    return sum(each.value for each in every if each.name == "reverie_executions_total")


def test_prometheus_reads_what_a_program_with_the_token_is_given(
    recorded: Path, open_door: Callable[..., Door]
) -> None:
    program = open_door(recorded).stranger()
    answer = program.get("/metrics", headers=PROGRAM)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    assert counted(answer.text) == 7
    told = set(re.findall(r"^# TYPE (\S+)", answer.text, re.MULTILINE))
    assert {"reverie_executions_total", "reverie_info"} <= told
    assert told & {each.name for each in METRICS} >= {"reverie_executions_total"}


def test_a_second_look_counts_on(recorded: Path, open_door: Callable[..., Door]) -> None:
    program = open_door(recorded).stranger()
    assert counted(program.get("/metrics", headers=PROGRAM).text) == 7
    record(recorded, range(7, 12))
    assert counted(program.get("/metrics", headers=PROGRAM).text) == 12


def test_metrics_need_the_token_and_the_rest_tells_strangers_one_word(
    recorded: Path, open_door: Callable[..., Door]
) -> None:
    stranger = open_door(recorded).stranger()
    for headers in ({}, {"authorization": "Bearer other"}):
        refused = stranger.get("/metrics", headers=headers)
        assert refused.status_code == 401
        assert "reverie_" not in refused.text
    for path, word in (("/health", "ok"), ("/ready", "ready")):
        answer = stranger.get(path)
        assert (answer.status_code, answer.json()) == (200, {"status": word})
        assert stranger.head(path).status_code == 200


def test_a_journal_that_cannot_be_read_is_not_ready(
    recorded: Path, open_door: Callable[..., Door]
) -> None:
    stranger = open_door(recorded).stranger()
    (recorded / ".reverie" / "journal.db").write_bytes(b"no database" * 100)
    answer = stranger.get("/ready")
    assert (answer.status_code, answer.json()) == (503, {"status": "not_ready"})
    assert stranger.get("/health").status_code == 200
    assert stranger.get("/metrics", headers=PROGRAM).status_code == 503


def test_metrics_of_a_repository_without_a_journal_are_few_and_make_none(
    repository: Path, open_door: Callable[..., Door]
) -> None:
    answer = open_door(repository).stranger().get("/metrics", headers=PROGRAM)
    assert answer.status_code == 200
    assert counted(answer.text) == 0
    assert not (repository / ".reverie").exists()
