"""Checks that tell a reader something, and those that are left out."""

import ast
from dataclasses import replace

import pytest
from tests.unit.dreamers.enrich.writing.scenarios import (
    call,
    error,
    make,
    scenario,
    value,
)

from reverie.dreamers.enrich.writing.selecting.candidates import Candidate, Check, Relation
from reverie.dreamers.enrich.writing.selecting.taste import (
    AnyTaste,
    Telling,
    is_bland,
    is_natural,
    repeats_itself,
)
from reverie.model.call import Expression, Step, StepForm

MODULE = """
class Shelf:
    def __init__(self, most):
        self.most = most

    @property
    def free(self):
        return self.most

    def __len__(self):
        return 0

    def put(self, book):
        self.books.append(book)


def parse(text): ...
"""
TELLING = Telling(ast.parse(MODULE))


def _check(reading: str, expected: str, relation: Relation = Relation.EQUALS) -> Check:
    return Check(0, relation, reading, Expression(expected))


@pytest.mark.parametrize(
    ("check", "expected"),
    [
        (_check("{}", "'one'"), True),
        (_check("{}", repr("long " * 80)), False),
        (_check("{}", "Shelf", Relation.IS_A), False),
        (_check("len({})", "76"), False),
        (_check("{}[:20]", "'one'"), False),
        (_check("{}._hidden", "1"), False),
        (_check("{}.width", "1"), False),
        (_check("{}.most", "1"), True),
        (_check("{}", "'d41d8cd98f00b204e9800998ecf8427e'"), False),
        (_check("{}", "0.3333333333"), False),
    ],
)
def test_a_result_is_worth_a_check_where_a_reader_can_judge_it(
    check: Check, expected: bool
) -> None:
    story = scenario((call("parse('one')"), value("'one'", "builtins.str")))
    assert TELLING.tells(story, check) is expected


def test_digits_that_went_in_may_come_out() -> None:
    story = scenario((call("parse('0-306-40615-2978')"), value("'x'", "builtins.str")))
    assert TELLING.tells(story, _check("{}", "'30640615'"))


@pytest.mark.parametrize(
    ("reading", "expected"),
    [("{}.most", False), ("{}.free", True), ("{}.books", True), ("len({})", True)],
)
def test_a_field_that_holds_what_it_was_given_is_no_behaviour(reading: str, expected: bool) -> None:
    story = scenario((make("Shelf(3)", "shelf"), value("None", "shop.Shelf")))
    assert TELLING.tells(story, _check(reading, "3")) is expected


@pytest.mark.parametrize(("kind", "expected"), [("Exception", False), ("ValueError", True)])
def test_any_exception_is_no_promise(kind: str, expected: bool) -> None:
    story = scenario((call("parse('')"), error("ValueError", "empty")))
    assert TELLING.tells(story, _check("{}", kind, Relation.RAISES)) is expected


@pytest.mark.parametrize(
    ("line", "result", "expected"),
    [
        ("parse('')", "'x'", True),
        ("parse('one')", "[]", True),
        ("parse('one')", "'one'", True),
        ("parse('one')", "'One'", False),
        ("parse('one')", "True", False),
        ("Shelf().join(['one'])", "'one'", True),
        ("Shelf('one').title()", "Shelf('')", True),
        ("Shelf('one').name", "'one'", True),
        ("Shelf('one').label()", "'one'", True),
        ("Shelf('one').size", "3", False),
        ("str(ShelfError('one'))", "'one'", True),
        ("str(Shelf('one'))", "'one'", False),
        ("parse('one', 'one')", "0", True),
        ("Shelf('one').sorted()", "Shelf('one')", True),
        ("Shelf('one').sorted()", "Shelf('one', most=None)", True),
        ("Shelf('one').sorted()", "Shelf('two')", False),
    ],
)
def test_nothing_in_or_out_is_no_typical_use(line: str, result: str, expected: bool) -> None:
    assert is_bland(line, result) is expected


def test_the_same_line_with_the_same_result_says_nothing_new() -> None:
    line = (call("parse('one')"), value("1", "builtins.int"))
    again = (call("parse('one')"), value("2", "builtins.int"))
    assert repeats_itself(scenario(line, line))
    assert not repeats_itself(scenario(line, again))


WAITING = """
class Queue:
    def __init__(self, names=()):
        self.names = list(names)
        self.is_open = False
        self.done = 0

    def __len__(self):
        return len(self.names)

    def open(self):
        self.is_open = True

    def close(self):
        self.is_open = False

    def next(self):
        self.done += 1
        return self.names.pop()


class Plain:
    def go(self): ...
"""
QUEUES = Telling(ast.parse(WAITING))
SHOWN = Check(1, Relation.EQUALS, "{}", Expression("0"))
QUEUE = value("None", "shop.Queue")


@pytest.mark.parametrize(("given", "expected"), [("Queue()", False), ("Queue(['Ada'])", True)])
def test_how_an_untouched_object_looks_says_nothing(given: str, expected: bool) -> None:
    line = Step(Expression("str(queue)"), StepForm.OPERATE, "Queue.__len__")
    looks = Telling(ast.parse(WAITING.replace("__len__", "__str__")))
    story = scenario((make(given, "queue"), QUEUE), (line, value("'0'")))
    assert looks.tells(story, SHOWN) is expected


@pytest.mark.parametrize(("method", "expected"), [("next", False), ("close", True)])
def test_a_field_that_is_as_it_began_tells_something_where_a_method_set_it(
    method: str, expected: bool
) -> None:
    read = Step(Expression("queue.is_open"), StepForm.READ, "Queue.is_open")
    story = scenario(
        (make("Queue(['Ada'])", "queue"), QUEUE),
        (call(f"queue.{method}()", f"Queue.{method}"), value("None")),
        (read, value("False", "builtins.bool")),
    )
    assert QUEUES.tells(story, Check(2, Relation.IS, "{}", Expression("False"))) is expected


def test_how_python_shows_an_object_is_not_the_modules() -> None:
    line = Step(Expression("repr(plain)"), StepForm.OPERATE, "Plain")
    story = scenario(
        (make("Plain(3)", "plain"), value("None", "shop.Plain")), (line, value("'Plain()'"))
    )
    assert not QUEUES.tells(story, Check(1, Relation.EQUALS, "{}", Expression("'Plain()'")))


def test_a_compiled_pattern_is_not_compared() -> None:
    story = scenario((call("parse('one')"), value("re.compile('a')", "re.Pattern")))
    assert not TELLING.tells(story, _check("{}", "re.compile('a')"))


class _NotBelowZero(AnyTaste):
    def spoilt(self, step: Step) -> tuple[str, ...]:
        return ("-1",) if "-1" in step.line.source else ()


def test_a_wrong_number_shows_a_refusal_only_where_it_is_refused() -> None:
    refused = scenario((call("parse(-1)"), error("ValueError", "below 0")))
    taken = scenario(
        (make("Shelf(-1)", "shelf"), value("shelf")),
        (call("shelf.put('a')", "Shelf.put"), error("ValueError", "full")),
    )
    natural = [is_natural(Candidate(each, (), 0), _NotBelowZero()) for each in (refused, taken)]
    assert natural == [True, False]


@pytest.mark.parametrize(
    ("expected", "is_told"),
    [
        (r"b'\x91\x04'", True),
        (r"b'\x82\x14\x0b/jimiscool/\x10\tcustomkey\rsensitiveinfo'", True),
        (r"b'?\t\x82D\x88c\xa1\xa92\x08s\xd0\xc7@\x8a\xfc[q\xe9'", False),
        ("'Zażółć gęślą jaźń'", True),
    ],
)
def test_bytes_that_nobody_can_read_are_no_result_to_check(expected: str, is_told: bool) -> None:
    line = scenario((call("parse('a')"), value(expected)))
    assert TELLING.tells(line, _check("{}", expected)) is is_told


def test_a_long_number_that_people_have_written_can_be_checked() -> None:
    line = scenario((call("parse('0306406152')"), value("'9780306406157'")))
    check = _check("{}", "'9780306406157'")
    assert not TELLING.tells(line, check)
    assert Telling(ast.parse(MODULE), Reading()).tells(line, check)


class Reading(AnyTaste):
    """Somebody who knows one number, and never looks at `is_open`."""

    def knows(self, text: str) -> bool:
        return text == "9780306406157"

    def asks(self, kind: str, name: str) -> bool:
        return name != "is_open"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Markup().center(8)", True),
        ("Markup() * 3", True),
        ("Levenshtein().distance('kitten', 'sitting')", False),
    ],
)
def test_an_object_that_needs_to_hold_nothing_may_be_asked(line: str, expected: bool) -> None:
    assert is_bland(line, "'a'") is expected


def test_an_untouched_object_is_none_that_is_filled_later() -> None:
    story = scenario(
        (make("Shelf(3)", "shelf"), value("Shelf")),
        (call("len(shelf)", "Shelf.__len__"), value("0", "builtins.int")),
        (call("shelf.put('a')", "Shelf.put"), value("'a'")),
    )
    empty = replace(story, steps=(make("Shelf()", "shelf"), *story.steps[1:]))
    assert not TELLING.tells(empty, replace(_check("{}", "0"), step=1))


@pytest.mark.parametrize(
    ("line", "expected", "tells"),
    [
        ("parse({'a': 2}, 'b', default=2)", "2", False),
        ("parse({'a': 2}, 'b', 2)", "2", False),
        ("parse({'a': 2}, 'b', default=3)", "3", True),
        ("parse({'a': 2}, 'a', default=3)", "2", True),
    ],
)
def test_a_default_that_stands_in_the_rest_as_well_shows_nothing(
    line: str, expected: str, tells: bool
) -> None:
    story = scenario((call(line, "parse"), value(expected, "builtins.int")))
    assert TELLING.tells(story, _check("{}", expected)) is tells


def test_a_field_that_is_as_another_is_shows_nothing() -> None:
    seen = replace(
        value("None", "shop.Shelf"),
        parts={f"{{}}.{name}": Expression(text) for name, text in PARTS.items()},
    )
    story = scenario((call("parse('white')", "parse"), seen))
    told = {name for name in PARTS if TELLING.tells(story, _check(f"{{}}.{name}", PARTS[name]))}
    assert told == {"width"}


PARTS = {"width": "120", "height": "255", "depth": "255"}


@pytest.mark.parametrize(("made", "expected"), [("Shelf()", False), ("Shelf(3)", True)])
def test_a_property_of_an_object_made_of_nothing_says_nothing(made: str, expected: bool) -> None:
    story = scenario((make(made, "shelf"), value("None", "shop.Shelf")))
    assert TELLING.tells(story, _check("{}.free", "True")) is expected


def test_a_field_that_nobody_looks_at_is_not_asked_for() -> None:
    read = Step(Expression("queue.is_open"), StepForm.READ, "Queue.is_open")
    story = scenario(
        (make("Queue(['Ada'])", "queue"), QUEUE),
        (call("queue.open()", "Queue.open"), value("None")),
        (read, value("True", "builtins.bool")),
    )
    check = Check(2, Relation.IS, "{}", Expression("True"))
    assert QUEUES.tells(story, check)
    assert not Telling(ast.parse(WAITING), Reading()).tells(story, check)
