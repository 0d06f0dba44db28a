#!/usr/bin/env bash
# Installs the packages whose functions are tried, and those set aside, in environments of their own.
set -eu
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"

install_into() {
    local home="$root/benchmarks/.peers/$1"
    "$root/.venv/bin/python" -m venv "$home"
    "$home/bin/python" -m pip install -q "${@:2}"
}

install_into inputs anyio arrow babel cattrs click filelock flask humanize jinja2 markdown-it-py \
    marshmallow packaging pathspec pendulum platformdirs pydantic pyparsing rich starlette structlog \
    tenacity tomlkit typer werkzeug yarl
install_into inputs-set-aside prompt_toolkit pypdf urllib3 websockets
