"""Objects that have been used: calls of a method on receivers which other methods have filled.

A cart that is always empty shows nothing of how its total is computed.
"""

import ast
import random

from reverie.gates.production.state import changed_attributes
from reverie.model.call import Call, Expression

_WORDS = ("a", "b", "c", "", "2024-01-02", "x y")
_NUMBERS = (0, 1, 2, 3, -1, 5, 100)
_COUNT = 60
_MOST_STEPS = 5
_DEEPEST = 3


def filled_calls(source: str, qualname: str, seed: int) -> tuple[Call, ...]:
    """Calls of a method of a class of this text; none where its types do not say enough."""
    owner, _, method = qualname.rpartition(".")
    tree = ast.parse(source)
    classes = {each.name: each for each in tree.body if isinstance(each, ast.ClassDef)}
    node = classes.get(owner)
    if node is None:
        return ()
    maker = _Maker(classes, random.Random(f"{seed}:{qualname}"))
    methods = {each.name: each for each in node.body if isinstance(each, ast.FunctionDef)}
    target = methods.get(method)
    fillers = [
        each
        for name, each in methods.items()
        if name != method and not name.startswith("_") and changed_attributes(each)
    ]
    if target is None or not fillers or target.decorator_list:
        return ()
    calls = (_call(owner, target, fillers, maker) for _ in range(_COUNT))
    return tuple(each for each in calls if each is not None)


def _call(
    owner: str, target: ast.FunctionDef, fillers: list[ast.FunctionDef], maker: "_Maker"
) -> Call | None:
    made = maker.instance(owner, 0)
    given = maker.arguments(target)
    if made is None or given is None:
        return None
    steps = []
    for _ in range(maker.chance.randrange(1, _MOST_STEPS + 1)):
        filler = maker.chance.choice(fillers)
        arguments = maker.arguments(filler)
        if arguments is None:
            return None
        steps.append(f"_o.{filler.name}({', '.join(arguments)})")
    receiver = f"(lambda _o: [{', '.join(steps)}, _o][-1])({made})"
    names = frozenset({owner} | maker.used)
    args = tuple(Expression(each, names=names) for each in given)
    return Call(args, receiver=Expression(receiver, names=names))


class _Maker:
    """Literals that fit annotations, from small pools, so that they meet again."""

    def __init__(self, classes: dict[str, ast.ClassDef], chance: random.Random) -> None:
        self.classes = classes
        self.chance = chance
        self.used: set[str] = set()

    def arguments(self, function: ast.FunctionDef) -> list[str] | None:
        """One value for each parameter that needs one."""
        given = function.args.args[1:]
        required = given[: len(given) - len(function.args.defaults)]
        values = [self.value(each.annotation) for each in required]
        known = [value for value in values if value is not None]
        return known if len(known) == len(values) else None

    def value(self, kind: ast.expr | None, depth: int = 0) -> str | None:
        """A literal of an annotated type; None when it is not known."""
        if kind is None or depth > _DEEPEST:
            return None
        name = ast.unparse(kind.value if isinstance(kind, ast.Subscript) else kind)
        plain = {
            "int": repr(self.chance.choice(_NUMBERS)),
            "str": repr(self.chance.choice(_WORDS)),
            "float": repr(self.chance.choice(_NUMBERS) / 2),
            "bool": repr(self.chance.random() < 0.5),
        }
        if name in plain:
            return plain[name]
        if isinstance(kind, ast.Subscript) and name in ("list", "set", "tuple"):
            inner = kind.slice.elts[0] if isinstance(kind.slice, ast.Tuple) else kind.slice
            items = [self.value(inner, depth + 1) for _ in range(self.chance.randrange(4))]
            if None in items:
                return None
            return f"{name}([{', '.join(each for each in items if each)}])"
        return self.instance(name, depth + 1)

    def instance(self, name: str, depth: int) -> str | None:
        """A call of a class of the module, by what it declares."""
        node = self.classes.get(name)
        if node is None or depth > _DEEPEST:
            return None
        self.used.add(name)
        methods = {each.name: each for each in node.body if isinstance(each, ast.FunctionDef)}
        if "__init__" in methods:
            values = self.arguments(methods["__init__"])
            return None if values is None else f"{name}({', '.join(values)})"
        kinds = [
            each.annotation
            for each in node.body
            if isinstance(each, ast.AnnAssign) and node.decorator_list
        ]
        found = [self.value(each, depth + 1) for each in kinds]
        return None if None in found else f"{name}({', '.join(each for each in found if each)})"
