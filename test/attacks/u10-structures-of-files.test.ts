/**
 * Structures, lists and maps of files. A column that the manifest declares as a structure was refused, and `SELECT *` left it out,
 * although the same column declared UNKNOWN was answered.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Connector } from "../../src/connectors/connector.ts";
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import { PlannerError } from "../../src/planner/diagnostics.ts";
import { statementOf } from "../../src/planner/plan.ts";
import { openOver } from "../connectors/duckdb-wasm/both-engines.ts";
import { calling, connectTo, makeWith, type Playground, playground, rowsOf } from "../sidecar/duckdb/fixtures.ts";
import { manifestOf, planned } from "../support/plan.ts";

const STRUCT = 'STRUCT(a INTEGER, "B b" VARCHAR)';

const NO_ROW_EXCLUDED = { name: "all", requiredProperties: [], condition: "id = id OR id IS NULL" };

let ground: Playground;
const connectors: Record<string, Connector> = {};
beforeAll(async () => {
  ground = playground();
  const values =
    "{'a': 1, 'B b': 'x'} AS s, [{'a': 1}, NULL] AS l, map {'k': 1, 'm': NULL} AS m, {'n': {'d': DATE '2024-03-01'}} AS deep";
  const rows = `SELECT 1 AS id, ${values} UNION ALL SELECT 2, NULL, [], map {}, {'n': NULL} ORDER BY id`;
  await makeWith([`COPY (${rows}) TO '${ground.root}/t.parquet' (FORMAT parquet)`]);
  ground.write(
    "t.json",
    '{"id": 1, "s": {"a": 1, "B b": "x"}, "l": [{"a": 1}, null]}\n{"id": 2, "s": null, "l": []}\n',
  );
  connectors.sidecar = await connectTo(ground);
  connectors.worker = await openOver(ground.root, "csv");
});
afterAll(async () => {
  await Promise.all(Object.values(connectors).map((each) => each.close()));
  ground.remove();
});

type Types = Readonly<Record<string, string>>;

/** Rows with the names of their columns, or the reason of the failure. */
async function answer(place: string, table: string, types: Types, sql: string, isRuled: boolean): Promise<unknown> {
  const model = {
    name: "t",
    tableReference: { table },
    columns: Object.entries({ id: "INTEGER", ...types }).map(([name, type]) => ({ name, type })),
    ...(isRuled && { rowLevelAccessControls: [NO_ROW_EXCLUDED] }),
  };
  try {
    const plan = planned(sql, manifestOf({ catalog: "c", schema: "s", models: [model] }));
    const stream = await connectors[place]!.query(statementOf(plan), calling());
    return { names: stream.columns.map(({ name }) => name), rows: await rowsOf(stream) };
  } catch (error) {
    if (error instanceof ConnectorFailure || error instanceof PlannerError) return `${error.reason} ${error.message}`;
    throw error;
  }
}

const S = [[1, "x"], null];
const L = [[[1], null], []];

describe.each(["sidecar", "worker"])("in the %s", (place) => {
  describe.each([
    ["without a rule", false],
    ["under a rule", true],
  ] as const)("%s", (_, isRuled) => {
    test.each<
      readonly [table: string, types: Types, sql: string, names: readonly string[], values: readonly unknown[][]]
    >([
      ["t.parquet", { s: STRUCT }, "SELECT s FROM t ORDER BY id", ["s"], [S]],
      ["t.parquet", { s: "STRUCT" }, "SELECT s FROM t ORDER BY id", ["s"], [S]],
      ["t.parquet", { s: "STRUCT<a INTEGER, b VARCHAR>" }, "SELECT (s).a FROM t ORDER BY id", ["a"], [[1, null]]],
      ["t.parquet", { s: STRUCT }, "SELECT * FROM t ORDER BY id", ["id", "s"], [[1, 2], S]],
      ["t.parquet", { s: STRUCT }, "SELECT x.s FROM (SELECT * FROM t) x ORDER BY id", ["s"], [S]],
      ["t.parquet", { s: STRUCT }, "SELECT s FROM t WHERE s IS NOT NULL", ["s"], [[[1, "x"]]]],
      ["t.parquet", { l: "STRUCT(a INTEGER)[]" }, "SELECT l FROM t ORDER BY id", ["l"], [L]],
      ["t.parquet", { l: "STRUCT(a INTEGER)[]" }, "SELECT l[1] FROM t ORDER BY id", ["l"], [[[1], null]]],
      [
        "t.parquet",
        { m: "MAP(VARCHAR, INTEGER)" },
        "SELECT m FROM t ORDER BY id",
        ["m"],
        [
          [
            [
              ["k", 1],
              ["m", null],
            ],
            [],
          ],
        ],
      ],
      [
        "t.parquet",
        { deep: "STRUCT(n STRUCT(d DATE))" },
        "SELECT deep FROM t ORDER BY id",
        ["deep"],
        [[[[19783]], [null]]],
      ],
      ["t.json", { s: STRUCT }, "SELECT s FROM t ORDER BY id", ["s"], [S]],
      [
        "t.json",
        { s: STRUCT, l: "STRUCT(a INTEGER)[]" },
        "SELECT * FROM t ORDER BY id",
        ["id", "s", "l"],
        [[1, 2], S, L],
      ],
    ])("%s with %o: %s", async (table, types, sql, names, values) => {
      const rows = values[0]!.map((_value, row) => values.map((column) => column[row]));
      const isLeftToSidecar = place === "worker" && table === "t.json";
      const expected = isLeftToSidecar ? expect.stringMatching(/^NEEDS_SIDECAR /) : { names, rows };
      expect(await answer(place, table, types, sql, isRuled)).toEqual(expected);
    });
  });
});
