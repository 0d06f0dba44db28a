"""What one file says."""

import ast
import json
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path

import pytest

from reverie.index.reading import read_bytes
from reverie.model.repository.code import Function, ParameterKind


def all_functions(source: str) -> list[Function]:
    facts = read_bytes(source.encode())
    assert facts.error is None
    methods = [method for each in facts.classes for method in each.methods]
    return [*facts.functions, *methods]


def functions(source: str) -> dict[str, Function]:
    return {each.qualname: each for each in all_functions(source)}


@pytest.mark.parametrize(
    "signature",
    [
        "()",
        "(a, b=1)",
        "(a, /)",
        "(a, /, b, *, c)",
        "(a: int = 3, *args: str, key='x', **rest: dict[str, int]) -> list[int]",
        "(*, c=None) -> 'Later'",
        "(a=(1, 2), /, b=lambda: {}, *c)",
    ],
)
def test_a_signature_is_shown_as_it_is_written(signature: str) -> None:
    assert functions(f"def f{signature}: pass\n")["f"].signature == signature


def test_a_signature_over_several_lines_is_shown_on_one() -> None:
    source = "def f(\n    a: dict[\n        str,  # y\n        int],\n    b={\n  1: 2},\n): pass\n"
    assert functions(source)["f"].signature == "(a: dict[str, int], b={1: 2})"


def test_parameters_have_their_kinds() -> None:
    kinds = [each.kind for each in functions("def f(a, /, b, *c, d, **e): pass\n")["f"].parameters]
    assert kinds == [
        ParameterKind.POSITIONAL_ONLY,
        ParameterKind.POSITIONAL_OR_KEYWORD,
        ParameterKind.VAR_POSITIONAL,
        ParameterKind.KEYWORD_ONLY,
        ParameterKind.VAR_KEYWORD,
    ]


def test_functions_methods_and_what_is_nested_have_their_names_and_spans() -> None:
    source = (
        "@first\n@second(1)\nasync def top():\n    '''Doc.'''\n    def inner():\n        yield 1\n"
        "\n    # only a comment\n    return inner\n\n"
        "class A(B, metaclass=M):\n    class Inner:\n        def deep(self): pass\n"
        "    def method(self): pass\n"
    )
    found = functions(source)
    assert set(found) == {"top", "top.<locals>.inner", "A.Inner.deep", "A.method"}
    top = found["top"]
    assert (top.line, top.end_line, top.loc) == (3, 9, 7)
    assert (top.is_async, top.is_generator, top.docstring) == (True, False, "Doc.")
    assert top.decorators == ("first", "second(1)")
    assert found["top.<locals>.inner"].is_generator
    facts = read_bytes(source.encode())
    assert [(each.qualname, each.bases) for each in facts.classes] == [
        ("A", ("B",)),
        ("A.Inner", ()),
    ]
    assert [each.qualname for each in facts.functions] == ["top", "top.<locals>.inner"]


def test_the_yield_of_a_lambda_is_not_its_functions() -> None:
    assert not functions("def f():\n    return lambda: (yield)\n")["f"].is_generator


def test_complexity_is_what_ruff_counts(tmp_path: Path) -> None:
    folder = Path(sysconfig.get_path("stdlib"))
    names = ["argparse", "configparser", "dataclasses", "inspect", "pickle", "tarfile", "typing"]
    paths = [folder / f"{name}.py" for name in names]
    line = [sys.executable, "-m", "ruff", "check", "--isolated", "--select", "C901"]
    line += ["--config", "lint.mccabe.max-complexity=0", "--output-format", "json", "--no-cache"]
    ran = subprocess.run([*line, *map(str, paths)], capture_output=True, text=True)
    theirs = {}
    for each in json.loads(ran.stdout):
        shown = each["message"].rpartition("(")[2].partition(" ")[0]
        theirs[Path(each["filename"]).stem, each["location"]["row"]] = int(shown)
    ours = {
        (path.stem, each.line): each.complexity
        for path in paths
        for each in all_functions(path.read_text("utf-8"))
    }
    assert len(ours) > 700
    assert {key: ours[key] for key in theirs} == theirs


@pytest.mark.parametrize(
    ("body", "points"),
    [
        ("return a", 0),
        ("if a: pass", 1),
        ("if a: pass\n    elif b: pass\n    else: pass", 3),
        ("if a:\n        if b: pass", 3),
        ("for x in a:\n        while b:\n            if c: pass", 6),
        ("try: pass\n    except A:\n        if b: pass", 3),
        ("return a and b and c", 1),
        ("return a and b or c", 2),
        ("return b if a else c", 1),
        ("def g():\n        if a: pass", 2),
        ("return f(a)", 1),
        ("match a:\n        case 1: pass\n        case _: pass", 1),
        ("for x in a: pass\n    else: pass", 2),
    ],
)
def test_cognitive_complexity_weighs_nesting(body: str, points: int) -> None:
    assert functions(f"def f(a, b, c):\n    {body}\n")["f"].cognitive == points


def test_docstrings_lose_their_indentation_as_python_takes_it_off() -> None:
    source = 'def f():\n    """First.\n\n      More\n    last.\n    """\n'
    assert functions(source)["f"].docstring == ast.get_docstring(ast.parse(source).body[0])


def test_loc_counts_neither_blank_lines_nor_comments() -> None:
    assert read_bytes(b"# comment\n\nx = 1  # code\n   # more\n'''\n\ntext\n'''\n").loc == 4


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        (b"\xef\xbb\xbfdef caf\xc3\xa9(): pass\n", "café"),
        (b"# -*- coding: latin-1 -*-\ndef caf\xe9(a='\xe9'): pass\n", "café"),
        (b"#!/x\n# vim: set fileencoding=cp1251 :\r\ndef f(): pass\r\n", "f"),
        (b"\x0cdef f():\x0c\n\x0c    pass\n", "f"),
        (b"def f():\r    pass\r", "f"),
        ("def \u0444(): pass\n".encode(), "\u0444"),
    ],
)
def test_encodings_marks_and_line_ends(raw: bytes, name: str) -> None:
    facts = read_bytes(raw)
    assert facts.error is None
    assert [each.name for each in facts.functions] == [name]


def test_a_default_in_another_encoding_is_cut_out_whole() -> None:
    facts = read_bytes(b"# coding: latin-1\ndef f(a='\xe9\xe9', b=2): pass\n")
    assert facts.functions[0].signature == "(a='éé', b=2)"


@pytest.mark.parametrize(
    ("raw", "part"),
    [
        (b"def f(:\n", "line 1"),
        (b"x = 1\ny = = 2\n", "line 2"),
        (b"x = '\xff'\n", "utf-8"),
        (b"# coding: no-such-thing\nx = 1\n", "encoding"),
        (b"x\x00 = 1\n", "null bytes"),
        (b"print 'two'\n", "line 1"),
        (b"x = " + b"(" * 1000 + b")" * 1000, "nested"),
        (b"x = " + b"-" * 100_000 + b"1", "nested"),
    ],
)
def test_what_does_not_parse_has_its_error_and_nothing_else(raw: bytes, part: str) -> None:
    facts = read_bytes(raw)
    assert facts.error is not None
    assert part in facts.error
    assert "\n" not in facts.error
    assert (facts.functions, facts.imports, facts.calls) == ((), (), ())
    assert facts.loc > 0


def test_warnings_about_the_source_are_not_ours() -> None:
    assert read_bytes(b"x = '\\d' is 1\n").error is None


def test_a_long_file_is_read_in_pieces_with_every_line_in_its_place() -> None:
    unit = "def f%d(a):\n    '''\ndef not_me(): pass\n'''\n    return g(a, 1)" + " " * 560 + "\n\n"
    source = "'''Doc.'''\n" + "".join(unit % number for number in range(1_700))
    assert len(source) > 1 << 20
    facts = read_bytes(source.encode())
    assert (facts.error, facts.docstring) == (None, "Doc.")
    assert [each.line for each in facts.functions] == [2 + 6 * n for n in range(1_700)]
    assert facts.names[-1] == "f1699"


def test_an_error_in_a_long_file_has_its_line() -> None:
    line = "x = 1" + " " * 60 + "\n"
    source = line * 20_000 + "y = = 1\n" + line * 100
    assert len(source) > 1 << 20
    assert read_bytes(source.encode()).error == "line 20001: invalid syntax"


@pytest.mark.parametrize("row", ["1, -2.5e3,", "'a': 'b',", "(1, 'x', None),", '["k"],'])
def test_tables_of_data_take_no_memory_and_move_no_line(row: str) -> None:
    opened, closed = ("{", "}") if ":" in row else ("[", "]")
    source = f"DATA = {opened}\n" + f"    {row}\n" * 100_000 + f"{closed}\n\ndef after(): pass\n"
    facts = read_bytes(source.encode())
    assert facts.error is None
    assert [each.line for each in facts.functions] == [100_004]
    assert set(facts.names) == {"DATA", "after"}


def test_the_main_block_is_seen_only_at_the_top() -> None:
    assert read_bytes(b"if '__main__' == __name__: pass\n").has_main_block
    assert not read_bytes(b"def f():\n    if __name__ == '__main__': pass\n").has_main_block


def test_literals_of_tests_are_kept_and_others_are_not() -> None:
    source = b"import m\nassert m.f(3, 'x', [1, -2], name={'a': 1}) == 4.5\n"
    assert set(read_bytes(source, is_test=True).literals) >= {"3", "'x'", "4.5", "1"}
    assert not read_bytes(source).literals


def test_calls_carry_their_literals(module: Callable) -> None:
    found = module(
        "def f(*a, **k): pass\n"
        "def g(f2):\n    f(1, x, 'two', (3, [4]), key=-5, **more)\n    f2()\n    len(x)\n"
    ).calls
    assert [(each.callee, each.caller, each.line) for each in found] == [("one:f", "g", 3)]
    assert found[0].literals == ("1", "'two'", "(3, [4])", "key=-5")


def test_examples_in_docstrings_are_calls_too(module: Callable) -> None:
    found = module(
        "def double(x):\n    '''Twice.\n\n    >>> double(21)\n    42\n"
        "    >>> from one import double\n"
        "    >>> double(\n    ...     'ab')\n    'abab'\n    >>> this is = no python\n    '''\n"
    )
    assert [(each.callee, each.literals, each.in_doctest) for each in found.calls] == [
        ("one:double", ("21",), True),
        ("one:double", ("'ab'",), True),
    ]
    assert set(found.literals) == {"21", "'ab'"}
