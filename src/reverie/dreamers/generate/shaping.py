"""The form that a function is written in: alone, in a class or a module, with types or without.

A form is a template: a text with `$names`, filled in without any code of its own being run. A
template of somebody's own may spoil what was found, so what it makes is tried again.
"""

import ast
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any

from reverie.errors import UsageError

_INDENT = "    "
_MOST_TEMPLATE = 20_000


class Form(StrEnum):
    """What is written around a function."""

    FUNCTION = "function"
    CLASS = "class"
    MODULE = "module"


class Style(StrEnum):
    """Whether a signature says types."""

    TYPED = "typed"
    SIMPLE = "simple"


@dataclass(frozen=True, slots=True)
class Shape:
    """The form that is wanted; by default the function as it was found."""

    form: Form = Form.FUNCTION
    style: Style | None = None
    """None: as it was found."""
    templates: Path | None = None
    """A folder with `function.txt`, `class.txt` or `module.txt` of somebody's own."""

    @property
    def is_plain(self) -> bool:
        """Whether there is nothing to do."""
        return self.form is Form.FUNCTION and self.style is None and self.templates is None

    def written(self, source: str, name: str, examples: Iterable[tuple[Any, Any]] = ()) -> str:
        """A source in this form; `UsageError` when a template cannot be used."""
        if self.is_plain:
            return source
        tree = ast.parse(source)
        function = _function(tree, name)
        if self.style is Style.SIMPLE:
            _strip_types(function)
        elif self.style is Style.TYPED:
            _add_types(function, list(examples))
        text = self._template().safe_substitute(_parts(tree, function))
        return _parsed(text, self.form)

    def _template(self) -> Template:
        own = None if self.templates is None else self.templates / f"{self.form}.txt"
        if own is None or not own.is_file():
            folder = files("reverie.dreamers.generate") / "templates"
            return Template((folder / f"{self.form}.txt").read_text("utf-8"))
        try:
            text = own.read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"cannot read the template {str(own)!r}: {error}") from error
        if len(text) > _MOST_TEMPLATE:
            raise UsageError(
                f"the template {str(own)!r} is longer than {_MOST_TEMPLATE} characters"
            )
        return Template(text)


def _parts(tree: ast.Module, function: ast.FunctionDef) -> dict[str, str]:
    """What the names of a template stand for."""
    others = [each for each in tree.body if each is not function]
    imports = [each for each in others if isinstance(each, ast.Import | ast.ImportFrom)]
    helpers = [each for each in others if each not in imports]
    said = ast.get_docstring(function) or function.name
    body = function.body[1:] if ast.get_docstring(function) else function.body
    whole = ast.unparse(function)
    return {
        "name": function.name,
        "class_name": "".join(part.capitalize() for part in function.name.split("_")),
        "summary": said.partition("\n")[0].replace("\\", "\\\\").replace('"""', "'''"),
        "imports": _block(imports, "\n"),
        "helpers": _block(helpers, "\n\n\n"),
        "signature": whole[: whole.index(":\n")].removesuffix(":"),
        "docstring": f'"""{_quoted(said)}"""',
        "body": textwrap.indent("\n".join(ast.unparse(each) for each in body), _INDENT),
        "method": textwrap.indent(whole, _INDENT),
    }


def _block(nodes: Sequence[ast.stmt], between: str) -> str:
    text = between.join(ast.unparse(each) for each in nodes)
    return f"{text}\n\n\n" if text else ""


def _quoted(said: str) -> str:
    text = said.replace("\\", "\\\\").replace('"""', "'''")
    return f"{text} " if text.endswith('"') else text


def _function(tree: ast.Module, name: str) -> ast.FunctionDef:
    for each in tree.body:
        if isinstance(each, ast.FunctionDef) and each.name == name:
            return each
    raise UsageError(f"there is no function {name!r} to be written in another form")


def _strip_types(function: ast.FunctionDef) -> None:
    function.returns = None
    for each in function.args.args:
        each.annotation = None


def _add_types(function: ast.FunctionDef, examples: list[tuple[Any, Any]]) -> None:
    """Types that all examples agree on, where the signature says none."""
    for at, parameter in enumerate(function.args.args):
        values = [args[at] for args, _ in examples if at < len(args)]
        if parameter.annotation is None:
            parameter.annotation = _annotation(values)
    if function.returns is None:
        function.returns = _annotation([result for _, result in examples])


def _annotation(values: list[Any]) -> ast.expr | None:
    names = {_type_name(value) for value in values}
    if len(names) > 1 and names <= {"int", "float"}:
        names = {"float"}
    if len(names) != 1 or None in names:
        return None
    return ast.parse(str(names.pop()), mode="eval").body


def _type_name(value: Any) -> str | None:
    if isinstance(value, list):
        inner = {_type_name(each) for each in value}
        return f"list[{inner.pop()}]" if len(inner) == 1 and None not in inner else "list"
    if isinstance(value, dict):
        inner = {_type_name(each) for each in value.values()}
        return f"dict[str, {inner.pop()}]" if len(inner) == 1 and None not in inner else "dict"
    known = {bool: "bool", int: "int", float: "float", str: "str", type(None): "None"}
    return known.get(type(value))


def _parsed(text: str, form: Form) -> str:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError) as error:
        raise UsageError(f"the template {form}.txt does not make Python: {error}") from error
    return text
