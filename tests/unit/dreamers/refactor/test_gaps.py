"""What is taken out leaves no gap."""

import pytest

from reverie.dreamers.refactor.proposals import without_gaps

HEAD = "class A:\n    def f(self):\n"


@pytest.mark.parametrize(
    ("before", "after", "kept"),
    [
        ("        a = 1\n\n        return a\n\n    def g(self):\n        return 2\n",
         "        return 1\n\n\n    def g(self):\n        return 2\n",
         "        return 1\n\n    def g(self):\n        return 2\n"),
        ("        a = 1\n\n        return a\n\n\nb = 2\n",
         "        return 1\n\n\n\nb = 2\n",
         "        return 1\n\n\nb = 2\n"),
        ("        a = 1\n        return a\n\n    def g(self):\n        return 2\n",
         "        return 1\n\n    def g(self):\n        return 2\n",
         "        return 1\n\n    def g(self):\n        return 2\n"),
        ("        return \"\"\"\n\nx\n\n\"\"\"\n", "        return \"\"\"\n\n\n\"\"\"\n",
         "        return \"\"\"\n\n\n\"\"\"\n"),
    ],
)  # fmt: skip
def test_blank_lines_that_meet_are_those_of_one_side(before: str, after: str, kept: str) -> None:
    assert without_gaps(HEAD + before, HEAD + after) == HEAD + kept


def test_a_long_module_has_no_gaps_either() -> None:
    rest = "".join(f"\n\ndef f{number}():\n    return {number}\n" for number in range(150))
    before = f"def a():\n    b = 1\n\n    return b\n{rest}"
    after = f"def a():\n    return 1\n\n{rest}"
    assert without_gaps(before, after) == f"def a():\n    return 1\n{rest}"
