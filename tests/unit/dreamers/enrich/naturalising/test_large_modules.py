"""A module is asked about function by function, and read once for all of them."""

import tokenize
from collections.abc import Iterator
from typing import Any

import pytest

from reverie.dreamers.enrich.naturalising import mining, parameters
from reverie.dreamers.enrich.naturalising.parameters import signatures_of
from reverie.inputs.scope import Scope

SOURCE = "".join(
    f"def price_{number}(name, count=1):\n    # like 'pear {number}'\n"
    f"    return name.upper() * count\n\n\n"
    for number in range(20)
)


@pytest.fixture
def scopes(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    made: list[str] = []

    def counted(*given: Any, **more: Any) -> Scope:
        made.append("scope")
        return Scope(*given, **more)

    monkeypatch.setattr(parameters, "Scope", counted)
    parameters._scope.cache_clear()
    return made


def test_the_names_of_a_module_are_read_once_for_all_its_functions(scopes: list[str]) -> None:
    found = signatures_of(SOURCE, [], frozenset())
    assert len(found.own) == 20
    assert all(each.slots[0].annotation == "str" for each in found.own)
    assert len(scopes) == 1


def test_comments_are_read_once_for_all_functions(monkeypatch: pytest.MonkeyPatch) -> None:
    runs: list[str] = []
    generate = tokenize.generate_tokens

    def counted(readline: Any) -> Iterator[tokenize.TokenInfo]:
        runs.append("run")
        return generate(readline)

    monkeypatch.setattr(tokenize, "generate_tokens", counted)
    mining._comments.cache_clear()
    told = [[*mining.texts_in_comments(SOURCE, 5 * at + 1, 5 * at + 4)] for at in range(20)]
    assert told == [[f"pear {at}"] for at in range(20)]
    assert len(runs) == 1
