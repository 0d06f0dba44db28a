"""The loop with an author: an answer, the judge's word on it, the reasons back, the next answer."""

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from reverie.dreamers.models.feedback import misread, reasons_of
from reverie.errors import ModelFailed, Refused
from reverie.model.ruling import Answer as Word
from reverie.model.ruling import Judgement, Verdict
from reverie.stages.authoring.asking import Answer, Conversation

T = TypeVar("T")
LEAST_SECONDS = 2.0
"""With less left nobody is asked again."""
_UNHURRIED_SECONDS = 3600.0
_ORDER = list(Verdict)


@dataclass(frozen=True, slots=True)
class Assessed(Generic[T]):
    """One answer with the judge's word on it."""

    answer: Answer
    judgement: Judgement
    details: Mapping[str, tuple[str, ...]]
    worth: float
    whole: T
    """Whatever the judge gave, for whoever asked it."""

    @property
    def rank(self) -> tuple[int, int, float]:
        """Better first: by verdict, then by how much speaks against it, then by worth."""
        against = sum(each.verdict is not Word.PASS for each in self.judgement.rulings)
        return _ORDER.index(self.judgement.verdict), against, -self.worth


Judge = Callable[[Answer], Assessed[T]]


@dataclass(slots=True)
class Course(Generic[T]):
    """How a conversation went."""

    assessed: list[Assessed[T]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    """Answers that were none, failures, and what ended it."""
    failure: ModelFailed | Refused | None = None
    """The last of them that was raised."""

    @property
    def best(self) -> Assessed[T] | None:
        """By evidence, whatever the author says of it."""
        return min(self.assessed, key=lambda each: each.rank, default=None)


@dataclass(frozen=True, slots=True)
class Bounds:
    """How long an author is asked about one task."""

    rounds: int
    seconds: float | None = None
    is_stopped: Callable[[], bool] = lambda: False
    is_by_chance: bool = False
    """Whether the same question gets other answers: nothing that comes again ends it then."""


def converse(conversation: Conversation, judge: Judge[T], bounds: Bounds) -> Course[T]:
    """Ask until an answer passes, or the bounds are reached, or the author repeats itself."""
    talk: _Talk[T] = _Talk(conversation, judge, bounds.is_by_chance)
    ends_at = None if bounds.seconds is None else time.monotonic() + bounds.seconds
    for number, left in _rounds(bounds, ends_at):
        if talk.is_over_after(number, left):
            break
    return talk.course


@dataclass(slots=True)
class _Talk(Generic[T]):
    """A conversation under way."""

    conversation: Conversation
    judge: Judge[T]
    is_by_chance: bool
    course: Course[T] = field(default_factory=Course)
    reasons: str = ""
    """What the next answer has to mend."""
    seen: set[str] = field(default_factory=set)

    def is_over_after(self, number: int, seconds: float) -> bool:
        """Ask once; whether there is nothing more to ask."""
        course = self.course
        try:
            answer = self.conversation.answer(self.reasons, number, seconds)
        except ModelFailed as error:
            course.failure = error
            course.problems.append(str(error))
            self.reasons = misread(str(error))
            return self._is_known(str(error)) and not self.is_by_chance
        except Refused as error:
            course.failure = error
            course.problems.append(str(error))
            return True
        if answer.note is not None:
            course.problems.append(answer.note)
        if not answer.change.edits or self._is_known(answer.change.digest):
            is_empty = not answer.change.edits
            said = "the answer changes nothing" if is_empty else "the same answer came again"
            course.problems.append(said)
            return not self.is_by_chance
        return self._is_good(answer)

    def _is_good(self, answer: Answer) -> bool:
        found = self.judge(answer)
        self.course.assessed.append(found)
        self.reasons = reasons_of(found.judgement.rulings, found.details, answer.change)
        return found.judgement.verdict is Verdict.PROMOTE

    def _is_known(self, what: str) -> bool:
        """Whether it was said before; from now on it was."""
        was_there = what in self.seen
        self.seen.add(what)
        return was_there


def _rounds(bounds: Bounds, ends_at: float | None) -> Iterator[tuple[int, float]]:
    """The number of each round, and the seconds that are left for it."""
    for number in range(bounds.rounds):
        left = _UNHURRIED_SECONDS if ends_at is None else ends_at - time.monotonic()
        if bounds.is_stopped() or (number and left < LEAST_SECONDS):
            return
        yield number, left
