"""`WorkflowSandboxRunner` with the real engine."""

import os
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from reverie import (
    Journal,
    Limits,
    Policy,
    Sandbox,
    SandboxSection,
    Step,
    UsageError,
    WorkflowRun,
    WorkflowSandboxRunner,
    journal_url,
)
from reverie.errors import PolicyError
from reverie.model.sections import TierChoice
from reverie.store import failure_patterns, history

ORDERS = '''
"""Orders of a shop."""
import dataclasses
import os

@dataclasses.dataclass
class Order:
    id: int
    price: int

def load(path="orders.csv"):
    with open(path) as file:
        rows = [line.split(",") for line in file.read().splitlines()[1:]]
    return tuple(Order(int(number), int(price)) for number, price in rows)

def total(orders):
    assert isinstance(orders, tuple), orders
    return sum(order.price for order in orders)

def write(amount):
    os.makedirs("/var/report")
    with open("/var/report/total.txt", "w") as file:
        print(amount, file=file)

def read_back(path="/var/report/total.txt"):
    return open(path).read()

def bad(orders):
    return orders[0].colour

def type_error(orders):
    return orders + 1

def endless():
    while True:
        pass

async def later():
    return "later"

def lazily():
    yield from (1, 2)

def handle():
    return open("orders.csv")
'''
CSV = {"orders.csv": "id,price\n1,20\n2,22\n"}


@pytest.fixture(scope="module")
def engine() -> Iterator[Sandbox]:
    with Sandbox() as sandbox:
        yield sandbox


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("repository")
    package = folder / "src" / "shop"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "orders.py").write_text(ORDERS)
    return folder


@pytest.fixture
def runner(engine: Sandbox, shop: Path) -> WorkflowSandboxRunner:
    return WorkflowSandboxRunner(repository=shop, sandbox=engine, limits=Limits(wall_seconds=10))


def message(run: WorkflowRun) -> str:
    assert run.error is not None
    return run.error.message


class TestSteps:
    def test_data_flows_from_one_step_to_the_next(self, runner: WorkflowSandboxRunner) -> None:
        run = runner.run(
            ["shop.orders:load", "shop.orders:total", "shop.orders:write", "shop.orders:read_back"],
            test_data=CSV,
            expected_outputs={"total": 42, "read_back": "42\n", "/var/report/total.txt": "42\n"},
        )
        assert run.error is None
        assert run.succeeded
        assert [step.name for step in run.steps][:2] == ["shop.orders:load", "shop.orders:total"]
        assert run.outputs["shop.orders:total"] == 42
        assert run.output == "42\n"

    def test_what_json_cannot_hold_still_flows_and_is_described(
        self, runner: WorkflowSandboxRunner
    ) -> None:
        run = runner.run(["shop.orders:load", "shop.orders:total"], test_data=CSV)
        first = run.steps[0]
        assert (first.output, first.output_type) == (None, "tuple")
        assert (first.output_text or "").startswith("(Order(id=1, price=20)")
        assert run.output == 42

    def test_every_step_is_measured_from_outside(self, runner: WorkflowSandboxRunner) -> None:
        run = runner.run(["shop.orders:load", "shop.orders:total"], test_data=CSV)
        for step in run.steps:
            assert step.duration_ms > 0
            assert (step.cpu_seconds or 0) > 0
            assert (step.peak_rss_bytes or 0) > 1 << 20
        assert run.duration_ms == sum(step.duration_ms for step in run.steps)
        assert run.cpu_seconds == sum(step.cpu_seconds or 0 for step in run.steps)
        assert len({step.execution.id for step in run.steps}) == 2

    def test_the_step_that_fails_is_named_and_the_rest_not_run(
        self, runner: WorkflowSandboxRunner
    ) -> None:
        run = runner.run(
            ["shop.orders:load", "shop.orders:bad", "shop.orders:total"], test_data=CSV
        )
        assert (run.outcome, run.error_category) == ("runtime_error", "runtime")
        assert run.failed_step == "shop.orders:bad"
        assert len(run.steps) == 2
        assert run.error is not None
        assert run.error.location == "shop/orders.py:bad"

    def test_a_type_error_of_the_repository_is_one(self, runner: WorkflowSandboxRunner) -> None:
        run = runner.run(["shop.orders:load", "shop.orders:type_error"], test_data=CSV)
        assert (run.outcome, run.error_category) == ("type_error", "type")

    def test_a_step_that_never_ends(self, engine: Sandbox, shop: Path) -> None:
        limits = Limits(wall_seconds=0.3)
        runner = WorkflowSandboxRunner(repository=shop, sandbox=engine, limits=limits)
        run = runner.run(["shop.orders:endless"])
        assert (run.outcome, run.failed_step) == ("timeout", "shop.orders:endless")

    def test_parameters_of_the_first_step_and_of_any(self, runner: WorkflowSandboxRunner) -> None:
        data = {"other.csv": CSV["orders.csv"], "x.txt": "seen"}
        steps = ["shop.orders:load", Step("shop.orders:read_back", {"path": "x.txt"})]
        run = runner.run(steps, params={"path": "other.csv"}, test_data=data)
        assert run.output == "seen"

    def test_coroutines_and_generators_are_resolved(self, runner: WorkflowSandboxRunner) -> None:
        assert runner.run("shop.orders:later").output == "later"
        assert runner.run("shop.orders:lazily").output == [1, 2]

    def test_a_step_twice_has_two_names(self, runner: WorkflowSandboxRunner) -> None:
        run = runner.run(["shop.orders:later", "shop.orders:later"])
        assert list(run.outputs) == ["shop.orders:later", "shop.orders:later#2"]

    def test_a_result_that_cannot_be_handed_on(self, runner: WorkflowSandboxRunner) -> None:
        run = runner.run(["shop.orders:handle", "shop.orders:total"], test_data=CSV)
        assert run.outcome == "output_validation_failed"
        assert "cannot be handed on: TypeError" in message(run)

    def test_an_empty_folder_is_handed_on(self, runner: WorkflowSandboxRunner) -> None:
        def make() -> None:
            os.mkdir("empty")

        def look() -> bool:
            return os.path.isdir("empty")

        assert runner.run([make, look]).output is True

    def test_nothing_to_run(self, runner: WorkflowSandboxRunner) -> None:
        with pytest.raises(UsageError, match="at least one step"):
            runner.run([])


class TestCallables:
    def test_a_function_of_this_file(self, runner: WorkflowSandboxRunner) -> None:
        def workflow() -> None:
            with open("input.txt") as source:
                data = source.read()
            with open("output.txt", "w") as target:
                target.write(data.upper())

        run = runner.run(
            workflow, test_data={"input.txt": "data"}, expected_outputs={"output.txt": "DATA"}
        )
        assert run.error is None
        assert run.files == {"input.txt": b"data", "output.txt": b"DATA"}
        assert [(each.kind, each.path) for each in run.changes] == [("created", "output.txt")]
        assert not os.path.exists("output.txt")

    def test_one_with_what_it_encloses(self, runner: WorkflowSandboxRunner) -> None:
        factor = 2

        def helper(x: int) -> int:
            return x * factor

        def workflow(x: int) -> int:
            return helper(x) + 1

        assert runner.run(workflow, params={"x": 20}).output == 41

    def test_a_module_outside_of_any_package(
        self, runner: WorkflowSandboxRunner, tmp_path: Path
    ) -> None:
        import importlib.util

        path = tmp_path / "tool.py"
        path.write_text("BASE = 3\ndef work():\n    return BASE + other()\ndef other(): return 4\n")
        spec = importlib.util.spec_from_file_location("renamed.tool2", path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        import sys

        sys.modules["renamed.tool2"] = module
        try:
            spec.loader.exec_module(module)
            assert runner.run(module.work).output == 7
        finally:
            del sys.modules["renamed.tool2"]

    def test_an_import_that_fails_inside_is_a_dependency(
        self, engine: Sandbox, tmp_path: Path
    ) -> None:
        (tmp_path / "needy.py").write_text("import not_there_at_all\ndef f(): ...\n")
        runner = WorkflowSandboxRunner(repository=tmp_path, sandbox=engine)
        run = runner.run("needy:f")
        assert (run.outcome, run.error_category) == ("runtime_error", "dependency")

    def test_a_name_that_is_not_in_its_module(self, runner: WorkflowSandboxRunner) -> None:
        assert "has no attribute 'nothing'" in message(runner.run("shop.orders:nothing"))


class TestFiles:
    def test_absolute_names_lead_into_the_run(self, runner: WorkflowSandboxRunner) -> None:
        def workflow() -> list[Any]:
            import glob
            import os
            import pathlib
            import shutil

            seen = pathlib.Path("/data/in/a.txt").read_text()
            os.makedirs("/var/out", exist_ok=True)
            shutil.copy("/data/in/a.txt", "/var/out/b.txt")
            with open("/var/out/b.txt", "a") as file:
                file.write("!")
            os.rename("/var/out/b.txt", "/var/out/c.txt")
            os.remove("/data/in/old.txt")
            return [
                seen,
                os.listdir("/data/in"),
                glob.glob("/var/out/*"),
                os.path.isfile("/var/out/c.txt"),
                os.path.exists("/var/out/b.txt"),
                [name for _, _, names in os.walk("/var/out") for name in names],
                os.path.exists("/usr/bin"),
                open("/var/out/c.txt").read(),
            ]

        run = runner.run(workflow, test_data={"/data/in/a.txt": "a", "/data/in/old.txt": ""})
        assert run.error is None
        assert run.output == [
            "a", ["a.txt"], ["/var/out/c.txt"], True, False, ["c.txt"], True, "a!"
        ]  # fmt: skip
        assert run.files == {"data/in/a.txt": b"a", "var/out/c.txt": b"a!"}
        assert [(each.kind, each.path) for each in run.changes] == [
            ("deleted", "data/in/old.txt"),
            ("created", "var/out/c.txt"),
        ]

    def test_a_file_of_the_repository_is_changed_in_the_run_alone(
        self, runner: WorkflowSandboxRunner, shop: Path
    ) -> None:
        source = shop / "src" / "shop" / "orders.py"

        def workflow(path: str) -> bool:
            import os
            import sys

            sys.modules.pop("nothing", None)
            with open(path, "a") as file:
                file.write("# mine")
            return open(path).read().endswith("# mine") and "orders.py" in os.listdir(
                os.path.dirname(path)
            )

        run = runner.run(["shop.orders:later", Step(workflow, {"path": str(source)})])
        assert run.error is None
        assert run.output is True
        assert source.read_text() == ORDERS
        assert run.files[str(source).lstrip("/")].endswith(b"# mine")

    def test_temporary_files_stay_behind(self, runner: WorkflowSandboxRunner) -> None:
        def workflow() -> str:
            import tempfile

            with tempfile.NamedTemporaryFile("w+", delete=False) as file:
                file.write("x")
            return open(file.name).read()

        run = runner.run(workflow)
        assert (run.output, run.files) == ("x", {})

    def test_links_are_left_behind(self, runner: WorkflowSandboxRunner) -> None:
        def workflow() -> None:
            import os

            os.symlink("/etc/passwd", "link")
            open("real", "w").close()

        assert runner.run(workflow).files == {"real": b""}

    def test_more_than_can_be_brought_back(self, engine: Sandbox) -> None:
        def workflow() -> None:
            with open("large", "wb") as file:
                file.write(b"x" * 100_000)

        runner = WorkflowSandboxRunner(sandbox=engine, limits=Limits(result_bytes=100_000))
        run = runner.run(workflow)
        assert run.outcome == "output_validation_failed"
        assert "larger than 50000 bytes" in message(run)

    def test_a_name_that_leads_out_is_refused(self, runner: WorkflowSandboxRunner) -> None:
        with pytest.raises(UsageError, match=r"\.\./up"):
            runner.run("shop.orders:later", test_data={"../up": ""})


class TestExpectations:
    def test_the_first_difference_is_a_logic_error(self, runner: WorkflowSandboxRunner) -> None:
        run = runner.run(
            ["shop.orders:load", "shop.orders:total"],
            test_data=CSV,
            expected_outputs={"shop.orders:total": 43},
        )
        assert (run.outcome, run.error_category) == ("runtime_error", "logic")
        assert message(run) == "shop.orders:total: result: expected 43, got 42"
        assert run.failed_step is None
        assert all(step.execution.succeeded for step in run.steps)

    def test_the_expected_values_never_go_inside(self, runner: WorkflowSandboxRunner) -> None:
        def cheat() -> str:
            import gc

            word = "-".join(("swordfish", "7f3a"))
            return "found" if word in repr(gc.get_objects()) else "nothing"

        run = runner.run(cheat, expected_outputs={"cheat": "swordfish-7f3a"})
        assert run.output == "nothing"
        assert run.error_category == "logic"


class TestNetwork:
    def test_safe_mode_makes_an_attempt_a_runtime_error(
        self, runner: WorkflowSandboxRunner
    ) -> None:
        def by_name() -> None:
            import urllib.request

            urllib.request.urlopen("http://example.org/", timeout=1)

        def by_address() -> None:
            import socket

            socket.socket().connect(("192.0.2.1", 80))

        def without_connection() -> None:
            import socket

            socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("192.0.2.1", 53))

        async def asynchronously() -> None:
            import asyncio

            await asyncio.open_connection("192.0.2.1", 80)

        for attempt in (by_name, by_address, without_connection, asynchronously):
            run = runner.run(attempt, safe_mode=True)
            assert run.safe_mode
            assert (run.outcome, run.error_category) == ("runtime_error", "runtime")
            assert run.error is not None
            assert run.error.type_name == "RuntimeError"
            assert "network access is off in safe mode" in run.error.message

    def test_without_it_the_sandbox_is_still_the_boundary(
        self, engine: Sandbox, shop: Path
    ) -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:
            server.settimeout(0.1)
            port = server.getsockname()[1]

            def call_home(port: int) -> None:
                import socket

                socket.create_connection(("127.0.0.1", port), timeout=1)

            run = WorkflowSandboxRunner(sandbox=engine).run(call_home, params={"port": port})
            assert run.outcome == "runtime_error"
            with pytest.raises(TimeoutError):
                server.accept()

    def test_safe_mode_is_stronger_than_the_policy(self, engine: Sandbox) -> None:
        def raw() -> int:
            import _socket

            return _socket.socket(_socket.AF_INET).connect_ex(("192.0.2.1", 80))

        runner = WorkflowSandboxRunner(sandbox=engine, policy=Policy(enable_network=True))
        run = runner.run(raw, safe_mode=True)
        assert run.output != 0


class TestInjectors:
    def test_one_replaces_and_restores(self, runner: WorkflowSandboxRunner) -> None:
        def freeze(root: str) -> Callable[[], None]:
            import time

            real = time.time
            time.time = lambda: 1.5  # type: ignore[assignment]

            def restore() -> None:
                time.time = real  # type: ignore[assignment]
                with open(root + "/restored", "w") as file:
                    file.write(str(time.time() > 2))

            return restore

        def workflow() -> float:
            import time

            return time.time()

        run = runner.run(workflow, mock_injectors=[freeze])
        assert run.output == 1.5
        assert run.files == {"restored": b"True"}

    def test_source_and_names_will_do(self, runner: WorkflowSandboxRunner, shop: Path) -> None:
        (shop / "mocks.py").write_text(
            "def answer(root):\n"
            "    import urllib.request\n"
            "    urllib.request.urlopen = lambda url: root\n"
        )
        source = "import os\ndef mark(root):\n    os.environ['MARK'] = root\n"

        def workflow() -> list[str]:
            import os
            import urllib.request

            return [urllib.request.urlopen("http://x"), os.environ["MARK"], os.getcwd()]  # type: ignore[list-item]

        run = runner.run(workflow, safe_mode=True, mock_injectors=["mocks:answer", source])
        assert run.error is None
        assert len(set(run.output)) == 1

    def test_a_teardown_runs_after_a_failure_too(self, runner: WorkflowSandboxRunner) -> None:
        first = "def a(root):\n    return lambda: print('first down')\n"
        second = "def b(root):\n    return lambda: print('second down') or 1 / 0\n"

        def fail() -> None:
            raise ValueError("mine")

        run = runner.run(fail, mock_injectors=[first, second])
        assert message(run) == "ValueError: mine"
        assert run.steps[0].execution.stdout == "second down\nfirst down\n"

    def test_a_teardown_that_fails_fails_the_step(self, runner: WorkflowSandboxRunner) -> None:
        source = "def b(root):\n    return lambda: 1 / 0\n"
        run = runner.run("shop.orders:later", mock_injectors=[source])
        assert message(run) == "ZeroDivisionError: division by zero"

    def test_what_is_no_teardown_is_said(self, runner: WorkflowSandboxRunner) -> None:
        run = runner.run("shop.orders:later", mock_injectors=["def b(root):\n    return 3\n"])
        assert "returns a callable, not int" in message(run)


def test_a_forged_answer_fails_the_step(runner: WorkflowSandboxRunner) -> None:
    def forge() -> None:
        import sys

        frame = sys._getframe()
        while frame.f_code.co_name != "_run_step":
            frame = frame.f_back  # type: ignore[assignment]
        frame.f_globals["_collect"] = lambda *_: {"files": {"../../x": ""}, "folders": []}

    run = runner.run(forge)
    assert run.outcome == "output_validation_failed"
    assert run.files == {}


def test_steps_are_journaled(engine: Sandbox, shop: Path, tmp_path: Path) -> None:
    with Journal.open(journal_url(tmp_path)) as journal:
        with WorkflowSandboxRunner(repository=shop, sandbox=engine, journal=journal) as runner:
            runner.run(["shop.orders:load", "shop.orders:bad"], test_data=CSV)
        records = history(journal)
        assert [record.entry for record in records] == [
            "step_shop_orders_bad",
            "step_shop_orders_load",
        ]
        (pattern,) = failure_patterns(journal)
        assert pattern.code_snippet.startswith("# step shop.orders:bad\n")


def test_the_weaker_tier_runs_the_same_workflow(shop: Path) -> None:
    with Sandbox(SandboxSection(tier=TierChoice.LANDLOCK)) as sandbox:
        runner = WorkflowSandboxRunner(repository=shop, sandbox=sandbox)
        run = runner.run(
            ["shop.orders:load", "shop.orders:total", "shop.orders:write"],
            test_data=CSV,
            expected_outputs={"/var/report/total.txt": "42\n"},
        )
    assert run.error is None
    assert run.isolation == "landlock"


def test_a_closed_runner_says_so(shop: Path) -> None:
    runner = WorkflowSandboxRunner(repository=shop)
    runner.close()
    with pytest.raises(UsageError, match="closed"):
        runner.run("shop.orders:later")


def test_a_module_in_a_folder_that_is_too_wide(engine: Sandbox) -> None:
    runner = WorkflowSandboxRunner(repository="/tmp", sandbox=engine)
    stray = Path("/tmp") / f"reverie_stray_{os.getpid()}.py"
    stray.write_text("def f(): ...\n")
    try:
        with pytest.raises(PolicyError, match="refusing to show all of '/tmp'"):
            runner.run(f"{stray.stem}:f")
    finally:
        stray.unlink()
