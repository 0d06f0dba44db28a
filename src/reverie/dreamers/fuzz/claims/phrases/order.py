"""What is said of lists: order, contents, lengths."""

import re

from reverie.dreamers.fuzz.claims.conditions import is_sized
from reverie.dreamers.fuzz.claims.saying import (
    BY,
    Said,
    is_literal,
    is_nested,
    is_source,
    names_in,
    rule,
)
from reverie.dreamers.fuzz.law import LawKind


@rule(r"^(?:returns? (?:a |the )?(?:new )?)?(?:sorted|ordered)\b(?! by| list| in the| according| sequence)"
       r"|, sorted(?:,|$| from)|(?:into|returns?|gives?) (?:a |one )(?:single |new )?sorted (?:list|tuple)|in (?:ascending|increasing|sorted|alphabetical) order|(?:small(?:est|er)"
       r"(?: ones?)?|lowest|lower ones) first|ascending(?:,|$)|oldest first(?=ZZ)")  # fmt: skip
def _ascending(said: Said, found: re.Match[str]) -> str | None:
    if BY.search(said.text) or said.is_number or said.is_text:
        return None
    return "list(result) == sorted(result)" if said.is_listing or not said.returns else None


@rule(r"in (?:descending|decreasing) order|(?:large(?:st|r)(?: ones?)?|highest|higher ones|biggest"
       r"|bigger ones) first|descending(?:,|$)")  # fmt: skip
def _descending(said: Said, found: re.Match[str]) -> str | None:
    if BY.search(said.text) or not said.is_listing:
        return None
    return "list(result) == sorted(result, reverse=True)"


@rule(r"\b(?:the )?same (?:items|elements|values|members|numbers)\b|\bpermutation of\b|\breorder")
def _same_items(said: Said, found: re.Match[str]) -> str | None:
    if said.sized is None or not said.is_listing:
        return None
    return f"counted(result) == counted({said.sized})"


@rule(r"\ball (?:the )?(?:items|elements|values|members|numbers) of (?:both|the two)\b")
def _items_of_both(said: Said, found: re.Match[str]) -> str | None:
    both = [each.name for each in said.subject.parameters if is_sized(each)]
    if len(both) != 2 or not said.is_listing:
        return None
    return f"counted(result) == counted({both[0]}) + counted({both[1]})"


@rule(r"(?:hold|have|has|holds|contain|contains|keep|keeps) the same characters")
def _same_characters(said: Said, found: re.Match[str]) -> str | None:
    if said.sized is None:
        return None
    joined = "''.join(result)" if said.is_listing else "result"
    return f"counted(''.join({joined}.split())) == counted(''.join({said.sized}.split()))"


@rule(r"\bno duplicates\b|\bwithout duplicates\b|duplicates (?:are )?(?:removed|dropped)"
       r"|^(?:returns? )?(?:the |a list of )?(?:sorted )?(?:distinct|unique)\b|each \w+ (?:only |exactly )?once"
       r"|first occurrences? of each")  # fmt: skip
def _distinct(said: Said, found: re.Match[str]) -> str | None:
    return "len(set(map(repr, result))) == len(result)" if said.is_listing else None


@rule(r"(?<!for )(?:every|each) [\w ]{0,40}(?:is|are) (?:non-?empty|never empty|not empty)"
       r"|\bnever (?:an )?empty\b(?! last)|never returns an empty")  # fmt: skip
def _not_empty(said: Said, found: re.Match[str]) -> str | None:
    if not (said.is_listing or said.is_text):
        return None
    if is_nested(said) and re.search(r"\b(?:chunks|groups|words|runs|parts|pieces)\b", said.text):
        return "all(len(each) > 0 for each in result)"
    return "len(result) > 0"


@rule(
    r"(?:the )?same (?:length|size|number of \w+) as (?:the )?(?P<n>\w+)|as long as (?:the )?(?P<m>\w+)"
)
def _same_length(said: Said, found: re.Match[str]) -> str | None:
    other = said.value(found["n"] or found["m"]) or said.sized
    if other is None or is_literal(other) or not (said.is_text or said.is_listing):
        return None
    return f"len(result) == len({other})"


@rule(
    r"(?P<e>(?:len\(|\w+ [-+*/]).{1,60}?) (?:of them|(?:items|values|elements|entries|lines|rows) in all)\b",
    LawKind.FORMULA,
)
def _exactly(said: Said, found: re.Match[str]) -> str | None:
    for start in [0, *(each.end() for each in re.finditer(r"[\s:,(]+", found["e"]))]:
        text = found["e"][start:]
        if (
            is_source(text)
            and said.is_listing
            and names_in(text) <= {*said.subject.names, "len", "max", "min"}
        ):
            return f"len(result) == {text}"
    return None


@rule(r"\bdisjoint\b|do not overlap|don't overlap|non-?overlapping|never overlap")
def _disjoint(said: Said, found: re.Match[str]) -> str | None:
    if not re.search(r"tuple\[(?:int|float), ?(?:int|float)\]", said.returns):
        return None
    return (
        "all(one[1] <= two[0] and one != two for one, two in "
        "zip(sorted(result), sorted(result)[1:])) and all(each[0] <= each[1] for each in result)"
    )


@rule(r"all (?:items|elements|values|entries)? ?before it are (?:smaller|less|lower|below)")
def _insertion(said: Said, found: re.Match[str]) -> str | None:
    if said.sized is None or len(said.subject.names) < 2:
        return None
    value = next(each for each in said.subject.names if each != said.sized)
    return (
        f"all(each < {value} for each in {said.sized}[:result]) and "
        f"all(each >= {value} for each in {said.sized}[result:])"
    )
