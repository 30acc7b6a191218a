/**
 * The protocol's server, which is PostgreSQL and NOT Canner: one that refuses to be set anything, so that a session which sends more
 * than its statement fails here.
 */
import type pg from "pg";
import { parseCannerConnection } from "../../../src/connectors/connection/canner.ts";
import type { Connector } from "../../../src/connectors/connector.ts";
import type { ConnectorHost } from "../../../src/connectors/host.ts";
import { openCanner } from "../../../src/connectors/socket/canner.ts";
import { startPostgres, type TestDatabase } from "../../support/postgres.ts";
import type { ContractFixture, ContractStatements } from "../contract.ts";
import { NODE_HOST, never, POSTGRES_STATEMENTS } from "../postgres/fixture.ts";

export interface CannerFixture extends ContractFixture {
  readonly database: TestDatabase;
  readonly observer: pg.Client;
}

/** Connection fields as existing clients send them. */
export const fieldsOf = ({ host, port, user, password, database }: TestDatabase) => ({
  host,
  port: String(port),
  user,
  pat: password,
  workspace: database,
});

export function openFromNode(raw: unknown, host: ConnectorHost = NODE_HOST): Promise<Connector> {
  return openCanner(parseCannerConnection(raw).info, host, { signal: never() });
}

/** Canner has queries alone; PostgreSQL would run what writes. */
const { writes: _, ...READS } = POSTGRES_STATEMENTS;
const STATEMENTS: ContractStatements = READS;

export async function startCannerFixture(
  open: (database: TestDatabase) => Promise<Connector> = (database) => openFromNode(fieldsOf(database)),
): Promise<CannerFixture> {
  const database = await startPostgres();
  const observer = await database.connect();
  await observer.query(`
    ALTER DATABASE ${database.database} SET TimeZone = 'America/New_York';
    ALTER FUNCTION pg_catalog.set_config(text, text, boolean) RENAME TO set_config_of_postgres;`);
  return {
    database,
    observer,
    statements: STATEMENTS,
    open: () => open(database),
    running: async (marker) => {
      const { rows } = await observer.query(
        "SELECT count(*)::int AS n FROM pg_stat_activity WHERE query LIKE '%' || $1 || '%' AND state = 'active' AND pid <> pg_backend_pid()",
        [marker],
      );
      return rows[0].n;
    },
    close: () => database.stop(),
  };
}
