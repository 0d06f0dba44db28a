import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.index.hotness import _is_same_but_for_layout, is_formatting_only

SOURCE = b"def f(a, b):\n    return {'a': a, 'b': b}\n"


@pytest.mark.parametrize(
    "new",
    [
        SOURCE,
        b'def f(a, b):\n    return {"a": a, "b": b}\n',
        b"def f(\n    a,\n    b,\n):\n    return {\n        'a': a,\n        'b': b,\n    }\n",
        b"# says what it does\ndef f(a, b):  # here too\n\n    return ({'a': a, 'b': b})\n",
        SOURCE.replace(b"\n", b"\r\n"),
    ],
)
def test_layout_and_comments_are_formatting(new: bytes) -> None:
    assert is_formatting_only(SOURCE, new)


@pytest.mark.parametrize(
    "new",
    [
        SOURCE.replace(b"'a'", b"'A'"),
        SOURCE.replace(b"return {'a': a, 'b': b}", b"return {'b': b, 'a': a}"),
        b"def f(a, b):\n    return {'a': a, 'b': (b,)}\n",
        b'"""Says what it does."""\n' + SOURCE,
        b"def f(a, b:\n    return {'a': a, 'b': b}\n",
        b"",
    ],
)
def test_anything_else_is_a_change(new: bytes) -> None:
    assert not is_formatting_only(SOURCE, new)


def test_what_does_not_parse_is_never_formatting() -> None:
    assert not is_formatting_only(b"def f(:\n", b"def f( :\n")
    assert not is_formatting_only(b"(" * 5000 + b")" * 5000, b"( " * 5000 + b")" * 5000)


def test_an_indentation_that_changes_the_meaning_is_a_change() -> None:
    old = b"if a:\n    b()\n    c()\n"
    assert not is_formatting_only(old, b"if a:\n    b()\nc()\n")


PIECES = st.lists(st.sampled_from([b"a", b"b", b" ", b"\n", b"#", b"'", b"("]), max_size=14)


@given(PIECES, PIECES, PIECES, PIECES)
def test_looking_between_the_equal_ends_is_as_good_as_looking_at_all(
    start: list[bytes], old: list[bytes], new: list[bytes], end: list[bytes]
) -> None:
    first = b"".join((*start, *old, *end))
    second = b"".join((*start, *new, *end))
    layout = re.compile(rb"#[^\n]*|[\s\"'(),;\\]+")
    expected = layout.sub(b"", first).lower() == layout.sub(b"", second).lower()
    assert _is_same_but_for_layout(first, second) is expected
