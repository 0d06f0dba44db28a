"""Presets: canonical, read, written, rotated, chosen."""

import json
from pathlib import Path

import pytest

from reverie.errors import UsageError
from reverie.model.measurements.stress import Preset
from reverie.model.settings.workflows import PresetMode, ScenariosSection
from reverie.workflows.scenarios.presets import (
    SCENARIOS,
    absent_scenarios,
    canonical_preset,
    canonical_presets,
    generate_canonical_presets,
    narrowed,
    preset_document,
    read_preset,
    read_preset_file,
    read_presets,
    suggested_scenarios,
    turns_of_presets,
    words_of,
    write_preset_file,
)

LATENCY = '{"SCENARIO_NAME": "slow", "NETWORK_LATENCY_MS": 100}'


def test_canonical_presets_are_what_the_definitions_say() -> None:
    presets = generate_canonical_presets()

    assert list(presets) == list(SCENARIOS)
    assert presets["high_latency_api"]["high"] == {
        "SCENARIO_NAME": "high_latency_api",
        "LEVEL": "high",
        "NETWORK_LATENCY_MS": 500,
        "NETWORK_JITTER_MS": 50,
        "PACKET_LOSS": 0.10,
    }
    assert presets["concurrency_spike"]["low"]["THREAD_BURST"] == 10
    assert presets["concurrency_spike"]["high"]["ASYNC_TASK_BURST"] == 100
    assert presets["flaky_upstream"]["high"]["UPSTREAM_FAILURES"] == 5 / 20
    assert presets["resource_strain"]["high"]["CPU_QUOTA"] == 0.25
    assert presets["chaotic_failure"]["low"]["MIX"] is True


def test_the_mix_has_every_fault() -> None:
    mixed = preset_document(canonical_preset("chaotic_failure", "high"))
    every = {key for each in canonical_presets() for key in preset_document(each)}
    assert set(mixed) == every


@pytest.mark.parametrize("preset", canonical_presets(), ids=lambda each: each.name)
def test_a_preset_is_read_back_as_it_was_written(preset: Preset) -> None:
    assert read_preset(json.loads(json.dumps(preset_document(preset))), "here") == preset


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("{", "not JSON"),
        ("[]", "no preset"),
        ("3", "an object, not 3"),
        ('{"PACKET_LOSS": 0.1}', "SCENARIO_NAME"),
        ('{"SCENARIO_NAME": ""}', "SCENARIO_NAME = ''"),
        ('{"SCENARIO_NAME": "a", "LEVEL": 3}', "LEVEL = 3"),
        ('{"SCENARIO_NAME": "a", "PACKET_LOSS": 2}', "PACKET_LOSS = 2"),
        ('{"SCENARIO_NAME": "a", "PACKET_LOSS": NaN}', "PACKET_LOSS = nan"),
        ('{"SCENARIO_NAME": "a", "PACKET_LOSS": true}', "PACKET_LOSS = True"),
        ('{"SCENARIO_NAME": "a", "THREAD_BURST": 1.5}', "THREAD_BURST = 1.5"),
        ('{"SCENARIO_NAME": "a", "CPU_QUOTA": 0}', "CPU_QUOTA = 0"),
        ('{"SCENARIO_NAME": "a", "MIX": "yes"}', "MIX = 'yes'"),
        ('{"SCENARIO_NAME": "a", "LATENCY": 1}', "'LATENCY' is no key"),
        ('[{"SCENARIO_NAME": "a"}, {"SCENARIO_NAME": "a"}]', "two presets are 'a/custom'"),
        ("[" * 10_000, "not JSON"),
        ('{"a": {"b": {"c": {"d": {"e": {"SCENARIO_NAME": "a"}}}}}}', "nested too deeply"),
    ],
)
def test_a_wrong_preset_is_refused_by_name(text: str, named: str) -> None:
    with pytest.raises(UsageError) as caught:
        read_presets(text, "here")
    assert named in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_canonical_mapping_itself_is_a_preset_file() -> None:
    text = json.dumps(generate_canonical_presets())
    assert read_presets(text, "here") == canonical_presets()


def test_a_file_is_written_whole_and_read_back(tmp_path: Path) -> None:
    path = tmp_path / "presets.json"
    write_preset_file(str(path), canonical_presets())

    assert read_preset_file(str(path)) == canonical_presets()
    assert [each.name for each in tmp_path.iterdir()] == ["presets.json"]


def test_a_file_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot write"):
        write_preset_file(str(tmp_path / "absent" / "presets.json"), canonical_presets())
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("content", [None, b"\xff\xfe", b"x" * 1_000_001])
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "presets.json"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(UsageError, match=r"presets\.json"):
        read_preset_file(str(path))


def test_several_files_take_turns(tmp_path: Path) -> None:
    names = []
    for name in ("calm", "storm"):
        names.append(str(tmp_path / name))
        (tmp_path / name).write_text(json.dumps({"SCENARIO_NAME": name}))

    turns = turns_of_presets(ScenariosSection(), names, 5)
    assert [each[0].scenario for each in turns] == ["calm", "storm", "calm", "storm", "calm"]
    assert len(turns_of_presets(ScenariosSection(), names, None)) == 2


def test_presets_of_the_environment_are_used_unless_the_mode_is_canonical() -> None:
    given = ScenariosSection(presets=LATENCY)
    canonical = ScenariosSection(presets=LATENCY, mode=PresetMode.CANONICAL)

    assert [each.scenario for each in turns_of_presets(given, (), None)[0]] == ["slow"]
    assert turns_of_presets(canonical, (), None)[0] == canonical_presets()


def test_keywords_choose_scenarios() -> None:
    section = ScenariosSection(mode=PresetMode.KEYWORDS)
    (chosen,) = turns_of_presets(section, (), 1, ["shop.http_client:fetchPrices"])

    names = list(dict.fromkeys(each.scenario for each in chosen))
    assert names == ["high_latency_api", "flaky_upstream", "chaotic_failure"]
    assert suggested_scenarios(["nothing of that kind"]) == {}
    assert words_of(["loadHTTPOrders_fast"]) == {"load", "http", "orders", "fast"}


def test_narrowing_names_what_there_is_not() -> None:
    presets = canonical_presets()

    chosen = narrowed(presets, ["schema_drift"], ["high"])
    assert chosen == (canonical_preset("schema_drift", "high"),)
    with pytest.raises(UsageError, match="'schema'"):
        narrowed(presets, ["schema"], [])
    with pytest.raises(UsageError, match="'middle'"):
        narrowed(presets, [], ["middle"])


def test_scenarios_that_no_preset_covers_are_absent() -> None:
    assert absent_scenarios(canonical_presets()) == ()
    assert "schema_drift" in absent_scenarios([canonical_preset("user_misuse", "low")])
