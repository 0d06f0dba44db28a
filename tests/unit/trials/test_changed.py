import pytest

from reverie.trials.changed import changed_code, lines_of_functions

TEXT = '''"""Words."""
LIMIT = 3


def _half(a):
    return a / 2


def double(a):
    """Twice."""
    return a * 2


def quarter(a):
    return _half(_half(a))


def capped(a):
    return min(a, LIMIT)


class Box:
    size = 1

    def get(self):
        return self.size

    def _make(self):
        return 1
'''


@pytest.mark.parametrize(
    ("old", "new", "compare"),
    [
        ("return a * 2", "return a + a", ("double",)),
        ("return a / 2", "return a * 0.5", ("quarter",)),
        ("LIMIT = 3", "LIMIT = 4", ("capped",)),
        ("return self.size", "return self.size + 0", ("Box.get",)),
        ("    size = 1", "    size = 2", ("Box.get",)),
        ("        return 1\n", "        return 2\n", ("Box._make",)),
        ("def _half(a):\n    return a / 2\n\n\n", "", ("quarter",)),
    ],
)
def test_what_a_change_can_be_seen_in_is_compared(
    old: str, new: str, compare: tuple[str, ...]
) -> None:
    assert old in TEXT
    assert changed_code(TEXT, TEXT.replace(old, new, 1)).compare == compare


@pytest.mark.parametrize(
    ("old", "new"),
    [('"""Twice."""', '"""Two times."""'), ("def double(a):", "def double(a: int) -> int:"),
     ("return a * 2", "return (a * 2)")],
)  # fmt: skip
def test_words_types_and_layout_change_nothing(old: str, new: str) -> None:
    assert changed_code(TEXT, TEXT.replace(old, new, 1)).is_same


@pytest.mark.parametrize(
    ("old", "new", "is_same"),
    [
        ("if a:\n        return 1\n    else:\n        return 2", "if a:\n        return 1\n    return 2", True),
        ("if a:\n        b = 1\n    else:\n        if a == 0:\n            b = 2\n    return b",
         "if a:\n        b = 1\n    elif a == 0:\n        b = 2\n    return b", True),
        ("return a in [1, 2]", "return a in (1, 2)", True),
        ("if __debug__:\n        a()", "a()", False),
        ("assert a", "if not a:\n        raise AssertionError", False),
        ("return 1", "return True", False),
        ("return 1", "return 1.0", False),
        ("return 0.0", "return -0.0", False),
        ("return a in (1, 2)", "return a in (1, True)", False),
        ("return lambda: a", "return lambda: b", False),
        ("yield a", "return a", False),
        ("try:\n        a()\n    except OSError:\n        b()", "try:\n        a()\n    except ValueError:\n        b()", False),
        ("try:\n        a()\n    except OSError:\n        b()\n    c()", "try:\n        a()\n        c()\n    except OSError:\n        b()", False),
    ],
)  # fmt: skip
def test_what_compiles_to_the_same_program_is_the_same(old: str, new: str, is_same: bool) -> None:
    before, after = (f"def f(a):\n    {each}\n" for each in (old, new))
    assert changed_code(before, after).is_same is is_same


@pytest.mark.parametrize(
    ("before", "after", "is_same"),
    [
        ("class A(object):\n    x = 1\n", "class A:\n    x = 1\n", True),
        ("class A(object, metaclass=M):\n    x = 1\n", "class A(metaclass=M):\n    x = 1\n", False),
        ("object = B\nclass A(object):\n    x = 1\n", "object = B\nclass A:\n    x = 1\n", False),
        ("from b import *\nclass A(object):\n    x = 1\n", "from b import *\nclass A:\n    x = 1\n", False),
        ("def f(a):\n    try:\n        a()\n    except IOError:\n        b()\n",
         "def f(a):\n    try:\n        a()\n    except OSError:\n        b()\n", True),
        ("def f(a, IOError):\n    return IOError\n", "def f(a, IOError):\n    return OSError\n", False),
        ("class A(B):\n    def f(self):\n        return super(A, self).f()\n",
         "class A(B):\n    def f(self):\n        return super().f()\n", True),
        ("class A(B):\n    def f(self):\n        return super(B, self).f()\n",
         "class A(B):\n    def f(self):\n        return super().f()\n", False),
        ("@d\nclass A(B):\n    def f(self):\n        return super(A, self).f()\n",
         "@d\nclass A(B):\n    def f(self):\n        return super().f()\n", False),
        ("class A(B):\n    def f(self):\n        self = g(self)\n        return super(A, self).f()\n",
         "class A(B):\n    def f(self):\n        self = g(self)\n        return super().f()\n", False),
        ("class A(B):\n    def f(self):\n        return lambda: super(A, self).f()\n",
         "class A(B):\n    def f(self):\n        return lambda: super().f()\n", False),
        ("class A(B):\n    def f(self):\n        return [super(A, self).f() for _ in 'ab']\n",
         "class A(B):\n    def f(self):\n        return [super().f() for _ in 'ab']\n", False),
        ("class A(B):\n    def f(self):\n        return super(A, self).f()\nA = g(A)\n",
         "class A(B):\n    def f(self):\n        return super().f()\nA = g(A)\n", False),
    ],
)  # fmt: skip
def test_what_only_python_2_needed_is_the_same(before: str, after: str, is_same: bool) -> None:
    assert changed_code(before, after).is_same is is_same


def test_of_several_functions_only_those_that_are_another_program_are_compared() -> None:
    before = "def f(a):\n    if a:\n        return 1\n    else:\n        return 2\n\n\ndef g(a):\n    return a * 2\n"
    after = (
        "def f(a):\n    if a:\n        return 1\n    return 2\n\n\ndef g(a):\n    return a + a\n"
    )
    found = changed_code(before, after)
    assert (found.compare, found.rewritten, found.is_same) == (("g",), ("g",), False)


@pytest.mark.parametrize(
    ("old", "new", "within"),
    [
        ("return a / 2", "return a * 0.5", ("_half",)),
        ("return a * 2", "return a + a", ()),
        ("def _half(a):\n    return a / 2", "def _half(a, b=2):\n    return a / b", ()),
        ("def _half(a):\n    return a / 2\n\n\n", "", ()),
    ],
)
def test_a_private_function_that_is_called_as_before_may_settle_it(
    old: str, new: str, within: tuple[str, ...]
) -> None:
    assert changed_code(TEXT, TEXT.replace(old, new, 1)).within == within


def test_what_python_calls_by_itself_is_compared_itself() -> None:
    text = (
        "class Row:\n    def __getitem__(self, at):\n        return at\n\n"
        "    def first(self):\n        return self.__getitem__(0)\n"
    )
    found = changed_code(text, text.replace("return at", "return at + 0"))
    assert found.compare == ("Row.__getitem__",)


def test_lines_of_functions() -> None:
    assert lines_of_functions("a = 1\ndef f():\n    return 1\n", ("f",)) == {2, 3}
