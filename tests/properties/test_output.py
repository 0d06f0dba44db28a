from unicodedata import category

from hypothesis import given
from hypothesis import strategies as st

from reverie.interfaces.cli.output import printable
from reverie.settings.entries import Assignment, parse_dotenv
from reverie.settings.tree import redacted

anything = st.text(st.characters(exclude_categories=()))
names = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,9}", fullmatch=True)


@given(anything)
def test_what_is_shown_is_one_printable_line(text: str) -> None:
    shown = printable(text)
    assert len(shown.splitlines()) <= 1
    assert all(char.isprintable() or category(char) == "Zs" for char in shown)


@given(anything)
def test_showing_twice_changes_nothing_more(text: str) -> None:
    assert printable(printable(text)) == printable(text)


@given(names, anything.filter(lambda text: "'" not in text and "\r\n" not in text))
def test_a_quoted_value_survives_the_dotenv(name: str, value: str) -> None:
    assert parse_dotenv(f"{name}='{value}'\n", ".env") == [Assignment(name, value, 1)]


@given(
    st.from_regex(r"[a-z]{1,8}", fullmatch=True),
    st.from_regex(r"[0-9!-.:;<=>@~^]{4,20}", fullmatch=True),
)
def test_no_password_of_a_url_is_shown(user: str, password: str) -> None:
    assert password not in redacted(f"postgresql://{user}:{password}@host:5432/db")
