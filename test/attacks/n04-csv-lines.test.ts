/** Lines of CSV that differ in their number of values, and headers that are lost, are right or an error that says so. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Connector } from "../../src/connectors/connector.ts";
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import { statementOf } from "../../src/planner/plan.ts";
import { openOver } from "../connectors/duckdb-wasm/both-engines.ts";
import { calling, connectTo, type Playground, playground, rowsOf } from "../sidecar/duckdb/fixtures.ts";
import { manifestOf, planned } from "../support/plan.ts";

let ground: Playground;
const connectors: Record<string, Connector> = {};
beforeAll(async () => {
  ground = playground();
  connectors.sidecar = await connectTo(ground);
  connectors.worker = await openOver(ground.root, "csv");
});
afterAll(async () => {
  await Promise.all(Object.values(connectors).map((each) => each.close()));
  ground.remove();
});

type Columns = Readonly<Record<string, string>>;

/** The rows, or the message of the failure. */
async function answer(place: string, path: string, columns: Columns, sql: string): Promise<string> {
  const declared = Object.entries(columns).map(([name, type]) => ({ name, type }));
  const models = [{ name: "t", tableReference: { table: path }, columns: declared }];
  const plan = planned(sql, manifestOf({ catalog: "c", schema: "s", models }));
  try {
    const rows = await rowsOf(await connectors[place]!.query(statementOf(plan), calling()));
    return JSON.stringify(rows, (_key, value: unknown) => (typeof value === "bigint" ? `${value}` : value));
  } catch (error) {
    if (error instanceof ConnectorFailure) return error.message;
    throw error;
  }
}

const COLUMNS = { id: "INTEGER", v: "VARCHAR", w: "VARCHAR" };
const MANY = Array.from({ length: 30_000 }, (_, id) => `${id},a,b\n`).join("");

describe.each(["sidecar", "worker"])("in the %s", (place) => {
  test.each<readonly [what: string, content: string, columns: Columns, sql: string, expected: string | RegExp]>([
    [
      "a short line",
      "id,v,w\n1,a,b\n2,a\n3,a,b\n",
      COLUMNS,
      "SELECT count(*) FROM t",
      /^Line 3 of "f\d+\.csv" has 2 values/,
    ],
    [
      "a long line",
      "id,v,w\n1,a,b\n2,a,b,c\n",
      COLUMNS,
      "SELECT count(*) FROM t",
      /^Line 3 of "f\d+\.csv" has 4 values/,
    ],
    [
      "most lines longer than the header",
      "id,v,w\n1,a,b,x\n2,a,b,x\n3,a,b,x\n",
      COLUMNS,
      "SELECT id FROM t",
      /^Line 2 of "f\d+\.csv" has 4 values/,
    ],
    [
      "a short line behind many",
      `id,v,w\n${MANY}5,a\n`,
      COLUMNS,
      "SELECT count(v) FROM t",
      /^Line 30002 of "f\d+\.csv" has 2 values/,
    ],
    [
      "an empty value behind each line",
      "id,v,w\n1,a,b,\n2,a,b,\n",
      COLUMNS,
      "SELECT id, w FROM t ORDER BY id",
      '[[1,"b"],[2,"b"]]',
    ],
    ["empty lines", "id,v,w\n1,a,b\n\n2,a,b\n", COLUMNS, "SELECT id FROM t ORDER BY id", "[[1],[2]]"],
    [
      "texts alone",
      "id,v,w\nx,a,b\ny,a,b\n",
      { ...COLUMNS, id: "VARCHAR" },
      "SELECT id FROM t ORDER BY id",
      '[["x"],["y"]]',
    ],
    [
      "a line before the header",
      "# of 2024\nid,v,w\n1,a,b\n",
      COLUMNS,
      "SELECT id FROM t",
      /^The first line of "f\d+\.csv" names no column that the manifest declares\./,
    ],
    [
      "quotes without an end",
      'id,v,w\n1,"a,b\n2,a,b\n',
      COLUMNS,
      "SELECT id FROM t",
      /^Line 2 of "f\d+\.csv": a double quote has no end\./,
    ],
    [
      "a header, and columns without a type",
      "id,v\n1,a\n",
      { id: "UNKNOWN", v: "UNKNOWN" },
      "SELECT id, v FROM t",
      '[["1","a"]]',
    ],
    [
      "no header",
      "1;a\n2;b\n",
      { column0: "INTEGER", column1: "VARCHAR" },
      "SELECT * FROM t ORDER BY 1",
      '[[1,"a"],[2,"b"]]',
    ],
  ])("%s", async (what, content, columns, sql, expected) => {
    const path = `f${what.length}.csv`;
    ground.write(path, content);
    const found = await answer(place, path, columns, sql);
    if (typeof expected === "string") expect(found).toBe(expected);
    else expect(found).toMatch(expected);
  });
});
