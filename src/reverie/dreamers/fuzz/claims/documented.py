"""Types that docstrings give: `size (int): …`, `size : int`, `:param int size:`, "a list of …"."""

import re

_WORDS = {
    "int": "int", "integer": "int", "integers": "int", "ints": "int", "float": "float",
    "floats": "float", "number": "float", "numbers": "float", "str": "str", "string": "str",
    "strings": "str", "strs": "str", "bool": "bool", "boolean": "bool", "bytes": "bytes",
    "list": "list", "lists": "list", "tuple": "tuple", "tuples": "tuple", "dict": "dict",
    "dictionary": "dict", "set": "set", "iterable": "list", "sequence": "list", "datetime": "datetime",
}  # fmt: skip
_MANY = frozenset({"list", "tuple", "set"})
_TYPE = r"[A-Za-z][\w\[\], ]*?(?: of \w+)?"
_GOOGLE = re.compile(rf"^\s+\*{{0,2}}(?P<name>\w+) \((?P<type>{_TYPE})\):", re.MULTILINE)
_NUMPY = re.compile(rf"^\s*(?P<name>\w+) ?: (?P<type>{_TYPE})\s*$", re.MULTILINE)
_SPHINX = re.compile(
    rf":type (?P<name>\w+): (?P<type>{_TYPE})\s*$|:param (?P<type2>\w+) (?P<name2>\w+):",
    re.MULTILINE,
)
_RETURNS = re.compile(
    rf"^\s*Returns?:?\n\s*(?:-{{3,}}|={{3,}})?\n?\s*(?:\w+ ?: )?(?P<type>{_TYPE})(?::| *$)"
    rf"|:rtype: (?P<type2>{_TYPE})\s*$",
    re.MULTILINE,
)
_OPENS = re.compile(
    r"\s*(?:Returns?|Gives?|Makes?) (?:an? |the )?(?:new |sorted |flat |\w+ )?(?P<type>list|tuple|dict|string)\b",
    re.IGNORECASE,
)


def documented_types(docstring: str) -> dict[str, str]:
    """Annotations, as source, of the parameters whose type is written down."""
    found: dict[str, str] = {}
    for pattern in (_GOOGLE, _NUMPY, _SPHINX):
        for match in pattern.finditer(docstring):
            named = match.groupdict()
            name = named["name"] or named.get("name2") or ""
            made = annotation(named["type"] or named.get("type2") or "")
            if made is not None:
                found.setdefault(name, made)
    return found


def documented_result(docstring: str) -> str | None:
    """The annotation of the result, where it is written down."""
    opening = _OPENS.match(docstring)
    if opening is not None:
        return annotation(opening["type"])
    match = _RETURNS.search(docstring)
    return None if match is None else annotation(match["type"] or match["type2"])


def annotation(text: str) -> str | None:
    """`list of integers, optional` is `list[int]`; None for what is not plain."""
    text = re.sub(r",? *\(?optional\)?.*$|,? default.*$", "", text.strip(), flags=re.IGNORECASE)
    several = re.fullmatch(r"(?P<many>\w+)(?: of |\[)(?P<each>\w+)\]?", text)
    if several is not None:
        many, each = _WORDS.get(several["many"].lower()), _WORDS.get(several["each"].lower())
        if many not in _MANY:
            return None
        if each is None:
            return many
        return f"tuple[{each}, ...]" if many == "tuple" else f"{many}[{each}]"
    return _WORDS.get(text.lower())
