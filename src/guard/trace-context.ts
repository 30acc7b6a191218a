/** W3C Trace Context (https://www.w3.org/TR/trace-context/): one id for a request in every log that it leaves a line in. */

export interface TraceContext {
  /** 32 hexadecimal digits, of everything that one question led to. */
  readonly traceId: string;
  /** 16, of this process's part in it. */
  readonly spanId: string;
  /** Of the part that asked; absent where nobody said. */
  readonly parentId?: string;
  readonly sampled: boolean;
  /** What tracing systems before us want handed on. */
  readonly state?: string;
}

/** The caller's trace with a part of our own, or a new one: what is malformed could forge log lines. */
export function traceOf(traceparent: string | null | undefined, tracestate?: string | null): TraceContext {
  const spanId = newSpanId();
  const given = parse(traceparent ?? "");
  if (given === undefined) return { traceId: newTraceId(), spanId, sampled: false };
  const isState = tracestate !== null && tracestate !== undefined && /^[\x20-\x7e]{1,512}$/.test(tracestate);
  return { ...given, spanId, ...(isState && { state: tracestate }) };
}

/** For whoever is asked next: this process's part is what asks it. */
export function traceHeaders({ traceId, spanId, sampled, state }: TraceContext): Readonly<Record<string, string>> {
  const traceparent = `00-${traceId}-${spanId}-0${sampled ? 1 : 0}`;
  return state === undefined ? { traceparent } : { traceparent, tracestate: state };
}

/** Versions to come may have more parts; ours has four, and `ff` is none. Ids of zeros say that there is none. */
function parse(text: string): Pick<TraceContext, "traceId" | "parentId" | "sampled"> | undefined {
  const match = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(text);
  const [, version, traceId = "", parentId = "", flags = "", more] = match ?? [];
  if (match === null || version === "ff" || (version === "00" && more !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(parentId)) return undefined;
  return { traceId, parentId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** UUIDs, because they are quick to have: random bytes of our own cost a twentieth of a plan. */
function newTraceId(): string {
  return crypto.randomUUID().replaceAll("-", "");
}

/** Of the digits that are random in a UUID. */
function newSpanId(): string {
  const uuid = crypto.randomUUID();
  return uuid.slice(0, 4) + uuid.slice(24);
}
