#!/usr/bin/env bash
# Installs the packages whose modules are enriched, their own suites from the sdists, and Pynguin in
# an environment of its own. Compiled wheels show nothing to a tracer: tomli comes from source.
set -eu
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
peers="$root/benchmarks/.peers/enrich"
packages=(humanize==4.16.0 toolz==1.2.0 isodate==0.7.2 tomli==2.5.0 semver==3.1.1 cachetools==8.0.0)

"$root/.venv/bin/python" -m venv "$peers/targets"
"$peers/targets/bin/python" -m pip install -q --no-binary tomli "${packages[@]}" \
    pytest coverage freezegun pytest-timeout
"$root/.venv/bin/python" -m venv "$peers/pynguin"
"$peers/pynguin/bin/python" -m pip install -q pynguin
"$peers/pynguin/bin/python" -m pip install -q --no-binary tomli "${packages[@]}"
mkdir -p "$peers/sdists"
"$peers/targets/bin/python" -m pip download -q --no-deps --no-binary :all: \
    -d "$peers/sdists" "${packages[@]}" || echo "some suites could not be had: they are left out"
for file in "$peers"/sdists/*.tar.gz; do
    tar -xzf "$file" -C "$peers/sdists"
done
