"""Conditions in English as Python over the parameters, and the rules that read sentences."""

import ast
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from reverie.dreamers.fuzz.claims.subjects import Parameter, Subject
from reverie.dreamers.fuzz.law import LawKind
from reverie.syntax.nodes import names_in
from reverie.syntax.parsing import NOT_PYTHON, parse_expression
from reverie.syntax.unparsing import unparse

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
        node = parse_expression(text.strip())
    except NOT_PYTHON:
        return None
    if not isinstance(node, ast.Compare) or isinstance(node.ops[0], ast.Is | ast.IsNot):
        return None
    known = {each.name for each in parameters} | {"len", "abs", "min", "max", "sum"}
    names = names_in(node)
    return unparse(node) if names and names <= known else None


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


CONDITIONAL = re.compile(
    r"\b(?:raises?|unless|must|should be|expects?|assumes?|error)\b", re.IGNORECASE
)
HEDGED = re.compile(
    r"\b(?:although|though|however|except|but not|not always|(?:some|other|many|most) cases"
    r"|usually|mostly|generally|typically|roughly|rule of thumb|best effort|lossy)\b",
    re.IGNORECASE,
)
"""What a sentence that holds only now and then says of itself."""
_CHARACTERS = {
    "hyphen": "-", "dash": "-", "underscore": "_", "blank": " ", "space": " ", "slash": "/",
    "comma": ",", "dot": ".", "period": ".", "newline": "\n", "line break": "\n", "zero": "0",
    "colon": ":", "quote": '"', "separator": None, "whitespace": " ",
}  # fmt: skip
BY = re.compile(
    r"(?:order|sort|rank)\w* by\b|\bby (?:their|its|the|key|length|value|count)|\bkey\b|same order"
)
NUMBER = r"(?P<n>-?\d+(?:\.\d+)?|zero|one|two|[a-z_]\w*)"
_WORDS = {"zero": "0", "one": "1", "two": "2", "three": "3"}
UNITS = (
    r"(?:characters?|chars?|letters?|items?|elements?|entries|values?|words?|digits?|lines?|bytes"
    r"|keys?|members?|long|in length)"
)


@dataclass(frozen=True, slots=True)
class Said:
    """One sentence about one callable."""

    subject: Subject
    text: str
    is_first: bool

    @property
    def returns(self) -> str:
        """The type of the result."""
        return self.subject.result

    @property
    def is_text(self) -> bool:
        """Whether the result is a text."""
        return self.returns == "str"

    @property
    def is_listing(self) -> bool:
        """Whether the result is a list or the like."""
        return bool(
            re.match(
                r"(?:list|tuple|set|Sequence|Iterable|frozenset|List|Tuple|Set)\b", self.returns
            )
        )

    @property
    def is_number(self) -> bool:
        """Whether the result is a number."""
        return self.returns in ("int", "float", "Decimal", "Fraction")

    def value(self, word: str) -> str | None:
        """A number or a parameter, as source."""
        word = _WORDS.get(word.lower(), word)
        if re.fullmatch(r"-?\d+(?:\.\d+)?", word):
            return word
        return word if word in self.subject.names else None

    @property
    def sized(self) -> str | None:
        """The first parameter that has a length."""
        return next((each.name for each in self.subject.parameters if is_sized(each)), None)


Maker = Callable[[Said, re.Match[str]], str | None]
RULES: list[tuple[re.Pattern[str], Maker, LawKind]] = []


def rule(pattern: str, kind: LawKind = LawKind.POSTCONDITION) -> Callable[[Maker], Maker]:
    """Add a rule: what makes the condition, or None, of a sentence that has the pattern."""

    def keep(make: Maker) -> Maker:
        RULES.append((re.compile(pattern, re.IGNORECASE), make, kind))
        return make

    return keep


def sentences(doc: str) -> list[str]:
    """Sentences; a clause of its own after a semicolon is one too."""
    found = re.split(r"(?<=[\w)\]'`\"])[.;](?=\s|$)|\n|(?<=\w): (?=[a-z])", doc)
    return [each.strip() for each in found if each.strip()]


def is_source(text: str) -> bool:
    """Whether a text is an expression."""
    try:
        parse_expression(text)
    except SyntaxError:
        return False
    return True


def is_literal(text: str) -> bool:
    """Whether a text is a number."""
    return bool(re.fullmatch(r"-?\d+(?:\.\d+)?", text))


def is_nested(said: Said) -> bool:
    """Whether the result holds texts or lists."""
    return bool(re.search(r"\[(?:str|list|tuple|dict|bytes)\b", said.returns))


def character(text: str) -> str | None:
    """The text that words such as "a hyphen" stand for."""
    quoted = re.fullmatch(r"'([^']+)'|\"([^\"]+)\"|`([^`]+)`", text.strip())
    if quoted is not None:
        return quoted[1] or quoted[2] or quoted[3]
    words = re.sub(r"^(?:an?|the|any|single|trailing|leading) ", "", text.strip().lower())
    for word, value in _CHARACTERS.items():
        if re.match(rf"{word}s?\b", words):
            return value
    return None


def literal(text: str) -> str | None:
    """The literal that a text starts or ends with."""
    text = text.strip(" `.,")
    text = {"zero": "0", "none": "None"}.get(text.lower(), text)
    for piece in (text, text.partition(" ")[0].strip(" `.,;")):
        try:
            value = ast.literal_eval(piece)
        except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
            continue
        return repr(value)
    return None
