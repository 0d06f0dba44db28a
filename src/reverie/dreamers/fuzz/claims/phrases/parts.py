"""What is said of results with several parts: their ranges, the largest of them, all of them."""

import ast
import re

from reverie.dreamers.fuzz.claims.saying import Said, rule
from reverie.dreamers.fuzz.law import LawKind

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
        node = ast.parse(text, mode="eval").body
    except SyntaxError:
        return None
    used = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
    known = {*names, *said.subject.names, *_NUMERIC}
    if not isinstance(node, ast.Compare) or not used <= known or not used & set(names):
        return None
    places = {name: f"result[{place}]" for place, name in enumerate(names)}
    return ast.unparse(_Named({**_NUMERIC, **places}).visit(node))


class _Named(ast.NodeTransformer):
    """Names that stand for something else."""

    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.expr:
        made = self.names.get(node.id)
        return node if made is None else ast.parse(made, mode="eval").body


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
