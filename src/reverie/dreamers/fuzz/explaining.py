"""What is probably wrong where a law is broken, and what to do about it."""

from reverie.dreamers.fuzz.law import Law, LawKind
from reverie.dreamers.fuzz.told import Told


def explained(law: Law, told: Told) -> tuple[str, str]:
    """What is probably wrong, and what to do."""
    if told.is_late:
        return (
            "a loop does not come nearer to its end for this input",
            f"see that every round of a loop in {law.subject} gets on, or refuse the input",
        )
    if told.error:
        where = f" in {told.frame}" if told.frame else ""
        return (
            f"the input meets a case that is not handled{where}: {told.error}",
            "handle the case, or document the error",
        )
    said = {
        LawKind.ARGUMENTS: ("the caller's own object is used as scratch space", "work on a copy"),
        LawKind.REFUSAL: (
            "the check of the arguments is missing or too late",
            "refuse the input as documented",
        ),
        LawKind.ROUND_TRIP: (
            "one direction loses what the other needs",
            "compare both directions on this input",
        ),
        LawKind.IDEMPOTENCE: (
            "the result is not in the form that it is brought to",
            "look at the last step",
        ),
        LawKind.EXAMPLE: ("the code and its example part", "mend the one that is wrong"),
        LawKind.RESULT_TYPE: (
            "a path returns something else than the rest",
            "look at every return",
        ),
        LawKind.AGREEMENT: (
            "two ways to the same result part",
            "find the first step in which they differ",
        ),
        LawKind.REPEATABILITY: (
            "a call leaves something behind for the next",
            "look for state that is shared",
        ),
        LawKind.MONOTONICITY: ("more input counts for less", "look at how items are merged"),
    }
    share = f"; {told.held} other inputs obey" if told.held else ""
    hypothesis, action = said.get(
        law.kind, ("a case at the edge is computed differently", "step through it")
    )
    return hypothesis + share, action
