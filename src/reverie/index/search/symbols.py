"""What can be searched for in one file."""

from collections.abc import Iterator

from reverie.index.reading import FileFacts
from reverie.index.search.annotations import normal_type
from reverie.index.search.shapes import Shape
from reverie.index.search.words import joined, words_of_name, words_of_text
from reverie.model.code import Class, Function, ParameterKind
from reverie.model.symbol import SymbolRecord

_LONGEST_SUMMARY = 200
_LONGEST_SIGNATURE = 500


def symbols_of(facts: FileFacts) -> tuple[SymbolRecord, ...]:
    """The functions, methods and classes of a file, in the order of the file."""
    found = [*_functions(facts), *_classes(facts)]
    return tuple(sorted(found, key=lambda each: each.line))


def _functions(facts: FileFacts) -> Iterator[SymbolRecord]:
    for function in facts.functions:
        yield _function_symbol(function, "function")


def _classes(facts: FileFacts) -> Iterator[SymbolRecord]:
    for each in facts.classes:
        yield _class_symbol(each)
        for method in each.methods:
            yield _function_symbol(method, "method")


def _function_symbol(function: Function, kind: str) -> SymbolRecord:
    return SymbolRecord(
        qualname=function.qualname,
        line=function.line,
        kind=kind,
        signature=function.signature[:_LONGEST_SIGNATURE],
        summary=_summary(function.docstring),
        words=_words(function.name, function.qualname, function.docstring),
        shape=_shape(function, is_method=kind == "method"),
    )


def _class_symbol(each: Class) -> SymbolRecord:
    bases = f"({', '.join(each.bases)})" if each.bases else ""
    return SymbolRecord(
        qualname=each.qualname,
        line=each.line,
        kind="class",
        signature=bases[:_LONGEST_SIGNATURE],
        summary=_summary(each.docstring),
        words=_words(each.name, each.qualname, each.docstring),
        shape="",
    )


def _shape(function: Function, *, is_method: bool) -> str:
    """The shape of a function as stored; empty when nothing of it is annotated."""
    parameters = function.parameters
    if is_method and parameters and "staticmethod" not in function.decorators:
        parameters = parameters[1:]
    if function.returns is None and all(each.annotation is None for each in parameters):
        return ""
    types = tuple(
        normal_type(each.annotation)
        for each in parameters
        if each.kind not in (ParameterKind.VAR_KEYWORD, ParameterKind.VAR_POSITIONAL)
    )
    return Shape(types, normal_type(function.returns)).text


def _summary(docstring: str | None) -> str:
    text = (docstring or "").strip()
    return text.partition("\n")[0][:_LONGEST_SUMMARY]


def _words(name: str, qualname: str, docstring: str | None) -> str:
    """`name, its parts | parts of what is around it | words of the docstring`."""
    own = dict.fromkeys([name.lower(), *words_of_name(name)])
    around = qualname.removesuffix(name).replace("<locals>", "")
    said = words_of_text(docstring) if docstring else []
    return "|".join((joined(own), joined(words_of_name(around)), joined(said)))
