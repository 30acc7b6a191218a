/** Numbers of the API's isolate for Prometheus; docs/reference/operations.md says what each means. */
import { Metrics } from "./metrics.ts";
import type { RequestRecord } from "./request-log.ts";

/** Seconds. */
const DURATIONS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 180];

/** Counts that change while requests run. */
export interface ApiState {
  readonly inFlight: number;
  readonly waiting: number;
  readonly arriving: number;
}

export interface ApiMetrics {
  readonly text: () => string;
  /** Counts a request that has ended. */
  readonly ended: (record: RequestRecord) => void;
}

export function apiMetrics(version: string, state: () => ApiState): ApiMetrics {
  const metrics = new Metrics();
  metrics.register("siskin_api_info", "1, with the release.", "gauge", () => [{ labels: { version }, value: 1 }]);
  const requests = metrics.counter("siskin_api_requests_total", "Requests, by how they ended.");
  const rows = metrics.counter("siskin_api_rows_total", "Rows sent.");
  const bytes = metrics.counter("siskin_api_bytes_total", "Bytes of answers with rows.");
  const cached = metrics.counter("siskin_api_cache_total", "Requests that asked for the query cache.");
  const durations = metrics.histogram(
    "siskin_api_request_duration_seconds",
    "From the arrival of a request to the end of its answer.",
    DURATIONS,
  );
  const phases = metrics.counter("siskin_api_phase_seconds_total", "Time of all requests, by phase.");
  const gauge = (name: string, help: string, value: (now: ApiState) => number) =>
    metrics.register(name, help, "gauge", () => [{ value: value(state()) }]);
  gauge("siskin_api_in_flight", "Requests that run.", ({ inFlight }) => inFlight);
  gauge("siskin_api_waiting", "Requests that wait for a place.", ({ waiting }) => waiting);
  gauge("siskin_api_arriving", "Bodies that arrive or wait for a place.", ({ arriving }) => arriving);
  return {
    text: () => metrics.text(),
    ended(record) {
      // All labels come from closed lists: the log of a request holds the route's pattern and a known source, never the caller's text.
      const { route, dataSource: source = "", status, reason = "", ended = "complete" } = record;
      requests({ route, source, status: String(status), reason, ended });
      durations({ route }, record.milliseconds / 1000);
      rows({ source }, record.rows ?? 0);
      bytes({ source }, record.bytes ?? 0);
      if (record.cache !== undefined) cached({ outcome: record.cache });
      for (const [phase, milliseconds] of Object.entries(record.phases ?? {})) phases({ phase }, milliseconds / 1000);
    },
  };
}
