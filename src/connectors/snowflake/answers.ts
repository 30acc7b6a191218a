/**
 * Responses of Snowflake's SQL API, validated before use (https://docs.snowflake.com/developer-guide/sql-api/reference,
 * …/handling-responses).
 */

import { ConnectorFailure } from "../failure.ts";
import { jsonAnswer } from "../http/json-answer.ts";

/** Limit for texts that appear in answers and logs; a server may send any amount. */
export const MAX_TEXT = 4096;

/** Maximum size of a response; Snowflake makes partitions of about ten megabytes. */
export const MAX_ANSWER = 48 * 1024 * 1024;

/** The result of a finished statement. */
export interface ResultSet {
  readonly columns: readonly RowType[];
  /** Number of rows of each partition; `rows` contains those of the first. */
  readonly partitions: readonly number[];
  readonly total: number;
  readonly rows: readonly unknown[];
}

export interface RowType {
  readonly name: string;
  readonly type: string;
  readonly precision: number | undefined;
  readonly scale: number | undefined;
}

export interface ApiError {
  /** A Snowflake code such as `002003`. */
  readonly code: string | undefined;
  readonly sqlState: string | undefined;
  readonly message: string;
}

/** Statuses that the API defines. */
const STATUSES: ReadonlySet<number> = new Set([200, 202, 400, 401, 403, 408, 422]);

export function isAnswer(status: number): boolean {
  return STATUSES.has(status);
}

/** A JSON object. Rejects with `UPSTREAM_PROTOCOL` for anything else, and with the errors of reading the body. */
export const jsonOf = (response: Response): Promise<object> => jsonAnswer(response, (cause) => notSnowflake("", cause));

/** Identifies a statement in requests; it becomes part of addresses. */
export function handleIn(json: object): string {
  const { statementHandle: handle } = json as Json;
  if (typeof handle !== "string" || !/^[\w-]{1,128}$/.test(handle)) throw notSnowflake();
  return handle;
}

export function resultSet(json: object): ResultSet {
  const { resultSetMetaData, data } = json as Json;
  const { format, numRows, rowType, partitionInfo } = object(resultSetMetaData);
  if (format !== "jsonv2") throw notSnowflake();
  return {
    columns: array(rowType).map(rowTypeOf),
    partitions:
      partitionInfo == null ? [count(numRows)] : array(partitionInfo).map((one) => count(object(one)["rowCount"])),
    total: count(numRows),
    rows: array(data),
  };
}

/** Rows of a later partition, whose response contains nothing else. */
export function rowsIn(json: object): readonly unknown[] {
  return array((json as Json)["data"]);
}

export function errorIn(json: object): ApiError {
  const { code, sqlState, message } = json as Json;
  if (typeof message !== "string") throw notSnowflake();
  return { code: textOf(code), sqlState: textOf(sqlState), message };
}

export function rowTypeOf(column: unknown): RowType {
  const { name, type, precision, scale } = object(column);
  if (typeof name !== "string" || typeof type !== "string") throw notSnowflake();
  return {
    name,
    type: type.toUpperCase(),
    precision: precision == null ? undefined : count(precision),
    scale: scale == null ? undefined : count(scale),
  };
}

export type Json = Readonly<Record<string, unknown>>;

export function object(json: unknown): Json {
  if (typeof json !== "object" || json === null) throw notSnowflake();
  return json as Json;
}

export function array(json: unknown): readonly unknown[] {
  if (!Array.isArray(json)) throw notSnowflake();
  return json;
}

export function count(json: unknown): number {
  if (typeof json !== "number" || !Number.isSafeInteger(json) || json < 0) throw notSnowflake();
  return json;
}

export function textOf(json: unknown): string | undefined {
  return typeof json === "string" && /^\w{1,64}$/.test(json) ? json : undefined;
}

export function notSnowflake(what = "", cause?: unknown): ConnectorFailure {
  const message = what === "" ? "The answer is not that of Snowflake." : what;
  return new ConnectorFailure("UPSTREAM_PROTOCOL", message, {
    hint: "Check that account names an account of Snowflake, and proxies in between.",
    cause,
  });
}
