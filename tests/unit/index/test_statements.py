import asyncio
import difflib
import inspect
import statistics
import textwrap
from types import ModuleType

import pytest
from coverage.parser import PythonParser

from reverie.index.statements import Statement, statements_of


def lines(source: str) -> list[int]:
    found = statements_of(textwrap.dedent(source))
    assert found is not None
    return [each.line for each in found]


@pytest.mark.parametrize("module", [inspect, statistics, difflib, asyncio.base_events, pytest])
def test_statements_are_those_that_coverage_py_counts(module: ModuleType) -> None:
    source = inspect.getsource(module)
    parser = PythonParser(text=source, exclude=r"#\s*pragma: no cover")
    parser.parse_source()
    found = statements_of(source)
    assert found is not None
    ours = {each.line for each in found}
    assert len(ours ^ parser.statements) <= len(ours) * 0.005


def test_docstrings_and_declarations_cannot_be_run() -> None:
    source = '''\
    """Module."""
    x = 1
    def f():
        """Function."""
        global x
        "no docstring"
        return x
    '''
    assert lines(source) == [2, 3, 6, 7]


def test_a_statement_has_all_lines_that_are_only_its_own() -> None:
    source = "x = [\n    1,\n]\nif (\n    x\n):\n    y = 1\nelse:\n    y = 2\n"
    assert statements_of(source) == (
        Statement(1, 3),
        Statement(4, 6),
        Statement(7, 7),
        Statement(9, 9),
    )


def test_decorators_handlers_and_cases_count() -> None:
    source = """\
    @a
    @b(
        1)
    def f(): return 1
    try:
        f()
    except ValueError: pass
    finally:
        f()
    match f():
        case 1:
            f()
        case _: pass
    """
    assert lines(source) == [1, 2, 4, 4, 5, 6, 7, 7, 9, 10, 11, 12, 13, 13]
    assert all(each.last_line >= each.line for each in statements_of(textwrap.dedent(source)) or ())


def test_what_is_marked_is_left_out_with_everything_in_it() -> None:
    source = """\
    if a:  # pragma: no cover
        b()
    c()  # pragma: no cover
    d()
    """
    assert lines(source) == [4]


@pytest.mark.parametrize("source", ["def f(:", "\0", "(" * 10_000, b"# coding: nonsense\nx = 1"])
def test_what_does_not_parse_has_no_statements(source: str | bytes) -> None:
    assert statements_of(source) is None
