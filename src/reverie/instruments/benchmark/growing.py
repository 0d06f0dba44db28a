"""Arguments that grow with n, from annotations: what a callable is timed with when nobody says.

Where annotations do not say enough, the examples of its docstring may.

They are expressions for `instruments.benchmark`: `n`, `random` (seeded) and the names of the
callable's own module may be used. Dense values collide often, sparse ones hardly ever.
"""

import ast

from reverie.gates.python import functions
from reverie.instruments.benchmark.shown import shown_growing_calls

_DENSE = {
    "int": "random.randrange(2 * n + 9)",
    "float": "random.uniform(0.0, n + 9.0)",
    "str": "f'w{random.randrange(n + 5)}'",
    "bool": "random.random() < 0.5",
    "bytes": "str(random.randrange(n + 5)).encode()",
    "None": "None",
    "Any": "random.randrange(2 * n + 9)",
    "object": "random.randrange(2 * n + 9)",
}
_SPARSE = _DENSE | {
    "int": "random.randrange(4_000_000)",
    "str": "'w' * random.randrange(1, 9) + str(random.randrange(10 ** 9))",
    "float": "random.uniform(-1e6, 1e6)",
}
_LISTS = ("list", "Sequence", "Iterable", "Collection", "MutableSequence", "List", "Iterator")
_SETS = ("set", "frozenset", "Set", "FrozenSet", "AbstractSet")
_MAPS = ("dict", "Mapping", "MutableMapping", "Dict")
_TEXT = "' '.join({word} for _ in range(n))"
_DEEPEST = 4


def growing_calls(source: str, qualname: str) -> tuple[str, ...]:
    """Calls of `_given` for a function; none when neither annotations nor examples say enough."""
    return annotated_calls(source, qualname) or shown_growing_calls(source, qualname)[:1]


def annotated_calls(source: str, qualname: str) -> tuple[str, ...]:
    """Those that annotations tell."""
    found = [_arguments(source, qualname, plain) for plain in (_DENSE, _SPARSE)]
    texts = [", ".join(_written(each) for each in some) for some in found if some]
    return tuple(dict.fromkeys(f"_given({text})" for text in texts))


def _written(argument: tuple[str | None, str]) -> str:
    name, text = argument
    return text if name is None else f"{name}={text}"


def _arguments(source: str, qualname: str, plain: dict[str, str]) -> list[tuple[str | None, str]]:
    """Name (of what has to be named) and expression of every argument that is needed."""
    tree = ast.parse(source)
    node = dict(functions(tree)).get(qualname)
    if node is None or "." in qualname or node.args.vararg or node.args.kwarg:
        return []
    given = [*node.args.posonlyargs, *node.args.args]
    required: list[tuple[str | None, ast.arg]] = [
        (None, each) for each in given[: len(given) - len(node.args.defaults)]
    ]
    for each, default in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True):
        if default is None:
            required.append((each.arg, each))
    found = []
    for name, each in required:
        text = _value(each.annotation, tree, plain, outer=True)
        if text is None:
            return []
        found.append((name, text))
    return found


def _value(
    kind: ast.expr | None, tree: ast.Module, plain: dict[str, str], *, outer: bool, depth: int = 0
) -> str | None:
    """An expression for one value; what is outermost grows with n, what it holds stays small."""
    if kind is None or depth > _DEEPEST:
        return None
    if isinstance(kind, ast.Constant) and isinstance(kind.value, str):
        kind = ast.parse(kind.value, mode="eval").body
    if isinstance(kind, ast.BinOp):  # X | None
        return _value(kind.left, tree, plain, outer=outer, depth=depth + 1)
    name = ast.unparse(kind.value if isinstance(kind, ast.Subscript) else kind).rpartition(".")[2]
    if name == "str" and outer:
        return _TEXT.format(word=plain["str"])
    if name == "int" and outer:
        return "random.randrange(1, 9)"
    if isinstance(kind, ast.Subscript):
        return _container(name, kind.slice, tree, plain, outer, depth)
    if name in plain:
        return plain[name]
    return _instance(name, tree, plain, depth)


def _container(
    name: str, of: ast.expr, tree: ast.Module, plain: dict[str, str], outer: bool, depth: int
) -> str | None:
    kinds = of.elts if isinstance(of, ast.Tuple) else [of]
    items = [_value(each, tree, plain, outer=False, depth=depth + 1) for each in kinds
             if not (isinstance(each, ast.Constant) and each.value is Ellipsis)]  # fmt: skip
    if not items or any(item is None for item in items):
        return None
    count = "n" if outer else "random.randrange(4)"
    if name in _LISTS:
        return f"[{items[0]} for _ in range({count})]"
    if name in _SETS:
        return f"{name.lower().removeprefix('abstract')}({items[0]} for _ in range({count}))"
    if name in _MAPS and len(items) == 2:
        return f"{{{items[0]}: {items[1]} for _ in range({count})}}"
    if name in ("tuple", "Tuple"):
        if len(kinds) == 2 and len(items) == 1:  # tuple[X, ...]
            return f"tuple({items[0]} for _ in range({count}))"
        return f"({''.join(f'{item}, ' for item in items)})"
    if name == "Optional":
        return items[0]
    return None


def _instance(name: str, tree: ast.Module, plain: dict[str, str], depth: int) -> str | None:
    """An object of a class of the module itself, by the fields or parameters it declares."""
    found = next((e for e in tree.body if isinstance(e, ast.ClassDef) and e.name == name), None)
    if found is None:
        return None
    maker = next(
        (e for e in found.body if isinstance(e, ast.FunctionDef) and e.name == "__init__"), None
    )
    if maker is not None:
        kinds = [each.annotation for each in maker.args.args[1:]]
        kinds = kinds[: len(kinds) - len(maker.args.defaults)]
    elif any("dataclass" in ast.unparse(each) for each in found.decorator_list):
        kinds = [
            e.annotation for e in found.body if isinstance(e, ast.AnnAssign) and e.value is None
        ]
    else:
        return f"{name}()"
    values = [_value(each, tree, plain, outer=False, depth=depth + 1) for each in kinds]
    if any(value is None for value in values):
        return None
    return f"{name}({', '.join(value for value in values if value)})"
