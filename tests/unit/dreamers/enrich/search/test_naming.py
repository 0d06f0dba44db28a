import ast

import pytest

from reverie.dreamers.enrich.search.answers import Names, imported_names, own_names

NAMES = Names(
    frozenset({"Version"}),
    frozenset({"Helper"}),
    frozenset({"datetime", "collections", "collections.abc"}),
    {"failing": "def failing():\n    raise ValueError\n", "Sub": "class Sub(Version):\n    pass\n"},
)


def test_a_line_comes_with_what_it_needs() -> None:
    line = NAMES.expression("Version(1).at(datetime.date(2020, 1, 1), Helper())")
    assert line is not None
    assert (line.names, line.modules) == ({"Version", "Helper"}, {"datetime"})


def test_the_longest_module_is_imported() -> None:
    line = NAMES.expression("collections.abc.Mapping")
    assert line is not None
    assert line.modules == {"collections.abc"}


def test_a_stand_in_brings_its_base() -> None:
    line = NAMES.expression("Sub()")
    assert line is not None
    assert line.names == {"Version"}
    assert len(line.definitions) == 1


def test_names_of_earlier_lines_and_of_lambdas_are_no_needs() -> None:
    line = NAMES.expression("made.go(lambda x: x)", ["made"])
    assert line is not None
    assert line.names == set()


@pytest.mark.parametrize(
    "source", ["nobody()", "subprocess.run('true')", "import os", "def f(", "1; 2", "\0"]
)
def test_what_nobody_has_or_is_no_single_line_is_refused(source: str) -> None:
    assert NAMES.expression(source) is None


def test_own_names_are_defined_and_helpers_imported() -> None:
    tree = ast.parse(
        "from .other import Thing\nfrom os import path\nimport re\nLIMIT = 1\n"
        "class A: pass\ndef f(): pass\nif True:\n    def g(): pass\n"
    )
    assert own_names(tree) == {"LIMIT", "A", "f", "g"}
    assert imported_names(tree, "pkg") == {"Thing"}
