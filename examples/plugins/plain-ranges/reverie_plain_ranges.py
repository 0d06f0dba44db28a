"""A dreamer for Reverie: `range(0, n)` says no more than `range(n)`."""

import re
from collections.abc import Iterable, Iterator

from reverie.model.dream import Dream, DreamKind
from reverie.stages.dreamer import Allowance, Example, Survey, Target, rewritten

_FROM_ZERO = re.compile(r"\brange\(0, (\w+)\)")
_LONG = "def squares(n):\n    return [i * i for i in range(0, n)]\n"
_SHORT = "def squares(n):\n    return [i * i for i in range(n)]\n"


class RangeDreamer:
    """Dreams of ranges without their zero."""

    name = "plain-ranges"
    kind = DreamKind.REFACTOR

    def examples(self) -> Iterable[Example]:
        """One to change, one to leave alone."""
        yield Example({"sums.py": _LONG}, "sums.py")
        yield Example({"sums.py": _SHORT}, "sums.py", is_dreamt_about=False)

    def targets(self, survey: Survey) -> Iterable[Target]:
        """Modules by how often it fits."""
        modules = (each for each in survey.grounds.index.modules if not each.is_test)
        counts = {each.path: len(_FROM_ZERO.findall(survey.read(each.path))) for each in modules}
        return survey.targets(self.name, {path: n for path, n in counts.items() if n})

    def dream(self, survey: Survey, allowance: Allowance) -> Iterator[Dream]:
        """All of a module at once."""
        source = _FROM_ZERO.sub(r"range(\1)", survey.source)
        if source != survey.source:
            yield rewritten(self, survey, allowance, "Drop the zero of ranges", source)
        allowance.notes.remark = "every range begins where it says"
