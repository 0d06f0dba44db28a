"""Tests that notice mutants of their function: recorded cases chosen for that, then all run."""

from dataclasses import asdict, dataclass, replace

from reverie.dreamers.generate.program import ask
from reverie.dreamers.generate.suite import Draft, module_name, write_tests
from reverie.instruments.mutation.mutated import mutants_of
from reverie.sandbox.engine import Sandbox

_MOST_MUTANTS = 120
_NOTICE_SECONDS = 15.0
_TESTS_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Checked:
    """Tests that pass, and what they notice; None where that could not be measured."""

    tests: str
    mutants: int | None
    killed: int | None


def check_tests(sandbox: Sandbox, source: str, draft: Draft) -> Checked | str:
    """The file of tests, run; a reason when one of them fails."""
    noticed = _noticed(sandbox, source, draft)
    chosen = _chosen(draft, noticed or [])
    seen = draft.observed.seen
    final = replace(draft, recorded=tuple(seen[at] for at in sorted(chosen)))
    tests = write_tests(final)
    reason = _failure(sandbox, source, final, tests)
    if reason is not None:
        return reason
    if noticed is None:
        return Checked(tests, None, None)
    telling = chosen | _shown(draft)
    return Checked(tests, len(noticed), sum(bool(telling & set(each)) for each in noticed))


def _noticed(sandbox: Sandbox, source: str, draft: Draft) -> list[list[int]] | None:
    """For every mutant the calls that notice it; None when that could not be found out."""
    mutants = mutants_of(source)
    step = -(-len(mutants) // _MOST_MUTANTS) or 1
    params = {
        "mutants": mutants[::step],
        "name": draft.name,
        "seen": [asdict(each) for each in draft.observed.seen],
        "with_types": draft.type_of_results is not None,
    }
    execution = ask(sandbox, "_notice", params, _NOTICE_SECONDS)
    return execution.output if execution.succeeded else None


def _shown(draft: Draft) -> set[int]:
    """The calls that the examples show."""
    shown = [args for args, _ in draft.examples]
    return {at for at, each in enumerate(draft.observed.seen) if each.args in shown}


def _chosen(draft: Draft, noticed: list[list[int]]) -> set[int]:
    """Few calls beside the examples that notice every mutant which any call does."""
    shown = _shown(draft)
    left = [set(each) for each in noticed if each and not shown & set(each)]
    chosen: set[int] = set()
    while left:
        counts = {at: sum(at in each for each in left) for each in left for at in each}
        best = min(
            counts, key=lambda at: (-counts[at], len(repr(draft.observed.seen[at].args)), at)
        )
        chosen.add(best)
        left = [each for each in left if best not in each]
    return chosen


def _failure(sandbox: Sandbox, source: str, draft: Draft, tests: str) -> str | None:
    """Why the tests are not to be shown; None when all of them pass."""
    params = {"module": module_name(draft.name), "source": source, "tests": tests}
    execution = ask(sandbox, "_run_tests", params, _TESTS_SECONDS)
    if not execution.succeeded:
        return f"its tests could not be run: {execution.error or execution.outcome}"
    told = execution.output
    if told["code"] != 0 or not told["passed"] or told["failed"]:
        return f"its tests do not pass: {', '.join(told['failed'][:3]) or 'none was found'}"
    return None
