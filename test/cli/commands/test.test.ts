/** `siskin test` on seeds: sessions, assertions, reports, and fifty changes of row rules that golden questions catch. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { siskin } from "../../support/terminal.ts";

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "siskin-test-command-"));
});
afterAll(() => rmSync(directory, { recursive: true }));

type Files = Readonly<Record<string, string>>;

const SEEDS = {
  "seeds/orders.csv":
    "id,tenant,region,total,paid,owner\n1,a,north,10.50,true,ann\n2,a,south,20.25,false,bob\n3,b,north,5.00,true,cid\n4,b,south,7.75,false,dan\n5,c,east,1.00,true,eve\n",
};

const rule = (condition: string, required = true, more = ""): string => `
  - name: own
    required_properties:
      - name: tenant
        required: ${required}${more}
    condition: ${JSON.stringify(condition)}`;

const ORDERS = (rules: string): string => `name: orders
table_reference: {table: orders}
columns:
  - {name: id, type: INTEGER}
  - {name: tenant, type: VARCHAR}
  - {name: region, type: VARCHAR}
  - {name: total, type: "DECIMAL(10,2)"}
  - {name: paid, type: BOOLEAN}
  - {name: owner, type: VARCHAR}
primary_key: id
row_level_access_controls:${rules}
`;

function project(files: Files, rules = rule("tenant = @tenant")): string {
  const path = mkdtempSync(join(directory, "p-"));
  const all = {
    "siskin.yml": "name: shop\ncatalog: shop\nschema: public\ndata_source: postgres\nconnection: env:ABSENT\n",
    "models/orders/metadata.yml": ORDERS(rules),
    ...SEEDS,
    ...files,
  };
  for (const [name, text] of Object.entries(all)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), text);
  }
  return path;
}

const run = (path: string, args: readonly string[] = []) => siskin(["test", ...args], { directory: path });

const PASSING = `tests:
  - name: totals of a tenant
    sql: SELECT id, total FROM orders
    as: {tenant: a}
    rows:
      - [1, 10.5]
      - {ID: 2, total: "20.25"}
    row_count: 2
    unique: [id, [id, total]]
    not_null: [id]
    contains: [{id: 1}]
    excludes: [{id: 3}]
    equals_sql: SELECT id, total FROM orders WHERE id < 3
  - name: every tenant sees its own rows
    sql: SELECT DISTINCT tenant FROM orders
    as: [{tenant: a}, {tenant: b}]
    row_count: 1
  - name: no tenant is refused
    sql: SELECT id FROM orders
    error: SESSION_PROPERTY_REQUIRED
  - name: in order
    sql: SELECT id FROM orders ORDER BY id DESC
    as: {tenant: a}
    ordered: true
    rows: [[2], [1]]
  - name: within a tolerance
    sql: SELECT avg(total) AS m FROM orders
    as: {tenant: a}
    tolerance: 0.01
    rows: [[15.38]]
  - name: with a parameter
    sql: SELECT id FROM orders WHERE id = $1
    as: {tenant: a}
    parameters: [2]
    rows: [[2]]
`;

test("questions that hold are reported, each session by itself", async () => {
  const outcome = await run(project({ "tests/orders.yml": PASSING }));
  expect(outcome).toMatchObject({ code: 0, err: "" });
  expect(outcome.out.split("\n")).toEqual([
    'ok   totals of a tenant as {"tenant":"a"}',
    'ok   every tenant sees its own rows as {"tenant":"a"}',
    'ok   every tenant sees its own rows as {"tenant":"b"}',
    "ok   no tenant is refused",
    'ok   in order as {"tenant":"a"}',
    'ok   within a tolerance as {"tenant":"a"}',
    'ok   with a parameter as {"tenant":"a"}',
    "7 of 7 passed.",
    "",
  ]);
});

test.each<[expectation: string, message: string]>([
  ["rows: [[1, 10.5]]", "A row is not expected: [2,20.25]."],
  ["rows: [[1, 10.5], [2, 20.26]]", "No row is [2,20.26]."],
  ["ordered: true\n    rows: [[2, 20.25], [1, 10.5]]", "Row 1 is [1,10.5] instead of [2,20.25]."],
  ["row_count: 3", "The answer has 2 rows instead of 3."],
  ["row_count: {min: 3, max: 4}", "The answer has 2 rows instead of 3 to 4."],
  ["not_null: [idd]", "The answer has no column idd. Columns: id, total."],
  ["contains: [{id: 3}]", 'No row has {"id":3}.'],
  ["excludes: [{id: 2}]", '1 rows have {"id":2}.'],
  ["equals_sql: SELECT id, total FROM orders WHERE id = 1", "equals_sql: A row is not expected: [2,20.25]."],
  ["error: ACCESS_DENIED", "The question is answered with 2 rows instead of the error ACCESS_DENIED."],
])("%s fails with its line", async (expectation, message) => {
  const text = `tests:\n  - name: t\n    sql: SELECT id, total FROM orders\n    as: {tenant: a}\n    ${expectation}\n`;
  const outcome = await run(project({ "tests/t.yml": text }));
  expect(outcome.code).toBe(1);
  expect(
    outcome.out.replaceAll('"20.25"', "20.25").replaceAll('"10.5"', "10.5").replaceAll('"10.50"', "10.5"),
  ).toContain(message);
  expect(outcome.out).toMatch(/tests\/t\.yml:\d+:\d+: error: /);
});

test.each<[what: string, text: string, message: string]>([
  ["an unknown member", "- {name: t, sql: SELECT 1, row: []}", "row is not a member of a test."],
  ["no expectation", "- {name: t, sql: SELECT 1}", "The test expects nothing."],
  ["no question", "- {name: t, rows: []}", "A test has one of sql and cube."],
  ["no name", "- {sql: SELECT 1, rows: []}", "The test has no name."],
  ["rows that are none", "- {name: t, sql: SELECT 1, rows: [1]}", "rows has a value of a wrong kind."],
  ["a text", "just a text", "The file must hold a list of tests."],
])("%s is a fault of the file", async (_, text, message) => {
  const outcome = await run(project({ "tests/t.yml": text }));
  expect(outcome).toMatchObject({ code: 1, out: "", err: expect.stringContaining(message) });
});

test("parts in the SQL of the source need a connection", async () => {
  const outcome = await run(
    project({
      "models/raw/metadata.yml": "name: raw\nref_sql: SELECT 1 AS n\ncolumns: [{name: n, type: INTEGER}]\n",
      "models/own/metadata.yml":
        "name: own\ntable_reference: {table: orders}\ncolumns:\n  - {name: id, type: INTEGER, expression: '\"id\"'}\n  - {name: up, type: VARCHAR, expression: upper(tenant)}\n",
      "models/empty/metadata.yml":
        "name: empty\ntable_reference: {table: absent}\ncolumns: [{name: n, type: INTEGER}]\n",
      "cubes/c.yml":
        "name: c\nbase_object: own\nmeasures: [{name: n, expression: count(*)}]\ndimensions: [{name: up, expression: up}]\n",
      "tests/t.yml": `- {name: a, sql: SELECT n FROM raw, row_count: 1}
- {name: b, sql: SELECT up FROM own, row_count: 5}
- {name: c, sql: SELECT id FROM own, row_count: 5}
- {name: d, sql: SELECT n FROM empty, row_count: 0}
- {name: e, cube: {cube: c, measures: [n], dimensions: [up]}, row_count: 3}
`,
    }),
  );
  expect(outcome.out).toContain("RefSql of model raw is the SQL of its source: the question needs a connection.");
  expect(outcome.out).toContain("The expression of own.up is SQL of its source: the question needs a connection.");
  expect(outcome.out).toContain("There is no seeds/absent.csv: the question needs a connection.");
  expect(outcome.out).toContain("ok   c\n");
  expect(outcome.out).toContain("1 of 5 passed.");
});

test("JUnit and JSON", async () => {
  const text = `- {name: 'a <"&', sql: SELECT 1 AS n, rows: [[2]]}\n- {name: b, sql: SELECT 1 AS n, rows: [[1]]}\n`;
  const path = project({ "tests/t.yml": text });
  const junit = await run(path, ["--format", "junit"]);
  expect(junit.code).toBe(1);
  expect(junit.out.replaceAll(/time="[\d.]+"/g, "")).toMatch(
    /^<\?xml [^\n]*\n<testsuites tests="2" failures="1">\n {2}<testsuite name="tests\/t\.yml" tests="2" failures="1" errors="0">\n {4}<testcase classname="tests\/t\.yml" name="a &lt;&quot;&amp;" >\n {6}<failure message="No row is \[2\]\.">.*<\/failure>\n/,
  );
  const json = await run(path, ["--format", "json"]);
  expect(JSON.parse(json.out)).toMatchObject({
    passed: 1,
    failed: 1,
    results: [{ name: 'a <"&' }, { name: "b", faults: [] }],
  });
});

test("a project without tests or with an unreachable source is an error of the environment", async () => {
  expect(await run(project({}))).toMatchObject({ code: 2, err: expect.stringContaining("has no tests to run") });
  const path = project({ "tests/t.yml": PASSING });
  const environment = { ABSENT: "postgres://u:secret-word-77@127.0.0.1:1/db" };
  const outcome = await siskin(["test"], { directory: path, environment });
  expect(outcome).toMatchObject({ code: 2, out: "" });
  expect(outcome.err).toContain("HOST_UNREACHABLE");
  expect(outcome.err).not.toContain("secret-word");
});

const GOLDEN = `tests:
  - name: a sees the rows of a alone
    sql: SELECT id, tenant, region, paid FROM orders
    as: {tenant: a}
    rows: [[1, a, north, true], [2, a, south, false]]
  - name: b sees the rows of b alone
    sql: SELECT id FROM orders
    as: {tenant: b}
    rows: [[3], [4]]
  - name: capitals are another tenant
    sql: SELECT id FROM orders
    as: {tenant: A}
    rows: []
  - name: an empty tenant sees nothing
    sql: SELECT id FROM orders
    as: {tenant: ''}
    rows: []
  - name: a wildcard sees nothing
    sql: SELECT id FROM orders
    as: {tenant: '%'}
    rows: []
  - name: without a tenant
    sql: SELECT id FROM orders
    error: SESSION_PROPERTY_REQUIRED
`;

const CONDITIONS = [
  ...["true", "1 = 1", "tenant = tenant", "tenant IS NOT NULL", "@tenant = @tenant", "@tenant IS NOT NULL", "id > 0"],
  ...[
    "tenant >= @tenant",
    "tenant <= @tenant",
    "tenant <> @tenant",
    "NOT tenant = @tenant",
    "tenant LIKE @tenant",
    "tenant ILIKE @tenant",
  ],
  ...[
    "tenant LIKE '%' || @tenant || '%'",
    "lower(tenant) = lower(@tenant)",
    "upper(tenant) = upper(@tenant)",
    "region = @tenant",
    "owner = @tenant",
  ],
  ...[
    "tenant = @tenant OR paid",
    "tenant = @tenant OR NOT paid",
    "tenant = @tenant OR id = 3",
    "tenant = @tenant OR id = 2",
    "tenant = @tenant OR total > 5",
  ],
  ...[
    "tenant = @tenant OR region = 'north'",
    "tenant = @tenant OR tenant IN ('a', 'b')",
    "tenant = @tenant OR @tenant = ''",
    "tenant = @tenant OR @tenant = '%'",
  ],
  ...[
    "tenant = @tenant AND paid",
    "tenant = @tenant AND region = 'south'",
    "tenant = @tenant AND id < 2",
    "tenant IN (@tenant, 'b')",
    "tenant IN (@tenant, 'c')",
  ],
  ...[
    "tenant = 'a'",
    "tenant = 'b'",
    "tenant = coalesce(@tenant, 'a') OR id = 5",
    "tenant BETWEEN @tenant AND 'c'",
    "tenant BETWEEN 'a' AND @tenant",
  ],
  ...[
    "length(tenant) = length(@tenant)",
    "tenant = trim(@tenant) || ''  OR tenant = 'c'",
    "CASE WHEN paid THEN true ELSE tenant = @tenant END",
  ],
  ...[
    "CASE WHEN tenant = 'c' THEN true ELSE tenant = @tenant END",
    "coalesce(tenant = @tenant, true) OR id = 1",
    "id = 1",
    "id IN (1, 2)",
  ],
  ...["tenant = @tenant OR total < 2"],
];

/** Changes of the rule beside its condition. */
const OTHER_RULES: readonly (readonly [what: string, rules: string])[] = [
  ["no rule at all", " []"],
  ["the property is optional", rule("tenant = @tenant", false)],
  ["the property has a default", rule("tenant = @tenant", false, "\n        default_expr: \"'a'\"")],
  [
    "a rule of another property",
    rule("tenant = @tenant").replaceAll("tenant\n", "region\n").replaceAll("@tenant", "@region"),
  ],
  ["a second rule that hides more", `${rule("tenant = @tenant")}${rule("id <> 4").replace("own", "more")}`],
];

describe("a changed row rule is caught", () => {
  test("the rule itself passes", async () => {
    expect(await run(project({ "tests/t.yml": GOLDEN }))).toMatchObject({ code: 0 });
  });

  test("fifty changes", () => {
    expect(CONDITIONS.length + OTHER_RULES.length).toBeGreaterThanOrEqual(50);
  });

  test.each([...CONDITIONS.map((condition) => [condition, rule(condition)] as const), ...OTHER_RULES])(
    "%s",
    async (_, rules) => {
      expect(await run(project({ "tests/t.yml": GOLDEN }, rules))).toMatchObject({ code: 1 });
    },
  );
});
