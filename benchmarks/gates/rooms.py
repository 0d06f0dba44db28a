"""The two rooms that judge, their tests, and the packages they are tried by."""

from dataclasses import dataclass, replace
from pathlib import Path

from reverie.instruments.mutation.project import Project, find_project

ROOT = Path(__file__).parents[2]


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

    def project(self, tests: tuple[str, ...] = ()) -> Project:
        chosen = [str(ROOT / each) for each in tests or self.tests]
        found = find_project(ROOT, str(ROOT / self.folder), chosen)
        return replace(found, files=self.modules)


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


def package_of(module: str) -> str:
    """What is judged in one go: a package, or the modules that lie in the room itself."""
    return str(Path(module).parent)


def short(module: str) -> str:
    return module.removeprefix("src/reverie/").removesuffix(".py")
