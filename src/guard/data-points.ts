/** Writes a request's log record to Cloudflare's Analytics Engine, if the binding `METRICS` exists. */
import type { RequestRecord } from "./request-log.ts";

export interface DataPoint {
  readonly indexes: readonly [string];
  readonly blobs: readonly string[];
  readonly doubles: readonly number[];
}

interface Dataset {
  writeDataPoint(point: DataPoint): void;
}

export type Meter = (record: RequestRecord) => void;

/** The order of the columns (`blob1` …): docs/reference/operations.md lists them. Never change one, only append. */
function dataPointOf(record: RequestRecord): DataPoint {
  const { phases = {} } = record;
  return {
    // The sampling key: the platform samples evenly by it, so that every caller remains visible.
    indexes: [firstBytes(record.caller ?? "", 96)],
    blobs: [
      record.method,
      record.route,
      record.dataSource ?? "",
      record.ended ?? "complete",
      record.errorCode ?? "",
      record.reason ?? "",
      record.cache ?? "",
    ],
    doubles: [
      record.status,
      record.milliseconds,
      record.rows ?? 0,
      record.bytes ?? 0,
      phases.authenticate ?? 0,
      phases.body ?? 0,
      phases.queue ?? 0,
      phases.plan ?? 0,
      phases.connect ?? 0,
      phases.firstRow ?? 0,
      phases.lastRow ?? 0,
      phases.cache ?? 0,
    ],
  };
}

export function meterIn(environment: Readonly<Record<string, unknown>>): Meter {
  const { METRICS: bound } = environment;
  if (typeof bound !== "object" || bound === null || !("writeDataPoint" in bound)) return () => undefined;
  const dataset = bound as Dataset;
  return (record) => {
    try {
      dataset.writeDataPoint(dataPointOf(record));
    } catch {
      // A lost data point changes no answer; the log line contains it too.
    }
  };
}

/** The platform rejects a data point with a longer index. */
function firstBytes(text: string, most: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(most));
  return text.slice(0, read);
}
