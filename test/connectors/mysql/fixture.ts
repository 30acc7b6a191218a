/** The MySQL side of the contract suite, for either of the family. */
import { nodeDial } from "../../../sidecar/dial.ts";
import { parseMySqlConnection } from "../../../src/connectors/connection/mysql.ts";
import type { Connector } from "../../../src/connectors/connector.ts";
import type { ConnectorHost } from "../../../src/connectors/host.ts";
import { openMySql } from "../../../src/connectors/socket/mysql.ts";
import { type MySqlTestDatabase, startMySql } from "../../support/mysql.ts";
import type { MySqlFlavor } from "../../support/mysql-server.ts";
import type { ContractFixture, ContractStatements } from "../contract.ts";

export const NODE_HOST: ConnectorHost = { dial: nodeDial(["*"]), fetch, connectTimeoutMs: 5000 };

const never = (): AbortSignal => new AbortController().signal;

/** Over a socket from Node, with the parsed form of `raw`. */
export function openFromNode(raw: unknown, host: ConnectorHost = NODE_HOST): Promise<Connector> {
  return openMySql(parseMySqlConnection(raw).info, host, { signal: never() });
}

const TABLES = [..."abcdefghijkl"];

/** `digits` has 0 to 9. */
export const MYSQL_STATEMENTS: ContractStatements = {
  numbers: (count) =>
    `SELECT a.n + 10 * b.n + 100 * c.n + 1000 * d.n + 10000 * e.n + 1 AS n FROM digits a, digits b, digits c, digits d, digits e
     HAVING n <= ${count} ORDER BY n`,
  // MySQL would build a hash of all tables but the last before the first row.
  endless: `SELECT /*+ NO_BNL() */ a.n, repeat('x', 100) AS x FROM ${TABLES.map((name) => `digits ${name}`).join(", ")}`,
  // A sleep that is ended tells no error but 1: it would pass for an answer.
  stuck: `SELECT count(*) FROM ${TABLES.map((name) => `digits ${name}`).join(", ")}
    WHERE ${TABLES.map((name) => `${name}.n`).join(" + ")} < 0`,
  nulls: "SELECT 1, 'a', n, x FROM (SELECT NULL AS n, CAST(NULL AS CHAR) AS x) t",
  sameNames: "SELECT 1 AS x, 2 AS x",
  syntaxError: "SELECT 1 FROM WHERE",
  unknownTable: "SELECT 1 FROM missing_thing",
  failsWhenRun: "SELECT (SELECT n FROM digits) AS n",
  writes: "SELECT record_effect()",
};

export interface MySqlFixture extends ContractFixture {
  readonly database: MySqlTestDatabase;
}

export async function startMySqlFixture(
  flavor: MySqlFlavor,
  open: (database: MySqlTestDatabase) => Promise<Connector> = (database) =>
    openFromNode({ connectionUrl: database.url }),
): Promise<MySqlFixture> {
  const database = await startMySql(flavor);
  await database.query(`
    CREATE TABLE digits (n int NOT NULL);
    INSERT INTO digits VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9);
    CREATE TABLE effect (at datetime(6));
    CREATE FUNCTION record_effect() RETURNS int MODIFIES SQL DATA BEGIN INSERT INTO effect VALUES (now(6)); RETURN 1; END`);
  return {
    database,
    statements: MYSQL_STATEMENTS,
    open: () => open(database),
    running: async (marker) => {
      const found = await database.query("SHOW FULL PROCESSLIST");
      return found.filter((row) => row.some((text) => text?.includes(marker))).length;
    },
    effects: async () => Number((await database.query("SELECT count(*) FROM effect"))[0]?.[0]),
    close: () => database.stop(),
  };
}

/** Options of a separate server whose defaults the connector's readers and statements could not work with. */
export const ODD_SETTINGS: readonly string[] = [
  "--sql-mode=ANSI_QUOTES,PAD_CHAR_TO_FULL_LENGTH,PIPES_AS_CONCAT",
  "--default-time-zone=-05:30",
  "--character-set-server=latin1",
  "--collation-server=latin1_german1_ci",
  "--max-allowed-packet=64M",
  "--autocommit=0",
  "--lc-time-names=de_DE",
  "--default-week-format=3",
];
