"""The body of a promoted commit: what it brings, how that was proven, how to check it again.

Names come from the repository, so only identifiers are told: a file's name may hold any sentence.
"""

import textwrap
from collections.abc import Iterable, Iterator

from reverie.model.dream import DreamKind, Stage
from reverie.model.evidence import Evidence
from reverie.model.gains import counted, listed
from reverie.model.promotion import Proven

_WIDTH = 72


def account_of(proven: Proven, more: str, bundle: str | None) -> str:
    """Paragraphs for a person who decides whether to merge; `more` is what the subject left."""
    found = proven.evidence
    if proven.stage is Stage.A or proven.dream.kind is DreamKind.INTEGRATION:
        sentences = [*_protects(found), *_stands_firm(found)]
    else:
        sentences = [*_gains_speed(found), *_behaves(found), *_keeps_tests(found)]
    proof = " ".join(filter(None, (more, *sentences)))
    again = f"Check it again: reverie verify {bundle}" if bundle else ""
    return "\n\n".join(_wrapped(each) for each in (proof, again) if each)


def _wrapped(paragraph: str) -> str:
    return textwrap.fill(paragraph, _WIDTH, break_long_words=False, break_on_hyphens=False)


# -- tests --------------------------------------------------------------------------------------


def _protects(found: Evidence) -> Iterator[str]:
    killed, judged = found.get("mutants.newly_killed"), found.get("mutants.judged")
    if killed:
        of = "" if judged is None else f" (of {judged:.0f} tried)"
        where = listed(_functions(found.details.get("mutants.newly_killed", ())))
        named = f" in {where}" if where else ""
        faults = counted(killed, "fault", "faults")
        yield f"Notices {faults} planted{named} that no test noticed before{of}."
    before, after = found.get("coverage.lines.before"), found.get("coverage.lines.after")
    if before is not None and after is not None and after > before:
        yield f"Tests now run {_share(after)} of the project's lines, {_share(before)} before."


def _stands_firm(found: Evidence) -> Iterator[str]:
    new, runs = found.get("tests.new"), found.get("tests.passed_runs")
    if runs:
        who = "The new tests" if not new else f"The {counted(new, 'new test', 'new tests')}"
        how = "under another order, hash seed and clock each time"
        yield f"{who} passed {counted(runs, 'run', 'runs')}, {how}."
    noticed, killed = found.get("mutants.killed_by_assertion"), found.get("mutants.newly_killed")
    if noticed and noticed == killed:
        yield "It is their assertions that notice: without them every such fault passes."


def _functions(mutants: Iterable[str]) -> list[str]:
    """Of `file::function::operator::occurrence`: the functions, those with most mutants first."""
    names = [each.split("::")[1] for each in mutants if each.count("::") >= 2]
    known = [name for name in names if _is_name(name)]
    return sorted(dict.fromkeys(known), key=lambda name: -known.count(name))


# -- code ---------------------------------------------------------------------------------------


def _gains_speed(found: Evidence) -> Iterator[str]:
    median, tail = found.get("speed.p50"), found.get("speed.p95")
    if median is None:
        return
    names = _names(found.details.get("speed.faster", ()), 0)
    who = f"{listed(names)} {'is' if len(names) == 1 else 'are'}" if names else "It is"
    slow = "" if tail is None else f", {tail:.2g} times at the 95th percentile"
    how = "lower ends of 95 % intervals, CPU time, old and new side by side"
    yield f"{who} at least {median:.2g} times as fast at the median{slow} ({how})."
    memory = found.get("memory.ratio")
    if memory is not None:
        yield "It needs no more memory." if memory <= 1 else f"Memory: {memory:.2g} times as much."


def _behaves(found: Evidence) -> Iterator[str]:
    alike = _names(found.details.get("equivalence.equivalent", ()), 1)
    proven = set(_names(found.details.get("equivalence.proven", ()), 1))
    tried = [name for name in alike if name not in proven]
    shown = [name for name in alike if name in proven]
    if shown:
        verb = "takes" if len(shown) == 1 else "take"
        yield f"{listed(shown)} {verb} the same steps as before, as the code itself shows."
    if tried:
        same = "the same results, errors and effects"
        yield f"On generated inputs old and new {listed(tried)} gave {same}."


def _keeps_tests(found: Evidence) -> Iterator[str]:
    tests, lost = found.get("suite.tests"), found.get("suite.newly_failing")
    before, after = found.get("mutants.score.before"), found.get("mutants.score.after")
    if tests and lost == 0:
        scores = ""
        if before is not None and after is not None:
            scores = f" and notice {_share(after)} of the planted faults, {_share(before)} before"
        yield f"The {counted(tests, 'test', 'tests')} of the suite pass as before{scores}."
    removed = found.get("complexity.removed")
    if removed:
        yield f"{counted(removed, 'decision', 'decisions')} fewer to follow."


def _names(places: Iterable[str], part: int) -> list[str]:
    """The names in `path:name` (part 1) or `name: reason` (part 0)."""
    parts = [each.split(":")[part].strip() for each in places if each.count(":") >= part]
    return [name for name in dict.fromkeys(parts) if _is_name(name)]


def _share(value: float) -> str:
    return f"{100 * value:.0f} %"


def _is_name(text: str) -> bool:
    return all(part.isidentifier() for part in text.split("."))
