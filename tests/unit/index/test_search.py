"""Questions and their answers."""

from pathlib import Path

import pytest

from reverie.bootstrap import open_index
from reverie.errors import UsageError
from reverie.index import RememberedIndex
from reverie.index.search import read_question
from reverie.index.search.ranking import (
    Shape,
    likeness,
    read_shape,
    stem,
    words_of_name,
    words_of_text,
)
from reverie.index.search.symbols import normal_type
from reverie.model.sections import IndexSection, SafetySection

SOURCE = '''
def slugify(value): """Turn a title into an address."""
def unslugify(value): """Turn an address back."""
def parse_date(text: str) -> "datetime.date | None": """Read a calendar day."""
def parseURLList(text): """Cut a text into addresses."""
def total(values: list[int]) -> int: """Sum."""
def join(parts: List[str], glue: str = ",") -> str: """Put together."""
def count(values: list[str]) -> int: """How many."""
def maybe(value: Optional[int]) -> bool: """Whether."""
def _private_total(values): """Sum, hidden."""
class DateParser:
    """Reads dates."""
    def feed(self, text: str) -> int: """Take in more."""
def unrelated(): """Nothing of the kind."""
'''


@pytest.fixture
def index(tmp_path: Path) -> RememberedIndex:
    (tmp_path / "tests").mkdir()
    (tmp_path / "m.py").write_text(SOURCE)
    (tmp_path / "tests" / "test_m.py").write_text("def test_slugify(): pass\ndef slugify(): pass\n")
    with open_index(tmp_path, IndexSection(), SafetySection(), None) as opened:
        opened.refresh()
        return opened


@pytest.mark.parametrize(
    ("question", "best"),
    [
        ("slugify", "slugify"),
        ("SLUGIFY", "slugify"),
        ("slug", "slugify"),
        ("parse dates", "parse_date"),
        ("date parsing", "parse_date"),
        ("DateParser", "DateParser"),
        ("url list", "parseURLList"),
        ("turn an address back", "unslugify"),
        ("calendar", "parse_date"),
        ("(list[int]) -> int", "total"),
        ("(List[int]) -> int", "total"),
        ("(Sequence, _) -> str", None),
        ("(list[str], str) -> str", "join"),
        ("(str, list[str]) -> str", "join"),
        ("(int | None) -> bool", "maybe"),
        ("(str) -> Optional[date]", "parse_date"),
        ("count (_) -> int", "count"),
        ("feed(text: str) -> int", "DateParser.feed"),
        ("zebra", None),
    ],
)
def test_the_best_answer_comes_first(
    index: RememberedIndex, question: str, best: str | None
) -> None:
    hits = index.search(question, 5)
    assert (hits[0].found.symbol.qualname if hits else None) == best


def test_code_comes_before_its_tests_and_public_before_private(index: RememberedIndex) -> None:
    assert [hit.found.path for hit in index.search("slugify", 3)][:2] == ["m.py", "tests/test_m.py"]
    names = [hit.found.symbol.qualname for hit in index.search("sum", 5)]
    assert names.index("total") < names.index("_private_total")


def test_no_more_answers_than_asked_for(index: RememberedIndex) -> None:
    assert len(index.search("turn", 1)) == 1


def test_a_word_that_is_a_pattern_for_databases_is_none(index: RememberedIndex) -> None:
    assert index.search("100%", 5) == []


@pytest.mark.parametrize("question", ["", "  ", "->", "?!"])
def test_a_question_without_words_is_refused(question: str) -> None:
    with pytest.raises(UsageError, match="nothing to search for"):
        read_question(question)


def test_small_words_count_when_there_is_nothing_else() -> None:
    assert read_question("the").words == ("the",)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("parse_url_list", ["parse", "url", "list"]),
        ("parseURLList2", ["parse", "url", "list", "2"]),
        ("HTTPServer", ["http", "server"]),
        ("__init__", ["init"]),
        ("größe", ["gr", "öß", "e"]),
    ],
)
def test_names_fall_into_words(name: str, words: list[str]) -> None:
    assert words_of_name(name) == words


def test_texts_give_words_that_say_something_once() -> None:
    assert words_of_text("Return the url of the URL, if any: urlFor(x)") == ["return", "url", "any"]


@pytest.mark.parametrize(
    ("one", "other"),
    [("parse", "parsing"), ("dates", "date"), ("parser", "parsed"), ("copies", "copy")],
)
def test_forms_of_a_word_share_a_stem(one: str, other: str) -> None:
    assert stem(one) == stem(other)


@pytest.mark.parametrize(
    ("written", "normal"),
    [
        ("typing.Optional[int]", "None|int"),
        ("int | None", "None|int"),
        ("Union[str, None, int]", "None|int|str"),
        ("List[Dict[str, Any]]", "list[dict[str,_]]"),
        ("'Later'", "Later"),
        ("Annotated[int, 3]", "int"),
        ("not ( a type", "not(atype"),
        (None, "_"),
        ("Callable[[int], str]", "Callable[int,str]"),
    ],
)
def test_types_have_one_normal_form(written: str | None, normal: str) -> None:
    assert normal_type(written) == normal


def test_a_shape_comes_back_from_its_text() -> None:
    shape = Shape(("list[int]", "_"), "Callable[int,str]")
    assert read_shape(shape.text) == shape
    assert read_shape(Shape((), "int").text) == Shape((), "int")


def test_nearer_shapes_are_more_alike() -> None:
    asked = Shape(("list[int]",), "int")
    exact, same_base, unsaid, other = (
        likeness(asked, Shape((kind,), "int")) for kind in ("list[int]", "list[str]", "_", "str")
    )
    assert 1.0 == exact > same_base > unsaid > other == 0.0
    assert likeness(asked, Shape(("list[int]", "int"), "int")) == 0.0
