/** Columns that the manifest declares and files lack: an error or a warning, the same in both places. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DeclaredColumn, Scan, SqlType } from "../../../src/planner/plan.ts";
import { makeWith } from "../../sidecar/duckdb/fixtures.ts";
import { type BothEngines, openBoth, outcomeOf, type Question } from "./both-engines.ts";

const INTEGER: SqlType = { kind: "integer", bits: 32 };
const declare = (...names: string[]): readonly DeclaredColumn[] => names.map((name) => ({ name, type: INTEGER }));
const reading = (...columns: string[]): readonly Scan[] => [{ columns, filters: [] }];
const IN_2024: Scan["filters"] = [{ column: "year", operator: "=", values: [{ kind: "number", text: "2024" }] }];

const PARQUET: Readonly<Record<string, string>> = {
  "one.parquet": "SELECT 1 AS id, 2 AS discont",
  "some/b.parquet": "SELECT 2 AS id, 5 AS discount",
  "some/c.parquet": "SELECT 3 AS id",
  "none/a.parquet": "SELECT 1 AS id",
  "none/b.parquet": "SELECT 2 AS id",
  "years/year=2023/a.parquet": "SELECT 1 AS id",
  "years/year=2024/b.parquet": "SELECT 2 AS id, 5 AS discount",
};

let both: BothEngines;
beforeAll(async () => {
  both = await openBoth({
    "one.csv": "id,discont\n1,2\n",
    "many.csv": `id,${Array.from({ length: 40 }, (_, at) => `c${at}`).join(",")}\n`,
    "some/a.csv": "id\n1\n",
    "some/b.csv": "id,discount\n2,5\n",
    "none/a.csv": "id\n1\n",
    "none/b.csv": "id,x\n2,3\n",
    "none/c.csv": "",
    "years/year=2023/a.csv": "id\n1\n",
    "years/year=2024/b.csv": "id,discount\n2,5\n",
    "one.json": '{"id":1,"discont":2}\n{"id":2}\n',
    "some.json": '{"id":1}\n{"id":2,"discount":5}\n',
    "empty.json": "",
  });
  await makeWith(
    Object.entries(PARQUET).map(([name, sql]) => `COPY (${sql}) TO '${both.ground.root}/${name}' (FORMAT parquet)`),
  );
});
afterAll(() => both.close());

async function outcomes(path: string, question: Question) {
  const whole: Question = { infersOthers: true, declared: declare("id", "discount"), ...question };
  return [await outcomeOf(both.native, path, whole), await outcomeOf(both.wasm, path, whole)] as const;
}

const select = (path: string, columns: string): string => `SELECT ${columns} FROM "${path}" ORDER BY 1`;

describe("a column that no file has", () => {
  it.each(["one.csv", "one.parquet"])("is an error with near names: %s", async (path) => {
    const [native, wasm] = await outcomes(path, { sql: select(path, "discount"), scans: reading("discount") });
    expect(native).toMatchObject({
      reason: "COLUMN_NOT_FOUND",
      message: `The file "${path}" has no column "discount", which the manifest declares.`,
      hint: expect.stringMatching(/^Did you mean "discont"\? Name the column in the manifest as the file does/),
    });
    expect(wasm).toEqual(native);
  });

  it.each(["none/*.csv", "none/*.parquet"])("is an error of a pattern: %s", async (path) => {
    const [native, wasm] = await outcomes(path, { sql: select(path, "discount"), scans: reading("discount") });
    expect(native).toMatchObject({
      reason: "COLUMN_NOT_FOUND",
      message: expect.stringContaining(`No file of "${path}"`),
    });
    expect(wasm).toEqual(native);
  });

  it.each(["one.csv", "one.parquet", "none/*.csv", "none/*.parquet", "one.json"])(
    "is nothing where the statement does not read it: %s",
    async (path) => {
      const [native, wasm] = await outcomes(path, { sql: select(path, "id"), scans: reading("id") });
      expect(native).not.toHaveProperty("warnings");
      expect(native).toHaveProperty("rows");
      expect(wasm).toEqual(native);
    },
  );

  it("shows no names of the file under an access rule", async () => {
    const asked = { sql: select("one.csv", "discount"), scans: reading("discount"), infersOthers: undefined };
    const { infersOthers: _, ...ruled } = asked;
    const whole = { declared: declare("id", "discount"), ...ruled };
    const native = await outcomeOf(both.native, "one.csv", whole);
    expect(native).toMatchObject({ reason: "COLUMN_NOT_FOUND" });
    expect(JSON.stringify(native)).not.toContain('discont"');
    expect(JSON.stringify(native)).not.toContain("Did you mean");
    expect(await outcomeOf(both.wasm, "one.csv", whole)).toEqual(native);
  });

  it("lists at most thirty names", async () => {
    const [native] = await outcomes("many.csv", { sql: select("many.csv", "discount"), scans: reading("discount") });
    expect(native).toMatchObject({ hint: expect.stringMatching(/"c0", .*"c29" and 10 more\. Name the column/) });
  });

  it("is a warning where nothing says which columns the statement reads", async () => {
    const [native, wasm] = await outcomes("one.csv", { sql: select("one.csv", "id, discount") });
    expect(native).toMatchObject({
      rows: [[1, null]],
      warnings: [{ code: "FILE_COLUMN_MISSING", message: expect.stringContaining('No file of "one.csv"') }],
    });
    expect(wasm).toEqual(native);
  });
});

describe("a column that some files have", () => {
  it("is NULL in the rows of the others, with a warning: CSV", async () => {
    const path = "some/*.csv";
    const question = { sql: select(path, "id, discount"), scans: reading("id", "discount") };
    const [native, wasm] = await outcomes(path, question);
    expect(native).toMatchObject({
      rows: [
        [1, null],
        [2, 5],
      ],
      warnings: [
        {
          code: "FILE_COLUMN_MISSING",
          message: 'Some files of "some/*.csv" have no column "discount": it is NULL in their rows.',
        },
      ],
    });
    expect(wasm).toEqual(native);
  });

  it("is NULL in the rows of the others, with a warning: Parquet", async () => {
    const path = "some/*.parquet";
    const question = { sql: select(path, "id, discount"), scans: reading("id", "discount") };
    const [native, wasm] = await outcomes(path, question);
    expect(native).toMatchObject({
      rows: [
        [2, 5],
        [3, null],
      ],
      warnings: [{ message: 'Some files of "some/*.parquet" have no column "discount": it is NULL in their rows.' }],
    });
    expect(wasm.reason).toBe("NEEDS_SIDECAR");
  });

  it.each(["csv", "parquet"])("counts files that directories rule out for nothing: %s", async (extension) => {
    const path = `years/*/*.${extension}`;
    const sql = `SELECT id, discount FROM "${path}" WHERE year = 2024`;
    const scans: readonly Scan[] = [{ columns: ["id", "discount", "year"], filters: IN_2024 }];
    const [native, wasm] = await outcomes(path, { sql, scans, declared: declare("id", "discount", "year") });
    expect(native).toMatchObject({ rows: [[2, 5]] });
    expect(native).not.toHaveProperty("warnings");
    expect(wasm).toEqual(native);
  });

  it.each(["csv", "parquet"])("is a warning where another directory may have it: %s", async (extension) => {
    const path = `years/*/*.${extension}`;
    const sql = `SELECT id, discount FROM "${path}" WHERE year = 2023`;
    const [{ operator, column }] = IN_2024 as [Scan["filters"][number]];
    const filters: Scan["filters"] = [{ column, operator, values: [{ kind: "number", text: "2023" }] }];
    const scans: readonly Scan[] = [{ columns: ["id", "discount", "year"], filters }];
    const [native, wasm] = await outcomes(path, { sql, scans, declared: declare("id", "discount", "year") });
    expect(native).toMatchObject({ rows: [[1, null]], warnings: [{ code: "FILE_COLUMN_MISSING" }] });
    expect(wasm).toEqual(native);
  });
});

describe("a member of JSON", () => {
  it("that no record has is NULL, with a warning", async () => {
    const question = { sql: select("one.json", "id, discount"), scans: reading("id", "discount") };
    const [native, wasm] = await outcomes("one.json", question);
    expect(native).toMatchObject({
      rows: [
        [1, null],
        [2, null],
      ],
      warnings: [
        {
          message: expect.stringContaining('"one.json" has the member "discount"'),
          hint: expect.stringContaining('Did you mean "discont"?'),
        },
      ],
    });
    expect(wasm).toEqual(native);
  });

  it.each(["some.json", "empty.json"])("needs no warning: %s", async (path) => {
    const [native] = await outcomes(path, { sql: select(path, "id, discount"), scans: reading("id", "discount") });
    expect(native).not.toHaveProperty("warnings");
  });

  it("whose type nobody declares, and that no record has, is an error", async () => {
    const declared: readonly DeclaredColumn[] = [{ name: "discount", type: { kind: "decimal" } }];
    const question = { declared, sql: select("one.json", "discount"), scans: reading("discount") };
    const [native, wasm] = await outcomes("one.json", question);
    expect(native).toMatchObject({ reason: "COLUMN_NOT_FOUND" });
    expect(wasm).toEqual(native);
  });
});
