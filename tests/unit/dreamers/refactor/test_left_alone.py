"""Where a refactoring would change behaviour, or lose a remark, it is not proposed."""

import pytest

from reverie.dreamers.refactor.proposals import imagine_refactorings
from reverie.dreamers.refactor.refactoring import Elsewhere


def patterns(text: str, *words: str) -> list[str]:
    return [each.pattern for each in imagine_refactorings(text, None, Elsewhere(frozenset(words)))]


LONG = "        for y in x:\n            print(y)\n        print(1)\n        print(2)\n"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            "def f(xs: list[int]) -> list[int]:\n    out = []\n    for x in xs:\n"
            "        out.append(x)\n    print(x)\n    return out\n",
            id="comprehension: the loop's name is used behind it",
        ),
        pytest.param(
            "def f(xs: list[int]) -> list[int]:\n    out = []\n    for x in xs:\n"
            "        # a reason\n        out.append(x)\n    return out\n",
            id="comprehension: a remark would be lost",
        ),
        pytest.param(
            "def f(xs: list[int]) -> list[int]:\n    out = []\n    for x in xs:\n"
            "        out.append(len(out) + x)\n    return out\n",
            id="comprehension: it reads what it fills",
        ),
        pytest.param(
            "async def f(xs):\n    out = []\n    for x in xs:\n        out.append(await x)\n"
            "    return out\n",
            id="comprehension: it waits",
        ),
        pytest.param(
            "def f(xs: list[int]) -> None:\n    for i in range(len(xs)):\n        xs[i] = 0\n",
            id="direct loop: it writes the items",
        ),
        pytest.param(
            "def f(xs: list[int]) -> int:\n    for i in range(len(xs)):\n        print(xs[i])\n"
            "    return i\n",
            id="direct loop: the number is used behind it",
        ),
        pytest.param(
            "def f(x):\n    if x:\n        print('a')\n        print('b')\n        print('c')\n"
            "        print('d')\n",
            id="guard: plain steps read as well",
        ),
        pytest.param(
            f"def f(x, a, b):\n    if a < b:\n{LONG}",
            id="guard: NaN is neither below nor above",
        ),
        pytest.param(
            'def f(x):\n    if x:\n        for y in x:\n            print(y)\n        print("""\n'
            'a\n        b\n""")\n        print(2)\n'.replace("    if x:", "    if x:  # why"),
            id="guard: a remark on the condition",
        ),
        pytest.param(
            f"def f(x):\n    if x:\n{LONG}        yield 1\n",
            id="guard: a generator",
        ),
        pytest.param(
            "def f(x):\n    if x:\n        y = 1\n        print(y)  # one\n"
            "    else:\n        y = 2\n        print(y)  # two\n",
            id="shared tail: the remarks differ",
        ),
        pytest.param(
            "def f(x):\n    return x\n    y = 1\n",
            id="unreachable: what it binds is local by it",
        ),
        pytest.param(
            "def f(x):\n    return x\n    yield\n",
            id="unreachable: it makes a generator",
        ),
        pytest.param(
            "def f(a):\n    return _g(a, a())\n\n\ndef _g(a, b):\n    c = a\n    return c\n",
            id="unused parameter: the argument does something",
        ),
        pytest.param(
            "def f(a):\n    return _g(*a)\n\n\ndef _g(a, b):\n    c = a\n    return c\n",
            id="unused parameter: nobody knows what is given",
        ),
        pytest.param(
            "def f(a):\n    return map(_g, a, a)\n\n\ndef _g(a, b):\n    c = a\n    return c\n",
            id="unused parameter: it is handed on",
        ),
        pytest.param(
            "def f(x):\n    if x == 'a':\n        return 1\n    elif x == 'b':\n        return 2\n"
            "    elif x == 'c':\n        return 3\n    elif x == 'd':\n        return 4\n"
            "    return 0\n",
            id="table: nothing says that it can be looked up",
        ),
        pytest.param(
            "def f(x: str) -> int:\n    try:\n        return int(x, 16)\n    except Exception:\n"
            "        return 0\n",
            id="except: other errors can happen",
        ),
    ],
)
def test_it_is_left_alone(text: str) -> None:
    assert patterns(text) == []


DEAD = "def f(x):\n    return x\n\n\ndef _do_it(x):\n    return x\n"


def test_a_private_function_is_dead_when_no_word_could_name_it() -> None:
    assert patterns(DEAD) == ["dead_function"]
    assert patterns(DEAD, "do_it", "_done", "it") == ["dead_function"]


@pytest.mark.parametrize("word", ["_do_it", "_do_", "_it", "_ + name"])
def test_a_private_function_that_another_file_may_name_is_not(word: str) -> None:
    assert patterns(DEAD, word) == []


@pytest.mark.parametrize(
    "text",
    [
        DEAD + "\n\nprint(globals())\n",
        DEAD + "\n\nTABLE = {'x': '_do_it'}\n",
        DEAD + "\n\nNAME = '_do_' + 'it'\n",
        DEAD.replace("def _do_it", "@register\ndef _do_it"),
        "class A(B):\n    x = 1\n\n    def _do_it(self):\n        return 1\n",
        "class A:\n    x = 1\n\n    def __do_it__(self):\n        return 1\n",
    ],
)
def test_what_may_be_looked_up_stays(text: str) -> None:
    assert "dead_function" not in patterns(text)


def test_a_text_of_several_lines_is_not_moved() -> None:
    text = (
        "def f(xs):\n    for x in xs:\n        if x:\n"
        "            for y in x:\n                print(y)\n"
        '            print("""a\n            b""")\n            print(1)\n'
    )
    (found,) = imagine_refactorings(text)
    assert '        print("""a\n            b""")\n' in found.source


def test_what_is_no_python_has_no_proposals() -> None:
    assert imagine_refactorings("def f(:\n") == []


def test_one_function_can_be_asked_for() -> None:
    text = (
        DEAD
        + "\n\ndef g(xs):\n    out = []\n    for x in xs:\n        out.append(x)\n    return out\n"
    )
    assert [e.pattern for e in imagine_refactorings(text, "g")] == ["comprehension"]


def test_proposals_that_meet_do_not_go_together() -> None:
    loop = (
        "def {0}(xs):\n    out = []\n    for x in xs:\n        out.append(x)\n    return out\n\n\n"
    )
    first, second = imagine_refactorings(loop.format("f") + loop.format("g"))
    assert first.goes_with([second])
    assert not first.goes_with([first])
