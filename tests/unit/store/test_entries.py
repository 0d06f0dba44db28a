from dataclasses import replace

import pytest

from reverie.errors import UsageError
from reverie.model.execution import Expression, Limits, Module, Policy, Pytest, Request, Script
from reverie.model.outcome import TestOutcome
from reverie.store import schema
from reverie.store.writer import (
    CODE_COLUMNS,
    EXECUTION_COLUMNS,
    PATTERN_COLUMNS,
    TERMS_COLUMNS,
    Entry,
    make_entry,
    terms_of,
)
from reverie.testing.fakes import finished


def column(entry: Entry, name: str) -> object:
    return entry.row[EXECUTION_COLUMNS.index(name)]


def test_the_spelt_out_columns_are_those_of_the_schema() -> None:
    tables = schema.metadata.tables
    assert ("seq", *EXECUTION_COLUMNS) == tuple(tables["executions"].c.keys())
    assert tuple(tables["terms"].c.keys()) == TERMS_COLUMNS
    assert tuple(tables["code"].c.keys()) == CODE_COLUMNS
    assert (*PATTERN_COLUMNS, "suggested_fix") == tuple(tables["failure_patterns"].c.keys())


@pytest.mark.parametrize(
    ("target", "kind", "name", "source"),
    [
        (Expression("1 + 1"), "expression", None, "1 + 1"),
        (Script("x = 1", path="a.py"), "script", "a.py", "x = 1"),
        (Module("pkg.tool"), "module", "pkg.tool", None),
        (Pytest(("-q",)), "pytest", None, None),
    ],
)
def test_every_target_has_its_kind_and_name(target, kind, name, source) -> None:  # type: ignore[no-untyped-def]
    entry = make_entry(Request(target), finished()[1], with_code=True)
    assert (column(entry, "target"), column(entry, "entry")) == (kind, name)
    assert (None if entry.code is None else entry.code.source) == source


def test_equal_terms_are_one_row_and_other_terms_another() -> None:
    assert terms_of(Policy(), Limits()) == terms_of(Policy(), Limits())
    hashes = {
        terms_of(Policy(), Limits()).terms_hash,
        terms_of(Policy(seed=1), Limits()).terms_hash,
        terms_of(Policy(), Limits(processes=1)).terms_hash,
        terms_of(Policy(readonly=("\udcff\x00",)), Limits()).terms_hash,
    }
    assert len(hashes) == 4


def test_the_same_bug_has_one_signature() -> None:
    entries = [
        make_entry(*finished(n, outcome=TestOutcome.RUNTIME_ERROR, message=m), with_code=False)
        for n, m in enumerate(["at 0x7f01", "at 0x7f02", "at line 1"])
    ]
    signatures = [column(entry, "failure_signature") for entry in entries]
    assert signatures[0] == signatures[1] != signatures[2]


def test_a_failure_nobody_described_still_has_a_signature() -> None:
    request, execution = finished(outcome=TestOutcome.TIMEOUT)
    bare = replace(execution, error=None, error_category=None)
    failure = make_entry(request, bare, with_code=False).failure
    assert failure is not None
    assert (failure.category, failure.message) == ("unknown", "")


def test_a_success_is_no_failure() -> None:
    entry = make_entry(*finished(), with_code=False)
    assert (entry.failure, column(entry, "failure_signature")) == (None, None)


def test_a_count_no_database_can_hold_is_refused_at_once() -> None:
    request, execution = finished()
    with pytest.raises(UsageError, match=str(1 << 70)):
        make_entry(request, replace(execution, exit_code=1 << 70), with_code=False)


def test_an_entry_does_not_keep_the_output_alive() -> None:
    request, execution = finished()
    entry = make_entry(request, replace(execution, stdout="x" * 9999), with_code=False)
    assert "x" * 9999 not in entry.row
