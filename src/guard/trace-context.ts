/** W3C Trace Context (https://www.w3.org/TR/trace-context/): one id per request in all logs. */

export interface TraceContext {
  /** 32 hexadecimal digits; shared by all work for one request of the original client. */
  readonly traceId: string;
  /** 16 hexadecimal digits; the span of this process. */
  readonly spanId: string;
  /** The span of the sender; absent if the request names none. */
  readonly parentId?: string;
  readonly sampled: boolean;
  /** State of upstream tracing systems, passed on unchanged. */
  readonly state?: string;
}

/** The caller's trace with a span of our own, or a new trace: a malformed value could forge log lines. */
export function traceOf(traceparent: string | null | undefined, tracestate?: string | null): TraceContext {
  const spanId = newSpanId();
  const given = parse(traceparent ?? "");
  if (given === undefined) return { traceId: newTraceId(), spanId, sampled: false };
  const isState = tracestate !== null && tracestate !== undefined && /^[\x20-\x7e]{1,512}$/.test(tracestate);
  return { ...given, spanId, ...(isState && { state: tracestate }) };
}

/** Headers for requests to other services: the span of this process becomes their parent. */
export function traceHeaders({ traceId, spanId, sampled, state }: TraceContext): Readonly<Record<string, string>> {
  const traceparent = `00-${traceId}-${spanId}-0${sampled ? 1 : 0}`;
  return state === undefined ? { traceparent } : { traceparent, tracestate: state };
}

/** Later versions may have more fields; version 00 has four, and `ff` is invalid. Ids of zeros are invalid. */
function parse(text: string): Pick<TraceContext, "traceId" | "parentId" | "sampled"> | undefined {
  const match = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(text);
  const [, version, traceId = "", parentId = "", flags = "", more] = match ?? [];
  if (match === null || version === "ff" || (version === "00" && more !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(parentId)) return undefined;
  return { traceId, parentId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** UUIDs, because they are fast: generating random bytes costs a twentieth of planning. */
function newTraceId(): string {
  return crypto.randomUUID().replaceAll("-", "");
}

/** Takes only digits that are random in a UUID. */
function newSpanId(): string {
  const uuid = crypto.randomUUID();
  return uuid.slice(0, 4) + uuid.slice(24);
}
