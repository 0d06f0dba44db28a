"""Expressions for values of annotated kinds: what is outermost grows with n, the rest is small.

Read from the module's text: aliases, new types, its own classes, enums and typed dicts.
"""

import ast
from dataclasses import dataclass, field
from itertools import groupby

from reverie.syntax.parsing import parse_expression
from reverie.syntax.unparsing import unparse

_DATES = "__import__('datetime')"
_DECIMAL = "__import__('decimal').Decimal"
_FRACTION = "__import__('fractions').Fraction"
_MINUTES = f"{_DATES}.timedelta(minutes=random.randrange(60 * n + 9))"
DENSE = {
    "int": "random.randrange(2 * n + 9)",
    "float": "random.uniform(0.0, n + 9.0)",
    "str": "f'w{random.randrange(n + 5)}'",
    "bool": "random.random() < 0.5",
    "bytes": "str(random.randrange(n + 5)).encode()",
    "None": "None",
    "Any": "random.randrange(2 * n + 9)",
    "object": "random.randrange(2 * n + 9)",
    "Hashable": "random.randrange(2 * n + 9)",
    "complex": "complex(random.randrange(n + 9), random.randrange(9))",
    "date": f"{_DATES}.date.fromordinal(738_000 + random.randrange(n + 9))",
    "datetime": f"({_DATES}.datetime(2024, 1, 1) + {_MINUTES})",
    "time": f"({_DATES}.datetime(2024, 1, 1) + {_MINUTES}).time()",
    "timedelta": _MINUTES,
    "Decimal": f"({_DECIMAL}(random.randrange(100 * n + 9)) / 100)",
    "Fraction": f"{_FRACTION}(random.randrange(n + 9), random.randrange(1, 9))",
    "Path": "__import__('pathlib').Path(f'w{random.randrange(9)}', f'w{random.randrange(n + 5)}')",
}
SPARSE = DENSE | {
    "int": "random.randrange(4_000_000)",
    "str": "'w' * random.randrange(1, 9) + str(random.randrange(10 ** 9))",
    "float": "random.uniform(-1e6, 1e6)",
}
JOINED = DENSE | {
    "int": "random.randrange(n)",
    "float": "random.uniform(1.0, n + 9.0)",
    "str": "f'w{random.randrange(n)}'",
}
CROWDED = JOINED | {
    "int": "random.randrange(n // 3 + 1)",
    "str": "f'w{random.randrange(n // 3 + 1)}'",
}
"""Several of each: nodes of a graph have more than one edge, and most can be reached."""
_EVERY_KEY = {"int": "_i", "str": "f'w{_i}'"}
_LISTS = ("list", "Sequence", "Iterable", "Collection", "MutableSequence", "List", "Iterator")
_SETS = ("set", "frozenset", "Set", "FrozenSet", "AbstractSet")
_MAPS = ("dict", "Mapping", "MutableMapping", "Dict")
_OF_COLLECTIONS = {"deque": "deque", "Deque": "deque", "OrderedDict": "OrderedDict"}
_BARE = ("tuple", "Tuple", "Counter", "defaultdict", *_OF_COLLECTIONS, *_LISTS, *_SETS, *_MAPS)
_ORDERED = ("int", "float", "date", "datetime", "time", "Decimal", "Fraction")
_FUNCTIONS = {
    "bool": "(lambda *given: len(repr(given)) % 2 == 0)",
    "int": "(lambda *given: len(repr(given)))",
    "float": "(lambda *given: len(repr(given)) / 2)",
    "str": "(lambda *given: repr(given)[:40])",
}
_SAME = "(lambda *given: given[0] if given else None)"
_DEEPEST = 6


@dataclass(frozen=True, slots=True)
class Variant:
    """One way to make values."""

    plain: dict[str, str] = field(default_factory=lambda: DENSE)
    """Values of plain kinds that a container holds."""
    text: str | None = None
    """A text that is an argument of its own; None: one of the words that containers hold."""
    number: str = "random.randrange(1, 9)"
    is_joined: bool = False
    """Whether values belong together: all keys exist, and tables are square."""
    is_ascending: bool = True
    """Whether pairs then ascend, as intervals do."""
    is_sorted: bool = False

    @property
    def inner_count(self) -> str:
        """How many items a container within another one has."""
        return "random.randrange(1, 5)" if self.is_joined else "random.randrange(4)"


class Kinds:
    """Writes values by the annotations of one module."""

    def __init__(self, tree: ast.Module, variant: Variant) -> None:
        self.variant = variant
        self.is_ascending = variant.is_joined and variant.is_ascending
        self.classes = {each.name: each for each in tree.body if isinstance(each, ast.ClassDef)}
        self.aliases = dict(_aliases(tree))

    def value(self, kind: ast.expr | None, *, outer: bool, depth: int = 0) -> str | None:
        """An expression for one value; None where the annotation does not say enough."""
        if kind is None or depth > _DEEPEST:
            return None
        if isinstance(kind, ast.Constant) and isinstance(kind.value, str):
            kind = _parsed(kind.value)
            return self.value(kind, outer=outer, depth=depth + 1)
        if isinstance(kind, ast.BinOp):  # X | None
            return self._first([kind.left, kind.right], outer, depth)
        name = _name(kind)
        if isinstance(kind, ast.Subscript):
            return self._subscripted(name, kind.slice, outer, depth)
        if name in self.classes:
            return self.instance(name, outer=outer, depth=depth)
        if name in self.aliases:
            return self.value(self.aliases[name], outer=outer, depth=depth + 1)
        if name == "str" and outer:
            return self.variant.text or self.variant.plain["str"]
        if name == "int" and outer:
            return self.variant.number
        if name in _BARE:
            given = ["str", "Any"] if name in _MAPS else ["Any"]
            return self._container(name, [ast.Name(each) for each in given], outer, depth)
        return _SAME if name == "Callable" else self.variant.plain.get(name)

    def instance(self, name: str, *, outer: bool, depth: int = 0) -> str | None:
        """An object of a class of the module itself, by the fields or parameters it declares."""
        found = self.classes[name]
        body = [each for one in self._lineage(name) for each in one.body]
        bases = {_name(base) for one in self._lineage(name) for base in one.bases}
        fields = [each for each in body if isinstance(each, ast.AnnAssign)]
        if any(each.endswith(("Enum", "Flag")) for each in bases):
            return f"random.choice(list({name}))"
        makers = [e for e in body if isinstance(e, ast.FunctionDef) and e.name == "__init__"][::-1]
        if makers:
            given = makers[0].args.args[1:]
            needed = given[: len(given) - len(makers[0].args.defaults)]
            return self._made(name, [(each.arg, each.annotation) for each in needed], outer, depth)
        if "TypedDict" in bases:
            return self._made("dict", [(_name(e.target), e.annotation) for e in fields],
                              outer, depth, is_named=True)  # fmt: skip
        is_record = any("dataclass" in unparse(each) for each in found.decorator_list)
        is_model = "BaseModel" in bases
        if is_record or is_model or "NamedTuple" in bases:
            declared = [e for e in fields if e.value is None or (outer and self._is_many(e))]
            return self._made(name, [(_name(e.target), e.annotation) for e in declared],
                              outer, depth, is_named=outer or is_model)  # fmt: skip
        return f"{name}()"

    def _lineage(self, name: str) -> list[ast.ClassDef]:
        """The class and those of its bases that are known, the first of them first."""
        found = [self.classes[name]]
        for _ in range(_DEEPEST):
            above = [_name(base) for base in found[0].bases if _name(base) in self.classes]
            if not above or self.classes[above[0]] in found:
                break
            found.insert(0, self.classes[above[0]])
        return found

    def _is_many(self, declared: ast.AnnAssign) -> bool:
        """Whether a field is a container that starts empty: it is filled, or nothing would grow."""
        return "init=False" not in unparse(declared) and _name(declared.annotation) in _BARE

    def _made(
        self, name: str, given: list[tuple[str, ast.expr | None]], outer: bool, depth: int,
        *, is_named: bool = False,
    ) -> str | None:  # fmt: skip
        values: list[str] = []
        for text, group in groupby(given, key=lambda each: each[1] and unparse(each[1])):
            members = list(group)
            made = [self.value(kind, outer=outer, depth=depth + 1) for _, kind in members]
            if any(each is None for each in made):
                return None
            told = [each for each in made if each]
            is_run = self.is_ascending and len(told) > 1 and text in _ORDERED
            if is_run and not is_named:
                values.append(f"*sorted(({', '.join(told)}))")
            elif is_named:
                named = zip(members, told, strict=True)
                values += [f"{field}={value}" for (field, _), value in named]
            else:
                values += told
        return f"{name}({', '.join(values)})"

    def _first(self, kinds: list[ast.expr], outer: bool, depth: int) -> str | None:
        """The first of several kinds that can be made, `None` last."""
        ranked = sorted(kinds, key=lambda kind: unparse(kind) == "None")
        made = (self.value(each, outer=outer, depth=depth + 1) for each in ranked)
        return next((each for each in made if each is not None), None)

    def _subscripted(self, name: str, of: ast.expr, outer: bool, depth: int) -> str | None:
        kinds = of.elts if isinstance(of, ast.Tuple) else [of]
        if name in ("Optional", "Union"):
            return self._first(kinds, outer, depth)
        if name == "Literal":
            return f"random.choice([{', '.join(map(unparse, kinds))}])"
        if name in ("Annotated", "Final", "Required", "NotRequired"):
            return self.value(kinds[0], outer=outer, depth=depth + 1)
        if name == "Callable":
            return _FUNCTIONS.get(_name(kinds[-1]), _SAME)
        if name in self.classes:  # generic
            return self.instance(name, outer=outer, depth=depth)
        return self._container(name, kinds, outer, depth)

    def _container(self, name: str, kinds: list[ast.expr], outer: bool, depth: int) -> str | None:
        made = [self.value(each, outer=False, depth=depth + 1) for each in kinds
                if not (isinstance(each, ast.Constant) and each.value is Ellipsis)]  # fmt: skip
        items = [each for each in made if each is not None]
        if not items or len(items) < len(made):
            return None
        count = "n" if outer else self.variant.inner_count
        if name in ("Counter", "defaultdict", "OrderedDict"):
            items = items if name != "Counter" else [items[0], "random.randrange(1, 9)"]
            shown = self._map(kinds[0], items, count, outer)
            maker = "defaultdict(None, " if name == "defaultdict" else f"{name}("
            return shown and f"__import__('collections').{maker}{shown})"
        if name in _MAPS:
            return self._map(kinds[0], items, count, outer)
        if name in ("tuple", "Tuple"):
            if len(kinds) == 2 and len(items) == 1:  # tuple[X, ...]
                return f"tuple({items[0]} for _ in range({count}))"
            return self._row(kinds, items)
        if name in _OF_COLLECTIONS:
            return f"__import__('collections').deque({items[0]} for _ in range({count}))"
        if name in _SETS:
            return f"{name.lower().removeprefix('abstract')}({items[0]} for _ in range({count}))"
        return self._list(kinds[0], items[0], count, outer) if name in _LISTS else None

    def _list(self, kind: ast.expr, item: str, count: str, outer: bool) -> str:
        table = self._resolved(kind)
        if self.variant.is_joined and outer and _name(table) in _LISTS:
            of = table.slice if isinstance(table, ast.Subscript) else ast.Name("Any")
            width = "int(n ** 0.5 + 2)"
            cell = self.value(of, outer=False)
            if _name(self._resolved(of)) == "int":  # may say which row it leads to
                cell = f"random.randrange({width})"
            return f"[[{cell} for _ in range({width})] for _ in range({width})]"
        made = f"[{item} for _ in range({count})]"
        return f"sorted({made})" if self.variant.is_sorted and outer else made

    def _map(self, kind: ast.expr, items: list[str], count: str, outer: bool) -> str | None:
        if len(items) != 2:
            return None
        every = _EVERY_KEY.get(_name(self._resolved(kind)))
        key = every if every and outer and self.variant.is_joined else items[0]
        return f"{{{key}: {items[1]} for _i in range({count})}}"

    def _row(self, kinds: list[ast.expr], items: list[str]) -> str:
        names = {_name(self._resolved(each)) for each in kinds}
        written = f"({''.join(f'{item}, ' for item in items)})"
        if not self.is_ascending or len(items) != 2 or len(names) > 1 or not names <= {*_ORDERED}:
            return written
        if names == {"int"}:  # short ones: long ones all meet
            return f"((_low := {DENSE['int']}), _low + random.randrange(9))"
        return f"tuple(sorted({written}))"

    def _resolved(self, kind: ast.expr) -> ast.expr:
        for _ in range(_DEEPEST):
            if isinstance(kind, ast.Constant) and isinstance(kind.value, str):
                kind = _parsed(kind.value) or kind
            if isinstance(kind, ast.Subscript) or _name(kind) not in self.aliases:
                break
            kind = self.aliases[_name(kind)]
        return kind


def _aliases(tree: ast.Module) -> list[tuple[str, ast.expr]]:
    """Names of the module that stand for kinds; one of a type variable stands for anything."""
    found: list[tuple[str, ast.expr]] = []
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=func, args=args)):
                if _name(func) == "NewType" and len(args) == 2:
                    found.append((name, args[1]))
                elif _name(func) == "TypeVar":
                    found.append((name, ast.Name("Any")))
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if _is_kind(value):
                found.append((name, value))
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                if _name(node.annotation) == "TypeAlias":
                    found.append((name, value))
            case _ if type(node).__name__ == "TypeAlias":  # `type X = …`, where Python has it
                found.append((_name(node.name), node.value))  # type: ignore[attr-defined]
    return found


def _is_kind(value: ast.expr) -> bool:
    return isinstance(value, ast.Name | ast.Attribute | ast.Subscript | ast.BinOp)


def _name(kind: ast.expr) -> str:
    return unparse(kind.value if isinstance(kind, ast.Subscript) else kind).rpartition(".")[2]


def _parsed(text: str) -> ast.expr | None:
    try:
        return parse_expression(text)
    except SyntaxError:
        return None
