import ast
import textwrap

import pytest

from reverie.instruments.mutation.inside.late import Bindings


def made_from(code: str, top: int = 0) -> list[int] | None:
    return Bindings(ast.parse(textwrap.dedent(code))).made_from(top)


def test_a_table_that_only_functions_read_stands_alone() -> None:
    assert made_from("T = {'a': 1}\ndef f(k):\n    return T[k]\n") == [0]


def test_what_is_made_from_a_table_goes_with_it() -> None:
    code = """
        T = {'a': 1}
        OTHER = 5
        BACK = {v: k for k, v in T.items()}
        class Kept(dict):
            pass
        KEPT = Kept(BACK)
    """
    assert made_from(code) == [0, 2, 4]


@pytest.mark.parametrize(
    "rest",
    [
        "T.append(3)",
        "T[0] = 3",
        "T += [3]",
        "T = [4]",
        "del T[0]",
        "ALIAS = T\nALIAS.append(3)",
        "for x in T:\n    pass",
        "if T:\n    U = 1",
        "def f(a=T):\n    pass",
        "@register(T)\ndef f():\n    pass",
        "class A:\n    t = T",
        "U = T.pop()",
        "U = register(T)",
        "U = globals()['T']",
        "with T:\n    pass",
    ],
)
def test_a_table_that_anything_else_touches_needs_an_import(rest: str) -> None:
    assert made_from(f"T = [1, 2]\n{rest}\n") is None


@pytest.mark.parametrize(
    "code",
    [
        "import os\nT = os.environ.get('X')",
        "import os\nT = [os.sep]",
        "from .other import TABLE\nT = dict(TABLE)",
        "from x import *\nT = dict(TABLE)",
        "import re\nimport time\nT = time.time()",
        "L = []\nT = L.append(1)",
        "import logging\nT = logging.getLogger('x')",
        "Z = [1]\nT = (x for x in Z)",
        "Z = [1]\nT = [zip(Z, Z)]",
        "Z = [1]\nT = map(str, Z)",
        "def f():\n    return 1\nT = f()",
        "class A(Base):\n    pass\nT = A()",
        "a, T = 1, 2",
        "T = (y := 5)",
    ],
)
def test_what_is_not_a_plain_value_needs_an_import(code: str) -> None:
    last = len(ast.parse(code).body) - 1
    assert made_from(code, last) is None


def test_what_was_gone_through_cannot_be_made_again() -> None:
    assert made_from("E = zip((1, 2), (3, 4))\nF = list(E)\n", 1) is None
    assert made_from("F = list(zip((1, 2), (3, 4)))\n") == [0]


def test_a_name_that_a_comprehension_shares_with_its_target_is_bound() -> None:
    assert made_from("x = [x for x in (1, 2)]\ny = x\nx.append(1)\n") is None


def test_regular_expressions_and_constants_of_the_standard_library_are_plain() -> None:
    code = (
        "import re\nimport string\nP = '[' + string.punctuation + ']'\nR = re.compile(P).search\n"
    )
    assert made_from(code, 2) == [2, 3]


def test_the_names_that_nobody_may_have_looked_at() -> None:
    tree = ast.parse("import re\nA = 'x'\nB = re.compile(A)\nC = 1\n")
    assert Bindings(tree).names([2]) == {"A", "B"}
