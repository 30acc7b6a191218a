/** Writes one JSON line per request. It contains no SQL, manifest or connection; the correlation id leads to the details. */
import { logLine } from "../log-line.ts";
import type { PhaseTimes } from "./phases.ts";

export interface RequestRecord {
  readonly method: string;
  /** The route's pattern and never the path, which is the caller's text. */
  readonly route: string;
  readonly dataSource?: string;
  readonly project?: string;
  readonly caller?: string;
  readonly status: number;
  /** Whole milliseconds until the answer was complete. */
  readonly milliseconds: number;
  readonly phases?: PhaseTimes;
  readonly correlationId: string;
  readonly traceId?: string;
  readonly spanId?: string;
  /** The span that sent the request. */
  readonly parentId?: string;
  readonly errorCode?: string;
  readonly reason?: string;
  readonly rows?: number;
  readonly bytes?: number;
  /** Use of the query cache: `hit`, or the reason why the query ran. Absent without `cacheEnable`. */
  readonly cache?: string;
  /** The end of a streamed answer that is incomplete. */
  readonly ended?: "failed" | "cancelled";
  /** The location of a defect: names and positions of the stack, without the message, which may quote anything. */
  readonly fault?: string;
}

export type Log = (line: string) => void;

export function logRequest(log: Log, record: RequestRecord): void {
  log(logLine({ level: record.status >= 500 ? "error" : "info", event: "request", ...record }));
}

/** `TypeError at f (file:1:2) < g (file:3:4)`. */
export function faultOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  // The stack begins with the message, whose lines may look like positions.
  const places = (error.stack ?? "")
    .replace(error.message, "")
    .split("\n")
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 6)
    .map((line) => line.trim().replace(/^at /, ""));
  const cause = error.cause === undefined ? "" : ` caused by ${faultOf(error.cause)}`;
  return `${error.constructor.name} at ${places.join(" < ")}${cause}`;
}
