/** `siskin import ossie` and `siskin export ossie`: what is mapped, what is refused, and the way back without a loss. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readModel } from "../../../cli/project/model.ts";
import { siskin } from "../../support/terminal.ts";
import { membersOf, remarksOn, runImport } from "./run-import.ts";

let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "siskin-import-ossie-"));
});
afterAll(() => rmSync(home, { recursive: true }));

const ansi = (expression: string, ...others: readonly (readonly [dialect: string, expression: string])[]) => ({
  dialects: [{ dialect: "ANSI_SQL", expression }, ...others.map(([dialect, text]) => ({ dialect, expression: text }))],
});
const field = (name: string, expression = name, more: object = {}) => ({ name, expression: ansi(expression), ...more });

const SHOP = {
  name: "retail",
  description: "Sales of a shop.",
  ai_context: { instructions: "Revenue is net." },
  datasets: [
    {
      name: "sales",
      source: "shop.public.fact_sales",
      primary_key: ["sale_id"],
      fields: [
        field("sale_id", "sale_id", { datatype: "Integer" }),
        field("amount", "amount", { datatype: "Decimal" }),
        field("quantity"),
        field("item_key"),
        field("sold_on", "sold_date", { datatype: "Date", ai_context: { synonyms: ["purchase date"] } }),
        field("audited_at", "audited_at", { datatype: "DateTime", dimension: { is_time: false } }),
        field("year", "sale_year", { datatype: "Integer", dimension: { is_time: true } }),
        field("label", "code || '-' || quantity"),
        { name: "own", expression: { dialects: [{ dialect: "SNOWFLAKE", expression: "IFF(a > 1, 1, 0)" }] } },
        { name: "cube", expression: { dialects: [{ dialect: "MDX", expression: "[Measures].[x]" }] } },
      ],
      custom_extensions: [{ vendor_name: "DBT", data: "{}" }],
    },
    {
      name: "items",
      source: "shop.public.dim_item",
      primary_key: ["key"],
      fields: [field("key"), field("brand"), field("price")],
    },
    {
      name: "returns",
      source: "SELECT * FROM shop.public.returns WHERE NOT void",
      fields: [field("item_key"), field("cost")],
    },
  ],
  relationships: [
    { name: "sales_items", from: "sales", to: "items", from_columns: ["item_key"], to_columns: ["key"] },
    { name: "returns_items", from: "returns", to: "items", from_columns: ["item_key"], to_columns: ["key"] },
    { name: "wrong", from: "sales", to: "items", from_columns: ["item_key", "sale_id"], to_columns: ["key"] },
    { name: "nowhere", from: "sales", to: "nothing", from_columns: ["a"], to_columns: ["b"] },
  ],
  metrics: [
    { name: "revenue", expression: ansi("SUM(sales.amount)"), description: "All sales.", datatype: "Decimal" },
    { name: "list_value", expression: ansi("SUM(sales.quantity * items.price)") },
    { name: "average", expression: ansi("SUM(amount) / NULLIF(COUNT(DISTINCT sale_id), 0)") },
    { name: "loss", expression: ansi("SUM(returns.cost)") },
    { name: "margin", expression: ansi("SUM(sales.amount) - SUM(returns.cost)") },
    { name: "prices", expression: ansi("SUM(items.price) + SUM(sales.amount)") },
    { name: "unknown", expression: ansi("SUM(sales.nothing)") },
    { name: "rows", expression: ansi("COUNT(*)") },
    { name: "broken", expression: ansi("SUM(") },
    { name: "hidden_query", expression: ansi("SUM(sales.amount) + (SELECT max(secret) FROM vault)") },
    { name: "of_tableau", expression: { dialects: [{ dialect: "TABLEAU", expression: "SUM([Amount])" }] } },
    { name: "later", expression: ansi("SUM(sales.amount)"), window: "7 days" },
  ],
};

const document = (model: object): string => JSON.stringify({ version: "0.2.0.dev0", semantic_model: [model] }, null, 1);
const imported = (model: object, args: readonly string[] = ["--source", "duckdb"]) =>
  runImport({ home, format: "ossie", files: { "shop.yml": document(model) }, path: "shop.yml", args });

describe("a shop", () => {
  test("datasets, relationships and metrics", async () => {
    const { code, manifest } = await imported(SHOP);
    expect(code).toBe(0);
    expect(membersOf(manifest, "sales_metrics")).toEqual({
      "measure revenue": "SUM(amount)",
      "measure list_value": "SUM(quantity * items.price)",
      "measure average": "CAST(SUM(amount) AS DOUBLE PRECISION) / NULLIF(COUNT(DISTINCT sale_id), 0)",
      "dimension sale_id": "sale_id",
      "dimension amount": "amount",
      "dimension quantity": "quantity",
      "dimension item_key": "item_key",
      "dimension audited_at": "audited_at",
      "dimension label": "label",
      "time sold_on": "sold_on",
      "time year": "year",
    });
    expect(membersOf(manifest, "returns_metrics")).toMatchObject({ "measure loss": "SUM(cost)" });
    const [sales] = manifest?.models.filter(({ name }) => name === "sales") ?? [];
    expect(sales).toMatchObject({
      tableReference: { catalog: "shop", schema: "public", table: "fact_sales" },
      primaryKey: "sale_id",
    });
    const column = (name: string) => sales?.columns.find((each) => each.name === name);
    expect(column("sold_on")).toEqual({
      name: "sold_on",
      type: "DATE",
      expression: "sold_date",
      properties: { ai_context: { synonyms: ["purchase date"] } },
    });
    expect(column("label")).toMatchObject({ isCalculated: true, expression: "code || '-' || quantity" });
    expect(column("code")).toMatchObject({ isHidden: true });
    expect(manifest?.models.find(({ name }) => name === "returns")).toMatchObject({
      refSql: "SELECT * FROM shop.public.returns WHERE NOT void",
    });
    expect(manifest?.relationships?.map(({ name, joinType }) => [name, joinType])).toEqual([
      ["sales_items", "MANY_TO_ONE"],
      ["returns_items", "MANY_TO_ONE"],
    ]);
  });

  test.each<[object: string, reason: string]>([
    ['field "own" of dataset "sales"', "The expression has neither ANSI_SQL nor ANSI_SQL, only SNOWFLAKE."],
    ['field "cube" of dataset "sales"', "only MDX."],
    ['dataset "sales"', "custom_extensions has no counterpart."],
    ['relationship "wrong"', "from_columns and to_columns are no lists of one length."],
    ['relationship "nowhere"', 'The dataset "nothing" is not imported.'],
    ['metric "margin"', "The metric aggregates several datasets, and a measure is computed over one."],
    ['metric "prices"', "The metric aggregates several datasets, and a measure is computed over one."],
    ['metric "unknown"', "The metric reads sales.nothing, which is no field that is imported."],
    ['metric "rows"', "count(*) names no dataset."],
    ['metric "broken"', "The expression cannot be parsed"],
    ['metric "hidden_query"', "The expression holds a subquery."],
    ['metric "of_tableau"', "only TABLEAU."],
    ['metric "later"', "window is not a known member."],
  ])("%s is in the report", async (object, reason) => {
    const { out } = await imported(SHOP, ["--source", "duckdb", "--format", "json"]);
    const found = remarksOn(object, out);
    expect(found.map((each) => each.reason).join("\n")).toContain(reason);
    for (const each of found) expect(each.line).toBeGreaterThan(1);
  });

  test("the source's own dialect comes first", async () => {
    const { manifest } = await imported(SHOP, ["--source", "snowflake"]);
    const sales = manifest?.models.find(({ name }) => name === "sales");
    expect(sales?.columns.find(({ name }) => name === "own")).toMatchObject({ expression: "IFF(a > 1, 1, 0)" });
  });
});

const RULED = {
  catalog: "retail",
  schema: "public",
  models: [
    {
      name: "orders",
      tableReference: { schema: "s", table: "o" },
      primaryKey: "id",
      columns: [
        { name: "id", type: "INTEGER", notNull: true },
        { name: "total", type: "DECIMAL(10,2)" },
        { name: "secret", type: "VARCHAR", isHidden: true },
        { name: "double_total", type: "DECIMAL(11,2)", isCalculated: true, expression: "total * 2" },
        { name: "customer_id", type: "INTEGER" },
        { name: "customer", type: "customers", relationship: "orders_customers" },
        { name: "at", type: "TIMESTAMP" },
      ],
    },
    {
      name: "customers",
      tableReference: { schema: "s", table: "c" },
      primaryKey: "id",
      columns: [
        { name: "id", type: "INTEGER" },
        { name: "tenant", type: "VARCHAR" },
      ],
      rowLevelAccessControls: [
        { name: "own", requiredProperties: [{ name: "tenant", required: true }], condition: "tenant = @tenant" },
      ],
    },
    {
      name: "shops",
      tableReference: { table: "shops" },
      columns: [{ name: "id", type: "INTEGER" }],
      description: "Shops.",
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
  views: [{ name: "big", statement: "SELECT id FROM orders WHERE total > 10" }],
  cubes: [
    {
      name: "sales",
      baseObject: "orders",
      measures: [
        { name: "revenue", expression: "sum(total)" },
        { name: "of_secret", expression: "max(secret)" },
        { name: "tenants", expression: "count(DISTINCT customer.tenant)" },
      ],
      dimensions: [{ name: "id", expression: "id" }],
      timeDimensions: [{ name: "at", expression: "at" }],
      hierarchies: { all: ["id"] },
    },
  ],
  enumDefinitions: [{ name: "state", values: [{ name: "OPEN", value: "open" }] }],
};

describe("export", () => {
  const exported = async (manifest: object) => {
    const directory = mkdtempSync(join(home, "export-"));
    writeFileSync(join(directory, "m.json"), JSON.stringify(manifest));
    const outcome = await siskin(["export", "ossie", "--manifest", "m.json", "--source", "postgres"], { directory });
    return { ...outcome, directory };
  };

  test("other readers see no rows or columns that a rule or a flag hides", async () => {
    const { code, out, err } = await exported(RULED);
    expect(code).toBe(0);
    const visible = out.slice(0, out.indexOf("custom_extensions"));
    expect(visible).not.toMatch(/secret|tenant|customers/);
    expect(visible).toContain("orders.total");
    expect(visible).toContain("is_time: true");
    expect(err.split("\n").slice(0, -1)).toEqual([
      'note: model "customers" has row rules, which other readers would not apply; it is in the extension alone.',
      'note: relationship "orders_customers" is no equality of columns of two datasets, many to one; it is in the extension alone.',
      'note: measure "of_secret" of cube "sales" reads what other readers do not see; it is in the extension alone.',
      'note: measure "tenants" of cube "sales" reads what other readers do not see; it is in the extension alone.',
      'note: view "big" has no counterpart; it is in the extension alone.',
    ]);
  });

  test("import, export and import give the same manifest", async () => {
    const { directory, out } = await exported(RULED);
    writeFileSync(join(directory, "a.yml"), out);
    const run = (args: readonly string[]) => siskin(args, { directory });
    expect(await run(["import", "ossie", "a.yml", "one", "--source", "postgres"])).toMatchObject({
      code: 0,
      out: "0 refused, 0 left out.\n",
    });
    const one = JSON.parse(readModel({ project: "one" }, directory).manifestText) as Record<string, unknown>;
    for (const member of ["models", "views", "cubes", "relationships", "enumDefinitions", "catalog"] as const) {
      const byName = (list: unknown): unknown =>
        Array.isArray(list)
          ? list.toSorted((a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1))
          : list;
      expect(byName(one[member])).toEqual(byName((RULED as Record<string, unknown>)[member]));
    }
    const again = await run(["export", "ossie", "--project", "one"]);
    writeFileSync(join(directory, "b.yml"), again.out);
    await run(["import", "ossie", "b.yml", "two", "--source", "postgres"]);
    const two = readModel({ project: "two" }, directory).manifestText;
    expect(JSON.parse(two)).toEqual(one);
  });

  test("an import of another tool's file survives the way there and back", async () => {
    const { directory } = await imported(SHOP);
    const run = (args: readonly string[]) => siskin(args, { directory });
    const { out } = await run(["export", "ossie", "--project", "shop"]);
    writeFileSync(join(directory, "back.yml"), out);
    expect(await run(["import", "ossie", "back.yml", "again", "--source", "duckdb"])).toMatchObject({ code: 0 });
    const [before, after] = ["shop", "again"].map((project) => readModel({ project }, directory).manifestText);
    expect(JSON.parse(after ?? "")).toEqual(JSON.parse(before ?? ""));
  });

  test("a changed file whose extension holds rules is refused: they would be lost", async () => {
    const { directory, out } = await exported(RULED);
    writeFileSync(join(directory, "a.yml"), out.replace("name: total", "name: sum"));
    const outcome = await siskin(["import", "ossie", "a.yml", "one", "--source", "postgres"], { directory });
    expect(outcome).toMatchObject({
      code: 1,
      out: expect.stringContaining("The file was changed after siskin export"),
    });
  });
});

test.each<[what: string, text: string, message: string]>([
  ["an anchor", "semantic_model:\n  - &a {name: x, datasets: [*a]}\n", "The alias *a is not read."],
  ["a template", "semantic_model:\n{% for x in y %}\n  - name: x\n{% endfor %}\n", "A template is not evaluated"],
  ["a key twice", "semantic_model: []\nsemantic_model: []\n", "The key is written twice in one object."],
  ["a secret", "semantic_model: []\npassword: hunter2-secret\n", "The project file holds a secret."],
  ["no object", "just a text\n", "holds no object"],
])("%s is refused", async (_, text, message) => {
  const outcome = await runImport({
    home,
    format: "ossie",
    files: { "a.yml": text },
    path: "a.yml",
    args: ["--source", "postgres"],
  });
  expect(outcome).toMatchObject({ code: 1, out: "", err: expect.stringContaining(message), manifest: undefined });
  expect(outcome.err).not.toContain("hunter2");
});

test("5,000 objects, and two of one name", async () => {
  const numbers = Array.from({ length: 50 }, (_, at) => at);
  const fields = numbers.map((at) => field(`f${at}`));
  const datasets = numbers.map((at) => ({ name: `t${at}`, source: `s.t${at}`, fields }));
  const metrics = numbers.flatMap((table) =>
    numbers.map((at) => ({ name: `m${table}_${at}`, expression: ansi(`SUM(t${table}.f${at})`) })),
  );
  const twice = [{ name: "T1", source: "s.other", fields: [] }];
  const outcome = await imported({ name: "large", datasets: [...datasets, ...twice], metrics });
  expect(outcome.err).toBe("Wrote 50 models, 0 relationships and 50 cubes to shop.\n");
  expect(outcome.out).toContain('refused: model "T1": Two objects have the name.');
  expect(outcome.manifest?.cubes?.flatMap(({ measures = [] }) => measures)).toHaveLength(2500);
});
