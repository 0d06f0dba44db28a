"""Whatever files say, looking for uses in them ends with an answer."""

import ast

from hypothesis import given
from hypothesis import strategies as st

from reverie.index.orphans.bindings import Bindings
from reverie.index.orphans.mention import composed_texts, mentions_in_command, mentions_in_value
from reverie.index.orphans.source import facts_of
from reverie.index.orphans.texts import facts_of_text

NAMES = st.sampled_from(
    ["a.toml", "a.cfg", "a.ini", "a.yml", "a.json", "Makefile", "README.md", "a.ipynb", "a.pyi",
     "a.rst", "entry_points.txt", ".env"]
)  # fmt: skip
PIECES = st.sampled_from(
    ["[a]", "x = ", "- ", "key: ", "pkg.mod:f", "python -m pkg.mod", "#", '"', "{", "}", "\n", "  ",
     "from .a import b", "::: ", "=", "[[", "\\", "a/b.py", "\0", "é"]
)  # fmt: skip


@given(NAMES, st.lists(PIECES, max_size=25).map("".join))
def test_any_text_is_read(name: str, text: str) -> None:
    facts = facts_of_text(name, text)
    assert all(mention.text for mention in facts.mentions)


@given(st.text(max_size=200))
def test_any_value_is_taken_apart(text: str) -> None:
    for mention in [*mentions_in_value(text, 1), *mentions_in_command(text, 1)]:
        assert mention.text
        assert mention.line == 1


@given(st.lists(st.sampled_from(["'a.b'", "x", "f'a.{x}'", "'%s.c' % y", "1", "None"]), min_size=1))
def test_any_sum_is_read_as_a_name_or_not_at_all(parts: list[str]) -> None:
    source = " + ".join(parts)
    names = composed_texts(ast.parse(source, mode="eval").body, Bindings())
    assert all(name.strip("{}. ") for name in names)
    facts_of(source, ast.parse(source))
