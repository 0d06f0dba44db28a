"""The production files of a change as syntax trees, and what still names a removed function."""

import ast
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from reverie.gates.gate import Matter
from reverie.gates.paths import is_test_path
from reverie.gates.python import Parsed, imported_names, parse
from reverie.syntax.nodes import functions
from reverie.syntax.unparsing import unparse

_NOTHING = ""


@dataclass(frozen=True, slots=True)
class Rewritten:
    """One production file; an empty one stands for a file that is not there."""

    before: Parsed
    after: Parsed
    names_before: dict[str, str]
    names: dict[str, str]


def rewritten_files(matter: Matter) -> Iterator[Rewritten]:
    """Every Python file outside the tests that both sides of the change can read."""
    for edit in matter.change.edits:
        if is_test_path(edit.path, matter.section) or not edit.path.endswith(".py"):
            continue
        before = parse(edit.renamed_from or edit.path, edit.before or _NOTHING)
        after = parse(edit.path, edit.after or _NOTHING)
        if before is not None and after is not None:
            names_before, names = imported_names(before.tree), imported_names(after.tree)
            yield Rewritten(before, after, names_before, names)


_WORD = re.compile(r"\w+")
_COMPOSED = re.compile(r"""["']_+(["'{%]|\Z)""")
ANY_PRIVATE = "_ + name"
"""Stands for a text that is put before other texts to make private names of them."""
_LOOKUPS = frozenset(
    {"globals", "locals", "vars", "eval", "exec", "getattr", "dir", "__dict__", "__getattr__",
     "attrgetter", "methodcaller", "getmembers", "import_module"}
)  # fmt: skip


def words_in(text: str) -> Iterator[str]:
    """Every word of a text, remarks and strings included, as often as it stands there."""
    yield from _WORD.findall(text)
    if _COMPOSED.search(text):
        yield ANY_PRIVATE


def may_be_named(name: str, words: Collection[str]) -> bool:
    """Whether words name it, or are the beginning or end of texts that could."""
    if name in words or ANY_PRIVATE in words:
        return True
    return any(
        (word.endswith("_") and name.startswith(word))
        or (word.startswith("_") and name.endswith(word))
        for word in words
        if word.strip("_")
    )


def looks_names_up(tree: ast.AST) -> bool:
    """Whether code finds functions by texts that it makes."""
    return any(
        (isinstance(each, ast.Name) and each.id in _LOOKUPS)
        or (isinstance(each, ast.Attribute) and each.attr in _LOOKUPS)
        or (isinstance(each, ast.FunctionDef) and each.name in _LOOKUPS)
        for each in ast.walk(tree)
    )


def removed_unused(before: ast.Module, after: ast.Module) -> tuple[str, ...]:
    """Private functions that are gone, when that is all that changed and this file names none.

    Whether another file names them is for whoever has the other files to say.
    """
    old, new = dict(functions(before)), dict(functions(after))
    gone = {name: node for name, node in old.items() if name not in new}
    if not gone or looks_names_up(before) or _without(before, gone) != _without(after, ()):
        return ()
    left = set(words_in(unparse(after)))
    for name, node in gone.items():
        short = name.rpartition(".")[2]
        is_private = short.startswith("_") and not short.startswith("__")
        if not is_private or node.decorator_list or may_be_named(short, left):
            return ()
        if "." in name and not _is_plain_class(before, name.rpartition(".")[0]):
            return ()
    return tuple(name.rpartition(".")[2] for name in gone)


def _is_plain_class(tree: ast.Module, name: str) -> bool:
    """Whether a class has no other above it that could call what it overrides."""
    return any(
        isinstance(each, ast.ClassDef)
        and each.name == name
        and not (each.bases or each.keywords or each.decorator_list)
        for each in tree.body
    )


def _without(tree: ast.Module, gone: Collection[str]) -> str:
    """The shape of a module without some functions."""
    kept = []
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            body = [e for e in node.body if f"{node.name}.{getattr(e, 'name', '')}" not in gone]
            around = (*node.bases, *node.keywords, *node.decorator_list, *body)
            kept.append("\n".join((node.name, *(ast.dump(each) for each in around))))
        elif getattr(node, "name", "") not in gone:
            kept.append(ast.dump(node))
    return "\n".join(kept)
