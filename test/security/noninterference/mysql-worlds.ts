/** The three worlds on MySQL or MariaDB. */
import type { Connector } from "../../../src/connectors/connector.ts";
import { type MySqlTestDatabase, startMySql } from "../../support/mysql.ts";
import type { MySqlFlavor } from "../../support/mysql-server.ts";
import { type OpenedSource, openMySqlDatabase } from "../../support/sources.ts";
import { mysqlStatements } from "../access-rows.ts";
import { CHANGES, type Target, WORLDS, type WorldName } from "./worlds.ts";

export interface MySqlWorlds {
  readonly target: Target;
  close(): Promise<void>;
}

export async function openMySqlWorlds(flavor: MySqlFlavor): Promise<MySqlWorlds> {
  const databases: MySqlTestDatabase[] = [];
  const opened = new Map<WorldName, OpenedSource>();
  for (const world of WORLDS) {
    const database = await startMySql(flavor);
    databases.push(database);
    for (const statement of [...mysqlStatements(), ...CHANGES[world]]) await database.query(statement);
    for (const table of ["orders", "customers", "items"])
      await database.query(`ALTER TABLE ${table} ADD PRIMARY KEY (id); ANALYZE TABLE ${table}`);
    for (const column of ["orders (owner)", "orders (note)", "grants (user_name)"])
      await database.query(`CREATE INDEX by_${column.replaceAll(/\W+/g, "_")} ON ${column}`);
    opened.set(world, await openMySqlDatabase(database));
  }
  const connectors = [...opened].map(([world, { connector }]): [WorldName, Connector] => [world, connector]);
  return {
    target: {
      engine: flavor,
      source: "mysql",
      // The database is the connection's own, so that one plan is the plan of all.
      shop: { jsonColumn: "doc", table: (table) => ({ tableReference: { table } }) },
      connectors: Object.fromEntries(connectors) as Record<WorldName, Connector>,
    },
    close: async () => {
      for (const source of opened.values()) await source.close();
      for (const database of databases) await database.stop();
    },
  };
}
