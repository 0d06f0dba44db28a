"""One sentence about one callable, and the rules that read such sentences."""

import ast
import re
from collections.abc import Callable
from dataclasses import dataclass

from reverie.dreamers.fuzz.claims.conditions import is_sized
from reverie.dreamers.fuzz.claims.subjects import Subject
from reverie.dreamers.fuzz.law import LawKind

CONDITIONAL = re.compile(
    r"\b(?:raises?|unless|must|should be|expects?|assumes?|error)\b", re.IGNORECASE
)
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
        ast.parse(text, mode="eval")
    except SyntaxError:
        return False
    return True


def is_literal(text: str) -> bool:
    """Whether a text is a number."""
    return bool(re.fullmatch(r"-?\d+(?:\.\d+)?", text))


def is_nested(said: Said) -> bool:
    """Whether the result holds texts or lists."""
    return bool(re.search(r"\[(?:str|list|tuple|dict|bytes)\b", said.returns))


def names_in(text: str) -> set[str]:
    """The names that an expression uses."""
    return {
        each.id for each in ast.walk(ast.parse(text, mode="eval")) if isinstance(each, ast.Name)
    }


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
