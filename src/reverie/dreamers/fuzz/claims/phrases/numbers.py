"""What is said of numbers: signs, bounds, sums."""

import re

from reverie.dreamers.fuzz.claims.saying import NUMBER, UNITS, Said, is_literal, is_nested, rule


@rule(r"\bnever negative\b|\bnever (?:goes |falls |drops )?below (?:zero|0)\b")
def _never_negative(said: Said, _: re.Match[str]) -> str | None:
    return "result >= 0" if said.is_number or not said.returns else None


@rule(r"^(?:returns? |gives? )?(?:an? |the )?(?P<what>non-?negative|positive)\b")
def _opens_with_sign(said: Said, found: re.Match[str]) -> str | None:
    sign = ">" if found["what"].lower() == "positive" else ">="
    return f"result {sign} 0" if said.is_number else None


@rule(r"(?:result|value|answer|score|returned \w+) is (?:always )?(?P<what>non-?negative|positive)")
def _result_sign(said: Said, found: re.Match[str]) -> str | None:
    return _opens_with_sign(said, found)


@rule(
    r"(?:(?:always|never outside|stays?|lies|result|value|score|ratio|share|returns? .{0,20})\b.{0,15}?"
    r"|^(?:an? )?(?:\w+ )?(?:number|integer|float|value|score|ratio|share)\b.{0,12}?"
    r"|^)(?:between|from|in|within|clamped to|limited to) \[?(?P<a>-?[\w.]+?)(?: and |, ?| to |\.\.)"
    r"(?P<b>-?[\w.]+?)(?:\]|\b(?!\w))"
)
def _between(said: Said, found: re.Match[str]) -> str | None:
    low, high = said.value(found["a"]), said.value(found["b"])
    if low is None or high is None or not said.is_number:
        return None
    ordered = f"not {low} <= {high} or " if not (is_literal(low) and is_literal(high)) else ""
    return f"{ordered}{low} <= result <= {high}"


@rule(r"^(?:returns? )?(?P<all>-?\d+(?:, -?\d+)*,? or -?\d+)\b")
def _one_of_numbers(said: Said, found: re.Match[str]) -> str | None:
    values = re.findall(r"-?\d+", found["all"])
    return f"result in ({', '.join(values)},)" if said.is_number else None


_OF_EACH = re.compile(
    r"\b\w+s,? (?:(?:of|with|each|having|holding|containing)(?: \w+)?|(?:that|which) \w+) *$"
)
"""`pages of`, before a bound: it holds for each of them, not for how many there are."""


@rule(rf"(?:at most|no more than|never more than|not more than|never exceeds?|no longer than"
       rf"|never longer than|limited to|never above|never larger than|never greater than|cut to"
       rf"|truncated to) {NUMBER}\b(?P<unit> {UNITS})?")  # fmt: skip
def _at_most(said: Said, found: re.Match[str]) -> str | None:
    limit = said.value(found["n"])
    if limit is None or re.search(r"differ", said.text[: found.start()], re.IGNORECASE):
        return None
    if not said.returns and found["n"] in said.subject.names and not found["unit"]:
        return f"not isinstance(result, (list, tuple)) or len(result) <= {limit}"
    if said.is_number:
        return None if found["unit"] else f"result <= {limit}"
    if said.is_listing and _OF_EACH.search(said.text[: found.start()]):
        return f"all(len(each) <= {limit} for each in result)" if is_nested(said) else None
    named = found["unit"] or re.search(r"longer|cut|truncated", found[0])
    if said.is_text or said.is_listing:
        outside = "" if is_literal(limit) else f"{limit} < 0 or "
        return f"{outside}len(result) <= {limit}" if named or said.is_listing else None
    return None


@rule(
    r"lines? of (?:at most|no more than|up to) [`'*]*(?P<n>\w+)[`'*]* (?:columns|characters|cells|chars)"
)
def _lines_of(said: Said, found: re.Match[str]) -> str | None:
    limit = said.value(found["n"])
    if limit is None or (said.returns and not said.is_listing):
        return None
    return f"isinstance(result, str) or all(len(each) <= {limit} for each in result)"


@rule(rf"(?:at least|no fewer than|no less than|never less than|never fewer than|never below"
       rf"|never smaller than|never shorter than) {NUMBER}\b(?P<unit> {UNITS})?")  # fmt: skip
def _at_least(said: Said, found: re.Match[str]) -> str | None:
    limit = said.value(found["n"])
    if limit is None:
        return None
    if said.is_number:
        return None if found["unit"] else f"result >= {limit}"
    return (
        f"len(result) >= {limit}" if found["unit"] and (said.is_text or said.is_listing) else None
    )


@rule(r"(?:add|sum|adds|sums)(?: up)? to (?:exactly )?(?:the )?(?P<n>[\w.]+)")
def _adds_up(said: Said, found: re.Match[str]) -> str | None:
    total = said.value(found["n"])
    if total is None or (not said.is_listing and "dict" not in said.returns):
        return None
    items = "result.values()" if "dict" in said.returns else "result"
    empty = "not result or " if is_literal(total) else ""
    return f"{empty}same(sum({items}), {total})"


@rule(r"differs? by at most (?P<n>\w+)|differs? by no more than (?P<m>\w+)")
def _differ(said: Said, found: re.Match[str]) -> str | None:
    limit = said.value(found["n"] or found["m"])
    return None if limit is None else f"not result or max(result) - min(result) <= {limit}"


@rule(
    r"(?:sum|total)(?: of (?:all |the )?(?:\w+ )?(?P<n>\w+))? (?:stays the same|is (?:kept|preserved)"
    r"|does not change|remains the same|never changes)"
)
def _kept_sum(said: Said, found: re.Match[str]) -> str | None:
    if said.sized is None or not (said.is_listing or said.returns.startswith(("dict", "Dict"))):
        return None
    values = ".values()" if said.returns.lower().startswith("dict") else ""
    return f"same(sum(result{values}), sum({said.sized}{values}))"
