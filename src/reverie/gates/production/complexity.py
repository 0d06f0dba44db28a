"""Is the code harder to follow than before?"""

from dataclasses import dataclass

from reverie.gates.clarity import decisions_of, nesting_of
from reverie.gates.gate import Matter, nothing_to_judge, ruled
from reverie.gates.production.reading import rewritten_files
from reverie.model.dream import Stage
from reverie.model.ruling import Answer, Ruling


@dataclass(frozen=True, slots=True)
class ComplexityGate:
    """Refuses a refactoring that is harder to follow; an optimisation may add a few decisions.

    There are two ways to count, and honest work moves points between them: a branch becomes part
    of a condition, a loop goes round what was written out twice. More by both is more.
    """

    name: str = "complexity"

    def judge(self, matter: Matter) -> tuple[Ruling, ...]:
        """Decisions in all changed files together, before and after, plain and by nesting."""
        if not matter.change.edits:
            return nothing_to_judge(self.name)
        before = after = deep_before = deep_after = 0
        for file in rewritten_files(matter):
            before += decisions_of(file.before.tree)
            after += decisions_of(file.after.tree)
            deep_before += nesting_of(file.before.tree)
            deep_after += nesting_of(file.after.tree)
        more = matter.section.added_decisions if matter.stage is Stage.C else 0
        found = []
        if after > before + more and deep_after > deep_before + more:
            said = "there are more decisions to follow than before"
            found.append(
                Ruling(self.name, Answer.FAIL, "complexity_up", said, after, before + more)
            )
        return ruled(self.name, found, f"{before} decisions before, {after} after")
