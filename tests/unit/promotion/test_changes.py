import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.promotion import history
from reverie.promotion.history import changed_lines

LINES = st.lists(st.sampled_from([b"a", b"b", b"c", b""]), max_size=12)


@pytest.mark.parametrize(
    ("before", "after", "lines"),
    [
        (b"", b"", set()),
        (b"a\n", b"a\n", set()),
        (b"a\r\nb\r\n", b"a\nb\n", set()),
        (b"", b"a\nb\n", {1, 2}),
        (b"a\nb\nc\n", b"a\nx\nc\n", {2}),
        (b"a\nb\nc\n", b"a\nc\n", {2}),
        (b"a\nb\n", b"a\n", {1}),
        (b"a\n", b"", set()),
    ],
)
def test_lines_that_are_new(before: bytes, after: bytes, lines: set[int]) -> None:
    assert changed_lines(before, after) == lines


@given(LINES, LINES)
def test_every_line_that_was_not_there_is_found_and_none_beyond_the_end(
    before: list[bytes], after: list[bytes]
) -> None:
    found = changed_lines(b"\n".join(before), b"\n".join(after))
    new = b"\n".join(after).splitlines()
    assert all(1 <= line <= len(new) for line in found)
    assert {n for n, line in enumerate(new, 1) if line not in before} <= found


def test_a_rewrite_too_large_to_be_matched_counts_between_its_equal_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(history, "_MAX_COMPARISONS", 1)
    assert changed_lines(b"a\nb\nc\nd\n", b"a\nc\nb\nd\n") == {2, 3}
