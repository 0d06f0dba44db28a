"""A script that fails while a finding is true, and passes once it is mended."""

import ast
import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from reverie.dreamers.enrich.target import Target
from reverie.dreamers.fuzz.law import Law
from reverie.dreamers.fuzz.program import prelude_source
from reverie.syntax.nodes import names_in, stored_names
from reverie.syntax.parsing import parse_module

HANG_SECONDS = 2
"""Of CPU time, which a busy machine does not shorten."""
_MODULES = frozenset(
    {"array", "bisect", "collections", "copy", "datetime", "decimal", "enum", "fractions",
     "inspect", "io", "itertools", "math", "operator", "pathlib", "pickle", "re", "statistics",
     "string", "types", "unicodedata", "uuid"}
)  # fmt: skip


_EXACT = re.compile(r"""b?["']|None$""")
"""Texts, bytes and None: equal or not, without rounding or anything inside."""


@dataclass(frozen=True, slots=True)
class Failing:
    """Statements one after the other, and what has to be true in the end."""

    title: str
    statements: tuple[str, ...]
    check: str
    is_endless: bool = False


def failing_of(law: Law, arguments: Sequence[tuple[str, str]], is_endless: bool) -> Failing:
    """The statements of a law on one input."""
    given = tuple(f"{name} = {source}" for name, source in arguments)
    statements = (*given, *law.setup, *law.steps)
    return Failing(law.says, statements, _plainly(law.check, dict(arguments)), is_endless)


def _plainly(check: str, given: dict[str, str]) -> str:
    """`==` where it says the same as the engine's comparison, which takes forty lines to show."""
    compared = re.fullmatch(r"same\((\w+), (\w+)\)", check)
    if compared is None or not _EXACT.match(given.get(compared[2], "")):
        return check
    return f"{compared[1]} == {compared[2]}"


def script(failing: Failing, target: Target, names: frozenset[str]) -> str:
    """The whole script; `main` raises while the finding is true."""
    body = parse_module("\n".join((*failing.statements, failing.check)))
    used = names_in(body)
    bound = stored_names(body)
    own = sorted((used - bound) & names)
    helpers = _helpers(used - bound - set(own))
    modules = {"sys", *(_MODULES & (used - bound)), *_modules_of(helpers)} | (
        {"signal"} if failing.is_endless else set()
    )
    lines = [
        f'"""{_plain(failing.title)}"""', "",
        *(f"import {each}" for each in sorted(modules)),
        *(["from typing import Any", ""] if helpers else [""]),
        f"sys.path.insert(0, sys.argv[1] if len(sys.argv) > 1 else {target.import_root!r})", "",
        *_making_way(target.module),
        f"from {target.module} import {', '.join(own)}" if own else f"import {target.module}", "",
        *("\n" + each for each in helpers),
        "\ndef main():",
        *(f"    {each}" for each in _body(failing)),
        "\n\nif __name__ == \"__main__\":", "    main()",
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


def _making_way(module: str) -> list[str]:
    """A module of the standard library with the same name may be loaded already."""
    is_taken = module in sys.stdlib_module_names
    return [f"sys.modules.pop({module!r}, None)"] if is_taken else []


def _body(failing: Failing) -> Iterable[str]:
    if failing.is_endless:
        yield "def give_up(*_):"
        yield f'    raise AssertionError("it did not return within {HANG_SECONDS} CPU seconds")'
        yield ""
        yield "signal.signal(signal.SIGPROF, give_up)"
        yield f"signal.setitimer(signal.ITIMER_PROF, {HANG_SECONDS})"
    yield from failing.statements
    if failing.is_endless:
        yield "signal.setitimer(signal.ITIMER_PROF, 0)"
    elif failing.check != "True":
        yield f"assert {failing.check}"


def _helpers(names: set[str]) -> list[str]:
    """The functions of the prelude that are needed, and those that these need, as source."""
    source = prelude_source()
    made = {
        each.name: each for each in parse_module(source).body if isinstance(each, ast.FunctionDef)
    }
    needed: set[str] = set()
    waiting = sorted(names & set(made))
    while waiting:
        name = waiting.pop()
        needed.add(name)
        used = names_in(made[name])
        waiting += sorted((used & set(made)) - needed)
    return [
        ast.get_source_segment(source, each) + "\n"  # type: ignore[operator]
        for name, each in made.items()
        if name in needed
    ]


def _modules_of(helpers: list[str]) -> set[str]:
    text = "\n".join(helpers)
    return {
        each for each in ("ast", "collections", "itertools", "math", "time") if f"{each}." in text
    }


def _plain(text: str) -> str:
    return " ".join(text.split()).replace("\\", "\\\\").replace('"', "'")[:200]
