import re
from pathlib import Path

import pytest

from reverie.dreamers.enrich.naturalising.inside.pool import readable_texts
from reverie.dreamers.enrich.naturalising.judging import NaturalTaste
from reverie.dreamers.enrich.naturalising.known import Known, known_values
from reverie.dreamers.enrich.naturalising.parameters import typical_values
from reverie.dreamers.enrich.target import Target
from reverie.dreamers.enrich.writing.selecting.taste import Taste
from reverie.model.call import Expression, Step, StepForm

MODULE = '''"""Shelves of a library: a shelf mark is written `QA76.73 P98`."""

import datetime
import re
from dataclasses import dataclass
from typing import Literal

DAYS = ("Mon", "Tue")


@dataclass
class Loan:
    isbn: str
    lent_on: datetime.date


def call_number(text: str) -> tuple[str, str]:
    """The parts of a shelf mark."""
    # an older form is `QA-76`
    return tuple(text.split())


def slug(title: str, how: Literal["short", "long"] = "short") -> str:
    """For addresses.

    >>> slug("A Room of One's Own")
    'a-room-of-ones-own'
    """
    return title


def is_open(day: str) -> bool:
    return day in DAYS


def fine(loan: Loan, most: int = 20) -> int:
    return 0


def file(author: str) -> str:
    return author


def is_card(number: str) -> bool:
    return re.fullmatch(r"card-\\d{2}", number) is not None
'''
TESTS = """import datetime

import pytest
from shelf import Loan, fine

LOAN = Loan("9780306406157", datetime.date(2024, 2, 1))


@pytest.mark.parametrize(("most", "expected"), [(5, 0), (7, 0)])
def test_fine(most, expected):
    assert fine(LOAN, most) == expected
"""


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> Known:
    root = tmp_path_factory.mktemp("library")
    path = root / "shelf.py"
    path.write_text(MODULE)
    (root / "tests").mkdir()
    (root / "tests" / "test_shelf.py").write_text(TESTS)
    (root / "tests" / "loans.csv").write_text("isbn,lent_on\n9783161484100,2024-03-01\n")
    return known_values(_target(path, root))


def _target(path: Path, root: Path) -> Target:
    return Target("shelf", str(path), MODULE, str(root), None, (str(root),), str(root))


def test_an_example_of_the_docs_comes_first(known: Known) -> None:
    assert known.roles["slug", "title"][0] == '"A Room of One\'s Own"'


def test_a_comment_shows_a_text_and_a_common_name_none(known: Known) -> None:
    assert known.roles["call_number", "text"] == ("'QA-76'",)


def test_tests_and_data_files_show_values_by_parameter(known: Known) -> None:
    assert known.roles["Loan", "isbn"] == ("'9780306406157'", "'9783161484100'")
    assert known.roles["Loan", "lent_on"][:2] == (
        "datetime.date(2024, 2, 1)",
        "datetime.date(2024, 3, 1)",
    )
    assert known.roles["fine", "most"][:2] == ("5", "7")


def test_an_instance_is_made_of_known_values(known: Known) -> None:
    made = "Loan('9780306406157', datetime.date(2024, 2, 1))"
    assert known.roles["fine", "loan"][0] == made


def test_constants_and_literals_are_values_of_their_parameter(known: Known) -> None:
    assert known.roles["is_open", "day"][:2] == ("'Mon'", "'Tue'")
    assert known.roles["slug", "how"][:2] == ("'short'", "'long'")


def test_where_nobody_shows_a_value_the_name_says_what_it_is(known: Known) -> None:
    assert known.roles["file", "author"][0] == "'Ada Lovelace'"
    assert ("file", "author") not in known.firm


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        ("list[int]", "[1, 2, 3]"),
        ("dict[str, int]", "{'apple': 1, 'pear': 2}"),
        ("Optional[bool]", "True"),
        ("datetime.date", "datetime.date(2024, 2, 29)"),
    ],
)
def test_the_type_says_what_nothing_else_does(annotation: str, expected: str) -> None:
    assert typical_values(annotation, "")[0] == expected


def _step(source: str) -> Step:
    return Step(Expression(source), StepForm.CALL, source.partition("(")[0])


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('slug("A Room of One\'s Own")', ()),
        ("slug('A Room')", ("'A Room'",)),
        ("slug('ax,y\\n,')", ("'ax,y\\n,'",)),
        ("fine(Loan('9780306406157', datetime.date(2024, 2, 1)), 3633)", ("3633",)),
        ("fine(5)", ("5",)),
        ("Loan('9780306406157', datetime.date(12, 3, 30))", ("datetime.date(12, 3, 30)",)),
        ("call_number(object())", ("object()",)),
        ("slug(None)", ("None",)),
        ("slug(int)", ("int",)),
        ("is_open('Mon')", ()),
    ],
)
def test_a_value_that_nobody_would_write_is_odd(
    known: Known, source: str, expected: tuple[str, ...]
) -> None:
    taste: Taste = NaturalTaste(known)
    assert taste.oddities(_step(source)) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [("is_open('Mon')", ()), ("slug('A Room of Ones Own')", ("'A Room of Ones Own'",))],
)
def test_a_text_with_one_thing_wrong_is_spoilt(
    known: Known, source: str, expected: tuple[str, ...]
) -> None:
    assert NaturalTaste(known).spoilt(_step(source)) == expected


def test_known_values_cost_less_than_edited_ones(known: Known) -> None:
    taste = NaturalTaste(known)
    first = taste.strangeness(_step("is_open('Mon')"))
    assert first < taste.strangeness(_step("is_open('Tue')"))
    assert first < taste.strangeness(_step("is_open('Mox')"))


def test_a_limit_of_nothing_costs_more_than_one(known: Known) -> None:
    taste = NaturalTaste(known)
    one, none = (taste.strangeness(_step(f"fine(LOAN, most={each})")) for each in (1, 0))
    assert none > one + 1


def test_a_pattern_gives_texts_where_nobody_shows_one(known: Known) -> None:
    assert known.patterns["is_card", "number"] == (r"card-\d{2}",)
    told = known.with_texts([["is_card", "number", ["card-12", "\x00"]], ["is_card", 5], "x"])
    assert told.roles["is_card", "number"][0] == "'card-12'"
    assert "'\\x00'" not in told.roles["is_card", "number"]
    assert "slug" not in {callee for callee, _ in known.patterns}


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        (r"(\w{3}) (\d{1,2}):(\d{2})", r"[a-zA-Z0-9_]{3} 1?[12]:12"),
        (r"[A-Z]{2}-\d+", r"SP-\d+"),
        (r"(", None),
    ],
)
def test_texts_for_a_pattern_can_be_read(pattern: str, expected: str | None) -> None:
    texts = readable_texts(pattern)
    assert bool(texts) is (expected is not None)
    assert all(re.fullmatch(pattern, each) for each in texts)
    assert expected is None or any(re.fullmatch(expected, each) for each in texts)


SEQUENCES = '''"""Sequences."""


def merged(first, *seqs, **kwargs):
    """Sorted together.

    >>> merged([1, 4], ["a"], key=lambda x: x // 3)
    [1, 4, 'a']
    """
    key = kwargs.get("key", None)
    return sorted([*first, *seqs], key=key)


def get(ind, seq):
    """One item, or several.

    >>> get([1, 2], "ABC")
    ('B', 'C')
    """
    return seq[ind + 0]


def days_in(month: int) -> int:
    return 30 if month in (4, 6, 9, 11) else 31
'''


@pytest.fixture(scope="module")
def sequences(tmp_path_factory: pytest.TempPathFactory) -> NaturalTaste:
    home = tmp_path_factory.mktemp("sequences")
    path = home / "sequences.py"
    path.write_text(SEQUENCES, encoding="utf-8")
    target = Target(
        module="sequences", path=str(path), source=SEQUENCES, import_root=str(home), python=None,
        roots=(str(home),), repository=None,
    )  # fmt: skip
    return NaturalTaste(known_values(target))


@pytest.mark.parametrize(
    "line",
    [
        "merged([1, 4], ['a'], key=lambda x: x // 3)",
        "merged([2, 5], key=abs)",
        "get([1, 2], 'ABC')",
        "days_in(4)",
    ],
)
def test_what_somebody_has_written_is_natural_as_it_stands(
    line: str, sequences: NaturalTaste
) -> None:
    assert sequences.oddities(_step(line)) == ()
    assert sequences.spoilt(_step(line)) == ()


@pytest.mark.parametrize(
    "line", ["merged([1, 4], default=1)", "get(1, 'ABC')[False:-1]", "get(1, str([1, 2]))"]
)
def test_keywords_that_are_not_taken_and_truths_as_keys_are_odd(
    line: str, sequences: NaturalTaste
) -> None:
    assert sequences.oddities(_step(line))


def test_a_fourteenth_month_shows_a_refusal_at_most(sequences: NaturalTaste) -> None:
    assert sequences.spoilt(_step("days_in(14)")) == ("14",)


UNTOLD = '''"""Patterns."""


class Node:
    """One of them.

    :param start: Where it begins.
    :type start: :py:class:`datetime.timedelta`
    """

    def __init__(self, start, *held):
        self.start = start
        self.held = held


class Leaf(Node):
    def matches(self, other):
        return self.held == other.held


def spread(node):
    return [[node]]


def shout(node, words):
    return [each.upper() for each in words]


def split(text):
    return text.split()
'''


@pytest.fixture(scope="module")
def untold(tmp_path_factory: pytest.TempPathFactory) -> NaturalTaste:
    home = tmp_path_factory.mktemp("untold")
    path = home / "patterns.py"
    path.write_text(UNTOLD, encoding="utf-8")
    target = Target("patterns", str(path), UNTOLD, str(home), None, (str(home),), None)
    return NaturalTaste(known_values(target))


@pytest.mark.parametrize(
    ("line", "odd"),
    [
        ("spread(1)", True),
        ("spread([1, 2])", True),
        ("spread(Leaf(datetime.timedelta(1)))", False),
        ("Leaf(datetime.timedelta(1), 4)", True),
        ("Leaf(2.5)", True),
        ("Leaf(datetime.timedelta(seconds=1))", False),
        ("split('hello world')", True),
        ("split([1, 2, 3])", True),
        ("shout(None, ['spam'])", True),
    ],
)
def test_what_nobody_has_told_the_type_of_is_given_no_made_up_value(
    line: str, odd: bool, untold: NaturalTaste
) -> None:
    assert bool(untold.oddities(_step(line))) is odd


CODES = '''"""Codes."""


def b64decode(payload):
    return payload


def unwrap(type_):
    return type_.__args__


def each(items, check):
    return [check(item) for item in items]


def parse_hours(text: str) -> dict:
    """Hours.

    >>> parse_hours("Mon 9-18")
    {'Mon': (9, 18)}
    """
    return {}


def minutes(hours: dict, is_long: bool = True) -> int:
    """All of them.

    >>> minutes(parse_hours("Mon 9-18"))
    540
    """
    return 0
'''


@pytest.fixture(scope="module")
def codes(tmp_path_factory: pytest.TempPathFactory) -> NaturalTaste:
    home = tmp_path_factory.mktemp("codes")
    path = home / "codes.py"
    path.write_text(CODES, encoding="utf-8")
    target = Target(
        module="codes", path=str(path), source=CODES, import_root=str(home), python=None,
        roots=(str(home),), repository=None,
    )  # fmt: skip
    return NaturalTaste(known_values(target))


@pytest.mark.parametrize(
    ("line", "is_odd"),
    [
        ("b64decode('eggs')", True),
        ("unwrap(lambda: 0)", True),
        ("each([1, 2], lambda x: x)", True),
        ("minutes(parse_hours('Mon 9-18'))", False),
        ("minutes({'Sun': (3, 15)})", True),
    ],
)
def test_what_undoes_takes_what_was_done_and_makers_make(
    line: str, is_odd: bool, codes: NaturalTaste
) -> None:
    assert bool(codes.oddities(_step(line))) is is_odd


def test_what_holds_anyway_costs_whoever_says_it(codes: NaturalTaste) -> None:
    said, unsaid = "minutes({}, is_long=True)", "minutes({}, is_long=False)"
    assert codes.strangeness(_step(said)) > codes.strangeness(_step(unsaid)) + 1


def test_what_people_expect_is_known_as_well(sequences: NaturalTaste) -> None:
    assert sequences.knows("C")
    assert not sequences.knows("9780306406157")


BORROWERS = '''"""Tables."""


def set_signs(array):
    """
    >>> set_signs(["-", "|"])
    """
    return array


def header(array):
    return array


def lend(reader):
    """
    >>> lend("card-17")
    """
    return reader


def take_back(reader):
    return reader
'''


def test_a_common_name_lends_no_values_to_another_callable(tmp_path: Path) -> None:
    (tmp_path / "tables.py").write_text(BORROWERS, encoding="utf-8")
    target = Target(
        module="tables", path=str(tmp_path / "tables.py"), source=BORROWERS, python=None,
        import_root=str(tmp_path), roots=(str(tmp_path),), repository=None,
    )  # fmt: skip
    roles = known_values(target).roles
    assert "['-', '|']" in roles["set_signs", "array"]
    assert "['-', '|']" not in roles["header", "array"]
    assert "'card-17'" in roles["take_back", "reader"]


SHELVES = '''"""Shelves."""


class Shelf:
    def find(self, books, at=0):
        return books[at + 1]

    look_up = find


def first(books):
    """
    >>> first({"Emma": 2})
    """
    return books[0]
'''


def test_what_people_show_goes_before_what_the_code_suggests(tmp_path: Path) -> None:
    (tmp_path / "shelves.py").write_text(SHELVES, encoding="utf-8")
    target = Target(
        module="shelves", path=str(tmp_path / "shelves.py"), source=SHELVES, python=None,
        import_root=str(tmp_path), roots=(str(tmp_path),), repository=None,
    )  # fmt: skip
    roles = known_values(target).roles
    assert roles["look_up", "books"] == roles["find", "books"]
    assert roles["find", "books"][0] == "{'Emma': 2}"
    assert not any(each.isdigit() for each in roles["find", "books"])


ADDRESSES = '''"""Addresses of networks."""

import datetime
from ipaddress import IPv4Address
from typing import List, Optional, Union

Address = Optional[Union[IPv4Address, "Net"]]


class Net:
    def __init__(self, name: str) -> None: ...


def best(addresses: List[Address], at: int = 0) -> Address:
    return addresses[at]


def decode(input, dt2, tz=None):
    """
    :param input: A byte string, or what
        gives one.
    """
    return input


def plain(mark, several: list):
    return mark
'''


@pytest.fixture(scope="module")
def addresses(tmp_path_factory: pytest.TempPathFactory) -> Known:
    home = tmp_path_factory.mktemp("addresses")
    (home / "addresses.py").write_text(ADDRESSES, encoding="utf-8")
    return known_values(
        Target(
            module="addresses", path=str(home / "addresses.py"), source=ADDRESSES, python=None,
            import_root=str(home), roots=(str(home),), repository=None,
        )
    )  # fmt: skip


def test_what_is_annotated_with_classes_takes_no_numbers(addresses: Known) -> None:
    taste = NaturalTaste(addresses)
    assert addresses.foreign == {("best", "addresses")}
    assert taste.oddities(_step("best([1, 3])")) == ("[1, 3]",)
    assert taste.oddities(_step("best([])")) == ()
    assert taste.oddities(_step("best([IPv4Address(3)])")) == ()


def test_a_usual_name_or_a_type_alone_is_no_source_of_values(addresses: Known) -> None:
    assert addresses.roles["decode", "input"] == ()  # bytes, and nobody says which
    assert addresses.roles["decode", "dt2"] == ()
    assert addresses.roles["best", "at"][0] == "0"


def test_a_name_is_a_person_s_only_where_people_are_spoken_of(
    addresses: Known, known: Known
) -> None:
    assert addresses.roles["Net", "name"] == ()
    assert known.roles["file", "author"][0] == "'Ada Lovelace'"


@pytest.mark.parametrize("line", ["plain('.', [])", "plain('spam', [1, None])"])
def test_marks_alone_and_nothing_among_others_are_odd(line: str, addresses: Known) -> None:
    assert NaturalTaste(addresses).oddities(_step(line))


CACHES = '''"""Caches of `shelf/one` and \'*\' and \'.\' marks."""


class Cache:
    def __init__(self, size: int = 4, timer=None) -> None:
        self.size = size
        self.age = 1
        self.held = {}

    def put(self, key, value):
        self.held[key] = value

    def check(self, label: str, mark: str) -> str:
        return label + mark


class Row(namedtuple("Row", ("left", "right"))):
    def __new__(cls, left, right=1):
        return super().__new__(cls, left, right)


def encode(value):
    return value.lower().encode("ascii")


def due(on: datetime.date) -> bool:
    return True


def fold(row, many):
    return many
'''
CACHE_TESTS = """import sys
from caches import Cache, Row, encode, due, fold
import datetime
import pytest

class Timer:
    pass

@pytest.fixture
def timer():
    return Timer()

@pytest.fixture
def cache(timer):
    return Cache(size=2, timer=timer)

def test_put(cache):
    key, value = "apple", "red"
    cache.put(key, value)
    cache.put("pear", "green")
    assert cache.size == 2

def test_labels(cache):
    cache.check("one", "x")
    cache.check("two", "y")

def test_row():
    assert fold(Row("shelf"), 3) == 3
    assert encode("ready") == b"ready"
    assert due(datetime.date(2024, 2, 1))

@pytest.mark.skipif(sys.version_info < (3, 12), reason="new")
def test_new():
    encode("brand new")
"""


@pytest.fixture(scope="module")
def caches(tmp_path_factory: pytest.TempPathFactory) -> NaturalTaste:
    root = tmp_path_factory.mktemp("caches")
    (root / "caches.py").write_text(CACHES)
    (root / "tests").mkdir()
    (root / "tests" / "test_caches.py").write_text(CACHE_TESTS)
    target = Target(
        "caches", str(root / "caches.py"), CACHES, str(root), None, (str(root),), str(root)
    )
    return NaturalTaste(known_values(target))


def test_what_another_encodes_and_one_version_alone_takes_is_shown_to_nobody(
    caches: NaturalTaste,
) -> None:
    assert caches.known.roles["encode", "value"] == ("'ready'",)


def test_fixtures_and_several_names_at_once_show_values(caches: NaturalTaste) -> None:
    assert caches.known.roles["put", "key"][:2] == ("'apple'", "'pear'")
    assert "2" in caches.known.roles["Cache", "size"]


@pytest.mark.parametrize(
    ("line", "is_odd"),
    [
        ("cache.put('apple', 'red')", False),
        ("cache.check('one', 'y')", False),  # one thing is other than in a call that is shown
        ("fold(Row('shelf'), 4)", False),
        ("fold(Row('shelve'), 3)", True),  # an object is made as people make it
        ("fold(Row(5), 3)", True),
        ("due(datetime.date(2024, 2, 29))", False),
        ("due(datetime.date(2001, 12, 7))", True),
        ("made.unheard_of(6)", True),
        ("list(encode('ready'))", False),
        ("encode(str)", True),
        ("Cache(3, 4, 5)", True),
    ],
)
def test_an_argument_needs_a_source(line: str, is_odd: bool, caches: NaturalTaste) -> None:
    assert bool(caches.oddities(_step(line))) is is_odd


def test_only_one_thing_may_be_other_than_in_every_call_that_is_shown(
    caches: NaturalTaste,
) -> None:
    assert caches.oddities(_step("cache.put('apple', 'green')")) == ()
    assert caches.oddities(_step("cache.put(key, 'green')")) == ()
    assert caches.oddities(_step("Cache(size=3, timer=4)"))


def test_fields_are_looked_at_where_somebody_looks_at_them(caches: NaturalTaste) -> None:
    assert caches.asks("Cache", "size")
    assert not caches.asks("Cache", "age")
    assert caches.asks("Shelf", "age")
