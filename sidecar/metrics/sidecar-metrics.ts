/** The sidecar's metrics; docs/reference/operations.md explains each one. */
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import type { RemoteEnd } from "../../src/connectors/remote/host.ts";
import { PROTOCOL_VERSION } from "../../src/connectors/remote/protocol.ts";
import { Metrics } from "../../src/guard/metrics.ts";
import type { EnginePool } from "../engine-process/engine-pool.ts";
import type { Pool, PoolCounters } from "../pool.ts";

/** Seconds. */
const DURATIONS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 180];

/** Events and state that the server reports for metrics. */
export interface RequestMetrics {
  ended(end: RemoteEnd, milliseconds: number): void;
  refused(status: number, reason: string): void;
  /** An access to the query cache's store. */
  cached(operation: "get" | "put", outcome: "hit" | "miss" | "stored" | "failed"): void;
  serves(state: () => ServerState): void;
}

export interface ServerState {
  readonly inFlight: number;
  readonly maxInFlight: number;
  readonly arriving: number;
  readonly isDraining: boolean;
}

export interface SidecarMetrics {
  readonly metrics: Metrics;
  readonly requests: RequestMetrics;
}

export function sidecarMetrics(): SidecarMetrics {
  const metrics = new Metrics();
  metrics.register("siskin_sidecar_info", "1, with what runs here.", "gauge", () => [
    { labels: { protocol: PROTOCOL_VERSION, node: process.versions.node }, value: 1 },
  ]);
  metrics.register("siskin_sidecar_memory_bytes", "Resident memory of the sidecar's own process.", "gauge", () => [
    { value: process.memoryUsage.rss() },
  ]);
  metrics.register("siskin_sidecar_uptime_seconds", "Seconds since the process began.", "gauge", () => [
    { value: process.uptime() },
  ]);
  const requests = metrics.counter("siskin_sidecar_requests_total", "Requests that were served, by how they ended.");
  const refusals = metrics.counter("siskin_sidecar_refused_total", "Requests that were not let in.");
  const cached = metrics.counter("siskin_cache_operations_total", "What Workers asked of the query cache's store.");
  const rows = metrics.counter("siskin_sidecar_rows_total", "Rows sent.");
  const bytes = metrics.counter("siskin_sidecar_bytes_total", "Bytes of frames sent.");
  const durations = metrics.histogram(
    "siskin_sidecar_request_duration_seconds",
    "From the admission of a request to the end of its answer.",
    DURATIONS,
  );
  return {
    metrics,
    requests: {
      ended({ operation, outcome, rows: rowCount, bytes: byteCount, error }, milliseconds) {
        // A Worker signs the source's name; a label is still never made from unchecked text.
        const source = /^[a-z_0-9]{1,20}$/.test(operation.source) ? operation.source : "other";
        const reason = error === undefined ? "" : error instanceof ConnectorFailure ? error.reason : "INTERNAL";
        requests({ operation: operation.name, source, outcome, reason });
        durations({ operation: operation.name, source }, milliseconds / 1000);
        rows({ source }, rowCount);
        bytes({ source }, byteCount);
      },
      refused: (status, reason) => refusals({ status: String(status), reason }),
      cached: (operation, outcome) => cached({ operation, outcome }),
      serves(state) {
        const gauge = (name: string, help: string, value: (state: ServerState) => number) =>
          metrics.register(name, help, "gauge", () => [{ value: value(state()) }]);
        gauge("siskin_sidecar_in_flight", "Requests that are being served.", ({ inFlight }) => inFlight);
        gauge("siskin_sidecar_max_in_flight", "MAX_IN_FLIGHT.", ({ maxInFlight }) => maxInFlight);
        gauge("siskin_sidecar_arriving", "Bodies of requests on their way in.", ({ arriving }) => arriving);
        gauge("siskin_sidecar_draining", "1 after SIGTERM.", ({ isDraining }) => (isDraining ? 1 : 0));
      },
    },
  };
}

export function measureEngines(metrics: Metrics, engines: EnginePool): void {
  metrics.register("siskin_duckdb_processes", "Processes of DuckDB, at work or waiting.", "gauge", () => [
    { labels: { state: "all" }, value: engines.counts.processes },
    { labels: { state: "spare" }, value: engines.counts.spare },
    { labels: { state: "kept" }, value: engines.counts.kept },
  ]);
  metrics.register("siskin_duckdb_places", "DUCKDB_STATEMENTS, and how many of them are taken.", "gauge", () => [
    { labels: { state: "all" }, value: engines.counts.places },
    { labels: { state: "taken" }, value: engines.counts.taken },
  ]);
  metrics.register("siskin_duckdb_waiting", "Statements that wait for a place.", "gauge", () => [
    { value: engines.counts.waiting },
  ]);
}

export function measurePool(metrics: Metrics, pool: Pick<Pool, "counters">): void {
  metrics.register("siskin_pool_connections", "Open connections to sources.", "gauge", () => [
    { labels: { state: "open" }, value: pool.counters.open },
    { labels: { state: "idle" }, value: pool.counters.idle },
  ]);
  metrics.register("siskin_pool_waiting", "Requests that wait for a connection.", "gauge", () => [
    { value: pool.counters.waiting },
  ]);
  for (const [name, help] of Object.entries(POOL_EVENTS) as [keyof typeof POOL_EVENTS, string][]) {
    metrics.register(`siskin_pool_${name}_total`, help, "counter", () => [{ value: pool.counters[name] }]);
  }
}

const POOL_EVENTS: Readonly<Record<Exclude<keyof PoolCounters, "open" | "idle" | "waiting">, string>> = {
  opened: "Connections that were opened.",
  reused: "Requests that were served by a connection that had been open.",
  closed: "Connections that were closed.",
  broken: "Of those closed: by the other side, or found broken.",
  unclean: "Of those closed: given back in a state that nobody else may see.",
  replaced: "Broken ones that another took the place of while a request had them.",
  refused: "Requests that found every place taken.",
};
