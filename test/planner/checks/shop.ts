/** A small shop: models with every kind of declaration that the checks look at, and some with none. */
import type { PlannerWarning } from "../../../src/planner/diagnostics.ts";
import { manifestOf, type PlanSettings, planned } from "../../support/plan.ts";

interface ModelOptions {
  readonly primaryKey?: readonly string[];
  readonly uniqueKeys?: readonly (readonly string[])[];
  /** Columns that are NOT NULL. */
  readonly notNull?: readonly string[];
  readonly more?: readonly object[];
}

function model(name: string, columns: string, { primaryKey, uniqueKeys, notNull = [], more = [] }: ModelOptions) {
  return {
    name,
    tableReference: { table: name },
    columns: [
      ...columns.split(", ").map((column) => {
        const [columnName = "", type = ""] = column.split(" ");
        return { name: columnName, type, notNull: notNull.includes(columnName) };
      }),
      ...more,
    ],
    ...(primaryKey === undefined ? {} : { primaryKey }),
    ...(uniqueKeys === undefined ? {} : { uniqueKeys }),
  };
}

export const SHOP = manifestOf({
  catalog: "c",
  schema: "s",
  models: [
    model("region", "id INTEGER, name VARCHAR", { primaryKey: ["id"] }),
    model("customer", "id INTEGER, email VARCHAR, name VARCHAR, region_id INTEGER, credit INTEGER, since DATE", {
      primaryKey: ["id"],
      uniqueKeys: [["email"]],
    }),
    model("orders", "id INTEGER, customer_id INTEGER, total INTEGER, status VARCHAR, placed DATE, tags VARCHAR[]", {
      primaryKey: ["id"],
    }),
    model("line", "order_id INTEGER, no INTEGER, product_id INTEGER, qty INTEGER, price INTEGER, sold DATE", {
      primaryKey: ["order_id", "no"],
    }),
    model("payment", "id INTEGER, order_id INTEGER, customer_id INTEGER, amount INTEGER", { primaryKey: ["id"] }),
    model("product", "id INTEGER, name VARCHAR, weight INTEGER", { primaryKey: ["id"] }),
    model("rate", "id INTEGER, product_id INTEGER, valid_from DATE, valid_to DATE, pct INTEGER", {
      primaryKey: ["id"],
    }),
    model("calendar", "day DATE, week INTEGER", { primaryKey: ["day"] }),
    model("vault", "code VARCHAR, worth INTEGER", {
      primaryKey: ["key"],
      more: [{ name: "key", type: "INTEGER", isHidden: true }],
    }),
    model("invoice", "id INTEGER, total INTEGER", {
      primaryKey: ["id"],
      more: [
        { name: "lines", type: "line", relationship: "InvoiceLines" },
        { name: "line_total", type: "INTEGER", isCalculated: true, expression: "sum(lines.price)" },
        { name: "hidden_total", type: "INTEGER", isCalculated: true, isHidden: true, expression: "sum(lines.price)" },
        { name: "doubled", type: "INTEGER", isCalculated: true, expression: "total * 2" },
      ],
    }),
    // Nothing declared, and related to nothing.
    model("log", "customer_id INTEGER, n INTEGER, note VARCHAR", {}),
    // No keys; what is known stands in relationships.
    model("city", "code VARCHAR, people INTEGER", {}),
    model("person", "city VARCHAR, boss VARCHAR, name VARCHAR, age INTEGER", {}),
    model("passport", "holder VARCHAR, issued DATE, fee INTEGER", {}),
    // A modeller who says which columns are never NULL.
    model("ticket", "id INTEGER, agent_id INTEGER, team_id INTEGER, hours INTEGER", {
      primaryKey: ["id"],
      notNull: ["team_id"],
    }),
    model("agent", "id INTEGER, name VARCHAR, wage INTEGER", { primaryKey: ["id"], notNull: ["name"] }),
    model("team", "id INTEGER, name VARCHAR", { primaryKey: ["id"] }),
    {
      ...model("memo", "author VARCHAR, text VARCHAR", {}),
      rowLevelAccessControls: [
        { name: "own", requiredProperties: [{ name: "user", required: false }], condition: "author = @user" },
      ],
    },
  ],
  views: [
    { name: "order_view", statement: "SELECT id, customer_id, total AS amount FROM orders" },
    { name: "outer_order_view", statement: "SELECT v.* FROM order_view v WHERE v.amount > 0" },
    { name: "line_view", statement: "SELECT order_id, no, price FROM line" },
    { name: "line_totals", statement: "SELECT order_id, sum(price) AS price FROM line GROUP BY order_id" },
    { name: "line_count", statement: "SELECT count(*) AS n FROM line" },
    { name: "order_lines", statement: "SELECT o.id, o.total, l.price FROM orders o JOIN line l ON l.order_id = o.id" },
    {
      name: "counted_twice",
      statement: "SELECT o.id, sum(o.total) AS x FROM orders o JOIN line l ON l.order_id = o.id GROUP BY o.id",
    },
    { name: "ticket_view", statement: "SELECT id, agent_id, team_id, hours FROM ticket" },
    { name: "agent_view", statement: "SELECT id, name FROM agent" },
    { name: "today_view", statement: "SELECT date_trunc('day', CURRENT_TIMESTAMP) AS day" },
  ],
  relationships: [
    relationship("InvoiceLines", ["invoice", "line"], "ONE_TO_MANY", "invoice.id = line.order_id"),
    relationship("CustomerOrders", ["orders", "customer"], "MANY_TO_ONE", "orders.customer_id = customer.id"),
    relationship("Lives", ["person", "city"], "MANY_TO_ONE", "person.city = city.code"),
    relationship("Boss", ["person", "person"], "MANY_TO_ONE", "person.boss = person.name"),
    relationship("Holds", ["passport", "person"], "ONE_TO_ONE", "passport.holder = person.name"),
    relationship("TicketAgent", ["ticket", "agent"], "MANY_TO_ONE", "ticket.agent_id = agent.id"),
    relationship("TicketTeam", ["ticket", "team"], "MANY_TO_ONE", "ticket.team_id = team.id"),
    // Keys override "many", and "one" overrides missing keys.
    relationship("Loose", ["payment", "product"], "MANY_TO_MANY", "payment.id = product.id"),
    relationship("Current", ["product", "rate"], "ONE_TO_ONE", "product.id = rate.product_id"),
    relationship("Broken", ["orders", "customer"], "MANY_TO_ONE", "orders.customer_id ="),
  ],
});

function relationship(name: string, models: readonly string[], joinType: string, condition: string) {
  return { name, models, joinType, condition };
}

export function warningsOf(sql: string, settings: PlanSettings = {}): readonly PlannerWarning[] {
  return planned(sql, SHOP, { source: undefined, ...settings }).warnings;
}

const REPEATS = /^(?:the join with|a join) (.+) may repeat rows of (.+): (.+) would count them more than once$/;
const COMBINES = /^the join with (.+) may combine each row of (.+) with several: (.+) would count combinations$/;
const LOSES = /^the inner join with (.+) leaves out rows of (.+) without a match: (.+) does not see them$/;

/** A warning in short form: `"l" repeats "o" in sum(o.total)`. */
export function short({ code, message }: PlannerWarning): string {
  for (const [pattern, verb] of [
    [REPEATS, "repeats"],
    [COMBINES, "combines"],
    [LOSES, "loses"],
  ] as const) {
    const match = pattern.exec(message);
    if (match !== null) return `${match[1]} ${verb} ${match[2]} in ${match[3]}`;
  }
  return `${code}: ${message}`;
}
