/** `siskin diff`: exit codes, what `--allow` accepts, and stored questions whose plan changes. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { siskin } from "../../support/terminal.ts";

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "siskin-diff-"));
  const files = {
    "siskin.yml": "name: shop\ncatalog: shop\nschema: public\ndata_source: postgres\n",
    "models/orders.yml": `name: orders
table_reference: {table: orders}
columns:
  - {name: id, type: INTEGER}
  - {name: tenant, type: VARCHAR}
  - {name: total, type: "DECIMAL(10,2)"}
row_level_access_controls:
  - name: own
    required_properties: [{name: tenant, required: true}]
    condition: tenant = @tenant
`,
    "tests/t.yml": "- {name: sum, sql: SELECT sum(total) AS s FROM orders, as: {tenant: a}, rows: [[1]]}\n",
    "knowledge/sql/largest.sql": "SELECT max(total) AS m FROM orders WHERE tenant = 'a'\n",
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, "a", name)), { recursive: true });
    writeFileSync(join(directory, "a", name), text);
  }
});
afterAll(() => rmSync(directory, { recursive: true }));

/** A copy of the project with texts of a file replaced. */
function changed(name: string, from: string, to: string, file = "models/orders.yml"): string {
  cpSync(join(directory, "a"), join(directory, name), { recursive: true });
  const path = join(directory, name, file);
  const text = readFileSync(path, "utf8");
  expect(text).toContain(from);
  writeFileSync(path, text.replace(from, to));
  return name;
}

const diff = (after: string, args: readonly string[] = []) => siskin(["diff", "a", after, ...args], { directory });

test("equal models", async () => {
  expect(await diff("a")).toEqual({ code: 0, out: "The models mean the same.\n", err: "" });
});

test("a loosened rule needs --allow", async () => {
  const after = changed("loose", "tenant = @tenant", "tenant = @tenant OR total > 1");
  const found = await diff(after);
  expect(found.code).toBe(1);
  expect(found.out).toContain(
    'loosened   condition of row rule "own" of model "orders" changed: tenant = @tenant → tenant = @tenant OR total > 1\n',
  );
  expect(found.err).toContain("The change is loosened.");
  expect(await diff(after, ["--allow", "loosened"])).toMatchObject({ code: 0, err: "" });
  expect(await diff(after, ["--allow", "breaking"])).toMatchObject({ code: 1 });
});

test("a breaking change, and the questions that it breaks", async () => {
  const after = changed("gone", '  - {name: total, type: "DECIMAL(10,2)"}\n', "");
  const found = await diff(after);
  expect(found.code).toBe(1);
  expect(found.out).toContain('breaking   column "total" of model "orders" removed\n');
  expect(found.out).toContain("breaking   question tests/t.yml: sum is refused now: COLUMN_NOT_FOUND");
  expect(await diff(after, ["--allow", "loosened"])).toMatchObject({ code: 1 });
  expect(await diff(after, ["--allow", "breaking"])).toMatchObject({ code: 0 });
});

test("a question whose columns change their type", async () => {
  const found = await diff(changed("typed", "DECIMAL(10,2)", "DOUBLE PRECISION"));
  expect(found.out).toMatch(/breaking {3}question tests\/t\.yml: sum has other columns: s numeric[^\n]* → s double/);
});

test("another table is other SQL", async () => {
  const found = await diff(changed("table", "table: orders", "table: orders_2"), ["--format", "json"]);
  const { changes, questions } = JSON.parse(found.out) as { changes: object[]; questions: object[] };
  expect(changes).toEqual([
    {
      object: 'tableReference of model "orders"',
      member: "table",
      how: "changed",
      class: "breaking",
      before: "orders",
      after: "orders_2",
    },
  ]);
  expect(questions).toContainEqual({ name: "tests/t.yml: sum", class: "compatible", message: "is sent as other SQL" });
});

test("a model beside the rule reads the same table", async () => {
  cpSync(join(directory, "a"), join(directory, "around"), { recursive: true });
  const text = "name: everything\ntable_reference: {table: orders}\ncolumns:\n  - {name: id, type: INTEGER}\n";
  writeFileSync(join(directory, "around/models/everything.yml"), text);
  const found = await diff("around");
  expect(found.code).toBe(1);
  expect(found.out).toContain('compatible model "everything" added');
  expect(found.out).toMatch(/^loosened {3}.*everything/m);
});

test("a compatible change", async () => {
  const found = await diff(
    changed("note", "  - {name: id, type: INTEGER}", "  - {name: id, type: INTEGER, description: The key.}"),
  );
  expect(found).toEqual({
    code: 0,
    out: 'compatible description of column "id" of model "orders" added: The key.\n',
    err: "",
  });
});

describe("project.json", () => {
  const pointer = (name: string, manifest: string, sql = "SELECT sum(total) AS s FROM orders"): string => {
    const questions = { revenue: { sql }, one: { sql: "SELECT id FROM orders WHERE id = $1", parameters: [1] } };
    const json = { version: 1, name: "shop", manifest, connection: "warehouse", questions };
    mkdirSync(join(directory, name), { recursive: true });
    writeFileSync(join(directory, name, "project.json"), JSON.stringify(json));
    return name;
  };

  test("its questions are planned over both models, without a session", async () => {
    changed("gone-2", '  - {name: total, type: "DECIMAL(10,2)"}\n', "");
    const before = pointer("before", "../a");
    const found = await siskin(["diff", before, pointer("after", "../gone-2")], { directory });
    expect(found.code).toBe(1);
    expect(found.out).toContain('breaking   column "total" of model "orders" removed\n');
    expect(found.out).toContain("breaking   question project.json: revenue is refused now: COLUMN_NOT_FOUND");
    expect(found.out).not.toContain("project.json: one");
    expect(await siskin(["diff", "before/project.json", "before"], { directory })).toMatchObject({ code: 0 });
  });

  test("its questions count, too, where it stands in a project folder", async () => {
    cpSync(join(directory, "a"), join(directory, "folder"), { recursive: true });
    pointer("folder", ".");
    const renamed = changed("typed-2", "DECIMAL(10,2)", "DOUBLE PRECISION");
    const found = await siskin(["diff", "folder", renamed, "--format", "json"], { directory });
    const { questions } = JSON.parse(found.out) as { questions: { name: string }[] };
    expect(questions.map(({ name }) => name).toSorted()).toEqual([
      "knowledge/sql/largest.sql",
      "project.json: revenue",
      "tests/t.yml: sum",
    ]);
  });

  test("a wrong one has its position", async () => {
    pointer("wrong", "../a", "");
    const found = await siskin(["diff", "wrong", "a"], { directory });
    expect(found).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringMatching(/^wrong\/project\.json:1:\d+: error: questions\.revenue\.sql/),
    });
  });
});

test.each<[args: readonly string[], err: RegExp]>([
  [["diff", "a"], /takes two models/],
  [["diff", "a", "absent"], /absent does not exist/],
  [["diff", "a", "a", "--allow", "all"], /the classes are breaking and loosened/],
  [["diff", "a", "a", "--format", "xml"], /--format is text or json/],
])("%j is an error of usage", async (args, err) => {
  const outcome = await siskin(args, { directory });
  expect(outcome).toMatchObject({ code: 2, out: "" });
  expect(outcome.err).toMatch(err);
});
