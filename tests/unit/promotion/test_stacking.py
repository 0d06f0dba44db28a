"""Two promotions of one file stand on one branch where they do not meet."""

from collections.abc import Callable

import pytest

from reverie.errors import Refused
from reverie.model.change import Change, FileEdit, merged, together
from reverie.model.dream import DreamKind, Stage
from reverie.promotion.promoter import Offer
from reverie.promotion.trial_tree import read_source
from reverie.testing.fakes import proven_dream

OLD = "a = 1\nb = 2\nc = 3\nd = 4\ne = 5\n"
BRANCH = "reverie/2026-11-15-1"


@pytest.mark.parametrize(
    ("ours", "theirs", "both"),
    [
        (("a = 1", "a = 9"), ("e = 5", "e = 8"), "a = 9\nb = 2\nc = 3\nd = 4\ne = 8\n"),
        (("a = 1\n", ""), ("d = 4\n", "d = 4\nf = 6\n"), "b = 2\nc = 3\nd = 4\nf = 6\ne = 5\n"),
        (("a = 1", "a = 9"), ("a = 1", "a = 8"), None),
        (("a = 1", "a = 9"), ("b = 2", "b = 8"), None),
        (("a = 1\n", "a = 1\nx = 0\n"), ("b = 2\n", "y = 0\nb = 2\n"), None),
    ],
    ids=["apart", "removed and added", "the same line", "neighbours", "the same place"],
)
def test_changes_are_merged_where_a_line_stands_between_them(
    ours: tuple[str, str], theirs: tuple[str, str], both: str | None
) -> None:
    assert merged(OLD, OLD.replace(*ours), OLD.replace(*theirs)) == both
    assert merged(OLD, OLD.replace(*theirs), OLD.replace(*ours)) == both


def change(old: str, new: str) -> Change:
    text = OLD.replace(old, new)
    return Change((FileEdit("x.py", OLD, text, mode_before="100644", mode_after="100644"),))


def test_together_keeps_the_first_of_two_that_meet() -> None:
    (edit,) = together([change("a = 1", "a = 9"), change("e = 5", "e = 8")]).edits
    assert edit.after == "a = 9\nb = 2\nc = 3\nd = 4\ne = 8\n"
    (edit,) = together([change("a = 1", "a = 9"), change("a = 1", "a = 7")]).edits
    assert edit.after == OLD.replace("a = 1", "a = 9")


def test_the_second_promotion_of_a_file_stands_on_the_first(
    scripted: Callable, promoter: Callable, now
) -> None:
    shop = scripted("shop")
    shop.commit("One", {"x.py": OLD})
    ours, source = promoter(shop.folder), read_source(shop.folder)
    dreams = [
        proven_dream(each, source, kind=DreamKind.REFACTOR, stage=Stage.B)
        for each in (
            change("a = 1", "a = 9"), change("e = 5", "e = 8"), change("a = 1", "a = 7"),
        )
    ]  # fmt: skip
    for each in dreams[:2]:
        ours.promote(each, Offer(now, BRANCH))
    assert shop.git("show", f"{BRANCH}:x.py") == "a = 9\nb = 2\nc = 3\nd = 4\ne = 8"
    with pytest.raises(Refused, match="same place"):
        ours.promote(dreams[2], Offer(now, BRANCH))
