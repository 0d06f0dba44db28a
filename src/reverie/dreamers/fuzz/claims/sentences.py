"""Sentences of documentation that say something of every result, as conditions in Python."""

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from reverie.dreamers.fuzz.claims.conditions import is_numeric, is_sized
from reverie.dreamers.fuzz.claims.refusals import own_variables
from reverie.dreamers.fuzz.claims.subjects import Reading, Subject
from reverie.dreamers.fuzz.law import Basis, Law, LawKind

_CONDITIONAL = re.compile(r"\b(?:raises?|unless|must|should be|expects?|assumes?|error)\b", re.I)
_CHARACTERS = {
    "hyphen": "-", "dash": "-", "underscore": "_", "blank": " ", "space": " ", "slash": "/",
    "comma": ",", "dot": ".", "period": ".", "newline": "\n", "line break": "\n", "zero": "0",
    "colon": ":", "quote": '"', "separator": None, "whitespace": " ",
}  # fmt: skip
_BY = re.compile(r"(?:order|sort|rank)\w* by\b|\bby (?:their|its|the|key|length|value|count)|\bkey\b|same order")
_NUMBER = r"(?P<n>-?\d+(?:\.\d+)?|zero|one|two|[a-z_]\w*)"
_WORDS = {"zero": "0", "one": "1", "two": "2", "three": "3"}
_UNITS = (
    r"(?:characters?|chars?|letters?|items?|elements?|entries|values?|words?|digits?|lines?|bytes"
    r"|keys?|members?|long|in length)"
)


@dataclass(frozen=True, slots=True)
class _Said:
    """One sentence about one callable."""

    subject: Subject
    text: str
    is_first: bool

    @property
    def returns(self) -> str:
        return self.subject.returns or ""

    @property
    def is_text(self) -> bool:
        return self.returns == "str"

    @property
    def is_listing(self) -> bool:
        return bool(re.match(r"(?:list|tuple|set|Sequence|Iterable|frozenset)\b", self.returns))

    @property
    def is_number(self) -> bool:
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


_Maker = Callable[[_Said, re.Match[str]], str | None]
_RULES: list[tuple[re.Pattern[str], _Maker, LawKind]] = []


def _rule(pattern: str, kind: LawKind = LawKind.POSTCONDITION) -> Callable[[_Maker], _Maker]:
    def keep(make: _Maker) -> _Maker:
        _RULES.append((re.compile(pattern, re.IGNORECASE), make, kind))
        return make

    return keep


def sentence_laws(subject: Subject, reading: Reading) -> Iterator[Law]:
    """The laws that the sentences of a docstring state."""
    seen: set[str] = set()
    for number, text in enumerate(_sentences(subject.doc)):
        said = _Said(subject, text, number == 0)
        if _CONDITIONAL.search(text):
            continue
        for pattern, make, kind in _RULES:
            for found in pattern.finditer(text):
                check = make(said, found)
                if check is None or check in seen or not _is_source(check):
                    continue
                seen.add(check)
                yield _postcondition(subject, text, check, kind)
    yield from _component_laws(subject, reading)


def _postcondition(subject: Subject, text: str, check: str, kind: LawKind) -> Law:
    return Law(
        kind,
        subject.qualname,
        text.strip(),
        check,
        own_variables(subject),
        setup=(f"result = {subject.call()}",),
    )


def _sentences(doc: str) -> list[str]:
    """Sentences; a clause of its own after a semicolon is one too."""
    found = re.split(r"(?<=[\w)\]'`\"])[.;](?=\s|$)|\n|(?<=\w): (?=[a-z])", doc)
    return [each.strip() for each in found if each.strip()]


def _is_source(text: str) -> bool:
    try:
        ast.parse(text, mode="eval")
    except SyntaxError:
        return False
    return True


# Numbers


@_rule(r"\bnever negative\b|\bnever (?:goes |falls |drops )?below (?:zero|0)\b")
def _never_negative(said: _Said, _: re.Match[str]) -> str | None:
    return "result >= 0" if said.is_number or not said.returns else None


@_rule(r"^(?:returns? |gives? )?(?:an? |the )?(?P<what>non-?negative|positive)\b")
def _opens_with_sign(said: _Said, found: re.Match[str]) -> str | None:
    sign = ">" if found["what"].lower() == "positive" else ">="
    return f"result {sign} 0" if said.is_number else None


@_rule(r"(?:result|value|answer|score|returned \w+) is (?:always )?(?P<what>non-?negative|positive)")
def _result_sign(said: _Said, found: re.Match[str]) -> str | None:
    return _opens_with_sign(said, found)


@_rule(
    r"(?:(?:always|never outside|stays?|lies|result|value|score|ratio|share|returns? .{0,20})\b.{0,15}?"
    r"|^(?:an? )?(?:\w+ )?(?:number|integer|float|value|score|ratio|share)\b.{0,12}?"
    r"|^)(?:between|from|in|within|clamped to|limited to) \[?(?P<a>-?[\w.]+?)(?: and |, ?| to |\.\.)"
    r"(?P<b>-?[\w.]+?)(?:\]|\b(?!\w))"
)
def _between(said: _Said, found: re.Match[str]) -> str | None:
    low, high = said.value(found["a"]), said.value(found["b"])
    if low is None or high is None or not said.is_number:
        return None
    ordered = f"not {low} <= {high} or " if not (_is_literal(low) and _is_literal(high)) else ""
    return f"{ordered}{low} <= result <= {high}"


@_rule(r"^(?:returns? )?(?P<all>-?\d+(?:, -?\d+)*,? or -?\d+)\b")
def _one_of_numbers(said: _Said, found: re.Match[str]) -> str | None:
    values = re.findall(r"-?\d+", found["all"])
    return f"result in ({', '.join(values)},)" if said.is_number else None


@_rule(rf"(?:at most|no more than|never more than|not more than|never exceeds?|no longer than"
       rf"|never longer than|limited to|never above|never larger than|never greater than|cut to"
       rf"|truncated to) {_NUMBER}\b(?P<unit> {_UNITS})?")  # fmt: skip
def _at_most(said: _Said, found: re.Match[str]) -> str | None:
    limit = said.value(found["n"])
    if limit is None or re.search(r"differ", said.text[: found.start()], re.IGNORECASE):
        return None
    if said.is_number:
        return None if found["unit"] else f"result <= {limit}"
    if said.is_listing and re.match(r"\w+s (?:of|with|each)(?: \w+)? ", said.text) and _is_nested(said):
        return f"all(len(each) <= {limit} for each in result)"
    named = found["unit"] or re.search(r"longer|cut|truncated", found[0])
    if said.is_text or said.is_listing:
        outside = "" if _is_literal(limit) else f"{limit} < 0 or "
        return f"{outside}len(result) <= {limit}" if named or said.is_listing else None
    return None


@_rule(rf"(?:at least|no fewer than|no less than|never less than|never fewer than|never below"
       rf"|never smaller than|never shorter than) {_NUMBER}\b(?P<unit> {_UNITS})?")  # fmt: skip
def _at_least(said: _Said, found: re.Match[str]) -> str | None:
    limit = said.value(found["n"])
    if limit is None:
        return None
    if said.is_number:
        return None if found["unit"] else f"result >= {limit}"
    return f"len(result) >= {limit}" if found["unit"] and (said.is_text or said.is_listing) else None


@_rule(r"(?:add|sum|adds|sums)(?: up)? to (?:exactly )?(?:the )?(?P<n>[\w.]+)")
def _adds_up(said: _Said, found: re.Match[str]) -> str | None:
    total = said.value(found["n"])
    if total is None or not said.is_listing and "dict" not in said.returns:
        return None
    items = "result.values()" if "dict" in said.returns else "result"
    empty = f"not result or " if _is_literal(total) else ""
    return f"{empty}same(sum({items}), {total})"


@_rule(r"differs? by at most (?P<n>\w+)|differs? by no more than (?P<m>\w+)")
def _differ(said: _Said, found: re.Match[str]) -> str | None:
    limit = said.value(found["n"] or found["m"])
    return None if limit is None else f"not result or max(result) - min(result) <= {limit}"


# Order and contents


@_rule(r"^(?:returns? (?:a |the )?(?:new )?)?(?:sorted|ordered)\b(?! by| list| in the| according| sequence)"
       r"|, sorted(?:,|$| from)|in (?:ascending|increasing|sorted|alphabetical) order|(?:small(?:est|er)"
       r"(?: ones?)?|lowest|lower ones) first|ascending(?:,|$)|oldest first(?=ZZ)")  # fmt: skip
def _ascending(said: _Said, found: re.Match[str]) -> str | None:
    if _BY.search(said.text) or said.is_number or said.is_text:
        return None
    return "list(result) == sorted(result)" if said.is_listing or not said.returns else None


@_rule(r"in (?:descending|decreasing) order|(?:large(?:st|r)(?: ones?)?|highest|higher ones|biggest"
       r"|bigger ones) first|descending(?:,|$)")  # fmt: skip
def _descending(said: _Said, found: re.Match[str]) -> str | None:
    if _BY.search(said.text) or not said.is_listing:
        return None
    return "list(result) == sorted(result, reverse=True)"


@_rule(r"\b(?:the )?same (?:items|elements|values|members|numbers)\b|\bpermutation of\b|\breorder")
def _same_items(said: _Said, found: re.Match[str]) -> str | None:
    if said.sized is None or not said.is_listing:
        return None
    return f"counted(result) == counted({said.sized})"


@_rule(r"(?:hold|have|has|holds|contain|contains|keep|keeps) the same characters")
def _same_characters(said: _Said, found: re.Match[str]) -> str | None:
    if said.sized is None:
        return None
    joined = "''.join(result)" if said.is_listing else "result"
    return f"counted(''.join({joined}.split())) == counted(''.join({said.sized}.split()))"


@_rule(r"\bno duplicates\b|\bwithout duplicates\b|duplicates (?:are )?(?:removed|dropped)"
       r"|^(?:returns? )?(?:the |a list of )?(?:sorted )?(?:distinct|unique)\b|each \w+ (?:only |exactly )?once"
       r"|first occurrences? of each")  # fmt: skip
def _distinct(said: _Said, found: re.Match[str]) -> str | None:
    return "len(set(map(repr, result))) == len(result)" if said.is_listing else None


@_rule(r"(?<!for )(?:every|each) [\w ]{0,40}(?:is|are) (?:non-?empty|never empty|not empty)"
       r"|\bnever (?:an )?empty\b(?! last)|never returns an empty")  # fmt: skip
def _not_empty(said: _Said, found: re.Match[str]) -> str | None:
    if not (said.is_listing or said.is_text):
        return None
    if _is_nested(said) and re.search(r"\b(?:chunks|groups|words|runs|parts|pieces)\b", said.text):
        return "all(len(each) > 0 for each in result)"
    return "len(result) > 0"


@_rule(r"(?:the )?same (?:length|size|number of \w+) as (?:the )?(?P<n>\w+)|as long as (?:the )?(?P<m>\w+)")
def _same_length(said: _Said, found: re.Match[str]) -> str | None:
    other = said.value(found["n"] or found["m"]) or said.sized
    if other is None or _is_literal(other) or not (said.is_text or said.is_listing):
        return None
    return f"len(result) == len({other})"


@_rule(r"\bdisjoint\b|do not overlap|don't overlap|non-?overlapping|never overlap")
def _disjoint(said: _Said, found: re.Match[str]) -> str | None:
    if not re.search(r"tuple\[(?:int|float), ?(?:int|float)\]", said.returns):
        return None
    return (
        "all(one[1] <= two[0] and one != two for one, two in "
        "zip(sorted(result), sorted(result)[1:])) and all(each[0] <= each[1] for each in result)"
    )


@_rule(r"all (?:items|elements|values|entries)? ?before it are (?:smaller|less|lower|below)")
def _insertion(said: _Said, found: re.Match[str]) -> str | None:
    if said.sized is None or len(said.subject.names) < 2:
        return None
    value = next(each for each in said.subject.names if each != said.sized)
    return (
        f"all(each < {value} for each in {said.sized}[:result]) and "
        f"all(each >= {value} for each in {said.sized}[result:])"
    )


# Texts


@_rule(r"never (?:starts?|begins?) (?:or ends? )?with (?P<what>an? [\w ]+|'[^']+'|\"[^\"]+\"|`[^`]+`)")
def _never_starts(said: _Said, found: re.Match[str]) -> str | None:
    text = _character(found["what"])
    if text is None:
        return None
    ends = f" and not str(result).endswith({text!r})" if "or end" in found[0] else ""
    return f"not str(result).startswith({text!r}){ends}"


@_rule(r"never ends? with (?P<what>an? [\w ]+|'[^']+'|\"[^\"]+\"|`[^`]+`)")
def _never_ends(said: _Said, found: re.Match[str]) -> str | None:
    text = _character(found["what"])
    return None if text is None else f"not str(result).endswith({text!r})"


@_rule(r"(?:always|result) (?P<how>starts|begins|ends) with (?P<what>an? [\w ]+|'[^']+'|\"[^\"]+\"|`[^`]+`)")
def _always_starts(said: _Said, found: re.Match[str]) -> str | None:
    text = _character(found["what"])
    method = "endswith" if found["how"].lower() == "ends" else "startswith"
    return None if text is None or not said.is_text else f"result.{method}({text!r})"


@_rule(r"(?:never contains?|contains? no|without any|no (?:double|consecutive|repeated)) "
       r"(?P<what>an? [\w ]+|\w+s?\b|'[^']+'|\"[^\"]+\"|`[^`]+`)")  # fmt: skip
def _never_contains(said: _Said, found: re.Match[str]) -> str | None:
    text = _character(found["what"])
    if text is None or not said.is_text:
        return None
    times = 2 if re.match(r"no (?:double|consecutive|repeated)", found[0], re.IGNORECASE) else 1
    return f"{text * times!r} not in result"


@_rule(r"joined by (?:a )?single (?P<what>\w+)")
def _single(said: _Said, found: re.Match[str]) -> str | None:
    text = _character(found["what"])
    return f"{text * 2!r} not in result" if text and said.is_text else None


@_rule(r"^(?:returns? )?(?:the )?(?P<case>lower|upper)-?(?: )?case\b|in (?P<again>lower|upper) ?-?case")
def _case(said: _Said, found: re.Match[str]) -> str | None:
    case = (found["case"] or found["again"]).lower()
    return f"result == result.{case}()" if said.is_text else None


# Empty arguments


@_rule(r"(?:an?|the) empty (?P<what>\w+) (?:is|gives|returns|yields|becomes|has|counts as) (?P<text>.+)")
def _of_empty(said: _Said, found: re.Match[str]) -> str | None:
    text = _literal(found["text"])
    return None if text is None or said.sized is None else _when_empty(said, text)


@_rule(r"(?P<text>\S+) for (?:an |the )?(?:empty (?P<what>\w+)|none|nothing|no \w+)\b")
def _for_empty(said: _Said, found: re.Match[str]) -> str | None:
    text = _literal(found["text"])
    if text is None:
        return None
    if said.sized is not None:
        return _when_empty(said, text)
    first = said.subject.parameters[0] if said.subject.parameters else None
    if first is None or not is_numeric(first) or found["what"]:
        return None
    return f"{first.name} != 0 or same(result, {text})"


@_rule(r"(?:an?|the) empty \w+ (?:stays|remains|is left) (?:empty|as it is|unchanged)")
def _stays_empty(said: _Said, found: re.Match[str]) -> str | None:
    return None if said.sized is None else f"len({said.sized}) > 0 or len(result) == 0"


def _when_empty(said: _Said, text: str) -> str:
    return f"len({said.sized}) > 0 or same(result, {text})"


# Components of tuples


def _component_laws(subject: Subject, reading: Reading) -> Iterator[Law]:
    """`the denominator is positive`, where a result is a (numerator, denominator)."""
    names = _components(subject, reading)
    for text in _sentences(subject.doc):
        if _CONDITIONAL.search(text):
            continue
        for place, name in enumerate(names):
            word = re.escape(name)
            found = re.search(
                rf"\b{word} is (?:always )?(?P<a>positive|non-?negative|negative)"
                rf"|\b(?P<b>positive|non-?negative|negative) {word}\b", text, re.IGNORECASE,
            )  # fmt: skip
            if found is None:
                continue
            sign = {"positive": "> 0", "negative": "< 0"}.get((found["a"] or found["b"]).lower(), ">= 0")
            yield _postcondition(
                subject, text, f"result[{place}] {sign}", LawKind.POSTCONDITION
            )


def _components(subject: Subject, reading: Reading) -> tuple[str, ...]:
    returned = re.fullmatch(r"tuple\[(.*)\]", subject.returns or "")
    if returned is None:
        return ()
    many = len(returned[1].split(","))
    for text in (subject.doc, reading.doc):
        for found in re.finditer(r"\((\w+(?:, \w+)+)\)", text):
            names = tuple(found[1].split(", "))
            if len(names) == many and all(each.isidentifier() for each in names):
                return names
    return subject.names if len(subject.names) == many else ()


# Pieces


def _is_literal(text: str) -> bool:
    return bool(re.fullmatch(r"-?\d+(?:\.\d+)?", text))


def _is_nested(said: _Said) -> bool:
    return bool(re.search(r"\[(?:str|list|tuple|dict|bytes)\b", said.returns))


def _character(text: str) -> str | None:
    quoted = re.fullmatch(r"'([^']+)'|\"([^\"]+)\"|`([^`]+)`", text.strip())
    if quoted is not None:
        return quoted[1] or quoted[2] or quoted[3]
    words = re.sub(r"^(?:an?|the|any|single|trailing|leading) ", "", text.strip().lower())
    for word, value in _CHARACTERS.items():
        if re.match(rf"{word}s?\b", words):
            return value
    return None


def _literal(text: str) -> str | None:
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


STATED = Basis.STATED
