import ast
from typing import Any

import pytest

from reverie.dreamers.enrich.search.inside.profiles import profiles_of
from reverie.dreamers.enrich.search.inside.surface import hints_of, names_for_checkers


def likeliest(source: str, key: str, name: str) -> str | None:
    kinds = profiles_of(ast.parse(source))[key][name]
    return max(kinds, key=lambda each: kinds[each]) if kinds else None


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("return x.strip()", "text"),
        ("return x.tzinfo", "moment"),
        ("return x(1)", "function"),
        ("return [e for e in x]", "list"),
        ("return x['key']", "mapping"),
        ("return x // 2", "int"),
        ("return x == 'yes'", "text"),
        ("return x in ('a', 'b')", "text"),
        ("return isinstance(x, bytes)", "blob"),
        ("return re.match('a', x)", "text"),
        ("return x.read()", "file"),
        ("return [1, 2][:x]", "int"),
        ("return map(x, [1])", "function"),
    ],
)
def test_a_use_tells_the_kind(body: str, kind: str) -> None:
    assert likeliest(f"def f(x):\n    {body}", "f", "x") == kind


@pytest.mark.parametrize(
    "docstring",
    [":param x: an integer", ":type x: int", "Args:\n        x (int): how many", "x : int"],
)
def test_a_docstring_tells_the_kind(docstring: str) -> None:
    assert likeliest(f'def f(x):\n    """Do.\n\n    {docstring}\n    """', "f", "x") == "int"


def test_what_is_kept_and_what_is_handed_on_is_followed() -> None:
    source = (
        "class Clock:\n"
        "    def __init__(self, timer):\n        self.timer = timer\n"
        "    def now(self):\n        return self.timer()\n"
        "def make(given):\n    return Clock(given)\n"
    )
    assert likeliest(source, "Clock", "timer") == "function"
    assert likeliest(source, "make", "given") == "function"


def test_nothing_is_said_of_what_is_not_used() -> None:
    assert likeliest("def f(x):\n    return 1", "f", "x") is None


def test_types_that_only_a_checker_imports_are_known(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "checked.py").write_text(
        "from __future__ import annotations\nfrom typing import TYPE_CHECKING\n"
        "if TYPE_CHECKING:\n    from decimal import Decimal\n    import nowhere\n"
        "def f(a: Decimal, b: Sequence[int], c: nowhere.X): ...\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    module = __import__("checked")
    hints = hints_of(module.f, names_for_checkers(module))
    assert hints["a"].__name__ == "Decimal"
    assert set(hints) == {"a", "b"}
