"""Every document that is read comes back as it was written, and nothing else is believed.

Which those are is not listed here: every class that `read` is called with anywhere, and every
class that the journal has rows of.
"""

import ast
import importlib
import json
import types
import typing
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, fields, is_dataclass
from datetime import UTC, datetime, timedelta
from enum import Enum
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from reverie.model.codec import Like, Malformed, Within, parse, plain, read
from reverie.store.rows import Rows

SOURCES = Path(__file__).parents[2] / "src" / "reverie"
TEXTS = st.text(max_size=8)
NUMBERS = st.floats(allow_nan=False, width=32) | st.integers(-(2**40), 2**40)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS.filter(lambda each: abs(each) != float("inf")) | TEXTS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(TEXTS, inner, max_size=2),
    max_leaves=3,
)
SIMPLE: Mapping[Any, st.SearchStrategy[Any]] = {
    str: TEXTS,
    int: st.integers(-(2**40), 2**40),
    float: NUMBERS,
    bool: st.booleans(),
    type(None): st.none(),
    Any: VALUES,
    datetime: st.integers(0, 2**50).map(
        lambda us: datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=us)
    ),
}


def modules() -> Iterator[types.ModuleType]:
    for path in sorted(SOURCES.rglob("*.py")):
        text = path.read_text("utf-8")
        if ("read(" in text and "model.codec import" in text) or "Rows(" in text:
            name = ".".join(("reverie", *path.relative_to(SOURCES).with_suffix("").parts))
            yield importlib.import_module(name.removesuffix(".__init__"))


def kinds_read() -> Iterator[tuple[str, type]]:
    """Classes that `read` is called with, by name."""
    for module in modules():
        path = Path(str(module.__file__))
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            match node:
                case ast.Call(func=ast.Name(id="read" | "_read"), args=[ast.Name(id=name), *_]):
                    kind = getattr(module, name, None)
                    if is_dataclass(kind) and isinstance(kind, type):
                        yield f"{path.relative_to(SOURCES)}:{name}", kind


def rows_kept() -> Iterator[tuple[str, Rows[Any]]]:
    for module in modules():
        for name, each in vars(module).items():
            if isinstance(each, Rows):
                yield f"{each.table.name}:{name}", each


KINDS = dict(kinds_read())
ROWS = dict(rows_kept())


def values_of(kind: Any) -> st.SearchStrategy[Any]:
    """Values that an annotation allows."""
    if kind in SIMPLE:
        return SIMPLE[kind]
    origin, parts = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Annotated:
        return bounded(parts[0], parts[1:])
    if origin in (typing.Union, types.UnionType):
        return st.one_of([values_of(each) for each in parts])
    if origin is typing.Literal:
        return st.sampled_from(parts)
    if origin is tuple and parts[-1] is not ...:
        return st.tuples(*map(values_of, parts))
    if origin is tuple:
        return st.lists(values_of(parts[0]), max_size=2).map(tuple)
    if origin is frozenset:
        return st.frozensets(values_of(parts[0]), max_size=2)
    if origin in (Mapping, dict):
        return st.dictionaries(values_of(parts[0]), values_of(parts[1]), max_size=2)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return st.sampled_from(kind)
    if hasattr(kind, "from_text"):
        return TEXTS.map(kind.from_text)
    assert is_dataclass(kind), kind
    hints = typing.get_type_hints(kind, include_extras=True)
    return st.builds(kind, **{each.name: values_of(hints[each.name]) for each in fields(kind)})


def bounded(kind: Any, bounds: tuple[Any, ...]) -> st.SearchStrategy[Any]:
    for each in bounds:
        if isinstance(each, Like):
            return st.from_regex(each.pattern, fullmatch=True).filter(
                lambda text: all(one.complaint(text) is None for one in bounds)
            )
    (bound,) = (each for each in bounds if isinstance(each, Within))
    return values_of(kind).filter(lambda value: bound.complaint(value) is None) | (
        st.just(bound.least).map(int) if kind is int else st.nothing()
    )


def test_there_are_documents_and_rows_to_speak_of() -> None:
    assert len(KINDS) >= 10
    assert len(ROWS) >= 20


@pytest.mark.parametrize("name", KINDS)
@settings(max_examples=15)
@given(data=st.data())
def test_a_document_comes_back_as_it_was_written(name: str, data: st.DataObject) -> None:
    value = data.draw(values_of(KINDS[name]))
    written = plain(value)
    told = json.loads(json.dumps(written))
    again = read(KINDS[name], told)
    assert plain(again) == written
    assert read(KINDS[name], told, loose=True) == again


@pytest.mark.parametrize("name", KINDS)
@settings(max_examples=15)
@given(data=st.data())
def test_what_does_not_fit_is_refused_on_one_line(name: str, data: st.DataObject) -> None:
    kind = KINDS[name]
    document = plain(data.draw(values_of(kind)))
    key = data.draw(st.sampled_from(sorted(document)))
    spoilt = data.draw(st.sampled_from(["unknown", "missing", "another kind", "no object"]))
    hints = typing.get_type_hints(kind, include_extras=True)
    by_name = {each.name: each for each in fields(kind)}
    if spoilt == "unknown":
        told: Any = {**document, "nobody wrote\nthis": 1}
    elif spoilt == "missing":
        field = by_name.get(key)
        assume(field is not None and field.default is MISSING)
        assume(field is not None and field.default_factory is MISSING)
        told = {name: value for name, value in document.items() if name != key}
    elif spoilt == "another kind":
        assume(hints.get(key) in (str, int, float, bool, str | None, float | None))
        told = {**document, key: [{"a": True}]}
    else:
        told = data.draw(st.sampled_from([None, 1, "text", [document]]))
    with pytest.raises(Malformed) as refused:
        read(kind, told, "a file")
    assert str(refused.value).startswith("a file")
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 1000


@pytest.mark.parametrize("name", ROWS)
@settings(max_examples=15)
@given(data=st.data())
def test_a_row_comes_back_as_it_was_written(name: str, data: st.DataObject) -> None:
    rows = ROWS[name]
    assume_all_kept = {each: cell for each, cell in rows.cells.items() if not cell.is_given}
    value = data.draw(values_of(rows.kind))
    row = rows.row(value)
    assert set(row) == {cell.column for cell in assume_all_kept.values()}
    assert all(type(each) in (str, int, float, bool, type(None)) for each in row.values())
    given_by_database = {cell.column: 7 for cell in rows.cells.values() if cell.is_given}
    left_out = {
        each.name: getattr(value, each.name)
        for each in fields(rows.kind)
        if each.name not in rows.cells
    }
    again = rows.value({**row, **given_by_database}, **left_out)
    assert rows.row(again) == row


@pytest.mark.parametrize(
    ("kind", "given", "wrong"),
    [
        (int, True, "expected a whole number, not true"),
        (int, 1.0, "expected a whole number, not 1.0"),
        (float, True, "expected a number, not true"),
        (float, "1", 'expected a number, not "1"'),
        (float, 10**400, "expected a number that fits"),
        (str, 1, "expected a text, not 1"),
        (bool, 1, "expected true or false, not 1"),
        (tuple[str, ...], "abc", 'expected a list, not "abc"'),
        (tuple[int, int], [1], "expected a list of 2, not [1]"),
        (Mapping[str, int], {"a": {"b": 1}}, "a: expected a whole number"),
        (tuple[Mapping[str, int], ...], [{}, {"x": "y"}], "[1].x: expected a whole number"),
        (datetime, "2026-01-01T00:00:00", "expected a moment with its time zone"),
        (datetime, 12, "expected a moment, not 12"),
        (typing.Annotated[float, Within(0, 1)], 1.5, "expected a number from 0 to 1, not 1.5"),
        (typing.Annotated[float, Within()], float("nan"), "expected a number that is finite"),
        (typing.Annotated[str, Within(0, 3)], "long", "expected a length from 0 to 3, not 4"),
        (typing.Literal[1, "a"], True, 'expected one of 1, "a", not true'),
        (float | str | None, [], "expected a number, not []"),
    ],
)
def test_values_are_what_their_annotation_says(kind: Any, given: Any, wrong: str) -> None:
    with pytest.raises(Malformed) as refused:
        read(kind, given)
    assert wrong in str(refused.value)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ('{"a": 1, "a": 2}', 'the key "a" is there twice'),
        ('{"a": NaN}', "NaN is not JSON"),
        ("[" * 100_000, "nested too deeply"),
        ("{", "not JSON: "),
        (b"\xff", "not JSON: "),
    ],
)
def test_json_is_read_strictly(text: str | bytes, wrong: str) -> None:
    with pytest.raises(Malformed) as refused:
        parse(text, "a file")
    assert str(refused.value).startswith("a file: ")
    assert wrong in str(refused.value)


def test_numbers_stay_as_they_came() -> None:
    told = read(Mapping[str, float], {"count": 3, "share": 0.5})  # type: ignore[type-abstract]
    assert json.dumps(told) == '{"count": 3, "share": 0.5}'
