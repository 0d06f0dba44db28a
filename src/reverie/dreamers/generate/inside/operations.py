"""The operations that expressions are built from, and the words people use for them."""

import ast
import collections
import functools
import itertools
import math
import re
import unicodedata
from collections.abc import Callable
from typing import Any

from reverie.dreamers.generate.inside.idioms import _IDIOMS

_Operation = tuple[str, str, "Callable[..., Any]"]
"""Types of the arguments (`s` text, `i` whole number, `f` float, `b` truth, `L` list, `D` dict,
`n` None, `x` one or another of these, `*` any), the source with `{0}` and `{1}` in their places,
and the function."""


class _NotMeant(Exception):
    """An operation is not meant for these values, though Python would do it."""


def _held(number: int, most: int) -> int:
    """A number that is small enough for what it is to count."""
    if abs(number) > most:
        raise _NotMeant
    return number


def _truths(items: "list[Any]") -> "list[bool]":
    if not all(isinstance(each, bool) for each in items):
        raise _NotMeant
    return items


def _ordered(items: "list[Any]") -> "list[Any]":
    """Items of which one is the largest to people as well: of rows none is."""
    if any(isinstance(each, list) for each in items):
        raise _NotMeant
    return items


_UNARY: "list[_Operation]" = [
    ("s", "{0}.upper()", lambda a: a.upper()),
    ("s", "{0}.lower()", lambda a: a.lower()),
    ("s", "{0}.title()", lambda a: a.title()),
    ("s", "{0}.capitalize()", lambda a: a.capitalize()),
    ("s", "{0}.swapcase()", lambda a: a.swapcase()),
    ("s", "{0}.strip()", lambda a: a.strip()),
    ("s", "{0}.split()", lambda a: a.split()),
    ("s", "{0}.splitlines()", lambda a: a.splitlines()),
    ("s", "{0}[::-1]", lambda a: a[::-1]),
    ("s", "{0}[0]", lambda a: a[0]),
    ("s", "{0}[-1]", lambda a: a[-1]),
    ("s", "{0}[1:]", lambda a: a[1:]),
    ("s", "{0}[:-1]", lambda a: a[:-1]),
    ("s", "{0}[1:-1]", lambda a: a[1:-1]),
    ("s", "list({0})", list),
    ("s", "int({0})", int),
    ("s", "len({0})", len),
    ("s", "{0}.isdigit()", lambda a: a.isdigit()),
    ("s", "{0}.isalpha()", lambda a: a.isalpha()),
    ("s", "{0}.isalnum()", lambda a: a.isalnum()),
    ("s", "{0}.isupper()", lambda a: a.isupper()),
    ("s", "{0}.islower()", lambda a: a.islower()),
    ("s", "{0}.isspace()", lambda a: a.isspace()),
    ("s", "ord({0})", ord),
    ("i", "abs({0})", abs),
    ("i", "-{0}", lambda a: -a),
    ("i", "str({0})", str),
    ("i", "{0} % 2 == 0", lambda a: a % 2 == 0),
    ("i", "{0} % 2 == 1", lambda a: a % 2 == 1),
    ("i", "{0} > 0", lambda a: a > 0),
    ("i", "{0} < 0", lambda a: a < 0),
    ("i", "{0} * {0}", lambda a: a * a),
    ("i", "list(range({0}))", lambda a: list(range(_held(a, 500)))),
    ("i", "list(range(1, {0} + 1))", lambda a: list(range(1, _held(a, 500) + 1))),
    ("i", 'format({0}, "b")', lambda a: format(a, "b")),
    ("i", "float({0})", float),
    ("f", "abs({0})", abs),
    ("f", "round({0})", round),
    ("f", "round({0}, 2)", lambda a: round(a, 2)),
    ("f", "round({0}, 1)", lambda a: round(a, 1)),
    ("f", "int({0})", int),
    ("f", "math.floor({0})", math.floor),
    ("f", "math.ceil({0})", math.ceil),
    ("b", "not {0}", lambda a: not a),
    ("L", "len({0})", len),
    ("L", "sum({0})", sum),
    ("L", "max({0})", lambda a: max(_ordered(a))),
    ("L", "min({0})", lambda a: min(_ordered(a))),
    ("L", "sorted({0})", sorted),
    ("L", "sorted({0}, reverse=True)", lambda a: sorted(a, reverse=True)),
    ("L", "sorted({0}, key=len)", lambda a: sorted(a, key=len)),
    ("L", "{0}[::-1]", lambda a: a[::-1]),
    ("L", "{0}[0]", lambda a: a[0]),
    ("L", "{0}[-1]", lambda a: a[-1]),
    ("L", "{0}[1:]", lambda a: a[1:]),
    ("L", "{0}[:-1]", lambda a: a[:-1]),
    ("L", "{0}[::2]", lambda a: a[::2]),
    ("L", "{0}[1::2]", lambda a: a[1::2]),
    ("L", "list(dict.fromkeys({0}))", lambda a: list(dict.fromkeys(a))),
    ("L", "any({0})", lambda a: any(_truths(a))),
    ("L", "all({0})", lambda a: all(_truths(a))),
    ("L", "max({0}, key=len)", lambda a: max(a, key=len)),
    ("L", "min({0}, key=len)", lambda a: min(a, key=len)),
    ("L", "sum({0}) / len({0})", lambda a: sum(a) / len(a)),
    ("L", "math.prod({0})", math.prod),
    ("L", "[item for part in {0} for item in part]", lambda a: [i for p in a for i in p]),
    ("L", "list(enumerate({0}))", lambda a: list(map(list, enumerate(a)))),
    ("L", "bool({0})", bool),
    ("s", "bool({0})", bool),
    ("D", "list({0})", list),
    ("D", "list({0}.values())", lambda a: list(a.values())),
    ("D", "[list(pair) for pair in {0}.items()]", lambda a: [list(p) for p in a.items()]),
    ("D", "len({0})", len),
]

_BINARY: "list[_Operation]" = [
    ("ii", "{0} + {1}", lambda a, b: a + b),
    ("ii", "{0} - {1}", lambda a, b: a - b),
    ("ii", "{0} * {1}", lambda a, b: a * b),
    ("ii", "{0} // {1}", lambda a, b: a // b),
    ("ii", "{0} % {1}", lambda a, b: a % b),
    ("ii", "{0} / {1}", lambda a, b: a / b),
    ("ii", "max({0}, {1})", max),
    ("ii", "min({0}, {1})", min),
    ("ii", "{0} ** {1}", lambda a, b: _held(a, 1000) ** _held(b, 20)),
    ("ii", "{0} > {1}", lambda a, b: a > b),
    ("ii", "{0} >= {1}", lambda a, b: a >= b),
    ("ii", "{0} == {1}", lambda a, b: a == b),
    ("ii", "{0} != {1}", lambda a, b: a != b),
    ("ii", "list(range({0}, {1}))", lambda a, b: list(range(_held(a, 500), _held(b, 500)))),
    ("ff", "{0} + {1}", lambda a, b: a + b),
    ("ff", "{0} - {1}", lambda a, b: a - b),
    ("ff", "{0} * {1}", lambda a, b: a * b),
    ("ff", "{0} / {1}", lambda a, b: a / b),
    ("ff", "{0} > {1}", lambda a, b: a > b),
    ("ff", "{0} >= {1}", lambda a, b: a >= b),
    ("fi", "{0} * {1}", lambda a, b: a * b),
    ("fi", "{0} / {1}", lambda a, b: a / b),
    ("fi", "{0} + {1}", lambda a, b: a + b),
    ("fi", "{0} - {1}", lambda a, b: a - b),
    ("fi", "round({0}, {1})", lambda a, b: round(a, b)),
    ("ss", "{0} + {1}", lambda a, b: a + b),
    ("ss", "{0}.split({1})", lambda a, b: a.split(b)),
    ("ss", "{0}.count({1})", lambda a, b: a.count(b)),
    ("ss", "{0} in {1}", lambda a, b: a in b),
    ("ss", "{0} not in {1}", lambda a, b: a not in b),
    ("ss", "{0} == {1}", lambda a, b: a == b),
    ("ss", "{0} != {1}", lambda a, b: a != b),
    ("ss", "{0}.startswith({1})", lambda a, b: a.startswith(b)),
    ("ss", "{0}.endswith({1})", lambda a, b: a.endswith(b)),
    ("ss", '{0}.replace({1}, "")', lambda a, b: a.replace(b[0] + b[1:], "")),
    ("ss", "{0}.partition({1})[0]", lambda a, b: a.partition(b)[0]),
    ("ss", "{0}.partition({1})[2]", lambda a, b: a.partition(b)[2]),
    ("ss", "{0}.rpartition({1})[2]", lambda a, b: a.rpartition(b)[2]),
    ("ss", "{0}.find({1})", lambda a, b: a.find(b)),
    ("si", "{0}[:{1}]", lambda a, b: a[:b]),
    ("si", "{0}[{1}:]", lambda a, b: a[b:]),
    ("si", "{0} * {1}", lambda a, b: a * _held(b, 50)),
    ("si", "{0}[{1}]", lambda a, b: a[b]),
    ("si", "{0}.zfill({1})", lambda a, b: a.zfill(_held(b, 50))),
    ("sL", "{0}.join({1})", lambda a, b: a.join(b)),
    ("Li", "{0}[{1}]", lambda a, b: a[b]),
    ("Li", "{0}[:{1}]", lambda a, b: a[:b]),
    ("Li", "{0}[{1}:]", lambda a, b: a[b:]),
    ("Li", "{0} * {1}", lambda a, b: a * _held(b, 50)),
    ("LL", "{0} + {1}", lambda a, b: a + b),
    ("LL", "{0} == {1}", lambda a, b: a == b),
    (
        "LL",
        "[list(pair) for pair in zip({0}, {1})]",
        lambda a, b: [list(p) for p in zip(a, b, strict=False)],
    ),
    ("LL", "dict(zip({0}, {1}))", lambda a, b: dict(zip(a, b, strict=False))),
    ("*L", "{0} in {1}", lambda a, b: a in b),
    ("*L", "{0} not in {1}", lambda a, b: a not in b),
    ("*L", "{1}.count({0})", lambda a, b: b.count(a)),
    ("*L", "{1}.index({0})", lambda a, b: b.index(a)),
    ("*D", "{1}[{0}]", lambda a, b: b[a]),
    ("*D", "{0} in {1}", lambda a, b: a in b),
    ("DD", "{{**{0}, **{1}}}", lambda a, b: {**a, **b}),
    ("bb", "{0} and {1}", lambda a, b: a and b),
    ("bb", "{0} or {1}", lambda a, b: a or b),
]


_TERNARY: "list[_Operation]" = []

_MODULES = {
    "collections": collections, "itertools": itertools, "math": math, "re": re,
    "unicodedata": unicodedata,
}  # fmt: skip
"""What a written expression may name."""
_LETTERS = "abc"
_CLOSED = (ast.Call, ast.Subscript, ast.Attribute, ast.List, ast.ListComp, ast.DictComp, ast.Dict)


def _compiled(form: str, count: int) -> "Callable[..., Any]":
    """The function that a form writes."""
    names = _LETTERS[:count]
    text = f"lambda {', '.join(names)}: {form.format(*names)}"
    made: Callable[..., Any] = eval(text, dict(_MODULES))
    return made


for _kinds, _form, _ in _IDIOMS:
    _operation = (_kinds, _form, _compiled(_form, len(_kinds)))
    (_UNARY, _BINARY, _TERNARY)[len(_kinds) - 1].append(_operation)


@functools.cache
def _is_closed(form: str) -> bool:
    """Whether what a form writes may stand next to any operator without brackets."""
    return isinstance(ast.parse(form.format(*_LETTERS), mode="eval").body, _CLOSED)


def _kind_of_all(values: "list[Any]") -> str:
    """The letter of what values have in common; `x` when they are of several kinds."""
    kinds = set(map(_kind, values))
    if not kinds or "" in kinds:
        return ""
    return kinds.pop() if len(kinds) == 1 else "x"


def _kind(value: Any) -> str:
    """The letter of a value's type; empty when no operation takes it."""
    if value is None:
        return "n"
    if isinstance(value, bool):
        return "b"
    for letter, types in (("i", int), ("f", float), ("s", str), ("L", list), ("D", dict)):
        if isinstance(value, types):
            return letter
    return ""


_HINTS: "dict[str, str]" = {
    ".upper()": "upper capital shout",
    ".lower()": "lower ignor case insensitive",
    ".title()": "title capital word",
    ".capitalize()": "capital sentence",
    ".swapcase()": "swap invert toggle",
    ".strip()": "strip trim whitespace space ends surround",
    ".split()": "word split token name whitespace sentence",
    ".splitlines()": "line",
    "[::-1]": "revers back palindrom mirror descend both",
    "[0]": "before first initial begin head start left",
    "[-1]": "behind after last final end tail right",
    "[1:]": "rest after without tail drop skip except but",
    "[:-1]": "without drop except before but last",
    "[1:-1]": "inner middle between without",
    "[::2]": "every even other second altern odd",
    "[1::2]": "every even other second altern odd",
    "list(": "list charact letter key value digit item split all",
    "int(": "int number digit whole parse year truncat",
    "len(": "length long count many size number short average mean",
    "isdigit": "digit numer number",
    "isalpha": "letter alpha",
    "isalnum": "letter alphanum digit",
    "isupper": "upper capital",
    "islower": "lower small",
    "isspace": "space blank white",
    "ord(": "code ascii ordinal unicode",
    "abs(": "absolut magnitude distance sign differ",
    "str(": "text string digit convert written write",
    "% 2 == 0": "even",
    "% 2 == 1": "even odd",
    " > 0": "positiv greater above more",
    " < 0": "negativ below less under",
    "range(": "from up first number count range below to until",
    "format(": "binary bit base",
    "float(": "float decimal real",
    "round(": "round decimal near place",
    "floor": "floor down",
    "ceil": "ceil up",
    "not ": "leave out remov drop not never no without except neither outside miss lack",
    "sum(": "sum total add average mean count many number how",
    "max(": "max large great high big long best most top least",
    "min(": "min small least low short few worst most",
    "set(": "unique distinct duplic repeat different once",
    "sorted(": "sort order ascend descend alphabet rank least largest high low",
    "reverse=True": "descend revers high large decreas best top down",
    "key=len": "length long short",
    "fromkeys": "unique distinct duplic repeat different once",
    "any(": "any some least contain exist whether",
    "all(": "all every each only none no",
    "prod(": "product multipl",
    "enumerate(": "position index number place",
    "bool(": "whether empty non",
    ".values()": "value total sum invert swap",
    ".items()": "pair entr item key",
    " + ": (
        "put before front increas longer twice doubl add sum plus join concat append follow then "
        "and both prefix"
    ),
    " - ": "gap left spread range decreas minus subtract differ less between without remain",
    " * ": "row multipl product times double square area repeat twice triple cube",
    " // ": "divid half quotient whole integer per",
    " % ": "modul remainder divis multiple every digit",
    " / ": "divid ratio average mean per half share percent",
    " ** ": "power square cube raise expon",
    " > ": "exceed strictly greater more longer larger above over exceed higher after older bigger",
    " >= ": "least minimum threshold or not from",
    " < ": "less smaller below under fewer before lower shorter younger earlier strictly",
    " <= ": "most limit maximum until within not below under up greater exceed above",
    "[1]": "second other",
    "[2]": "third",
    " == ": "equal same match exact whether is identical palindrom",
    " != ": "leave out remov drop differ not other except unequal without",
    ".split(": "behind before after sign split separat comma piece field part delimit word",
    ".count(": "count often many occur number times frequen once exactly appear",
    " in ": "in contain of vowel among member present common both each every the",
    "startswith": "start begin prefix",
    "endswith": "end suffix finish",
    "replace(": "turn into chang swap substitut remov replac without delete drop strip",
    "partition(": "behind stand before after part split user domain extension",
    ".find(": "find position index where",
    "zfill": "pad zero width",
    ".join(": "join concat combin together text letter initial remov keep each with",
    ".setdefault(": "group by each per under collect key index first",
    "found.get(": "sum total count many per each by",
    "next(": "first find search earliest",
    "lambda": "sort order by large small long short most least high low great max min",
    "zip(": (
        "adjacen consecutiv neighbo next previous successiv change gap step dot pair zip together "
        "both two swap invert match combin"
    ),
    ".index(": "index position where place find",
    "**": "merge combin power update square cube both",
    "[n:]": "rest after without tail drop skip except but from",
    "[:n]": "first begin prefix until up take leading start truncat most keep limit",
    "[n]": "index position nth place item element key lookup second third",
    " and ": "and both also",
    " or ": "or either",
}


def _pattern(form: str) -> "re.Pattern[str]":
    """A form as it is found in a source, whatever stands in its places."""
    seen: set[str] = set()
    parts = []
    for part in re.split(r"(\{\d\})", form):
        if not re.fullmatch(r"\{\d\}", part):
            parts.append(re.escape(part.replace("{{", "{").replace("}}", "}")))
        elif part in seen:
            parts.append(f"(?P=slot{part[1]})")
        else:
            seen.add(part)
            parts.append(f"(?P<slot{part[1]}>\\(.+\\)|(?:[^()]|\\([^()]*\\)){{1,60}}?)")
    return re.compile("".join(parts))


_SHOWN_IDIOMS = [
    (form, re.split(r"\{\d\}", form.replace("{{", "{").replace("}}", "}")), _pattern(form))
    for form in sorted(dict.fromkeys(each[1] for each in _IDIOMS), key=len, reverse=True)
]
for _, _form, _words in _IDIOMS:
    _HINTS[_form] = f"{_HINTS.get(_form, '')} {_words}".strip()
_LONGEST_FIRST = sorted(_HINTS, key=len, reverse=True)
_SLICE = re.compile(r"(?<=[\w)\]])\[(:?)(?!-?\d|:)[^\[\]]+?(:?)\]")
_LOOP = re.compile(
    r"\bfor \w+ in \w+\.values\(\)|\bfor \w+ in\b|\bfor \w+, \w+ in (\w+\.items\(\))?|\bif\b"
)


def _slice_mark(found: "re.Match[str]") -> str:
    return f"[{found[1]}n{found[2]}]"


def _marks(source: str) -> "list[str]":
    """The operations of a source; what is part of a longer one is not another."""
    found = []
    left = source
    is_expression = "\n" not in source.strip()
    for form, parts, pattern in _SHOWN_IDIOMS if is_expression else ():
        if all(part in left for part in parts) and pattern.search(left):
            found.append(form)
            left = pattern.sub(lambda at: f" \0{chr(0).join(at.groups())}\0 ", left)
    left = _SLICE.sub(_slice_mark, _LOOP.sub("", left))
    for mark in _LONGEST_FIRST:
        if "{0}" not in mark and mark in left:
            found.append(mark)
            left = left.replace(mark, "\0")
    return found
