import { describe, expect, it } from "vitest";
import { manifestOf, type PlanSettings, planned, plannedCube } from "../../support/plan.ts";

const text = (name: string) => ({ description: `about ${name}` });
const manifest = manifestOf({
  catalog: "c",
  schema: "s",
  ...text("manifest"),
  models: [
    {
      name: "orders",
      ...text("orders"),
      tableReference: { table: "orders" },
      primaryKey: "id",
      rowLevelAccessControls: [
        { name: "own", requiredProperties: [{ name: "tenant", required: false }], condition: "secret.code = @tenant" },
      ],
      columns: [
        { name: "id", type: "INTEGER", ...text("orders.id") },
        { name: "total", type: "DECIMAL(10,2)", ...text("orders.total"), properties: { unit: "EUR" } },
        { name: "hid", type: "INTEGER", isHidden: true, ...text("orders.hid") },
        {
          name: "paid",
          type: "INTEGER",
          ...text("orders.paid"),
          columnLevelAccessControl: {
            name: "boss",
            requiredProperties: [{ name: "level", required: false }],
            operator: "EQUALS",
            threshold: "1",
          },
        },
        { name: "hidden_twice", type: "INTEGER", isCalculated: true, expression: "hid * 2", ...text("twice") },
        { name: "customer", type: "customers", relationship: "orders_customers" },
        { name: "secret", type: "secrets", relationship: "orders_secrets" },
      ],
    },
    {
      name: "customers",
      ...text("customers"),
      tableReference: { table: "customers" },
      primaryKey: "id",
      columns: [
        { name: "id", type: "INTEGER", ...text("customers.id") },
        { name: "name", type: "VARCHAR", ...text("customers.name") },
      ],
    },
    {
      name: "secrets",
      ...text("secrets"),
      tableReference: { table: "secrets" },
      primaryKey: "id",
      columns: [
        { name: "id", type: "INTEGER" },
        { name: "code", type: "INTEGER", ...text("secrets.code") },
      ],
    },
  ],
  relationships: [
    {
      name: "orders_customers",
      models: ["orders", "customers"],
      joinType: "MANY_TO_ONE",
      condition: "orders.id = customers.id",
      ...text("relationship"),
    },
    {
      name: "orders_secrets",
      models: ["orders", "secrets"],
      joinType: "MANY_TO_ONE",
      condition: "orders.id = secrets.id",
      ...text("secret relationship"),
    },
  ],
  views: [{ name: "big", statement: "SELECT id FROM customers", ...text("big") }],
  cubes: [
    {
      name: "sales",
      baseObject: "orders",
      ...text("sales"),
      measures: [
        { name: "revenue", expression: "sum(total)", type: "DECIMAL(12,2)", ...text("revenue") },
        { name: "most", expression: "max(total)", type: "DECIMAL(12,2)", ...text("most") },
      ],
      dimensions: [{ name: "key", expression: "id", type: "INTEGER", ...text("key") }],
    },
  ],
});

const named = (sql: string, settings?: PlanSettings): string[] =>
  planned(sql, manifest, settings)
    .descriptions()
    .objects.map(({ kind, of, name }) => `${kind} ${of ? `${of}.` : ""}${name}`);

describe("descriptions of a plan", () => {
  it.each<[string, string[]]>([
    ["SELECT 1", ["manifest c"]],
    ["SELECT total FROM orders", ["manifest c", "model orders", "column orders.total"]],
    ["SELECT hidden_twice FROM orders", ["manifest c", "model orders", "column orders.hidden_twice"]],
    [
      "SELECT customer.name FROM orders",
      [
        "manifest c",
        "model customers",
        "column customers.id",
        "column customers.name",
        "model orders",
        "column orders.id",
        "relationship orders_customers",
      ],
    ],
    ["SELECT id FROM big", ["manifest c", "model customers", "column customers.id", "view big"]],
    [
      "SELECT revenue FROM sales",
      ["manifest c", "model orders", "column orders.total", "cube sales", "measure sales.revenue"],
    ],
  ])("%s", (sql, expected) => {
    expect(named(sql).toSorted()).toEqual(expected.toSorted());
  });

  it("has properties, and names the model of a column", () => {
    expect(planned("SELECT total FROM orders", manifest).descriptions()).toEqual({
      objects: [
        { kind: "manifest", name: "c", description: "about manifest" },
        { kind: "model", name: "orders", description: "about orders" },
        { kind: "column", name: "total", of: "orders", description: "about orders.total", properties: { unit: "EUR" } },
      ],
      omitted: 0,
    });
  });

  it("leaves out what the caller may not know of", () => {
    const session = new Map([["level", "2"]]);
    const seen = named("SELECT * FROM orders", { session }).join("\n");
    expect(seen).not.toContain("hid\n");
    expect(seen).not.toContain("paid");
    const ruled = named("SELECT total FROM orders", { session: new Map([["tenant", "1"]]) });
    expect(ruled).not.toContain("relationship orders_secrets");
  });

  it("describes structured queries alike", () => {
    const cube = { cube: "sales", measures: ["revenue"], dimensions: ["key"] };
    expect(
      plannedCube(cube, manifest)
        .descriptions()
        .objects.map(({ name }) => name),
    ).toEqual(expect.arrayContaining(["sales", "revenue", "key"]));
  });

  it("bounds all texts together", () => {
    const columns = Array.from({ length: 100 }, (_, index) => ({
      name: `c${index}`,
      type: "INT",
      description: "x".repeat(4096),
    }));
    const wide = manifestOf({
      catalog: "c",
      schema: "s",
      models: [{ name: "t", tableReference: { table: "t" }, columns }],
    });
    const { objects, omitted } = planned("SELECT * FROM t", wide).descriptions();
    expect([objects.length, omitted]).toEqual([64, 36]);
  });
});
