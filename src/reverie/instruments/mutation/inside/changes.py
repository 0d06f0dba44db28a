"""Making one change in the present process, which then has no other use."""

from types import CodeType
from typing import Any

from .loading import Statements, TargetFinder, executing_tree
from .reading import read_source
from .sites import CHANGES_NOTHING, RAISES, Site, Survey, planted
from .units import (
    FUTURE_FLAGS,
    CannotSwap,
    Holders,
    changed_unit,
    codes_by_place,
    compile_unit,
    is_same,
)


class Invalid(Exception):
    """The change is not Python."""


class Same(Exception):
    """The change makes no difference to what Python runs."""


class Changes:
    """Knows the sites of files, and how to change loaded functions in place."""

    def __init__(self, finder: TargetFinder, exhaustive: bool) -> None:
        self._finder = finder
        self._exhaustive = exhaustive
        self._surveys: dict[str, Survey] = {}
        self._codes: dict[str, dict[tuple[str, int], CodeType]] = {}
        self._originals: dict[tuple[str, str, int], CodeType] = {}

    def look_around(self) -> None:
        """Everything is loaded: note which functions hold which code."""
        self._holders = Holders()
        self._codes = {path: codes_by_place(code) for path, code in self._finder.loaded.items()}

    def survey(self, path: str) -> Survey:
        """The sites of a file."""
        if path not in self._surveys:
            self._surveys[path] = Survey(read_source(path), self._exhaustive)
        return self._surveys[path]

    def site(self, mutant: "dict[str, Any]") -> "Site | None":
        """The site of a mutant; None for one that changes nothing, planted to survive."""
        survey = self.survey(mutant["path"])
        number: int = mutant["number"]
        if number == CHANGES_NOTHING:
            return None
        if number == RAISES:
            return planted(survey, mutant["unit"])
        return survey.sites[number]

    def prepare(self, mutant: "dict[str, Any]") -> "CodeType | None":
        """The code to be replaced, with what a fork needs of it; None when it is not loaded."""
        site, path = self.site(mutant), mutant["path"]
        places = self._codes.get(path)
        if site is None or site.unit is None or places is None:
            return None
        place = (site.unit.qualname, site.unit.line)
        loaded = places.get(place)
        if loaded is not None and (path, *place) not in self._originals:
            flags = loaded.co_flags & FUTURE_FLAGS
            self._originals[path, *place] = compile_unit(site.unit, path, flags)
        return loaded

    def activate(self, mutant: "dict[str, Any]", loaded: "CodeType | None") -> None:
        """Make the change. There is no way back."""
        site, path = self.site(mutant), mutant["path"]
        if site is None:
            return
        survey = self.survey(path)
        if path not in self._finder.loaded:
            statements = Statements(survey.tree, path)
            statements.prepare()
            self._finder.changes[path] = statements.executing(site)
            return
        if loaded is None or site.unit is None:
            raise CannotSwap("its code is not to be found")
        before = self._originals[path, site.unit.qualname, site.unit.line]
        try:
            after = changed_unit(site, path, loaded.co_flags & FUTURE_FLAGS, loaded)
        except (SyntaxError, ValueError) as error:
            raise Invalid(str(error)) from error
        if is_same(before, after):
            raise Same
        self._finder.changes[path] = executing_tree(survey.tree, path)
        self._holders.swap(loaded, after)
