"""What is taken from an answer, what is sent away, and what an agent leaves."""

from pathlib import Path

import pytest

from reverie.dreamers.generate.solving import recited
from reverie.dreamers.models.agents import agent_command, agent_environment
from reverie.dreamers.models.transport import MARK, redact, secrets_of
from reverie.dreamers.models.writing import ask_for_function, read_code, read_function
from reverie.errors import ConfigError, ModelFailed

CODE = "def f(x):\n    return x\n"


@pytest.mark.parametrize(
    "text",
    [
        f"```python\n{CODE}```",
        f"Here you are:\n\n```py\n{CODE}```\nEnjoy!",
        f"~~~python\n{CODE}~~~",
        f"```\n{CODE}```",
        f"````python\n{CODE}````",
        f"```text\nnot this\n```\n```python\n{CODE}```",
        f"```python\r\n{CODE}```\r\n",
    ],
)
def test_one_block_of_python_is_taken(text: str) -> None:
    assert read_code(text) == CODE


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "0 blocks"),
        (CODE, "0 blocks"),
        (f"```python\n{CODE}", "0 blocks"),
        (f"```python\n{CODE}```\n```python\n{CODE}```", "2 blocks"),
        ("```json\n{}\n```", "0 blocks"),
        ("```python\ndef f(:\n```", "does not parse"),
        ("```python\nx = 'a\0b'\n```", "does not parse"),
        ("```python\n" + "(" * 5000 + "\n```", "does not parse"),
        ("x" * 500_000, "longer than"),
    ],
)
def test_anything_else_is_refused_with_a_reason(text: str, why: str) -> None:
    with pytest.raises(ModelFailed, match=why):
        read_code(text)


def test_a_function_has_to_have_its_name() -> None:
    assert read_function(f"```python\n{CODE}```", "f") == CODE
    with pytest.raises(ModelFailed, match="no function 'g'"):
        read_function(f"```python\n{CODE}```", "g")


@pytest.mark.parametrize(
    ("text", "gone"),
    [
        ("AWS = 'AKIAIOSFODNN7EXAMPLE'", "AKIAIOSFODNN7EXAMPLE"),
        ("t = ghp_0123456789abcdefghijABCDEFGHIJ", "ghp_0123456789"),
        ('api_key: str = "zz9-plural"', "zz9-plural"),
        ("config['secret'] = 'tiny'", "tiny"),
        ('{"password": "p4ss"}', "p4ss"),
        ("-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----", "MIIE"),
        ("-----BEGIN PRIVATE KEY-----\nMIIEcut off", "MIIE"),
        ("https://user:hush@host/x", "hush"),
        ("Authorization: Bearer abcdefghijklmnop1234", "abcdefghijklmnop1234"),
        ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc", "eyJhbGciOiJIUzI1NiJ9"),
    ],
)
def test_what_looks_like_a_secret_is_taken_out(text: str, gone: str) -> None:
    assert gone not in redact(text)
    assert MARK in redact(text)


@pytest.mark.parametrize(
    "text",
    [
        "def tokenize(text):\n    return text.split(' ')",
        "password_field = form.get(name)",
        "for token in tokens: total += len(token)",
        "assert secret == ''",
    ],
)
def test_plain_code_is_left_alone(text: str) -> None:
    assert redact(text) == text


def test_the_environment_says_what_is_secret() -> None:
    environ = {
        "A_TOKEN": "long enough",
        "B_KEY": "x",
        "HOME": "/home/me",
        "MY_PASSWORD": "also long",
    }
    assert secrets_of(environ) == ("long enough", "also long")


def test_a_specification_is_asked_with_its_examples() -> None:
    prompt = ask_for_function("Double it.", "def f(x: int) -> int", [{"args": [2], "result": 4}])
    assert "def f(x: int) -> int" in prompt.text
    assert '{"args": [2], "result": 4}' in prompt.text


def test_a_command_is_filled_in_without_a_shell() -> None:
    filled = agent_command("agent -p '{task}' --in {worktree} '; rm x'", Path("/t"), Path("/w d"))
    assert filled == ["agent", "-p", "/t", "--in", "/w d", "; rm x"]


@pytest.mark.parametrize("template", ["", "agent", "agent 'open {task}"])
def test_a_command_that_cannot_be_used_is_refused(template: str) -> None:
    with pytest.raises(ConfigError, match="agent_command"):
        agent_command(template, Path("/t"), Path("/w"))


def test_an_agent_does_not_inherit_the_secrets_of_others() -> None:
    environ = {"PATH": "bin:/bin", "HOME": "/h", "DATABASE_URL": "x", "MINE": "key", "AWS": "y"}
    found = agent_environment(environ, "MINE", ("/env/bin",))
    assert found.pop("PYTHONDONTWRITEBYTECODE") == "1"
    assert found == {"PATH": "/env/bin:/bin", "HOME": "/h", "MINE": "key"}


def test_code_that_recites_the_examples_is_seen() -> None:
    source = "def f(x):\n    return {'word': 1, 'other': 2}[x]\n"
    assert recited(source, ["word", "other", "third"]) == 2
    assert recited("def f(x):\n    return x + 1\n", ["word", 1, 2, 100]) == 0
