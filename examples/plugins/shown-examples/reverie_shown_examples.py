"""A dreamer for Reverie: tests from the examples that docstrings show."""

import ast
import doctest
from collections.abc import Iterable, Iterator

from reverie.model.dream import Dream, DreamKind
from reverie.stages.dreamer import Allowance, Example, Survey, Target, written

_SHOWN = '''def double(n):
    """Twice as much.

    >>> double(4)
    8
    """
    return n + n
'''


class ExampleDreamer:
    """Dreams of a test for every function that shows what it does."""

    name = "shown-examples"
    kind = DreamKind.TEST

    def examples(self) -> Iterable[Example]:
        """One to test, one to leave alone."""
        yield Example({"sums.py": _SHOWN}, "sums.py")
        yield Example({"sums.py": "LIMIT = 3\n"}, "sums.py", is_dreamt_about=False)

    def targets(self, survey: Survey) -> Iterable[Target]:
        """Modules by how many functions show an example."""
        modules = (each for each in survey.grounds.index.modules if not each.is_test)
        counts = {each.path: len(_shown(survey.read(each.path))) for each in modules}
        return survey.targets(self.name, {path: n for path, n in counts.items() if n})

    def dream(self, survey: Survey, allowance: Allowance) -> Iterator[Dream]:
        """One file of tests."""
        shown = _shown(survey.source)
        if not shown:
            allowance.notes.remark = "no docstring shows an example"
            return
        lines = [f"from {survey.module} import {', '.join(sorted(shown))}"]
        for name, examples in sorted(shown.items()):
            lines += ["", "", f"def test_{name}_does_what_its_docstring_shows():"]
            lines += [f"    assert {source} == {want}" for source, want in examples]
        path = f"tests/test_examples_of_{survey.module.replace('.', '_')}.py"
        title = f"Test what {survey.module} shows"
        yield written(self, survey, allowance, title, path, "\n".join(lines) + "\n")


def _shown(source: str) -> dict[str, list[tuple[str, str]]]:
    """Calls with their results, by function."""
    parser = doctest.DocTestParser()
    found: dict[str, list[tuple[str, str]]] = {}
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            for each in parser.get_examples(ast.get_docstring(node) or ""):
                if each.exc_msg is None and each.want.count("\n") == 1:
                    pair = each.source.strip(), each.want.strip()
                    found.setdefault(node.name, []).append(pair)
    return found
