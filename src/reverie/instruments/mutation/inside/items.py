"""Running one collected test: the short way where it is enough, pytest's own where it is not.

The short way is set-up, call and tear-down without reports, logging and capturing, a tenth of
the cost. A test goes it only if it has passed that way in the baseline.
"""

import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, cast

_HOOKS = ("pytest_runtest_protocol", "pytest_runtest_setup", "pytest_runtest_call",
          "pytest_runtest_teardown")  # fmt: skip
_HARMLESS = ("_pytest", "pytest_cov", "xdist", "_hypothesis_pytestplugin", "anyio",
             "pytest_benchmark", "pytest_mock", "reverie_pytest", "pytest_asyncio")  # fmt: skip
_MARKS = ("skip", "skipif", "xfail", "timeout", "flaky")


def needs_protocol(item: Any) -> bool:
    """Whether a test must go pytest's own way, whatever happens."""
    return any(item.get_closest_marker(mark) is not None for mark in _MARKS)


def has_foreign_hooks(config: Any, own: object) -> bool:
    """Whether a plugin or conftest takes part in running tests, beyond fixtures."""
    for name in _HOOKS:
        for each in getattr(config.hook, name).get_hookimpls():
            if each.plugin is own:
                continue
            module = getattr(each.function, "__module__", "") or ""
            if module.partition(".")[0] not in _HARMLESS:
                return True
    return False


def known_names(
    found: "Sequence[str]", known: "Sequence[str]", bad: "Iterable[str]" = ()
) -> "dict[str, str]":
    """By the name that a test has now: the one it is known by.

    Names of cases may hold the time of day or where an object lies. Where as many cases of a
    function are named anew as are missing, they are the same ones, in their order; not where
    one that is not to be run is missing too, for nobody could say which.
    """
    here, there = set(found), {*known, *bad}
    lost = {_function(name) for name in bad if name not in here}
    gone: dict[str, list[str]] = {}
    come: dict[str, list[str]] = {}
    for names, others, by_function in ((known, here, gone), (found, there, come)):
        for name in names:
            if name not in others and _function(name) not in lost:
                by_function.setdefault(_function(name), []).append(name)
    matched = {name: name for name in found}
    for function, old in gone.items():
        if len(old) == len(come.get(function, ())):
            matched.update(zip(come[function], old))  # noqa: B905  equally long
    return matched


def _function(name: str) -> str:
    return name.partition("[")[0]


@contextmanager
def without_words() -> "Iterator[None]":
    """Failures are not described: for a traceback pytest parses every file it goes through."""
    from _pytest._code import ExceptionInfo

    original = ExceptionInfo.getrepr
    vars_of = cast(Any, ExceptionInfo)
    vars_of.getrepr = lambda *_, **__: "failed"
    try:
        yield
    finally:
        vars_of.getrepr = original


class ItemRunner:
    """Runs tests of one session in the present process, each once."""

    def __init__(self, session: Any) -> None:
        from _pytest.runner import runtestprotocol

        self._state = session._setupstate
        self._protocol = runtestprotocol
        self._filters = _warning_filters(session.config)
        with _filtering(self._filters, ()):
            self._usual_filters = list(warnings.filters)
        self.skipped = _outcomes()

    def passes(self, item: Any, following: Any, is_slow: bool) -> bool:
        """Whether a test passes, or at least does not fail."""
        if is_slow:
            return not any(
                report.failed for report in self._protocol(item, nextitem=following, log=False)
            )
        return self._passes_short(item, following)

    def reports(self, item: Any, following: Any) -> "list[Any]":
        """pytest's own reports of a test."""
        return list(self._protocol(item, nextitem=following, log=False))

    def _passes_short(self, item: Any, following: Any) -> bool:
        try:
            with self._warnings_of(item):
                is_good = self._set_up_and_call(item)
                self._state.teardown_exact(following)
        except BaseException:  # noqa: BLE001  a failing test may raise anything
            return False
        return is_good

    @contextmanager
    def _warnings_of(self, item: Any) -> "Iterator[None]":
        marks = list(item.iter_markers(name="filterwarnings"))
        changed = getattr(warnings, "_filters_mutated", None)
        if marks or changed is None:
            with _filtering(self._filters, marks):
                yield
            return
        with warnings.catch_warnings(record=True):
            warnings.filters[:] = self._usual_filters  # type: ignore[index]
            changed()  # what was decided by other filters is forgotten
            yield

    def _set_up_and_call(self, item: Any) -> bool:
        try:
            if hasattr(item, "_request") and not item._request:
                item._initrequest()
            self._state.setup(item)
            item.runtest()
        except self.skipped:
            return True
        return not getattr(item, "_excinfo", None)  # a unittest records what it raised


def _outcomes() -> "tuple[type[BaseException], ...]":
    import unittest

    import pytest

    return pytest.skip.Exception, pytest.xfail.Exception, unittest.SkipTest


def _warning_filters(config: Any) -> "tuple[list[str], list[str]]":
    given = config.known_args_namespace.pythonwarnings or []
    return list(config.getini("filterwarnings")), list(given)


@contextmanager
def _filtering(filters: "tuple[list[str], list[str]]", marks: "Sequence[Any]") -> "Iterator[None]":
    """Warnings as pytest treats them: the project may have made errors of some."""
    from _pytest.config import apply_warning_filters, parse_warning_filter

    with warnings.catch_warnings(record=True):
        warnings.filterwarnings("always", category=DeprecationWarning)
        warnings.filterwarnings("always", category=PendingDeprecationWarning)
        warnings.filterwarnings("error", category=_removed_in_pytest())
        apply_warning_filters(*filters)
        for mark in marks:
            for text in mark.args:
                warnings.filterwarnings(*parse_warning_filter(text, escape=False))
        yield


def _removed_in_pytest() -> "type[Warning]":
    import pytest

    for name in ("PytestRemovedIn10Warning", "PytestRemovedIn9Warning"):
        found = getattr(pytest, name, None)
        if found is not None:
            return found  # type: ignore[no-any-return]
    return pytest.PytestDeprecationWarning


def run_in_order(
    runner: ItemRunner,
    items: "Sequence[Any]",
    is_slow: "Callable[[Any], bool]",
    begin: "Callable[[int], None]",
) -> "int | None":
    """The place of the first test that fails; None when none does."""
    for place, item in enumerate(items):
        begin(place)
        following = items[place + 1] if place + 1 < len(items) else None
        if not runner.passes(item, following, is_slow(item)):
            return place
    return None
