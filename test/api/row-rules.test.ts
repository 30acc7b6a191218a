/** Every planned statement says in a header how rows that row rules exclude are kept from what it computes. */
import { describe, expect, test } from "vitest";
import type { DataSource } from "../../src/planner/plan.ts";
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

describe("with best effort accepted on Snowflake and Athena", () => {
  const accepting = () => {
    const app = planningApp({ api: { audited: true } });
    const bestEffort: ReadonlySet<DataSource> = new Set(["snowflake", "athena"]);
    Object.assign(app.services, { planOptions: { ...app.services.planOptions, bestEffort } });
    return app;
  };

  test.each([
    ["snowflake", "SELECT id FROM free", "none"],
    ["snowflake", "SELECT id FROM ruled", "plain"],
    ["snowflake", "SELECT 1 / id AS n FROM ruled", "besteffort"],
    ["athena", "SELECT id FROM ruled", "besteffort"],
    ["duckdb", "SELECT 1 / id AS n FROM ruled", "fenced"],
    ["oracle", "SELECT 1 / id AS n FROM ruled", null],
  ])("%s: header, explain and audit line of %s say %s", async (source, sql, guarantee) => {
    const app = accepting();
    const planned = await app.post(`/v3/connector/${source}/dry-plan`, { sql, manifestStr });
    expect(planned.headers.get("x-row-rules")).toBe(guarantee);
    if (guarantee === null) expect(await planned.text()).toContain("ROW_RULES=besteffort");
    const explained = await app.post(`/v3/connector/${source}/explain`, { sql, manifestStr });
    if (guarantee !== null) expect(await explained.json()).toMatchObject({ rowRules: guarantee });
    await app.settled();
    const audited = app.logged.filter(({ event }) => event === "audit");
    const statements = audited.flatMap((line) => line["statements"] as readonly { readonly rowRules?: string }[]);
    const said = statements.map(({ rowRules }) => rowRules);
    // A refused statement has none.
    expect(said).toEqual([guarantee ?? undefined, guarantee ?? undefined]);
  });

  test("the rows of a query come with the header", async () => {
    const app = accepting();
    const body = { sql: "SELECT 1 / id AS n FROM ruled", manifestStr, connectionInfo: { host: "db.test" } };
    const answer = await app.post("/v3/connector/snowflake/query", body);
    expect([answer.status, answer.headers.get("x-row-rules")]).toEqual([200, "besteffort"]);
    await answer.text();
  });

  test("GET /config lists it for these sources alone", async () => {
    const { row_rules: said } = (await (await accepting().fetch("/config")).json()) as {
      readonly row_rules: Readonly<Record<string, readonly string[]>>;
    };
    expect(said).toMatchObject({ snowflake: ["plain", "besteffort"], athena: ["besteffort"], oracle: ["plain"] });
    const listing = Object.keys(said).filter((source) => said[source]?.includes("besteffort"));
    expect(listing.sort()).toEqual(["athena", "snowflake"]);
  });
});
