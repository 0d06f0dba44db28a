# Reverie for an ordinary user. What the sandbox may do inside a container: docs/containers.md.
FROM python:3.11-slim
RUN apt-get update \
    && apt-get install --yes --no-install-recommends git \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --create-home --uid 1000 reverie
COPY pyproject.toml README.md LICENSE /opt/reverie/
COPY src /opt/reverie/src
RUN pip install --no-cache-dir '/opt/reverie[coverage,postgres]'
USER reverie
WORKDIR /repository
ENTRYPOINT ["reverie"]
CMD ["doctor"]
