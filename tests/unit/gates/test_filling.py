"""What is declared may be written, in its place, and nothing else with it."""

import pytest

from reverie.gates.filling import ExamplesHoldGate, FillingGate
from reverie.gates.judge import judge_statically, needs_of
from reverie.model.dream import Stage
from reverie.model.ruling import Answer, NeedKind

from .matters import edit, matter, production

DECLARED = '''def last(word: str) -> str:
    """The last letter.

    >>> last("lamp")
    'p'
    """
    {body}


def other() -> int:
    return 1
'''
STUB = DECLARED.format(body="raise NotImplementedError")
WRITTEN = DECLARED.format(body="return word[-1]")


def codes(before: str, after: str) -> list[str]:
    found = FillingGate().judge(production(before, after, Stage.STUBS))
    return [each.reason_code for each in found]


@pytest.mark.parametrize("body", ["...", 'raise NotImplementedError("later")', "pass\n    ..."])
def test_a_body_that_was_only_declared_may_be_written(body: str) -> None:
    assert codes(DECLARED.format(body=body), WRITTEN) == ["ok"]
    assert codes(DECLARED.format(body=body), f"import json\n\n{WRITTEN}") == ["ok"]


@pytest.mark.parametrize(
    ("before", "after", "code"),
    [
        (STUB, WRITTEN.replace("word: str", "word"), "more_than_a_stub"),
        (STUB, WRITTEN.replace("'p'", "'m'"), "more_than_a_stub"),
        (STUB, WRITTEN.replace("return 1", "return 2"), "more_than_a_stub"),
        (STUB, f"{WRITTEN}\n\nLIMIT = 3\n", "more_than_a_stub"),
        (WRITTEN, WRITTEN.replace("word[-1]", "word[:1]"), "more_than_a_stub"),
        (STUB, f"import requests\n\n{WRITTEN}", "new_requirement"),
        (STUB, f"# later\n{STUB}", "nothing_filled"),
    ],
)
def test_whatever_else_is_other_than_it_was_is_refused(before: str, after: str, code: str) -> None:
    assert codes(before, after) == [code]


def test_tests_come_in_new_files_and_one_person_has_to_agree() -> None:
    test = "from shop.stock import last\n\n\ndef test_last():\n    assert last('lamp') == 'p'\n"
    code = edit("src/shop/stock.py", STUB, WRITTEN)
    good = matter(code, edit("tests/test_last.py", None, test), stage=Stage.STUBS)
    assert [each for each in judge_statically(good) if each.verdict is Answer.FAIL] == []
    (need,) = needs_of(good)
    assert (need.kind, need.count) == (NeedKind.APPROVALS, 1)
    touched = matter(code, edit("tests/test_last.py", "", test), stage=Stage.STUBS)
    failed = {e.reason_code for e in judge_statically(touched) if e.verdict is Answer.FAIL}
    assert "production_changed" in failed


@pytest.mark.parametrize(
    ("tried", "broken", "code"), [(3, 0, "ok"), (3, 1, "example_fails"), (0, 0, "no_example")]
)
def test_every_example_has_to_hold(tried: int, broken: int, code: str) -> None:
    measures = {"stubs.examples": float(tried), "stubs.broken_examples": float(broken)}
    change = edit("src/shop/stock.py", STUB, WRITTEN)
    found = ExamplesHoldGate().judge(matter(change, stage=Stage.STUBS, measures=measures))
    assert [each.reason_code for each in found] == [code]
