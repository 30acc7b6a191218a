/** Errors in a manifest, all at once: each kind of problem in a manifest without others. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { checkOfManifest, type ManifestReport, plan } from "../../../src/planner/index.ts";
import { DEFAULT_LIMITS } from "../../../src/planner/limits.ts";
import type { DataSource } from "../../../src/planner/plan.ts";
import { manifestOf } from "../../support/plan.ts";

type Json = Readonly<Record<string, unknown>>;

function check(manifest: Json, source: DataSource = "duckdb"): ManifestReport {
  const outcome = checkOfManifest({
    manifest: manifestOf({ catalog: "c", schema: "s", ...manifest }),
    source,
    limits: DEFAULT_LIMITS,
    unknownFunctions: "warn",
  });
  if (!outcome.ok) throw outcome.error;
  return outcome.value;
}

const messages = (manifest: Json): readonly string[] => check(manifest).problems.map(({ message }) => message);

const column = (name: string, more: Json = {}): Json => ({ name, type: "INTEGER", ...more });
const calculated = (name: string, expression: string): Json => column(name, { isCalculated: true, expression });
const handle = (name: string, type: string, relationship: string): Json => ({ name, type, relationship });
const model = (name: string, columns: readonly Json[], more: Json = {}): Json => ({
  name,
  tableReference: { schema: "main", table: name },
  columns,
  ...more,
});
const joined = (name: string, more: Json = {}): Json => ({
  name,
  models: ["orders", "customer"],
  joinType: "MANY_TO_ONE",
  condition: "orders.customer_id = customer.id",
  ...more,
});
const REGION = { name: "region", required: true };
const rowRule = (name: string, condition: string, requiredProperties: readonly Json[] = [REGION]): Json => ({
  name,
  condition,
  requiredProperties,
});
const columnRule = (more: Json = {}): Json => ({
  name: "level",
  requiredProperties: [{ name: "level", required: true }],
  operator: "EQUALS",
  threshold: "1",
  ...more,
});

const ORDERS = [column("id"), column("customer_id"), column("total")];
const CUSTOMER = [column("id"), { name: "name", type: "VARCHAR" }];
/** Two models that are right; what is added decides. */
const shop = (orders: readonly Json[], customer: readonly Json[], more: Json = {}): Json => ({
  models: [
    model("orders", [...ORDERS, ...orders], { primaryKey: "id" }),
    model("customer", [...CUSTOMER, ...customer], { primaryKey: "id" }),
  ],
  relationships: [joined("r")],
  ...more,
});

/** One problem each: its reason, its object, and what its message holds. */
const KINDS: readonly [what: string, manifest: Json, reason: string, object: string, message: string][] = [
  [
    "an object that cannot be read",
    { models: [{ name: "m", tableReference: { table: "t" }, columns: [{ name: "a" }] }] },
    "MANIFEST_SCHEMA",
    'model "m"',
    "manifest.models[0].columns[0].type is missing",
  ],
  [
    "a relationship that cannot be read",
    { relationships: [joined("r", { joinType: "SOME" })] },
    "MANIFEST_SCHEMA",
    'relationship "r"',
    "Unknown relationship type: SOME",
  ],
  [
    "one name of a model and a view",
    { ...shop([], []), views: [{ name: "orders", statement: "SELECT 1 AS one" }] },
    "MANIFEST_DUPLICATE",
    '"orders"',
    'the manifest names "orders" more than once',
  ],
  [
    "one name of two metrics",
    { ...shop([], []), metrics: [0, 1].map(() => ({ name: "x", baseObject: "orders", measure: [] })) },
    "MANIFEST_DUPLICATE",
    '"x"',
    'the manifest names "x" more than once',
  ],
  [
    "two columns of one name",
    { models: [model("m", [column("a"), column("a")])] },
    "MANIFEST_DUPLICATE",
    'model "m"',
    'model "m" names column "a" more than once',
  ],
  [
    "two relationships of one name",
    shop([], [], { relationships: [joined("r"), joined("r")] }),
    "MANIFEST_DUPLICATE",
    'relationship "r"',
    'the manifest names relationship "r" more than once',
  ],
  [
    "two enums of one name",
    { enumDefinitions: [0, 1].map(() => ({ name: "E", values: [{ name: "A" }] })) },
    "MANIFEST_DUPLICATE",
    'enum "E"',
    'the manifest names enum "E" more than once',
  ],
  [
    "a model without a source",
    { models: [{ name: "m", columns: [] }] },
    "MANIFEST_SOURCE",
    'model "m"',
    'model "m" has no source',
  ],
  [
    "a model with two",
    { models: [model("m", [], { refSql: "SELECT 1" })] },
    "MANIFEST_SOURCE",
    'model "m"',
    'model "m" has more than one source',
  ],
  [
    "models built on each other",
    {
      models: [
        { name: "a", baseObject: "b", columns: [column("x")] },
        { name: "b", baseObject: "a", columns: [column("x")] },
      ],
    },
    "MANIFEST_CYCLE",
    'model "a"',
    "found cycle in models: a → b → a",
  ],
  [
    "a model built on none",
    { models: [{ name: "a", baseObject: "b", columns: [column("x")] }] },
    "MANIFEST_SOURCE",
    'model "a"',
    'model "a" is built on "b", which is no model, view or metric',
  ],
  [
    "a column that the base's view lacks",
    {
      models: [model("a", [column("x")]), { name: "b", baseObject: "v", columns: [column("x"), column("y")] }],
      views: [{ name: "v", statement: "SELECT x FROM a" }],
    },
    "MANIFEST_EXPRESSION",
    'column "y" of model "b"',
    'is not in "v", which the model is built on',
  ],
  [
    "an expression over a view",
    {
      models: [
        model("a", [column("x")]),
        { name: "b", baseObject: "v", columns: [column("y", { expression: "sum(x)" })] },
      ],
      views: [{ name: "v", statement: "SELECT x FROM a" }],
    },
    "MANIFEST_EXPRESSION",
    'column "y" of model "b"',
    "an aggregate function is not allowed in a column's expression",
  ],
  [
    "a view that a model is built on",
    {
      models: [model("a", [column("x")]), { name: "b", baseObject: "v", columns: [column("x")] }],
      views: [{ name: "v", statement: "SELECT x, y FROM a" }],
    },
    "MANIFEST_EXPRESSION",
    'view "v"',
    'column "y" not found',
  ],
  [
    "a model built on itself by a view",
    {
      models: [{ name: "a", baseObject: "v", columns: [column("x")] }],
      views: [{ name: "v", statement: "SELECT x FROM a" }],
    },
    "MANIFEST_CYCLE",
    'model "a"',
    'model "a" is built on itself: a → a',
  ],
  [
    "a column that the base lacks",
    { models: [model("a", [column("x")]), { name: "b", baseObject: "a", columns: [column("y")] }] },
    "MANIFEST_EXPRESSION",
    'column "y" of model "b"',
    'is not in "a", which the model is built on',
  ],
  [
    "a primary key that is no column",
    { models: [model("m", [column("a")], { primaryKey: "b" })] },
    "MANIFEST_SCHEMA",
    'model "m"',
    'primaryKey of model "m" names "b", which is no column',
  ],
  [
    "a unique key that is no column",
    { models: [model("m", [column("a")], { uniqueKeys: [["a", "b"]] })] },
    "MANIFEST_SCHEMA",
    'model "m"',
    'uniqueKeys of model "m" names "b", which is no column',
  ],
  [
    "a calculated column that is no expression",
    { models: [model("m", [column("a"), calculated("x", "a +")])] },
    "MANIFEST_EXPRESSION",
    'column "x" of model "m"',
    "(at character 4 of its expression)",
  ],
  [
    "one without an expression",
    { models: [model("m", [column("x", { isCalculated: true })])] },
    "MANIFEST_EXPRESSION",
    'column "x" of model "m"',
    "is calculated but has no expression",
  ],
  [
    "one over a column that is not there, among others that are right",
    { models: [model("m", [column("a"), calculated("y", "a + 1"), calculated("x", "1 + b")])] },
    "MANIFEST_EXPRESSION",
    'column "x" of model "m"',
    'model "m" has no column "b" (at character 5 of its expression)',
  ],
  [
    "a hidden one",
    { models: [model("m", [column("a"), { ...calculated("x", "b"), isHidden: true }])] },
    "MANIFEST_EXPRESSION",
    'column "x" of model "m"',
    "(at character 1 of its expression)",
  ],
  [
    "calculated columns that need each other",
    { models: [model("m", [calculated("x", "y + 1"), calculated("y", "z + 1"), calculated("z", "x + 1")])] },
    "MANIFEST_CYCLE",
    'column "x" of model "m"',
    "m.x → m.y → m.z → m.x",
  ],
  [
    "one value of many rows",
    shop([], [handle("orders", "orders", "r"), calculated("x", "1 + orders.total")]),
    "FANOUT",
    'column "x" of model "customer"',
    "(at character 5 of its expression)",
  ],
  [
    "an aggregate that needs a primary key",
    {
      models: [
        model("orders", ORDERS),
        model("customer", [
          ...CUSTOMER,
          handle("orders", "orders", "r"),
          calculated("x", "2 * sum(orders.total + id)"),
        ]),
      ],
      relationships: [joined("r")],
    },
    "PRIMARY_KEY_REQUIRED",
    'column "x" of model "customer"',
    "(at character 5 of its expression)",
  ],
  [
    "a handle of a relationship that is not there",
    shop([handle("customer", "customer", "q")], []),
    "MANIFEST_RELATIONSHIP",
    'column "customer" of model "orders"',
    'names relationship "q", which does not exist',
  ],
  [
    "a handle of another model's type",
    shop([handle("customer", "orders", "r")], []),
    "MANIFEST_RELATIONSHIP",
    'column "customer" of model "orders"',
    'leads to "customer"',
  ],
  [
    "a relationship with a model that is not there",
    shop([], [], { relationships: [joined("r", { models: ["orders", "nation"] })] }),
    "MANIFEST_RELATIONSHIP",
    'relationship "r"',
    'names model "nation", which does not exist',
  ],
  [
    "a condition over a column that is not there",
    shop([], [], { relationships: [joined("r", { condition: "orders.id = customer.nope" })] }),
    "MANIFEST_RELATIONSHIP",
    'relationship "r"',
    'model "customer" has no column "nope" (at character 22 of its expression)',
  ],
  [
    "a condition that is none",
    shop([], [], { relationships: [joined("r", { condition: "orders.id + customer.id" })] }),
    "TYPE_MISMATCH",
    'relationship "r"',
    "needs a condition, not integer",
  ],
  [
    "a source expression that is not balanced",
    { models: [model("m", [column("x", { expression: "lower(a" })])] },
    "MANIFEST_EXPRESSION",
    'column "x" of model "m"',
    "'(' is not closed (at character 6 of its expression)",
  ],
  [
    "a refSql that is not balanced",
    { models: [{ name: "m", refSql: "SELECT 1 AS a) x", columns: [column("a")] }] },
    "MANIFEST_EXPRESSION",
    'model "m"',
    "refSql of model \"m\": ')' closes nothing (at character 14 of its expression)",
  ],
  [
    "a row rule over a column that is not there",
    { models: [model("m", [column("a")], { rowLevelAccessControls: [rowRule("only", "b = @region")] })] },
    "MANIFEST_EXPRESSION",
    'row rule "only" of model "m"',
    "(at character 1 of its expression)",
  ],
  [
    "a row rule with a property that it does not declare",
    { models: [model("m", [column("a")], { rowLevelAccessControls: [rowRule("only", "a = @user")] })] },
    "MANIFEST_EXPRESSION",
    'row rule "only" of model "m"',
    "@user is used for `only` rule, but not found in the session properties (at character 5 of its expression)",
  ],
  [
    "a row rule that is no condition",
    { models: [model("m", [column("a")], { rowLevelAccessControls: [rowRule("only", "a + 1", [])] })] },
    "MANIFEST_EXPRESSION",
    'row rule "only" of model "m"',
    "needs a condition, not integer",
  ],
  [
    "a default that is no literal",
    {
      models: [
        model("m", [column("a")], {
          rowLevelAccessControls: [rowRule("only", "a = @b", [{ name: "b", required: false, defaultExpr: "a + 1" }])],
        }),
      ],
    },
    "SESSION_PROPERTY_INVALID",
    'row rule "only" of model "m"',
    "session property b is no SQL literal",
  ],
  [
    "row rules that need each other",
    {
      models: [
        model("a", [column("x")], { rowLevelAccessControls: [rowRule("ra", "x IN (SELECT x FROM b)", [])] }),
        model("b", [column("x")], { rowLevelAccessControls: [rowRule("rb", "x IN (SELECT x FROM a)", [])] }),
      ],
    },
    "MANIFEST_CYCLE",
    'model "a"',
    "a → b → a",
  ],
  [
    "a threshold that is no literal",
    { models: [model("m", [column("a", { columnLevelAccessControl: columnRule({ threshold: "a + 1" }) })])] },
    "MANIFEST_EXPRESSION",
    'column "a" of model "m"',
    'the threshold of column rule "level" is no SQL literal',
  ],
  [
    "a view over a column that is not there",
    { ...shop([], []), views: [{ name: "v", statement: "SELECT id\nFROM orders\nWHERE nope > 1" }] },
    "MANIFEST_EXPRESSION",
    'view "v"',
    "(at line 3, column 7 of its statement)",
  ],
  [
    "views that need each other",
    {
      views: [
        { name: "v", statement: "SELECT * FROM w" },
        { name: "w", statement: "SELECT * FROM v" },
      ],
    },
    "MANIFEST_CYCLE",
    'view "v"',
    "v → w → v",
  ],
  [
    "a metric over nothing",
    { metrics: [{ name: "x", baseObject: "nope", measure: [{ name: "n", expression: "count(*)" }] }] },
    "MODEL_NOT_FOUND",
    'metric "x"',
    'metric "x": model "nope" not found',
  ],
  [
    "a metric without a measure",
    { ...shop([], []), metrics: [{ name: "x", baseObject: "orders", dimension: [{ name: "id" }] }] },
    "MANIFEST_SCHEMA",
    'metric "x"',
    "has no measure",
  ],
  [
    "a measure of a metric over a column that is not there",
    {
      ...shop([], []),
      metrics: [
        {
          name: "x",
          baseObject: "orders",
          dimension: [{ name: "id" }],
          measure: [{ name: "n", expression: "sum(b)" }],
        },
      ],
    },
    "COLUMN_NOT_FOUND",
    'column "n" of metric "x"',
    'column "b" not found',
  ],
  [
    "a time grain over a column that is not there",
    {
      ...shop([], []),
      metrics: [
        {
          name: "x",
          baseObject: "orders",
          measure: [{ name: "n", expression: "count(*)" }],
          timeGrain: [{ name: "day", refColumn: "nope", dateParts: ["DAY"] }],
        },
      ],
    },
    "COLUMN_NOT_FOUND",
    'time grain "day" of metric "x"',
    'column "nope" not found',
  ],
  [
    "a cumulative metric with an unknown unit",
    {
      ...shop([{ name: "at", type: "DATE" }], []),
      cumulativeMetrics: [
        {
          name: "x",
          baseObject: "orders",
          measure: { name: "n", operator: "sum", refColumn: "total" },
          window: { name: "w", refColumn: "at", timeUnit: "EON", start: "2024-01-01", end: "2024-02-01" },
        },
      ],
    },
    "MANIFEST_SCHEMA",
    'cumulative metric "x"',
    '"EON" is no time unit',
  ],
  [
    "a cube over nothing",
    { cubes: [{ name: "q", baseObject: "nope" }] },
    "MANIFEST_SOURCE",
    'cube "q"',
    "neither a model nor a view",
  ],
  [
    "a level that is no dimension",
    { ...shop([], []), cubes: [{ name: "q", baseObject: "orders", hierarchies: { h: ["x"] } }] },
    "MANIFEST_SCHEMA",
    'cube "q"',
    'level "x" of hierarchy "h"',
  ],
  [
    "a measure of a cube over a column that is not there",
    { ...shop([], []), cubes: [{ name: "q", baseObject: "orders", measures: [{ name: "n", expression: "sum(b)" }] }] },
    "MANIFEST_EXPRESSION",
    'measure "n" of cube "q"',
    "(at character 5 of its expression)",
  ],
  [
    "a macro that cannot be read",
    { macros: [{ name: "twice", definition: "(a) => a" }] },
    "MANIFEST_EXPRESSION",
    'macro "twice"',
    "typeName is null",
  ],
  [
    "a macro that is not there",
    { models: [model("m", [column("a"), calculated("x", "{{ nope('a') }}")])] },
    "MANIFEST_EXPRESSION",
    'column "x" of model "m"',
    'there is no macro or parameter "nope"',
  ],
];

describe("each kind of problem, once and with nothing else", () => {
  test.each(KINDS)("%s", (_what, manifest, reason, object, message) => {
    const { problems, more } = check(manifest);
    expect(problems).toMatchObject([{ reason, object, message: expect.stringContaining(message) }]);
    expect(more).toBe(0);
  });
});

test("hints and near names come with a problem", () => {
  const { problems } = check({ models: [model("m", [column("total"), calculated("x", "totl")])] });
  expect(problems).toMatchObject([{ hint: 'Did you mean "total"?', suggestions: ["total"] }]);
});

describe("several at once", () => {
  test("faults that look alike are told apart", () => {
    const faulty = (name: string): Json =>
      model(name, [
        column("a", { expression: "(a" }),
        column("b", { columnLevelAccessControl: columnRule({ threshold: "b" }) }),
        calculated("c", "{{ nope() }}"),
      ]);
    const { problems } = check({ models: [faulty("m"), faulty("n")] });
    expect(problems.map(({ object }) => object).sort()).toEqual(
      ["a", "b", "c"].flatMap((name) => [`column "${name}" of model "m"`, `column "${name}" of model "n"`]),
    );
  });

  test("what only depends on a fault is not told, whichever comes first", () => {
    const views = [
      { name: "v", statement: "SELECT after FROM orders" },
      { name: "w", statement: "SELECT * FROM v" },
    ];
    const orders = [calculated("before", "x + 1"), calculated("x", "nope"), calculated("after", "x + 1")];
    const more = {
      views,
      relationships: [joined("r", { condition: "orders.x = customer.id" })],
      cubes: [{ name: "q", baseObject: "w", measures: [{ name: "n", expression: "count(*)" }] }],
    };
    expect(messages(shop([...orders, handle("customer", "customer", "r")], [], more))).toEqual([
      'column "x" of model "orders": model "orders" has no column "nope" (at character 1 of its expression)',
    ]);
  });

  test("a relationship that is met first at a column is told as its own", () => {
    const condition = "orders.id = customer.nope";
    const orders = [handle("customer", "customer", "r"), calculated("x", "customer.name")];
    expect(messages(shop(orders, [], { relationships: [joined("r", { condition })] }))).toEqual([
      'condition of relationship "r": model "customer" has no column "nope" (at character 22 of its expression)',
    ]);
  });

  test("every one of many columns is tried by itself when some are wrong", () => {
    const columns = Array.from({ length: 120 }, (_, index) => calculated(`x${index}`, index % 40 === 7 ? "b" : "a"));
    const { problems } = check({ models: [model("m", [column("a"), ...columns])] });
    expect(problems.map(({ object }) => object)).toEqual(
      ["x7", "x47", "x87"].map((name) => `column "${name}" of model "m"`),
    );
  });

  test("a hundred are told, and how many more there are", () => {
    const columns = Array.from({ length: 130 }, (_, index) => calculated(`x${index}`, `nope${index}`));
    const { problems, more } = check({ models: [model("m", columns)] });
    expect([problems.length, more]).toEqual([100, 30]);
  });

  test("a manifest made to take long is given up, and that is told", () => {
    const columns = Array.from({ length: 1000 }, (_, index) => calculated(`x${index + 1}`, `x${index} + x${index}`));
    const { problems } = check({ models: [model("m", [column("x0"), ...columns])] });
    expect(problems.at(-1)).toMatchObject({
      reason: "LIMIT_SIZE",
      object: "manifest",
      message: expect.stringMatching(/takes too long to be checked whole: \d+ checks were left out/),
    });
  });
});

describe("nothing depends on a session", () => {
  test("rules with required properties and without values are right", () => {
    const rules = {
      rowLevelAccessControls: [
        rowRule("equal", "a = @region"),
        rowRule("listed", "a IN @region"),
        rowRule("typed", "at >= @region"),
      ],
    };
    const columns = [
      column("a", { columnLevelAccessControl: columnRule() }),
      { name: "at", type: "TIMESTAMP" },
      calculated("x", "a + 1"),
    ];
    const views = [{ name: "v", statement: "SELECT a, x FROM m" }];
    const cubes = [{ name: "q", baseObject: "m", measures: [{ name: "n", expression: "sum(x)" }] }];
    expect(check({ models: [model("m", columns, rules)], views, cubes })).toEqual({
      problems: [],
      more: 0,
      warnings: [],
    });
  });
});

test("models built on views and metrics that are right", () => {
  const count = column("n", { expression: "count(*)" });
  const manifest = {
    models: [
      model("m", [column("a")], { rowLevelAccessControls: [rowRule("own", "a = @region")] }),
      { name: "on_view", baseObject: "v", columns: [column("a"), column("b", { expression: "a + 1" })] },
      { name: "on_metric", baseObject: "by_a", primaryKey: "a", columns: [column("a"), calculated("twice", "a * 2")] },
    ],
    views: [{ name: "v", statement: "SELECT a FROM m" }],
    metrics: [{ name: "by_a", baseObject: "on_view", dimension: [column("a")], measure: [count], timeGrain: [] }],
  };
  expect(check(manifest)).toEqual({ problems: [], more: 0, warnings: [] });
});

describe("texts of the source", () => {
  test("are read by its own rules", () => {
    const models = [model("m", [column("x", { expression: '"a(b" + 1' })])];
    expect(check({ models }, "postgres").problems).toEqual([]);
  });
});

describe("a refSql over the table of a model with rules", () => {
  const ruled = model("orders", [column("id")], { rowLevelAccessControls: [rowRule("only", "id = @region")] });
  const read = (refSql: string, models: readonly Json[] = [ruled]) =>
    check({ models: [...models, { name: "m", refSql, columns: [column("id")] }] });

  test.each([
    "SELECT id FROM orders",
    "SELECT id FROM main.orders AS o",
    'SELECT id FROM "MAIN"."Orders"',
    "SELECT id FROM t, (SELECT * FROM other JOIN main.orders USING (id))",
    "WITH o AS (SELECT * FROM orders) SELECT id FROM o",
  ])("%s", (refSql) => {
    expect(read(refSql)).toMatchObject({
      problems: [],
      warnings: [
        {
          code: "RULED_TABLE_READ",
          message: 'refSql of model "m" reads the table of model "orders", whose access rules do not apply to refSql',
        },
      ],
    });
  });

  test.each([
    "SELECT orders FROM t",
    "SELECT id FROM elsewhere.orders",
    "SELECT 'orders' AS id FROM t -- FROM orders",
    "WITH orders AS (SELECT 1 AS id) SELECT id FROM orders",
  ])("but not %s", (refSql) => expect(read(refSql).warnings).toEqual([]));

  test("column rules count, and models without rules do not", () => {
    const hidden = model("orders", [column("id", { columnLevelAccessControl: columnRule() })]);
    expect(read("SELECT id FROM orders", [hidden]).warnings).toHaveLength(1);
    expect(read("SELECT id FROM orders", [model("orders", [column("id")])]).warnings).toEqual([]);
  });
});

describe("the manifests of the acceptance cases", () => {
  const { manifests } = JSON.parse(
    readFileSync(new URL("../../cases/planner-cases.json", import.meta.url), "utf8"),
  ) as { readonly manifests: Readonly<Record<string, Json>> };

  /** Tests are about the errors of these manifests. */
  /** Two unknown members: queries over it plan, with warnings. */
  const UNKNOWN = "lenient";
  const FAULTY: Readonly<Record<string, string>> = {
    bad_dup: "MANIFEST_DUPLICATE",
    bad_none: "MANIFEST_SOURCE",
    calc_agg_own: "MANIFEST_EXPRESSION",
    calc_badchain: "MANIFEST_EXPRESSION",
    calc_cycle: "MANIFEST_CYCLE",
    calc_missingfield: "MANIFEST_EXPRESSION",
    calc_mutual_agg: "MANIFEST_CYCLE",
    calc_noexpr: "MANIFEST_EXPRESSION",
    calc_rel_missing: "MANIFEST_RELATIONSHIP",
    calc_unknown: "MANIFEST_EXPRESSION",
    cube_badh: "MANIFEST_SCHEMA",
    cube_nobase: "MANIFEST_SOURCE",
    macro_bad: "MANIFEST_EXPRESSION",
    rlac_badprop: "MANIFEST_EXPRESSION",
    rlac_cycle: "MANIFEST_CYCLE",
    two_branch: "FANOUT",
    views_broken: "MANIFEST_EXPRESSION",
    views_clash: "MANIFEST_DUPLICATE",
    views_self: "MANIFEST_CYCLE",
  };
  /** Refused before anything in it is looked at. */
  const UNREADABLE: readonly string[] = ["bad_layout"];
  const names = Object.keys(manifests).filter((name) => !UNREADABLE.includes(name));

  test("are those that the table names", () => {
    expect(Object.keys(FAULTY).filter((name) => !names.includes(name))).toEqual([]);
    expect(names.length).toBeGreaterThan(60);
  });

  test.each(names)("%s", (name) => {
    for (const source of ["duckdb", "postgres"] as const) {
      const { problems } = check(manifests[name] ?? {}, source);
      const expected = name === UNKNOWN ? ["MANIFEST_SCHEMA", "MANIFEST_SCHEMA"] : [FAULTY[name] ?? []].flat();
      expect(problems.map(({ reason }) => reason)).toEqual(expected);
    }
  });
});

test("measures of a cube that stand in each other too deeply are refused, however they were analysed before", () => {
  const measures = Array.from({ length: 700 }, (_, index) => ({
    name: `x${index}`,
    expression: index === 0 ? "sum(total)" : `x${index - 1} + 1`,
  }));
  const manifest = manifestOf({
    catalog: "c",
    schema: "s",
    ...shop([], [], { cubes: [{ name: "q", baseObject: "orders", measures }] }),
  });
  const options = { limits: DEFAULT_LIMITS, unknownFunctions: "warn", accessControl: "standard" } as const;
  const answers = measures.map(({ name }) =>
    plan({ sql: `SELECT ${name} FROM q`, manifest, source: "duckdb", session: new Map(), options }),
  );
  expect(answers[100]?.ok).toBe(true);
  expect(answers[650]).toMatchObject({ ok: false, error: { reason: "LIMIT_DEPTH" } });
});

test.each([
  ["views", { views: (index: number) => ({ name: `v${index}`, statement: `SELECT 1 AS one FROM v${index + 1}` }) }],
  ["models", { models: (index: number) => ({ name: `v${index}`, baseObject: `v${index + 1}`, columns: [] }) }],
  [
    "rules",
    {
      models: (index: number) =>
        model(`v${index}`, [], {
          rowLevelAccessControls: [rowRule("r", `EXISTS (SELECT 1 FROM v${index + 1})`, [])],
        }),
    },
  ],
])("%s that stand in each other over thousands of steps are a problem, not a crash", (_what, lists) => {
  const indexes = Array.from({ length: 3000 }, (_, index) => index);
  const manifest = Object.fromEntries(Object.entries(lists).map(([kind, make]) => [kind, indexes.map(make)]));
  expect(check(manifest).problems).toContainEqual(expect.objectContaining({ reason: "LIMIT_DEPTH" }));
});
