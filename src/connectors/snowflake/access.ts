/** What a statement is sent by, whichever of Snowflake's two protocols takes it, and what its columns are. */
import type { Column, ResultStream } from "../../result/types.ts";
import type { SnowflakeConnection } from "../connection/snowflake.ts";
import type { CallOptions, Statement } from "../connector.ts";
import { ConnectorFailure } from "../failure.ts";
import type { JsonColumn } from "../http/json-rows.ts";
import { type ApiError, notSnowflake, type RowType } from "./answers.ts";
import { snowflakeFailure } from "./failures.ts";
import { columnOf } from "./values.ts";

export interface SnowflakeAccess {
  query(sent: Sent, options: CallOptions): Promise<ResultStream>;
  /** Ends what still runs, and what was opened for it. Never throws. */
  close(): Promise<void>;
}

export interface Sent extends Pick<Statement, "sql" | "columns" | "session"> {
  /** Ends with a line of its own: places that errors tell are then as they are in the statement, a line further down. */
  readonly prefix: string;
}

/** Of one statement: what its meaning hangs on, and what must not be of many. */
export function parametersOf({ queryTag }: SnowflakeConnection, { session }: Sent): Readonly<Record<string, string>> {
  return {
    TIMEZONE: "UTC",
    ...Object.fromEntries(session.map(({ name, value }) => [name, value])),
    MULTI_STATEMENT_COUNT: "1",
    ...(queryTag !== undefined && { QUERY_TAG: queryTag }),
  };
}

export function failureOfStatement(error: ApiError, { sql, prefix }: Sent): ConnectorFailure {
  return snowflakeFailure(error, sql, prefix === "" ? 0 : 1);
}

export interface ReadColumns {
  readonly columns: readonly Column[];
  readonly readers: readonly JsonColumn[];
}

/** Fails where there are none, and where their names are not those that were asked for. */
export function columnsOf(described: readonly RowType[], { columns: meant }: Sent): ReadColumns {
  if (described.length === 0) throw notSnowflake();
  refuseFoldedNames(described, meant);
  const readers = described.map((column, index) => columnOf(column, meant[index]?.type.kind === "decimal"));
  return { readers, columns: readers.map(({ name, type }) => ({ name, type })) };
}

/** Where QUOTED_IDENTIFIERS_IGNORE_CASE is on, names in quotes are others; no statement of the SQL API can set it. */
function refuseFoldedNames(columns: readonly RowType[], meant: Statement["columns"]): void {
  const isFolded = columns.some(({ name }, index) => {
    const wanted = meant[index]?.name;
    return wanted !== undefined && name !== wanted && name === wanted.toUpperCase();
  });
  if (!isFolded) return;
  throw new ConnectorFailure("SOURCE_ERROR", "Snowflake does not tell names in quotes apart by their case.", {
    hint: "ALTER USER … SET QUOTED_IDENTIFIERS_IGNORE_CASE = FALSE",
  });
}
