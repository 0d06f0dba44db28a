"""Everything that one file says, from its bytes."""

from reverie.index.reading.calls import calls_of
from reverie.index.reading.facts import FileFacts
from reverie.index.reading.lines import SourceLines
from reverie.index.reading.source import Parsed, parse
from reverie.index.reading.statements import StatementReader


def read_bytes(raw: bytes, *, is_test: bool = False) -> FileFacts:
    """The facts of a file. One that does not parse has its error in them; nothing is raised."""
    parsed = parse(raw)
    try:
        return _read(parsed, is_test)
    except RecursionError:
        return FileFacts(SourceLines(parsed.source).loc, error="nested too deeply to be read")


def _read(parsed: Parsed, is_test: bool) -> FileFacts:
    lines = SourceLines(parsed.source)
    if parsed.tree is None:
        return FileFacts(lines.loc, error=parsed.error)
    reader = StatementReader(lines, keeps_literals=is_test)
    docstring = reader.read_docstring(parsed.tree.body)
    reader.read(parsed.tree.body)
    bound = {each.bound.partition(".")[0] for each in reader.imports} | set(reader.names)
    declared = reader.declared
    return FileFacts(
        loc=lines.loc,
        docstring=docstring,
        functions=tuple(reader.functions),
        classes=tuple(reader.classes),
        imports=tuple(reader.imports),
        calls=(*calls_of(reader.scanner.calls, bound, lines), *reader.doctest_calls),
        literals=tuple(reader.scanner.literals),
        strings=tuple(reader.scanner.strings),
        names=tuple(reader.names),
        declared=None if declared.names is None else tuple(dict.fromkeys(declared.names)),
        declared_from=tuple(declared.taken_from),
        has_main_block=reader.has_main_block,
    )
