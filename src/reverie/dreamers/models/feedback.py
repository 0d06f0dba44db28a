"""Reasons of a refusal as its author reads them: what failed, the figures, names behind them."""

from collections.abc import Iterator, Mapping, Sequence

from reverie.dreamers.models.tasks import quoted
from reverie.model.change import Change
from reverie.model.ruling import Answer, Ruling

_MOST_NAMES = 6
_NAME_CHARACTERS = 400
_MOST_DIFF = 12_000
_NAMED = (
    "tests.failing", "tests.unstable", "tests.blunt", "tests.only_here", "tests.machine",
    "tests.idle", "tests.skipped", "tests.unreached", "tests.replaced", "tests.writes",
    "suite.newly_failing", "suite.lost", "suite.weaker", "equivalence.different",
    "equivalence.unknown", "mutants.no_longer_killed", "coverage.lost", "effects.new",
    "speed.slower", "speed.same", "speed.unknown", "imports.failing", "imports.new_libraries",
)  # fmt: skip
"""Details of evidence that tell an author what to mend."""


def reasons_of(
    rulings: Sequence[Ruling], details: Mapping[str, tuple[str, ...]], change: Change
) -> str:
    """The refusal of one answer, for the next one."""
    lines = ["Your last answer was refused:", *objections(rulings)]
    names = [*named_details(details)]
    parts = ["\n".join(lines)]
    if names:
        parts.append("What was measured:\n" + quoted("\n".join(names)))
    parts += ["Your last answer as a diff:", quoted(change.diff()[:_MOST_DIFF])]
    parts.append("Answer again, whole: mend what was refused, leave out what cannot be mended.")
    return "\n\n".join(parts)


def misread(problem: str) -> str:
    """What is said to an author whose answer could not be read."""
    return (
        f"Your last answer could not be used: {problem}\n\n"
        "Answer again, in the form that is asked for."
    )


def objections(rulings: Sequence[Ruling]) -> Iterator[str]:
    """Every ruling that is no pass, in a line."""
    for each in rulings:
        if each.verdict is not Answer.PASS:
            figures = [
                f"{name} {value}"
                for name, value in (("measured", each.measured), ("required", each.required))
                if value is not None
            ]
            told = f" ({', '.join(figures)})" if figures else ""
            yield f"- {each.gate}: {each.reason}{told}"


def named_details(details: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    """Tests, inputs and mutants behind the figures."""
    for key in _NAMED:
        for each in details.get(key, ())[:_MOST_NAMES]:
            yield f"{key}: {each[:_NAME_CHARACTERS]}"
