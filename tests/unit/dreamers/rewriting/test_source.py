import ast

from reverie.dreamers.rewriting.source import Edit, Edits, Source


def test_positions_are_in_bytes_and_texts_are_not_cut() -> None:
    source = Source("x = 'é' + y\n")
    assert [source.of(node) for node in ast.walk(source.tree) if isinstance(node, ast.Name)] == [
        "x",
        "y",
    ]


def test_edits_that_overlap_are_refused() -> None:
    source = Source("abc = 1\n")
    assert source.applied(Edits((Edit(0, 3, "x"), Edit(2, 4, "y")))) is None


def test_what_is_no_python_is_refused() -> None:
    assert (
        Source("a = 1\n").applied(Edits((Edit(0, 1, "1 2"),), frozenset({("os", "path")}))) is None
    )


def test_imports_go_behind_those_that_are_there() -> None:
    text = '"""Doc."""\n\nimport re\n\nx = 1\n'
    wanted = Edits((), frozenset({("collections", "deque")}))
    assert Source(text).applied(wanted) == (
        '"""Doc."""\n\nimport re\nfrom collections import deque\n\nx = 1\n'
    )


def test_an_import_that_is_there_is_not_made_again() -> None:
    text = "from collections import deque\n"
    assert Source(text).applied(Edits((), frozenset({("collections", "deque")}))) == text


def test_a_statement_alone_on_its_line_goes_with_the_line() -> None:
    source = Source("a = 1\nb = 2\n")
    assert source.applied(Edits((source.removed(source.tree.body[0]),))) == "b = 2\n"


def test_an_import_of_the_standard_library_goes_among_its_like() -> None:
    text = "from __future__ import annotations\n\nimport re\nfrom math import sqrt\n\nimport nx\n"
    wanted = Edits((), frozenset({("collections", "deque"), ("operator", "iadd")}))
    assert Source(text).applied(wanted) == (
        "from __future__ import annotations\n\nimport re\nfrom collections import deque\n"
        "from math import sqrt\nfrom operator import iadd\n\nimport nx\n"
    )


def test_a_remark_stays_on_its_line() -> None:
    source = Source("a = 1  # one\nb = 2\n")
    after = source.after(source.tree.body[0], "c = 3")
    assert source.applied(Edits((after,))) == "a = 1  # one\nc = 3\nb = 2\n"
