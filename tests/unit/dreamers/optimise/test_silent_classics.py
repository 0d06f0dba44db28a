"""Classic slow patterns that only look like one: nothing is proposed where it would be wrong."""

import ast

import pytest

from reverie.dreamers.optimise.patterns import catalogue
from reverie.dreamers.rewriting.scene import Scene
from reverie.dreamers.rewriting.source import Source
from reverie.syntax.nodes import Function


def proposed(name: str, text: str) -> list[str]:
    (rewrite,) = [each for each in catalogue() if each.name == name]
    source = Source(text)
    (function,) = [node for node in ast.walk(source.tree) if isinstance(node, Function)]
    applied = [source.applied(edits) for edits in rewrite.propose(Scene(source, function))]
    return [each for each in applied if each is not None]


WINDOW = "def f(xs: {kind}, k: {size}) -> list:\n    return [max({cut}) for i in range(len(xs))]\n"
SORTED = (
    "def f(xs: {kind}) -> None:\n    for i in range(1, len(xs)):\n        x = xs[i]\n"
    "        j = i - 1\n        while j >= 0 and {test}:\n            xs[j + 1] = xs[j]\n"
    "            j -= 1\n        xs[j + 1] = x\n{after}"
)
REBUILT = (
    "def f(xs: list[str], kept: list) -> dict:\n    d = {start}\n    {before}\n"
    "    for x in {walk}:\n        d = {{**d, x: 1}}\n        {inside}\n    return d\n"
)
REST = (
    "def f(xs: {kind}, ys: {kind}) -> object:\n    rest = {made}\n    for x in xs:\n"
    "        {test}\n        {between}\n        rest.remove(x)\n    return {result}\n"
)
POWER = "def f(a: {a}, b: {b}, m: {m}) -> object:\n    return {power}\n"


def filled(template: str, plain: dict[str, str], **others: str) -> str:
    return template.format(**plain | others)


PLAIN_WINDOW = {"kind": "list[int]", "size": "int", "cut": "xs[i:i + k]"}
PLAIN_SORTED = {"kind": "list[tuple[str, int]]", "test": "xs[j][1] > x[1]", "after": ""}
PLAIN_REBUILT = {"start": "{}", "before": "pass", "walk": "xs", "inside": "pass"}
PLAIN_REST = {
    "kind": "list[str]", "made": "list(ys)", "test": "if x not in rest: return 0",
    "between": "pass", "result": "len(rest)",
}  # fmt: skip
PLAIN_POWER = {"a": "int", "b": "int", "m": "int", "power": "a ** b % m"}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("window_extremes", filled(WINDOW, PLAIN_WINDOW)),
        ("insertion_sort", filled(SORTED, PLAIN_SORTED)),
        ("rebuilt_table", filled(REBUILT, PLAIN_REBUILT)),
        ("counted_rest", filled(REST, PLAIN_REST, between="print(x)")),
        ("modular_power", filled(POWER, PLAIN_POWER)),
    ],
)
def test_the_plain_forms_of_what_follows_are_seen(name: str, text: str) -> None:
    assert len(proposed(name, text)) == 1


@pytest.mark.parametrize(
    "others",
    [
        {"kind": "list[float]"},
        {"kind": "list[frozenset[int]]"},
        {"kind": "Iterable[int]"},
        {"kind": "list"},
        {"size": "float"},
        {"size": "'int | None'"},
        {"cut": "xs[i:i + 3]"},
        {"cut": "xs[i:i * k]"},
        {"cut": "xs[i:i + k:2]"},
        {"cut": "xs[i:i + k], default=0"},
        {"cut": "xs[0:k]"},
    ],
)
def test_windows_need_values_with_an_order_and_one_size(others: dict[str, str]) -> None:
    assert proposed("window_extremes", filled(WINDOW, PLAIN_WINDOW, **others)) == []


@pytest.mark.parametrize(
    "text",
    [
        "def f(xs: list[int], k: int) -> None:\n    for i in range(9):\n"
        "        xs[i] = max(xs[i:i + k])\n",
        "def f(xs: list[int], k: int) -> None:\n    for i in range(9):\n"
        "        k += max(xs[i:i + k])\n",
        "def f(xs: list[int], k: int) -> list:\n    out = []\n    for i in range(len(xs)):\n"
        "        part = xs[i:i + k]\n        i += 1\n        out.append(max(part))\n"
        "    return out\n",
        "def f(xs: list[int], k: int) -> list:\n    out = []\n    for i in range(len(xs)):\n"
        "        part = xs[i:i + k]\n        out.append((max(part), part))\n    return out\n",
    ],
)
def test_windows_of_what_changes_are_looked_through(text: str) -> None:
    assert proposed("window_extremes", text) == []


@pytest.mark.parametrize(
    "others",
    [
        {"kind": "list[tuple[str, float]]"},
        {"kind": "list"},
        {"kind": "MutableSequence[tuple[str, int]]"},
        {"test": "xs[j][1] > x[0]"},
        {"test": "xs[j][1] > x[1] + i"},
        {"test": "xs[j][1] > x[1] and x[0]"},
        {"test": "xs[j][1] != x[1]"},
        {"test": "key(xs[j]) > key(x)"},
        {"kind": "list[dict[str, int]]", "test": "xs[j]['a'] > x['a']"},
        {"kind": "list[list[int]]", "test": "xs[j][0] > x[0]"},
        {"kind": "list[object]", "test": "xs[j] > x"},
        {"after": "    return j\n"},
        {"after": "    print(x)\n"},
    ],
)
def test_only_what_surely_has_an_order_is_sorted(others: dict[str, str]) -> None:
    assert proposed("insertion_sort", filled(SORTED, PLAIN_SORTED, **others)) == []


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("bubble_sort", "for j in range(n - i - 2):\n{}            if xs[j] > xs[j + 1]:\n{}"),
        ("bubble_sort", "for j in range(n - i - 1):\n{}            if xs[j] >= xs[j + 1]:\n{}"),
        ("bubble_sort", "for j in range(1, n - 1):\n{}            if xs[j] > xs[j + 1]:\n{}"),
        ("bubble_sort", "for j in range(n - 1):\n            print(j)\n{}"
                        "            if xs[j] > xs[j + 1]:\n{}"),
    ],
)  # fmt: skip
def test_walks_that_do_not_sort_all_are_no_sort(name: str, body: str) -> None:
    swap = "                xs[j], xs[j + 1] = xs[j + 1], xs[j]\n"
    head = "def f(xs: list[int]) -> None:\n    n = len(xs)\n    for i in range(n):\n        "
    assert proposed(name, head + body.format("", swap)) == []


def test_a_length_that_was_taken_before_the_list_grew_is_none() -> None:
    text = (
        "def f(xs: list[int]) -> None:\n    n = len(xs)\n    {}\n    for i in range(n):\n"
        "        for j in range(n - 1):\n            if xs[j] > xs[j + 1]:\n"
        "                xs[j], xs[j + 1] = xs[j + 1], xs[j]\n"
    )
    assert proposed("bubble_sort", text.format("xs.append(0)")) == []
    assert len(proposed("bubble_sort", text.format("pass"))) == 1


@pytest.mark.parametrize("kind", ["list[float]", "list[tuple[str, Person]]", "list"])
def test_selecting_keeps_no_order_of_equal_ones(kind: str) -> None:
    text = (
        "def f(xs: {}) -> None:\n    for i in range(len(xs)):\n        least = i\n"
        "        for j in range(i + 1, len(xs)):\n            if xs[j]{} < xs[least]{}:\n"
        "                least = j\n        xs[i], xs[least] = xs[least], xs[i]\n"
    )
    assert proposed("selection_sort", text.format(kind, "", "")) == []
    assert proposed("selection_sort", text.format("list[tuple[str, int]]", "[1]", "[1]")) == []


@pytest.mark.parametrize(
    "others",
    [
        {"start": "defaultdict(int)"},
        {"start": "kept[0]"},
        {"before": "first = d"},
        {"before": "kept.append(d)"},
        {"before": "get = d.get"},
        {"inside": "kept.append(d)"},
        {"inside": "kept[0] = d"},
        {"inside": "yield d"},
        {"inside": "view = d.items()"},
        {"inside": "kept.append(lambda: d)"},
        {"inside": "d = kept[0]"},
        {"walk": "d"},
        {"walk": "d.keys()"},
        {"walk": "zip(xs, d)"},
    ],
)
def test_a_dictionary_that_somebody_else_holds_is_made_anew(others: dict[str, str]) -> None:
    assert proposed("rebuilt_table", filled(REBUILT, PLAIN_REBUILT, **others)) == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("rebuilt_set", "def f(xs):\n    s = set()\n    for x in xs:\n        s = s | {x}\n"
                        "    return s\n"),
        ("rebuilt_set", "def f(xs, s):\n    for x in xs:\n        s = s | {x}\n"
                        "    return len(s)\n"),
        ("rebuilt_set", "def f(xs, k):\n    s = set()\n    for x in xs:\n        k.append(s)\n"
                        "        s = s | {x}\n    return len(s)\n"),
        ("grown_tuple", "def f(xs, seen):\n    t = ()\n    for x in xs:\n        t += (x,)\n"
                        "        seen.add(t)\n    return t\n"),
        ("grown_tuple", "def f(xs):\n    t = ()\n    for x in xs:\n        t += x\n"
                        "    return t\n"),
        ("grown_tuple", "def f(xs):\n    t = ()\n    for x in xs:\n        t = (x,) + t\n"
                        "    return t\n"),
        ("grown_tuple", "def f(xs):\n    t = ()\n    try:\n        for x in xs:\n"
                        "            t += (1 / x,)\n    except ZeroDivisionError:\n"
                        "        pass\n    return t\n"),
        ("grown_tuple", "def f(xs):\n    t = ()\n    for x in xs:\n        t += (x,)\n"
                        "        if t == xs:\n            break\n    return t\n"),
        ("rebuilt_table", "def f(xs, k):\n    d = {}\n    for x in xs:\n"
                          "        last = d = {**d, x: 1}\n        k.append(last)\n    return d\n"),
        ("copied_table", "def f(xs):\n    d = {}\n    for x in xs:\n        new = dict(d)\n"
                         "        new[x] = 1\n        new[0] = len(d)\n        d = new\n"
                         "    return d\n"),
        ("copied_table", "def f(xs, kept):\n    d = {}\n    for x in xs:\n"
                         "        new = dict(d)\n        new[x] = 1\n        kept.append(d)\n"
                         "        d = new\n    return d\n"),
    ],
)  # fmt: skip
def test_what_would_be_seen_growing_is_made_anew(name: str, text: str) -> None:
    assert proposed(name, text) == []


@pytest.mark.parametrize(
    "others",
    [
        {"kind": "list[float]"},
        {"kind": "list[list[int]]"},
        {"kind": "list"},
        {"made": "ys"},
        {"test": "pass"},
        {"test": "if x in rest: return 0"},
        {"test": "if x not in rest: print(x)"},
        {"test": "if len(rest) > 3: return 0"},
        {"between": "x = x + 'a'"},
        {"between": "rest.remove(x)"},
        {"between": "rest.sort()"},
        {"between": "print(rest)"},
        {"result": "rest"},
        {"result": "rest[0]"},
        {"result": "lambda: len(rest)"},
    ],
)
def test_what_is_left_is_only_counted_where_nothing_else_is_asked(others: dict[str, str]) -> None:
    assert proposed("counted_rest", filled(REST, PLAIN_REST, **others)) == []


@pytest.mark.parametrize(
    "others",
    [
        {"a": "float"},
        {"b": "float"},
        {"m": "'int | None'"},
        {"power": "-a ** b % m"},
        {"power": "a ** 2 % m"},
        {"power": "a ** next(b) % m"},
        {"m": "list[int]", "power": "a ** b % m[0]"},
    ],
)
def test_only_remainders_of_whole_powers_are_taken_at_once(others: dict[str, str]) -> None:
    assert proposed("modular_power", filled(POWER, PLAIN_POWER, **others)) == []


@pytest.mark.parametrize(
    "body",
    [
        "for x in xs:\n        if x < k:\n            xs.remove(x)\n",
        "for x in list(xs):\n        if x < len(xs):\n            xs.remove(x)\n",
        "for x in list(xs):\n        if 9 % x == k:\n            xs.remove(x)\n",
        "for x in list(xs):\n        if asks(x):\n            xs.remove(x)\n",
        "for x in list(xs):\n        if x < other:\n            xs.remove(x)\n",
        "for x in list(xs):\n        if x < k:\n            xs.remove(k)\n",
        "for x in list(xs):\n        if x < k:\n            xs.remove(x)\n    return x\n",
        "for i in range(len(xs) - 1, 0, -1):\n        if xs[i] < k:\n            del xs[i]\n",
        "for i in range(len(xs) - 1, -1, -1):\n        if xs[i] < i:\n            del xs[i]\n",
        (
            "i = 0\n    while i < len(xs):\n        if xs[i] < k:\n            del xs[i]\n"
            "        else:\n            i += 1\n    return i\n"
        ),
    ],
)
def test_only_what_goes_by_its_own_value_goes_at_once(body: str) -> None:
    text = f"def f(xs: list[int], k: int, other) -> object:\n    {body}"
    assert proposed("weeded_list", text) == []


@pytest.mark.parametrize("kind", ["list[float]", "list[tuple[str, list]]"])
def test_equal_ones_that_may_differ_are_taken_out_one_by_one(kind: str) -> None:
    walk = "    for x in list(xs):\n        if x:\n            xs.remove(x)\n"
    text = f"def f(xs: {kind}, k: int):\n{walk}"
    assert proposed("weeded_list", text) == []


@pytest.mark.parametrize(
    ("kind", "asked", "after"),
    [
        ("list[float]", "x in xs[:i]", "pass"),
        ("list[list[int]]", "x in xs[:i]", "pass"),
        ("list[int]", "other in xs[:i]", "pass"),
        ("list[int]", "x in xs[:i]", "xs.append(x)"),
        ("list[int]", "x in xs[:i]", "i -= 3"),
        ("list[int]", "x in xs[:k]", "pass"),
        ("list[int]", "x in xs[:i:2]", "pass"),
        ("list[int]", "x in xs[1:i]", "pass"),
        ("list[int]", "x in xs[i - 1:]", "pass"),
    ],
)
def test_places_are_compared_only_of_keys_that_stay(kind: str, asked: str, after: str) -> None:
    text = (
        f"def f(xs: {kind}, k: int, other) -> None:\n    for i, x in enumerate(xs):\n"
        f"        print({asked})\n        {after}\n"
    )
    assert proposed("member_of_part", text) == []


KEYS = (
    "class Row:\n    key: {key}\n"
    "def f(xs: list[Row], ys: {kind}, log) -> list:\n    out = []\n    for x in xs:\n"
    "        if {asked}:\n            out.append(x)\n        {after}\n    return out\n"
)
PLAIN_KEYS = {
    "key": "int", "kind": "list[Row]", "asked": "x.key in [y.key for y in ys]", "after": "pass"
}  # fmt: skip


def test_keys_of_rows_that_stay_are_made_once() -> None:
    assert len(proposed("keys_made_once", filled(KEYS, PLAIN_KEYS))) == 1


@pytest.mark.parametrize(
    "others",
    [
        {"key": "float"},
        {"key": "list[int]"},
        {"kind": "Iterator[Row]"},
        {"kind": "list"},
        {"asked": "x in [y.key for y in ys]"},
        {"asked": "x.key in [y.key for y in ys if y.key]"},
        {"asked": "x.key in [y.key for y in x.rows]"},
        {"asked": "x.key in [9 // y.key for y in ys]"},
        {"asked": "x.key in [y.missing for y in ys]"},
        {"after": "ys.append(x)"},
        {"after": "x.key = 3"},
        {"after": "log(x)"},
        {"after": "x.renew()"},
        {"after": "ys = out"},
    ],
)
def test_keys_of_what_may_change_are_made_each_time(others: dict[str, str]) -> None:
    assert proposed("keys_made_once", filled(KEYS, PLAIN_KEYS, **others)) == []
