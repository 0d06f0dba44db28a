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


def test_lines_of_functions() -> None:
    assert lines_of_functions("a = 1\ndef f():\n    return 1\n", ("f",)) == {2, 3}
