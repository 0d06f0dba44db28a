"""Values and parts written as source, the same on every Python and under every hash seed."""

from collections.abc import Iterable

from reverie.inputs.values.plain import float_source
from reverie.model.call import Expression, combine


def literal(value: object) -> str:
    """The source of a plain value: ASCII, sets in a fixed order."""
    match value:
        case float():
            return float_source(value)
        case list():
            return f"[{', '.join(map(literal, value))}]"
        case tuple():
            return f"({', '.join(map(literal, value))}{',' if len(value) == 1 else ''})"
        case set() if value:
            return "{" + ", ".join(sorted(map(literal, value))) + "}"
        case dict():
            pairs = (f"{literal(key)}: {literal(item)}" for key, item in value.items())
            return "{" + ", ".join(pairs) + "}"
    return ascii(value)


def needing(source: str, modules: Iterable[str]) -> Expression:
    """An expression with those of the modules that it mentions."""
    return Expression(source, frozenset(each for each in modules if f"{each}." in source))


def sequence(items: list[Expression], opening: str = "[", closing: str = "]") -> Expression:
    """A display of the items."""
    inner = ", ".join(each.source for each in items)
    comma = "," if opening == "(" and len(items) == 1 else ""
    return combine(f"{opening}{inner}{comma}{closing}", items)


def mapping(pairs: list[tuple[Expression, Expression]]) -> Expression:
    """A dict display."""
    inner = ", ".join(f"{key.source}: {value.source}" for key, value in pairs)
    return combine("{" + inner + "}", [part for pair in pairs for part in pair])


def call(
    target: Expression, args: list[Expression], kwargs: list[tuple[str, Expression]]
) -> Expression:
    """A call of `target`."""
    given = [each.source for each in args] + [f"{name}={value.source}" for name, value in kwargs]
    parts = [*args, *(value for _, value in kwargs)]
    return combine(f"{target.source}({', '.join(given)})", parts, target)
