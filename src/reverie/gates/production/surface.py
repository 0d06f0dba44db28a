"""Does the code look the same from outside: names, parameters, classes, exports?"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from reverie.gates.gate import Matter, nothing_to_judge, ruled
from reverie.gates.paths import module_of
from reverie.gates.production.rewritten_files import Rewritten, rewritten_files
from reverie.gates.production.values import Likeness, Spelling, likeness
from reverie.gates.python import imported_names
from reverie.model.ruling import Answer, Ruling
from reverie.syntax.nodes import Function
from reverie.syntax.parsing import fresh_module
from reverie.syntax.unparsing import unparse

_BINDING = ("property", "cached_property", "classmethod", "staticmethod", "setter", "deleter",
            "abstractmethod", "contextmanager", "overload")  # fmt: skip
"""Decorators that decide how a function is called."""
_LISTS = ("__all__", "__slots__")
"""Values that are names, in whatever order."""
_SHOWN = 60


@dataclass(frozen=True, slots=True)
class _Public:
    """What others rely on in one public name."""

    parts: tuple[tuple[str, str], ...]
    """Each by a word for it: parameters, decorators, bases …"""
    value: ast.expr | None = None


@dataclass(frozen=True, slots=True)
class _Difference:
    said: str
    answer: Answer = Answer.FAIL


@dataclass(frozen=True, slots=True)
class SurfaceGate:
    """Refuses a change of what others can import, call or subclass; holds what is added to it."""

    name: str = "surface"

    def judge(self, matter: Matter) -> tuple[Ruling, ...]:
        """One ruling for each public name that is gone, new or otherwise."""
        if not matter.change.edits:
            return nothing_to_judge(self.name)
        return ruled(
            self.name, self._objections(matter), "public names and signatures are the same"
        )

    def _objections(self, matter: Matter) -> Iterator[Ruling]:
        for file in rewritten_files(matter):
            is_private = _is_private_module(file.after.path)
            for name, found in _differences(file):
                if is_private and not (found.said != "is new" and _is_named(name, file, matter)):
                    continue
                said = f"{name} {found.said}"
                if found.said == "is new":
                    said += _advice(name)
                place = f"{file.after.path}:1"
                yield Ruling(self.name, found.answer, "api_changed", said, place)


def _differences(file: Rewritten) -> Iterator[tuple[str, _Difference]]:
    is_front = file.after.path.endswith("__init__.py")
    before = dict(_surface(file.before.tree, is_front))
    after = dict(_surface(file.after.tree, is_front))
    spellings = (
        Spelling(file.before.tree, file.names_before),
        Spelling(file.after.tree, file.names),
    )
    exported = _listed(after.get("__all__"))
    for name in sorted(before.keys() | after.keys()):
        old, new = before.get(name), after.get(name)
        if new is None:
            yield name, _Difference("is gone")
        elif old is None:
            if exported is None or "." in name or name in exported or name == "__all__":
                yield name, _Difference("is new", _answer_to_new(name))
        else:
            found = _difference(name, old, new, spellings)
            if found is not None:
                yield name, found


def _answer_to_new(name: str) -> Answer:
    """What is added breaks nobody, but for what Python itself calls: that is behaviour."""
    return Answer.FAIL if name.endswith("__") else Answer.HOLD


def _advice(name: str) -> str:
    last = name.rpartition(".")[2]
    if name.startswith("import ") or name.endswith("__"):
        return ""
    return f": a refactoring adds nothing public; name it _{last}"


def _difference(
    name: str, old: _Public, new: _Public, spellings: tuple[Spelling, Spelling]
) -> _Difference | None:
    told = [
        (word, was, now)
        for (word, was), (_, now) in zip(old.parts, new.parts, strict=False)
        if was != now
    ]
    if len(old.parts) != len(new.parts):
        return _Difference("is another: not the same kind of thing")
    if told:
        word, was, now = told[0]
        said = f"is another: {word} {_short(now)}, before {_short(was)}"
        is_doubt = len(told) == 1 and word == "wrappers"
        return _Difference(said, Answer.HOLD if is_doubt else Answer.FAIL)
    if name.rpartition(".")[2] in _LISTS:
        return _of_lists(_listed(old), _listed(new), _spelled(old) == _spelled(new))
    return _of_values(likeness(old.value, new.value, *spellings))


def _of_values(found: Likeness) -> _Difference | None:
    if found is Likeness.SAME:
        return None
    if found is Likeness.SAME_PATTERN:
        said = "holds other texts, the same only where they are read as regular expressions"
        return _Difference(said, Answer.HOLD)
    if found is Likeness.UNKNOWN:
        return _Difference("may be another value: how it is made is another", Answer.HOLD)
    return _Difference("is another: not the same value")


def _of_lists(
    old: frozenset[str] | None, new: frozenset[str] | None, is_spelled_alike: bool
) -> _Difference | None:
    if old is None or new is None:
        said = "is another: names that are put together at run time"
        return None if is_spelled_alike else _Difference(said)
    gone = sorted(each for each in old - new if not each.startswith("_"))
    more = sorted(each for each in new - old if not each.startswith("_"))
    if gone:
        return _Difference(f"is another: without {gone[0]}")
    return _Difference(f"is another: with {more[0]}", Answer.HOLD) if more else None


def _listed(public: _Public | None) -> frozenset[str] | None:
    """The names in a list of names; None where there is none, or it is not to be read."""
    if public is None or public.value is None:
        return None
    try:
        found = ast.literal_eval(public.value)
    except (ValueError, TypeError, SyntaxError):
        return None
    items = (found,) if isinstance(found, str) else found
    if not isinstance(items, list | tuple | set | dict):
        return None
    return frozenset(each for each in items if isinstance(each, str))


def _spelled(public: _Public) -> str:
    return "" if public.value is None else ast.dump(public.value)


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def _is_private_module(path: str) -> bool:
    """Whether a part of its name says that it is nobody else's business."""
    parts = path.removesuffix(".py").split("/")
    return any(part.startswith("_") and not part.startswith("__") for part in parts)


def _is_named(name: str, file: Rewritten, matter: Matter) -> bool:
    """Whether another file of the repository speaks of it, or takes everything there is."""
    own = module_of(file.before.path)
    word = re.compile(rf"\b{re.escape(name.rpartition('.')[2])}\b")
    stem = re.escape(file.before.path.removesuffix(".py").rpartition("/")[2])
    all_of_it = re.compile(rf"from\s+[\w.]*\b{stem}\s+import\s+\*")
    return any(
        module != own and (word.search(text) or all_of_it.search(text))
        for module, text in matter.surroundings.sources.items()
    )


def _surface(tree: ast.Module, is_front: bool) -> Iterator[tuple[str, _Public]]:
    """Every public name with what others rely on; of a package's front also what it imports."""
    classes = {each.name: each for each in tree.body if isinstance(each, ast.ClassDef)}
    yield from _members(tree.body, "", classes)
    if is_front:
        for name, origin in imported_names(tree).items():
            if not name.startswith("_") and not origin.startswith("__future__."):
                yield f"import {name}", _Public((("names", origin),))


def _members(
    body: list[ast.stmt], prefix: str, classes: dict[str, ast.ClassDef]
) -> Iterator[tuple[str, _Public]]:
    for node in body:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                if _is_public(node.name, prefix):
                    yield prefix + node.name, _signature(node)
            case ast.ClassDef():
                if _is_public(node.name, prefix):
                    yield from _class(node, prefix, classes)
            case ast.Assign() | ast.AnnAssign():
                yield from _values(node, prefix)
            case ast.If() | ast.Try() | ast.With():
                inner = [each for each in ast.iter_child_nodes(node) if isinstance(each, ast.stmt)]
                yield from _members(inner, prefix, classes)


def _class(
    node: ast.ClassDef, prefix: str, classes: dict[str, ast.ClassDef]
) -> Iterator[tuple[str, _Public]]:
    """A class as it is seen: private classes of the file that it is made of are a part of it."""
    bases, inherited = _above(node, classes, ())
    around = (*(each.value for each in node.keywords), *node.decorator_list)
    others = [unparse(each) for each in around]
    yield prefix + node.name, _Public((("bases", ", ".join([*bases, *others])),))
    below = f"{prefix}{node.name}."
    for each in reversed(inherited):
        yield from _members(each.body, below, classes)
    yield from _members(node.body, below, classes)


def _above(
    node: ast.ClassDef, classes: dict[str, ast.ClassDef], seen: tuple[str, ...]
) -> tuple[list[str], list[ast.ClassDef]]:
    """The public bases of a class, and the plain private classes of the file between."""
    bases: list[str] = []
    between: list[ast.ClassDef] = []
    for each in node.bases:
        name = each.id if isinstance(each, ast.Name) else ""
        base = classes.get(name)
        is_plain = base is not None and not (base.keywords or base.decorator_list)
        if base is None or not is_plain or not name.startswith("_") or name in seen:
            bases.append(unparse(each))
            continue
        higher, more = _above(base, classes, (*seen, name))
        bases += higher
        between += [base, *more]
    return [each for each in bases if each != "object"], between


def _values(node: ast.Assign | ast.AnnAssign, prefix: str) -> Iterator[tuple[str, _Public]]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    for target in targets:
        for each in ast.walk(target):
            if (
                isinstance(each, ast.Name)
                and isinstance(each.ctx, ast.Store)
                and (not each.id.startswith("_") or each.id in (*_LISTS, "__version__"))
            ):
                kind = unparse(node.annotation) if isinstance(node, ast.AnnAssign) else ""
                # Of a class, an annotation makes a field; of a module, it is a remark.
                yield prefix + each.id, _Public((("type", kind if prefix else ""),), node.value)


def _is_public(name: str, prefix: str) -> bool:
    is_special = bool(prefix) and name.startswith("__") and name.endswith("__")
    return not name.startswith("_") or is_special


def _signature(node: Function) -> _Public:
    """Names, kinds and defaults of parameters; decorators; whether it is lazy or async."""
    bare = fresh_module(f"def f({unparse(node.args)}): ...").body[0]
    for each in ast.walk(bare):
        if isinstance(each, ast.arg):
            each.annotation = None
    parameters = unparse(bare.args) if isinstance(bare, ast.FunctionDef) else ""
    decorators = [unparse(each) for each in node.decorator_list]
    binding = [each for each in decorators if each.partition("(")[0].endswith(_BINDING)]
    others = [each for each in decorators if each not in binding]
    kind = "async" if isinstance(node, ast.AsyncFunctionDef) else "plain"
    lazy = "generator" if _is_generator(node) else "function"
    return _Public(
        (
            ("parameters", f"({parameters})"),
            ("decorators", ", ".join(binding) or "none"),
            ("kinds", f"{kind} {lazy}"),
            ("wrappers", ", ".join(others) or "none"),
        )
    )


def _is_generator(node: Function) -> bool:
    inner = {
        id(each)
        for nested in ast.walk(node)
        if isinstance(nested, Function | ast.Lambda) and nested is not node
        for each in ast.walk(nested)
    }
    return any(
        isinstance(each, ast.Yield | ast.YieldFrom) and id(each) not in inner
        for each in ast.walk(node)
    )
