/**
 * The path that metadata reports for a Parquet file is read back as the table of a model. The sidecar took a path that begins with a
 * slash for SQL that opens the file by itself, and refused files with times or with decimals without digits before the point.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Connector } from "../../../src/connectors/connector.ts";
import { statementOf } from "../../../src/planner/plan.ts";
import { manifestOf, planned } from "../../support/plan.ts";
import { calling, connectTo, failureOf, makeWith, type Playground, playground, rowsOf } from "./fixtures.ts";

let ground: Playground;
let connector: Connector;
beforeAll(async () => {
  ground = playground();
  ground.write("shop/empty.csv", "");
  for (const path of ["top", "shop/in"]) {
    await makeWith([
      `COPY (SELECT TIME '10:00:00' AS t, 0.5::DECIMAL(2,2) AS d) TO '${ground.root}/${path}.parquet' (FORMAT parquet)`,
    ]);
  }
});
afterAll(() => ground.remove());

test.each(["/", "/shop", "shop"])("files below %s", async (url) => {
  connector = await connectTo(ground, { url, format: "parquet" });
  try {
    const tables = await connector.catalog({ kind: "tables", filter: {}, limit: undefined }, calling());
    const files = tables.filter(({ properties }) => properties?.path?.endsWith("/*.parquet") !== true);
    expect(files).toHaveLength(1);
    const [{ properties, columns }] = files as [(typeof files)[number]];
    const model = (more: object) => ({ name: "m", columns, ...more });
    const manifest = (more: object) => manifestOf({ catalog: "c", schema: "s", models: [model(more)] });
    const plan = planned("SELECT t, d FROM m", manifest({ tableReference: { table: properties!.path } }));
    expect(await rowsOf(await connector.query(statementOf(plan), calling()))).toEqual([[36_000_000_000, "0.50"]]);
    const path = `${ground.root}${url === "/" ? "/top" : "/shop/in"}.parquet`;
    const own = planned("SELECT t, d FROM m", manifest({ refSql: `SELECT * FROM '${path}'` }));
    expect((await failureOf(connector.query(statementOf(own), calling()))).reason).toMatch(/^FILE_/);
  } finally {
    await connector.close();
  }
});
