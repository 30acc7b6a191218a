/** Who asked which models, with which rules: the line that `AUDIT=on` writes. */
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { encoded, planningApp, type TestApp } from "./test-app.ts";

const CANARY = "canary7f3a";
const manifestStr = encoded({
  models: [
    {
      name: "orders",
      tableReference: { schema: "public", table: "orders" },
      columns: [
        { name: "id", type: "integer" },
        { name: "owner", type: "varchar" },
        {
          name: "salary",
          type: "integer",
          columnLevelAccessControl: {
            name: "seniors",
            requiredProperties: [{ name: "level", required: true }],
            operator: "GREATER_THAN",
            threshold: "5",
          },
        },
      ],
      rowLevelAccessControls: [
        { name: "own", requiredProperties: [{ name: "user", required: true }], condition: "owner = @user" },
        { name: "regional", requiredProperties: [{ name: "region", required: false }], condition: "owner = @region" },
      ],
    },
    { name: "other", tableReference: { table: "other" }, columns: [{ name: "x", type: "integer" }] },
  ],
});

async function audited(sql: string, path = "dry-plan", on = true): Promise<Record<string, unknown>[]> {
  const app: TestApp = planningApp({ api: { audited: on } });
  const body = {
    sql,
    manifestStr,
    connectionInfo: { host: CANARY, password: CANARY },
    sessionProperties: { user: `'${CANARY}'`, level: "3" },
  };
  await (await app.post(`/v3/connector/postgres/${path}`, body)).text();
  await app.settled();
  expect(JSON.stringify(app.logged)).not.toContain(CANARY);
  return app.logged.filter(({ event }) => event === "audit");
}

const digest = (text: string): string => createHash("sha256").update(text).digest("hex");

describe("the audit record", () => {
  it("tells caller, models, columns, rules and properties by name, and the text by its digest", async () => {
    const sql = `SELECT id FROM orders WHERE owner <> '${CANARY}'`;
    expect(await audited(sql)).toEqual([
      {
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        level: "info",
        event: "audit",
        caller: "anonymous",
        route: "/v3/connector/:data_source/dry-plan",
        dataSource: "postgres",
        correlationId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
        statements: [
          {
            sha256: digest(sql),
            reads: [{ model: "orders", columns: ["id", "owner"] }],
            rules: [
              { model: "orders", rule: "own", effect: "rows" },
              { model: "orders", rule: "regional", effect: "skipped" },
            ],
            rowRules: "plain",
          },
        ],
        properties: ["user", "level"],
        status: 200,
      },
    ]);
  });

  it("tells of columns that a rule withholds", async () => {
    const [line] = await audited("SELECT * FROM orders");
    expect(line).toMatchObject({
      statements: [{ rules: expect.arrayContaining([{ model: "orders", rule: "seniors", effect: "column" }]) }],
    });
  });

  it("tells of what was refused", async () => {
    const sql = "SELECT salary FROM orders";
    const [line] = await audited(sql);
    expect(line).toMatchObject({
      status: 422,
      reason: "ACCESS_DENIED",
      statements: [{ sha256: digest(sql), reads: [], rules: [] }],
    });
  });

  it("tells how many rows there were", async () => {
    const [line] = await audited("SELECT x FROM other", "query");
    expect(line).toMatchObject({
      status: 200,
      rows: 1,
      statements: [{ reads: [{ model: "other", columns: ["x"] }], rules: [] }],
    });
  });

  it("is not written where nobody asked for it, nor of requests that plan nothing", async () => {
    expect(await audited("SELECT x FROM other", "dry-plan", false)).toEqual([]);
    expect(await audited("SELECT x FROM other", "metadata/version")).toEqual([]);
  });
});
