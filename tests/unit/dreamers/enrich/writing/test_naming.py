import pytest

from reverie.dreamers.enrich.writing.wording.naming import (
    Namer,
    camel,
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


def test_a_name_that_would_have_to_be_torn_is_none() -> None:
    quality = "refuses_when_takes_self_is_not_supported_by_default_if_none"
    name = Namer(["default_if_none"]).free("default_if_none", [quality])
    assert name is None
