"""Other spellings of a slow pattern are seen too, and give what they gave: errors included."""

import ast
import itertools
from typing import Any

import pytest

from reverie.dreamers.optimise.patterns import catalogue
from reverie.dreamers.rewriting.scene import Scene
from reverie.dreamers.rewriting.source import Source
from reverie.syntax.nodes import Function


def rewritten(name: str, text: str) -> str:
    (rewrite,) = [each for each in catalogue() if each.name == name]
    source = Source(text)
    functions = [node for node in ast.walk(source.tree) if isinstance(node, Function)]
    changes = [edits for each in functions for edits in rewrite.propose(Scene(source, each))]
    new = source.applied(changes[0])
    assert new is not None
    return new


def answer(text: str, *args: Any) -> tuple[Any, ...]:
    """What comes of a call: a result or an error, and what became of its arguments."""
    space: dict[str, Any] = {}
    exec(text, space)  # noqa: S102  texts of this file
    given = [list(each) if isinstance(each, list) else each for each in args]
    try:
        return repr(space["f"](*given)), repr(given)
    except Exception as error:  # noqa: BLE001  it is the answer
        return type(error), str(error), repr(given)


def assert_same(name: str, text: str, calls: list[tuple[Any, ...]]) -> None:
    new = rewritten(name, text)
    for call in calls:
        assert answer(new, *call) == answer(text, *call), call


NUMBERS = [[], [3], [2, 2], [3, 1, 2], [5, 4, 4, 1, 5, 1], [1, 2, 3, 4, 5, 6, 0, 9, 9, 9]]


@pytest.mark.parametrize(
    "cut",
    [
        "xs[i:i + k]", "xs[i:k + i]", "xs[i - k:i]", "xs[i - k + 1:i + 1]", "xs[i:i + k + 1]",
        "xs[max(0, i - k + 1):i + 1]", "xs[max(i - k, 0):i + k]", "xs[max(0, i - k):i + k + 1]",
    ],
)  # fmt: skip
@pytest.mark.parametrize("which", ["max", "min"])
def test_extremes_of_windows_of_every_size(cut: str, which: str) -> None:
    text = (
        "def f(xs: list[int], k: int, stop: int) -> list[int]:\n    out = []\n"
        f"    for i in range(stop):\n        out.append({which}({cut}))\n    return out\n"
    )
    sizes = (-2, -1, 0, 1, 2, 3, 9, 99)
    calls = [(xs, k, stop) for xs, k in itertools.product(NUMBERS, sizes)
             for stop in (len(xs), len(xs) - k + 1, 3)]  # fmt: skip
    assert_same("window_extremes", text, calls)


def test_a_window_that_ends_at_each_place_needs_no_condition() -> None:
    text = (
        "def f(xs: list[int], k: int) -> list[int]:\n"
        "    return [max(xs[max(0, i - k + 1):i + 1]) for i in range(len(xs))]\n"
    )
    assert " if " not in rewritten("window_extremes", text)
    assert_same("window_extremes", text, [(xs, k) for xs in NUMBERS for k in range(-2, 12)])


def test_a_window_that_is_only_asked_for_its_extremes_is_not_made() -> None:
    text = (
        "def f(xs: list[str], k: int) -> list[tuple[str, str]]:\n    out = []\n"
        "    for i in range(len(xs) - k + 1):\n        part = xs[i:i + k]\n"
        "        out.append((max(part), min(part)))\n    return out\n"
    )
    assert "part" not in rewritten("window_extremes", text)
    assert_same("window_extremes", text, [(list("hello you"), k) for k in range(-1, 11)])


PAIRS = [list(zip("abcdefgh", each, strict=False)) for each in ([], [1], *NUMBERS, [1, 1, 0, 0])]
MOVES = {
    "shift": (
        "        x = xs[i]\n        j = i - 1\n        while j >= 0 and xs[j][1] {sign} x[1]:\n"
        "            xs[j + 1] = xs[j]\n            j -= 1\n        xs[j + 1] = x\n"
    ),
    "turned": (
        "        x = xs[i]\n        j = i\n        while j > 0 and x[1] {turned} xs[j - 1][1]:\n"
        "            xs[j] = xs[j - 1]\n            j = j - 1\n        xs[j] = x\n"
    ),
    "swap": (
        "        j = i\n        while 0 < j and xs[j - 1][1] {sign} xs[j][1]:\n"
        "            xs[j], xs[j - 1] = xs[j - 1], xs[j]\n            j -= 1\n"
    ),
    "for": (
        "        for j in range(i, 0, -1):\n            if xs[j - 1][1] {sign} xs[j][1]:\n"
        "                t = xs[j]\n                xs[j] = xs[j - 1]\n"
        "                xs[j - 1] = t\n"
        "            else:\n                break\n"
    ),
}
TURNED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}


@pytest.mark.parametrize("sign", TURNED)
@pytest.mark.parametrize("how", MOVES)
def test_values_that_are_moved_down_by_a_key(how: str, sign: str) -> None:
    body = MOVES[how].format(sign=sign, turned=TURNED[sign])
    text = f"def f(xs: list[tuple[str, int]]) -> None:\n    for i in range(1, len(xs)):\n{body}"
    assert_same("insertion_sort", text, [(xs,) for xs in PAIRS])


def test_a_key_that_may_be_missing_is_not_asked_of_one_alone() -> None:
    text = (
        "def f(rows: list[dict[str, int]]) -> list[dict[str, int]]:\n    xs = list(rows)\n"
        "    for i in range(1, len(xs)):\n        x = xs[i]\n        j = i - 1\n"
        "        while j >= 0 and xs[j]['a'] > x['a']:\n            xs[j + 1] = xs[j]\n"
        "            j -= 1\n        xs[j + 1] = x\n    return xs\n"
    )
    a, b = {"a": 2, "b": 0}, {"a": 1}
    assert_same("insertion_sort", text, [([],), ([{}],), ([a, b],), ([a, {}, b],), ([{}, {}],)])


@pytest.mark.parametrize(
    ("walks", "pair"),
    [
        (("range(len(xs))", "range(len(xs) - 1)"), ("j", "j + 1")),
        (("range(len(xs) - 1)", "range(0, len(xs) - 1 - i)"), ("j", "j + 1")),
        (("range(1, len(xs))", "range(len(xs) - i)"), ("j", "j + 1")),
        (("range(len(xs) - 1, 0, -1)", "range(i)"), ("j", "j + 1")),
        (("range(len(xs))", "range(1, len(xs) - i)"), ("j - 1", "j")),
    ],
)
@pytest.mark.parametrize("sign", ["<", ">"])
def test_neighbours_that_are_exchanged(
    walks: tuple[str, str], pair: tuple[str, str], sign: str
) -> None:
    one, two = (f"xs[{each}]" for each in pair)
    text = (
        f"def f(xs: list[tuple[str, int]]) -> None:\n    for i in {walks[0]}:\n"
        f"        for j in {walks[1]}:\n            if {one}[1] {sign} {two}[1]:\n"
        f"                {one}, {two} = {two}, {one}\n"
    )
    assert_same("bubble_sort", text, [(xs,) for xs in PAIRS])


@pytest.mark.parametrize("sign", ["<", ">"])
def test_the_rest_that_is_selected_from(sign: str) -> None:
    head = "def f(xs: list[int]) -> None:\n    n = len(xs)\n    for i in range(n - 1):\n"
    selected = (
        f"        m = i\n        for j in range(i + 1, n):\n            if xs[j] {sign} xs[m]:\n"
        "                m = j\n        if m != i:\n            xs[i], xs[m] = xs[m], xs[i]\n"
    )
    exchanged = (
        f"        for j in range(i + 1, n):\n            if xs[j] {sign} xs[i]:\n"
        "                xs[i], xs[j] = xs[j], xs[i]\n"
    )
    calls = [(xs,) for xs in NUMBERS]
    for body in (selected, exchanged):
        assert_same("selection_sort", head + body, calls)


@pytest.mark.parametrize("sign", TURNED)
def test_things_that_are_put_in_their_place(sign: str) -> None:
    head = (
        "def f(xs: list[tuple[str, int]]) -> list[tuple[str, int]]:\n"
        "    out: list[tuple[str, int]] = []\n    for x in xs:\n"
    )
    walk = (
        f"        p = 0\n        while p < len(out) and out[p][1] {sign} x[1]:\n"
        "            p += 1\n        out.insert(p, x)\n    return out\n"
    )
    search = (
        f"        for p in range(len(out)):\n            if out[p][1] {sign} x[1]:\n"
        "                out.insert(p, x)\n                break\n"
        "        else:\n            out.append(x)\n    return out\n"
    )
    for body in (walk, search):
        assert_same("placed_in_order", head + body, [(xs,) for xs in PAIRS])


@pytest.mark.parametrize(
    "made",
    [
        "{**d, x: len(d)}", "d | {x: d.get(x, 0) + 1}", "dict(d, **{x: 1})", "dict(d, a=len(d))",
        "{**d, x: 1, 'n': len(d)}", "d | {x + 'a': d.get(x, 0) + 1}", "{**d, **{x: 2}, 'z': x}",
    ],
)  # fmt: skip
def test_dictionaries_that_are_made_anew(made: str) -> None:
    text = (
        "def f(xs: list[str]) -> dict[str, int]:\n    d = {}\n"
        f"    for x in xs:\n        if len(d) < 4:\n            d = {made}\n    return d\n"
    )
    assert "d = {}" in rewritten("rebuilt_table", text)
    assert_same("rebuilt_table", text, [(list("abcabxyz"),), ([],), (["a", "a"],)])


@pytest.mark.parametrize(
    "made", ["s | {x}", "s - {x}", "{*s, x}", "s.union([x])", "s | {x, x * 2}", "{*s, x, 7}"]
)
def test_sets_that_are_made_anew(made: str) -> None:
    text = (
        "def f(xs: list[int]) -> int:\n    s = {1, 2}\n    n = 0\n    for x in xs:\n"
        f"        if x in s:\n            n += len(s)\n        s = {made}\n    return n\n"
    )
    assert_same("rebuilt_set", text, [(xs,) for xs in NUMBERS] + [([[1]],), ([1, {}],)])


@pytest.mark.parametrize("made", ["t = t + (x,)", "t += (x, 1)", "t = (*t, x)", "t = (*t, *ys)"])
def test_tuples_that_are_made_anew(made: str) -> None:
    text = (
        "def f(xs: list[int], ys: list[int]) -> tuple[int, ...]:\n    t = (7,)\n"
        f"    for x in xs:\n        {made}\n        if x in t and len(t) > 5:\n"
        "            return t\n    return t\n"
    )
    assert_same("grown_tuple", text, [(xs, [1, 2]) for xs in NUMBERS])


WORDS = [("", ""), ("ab", "ba"), ("aab", "aba"), ("aab", "abb"), ("abc", "ab"), ("a", "abc")]


@pytest.mark.parametrize(
    "body",
    [
        "        if x not in rest:\n            return False\n        rest.remove(x)\n",
        "        if x in rest:\n            m += 1\n            rest.remove(x)\n",
        (
            "        if x not in rest:\n            m += 1\n"
            "        else:\n            rest.remove(x)\n"
        ),
        (
            "        try:\n            rest.remove(x)\n"
            "        except ValueError:\n            m += 1\n"
        ),
        (
            "        try:\n            rest.remove(x)\n        except ValueError:\n"
            "            last = m\n        else:\n            m += 1\n"
        ),
        "        if x in rest:\n            rest.remove(x)\n        rest.append(x)\n",
    ],
)
@pytest.mark.parametrize("made", ["list(ys)", "sorted(ys)", "[y for y in ys]"])
def test_what_is_left_of_a_list(body: str, made: str) -> None:
    text = (
        f"def f(xs: str, ys: str) -> object:\n    rest = {made}\n    m = 0\n    for x in xs:\n"
        f"{body}    return m, len(rest), not rest\n"
    )
    assert_same("counted_rest", text, WORDS)


@pytest.mark.parametrize("power", ["a ** b % m", "pow(a, b) % m", "(a + 1) ** (b - 1) % -m"])
def test_remainders_of_powers_of_every_sign(power: str) -> None:
    text = f"def f(a: int, b: int, m: int) -> object:\n    return {power}\n"
    values = (-7, -1, 0, 1, 2, 10)
    assert_same("modular_power", text, list(itertools.product(values, repeat=3)))


def test_a_walk_along_a_part_of_a_list_for_its_largest() -> None:
    text = (
        "def f(xs: list[int], i: int, k: int) -> int:\n    best = xs[i]\n"
        "    for j in range(i, i + k):\n        best = max(best, xs[j])\n    return best\n"
    )
    calls = [(xs, i, k) for xs in NUMBERS for i in range(-2, 4) for k in range(-1, 5)]
    assert_same("ranged_extreme", text, calls)


@pytest.mark.parametrize(
    "asked", ["x in xs[:i]", "x not in xs[:i]", "x in xs[i + 1:]", "7 in xs[i:]"]
)
@pytest.mark.parametrize("walk", ["enumerate(xs)", "enumerate(ys)"])
def test_what_stands_before_or_behind_a_place(asked: str, walk: str) -> None:
    text = (
        "def f(xs: list[int], ys: list[int]) -> list[bool]:\n"
        f"    return [{asked} for i, x in {walk}]\n"
    )
    assert_same("member_of_part", text, list(itertools.product(NUMBERS, NUMBERS)))


@pytest.mark.parametrize("asked", ["xs[:i].count(xs[i])", "xs[i + 1:].count(k)", "xs[i:].count(3)"])
def test_how_often_it_stands_before_or_behind_a_place(asked: str) -> None:
    text = (
        "def f(xs: list[int], k: int) -> list[int]:\n    out = []\n"
        f"    for i in range(len(xs)):\n        out.append({asked} * 2)\n    return out\n"
    )
    assert_same("count_of_part", text, [(xs, k) for xs in NUMBERS for k in (1, 4)])


@pytest.mark.parametrize(
    "test", ["{} < k", "{} == k or {} % 2 == 0", "not {}", "{} in ys", "{}", "{} >= 2"]
)
def test_what_goes_from_a_list(test: str) -> None:
    head = "def f(xs: list[int], k: int, ys: list[int]) -> list[int]:\n"
    by_value = "    for x in xs[:]:\n        if {}:\n            xs.remove(x)\n    return xs\n"
    behind = (
        "    for i in reversed(range(len(xs))):\n        if {}:\n            del xs[i]\n"
        "    return xs\n"
    )
    steps = (
        "    i = 0\n    while i < len(xs):\n        if {}:\n            xs.pop(i)\n"
        "        else:\n            i += 1\n    return xs\n"
    )
    calls = [(xs, k, [1, 4]) for xs in NUMBERS for k in (0, 2, 5)]
    for body, spot in ((by_value, "x"), (behind, "xs[i]"), (steps, "xs[i]")):
        text = head + body.format(test.replace("{}", spot))
        assert_same("weeded_list", text, calls)
