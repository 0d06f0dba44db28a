"""Several profiles as one."""

from reverie.interfaces.cli.views.figures import profile_document, sources_asked
from reverie.model.measurements.benchmark import HotCallable, Profile, ProfileSource, merged_profile

TESTS = Profile((HotCallable("a.py", "f", 2, 0.5, 1.0),), 3.0)
BENCHMARKS = Profile(
    (HotCallable("a.py", "g", 1, 2.0, 2.0), HotCallable("a.py", "f", 1, 0.25, 0.5)), 4.0
)
LOST = Profile((), 0.0, "no workflow is declared")


def test_costs_are_added_up_and_the_hottest_comes_first() -> None:
    found = merged_profile((TESTS, BENCHMARKS))
    assert found.hot == (
        HotCallable("a.py", "g", 1, 2.0, 2.0),
        HotCallable("a.py", "f", 3, 0.75, 1.5),
    )
    assert (found.seconds, found.problem) == (7.0, None)


def test_a_source_that_could_not_be_run_hides_nothing_of_the_others() -> None:
    found = merged_profile((TESTS, LOST))
    assert found.hot == TESTS.hot
    assert found.problem == "no workflow is declared"


def test_every_source_is_told_with_what_became_of_it() -> None:
    seen = dict(zip(sources_asked("all"), (TESTS, BENCHMARKS, LOST), strict=True))
    document = profile_document(merged_profile(tuple(seen.values())), seen)
    assert [each["source"] for each in document["sources"]] == [
        each.value for each in ProfileSource
    ]
    assert document["sources"][2]["problem"] == "no workflow is declared"
