import ast

import pytest

from reverie.dreamers.enrich.writing.admission import constructors_of, shortened
from reverie.model.call import Expression

_SOURCE = """
class Version:
    def __init__(self, major, minor=0, patch=0, prerelease=None, build=None): ...
@dataclass
class Point:
    x: int
    y: int = 0
class Many:
    def __init__(self, *parts): ...
"""
_CONSTRUCTORS = constructors_of(ast.parse(_SOURCE))


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("Version(major=2, minor=0, patch=0, prerelease=None, build=None)", "Version(2, 0, 0)"),
        ("Version(major=2, minor=0, patch=0, prerelease=None, build='b')",
         "Version(2, 0, 0, None, 'b')"),
        ("[Point(x=1, y=0), 3]", "[Point(1, 0), 3]"),
        ("Version(major=1, patch=2)", "Version(1, patch=2)"),
        ("Many(a=1)", "Many(a=1)"),
        ("'a=b'", "'a=b'"),
        ("3", "3"),
    ],
)  # fmt: skip
def test_values_are_written_as_a_person_would(source: str, expected: str) -> None:
    assert shortened(Expression(source), _CONSTRUCTORS).source == expected
