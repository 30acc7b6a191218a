/** The interface for statements over both Snowflake protocols, and the columns of results. */
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
  /** Ends running statements, and closes the resources opened for them. Never throws. */
  close(): Promise<void>;
}

export interface Sent extends Pick<Statement, "sql" | "columns" | "session"> {
  /** Ends with a line break, so that columns in error positions stay correct; only the line number is larger by one. */
  readonly prefix: string;
}

/** Parameters of one statement: those that its meaning depends on, and those that must not be shared by many statements. */
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

/** Throws if there are no columns, or if their names differ from the requested ones. */
export function columnsOf(described: readonly RowType[], { columns: meant }: Sent): ReadColumns {
  if (described.length === 0) throw notSnowflake();
  refuseFoldedNames(described, meant);
  const readers = described.map((column, index) => columnOf(column, meant[index]?.type));
  return { readers, columns: readers.map(({ name, type }) => ({ name, type })) };
}

/** With QUOTED_IDENTIFIERS_IGNORE_CASE, quoted names change; a statement of the SQL API cannot set this parameter. */
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
