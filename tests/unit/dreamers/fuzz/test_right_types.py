"""Objects that are made of something else than their fields are no input to learn from."""

import pytest

from reverie.dreamers.fuzz.right_types import have_right_types

MODULE = """
import datetime
from dataclasses import dataclass

@dataclass(frozen=True)
class Loan:
    reader: str
    lent_on: datetime.date
    renewals: int = 0

class Plain:
    def __init__(self, anything): ...
"""


@pytest.mark.parametrize(
    ("source", "is_right"),
    [
        ("Loan('a', datetime.date(2024, 1, 1))", True),
        ("Loan('a', b'')", False),
        ("Loan('a', True)", False),
        ("[Loan('a', lent_on=[])]", False),
        ("Loan('a', made_elsewhere())", True),
        ("Plain(b'')", True),
        ("3", True),
    ],
)
def test_what_a_dataclass_is_made_of_has_the_types_of_its_fields(
    source: str, is_right: bool
) -> None:
    assert have_right_types([source], MODULE) is is_right
