"""Does the code look the same from outside: names, parameters, classes, exports?"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from reverie.gates.gate import Matter, nothing_to_judge, ruled
from reverie.gates.paths import module_of
from reverie.gates.production.reading import Rewritten, rewritten_files
from reverie.gates.python import Function, imported_names
from reverie.model.ruling import Answer, Ruling


@dataclass(frozen=True, slots=True)
class SurfaceGate:
    """Refuses a change of what others can import, call or subclass."""

    name: str = "surface"

    def judge(self, matter: Matter) -> tuple[Ruling, ...]:
        """One ruling for each public name that is gone, new or otherwise."""
        if not matter.change.edits:
            return nothing_to_judge(self.name)
        return ruled(self.name, self._objections(matter), "the public surface is the same")

    def _objections(self, matter: Matter) -> Iterator[Ruling]:
        for file in rewritten_files(matter):
            is_front = file.after.path.endswith("__init__.py")
            is_private = _is_private_module(file.after.path)
            before = dict(_surface(file.before.tree, is_front))
            after = dict(_surface(file.after.tree, is_front))
            for name in sorted(before.keys() | after.keys()):
                if before.get(name) == after.get(name):
                    continue
                if is_private and not (name in before and _is_named(name, file, matter)):
                    continue
                word = "is gone" if name not in after else "is new"
                word = "is another" if name in before and name in after else word
                said = f"{name} {word}"
                place = f"{file.after.path}:1"
                yield Ruling(self.name, Answer.FAIL, "api_changed", said, place)


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


def _surface(tree: ast.Module, is_front: bool) -> Iterator[tuple[str, str]]:
    """Every public name with what others rely on; of a package's front also what it imports."""
    yield from _members(tree.body, "")
    if is_front:
        for name, origin in imported_names(tree).items():
            if not name.startswith("_"):
                yield f"import {name}", origin


def _members(body: list[ast.stmt], prefix: str) -> Iterator[tuple[str, str]]:
    for node in body:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                if _is_public(node.name, prefix):
                    yield prefix + node.name, _signature(node)
            case ast.ClassDef():
                if _is_public(node.name, prefix):
                    yield prefix + node.name, _header(node)
                    yield from _members(node.body, f"{prefix}{node.name}.")
            case ast.Assign() | ast.AnnAssign():
                yield from _values(node, prefix)
            case ast.If() | ast.Try() | ast.With():
                inner = [each for each in ast.iter_child_nodes(node) if isinstance(each, ast.stmt)]
                yield from _members(inner, prefix)


def _values(node: ast.Assign | ast.AnnAssign, prefix: str) -> Iterator[tuple[str, str]]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    for target in targets:
        for each in ast.walk(target):
            if (
                isinstance(each, ast.Name)
                and isinstance(each.ctx, ast.Store)
                and (
                    not each.id.startswith("_")
                    or each.id in ("__all__", "__slots__", "__version__")
                )
            ):
                kind = ast.unparse(node.annotation) if isinstance(node, ast.AnnAssign) else ""
                value = "" if node.value is None else ast.dump(node.value)
                yield prefix + each.id, f"{kind} = {value}"


def _is_public(name: str, prefix: str) -> bool:
    is_special = bool(prefix) and name.startswith("__") and name.endswith("__")
    return not name.startswith("_") or is_special


def _signature(node: Function) -> str:
    """Names, kinds and defaults of parameters; decorators; whether it is lazy or async."""
    args = node.args
    named = [
        ("/", args.posonlyargs), ("", args.args), ("*", args.kwonlyargs),
        ("*args", [args.vararg] if args.vararg else []),
        ("**", [args.kwarg] if args.kwarg else []),
    ]  # fmt: skip
    kinds = [(kind, [each.arg for each in group]) for kind, group in named]
    defaults = [ast.dump(each) for each in (*args.defaults, *filter(None, args.kw_defaults))]
    decorators = [ast.dump(each) for each in node.decorator_list]
    return repr((type(node).__name__, kinds, defaults, decorators, _is_generator(node)))


def _is_generator(node: Function) -> bool:
    inner = {
        id(each)
        for nested in ast.walk(node)
        if isinstance(nested, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        and nested is not node
        for each in ast.walk(nested)
    }
    return any(
        isinstance(each, ast.Yield | ast.YieldFrom) and id(each) not in inner
        for each in ast.walk(node)
    )


def _header(node: ast.ClassDef) -> str:
    parts = (*node.bases, *(each.value for each in node.keywords), *node.decorator_list)
    return repr([ast.dump(each) for each in parts])
