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
    wanted = spec.parameters or recipe.parameters
    renamed = {old: wanted[at] for old, at in zip(recipe.parameters, order, strict=True)}
    name = spec.name or recipe.name
    body = [each for each in function.body if not _is_docstring(each)]
    _Renaming(renamed | {recipe.name: name}).visit(ast.Module(body, []))
    text = "\n".join(ast.unparse(each) for each in body)
    head = _needs(recipe, function)
    signature = _signature(spec) if spec.signature else _own_signature(function, name)
    return f"{head}{signature}:\n{_docstring(spec)}\n{textwrap.indent(text, _INDENT)}\n"


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
