"""Programs for the sandbox, made of modules and run here."""

import json
import pickle
import re
import subprocess
import sys
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from reverie.sandbox import bundle
from reverie.sandbox.bundle import bundled, needed_modules, source_of

Write = Callable[[dict[str, str]], None]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Write]:
    """Writes modules of a package `shop`, whose own code must not run."""
    monkeypatch.syspath_prepend(tmp_path)

    def written(modules: dict[str, str]) -> None:
        for name, source in {"__init__": "raise SystemExit", **modules}.items():
            path = tmp_path / "shop" / f"{name}.py"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(source, "utf-8")

    yield written
    bundle._module.cache_clear()
    bundle._code.cache_clear()


def run(program: str) -> dict[str, Any]:
    """The names of a program that was run under a name that the list of modules does not have."""
    space: dict[str, Any] = {"__name__": "ran"}
    exec(program, space)  # noqa: S102  our own
    return space


def test_modules_import_one_another_by_their_names(write: Write) -> None:
    write(
        {
            "inside/entry": "from shop.inside.deep import price\nfrom . import names\n"
            "def answer(n): return names.NAME, price(n)\n",
            "inside/deep": "from .names import NAME\ndef price(n): return NAME * n\n",
            "inside/names": "NAME = 'a'\n",
        }
    )
    assert needed_modules(["shop.inside.entry"]) == [
        "shop.inside.names",
        "shop.inside.deep",
        "shop.inside.entry",
    ]
    assert run(bundled("shop.inside.entry:answer"))["answer"](2) == ("a", "aa")


def test_what_only_a_type_checker_reads_is_left_out(write: Write) -> None:
    source = (
        "from typing import TYPE_CHECKING\n"
        "if TYPE_CHECKING:\n    from shop.model import Price\n"
        "def answer(): return 1\n"
    )
    write({"inside/entry": source})
    assert needed_modules(["shop.inside.entry"]) == ["shop.inside.entry"]


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("from shop.model import Price\n", "shop.model does not"),
        ("from .. import model\n", "shop.model does not"),
        ("import shop.model\n", "shop.model does not"),
        ("import shop\n", "shop does not"),
        ("from shop import inside\n", "no such module"),
        ("from . import missing\n", "no such module"),
        ("from . import *\n", "no such module"),
        ("from reverie.errors import UsageError\n", "reverie.errors does not"),
        ("from reverie_pytest.clock import clock\n", "reverie_pytest.clock does not"),
        ("def answer():\n    from . import entry\n", "when it runs"),
        ("from .other import value\n", "import one another"),
    ],
)
def test_an_import_that_would_fail_inside_is_an_error_here(
    write: Write, source: str, words: str
) -> None:
    write({"inside/entry": source, "model": "", "inside/other": "from .entry import answer\n"})
    with pytest.raises(ImportError, match=words):
        bundled("shop.inside.entry:answer")


def test_a_module_may_be_borrowed(write: Write) -> None:
    source = "from shop.model import PRICE\ndef answer(): return PRICE\n"
    write({"inside/entry": source, "model": "PRICE = 3\n"})
    assert run(bundled("shop.inside.entry:answer", borrowed=["shop.model"]))["answer"]() == 3


def test_nothing_of_it_is_in_the_list_of_modules(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = "class Price: pass\ndef answer(): return Price.__module__, answer.__module__\n"
    write({"inside/entry": source})
    program = bundled("shop.inside.entry:answer")
    own, dream = types.ModuleType("shop"), types.ModuleType("dream")
    monkeypatch.setitem(sys.modules, "shop", own)
    monkeypatch.setitem(sys.modules, "dream", dream)
    before = set(sys.modules) - {"dream"}
    exec(program, dream.__dict__)  # noqa: S102  our own
    assert set(sys.modules) == before
    assert sys.modules["shop"] is own
    assert not hasattr(own, "inside")
    assert dream.answer() == ("__main__", "__main__")


def test_what_a_listed_program_makes_can_be_pickled(write: Write) -> None:
    write({"inside/entry": "class Price: pass\ndef answer(): return Price()\n"})
    answer = run(bundled("shop.inside.entry:answer", is_listed=True))["answer"]
    try:
        made = pickle.loads(pickle.dumps(answer()))  # noqa: S301  our own
        assert type(made) is type(answer())
        assert "shop.inside.entry" not in sys.modules
    finally:
        del sys.modules["_shop_inside_entry"]


def test_a_source_stands_alone_or_is_not_given(write: Write) -> None:
    write({"inside/alone": "import os\n", "inside/entry": "from . import alone\n"})
    assert source_of("shop.inside.alone") == "import os\n"
    with pytest.raises(ImportError, match="alone is no program"):
        source_of("shop.inside.entry")


def test_a_planted_value_is_there_before_others_import_it(write: Write) -> None:
    write(
        {
            "inside/entry": "from .names import NAME\ndef answer(): return NAME\n",
            "inside/names": "NAME = 'a'\n",
        }
    )
    planted = {"shop.inside.names": {"NAME": "it's"}}
    assert run(bundled("shop.inside.entry:answer", planted=planted))["answer"]() == "it's"


def test_several_functions_share_their_modules(write: Write) -> None:
    write(
        {
            "inside/one": "seen = []\ndef say(): seen.append(1)\n",
            "inside/two": "from .one import seen\ndef told(): return seen\n",
        }
    )
    space = run(bundled("shop.inside.two:told", "shop.inside.one:say"))
    space["say"]()
    assert space["told"]() == [1]


def test_another_interpreter_takes_the_source(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = "import sys\ndef answer(): return sys._getframe().f_code.co_filename\n"
    write({"inside/entry": source})
    programs = [bundled("shop.inside.entry:answer", file="<there>")]
    monkeypatch.setattr(bundle, "MAGIC_NUMBER", b"\0\0\0\0")
    programs.append(bundled("shop.inside.entry:answer", file="<there>"))
    assert programs[0] != programs[1]
    assert [run(each)["answer"]() for each in programs] == ["<there>", "<there>"]


def test_a_program_is_the_same_text_in_every_process() -> None:
    """It is stored by its content: a new text for every process would be stored every time."""
    ask = (
        "import json, hashlib\nfrom reverie.sandbox.bundle import bundled\n"
        "text = bundled('reverie.instruments.mutation.inside.changes:Changes')\n"
        "print(json.dumps(hashlib.sha256(text.encode()).hexdigest()))\n"
    )
    more = "import asyncio, decimal, logging, unittest\n"
    said = [
        json.loads(subprocess.check_output([sys.executable, "-c", each], text=True))
        for each in (ask, more + ask)
    ]
    assert said[0] == said[1]


def test_nobody_else_reads_what_goes_in() -> None:
    """One way in: whoever opens files of an `inside` package makes a second one."""
    root = Path(bundle.__file__).parents[1]
    looked = [each for each in root.rglob("*.py") if root / "sandbox" not in each.parents]
    own_way = re.compile(r'/ "inside"|with_name\("inside|getsource\(inside')
    assert len(looked) > 500
    assert [str(each) for each in looked if own_way.search(each.read_text("utf-8"))] == []
