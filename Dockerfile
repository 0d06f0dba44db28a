# Reverie for an ordinary user. What the sandbox may do inside a container: docs/guides/pull_requests.md.
# BASE has no default: name the image by its digest, so that it is the one that you looked at.
#   docker buildx imagetools inspect python:3.11-slim      prints the digest
#   docker build --build-arg BASE=python:3.11-slim@sha256:... -t reverie .
ARG BASE
FROM ${BASE}
ARG BASE
RUN case "$BASE" in *@sha256:*) ;; *) echo "BASE names no digest: $BASE" >&2; exit 1 ;; esac
RUN apt-get update \
    && apt-get install --yes --no-install-recommends git \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --create-home --uid 1000 reverie
COPY pyproject.toml README.md LICENSE /opt/reverie/
COPY requirements/image.txt /opt/reverie/requirements/image.txt
COPY src /opt/reverie/src
RUN pip install --no-cache-dir --require-hashes --requirement /opt/reverie/requirements/image.txt \
    && pip install --no-cache-dir --no-deps --no-build-isolation /opt/reverie
USER reverie
WORKDIR /repository
ENTRYPOINT ["reverie"]
CMD ["doctor"]
