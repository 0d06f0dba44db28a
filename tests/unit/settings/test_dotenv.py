import pytest

from reverie.errors import ConfigError
from reverie.settings.entries import Assignment, parse_dotenv


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("A=1", "1"),
        ("  export A = 1  ", "1"),
        ("A=", ""),
        ("A= # a comment", ""),
        ("A=1 # a comment", "1"),
        ("A=1#2", "1#2"),
        ("A='1 # 2'", "1 # 2"),
        ('A="say \\"hi\\"\\n" # a comment', 'say "hi"\n'),
        ("A='a\nb'", "a\nb"),
        ('A="a\nb"', "a\nb"),
        ("A=it's", "it's"),
        ("A=${HOME}", "${HOME}"),
        ("\ufeffA=1", "1"),
        ("A=1\r\n", "1"),
    ],
)
def test_a_line_is_read(line: str, value: str) -> None:
    assert parse_dotenv(line, ".env") == [Assignment("A", value, 1)]


def test_lines_are_counted_through_comments_and_long_values() -> None:
    content = "# one\n\nA='x\ny'\nB=2\n"
    assert parse_dotenv(content, ".env") == [Assignment("A", "x\ny", 3), Assignment("B", "2", 5)]


@pytest.mark.parametrize(
    "line", ["hush", "A hush", "=hush", "1A=hush", "A='hush", 'A="hush\\"', "A='hush' hush"]
)
def test_a_malformed_line_is_named_without_quoting_it(line: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_dotenv(f"OK=1\n{line}\n", ".env")
    assert str(caught.value) == ".env:2: expected NAME=value, with any quote closed"
