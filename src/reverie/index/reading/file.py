"""Everything that one file says, from its bytes."""

from reverie.index.reading.calls import is_own
from reverie.index.reading.facts import FileFacts, RawCall
from reverie.index.reading.lines import SourceLines
from reverie.index.reading.source import decoded, thinned, trees
from reverie.index.reading.statements import StatementReader


def read_bytes(raw: bytes, *, is_test: bool = False) -> FileFacts:
    """The facts of a file. One that does not parse has its error in them; nothing is raised."""
    source = raw
    try:
        source = decoded(raw)
        return _read(source, is_test)
    except SyntaxError as problem:
        where = "" if problem.lineno is None else f"line {problem.lineno}: "
        error = where + str(problem.msg)
    except (RecursionError, MemoryError):
        error = "nested too deeply to be parsed"
    except (LookupError, ValueError, AssertionError) as problem:
        error = str(problem)  # not the encoding it declares, or bytes that no source has
    return FileFacts(SourceLines(source).loc, error=" ".join(error.split()))


def _read(source: bytes, is_test: bool) -> FileFacts:
    lines = SourceLines(thinned(source))
    reader = StatementReader(lines, keeps_literals=is_test)
    calls: list[RawCall] = []
    docstring = None
    for number, tree in enumerate(trees(lines.source)):
        if number == 0:
            docstring = reader.read_docstring(tree.body)
        reader.read(tree.body)
        calls += reader.take_calls()
    declared = reader.declared
    bound = {each.bound.partition(".")[0] for each in reader.imports} | set(reader.names)
    return FileFacts(
        loc=lines.loc,
        docstring=docstring,
        functions=tuple(reader.functions),
        classes=tuple(reader.classes),
        imports=tuple(reader.imports),
        calls=(*(each for each in calls if is_own(each, bound)), *reader.doctest_calls),
        literals=tuple(reader.scanner.literals),
        strings=tuple(reader.scanner.strings),
        names=tuple(reader.names),
        declared=None if declared.names is None else tuple(dict.fromkeys(declared.names)),
        declared_from=tuple(declared.taken_from),
        has_main_block=reader.has_main_block,
    )
