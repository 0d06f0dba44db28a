"""Which workflow shows which scenario."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reverie.model.workflow import Step, Workflow

FOLDER = Path(__file__).parent
VERSIONS = ("vulnerable", "hardened")
UPSTREAM = {
    "*": {"orders": [{"id": n, "price": 2.5, "quantity": n} for n in range(1, 6)]},
}
_ORDER = '{"name": " chair ", "quantity": "2"}'


@dataclass(frozen=True, slots=True)
class Case:
    """Steps by name, and what they are run on."""

    scenario: str
    steps: tuple[str, ...]
    params: dict[str, Any] = field(default_factory=dict)
    test_data: dict[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Scenario and first step."""
        return f"{self.scenario}.{self.steps[0]}"

    def workflow(self, version: str) -> Workflow:
        """The workflow of one of the versions."""
        steps = tuple(Step(f"shop.{version}:{each}") for each in self.steps)
        return Workflow(self.name, steps, params=self.params, test_data=self.test_data)


CASES = (
    Case("high_latency_api", ("fetch_orders", "total")),
    Case("flaky_upstream", ("fetch_orders", "total")),
    Case("schema_drift", ("fetch_orders", "total")),
    Case("schema_drift", ("total",), {"orders": UPSTREAM["*"]["orders"]}),
    Case("hostile_input", ("parse_order",), {"text": _ORDER}),
    Case("hostile_input", ("find_customer",), {"name": "ann"}),
    Case("hostile_input", ("read_invoice",), {"name": "1.txt"}, {"invoices/1.txt": "paid"}),
    Case("user_misuse", ("discount",), {"price": 80, "percent": 25}),
    Case("concurrency_spike", ("issue_ticket",)),
    Case("concurrency_spike", ("count_visit",), test_data={"visits.txt": "0"}),
    Case("resource_strain", ("longest_line",)),
    Case("chaotic_failure", ("fetch_orders", "total")),
    Case("chaotic_failure", ("parse_order",), {"text": _ORDER}),
)
