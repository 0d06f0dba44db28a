"""One pass over the statements of a file."""

import ast
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from reverie.index.reading.calls import calls_of, read_examples
from reverie.index.reading.expressions import (
    Frame,
    Scanner,
    is_main_test,
    is_type_checking,
    matches_anything,
)
from reverie.index.reading.facts import RawCall, RawImport, SourceLines
from reverie.index.reading.signatures import (
    DeclaredNames,
    docstring_of,
    names_in,
    parameter_names,
    parameters_of,
)
from reverie.model.repository.code import Class, Function, ImportKind
from reverie.syntax.nodes import Function as Definition


class StatementReader:
    """Walks a syntax tree once. Blocks are entered by recursion, as deep as Python indents."""

    def __init__(self, lines: SourceLines, *, keeps_literals: bool) -> None:
        self._lines = lines
        self._frame = Frame("", "", "")
        self._kind = ImportKind.PLAIN
        self._methods: list[Function] | None = None
        self._is_at_top = True
        self.scanner = Scanner(self._frame, keeps_literals=keeps_literals)
        self.functions: list[Function] = []
        self.classes: list[Class] = []
        self.imports: list[RawImport] = []
        self.names: dict[str, None] = {}
        self.declared = DeclaredNames()
        self.doctest_calls: list[RawCall] = []
        self.has_main_block = False

    def read(self, statements: Iterable[ast.stmt]) -> None:
        """Walk a block."""
        for statement in statements:
            handle = _HANDLERS.get(statement.__class__)
            if handle is None:
                self.scanner.scan(statement)
            else:
                handle(self, statement)

    def take_calls(self) -> Iterator[RawCall]:
        """The calls since the last time, which keep their trees in memory no longer."""
        calls, self.scanner.calls = self.scanner.calls, []
        bound = {*self.names, *(each.bound for each in self.imports)}
        return calls_of(calls, bound, self._lines)

    def read_docstring(self, body: list[ast.stmt]) -> str | None:
        """The docstring of a body; the calls in its examples are noted."""
        text = docstring_of(body)
        if text is not None and ">>>" in text:
            examples = read_examples(text, body[0].lineno, self._frame.qualname)
            self.doctest_calls += examples.calls
            self.scanner.literals.update(dict.fromkeys(examples.literals))
        return text

    def _see_function(self, node: Definition) -> None:
        for decorator in node.decorator_list:
            self.scanner.scan(decorator)
        self.scanner.scan(node.args)
        outer, methods, kind, at_top = self._frame, self._methods, self._kind, self._is_at_top
        if at_top:
            self.names[node.name] = None
        position = len(self.functions)
        inner = self._enter(node)
        docstring = self.read_docstring(node.body)
        self.read(node.body)
        self._leave(outer, kind, at_top)
        self._methods = methods
        function = self._function(node, inner, docstring)
        if methods is None:
            self.functions.insert(position, function)
        else:
            methods.append(function)
        if outer.name:
            outer.take_in(inner)

    def _enter(self, node: Definition) -> Frame:
        qualname = self._frame.prefix + node.name
        frame = Frame(node.name, qualname, f"{qualname}.<locals>.", parameter_names(node.args))
        self._frame = self.scanner.frame = frame
        self._methods = None
        self._is_at_top = False
        if self._kind is not ImportKind.TYPE_CHECKING:
            self._kind = ImportKind.LOCAL
        return frame

    def _leave(self, outer: Frame, kind: ImportKind, at_top: bool) -> None:
        self._frame = self.scanner.frame = outer
        self._kind, self._is_at_top = kind, at_top

    def _function(self, node: Definition, frame: Frame, docstring: str | None) -> Function:
        first = node.decorator_list[0].lineno if node.decorator_list else node.lineno
        last = node.end_lineno or node.lineno
        return Function(
            name=node.name,
            qualname=frame.qualname,
            line=node.lineno,
            end_line=last,
            parameters=parameters_of(node.args, self._lines),
            returns=None if node.returns is None else self._lines.piece(node.returns),
            decorators=tuple(self._lines.piece(each) for each in node.decorator_list),
            docstring=docstring,
            is_async=isinstance(node, ast.AsyncFunctionDef),
            is_generator=frame.is_generator,
            complexity=frame.cyclomatic,
            cognitive=frame.cognitive,
            loc=self._lines.loc_between(first, last),
        )

    def _see_class(self, node: ast.ClassDef) -> None:
        for expression in (*node.decorator_list, *node.bases):
            self.scanner.scan(expression)
        for keyword in node.keywords:
            self.scanner.scan(keyword.value)
        if self._is_at_top:
            self.names[node.name] = None
        outer, methods, at_top = self._frame, self._methods, self._is_at_top
        qualname = outer.prefix + node.name
        position, own = len(self.classes), list[Function]()
        prefix, outer.prefix = outer.prefix, f"{qualname}."
        self._methods, self._is_at_top = own, False
        docstring = self.read_docstring(node.body)
        self.read(node.body)
        outer.prefix, self._methods, self._is_at_top = prefix, methods, at_top
        self.classes.insert(position, self._class(node, qualname, docstring, own))

    def _class(
        self, node: ast.ClassDef, qualname: str, docstring: str | None, methods: list[Function]
    ) -> Class:
        piece = self._lines.piece
        return Class(
            name=node.name,
            qualname=qualname,
            line=node.lineno,
            end_line=node.end_lineno or node.lineno,
            bases=tuple(piece(base) for base in node.bases),
            decorators=tuple(piece(each) for each in node.decorator_list),
            docstring=docstring,
            methods=tuple(methods),
        )

    def _see_import(self, node: ast.Import) -> None:
        for alias in node.names:
            bound = alias.asname or alias.name
            self.imports.append(RawImport(0, alias.name, None, bound, node.lineno, self._kind))

    def _see_import_from(self, node: ast.ImportFrom) -> None:
        module, level = node.module or "", node.level or 0
        for alias in node.names:
            bound = "" if alias.name == "*" else alias.asname or alias.name
            self.imports.append(
                RawImport(level, module, alias.name, bound, node.lineno, self._kind)
            )

    def _see_if(self, node: ast.If) -> None:
        frame = self._frame
        frame.break_flow()
        while True:
            self.scanner.scan(node.test)
            frame.cyclomatic += 1
            then, otherwise = self._kinds_below(node.test)
            self._read_nested(node.body, then)
            if len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
                node = node.orelse[0]
                frame.cognitive += 1
                continue
            if node.orelse:
                frame.cognitive += 1
                self._read_nested(node.orelse, otherwise)
            return

    def _kinds_below(self, test: ast.expr) -> tuple[ImportKind, ImportKind]:
        usual = ImportKind.CONDITIONAL if self._kind is ImportKind.PLAIN else self._kind
        if is_type_checking(test):
            return ImportKind.TYPE_CHECKING, usual
        if isinstance(test, ast.UnaryOp) and is_type_checking(test.operand):
            return usual, ImportKind.TYPE_CHECKING
        if self._is_at_top and is_main_test(test):
            self.has_main_block = True
        return usual, usual

    def _see_loop(self, node: ast.For | ast.AsyncFor | ast.While) -> None:
        if isinstance(node, ast.While):
            self.scanner.scan(node.test)
        else:
            self._bind(node.target)
            self.scanner.scan(node.iter)
        self._frame.cyclomatic += 1
        self._frame.break_flow()
        self._read_nested(node.body)
        if node.orelse:
            self._frame.cognitive += 1
            self._read_nested(node.orelse)

    def _see_try(self, node: Any) -> None:
        self._read_conditionally(node.body)
        for handler in node.handlers:
            if handler.type is not None:
                self.scanner.scan(handler.type)
            self._frame.cyclomatic += 1
            self._frame.break_flow()
            self._read_nested(handler.body)
        if node.orelse:
            self._frame.cyclomatic += 1
            self._read_conditionally(node.orelse)
        self._read_conditionally(node.finalbody)

    def _see_with(self, node: ast.With | ast.AsyncWith) -> None:
        for item in node.items:
            self.scanner.scan(item)
            if item.optional_vars is not None:
                self._bind(item.optional_vars)
        self.read(node.body)

    def _see_match(self, node: ast.Match) -> None:
        self.scanner.scan(node.subject)
        self._frame.break_flow()
        for case in node.cases:
            self._frame.cyclomatic += 1
            if case.guard is not None:
                self.scanner.scan(case.guard)
            self._read_nested(case.body)
        if node.cases and matches_anything(node.cases[-1]):
            self._frame.cyclomatic -= 1

    def _see_assignment(self, node: Any) -> None:
        self.scanner.scan(node)
        if self._is_at_top:
            for target in getattr(node, "targets", None) or [node.target]:
                self._bind(target)
            self.declared.see(node)

    def _see_type_alias(self, node: Any) -> None:
        self._bind(node.name)
        self.scanner.scan(node.value)

    def _see_expression(self, node: ast.Expr) -> None:
        self.scanner.scan(node.value)
        if self._is_at_top:
            self.declared.see(node)

    def _bind(self, target: ast.expr) -> None:
        if self._is_at_top:
            self.names.update(dict.fromkeys(names_in(target)))

    def _read_nested(self, body: list[ast.stmt], kind: ImportKind | None = None) -> None:
        self._frame.nesting += 1
        self._read_conditionally(body, kind)
        self._frame.nesting -= 1

    def _read_conditionally(self, body: list[ast.stmt], kind: ImportKind | None = None) -> None:
        before = self._kind
        if kind is None:
            kind = ImportKind.CONDITIONAL if before is ImportKind.PLAIN else before
        self._kind = kind
        self.read(body)
        self._kind = before


_HANDLERS: dict[type[ast.stmt], Callable[[StatementReader, Any], None]] = {
    ast.FunctionDef: StatementReader._see_function,
    ast.AsyncFunctionDef: StatementReader._see_function,
    ast.ClassDef: StatementReader._see_class,
    ast.Import: StatementReader._see_import,
    ast.ImportFrom: StatementReader._see_import_from,
    ast.If: StatementReader._see_if,
    ast.For: StatementReader._see_loop,
    ast.AsyncFor: StatementReader._see_loop,
    ast.While: StatementReader._see_loop,
    ast.Try: StatementReader._see_try,
    ast.TryStar: StatementReader._see_try,
    ast.With: StatementReader._see_with,
    ast.AsyncWith: StatementReader._see_with,
    ast.Match: StatementReader._see_match,
    ast.Assign: StatementReader._see_assignment,
    ast.AnnAssign: StatementReader._see_assignment,
    ast.AugAssign: StatementReader._see_assignment,
    ast.Expr: StatementReader._see_expression,
}
if sys.version_info >= (3, 12):
    _HANDLERS[ast.TypeAlias] = StatementReader._see_type_alias
