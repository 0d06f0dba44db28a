"""A module in the front of its package, written as the front writes its imports."""

import ast

import pytest

from reverie.dreamers.integration import EXAMPLES, with_module


@pytest.mark.parametrize("example", EXAMPLES, ids=range(len(EXAMPLES)))
def test_the_examples_of_the_dreamer_hold(example) -> None:  # type: ignore[no-untyped-def]
    assert with_module(example.before, "sea", "tides") == example.after


@pytest.mark.parametrize(
    "front",
    [
        "from __future__ import annotations\nx = 1",
        "# only a comment\n",
        "__all__ = ('waves',)\nfrom .waves import waves\n",
        "__all__ = ['ä', 'z']\nfrom .a import ä, z\n",
        '__all__ = ["zebra", "apple"]\nfrom .a import apple, zebra\n',
        "__all__ = []\n",
        "__all__ = list(globals())\n",
        "from .waves import (\n    swell,\n    surf,\n)\n",
        "try:\n    import fast\nexcept ImportError:\n    fast = None\n",
        "if True:\n    from . import waves\n",
        "\ufeff'''Doc.'''\n"[1:],
    ],
)
def test_what_was_there_stays_and_the_module_is_there(front: str) -> None:
    after = with_module(front, "sea", "tides")
    assert after is not None
    kept = {ast.dump(node) for node in ast.parse(front).body if "__all__" not in ast.dump(node)}
    tree = ast.parse(after)
    assert kept <= {ast.dump(node) for node in tree.body}
    new = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
    assert any(alias.name == "tides" for node in new for alias in node.names)


def test_a_front_that_is_no_python_is_left_alone() -> None:
    assert with_module("def (", "sea", "tides") is None
