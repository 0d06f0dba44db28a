import pytest

from reverie.dreamers.enrich.writing.admission import is_admitted

_OWN = frozenset({"Version", "Colour"})


@pytest.mark.parametrize(
    "source",
    [
        "1",
        "-1.5",
        "(1+2j)",
        "[1, 'a', None, True]",
        "{'a': {1, 2}}",
        "set()",
        "float('nan')",
        "datetime.date(2020, 2, 29)",
        "Version(1, 2, prerelease='rc')",
        "[Version(1), Colour.RED]",
    ],
)
def test_values_are_let_in(source: str) -> None:
    assert is_admitted(source, _OWN)


@pytest.mark.parametrize(
    "source",
    [
        "__import__('os').system('true')",
        "Version.__init__.__globals__",
        "open('/etc/passwd')",
        "Other(1)",
        "[x for x in ()]",
        "lambda: 1",
        "f'{1}'",
        "1 if True else 2",
        "os.environ",
        "'a' + 'b'",
        "(yield)",
        "1 +",
        "(" * 500,
        "'" + "a" * 5000 + "'",
        "Version(1)(2)",
        "(x := 1)",
    ],
)
def test_everything_else_is_refused(source: str) -> None:
    assert not is_admitted(source, _OWN)


def test_modules_of_the_package_are_let_in_only_when_named() -> None:
    assert is_admitted("pkg.other.Thing(1)", _OWN, frozenset({"pkg.other"}))
    assert not is_admitted("pkg.other.Thing(1)", _OWN)
