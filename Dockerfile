# Troupe in a container: built once with its locked dependencies, run by an unprivileged user.

# The digest is that of the tag's index, which names the image of each platform, as public build files of many projects
# agree on it in October 2026; nothing was pulled where this was written. It brings no later security fixes: renew it with
# each release, from `docker buildx imagetools inspect python:3.12-slim-bookworm`.
ARG PYTHON=python:3.12.15-slim-bookworm@sha256:54c85f3c47607a77f32adec749d3c81d1348bf25833671f512b26a9b6d778cb3

FROM ${PYTHON} AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
WORKDIR /src
RUN python -m venv /opt/troupe
COPY requirements-run.lock ./
RUN /opt/troupe/bin/pip install --require-hashes -r requirements-run.lock
COPY pyproject.toml README.md LICENSE ./
COPY pipeline pipeline
COPY adapters adapters
COPY bot bot
COPY evaluation evaluation
COPY migrations migrations
RUN /opt/troupe/bin/pip install --no-deps --no-build-isolation .

FROM ${PYTHON} AS run
LABEL org.opencontainers.image.title="Troupe" org.opencontainers.image.licenses="Apache-2.0"
RUN useradd --system --uid 10001 --create-home --home-dir /home/troupe troupe \
 && install -d -m 0700 -o troupe -g troupe /data
COPY --from=build /opt/troupe /opt/troupe
ENV PATH=/opt/troupe/bin:$PATH PYTHONUNBUFFERED=1 TROUPE_HOME=/data \
    TROUPE_WEB=true TROUPE_WEB_HOST=0.0.0.0 TROUPE_WEB_PORT=8080 TROUPE_HEALTH_PORT=8081
USER 10001
WORKDIR /home/troupe
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 \
  CMD ["python", "-c", "import os, urllib.request as u; u.urlopen('http://127.0.0.1:' + os.environ['TROUPE_HEALTH_PORT'] + '/healthz', timeout=4)"]
ENTRYPOINT ["troupe"]
CMD ["run"]
