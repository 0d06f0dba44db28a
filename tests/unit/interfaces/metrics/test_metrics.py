"""What Prometheus reads, read back by its own client."""

import json
import os
import shutil
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from pathlib import Path

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy import update

from reverie.interfaces.metrics import samples as foresight
from reverie.interfaces.metrics.catalogue import (
    DOCUMENT_NAMES,
    METRICS,
    SYNERGY_KEYS,
    Family,
    Histogram,
    Samples,
    exposition,
)
from reverie.interfaces.metrics.exporter import Exporter
from reverie.interfaces.metrics.samples import ForesightLook
from reverie.interfaces.metrics.serving import MetricsServer
from reverie.model.events import Observation
from reverie.model.outcome import IsolationTier, TestOutcome
from reverie.settings import Loaded, load_settings
from reverie.store import ExecutionRecorder, Journal, journal_url, prune
from reverie.store.cycles.measures import ForesightMemory, observe
from reverie.store.retention import count_executions
from reverie.store.schema import executions
from reverie.testing.fakes import FIRST_START, finished


@pytest.fixture
def journal(repository: Path) -> Iterator[Journal]:
    with Journal.open(journal_url(repository)) as journal:
        record(journal, range(5))
        yield journal


@pytest.fixture
def loaded(repository: Path) -> Loaded:
    return load_settings(repository, {}, {"metrics.port": "0"})


def record(journal: Journal, numbers: range) -> None:
    with ExecutionRecorder(journal) as recorder:
        for number in numbers:
            outcome = TestOutcome.TIMEOUT if number % 5 == 1 else TestOutcome.SUCCESS
            tier = IsolationTier.LANDLOCK if number % 5 == 4 else IsolationTier.NAMESPACES
            recorder(*finished(number, outcome=outcome, isolation=tier, wall_seconds=0.03))


def parsed(text: str) -> dict[str, dict[tuple[tuple[str, str], ...], float]]:
    """The samples by name and labels, as the client of Prometheus understands them."""
    found: dict[str, dict[tuple[tuple[str, str], ...], float]] = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            labels = tuple(sorted(sample.labels.items()))
            found.setdefault(sample.name, {})[labels] = sample.value
    return found


def total(text: str) -> float:
    return sum(parsed(text)["reverie_executions_total"].values())


def test_executions_are_counted_by_outcome_and_tier(journal: Journal, loaded: Loaded) -> None:
    found = parsed(Exporter(loaded).render())
    by = {
        (dict(labels)["outcome"], dict(labels)["tier"]): value
        for labels, value in found["reverie_executions_total"].items()
    }
    assert by[("success", "landlock")] == 1
    assert by[("timeout", "namespaces")] == 1
    assert by[("success", "namespaces")] == 3


def test_a_histogram_adds_up(journal: Journal, loaded: Loaded) -> None:
    found = parsed(Exporter(loaded).render())
    buckets = {
        dict(labels)["le"]: value
        for labels, value in found["reverie_execution_duration_seconds_bucket"].items()
        if dict(labels)["tier"] == "namespaces"
    }
    assert (buckets["0.025"], buckets["0.05"], buckets["+Inf"]) == (0, 4, 4)


def test_each_look_counts_what_came_since_the_last(journal: Journal, loaded: Loaded) -> None:
    exporter = Exporter(loaded)
    assert total(exporter.render()) == 5
    record(journal, range(5, 8))
    assert total(exporter.render()) == 8
    assert total(exporter.render()) == 8


def test_counters_do_not_fall_when_executions_are_pruned(journal: Journal, loaded: Loaded) -> None:
    exporter = Exporter(loaded)
    exporter.render()
    assert prune(journal, FIRST_START + timedelta(seconds=3)) == 3
    assert total(exporter.render()) == 5
    assert total(Exporter(loaded).render()) == 5
    assert prune(journal, FIRST_START + timedelta(days=1)) == 2
    record(journal, range(20, 26))  # their rows have the numbers of those that went
    assert total(exporter.render()) == 11


def test_what_was_counted_at_the_end_of_a_cycle_is_not_counted_again(
    journal: Journal, loaded: Loaded
) -> None:
    with journal.writing() as connection:
        count_executions(connection)
        connection.execute(update(executions).values(outcome="timeout"))
    record(journal, range(5, 8))
    found = parsed(Exporter(loaded).render())["reverie_executions_total"]
    by_outcome: dict[str, float] = {}
    for labels, value in found.items():
        outcome = dict(labels)["outcome"]
        by_outcome[outcome] = by_outcome.get(outcome, 0) + value
    assert by_outcome == {"success": 6, "timeout": 2}


def test_later_looks_do_not_wait_for_what_is_foreseen(
    journal: Journal, loaded: Loaded, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = ForesightMemory(journal, loaded.repository)
    memory.append("shop", 0, {"roi_delta": 3.0})
    look = ForesightLook(loaded)
    assert look.look(journal)["foresight_roi"][0].value == 3.0
    memory.append("shop", 1, {"roi_delta": 5.0})
    monkeypatch.setattr(foresight, "EVERY_SECONDS", -1.0)
    assert look.look(journal)["foresight_roi"][0].value == 3.0
    assert look._making is not None
    look._making.join()
    assert look.look(journal)["foresight_roi"][0].value == 5.0
    look._making.join()


def test_a_server_waits_only_so_long_for_what_is_foreseen(
    journal: Journal, loaded: Loaded, monkeypatch: pytest.MonkeyPatch
) -> None:
    ForesightMemory(journal, loaded.repository).append("shop", 0, {"roi_delta": 3.0})
    look, may_begin, make = ForesightLook(loaded, 0.01), threading.Event(), ForesightLook._make

    def late(self: ForesightLook, journal: Journal) -> Mapping[str, Samples]:
        may_begin.wait()
        return make(self, journal)

    monkeypatch.setattr(ForesightLook, "_make", late)
    assert look.look(journal) == {}
    assert look.look(journal) == {}
    may_begin.set()
    assert look._making is not None
    look._making.join()
    assert look.look(journal)["foresight_roi"][0].value == 3.0


def test_what_nobody_measured_is_absent(loaded: Loaded) -> None:
    found = parsed(Exporter(loaded).render())
    assert "reverie_executions_total" not in found
    assert "self_test_average_coverage" not in found


def test_the_documents_names_are_the_same_figures(journal: Journal, loaded: Loaded) -> None:
    marks = [Observation(2, {"mark": "redundant"}), Observation(3, {"mark": "legacy"})]
    observe(journal, "orphans", marks)
    observe(journal, "synergy", [Observation(-0.5, {"metric": "resilience", "subject": "a+b"})])
    observe(journal, "trainer_iterations", [Observation(4)])
    found = parsed(Exporter(loaded).render())
    assert found["orphan_modules_redundant_total"][()] == 2
    assert found["orphan_modules_legacy_total"][()] == 3
    assert found["synergy_resilience"][("subject", "a+b"),] == -0.5
    assert found["synergy_trainer_iterations"][()] == 4


def test_observing_again_replaces_what_was_seen_of_the_same(journal: Journal) -> None:
    from reverie.store.cycles.measures import observed

    observe(journal, "orphans", [Observation(1, {"repository": "a"})], of={"repository": "a"})
    observe(journal, "orphans", [Observation(2, {"repository": "b"})], of={"repository": "b"})
    observe(journal, "orphans", [Observation(3, {"repository": "a"})], of={"repository": "a"})
    with journal.reading() as connection:
        seen = observed(connection)["orphans"]
    assert sorted((each.labels["repository"], each.value) for each in seen) == [("a", 3), ("b", 2)]


def test_hostile_names_stay_inside_their_quotes() -> None:
    evil = 'x"} 1\n# TYPE evil counter\nevil{a="\\' + "\ud800" + "n" * 999
    text = exposition([Family("ours", "gauge", "a\nb\\", (Observation(1, {"name": evil}),))])
    found = parsed(text)
    assert set(found) == {"ours"}
    ((labels, value),) = found["ours"].items()
    assert value == 1
    assert dict(labels)["name"].startswith('x"} 1\n# TYPE evil counter\nevil{a="\\')


def test_numbers_survive() -> None:
    values = (0.1, 1e300, -2.5, float("inf"), 2**60, 12)
    samples = tuple(Observation(v, {"n": str(i)}) for i, v in enumerate(values))
    histogram = Histogram({}, (1.0,), (2, 1), 4.5)
    families = [Family("a", "gauge", "x", samples), Family("b", "histogram", "y", (), (histogram,))]
    found = parsed(exposition(families))
    assert tuple(found["a"].values()) == values
    assert found["b_count"][()] == 3


@pytest.fixture
def server(journal: Journal, loaded: Loaded) -> Iterator[MetricsServer]:
    server = MetricsServer(loaded, 0)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def fetch(server: MetricsServer, path: str, method: str = "GET") -> tuple[int, str]:
    request = urllib.request.Request(server.address + path, method=method)
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


def test_three_paths_and_nothing_else(server: MetricsServer) -> None:
    assert total(fetch(server, "/metrics")[1]) == 5
    assert fetch(server, "/health") == (200, '{"status": "ok"}')
    assert fetch(server, "/ready")[0] == 200
    assert fetch(server, "/metrics", "HEAD") == (200, "")
    for path in ("/", "/../etc/passwd", "/metrics/..", "/%2e%2e/"):
        assert fetch(server, path)[0] == 404
    assert fetch(server, "/metrics", "POST")[0] == 501


def test_a_journal_that_cannot_be_read_is_not_ready(
    server: MetricsServer, repository: Path
) -> None:
    (repository / ".reverie" / "journal.db").write_bytes(b"no database at all" * 99)
    code, body = fetch(server, "/ready")
    assert code == 503
    assert json.loads(body)["status"] == "not_ready"
    assert fetch(server, "/metrics")[0] == 503
    assert fetch(server, "/health")[0] == 200


def test_a_scrape_and_a_writer_do_not_wait_for_one_another(
    journal: Journal, loaded: Loaded
) -> None:
    exporter = Exporter(loaded)
    with journal.writing() as connection:
        connection.exec_driver_sql("INSERT INTO meta (key, value) VALUES ('a', 'b')")
        assert total(exporter.render()) == 5
    with journal.reading() as connection:
        connection.exec_driver_sql("SELECT count(*) FROM executions")
        record(journal, range(5, 6))
    assert total(exporter.render()) == 6


def test_a_port_in_use_is_one_line(cli: Callable, repository: Path, server: MetricsServer) -> None:
    port = server.server_address[1]
    ran = cli("metrics", "--serve", "--port", str(port), "--repo", str(repository))
    assert ran.code == 2
    assert f":{port}" in ran.err


def test_the_command_prints_text_and_json(
    cli: Callable, repository: Path, journal: Journal
) -> None:
    assert total(cli("metrics", "--repo", str(repository)).out) == 5
    document = cli("metrics", "--json", "--repo", str(repository)).document
    assert "reverie_executions_total" in {each["name"] for each in document["metrics"]}


def test_the_synergy_exporter_shows_nothing_else(journal: Journal, loaded: Loaded) -> None:
    observe(journal, "synergy", [Observation(1, {"metric": "roi", "subject": "a"})])
    text = Exporter(loaded, keys=SYNERGY_KEYS).render()
    assert set(parsed(text)) == {"reverie_synergy", "synergy_roi"}


def test_a_missing_history_file_is_refused(cli: Callable, repository: Path) -> None:
    ran = cli("synergy-exporter", "--history-file", "nowhere.db", "--repo", str(repository))
    assert (ran.code, ran.out) == (2, "")
    assert "nowhere.db" in ran.err


def test_no_two_metrics_share_a_name() -> None:
    names = [each.name for each in (*METRICS, *DOCUMENT_NAMES)]
    assert len(names) == len(set(names))


def test_every_metric_is_documented(root: Path) -> None:
    page = (root / "docs" / "guides" / "operate.md").read_text("utf-8")
    for metric in METRICS:
        row = next(line for line in page.splitlines() if line.startswith(f"| `{metric.name}`"))
        assert metric.kind in row
        assert all(f"`{label}`" in row for label in metric.labels), metric.name
        assert metric.help in row
    assert all(f"| `{alias.name}` |" in page for alias in DOCUMENT_NAMES)


def known_names() -> set[str]:
    names = {each.name for each in METRICS}
    return names | {f"{name}_{part}" for name in names for part in ("bucket", "sum", "count")}


def names_in(text: str) -> set[str]:
    import re

    return set(re.findall(r"\breverie_\w+", text))


def test_the_dashboard_asks_for_metrics_that_exist(cli: Callable) -> None:
    ran = cli("metrics", "--grafana")
    asked = {each["expr"] for panel in ran.document["panels"] for each in panel["targets"]}
    assert names_in(" ".join(asked)) <= known_names()
    ids = [panel["id"] for panel in ran.document["panels"]]
    assert len(ids) == len(set(ids))


def test_the_alerts_ask_for_metrics_that_exist(cli: Callable, tmp_path: Path) -> None:
    text = cli("metrics", "--alerts").out
    rules = [rule for group in yaml.safe_load(text)["groups"] for rule in group["rules"]]
    assert names_in(" ".join(rule["expr"] for rule in rules)) <= known_names()
    assert all(rule["annotations"]["summary"] for rule in rules)


def test_promtool_finds_nothing_wrong(
    cli: Callable, tmp_path: Path, not_run: Callable, journal: Journal, repository: Path
) -> None:
    beside = os.path.dirname(sys.executable)
    promtool = shutil.which("promtool", path=os.pathsep.join((beside, os.environ["PATH"])))
    if promtool is None:
        not_run("no promtool (make setup fetches it, where it can): rules read by our tests only")
    rules = tmp_path / "alerts.yml"
    rules.write_text(cli("metrics", "--alerts").out)
    for line, given in (
        (["check", "rules", str(rules)], ""),
        (["check", "metrics"], cli("metrics", "--repo", str(repository)).out),
    ):
        ran = subprocess.run([promtool, *line], input=given, capture_output=True, text=True)
        assert ran.returncode == 0, ran.stdout + ran.stderr
