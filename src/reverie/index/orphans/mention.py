"""A mention: something written somewhere that stands for modules without importing them."""

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

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
        body = ast.parse(_FIELD.sub(_FILLED, text)).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
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
