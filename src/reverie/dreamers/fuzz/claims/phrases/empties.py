"""What is said of nothing: the result for an empty argument."""

import re

from reverie.dreamers.fuzz.claims.conditions import is_numeric
from reverie.dreamers.fuzz.claims.saying import Said, literal, rule


@rule(
    r"(?:an?|the) empty (?P<what>\w+) (?:is|gives|returns|yields|becomes|has|counts as) (?P<text>.+)"
)
def _of_empty(said: Said, found: re.Match[str]) -> str | None:
    text = literal(found["text"])
    return None if text is None or said.sized is None else when_empty(said, text)


@rule(r"(?P<text>\S+) for (?:an |the )?(?:empty (?P<what>\w+)|none|nothing|no \w+)\b")
def _for_empty(said: Said, found: re.Match[str]) -> str | None:
    text = literal(found["text"])
    if text is None:
        return None
    if said.sized is not None:
        return when_empty(said, text)
    first = said.subject.parameters[0] if said.subject.parameters else None
    if first is None or not is_numeric(first) or found["what"]:
        return None
    return f"{first.name} != 0 or same(result, {text})"


@rule(r"(?:an?|the) empty \w+ (?:stays|remains|is left) (?:empty|as it is|unchanged)")
def _stays_empty(said: Said, found: re.Match[str]) -> str | None:
    return None if said.sized is None else f"len({said.sized}) > 0 or len(result) == 0"


def when_empty(said: Said, text: str) -> str:
    """The condition that an empty argument gives this result."""
    return f"len({said.sized}) > 0 or same(result, {text})"
