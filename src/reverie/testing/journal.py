"""The contract every journal backend must pass. Subclass it and provide a `journal_url` fixture."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta

import pytest

from reverie.errors import UsageError
from reverie.model.execution import (
    ErrorReport,
    Limits,
    Module,
    Pytest,
    Request,
    Target,
    Usage,
)
from reverie.model.outcome import ErrorCategory, IsolationTier, TestOutcome
from reverie.model.repository.indexed import (
    FileOutline,
    FileRecord,
    IndexTotals,
    KnownFile,
    KnownIndex,
    StoredEvidence,
    StoredFacts,
)
from reverie.model.repository.symbol import SymbolRecord
from reverie.store import (
    CodeIndexMemory,
    ExecutionRecorder,
    Journal,
    delete_rule,
    details,
    failure_patterns,
    history,
    load_rules,
    prune,
    save_rule,
    set_rule_enabled,
    statistics,
)
from reverie.testing.fakes import FIRST_START, finished

_NASTY = "nul \x00 lone \ud800 both \udfff\x00 fine é 😀 'quote' %s ? :x \u2028 \x1b[31m"
_REPLACED = "nul \ufffd lone \ufffd both \ufffd\ufffd fine é 😀 'quote' %s ? :x \u2028 \x1b[31m"
_FAILED = TestOutcome.RUNTIME_ERROR


class JournalContract:
    """Shipped, so that a backend written elsewhere is held to the same rules."""

    @pytest.fixture
    def journal_url(self) -> str:
        """An empty place for one journal."""
        raise NotImplementedError("provide the URL of the journal under test")

    @pytest.fixture
    def journal(self, journal_url: str) -> Iterator[Journal]:
        """An open journal, new for every test."""
        with Journal.open(journal_url) as journal:
            yield journal

    @pytest.fixture
    def recorder(self, journal: Journal) -> Iterator[ExecutionRecorder]:
        """A recorder on the journal."""
        with ExecutionRecorder(journal) as recorder:
            yield recorder

    def test_an_execution_comes_back_as_it_was_recorded(
        self, journal: Journal, recorder: ExecutionRecorder
    ) -> None:
        request, execution = finished(7, outcome=_FAILED, limits=Limits(wall_seconds=3.5))
        recorder(request, execution)
        recorder.flush()
        found = details(journal, execution.id)
        record = found.record
        assert record == history(journal)[0]
        assert (record.id, record.started_at) == (execution.id, execution.started_at)
        assert (record.outcome, record.error_category) == (_FAILED, ErrorCategory.RUNTIME)
        assert (record.target, record.entry) == ("call", "f")
        assert (record.error_type, record.error_message) == ("ValueError", "bad value")
        assert (record.duration_ms, record.cpu_seconds) == (2.0, 0.001)
        assert record.peak_rss_bytes == execution.usage.peak_rss_bytes
        assert record.isolation is IsolationTier.NAMESPACES
        assert found.limits["wall_seconds"] == 3.5
        assert found.policy["enable_network"] is False
        assert found.source == "def f(x):\n    return x\n"
        assert found.pattern is not None
        assert found.pattern.signature == record.failure_signature

    def test_absent_measures_stay_absent(
        self, journal: Journal, recorder: ExecutionRecorder
    ) -> None:
        request, execution = finished()
        usage = Usage(float("nan"), None, None)
        recorder(request, replace(execution, usage=usage, exit_code=None))
        recorder.flush()
        (record,) = history(journal)
        assert (record.duration_ms, record.cpu_seconds, record.peak_rss_bytes) == (None,) * 3
        assert (record.exit_code, record.error_type, record.failure_signature) == (None,) * 3
        assert statistics(journal).durations == 0
        assert statistics(journal).p95_duration_ms is None

    def test_a_target_without_source_has_none(
        self, journal: Journal, recorder: ExecutionRecorder
    ) -> None:
        targets: list[Target] = [Module("pkg.tool", ("-v",)), Pytest(("-q", "tests"))]
        for number, target in enumerate(targets):
            _, execution = finished(number, outcome=_FAILED)
            recorder(Request(target), replace(execution, code_hash=Request(target).code_hash))
        recorder.flush()
        pytest_run, module_run = (details(journal, row.id) for row in history(journal))
        assert (module_run.source, pytest_run.source) == (None, None)
        assert (module_run.record.entry, pytest_run.record.entry) == ("pkg.tool", None)

    def test_text_that_databases_refuse_is_replaced(
        self, journal: Journal, recorder: ExecutionRecorder
    ) -> None:
        request, execution = finished(code=_NASTY, outcome=_FAILED)
        request = replace(request, expected_output_type=_NASTY)
        recorder(request, replace(execution, error=ErrorReport(_NASTY, _NASTY, _NASTY)))
        recorder.flush()
        found = details(journal, execution.id)
        assert (found.record.error_message, found.record.error_type) == (_REPLACED, _REPLACED)
        assert (found.source, found.record.expected_output_type) == (_REPLACED, _REPLACED)
        assert found.pattern is not None
        assert (found.pattern.error_message, found.pattern.code_snippet) == (_REPLACED, _REPLACED)

    def test_long_texts_are_cut(self, journal: Journal, recorder: ExecutionRecorder) -> None:
        source = "#" * (2 << 20)
        request, execution = finished(code=source, outcome=_FAILED, message="é" * 5000)
        recorder(request, execution)
        recorder.flush()
        found = details(journal, execution.id)
        assert found.record.error_message == "é" * 4000
        assert (found.source, found.source_truncated) == (source[: 1 << 20], True)
        assert found.pattern is not None
        assert found.pattern.code_snippet == "#" * 200

    def test_an_id_recorded_twice_counts_once(
        self, journal: Journal, recorder: ExecutionRecorder
    ) -> None:
        recorder(*finished(1, outcome=_FAILED))
        recorder.flush()
        for number in (1, 2, 2, 3):
            recorder(*finished(number, outcome=_FAILED, wall_seconds=9.0))
        recorder.flush()
        assert [row.duration_ms for row in history(journal)] == [9000.0, 9000.0, 2.0]
        assert failure_patterns(journal)[0].frequency == 3

    def test_failures_add_up_over_batches_and_recorders(self, journal: Journal) -> None:
        for numbers in ((5, 6), (2, 9), (4,)):
            with ExecutionRecorder(journal) as recorder:
                for number in numbers:
                    recorder(*finished(number, outcome=_FAILED, message=f"at 0x{number:x}"))
        (pattern,) = failure_patterns(journal)
        assert pattern.frequency == 5
        assert pattern.error_message == "at 0x5"
        assert pattern.first_seen == FIRST_START + timedelta(seconds=2)
        assert pattern.last_seen == FIRST_START + timedelta(seconds=9)
        assert pattern.suggested_fix is None

    def test_patterns_come_most_frequent_first(
        self, journal: Journal, recorder: ExecutionRecorder
    ) -> None:
        for number, message in enumerate(["rare", "often", "often", "some", "some", "often"]):
            recorder(*finished(number, outcome=_FAILED, message=message))
        recorder.flush()
        found = failure_patterns(journal, limit=2)
        assert [pattern.error_message for pattern in found] == ["often", "some"]

    def test_pages_are_newest_first_and_complete(
        self, journal: Journal, recorder: ExecutionRecorder
    ) -> None:
        numbers = [3, 1, 4, 1, 5, 9, 2, 6]  # recorded out of order; two start at once
        for place, number in enumerate(numbers):
            request, execution = finished(place)
            started_at = FIRST_START + timedelta(seconds=number)
            recorder(request, replace(execution, started_at=started_at))
        recorder.flush()
        pages, before = [], None
        while page := history(journal, limit=3, before=before):
            pages.append(page)
            before = page[-1].id
            assert len(pages) <= 3
        rows = [row for page in pages for row in page]
        assert [len(page) for page in pages] == [3, 3, 2]
        assert [row.started_at for row in rows] == sorted(
            (row.started_at for row in rows), reverse=True
        )
        assert len({row.id for row in rows}) == len(numbers)

    def test_history_filters(self, journal: Journal, recorder: ExecutionRecorder) -> None:
        recorder(*finished(0))
        recorder(*finished(1, outcome=_FAILED))
        recorder(*finished(2, isolation=IsolationTier.LANDLOCK))
        recorder(*finished(3, code="other", outcome=_FAILED, isolation=IsolationTier.LANDLOCK))
        recorder.flush()
        ids = [finished(number)[1].id for number in range(4)]
        landlock, other = IsolationTier.LANDLOCK, finished(code="other")[1].code_hash

        assert [row.id for row in history(journal, outcome=_FAILED)] == [ids[3], ids[1]]
        assert [row.id for row in history(journal, isolation=landlock)] == [ids[3], ids[2]]
        assert [row.id for row in history(journal, code_hash=other)] == [ids[3]]
        since = FIRST_START + timedelta(seconds=2)
        assert [row.id for row in history(journal, since=since)] == [ids[3], ids[2]]
        both = history(journal, outcome=_FAILED, isolation=landlock, code_hash=other, since=since)
        assert [row.id for row in both] == [ids[3]]
        assert history(journal, outcome=_FAILED, before=ids[1]) == ()

    def test_an_id_may_be_shortened_while_it_is_unique(
        self, journal: Journal, recorder: ExecutionRecorder
    ) -> None:
        for number, execution_id in enumerate(("abcd", "abce", "abc", "ABCD", "x%_")):
            request, execution = finished(number)
            recorder(request, replace(execution, id=execution_id))
        recorder.flush()
        assert details(journal, "abcd").record.id == "abcd"
        assert details(journal, "abc").record.id == "abc"
        assert details(journal, "AB").record.id == "ABCD"
        assert details(journal, "x%").record.id == "x%_"
        with pytest.raises(UsageError, match="'ab'"):
            details(journal, "ab")
        for unknown in ("zzz", "%", "a_cd", "nul\x00", "\ud800"):
            with pytest.raises(UsageError, match="no execution has the id"):
                details(journal, unknown)
        with pytest.raises(UsageError, match="'zzz'"):
            history(journal, before="zzz")
        with pytest.raises(UsageError):
            details(journal, "")

    def test_statistics_of_nothing_are_absent(self, journal: Journal) -> None:
        found = statistics(journal)
        assert (found.executions, found.durations, found.failure_patterns) == (0, 0, 0)
        assert (found.success_rate, found.mean_duration_ms) == (None, None)
        assert (found.p50_duration_ms, found.p95_duration_ms) == (None, None)
        assert (found.by_outcome, found.by_category, found.by_isolation) == ({}, {}, {})

    def test_statistics_count_and_rank(self, journal: Journal, recorder: ExecutionRecorder) -> None:
        for number in range(1, 21):
            outcome = _FAILED if number > 15 else TestOutcome.SUCCESS
            recorder(*finished(number, outcome=outcome, wall_seconds=number))
        recorder.flush()
        found = statistics(journal)
        assert found.by_outcome == {TestOutcome.SUCCESS: 15, _FAILED: 5}
        assert found.by_category == {ErrorCategory.RUNTIME: 5}
        assert found.by_isolation == {IsolationTier.NAMESPACES: 20}
        assert (found.executions, found.durations, found.success_rate) == (20, 20, 0.75)
        assert found.mean_duration_ms == pytest.approx(10_500)
        assert (found.p50_duration_ms, found.p95_duration_ms) == (10_000, 19_000)
        late = statistics(journal, since=FIRST_START + timedelta(seconds=18))
        assert (late.executions, late.success_rate, late.p50_duration_ms) == (3, 0.0, 19_000)

    def test_limits_out_of_bounds_are_refused(self, journal: Journal) -> None:
        for limit in (0, -1, 1_000_000):
            with pytest.raises(UsageError, match=str(limit)):
                history(journal, limit=limit)
            with pytest.raises(UsageError, match=str(limit)):
                failure_patterns(journal, limit=limit)

    def test_rules_are_kept_replaced_switched_and_forgotten(self, journal: Journal) -> None:
        save_rule(journal, "no-eval", {"call": "eval", "tiers": ["sandbox"]}, True)
        save_rule(journal, "no-eval", {"call": "eval"}, True)
        set_rule_enabled(journal, "no-eval", False)
        set_rule_enabled(journal, "built-in", False)
        built_in, no_eval = load_rules(journal)
        assert (no_eval.rule_id, no_eval.body, no_eval.enabled) == (
            "no-eval",
            {"call": "eval"},
            False,
        )
        assert (built_in.rule_id, built_in.body, built_in.enabled) == ("built-in", {}, False)
        assert delete_rule(journal, "no-eval")
        assert not delete_rule(journal, "no-eval")
        assert [rule.rule_id for rule in load_rules(journal)] == ["built-in"]

    def test_a_rule_that_is_not_json_is_refused(self, journal: Journal) -> None:
        for body in ({"x": object()}, {"x": float("nan")}):
            with pytest.raises(UsageError, match="no-eval"):
                save_rule(journal, "no-eval", body, True)
        for rule_id in ("", "nul\x00", "\ud800"):
            with pytest.raises(UsageError):
                save_rule(journal, rule_id, {}, True)
        assert load_rules(journal) == ()

    def test_pruning_forgets_old_executions_and_their_source_but_no_pattern(
        self, journal: Journal, recorder: ExecutionRecorder
    ) -> None:
        for number in range(4):
            recorder(*finished(number, code=f"code {number // 2}", outcome=_FAILED))
        recorder.flush()
        assert prune(journal, FIRST_START + timedelta(seconds=3)) == 3
        (left,) = history(journal)
        assert details(journal, left.id).source == "code 1"
        assert failure_patterns(journal)[0].frequency == 4
        # The same recorder stores the source again: it must not rely on what it stored before.
        recorder.flush()
        recorder(*finished(10, code="code 2"))
        recorder.flush()
        recorder(*finished(11, code="code 0"))
        recorder.flush()
        assert details(journal, history(journal)[0].id).source == "code 0"

    def test_what_is_committed_is_there_after_opening_again(self, journal_url: str) -> None:
        with Journal.open(journal_url) as journal, ExecutionRecorder(journal) as recorder:
            recorder(*finished())
        with Journal.open(journal_url, create=False) as journal:
            assert len(history(journal)) == 1

    def test_a_journal_is_not_made_unless_asked_for(self, journal_url: str) -> None:
        with pytest.raises(UsageError, match="no journal"):
            Journal.open(journal_url, create=False)

    def test_many_may_open_a_new_journal_at_once(self, journal_url: str) -> None:
        with ThreadPoolExecutor(4) as pool:
            journals = list(pool.map(Journal.open, [journal_url] * 4))
        for journal in journals:
            assert history(journal) == ()
            journal.close()

    def test_evidence_is_remembered_until_its_file_changes_or_is_gone(
        self, journal: Journal
    ) -> None:
        memory = CodeIndexMemory(journal, "/repo")
        assert memory.evidence() == []
        files = [_indexed_file(f"{name}.py") for name in "abc"]
        memory.save_files(files)
        stored = [StoredEvidence(each.path, each.content_hash, "[]") for each in files]
        memory.save_evidence(stored)
        memory.save_evidence([StoredEvidence("a.py", "other", "[1]")])
        again = CodeIndexMemory(journal, "/repo")
        assert again.evidence() == [StoredEvidence("a.py", "other", "[1]"), *stored[1:]]
        assert CodeIndexMemory(journal, "/other").evidence() == []
        again.save_files([files[1]])
        again.forget_files(["c.py"])
        assert [each.path for each in memory.evidence()] == ["a.py"]
        memory.begin("2")
        assert again.evidence() == []

    def test_an_index_comes_back_as_it_was_remembered(self, journal: Journal) -> None:
        memory = CodeIndexMemory(journal, "/repo")
        assert (memory.known_index(), memory.known_format()) == (None, None)
        assert (memory.known_files(), list(memory.facts())) == ({}, [])
        memory.begin("1")
        first, second = _indexed_file("a.py"), _indexed_file("b.py", error="line 1: bad \x00")
        memory.save_files([first, second])
        assert memory.known_index() is None
        totals = IndexTotals(2, 0, 1, 0, 0, 9, 0, 0, 1, {"sandbox": 2})
        whole = KnownIndex("layout", totals, 5)
        memory.save_index(whole, {"a.py": "a", "b.py": "b"})
        memory.save_signatures({"a.py": "new"})
        again = CodeIndexMemory(journal, "/repo")
        assert (again.known_index(), again.known_format()) == (whole, "1")
        assert again.known_files()["a.py"] == KnownFile("new", "hash of a.py", "a")
        assert again.outlines()[0] == first.outline
        assert again.errors() == {"b.py": "line 1: bad \ufffd"}
        facts = StoredFacts("a.py", "hash of a.py", "[]", '["\\u0000"]')
        assert next(iter(again.facts())) == facts
        assert CodeIndexMemory(journal, "/other").known_files() == {}
        again.begin("2")
        assert (memory.known_index(), memory.known_format()) == (None, "2")
        assert memory.known_files() == {}

    def test_a_trail_lasts_until_a_file_is_saved_or_forgotten(self, journal: Journal) -> None:
        memory = CodeIndexMemory(journal, "/repo")
        files = [_indexed_file("a.py"), _indexed_file("b.py")]
        memory.save_files(files)
        memory.save_trail("[1]")
        assert CodeIndexMemory(journal, "/repo").trail() == "[1]"
        assert CodeIndexMemory(journal, "/other").trail() is None
        memory.save_files(files[:1])
        assert memory.trail() is None
        memory.save_trail("[2]")
        memory.forget_files(["b.py"])
        assert memory.trail() is None
        memory.save_trail("[3]")
        memory.begin("2")
        assert memory.trail() is None

    def test_symbols_are_found_by_a_part_of_their_words(self, journal: Journal) -> None:
        memory = CodeIndexMemory(journal, "/repo")
        memory.save_files([_indexed_file("a.py"), _indexed_file("b.py", shape="int->int")])
        found = memory.find_symbols(["zzz", "pars"], only_shaped=False)
        assert sorted(each.path for each in found) == ["a.py", "b.py"]
        assert found[0].symbol == _indexed_file("a.py").symbols[0]
        assert [each.path for each in memory.find_symbols([], only_shaped=True)] == ["b.py"]
        assert memory.find_symbols(["p%s"], only_shaped=False) == []
        memory.save_files([_indexed_file("a.py", symbols=False)])
        memory.forget_files(["b.py"])
        assert memory.find_symbols([], only_shaped=False) == []
        assert list(memory.known_files()) == ["a.py"]


def _indexed_file(
    path: str, *, error: str | None = None, shape: str = "", symbols: bool = True
) -> FileRecord:
    symbol = SymbolRecord("f", 1, "function", "(a)", "Sum.", "f|parse date", shape)
    outline = FileOutline(path, 3, 1, 0, 0, error, "[]")
    found = (symbol,) if symbols else ()
    return FileRecord(outline, "old", f"hash of {path}", '["\\u0000"]', found)
