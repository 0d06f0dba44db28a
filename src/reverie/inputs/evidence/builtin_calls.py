"""What handing a value to a builtin, or to a well-known function, says about it."""

import ast
from typing import TYPE_CHECKING

from reverie.inputs.evidence.trace import Trace

if TYPE_CHECKING:
    from reverie.inputs.evidence.sight import Sight

_ITERATE = frozenset(("sum", "sorted", "set", "list", "tuple", "frozenset", "reversed", "iter",
                      "any", "all", "enumerate", "max", "min", "collections.Counter", "Counter",
                      "deque", "collections.deque", "heapq.heapify", "statistics.mean",
                      "itertools.chain", "random.choice", "next"))  # fmt: skip
_KEEP_ITEMS = frozenset(("sorted", "set", "list", "tuple", "frozenset", "reversed", "iter"))
_ONE_ITEM = frozenset(("max", "min", "next", "random.choice"))
_FIRST: dict[str, str] = {
    "len": "sized", "abs": "number", "round": "float", "ord": "str", "chr": "int", "hex": "int",
    "bin": "int", "int": "number", "float": "number", "oct": "int",
    "divmod": "int", "open": "path", "os.listdir": "path",
    "json.loads": "json", "bytes.fromhex": "str", "Path": "path", "pathlib.Path": "path",
    "re.escape": "str", "hash": "Hashable", "dict": "dict", "callable": "callable",
}  # fmt: skip
_PREFIXES: dict[str, str] = {
    "math.": "float", "os.path.": "path", "re.": "str", "textwrap.": "str", "html.": "str",
    "hashlib.": "bytes", "base64.": "bytes", "urllib.parse.": "str", "shlex.": "str",
    "struct.unpack": "bytes", "ast.": "str", "unicodedata.": "str",
}  # fmt: skip
_RESULTS: dict[str, str] = {
    "len": "int", "sum": "number", "abs": "number", "int": "int", "float": "float", "str": "str",
    "ord": "int", "chr": "str", "round": "int", "repr": "str", "bool": "bool", "range": "range",
}  # fmt: skip


def watch_builtin(watcher: "Sight", node: ast.Call) -> Trace | None:
    """The result of a call that is known by name; None when it is not."""
    try:
        name = ast.unparse(node.func)
    except (ValueError, RecursionError):
        return None
    if name == "isinstance" and len(node.args) == 2:
        _isinstance(watcher, node.args[0], node.args[1])
        return Trace.of("bool")
    if name == "range":
        for each in node.args:
            _vote(watcher, each, "int")
        return Trace.of("range")
    if name in ("map", "filter") and len(node.args) == 2:
        return _mapped(watcher, node)
    if name in _ITERATE and len(node.args) == 1:
        return _iterated(watcher, name, node)
    return _first(watcher, name, node)


def _isinstance(watcher: "Sight", value: ast.expr, kinds: ast.expr) -> None:
    found = watcher.see(value)
    options = kinds.elts if isinstance(kinds, ast.Tuple) else [kinds]
    for each in options:
        if found is not None and isinstance(each, ast.Name | ast.Attribute):
            found.vote(ast.unparse(each), 2)


def _iterated(watcher: "Sight", name: str, node: ast.Call) -> Trace | None:
    item = watcher.iterated(node.args[0])
    if item is None:
        return Trace.of(_RESULTS[name]) if name in _RESULTS else None
    if name == "sum":
        item.vote("number", 2)
    for keyword in node.keywords:
        if keyword.arg == "key":
            through_lambda(watcher, keyword.value, item)
    if name in _ONE_ITEM:
        return item
    if name in _KEEP_ITEMS:
        return Trace(votes=Trace.of("list").votes, _element=item)
    return Trace.of(_RESULTS[name]) if name in _RESULTS else Trace()


def through_lambda(watcher: "Sight", node: ast.expr, item: Trace) -> Trace | None:
    """What a function gives for an item, after noting what it does with it."""
    if isinstance(node, ast.Lambda) and node.args.args:
        inner = watcher.within({**watcher.names, node.args.args[0].arg: item})
        return inner.see(node.body)
    if isinstance(node, ast.Name) and node.id in ("int", "float", "len", "str"):
        if node.id == "len":
            item.is_sized = True
        return Trace.of(_RESULTS[node.id])
    _vote(watcher, node, "callable")
    return None


def _mapped(watcher: "Sight", node: ast.Call) -> Trace:
    item = watcher.iterated(node.args[1]) or Trace()
    result = through_lambda(watcher, node.args[0], item)
    kept = item if ast.unparse(node.func) == "filter" else result
    return Trace(votes=Trace.of("list").votes, _element=kept or Trace())


def _first(watcher: "Sight", name: str, node: ast.Call) -> Trace | None:
    kind = _FIRST.get(name)
    if kind is None:
        kind = next((each for prefix, each in _PREFIXES.items() if name.startswith(prefix)), None)
    if kind is None and name not in _RESULTS:
        return None
    for index, each in enumerate(node.args):
        found = watcher.see(each)
        if found is None or kind is None or (index > 0 and name != "divmod"):
            if name.startswith("re.") and found is not None:
                found.vote("str", 2)
            continue
        if kind == "sized":
            found.is_sized = True
        else:
            found.vote(kind, 2)
    return Trace.of(_RESULTS[name]) if name in _RESULTS else Trace()


def _vote(watcher: "Sight", node: ast.expr, kind: str) -> None:
    found = watcher.see(node)
    if found is not None:
        found.vote(kind, 2)
