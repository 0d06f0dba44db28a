"""Which words people use for an operation: the beginnings of them, by a piece of its source."""

import re

_HINTS: "dict[str, str]" = {
    ".upper()": "upper capital shout",
    ".lower()": "lower ignor case insensitive",
    ".title()": "title capital",
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
    "sorted(": "sort order ascend descend alphabet rank least largest",
    "reverse=True": "descend revers high large decreas best top",
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
    " == ": "equal same match exact whether is identical palindrom",
    " != ": "leave out remov drop differ not other except unequal without",
    ".split(": "behind before after sign split separat comma piece field part delimit word",
    ".count(": "count often many occur number times frequen",
    " in ": "in contain of vowel among member present common both each every the",
    "startswith": "start begin prefix",
    "endswith": "end suffix finish",
    "replace(": "turn into chang swap substitut remov replac without delete drop strip",
    "partition(": "behind stand before after part split user domain extension",
    ".find(": "find position index where",
    "zfill": "pad zero width",
    ".join(": "join concat combin together text letter initial remov keep each with",
    "zip(": "pair zip together both two swap invert match combin",
    ".index(": "index position where place find",
    "**": "merge combin power update square cube both",
    "[n:]": "rest after without tail drop skip except but from",
    "[:n]": "first begin prefix until up take leading start truncat most keep limit",
    "[n]": "index position nth place item element key lookup",
    " and ": "and both also",
    " or ": "or either",
}

_LONGEST_FIRST = sorted(_HINTS, key=len, reverse=True)
_SLICE = re.compile(r"(?<=[\w)\]])\[(:?)(?!-?\d|:)[^\[\]]+?(:?)\]")
_LOOP = re.compile(r"\bfor \w+ in\b|\bif\b")


def _slice_mark(found: "re.Match[str]") -> str:
    return f"[{found[1]}n{found[2]}]"


def _marks(source: str) -> "list[str]":
    """The operations of a source; what is part of a longer one is not another."""
    left = _SLICE.sub(_slice_mark, _LOOP.sub("", source))
    found = []
    for mark in _LONGEST_FIRST:
        if mark in left:
            found.append(mark)
            left = left.replace(mark, "\0")
    return found
