import ast

import pytest

from reverie.dreamers.enrich.writing.wording.naming import (
    Namer,
    camel,
    quality_of,
    raising,
    snake,
    variable,
)


@pytest.mark.parametrize(
    ("name", "expected"),
    [("LRUCache", "lru_cache"), ("bump_major", "bump_major"), ("HTTPError", "http_error"),
     ("_private", "private"), ("ISO8601Parser", "iso8601_parser")],
)  # fmt: skip
def test_names_become_words(name: str, expected: str) -> None:
    assert snake(name) == expected


def test_classes_are_named_in_capitals() -> None:
    assert camel("date_parser") == "DateParser"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("None", "none"), ("0", "zero"), ("-3", "a_negative_number"), ("2.5", ""),
        ("float('nan')", "nan"), ("''", "empty_text"), ("'  '", "blank_text"), ("'minor'", ""),
        ("[]", "an_empty_list"), ("[1]", "a_list_of_one"), ("{'a': 1, 'b': 2}", ""),
        ("datetime.date(2020, 1, 1)", ""), ("x", ""), ("'1.2'", ""), ("True", ""),
    ],
)  # fmt: skip
def test_only_a_value_that_is_an_edge_has_a_quality(source: str, expected: str) -> None:
    assert quality_of(ast.parse(source, mode="eval").body) == expected


def test_a_test_has_as_few_qualities_as_set_it_apart() -> None:
    namer = Namer(["Version.bump", "parse"])
    assert namer.free("Version.bump", ["", "of_zero"]) == "test_bump"
    assert namer.free("Version.bump", ["", "of_zero"]) == "test_bump_of_zero"
    assert namer.free("Version.bump", ["", "of_zero"]) is None
    assert namer.free("parse", [raising("ValueError")]) == "test_parse_raises_value_error"


def test_methods_of_one_name_are_told_apart_by_their_classes() -> None:
    namer = Namer(["LRUCache.get", "TTLCache.get", "LRUCache.__len__", "LRUCache.__init__"])
    assert namer.free("LRUCache.get", []) == "test_lru_cache_get"
    assert namer.free("TTLCache.get", []) == "test_ttl_cache_get"
    assert namer.free("LRUCache.__len__", []) == "test_lru_cache_length"
    assert namer.free("LRUCache.__init__", []) == "test_lru_cache"


def test_an_object_is_never_called_by_a_keyword() -> None:
    assert [variable(name) for name in ("LRUCache", "And", "Match")] == [
        "lru_cache",
        "and_",
        "match",
    ]


def test_a_long_name_is_cut_before_a_phrase_that_would_be_torn() -> None:
    quality = "refuses_when_takes_self_is_not_supported_by_default_if_none"
    name = Namer(["default_if_none"]).free("default_if_none", [quality])
    assert name == "test_default_if_none_refuses_when_takes_self_is_not_supported"
