import pytest

from reverie.index.hotness import (
    FileCommit,
    Ignored,
    is_bot,
    is_fix,
    is_revert,
    measure_history,
    parse_ignored_revisions,
)
from reverie.model.repository.candidate import BlobPair, Commit, FileTouch, History, TouchKind
from reverie.model.settings.analysis import CandidatesSection

DAY = 86_400
SECTION = CandidatesSection(half_life_days=10)


def commit(
    message: str = "Change", *, sha: str = "c", days_ago: float = 0, author: str = "Ada"
) -> Commit:
    when = int(1000 * DAY - days_ago * DAY)
    return Commit(sha, when, author, f"{author.lower()}@example.org", message, False)


def touched(made: Commit, blobs: BlobPair | None = None) -> FileCommit:
    return FileCommit(made, FileTouch("a.py", TouchKind.MODIFIED, None, blobs))


def history(*, is_shallow: bool = False) -> History:
    return History("head", 1000 * DAY, (), is_shallow)


def test_a_change_counts_half_after_every_half_life() -> None:
    entries = [touched(commit(sha=str(n), days_ago=n * 10)) for n in range(4)]
    measured = measure_history(history(), entries, SECTION, Ignored())
    assert [touch.weight for touch in measured.touches] == [1, 0.5, 0.25, 0.125]
    assert [touch.age_days for touch in measured.touches] == [0, 10, 20, 30]
    assert measured.churn == 1.875


def test_a_commit_from_the_future_counts_as_one_of_today() -> None:
    measured = measure_history(history(), [touched(commit(days_ago=-5))], SECTION, Ignored())
    assert measured.churn == 1


def test_what_does_not_count_is_counted_apart() -> None:
    pair = BlobPair("old", "new")
    entries = [
        touched(commit(sha="bot", author="dependabot[bot]")),
        touched(commit(sha="ignored")),
        touched(commit(sha="layout"), pair),
        touched(commit(sha="real"), BlobPair("new", "old")),
    ]
    ignored = Ignored(frozenset({"ignored"}), frozenset({pair}))
    measured = measure_history(history(), entries, SECTION, ignored)
    assert [touch.commit for touch in measured.touches] == ["real"]
    assert measured.passed_over == {"bot": 1, "formatting": 1, "ignored revision": 1}


def test_the_boundary_of_a_shallow_clone_seems_to_add_everything_and_counts_for_nothing() -> None:
    root = Commit("r", 0, "Ada", "ada@example.org", "All", True)
    shallow = measure_history(history(is_shallow=True), [touched(root)], SECTION, Ignored())
    assert shallow.passed_over == {"shallow boundary": 1}
    assert len(measure_history(history(), [touched(root)], SECTION, Ignored()).touches) == 1


def test_authors_faults_and_their_shares() -> None:
    entries = [
        touched(commit("Fix a crash", sha="1", author="Ada")),
        touched(commit('Revert "Fix a crash"', sha="2", author="Bob", days_ago=10)),
        touched(commit("Add a feature", sha="3", author="Ada", days_ago=10)),
    ]
    measured = measure_history(history(), entries, SECTION, Ignored())
    assert (measured.churn, measured.faults, measured.authors) == (2.0, 1.5, 2)
    assert measured.main_author_share == pytest.approx(2 / 3)
    assert [(touch.is_fix, touch.is_revert) for touch in measured.touches] == [
        (True, False),
        (True, True),
        (False, False),
    ]


def test_without_changes_there_is_no_main_author() -> None:
    assert measure_history(history(), [], SECTION, Ignored()).main_author_share is None


@pytest.mark.parametrize(
    "subject",
    [
        "Fix a crash on empty input",
        "fix: wrong sign",
        "fix(parser)!: off by one",
        "Fixed #1234 -- Prevented a loop",
        "Bugfix for the cache",
        "hotfix: login",
        "Correct a regression in 2.1",
    ],
)
def test_subjects_that_mend_a_defect(subject: str) -> None:
    assert is_fix(commit(subject))


@pytest.mark.parametrize(
    "subject",
    [
        "Fix typo in a message",
        "fix: formatting",
        "Fix docs build",
        "fix flaky test",
        "Add a fixture",
        "feat: show how to fix things",
        "chore: bugs template",
        "Prefix names",
        "",
    ],
)
def test_subjects_that_do_not(subject: str) -> None:
    assert not is_fix(commit(subject))


def test_a_revert_is_known_by_its_subject_or_its_body() -> None:
    assert is_revert(commit('Revert "Add a feature"'))
    assert is_revert(commit(f"Back out the cache\n\nThis reverts commit {'a' * 40}."))
    assert not is_revert(commit("Reverting is explained"))
    assert not is_revert(commit("Add a way to revert"))


@pytest.mark.parametrize(
    ("author", "expected"),
    [
        ("dependabot[bot]", True),
        ("Renovate Bot", True),
        ("pre-commit-ci[bot]", True),
        ("Abbot", False),
        ("Botond", False),
        ("bot", False),
    ],
)
def test_bots_by_their_name(author: str, expected: bool) -> None:
    assert is_bot(commit(author=author), CandidatesSection().bots) is expected


def test_a_pattern_for_bots_is_literal_but_for_the_star() -> None:
    assert is_bot(commit(author="a.b"), ["a.b *"])
    assert not is_bot(commit(author="axb"), ["a.b *"])
    assert is_bot(commit(author="CI"), ["ci <*>"])


def test_ignored_revisions_are_whole_names_and_nothing_else() -> None:
    text = f"# the great reformatting\n{'a' * 40}\n  {'B' * 40}  # why\nabc\nHEAD\n{'c' * 64}\n"
    assert parse_ignored_revisions(text) == {"a" * 40, "b" * 40, "c" * 64}
