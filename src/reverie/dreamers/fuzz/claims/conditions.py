"""Conditions in English, as far as documentation uses them, as Python over the parameters."""

import ast
import re
from collections.abc import Sequence

from reverie.dreamers.fuzz.claims.subjects import Parameter

_NUMBERS = {"zero": "0", "one": "1", "two": "2", "three": "3", "none": "None", "nothing": "None"}
_SIZED = re.compile(
    r"\b(str|list|tuple|dict|set|frozenset|bytes|Sequence|Iterable|Mapping|Collection)\b"
)
_NUMERIC = re.compile(r"^(int|float|Decimal|Fraction|int \| float|float \| int|numbers\.\w+)$")
_PREDICATES: tuple[tuple[str, str], ...] = (
    (r"(?:is|are) (?:not |non-?)positive|(?:is|are) zero or (?:less|negative)", "{0} <= 0"),
    (r"(?:is|are) (?:not |non-?)negative", "{0} >= 0"),
    (r"(?:is|are) negative", "{0} < 0"),
    (r"(?:is|are) positive", "{0} > 0"),
    (r"(?:is|are) (?:not |non-?)empty|has (?:items|elements|members)", "len({0}) > 0"),
    (r"(?:is|are) empty|has no (?:items|elements|members)", "len({0}) == 0"),
    (r"(?:is|are) (?:below|less than|under|smaller than|lower than) (?P<a>\S+)", "{0} < {a}"),
    (r"(?:is|are) (?:above|greater than|over|more than|larger than|bigger than) (?P<a>\S+)",
     "{0} > {a}"),
    (r"exceeds? (?P<a>\S+)", "{0} > {a}"),
    (r"(?:is|are) at least (?P<a>\S+)", "{0} >= {a}"),
    (r"(?:is|are) at most (?P<a>\S+)", "{0} <= {a}"),
    (r"(?:is|are|lies) (?:outside|not (?:in|within|between)) (?:of )?(?:the range )?\[?"
     r"(?P<a>-?[\w.]+?)(?:\.\.|, ?| to | and )(?P<b>-?[\w.]+?)\]?",
     "not {a} <= {0} <= {b}"),
    (r"(?:is|are|lies) (?:between|within|in) \[?(?P<a>-?[\w.]+?)(?:\.\.|, ?| to | and )"
     r"(?P<b>-?[\w.]+?)\]?", "{a} <= {0} <= {b}"),
    (r"(?:is|are) not (?P<a>-?\d[\d.]*)", "{0} != {a}"),
    (r"(?:is|are|equals) (?P<a>-?\d[\d.]*|zero|one|two|None)", "{0} == {a}"),
    (r"(?:is|are) (?P<a>even)", "{0} % 2 == 0"),
    (r"(?:is|are) (?P<a>odd)", "{0} % 2 == 1"),
)  # fmt: skip
_COMPILED = tuple((re.compile(pattern, re.IGNORECASE), text) for pattern, text in _PREDICATES)
_SPLIT = re.compile(r",? or (?:when |if |for )?|, (?:when |if |for )?")


def disjuncts(text: str, parameters: Sequence[Parameter]) -> list[str]:
    """Of a condition `A, B or C`, the parts that are understood; each is enough by itself."""
    parts = [each.strip() for each in _SPLIT.split(text.strip(" .")) if each.strip()]
    found: list[str] = []
    waiting: list[str] = []
    for part in parts:
        made = condition(part, parameters)
        if made is None and (subject := _parameter(part, parameters)) is not None:
            waiting.append(subject)  # `base or budget is negative`
            continue
        if made is not None:
            found.append(made)
            found += [again for each in waiting if (again := _again(part, each, parameters))]
        waiting = []
    return found


def condition(text: str, parameters: Sequence[Parameter]) -> str | None:
    """The Python of one condition; None when it is not understood."""
    text = re.sub(r"^(?:when|if|for|that|where|any|all) ", "", text.strip(" .,"))
    bars = re.sub(r"\|\s*(\w+)\s*\|", r"abs(\1)", text)
    if (plain := comparison(bars, parameters)) is not None:
        return plain
    if (shape := _of_the_only_one(text, parameters)) is not None:
        return shape
    for pattern, made in _COMPILED:
        if found := re.fullmatch(rf"(?P<subject>.+?) (?:{pattern.pattern})", text, re.IGNORECASE):
            subject = _parameter(found["subject"], parameters)
            if subject is None:
                continue
            values = {
                key: _value(value, parameters)
                for key, value in found.groupdict().items()
                if key != "subject" and value is not None
            }
            if None not in values.values():
                return made.format(subject, **values)
    return None


def comparison(text: str, parameters: Sequence[Parameter]) -> str | None:
    """A condition that is Python already, over parameters alone."""
    try:
        node = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if not isinstance(node, ast.Compare) or isinstance(node.ops[0], ast.Is | ast.IsNot):
        return None
    known = {each.name for each in parameters} | {"len", "abs", "min", "max", "sum"}
    names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
    return ast.unparse(node) if names and names <= known else None


def is_sized(parameter: Parameter) -> bool:
    """Whether its values have a length, by the annotation."""
    return bool(_SIZED.search(parameter.annotation or parameter.documented or ""))


def is_numeric(parameter: Parameter) -> bool:
    """Whether its values are numbers, by the annotation."""
    return parameter.annotation is not None and bool(_NUMERIC.match(parameter.annotation))


def _of_the_only_one(text: str, parameters: Sequence[Parameter]) -> str | None:
    """`for an empty list`, `when negative`, `outside 1..9`: of the one parameter that can be."""
    sized = [each.name for each in parameters if is_sized(each)]
    numbers = [each.name for each in parameters if is_numeric(each)]
    if re.fullmatch(r"(?:an? |the )?empty(?: \w+)?", text) and len(sized) == 1:
        return f"len({sized[0]}) == 0"
    if len(numbers) != 1:
        return None
    only = numbers[0]
    if re.fullmatch(r"(?:a )?negative(?: \w+)?|below (?:zero|0)", text):
        return f"{only} < 0"
    if re.fullmatch(r"(?:a )?(?:non-?|not )positive(?: \w+)?", text):
        return f"{only} <= 0"
    if re.fullmatch(r"(?:zero|0)", text):
        return f"{only} == 0"
    found = re.fullmatch(
        r"(?:\w+ )?outside(?: of)?(?: the range)?(?: \[?(-?\d+)(?:\.\.| to |, ?)(-?\d+)\]?)", text
    )
    return f"not {found[1]} <= {only} <= {found[2]}" if found else None


def _again(part: str, subject: str, parameters: Sequence[Parameter]) -> str | None:
    words = part.split(" ")
    return condition(" ".join([subject, *words[1:]]), parameters)


def _parameter(text: str, parameters: Sequence[Parameter]) -> str | None:
    name = re.sub(r"^(?:the|a|an|either|any|one of) ", "", text.strip(" '`\""))
    name = name.strip("`'*")
    return next((each.name for each in parameters if each.name == name), None)


def _value(text: str, parameters: Sequence[Parameter]) -> str | None:
    text = text.strip(".,`'")
    text = _NUMBERS.get(text.lower(), text)
    if re.fullmatch(r"-?\d+(?:\.\d+)?(?:e-?\d+)?", text) or text == "None":
        return text
    return _parameter(text, parameters)
