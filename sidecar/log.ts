/** One JSON line per call. No SQL, no connection, no engine texts: both may hold data and passwords. */
import type { ConnectorFailure } from "../src/connectors/failure.ts";
import { callRecord } from "../src/connectors/remote/call-record.ts";
import type { RemoteEnd } from "../src/connectors/remote/host.ts";
import type { TraceContext } from "../src/guard/trace-context.ts";
import { logLine } from "../src/log-line.ts";

export type Log = (line: string) => void;

/** A write for each line would cost a busy process as much as a small query does. */
const GATHER_MS = 20;

/** Lines that go out together, `GATHER_MS` later at most; `flush` is for who ends the process. */
export function gathered(write: (text: string) => void): { readonly log: Log; readonly flush: () => void } {
  let lines: string[] = [];
  const flush = (): void => {
    if (lines.length === 0) return;
    const text = `${lines.join("\n")}\n`;
    lines = [];
    write(text);
  };
  return {
    log: (line) => {
      if (lines.length === 0) setTimeout(flush, GATHER_MS).unref();
      lines.push(line);
    },
    flush,
  };
}

export function logEvent(log: Log, level: "info" | "error", event: string, fields: object = {}): void {
  log(logLine({ level, event, ...fields }));
}

export function logCall(log: Log, end: RemoteEnd, milliseconds: number, trace: TraceContext): void {
  const { level, event, ...fields } = callRecord(end, milliseconds, trace);
  logEvent(log, level, event, fields);
}

/** Before the caller is authenticated, only the rejection is logged. */
export function logRefusal(log: Log, status: number, { reason, message }: ConnectorFailure): void {
  logEvent(log, "info", "refused", { status, reason, message });
}
