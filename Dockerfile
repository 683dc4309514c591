# Troupe in a container: built once with its locked dependencies, run by an unprivileged user. Nothing writes to its root.
#
#   docker build -t troupe .                                                      the bot; PostgreSQL included
#   docker build -t troupe --build-arg LOCK=requirements-replicas.lock .          ... with files in S3 and traces
#   docker build -t troupe-experts --target experts .                             the expert server, with or without a GPU

# The digest is that of the tag's index, which names the image of each platform, as public build files of many projects
# agree on it in October 2026; nothing was pulled where this was written. It brings no later security fixes: renew it with
# each release, from `docker buildx imagetools inspect python:3.12-slim-bookworm`.
ARG PYTHON=python:3.12.15-slim-bookworm@sha256:54c85f3c47607a77f32adec749d3c81d1348bf25833671f512b26a9b6d778cb3

FROM ${PYTHON} AS build
# requirements-run.lock, or requirements-replicas.lock: that and the extras for many machines.
ARG LOCK=requirements-run.lock
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
WORKDIR /src
RUN python -m venv /opt/troupe
COPY ${LOCK} ./
RUN /opt/troupe/bin/pip install --require-hashes -r ${LOCK}
COPY pyproject.toml README.md LICENSE ./
COPY pipeline pipeline
COPY adapters adapters
COPY bot bot
COPY evaluation evaluation
COPY migrations migrations
RUN /opt/troupe/bin/pip install --no-deps --no-build-isolation .

FROM build AS build-experts
COPY requirements-local.lock ./
RUN /opt/troupe/bin/pip install --no-deps --require-hashes -r requirements-local.lock
# The usual wheel runs with and without a graphics card and brings 6 GB of CUDA. For a processor alone, name PyTorch's index
# of such builds: --build-arg TORCH_INDEX=…
ARG TORCH_INDEX=
RUN PIP_INDEX_URL=${TORCH_INDEX} /opt/troupe/bin/pip install torch==2.13.0

FROM ${PYTHON} AS base
LABEL org.opencontainers.image.title="Troupe" org.opencontainers.image.licenses="Apache-2.0"
# Fonts for names that are drawn on pictures and tables, of all scripts. Debian's versions, as of the day of the build.
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install -y --no-install-recommends fonts-dejavu-core fonts-noto-cjk \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --system --uid 10001 --user-group --create-home --home-dir /home/troupe troupe \
 && install -d -m 0700 -o troupe -g troupe /data /models
ENV PATH=/opt/troupe/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 TROUPE_HOME=/data
USER 10001:10001
WORKDIR /home/troupe
ENTRYPOINT ["troupe"]

FROM base AS experts
COPY --from=build-experts /opt/troupe /opt/troupe
VOLUME /models
EXPOSE 8090
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
  CMD ["python", "-c", "import os, urllib.request as u; u.urlopen(u.Request('http://127.0.0.1:8090/health', headers={'Authorization': 'Bearer ' + os.environ['TROUPE_EXPERTS_TOKEN']}), timeout=4)"]
CMD ["experts", "--host", "0.0.0.0", "--port", "8090", "--models", "/models"]

FROM base AS run
COPY --from=build /opt/troupe /opt/troupe
ENV TROUPE_WEB=true TROUPE_WEB_HOST=0.0.0.0 TROUPE_WEB_PORT=8080 TROUPE_HEALTH_PORT=8081
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 \
  CMD ["python", "-c", "import os, urllib.request as u; u.urlopen('http://127.0.0.1:' + os.environ['TROUPE_HEALTH_PORT'] + '/healthz', timeout=4)"]
CMD ["run"]
