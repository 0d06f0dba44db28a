"""What an assertion is worth: each form of it, once where it tells and once where it cannot."""

import ast

import pytest

from reverie.gates.gate import Matter, Surroundings
from reverie.gates.suite.files_of_tests import (
    Flow,
    is_production,
    parameters,
    parametrised,
    production_names,
    test_files,
    tests_of,
)
from reverie.gates.suite.oracle import OracleGate, Worth, assertions
from reverie.model.change import Change
from reverie.model.dream import Stage
from reverie.model.ruling import Answer, Ruling

from .matters import edit, matter, new_test

HEAD = "import os\nimport pytest\nfrom shop import price, Cart\n"
TELLING, TAUTOLOGY, BLIND = Worth.TELLING, Worth.TAUTOLOGY, Worth.BLIND
TYPE_ONLY, ANY_ERROR = Worth.TYPE_ONLY, Worth.ANY_ERROR
test_files.__test__ = tests_of.__test__ = False  # type: ignore[attr-defined]


def worths(body: str, valued: tuple[str, ...] = (), signature: str = "") -> list[Worth]:
    """Of the assertions of one test, whose lines are given."""
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    (file,) = test_files(new_test(f"def test_a({signature}):\n{lines}", head=HEAD))
    asked = new_test("", head=HEAD)
    (function,) = file.tests().values()
    flow = Flow(function, file, asked)
    found = assertions(function, flow, file.names, frozenset({"same"}), frozenset(valued))
    return [each.worth for each in found]


@pytest.mark.parametrize(
    ("test", "worth"),
    [
        ("price(1) == 2", TELLING), ("price(1) != None", TYPE_ONLY), ("price(1) == None", TELLING),
        ("price(1)", TELLING), ("not price(1)", TELLING), ("1", TAUTOLOGY), ("True", TAUTOLOGY),
        ("False", TELLING), ("0", TELLING), ("None", TELLING), ("not 0", TAUTOLOGY),
        ("not 1", BLIND), ("not x", BLIND), ("(price(1), 'm')", TAUTOLOGY), ("[price(1)]", TAUTOLOGY),
        ("()", BLIND), ("[]", BLIND), ("f'{price(1)}'", TAUTOLOGY), ("lambda: price(1)", TAUTOLOGY),
        ("price(1) or True", TAUTOLOGY), ("price(1) == 2 or isinstance(price(1), int)", TYPE_ONLY),
        ("isinstance(price(1), int) or True", TAUTOLOGY), ("price(1) == 2 or price(1) == 3", TELLING),
        ("price(1) == 2 and True", TELLING), ("True and True", TAUTOLOGY),
        ("isinstance(price(1), int) and price(1) is not None", TYPE_ONLY),
        ("price(1) == price(1)", TAUTOLOGY), ("price(1) is price(1)", TAUTOLOGY),
        ("price(1) <= price(1)", TAUTOLOGY), ("price(1) >= price(1)", TAUTOLOGY),
        ("price(1) < price(1)", TELLING), ("price(1) != price(1)", TELLING),
        ("price(1) == price(2)", TELLING), ("price(1) in (price(1), 2)", TAUTOLOGY),
        ("price(1) in [2, price(1)]", TAUTOLOGY), ("price(1) in {price(1)}", TAUTOLOGY),
        ("price(1) in (1, 2)", TELLING), ("price(1) not in (price(1),)", TELLING),
        ("price(1) in price(2)", TELLING), ("price(1) is not None", TYPE_ONLY),
        ("price(1) is not ...", TYPE_ONLY), ("price(1) is not 1", TELLING), ("price(1) is None", TELLING),
        ("type(price(1)) is int", TYPE_ONLY), ("type(price(1)) == int", TYPE_ONLY),
        ("type(price(1)) in (int,)", TYPE_ONLY), ("type(price(1)) is not int", TELLING),
        ("price(1).__class__ is int", TYPE_ONLY), ("price(1).__name__ == 'a'", TYPE_ONLY),
        ("price(1).other == 'a'", TELLING), ("kind(price(1)) is int", TELLING),
        ("len(price(1)) >= 0", TAUTOLOGY), ("len(price(1)) >= 1", TELLING), ("len(price(1)) > 0", TELLING),
        ("len(price(1)) > -1", TAUTOLOGY), ("len(price(1)) >= -1", TELLING), ("sum(price(1)) >= 0", TELLING),
        ("len(price(1)) > +1", TELLING), ("0 <= price(1) <= 2", TELLING), ("2 == 2", TAUTOLOGY), ("1 == 2", BLIND),
        ("isinstance(price(1), int)", TYPE_ONLY), ("issubclass(price, int)", TYPE_ONLY),
        ("callable(price)", TYPE_ONLY), ("hasattr(price, 'a')", TYPE_ONLY), ("bool(price(1))", TYPE_ONLY),
        ("id(price(1))", TYPE_ONLY), ("isinstance(1, int)", BLIND), ("str(price(1))", TELLING),
        ("all(isinstance(x, int) for x in price(1))", TYPE_ONLY), ("any(True for x in price(1))", TAUTOLOGY),
        ("all([x is not None for x in price(1)])", TYPE_ONLY), ("any([1 for x in price(1)])", TAUTOLOGY),
        ("all(x > 1 for x in price(1))", TELLING), ("sum(True for x in price(1))", TELLING), ("x.all(True for y in price(1))", TELLING),
    ],
)  # fmt: skip
def test_an_assert_is_worth(test: str, worth: Worth) -> None:
    assert worths(f"assert {test}") == [worth]


@pytest.mark.parametrize(
    ("lines", "worth"),
    [
        ("a = price(1)\nb = price(1)\nassert a == b", TAUTOLOGY),
        ("a = price(1)\nb = a\nc = b\nassert c == price(1)", TAUTOLOGY),
        ("a = price(1)\na = price(2)\nassert a == price(1)", TELLING),
        ("a = price(1)\nfor b in a:\n    assert a == b", TELLING),
        ("a, b = price(1), price(1)\nassert a == b", TELLING),
        ("a = price(1)\nassert a in [a]", TAUTOLOGY),
        ("n = 0\nassert len(price(1)) >= n", TAUTOLOGY),
        ("k = type(price(1))\nassert k is int", TYPE_ONLY),
        ("a = [a]\nassert a == price(1)", TELLING),
        ("x = None\nassert price(1) is not x", TYPE_ONLY),
    ],
)
def test_names_stand_for_what_they_were_given_once(lines: str, worth: Worth) -> None:
    assert worths(lines) == [worth]


def test_a_value_that_is_not_empty_says_little_of_a_valued_function() -> None:
    assert worths("assert price(1)", ("price",)) == [TYPE_ONLY]
    assert worths("a = price(1)\nassert a", ("price",)) == [TYPE_ONLY]
    assert worths("assert Cart().price()", ("price",)) == [TYPE_ONLY]
    assert worths("assert price(1) == 2", ("price",)) == [TELLING]
    assert worths("assert other(1)", ("other",)) == [BLIND]
    assert worths("assert not price(1)", ("price",)) == [TELLING]


RAISES = ["raises", "warns", "deprecated_call", "RaisesGroup", "RaisesExc"]
SELF_RAISES = ["assertRaises", "assertRaisesRegex", "assertWarns", "assertWarnsRegex", "assertLogs",
               "assertNoLogs"]  # fmt: skip


@pytest.mark.parametrize(
    "name", [f"pytest.{n}" for n in RAISES] + [f"self.{n}" for n in SELF_RAISES]
)
def test_an_expected_error_tells_when_the_code_runs_in_it(name: str) -> None:
    assert worths(f"with {name}(ValueError):\n    price(1)") == [TELLING]
    assert worths(f"with {name}(ValueError):\n    int('x')") == [BLIND]
    assert worths(f"with {name}(Exception):\n    price(1)") == [ANY_ERROR]
    assert worths(f"with {name}(Exception):\n    int('x')") == [BLIND]
    with_text = TELLING if name.endswith("Regex") else ANY_ERROR
    assert worths(f"with {name}(Exception, 'a'):\n    price(1)") == [with_text]


@pytest.mark.parametrize(
    ("kinds", "worth"),
    [
        ("Exception", ANY_ERROR), ("BaseException", ANY_ERROR), ("(ValueError, Exception)", ANY_ERROR),
        ("builtins.Exception", ANY_ERROR), ("ValueError", TELLING), ("(ValueError, KeyError)", TELLING),
        ("Exception, match='a'", TELLING), ("Exception, check=f", TELLING), ("Exception, msg='a'", ANY_ERROR), ("", TELLING),
    ],
)  # fmt: skip
def test_any_error_is_too_many(kinds: str, worth: Worth) -> None:
    assert worths(f"with pytest.raises({kinds}):\n    price(1)") == [worth]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("pytest.raises(ValueError, price, 1)", [TELLING]), ("pytest.raises(Exception, price, 1)", [ANY_ERROR]),
        ("pytest.raises(ValueError, int, 1)", []), ("pytest.raises(ValueError)", []),
        ("self.assertRaises(ValueError, price)", [TELLING]), ("pytest.warns(UserWarning, price)", []),
        ("pytest.fail('x')", [TELLING]), ("self.fail()", [TELLING]), ("other.fail()", []),
        ("same(price(1), 2)", [TELLING]), ("same(1, 2)", [BLIND]), ("self.same(price(1))", [TELLING]),
        ("self.assertEqual(price(1), 2)", [TELLING]), ("self.assertEqual(1, 2)", [BLIND]),
        ("self.assertEqual(price(1), price(1))", [TAUTOLOGY]), ("self.assertEqual(first=price(1), second=2)", [TELLING]),
        ("self.assertIsInstance(price(1), int)", [TYPE_ONLY]), ("self.assertIsNotNone(price(1))", [TYPE_ONLY]),
        ("self.assertHasAttr(price(1), 'a')", [TYPE_ONLY]), ("self.assertTrue(price(1) == 2)", [TELLING]),
        ("self.assertTrue(isinstance(price(1), int))", [TYPE_ONLY]), ("self.assertFalse(price(1) == price(1))", [TAUTOLOGY]),
        ("self.assert_(price(1) or 1)", [TAUTOLOGY]), ("failUnless(price(1))", []),
        ("self.assertTrue(expr=price(1))", [TELLING]), ("check_it(price(1))", [TELLING]), ("verify_it(price(1))", [TELLING]),
        ("expect(price(1))", [TELLING]), ("assert_type(price(1), int)", []), ("print(price(1))", []),
        ("m.assert_called_once()", [TELLING]), ("m.assert_any_call(1)", [TELLING]), ("m.assert_has_calls([])", [TELLING]),
        ("m.assert_not_called()", [TELLING]), ("m.assert_awaited()", [TELLING]), ("m.assert_other(1)", [BLIND]),
        ("self.assertEqual(price(1))", [TELLING]), ("raise AssertionError", [TELLING]), ("raise AssertionError('x')", [TELLING]),
        ("raise ValueError", []), ("raise", []),
    ],
)  # fmt: skip
def test_a_call_is_worth(line: str, found: list[Worth]) -> None:
    assert worths(line) == found


@pytest.mark.parametrize(
    ("lines", "carries"),
    [
        ("r = price(1)", True), ("r = 1", False), ("r: int = price(1)", True), ("r = 0; r += price(1)", True),
        ("r = 0; r += 1", False), ("for r in price(1): pass", True), ("for r in [1]: pass", False),
        ("r = 0\nfor x in price(1):\n    r += 1", True), ("r = 0\nfor x in [1]:\n    r += 1", False),
        ("for x in price(1): pass\nelse: r = 1", True), ("if price(1): r = 1", True), ("if 1: r = 1", False),
        ("if 1: pass\nelse: r = price(1)", True), ("if price(1): pass\nelse: r = 1", True),
        ("while price(1): r = 1", True), ("while x: r = 1", False), ("with open('a') as r: pass", True),
        ("with a: r = 1", False), ("with a: r = price(1)", True), ("try:\n    price(1)\nexcept E as r: pass", True),
        ("try:\n    x()\nexcept E as r: pass", False), ("try:\n    price(1)\nexcept E: r = 1", True),
        ("try:\n    x()\nexcept E: r = 1", False), ("try:\n    price(1)\nexcept E: pass\nelse: r = 1", True),
        ("try:\n    price(1)\nfinally: r = 1", False), ("try:\n    r = price(1)\nfinally: pass", True),
        ("try:\n    x()\nfinally: r = price(1)", True), ("def r(): return price(1)", True), ("def r(): return 1", False),
        ("class r: a = price", True), ("class r: a = 1", False), ("r = []; r.append(price(1))", True),
        ("r = []; r.append(1)", False), ("r = []; r.append(x=price(1))", True), ("print(r := price(1))", True),
        ("print(r := 1)", False), ("r = []; price(r)", True), ("r = []; price(x=r)", True), ("r = []; print(r)", False),
        ("match price(1):\n    case 1: r = 1", True), ("match x:\n    case 1: r = 1", False), ("match x:\n    case 1: r = price(1)", True),
        ("r, s = 1, price(1)", True), ("a = price(1); b = a; c = b; r = c", True), ("r = c; c = b; b = a; a = price(1)", True),
        ("price(1); r = open('x').read()", True), ("r = open('x').read()", False), ("price(1); r = os.getcwd()", True),
        ("price(1); r = str(1)", False), ("async def f():\n    async for r in price(1): pass", False),
        ("if price(1):\n    for x in [1]: r = 1", True), ("if price(1):\n    with a: r = 1", True), ("if price(1):\n    while x: r = 1", True),
        ("if price(1):\n    try: r = 1\n    finally: pass", True), ("if price(1):\n    try: x\n    finally: r = 1", True),
        ("if price(1):\n    match x:\n        case 1: r = 1", True), ("if price(1):\n    r: int = 1", True),
        ("if price(1):\n    try: x\n    except E: r = 1", True), ("if price(1):\n    for x in y: pass\n    else: r = 1", True),
    ],
)  # fmt: skip
def test_values_flow_from_the_code_under_test(lines: str, carries: bool) -> None:
    assert worths(f"{lines}\nassert r == 4") == [TELLING if carries else BLIND]


@pytest.mark.parametrize(
    ("call", "looks"),
    [
        ("open('a')", True), ("os.listdir()", True), ("pathlib.Path('a')", True), ("Path('a')", True),
        ("sys.stdout.x()", True), ("sqlite3.connect(1)", True), ("subprocess.run(1)", True), ("runpy.run(1)", True),
        ("importlib.reload(1)", True), ("__import__('a')", True), ("shutil.which(1)", True), ("json.load(1)", True),
        ("logging.getLogger()", True), ("sys.exc_info()", False), ("json.dumps(1)", False), ("len(1)", False),
    ],
)  # fmt: skip
def test_looking_outside_sees_what_the_code_left_there(call: str, looks: bool) -> None:
    assert worths(f"price(1)\nassert {call} == 4") == [TELLING if looks else BLIND]
    assert worths(f"assert {call} == 4") == [BLIND]


@pytest.mark.parametrize(
    ("signature", "carries"),
    [
        ("r", True), ("self, r", True), ("request", False), ("monkeypatch", False), ("cls", False),
        ("*, r", True), ("r, /", True), ("self", True),
    ],
)  # fmt: skip
def test_what_a_test_is_given_carries_unless_it_is_inert(signature: str, carries: bool) -> None:
    name = signature.replace(", /", "").split(", ")[-1].replace("*", "").strip()
    assert worths(f"assert {name} == 4", signature=signature) == [TELLING if carries else BLIND]


@pytest.mark.parametrize(
    ("decorator", "worth"),
    [
        ("@pytest.mark.parametrize('r', [1])", "blind_assertion"), ("@pytest.mark.parametrize('r', [price(1)])", None),
        ("@pytest.mark.parametrize('a, r', [(1, 2)])", "blind_assertion"), ("@pytest.mark.parametrize(('a', 'r'), [(1, 2)])", "blind_assertion"),
        ("@pytest.mark.parametrize(['r'], [1])", "blind_assertion"), ("@pytest.mark.parametrize('a', [1])", None),
        ("@mark.parametrize('r', [1])", "blind_assertion"), ("@given(r=ints())", "blind_assertion"), ("@given(ints())", "blind_assertion"),
        ("@given(price)", None), ("@hypothesis.example(1)", "blind_assertion"), ("@other(r=1)", None), ("@given", None),
        ("@parameterized.expand('r', [1])", "blind_assertion"), ("@pytest.mark.parametrize('r')", None),
    ],
)  # fmt: skip
def test_parameters_from_the_file_carry_what_they_are_filled_from(
    decorator: str, worth: str | None
) -> None:
    body = f"{decorator}\ndef test_a(r):\n    assert r == 4\n"
    found = [each.reason_code for each in OracleGate().judge(new_test(body, head=HEAD))]
    assert found == ["ok" if worth is None else worth]


def function(text: str) -> ast.FunctionDef:
    (node,) = ast.parse(text).body
    assert isinstance(node, ast.FunctionDef)
    return node


def test_parameters_are_all_arguments_by_name() -> None:
    assert parameters(function("def f(a, /, b, *c, d, **e): ...")) == ["a", "b", "d"]


def test_values_of_parameters_are_found_by_their_places() -> None:
    def shown(text: str) -> dict[str, str]:
        return {name: ast.unparse(value) for name, value in parametrised(function(text)).items()}

    assert shown("@given(x(), y())\ndef f(self, a, b): ...") == {"b": "y()", "a": "x()"}
    assert shown("@pytest.mark.parametrize(' a ,b,', [1])\ndef f(a, b): ...") == {
        "a": "[1]", "b": "[1]",
    }  # fmt: skip
    assert shown("@pytest.mark.parametrize(NAMES, [1])\ndef f(a): ...") == {}
    assert shown("@pytest.mark.skip\n@given(a=x())\ndef f(a): ...") == {"a": "x()"}


@pytest.mark.parametrize(
    ("origin", "is_own"),
    [
        ("shop", True), ("shop.stock", True), (".stock", True), ("", True), ("json", False),
        ("workshop", False), ("other", False),
    ],
)  # fmt: skip
def test_production_code_is_what_the_packages_say(origin: str, is_own: bool) -> None:
    assert is_production(origin, matter()) is is_own


LIBRARIES = """pytest unittest hypothesis mock _pytest doctest freezegun time_machine numpy pandas
    faker responses syrupy dirty_equals attrs""".split()


@pytest.mark.parametrize("name", LIBRARIES)
def test_without_packages_libraries_are_known_by_name(name: str) -> None:
    around = Surroundings(modules=frozenset({"json"}))
    asked = Matter(Stage.A, Change(()), surroundings=around)
    assert not is_production(name, asked)
    assert not is_production("json.tool", asked)
    assert is_production("anything", asked)
    assert production_names({"a": name, "b": "own.c"}, asked) == {"b"}


def test_new_tests_are_those_that_were_not_there_or_not_so() -> None:
    old = "def test_a():\n    assert f()\n\ndef test_b():\n    assert g()\n"
    new = (
        old.replace("g()", "h()")
        + "\ndef test_c(): ...\n\nclass TestD:\n    def test_e(self): ...\n"
    )
    (file,) = test_files(matter(edit("tests/test_a.py", old, new)))
    assert list(file.new_tests()) == ["test_b", "test_c", "TestD.test_e"]
    assert list(file.tests()) == ["test_a", "test_b", "test_c", "TestD.test_e"]


def test_only_what_pytest_collects_is_a_test() -> None:
    text = "def test_a(): ...\ndef help(): ...\nclass _Hidden:\n    def test_b(self): ...\nif 1:\n    def test_c(): ...\n"
    for path, names in (("tests/test_x.py", ["test_a", "test_c"]), ("tests/x.py", [])):
        (file,) = test_files(matter(edit(path, None, text)))
        assert list(file.tests()) == names


@pytest.mark.parametrize(
    ("path", "after"),
    [
        ("src/shop/a.py", "a = 1\n"),
        ("tests/a.txt", "a"),
        ("tests/a.py", "def f(:"),
        ("tests/a.py", None),
    ],
)
def test_other_files_are_no_files_of_tests(path: str, after: str | None) -> None:
    good = edit("tests/test_b.py", None, "a = 1\n")
    found = [file.parsed.path for file in test_files(matter(edit(path, "a\n", after), good))]
    assert found == ["tests/test_b.py"]


def test_a_renamed_file_is_read_under_its_old_name() -> None:
    text = "def test_a():\n    assert f()\n"
    (file,) = test_files(
        matter(edit("tests/test_b.py", text, text, renamed_from="tests/test_a.py"))
    )
    assert file.new_tests() == {}
    (moved,) = test_files(matter(edit("tests/test_b.py", text, text, renamed_from="tests/a.py")))
    assert list(moved.new_tests()) == ["test_a"]


REASONS = {
    "tautology": "its assertions hold whatever the code does",
    "blind_assertion": "its assertions look at nothing that the code under test made",
    "asserts_type_only": "it asserts only that there is a value, or of which type",
    "accepts_any_error": "it is content with any error at all",
}
ORDERED = {
    "tautology": "assert True", "accepts_any_error": "with pytest.raises(Exception): price(1)",
    "blind_assertion": "assert x == 1", "asserts_type_only": "assert price(1) is not None",
}  # fmt: skip


@pytest.mark.parametrize("first", range(4))
def test_the_worst_of_what_cannot_fail_is_told(first: int) -> None:
    lines = [*ORDERED.values()][first:]
    body = "".join(f"    {line}\n" for line in reversed(lines))
    (found,) = OracleGate().judge(new_test(f"def test_a():\n{body}", head=HEAD))
    code = [*ORDERED][first]
    place = "tests/test_shop.py:5"
    assert found == Ruling("oracle", Answer.FAIL, code, f"test_a: {REASONS[code]}", place)


def test_one_assertion_that_tells_is_enough() -> None:
    body = "".join(f"    {line}\n" for line in ORDERED.values())
    (found,) = OracleGate().judge(
        new_test(f"def test_a():\n{body}    assert price(1) == 2\n", head=HEAD)
    )
    assert found == Ruling(
        "oracle", Answer.PASS, "ok", "every new test asserts something of the code"
    )
    (none,) = OracleGate().judge(
        new_test("class TestIt:\n    def test_a(self):\n        price(1)\n")
    )
    assert (none.reason_code, none.reason, none.measured) == (
        "no_assertion", "TestIt.test_a asserts nothing", "tests/test_shop.py:4",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("helper", "is_asserting"),
    [
        ("assert a == b", True), ("m.assert_called(a)", True), ("raises(a)", True), ("pytest.raises(a)", True),
        ("return a == b", False), ("print(a)", False),
    ],
)  # fmt: skip
def test_a_helper_that_asserts_stands_for_an_assertion(helper: str, is_asserting: bool) -> None:
    body = f"def same(a, b):\n    {helper}\n\n\ndef test_a():\n    same(price(1), 2)\n"
    codes = [each.reason_code for each in OracleGate().judge(new_test(body))]
    assert codes == ["ok" if is_asserting else "no_assertion"]


CAUGHT = "errors and failed assertions are caught and forgotten"


@pytest.mark.parametrize(
    ("handler", "is_caught"),
    [
        ("except: pass", True), ("except Exception: pass", True), ("except BaseException: pass", True),
        ("except AssertionError: pass", True), ("except object: pass", True), ("except (KeyError, Exception): pass", True),
        ("except KeyError: pass", False), ("except Exception: raise", False), ("except Exception: pytest.fail('x')", False),
        ("except Exception: self.fail()", False), ("except Exception: other.fail()", True), ("except* Exception: pass", True),
        ("finally: return", True), ("finally: x", False), ("except my.Exception: pass", False), ("except f(): pass", True),
    ],
)  # fmt: skip
def test_a_failure_that_is_caught_and_forgotten_is_told(handler: str, is_caught: bool) -> None:
    body = f"def test_a():\n    try:\n        assert price(1) == 2\n    {handler}\n"
    found = list(OracleGate().judge(new_test(body)))
    refused = Ruling("oracle", Answer.FAIL, "catch_all", CAUGHT, "tests/test_shop.py:4")
    assert (refused in found) is is_caught
    assert len(found) == 1


@pytest.mark.parametrize(
    ("line", "is_caught"),
    [
        ("contextlib.suppress(Exception)", True), ("suppress(KeyError, AssertionError)", True),
        ("suppress(KeyError)", False), ("other(Exception)", False), ("suppress", False),
    ],
)  # fmt: skip
def test_a_failure_that_is_suppressed_is_told(line: str, is_caught: bool) -> None:
    body = f"def test_a():\n    with x, {line}:\n        assert price(1) == 2\n"
    codes = [each.reason_code for each in OracleGate().judge(new_test(body))]
    assert codes == (["catch_all"] if is_caught else ["ok"])


def test_what_was_caught_before_is_not_told_again() -> None:
    old = "def help():\n    try:\n        f()\n    except Exception:\n        pass\n"
    longer = old + "\n\ndef test_a():\n    assert price(1) == 2\n"
    head = "from shop import price\n"
    (found,) = OracleGate().judge(matter(edit("tests/test_a.py", head + old, head + longer)))
    assert found.reason_code == "ok"


@pytest.mark.parametrize(
    ("top", "carries"),
    [
        ("r = price(1)", True), ("r = 1", False), ("def r(): return price(1)", True), ("def r(): return 1", False),
        ("def s(): return price(1)\ndef r(): return s()", True), ("class C:\n    def m(self): return price(1)\nr = C()", True),
        ("def r(): return s()\ndef s(): return t()\ndef t(): return price(1)", True),
    ],
)  # fmt: skip
def test_helpers_and_values_of_the_file_carry(top: str, carries: bool) -> None:
    body = f"{top}\n\ndef test_a():\n    assert r == 4\n"
    codes = [each.reason_code for each in OracleGate().judge(new_test(body, head=HEAD))]
    assert codes == ["ok" if carries else "blind_assertion"]
