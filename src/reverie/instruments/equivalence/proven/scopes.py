"""Names and their meaning: those of a module, and those of one function in it.

Also the functions of a text: which there are, and what of them others see without calling them.
"""

import ast
import builtins
from collections import Counter
from collections.abc import Iterable, Iterator
from copy import copy
from dataclasses import dataclass, field

from reverie.syntax.nodes import Function, functions, names_in

Scope = Function | ast.Lambda | ast.GeneratorExp
Comprehension = ast.ListComp | ast.SetComp | ast.DictComp
_OWN_SCOPE = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.GeneratorExp, ast.ClassDef)
_LOOKS_INSIDE = frozenset(
    {"locals", "eval", "exec", "_getframe", "currentframe", "f_locals", "f_back", "__code__",
     "co_code", "co_consts", "co_names", "co_varnames", "getsource", "getsourcelines",
     "settrace", "setprofile", "breakpoint", "f_code", "gi_frame", "cr_frame", "tb_frame",
     "__builtins__"}
)  # fmt: skip
"""Who names one of these may see how code is written; nothing is proven in such a module."""
_REBINDS = frozenset({"globals", "builtins", "modules", "__globals__"})
"""Who names one of these may hide a builtin in ways that the text does not show."""
_BUILTINS = frozenset(name for name in dir(builtins) if not name.startswith("_")) - {
    "aiter", "anext", "EncodingWarning", "BaseExceptionGroup", "ExceptionGroup", "copyright",
    "credits", "exit", "license", "quit", "help",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ModuleFacts:
    """What the text of a module says about its names."""

    bound: frozenset[str]
    stable: frozenset[str]
    """Bound once, by a statement of the module that is always run, and nowhere else."""
    constant: frozenset[str]
    """Stable names of functions, classes and imports."""
    functions: dict[str, ast.FunctionDef]
    """Plain functions under stable names."""
    trusts_builtins: bool
    looks_inside: bool
    imports: dict[str, str] = field(default_factory=dict)
    """Stable names that are whole modules."""
    origins: dict[str, str] = field(default_factory=dict)
    """Stable names that come from other modules, with where they come from."""

    @classmethod
    def read(cls, tree: ast.Module) -> "ModuleFacts":
        """From the syntax tree."""
        bound = Counter(_module_names(tree))
        always = Counter(name for node in tree.body for name in _bound_by(node))
        stable = frozenset(n for n, count in always.items() if count == 1 and bound[n] == 1)
        words = set(_words(tree))
        has_star = any(
            alias.name == "*"
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
        )
        return cls(
            bound=frozenset(bound),
            stable=stable,
            constant=stable
            - {
                name
                for node in tree.body
                if isinstance(node, ast.Assign | ast.AnnAssign)
                for name in _bound_by(node)
            },
            functions={
                node.name: node
                for node in tree.body
                if isinstance(node, ast.FunctionDef) and node.name in stable
            },
            trusts_builtins=not has_star and not words & _REBINDS,
            looks_inside=looks_inside(tree),
            imports={
                alias.asname or alias.name: alias.name
                for node in tree.body
                if isinstance(node, ast.Import)
                for alias in node.names
                if (alias.asname or alias.name) in stable
            },
            origins={
                alias.asname or alias.name: f"{node.module}.{alias.name}"
                for node in tree.body
                if isinstance(node, ast.ImportFrom) and not node.level
                for alias in node.names
                if (alias.asname or alias.name) in stable
            },
        )

    def is_builtin(self, name: str) -> bool:
        """Whether a name that no function binds is a builtin for sure."""
        return self.trusts_builtins and name in _BUILTINS and name not in self.bound


def looks_inside(tree: ast.AST) -> bool:
    """Whether code names something that shows how code is written."""
    return bool({*_words(tree)} & _LOOKS_INSIDE)


def _words(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.alias(name=name):
                yield name
            case ast.ImportFrom(module=str(name)):
                yield name


def _module_names(tree: ast.Module) -> Iterator[str]:
    """Every name of the module, as often as something binds or deletes it."""
    yield from bound_names(tree.body)
    for node in ast.walk(tree):
        if isinstance(node, ast.Global):
            yield from node.names
            yield from node.names  # bound elsewhere: never stable


def _bound_by(node: ast.stmt) -> Iterator[str]:
    """Names that a statement binds without asking anything."""
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.Import(names=aliases):
            yield from (each.asname or each.name.partition(".")[0] for each in aliases)
        case ast.ImportFrom(names=aliases):
            yield from (each.asname or each.name for each in aliases)
        case ast.Assign(targets=targets):
            yield from (each.id for each in targets if isinstance(each, ast.Name))
        case ast.AnnAssign(target=ast.Name(id=name), value=value) if value is not None:
            yield name


def bound_names(body: Iterable[ast.AST]) -> Iterator[str]:
    """Names that code binds in its own scope, as often as it does."""
    for node in _own_nodes(body):
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                yield name
            case (
                ast.FunctionDef(name=name)
                | ast.AsyncFunctionDef(name=name)
                | ast.ClassDef(name=name)
                | ast.MatchAs(name=str(name))
                | ast.MatchStar(name=str(name))
                | ast.MatchMapping(rest=str(name))
                | ast.ExceptHandler(name=str(name))
            ):
                yield name
            case ast.Import(names=aliases):
                yield from (each.asname or each.name.partition(".")[0] for each in aliases)
            case ast.ImportFrom(names=aliases):
                yield from (each.asname or each.name for each in aliases)


def _own_nodes(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Nodes of one scope; of a scope inside only what is evaluated outside of it."""
    for node in body:
        yield node
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                inner: list[ast.AST] = [*node.decorator_list, *_defaults(node.args)]
            case ast.Lambda():
                inner = list(_defaults(node.args))
            case ast.ClassDef():
                inner = [*node.decorator_list, *node.bases, *node.keywords]
            case ast.GeneratorExp():
                inner = [node.generators[0].iter, *_walrus(node)]
            case ast.ListComp() | ast.SetComp() | ast.DictComp():
                inner = [node.generators[0].iter, *_walrus(node)]
            case _:
                inner = list(ast.iter_child_nodes(node))
        yield from _own_nodes(inner)


def _walrus(node: ast.AST) -> Iterator[ast.AST]:
    """Names that an assignment inside of a comprehension binds around it."""
    for each in ast.walk(node):
        if isinstance(each, ast.NamedExpr):
            yield each.target


def _defaults(arguments: ast.arguments) -> Iterator[ast.expr]:
    yield from arguments.defaults
    yield from (each for each in arguments.kw_defaults if each is not None)


def parameters(node: Scope) -> tuple[str, ...]:
    """Names of all parameters."""
    if isinstance(node, ast.GeneratorExp):
        return ()
    given = node.args
    extra = [each for each in (given.vararg, given.kwarg) if each is not None]
    return tuple(each.arg for each in (*given.posonlyargs, *given.args, *given.kwonlyargs, *extra))


def body_of(node: Scope) -> list[ast.AST]:
    """What runs when it is called."""
    match node:
        case ast.FunctionDef(body=body) | ast.AsyncFunctionDef(body=body):
            return list(body)
        case ast.Lambda(body=value):
            return [value]
    return [node]


def is_generator(node: Scope) -> bool:
    """Whether calling it makes an iterator."""
    return any(isinstance(each, ast.Yield | ast.YieldFrom) for each in _own_nodes(body_of(node)))


@dataclass(frozen=True, slots=True)
class FunctionNames:
    """How one function finds its names."""

    parameters: tuple[str, ...]
    own: frozenset[str]
    """Parameters and locals."""
    cells: frozenset[str]
    """Names shared with functions inside or around, and bound more than once."""
    fixed: frozenset[str]
    """Parameters of functions around that nothing ever binds again."""
    unbound: frozenset[str] = frozenset()
    """Parameters of its own that nothing ever binds again."""

    @classmethod
    def read(cls, node: Scope, around: "FunctionNames | None" = None) -> "FunctionNames":
        """Of a function, lambda or generator, within the function around it."""
        given, body = parameters(node), body_of(node)
        if isinstance(node, ast.GeneratorExp):
            stores = Counter(_targets(node))
            declared: set[str] = set()
        else:
            stores = Counter(bound_names(body))
            declared = {
                name
                for each in _own_nodes(body)
                if isinstance(each, ast.Global | ast.Nonlocal)
                for name in each.names
            }
        own = ({*given, *stores}) - declared
        shared = {name for inner in _inner_scopes(node) for name in free_names(inner)} & own
        again = {name for inner in _inner_scopes(node) for name in _nonlocal_names(inner)}
        kept = {name for name in shared if name in given and not stores[name]} - again
        outer_cells = around.cells if around else frozenset[str]()
        outer_fixed = around.fixed | {*around.parameters} if around else frozenset[str]()
        return cls(
            parameters=given,
            own=frozenset(own),
            cells=frozenset((shared - kept) | (outer_cells - own)),
            fixed=frozenset(outer_fixed - own - outer_cells),
            unbound=frozenset(each for each in given if not stores[each]) - again - declared,
        )


def _targets(node: ast.GeneratorExp) -> Iterator[str]:
    for generator in node.generators:
        for each in ast.walk(generator.target):
            if isinstance(each, ast.Name):
                yield each.id


def _inner_scopes(node: Scope) -> Iterator[ast.AST]:
    """Functions, lambdas, generators and classes right inside, those in comprehensions too."""
    inside = body_of(node)
    pending: list[ast.AST] = (
        [*ast.iter_child_nodes(node)] if isinstance(node, ast.GeneratorExp) else inside
    )
    while pending:
        each = pending.pop()
        if isinstance(each, _OWN_SCOPE):
            yield each
        else:
            pending += ast.iter_child_nodes(each)


def free_names(node: ast.AST) -> set[str]:
    """Names that a scope inside takes from around it: more than it does, never fewer."""
    return names_in(node) | {
        name for each in ast.walk(node) if isinstance(each, ast.Nonlocal) for name in each.names
    }


def _nonlocal_names(node: ast.AST) -> set[str]:
    named = {n for e in ast.walk(node) if isinstance(e, ast.Nonlocal) for n in e.names}
    walrus = {e.target.id for e in ast.walk(node) if isinstance(e, ast.NamedExpr)}
    return named | walrus


_QUIET = frozenset(
    {"staticmethod", "classmethod", "property", "abstractmethod", "cached_property", "lru_cache",
     "cache", "wraps", "contextmanager", "setter", "getter", "deleter", "total_ordering"}
)  # fmt: skip
"""Decorators that do not ask for annotations or docstrings."""


def occurrences(tree: ast.AST, prefix: str = "") -> Iterator[tuple[str, list[Function]]]:
    """Functions by dotted name, in the order of the text: a property is several of one name."""
    found: dict[str, list[Function]] = {}
    for name, node in functions(tree, prefix):
        found.setdefault(name, []).append(node)
    yield from found.items()


def front_of(node: Function) -> tuple[str, ...]:
    """How a function is called and wrapped, and what a wrapper may read of it."""
    given = node.args
    words = [each.arg for each in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
    stars = [each and each.arg for each in (given.vararg, given.kwarg)]
    defaults = [*given.defaults, *given.kw_defaults]
    parts = [type(node).__name__, str(len(given.posonlyargs)), str(len(given.args)), *words]
    parts += map(str, stars)
    parts += ["" if each is None else ast.dump(each) for each in (*node.decorator_list, *defaults)]
    if not all(_is_quiet(each) for each in node.decorator_list):
        parts += [ast.dump(given), "" if node.returns is None else ast.dump(node.returns)]
        parts.append(str(ast.get_docstring(node, clean=False)))
    return tuple(parts)


def _is_quiet(node: ast.expr) -> bool:
    called = node.func if isinstance(node, ast.Call) else node
    name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
    return name in _QUIET


def without_words(node: Function) -> Function:
    """A function without its docstring."""
    if ast.get_docstring(node, clean=False) is None:
        return node
    made = copy(node)
    made.body = node.body[1:] or [ast.Pass()]
    return made
