# One container, one process tree: Bun is process 1 and, without DATABASE_URL, the parent of its own PostgreSQL.
#
#   docker build -t agent-telemetry-service .
#   docker run -p 8080:8080 -v telemetry:/data --stop-timeout 50 agent-telemetry-service
#   docker run -p 8080:8080 -e DATABASE_URL=postgres://… --stop-timeout 50 agent-telemetry-service
#
# --stop-timeout: DRAIN_TIMEOUT_S (25) and the shutdown of PostgreSQL (20 at most) want more than Docker's 10 seconds.
# Processes end under their own parents, so no init is needed to reap them; `docker run --init` does no harm.

ARG BUN_VERSION=1.4.5

FROM oven/bun:${BUN_VERSION}-slim AS dependencies
WORKDIR /app
COPY package.json bun.lock bunfig.toml ./
COPY patches ./patches
RUN bun install --frozen-lockfile --production

FROM dependencies AS pages
COPY tsconfig.json ./
COPY src ./src
RUN bun run build

FROM oven/bun:${BUN_VERSION}-slim
WORKDIR /app
# Memory set free goes back to the system after 10 s instead of 1: under load it is wanted again long before.
ENV NODE_ENV=production DATA_DIR=/data MIMALLOC_PURGE_DELAY=2000
# Before VOLUME: a new volume takes owner and mode from the image.
RUN mkdir /data && chown bun:bun /data && chmod 700 /data
COPY --from=dependencies /app/node_modules ./node_modules
COPY package.json bun.lock bunfig.toml tsconfig.json ./
COPY patches ./patches
COPY drizzle ./drizzle
COPY src ./src
# After src: pages older than their sources would be built again.
COPY --from=pages /app/dist ./dist
VOLUME /data
EXPOSE 8080
USER bun
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
  CMD ["bun", "-e", "process.exit((await fetch(`http://127.0.0.1:${process.env.PORT || 8080}/health`)).ok ? 0 : 1)"]
ENTRYPOINT []
CMD ["bun", "--smol", "src/main.ts"]
