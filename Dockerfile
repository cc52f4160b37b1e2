# docker build -t carillon .                                   docs/deployment.md says how it is run
# docker build -t carillon --build-arg PACKAGES=ffmpeg .       with a program that converts videos
ARG NODE=24.21.0-trixie-slim

FROM node:${NODE} AS install
WORKDIR /opt/carillon
COPY package.json pnpm-lock.yaml pnpm-workspace.yaml ./
COPY scripts/install.mjs scripts/
COPY scripts/pnpm scripts/pnpm
COPY examples/package.json examples/
COPY packages/cli/package.json packages/cli/
COPY packages/domain/package.json packages/domain/
COPY packages/sandbox/package.json packages/sandbox/
COPY packages/sdk/package.json packages/sdk/
COPY packages/server/package.json packages/server/
RUN node scripts/install.mjs

FROM install AS console
COPY packages/console/package.json packages/console/
RUN node scripts/install.mjs
COPY tsconfig.base.json ./
COPY packages ./packages
RUN node packages/console/build.ts

FROM node:${NODE}
# Of Debian.
ARG PACKAGES=""
RUN if [ -n "$PACKAGES" ]; then \
      apt-get update && apt-get install -y --no-install-recommends $PACKAGES && rm -rf /var/lib/apt/lists/*; \
    fi
WORKDIR /opt/carillon
COPY --from=install /opt/carillon ./
COPY LICENSE ./
COPY packages ./packages
COPY --from=console /opt/carillon/packages/console/dist/site packages/console/dist/site
RUN rm -r packages/console/build.ts packages/console/src && \
    printf '#!/bin/sh\nexec node /opt/carillon/packages/cli/carillon.js "$@"\n' > /usr/local/bin/carillon && \
    chmod 755 /usr/local/bin/carillon && \
    install -d -o 1000 -g 1000 -m 700 /data
# A home that can be written: the command line keeps there how far an upload has come, and who has logged in.
ENV HOME=/data NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data CARILLON_SANDBOX=off
VOLUME /data
# The user `node` of the base, as a number: who forbids root has to see that it is another.
USER 1000:1000
EXPOSE 4400
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT ?? 4400}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "packages/server/src/main.ts"]
