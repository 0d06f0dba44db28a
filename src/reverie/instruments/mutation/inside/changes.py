"""Making one change in a process that has loaded everything, and then has no other use."""

from collections.abc import Callable
from types import CodeType
from typing import Any

from .loading import (
    FUTURE_FLAGS,
    CannotSwap,
    Holders,
    Statements,
    TargetFinder,
    changed_unit,
    codes_by_place,
    compile_unit,
    executing_tree,
    is_same,
)
from .sites import CHANGES_NOTHING, RAISES, Site, Survey, planted, read_source


class Invalid(Exception):
    """The change is not Python."""


class Same(Exception):
    """The change makes no difference to what Python runs."""


class Changes:
    """Knows the sites of files, and how to change loaded functions in place."""

    def __init__(self, finder: TargetFinder, exhaustive: bool, shortcuts: bool = False) -> None:
        self._finder = finder
        self._exhaustive = exhaustive
        self._shortcuts = shortcuts
        self._surveys: dict[str, Survey] = {}
        self._statements: dict[str, Statements] = {}
        self._codes: dict[str, dict[tuple[str, int], CodeType]] = {}
        self._originals: dict[tuple[str, str, int], CodeType] = {}

    def look_around(self) -> None:
        """Everything is loaded: note which functions hold which code."""
        self._holders = Holders()
        self._codes = {path: codes_by_place(code) for path, code in self._finder.loaded.items()}

    def survey(self, path: str) -> Survey:
        """The sites of a file."""
        if path not in self._surveys:
            self._surveys[path] = Survey(read_source(path), self._exhaustive, self._shortcuts)
        return self._surveys[path]

    def statements(self, path: str) -> Statements:
        """A file in pieces, compiled."""
        if path not in self._statements:
            self._statements[path] = Statements(self.survey(path).tree, path)
            self._statements[path].prepare()
        return self._statements[path]

    def site(self, mutant: "dict[str, Any]") -> "Site | None":
        """The site of a mutant; None for one that changes nothing, planted to survive."""
        survey = self.survey(mutant["path"])
        number: int = mutant["number"]
        if number == CHANGES_NOTHING:
            return None
        if number == RAISES:
            return planted(survey, mutant["unit"])
        return survey.sites[number]

    def statement(self, mutant: "dict[str, Any]", site: Site) -> "CodeType | None":
        """The code of a mutant's statement of its module. Raises `Invalid` and `Same`."""
        statements = self.statements(mutant["path"])
        try:
            changed = statements.changed(site)
        except (SyntaxError, ValueError) as error:
            raise Invalid(str(error)) from error
        original = statements.original(site.top)
        if original is not None and changed is not None and is_same(original, changed):
            raise Same
        return changed

    def prepare(self, mutant: "dict[str, Any]") -> "Callable[[], None]":
        """What a fork has to do to change a function. Raises `Invalid`, `Same`, `CannotSwap`."""
        site, path = self.site(mutant), mutant["path"]
        if site is None:
            return lambda: None
        if path not in self._finder.loaded:
            return lambda: self._change_import(mutant, site)
        loaded = self._loaded(path, site)
        try:
            after = changed_unit(site, path, loaded.co_flags & FUTURE_FLAGS, loaded)
        except (SyntaxError, ValueError) as error:
            raise Invalid(str(error)) from error
        if is_same(self._original(path, site, loaded), after):
            raise Same
        again = executing_tree(self.survey(path).tree, path, site)

        def change() -> None:
            self._finder.changes[path] = again
            self._holders.swap(loaded, after)

        return change

    def _change_import(self, mutant: "dict[str, Any]", site: Site) -> None:
        """The module is not there yet: it will be the changed one."""
        statements = self.statements(mutant["path"])
        code = self.statement(mutant, site)
        self._finder.changes[mutant["path"]] = statements.executing(site.top, code)

    def _loaded(self, path: str, site: Site) -> CodeType:
        unit = site.unit
        found = None if unit is None else self._codes[path].get((unit.qualname, unit.line))
        if found is None:
            raise CannotSwap("its code is not to be found")
        return found

    def _original(self, path: str, site: Site, loaded: CodeType) -> CodeType:
        """The code of a site's function, compiled as the changed one is."""
        unit = site.unit
        if unit is None:
            raise CannotSwap("it is in no function")
        key = (path, unit.qualname, unit.line)
        if key not in self._originals:
            self._originals[key] = compile_unit(unit, path, loaded.co_flags & FUTURE_FLAGS)
        return self._originals[key]
