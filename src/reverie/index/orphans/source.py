"""What the syntax tree of one file says about modules it does not import, and about itself.

Signs that a module is deprecated or superseded are what it warns of, says, or is called. Facts
are written as JSON, to be remembered.
"""

import ast
import base64
import json
import re
import sys
from array import array
from dataclasses import dataclass, field

from reverie.index.orphans.duplicates import Fingerprint, fingerprint_of
from reverie.index.orphans.mention import Mention, MentionKind
from reverie.index.orphans.spoken import listen
from reverie.syntax.nodes import names_in
from reverie.syntax.unparsing import unparse

_WARNINGS = {"DeprecationWarning", "PendingDeprecationWarning", "FutureWarning"}
_THING = r"(?:module|file|package|script|code|implementation|version|plugin|command|helper|class)"
_SAYS_SO = re.compile(
    rf"""
    ^\W*(?:\.\.\s*)?(?:deprecated|superseded|obsolete|legacy)\b(?=\s*(?:[:!.\-—,(]|since|in|by|as|
      $|{_THING}|use|and\s))
    | \b(?:this|the|these|old|whole)\s(?:\w+\s){{0,3}}?(?:is|are|was|were|has\sbeen|have\sbeen)\s
      (?:now\s|fully\s|long\s|considered\s)?(?:deprecated|superseded|obsolete|legacy|replaced)\b
    | \b(?:superseded|obsoleted)\sby\b
    | (?:\A|\n\n|[.!]\s+)(?:it\s(?:is|was|has\sbeen)\s)?replaced\sby\b
    | \bdeprecated\s+(?:in\sfavou?r\sof|since|as\sof|and\s(?:will|is))
    | (?:^|\b(?:this|these|is|an?|the)\s)(?:legacy|deprecated|obsolete)\s(?:\w+\s)?{_THING}s?
      (?=\s*(?:[.,:;!()\-—]|$|for|of|that|which|with|and|is|to|from|in|kept)(?:\W|$))
    | \bdeprecated\b[^.]{{0,80}}\buse\s
    | \bkept\s(?:\w+\s){{0,3}}?for\sback(?:wards?)?[\s-]compat
    | \bdo\snot\suse\b[^.]{{0,60}}\b(?:new\scode|anymore|any\smore|any\slonger)
    | \bno\slonger\s(?:used|maintained|supported|needed)\b
    """,
    re.IGNORECASE | re.VERBOSE | re.MULTILINE,
)
_NAMED = {"legacy", "old", "obsolete", "deprecated", "superseded"}
_ENDINGS = _NAMED | {"bak", "orig"}
_COPIED = re.compile(r"(?:^|_)(?:copy|copied|backup|bak|orig|old|dup|duplicate|v?\d+)(?=_|$)")
_HEADER_LINES = 30
_SHOWN_CHARACTERS = 80


@dataclass(frozen=True, slots=True)
class LegacySign:
    """One sign, and how far it can be believed by itself."""

    text: str
    confidence: float


def legacy_signs(source: str, tree: ast.Module) -> tuple[LegacySign, ...]:
    """What a module itself says about being out of date, surest first."""
    signs = [sign for statement in tree.body if (sign := _warning_at_import(statement))]
    docstring = ast.get_docstring(tree) or ""
    if found := _SAYS_SO.search(_opening(docstring)):
        signs.append(LegacySign(f"its docstring says {_line_around(docstring, found)!r}", 0.9))
    comments = _header_comments(source)
    if found := _SAYS_SO.search(comments):
        signs.append(
            LegacySign(f"a comment at its top says {_line_around(comments, found)!r}", 0.85)
        )
    return tuple(signs)


def sign_in_name(name: str, *, is_used: bool = False) -> LegacySign | None:
    """The sign that a dotted name carries: `report_old`, `legacy.reports`.

    That of a folder, or one that is nothing but such a word, may say what a module in use is about.
    """
    *packages, leaf = name.split(".")
    words = leaf.lower().strip("_").split("_")
    if len(words) > 1:
        is_named = words[-1] in _ENDINGS or words[0] in _NAMED
    else:
        is_named = words[0] in _NAMED - {"deprecated"} and not is_used
    if is_named:
        return LegacySign(f"its name {leaf!r} says so", 0.65)
    folder = next((each for each in packages if each.lower().strip("_") in _NAMED), None)
    return None if folder is None or is_used else LegacySign(f"it lies in {folder!r}", 0.6)


def looks_copied(path: str) -> bool:
    """Whether a file is called as a copy would be: `text_copy.py`, `views2_old.py`."""
    stem = path.rpartition("/")[2].removesuffix(".py").lower()
    return bool(_COPIED.search(stem)) or any(
        folder.lower().strip("_") in _NAMED for folder in path.split("/")[:-1]
    )


def _warning_at_import(statement: ast.stmt) -> LegacySign | None:
    match statement:
        case ast.Expr(value=ast.Call() as call):
            called = unparse(call.func)
            names = names_in(call)
            if called.rpartition(".")[2] == "warn" and names & _WARNINGS:
                return LegacySign(
                    f"it warns of its deprecation on import, line {call.lineno}", 0.97
                )
            if "deprecat" in called.lower():
                return LegacySign(f"it calls {called[:40]} on import, line {call.lineno}", 0.9)
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=True)):
            if name.strip("_").lower() == "deprecated":
                return LegacySign(f"it sets {name}, line {statement.lineno}", 0.9)
    return None


def _opening(docstring: str) -> str:
    """The summary, and the first line of every paragraph that follows."""
    return "\n".join(paragraph for paragraph in docstring.split("\n\n")[:4])


def _header_comments(source: str) -> str:
    lines = []
    for line in source.lstrip("\ufeff").splitlines()[:_HEADER_LINES]:
        text = line.strip()
        if text.startswith("#"):
            lines.append(text.lstrip("#!: ").strip())
        elif text:
            break
    return "\n".join(lines)


def _line_around(text: str, found: re.Match[str]) -> str:
    start = text.rfind("\n", 0, found.start() + 1) + 1
    end = text.find("\n", found.end())
    line = " ".join(text[start : end if end >= 0 else None].split())
    return line if len(line) <= _SHOWN_CHARACTERS else line[:_SHOWN_CHARACTERS] + "…"


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


FORMAT = f"2/{sys.version_info[0]}.{sys.version_info[1]}/{sys.byteorder}"
"""Its number changes whenever the same file would give other facts."""
_MARK = "q"


def encode_source(facts: SourceFacts) -> str:
    """The facts as one line, the format first."""
    flags = [
        facts.imports_dynamically,
        facts.changes_path,
        facts.acts_when_run,
        facts.has_shebang,
        facts.is_empty,
    ]
    marks = array(_MARK, sorted(facts.fingerprint.marks)).tobytes()
    return json.dumps(
        [
            FORMAT,
            [[each.kind.value, each.text, each.line] for each in facts.mentions],
            [int(flag) for flag in flags],
            sorted(facts.defines),
            [[each.text, each.confidence] for each in facts.signs],
            facts.fingerprint.functions,
            base64.b64encode(marks).decode("ascii"),
        ],
        separators=(",", ":"),
    )


def decode_source(text: str) -> SourceFacts | None:
    """The reverse; None for another format, `ValueError` or `TypeError` for what nobody wrote."""
    written_as, *rest = json.loads(text)
    if written_as != FORMAT:
        return None
    mentions, flags, defines, signs, functions, encoded = rest
    marks = array(_MARK)
    marks.frombytes(base64.b64decode(encoded))
    dynamic, changes_path, acts, shebang, empty = (bool(flag) for flag in flags)
    return SourceFacts(
        mentions=tuple(Mention(MentionKind(kind), said, line) for kind, said, line in mentions),
        imports_dynamically=dynamic,
        changes_path=changes_path,
        defines=frozenset(defines),
        acts_when_run=acts,
        has_shebang=shebang,
        is_empty=empty,
        signs=tuple(LegacySign(said, confidence) for said, confidence in signs),
        fingerprint=Fingerprint(frozenset(marks), functions),
    )
