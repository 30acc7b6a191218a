/**
 * The protocol's server, which is PostgreSQL and NOT Redshift: with the settings that Redshift's documentation lists, and none
 * of the others, so that a session which sends one that Redshift does not know fails here as well.
 */
import type pg from "pg";
import { parseRedshiftConnection } from "../../../src/connectors/connection/redshift.ts";
import type { Connector } from "../../../src/connectors/connector.ts";
import type { ConnectorHost } from "../../../src/connectors/host.ts";
import { openRedshift } from "../../../src/connectors/socket/redshift.ts";
import { startPostgres, type TestDatabase } from "../../support/postgres.ts";
import type { ContractFixture } from "../contract.ts";
import { NODE_HOST, never, POSTGRES_STATEMENTS } from "../postgres/fixture.ts";

export interface RedshiftFixture extends ContractFixture {
  readonly database: TestDatabase;
  readonly observer: pg.Client;
}

export const fieldsOf = (database: TestDatabase) => ({
  host: database.host,
  port: database.port,
  database: database.database,
  user: database.user,
  password: database.password,
  kwargs: { sslmode: "disable" },
});

export function openFromNode(raw: unknown, host: ConnectorHost = NODE_HOST): Promise<Connector> {
  return openRedshift(parseRedshiftConnection(raw).info, host, { signal: never() });
}

/** https://docs.aws.amazon.com/redshift/latest/dg/cm_chap_ConfigurationRef.html; PostgreSQL knows these of them. */
const SHARED = "datestyle extra_float_digits search_path statement_timeout timezone".split(" ");
/** … and these it does not: they are remembered by a name of the application's. */
const OWN =
  "enable_case_sensitive_identifier enable_numeric_rounding enable_result_cache_for_session query_group wlm_query_slot_count".split(
    " ",
  );

const list = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(", ");

const SETTINGS_OF_REDSHIFT = `
  ALTER FUNCTION pg_catalog.set_config(text, text, boolean) RENAME TO set_config_of_postgres;
  CREATE FUNCTION pg_catalog.set_config(name text, value text, is_local boolean) RETURNS text LANGUAGE plpgsql AS $$
  BEGIN
    IF lower(name) = 'extra_float_digits' AND value::int > 2 THEN
      RAISE EXCEPTION '% is outside the valid range for parameter "extra_float_digits" (-15 .. 2)', value USING ERRCODE = '22023';
    ELSIF lower(name) IN (${list(SHARED)}) THEN
      RETURN pg_catalog.set_config_of_postgres(name, value, is_local);
    ELSIF lower(name) IN (${list(OWN)}) THEN
      RETURN pg_catalog.set_config_of_postgres('redshift.' || name, value, is_local);
    END IF;
    RAISE EXCEPTION 'unrecognized configuration parameter "%"', name USING ERRCODE = '42704';
  END $$;`;

/** https://docs.aws.amazon.com/redshift/latest/dg/r_SVV_TABLES.html and r_SVV_COLUMNS.html, of PostgreSQL's own catalogue. */
const VIEWS_OF_REDSHIFT = `
  SET allow_system_table_mods = on;
  CREATE VIEW pg_catalog.svv_tables AS
    SELECT table_catalog::text, table_schema::text, table_name::text, table_type::text,
      obj_description(format('%I.%I', table_schema, table_name)::regclass) AS remarks
    FROM information_schema.tables;
  CREATE VIEW pg_catalog.svv_columns AS
    SELECT table_catalog::text, table_schema::text, table_name::text, column_name::text, ordinal_position::int,
      is_nullable::text, CASE WHEN column_name = 'note' THEN 'super' ELSE data_type::text END AS data_type, NULL::text AS remarks
    FROM information_schema.columns;
  RESET allow_system_table_mods;`;

/** Settings of the database are others than the connector needs, so that a test fails where one is not set. */
export async function startRedshiftFixture(
  open: (database: TestDatabase) => Promise<Connector> = (database) => openFromNode(fieldsOf(database)),
): Promise<RedshiftFixture> {
  const database = await startPostgres();
  const observer = await database.connect();
  await observer.query(`
    CREATE TABLE effect (at timestamptz);
    CREATE FUNCTION record_effect() RETURNS integer LANGUAGE sql VOLATILE AS 'INSERT INTO effect VALUES (now()) RETURNING 1';
    ALTER DATABASE ${database.database} SET TimeZone = 'America/New_York';
    ALTER DATABASE ${database.database} SET DateStyle = 'SQL, DMY';
    ALTER DATABASE ${database.database} SET extra_float_digits = -3;
    ALTER DATABASE ${database.database} SET client_encoding = 'LATIN1';
    ${SETTINGS_OF_REDSHIFT}
    ${VIEWS_OF_REDSHIFT}`);
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
