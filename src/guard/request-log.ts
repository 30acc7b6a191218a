/** One JSON line per request. No SQL, no manifest, no connection: what went wrong is found by the correlation id. */
import type { PhaseTimes } from "./phases.ts";

export interface RequestRecord {
  readonly method: string;
  /** The route's pattern, never the path itself: paths are the caller's text. */
  readonly route: string;
  readonly dataSource?: string;
  readonly caller?: string;
  readonly status: number;
  /** Until the answer was complete, in whole milliseconds. */
  readonly milliseconds: number;
  readonly phases?: PhaseTimes;
  readonly correlationId: string;
  readonly traceId?: string;
  readonly spanId?: string;
  /** The part of the trace that asked. */
  readonly parentId?: string;
  readonly errorCode?: string;
  readonly reason?: string;
  readonly rows?: number;
  readonly bytes?: number;
  /** What the query cache had to do with it: `hit`, or why the query ran. Absent without `cacheEnable`. */
  readonly cache?: string;
  /** How a streamed answer ended, unless it was complete. */
  readonly ended?: "failed" | "cancelled";
  /** Where a fault of ours was thrown: names and places of the stack, without the message, which may quote anything. */
  readonly fault?: string;
}

export type Log = (line: string) => void;

export function logRequest(log: Log, record: RequestRecord): void {
  log(JSON.stringify({ level: record.status >= 500 ? "error" : "info", event: "request", ...record }));
}

/** `TypeError at f (file:1:2) < g (file:3:4)`. */
export function faultOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  // The stack begins with the message, whose lines may look like places.
  const places = (error.stack ?? "")
    .replace(error.message, "")
    .split("\n")
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 6)
    .map((line) => line.trim().replace(/^at /, ""));
  const cause = error.cause === undefined ? "" : ` caused by ${faultOf(error.cause)}`;
  return `${error.constructor.name} at ${places.join(" < ")}${cause}`;
}
