"""Simpler neighbours of a scenario, for shrinking a counter-example."""

from collections.abc import Iterator

from reverie.inputs import shrink_call
from reverie.instruments.equivalence.scenario import Scenario


def simpler_scenarios(scenario: Scenario) -> Iterator[Scenario]:
    """Fewer steps first, then simpler calls."""
    steps = scenario.steps
    size = len(steps) // 2
    while size:
        for start in range(0, len(steps) - size, size):
            yield Scenario(steps[:start] + steps[start + size :])
        size //= 2
    for number, step in enumerate(steps):
        for call in shrink_call(step.call):
            yield scenario.with_call(number, call)


def weight(scenario: Scenario) -> tuple[int, int, str]:
    """What shrinking makes smaller: steps, then length, then the text itself."""
    text = " ".join(step.call.render("f") for step in scenario.steps)
    return len(scenario.steps), len(text), text
