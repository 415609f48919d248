# One container, one process tree: Bun is process 1 and, without DATABASE_URL, the parent of its own PostgreSQL.
#
#   docker build -t agent-telemetry-service .
#   docker run --init -p 8080:8080 -v telemetry:/data --stop-timeout 50 agent-telemetry-service
#   docker run --init -p 8080:8080 -e DATABASE_URL=postgres://… --stop-timeout 50 agent-telemetry-service
#
# --stop-timeout: DRAIN_TIMEOUT_S (25) and the shutdown of PostgreSQL (20 at most) want more than Docker's 10 seconds.
# --init: when PostgreSQL's first process is killed (out of memory, say) its children become process 1's, and Bun reaps only
# its own: they stay as zombies, 16 each time. All else works without.

ARG BUN_VERSION=1.4.5

FROM oven/bun:${BUN_VERSION}-slim AS dependencies
WORKDIR /app
COPY package.json bun.lock bunfig.toml ./
COPY patches ./patches
# Peers: those that run are dependencies of our own; the others are drizzle-kit, esbuild, TypeScript and types, 80 MB.
RUN bun install --frozen-lockfile --production --omit=peer

FROM dependencies AS pages
COPY tsconfig.json ./
COPY src ./src
RUN bun run build

FROM oven/bun:${BUN_VERSION}-slim
WORKDIR /app
# Memory set free goes back to the system after 2 s instead of 1: under load it is wanted again before.
ENV NODE_ENV=production DATA_DIR=/data MIMALLOC_PURGE_DELAY=2000
# Before VOLUME: a new volume takes owner and mode from the image.
RUN mkdir /data && chown bun:bun /data && chmod 700 /data
COPY --from=dependencies /app/node_modules ./node_modules
COPY package.json bun.lock bunfig.toml tsconfig.json ./
COPY patches ./patches
COPY drizzle ./drizzle
COPY src ./src
# Stamped with the sources they were built from, so the service takes them for current.
COPY --from=pages /app/dist ./dist
VOLUME /data
EXPOSE 8080
USER bun
STOPSIGNAL SIGTERM
# With a timeout of its own: not every engine ends a check that takes longer than --timeout.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
  CMD ["bun", "-e", "process.exit((await fetch(`http://127.0.0.1:${process.env.PORT || 8080}/health`, { signal: AbortSignal.timeout(4000) })).ok ? 0 : 1)"]
ENTRYPOINT []
CMD ["bun", "--smol", "src/main.ts"]
