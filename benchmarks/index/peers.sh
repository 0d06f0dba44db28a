#!/usr/bin/env bash
# Installs the peers of the index benchmark, and the packages they are all run on.
set -eu
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
peers="$(dirname "$here")/.peers/index"
python="$(readlink -f "$(dirname "$(dirname "$here")")/.venv/bin/python")"

[ -x "$peers/bin/python" ] || "$python" -m venv "$peers"
"$peers/bin/python" -m pip install -q grimp vulture wordllama
"$peers/bin/python" -m pip install -q --no-deps --no-compile --upgrade \
    --target "$peers/packages" django networkx sympy
