"""Every rewrite does what its example says, and the example behaves the same before and after."""

import ast

import pytest

from reverie.dreamers.optimise.patterns import catalogue
from reverie.dreamers.optimise.rewrite import Rewrite
from reverie.dreamers.rewriting.scene import Function, Scene
from reverie.dreamers.rewriting.source import Source

every_rewrite = pytest.mark.parametrize("rewrite", catalogue(), ids=lambda each: each.name)


def proposed(rewrite: Rewrite, text: str) -> list[str | None]:
    source = Source(text)
    functions = [node for node in ast.walk(source.tree) if isinstance(node, Function)]
    return [
        source.applied(edits)
        for function in functions
        for edits in rewrite.propose(Scene(source, function))
    ]


@every_rewrite
def test_it_makes_of_its_example_what_it_says(rewrite: Rewrite) -> None:
    assert rewrite.after in proposed(rewrite, rewrite.before)


@every_rewrite
def test_it_has_nothing_to_say_about_plain_code(rewrite: Rewrite) -> None:
    plain = "def add(a: int, b: int) -> int:\n    total = a + b\n    return total\n"
    assert proposed(rewrite, plain) == []


def test_there_are_at_least_thirty_that_gain_something() -> None:
    assert sum(not each.is_enabling for each in catalogue()) >= 30


def test_names_are_told_apart() -> None:
    names = [each.name for each in catalogue()]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        pytest.param(
            "list_to_set",
            "def f(rows: list[list], xs: list[list]) -> list:\n"
            "    return [row for row in rows if row in xs]\n",
            id="what is held may not be hashable",
        ),
        pytest.param(
            "list_to_set",
            "def f(names: list[str], seen: list[str]) -> None:\n"
            "    for name in names:\n"
            "        if name not in seen:\n"
            "            seen.append(name)\n",
            id="the list grows in the loop",
        ),
        pytest.param(
            "growing_list_with_set",
            "def f(names: list[str]) -> list[str]:\n"
            "    kept = []\n"
            "    for name in names:\n"
            "        if name not in kept:\n"
            "            kept.append(name)\n"
            "            kept.pop(0)\n"
            "    return kept\n",
            id="it also shrinks",
        ),
        pytest.param(
            "sliced_sum",
            "def f(xs: list[float], k: int) -> list[float]:\n"
            "    out = []\n"
            "    for i in range(len(xs)):\n"
            "        out.append(sum(xs[i:i + k]))\n"
            "    return out\n",
            id="floats do not add up the same way",
        ),
        pytest.param(
            "remembered_helper",
            "def row(kind: str) -> list[str]:\n"
            "    return [kind]\n"
            "def f(kinds: list[str]) -> list[list[str]]:\n"
            "    out = []\n"
            "    for kind in kinds:\n"
            "        out.append(row(kind))\n"
            "    return out\n",
            id="what the helper returns can be changed",
        ),
        pytest.param(
            "remembered_helper",
            "import time\n"
            "def now(kind: str) -> str:\n"
            "    return kind + str(time.time())\n"
            "def f(kinds: list[str]) -> list[str]:\n"
            "    out = []\n"
            "    for kind in kinds:\n"
            "        out.append(now(kind))\n"
            "    return out\n",
            id="the helper asks the clock",
        ),
        pytest.param(
            "joined_text",
            "def f(xs: list[str]) -> str:\n"
            '    text = ""\n'
            "    for x in xs:\n"
            "        if len(text) < 9:\n"
            "            text = x + text\n"
            "    return text\n",
            id="the text is looked at while it grows",
        ),
        pytest.param(
            "extended_list",
            "def f(xs: list[int], out: list[int]) -> list[int]:\n"
            "    for x in xs:\n"
            "        out = out + [x]\n"
            "    return out\n",
            id="the caller holds the list",
        ),
        pytest.param(
            "grouped_rows",
            "def f(xs: list[float], rows: list[tuple[float, int]]) -> list[int]:\n"
            "    return [sum(n for key, n in rows if key == x) for x in xs]\n",
            id="a NaN equals nothing, but is found as a key",
        ),
        pytest.param(
            "grouped_rows",
            "def f(xs: list[str], rows: list[tuple[str, int]]) -> list[int]:\n"
            "    out = []\n"
            "    for x in xs:\n"
            "        out.append(sum(n for key, n in rows if key == x))\n"
            "        rows.append((x, 1))\n"
            "    return out\n",
            id="the rows grow in the loop",
        ),
        pytest.param(
            "flag_loop",
            "def f(x: float, xs: list[float]) -> bool:\n"
            "    found = False\n"
            "    for y in xs:\n"
            "        if y == x:\n"
            "            found = True\n"
            "            break\n"
            "    return found\n",
            id="a NaN is in its list, and equals nothing",
        ),
        pytest.param(
            "matching_pairs",
            "def f(xs: list[float]) -> bool:\n"
            "    for i in range(len(xs)):\n"
            "        for j in range(i + 1, len(xs)):\n"
            "            if xs[i] == xs[j]:\n"
            "                return True\n"
            "    return False\n",
            id="equal floats",
        ),
        pytest.param(
            "hoisted_call",
            "def f(xs: list[int]) -> list[int]:\n"
            "    out = []\n"
            "    for x in list(xs):\n"
            "        out.append(max(xs))\n"
            "        xs.append(x)\n"
            "    return out\n",
            id="the list changes on the way",
        ),
        pytest.param(
            "hoisted_call",
            "def f(xs: list[int], ys: list[int]) -> list[int]:\n"
            "    return [y - max(xs) for y in ys]\n",
            id="it would raise though nothing is asked",
        ),
        pytest.param(
            "heap",
            "def f(left: list[int]) -> list[int]:\n"
            "    out = []\n"
            "    while left:\n"
            "        left.sort()\n"
            "        out.append(left.pop(0))\n"
            "    return out\n",
            id="the caller sees how the list is left",
        ),
        pytest.param(
            "first_of_sorted",
            "def f(xs: list[tuple[float, str]]) -> tuple[float, str]:\n    return sorted(xs)[-1]\n",
            id="of equals the last is not the first",
        ),
        pytest.param(
            "prefix_extremes",
            "def f(xs: list[float]) -> list[float]:\n"
            "    return [max(xs[: i + 1]) for i in range(len(xs))]\n",
            id="extremes of what has no order",
        ),
        pytest.param(
            "remembered_method",
            "class Till:\n"
            "    def __init__(self) -> None:\n"
            "        self.asked = 0\n"
            "    def price(self, name: str) -> int:\n"
            "        self.asked += 1\n"
            "        return len(name)\n"
            "def f(names: list[str]) -> list[int]:\n"
            "    till = Till()\n"
            "    out = []\n"
            "    for name in names:\n"
            "        out.append(till.price(name))\n"
            "    return out\n",
            id="the method counts its calls",
        ),
    ],
)
def test_where_it_would_be_wrong_it_is_silent(name: str, text: str) -> None:
    rewrite = next(each for each in catalogue() if each.name == name)
    assert proposed(rewrite, text) == []
