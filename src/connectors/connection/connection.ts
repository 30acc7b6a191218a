/** Shared by the parsed connections of all sources, with their errors. */
import type * as z from "zod/mini";
import type { DataSource, PlannerWarning } from "../../planner/plan.ts";
import { ConnectorFailure } from "../failure.ts";
import type { AthenaConnection } from "./athena.ts";
import type { BigQueryConnection } from "./bigquery.ts";
import type { CannerConnection } from "./canner.ts";
import type { ClickHouseConnection } from "./clickhouse.ts";
import type { DatabricksConnection } from "./databricks.ts";
import type { DorisConnection } from "./doris.ts";
import type { DuckDbConnection } from "./duckdb.ts";
import type { GcsFileConnection } from "./gcs-file.ts";
import type { LocalFileConnection } from "./local-file.ts";
import type { MinioFileConnection } from "./minio-file.ts";
import type { MsSqlConnection } from "./mssql.ts";
import type { MySqlConnection } from "./mysql.ts";
import type { OracleConnection } from "./oracle.ts";
import type { PostgresConnection } from "./postgres.ts";
import type { RedshiftConnection } from "./redshift.ts";
import type { S3FileConnection } from "./s3-file.ts";
import type { SnowflakeConnection } from "./snowflake.ts";
import type { SparkConnection } from "./spark.ts";
import type { TrinoConnection } from "./trino.ts";

/** One variant per source, distinguished by `source`. Plain data; secret values are wrapped in `Secret`. */
export type ConnectionInfo =
  | AthenaConnection
  | BigQueryConnection
  | CannerConnection
  | ClickHouseConnection
  | DatabricksConnection
  | DorisConnection
  | DuckDbConnection
  | GcsFileConnection
  | LocalFileConnection
  | MinioFileConnection
  | MsSqlConnection
  | MySqlConnection
  | OracleConnection
  | PostgresConnection
  | RedshiftConnection
  | S3FileConnection
  | SnowflakeConnection
  | SparkConnection
  | TrinoConnection;

export interface ParsedConnection<C extends ConnectionInfo = ConnectionInfo> {
  readonly info: C;
  /** Warnings about options that are not supported (decisions C7). */
  readonly warnings: readonly PlannerWarning[];
}

/**
 * The connection as a `connectionInfo` object in one spelling, with its secrets in clear text. It is sent to the sidecar, which
 * parses it with the same parser. `parse(canonical(c))` equals `c`.
 */
export type CanonicalConnection = { readonly [member: string]: CanonicalValue };
export type CanonicalValue =
  | string
  | number
  | boolean
  | readonly CanonicalValue[]
  | { readonly [member: string]: CanonicalValue };

/**
 * A text that is equal for two connections exactly when they are the same, secrets included: the key of pools and, through HMAC,
 * of the cache. It is itself a secret; never log it.
 */
export function connectionIdentity(source: DataSource, canonical: CanonicalConnection): string {
  return JSON.stringify([source, sorted(canonical)]);
}

function sorted(value: CanonicalValue): CanonicalValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object") return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return Object.fromEntries(entries.map(([member, inner]) => [member, sorted(inner)]));
}

/** `connectionInfo.port: must be …`. The message names the member and never repeats its value. */
export function invalidConnection(member: string, problem: string, hint?: string): ConnectorFailure {
  const path = member === "" ? "connectionInfo" : `connectionInfo.${member}`;
  return new ConnectorFailure("INVALID_CONNECTION", `${path}: ${problem}`, hint === undefined ? {} : { hint });
}

/**
 * Checks the structure of `raw` and reports every member that is missing or has the wrong type, without zod's messages, which may
 * quote values.
 */
export function checkShape<T>(schema: z.ZodMiniType<T>, raw: unknown): T {
  const result = schema.safeParse(raw);
  if (result.success) return result.data;
  const problems = result.error.issues.map(({ path }) => {
    const found = path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown>)?.[key], raw);
    return { member: path.join("."), problem: found === undefined ? "is missing" : "has the wrong type" };
  });
  const [first = { member: "", problem: "has the wrong type" }, ...rest] = problems;
  const others = rest.map(({ member, problem }) => `; connectionInfo.${member}: ${problem}`).join("");
  throw invalidConnection(first.member, `${first.problem}${others}`);
}
