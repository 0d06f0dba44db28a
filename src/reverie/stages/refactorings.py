"""Stage B: refactorings of a module that can be made beside one another."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from threading import Lock

from reverie.dreamers.refactor.proposals import Proposal, proposal_of
from reverie.errors import UsageError
from reverie.model.dream import Dream, DreamKind
from reverie.model.judgement_sections import GuardSection
from reverie.promotion.trial_tree import read_files
from reverie.stages.dreamer import Allowance, Example, Survey, Target, rewritten
from reverie.stages.imagining import among, imagine
from reverie.trials.refactoring import Idea, Setting

_MOST_DREAMS = 20
"""Of one module in one cycle: a night has other modules too."""


@dataclass(slots=True)
class RefactorDreamer:
    """Knows patterns that say the same more clearly. One for each copy of a repository."""

    guard: GuardSection = field(default_factory=GuardSection)
    name: str = "refactor"
    kind: DreamKind = DreamKind.REFACTOR
    _ideas: Mapping[str, tuple[Idea, ...]] | None = None
    _imagining: Lock = field(default_factory=Lock)

    def examples(self) -> Iterable[Example]:
        """A loop that is a comprehension, and code that is as clear as it can be."""
        yield Example({"shop.py": _LOOP}, "shop.py")
        clear = "def total(prices):\n    return sum(prices)\n"
        yield Example({"shop.py": clear}, "shop.py", is_dreamt_about=False)

    def targets(self, survey: Survey) -> Iterable[Target]:
        """Every module that a refactoring is known for, most of them first."""
        counts = {path: float(len(found)) for path, found in self._known(survey).items()}
        ordered = sorted(counts, key=lambda path: (-counts[path], path))
        return survey.targets(self.name, {path: counts[path] for path in ordered})

    def dream(self, survey: Survey, allowance: Allowance) -> Iterator[Dream]:
        """Those first that save a reader most."""
        ideas = self._known(survey).get(survey.path, ())
        most = min(allowance.budget.dreams or _MOST_DREAMS, _MOST_DREAMS)
        chosen = _beside_one_another(ideas)[:most]
        allowance.notes.figures["imagined"] = float(len(ideas))
        if not chosen:
            allowance.notes.remark = "nothing that is known to be clearer fits"
        for idea in chosen:
            yield rewritten(self, survey, allowance, idea.title, idea.after)

    def _known(self, survey: Survey) -> Mapping[str, tuple[Idea, ...]]:
        """By path; all at once, since what is used elsewhere decides what may be changed."""
        with self._imagining:
            if self._ideas is None:
                self._ideas = _imagined(survey, self.guard)
            return self._ideas


def _imagined(survey: Survey, guard: GuardSection) -> Mapping[str, tuple[Idea, ...]]:
    folder = survey.grounds.folder
    files = read_files(folder)
    try:
        target = among(files, folder, "", None, guard)
    except UsageError:
        return {}
    found: dict[str, list[Idea]] = {}
    for idea in imagine(survey.sandbox, target, Setting(files, True, guard)):
        found.setdefault(idea.path, []).append(idea)
    return {path: tuple(ideas) for path, ideas in found.items()}


def _beside_one_another(ideas: tuple[Idea, ...]) -> list[Idea]:
    chosen: list[Idea] = []
    taken: list[Proposal] = []
    for idea in ideas:
        proposal = proposal_of(idea.pattern, idea.title, idea.before, idea.after)
        if proposal is not None and proposal.goes_with(taken):
            chosen.append(idea)
            taken.append(proposal)
    return chosen


_LOOP = """def names(people):
    found = []
    for each in people:
        if each:
            found.append(each.title())
    return found
"""
