"""Does the change keep something between calls that was not kept before?

What calls share is what threads race for, what grows without end, and what goes stale.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from reverie.gates.gate import Matter, nothing_to_judge, ruled
from reverie.gates.production.rewritten_files import Rewritten, rewritten_files
from reverie.gates.production.shared import Kind, Values, shared_uses
from reverie.gates.python import origin_of, same
from reverie.model.ruling import Answer, Ruling
from reverie.syntax.nodes import Function, functions, stored_names
from reverie.syntax.unparsing import unparse

_CHANGING = frozenset(
    {"append", "appendleft", "add", "update", "clear", "pop", "popleft", "popitem", "setdefault",
     "extend", "insert", "remove", "discard", "sort", "reverse", "__setitem__", "subtract",
     "register", "__setattr__", "__delattr__", "__delitem__", "send", "throw"}
)  # fmt: skip
_CHANGING_FUNCTIONS = frozenset(
    {"setattr", "delattr", "heapq.heappush", "heappush", "heapq.heappop", "heappop",
     "next", "anext", "heapq.heapify", "heapify", "heapq.heapreplace", "heapreplace",
     "heapq.heappushpop", "heappushpop", "bisect.insort", "insort", "bisect.insort_left",
     "insort_left", "bisect.insort_right", "insort_right", "random.shuffle", "shuffle"}
)  # fmt: skip
_CHANGEABLE = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp, ast.Call)
_CACHES = ("functools.lru_cache", "functools.cache", "lru_cache", "cache")
"""How they begin: `cached_property` and what `cachetools` has are among them."""


@dataclass(frozen=True, slots=True)
class StateGate:
    """Refuses new state that calls share: buffers and caches of a module, a class or a function."""

    name: str = "state"

    def judge(self, matter: Matter) -> tuple[Ruling, ...]:
        """One ruling for each new thing that is kept."""
        if not matter.change.edits:
            return nothing_to_judge(self.name)
        return ruled(self.name, self._objections(matter), "it keeps nothing new between calls")

    def _objections(self, matter: Matter) -> Iterator[Ruling]:
        for file in rewritten_files(matter):
            known = {(code, what) for code, what, _ in _kept(file.before.tree, file.names_before)}
            for code, what, node in _kept(file.after.tree, file.names):
                if (code, what) not in known:
                    place = file.after.place(node)
                    yield Ruling(self.name, Answer.FAIL, code, what, place)
            for what, node in _stale(file):
                place = file.after.place(node)
                yield Ruling(self.name, Answer.FAIL, "stale_state", what, place)
            yield from self._shared(file)
            yield from self._counts(file)

    def _counts(self, file: Rewritten) -> Iterator[Ruling]:
        """More that objects carry on from call to call, and decide by; no other name for it."""
        before = {name: kept for name, _, kept in _carried(file.before.tree)}
        for name, node, kept in _carried(file.after.tree):
            new = {each for each in kept - before.get(name, set()) if _decides(node, each)}
            if new and len(kept) > len(before.get(name, set())) and name in before:
                said = f"objects of {name} carry {min(new)} on from call to call"
                yield Ruling(self.name, Answer.HOLD, "shared_value", said, file.after.place(node))

    def _shared(self, file: Rewritten) -> Iterator[Ruling]:
        """Shared values that are used up, or are handed on as they are."""
        old = shared_uses(file.before.tree, file.names_before)
        known = {(each.name, each.kind) for each in old}
        for each in shared_uses(file.after.tree, file.names):
            if (each.name, each.kind) in known:
                continue
            known.add((each.name, each.kind))
            place = file.after.place(each.node)
            if each.kind is Kind.USED_UP:
                said = f"{each.function} uses up {each.name}, which all calls share"
                yield Ruling(self.name, Answer.FAIL, "shared_state", said, place)
            else:
                said = f"{each.function} may change {each.name}, which all calls share"
                yield Ruling(self.name, Answer.HOLD, "shared_value", said, place)


def _kept(tree: ast.Module, names: dict[str, str]) -> Iterator[tuple[str, str, ast.AST]]:
    shared, values = _top_names(tree) | _taken_names(tree), Values(tree, names)
    for qualname, node in functions(tree):
        yield from _shared_writes(qualname, node, shared)
        for decorator in node.decorator_list:
            called = decorator.func if isinstance(decorator, ast.Call) else decorator
            if origin_of(called, names).startswith(_CACHES) and not _is_bounded(decorator, names):
                yield "unbounded_cache", f"{qualname} keeps every result for ever", decorator
            elif origin_of(called, names).startswith(_CACHES) and _lends(node, values):
                yield "shared_state", f"callers of {qualname} get the same object", decorator
    yield from _defaults(tree, values)
    yield from _closures(tree)
    yield from _class_values(tree)
    dropped = _dropped_caches(tree)
    for each in ast.walk(tree):
        if isinstance(each, ast.Assign) and _makes_cache(each.value, names) and each not in dropped:
            yield "unbounded_cache", f"{unparse(each.targets[0])} keeps results", each


def _defaults(tree: ast.Module, values: Values) -> Iterator[tuple[str, str, ast.AST]]:
    """Defaults that are made once, and can be changed or used up."""
    for node in ast.walk(tree):
        if isinstance(node, Function | ast.Lambda):
            name = getattr(node, "name", "a lambda")
            for default in (*node.args.defaults, *filter(None, node.args.kw_defaults)):
                if values.kind(default) is not Kind.FIXED:
                    yield "shared_state", f"a default of {name} is shared by all calls", default


def _lends(function: Function, values: Values) -> bool:
    """Whether what a function returns can be changed or used up: a cache gives it to everybody."""
    made = {
        target.id: each.value
        for each in ast.walk(function)
        if isinstance(each, ast.Assign)
        for target in each.targets
        if isinstance(target, ast.Name)
    }
    for each in ast.walk(function):
        if isinstance(each, ast.Yield | ast.YieldFrom):
            return True
        if isinstance(each, ast.Return):
            value = each.value
            value = made.get(value.id, value) if isinstance(value, ast.Name) else value
            if values.kind(value) in (Kind.CONTAINER, Kind.DEEP, Kind.USED_UP):
                return True
    return False


def _closures(tree: ast.Module) -> Iterator[tuple[str, str, ast.AST]]:
    """Functions that are called once, when the module is imported, and keep something inside."""
    called = {each.id for each in _called_at_import(tree) if isinstance(each, ast.Name)}
    for node in tree.body:
        if not isinstance(node, ast.FunctionDef) or node.name not in called:
            continue
        outer = _local_names(node)
        for inner in ast.walk(node):
            if inner is node or not isinstance(inner, Function):
                continue
            for each in ast.walk(inner):
                if isinstance(each, ast.Nonlocal):
                    said = f"{node.name} keeps {each.names[0]} between calls"
                    yield "shared_state", said, each
            given = {each.arg for each in ast.walk(inner.args) if isinstance(each, ast.arg)}
            kept = (outer & _outer_names(node)) - given
            yield from _shared_writes(f"{node.name}.{inner.name}", inner, kept)


def _outer_names(function: Function) -> frozenset[str]:
    """Names that a function binds itself, outside the functions in it."""
    inner = {
        id(below)
        for each in ast.walk(function)
        if isinstance(each, Function | ast.Lambda) and each is not function
        for below in ast.walk(each)
    }
    return frozenset(
        each.id
        for each in ast.walk(function)
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store) and id(each) not in inner
    )


def _called_at_import(tree: ast.Module) -> Iterator[ast.AST]:
    waiting: list[ast.AST] = list(tree.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, Function | ast.ClassDef):
            for each in node.decorator_list:
                yield each.func if isinstance(each, ast.Call) else each
            waiting += node.body if isinstance(node, ast.ClassDef) else ()
            continue
        if isinstance(node, ast.Call):
            yield node.func
        waiting += ast.iter_child_nodes(node)


def _class_values(tree: ast.Module) -> Iterator[tuple[str, str, ast.AST]]:
    """Changeable values of a class that all its objects share, and its methods change."""
    for node in tree.body:
        if not isinstance(node, ast.ClassDef):
            continue
        written = changed_attributes(node)
        for each in node.body:
            if isinstance(each, ast.Assign | ast.AnnAssign) and isinstance(each.value, _CHANGEABLE):
                targets = each.targets if isinstance(each, ast.Assign) else [each.target]
                names = {target.id for target in targets if isinstance(target, ast.Name)}
                if names & written:
                    yield "shared_state", f"all objects of {node.name} share {min(names)}", each


def _dropped_caches(tree: ast.Module) -> set[ast.AST]:
    """Assignments to a name of a function that is only called there: gone when it returns."""
    found: set[ast.AST] = set()
    for _, function in functions(tree):
        called = {id(e.func) for e in ast.walk(function) if isinstance(e, ast.Call)}
        uses = [each for each in ast.walk(function) if isinstance(each, ast.Name)]
        outer = {
            name
            for each in ast.walk(function)
            if isinstance(each, ast.Global | ast.Nonlocal)
            for name in each.names
        }
        for each in ast.walk(function):
            match each:
                case ast.Assign(targets=[ast.Name(id=name)]) if name not in outer:
                    loads = [u for u in uses if u.id == name and isinstance(u.ctx, ast.Load)]
                    if all(id(use) in called for use in loads):
                        found.add(each)
    return found


def _makes_cache(value: ast.expr, names: dict[str, str]) -> bool:
    return isinstance(value, ast.Call) and origin_of(value.func, names).startswith(_CACHES)


def _is_bounded(decorator: ast.expr, names: dict[str, str]) -> bool:
    """`lru_cache` with a number, or as it comes: 128."""
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    if not origin_of(called, names).endswith("lru_cache"):
        return False
    if not isinstance(decorator, ast.Call):
        return True
    sizes = [*decorator.args[:1], *(k.value for k in decorator.keywords if k.arg == "maxsize")]
    return all(isinstance(each, ast.Constant) and type(each.value) is int for each in sizes)


def _top_names(tree: ast.Module) -> frozenset[str]:
    """Names of a module that are bound to values, and its functions and classes."""
    found = set()
    for node in tree.body:
        if isinstance(node, Function | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            found |= stored_names(node)
    return frozenset(found)


def _taken_names(tree: ast.Module) -> frozenset[str]:
    """Names out of other modules: what is written into them, other calls and modules see."""
    return frozenset(
        alias.asname or alias.name.partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    )


def _shared_writes(
    qualname: str, function: Function, shared: frozenset[str]
) -> Iterator[tuple[str, str, ast.AST]]:
    local = _local_names(function) - _other_names(function, shared)
    shared |= _other_names(function, shared)
    for node in ast.walk(function):
        if isinstance(node, ast.Global):
            for name in node.names:
                yield "shared_state", f"{qualname} rebinds {name} of the module", node
        elif isinstance(node, ast.Attribute | ast.Subscript) and isinstance(
            node.ctx, ast.Store | ast.Del
        ):
            root = _root(node)
            if root in shared - local or root == "cls" or _is_of_class(node):
                yield "shared_state", f"{qualname} writes into {root}, which all calls share", node
        elif isinstance(node, ast.Call):
            yield from _changing_call(qualname, node, shared - local)


def _other_names(function: Function, shared: frozenset[str]) -> frozenset[str]:
    """Names that a function gives to what is shared, also by looping over a few of them."""
    found = set()
    for each in ast.walk(function):
        match each:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Name(id=value)):
                values = {value}
            case ast.NamedExpr(target=ast.Name(id=name), value=ast.Name(id=value)):
                values = {value}
            case ast.For(target=ast.Name(id=name), iter=ast.Tuple() | ast.List() as items):
                values = {item.id for item in items.elts if isinstance(item, ast.Name)}
            case _:
                continue
        if values & shared:
            found.add(name)
    return frozenset(found)


def _is_of_class(node: ast.AST) -> bool:
    """Whether something is written into a class: `type(self).count`, `self.__class__.count`."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
        match node:
            case ast.Call(func=ast.Name(id="type")) | ast.Attribute(attr="__class__"):
                return True
    return False


def _changing_call(
    qualname: str, node: ast.Call, shared: frozenset[str]
) -> Iterator[tuple[str, str, ast.AST]]:
    """A method that changes its object, or a function that changes what it is given."""
    if isinstance(node.func, ast.Attribute) and node.func.attr in _CHANGING:
        root = _root(node.func.value)
        if root in ("list", "dict", "set", "object", "type") and node.args:
            root = _root(node.args[0])  # `list.append(SEEN, 1)`
        if root in shared or root == "cls":
            yield "shared_state", f"{qualname} changes {root}, which all calls share", node
    elif unparse(node.func) in _CHANGING_FUNCTIONS and any(
        _root(each) in shared for each in node.args[:1]
    ):
        yield "shared_state", f"{qualname} changes what all calls share", node


def _local_names(function: Function) -> frozenset[str]:
    rebound = {
        name for each in ast.walk(function) if isinstance(each, ast.Global) for name in each.names
    }
    stored = stored_names(function)
    given = {each.arg for each in ast.walk(function) if isinstance(each, ast.arg)}
    return frozenset((stored | given) - rebound)


def _root(node: ast.AST) -> str:
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _carried(tree: ast.Module) -> Iterator[tuple[str, ast.ClassDef, set[str]]]:
    """Classes, each with attributes of `self` that methods compute from what they were before."""
    for node in tree.body:
        if not isinstance(node, ast.ClassDef):
            continue
        found = set()
        for each in ast.walk(node):
            match each:
                case ast.AugAssign(target=ast.Attribute(value=ast.Name(id="self"), attr=name)):
                    found.add(name)
                case ast.Assign(
                    targets=[ast.Attribute(value=ast.Name(id="self"), attr=name)], value=value
                ) if _names_attribute(value, name):
                    found.add(name)
        yield node.name, node, found


def _decides(node: ast.ClassDef, name: str) -> bool:
    """Whether something depends on how an attribute compares, or is chosen by it."""
    return any(
        isinstance(below, ast.Attribute) and below.attr == name
        for each in ast.walk(node)
        if isinstance(each, ast.Compare | ast.Subscript | ast.BoolOp | ast.UnaryOp | ast.match_case)
        or (isinstance(each, ast.BinOp) and isinstance(each.op, ast.Mod | ast.FloorDiv))
        for below in ast.walk(each)
    )


def _names_attribute(value: ast.expr, name: str) -> bool:
    """Whether an expression reads an attribute, also by its name as text, and is not only it."""
    return any(
        (isinstance(each, ast.Attribute) and each.attr == name)
        or (isinstance(each, ast.Constant) and each.value == name)
        for each in ast.walk(value)
        if each is not value
    )


def _stale(file: Rewritten) -> Iterator[tuple[str, ast.AST]]:
    """A new attribute of an object, while other methods go on changing the object without it."""
    before = {n.name: n for n in file.before.tree.body if isinstance(n, ast.ClassDef)}
    for node in file.after.tree.body:
        old = before.get(getattr(node, "name", "")) if isinstance(node, ast.ClassDef) else None
        if not isinstance(node, ast.ClassDef) or old is None:
            continue
        new = changed_attributes(node) - changed_attributes(old)
        if not new:
            continue
        methods = {
            each.name: each
            for each in old.body
            if isinstance(each, ast.FunctionDef) and each.name != "__init__"
        }
        grounds = {name: _grounds(node, name) for name in sorted(new)}
        for each in node.body:
            known = methods.get(getattr(each, "name", ""))
            if known is None or not same(known, each):
                continue
            changed = changed_attributes(each)
            for name, ground in grounds.items():
                if changed and (ground is None or changed & ground):
                    yield f"{node.name}.{known.name} does not keep {name} up to date", each
                    break


def _grounds(owner: ast.ClassDef, name: str) -> set[str] | None:
    """Attributes that may decide what another one holds, by the methods that use it.

    What gives it a value that is made of nothing says nothing. None: it may be any of them, as
    where nobody here uses it.
    """
    methods = {each.name: each for each in owner.body if isinstance(each, Function)}
    found: set[str] = set()
    waiting = [each for each in methods.values() if _uses(each, name)]
    if not waiting:
        return None
    seen = {each.name for each in waiting}
    while waiting:
        method = waiting.pop()
        if _hands_on_itself(method):
            return None
        for attribute in _own_attributes(method):
            found.add(attribute)
            if attribute in methods and attribute not in seen:
                seen.add(attribute)
                waiting.append(methods[attribute])
    return found - {name}


def _uses(method: Function, name: str) -> bool:
    """Whether it does more with an attribute than to give it a value made of nothing."""
    fresh: set[ast.AST] = set()
    for each in ast.walk(method):
        match each:
            case (
                ast.Assign(targets=[ast.Attribute() as target], value=value)
                | ast.AnnAssign(target=ast.Attribute() as target, value=ast.expr() as value)
            ) if not any(isinstance(part, ast.Name | ast.Call) for part in ast.walk(value)):
                fresh.add(target)
    return any(
        isinstance(each, ast.Attribute) and each.attr == name and each not in fresh
        for each in ast.walk(method)
    )


def _hands_on_itself(method: Function) -> bool:
    """Whether others get the whole object: nobody sees what they read of it."""
    named = {each for each in ast.walk(method) if isinstance(each, ast.Name)}
    read = {each.value for each in ast.walk(method) if isinstance(each, ast.Attribute)}
    return any(each.id == "super" or (each.id == "self" and each not in read) for each in named)


def _own_attributes(method: Function) -> set[str]:
    return {
        each.attr
        for each in ast.walk(method)
        if isinstance(each, ast.Attribute) and _root(each) == "self"
    }


def changed_attributes(node: ast.AST) -> set[str]:
    """Attributes of `self` that are written or changed in place."""
    found = set()
    for each in ast.walk(node):
        target: ast.AST | None = None
        if isinstance(each, ast.Attribute | ast.Subscript) and isinstance(
            each.ctx, ast.Store | ast.Del
        ):
            target = each
        elif isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute):
            target = each.func.value if each.func.attr in _CHANGING else None
        while isinstance(target, ast.Subscript):
            target = target.value
        if isinstance(target, ast.Attribute) and _root(target) == "self":
            found.add(target.attr)
    return found
