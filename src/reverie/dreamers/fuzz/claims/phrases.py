"""Phrases of documentation, by subject; each says what has to be true of a result.

Rules are added when this module is loaded, and tried in the order of the file.
"""

import ast
import re

from reverie.dreamers.fuzz.claims.conditions import (
    BY,
    NUMBER,
    UNITS,
    Said,
    character,
    is_literal,
    is_nested,
    is_numeric,
    is_sized,
    is_source,
    literal,
    rule,
)
from reverie.dreamers.fuzz.law import LawKind
from reverie.syntax.nodes import names_in
from reverie.syntax.parsing import fresh_expression, parse_expression
from reverie.syntax.unparsing import unparse


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
            and names_in(parse_expression(text)) <= {*said.subject.names, "len", "max", "min"}
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


_ITEMS = r"(?:elements|items|values|members|numbers|entries)"
_PIECES = re.compile(
    r"^(?:partition_all|divide|batched|batches|(?:i?chunk(?:ed|s|ify)?|split_every|sliced|in_chunks)(?:_iter)?)$"
)
_SPAN = re.compile(r"\((-?\d+)(?: ?(?:-|to|\.\.\.?) ?)(\d+)\b[^)]*\)")
_NUMERIC = {"gcd": "math.gcd", "lcm": "math.lcm", "sqrt": "math.sqrt", "abs": "abs"}


@rule(rf"\bthe `*\*?(?P<n>\w+)\*?`* (?P<which>largest|smallest|biggest|highest|lowest) {_ITEMS}\b")
def _extremes(said: Said, found: re.Match[str]) -> str | None:
    """`Find the k largest elements of a sequence`."""
    names = said.subject.names
    if found["n"] not in names or len(said.subject.required) != 2 or not said.is_first:
        return None
    many = next(each.name for each in said.subject.required if each.name != found["n"])
    plain = "".join(f"{each} is not None or " for each in names if each == "key")
    order = ", reverse=True" if found["which"][0] in "lbh" and found["which"] != "lowest" else ""
    count = found["n"]
    return (
        f"{plain}{count} < 0 or not isinstance({many}, (list, tuple)) or "
        f"same(list(listed(result)), sorted({many}{order})[:{count}])"
    )


@rule(r"\bis the (?:maximum|max\.?|largest) (?:number|amount|count) of [\w ]{1,30}? to return")
def _most_returned(said: Said, found: re.Match[str]) -> str | None:
    """`n is the maximum number of close matches to return`."""
    before = re.search(r"`*\*?(?P<n>\w+)\*?`*(?: \([^)]*\))? *$", said.text[: found.start()])
    if before is None or before["n"] not in said.subject.names:
        return None
    name = before["n"]
    return f"not isinstance({name}, int) or {name} < 0 or len(result) <= {name}"


@rule(r"^(?:returns?|gives?|yields?) ")
def _spans(said: Said, found: re.Match[str]) -> str | None:
    """`Return weekday (0-6) and number of days (28-31)`: as many values as there are ranges."""
    if not said.is_first:
        return None
    told = re.split(r"\bfor\b|\bgiven\b", said.text)[0]
    spans = [(int(low), int(high)) for low, high in _SPAN.findall(told)]
    if not spans or any(low >= high for low, high in spans):
        return None
    if len(spans) == 1 and not said.is_number and said.returns:
        return None
    if len(spans) == 1:
        low, high = spans[0]
        return f"type(result) not in (int, float) or {low} <= result <= {high}"
    parts = [f"{low} <= result[{place}] <= {high}" for place, (low, high) in enumerate(spans)]
    return f"type(result) is not tuple or len(result) != {len(spans)} or {' and '.join(parts)}"


@rule(r"^returns? \(?(?P<names>\w+(?:, \w+)+)\)?,? such that (?P<formula>[^.\n]+)", LawKind.FORMULA)
def _such_that(said: Said, found: re.Match[str]) -> str | None:
    """`Returns x, y, g such that g = x*a + y*b`: names for the parts of the result."""
    names = found["names"].split(", ")
    text = re.sub(r"(?<![=<>!])=(?!=)", "==", found["formula"]).strip(" `,;:")
    try:
        node = fresh_expression(text)
    except SyntaxError:
        return None
    used = names_in(node)
    known = {*names, *said.subject.names, *_NUMERIC}
    if not isinstance(node, ast.Compare) or not used <= known or not used & set(names):
        return None
    places = {name: f"result[{place}]" for place, name in enumerate(names)}
    return unparse(_Named({**_NUMERIC, **places}).visit(node))


class _Named(ast.NodeTransformer):
    """Names that stand for something else."""

    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.expr:
        made = self.names.get(node.id)
        return node if made is None else fresh_expression(made)


@rule(rf"\b(?:all|the) {_ITEMS} (?:of|from|in)\b|-sized chunks\b|\b(?:chunks|batches|groups) of\b")
def _pieces(said: Said, found: re.Match[str]) -> str | None:
    """`Divide the elements from *iterable* into *n* parts`: together they are what was given."""
    if not said.is_first or not _PIECES.match(said.subject.name):
        return None
    names = [each.name for each in said.subject.required]
    lists = [each for each in names if each not in ("n", "size", "k", "chunk_size")]
    counts = "".join(f"not {each} > 0 or " for each in names if each not in lists)
    if len(lists) != 1 or not counts:
        return None
    (given,) = lists
    return (
        f"{counts}not isinstance({given}, (list, tuple)) or "
        f"same([one for each in listed(result) for one in listed(each)], list({given}))"
    )


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
