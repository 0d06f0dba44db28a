"""Every rewrite does what its example says, and the example behaves the same before and after."""

import ast

import pytest

from reverie.dreamers.optimise.patterns import Rewrite, catalogue
from reverie.dreamers.rewriting.scene import Scene
from reverie.dreamers.rewriting.source import Source
from reverie.syntax.nodes import Function

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
        pytest.param(
            "pop_front",
            "def f(xs: list[int]) -> list[int]:\n"
            "    queue = list(xs)\n"
            "    first = queue.pop(0)\n"
            "    for x in queue:\n"
            "        if x > first:\n"
            "            queue.append(first)\n"
            "    return sorted([first])\n",
            id="a deque refuses to change under a walk",
        ),
        pytest.param(
            "drained_list",
            "def f(xs, kept):\n"
            "    queue = sorted(xs)\n"
            "    kept.append(queue)\n"
            "    while queue:\n"
            "        print(queue.pop(0))\n",
            id="somebody else holds the list",
        ),
        pytest.param(
            "drained_list",
            "def f(xs):\n"
            "    queue = sorted(xs)\n"
            "    size = len(queue)\n"
            "    while len(queue) > 2:\n"
            "        queue.pop(0)\n"
            "    return queue, size\n",
            id="what is left is handed out as a list",
        ),
        pytest.param(
            "drained_list",
            "def f(xs):\n"
            "    queue = sorted(xs)\n"
            "    queue.reverse()\n"
            "    while queue:\n"
            "        queue.pop(0)\n"
            "        queue = [x - 1 for x in queue]\n",
            id="the loop makes a list of it again",
        ),
        pytest.param(
            "drained_list",
            "def f(xs):\n"
            "    queue = sorted(xs)\n"
            "    queue.reverse()\n"
            "    def middle():\n"
            "        return queue[len(queue) // 2]\n"
            "    while queue:\n"
            "        queue.pop(0)\n"
            "        print(middle())\n",
            id="a function inside looks at its middle",
        ),
        pytest.param(
            "taken_item",
            "def f(places, left):\n"
            "    for place in places:\n"
            "        item = left[place]\n"
            "        left.remove(item)\n",
            id="equal items may stand further to the front",
        ),
        pytest.param(
            "taken_item",
            "def f(places):\n"
            "    left = list(range(len(places)))\n"
            "    for place in places:\n"
            "        item = left[place]\n"
            "        left.append(place)\n"
            "        left.remove(item)\n"
            "    return left\n",
            id="the list gets other items too",
        ),
        pytest.param(
            "taken_item",
            "def f(places, seen):\n"
            "    left = list(range(len(places)))\n"
            "    for place in places:\n"
            "        item = left[place]\n"
            "        seen.note(left)\n"
            "        left.remove(item)\n",
            id="somebody sees the item in its place",
        ),
        pytest.param(
            "read_only_copy",
            "def f(rows):\n    pool = tuple(rows)\n    return len(pool), pool[0]\n",
            id="what is copied may be an iterator",
        ),
        pytest.param(
            "read_only_copy",
            "def f(rows: list[int]) -> None:\n"
            "    before = list(rows)\n"
            "    for row in before:\n"
            "        rows.append(row)\n",
            id="the original grows while the copy is read",
        ),
        pytest.param(
            "compiled_match",
            'import re\ndef f(text: str):\n    return re.match("a(", text)\n',
            id="the import would fail where only a call did",
        ),
        pytest.param(
            "compiled_match",
            'def f(text: str):\n    import re\n    return re.match("a+", text)\n',
            id="the module has no re at its top",
        ),
    ],
)
def test_where_it_would_be_wrong_it_is_silent(name: str, text: str) -> None:
    rewrite = next(each for each in catalogue() if each.name == name)
    assert proposed(rewrite, text) == []


def test_all_patterns_of_a_function_are_compiled_at_once_or_those_of_a_loop() -> None:
    rewrite = next(each for each in catalogue() if each.name == "compiled_match")
    text = (
        "import re\n"
        "def rated(text):\n"
        '    if re.match("#!", text):\n'
        "        return 1\n"
        "    for line in text.splitlines():\n"
        "        if re.search(\n"
        '                r"a"\n'
        '                r"b", line):\n'
        "            return 2\n"
        '    return 3 if re.match("#!", text[1:]) else 0\n'
    )
    every, loop, *_ = proposed(rewrite, text)
    assert every is not None
    assert every.count("re.compile(") == 2
    assert loop is not None
    assert '_RATED_PATTERN = re.compile(\n    r"a"\n    r"b"\n)' in loop
    assert 're.match("#!", text)' in loop
    assert proposed(rewrite, loop) == []


def test_a_text_of_several_lines_stays_as_it_is_wherever_it_goes() -> None:
    (rewrite,) = [each for each in catalogue() if each.name == "append_loop"]
    text = (
        "def f(xs: list[int]) -> list[str]:\n    if xs:\n        out = []\n        for x in xs:\n"
        '            out.append(f"""{x}\n  and\nmore""")\n        return out\n    return []\n'
    )
    (new,) = proposed(rewrite, text)
    assert new is not None
    spaces: list[dict[str, object]] = [{}, {}]
    for source, space in zip((text, new), spaces, strict=True):
        exec(source, space)  # noqa: S102  texts of this file
    before, after = (space["f"]([1, 2]) for space in spaces)  # type: ignore[operator]
    assert before == after == ["1\n  and\nmore", "2\n  and\nmore"]
