"""Is the change small enough to be read?"""

from collections.abc import Iterator
from dataclasses import dataclass

from reverie.gates.gate import Matter, nothing_to_judge, ruled
from reverie.model.dream import Stage
from reverie.model.ruling import Answer, Ruling
from reverie.model.words import counted


@dataclass(frozen=True, slots=True)
class SizeGate:
    """Refuses a change of more files or lines than its stage allows."""

    name: str = "size"

    def judge(self, matter: Matter) -> tuple[Ruling, ...]:
        """Files at every stage; lines at stage B."""
        if not matter.change.edits:
            return nothing_to_judge(self.name)
        lines = matter.change.lines_changed
        said = f"{counted(len(matter.change.edits), 'file')}, {counted(lines, 'line')}"
        return ruled(self.name, self._objections(matter, lines), said)

    def _objections(self, matter: Matter, lines: int) -> Iterator[Ruling]:
        section = matter.section
        most = section.test_files if matter.stage is Stage.A else section.files
        files = len(matter.change.edits)
        if files > most:
            said = f"stage {matter.stage} allows {counted(most, 'file')} in one change"
            yield Ruling(self.name, Answer.FAIL, "too_many_files", said, files, most)
        if matter.stage is Stage.B and lines > section.lines:
            said = f"stage B allows {section.lines} changed lines"
            yield Ruling(self.name, Answer.FAIL, "too_many_lines", said, lines, section.lines)
