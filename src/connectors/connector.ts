/** The one interface in front of every data source, wherever it runs. */
import type { Statement } from "../planner/plan.ts";
import type { ResultStream } from "../result/types.ts";
import type { CatalogAnswers, CatalogRequest } from "./catalog/types.ts";

/** What a connector is opened with. */
export interface OpenOptions {
  readonly signal: AbortSignal;
  /** Of the request; the sidecar's log has it too. */
  readonly correlationId: string;
  /** As authentication names it; absent where callers are not told apart. Connections that are shared are shared fairly by it. */
  readonly caller?: string | undefined;
  /** The request's trace (`guard/trace-context.ts`), for connectors in other processes. */
  readonly traceHeaders?: Readonly<Record<string, string>>;
}

export interface CallOptions {
  /** Aborted when the client went away or the application time-out passed; the connector must end the work on the source. */
  readonly signal: AbortSignal;
  /** Milliseconds a statement may take on the source, enforced there where it can be, by us where not. */
  readonly timeoutMs: number;
  /** See `isolation.ts`. A call without a key shares an engine with no other call. */
  readonly isolation?: string | undefined;
}

export interface DryRunReport {
  /** Bytes the source says it would read, where it knows. */
  readonly bytes?: bigint;
}

/** What a connector can do, as data; the contract suite (`test/connectors/contract.ts`) checks each claim. */
export interface Capabilities {
  /** `rows`: arrives as the source produces it; `pages`: a page at a time; `whole`: at once, under a byte cap. */
  readonly streaming: "rows" | "pages" | "whole";
  /** Abort ends the statement on the source, not only our wait for it. */
  readonly cancels: boolean;
  /** Errors of the source carry an offset into the SQL. */
  readonly errorPositions: boolean;
}

/** One connection's worth of access to a source, made for one request and closed after it. Failures are `ConnectorFailure`s. */
export interface Connector {
  readonly capabilities: Capabilities;
  /** Resolves when the columns are known; rows follow as they are pulled. Column names are the source's, not the plan's. */
  query(statement: Statement, options: CallOptions): Promise<ResultStream>;
  /** Checks the statement on the source: no execution, no side effects. */
  dryRun(statement: Statement, options: CallOptions): Promise<DryRunReport>;
  catalog<K extends CatalogRequest["kind"]>(
    request: Extract<CatalogRequest, { kind: K }>,
    options: CallOptions,
  ): Promise<CatalogAnswers[K]>;
  /** Releases the connection; idempotent, never throws, ends whatever still runs. */
  close(): Promise<void>;
}

export type { Statement };
