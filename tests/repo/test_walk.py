"""The walk of one change in ARCHITECTURE.md is the way that the code goes."""

import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import FunctionType

import pytest

ROOT = Path(__file__).resolve().parents[2]
MOST = 40


def walk() -> Iterator[tuple[str, str | None]]:
    """Every function of the walk with the one that it is indented under."""
    text = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    block = text.partition("## One change")[2].split("```")[1]
    above: list[str] = []
    for line in block.strip("\n").splitlines():
        indent, name = re.match(r"( *)(\S+)", line).groups()  # type: ignore[union-attr]
        del above[len(indent) // 2 :]
        yield name, above[-1] if above else None
        above.append(name)


def found(name: str) -> FunctionType:
    module, _, qualname = name.partition(":")
    value = import_module(f"reverie.{module}")
    for part in qualname.split("."):
        value = getattr(value, part)
    assert isinstance(value, FunctionType), name
    return value


@pytest.mark.parametrize(("name", "caller"), list(walk()))
def test_a_step_of_the_walk_is_called_where_it_says(name: str, caller: str | None) -> None:
    function = found(name)
    if caller is not None:
        assert re.search(rf"\b{function.__name__}\b", inspect.getsource(found(caller)))


def test_the_walk_is_short() -> None:
    names = [name for name, _ in walk()]
    assert 20 < len(names) == len(set(names)) <= MOST
