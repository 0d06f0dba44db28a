"""Does the change take back what the repository had reached?"""

from collections.abc import Iterator
from dataclasses import dataclass

from reverie.gates.gate import Matter, not_measured, nothing_to_judge, ruled
from reverie.model.baseline import PATH, Baseline, read_baseline
from reverie.model.ruling import Answer, Ruling

_ROUNDING = 1e-6


@dataclass(frozen=True, slots=True)
class BaselineGate:
    """Refuses a change that lowers the ratchet file itself, or takes it away."""

    name: str = "baseline"

    def judge(self, matter: Matter) -> tuple[Ruling, ...]:
        """On the text of the change."""
        if not matter.change.edits:
            return nothing_to_judge(self.name)
        return ruled(self.name, self._objections(matter), "the baseline is not lowered")

    def _objections(self, matter: Matter) -> Iterator[Ruling]:
        for edit in matter.change.edits:
            if PATH not in (edit.path, edit.renamed_from) or edit.before is None:
                continue
            before, after = _read(edit.before), _read(edit.after if edit.path == PATH else None)
            if before is None:
                continue
            if after is None:
                said = "the baseline is gone, or cannot be read any more"
                yield Ruling(self.name, Answer.FAIL, "baseline_lowered", said, PATH)
                continue
            for name, value in sorted(before.measures.items()):
                now = after.measures.get(name)
                if now is None or now < value:
                    said = f"{name} is lowered"
                    yield Ruling(self.name, Answer.FAIL, "baseline_lowered", said, now, value)


@dataclass(frozen=True, slots=True)
class RatchetGate:
    """Refuses a change after which a figure is below what the repository had reached."""

    name: str = "ratchet"

    def judge(self, matter: Matter) -> tuple[Ruling, ...]:
        """Every figure of the baseline, as it was measured with the change."""
        if not matter.change.edits:
            return nothing_to_judge(self.name)
        said = (
            "no baseline is kept" if matter.baseline is None else "no figure is below its baseline"
        )
        return ruled(self.name, self._objections(matter), said)

    def _objections(self, matter: Matter) -> Iterator[Ruling]:
        for name, least in sorted((matter.baseline or {}).items()):
            value = matter.measured(f"{name}.after")
            if value is None:
                yield not_measured(self.name, f"{name}.after")
            elif value < least - _ROUNDING:
                said = f"{name} is below the baseline of the repository"
                yield Ruling(self.name, Answer.FAIL, "below_baseline", said, value, least)


def _read(text: str | None) -> Baseline | None:
    try:
        return None if text is None else read_baseline(text)
    except (ValueError, RecursionError):
        return None
