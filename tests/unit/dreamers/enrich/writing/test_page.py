"""From scenarios to text: what a person reads in the end."""

import ast

from reverie.dreamers.enrich.writing.admission import constructors_of
from reverie.dreamers.enrich.writing.habits import Framework
from reverie.dreamers.enrich.writing.page import Heading, Needs, render
from reverie.dreamers.enrich.writing.selecting.candidates import (
    Candidate,
    Names,
    candidates_of,
    trial_program,
)
from reverie.dreamers.enrich.writing.selecting.threads import threads_of
from reverie.dreamers.enrich.writing.wording.bodies import body_of
from reverie.dreamers.enrich.writing.wording.grouping import Entry, arrange
from reverie.dreamers.enrich.writing.wording.tables import parameters_of
from reverie.model.call import Scenario, Seen

from .scenarios import NOTHING, call, change, error, make, scenario, value

_MODULE = """
class Version:
    def __init__(self, major, minor=0, patch=0, build=None): ...
    def bump(self, part): ...

def parse(text, strict=True):
    raise ValueError(f"{text!r} is no version")

class Cache:
    def popitem(self):
        raise KeyError("cache is empty")
"""
_TREE = ast.parse(_MODULE)
_OWN = frozenset({"Version", "parse", "Cache"})
_NAMES = Names(_OWN, constructors=constructors_of(_TREE))
_TEXTS = ("is no version", "cache is empty")


def _candidates(*scenarios: Scenario) -> list[Candidate]:
    return candidates_of(threads_of(scenarios, _OWN), _NAMES, _TEXTS)


def _page(*scenarios: Scenario, framework: Framework = Framework.PYTEST) -> str:
    entries = [
        Entry(place, each.callee(each.numbers), tuple(body_of(each, each.numbers[:1])))
        for place, each in enumerate(_candidates(*scenarios))
    ]
    tests = arrange(entries, parameters_of(_TREE), {"Version.bump": 4, "parse": 6})
    heading = Heading("pkg.versions", "reverie enrich pkg.versions --seed 1", framework)
    source = render(tests, heading, Needs(_OWN, frozenset()))
    compile(source, "page", "exec")
    return source


def _bumped(major: int, part: str, expected: str) -> Scenario:
    return scenario(
        (make(f"Version({major}, 2, 3)", "made"), NOTHING),
        (call(f"made.bump({part!r})", "Version.bump"), value(expected, "pkg.versions.Version")),
    )


def test_one_case_is_one_line() -> None:
    bumped = _bumped(1, "major", "Version(major=2, minor=0, patch=0, build=None)")
    assert (
        _page(bumped)
        == '''"""Tests of pkg.versions. To write them anew: reverie enrich pkg.versions --seed 1"""

from pkg.versions import Version


def test_bump() -> None:
    assert Version(1, 2, 3).bump("major") == Version(2, 0, 0)
'''
    )


def test_cases_that_differ_in_data_are_a_table() -> None:
    page = _page(*(scenario((call(f"parse({n!r})"), value(f"({n}, 0)"))) for n in (3, 10, 2)))
    assert (
        """
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (2, (2, 0)),
        (3, (3, 0)),
        (10, (10, 0)),
    ],
)
def test_parse(text: int, expected: tuple[Any, ...]) -> None:
    assert parse(text) == expected
"""
        in page
    )
    assert "from typing import Any\n\nimport pytest\n\nfrom pkg.versions import parse\n" in page


def test_errors_with_their_messages_are_a_table_too() -> None:
    page = _page(
        *(
            scenario((call(f"parse({t!r})"), error("ValueError", f"{t!r} is no version")))
            for t in ("", "x")
        )
    )
    assert (
        """
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "'' is no version"),
        ("x", "'x' is no version"),
    ],
)
def test_parse_refuses_a_wrong_text(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse(text)
"""
        in page
    )


def test_what_has_nothing_to_do_with_a_test_is_not_in_it() -> None:
    page = _page(
        scenario(
            (call("parse('1')"), value("(1, 0)")),
            (make("Cache()", "made"), Seen("pkg.versions.Cache")),
            (change("made['a'] = 1"), NOTHING),
            (call("made.popitem()", "Cache.popitem"), value("('a', 1)")),
        )
    )
    assert page.endswith("""
def test_parse() -> None:
    assert parse("1") == (1, 0)


def test_popitem() -> None:
    cache = Cache()
    cache["a"] = 1
    assert cache.popitem() == ("a", 1)
""")


def test_unittest_gets_a_class_with_the_same_cases() -> None:
    several = [scenario((call(f"parse({n!r})"), value(f"({n}, 0)"))) for n in (3, 10, 2)]
    failing = scenario((call("parse('')"), error("KeyError", "''")))
    page = _page(*several, failing, framework=Framework.UNITTEST)
    assert (
        """
class VersionsTest(unittest.TestCase):
    def test_parse(self) -> None:
        cases: list[Any] = [
            (2, (2, 0)),
            (3, (3, 0)),
            (10, (10, 0)),
        ]
        for text, expected in cases:
            with self.subTest(text=text):
                self.assertEqual(parse(text), expected)

    def test_parse_raises_key_error_for_an_unknown_key(self) -> None:
        with self.assertRaises(KeyError):
            parse("")
"""
        in page
    )
    assert "pytest" not in page


def test_the_program_tells_which_checks_hold() -> None:
    candidates = _candidates(
        scenario((call("parse('1')"), value("(1, 0)"))),
        scenario((call("parse('')"), error("ValueError", "'' is no version"))),
    )
    program = trial_program(candidates, "versions_for_trial")
    namespace: dict[str, object] = {}
    program = program.replace("from versions_for_trial import parse", _PARSE)
    exec(program, namespace)  # noqa: S102  our own
    held: list[int] = []
    for trial in namespace["TRIALS"]:  # type: ignore[attr-defined]
        trial(held.append)
    assert held == [number for each in candidates for number in each.numbers]


_PARSE = """
def parse(text):
    if not text:
        raise ValueError("'' is no version")
    return (int(text), 0)
"""


def test_a_value_that_may_not_be_written_is_not_asserted() -> None:
    assert _candidates(scenario((call("parse('1')"), value("__import__('os')")))) == []


def test_what_is_not_in_is_written_so() -> None:
    page = _page(
        scenario((call("parse('1') in []", "parse"), value("False", "builtins.bool"))),
        scenario((call("parse('1') in [1]", "parse"), value("True", "builtins.bool"))),
    )
    assert '    assert parse("1") not in []\n' in page


def test_a_message_that_repeats_the_input_is_not_the_modules_own() -> None:
    page = _page(scenario((call("parse('cache is empty')"), error("KeyError", "cache is empty"))))
    assert "with pytest.raises(KeyError):\n" in page


def test_what_uses_nothing_of_the_module_is_no_test_of_it() -> None:
    assert _candidates(scenario((call("len('abc')"), value("3", "builtins.int")))) == []


def test_an_object_in_a_line_that_is_too_long_has_a_line_of_its_own() -> None:
    made = f"Version(1, 2, 3, '{'a' * 60}')"
    page = _page(scenario((call(f"parse({made}, strict=False)", "parse"), value("(1, 0)"))))
    assert (
        f'''
def test_parse_without_strict() -> None:
    version = Version(1, 2, 3, "{"a" * 60}")
    assert parse(version, strict=False) == (1, 0)
'''
        in page
    )
