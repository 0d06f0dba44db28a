"""Calls made from source, tried in the real sandbox against code that lies in a folder."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from reverie import Policy, Sandbox
from reverie.inputs import folder_resolver, read
from reverie.instruments.acceptance import accepted_calls

CODE = {
    "shop/__init__.py": "",
    "shop/money.py": """
import re

class Price:
    def __init__(self, text: str) -> None:
        if not re.fullmatch(r"[A-Z]{3} [0-9]+", text):
            raise TypeError("not a price")
        self.text = text

def example() -> Price:
    return Price("EUR 12")
""",
    "shop/cart.py": """
from __future__ import annotations
import asyncio
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    from .money import Price

class Option:
    def __init__(self, name: str | None = None) -> None:
        if getattr(name, "strip", None) is None:
            raise TypeError("an option has a name after all")

class Label:
    def __init__(self, text: str | None = None) -> None:
        if text is None:
            raise TypeError("a label has a text after all")

class Cart:
    def __init__(self, owner: str) -> None:
        self.lines: list[Price] = []
    def add(self, price: Price, times: int = 1) -> int:
        self.lines += [price] * times
        return len(self.lines[0].text)
    async def send(self, option: Option) -> None:
        await asyncio.sleep(0)
    def mark(self, label: Label) -> Label:
        return label
    @property
    def discount(self) -> int:
        return self._discount
    @discount.setter
    def discount(self, value: int) -> None:
        self._discount = value + 0

def picky(n: int) -> int:
    raise TypeError(f"never {n}")
""",
}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("code")
    for name, text in CODE.items():
        path = root / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    return root


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as opened:
        yield opened


def tried(sandbox: Sandbox, root: Path, qualname: str):
    source = (root / "shop" / "cart.py").read_text("utf-8")
    shape = read(source, qualname, module="shop.cart", resolver=folder_resolver(root))
    policy = Policy(readonly=(str(root),), import_paths=(str(root),))
    return accepted_calls(sandbox, shape, "shop.cart", policy=policy)


def test_an_instance_is_made_the_way_its_module_shows(sandbox: Sandbox, shop: Path) -> None:
    found = tried(sandbox, shop, "Cart.add")
    assert len(found.calls) >= 5
    assert any("shop.money.Price('EUR 12')" in call.render("add") for call in found.calls)


def test_what_was_accepted_once_is_used_again(sandbox: Sandbox, shop: Path) -> None:
    found = tried(sandbox, shop, "Cart.send")
    assert not found.attempts[0].is_accepted, "the class needs what it does not ask for"
    assert found.attempts[0].error == "TypeError"
    assert len(found.calls) >= 5


def test_what_a_guard_says_is_known_before_anything_is_tried(sandbox: Sandbox, shop: Path) -> None:
    found = tried(sandbox, shop, "Cart.mark")
    assert len(found.attempts) == len(found.calls) == 5


def test_a_property_is_read_and_set_in_the_sandbox(sandbox: Sandbox, shop: Path) -> None:
    found = tried(sandbox, shop, "Cart.discount")
    read_only = [each for each in found.attempts if not each.call.args]
    written = [each for each in found.attempts if each.call.args]
    assert {each.error for each in read_only} == {"AttributeError"}, "it was never set"
    assert {each.error for each in written} == {None}


def test_a_function_that_refuses_everything_has_no_accepted_call(
    sandbox: Sandbox, shop: Path
) -> None:
    found = tried(sandbox, shop, "picky")
    assert found.calls == []
    assert {each.message[:5] for each in found.attempts} == {"never"}
    assert all(each.is_made for each in found.attempts)
