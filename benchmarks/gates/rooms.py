"""The two rooms that judge, and the tests that run in their process."""

from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "benchmarks" / "results"


@dataclass(frozen=True, slots=True)
class Room:
    """A folder of pure code, and the tests that run in its process."""

    folder: str
    tests: tuple[str, ...]

    @property
    def modules(self) -> tuple[str, ...]:
        return tuple(
            path.relative_to(ROOT).as_posix()
            for path in sorted((ROOT / self.folder).rglob("*.py"))
            if path.name != "__init__.py"
        )


ROOMS = (
    Room("src/reverie/gates", ("tests/unit/gates", "tests/properties/test_quality_grades.py")),
    Room(
        "src/reverie/scoring",
        (
            "tests/unit/scoring",
            "tests/properties/test_speedup.py",
            "tests/properties/test_foresight.py",
            "tests/properties/test_worth.py",
        ),
    ),
)


def short(module: str) -> str:
    return module.removeprefix("src/reverie/").removesuffix(".py")
