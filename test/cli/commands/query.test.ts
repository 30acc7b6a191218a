/** `siskin query --file`: files without any model, in every format of answers. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { siskin } from "../../support/terminal.ts";

let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "siskin-cli-test-"));
  mkdirSync(join(directory, "data"));
  const orders = "Order ID,customer,total,day\n1,Ann,10.5,2024-01-01\n2,Bob,7.25,2024-02-01\n3,Ann,1,2024-02-03\n";
  writeFileSync(join(directory, "data/orders.csv"), orders);
  writeFileSync(join(directory, "data/customers.csv"), "name,country\nAnn,日本\nBob,DE\n");
  writeFileSync(join(directory, "data/jan.json"), '{"n":1}\n{"n":2}\n');
  writeFileSync(join(directory, "data/feb.json"), '{"n":3}\n');
  writeFileSync(join(directory, "data/notes.txt"), "nothing\n");
  writeFileSync(join(directory, "secret.csv"), "a\n1\n");
});
afterAll(() => rmSync(directory, { recursive: true }));

const ask = (args: readonly string[]) => siskin(["query", ...args], { directory });

test("joins two files as a table", async () => {
  const sql =
    "SELECT c.country, sum(o.total) AS revenue FROM orders o JOIN customers c ON c.name = o.customer GROUP BY 1 ORDER BY 2 DESC";
  expect(await ask(["--file", "data/*.csv", sql])).toEqual({
    code: 0,
    err: "",
    out: "country │ revenue\n────────┼────────\n日本    │    11.5\nDE      │    7.25\n",
  });
});

test.each<[format: readonly string[], out: string]>([
  [["--plain"], "order_id\tday\n1\t2024-01-01\n2\t2024-02-01\n"],
  [["--format", "csv"], "order_id,day\r\n1,2024-01-01\r\n2,2024-02-01\r\n"],
  [
    ["--format", "json"],
    '{"columns":["order_id","day"],"data":[[1,"2024-01-01"],[2,"2024-02-01"]],"dtypes":{"order_id":"int64","day":"date32[day]"}}',
  ],
  [
    ["--format", "jsonl"],
    '{"columns":["order_id","day"],"dtypes":{"order_id":"int64","day":"date32[day]"}}\n[1,"2024-01-01"]\n[2,"2024-02-01"]\n{"end":{"rows":2}}\n',
  ],
])("prints %s", async (format, out) => {
  const sql = "SELECT order_id, day FROM orders WHERE order_id < 3 ORDER BY 1";
  expect(await ask(["--file", "data/orders.csv", ...format, sql])).toEqual({ code: 0, out, err: "" });
});

test("prints Arrow", async () => {
  const { code, out } = await ask(["--file", "data/orders.csv", "--format", "arrow", "SELECT order_id FROM orders"]);
  expect(code).toBe(0);
  expect(out.length).toBeGreaterThan(100);
});

test("a pattern with a name is one model", async () => {
  const { out, err } = await ask(["--file", "months=data/*.json", "--plain", "SELECT sum(n) AS n FROM months"]);
  expect({ out, err }).toEqual({ out: "n\n6\n", err: "" });
});

test("control characters of values do not reach the terminal", async () => {
  const { out } = await ask(["--file", "data/orders.csv", "--plain", "SELECT chr(27) || '[2J' AS a, chr(10) AS b"]);
  expect(out).toBe("a\tb\n\\u001b[2J\t\\n\n");
});

test("--save keeps the model, which is valid and answers", async () => {
  const saved = await ask(["--file", "data/orders.csv", "--save", "saved", "SELECT count(*) AS n FROM orders"]);
  expect(saved).toMatchObject({ code: 0, err: "Saved the model in saved.\n" });
  expect(readFileSync(join(directory, "saved/siskin.yml"), "utf8")).toContain("file_root: ../data\n");
  const valid = await siskin(["validate", "--live", "--project", "saved"], { directory });
  expect(valid).toEqual({ code: 0, out: "", err: "saved is valid, and the source agrees.\n" });
  const project = join(directory, "saved/models");
  const again = await siskin(["query", "--plain", "SELECT max(day) AS d FROM orders"], { directory: project });
  expect(again).toEqual({ code: 0, out: "d\n2024-02-03\n", err: "" });
  const twice = await ask(["--file", "data/orders.csv", "--save", "saved", "SELECT 1 AS n"]);
  expect(twice).toMatchObject({ code: 2, out: "", err: expect.stringContaining("is not empty") });
});

describe("only the named files are opened", () => {
  test.each(["SELECT * FROM read_csv('secret.csv')", "SELECT * FROM secret", `SELECT * FROM "../secret.csv"`])(
    "%s",
    async (sql) => {
      expect(await ask(["--file", "data/orders.csv", sql])).toMatchObject({ code: 1, out: "" });
    },
  );

  test("a link that leads out of the directory", async () => {
    symlinkSync(join(directory, "secret.csv"), join(directory, "data/link.csv"));
    expect(await ask(["--file", "data/link.csv", "SELECT * FROM link"])).toMatchObject({ code: 2, out: "" });
    rmSync(join(directory, "data/link.csv"));
  });
});

test.each<[what: string, args: readonly string[], err: RegExp]>([
  ["no file of the name", ["--file", "data/absent.csv", "SELECT 1"], /absent\.csv/],
  ["an unknown ending", ["--file", "data/notes.txt", "SELECT 1"], /notes\.txt: the ending names no format/],
  ["files of other columns", ["--file", "all=data/*.csv", "SELECT 1"], /have other columns/],
  ["a pattern that the shell expanded", ["--file", "data/a.csv", "data/b.csv", "SELECT 1"], /put quotes around/],
  ["an unknown format", ["--file", "data/orders.csv", "--format", "xml", "SELECT 1"], /--format xml is not a format/],
  ["a limit that is none", ["--file", "data/orders.csv", "--limit", "x", "SELECT 1"], /--limit must be an integer/],
  ["a file and a project", ["--file", "data/orders.csv", "--project", ".", "SELECT 1"], /--file needs no model/],
  ["no model at all", ["SELECT 1"], /There is no siskin\.yml/],
])("%s is an error of usage", async (_, args, err) => {
  const outcome = await ask(args);
  expect(outcome).toMatchObject({ code: 2, out: "" });
  expect(outcome.err).toMatch(err);
});

test("a connection with a password is no argument", async () => {
  const args = ["--manifest", join(process.cwd(), "examples/tpch/manifest.json"), "--connection"];
  const outcome = await ask([...args, "postgres://u:hunter2-secret@h/db", "SELECT 1"]);
  expect(outcome.code).toBe(2);
  expect(outcome.err).toContain("--connection takes no URL");
  expect(outcome.err).not.toContain("hunter2");
});

test("a connection's file must be private", async () => {
  const file = join(directory, "connection.json");
  const connection = {
    dataSource: "postgres",
    connectionInfo: { connectionUrl: "postgres://u:hunter2-secret@127.0.0.1:1/db" },
  };
  writeFileSync(file, JSON.stringify(connection), { mode: 0o644 });
  const manifest = ["--manifest", join(process.cwd(), "examples/tpch/manifest.json")];
  const open = await ask([...manifest, "--connection", "connection.json", "SELECT 1"]);
  expect(open).toMatchObject({ code: 2, err: expect.stringContaining("chmod 600 connection.json") });
  rmSync(file);
  writeFileSync(file, JSON.stringify(connection), { mode: 0o600 });
  const closed = await ask([...manifest, "--connection", "connection.json", "SELECT 1 AS a"]);
  expect(closed).toMatchObject({ code: 2, err: expect.stringContaining("HOST_UNREACHABLE") });
  expect(open.err + closed.err).not.toContain("hunter2");
});

test("metadata services of clouds are refused", async () => {
  const environment = { DATABASE_URL: "postgres://u:p@169.254.169.254:5432/db" };
  const manifest = join(process.cwd(), "examples/tpch/manifest.json");
  const outcome = await siskin(["query", "--manifest", manifest, "SELECT 1 AS a"], { directory, environment });
  expect(outcome).toMatchObject({ code: 2, err: expect.stringContaining("EGRESS_DENIED") });
});

test("access rules apply to a session that --as names, and a note says when they do not", async () => {
  const path = join(directory, "ruled.json");
  const manifest = {
    catalog: "c",
    schema: "s",
    dataSource: "LOCAL_FILE",
    models: [
      {
        name: "orders",
        tableReference: { table: "data/orders.csv" },
        columns: [
          { name: "id", type: "INTEGER", expression: '"Order ID"' },
          { name: "customer", type: "VARCHAR" },
          {
            name: "total",
            type: "DOUBLE",
            columnLevelAccessControl: {
              name: "level",
              operator: "GREATER_THAN",
              threshold: "3",
              requiredProperties: [{ name: "level", required: false }],
            },
          },
        ],
        rowLevelAccessControls: [
          { name: "own", condition: "customer = @who", requiredProperties: [{ name: "who", required: true }] },
        ],
      },
    ],
  };
  writeFileSync(path, JSON.stringify(manifest));
  const count = (args: readonly string[]) =>
    siskin(["query", "--manifest", "ruled.json", "--plain", ...args, "SELECT count(*) AS n FROM orders"], {
      directory,
    });
  expect(await count([])).toEqual({
    code: 0,
    out: "n\n3\n",
    err: "note: access rules do not apply, because no session is given. --as NAME=VALUE applies them.\n",
  });
  expect(await count(["--as", "who=Ann"])).toEqual({ code: 0, out: "n\n2\n", err: "" });
  expect(await count(["--as", "who='Bob'"])).toEqual({ code: 0, out: "n\n1\n", err: "" });
  expect(await count(["--as", "level=1"])).toMatchObject({
    code: 1,
    out: "",
    err: expect.stringContaining("SESSION_PROPERTY_REQUIRED"),
  });
  const total = ["query", "--manifest", "ruled.json", "--as", "who=Ann", "--as", "level=1", "SELECT total FROM orders"];
  expect(await siskin(total, { directory })).toMatchObject({ code: 1, out: "" });
});
