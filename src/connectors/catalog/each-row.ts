/**
 * Reads catalogues by the connector's own queries, row by row: a database may have more columns than fit into memory as records.
 */
import type { Row } from "../../result/types.ts";
import type { CallOptions, Connector } from "../connector.ts";

/** Runs a query and passes on its rows in order. */
export type EachRow = (sql: string, take: (row: Row) => void) => Promise<void>;

export function eachRowOf(source: Pick<Connector, "query">, options: CallOptions): EachRow {
  return async (sql, take) => {
    const result = await source.query({ sql, columns: [], session: [], reads: [] }, options);
    for await (const batch of result.batches) for (const row of batch) take(row);
  };
}

/** A value that is not text becomes the empty text. */
export function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
