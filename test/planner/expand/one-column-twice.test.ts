/** Two columns of a model that are one column of its table stay two keys of grouping sets. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { manifestOf, planned } from "../../support/plan.ts";
import { openShops, type Shop } from "../cubes/shop.ts";

let shops: readonly Shop[] = [];
let stop: () => Promise<void>;
beforeAll(async () => {
  ({ shops, stop } = await openShops());
});
afterAll(() => stop());

const columns = ["a1", "a2"].map((name) => ({ name, type: "VARCHAR", expression: "state" }));
const sale = { name: "sale", tableReference: { table: "sale" }, columns };
const manifest = manifestOf({ catalog: "c", schema: "s", models: [sale] });

test.each([
  ["GROUP BY a1, ROLLUP (a2)", ['["new","new","1"]', '["new",null,"1"]', '["sent","sent","1"]', '["sent",null,"1"]']],
  [
    "GROUP BY GROUPING SETS ((a1), (a2))",
    ['["new",null,"1"]', '["sent",null,"1"]', '[null,"new","1"]', '[null,"sent","1"]'],
  ],
])("%s", async (groupBy, expected) => {
  const where = "WHERE a1 IN ('new', 'sent')";
  const sql = `SELECT a1, a2, count(*) FROM sale ${where} ${groupBy} ORDER BY 1, 2`;
  for (const shop of shops) {
    expect(await shop.rows(planned(sql, manifest, { source: shop.name })), shop.name).toEqual(expected);
  }
});
