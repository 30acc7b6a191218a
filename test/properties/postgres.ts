/** The same worlds on PostgreSQL: what its plans give there has to be what DuckDB's plans give. */
import pg from "pg";
import { createTable, type Table } from "./tables.ts";

/** Another engine with the tables of one seed. */
export interface Twin {
  /** Makes the tables, and nothing else, be there. */
  load(tables: readonly Table[]): Promise<void>;
  rows(sql: string): Promise<readonly (readonly unknown[])[]>;
}

const { builtins } = pg.types;
const AS_TEXT: ReadonlySet<number> = new Set([builtins.DATE, builtins.TIMESTAMP, builtins.TIMESTAMPTZ]);

export class PostgresTwin implements Twin {
  readonly #client: pg.Client;

  /** A connection to a database of its own. */
  constructor(client: pg.Client) {
    this.#client = client;
  }

  async load(tables: readonly Table[]): Promise<void> {
    const create = tables.map((table) => createTable(table).replaceAll(" DOUBLE", " DOUBLE PRECISION"));
    await this.#client.query(
      [
        "DROP SCHEMA IF EXISTS main CASCADE",
        "CREATE SCHEMA main",
        "SET search_path = main",
        "SET TimeZone = 'UTC'",
      ].join("; "),
    );
    for (const statement of create) await this.#client.query(statement);
  }

  async rows(sql: string): Promise<readonly (readonly unknown[])[]> {
    const { rows } = await this.#client.query({
      text: sql,
      rowMode: "array",
      types: {
        getTypeParser: (oid, format) =>
          AS_TEXT.has(oid) ? (text: string) => text : pg.types.getTypeParser(oid, format),
      },
    });
    return rows as readonly (readonly unknown[])[];
  }
}
