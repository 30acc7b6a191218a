/**
 * A plan over files holds the declared types of their columns. Other columns may be inferred, unless a rule restricts the physical
 * table.
 */
import { describe, expect, test } from "vitest";
import type { DataSource } from "../../../src/planner/plan.ts";
import { manifestOf, planned } from "../../support/plan.ts";

const RULE = { name: "own", requiredProperties: [{ name: "user", required: false }], condition: "owner = @user" };
const DENIED = {
  name: "clearance",
  requiredProperties: [{ name: "level", required: false }],
  operator: "GREATER_THAN",
  threshold: "5",
};

const column = (name: string, type: string, more: object = {}): object => ({ name, type, ...more });
const MANIFEST = manifestOf({
  catalog: "c",
  schema: "s",
  models: [
    {
      name: "orders",
      tableReference: { table: "orders.csv" },
      rowLevelAccessControls: [RULE],
      columns: [
        column("id", "INTEGER"),
        column("owner", "VARCHAR", { isHidden: true }),
        column("total", "DECIMAL(10,2)", { expression: "amount" }),
        column("label", "BIGINT", { expression: "Id" }),
        column("shouted", "VARCHAR", { expression: "upper(code)" }),
        column("wrong", "VARCHAR", { expression: "'open" }),
        column("twice", "INTEGER", { isCalculated: true, expression: "id * 2" }),
      ],
    },
    {
      name: "same",
      tableReference: { table: "Orders.csv" },
      columns: [column("id", "INTEGER"), column("code", "VARCHAR")],
    },
    { name: "other", tableReference: { table: "other.csv" }, columns: [column("id", "INTEGER")] },
    {
      name: "people",
      tableReference: { table: "people.csv" },
      columns: [column("id", "INTEGER"), column("salary", "INTEGER", { columnLevelAccessControl: DENIED })],
    },
    {
      name: "text",
      refSql: "SELECT 1 AS id",
      rowLevelAccessControls: [RULE],
      columns: [column("id", "INTEGER"), column("owner", "VARCHAR")],
    },
    { name: "built", baseObject: "orders", columns: [column("id", "INTEGER")] },
  ],
  views: [{ name: "listed", statement: "SELECT id FROM orders" }],
});

const USER = new Map([
  ["user", "'ann'"],
  ["level", "1"],
]);

function declared(
  sql: string,
  session = USER,
  source: DataSource = "local_file",
): Readonly<Record<string, readonly string[] | undefined>> {
  const { reads } = planned(sql, MANIFEST, { session, source });
  return Object.fromEntries(
    reads().map(({ model, declared: columns, infersOthers }) => [
      model,
      columns && [...columns.map(({ name, type }) => `${name} ${type.kind}`), ...(infersOthers ? ["others"] : [])],
    ]),
  );
}

const ORDERS = ["id integer", "owner text", "amount decimal"];

test.each<readonly [string, string, ReturnType<typeof declared>]>([
  ["a row rule: all of the table's columns, by their physical names", "SELECT id FROM orders", { orders: ORDERS }],
  ["rows alone", "SELECT count(*) FROM orders", { orders: ORDERS }],
  ["a view", "SELECT * FROM listed", { orders: ORDERS }],
  ["a model that is built on it", "SELECT id FROM built", { orders: ORDERS }],
  [
    "another model over the table, whichever case its name has",
    "SELECT o.id FROM orders o JOIN same s ON s.id = o.id",
    { orders: ORDERS, same: ["id integer", "code text"] },
  ],
  [
    "another table",
    "SELECT o.id FROM orders o JOIN other p ON p.id = o.id",
    { orders: ORDERS, other: ["id integer", "others"] },
  ],
  ["the other model alone", "SELECT id FROM same", { same: ["id integer", "code text", "others"] }],
  ["a column rule", "SELECT id FROM people", { people: ["id integer", "salary integer"] }],
  ["SQL of the modeller, which says itself what it reads", "SELECT id FROM text", { text: undefined }],
])("%s", (_what, sql, expected) => {
  expect(declared(sql)).toEqual(expected);
});

describe("other columns", () => {
  test("may be inferred for a caller from whom the rules keep nothing", () => {
    expect(declared("SELECT id FROM orders", new Map())).toEqual({ orders: [...ORDERS, "others"] });
    expect(declared("SELECT id FROM people", new Map([["level", "9"]]))).toEqual({
      people: ["id integer", "salary integer", "others"],
    });
  });

  test("have types that a database knows: nothing is declared for it", () => {
    expect(declared("SELECT id FROM orders", USER, "postgres")).toEqual({ orders: undefined });
  });
});
