"""An author as a dreamer of one stage: every answer is tried before the next one is asked for."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from reverie.dreamers.models.edits import Place
from reverie.dreamers.models.tasks import Task
from reverie.errors import OutOfTime, Refused, UsageError
from reverie.gates.paths import red_line
from reverie.model.author import Author
from reverie.model.dream import AT_STAGE, Dream, DreamKind, Stage
from reverie.model.settings.judgement import GuardSection
from reverie.promotion.trial_tree import read_files
from reverie.stages.authoring.asking import Answer, Asker, Ground
from reverie.stages.authoring.evidence import Evidence, complexity_of, has_functions
from reverie.stages.authoring.loop import Assessed, Bounds, Course, converse
from reverie.stages.dreamer import Allowance, Example, Survey, Target
from reverie.stages.trying import Tried

KINDS = {
    Stage.A: DreamKind.TEST,
    Stage.B: DreamKind.REFACTOR,
    Stage.C: DreamKind.OPTIMISATION,
}
_TITLES = {Stage.A: "Test {}", Stage.B: "Refactor {}", Stage.C: "Speed up {}"}
_LOOKING_SHARE = 0.3
"""Of the time of a step: for the evidence."""
Try = Callable[[Dream, int], Tried]
Values = Callable[[Survey], Mapping[str, float]]
"""Which modules are worth a task, by path."""


@dataclass
class AuthorDreamer:
    """One author at one stage. One for each copy of a repository; threads share it."""

    author: Author
    stage: Stage
    asker: Asker
    evidence: Evidence
    try_once: Try
    values: Values | None = None
    wish: str = ""
    guard: GuardSection = field(default_factory=GuardSection)

    @property
    def name(self) -> str:
        """The author's, with the stage: what it earns is learned for each."""
        return f"{self.author.name}{AT_STAGE}{self.stage}"

    @property
    def kind(self) -> DreamKind:
        """What its dreams would do."""
        return KINDS[self.stage]

    def examples(self) -> Iterable[Example]:
        """None: what an author does with a task is known only by asking."""
        return ()

    def targets(self, survey: Survey) -> Iterable[Target]:
        """Modules that a task is worth, best first; none that no change may touch."""
        values = (self.values or self._usual)(survey)
        allowed = {
            path: value for path, value in values.items() if red_line(path, self.guard) is None
        }
        return survey.targets(self.name, allowed)

    def _usual(self, survey: Survey) -> Mapping[str, float]:
        modules = [
            each for each in survey.grounds.index.modules if not each.is_test and each.error is None
        ]
        if self.stage is Stage.C:
            found: dict[str, float] = {}
            for hot in self.evidence.profile(survey).hot:
                found[hot.path] = found.get(hot.path, 0.0) + hot.own_seconds
        else:
            found = {each.path: complexity_of(each) for each in modules}
        return dict(sorted(found.items(), key=lambda each: (-each[1], each[0])))

    def task(self, survey: Survey, seconds: float | None) -> Task:
        """What is asked about the module in mind."""
        return self.evidence.task(survey, self.stage, seconds, self.wish)

    def dream(self, survey: Survey, allowance: Allowance) -> Iterator[Dream]:
        """Every answer that was a change, the refused ones too: all of them are journaled."""
        began, seconds = time.monotonic(), allowance.budget.seconds
        if self.asker.budget.is_spent:  # not done: another run asks
            raise OutOfTime(f"the budget of {self.author.name} is spent")
        if not has_functions(survey.source):
            allowance.notes.remark = "nothing to call: no task"
            return
        task = self.task(survey, None if seconds is None else _LOOKING_SHARE * seconds)
        left = None if seconds is None else max(seconds - (time.monotonic() - began), 1.0)
        before = self.asker.budget.document()
        course = self._converse(survey, task, allowance, left)
        if not course.assessed and isinstance(course.failure, Refused):
            raise OutOfTime(str(course.failure))
        self._note(course, before, allowance)
        for each in course.assessed:
            yield each.whole.dream

    def _converse(
        self, survey: Survey, task: Task, allowance: Allowance, seconds: float | None
    ) -> Course[Tried]:
        def judge(answer: Answer) -> Assessed[Tried]:
            title = answer.title or _TITLES[self.stage].format(survey.module)
            dream = Dream(self.kind, self.name, survey.module, title, answer.change, allowance.seed)
            tried = self.try_once(dream, allowance.seed)
            trial = tried.trial
            worth = trial.score.get("raroi") or 0.0
            return Assessed(answer, trial.judgement, trial.evidence.details, worth, tried)

        known = survey.grounds.source.files
        every = read_files(survey.grounds.folder)
        files = {path: text for path, text in every.items() if path in known}
        ground = Ground(task, survey.grounds, files, place_for(task, files, self.guard))
        section = self.author.section
        is_by_chance = section.temperature > 0
        bounds = Bounds(section.rounds, seconds, allowance.is_stopped, is_by_chance)
        with self.asker.begin(ground) as conversation:
            try:
                return converse(conversation, judge, bounds)
            except (OutOfTime, UsageError) as error:
                return Course(problems=[str(error)])

    def _note(
        self, course: Course[Tried], before: Mapping[str, float], allowance: Allowance
    ) -> None:
        after, figures = self.asker.budget.document(), allowance.notes.figures
        for name in ("calls", "tokens", "money"):
            if after[name] is not None:
                figures[name] = round(after[name] - (before[name] or 0), 6)
        figures["proposals"] = float(len(course.assessed))
        problems = list(dict.fromkeys(course.problems))
        if problems:
            allowance.notes.remark = "; ".join(problems)[:400]
        elif not course.assessed:
            allowance.notes.remark = "no answer was a change"


def place_for(task: Task, files: Mapping[str, bytes], guard: GuardSection) -> Place:
    """Where a whole file goes that names no path: a new file of tests, or the module."""
    if task.stage is not Stage.A:
        return Place(task.path, task.source)
    there = (each for each in guard.test_roots if any(p.startswith(f"{each}/") for p in files))
    stem = f"{next(there, guard.test_roots[0])}/test_" + task.module.replace(".", "_")
    number, path = 1, f"{stem}_proposed.py"
    while path in files:
        number += 1
        path = f"{stem}_proposed_{number}.py"
    return Place(path, None)
