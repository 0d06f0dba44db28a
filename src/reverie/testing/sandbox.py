"""The contract every sandbox tier must pass. Subclass it and provide a `sandbox` fixture.

    class TestMyTier(SandboxContract):
        deviations = frozenset({"test_disk_space_is_limited"})

        @pytest.fixture(scope="class")
        @classmethod
        def sandbox(cls) -> Iterator[Sandbox]:
            with Sandbox(SandboxSection(tier=TierChoice.LANDLOCK)) as sandbox:
                yield sandbox

A deviation is the name of a test that the tier does not pass (`name` for all its cases,
`name[case]` for one). It is never skipped: the test runs and has to fail, by an assertion or
because the tier refuses the policy in advance. A deviation that has gone away fails too.
"""

import functools
import inspect
from collections.abc import Callable
from typing import Any, ClassVar

import pytest

from reverie.errors import PolicyError
from reverie.testing.sandbox_contract.channel import ChannelContract
from reverie.testing.sandbox_contract.files import FilesContract, PrivateCopiesContract
from reverie.testing.sandbox_contract.interpreters import InterpretersContract, LibrariesContract
from reverie.testing.sandbox_contract.keeper import DisguiseContract, KeeperContract
from reverie.testing.sandbox_contract.leftovers import LeftoversContract
from reverie.testing.sandbox_contract.life import InputsContract, LifeContract
from reverie.testing.sandbox_contract.limits import LimitsContract
from reverie.testing.sandbox_contract.outcomes import OutcomesContract, ResultsContract
from reverie.testing.sandbox_contract.reach import PrivilegesContract, ReachContract
from reverie.testing.sandbox_contract.requests import RequestsContract
from reverie.testing.sandbox_contract.sharing import SharingContract
from reverie.testing.sandbox_contract.truth import TruthContract


class SandboxContract(
    OutcomesContract,
    ResultsContract,
    LimitsContract,
    RequestsContract,
    FilesContract,
    PrivateCopiesContract,
    ReachContract,
    PrivilegesContract,
    ChannelContract,
    LeftoversContract,
    LibrariesContract,
    InputsContract,
    InterpretersContract,
    KeeperContract,
    LifeContract,
    DisguiseContract,
    SharingContract,
    TruthContract,
):
    """Shipped, so that a tier built elsewhere is held to the same rules."""

    deviations: ClassVar[frozenset[str]] = frozenset()
    """Names of the tests that this tier does not pass."""

    _test_name: str = ""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        tests = {name for name, _ in inspect.getmembers(cls, callable) if name.startswith("test_")}
        unknown = {name for name in cls.deviations if name.partition("[")[0] not in tests}
        if unknown:
            raise TypeError(f"{cls.__name__}: no such test in the contract: {sorted(unknown)}")
        for name in sorted({name.partition("[")[0] for name in cls.deviations}):
            setattr(cls, name, _held_to_deviation(getattr(cls, name)))

    @pytest.fixture(autouse=True)
    def _know_own_name(self, request: pytest.FixtureRequest) -> None:
        self._test_name = request.node.name


def _held_to_deviation(test: Callable[..., None]) -> Callable[..., None]:
    """The test, turned round for the cases that are named as deviations."""

    @functools.wraps(test)
    def turned_round(self: SandboxContract, *arguments: Any, **named: Any) -> None:
        if not {self._test_name, test.__name__} & self.deviations:
            test(self, *arguments, **named)
            return
        try:
            test(self, *arguments, **named)
        except (AssertionError, PolicyError):
            return
        pytest.fail(f"{self._test_name} is listed as a deviation, but this tier passes it")

    return turned_round
