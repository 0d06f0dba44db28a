"""The whole way: a specification, a function in its form, and tests that notice mutants.

A form is a template: a text with `$names`, filled in without any code of its own being run. A
template of somebody's own may spoil what was found, so what it makes is tried again.
"""

import ast
import textwrap
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any

from reverie.dreamers.generate.candidates import Candidate
from reverie.dreamers.generate.choosing import probes
from reverie.dreamers.generate.solving import Author, Refusal, fails_examples, solve
from reverie.dreamers.generate.spec import Spec
from reverie.dreamers.generate.suite import check_tests, draft_for, module_name, observe
from reverie.errors import UsageError, reason_of
from reverie.inputs import read
from reverie.model.codec import pick
from reverie.sandbox.engine import Sandbox
from reverie.syntax.parsing import fresh_expression, fresh_module
from reverie.syntax.unparsing import unparse

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
        tree = fresh_module(source)
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
            raise UsageError(
                f"cannot read the template {str(own)!r}: {reason_of(error)}"
            ) from error
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
    whole = unparse(function)
    return {
        "name": function.name,
        "class_name": "".join(part.capitalize() for part in function.name.split("_")),
        "summary": said.partition("\n")[0].replace("\\", "\\\\").replace('"""', "'''"),
        "imports": _block(imports, "\n"),
        "helpers": _block(helpers, "\n\n\n"),
        "signature": whole[: whole.index(":\n")].removesuffix(":"),
        "docstring": f'"""{_quoted(said)}"""',
        "body": textwrap.indent("\n".join(unparse(each) for each in body), _INDENT),
        "method": textwrap.indent(whole, _INDENT),
    }


def _block(nodes: Sequence[ast.stmt], between: str) -> str:
    text = between.join(unparse(each) for each in nodes)
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
    return fresh_expression(str(names.pop()))


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
        fresh_module(text)
    except (SyntaxError, ValueError) as error:
        raise UsageError(f"the template {form}.txt does not make Python: {error}") from error
    return text


_SEARCH_SHARE = 0.75
"""The rest of the time is for the tests."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A function with its tests, or the reason why there is none."""

    seconds: float
    name: str | None = None
    source: str | None = None
    tests: str | None = None
    origin: str | None = None
    reason: str | None = None
    mutants: int | None = None
    killed: int | None = None
    """How many of them the tests notice."""

    @property
    def solved(self) -> bool:
        """Whether there is a function."""
        return self.source is not None

    def files(self) -> dict[str, str]:
        """The function and its tests, by the name of their file; nothing without a function."""
        if self.name is None or self.source is None or self.tests is None:
            return {}
        module = module_name(self.name)
        return {f"{module}.py": self.source, f"test_{module}.py": self.tests}

    def document(self) -> dict[str, Any]:
        """As `reverie generate --json` prints it."""
        score = self.killed / self.mutants if self.killed is not None and self.mutants else None
        mutation = {"mutants": self.mutants, "killed": self.killed, "score": score}
        return pick(self, "solved source tests origin seconds:3 reason name", mutation=mutation)


def generate(
    sandbox: Sandbox,
    spec: Spec,
    seconds: float,
    author: Author | None = None,
    shape: Shape | None = None,
) -> Answer:
    """A function and its tests, or a reason. An author is asked when nothing else was found."""
    began = time.monotonic()
    found = solve(sandbox, spec, seconds * _SEARCH_SHARE, author)
    if isinstance(found, Refusal):
        return Answer(time.monotonic() - began, reason=found.reason)
    shaped = (shape or Shape()).written(found.source, found.name, _shown(spec, found))
    objection = None if shaped == found.source else fails_examples(sandbox, spec, shaped)
    if objection is not None:
        return Answer(time.monotonic() - began, reason=f"in this form it {objection}")
    return _with_tests(sandbox, spec, found, shaped, began)


def _shown(spec: Spec, found: Candidate) -> list[tuple[Any, Any]]:
    return [(each.args, each.result) for each in spec.examples] or list(found.examples)


def _with_tests(
    sandbox: Sandbox, spec: Spec, found: Candidate, source: str, began: float
) -> Answer:
    examples = _shown(spec, found)
    calls = probes(found.source, found.name, [args for args, _ in examples])
    observed = observe(sandbox, found.source, found.name, calls)
    parameters = [each.name for each in read(found.source, found.name).parameters]
    draft = draft_for(found.name, parameters, examples, observed)
    checked = check_tests(sandbox, source, draft)
    seconds = time.monotonic() - began
    if isinstance(checked, str):
        return Answer(seconds, reason=f"{found.known_as or found.name} would do, but {checked}")
    return Answer(
        seconds,
        found.name,
        source,
        checked.tests,
        found.origin.value,
        None,
        checked.mutants,
        checked.killed,
    )
