/** Every planned statement says in a header how rows that row rules exclude are kept from what it computes. */
import { expect, test } from "vitest";
import { encoded, planningApp } from "./test-app.ts";

const columns = [{ name: "id", type: "integer" }];
const manifestStr = encoded({
  models: [
    {
      name: "ruled",
      tableReference: { table: "ruled" },
      columns,
      rowLevelAccessControls: [{ name: "own", requiredProperties: [], condition: "id = 1" }],
    },
    { name: "free", tableReference: { table: "free" }, columns },
  ],
});

test.each([
  ["postgres", "SELECT id FROM free", "none"],
  ["postgres", "SELECT id FROM ruled", "plain"],
  ["postgres", "SELECT 1 / id AS n FROM ruled", "fenced"],
  ["mysql", "SELECT id FROM ruled", "fenced"],
  ["snowflake", "SELECT id FROM ruled", "plain"],
  ["bigquery", "SELECT count(*) AS n FROM ruled", "plain"],
  ["snowflake", "SELECT 1 / id AS n FROM ruled", null],
])("%s: %s is %s", async (source, sql, guarantee) => {
  const app = planningApp();
  const planned = await app.post(`/v3/connector/${source}/dry-plan`, { sql, manifestStr });
  expect(planned.headers.get("x-row-rules")).toBe(guarantee);
  expect(planned.status).toBe(guarantee === null ? 422 : 200);
  const explained = await app.post(`/v3/connector/${source}/explain`, { sql, manifestStr });
  expect(explained.headers.get("x-row-rules")).toBe(guarantee);
  if (guarantee !== null) expect(await explained.json()).toMatchObject({ rowRules: guarantee });
});
