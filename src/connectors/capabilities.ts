/**
 * What each kind of connector can do: of the connector itself, and of the row of its source, which whoever reaches it in
 * another process goes by. The contract suite checks each claim, at either end.
 */
import type { Capabilities } from "./connector.ts";

export const CAPABILITIES = {
  athena: { streaming: "pages", cancels: true, errorPositions: true },
  /** What is wrong within a statement has its place; a table that is not there, only at times. */
  bigquery: { streaming: "pages", cancels: true, errorPositions: false },
  /** By the protocol's own request, which nobody has seen Canner itself act on. */
  canner: { streaming: "rows", cancels: true, errorPositions: false },
  /** The parser tells places, the analysis after it none. */
  clickhouse: { streaming: "rows", cancels: true, errorPositions: false },
  databricks: { streaming: "pages", cancels: true, errorPositions: true },
  /** Places are told by the parser alone. Connections are numbered by each frontend: behind a balancer, a statement ends by its time. */
  doris: { streaming: "rows", cancels: true, errorPositions: false },
  duckdb: { streaming: "rows", cancels: true, errorPositions: true },
  /** The server tells a line, and a plan is one: positions are found for some errors and not for all. */
  mssql: { streaming: "rows", cancels: true, errorPositions: false },
  /** Positions are found for some errors and not for all: the server gives none. */
  mysql: { streaming: "rows", cancels: true, errorPositions: false },
  /** The server counts places in a way of its own behind what is not ASCII: they are told before it. */
  oracle: { streaming: "rows", cancels: true, errorPositions: false },
  /** Closing the request is all we can do; whether Neon then ends the statement is its own affair. */
  neon: { streaming: "whole", cancels: false, errorPositions: true },
  /** A name that is wrong has its place; a table that is not there, and what does not parse, none. */
  snowflake: { streaming: "pages", cancels: true, errorPositions: false },
  /** A partition at a time, and the server keeps what is not pulled. */
  spark: { streaming: "pages", cancels: true, errorPositions: true },
  trino: { streaming: "pages", cancels: true, errorPositions: true },
  /** As for Neon. */
  planetscale: { streaming: "whole", cancels: false, errorPositions: false },
  postgres: { streaming: "rows", cancels: true, errorPositions: true },
  /** As in PostgreSQL 8.0, the parser tells places, the analysis after it none. */
  redshift: { streaming: "rows", cancels: true, errorPositions: false },
} as const satisfies Readonly<Record<string, Capabilities>>;
