/**
 * The log record of a call, for both kinds of far end. It contains no SQL, connection or engine text, which may hold data and
 * passwords.
 */
import { faultOf } from "../../guard/request-log.ts";
import type { TraceContext } from "../../guard/trace-context.ts";
import { ConnectorFailure } from "../failure.ts";
import type { RemoteEnd } from "./host.ts";

export function callRecord(end: RemoteEnd, milliseconds: number, trace: TraceContext) {
  const { operation, outcome, rows, bytes, phases, error } = end;
  const { traceId, spanId, parentId } = trace;
  const isOurs = error !== undefined && !(error instanceof ConnectorFailure);
  return {
    level: isOurs ? ("error" as const) : ("info" as const),
    event: "call",
    correlationId: operation.correlationId,
    traceId,
    spanId,
    parentId,
    operation: operation.name,
    source: operation.source,
    outcome,
    rows,
    bytes,
    milliseconds: Math.round(milliseconds),
    phases,
    ...(error instanceof ConnectorFailure && { reason: error.reason, engineCode: error.engineCode }),
    ...(isOurs && { fault: faultOf(error) }),
  };
}
