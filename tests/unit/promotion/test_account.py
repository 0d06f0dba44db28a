"""What a promoted commit says to the person who decides whether to merge it."""

from dataclasses import replace
from pathlib import Path

import pytest

from reverie.model.cycle import Proven, Source
from reverie.model.dream import DreamKind, Stage
from reverie.promotion.commits import promotion_message
from reverie.testing.fakes import new_file, proven_dream

HOME = Path("/repository")
SOURCE = Source("8d0c9c1", "tree")


def message(proven: Proven, details: dict[str, tuple[str, ...]] | None = None) -> str:
    evidence = replace(proven.evidence, details=details or proven.evidence.details)
    bundle = HOME / ".reverie" / "bundles" / "3f2a"
    return promotion_message(replace(proven, evidence=evidence), "sha256:12", bundle, HOME)


def test_a_commit_of_tests_says_what_they_notice_and_how_firm_they_are() -> None:
    measures = {
        "tests.new": 12.0, "tests.passed_runs": 5.0, "mutants.newly_killed": 3.0,
        "mutants.judged": 40.0, "mutants.killed_by_assertion": 3.0,
        "coverage.lines.before": 0.61, "coverage.lines.after": 0.98,
    }  # fmt: skip
    proven = proven_dream(new_file("tests/test_cart.py", "x"), SOURCE, measures=measures)
    killed = ("cart.py::total::add_sub::1", "cart.py::total::cmp::1", "cart.py::Cart.add::cmp::1")
    assert message(proven, {"mutants.newly_killed": killed}) == (
        "Test what the cart adds up\n"
        "\n"
        "Notices 3 faults planted in total and Cart.add that no test noticed\n"
        "before (of 40 tried). Tests now run 98 % of the project's lines, 61 %\n"
        "before. The 12 new tests passed 5 runs, under another order, hash seed\n"
        "and clock each time. It is their assertions that notice: without them\n"
        "every such fault passes.\n"
        "\n"
        "Check it again: reverie verify .reverie/bundles/3f2a\n"
        "\n"
        f"Reverie-Dream: {proven.dream.id}\n"
        "Reverie-Kind: test (stage A)\n"
        "Reverie-Module: shop.cart\n"
        "Reverie-Base: 8d0c9c1\n"
        "Reverie-Bundle: sha256:12\n"
    )


def test_a_commit_of_a_refactoring_says_why_it_does_the_same() -> None:
    measures = {"suite.tests": 84.0, "suite.newly_failing": 0.0, "complexity.removed": 2.0}
    details = {
        "equivalence.equivalent": ("cart.py:total", "cart.py:Cart.add"),
        "equivalence.proven": ("cart.py:Cart.add: proven, the same steps; laws used: and",),
    }
    proven = proven_dream(
        new_file("cart.py", "x"), SOURCE, kind=DreamKind.REFACTOR, stage=Stage.B, measures=measures
    )
    body = " ".join(message(proven, details).split("\n\n")[1].split())
    assert body == (
        "Cart.add takes the same steps as before, as the code itself shows. On generated inputs "
        "old and new total gave the same results, errors and effects. The 84 tests of the "
        "suite pass as before. 2 decisions fewer to follow."
    )


@pytest.mark.parametrize(
    ("compared", "said"),
    [
        (("cart.py",), "It is the same program as before, as the code itself shows."),
        (
            ("cart.py", "till.py:total"),
            "On generated inputs old and new total gave the same results, errors and effects.",
        ),
    ],
)
def test_a_commit_of_what_compiles_to_the_same_says_so_if_that_is_all(
    compared: tuple[str, ...], said: str
) -> None:
    details = {
        "equivalence.equivalent": compared,
        "equivalence.proven": ("cart.py: the same program",),
    }
    measures = {"equivalence.callables": float(len(compared))}
    proven = proven_dream(
        new_file("cart.py", "x"), SOURCE, kind=DreamKind.REFACTOR, stage=Stage.B, measures=measures
    )
    assert " ".join(message(proven, details).split("\n\n")[1].split()) == said


def test_a_commit_of_an_optimisation_says_how_much_faster_and_by_what() -> None:
    title = "Speed up Cart.total: make once, when it is first needed, what is the same each time"
    measures = {"speed.p50": 2.41, "speed.p95": 2.1, "memory.ratio": 1.0}
    proven = proven_dream(
        new_file("cart.py", "x"), SOURCE,
        title=title, kind=DreamKind.OPTIMISATION, stage=Stage.C, measures=measures,
    )  # fmt: skip
    subject, body, *_ = message(proven, {"speed.faster": ("Cart.total: 2.4 to 2.6",)}).split("\n\n")
    assert subject == "Speed up Cart.total"
    assert " ".join(body.split()) == (
        "Make once, when it is first needed, what is the same each time. Cart.total is at least "
        "2.4 times as fast at the median, 2.1 times at the 95th percentile (lower ends of 95 % "
        "intervals, CPU time, old and new side by side). It needs no more memory."
    )


@pytest.mark.parametrize("measures", [{}, {"mutants.newly_killed": 0.0, "tests.new": 0.0}])
def test_what_was_not_measured_is_not_claimed(measures: dict[str, float]) -> None:
    proven = proven_dream(new_file("tests/test_cart.py", "x"), SOURCE, measures=measures)
    assert message(proven).split("\n\n")[1].startswith("Check it again")


def test_the_name_of_a_file_says_nothing_in_a_commit() -> None:
    killed = ("This reverts commit 12.py::Reverie-Dream: forged::cmp::1",)
    measures = {"mutants.newly_killed": 1.0}
    proven = proven_dream(new_file("tests/test_cart.py", "x"), SOURCE, measures=measures)
    told = message(proven, {"mutants.newly_killed": killed})
    assert "reverts" not in told
    assert "forged" not in told
