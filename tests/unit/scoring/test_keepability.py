"""A test is likely kept for what it says, and less likely for what a search has left in it."""

import ast

import pytest

from reverie.scoring.keepability import (
    Known,
    anatomy,
    files_about,
    known_of,
    score_tests,
    text_noise,
)
from reverie.scoring.keepability.anatomy import read_test, says_nothing
from reverie.scoring.keepability.score import facts_of, is_empty_name, named_after
from reverie.scoring.keepability.weights import WEIGHTS

MODULE = '''
"""Loans, with examples such as `9780306406157` and `Mon-Fri 9:00-18:00`."""
GRACE_DAYS = 2
LIMIT = 480

class Lost(Exception):
    """A book that is gone."""

class Waiting:
    def __init__(self, most: int = 5) -> None:
        self.most = most

    def reserve(self, isbn: str, reader: str) -> int:
        if reader == "card-17":
            raise ValueError(f"{reader} is waiting already")
        return 1

    def forget(self, isbn: str) -> None:
        self.most -= 1

def parse_hours(text: str) -> dict[str, int]:
    return {text: _minutes(text)}

def _minutes(text: str) -> int:
    return len(text)

def find(text, is_loud=False):
    return None if is_loud else text
'''
KNOWN = known_of(MODULE, ["Simone de Beauvoir lent 'Chemical Physics'"])


def facts(source: str) -> dict[str, float]:
    ((_, node),) = anatomy.tests_in(source).items()
    return facts_of(read_test(node, source), KNOWN)


GOOD = """def test_reserve_refuses_a_reader_who_is_waiting_already():
    waiting = Waiting()
    with pytest.raises(ValueError, match="card-17 is waiting already"):
        waiting.reserve("9780306406157", "card-17")
"""
NOISY = """def test_reserve_raises_value_error():
    waiting = Waiting()
    assert waiting.reserve("0 0x,y x,y", waiting) == 1  # type: ignore[arg-type]
"""


def test_a_test_with_known_values_and_a_telling_name_scores_above_a_noisy_one() -> None:
    (good,) = score_tests(GOOD, KNOWN).values()
    (noisy,) = score_tests(NOISY, KNOWN).values()
    assert good.score > 0.6 > 0.3 > noisy.score
    assert "wrong_type" in [part.name for part in noisy.parts]
    assert [part.cost for part in noisy.parts] == sorted(
        (part.cost for part in noisy.parts), reverse=True
    )


def test_every_fact_has_a_weight_and_every_weight_a_fact() -> None:
    assert facts(GOOD).keys() == WEIGHTS.keys()
    assert all(weight >= 0 for weight in WEIGHTS.values())


@pytest.mark.parametrize(
    "text",
    ["", "card-17", "9780306406157", "Chemical Physics", "Mon-Fri 9:00-18:00"],
)
def test_what_somebody_has_written_is_known(text: str) -> None:
    assert KNOWN.has(text)
    assert text_noise(text, KNOWN) == 0.0


@pytest.mark.parametrize(
    "text",
    [
        "card-18",  # another character
        "card-171",  # one more
        "card17",  # one less
        "Mon 9:00-18:00",  # a part left out
        "Fri-Mon 9:00-18:00",  # two parts changed over
        "CARD-17",
    ],
)
def test_one_edit_leaves_a_text_near(text: str) -> None:
    assert KNOWN.is_near(text)


@pytest.mark.parametrize("text", ["z", "ax,y\n,", "__Z-_éZ 1:17-01:17", "card-17card-17", "ca"])
def test_what_a_search_puts_together_is_not_near(text: str) -> None:
    assert not KNOWN.is_near(text)
    assert text_noise(text, KNOWN) >= 0.2


def test_half_of_a_known_text_is_noise() -> None:
    assert text_noise("Chemical Phys", KNOWN) == 0.6


@pytest.mark.parametrize(
    ("body", "fact"),
    [
        ("assert find('card-17') != 'foo'", "says_nothing"),
        ("assert Waiting().forget('card-17') is None", "says_nothing"),
        ("assert isinstance(Waiting(), Waiting)", "says_nothing"),
        ("assert _minutes('card-17') == 7", "private"),
        ("assert parse_hours(3) == {}", "wrong_type"),
        ("assert find([1]) == [1]", "wrong_type"),
        ("assert find('card-17', 4) == 'card-17'", "wrong_type"),
        ("assert find('card-17', True) is None", "flags"),
        ("assert find(text=[4, -2, 4, 6]) == 1", "muddle"),
        ("assert find(set(['card-17'])) == 1", "odd_kind"),
        ("assert str(Lost('card-17')) == 'card-17'", "foreign"),
        ("assert Waiting().count('card-17') == 1", "foreign"),
        ("assert find('card-17') == 'card-17'", "unchanged"),
        ("assert find('x') == 'y'", "fragments"),
        ("assert find('card-17') == 123456789", "expectation"),
        ("with pytest.raises(TypeError):\n        find('card-17')", "error"),
    ],
)
def test_what_speaks_against_a_test_is_seen(body: str, fact: str) -> None:
    assert facts(f"def test_find_says_what_is_there():\n    {body}\n")[fact] > 0.3
    plain = "assert Waiting().reserve('card-18', 'card-1') == 1"
    assert facts(f"def test_reserve_takes_a_place():\n    {plain}\n")[fact] < 0.1


def test_none_is_an_answer_of_what_returns_something_else_as_well() -> None:
    source = "def test_find():\n    assert find('card-17', is_loud=True) is None\n"
    ((_, node),) = anatomy.tests_in(source).items()
    read = read_test(node, source)
    assert says_nothing(read)
    assert not says_nothing(read, KNOWN.valued)


def test_a_wrong_type_is_fine_where_the_module_says_so_itself() -> None:
    body = "with pytest.raises(TypeError, match='texts only'):\n        parse_hours(3)"
    assert facts(f"def test_parse_hours_wants_a_text():\n    {body}\n")["wrong_type"] == 0


def test_rows_of_a_table_are_what_is_given_and_what_is_expected() -> None:
    source = """@pytest.mark.parametrize(("text", "expected"), [("card-17", 1), ("q#!x", 2)])
def test_find(text, expected):
    assert find(text) == expected
"""
    ((_, node),) = anatomy.tests_in(source).items()
    read = read_test(node, source)
    assert read.inputs == ["card-17", "q#!x"]
    assert [ast.unparse(each) for each in read.expected] == ["1", "2", "expected"]
    assert read.rows == 2


def test_assertions_of_unittest_are_checks() -> None:
    source = """class FindTest(unittest.TestCase):
    def test_find(self):
        self.assertEqual(find("card-17"), "card-17")
        self.assertIsNone(find("card-17", is_loud=True))
"""
    ((name, node),) = anatomy.tests_in(source).items()
    assert name == "FindTest.test_find"
    assert len(read_test(node, source).checks) == 2
    assert not says_nothing(read_test(node, source))


@pytest.mark.parametrize(
    ("name", "is_empty"),
    [
        ("test_renew_raises_value_error_on_a_date", True),
        ("test_fine_cents_in_other_cases", True),
        ("test_version_2", True),
        ("test_next_reader_of_text", True),
        ("test_fine_grows_with_the_days_late", False),
        ("test_weekly_minutes", False),
        ("test_trim_expects_amount_between_0_0_and_0_5", False),
        ("test_python_version_refuses_when_length_is_not_2", False),
        ("test_match_cannot_be_called_on_a_grammar_without_default", False),
    ],
)
def test_a_name_that_tells_kinds_and_numbers_is_empty(name: str, is_empty: bool) -> None:
    assert is_empty_name(name) is is_empty


def test_files_about_a_module_are_its_neighbours_its_tests_and_the_front_page() -> None:
    others = [
        "README.md", "docs/README.md", "src/shop/till.py", "src/shop/stock.py", "src/other/a.py",
        "tests/test_till.py", "tests/test_stock.py", "tests/sales.csv", "data/other.csv",
    ]  # fmt: skip
    assert files_about("src/shop/till.py", others) == [
        "README.md", "src/shop/stock.py", "tests/test_till.py", "tests/test_stock.py",
        "tests/sales.csv",
    ]  # fmt: skip


def test_fields_of_a_table_and_of_the_catalogue_are_known() -> None:
    known = known_of("", ["isbn,reader\n9780306406157,card-17\n"], ["Ada Lovelace"])
    assert known.has("card-17")
    assert known.has("Ada Lovelace")
    assert not known.has("card-18")


def test_of_a_module_that_python_cannot_read_nothing_is_known() -> None:
    assert known_of("def (").callables == Known().callables


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("test_encode_raises_invalid_key_error_with_headers", 1.0),
        ("test_merge_raises_type_error", 1.0),
        ("test_decode_with_options", 0.7),
        ("test_reserve_refuses_a_reader_who_is_waiting_already", 0.0),
    ],
)
def test_a_name_of_an_exception_or_an_argument_alone_speaks_against_a_test(
    name: str, expected: float
) -> None:
    assert named_after(name) == expected


@pytest.mark.parametrize(
    ("body", "aspect", "untouched"),
    [
        ("assert len(Waiting()) == 0", 1.0, 1.0),
        ("assert Waiting(3).most == 3", 1.0, 0.0),
        ("assert parse_hours('Mon') == {'Mon': 3}", 0.0, 0.0),
    ],
)
def test_an_aspect_of_an_untouched_object_speaks_against_a_test(
    body: str, aspect: float, untouched: float
) -> None:
    found = facts(f"def test_waiting():\n    {body}\n")
    assert (found["aspect"], found["untouched"]) == (aspect, untouched)


def test_numbers_and_iterators_that_people_write_so_are_neither_muddled_nor_odd() -> None:
    module = 'def find(text):\n    """As in `find([4, -2,\n  6,\n])`, `find(iter([1]))`."""\n'
    node = ast.parse(
        "def test_find():\n    assert find([4, -2, 6]) == 1\n    assert find(iter([1])) == 1\n"
    ).body[0]
    assert isinstance(node, ast.FunctionDef)
    read = read_test(node, ast.unparse(node))
    shown = facts_of(read, known_of(module))
    assert (shown["muddle"], shown["odd_kind"]) == (0.0, 0.0)
    strange = facts_of(read, known_of("def find(text): ..."))
    assert (strange["muddle"], strange["odd_kind"]) == (1.0, 1.0)
