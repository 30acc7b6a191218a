/** Project folders: what is read, and the file, line and column of every fault. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FaultsInFiles } from "../../../cli/exit.ts";
import { faultText } from "../../../cli/output/faults.ts";
import { readFolder } from "../../../cli/project/folder.ts";

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "siskin-folder-"));
});
afterAll(() => rmSync(directory, { recursive: true }));

type Files = Readonly<Record<string, string>>;

function folder(files: Files): string {
  const path = mkdtempSync(join(directory, "p-"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), text);
  }
  return path;
}

function faults(files: Files): string {
  try {
    readFolder(folder(files), "p");
  } catch (error) {
    if (error instanceof FaultsInFiles) return error.faults.map(faultText).join("");
    throw error;
  }
  return "";
}

const SISKIN = "name: shop\ncatalog: shop\nschema: public\ndata_source: postgres\nconnection: env:DATABASE_URL\n";
const ORDERS =
  "name: orders\ntable_reference:\n  schema: public\n  table: orders\ncolumns:\n  - name: id\n    type: INTEGER\n";

test("a folder is one manifest, with members as JSON spells them", () => {
  const model = readFolder(
    folder({
      "siskin.yml": `${SISKIN}enum_definitions:\n  - name: Status\n    values:\n      - name: OPEN\n`,
      "models/orders/metadata.yml": `${ORDERS}    not_null: true
    properties:
      snake_name: kept
primary_key: id
unique_keys: [[id]]
row_level_access_controls:
  - name: own
    required_properties:
      - name: tenant
        required: true
        default_expr: "'none'"
    condition: id = @tenant
`,
      "models/totals/metadata.yml": "name: totals\ncolumns:\n  - name: n\n    type: BIGINT\n",
      "models/totals/ref_sql.sql": "SELECT count(*) AS n FROM raw.orders;\n",
      "views/open/metadata.yml": "name: open\nstatement: SELECT 1\n",
      "cubes/sales.yml":
        "name: sales\nbase_object: orders\nmeasures:\n  - name: n\n    expression: count(*)\ntime_dimensions: []\n",
      "relationships.yml":
        "relationships:\n  - name: r\n    models: [orders, totals]\n    join_type: MANY_TO_ONE\n    condition: orders.id = totals.n\n",
      "knowledge/rules.md": "# Rules\n",
    }),
    "p",
  );
  expect(JSON.parse(model.manifestText)).toEqual({
    layoutVersion: 4,
    catalog: "shop",
    schema: "public",
    enumDefinitions: [{ name: "Status", values: [{ name: "OPEN" }] }],
    models: [
      {
        name: "orders",
        tableReference: { schema: "public", table: "orders" },
        columns: [{ name: "id", type: "INTEGER", notNull: true, properties: { snake_name: "kept" } }],
        primaryKey: "id",
        uniqueKeys: [["id"]],
        rowLevelAccessControls: [
          {
            name: "own",
            requiredProperties: [{ name: "tenant", required: true, defaultExpr: "'none'" }],
            condition: "id = @tenant",
          },
        ],
      },
      { name: "totals", columns: [{ name: "n", type: "BIGINT" }], refSql: "SELECT count(*) AS n FROM raw.orders" },
    ],
    views: [{ name: "open", statement: "SELECT 1" }],
    cubes: [
      { name: "sales", baseObject: "orders", measures: [{ name: "n", expression: "count(*)" }], timeDimensions: [] },
    ],
    relationships: [
      { name: "r", models: ["orders", "totals"], joinType: "MANY_TO_ONE", condition: "orders.id = totals.n" },
    ],
  });
  expect(model).toMatchObject({ source: "postgres", connection: "env:DATABASE_URL" });
  expect(model.positionOf('column "id" of model "orders"')).toMatchObject({
    line: 6,
    column: 11,
    text: "  - name: id",
  });
  expect(model.positionOf('measure "n" of cube "sales"')).toMatchObject({ file: "p/cubes/sales.yml", line: 4 });
  expect(model.positionOf('relationship "r"')).toMatchObject({ file: "p/relationships.yml", line: 2, column: 11 });
});

test("a folder of Wren loads as it is", () => {
  const model = readFolder(
    folder({
      "wren_project.yml":
        'schema_version: 3\nname: my_project\nversion: "1.0"\ncatalog: wren\nschema: public\ndata_source: postgres\nprofile: dev\nanything: else\n',
      "models/orders/metadata.yml":
        'name: orders\ntable_reference:\n  catalog: ""\n  schema: public\n  table: orders\ncolumns:\n  - name: order_id\n    type: INTEGER\n    is_calculated: false\n    not_null: true\n    is_primary_key: true\n    properties: {}\ncached: false\nproperties: {}\n',
      "views/top/metadata.yml": "name: top\nproperties:\n  description: Best\n",
      "views/top/sql.yml": "statement: >\n  SELECT order_id\n  FROM orders\n",
      "instructions.md": "## Rules\n",
    }),
    "p",
  );
  expect(JSON.parse(model.manifestText)).toMatchObject({
    catalog: "wren",
    models: [
      { name: "orders", primaryKey: "order_id", columns: [{ name: "order_id", isCalculated: false, notNull: true }] },
    ],
    views: [{ name: "top", statement: "SELECT order_id FROM orders\n" }],
  });
  expect(model.manifestText).not.toContain("isPrimaryKey");
});

describe("faults have a file, a line and a caret", () => {
  test.each<[what: string, files: Files, text: string]>([
    [
      "a key that is written twice",
      { "siskin.yml": SISKIN, "models/a/metadata.yml": "name: a\nname: b\n" },
      "p/models/a/metadata.yml:2:1: error: The key is written twice in one object.\n 2 | name: b\n   | ^\n",
    ],
    [
      "an alias",
      { "siskin.yml": `${SISKIN}description: &a x\nproperties: {b: *a}\n` },
      "p/siskin.yml:7:17: error: The alias *a is not read.\n 7 | properties: {b: *a}\n   |                 ^\n  hint: Write the value out.\n",
    ],
    ["a tag", { "siskin.yml": `${SISKIN}description: !!js/function 'x'\n` }, "p/siskin.yml:6:"],
    ["a text that is no YAML", { "siskin.yml": "name: [a\ncatalog: b\n" }, "p/siskin.yml:"],
    [
      "a member that siskin.yml does not have",
      { "siskin.yml": `${SISKIN}catalogue: x\n` },
      "p/siskin.yml:6:12: error: catalogue is not a member of siskin.yml.\n 6 | catalogue: x\n   |            ^\n  hint: Did you mean catalog?\n",
    ],
    [
      "a source that is none",
      { "siskin.yml": "data_source: postgrez\n" },
      "p/siskin.yml:1:14: error: data_source is not",
    ],
    [
      "a connection in the project",
      { "siskin.yml": "connection: {host: h}\n" },
      "p/siskin.yml:1:13: error: connection must be a reference.",
    ],
    [
      "relationships that are no list",
      { "siskin.yml": SISKIN, "relationships.yml": "relationships: x\n" },
      "p/relationships.yml:1:16: error: relationships must be a list.",
    ],
    ["a list in the place of a model", { "siskin.yml": SISKIN, "models/a.yml": "- name: a\n" }, "must hold an object."],
  ])("%s", (_, files, text) => {
    expect(faults(files)).toContain(text);
  });

  test("all files are read before the faults are reported", () => {
    const text = faults({ "siskin.yml": "x: 1\n", "models/a.yml": "a: 1\na: 2\n", "models/b.yml": "b: [\n" });
    expect(text.match(/error:/g)?.length).toBeGreaterThanOrEqual(3);
  });

  test.each([
    "password: hunter2-x",
    "properties:\n  api_key: hunter2-x",
    "description: see postgres://u:hunter2-x@h/db",
    "properties:\n  list:\n    - {token: hunter2-x}",
  ])("a secret is refused and not shown: %s", (text) => {
    const found = faults({ "siskin.yml": `${SISKIN}${text}\n` });
    expect(found).toContain("The project file holds a secret.");
    expect(found).not.toContain("hunter2");
  });
});

describe("hostile YAML", () => {
  test("aliases that stand for gigabytes", () => {
    const levels = Array.from(
      { length: 12 },
      (_, at) => `a${at + 1}: &a${at + 1} [${Array(9).fill(`*a${at}`).join(", ")}]`,
    );
    expect(faults({ "siskin.yml": `a0: &a0 [x]\n${levels.join("\n")}\n` })).toContain("The alias *a0 is not read.");
  });

  test.each([
    ["brackets", "[".repeat(100_000)],
    ["objects", "{a: ".repeat(50_000)],
    ["lists in a line", `${"- ".repeat(5000)}x`],
    ["indentation", Array.from({ length: 3000 }, (_, at) => `${" ".repeat(at)}a:`).join("\n")],
  ])("%s that nest deeply", (_, text) => {
    expect(faults({ "siskin.yml": text })).toContain("nests deeper than 200 levels");
  });

  test("members of prototypes are plain names", () => {
    const files = { "siskin.yml": SISKIN, "models/a.yml": "name: a\n__proto__: {columns: []}\nconstructor: x\n" };
    const [model] = (JSON.parse(readFolder(folder(files), "p").manifestText) as { models: object[] }).models;
    expect(Object.keys(model ?? {}).sort()).toEqual(["__proto__", "constructor", "name"]);
    expect(({} as Record<string, unknown>)["columns"]).toBeUndefined();
  });
});
