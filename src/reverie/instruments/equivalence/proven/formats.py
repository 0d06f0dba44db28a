"""Templates of `str.format`, taken apart."""

import string
from collections.abc import Collection
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of text, or a field with how it is formatted."""

    text: str
    """The text itself, or the field's format."""
    field: int | str | None = None
    conversion: str = ""


def template_parts(template: str, given: Collection[int | str]) -> list[Part] | None:
    """All parts in order; None where a field is not simply one of the arguments."""
    parts: list[Part] = []
    number = 0
    try:
        pieces = list(string.Formatter().parse(template))
    except ValueError:
        return None
    kinds = set()
    for text, name, spec, conversion in pieces:
        if text:
            parts.append(Part(text))
        if name is None:
            continue
        if "{" in (spec or "") or "}" in (spec or "") or (conversion or "r") not in "rsa":
            return None
        field: int | str = name
        if name == "":
            field, number = number, number + 1
        elif name.isdecimal() and name.isascii():
            field = int(name)
        if isinstance(field, int):
            kinds.add(name == "")
        if field not in given:
            return None
        parts.append(Part(spec or "", field, conversion or ""))
    return None if len(kinds) > 1 else parts
