/** The tables of `npm run fences -- --source … --connection …`: the three worlds of the shop, and the secrets of the attacks. */
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import type { PlannedSource } from "../../../src/planner/dialects/targets.ts";
import { type TableColumns, tableIn, tableStatements } from "../../parity/own/tables.ts";
import { LEFT, statements } from "../access-rows.ts";
import { CHANGES, WORLDS } from "../noninterference/worlds.ts";

const SECRET_ROWS = 40;

/** Tables of one world differ from those of another by the digit alone, so that one plan serves all of them. */
export const worldTable = (world: number, table: string): string => `siskin_w${world + 1}_${table}`;

/** The same text over the tables of another world. Names may be folded to upper case. */
export const inWorld = (text: string, world: number): string =>
  text.replaceAll(/(siskin_w)1_/gi, (_all, start: string) => `${start}${world + 1}_`);

export const attackTable = (table: string): string => `siskin_a_${table}`;

/** DuckDB statements for the attacks' tables: rows with an odd number are excluded by every rule, and make expressions fail. */
function attackRows(): readonly string[] {
  const odd = (visible: string, hidden: string): string => `CASE WHEN i % 2 = 0 THEN ${visible} ELSE ${hidden} END`;
  const numbers = `range(1, ${SECRET_ROWS + 1}) AS g(i)`;
  return [
    `CREATE TABLE secrets AS SELECT i::INTEGER AS id, ${odd("'a'", "'b'")} AS owner, ${odd("'7'", "'poison'")} AS v,
      ${odd("'2024-01-01'", "'poison'")} AS d, (${odd("5", "0")})::INTEGER AS n, ${odd(`'{"a":1}'`, "'{poison'")} AS j,
      ${odd("'x'", "'(poison'")} AS re, ${odd("1", "9223372036854775807")}::BIGINT AS big, (${odd("4", "-4")})::INTEGER AS f,
      (${odd("2", "-3")})::INTEGER AS len, ${odd("'aaaa'", "'p!'")} AS enc, ${odd("'x%'", "'poison\\'")} AS pat FROM ${numbers}`,
    "CREATE TABLE visible AS SELECT * FROM secrets WHERE owner = 'a'",
    "CREATE TABLE nothing AS SELECT * FROM secrets WHERE owner = 'nobody'",
    `CREATE TABLE grants AS SELECT 'a' AS holder, 'me' AS member UNION ALL SELECT 'b', 'you'
      UNION ALL SELECT 'x' || i, 'z' FROM range(1, 101) AS g(i)`,
    "CREATE TABLE mine AS SELECT 1 AS id, 'a' AS holder",
    `CREATE TABLE other AS SELECT i::INTEGER AS oid, i::INTEGER AS k, CASE WHEN i % 3 = 0 THEN 'u' ELSE 'w' END AS w FROM ${numbers}`,
  ];
}

/** The columns of every table that the attacks' statements make, with the types that manifests have. */
export const ATTACK_TABLES: readonly TableColumns[] = Object.entries({
  secrets:
    "id INTEGER, owner VARCHAR, v VARCHAR, d VARCHAR, n INTEGER, j VARCHAR, re VARCHAR, big BIGINT, f INTEGER, len INTEGER, enc VARCHAR, pat VARCHAR",
  visible:
    "id INTEGER, owner VARCHAR, v VARCHAR, d VARCHAR, n INTEGER, j VARCHAR, re VARCHAR, big BIGINT, f INTEGER, len INTEGER, enc VARCHAR, pat VARCHAR",
  nothing:
    "id INTEGER, owner VARCHAR, v VARCHAR, d VARCHAR, n INTEGER, j VARCHAR, re VARCHAR, big BIGINT, f INTEGER, len INTEGER, enc VARCHAR, pat VARCHAR",
  grants: "holder VARCHAR, member VARCHAR",
  mine: "id INTEGER, holder VARCHAR",
  other: "oid INTEGER, k INTEGER, w VARCHAR",
}).map(([name, columns]) => ({
  name,
  columns: columns.split(", ").map((column) => {
    const [columnName = "", type = ""] = column.split(" ");
    return { name: columnName, type };
  }),
}));

/** Statements that gather what an optimizer decides by, on sources that do not gather it by themselves. */
const ANALYSES: Readonly<Partial<Record<PlannedSource, (table: string) => string>>> = {
  postgres: (table) => `ANALYZE ${table}`,
  redshift: (table) => `ANALYZE ${table}`,
  mysql: (table) => `ANALYZE TABLE ${table}`,
};

/** Statements that make all tables, with their rows. */
export async function* makingStatements(source: PlannedSource, schema: string | undefined): AsyncGenerator<string> {
  const at = schema === undefined ? {} : { schema };
  for (const [world, name] of WORLDS.entries()) {
    for await (const duckdb of filled([...statements(), ...CHANGES[name]])) {
      for (const table of Object.keys(LEFT)) {
        const columns = await columnsOf(duckdb, table);
        yield* tableStatements(duckdb, source, { ...at, name: worldTable(world, table), columns, rows: table });
      }
    }
  }
  for await (const duckdb of filled(attackRows())) {
    for (const { name, columns } of ATTACK_TABLES)
      yield* tableStatements(duckdb, source, { ...at, name: attackTable(name), columns, rows: name });
  }
  const analysis = ANALYSES[source];
  if (analysis !== undefined) for (const table of allTables()) yield analysis(tableIn(source, schema, table));
}

export const droppingStatements = (source: PlannedSource, schema: string | undefined): readonly string[] =>
  allTables().map((table) => `DROP TABLE ${tableIn(source, schema, table)}`);

const allTables = (): readonly string[] => [
  ...WORLDS.flatMap((_name, world) => Object.keys(LEFT).map((table) => worldTable(world, table))),
  ...ATTACK_TABLES.map(({ name }) => attackTable(name)),
];

async function* filled(statementsOfRows: readonly string[]): AsyncGenerator<DuckDBConnection> {
  const instance = await DuckDBInstance.create(":memory:");
  const duckdb = await instance.connect();
  try {
    for (const statement of statementsOfRows) await duckdb.run(statement);
    yield duckdb;
  } finally {
    duckdb.closeSync();
    instance.closeSync();
  }
}

async function columnsOf(duckdb: DuckDBConnection, table: string): Promise<TableColumns["columns"]> {
  const found = await duckdb.runAndReadAll(`DESCRIBE ${table}`);
  return found.getRowsJson().map(([name, type]) => ({ name: String(name), type: String(type) }));
}
