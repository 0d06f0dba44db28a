"""Words that texts are made of, as the code of a function reads them.

Signs that it compares and splits by, and texts that its regular expressions match; besides them
what texts commonly hold. Whether the function takes them, only a run tells.
"""

import ast
import random
from collections.abc import Iterator

from reverie.instruments.equivalence.patterns import matching_texts

_SPLITTING = ("split", "rsplit", "partition", "rpartition", "startswith", "endswith", "find",
              "index", "removeprefix", "removesuffix", "count", "strip", "get")  # fmt: skip
_WORD = "f'w{random.randrange(n + 5)}'"
_NUMBER = "str(random.randrange(2 * n + 9))"
_DATE = "__import__('datetime').date.fromordinal(738_000 + random.randrange(n + 9)).isoformat()"
_MATCHES = 64
_MOST_PATTERNS = 3
_MOST_SIGNS = 24
_LONGEST_SIGN = 3


def wordings(tree: ast.Module, node: ast.AST) -> Iterator[tuple[str, str]]:
    """A word, as an expression, and what stands between two; the likeliest first."""
    read = [node, *_constants(tree, node)]
    for pattern in list(dict.fromkeys(_patterns(read)))[:_MOST_PATTERNS]:
        texts = matching_texts(pattern, random.Random(pattern), _MATCHES)
        texts = [each for each in texts if len(each.splitlines()) == 1] or texts
        if any(texts):
            word = f"random.choice({texts!r})"
            yield from ((word, "\n"), (word, " "))
    signs = list(dict.fromkeys(_signs(read)))[:_MOST_SIGNS]
    if signs:
        yield f"random.choice({signs!r})", ""
        yield f"random.choice([{_WORD}, {_NUMBER}, *{signs!r}])", ""
    for sign in [each for each in signs if len(each) <= _LONGEST_SIGN and not each.isalnum()][:3]:
        yield f"{_WORD} + {sign!r} + {_NUMBER}", "\n"
    yield _NUMBER, "\n"
    yield _NUMBER, " "
    yield _DATE, "\n"


def _constants(tree: ast.Module, node: ast.AST) -> list[ast.AST]:
    """Values of the module's names, and bodies of its functions, that a function uses."""
    used = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
    found: list[ast.AST] = []
    for each in tree.body:
        match each:
            case ast.Assign(targets=[ast.Name(id=name)]) if name in used:
                found.append(each.value)
            case ast.FunctionDef(name=name) if name in used and each is not node:
                found.append(each)
    return found


def _patterns(read: list[ast.AST]) -> Iterator[str]:
    for each in (inner for outer in read for inner in ast.walk(outer)):
        match each:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="re")),
                args=[ast.Constant(value=str(text)), *_],
            ):
                yield text


def _signs(read: list[ast.AST]) -> Iterator[str]:
    for each in (inner for outer in read for inner in ast.walk(outer)):
        match each:
            case ast.Compare(
                ops=[ast.In() | ast.NotIn()], comparators=[ast.Constant(value=str(text))]
            ):
                yield from text
            case ast.Compare(left=left, comparators=[*others]):
                yield from _texts([left, *others])
            case ast.Call(func=ast.Attribute(attr=name), args=args) if name in _SPLITTING:
                yield from _texts(args)
            case ast.Dict(keys=keys, values=values):
                yield from _texts([key for key in keys if key] + values)
            case ast.Set(elts=items) | ast.Tuple(elts=items) | ast.List(elts=items):
                yield from _texts(items)
            case ast.MatchValue(value=value):
                yield from _texts([value])


def _texts(nodes: list[ast.expr]) -> Iterator[str]:
    for each in nodes:
        if isinstance(each, ast.Constant) and isinstance(each.value, str) and each.value:
            yield each.value
