/**
 * Capabilities of each kind of connector: used by the connector itself, and by the source table for clients in another process.
 * The contract suite checks each claim at both ends.
 */
import type { Capabilities } from "./connector.ts";

export const CAPABILITIES = {
  athena: { streaming: "pages", cancels: true, errorPositions: true },
  /** Errors within a statement have a position; a missing table has one only sometimes. */
  bigquery: { streaming: "pages", cancels: true, errorPositions: false },
  /** Cancels by the protocol's own request; it is not verified that Canner obeys it. */
  canner: { streaming: "rows", cancels: true, errorPositions: false },
  /** ClickHouse's parser reports positions, the analysis after it does not. */
  clickhouse: { streaming: "rows", cancels: true, errorPositions: false },
  databricks: { streaming: "pages", cancels: true, errorPositions: true },
  /**
   * Only Doris' parser reports positions. Each frontend numbers its own connections: behind a load balancer, a statement ends
   * only by its time-out.
   */
  doris: { streaming: "rows", cancels: true, errorPositions: false },
  duckdb: { streaming: "rows", cancels: true, errorPositions: true },
  /** SQL Server reports a line, and a plan is one line: positions are found for some errors only. */
  mssql: { streaming: "rows", cancels: true, errorPositions: false },
  /** MySQL reports no positions: they are found in the message for some errors only. */
  mysql: { streaming: "rows", cancels: true, errorPositions: false },
  /** After a non-ASCII character, Oracle counts positions differently, so only positions before it are reported. */
  oracle: { streaming: "rows", cancels: true, errorPositions: false },
  /** The connector can only close the request; whether Neon then ends the statement is not defined. */
  neon: { streaming: "whole", cancels: false, errorPositions: true },
  /** A wrong column name has a position; a missing table and a syntax error have none. */
  snowflake: { streaming: "pages", cancels: true, errorPositions: false },
  /** One partition at a time; the server keeps those that have not been pulled. */
  spark: { streaming: "pages", cancels: true, errorPositions: true },
  trino: { streaming: "pages", cancels: true, errorPositions: true },
  /** See Neon. */
  planetscale: { streaming: "whole", cancels: false, errorPositions: false },
  postgres: { streaming: "rows", cancels: true, errorPositions: true },
  /** PostgreSQL 8.0's parser, and so Redshift's, reports positions; the analysis after it does not. */
  redshift: { streaming: "rows", cancels: true, errorPositions: false },
} as const satisfies Readonly<Record<string, Capabilities>>;
