# The API: its two Workers in workerd, without Node. Its settings are the variables of its process (docs/configuration.md).
# The sidecar is another image, sidecar/Dockerfile; compose.yaml runs both.
FROM node:24-slim AS build
WORKDIR /siskin
COPY package.json package-lock.json ./
COPY sidecar/package.json sidecar/
RUN npm ci --no-audit --no-fund
COPY wrangler.toml wrangler.connectors.toml tsconfig*.json ./
COPY scripts scripts
COPY src src
RUN npm run build

FROM debian:bookworm-slim
# Certificates of the public authorities come with workerd; curl asks for its health.
RUN apt-get update && apt-get install -y --no-install-recommends curl && rm -rf /var/lib/apt/lists/*
WORKDIR /siskin
COPY --from=build /siskin/dist dist
# Nobody in particular: nothing is written.
USER 65532:65532
EXPOSE 8787
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s CMD ["curl", "-fsS", "http://127.0.0.1:8787/health"]
ENTRYPOINT ["dist/workerd", "serve", "dist/workerd.capnp", "--socket-addr=http=0.0.0.0:8787"]
# Where the sidecar listens: the loopback of a network that both share, as in compose.yaml or a Kubernetes pod.
CMD ["--external-addr=sidecar=127.0.0.1:8788"]
