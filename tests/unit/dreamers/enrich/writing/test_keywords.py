"""Flags are given by name."""

import ast

import pytest

from reverie.dreamers.enrich.writing.selecting.manual import manual_of
from reverie.dreamers.enrich.writing.wording.entries import Signatures, with_keywords

_MODULE = """
def renew(loan, today, is_reserved, most=2): ...
def split(text, /, strict=False): ...
def cut(text, sep=",", key=None): ...
def pick(*items, key=None): ...
@traced
def wrapped(text, strict): ...
class Version:
    def __init__(self, major, minor=0, patch=0): ...
    def match(self, text, strict=True): ...
class Other:
    def match(self, pattern, flags): ...
"""
_SIGNATURES = Signatures(manual_of(ast.parse(_MODULE)).functions)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("renew(loan, today, True, 0)", "renew(loan, today, is_reserved=True, most=0)"),
        ("renew(loan, None, False)", "renew(loan, today=None, is_reserved=False)"),
        ("split('a', True)", "split('a', strict=True)"),
        ("split(None)", "split(None)"),
        ("cut('a;b', ';')", "cut('a;b', sep=';')"),
        ("cut('a', ';', lambda x: x)", "cut('a', sep=';', key=lambda x: x)"),
        ("Version(1, 9, 1)", "Version(1, 9, 1)"),
        ("cut('a', ',', None)", "cut('a')"),
        ("cut('a', key=None)", "cut('a')"),
        ("Version('1', 9)", "Version('1', minor=9)"),
        ("pick(1, True)", "pick(1, True)"),
        ("wrapped('a', True)", "wrapped('a', True)"),
        ("version.match('a', True)", "version.match('a', True)"),
        ("'a'.split(None, True)", "'a'.split(None, True)"),
        ("split(*given)", "split(*given)"),
    ],
)  # fmt: skip
def test_only_what_says_nothing_is_named_and_only_where_its_name_is_known(
    line: str, expected: str
) -> None:
    (made,) = with_keywords(ast.parse(line).body, _SIGNATURES)
    assert ast.unparse(made) == expected
