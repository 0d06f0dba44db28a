"""Facts as JSON, and a whole index from what is remembered of each file.

Short lists stand in place of objects, because there are many.
"""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from reverie.errors import StoreError
from reverie.index.discovery import Surroundings, TierOf, surroundings, survey
from reverie.index.linking import ReadFile, link, name_modules
from reverie.index.reading import FileFacts, RawCall, RawImport
from reverie.index.remembering.memory import Memory
from reverie.index.repository import collector_paused
from reverie.index.resolution import Resolver, edges_of
from reverie.model.repository.code import (
    Class,
    CodeIndex,
    Function,
    ImportKind,
    Parameter,
    ParameterKind,
)
from reverie.model.repository.indexed import IndexTotals, KnownIndex
from reverie.model.sections import IndexSection

_PARAMETER_KINDS = tuple(ParameterKind)
_PARAMETER_CODES = {kind: code for code, kind in enumerate(_PARAMETER_KINDS)}
_IMPORT_KINDS = tuple(ImportKind)
_IMPORT_CODES = {kind: code for code, kind in enumerate(_IMPORT_KINDS)}


def encode_imports(facts: FileFacts) -> str:
    """The imports alone: all that names and edges depend on."""
    return _dumps([_flat_import(each) for each in facts.imports])


def decode_imports(text: str) -> tuple[RawImport, ...]:
    """The reverse of `encode_imports`."""
    rows = json.loads(text)
    if not isinstance(rows, list):
        raise ValueError("not a list")
    return tuple(
        RawImport(level, module, name, bound, line, _IMPORT_KINDS[kind])
        for level, module, name, bound, line, kind in rows
    )


def encode_facts(facts: FileFacts) -> str:
    """Everything but the imports."""
    return _dumps(
        [
            facts.loc,
            facts.docstring,
            [_flat_function(each) for each in facts.functions],
            [_flat_class(each) for each in facts.classes],
            [_flat_call(each) for each in facts.calls],
            facts.literals,
            facts.strings,
            facts.names,
            facts.declared,
            facts.declared_from,
            facts.has_main_block,
            facts.error,
        ]
    )


def decode_facts(text: str, imports: str) -> FileFacts:
    """The reverse of both; `ValueError`, `TypeError` or `IndexError` for what nobody encoded."""
    (
        loc,
        docstring,
        functions,
        classes,
        calls,
        literals,
        strings,
        names,
        declared,
        declared_from,
        has_main_block,
        error,
    ) = json.loads(text)
    return FileFacts(
        loc=loc,
        docstring=docstring,
        functions=tuple(_function(each) for each in functions),
        classes=tuple(_class(each) for each in classes),
        imports=decode_imports(imports),
        calls=tuple(_call(each) for each in calls),
        literals=tuple(literals),
        strings=tuple(strings),
        names=tuple(names),
        declared=None if declared is None else tuple(declared),
        declared_from=tuple(declared_from),
        has_main_block=has_main_block,
        error=error,
    )


def _dumps(value: list[Any]) -> str:
    # ASCII, so that lone surrogates and NUL are escapes that every database takes.
    return json.dumps(value, separators=(",", ":"), check_circular=False)


def _flat_import(each: RawImport) -> list[Any]:
    code = _IMPORT_CODES[each.kind]
    return [each.level, each.module, each.name, each.bound, each.line, code]


def _flat_function(each: Function) -> list[Any]:
    parameters = [
        [one.name, _PARAMETER_CODES[one.kind], one.annotation, one.default]
        for one in each.parameters
    ]
    flags = each.is_async | each.is_generator << 1
    names = [each.name, each.qualname, each.line, each.end_line, parameters, each.returns]
    counts = [flags, each.complexity, each.cognitive, each.loc]
    return [*names, each.decorators, each.docstring, *counts]


def _function(flat: list[Any]) -> Function:
    name, qualname, line, end_line, parameters, returns, decorators, docstring = flat[:8]
    flags, complexity, cognitive, loc = flat[8:]
    return Function(
        name,
        qualname,
        line,
        end_line,
        tuple(Parameter(each[0], _PARAMETER_KINDS[each[1]], *each[2:]) for each in parameters),
        returns,
        tuple(decorators),
        docstring,
        bool(flags & 1),
        bool(flags & 2),
        complexity,
        cognitive,
        loc,
    )


def _flat_class(each: Class) -> list[Any]:
    names = [each.name, each.qualname, each.line, each.end_line, each.bases, each.decorators]
    return [*names, each.docstring, [_flat_function(one) for one in each.methods]]


def _class(flat: list[Any]) -> Class:
    name, qualname, line, end_line, bases, decorators, docstring, methods = flat
    functions = tuple(_function(each) for each in methods)
    return Class(
        name, qualname, line, end_line, tuple(bases), tuple(decorators), docstring, functions
    )


def _flat_call(each: RawCall) -> list[Any]:
    return [each.target, each.line, each.literals, each.caller, int(each.in_doctest)]


def _call(flat: list[Any]) -> RawCall:
    target, line, literals, caller, in_doctest = flat
    return RawCall(target, line, tuple(literals), caller, bool(in_doctest))


def load_index(root: Path, section: IndexSection, tier_of: TierOf, memory: Memory) -> CodeIndex:
    """Names, imports, calls and public names are worked out again; no file is read."""
    found = survey(root, section.exclude)
    around = surroundings(root, found, section, tier_of)
    with collector_paused():
        return link(_read_files(memory), around)


def _read_files(memory: Memory) -> Iterator[ReadFile]:
    for each in memory.facts():
        try:
            facts = decode_facts(each.facts, each.imports)
        except (ValueError, TypeError, IndexError, RecursionError) as error:
            reason = f"the remembered facts of {each.path!r} are none: {error}"
            raise StoreError(reason) from error
        yield ReadFile(each.path, each.content_hash, facts)


def count_whole(memory: Memory, around: Surroundings, layout: str) -> KnownIndex:
    """Name all modules, draw all edges, and remember the totals."""
    outlines = {each.path: each for each in memory.outlines()}
    imports = {path: decode_imports(each.imports) for path, each in outlines.items()}
    named = name_modules(imports, around.layout)
    resolver = Resolver(named)
    resolved = (
        (module.name, [resolver.resolve(raw, module) for raw in imports[path]])
        for path, module in named.items()
    )
    edges, checking = edges_of(resolved)
    totals = IndexTotals(
        modules=len(outlines),
        packages=sum(each.is_package for each in named.values()),
        functions=sum(each.functions for each in outlines.values()),
        methods=sum(each.methods for each in outlines.values()),
        classes=sum(each.classes for each in outlines.values()),
        loc=sum(each.loc for each in outlines.values()),
        edges=len(edges),
        type_checking_edges=len(checking),
        errors=sum(each.error is not None for each in outlines.values()),
        tiers={},
    )
    whole = KnownIndex(layout, totals, time.time_ns() // 1000)
    memory.save_index(whole, {path: each.name for path, each in named.items()})
    return whole
