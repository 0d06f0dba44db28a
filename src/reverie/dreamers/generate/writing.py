"""A solution as the source of a module: the wanted name and signature, imports, a docstring."""

import ast
import textwrap

from reverie.dreamers.generate.library import Recipe, recipe_modules
from reverie.dreamers.generate.spec import Spec

_INDENT = "    "


def write_expression(spec: Spec, expression: str) -> str:
    """A function that returns an expression of its parameters."""
    head = "import math\n\n\n" if "math." in expression else ""
    return head + write_body(spec, f"return {expression}")


def write_body(spec: Spec, body: str) -> str:
    """A function with a body that is there already."""
    return f"{_signature(spec)}:\n{_docstring(spec)}\n{textwrap.indent(body.strip(), _INDENT)}\n"


def write_recipe(spec: Spec, recipe: Recipe, order: tuple[int, ...]) -> str:
    """A recipe under the wanted name, with the wanted parameters."""
    function = ast.parse(recipe.source).body[0]
    assert isinstance(function, ast.FunctionDef)
    if spec.signature is None:
        return _renamed(spec, recipe, function, {})
    wanted = spec.signature.parameters
    names = {old: wanted[at] for old, at in zip(recipe.parameters, order, strict=True)}
    if _is_clash(function, names, spec.signature.name):
        return _wrapped(spec, recipe, function, names)
    return _renamed(spec, recipe, function, names)


def _renamed(spec: Spec, recipe: Recipe, function: ast.FunctionDef, names: dict[str, str]) -> str:
    """The recipe's own body, with other names for its parameters and itself."""
    name = spec.name or recipe.name
    body = [each for each in function.body if not _is_docstring(each)]
    head = _needs(recipe, function)
    _Renaming(names | {recipe.name: name}).visit(ast.Module(body, []))
    text = "\n".join(ast.unparse(each) for each in body)
    signature = _signature(spec) if spec.signature else _own_signature(function, name)
    return f"{head}{signature}:\n{_docstring(spec)}\n{textwrap.indent(text, _INDENT)}\n"


def _wrapped(spec: Spec, recipe: Recipe, function: ast.FunctionDef, names: dict[str, str]) -> str:
    """The recipe as it is, called by the wanted function: its names are taken inside."""
    head = _needs(recipe, function)
    function.name = f"_{recipe.name}"
    function.body = [each for each in function.body if not _is_docstring(each)]
    _Renaming({recipe.name: function.name}).visit(function)
    call = f"return {function.name}({', '.join(names[each] for each in recipe.parameters)})"
    return f"{head}{ast.unparse(function)}\n\n\n{write_body(spec, call)}"


def _is_clash(function: ast.FunctionDef, names: dict[str, str], name: str) -> bool:
    """Whether a wanted name is already that of something else in a recipe."""
    used = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
    inner = {
        each.arg
        for node in ast.walk(function)
        if isinstance(node, ast.Lambda | ast.FunctionDef) and node is not function
        for each in node.args.args
    }
    others = (used | inner) - set(names) - {function.name}
    return bool(inner & set(names) or others & {*names.values(), name})


def _needs(recipe: Recipe, function: ast.FunctionDef) -> str:
    """The imports and other recipes of its file that a recipe uses."""
    module = ast.parse(recipe_modules()[recipe.module])
    used = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
    imports, helpers = [], []
    for node in module.body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            kept = [each for each in node.names if (each.asname or each.name) in used]
            if kept:
                node.names = kept
                imports.append(ast.unparse(node))
        elif isinstance(node, ast.FunctionDef) and node.name in used - {function.name}:
            helpers.append(ast.unparse(node))
    parts = ["\n".join(imports), *helpers]
    return "".join(f"{part}\n\n\n" for part in parts if part)


def _signature(spec: Spec) -> str:
    if spec.signature is not None:
        return spec.signature.line
    return f"def answer({', '.join(spec.parameters)})"


def _own_signature(function: ast.FunctionDef, name: str) -> str:
    function.name = name
    return ast.unparse(function).partition("\n")[0].removesuffix(":")


def _docstring(spec: Spec) -> str:
    said = spec.sentence.replace("\\", "\\\\").replace('"""', "'''")
    end = " " if said.endswith('"') else ""
    return textwrap.indent(f'"""{said}{end}"""', _INDENT)


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


class _Renaming(ast.NodeTransformer):
    def __init__(self, names: dict[str, str]) -> None:
        self._names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        node.id = self._names.get(node.id, node.id)
        return node
