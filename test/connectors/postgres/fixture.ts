/** The PostgreSQL side of the contract suite, over whichever transport opens the connector. */
import type pg from "pg";
import { nodeDial } from "../../../sidecar/dial.ts";
import { parsePostgresConnection } from "../../../src/connectors/connection/postgres.ts";
import type { Connector } from "../../../src/connectors/connector.ts";
import type { ConnectorHost } from "../../../src/connectors/host.ts";
import { openPostgres } from "../../../src/connectors/socket/postgres.ts";
import { startPostgres, type TestDatabase } from "../../support/postgres.ts";
import type { ContractFixture, ContractStatements } from "../contract.ts";

export const NODE_HOST: ConnectorHost = { dial: nodeDial(["*"]), fetch, connectTimeoutMs: 5000 };

export const never = (): AbortSignal => new AbortController().signal;

/** Over a socket from Node, with the parsed form of `raw`. */
export function openFromNode(raw: unknown, host: ConnectorHost = NODE_HOST): Promise<Connector> {
  return openPostgres(parsePostgresConnection(raw).info, host, { signal: never() });
}

export const POSTGRES_STATEMENTS: ContractStatements = {
  numbers: (count) => `SELECT n FROM generate_series(1, ${count}) AS s(n) ORDER BY n`,
  // A set-returning function would collect all of them first.
  endless: "WITH RECURSIVE t(n) AS (SELECT 1::bigint UNION ALL SELECT n + 1 FROM t) SELECT n, repeat('x', 100) FROM t",
  stuck: "SELECT pg_sleep(90)",
  nulls: "SELECT 1, 'a', NULL::integer, NULL::text",
  sameNames: "SELECT 1 AS x, 2 AS x",
  syntaxError: "SELECT 1 FROM WHERE",
  unknownTable: "SELECT 1 FROM missing_thing",
  failsWhenRun: "SELECT 1 / (n - 1) FROM generate_series(1, 3) AS s(n)",
  writes: "SELECT record_effect()",
};

export interface PostgresFixture extends ContractFixture {
  readonly database: TestDatabase;
  readonly observer: pg.Client;
}

/**
 * A database whose own settings are all different from what the connector needs, so that a test fails when one of them
 * is not set for the statement.
 */
export async function startPostgresFixture(
  open: (database: TestDatabase) => Promise<Connector> = (database) => openFromNode({ connectionUrl: database.url }),
): Promise<PostgresFixture> {
  const database = await startPostgres();
  const observer = await database.connect();
  await observer.query(`
    CREATE TABLE effect (at timestamptz);
    CREATE FUNCTION record_effect() RETURNS integer LANGUAGE sql VOLATILE AS 'INSERT INTO effect VALUES (now()) RETURNING 1';
    ALTER DATABASE ${database.database} SET TimeZone = 'America/New_York';
    ALTER DATABASE ${database.database} SET DateStyle = 'SQL, DMY';
    ALTER DATABASE ${database.database} SET IntervalStyle = 'sql_standard';
    ALTER DATABASE ${database.database} SET bytea_output = 'escape';
    ALTER DATABASE ${database.database} SET extra_float_digits = -3;
    ALTER DATABASE ${database.database} SET standard_conforming_strings = off;
    ALTER DATABASE ${database.database} SET transform_null_equals = on;
    ALTER DATABASE ${database.database} SET client_encoding = 'LATIN1';`);
  return {
    database,
    observer,
    statements: POSTGRES_STATEMENTS,
    open: () => open(database),
    running: async (marker) => {
      const { rows } = await observer.query(
        "SELECT count(*)::int AS n FROM pg_stat_activity WHERE query LIKE '%' || $1 || '%' AND state = 'active' AND pid <> pg_backend_pid()",
        [marker],
      );
      return rows[0].n;
    },
    effects: async () => (await observer.query("SELECT count(*)::int AS n FROM effect")).rows[0].n,
    close: () => database.stop(),
  };
}
