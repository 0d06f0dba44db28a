#!/usr/bin/env bash
# Installs the packages whose modules are enriched, their own suites from the sdists, and Pynguin in
# an environment of its own. Compiled wheels show nothing to a tracer: tomli comes from source.
# Pynguin's instrumentation fails on parts of these packages from Python 3.11 on ("Failed to compute
# stacksize"), so it runs on 3.10: name one in PYNGUIN_PYTHON if none is found.
set -eu
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
peers="$root/benchmarks/.peers/enrich"
packages=(humanize==4.16.0 toolz==1.2.0 isodate==0.7.2 tomli==2.5.0 semver==3.1.1 cachetools==8.0.0)

older_python() {
    if [ -n "${PYNGUIN_PYTHON:-}" ]; then
        echo "$PYNGUIN_PYTHON"
    elif python3.10 -c "" 2>/dev/null; then
        echo python3.10
    else
        find "${PYENV_ROOT:-$HOME/.pyenv}/versions" -path '*/3.10.*/bin/python3.10' 2>/dev/null | head -n 1
    fi
}

"$root/.venv/bin/python" -m venv "$peers/targets"
"$peers/targets/bin/python" -m pip install -q --no-binary tomli "${packages[@]}" \
    pytest coverage freezegun pytest-timeout
mkdir -p "$peers/sdists"
"$peers/targets/bin/python" -m pip download -q --no-deps --no-binary :all: \
    -d "$peers/sdists" "${packages[@]}" || echo "some suites could not be had: they are left out"
for file in "$peers"/sdists/*.tar.gz; do
    tar -xzf "$file" -C "$peers/sdists"
done
older="$(older_python)"
if [ -z "$older" ]; then
    echo "no Python 3.10 for Pynguin: set PYNGUIN_PYTHON" >&2
    exit 1
fi
rm -rf "$peers/pynguin"
"$older" -m venv "$peers/pynguin"
"$peers/pynguin/bin/python" -m pip install -q pynguin==0.48.0
