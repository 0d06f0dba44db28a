"""Random functions, random rewrites of them, and objects that write down all that is done to them.

Whoever claims that two functions take the same steps is held against what they really do.
"""

import ast
import copy
import random
import sys
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from types import FrameType
from typing import Any

_MOST_STEPS = 70
_MOST_LINES = 3000


class Enough(BaseException):
    """So many steps are plenty."""


class World:
    """All that one run does to its arguments, in order; some of it fails."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.steps: list[str] = []
        self.made = 0

    def note(self, *what: object) -> "Probe":
        """One step; what comes of it depends on the seed and on how many there were."""
        number = len(self.steps)
        self.steps.append(" ".join(map(shown, what)))
        if number > _MOST_STEPS:
            raise Enough
        chance = random.Random(f"{self.seed} {number}")
        if chance.random() < 0.04:
            raise chance.choice((ValueError, KeyError, TypeError))(number)
        self.made += 1
        return Probe(self, self.made)

    def draw(self, share: float) -> bool:
        """A decision that the seed and the steps so far settle."""
        return random.Random(f"{self.seed} {len(self.steps)} draw").random() < share


def shown(value: object, depth: int = 0) -> str:
    """What a value is, without asking it anything."""
    if depth > 6:
        return "..."
    deeper = partial(shown, depth=depth + 1)
    if isinstance(value, Probe):
        return f"<{value.number}>"
    if isinstance(value, list | tuple | set | frozenset):
        return f"{type(value).__name__}({', '.join(map(deeper, value))})"
    if isinstance(value, dict):
        return f"dict({', '.join(f'{deeper(k)}: {deeper(v)}' for k, v in value.items())})"
    if callable(value):
        return f"function {getattr(value, '__name__', '?')}"
    return f"{type(value).__name__} {value!r}"


def _operator(name: str) -> Callable[..., "Probe"]:
    def act(self: "Probe", *given: object) -> "Probe":
        return self.world.note(self, name, *given)

    return act


class Probe:
    """An argument that writes down everything."""

    def __init__(self, world: World, number: int) -> None:
        self.__dict__.update(world=world, number=number)

    def __getattr__(self, name: str) -> "Probe":
        return self.world.note(self, "get", name)

    def __setattr__(self, name: str, value: object) -> None:
        self.world.note(self, "set", name, value)

    def __call__(self, *args: object, **names: object) -> "Probe":
        return self.world.note(self, "call", args, names)

    def __getitem__(self, key: object) -> "Probe":
        return self.world.note(self, "item", key)

    def __setitem__(self, key: object, value: object) -> None:
        self.world.note(self, "put", key, value)

    def __bool__(self) -> bool:
        self.world.note(self, "truth")
        return self.world.draw(0.5)

    def __iter__(self) -> Iterator["Probe"]:
        self.world.note(self, "iter")
        while True:
            found = self.world.note(self, "next")
            if self.world.draw(0.4):
                return
            yield found

    def __contains__(self, item: object) -> bool:
        self.world.note(self, "contains", item)
        return self.world.draw(0.5)

    def __len__(self) -> int:
        self.world.note(self, "len")
        return 2 if self.world.draw(0.5) else 0

    def __format__(self, spec: str) -> str:
        self.world.note(self, "format", spec)
        return f"[{self.number}]"

    def __repr__(self) -> str:
        self.world.note(self, "repr")
        return f"r{self.number}"

    def __enter__(self) -> "Probe":
        return self.world.note(self, "enter")

    def __exit__(self, *how: object) -> bool:
        self.world.note(self, "exit", how[0] is not None)
        return self.world.draw(0.2)

    __eq__ = _operator("eq")  # type: ignore[assignment]

    def __hash__(self) -> int:
        self.world.note(self, "hash")
        return 7


for _name in (
    "add", "radd", "sub", "rsub", "mul", "rmul", "mod", "rmod", "ne", "lt", "le", "gt",
    "ge", "neg", "iadd",
):  # fmt: skip
    setattr(Probe, f"__{_name}__", _operator(_name))


def behaviour(source: str, seed: int) -> tuple[str, list[str]]:
    """How `f` of a module ends with probes for arguments, and what it did to them."""
    world = World(seed)
    space: dict[str, Any] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(compile(source, "<f>", "exec"), space)  # noqa: S102 - made here
    lines = iter(range(_MOST_LINES))

    def count(frame: FrameType, event: str, argument: object) -> object:
        if frame.f_code.co_filename != "<f>":
            return None
        if next(lines, None) is None:
            raise Enough
        return count

    before = sys.gettrace()
    sys.settrace(count)  # type: ignore[arg-type]
    try:
        found = space["f"](*(Probe(world, -each) for each in (1, 2, 3)))
        if hasattr(found, "send"):
            found = list(found)
        end = shown(found)
    except Enough:
        end = "enough"
    except Exception as error:  # noqa: BLE001 - whatever it is, both have to raise it
        context = error.__context__
        end = f"{type(error).__name__} {shown(error.args)} {type(context).__name__}"
    finally:
        sys.settrace(before)
    return end, world.steps


def behave_alike(old: str, new: str, seed: int) -> bool:
    """Whether two modules do the same; of runs that were cut off, as far as both go."""
    (first, one), (second, two) = behaviour(old, seed), behaviour(new, seed)
    if "enough" in (first, second):
        count = min(len(one), len(two))
        return one[:count] == two[:count]
    return (first, one) == (second, two)


class Writer:
    """Writes a random function of three parameters."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.is_generator = chance.random() < 0.1

    def module(self) -> str:
        """A module with the function `f`, and sometimes a helper."""
        body = self.block(self.chance.randint(2, 4), 0, False)
        return f"def _h(a, b):\n    return a.h(b)\n\ndef f(a, b, c):\n{body}"

    def block(self, count: int, depth: int, in_loop: bool) -> str:
        """Statements."""
        lines = [self.statement(depth + 1, in_loop) for _ in range(count)]
        return "\n".join(lines)

    def statement(self, depth: int, in_loop: bool) -> str:
        """One statement."""
        pad, chance, expr = "    " * depth, self.chance, self.expression
        kinds = ["assign"] * 4 + ["expr", "return", "aug", "setattr", "unpack", "grow", "raise"]
        if depth < 4:
            kinds += ["if", "if", "for", "try", "with", "while", "collect"]
        if in_loop:
            kinds += ["break", "continue"]
        if self.is_generator:
            kinds += ["yield"]
        match chance.choice(kinds):
            case "assign":
                return f"{pad}{self.local()} = {expr(2)}"
            case "expr":
                return f"{pad}{expr(2)}"
            case "return":
                return f"{pad}return {expr(2)}"
            case "raise":
                return f"{pad}raise {chance.choice(('ValueError', 'KeyError'))}({expr(1)})"
            case "yield":
                return f"{pad}{self.local()} = yield {expr(1)}"
            case "aug":
                return f"{pad}{chance.choice('abxy')} += {expr(1)}"
            case "setattr":
                return f"{pad}{expr(1)}.attr = {expr(1)}"
            case "unpack":
                return f"{pad}{self.local()}, {self.local()} = {expr(1)}, {expr(1)}"
            case "grow":
                return f"{pad}x = []\n{pad}x.append({expr(1)})"
            case "break":
                return f"{pad}break"
            case "continue":
                return f"{pad}continue"
            case "collect":
                return f"{pad}x = []\n{pad}for i in {expr(1)}:\n{pad}    x.append({expr(1)})"
            case "if":
                text = f"{pad}if {expr(2)}:\n{self.block(chance.randint(1, 2), depth, in_loop)}"
                if chance.random() < 0.6:
                    text += f"\n{pad}else:\n{self.block(chance.randint(1, 2), depth, in_loop)}"
                return text
            case "for":
                return f"{pad}for {self.local()} in {expr(1)}:\n{self.block(2, depth, True)}"
            case "while":
                return f"{pad}while {expr(1)}:\n{self.block(2, depth, True)}"
            case "with":
                return f"{pad}with {expr(1)} as {self.local()}:\n{self.block(2, depth, in_loop)}"
        caught = chance.choice(("ValueError", "KeyError", "(KeyError, TypeError)", "Exception"))
        text = f"{pad}try:\n{self.block(chance.randint(1, 2), depth, in_loop)}"
        if chance.random() < 0.8:
            text += f"\n{pad}except {caught} as e:\n{self.block(1, depth, in_loop)}"
            if chance.random() < 0.4:
                text += f"\n{pad}else:\n{self.block(1, depth, in_loop)}"
            if chance.random() < 0.7:
                return text
        return text + f"\n{pad}finally:\n{self.statement(depth + 1, False)}"

    def local(self) -> str:
        """A name to bind."""
        return self.chance.choice("xyzb")

    def expression(self, depth: int) -> str:
        """One expression."""
        chance = self.chance
        if depth == 0 or chance.random() < 0.25:
            return chance.choice(["a", "b", "c", "x", "y", "1", "2", "'t'", "None", "True"])
        one, two = self.expression(depth - 1), self.expression(depth - 1)
        return chance.choice(
            [
                f"{one}.p", f"a({one}, {two})", f"({one} + {two})", f"({one} == {two})",
                f"({one} < {two})", f"({one} in b)", "(a is b)", "(x is None)", "(y is c)",
                f"({one} and {two})", f"({one} or {two})", f"(not {one})",
                f"({one} if {two} else {self.expression(depth - 1)})", f"({one}, {two})",
                f"[{one}, {two}]", f"b[{one}]", f"len({one})", f"isinstance({one}, (int, str))",
                f"'{{}}-{{}}'.format({one}, {two})", f"f'{{{one}}}-{{c}}'", f"_h({one}, {two})",
                f"[i.q for i in {one} if i]", f"{{'k': {one}}}", "(len(b) > 0)", "(len(b) > 1)",
                f"dict(k={one})", "list()", f"bool({one})", f"(lambda: {one})", "x.append",
            ]
        )  # fmt: skip


def rewritten(source: str, chance: random.Random) -> str:
    """Another spelling, or another function: whoever compares has to tell."""
    tree = ast.parse(source)
    for _ in range(chance.choice((1, 1, 2, 3))):
        chance.choice(_REWRITES)(tree.body[-1], chance)
    ast.fix_missing_locations(tree)
    return ast.unparse(tree)


def _bodies(tree: ast.AST) -> list[list[ast.stmt]]:
    return [
        body
        for node in ast.walk(tree)
        for name in ("body", "orelse", "finalbody")
        if isinstance(body := getattr(node, name, None), list) and body
    ]


def _swap_ways(tree: ast.AST, chance: random.Random) -> None:
    found = [each for each in ast.walk(tree) if isinstance(each, ast.If | ast.IfExp)]
    for node in found[:1] if not found else [chance.choice(found)]:
        if isinstance(node, ast.If):
            node.body, node.orelse = node.orelse or [ast.Pass()], node.body
        else:
            node.body, node.orelse = node.orelse, node.body
        if chance.random() < 0.85:
            node.test = ast.UnaryOp(ast.Not(), node.test)


def _flatten(tree: ast.AST, chance: random.Random) -> None:
    """Take the `else` of a condition out of it: the same only after a return."""
    body = chance.choice(_bodies(tree))
    for place, node in enumerate(body):
        if isinstance(node, ast.If | ast.Try | ast.For | ast.While) and node.orelse:
            body[place + 1 : place + 1] = node.orelse
            node.orelse = []
            return


def _nest(tree: ast.AST, chance: random.Random) -> None:
    """Put the rest of a block under the `else` of a condition."""
    body = chance.choice(_bodies(tree))
    for place, node in enumerate(body):
        if isinstance(node, ast.If) and not node.orelse and body[place + 1 :]:
            node.orelse = body[place + 1 :]
            del body[place + 1 :]
            return


def _hoist(tree: ast.AST, chance: random.Random) -> None:
    """Give an expression a name of its own, before the statement that it is in."""
    body = chance.choice(_bodies(tree))
    place = chance.randrange(len(body))
    inside = [
        (node, name)
        for node in ast.walk(body[place])
        for name, value in ast.iter_fields(node)
        if isinstance(value, ast.expr) and isinstance(getattr(value, "ctx", ast.Load()), ast.Load)
    ]
    if inside:
        node, name = chance.choice(inside)
        value = getattr(node, name)
        setattr(node, name, ast.Name("new", ast.Load()))
        body.insert(place, ast.Assign([ast.Name("new", ast.Store())], value))


def _sink(tree: ast.AST, chance: random.Random) -> None:
    """Put what a name was given in place of the name, in the next statement."""
    body = chance.choice(_bodies(tree))
    for place, node in enumerate(body[:-1]):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                body[place + 1] = _Put(name, value).visit(body[place + 1])
                if chance.random() < 0.7:
                    del body[place]
                return


class _Put(ast.NodeTransformer):
    def __init__(self, name: str, value: ast.expr) -> None:
        self.name, self.value = name, value

    def visit_Name(self, node: ast.Name) -> ast.AST:
        is_it = node.id == self.name and isinstance(node.ctx, ast.Load)
        return copy.deepcopy(self.value) if is_it else node


def _exchange(tree: ast.AST, chance: random.Random) -> None:
    body = chance.choice(_bodies(tree))
    if len(body) > 1:
        place = chance.randrange(len(body) - 1)
        body[place], body[place + 1] = body[place + 1], body[place]


def _drop(tree: ast.AST, chance: random.Random) -> None:
    body = chance.choice(_bodies(tree))
    if len(body) > 1:
        del body[chance.randrange(len(body))]


def _repeat(tree: ast.AST, chance: random.Random) -> None:
    body = chance.choice(_bodies(tree))
    place = chance.randrange(len(body))
    body.insert(place, copy.deepcopy(body[place]))


def _rename(tree: ast.AST, chance: random.Random) -> None:
    old, new = chance.choice("xyz"), chance.choice(("x", "y", "fresh", "fresh"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id == old:
            node.id = new


def _confuse(tree: ast.AST, chance: random.Random) -> None:
    names = [each for each in ast.walk(tree) if isinstance(each, ast.Name)]
    if names:
        chance.choice(names).id = chance.choice("abcxy")


def _comprehend(tree: ast.AST, chance: random.Random) -> None:
    for body in _bodies(tree):
        for place, node in enumerate(body[1:], 1):
            match body[place - 1], node:
                case (
                    ast.Assign(targets=[ast.Name(id="x")], value=ast.List(elts=[])),
                    ast.For(
                        target=target, iter=source,
                        body=[ast.Expr(ast.Call(ast.Attribute(attr="append"), args=[item]))],
                    ),
                ):  # fmt: skip
                    made = ast.ListComp(item, [ast.comprehension(target, source, [], 0)])
                    body[place - 1 : place + 1] = [ast.Assign([ast.Name("x", ast.Store())], made)]
                    return


def _format(tree: ast.AST, chance: random.Random) -> None:
    class Change(ast.NodeTransformer):
        def visit_Call(self, node: ast.Call) -> ast.AST:
            self.generic_visit(node)
            match node:
                case ast.Call(func=ast.Attribute(value=ast.Constant(value=str()), attr="format")):
                    one, two = node.args
                    parts = [ast.FormattedValue(one, -1), ast.Constant("-")]
                    return ast.JoinedStr([*parts, ast.FormattedValue(two, -1)])
                case ast.Call(func=ast.Name(id="_h"), args=[one, two]):
                    return ast.Call(ast.Attribute(one, "h", ast.Load()), [two], [])
            return node

    Change().visit(tree)


def _merge(tree: ast.AST, chance: random.Random) -> None:
    """`if a: if b:` becomes `if a and b:`; wrong where there is something to be done else."""
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and len(node.body) == 1 and isinstance(node.body[0], ast.If):
            inner = node.body[0]
            node.test = ast.BoolOp(ast.And(), [node.test, inner.test])
            node.body = inner.body
            return


def _choose(tree: ast.AST, chance: random.Random) -> None:
    """A conditional expression for a conditional statement, and back."""
    for body in _bodies(tree):
        for place, node in enumerate(body):
            match node:
                case ast.If(body=[ast.Assign() as one], orelse=[ast.Assign() as two]) if ast.dump(
                    one.targets[0]
                ) == ast.dump(two.targets[0]):
                    body[place] = ast.Assign(
                        one.targets, ast.IfExp(node.test, one.value, two.value)
                    )
                    return
                case ast.Return(value=ast.IfExp(test=test, body=one, orelse=two)):
                    body[place : place + 1] = [
                        ast.If(test, [ast.Return(one)], []), ast.Return(two),
                    ]  # fmt: skip
                    return


def _widen(tree: ast.AST, chance: random.Random) -> None:
    """Move a statement into the block before it, or out of it."""
    body = chance.choice(_bodies(tree))
    blocks = ast.Try | ast.With | ast.For | ast.If | ast.While
    for place, node in enumerate(body):
        if isinstance(node, blocks):
            if chance.random() < 0.5 and body[place + 1 :]:
                node.body.append(body.pop(place + 1))
            elif len(node.body) > 1:
                body.insert(place + 1, node.body.pop())
            return


_REWRITES = (
    _swap_ways, _flatten, _nest, _hoist, _sink, _exchange, _drop, _repeat, _rename, _confuse,
    _comprehend, _format, _merge, _choose, _widen, _hoist, _flatten, _swap_ways,
)  # fmt: skip
