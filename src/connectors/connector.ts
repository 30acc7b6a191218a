/** The one interface of all data sources, in every process. */
import type { Statement } from "../planner/plan.ts";
import type { ResultStream, SourceWarning } from "../result/types.ts";
import type { CatalogAnswers, CatalogRequest } from "./catalog/types.ts";

/** Options for opening a connector. */
export interface OpenOptions {
  readonly signal: AbortSignal;
  /** The request's id; the sidecar's log has it too. */
  readonly correlationId: string;
  /**
   * The caller's name from authentication; absent if authentication is off. Shared connections are divided fairly between
   * callers.
   */
  readonly caller?: string | undefined;
  /** The request's trace (`guard/trace-context.ts`), for connectors in other processes. */
  readonly traceHeaders?: Readonly<Record<string, string>>;
}

export interface CallOptions {
  /** Aborts when the client disconnects or the application time-out passes; the connector must end the work on the source. */
  readonly signal: AbortSignal;
  /**
   * Time limit for a statement on the source in milliseconds, enforced by the source where possible, otherwise by the connector.
   */
  readonly timeoutMs: number;
  /** See `isolation.ts`. A call without a key shares an engine with no other call. */
  readonly isolation?: string | undefined;
}

export interface DryRunReport {
  /** The bytes that the query would read, if the source reports them. */
  readonly bytes?: bigint;
  readonly warnings?: readonly SourceWarning[];
}

/** The capabilities of a connector, as data; the contract suite (`test/connectors/contract.ts`) checks each claim. */
export interface Capabilities {
  /** `rows`: rows arrive as the source produces them; `pages`: one page at a time; `whole`: all at once, under a size limit. */
  readonly streaming: "rows" | "pages" | "whole";
  /** Abort ends the statement on the source, and not only the wait for it. */
  readonly cancels: boolean;
  /** Errors of the source contain an offset into the SQL. */
  readonly errorPositions: boolean;
}

/** Access to a source by one connection, opened for one request and closed after it. Failures are `ConnectorFailure`s. */
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
  /** Releases the connection and ends running work. Idempotent, never throws. */
  close(): Promise<void>;
}

export type { Statement };
