"""What is said of texts: how they start, end, and are written."""

import re

from reverie.dreamers.fuzz.claims.saying import Said, character, rule


@rule(
    r"never (?:starts?|begins?) (?:or ends? )?with (?P<what>an? [\w ]+|'[^']+'|\"[^\"]+\"|`[^`]+`)"
)
def _never_starts(said: Said, found: re.Match[str]) -> str | None:
    text = character(found["what"])
    if text is None:
        return None
    ends = f" and not str(result).endswith({text!r})" if "or end" in found[0] else ""
    return f"not str(result).startswith({text!r}){ends}"


@rule(r"never ends? with (?P<what>an? [\w ]+|'[^']+'|\"[^\"]+\"|`[^`]+`)")
def _never_ends(said: Said, found: re.Match[str]) -> str | None:
    text = character(found["what"])
    return None if text is None else f"not str(result).endswith({text!r})"


@rule(
    r"(?:always|result) (?P<how>starts|begins|ends) with (?P<what>an? [\w ]+|'[^']+'|\"[^\"]+\"|`[^`]+`)"
)
def _always_starts(said: Said, found: re.Match[str]) -> str | None:
    text = character(found["what"])
    method = "endswith" if found["how"].lower() == "ends" else "startswith"
    return None if text is None or not said.is_text else f"result.{method}({text!r})"


@rule(r"(?:never contains?|contains? no|without any|no (?:double|consecutive|repeated)) "
       r"(?P<what>an? [\w ]+|\w+s?\b|'[^']+'|\"[^\"]+\"|`[^`]+`)")  # fmt: skip
def _never_contains(said: Said, found: re.Match[str]) -> str | None:
    text = character(found["what"])
    if text is None or not said.is_text:
        return None
    times = 2 if re.match(r"no (?:double|consecutive|repeated)", found[0], re.IGNORECASE) else 1
    return f"{text * times!r} not in result"


@rule(r"joined by (?:a )?single (?P<what>\w+)")
def _single(said: Said, found: re.Match[str]) -> str | None:
    text = character(found["what"])
    return f"{text * 2!r} not in result" if text and said.is_text else None


@rule(
    r"^(?:returns? )?(?:the )?(?P<case>lower|upper)-?(?: )?case\b|in (?P<again>lower|upper) ?-?case"
)
def _case(said: Said, found: re.Match[str]) -> str | None:
    case = (found["case"] or found["again"]).lower()
    return f"result == result.{case}()" if said.is_text else None
