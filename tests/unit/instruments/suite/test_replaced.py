"""Whether a module that was imported is the one that lies where its name says."""

import os

from reverie.instruments.suite.inside.runs import lies_where_named


def test_tests_in_a_package_are_at_home_and_what_takes_a_name_from_elsewhere_is_not() -> None:
    paths = ["/shop/src", "/shop"]
    assert lies_where_named("shop.tests.conftest", "/shop/src/shop/tests/conftest.py", paths)
    assert lies_where_named("shop.tests", "/shop/src/shop/tests/__init__.py", paths)
    for place in ("", "/shop/src/shop/tests/price.py", os.devnull):
        assert not lies_where_named("shop.price", place, paths)
