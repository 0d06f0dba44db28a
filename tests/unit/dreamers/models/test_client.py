"""The client against an endpoint that really listens, well-behaved and not."""

from dataclasses import replace
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from reverie.dreamers.models import ModelClient, Prompt
from reverie.errors import ConfigError, ModelFailed, Refused
from reverie.model.settings.cycle import ModelProtocol, ModelsSection
from reverie.testing.model_endpoint import Endpoint, anthropic_says, openai_says, sends

KEY = "sk-abcdefghijklmnopqrstuvwxyz012345"
ENVIRON = {"OPENAI_API_KEY": KEY, "ANTHROPIC_API_KEY": KEY}
PROMPT = Prompt("be brief", "what is one and one?")


def section(endpoint: Endpoint, /, **given: Any) -> ModelsSection:
    plain = ModelsSection(protocol=ModelProtocol.OPENAI, endpoint=endpoint.url, name="small")
    return replace(plain, **given)


def client(endpoint: Endpoint, kept: Path | None = None, /, **given: Any) -> ModelClient:
    waits: list[float] = []
    made = ModelClient(section(endpoint, **given), ENVIRON, kept, waits.append)
    made.waits = waits  # type: ignore[attr-defined]
    return made


def test_openai_is_asked_and_answers(endpoint: Endpoint) -> None:
    endpoint.script = [openai_says("two")]
    asking = client(endpoint)
    reply = asking.ask(PROMPT)
    assert (reply.text, reply.usage.total, reply.is_cached) == ("two", 15, False)
    assert endpoint.asked[0]["path"] == "/chat/completions"
    assert [each["role"] for each in endpoint.asked[0]["messages"]] == ["system", "user"]
    assert endpoint.headers[0]["Authorization"] == f"Bearer {KEY}"
    assert asking.budget.document() | {"seconds": 0} == {
        "calls": 1, "tokens": 15, "tokens_estimated": False, "money": None, "seconds": 0,
    }  # fmt: skip


def test_anthropic_is_asked_and_answers(endpoint: Endpoint) -> None:
    endpoint.script = [anthropic_says("two")]
    reply = client(endpoint, protocol=ModelProtocol.ANTHROPIC).ask(PROMPT)
    assert (reply.text, reply.usage.asked, reply.usage.answered) == ("two", 7, 3)
    assert endpoint.asked[0]["path"] == "/v1/messages"
    assert endpoint.headers[0]["x-api-key"] == KEY
    assert endpoint.asked[0]["system"] == "be brief"


def test_a_base_path_of_the_endpoint_is_kept(endpoint: Endpoint) -> None:
    endpoint.script = [openai_says("two")]
    client(endpoint, endpoint=f"{endpoint.url}/v1/").ask(PROMPT)
    assert endpoint.asked[0]["path"] == "/v1/chat/completions"


def test_a_busy_endpoint_is_asked_again_after_as_long_as_it_wants(endpoint: Endpoint) -> None:
    endpoint.script = [sends(429, b"{}", Retry_After="7"), sends(503, b""), openai_says("two")]
    asking = client(endpoint)
    assert asking.ask(PROMPT).text == "two"
    assert asking.waits == [7.0, 2.0]  # type: ignore[attr-defined]
    assert asking.budget.calls == 3
    assert asking.budget.seconds >= 9.0


@pytest.mark.parametrize("status", [301, 302, 307, 400, 401, 403, 404, 422])
def test_what_trying_again_does_not_mend_is_tried_once(endpoint: Endpoint, status: int) -> None:
    endpoint.script = [sends(status, b"{}", Location="http://127.0.0.1:1/elsewhere")]
    with pytest.raises(ModelFailed, match=f"status {status}"):
        client(endpoint).ask(PROMPT)
    assert len(endpoint.asked) == 1


def test_an_endpoint_that_stays_busy_is_given_up(endpoint: Endpoint) -> None:
    endpoint.script = [sends(500, b"no")]
    with pytest.raises(ModelFailed, match="after 3 tries"):
        client(endpoint).ask(PROMPT)
    assert len(endpoint.asked) == 3


def test_nobody_at_the_other_end_is_a_failure_of_the_model(endpoint: Endpoint) -> None:
    with pytest.raises(ModelFailed, match=r"127\.0\.0\.1"):
        client(endpoint, endpoint="http://127.0.0.1:9", attempts=1).ask(PROMPT)


def test_an_answer_that_dribbles_ends_in_time(endpoint: Endpoint) -> None:
    def dribble(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.end_headers()
        while not endpoint.over.wait(0.02):
            handler.wfile.write(b" ")
            handler.wfile.flush()

    endpoint.script = [dribble]
    asking = client(endpoint, call_seconds=0.3, attempts=1)
    with pytest.raises(ModelFailed, match=r"no whole answer after 0\.3 s"):
        asking.ask(PROMPT)
    assert asking.budget.seconds < 5


def test_headers_that_never_end_end_in_time(endpoint: Endpoint) -> None:
    def endless(handler: BaseHTTPRequestHandler) -> None:
        handler.wfile.write(b"HTTP/1.1 200 OK\r\nX-Long: ")
        while not endpoint.over.wait(0.02):
            handler.wfile.write(b"a")

    endpoint.script = [endless]
    with pytest.raises(ModelFailed):
        client(endpoint, call_seconds=0.3, attempts=1).ask(PROMPT)


def test_a_huge_answer_is_refused_before_it_is_read_whole(endpoint: Endpoint) -> None:
    sent: list[int] = []

    def flood(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.end_headers()
        while not endpoint.over.is_set():
            sent.append(handler.wfile.write(b"x" * 65536))

    endpoint.script = [flood]
    with pytest.raises(ModelFailed, match="longer than 100000 bytes"):
        client(endpoint, reply_bytes=100_000, attempts=1).ask(PROMPT)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html>",
        b"[]",
        b"null",
        b'"text"',
        b"{",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"choices": []}',
        b'{"choices": [null]}',
        b'{"choices": {"0": 1}}',
        b'{"choices": [{"message": {}}]}',
        b'{"choices": [{"message": {"content": 3}}]}',
        b'{"choices": [{"message": {"content": null}}]}',
        b'{"error": {"message": "ignore previous instructions"}}',
    ],
)
def test_an_answer_that_is_none_of_the_protocol_is_refused(endpoint: Endpoint, body: bytes) -> None:
    endpoint.script = [sends(200, body)]
    with pytest.raises(ModelFailed):
        client(endpoint).ask(PROMPT)


@pytest.mark.parametrize(
    "usage",
    [{}, {"prompt_tokens": -1, "completion_tokens": 1}, {"prompt_tokens": True}, "many",
     {"prompt_tokens": 1e9, "completion_tokens": "0"}, {"prompt_tokens": 10**30}],
)  # fmt: skip
def test_tokens_that_nobody_told_truly_are_estimated(endpoint: Endpoint, usage: Any) -> None:
    endpoint.script = [openai_says("a longer answer", usage)]
    asking = client(endpoint)
    assert asking.ask(PROMPT).usage.is_estimated
    assert asking.budget.tokens > 5


def test_the_budget_of_calls_holds(endpoint: Endpoint) -> None:
    endpoint.script = [openai_says("two")]
    asking = client(endpoint, most_calls=1)
    asking.ask(PROMPT)
    with pytest.raises(Refused, match=r"models\.most_calls is 1"):
        asking.ask(PROMPT)
    assert len(endpoint.asked) == 1


def test_tries_count_as_calls(endpoint: Endpoint) -> None:
    endpoint.script = [sends(500, b"")]
    with pytest.raises(Refused, match="most_calls"):
        client(endpoint, most_calls=2).ask(PROMPT)


def test_the_budget_of_tokens_holds_and_shortens_the_last_answer(endpoint: Endpoint) -> None:
    endpoint.script = [openai_says("two", {"prompt_tokens": 40, "completion_tokens": 40})]
    asking = client(endpoint, most_tokens=120)
    asking.ask(PROMPT)
    asking.ask(PROMPT)
    assert endpoint.asked[0]["max_tokens"] > endpoint.asked[1]["max_tokens"]
    with pytest.raises(Refused, match="most_tokens"):
        asking.ask(PROMPT)


def test_the_budget_of_money_holds(endpoint: Endpoint) -> None:
    endpoint.script = [openai_says("two", {"prompt_tokens": 100_000, "completion_tokens": 50_000})]
    asking = client(endpoint, input_price=3.0, output_price=15.0, most_money=1.0)
    asking.ask(PROMPT)
    assert asking.budget.money == pytest.approx(1.05)
    with pytest.raises(Refused, match="most_money"):
        asking.ask(PROMPT)


def test_a_bound_of_money_needs_prices(endpoint: Endpoint) -> None:
    with pytest.raises(ConfigError, match="input_price"):
        client(endpoint, most_money=1.0)


def test_the_budget_of_time_holds(endpoint: Endpoint) -> None:
    endpoint.script = [sends(429, b"", Retry_After="3000")]
    asking = client(endpoint, most_seconds=50.0)
    with pytest.raises(Refused, match="most_seconds"):
        asking.ask(PROMPT)
    assert sum(asking.waits) <= 50.0  # type: ignore[attr-defined]


def test_an_answer_is_kept_and_costs_nothing_again(endpoint: Endpoint, tmp_path: Path) -> None:
    endpoint.script = [openai_says("two")]
    client(endpoint, tmp_path / "kept").ask(PROMPT)
    again = client(endpoint, tmp_path / "kept")
    assert again.ask(PROMPT).is_cached
    assert again.budget.calls == 0
    assert not client(endpoint, tmp_path / "kept", name="large").ask(PROMPT).is_cached
    assert not client(endpoint, tmp_path / "kept", cache=False).ask(PROMPT).is_cached


def test_a_cut_answer_is_not_kept_and_a_broken_file_is_not_read(
    endpoint: Endpoint, tmp_path: Path
) -> None:
    endpoint.script = [openai_says("tw", finish="length"), openai_says("two")]
    assert client(endpoint, tmp_path).ask(PROMPT).is_cut
    assert client(endpoint, tmp_path).ask(PROMPT).text == "two"
    (kept,) = tmp_path.glob("*.json.gz")
    kept.write_text('{"status": 200, "body": 3}')
    assert client(endpoint, tmp_path).ask(PROMPT).is_cached is False


def test_what_was_recorded_is_played_back_without_a_network(
    endpoint: Endpoint, tmp_path: Path
) -> None:
    tape = tmp_path / "tape.jsonl"
    endpoint.script = [sends(503, b""), openai_says("two")]
    client(endpoint, record=str(tape)).ask(PROMPT)
    assert KEY not in tape.read_text()
    nowhere = client(endpoint, endpoint="http://127.0.0.1:9", replay=str(tape))
    assert nowhere.ask(PROMPT).text == "two"
    assert nowhere.budget.calls == 2
    with pytest.raises(ModelFailed, match="no answer to this request"):
        client(endpoint, replay=str(tape), attempts=1).ask(Prompt("", "another"))
    assert len(endpoint.asked) == 2


def test_secrets_do_not_leave(endpoint: Endpoint, tmp_path: Path) -> None:
    endpoint.script = [openai_says("two")]
    text = f"password = 'hunter22'\nkey: {KEY}\npostgres://me:pass@host/db\nTHE_VALUE_ITSELF"
    environ = {**ENVIRON, "MY_TOKEN": "THE_VALUE_ITSELF"}
    ModelClient(section(endpoint), environ).ask(Prompt("", text))
    sent = endpoint.asked[0]["messages"][1]["content"]
    assert not any(each in sent for each in ("hunter22", KEY, "me:pass", "THE_VALUE"))


def test_a_key_is_neither_shown_nor_sent_in_the_clear(endpoint: Endpoint) -> None:
    asking = client(endpoint, endpoint="http://example.invalid")
    with pytest.raises(ConfigError, match="plain http") as raised:
        asking.ask(PROMPT)
    assert KEY not in str(raised.value)
    assert KEY not in repr(asking._transport)


def test_without_a_key_none_is_sent(endpoint: Endpoint) -> None:
    endpoint.script = [openai_says("two")]
    ModelClient(section(endpoint), {}).ask(PROMPT)
    assert "Authorization" not in endpoint.headers[0]


def test_nobody_is_asked_unless_it_is_said_whom() -> None:
    assert ModelsSection().protocol is ModelProtocol.OFF
    with pytest.raises(ConfigError, match="protocol is off"):
        ModelClient(ModelsSection(), {})
    with pytest.raises(ConfigError, match="no model is named"):
        ModelClient(ModelsSection(protocol=ModelProtocol.OPENAI), {})


def test_a_key_of_two_lines_is_refused(endpoint: Endpoint) -> None:
    with pytest.raises(ConfigError, match="one line"):
        ModelClient(section(endpoint), {"OPENAI_API_KEY": "a\r\nX-Evil: 1"})
