"""The flagger: every rule on a change, with thresholds and rules of one's own.

report = HumanAlignmentFlagger(AlignmentSection()).flag(change)
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from reverie.gates.alignment.additions import additions, redacted, secrets
from reverie.gates.alignment.changed_files import ReadFile
from reverie.gates.alignment.removals import (
    complexity_jumps,
    figures_of,
    licence_changes,
    missing_tests,
    missing_types,
    removals,
)
from reverie.model.change import Change
from reverie.model.repository.quality import AlignmentFlag, AlignmentReport, Severity
from reverie.model.settings.judgement import GuardSection
from reverie.model.settings.promotion import AlignmentSection, CustomRule

_SHOWN = 200
_LONGEST = 400
"""Characters of a line that a rule of one's own looks at: no pattern can take for ever."""


@dataclass(frozen=True, slots=True)
class HumanAlignmentFlagger:
    """Reads a change as a wary colleague would; says what to look at and judges nothing else."""

    section: AlignmentSection = field(default_factory=AlignmentSection)
    guard: GuardSection = field(default_factory=GuardSection)

    def flag(self, change: Change) -> AlignmentReport:
        """All flags, worst first."""
        files = [ReadFile(edit, self.guard) for edit in change.edits if not edit.is_binary]
        rules = self.section.custom_rules()
        found = [flag for file in files for flag in self._flags(file, rules)]
        found += missing_tests(files)
        wanted = [each for each in found if each.rule not in self.section.disable]
        order = list(Severity)
        wanted.sort(key=lambda each: (-order.index(each.severity), each.path, each.line, each.rule))
        return AlignmentReport(
            tuple(_cleaned(each) for each in dict.fromkeys(wanted)),
            self.section.warning_threshold,
            self.section.failure_threshold,
            figures_of(files, "before"),
            figures_of(files, "after"),
        )

    def _flags(self, file: ReadFile, rules: Sequence[CustomRule]) -> Iterator[AlignmentFlag]:
        yield from secrets(file)
        yield from removals(file)
        yield from additions(file)
        yield from licence_changes(file)
        yield from complexity_jumps(file, self.section.complexity_jump)
        yield from missing_types(file)
        yield from _custom(file, rules)


def _custom(file: ReadFile, rules: Sequence[CustomRule]) -> Iterator[AlignmentFlag]:
    """Rules of the settings: a pattern that new lines must not have."""
    for rule in rules:
        for number, line in file.added:
            if re.search(rule.pattern, line[:_LONGEST]):
                said = f"a new line matches the rule {rule.name}"
                yield file.flag(rule.name, rule.severity, number, said)


def _cleaned(flag: AlignmentFlag) -> AlignmentFlag:
    message = redacted(flag.message)[:_SHOWN]
    return AlignmentFlag(flag.rule, flag.severity, flag.path, flag.line, message)
