"""Types that a docstring states, in the numpy, Google and Sphinx manners."""

import re

_NUMPY = r"^\s*(?:\w+\s*,\s*)*{name}(?:\s*,\s*\w+)*\s+?:\s*(?P<type>[^\n]+)$"
_GOOGLE = r"^\s*\*{{0,2}}{name}\s*\((?P<type>[^)\n]+(?:\([^)]*\)[^)\n]*)?)\)\s*:"
_SPHINX = r":type\s+{name}\s*:\s*(?P<type>[^\n]+)$"
_SPHINX_INLINE = r":param\s+(?P<type>[\w.\[\], |]+?)\s+{name}\s*:"
_WORDS = {
    "string": "str", "strings": "str", "text": "str", "integer": "int", "integers": "int",
    "ints": "int", "floats": "float", "strs": "str", "boolean": "bool", "bools": "bool",
    "number": "float", "numbers": "float", "numeric": "float", "scalar": "float",
    "dictionary": "dict", "function": "Callable", "callable": "Callable", "iterable": "Iterable",
    "sequence": "Sequence", "mapping": "Mapping", "iterator": "Iterator", "array": "list[float]",
    "array_like": "list[float]", "array-like": "list[float]", "ndarray": "numpy.ndarray",
    "np.ndarray": "numpy.ndarray", "datetime": "datetime.datetime", "date": "datetime.date",
    "path": "str", "path-like": "str", "file": "TextIO", "file-like": "TextIO", "none": "None",
    "object": "Any", "anything": "Any", "decimal": "decimal.Decimal", "bytes": "bytes",
    "timedelta": "datetime.timedelta", "uuid": "uuid.UUID", "lists": "list", "tuples": "tuple",
    "dicts": "dict", "char": "str", "character": "str",
}  # fmt: skip
_KNOWN = frozenset(("int", "float", "str", "bool", "bytes", "list", "dict", "set", "tuple",
                    "complex", "frozenset", "None", "Any", "Callable", "Iterable", "Sequence",
                    "Mapping", "Iterator", "range"))  # fmt: skip
_HOLDERS = frozenset(("list", "set", "tuple", "Iterable", "Sequence", "Iterator", "frozenset"))
_FILLERS = re.compile(r"\b(?:an?|the|of type|optional|default\b.*|instance|object|like)\b|[`:~]")


def stated_type(docstring: str | None, name: str) -> str | None:
    """The type of a parameter as its docstring has it; None when it says nothing readable."""
    if not docstring:
        return None
    for form in (_SPHINX, _SPHINX_INLINE, _GOOGLE, _NUMPY):
        found = re.search(form.format(name=re.escape(name)), docstring, re.MULTILINE)
        if found is not None:
            return readable(found["type"])
    return None


def readable(text: str) -> str | None:
    """A type in words as an annotation: `list of int` is `list[int]`."""
    choice = re.fullmatch(r"\s*\{(.+?)\}.*", text)
    if choice is not None:
        options = [each.strip() for each in choice[1].split(",")]
        quoted = all(re.fullmatch(r"(['\"])[^'\"]*\1|-?\d+", each) for each in options)
        return f"Literal[{', '.join(options)}]" if quoted else None
    cleaned = re.sub(r",\s*$", "", re.sub(r"\s+", " ", _FILLERS.sub(" ", text)).strip(" .,"))
    alternatives = [_single(each.strip(" ,")) for each in re.split(r"\bor\b|\|", cleaned)]
    known = [each for each in alternatives if each is not None]
    return " | ".join(dict.fromkeys(known)) if known and len(known) == len(alternatives) else None


def _single(text: str) -> str | None:
    held = re.fullmatch(r"([\w.-]+)s? of \(?(.+?)\)?", text)
    if held is not None:
        return _held(held[1], held[2])
    bracketed = re.fullmatch(r"(\w+)\[(.+)\]", text)
    if bracketed is not None:
        return text if _word(bracketed[1]) is not None else None
    return _word(text)


def _held(holder: str, items: str) -> str | None:
    outer = _word(holder)
    if outer == "dict":
        return "dict"
    if outer not in _HOLDERS:
        return None
    parts = [_single(each.strip()) for each in items.split(",")]
    if None in parts:
        return outer
    if outer == "tuple":
        return f"tuple[{', '.join(filter(None, parts))}{', ...' if len(parts) == 1 else ''}]"
    inner = " | ".join(filter(None, parts))
    return f"{outer}[{inner}]"


def _word(text: str) -> str | None:
    if text in _KNOWN:
        return text
    return _WORDS.get(text.lower())
