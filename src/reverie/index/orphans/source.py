"""What the syntax tree of one file says about modules it does not import, and about itself."""

import ast
from dataclasses import dataclass, field

from reverie.index.orphans.duplicates import Fingerprint, fingerprint_of
from reverie.index.orphans.legacy import LegacySign, legacy_signs
from reverie.index.orphans.mention import Mention
from reverie.index.orphans.spoken import listen


@dataclass(frozen=True, slots=True)
class SourceFacts:
    """Everything about one file that the index does not keep. A function of its text alone."""

    mentions: tuple[Mention, ...] = ()
    imports_dynamically: bool = False
    changes_path: bool = False
    """Whether it touches `sys.path`."""
    defines: frozenset[str] = frozenset()
    """Names bound at the top of the module."""
    acts_when_run: bool = False
    """Whether it does its work at the top: a script rather than definitions."""
    has_shebang: bool = False
    is_empty: bool = False
    """Nothing but a docstring and comments."""
    signs: tuple[LegacySign, ...] = ()
    fingerprint: Fingerprint = field(default_factory=Fingerprint)


def facts_of(source: str, tree: ast.Module) -> SourceFacts:
    """The facts of one file that parses."""
    heard = listen(tree)
    body = tree.body[1:] if ast.get_docstring(tree, clean=False) is not None else tree.body
    return SourceFacts(
        mentions=heard.mentions,
        imports_dynamically=heard.imports_dynamically,
        changes_path=heard.changes_path,
        defines=_bound_names(tree),
        acts_when_run=_is_script(body),
        has_shebang=source.startswith("#!"),
        is_empty=not body,
        signs=legacy_signs(source, tree),
        fingerprint=fingerprint_of(tree),
    )


def _is_script(body: list[ast.stmt]) -> bool:
    """Whether a module does its work at the top. Definitions may register themselves there."""
    if any(isinstance(each, ast.ImportFrom) and each.level for each in body):
        return False
    definitions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    if any(isinstance(each, definitions) for each in body):
        return _acts(body[-1])
    return any(_acts(statement) for statement in body)


def _acts(statement: ast.stmt) -> bool:
    match statement:
        case ast.Expr(value=ast.Call(func=function)):
            return "warn" not in ast.dump(function)
        case ast.For() | ast.While() | ast.With():
            return any(isinstance(node, ast.Call) for node in ast.walk(statement))
        case ast.Try(body=body, finalbody=last):
            return any(_acts(each) for each in (*body, *last))
        case ast.If(body=body):
            return any(_acts(each) for each in body)
    return False


def _bound_names(tree: ast.Module) -> frozenset[str]:
    names: set[str] = set()
    for statement in tree.body:
        match statement:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                names.add(name)
            case ast.ClassDef(name=name):
                names.add(name)
            case ast.Assign(targets=targets):
                names.update(each.id for each in targets if isinstance(each, ast.Name))
            case ast.AnnAssign(target=ast.Name(id=name)):
                names.add(name)
            case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
                names.update(each.asname or each.name for each in aliases)
    return frozenset(names)
