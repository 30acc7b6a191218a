import { describe, expect, test } from "vitest";
import { PlannerError } from "../../../src/planner/diagnostics.ts";
import { manifestOf, planned } from "../../support/plan.ts";

interface Property {
  readonly name: string;
  readonly required: boolean;
  readonly defaultExpr?: string;
}

const required = (...names: readonly string[]): readonly Property[] => names.map((name) => ({ name, required: true }));

/** The conditions of `orders`, each with the properties it declares. */
function shop(...rules: readonly (readonly [condition: string, properties: readonly Property[]])[]) {
  return manifestOf({
    catalog: "c",
    schema: "s",
    models: [
      {
        name: "orders",
        tableReference: { schema: "s", table: "orders" },
        primaryKey: "id",
        rowLevelAccessControls: rules.map(([condition, requiredProperties], index) => ({
          name: `rule ${index + 1}`,
          requiredProperties,
          condition,
        })),
        columns: [
          { name: "id", type: "INTEGER" },
          { name: "region", type: "VARCHAR" },
          { name: "amount", type: "DECIMAL(10,2)" },
          { name: "day", type: "DATE" },
          { name: "open", type: "BOOLEAN" },
          { name: "tenant", type: "VARCHAR", isHidden: true, expression: "tenant_id" },
          { name: "double_amount", type: "DECIMAL(10,2)", isCalculated: true, expression: "amount * 2" },
          { name: "place", type: "BIGINT", isCalculated: true, expression: "rank() OVER (ORDER BY amount)" },
          { name: "next_place", type: "BIGINT", isCalculated: true, expression: "place + 1" },
          { name: "customer_id", type: "INTEGER" },
          { name: "customer", type: "customers", relationship: "orders_customers" },
        ],
      },
      {
        name: "customers",
        tableReference: { schema: "s", table: "customers" },
        primaryKey: "id",
        columns: [
          { name: "id", type: "INTEGER" },
          { name: "tier", type: "VARCHAR" },
          { name: "orders", type: "orders", relationship: "orders_customers" },
        ],
      },
      {
        name: "grants",
        tableReference: { schema: "s", table: "grants" },
        columns: [
          { name: "who", type: "VARCHAR" },
          { name: "granted", type: "VARCHAR" },
          { name: "secret", type: "VARCHAR", isHidden: true },
        ],
      },
    ],
    relationships: [
      {
        name: "orders_customers",
        models: ["orders", "customers"],
        joinType: "MANY_TO_ONE",
        condition: "orders.customer_id = customers.id",
      },
    ],
    views: [
      { name: "granted_view", statement: "SELECT granted AS g FROM grants" },
      { name: "over_grants", statement: "SELECT secrets FROM per_grant" },
      { name: "often", statement: "SELECT granted FROM per_grant WHERE n > 1" },
    ],
    metrics: [
      {
        name: "per_grant",
        baseObject: "grants",
        dimension: [{ name: "granted", type: "VARCHAR" }],
        measure: [
          { name: "n", type: "BIGINT", expression: "count(who)" },
          { name: "secrets", type: "BIGINT", expression: "count(secret)" },
        ],
        timeGrain: [],
      },
    ],
  });
}

const sqlOf = (
  manifest: ReturnType<typeof shop>,
  session: Readonly<Record<string, string>> = {},
  sql = "SELECT id FROM orders",
): string => planned(sql, manifest, { source: "postgres", session: new Map(Object.entries(session)) }).sql;

function errorOf(manifest: ReturnType<typeof shop>, session: Readonly<Record<string, string>> = {}): PlannerError {
  try {
    sqlOf(manifest, session);
  } catch (error) {
    if (error instanceof PlannerError) return error;
    throw error;
  }
  throw new Error("planned");
}

describe("conditions with values", () => {
  test.each([
    ["region = @region", { region: "'EMEA'" }, "_b.region = 'EMEA'"],
    ["region = @region", { region: "'O''Brien'" }, "_b.region = 'O''Brien'"],
    ["region = @region", { region: "'x'' OR 1=1 --'" }, "_b.region = 'x'' OR 1=1 --'"],
    ["region = @region", { region: String.raw`'\'' OR true --'` }, String.raw`_b.region = '\'' OR true --'`],
    ["region <> @region", { region: "NULL" }, "_b.region <> NULL"],
    ["@REGION = region", { region: "'EMEA'" }, "'EMEA' = _b.region"],
    ["amount >= @least", { least: "-10.5" }, "_b.amount >= -10.5"],
    ["amount BETWEEN @low AND @high", { low: "1", high: "2" }, "_b.amount BETWEEN 1 AND 2"],
    ["region LIKE @pattern", { pattern: "'EM%'" }, "_b.region LIKE 'EM%'"],
    ["region NOT ILIKE @pattern", { pattern: "'EM%'" }, "_b.region NOT ILIKE 'EM%'"],
    ["region IN @list", { list: "('a', 'b')" }, "_b.region IN ('a', 'b')"],
    ["region IN @list", { list: "['a', 'b']" }, "_b.region IN ('a', 'b')"],
    ["region NOT IN @list", { list: "('a')" }, "_b.region NOT IN ('a')"],
    ["region IN (@one, @other)", { one: "'a'", other: "'b'" }, "_b.region IN ('a', 'b')"],
    ["id = CAST(@id AS INTEGER)", { id: "'7'" }, "_b.id = CAST('7' AS INTEGER)"],
    ["day < @day", { day: "DATE '2024-01-31'" }, "_b.day < DATE '2024-01-31'"],
    ["open = @open", { open: "TRUE" }, "_b.open = TRUE"],
    ["@all OR region = 'EMEA'", { all: "FALSE" }, "FALSE OR _b.region = 'EMEA'"],
    ["tenant = @tenant", { tenant: "'t1'" }, "_b.tenant_id = 't1'"],
    ["double_amount > @least", { least: "1" }, "_b.amount * 2 > 1"],
    ["customer.tier = @tier", { tier: "'gold'" }, "tier = 'gold'"],
    ["CASE WHEN @level > 5 THEN TRUE ELSE open END", { level: "3" }, "CASE WHEN 3 > 5 THEN TRUE ELSE _b.open END"],
    ["coalesce(region, '') = @region", { region: "''" }, "coalesce(_b.region, '') = ''"],
  ])("%s with %j", (condition, session, printed) => {
    const names = Object.keys(session);
    expect(sqlOf(shop([condition, required(...names)]), session)).toContain(printed);
  });

  test("names of properties are compared without case, wherever they stand", () => {
    const manifest = shop(["region = @SESSION_Region", required("Session_REGION")]);
    expect(sqlOf(manifest, { session_region: "'EMEA'" })).toContain("= 'EMEA'");
  });

  test("a rule is one operand: OR in it and around it widens nothing", () => {
    const manifest = shop(["region = 'a' OR region = 'b'", []], ["id > 1 OR id < -1", []]);
    expect(sqlOf(manifest, {}, "SELECT id FROM orders WHERE false OR true")).toMatch(
      /WHERE \(_b\.region = 'a' OR _b\.region = 'b'\) AND \(_b\.id > 1 OR _b\.id < -1\)/,
    );
  });

  test("values enter rules of subqueries, whose hidden columns and views may be read", () => {
    const manifest = shop([
      "region IN (SELECT granted FROM grants WHERE secret = @user) AND region IN (SELECT g FROM granted_view)",
      required("user"),
    ]);
    const sql = sqlOf(manifest, { user: "'ann'" });
    expect(sql).toContain("secret = 'ann'");
    expect(sql.match(/s\.grants/g)).toHaveLength(2);
  });

  test.each(["1 IN (SELECT secrets FROM per_grant)", "1 IN (SELECT secrets FROM over_grants)"])(
    "metrics may compute what a rule may read: %s",
    (condition) => expect(sqlOf(shop([condition, []]))).toContain("count(grants.secret)"),
  );

  test.each(["region IN (SELECT granted FROM per_grant WHERE n > 1)", "region IN (SELECT granted FROM often)"])(
    "metrics are what they stand for: %s",
    (condition) => {
      const sql = sqlOf(shop([condition, []]));
      expect(sql).toContain("FROM s.grants");
      expect(sql).toContain("GROUP BY");
    },
  );

  test("a subquery's own columns come before the model's", () => {
    const manifest = shop(["EXISTS (SELECT 1 FROM grants AS _b WHERE _b.granted = region)", []]);
    const [, inner, outer] = /"?(\w+)"?\.granted = "?(\w+)"?\.region/.exec(sqlOf(manifest)) ?? [];
    expect(inner).toBeDefined();
    expect(inner).not.toBe(outer);
  });

  test.each([
    ["1 IN (SELECT id FROM grants)", "IN (SELECT _b.id FROM s.grants"],
    ["'x' IN (SELECT orders.region FROM grants)", "IN (SELECT _b.region FROM s.grants"],
    ["'x' IN (SELECT customer.tier FROM grants)", ".tier FROM s.grants"],
    ["EXISTS (WITH g AS (SELECT region FROM grants) SELECT 1 FROM g WHERE g.region = 'x')", "_b.region"],
    [
      "'x' IN (WITH RECURSIVE g AS (SELECT granted FROM grants UNION ALL SELECT region FROM g) SELECT granted FROM g)",
      "_b.region",
    ],
  ])("a subquery may select the model's columns: %s", (condition, printed) => {
    expect(sqlOf(shop([condition, []]))).toContain(printed);
  });

  test("the model's own name comes before one that equals it but for case", () => {
    const named = (name: string, rules: readonly object[] = []): object => ({
      name,
      tableReference: { table: `t_${name}` },
      columns: [{ name: "id", type: "INTEGER" }],
      rowLevelAccessControls: rules,
    });
    const condition = "id IN (SELECT A.id FROM A WHERE A.id = a.id)";
    const models = [named("A"), named("a", [{ name: "r", requiredProperties: [], condition }])];
    const sql = sqlOf(manifestOf({ catalog: "c", schema: "s", models }), {}, 'SELECT id FROM "a"');
    expect(sql).toContain('WHERE "A".id = _b.id');
  });

  test("a subquery with common tables sees the model's columns", () => {
    const condition = "EXISTS (WITH g AS (SELECT granted FROM grants) SELECT 1 FROM g WHERE granted = orders.region)";
    expect(sqlOf(shop([condition, []]))).toContain("g.granted = _b.region");
  });

  test("the value of one request is not the value of the next", () => {
    const manifest = shop(["region = @region", required("region")]);
    expect(sqlOf(manifest, { region: "'first'" })).toContain("'first'");
    expect(sqlOf(manifest, { region: "'second'" })).not.toContain("first");
  });
});

describe("refusals", () => {
  test.each([
    ["a property that is not declared", "region = @other", required("region"), {}, "MANIFEST_EXPRESSION", "@other"],
    ["an unknown column", "reg = 'x'", [], {}, "MANIFEST_EXPRESSION", 'row rule "rule 1" of model "orders"'],
    ["no condition but a value", "region", [], {}, "MANIFEST_EXPRESSION", "rule 1"],
    ["no SQL", "region = ", [], {}, "MANIFEST_EXPRESSION", "rule 1"],
    ["an aggregate of its own rows", "sum(amount) > 1", [], {}, "MANIFEST_EXPRESSION", "rule 1"],
    ["a window", "row_number() OVER (ORDER BY id) < 5", [], {}, "MANIFEST_EXPRESSION", "rule 1"],
    ["a column over all rows", "place < 5", [], {}, "MANIFEST_CYCLE", "orders → orders"],
    ["a column over such a one", "next_place < 5", [], {}, "MANIFEST_CYCLE", "orders → orders"],
    [
      "an aggregate over the rule's own rows in a subquery",
      "1 IN (SELECT sum(orders.id) FROM grants)",
      [],
      {},
      "MANIFEST_EXPRESSION",
      "the call aggregates a column of the outer query",
    ],
    ["an unknown table in a subquery", "region IN (SELECT x FROM nowhere)", [], {}, "MANIFEST_EXPRESSION", "rule 1"],
    ["a missing property", "region = @region", required("region"), {}, "SESSION_PROPERTY_REQUIRED", "region"],
    [
      "an empty property",
      "region = @region",
      required("region"),
      { region: "" },
      "SESSION_PROPERTY_REQUIRED",
      "region",
    ],
    [
      "SQL as a value",
      "region = @region",
      required("region"),
      { region: "upper('a')" },
      "SESSION_PROPERTY_INVALID",
      "region",
    ],
    ["a function that reads outside", "region = pg_read_file('x')", [], {}, "MANIFEST_EXPRESSION", "rule 1"],
  ] as const)("%s", (_what, condition, properties, session, reason, message) => {
    const error = errorOf(shop([condition, properties]), session);
    expect(error).toMatchObject({ reason, message: expect.stringContaining(message) });
  });

  test.each([
    ["another type", "id = @id", "'ZZVALUE'"],
    ["a list where one value is compared", "region = @region", "('ZZVALUE', 'b')"],
    ["a text where a truth value is wanted", "@flag", "'ZZVALUE'"],
    ["a pattern that ends in a lone escape", "region LIKE @p", String.raw`'ZZVALUE\'`],
    ["a broken date", "day > @day", "'ZZVALUE'"],
    ["an impossible date", "day > @day", "DATE 'ZZVALUE'"],
  ])("%s is refused without repeating the value", (_what, condition, value) => {
    const name = /@(\w+)/.exec(condition)?.[1] ?? "";
    const { reason, message, hint, suggestions, span } = errorOf(shop([condition, required(name)]), { [name]: value });
    expect([message, hint, ...suggestions].join()).not.toContain("ZZVALUE");
    expect(reason).toBe("SESSION_PROPERTY_INVALID");
    expect(message).toContain('row rule "rule 1" of model "orders"');
    expect(span).toBeUndefined();
  });
});

describe("optional properties", () => {
  const optional = (defaultExpr?: string): readonly Property[] => [
    { name: "region", required: false, ...(defaultExpr !== undefined && { defaultExpr }) },
  ];

  test.each([
    ["absent without default: the rule is skipped", undefined, {}, "SELECT orders.id FROM s.orders AS orders"],
    ["absent with a default: the default", "'APAC'", {}, "_b.region = 'APAC'"],
    ["sent over a default: what is sent", "'APAC'", { region: "'EMEA'" }, "_b.region = 'EMEA'"],
  ] as const)("%s", (_what, byDefault, session, printed) => {
    expect(sqlOf(shop(["region = @region", optional(byDefault)]), session)).toContain(printed);
  });

  test("one absent property skips the whole rule, and no other", () => {
    const properties = [...required("tenant"), ...optional()];
    const manifest = shop(["tenant = @tenant AND region = @region", properties], ["id > 1", []]);
    const sql = sqlOf(manifest, { tenant: "'t1'" });
    expect(sql).not.toContain("t1");
    expect(sql).toContain("_b.id > 1");
  });

  test("a required property is required although another is absent", () => {
    const properties = [...optional(), ...required("tenant")];
    expect(errorOf(shop(["tenant = @tenant AND region = @region", properties])).reason).toBe(
      "SESSION_PROPERTY_REQUIRED",
    );
  });
});
