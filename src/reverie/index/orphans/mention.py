"""A mention: something written somewhere that stands for modules without importing them.

Names and paths that code puts together are read too: f-strings, `+`, `%`, `/`, `format`, `join`.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice, product

from reverie.index.orphans.bindings import Bindings
from reverie.syntax.parsing import NOT_PYTHON, fresh_module

HOLE = "{}"
"""Where a name of a pattern is filled in at run time."""
OWN_PACKAGE, OWN_NAME = "<package>", "<name>"
"""What `__package__` and `__name__` stand for in the file that says so."""

_DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+(?::[A-Za-z_][\w.]*)?")
_WORD = re.compile(r"\.{0,3}[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*(?::[A-Za-z_][\w.]*)?")
_PYTHON_FILE = re.compile(r"[^\s'\"]*[\w-]+\.py")
_SEPARATORS = re.compile(r"[\s,;\"'`()\[\]{}=|&<>]+")
_EXTRAS = re.compile(r"\[[\w, -]*\]$")
_HANDLER = re.compile(r"(?:[\w.-]+/)+[\w-]+\.\w+")
_MODULE_FLAGS = {"-m", "-A", "--app", "-p", "-c", "--plugin", "--pyargs"}
_LONGEST = 2_000
_FIELD = re.compile(r"\{\w*(?:![rsa])?\}|%[sdr]")
_FILLED = "filled_in_later"


class MentionKind(StrEnum):
    """What was written."""

    NAME = "name"
    """A dotted name, perhaps followed by what is taken out of the module."""
    IMPORTED = "imported"
    """A name given to something that imports: bare names and the tails of names count too."""
    WORD = "word"
    """A name beside a dynamic import: it counts inside the package it stands in."""
    PATTERN = "pattern"
    """A name with holes."""
    LOOSE_PATTERN = "loose pattern"
    """One that is not handed straight to something that imports."""
    FILE = "file"
    """The path of a Python file."""
    FOLDER = "folder"
    """Every module of a package, or of a folder beside the file that says so."""
    BESIDE = "beside"
    """Every module of the folder that the file lies in, unless it names a folder of its own."""


@dataclass(frozen=True, slots=True)
class Mention:
    """One mention, with the line it stands on."""

    kind: MentionKind
    text: str
    line: int = 0


def is_word(text: str) -> bool:
    """Whether text could be the name of a module, relative or not."""
    return len(text) < 120 and bool(_WORD.fullmatch(text))


def mention_of(text: str, line: int, *, imported: bool = False) -> Mention | None:
    """What one string says by itself."""
    text = text.strip()
    if not text or len(text) > 250:
        return None
    if imported and is_word(text):
        return Mention(MentionKind.IMPORTED, text, line)
    if _DOTTED.fullmatch(text) and not text.endswith(".py"):
        return Mention(MentionKind.NAME, text, line)
    if _PYTHON_FILE.fullmatch(text):
        return Mention(MentionKind.FILE, text, line)
    return None


def mentions_in_value(text: str, line: int, *, imported: bool = False) -> list[Mention]:
    """Everything that a value of a configuration or a command line says."""
    found: list[Mention] = []
    previous = ""
    for token in _SEPARATORS.split(text):
        token = _EXTRAS.sub("", token).rstrip(".:")
        if token.endswith(".py"):
            token = token.replace("\\", "/")
        if not token:
            continue
        each = mention_of(token, line, imported=imported or previous in _MODULE_FLAGS)
        if each is None and _HANDLER.fullmatch(token):
            each = Mention(MentionKind.FILE, token.rpartition(".")[0] + ".py", line)
        if each is not None:
            found.append(each)
        previous = token
    return found


_IMPORT_LINE = re.compile(
    r"^\W*?(?:>>> ?|\.\.\. ?)?(?:from\s+([.\w]+)\s+c?import\s+([\w, ()*]+)"
    r"|c?import\s+([\w., ]+))"
)
_ENTRY_POINT = re.compile(
    r"^\s*[\w.{}-]+\s*=\s*([A-Za-z_{][\w.{}]*(?::[\w.{}]+)?)\s*(?:\[.*\])?\s*$", re.MULTILINE
)
_COMMAND = re.compile(
    r"\b(?:python[\d.]*|pypy3?|(?:uv|poetry|pdm|hatch|pipenv|coverage|streamlit|chainlit|modal|flask"
    r"|fastapi|prefect) run|exec|uvicorn|gunicorn|hypercorn|daphne|celery|dramatiq|locust|torchrun"
    r"|(?:panel|bokeh|mlflow|ray) serve|accelerate launch|scrapy runspider|mpirun|nohup)\s"
    r"|(?:^|\s)(?:-m|[%!]run)\s"
)


def mentions_in_command(text: str, line: int) -> list[Mention]:
    """What a string that is a command line says; nothing when it is none."""
    if len(text) > _LONGEST or not _COMMAND.search(text):
        return []
    return mentions_in_value(text.replace(HOLE, "?"), line)


def entry_points_in(text: str, line: int) -> list[Mention]:
    """The targets of `name = package.module:callable`, one or a whole section of them."""
    if len(text) > _LONGEST or "=" not in text:
        return []
    return [
        Mention(MentionKind.PATTERN if HOLE in found else MentionKind.IMPORTED, found, line)
        for found in _ENTRY_POINT.findall(text)
        if "." in found or ":" in found
    ]


def imports_in(lines: Iterable[str], first_line: int = 1) -> Iterator[Mention]:
    """What lines of Python, perhaps among others, import."""
    for number, line in enumerate(lines, first_line):
        found = _IMPORT_LINE.match(line)
        if found is None:
            continue
        start, taken, plain = found.groups()
        for name in re.split(r"[\s,()]+", plain or taken or ""):
            if plain is None:
                name = start + ("" if start.endswith(".") else ".") + name
            if name.strip(".*"):
                yield Mention(MentionKind.NAME, name.rstrip("*").rstrip("."), number)


def imports_in_code(text: str, line: int) -> list[Mention]:
    """What source that is handed to an interpreter imports."""
    if len(text) > _LONGEST:
        return []
    found = (each for part in re.split(r"[;\n]", text) for each in imports_in([part.strip()]))
    return [Mention(each.kind, each.text, line) for each in found]


def imports_of_program(text: str, line: int) -> list[Mention]:
    """What a string imports that is a whole program: several statements, not a sentence."""
    if len(text) > _LONGEST or "import " not in text or not re.search(r"[;\n]", text):
        return []
    try:
        body = fresh_module(_FIELD.sub(_FILLED, text)).body
    except NOT_PYTHON:
        return []
    is_program = len(body) > 1 and any(isinstance(each, ast.Expr) for each in body)
    names = (name for each in body for name in _imported_names(each)) if is_program else ()
    return [_of_program(name, line) for name in names]


def _imported_names(statement: ast.stmt) -> Iterator[str]:
    match statement:
        case ast.Import(names=names):
            yield from (each.name for each in names)
        case ast.ImportFrom(module=str(start), names=names):
            yield from (f"{start}.{each.name}" for each in names)


def _of_program(name: str, line: int) -> Mention:
    """A part that is filled in later can be any module there; what follows is taken out of it."""
    start, is_filled, _ = name.partition(_FILLED)
    if is_filled:
        return Mention(MentionKind.PATTERN, start + HOLE, line)
    return Mention(MentionKind.IMPORTED, name, line)


_FORMAT_FIELD = re.compile(r"\{([^{}!:]*)[^{}]*\}")
_PERCENT_FIELD = re.compile(r"%(?:\((\w+)\))?[sdr]")
_NAME_LIKE = re.compile(r"\.{0,2}(?:[A-Za-z_]\w*|\{\}|<package>|<name>)(?:[.\w]|\{\}|:)*")
_OWN = {"__package__": OWN_PACKAGE, "__name__": OWN_NAME}
_MOST_TEXTS = 400


def composed_texts(node: ast.expr, bindings: Bindings) -> tuple[str, ...]:
    """The texts that an expression puts together, unknown parts as holes; often none."""
    if isinstance(node, ast.Constant | ast.Name | ast.Subscript):
        return ()
    found = dict.fromkeys(islice(_texts(node, bindings) or (), _MOST_TEXTS))
    return tuple(text for text in found if text.strip("{}. ") != "")


def is_name_like(text: str) -> bool:
    """Whether a text, perhaps with holes, is a dotted name."""
    return "." in text and not text.endswith(".py") and bool(_NAME_LIKE.fullmatch(text))


def _texts(node: ast.expr, bindings: Bindings) -> Iterator[str] | None:
    match node:
        case ast.JoinedStr(values=parts):
            return _joined("", parts, bindings)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _joined("", [left, right], bindings)
        case ast.BinOp(left=ast.Constant(value=str(form)), op=ast.Mod(), right=given):
            return _filled(_PERCENT_FIELD, form, _positions(given), _keys(given), bindings)
        case ast.Call(
            func=ast.Attribute(value=ast.Constant(value=str(form)), attr="format"),
            args=given,
            keywords=keywords,
        ):
            named = {each.arg: each.value for each in keywords if each.arg is not None}
            return _filled(_FORMAT_FIELD, form, given, named, bindings)
        case ast.Call(
            func=ast.Attribute(value=ast.Constant(value="."), attr="join"),
            args=[ast.List(elts=parts) | ast.Tuple(elts=parts)],
        ):
            return _joined(".", parts, bindings)
        case ast.BinOp(op=ast.Div()) | ast.Call(func=ast.Attribute(attr="join" | "joinpath")):
            return _joined("/", _path_parts(node), bindings)
    return None


def _joined(between: str, parts: Iterable[ast.expr], bindings: Bindings) -> Iterator[str]:
    return (between.join(each) for each in product(*(_part(part, bindings) for part in parts)))


def _path_parts(node: ast.expr) -> list[ast.expr]:
    """What follows the folder that a path begins with, which is mostly that of the file."""
    match node:
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            return [*_path_parts(left), right]
        case ast.Call(func=ast.Attribute(value=start, attr="joinpath"), args=parts):
            return [*_path_parts(start), *parts]
        case ast.Call(func=ast.Attribute(attr="join"), args=[_, *parts]):
            return parts
    return []


def _positions(given: ast.expr) -> list[ast.expr]:
    return given.elts if isinstance(given, ast.Tuple) else [given]


def _keys(given: ast.expr) -> dict[str, ast.expr]:
    if not isinstance(given, ast.Dict):
        return {}
    pairs = zip(given.keys, given.values, strict=True)
    return {str(key.value): value for key, value in pairs if isinstance(key, ast.Constant)}


def _filled(
    field: re.Pattern[str],
    form: str,
    given: list[ast.expr],
    named: dict[str, ast.expr],
    bindings: Bindings,
) -> Iterator[str]:
    """A form with its fields filled in, by place, by number or by name."""
    parts: list[tuple[str, ...]] = []
    end = 0
    for at, found in enumerate(field.finditer(form)):
        key = found[1] or str(at)
        value = given[int(key)] if key.isdigit() and int(key) < len(given) else named.get(key)
        parts += [(form[end : found.start()],), _part(value, bindings)]
        end = found.end()
    return ("".join(each) for each in product(*parts, (form[end:],)))


def _part(node: ast.expr | None, bindings: Bindings) -> tuple[str, ...]:
    match node:
        case None:
            return (HOLE,)
        case ast.FormattedValue(value=value):
            return _part(value, bindings)
        case ast.Name(id=name) if name in _OWN:
            return (_OWN[name],)
    if known := bindings.texts_of(node):
        return known
    inner = _texts(node, bindings)
    return (HOLE,) if inner is None else tuple(islice(inner, _MOST_TEXTS))
