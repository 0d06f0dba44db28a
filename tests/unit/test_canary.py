"""The decorator for running programs: the old version's answer, whatever the new one does."""

import subprocess
import sys

import pytest

from reverie.canary import Status, canary


def double(n: int) -> int:
    return 2 * n


def call_all(function, times: int = 100) -> list[int]:  # type: ignore[no-untyped-def]
    return [function(each) for each in range(times)]


def test_both_run_on_the_share_of_the_calls() -> None:
    seen: list[int] = []

    def new(n: int) -> int:
        seen.append(n)
        return n + n

    watched = canary(new, share=0.1)(double)
    assert call_all(watched) == call_all(double)
    assert len(seen) == 10
    assert watched.canary.status().compared == 10


@pytest.mark.parametrize("live", [False, True])
def test_a_difference_ends_it_and_never_reaches_the_caller(live: bool) -> None:
    ended: list[Status] = []
    watched = canary(lambda n: n if n > 50 else 2 * n, share=1, live=live, on_end=ended.append)(
        double
    )
    assert call_all(watched) == call_all(double)
    (status,) = ended
    assert not status.is_on
    assert status.differences == 1
    assert watched.canary.status().compared == 52


@pytest.mark.parametrize("live", [False, True])
def test_an_error_ends_it_and_never_reaches_the_caller(live: bool) -> None:
    watched = canary(lambda n: 1 // 0, share=1, live=live)(double)
    assert call_all(watched) == call_all(double)
    status = watched.canary.status()
    assert (status.errors, status.reason) == (1, "the new version raised ZeroDivisionError")


def test_an_error_of_the_old_version_is_the_callers() -> None:
    def old(n: int) -> int:
        raise KeyError(n)

    watched = canary(lambda n: n, share=1)(old)
    with pytest.raises(KeyError):
        watched(1)
    assert watched.canary.status().is_on


def test_a_slow_version_ends_itself() -> None:
    def new(n: int) -> int:
        sum(range(20_000))
        return 2 * n

    watched = canary(new, share=1, least_calls=20)(double)
    call_all(watched)
    assert "times as long" in watched.canary.status().reason


def test_arguments_are_not_shared_between_the_versions() -> None:
    def old(items: list[int]) -> int:
        return items.pop()

    watched = canary(old, share=1)(old)
    given = [1, 2, 3]
    assert watched(given) == 3
    assert given == [1, 2]
    assert watched.canary.status().differences == 0


@pytest.mark.parametrize("wrong", [{"share": 0}, {"share": 2}, {"slower": 1}])
def test_a_wrong_plan_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        canary(double, **wrong)(double)  # type: ignore[arg-type]


def test_it_loads_nothing_of_the_rest() -> None:
    code = "import sys, reverie.canary; print([m for m in sys.modules if m.startswith('reverie')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['reverie', 'reverie.canary']"
