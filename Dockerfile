# The API: its Workers in workerd, kept running by a supervisor. Its settings are the variables of its process
# (docs/configuration.md). The sidecar is another image, sidecar/Dockerfile; compose.yaml runs both.
FROM node:24-slim AS build
WORKDIR /siskin
COPY package.json package-lock.json ./
COPY sidecar/package.json sidecar/
RUN npm ci --no-audit --no-fund
COPY wrangler.toml wrangler.connectors.toml wrangler.files.toml tsconfig*.json ./
COPY scripts scripts
COPY supervisor supervisor
COPY src src
# Running the files Worker needs neither the parts that it is built from nor source maps.
RUN npm run build && rm -rf dist/engine dist/trampolines dist/files/*.map dist/files/README.md

FROM debian:bookworm-slim
# Certificates of the public authorities come with workerd; curl asks for its health. The supervisor's Node (127 MB) comes from
# the image above: no npm, and libstdc++6, which it needs, is in Debian's image.
RUN apt-get update && apt-get install -y --no-install-recommends curl libstdc++6 && rm -rf /var/lib/apt/lists/*
COPY --from=build /usr/local/bin/node /usr/local/bin/node
WORKDIR /siskin
COPY --from=build /siskin/dist dist
# Nobody in particular: nothing is written but Unix sockets, in /tmp or /dev/shm.
USER 65532:65532
EXPOSE 8787
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s CMD ["curl", "-fsS", "http://127.0.0.1:8787/health"]
# Words behind supervisor.mjs are for the workerd of the API.
ENTRYPOINT ["sh", "dist/init.sh", "node", "dist/supervisor.mjs", "--socket-addr=http=0.0.0.0:8787"]
# Where the sidecar listens: the loopback of a network that both share, as in compose.yaml or a Kubernetes pod.
CMD ["--external-addr=sidecar=127.0.0.1:8788"]
