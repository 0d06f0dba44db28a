"""Sources of trees that `ast.unparse` of an older Python cannot write."""

import ast

import pytest

from reverie.syntax.unparsing import unparse

NAMES = {"names": ["a", "b"], "width": 9, "amount": 2.5, "word": "it's"}


@pytest.mark.parametrize(
    "source",
    [
        r"""f'{", ".join(names)!r:>{width}}\n{{{word}}}'""",
        r"""f'{names}\\{word!r}'""",
        """f'''{"'" + '"' + word}\\n'''""",
        "f'{amount:{width}.{width}f}'",
        "len(names) + 1",
    ],
)
def test_what_is_written_says_the_same(source: str) -> None:
    tree = ast.parse(source.strip(), mode="eval")
    again = unparse(tree.body)
    assert eval(again, dict(NAMES)) == eval(source.strip(), dict(NAMES))


def test_an_f_string_that_this_python_cannot_write_becomes_a_call_of_format() -> None:
    field = ast.FormattedValue(ast.Constant("\n"), -1, None)
    quoted = ast.FormattedValue(ast.Name("word"), ord("r"), None)
    node = ast.JoinedStr([ast.Constant("{'\"\n"), field, quoted])
    text = unparse(node)
    assert eval(text, dict(NAMES)) == "{'\"\n\n" + repr("it's")
