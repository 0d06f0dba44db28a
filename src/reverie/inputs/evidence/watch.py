"""Walk a function and note what is done with its parameters. Nothing is executed."""

import ast
from collections.abc import Sequence

from reverie.inputs.evidence.sight import Sight
from reverie.inputs.evidence.trace import Trace
from reverie.inputs.scope import FunctionNode


class Watcher(Sight):
    """Follows values through the statements of one function."""

    def run(self, body: Sequence[ast.stmt]) -> None:
        """Every statement, in order."""
        for statement in body:
            self._statement(statement)

    def _statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Assign(targets=targets, value=value):
                found = self.see(value)
                for target in targets:
                    self.bind(target, found)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                self.bind(target, self.see(value))
            case ast.AugAssign(target=target, op=op, value=value):
                operand = ast.parse(ast.unparse(target), mode="eval").body
                self._operate(self.see(operand), op, value, self.see(value))
            case ast.If(test=test) | ast.While(test=test) | ast.Assert(test=test):
                self._condition(node, test)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self._inner_function(node)
            case _:
                self._block(node)

    def _block(self, node: ast.stmt) -> None:
        match node:
            case ast.For(target=target, iter=values, body=body, orelse=orelse):
                self.bind(target, self.iterated(values))
                self.run(body)
                self.run(orelse)
            case ast.AsyncFor(target=target, iter=values, body=body):
                found = self.see(values)
                self.bind(target, found.vote("AsyncIterator", 5).element if found else None)
                self.run(body)
            case ast.With(items=items, body=body) | ast.AsyncWith(items=items, body=body):
                for item in items:
                    found = self.see(item.context_expr)
                    if item.optional_vars is not None:
                        self.bind(item.optional_vars, found)
                self.run(body)
            case _:
                self.children(node)

    def _condition(self, node: ast.stmt, test: ast.expr) -> None:
        match node:
            case ast.Assert(test=ast.Compare(left=left, comparators=[ast.expr()])):
                self.see(test)
                found = self.see(left)
                if found is not None and found.constants:
                    found.is_exact = True
            case ast.If(
                test=ast.Compare(left=ast.Name(name), ops=[ast.Is()]), body=body, orelse=orelse
            ) if name in self.names:
                held = self.names[name]
                self.run(body)
                self.names[name] = held  # what stands in for None says nothing about the rest
                self.run(orelse)
            case _:
                self.test(test)
                self.children(node)

    def test(self, node: ast.expr) -> None:
        """Its truth decides."""
        match node:
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                self.test(operand)
            case ast.BoolOp(values=values):
                for each in values:
                    self.test(each)
            case ast.Name() | ast.Subscript() | ast.Attribute():
                found = self.see(node)
                if found is not None:
                    found.is_tested = True

    def _inner_function(self, node: FunctionNode) -> None:
        shadowed = {each.arg for each in ast.walk(node.args) if isinstance(each, ast.arg)}
        kept = {key: each for key, each in self.names.items() if key not in shadowed}
        self.within(kept).run(node.body)

    def children(self, node: ast.AST) -> None:
        """See all that stands in a node."""
        for child in ast.iter_child_nodes(node):
            match child:
                case ast.stmt():
                    self._statement(child)
                case ast.expr():
                    self.see(child)
                case _:
                    self.children(child)

    def bind(self, target: ast.expr, found: Trace | None) -> None:
        """A name, or several, hold this value from now on."""
        match target:
            case ast.Name(name):
                if found is not None:
                    self.names[name] = found
                else:
                    self.names.pop(name, None)
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                starred = any(isinstance(each, ast.Starred) for each in parts)
                for index, each in enumerate(parts):
                    inner = each.value if isinstance(each, ast.Starred) else each
                    if found is None:
                        self.bind(inner, None)
                    elif starred:
                        self.bind(inner, found if inner is not each else found.iterate())
                    else:
                        self.bind(inner, found.part(index, len(parts)))
            case ast.Attribute(value=owner, attr=name):
                holder = self.see(owner)
                if holder is not None and found is not None:
                    holder.attributes[name] = found
            case ast.Subscript():
                held = self.see(target)
                owner_trace = self.see(target.value)
                if owner_trace is not None:
                    owner_trace.vote("list" if _is_whole(target.slice) else "dict")
                if held is not None:
                    held.like(found)

    def iterated(self, node: ast.expr) -> Trace | None:
        """The item of what is looped over."""
        match node:
            case ast.Call(func=ast.Attribute(value=owner, attr="items"), args=[]):
                found = self.see(owner)
                return None if found is None else _pair(found.vote("dict", 3))
            case ast.Call(func=ast.Name("enumerate"), args=[values, *_]):
                inner = self.iterated(values)
                return Trace(parts=[Trace.of("int"), inner or Trace()])
            case ast.Call(func=ast.Name("zip"), args=values):
                return Trace(parts=[self.iterated(each) or Trace() for each in values])
            case ast.Call(func=ast.Name("range"), args=values):
                for each in values:
                    self.vote_for(each, "int")
                return Trace.of("int")
        found = self.see(node)
        return None if found is None else found.iterate()


def _pair(found: Trace) -> Trace:
    return Trace(parts=[found.key, found.element])


def _is_whole(node: ast.expr) -> bool:
    return isinstance(node, ast.Slice | ast.UnaryOp | ast.BinOp) or (
        isinstance(node, ast.Constant) and isinstance(node.value, int)
    )
