"""Figures of many constructed series, digit for digit: the same journal gives the same verdict."""

import dataclasses
import json
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, is_dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from tests.unit.scoring.told import suggestions, words

from reverie.errors import UsageError
from reverie.model.foresight import CycleMetrics
from reverie.model.workflow_evolution import Interaction, SynergyKind
from reverie.scoring.forecasting import MODELS, forecast, period_of
from reverie.scoring.samples import draws, median, spread, theil_sen
from reverie.scoring.speedup import growth_exponent
from reverie.scoring.synergy import WorkflowGraph, best_subset, interaction, transmission
from reverie.scoring.trajectory import (
    Attempt,
    Completion,
    collapse_risk,
    completion_of,
    has_plateau,
    is_brittle,
    is_nothing,
    trend_of,
    volatility_of,
)

FILE = Path(__file__).with_name("figures.json")
_DIGITS = 9


def _wavy(n: int, scale: float = 3.0) -> list[float]:
    return [20 + scale * ((each * 7919) % 13 - 6) / 6 for each in range(n)]


SERIES: dict[str, list[float]] = {
    "none": [],
    "one": [4.0],
    "two samples": [4.0, 6.0],
    "three": [5.0, 4.0, 6.0],
    "four": [5.0, 4.0, 6.0, 5.5],
    "constant": [7.0] * 12,
    "all zero": [0.0] * 6,
    "all negative": [-3.0, -2.5, -3.5, -3.0, -2.0, -2.8, -3.1],
    "negative and rising": [-9.0, -7.0, -5.5, -3.0, -1.0, 0.5],
    "negative, rising slowly": [-90.0, -89.0, -88.5, -87.0, -86.0, -85.5],
    "outlier": [10.0, 10.5, 9.5, 10.0, 400.0, 10.0, 9.8, 10.2, 10.1, 9.9],
    "rising": [float(each) for each in range(3, 27, 2)],
    "falling": [20.0, 18.2, 16.0, 14.1, 12.0, 9.9, 8.1, 6.0, 4.0, 2.1],
    "slow decay": [100.0, 99.2, 98.1, 97.3, 96.0, 95.2, 94.0, 93.1, 92.2, 91.0],
    "collapse": [50.0, 51.0, 49.5, 50.5, 50.0, 49.0, 38.0, 24.0, 11.0, 3.0],
    "step": [5.0, 5.2, 4.8, 5.1, 5.0, 15.0, 15.2, 14.9, 15.1, 15.0, 14.8],
    "seasonal": [10.0, 20.0, 15.0, 10.5, 20.5, 15.2, 10.2, 19.8, 15.1, 9.9, 20.1, 14.9, 10.1, 20.2],
    "wild": [1.0, 30.0, -12.0, 44.0, -20.0, 38.0, 2.0, -31.0, 29.0, 5.0],
    "by turns": [10.0, 11.0] * 6,
    "wavy": _wavy(24),
    "long": _wavy(40, 9.0),
}


def plain(value: Any) -> Any:
    """As JSON, with as many digits as every machine agrees on."""
    if is_dataclass(value) and not isinstance(value, type):
        return plain(asdict(value))
    if isinstance(value, dict):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    if isinstance(value, float):
        return float(f"{value:.{_DIGITS}g}")
    return value


GAINS = (
    ([10.0, 11.0, 9.0], [5.0, 6.0, 5.5], [2.0, 3.0, 2.5]),
    ([10.0, 11.0, 9.0, 10.4], [5.0, 6.0, 5.5, 5.1], [15.0, 17.0, 14.5, 16.2]),
    ([1.0, 1.2, 0.9], [1.1, 1.0, 0.8], [9.0, 8.0, 8.5]),
    ([1.0, 1.0, 1.0], [2.0, 2.0, 2.0], [3.0, 3.0, 3.0]),
    ([1.0, math.nan, 1.0], [2.0, 2.0, 2.0], [3.0, 3.0, 3.0]),
)


def figures() -> Iterator[tuple[str, Callable[[], Any]]]:
    """How to get at every figure, by its name."""
    for name, series in SERIES.items():
        worths = [CycleMetrics(roi_delta=value) for value in series]
        yield f"trend of {name}", partial(trend_of, series)
        yield f"volatility of {name}", partial(volatility_of, series) if len(series) > 1 else _none
        yield f"collapse of {name}", partial(collapse_risk, worths)
        yield f"forecast of {name}", partial(forecast, series, 5)
        yield f"completion of {name}", partial(completion_of, [Attempt(value) for value in series])
        yield f"period of {name}", partial(period_of, series)
        if len(series) > 2:
            yield f"middle of {name}", partial(_middle, series)
            yield f"models on {name}", partial(_models, series)
    others = [SERIES["wavy"], SERIES["step"]]
    yield "cold start of two", partial(forecast, SERIES["two samples"], 5, others)
    yield "cold start of none", partial(forecast, [], 5, [SERIES["wavy"], SERIES["rising"]])
    for number, gains in enumerate(GAINS):
        for seed in (0, 5):
            name = f"interaction {number} seed {seed}"
            yield name, partial(interaction, "a", "b", gains, "roi", seed)
    yield "interaction by default", partial(interaction, "a", "b", GAINS[0])
    yield "transmission", partial(transmission, SERIES["wavy"], SERIES["long"])
    yield "draws", lambda: [list(islice(draws(seed, 1000), 8)) for seed in (0, 1, 77)]
    sizes = {n: [n * n * 1e-6 * (1 + (at * 37 % 11) / 50) for at in range(9)] for n in (10, 20, 40)}
    yield "growth", partial(growth_exponent, sizes, 3)


def _none() -> None:
    """Nothing is told of a series that short."""


def _middle(series: list[float]) -> list[Any]:
    return [median(series), spread(series), theil_sen(series)]


def _models(series: list[float]) -> dict[str, Any]:
    return {one: model(series, 3) for one, model in MODELS.items()}


FIGURES = dict(figures())
TOLD = {"suggestions": suggestions, "words": words}


def hold(found: Mapping[str, Any], request: pytest.FixtureRequest) -> None:
    known = json.loads(FILE.read_text("utf-8"))
    seen = {name: json.loads(json.dumps(plain(value))) for name, value in found.items()}
    if request.config.getoption("--update-golden"):
        known |= seen
        text = ",\n".join(f"  {json.dumps(k)}: {json.dumps(v)}" for k, v in known.items())
        FILE.write_text(f"{{\n{text}\n}}\n", "utf-8")
    assert seen == {name: known.get(name, "not among the figures") for name in seen}


@pytest.mark.parametrize("name", FIGURES)
def test_every_figure_is_what_it_was(name: str, request: pytest.FixtureRequest) -> None:
    hold({name: FIGURES[name]()}, request)


@pytest.mark.parametrize("kind", TOLD)
def test_everything_told_is_what_it_was(kind: str, request: pytest.FixtureRequest) -> None:
    hold(dict(TOLD[kind]()), request)


def test_no_figure_is_forgotten() -> None:
    told = {name for each in TOLD.values() for name, _ in each()}
    assert set(json.loads(FILE.read_text("utf-8"))) == {*FIGURES, *told}


def test_a_figure_that_nobody_measured_changes_nothing() -> None:
    series = SERIES["falling"]
    holes: list[float | None] = []
    for value in series:
        holes += [value, None, math.nan]
    assert trend_of(holes) == trend_of(series)
    told = collapse_risk([CycleMetrics(roi_delta=each) for each in holes])
    assert told.risk == collapse_risk([CycleMetrics(roi_delta=each) for each in series]).risk


def _t_quantile(share: float, freedom: int) -> float:
    """Student's, by summing its density up: from the definition, and slow."""
    factor = math.gamma((freedom + 1) / 2) / math.sqrt(freedom * math.pi) / math.gamma(freedom / 2)

    def density(x: float) -> float:
        return factor * (1 + x * x / freedom) ** (-(freedom + 1) / 2)

    area, x, step = 0.5, 0.0, 1e-3
    while area < share:
        area += step * (density(x) + 4 * density(x + step / 2) + density(x + step)) / 6
        x += step
    return x


@pytest.mark.parametrize("n", range(3, 22))
def test_two_one_sided_tests_use_students_quantiles(n: int) -> None:
    """Gains of mean 0: the margin at which they are nothing is the quantile times the error."""
    gains = [(-1.0) ** at for at in range(n - n % 2)] + [0.0] * (n % 2)
    error = math.sqrt(sum(each * each for each in gains) / (n - 1) / n)
    margin = _t_quantile(0.95, n - 1) * error
    assert is_nothing(gains, margin * 1.005)
    assert not is_nothing(gains, margin * 0.995)
    lifted = [each + 1.0 for each in gains]
    assert is_nothing(lifted, 1.0 + margin * 1.005)
    assert not is_nothing(lifted, 1.0 + margin * 0.995)
    lowered = [each - 1.0 for each in gains]
    assert is_nothing(lowered, 1.0 + margin * 1.005)
    assert not is_nothing(lowered, 1.0 + margin * 0.995)


def test_many_gains_are_judged_by_the_normal_quantile() -> None:
    gains = [(-1.0) ** at for at in range(40)]
    error = math.sqrt(40 / 39 / 40)
    assert is_nothing(gains, 1.6449 * error * 1.001)
    assert not is_nothing(gains, 1.6449 * error * 0.999)


def test_gains_on_the_margin_are_worth_having() -> None:
    assert not is_nothing([2.0, 2.0, 2.0], 2.0)
    assert not is_nothing([-2.0, -2.0, -2.0], 2.0)
    assert is_nothing([1.9, 1.9, 1.9], 2.0)
    assert is_nothing([0.1, 0.1], 2.0) is False


def attempts(*told: tuple[float | None, float | None]) -> list[Attempt]:
    return [Attempt(points, entropy) for points, entropy in told]


@pytest.mark.parametrize(
    ("told", "answer"),
    [
        (attempts((9, 1.0), (0.01, 1.04), (0.01, 1.0), (0.02, 1.04)), True),
        (attempts((9, 1.0), (0.01, 1.06), (0.01, 1.0), (0.02, 1.05)), False),
        (attempts((9, 1.0), (5.0, 1.04), (5.0, 1.0), (5.0, 1.05)), False),
        (attempts((9, 1.0), (0.5, 1.0), (0.5, 1.0), (0.5, 1.0)), True),
        (attempts((9, 1.0), (0.7, 1.0), (0.7, 1.0), (0.7, 1.0)), False),
        (attempts((9, 1.0), (2 / 3, 1.0), (2 / 3, 1.0), (2 / 3, 1.0)), False),
        (attempts((9, 1.0), (0.1, 1.0), (0.1, 1.0)), False),
        (attempts((9, 3.0), (9, 2.0), (0.1, 1.0), (0.1, 1.0), (0.1, 1.0), (0.1, 1.0)), True),
        (attempts((9, 1.0), (None, 1.0), (0.1, 1.0), (0.1, 1.0)), False),
        (attempts((9, None), (9, 1.0), (0.1, 1.0), (0.1, 1.0), (0.1, None)), False),
        (attempts((9, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0)), True),
        (attempts((9, 0.0), (0.0, 0.04), (0.0, 0.0), (0.0, 0.04)), True),
    ],
)
def test_a_plateau_needs_small_steps_and_little_gain(told: list[Attempt], answer: bool) -> None:
    assert has_plateau(told, 2.0, 0.05, 3) is answer


def test_three_steps_in_a_row_and_a_quarter_of_a_point_are_the_defaults() -> None:
    flat = attempts((5, 1.0), (0.075, 1.0), (0.075, 1.0), (0.075, 1.0))
    assert completion_of(flat) is Completion.PLATEAU
    assert completion_of(flat, margin=1.7 / 8) is Completion.OPEN
    assert completion_of(flat[1:]) is Completion.DIMINISHED
    assert (
        completion_of(
            attempts(
                (0.2375, None),
            )
            * 3
        )
        is Completion.DIMINISHED
    )
    assert (
        completion_of(
            attempts(
                (0.2625, None),
            )
            * 3
        )
        is Completion.OPEN
    )
    short = attempts((5, 1.0), (0.075, 1.0), (0.075, 1.0))
    assert completion_of(short) is Completion.OPEN
    assert [str(each) for each in Completion] == [
        "open", "diminishing returns", "entropy plateau", "insufficient data",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("rise", "fall", "answer"),
    [
        (0.04, 0.5, True),
        (0.04, 0.3, False),
        (0.06, 5.0, False),
        (0.0, 5.0, False),
        (0.01, 0.2, True),
    ],
)
def test_a_small_strain_with_a_large_loss_is_brittle(
    rise: float, fall: float, answer: bool
) -> None:
    before = CycleMetrics(roi_delta=10.0, scenario_degradation=0.1)
    after = CycleMetrics(roi_delta=10.0 - fall, scenario_degradation=0.1 + rise)
    assert is_brittle([before, after]) is answer


def apart(first: str, second: str) -> Interaction:
    return Interaction(first, second, "roi", None, SynergyKind.CONFLICTING, 3)


def together(first: str, second: str, gain: float) -> Interaction:
    found = interaction(first, second, ([0.0] * 3, [0.0] * 3, [gain] * 3))
    return dataclasses.replace(found, first=first, second=second)


@pytest.mark.parametrize(
    ("worths", "effects", "best"),
    [
        ({}, [], ()),
        ({"a": 0.0}, [], ()),
        ({"a": 0.5}, [], ("a",)),
        ({"a": -0.5}, [], ()),
        ({"a": 5.0, "b": 3.0, "c": 3.0}, [apart("a", "b"), apart("a", "c")], ("b", "c")),
        ({"a": 7.0, "b": 3.0, "c": 3.0}, [apart("a", "b"), apart("a", "c")], ("a",)),
        ({"a": 1.0, "b": -2.0}, [together("a", "b", 1.5)], ("a",)),
        ({"a": 1.0, "b": -2.0}, [together("a", "b", 2.5)], ("a", "b")),
        ({"a": -1.0, "b": -1.0}, [together("a", "b", 2.5)], ("a", "b")),
        ({"a": 2.0, "b": 2.0}, [apart("a", "b")], ("a",)),
    ],
)
def test_the_best_set_is_chosen(
    worths: dict[str, float], effects: list[Interaction], best: tuple[str, ...]
) -> None:
    assert best_subset(worths, effects) == best
    many = {f"z{number}": 0.1 for number in range(25)}
    if all(each.kind is SynergyKind.CONFLICTING for each in effects) and "c" not in worths:
        assert set(best_subset({**worths, **many}, effects)) == {*best, *many}


def label(*worths: float) -> str:
    return str(collapse_risk([CycleMetrics(roi_delta=each) for each in worths]).risk)


@pytest.mark.parametrize(
    ("worths", "risk"),
    [
        ((1, 2, 3, 4), "Unknown"),
        ((10, 10, 10, 10, 10), "Stable"),
        ((-1, -1, -1, -1, -1), "Immediate collapse risk"),
        ((0, 0, 0, 0, 0), "Stable"),
        ((9, 7, 5, 3, 2), "Immediate collapse risk"),
        ((100, 99, 98, 97, 96), "Slow decay"),
        ((12, 11, 10, 9, 8, 7, 6, 5, 4, 3), "Slow decay"),
        ((11, 10, 9, 8, 7, 6, 5, 4, 3, 2), "Immediate collapse risk"),
        ((-20, -17, -14, -11, -8, -5), "Stable"),
        ((-50, -49, -48, -47, -46, -45), "Immediate collapse risk"),
        ((-9, -8, -7, -6, -5, -4.5), "Stable"),
        ((-9, -8.5, -8, -7.5, -7, -6.5), "Immediate collapse risk"),
        ((5, 6, 5, 6, -1, -2, -1), "Volatile"),
        ((10, 10.2, 9.9, 10.1, -2), "Stable"),
    ],
)
def test_labels_where_one_turns_into_another(worths: tuple[float, ...], risk: str) -> None:
    assert label(*worths) == risk


def test_a_wave_of_risk_starts_from_nothing_and_reaches_all() -> None:
    graph = WorkflowGraph()
    for dependent in ("a", "b", "c"):
        graph.add_dependency(dependent, "core", 0.5)
    graph.add_dependency("a", "b", 9.0)
    graph.add_dependency("d", "c", -2.0)
    found = graph.simulate_impact_wave("core", 4.0)
    assert {name: (each.roi, each.risk) for name, each in found.items()} == {
        "a": (2.0, 0.0), "b": (2.0, 0.0), "c": (2.0, 0.0), "d": (-4.0, 0.0),
    }  # fmt: skip
    assert graph.simulate_impact_wave("core", 4.0, 0.1)["d"].risk == pytest.approx(0.1)


def test_five_shared_changes_are_enough() -> None:
    assert transmission([1, 2, 3, 4, 5, 6], [2, 4, 6, 8, 10, 12]) == 2.0
    assert transmission([1, 2, 3, 4, 5], [2, 4, 6, 8, 10]) is None
    assert transmission([1, 2, 3, 4, 5, 6, 7], [2, 4, 6, 8, 10, 12]) == 2.0


def test_small_effects_count_when_they_are_sure() -> None:
    for gain, kind in ((-0.5, "conflicting"), (0.5, "reinforcing"), (0.0, "additive")):
        assert interaction("a", "b", ([1.0] * 3, [1.0] * 3, [2.0 + gain] * 3)).kind == kind
    with pytest.raises(UsageError, match=r"^'joy' is no metric of synergy: roi, coverage"):
        interaction("a", "b", GAINS[0], "joy")


def test_twenty_changes_are_looked_at_exactly_and_more_greedily() -> None:
    """A set on which greed loses: the best single one stands against two that are better."""
    effects = [apart("a", "b"), apart("a", "c")]
    for others in (17, 18):
        some = {f"z{number:02}": 0.01 for number in range(others)}
        chosen = best_subset({"a": 5.0, "b": 3.0, "c": 3.0, **some}, effects)
        assert ("a" in chosen) is (others == 18)
