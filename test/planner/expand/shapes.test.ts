/**
 * A model gives the same rows whatever it is made of: its table under other names, computed columns, the modeller's own
 * SQL, calculated columns, a relationship path. Random queries over each are compared with the same query over the data.
 */
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PlannerError } from "../../../src/planner/diagnostics.ts";
import type { Manifest } from "../../../src/planner/index.ts";
import { manifestOf, planned } from "../../support/plan.ts";
import { PRELUDE, randomQuery } from "../../support/random-query.ts";

const QUERIES = Number(process.env["FUZZ_QUERIES"] ?? 120);
const FIRST = Number(process.env["FUZZ_SEED"] ?? 1);

const TYPES = {
  k: "INTEGER",
  i: "INTEGER",
  d: "DECIMAL(10,2)",
  f: "DOUBLE",
  s: "VARCHAR",
  b: "BOOLEAN",
  dt: "DATE",
  ts: "TIMESTAMP",
};
const COLUMNS = { a: ["k", "i", "d", "f", "s", "b", "dt", "ts"], c: ["k", "i", "d", "s", "dt"] } as const;
type Name = keyof typeof COLUMNS;

type Shape = (name: Name) => Readonly<Record<string, unknown>>;
const typed = (name: Name, column: (each: keyof typeof TYPES) => Record<string, unknown>) =>
  COLUMNS[name].map((each) => ({ name: each, type: TYPES[each], ...column(each) }));

const SHAPES: Readonly<Record<string, Shape>> = {
  "plain columns": (name) => ({ tableReference: { table: `plain_${name}` }, columns: typed(name, () => ({})) }),
  "renamed columns": (name) => ({
    tableReference: { schema: "main", table: `renamed_${name}` },
    columns: typed(name, (each) => ({ expression: `"p ${each}"` })),
  }),
  "computed columns": (name) => ({
    tableReference: { table: `renamed_${name}` },
    columns: typed(name, (each) => ({ expression: `("p ${each}")` })),
  }),
  "columns that swap names": (name) => ({
    // `i` is the physical k and `k` the physical i.
    tableReference: { table: `swapped_${name}` },
    columns: typed(name, (each) => ({ expression: each === "k" ? "i" : each === "i" ? "k" : each })),
  }),
  refSql: (name) => ({ refSql: `SELECT * FROM plain_${name}`, columns: typed(name, () => ({})) }),
  "calculated columns": (name) => ({
    tableReference: { table: `renamed_${name}` },
    columns: [
      ...COLUMNS[name].map((each) => ({
        name: `base_${each}`,
        type: TYPES[each],
        expression: `"p ${each}"`,
        isHidden: true,
      })),
      ...typed(name, (each) => ({ expression: `base_${each}`, isCalculated: true })),
    ],
  }),
  "a relationship path": (name) => ({
    tableReference: { table: `keyed_${name}` },
    primaryKey: "row_id",
    columns: [
      { name: "row_id", type: "INTEGER", isHidden: true },
      { name: "other", type: `far_${name}`, relationship: `far_${name}` },
      ...typed(name, (each) => ({ expression: `other.${each}`, isCalculated: true })),
    ],
  }),
};

function manifestFor(shape: Shape): Manifest {
  const far = (name: Name) => ({
    name: `far_${name}`,
    tableReference: { table: `keyed_${name}` },
    primaryKey: "row_id",
    columns: [{ name: "row_id", type: "INTEGER" }, ...typed(name, () => ({}))],
  });
  const near = (name: Name) => ({ name, ...shape(name) });
  const path = (name: Name) => ({
    name: `far_${name}`,
    models: [name, `far_${name}`],
    joinType: "MANY_TO_ONE",
    condition: `${name}.row_id = far_${name}.row_id`,
  });
  return manifestOf({
    catalog: "memory",
    schema: "main",
    models: [near("a"), near("c"), far("a"), far("c")],
    relationships: [path("a"), path("c")],
  });
}

const reference = manifestOf({ catalog: "memory", schema: "main", models: [] });
let instance: DuckDBInstance;
let connection: DuckDBConnection;

beforeAll(async () => {
  instance = await DuckDBInstance.create(":memory:");
  connection = await instance.connect();
  await connection.run("SET TimeZone = 'UTC'");
  for (const name of ["a", "c"] as const) {
    const data = planned(`WITH ${PRELUDE} SELECT * FROM ${name}`, reference).sql;
    const renamed = COLUMNS[name].map((each) => `${each} AS "p ${each}"`).join(", ");
    const swapped = COLUMNS[name].map((each) => (each === "k" ? "i AS k" : each === "i" ? "k AS i" : each)).join(", ");
    await connection.run(`CREATE TABLE plain_${name} AS ${data}`);
    await connection.run(`CREATE TABLE renamed_${name} AS SELECT ${renamed} FROM plain_${name}`);
    await connection.run(`CREATE TABLE swapped_${name} AS SELECT ${swapped} FROM plain_${name}`);
    await connection.run(`CREATE TABLE keyed_${name} AS SELECT row_number() OVER () AS row_id, * FROM plain_${name}`);
  }
});
afterAll(() => {
  connection.closeSync();
  instance.closeSync();
});

async function rows(sql: string, manifest: Manifest): Promise<unknown> {
  let text: string;
  try {
    text = planned(sql, manifest).sql;
  } catch (error) {
    if (error instanceof PlannerError) return error.reason;
    throw error;
  }
  const reader = await connection.runAndReadAll(text);
  // Doubles are summed in the order of the rows.
  return reader
    .getRowsJson()
    .map((row) => row.map((cell) => (typeof cell === "number" ? Number(cell.toPrecision(10)) : cell)));
}

describe.each(Object.entries(SHAPES))("%s", (_name, shape) => {
  test(`${QUERIES} random queries`, { timeout: 60_000 + QUERIES * 100 }, async () => {
    const manifest = manifestFor(shape);
    for (let seed = FIRST; seed < FIRST + QUERIES; seed++) {
      const sql = randomQuery(seed);
      const overModels = sql.replace(`WITH ${PRELUDE} `, "");
      expect(await rows(overModels, manifest), `seed ${seed}: ${overModels}`).toEqual(await rows(sql, reference));
    }
  });
});
