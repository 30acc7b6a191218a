/**
 * The same cases with the same answers, planned for Trino and run on it, or refused as its list says. Several are asked at once,
 * before they are judged one by one.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { statementOf } from "../../src/planner/plan.ts";
import { REFUSED_BY_TRINO } from "../parity/refused/trino.ts";
import { readCells } from "../support/canonical-cells.ts";
import { copyIntoTrino, openTrinoSchema, type TrinoTestSchema } from "../support/trino.ts";
import { hasTrino, WITHOUT_TRINO } from "../support/trino-server.ts";
import { type Engine, FIXTURES, planOf, problemWith, QUERY_CASES, type Spelling } from "./cases.ts";

const ROW_CASES = QUERY_CASES.filter(({ expected }) => expected.type === "rows");
const AT_ONCE = 6;

const refused = new Set(REFUSED_BY_TRINO.acceptance);

/** DuckDB reads the fixtures, whose SQL is its own. */
async function fill({ run }: TrinoTestSchema): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "siskin-cases-"));
  const instance = await DuckDBInstance.create(":memory:");
  const duckdb = await instance.connect();
  try {
    await duckdb.run(FIXTURES);
    const names = (await duckdb.runAndReadAll("SELECT table_name FROM duckdb_tables()")).getRows().map(String);
    const files = names.map((name) => ({ name, file: join(directory, `${name}.parquet`) }));
    for (const { name, file } of files) await duckdb.run(`COPY "${name}" TO '${file}' (FORMAT parquet)`);
    await copyIntoTrino(run, files);
  } finally {
    duckdb.closeSync();
    instance.closeSync();
    await rm(directory, { recursive: true });
  }
}

describe.skipIf(!hasTrino())(hasTrino() ? "Trino" : WITHOUT_TRINO, () => {
  let schema: TrinoTestSchema;
  let engine: Engine;
  /** By the case's id; what is thrown counts as a problem. */
  const problems = new Map<string, string | undefined>();
  const answered = new Set<string>();

  beforeAll(async () => {
    schema = await openTrinoSchema();
    await fill(schema);
    const spellings: readonly Spelling[] = [["the schema", /\bmain\b(?="|\.)/g, schema.name]];
    engine = { source: "trino", scaleOfValues: true, spellings, run: () => Promise.reject(new Error("not run")) };
    let next = 0;
    const worker = async (): Promise<void> => {
      for (let each = QUERY_CASES[next++]; each !== undefined; each = QUERY_CASES[next++]) {
        const { id } = each;
        if (refused.has(id)) continue;
        const own: Engine = {
          ...engine,
          run: async (plan) => {
            const options = { signal: new AbortController().signal, timeoutMs: 60_000 };
            const { rows } = await readCells(await schema.connector.query(statementOf(plan), options));
            answered.add(id);
            return rows;
          },
        };
        problems.set(
          id,
          await problemWith(each, own).catch((error: Error) => `${error.message}\n${planOf(each, engine).sql}`),
        );
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  });

  afterAll(() => schema?.close());

  describe.each([...new Set(QUERY_CASES.map(({ topic }) => topic))])("%s", (topic) => {
    test.each(QUERY_CASES.filter((each) => each.topic === topic))("$id $title", (each) => {
      if (refused.has(each.id)) {
        expect(() => planOf(each, engine)).toThrow(expect.objectContaining({ reason: "UNSUPPORTED_ON_SOURCE" }));
        return;
      }
      expect(problems.get(each.id)).toBeUndefined();
      if (each.expected.type === "rows") expect(answered).toContain(each.id);
    });
  });

  test("of a hundred cases that have rows, ninety-five and more are answered", () => {
    expect(ROW_CASES.filter(({ id }) => answered.has(id)).length / ROW_CASES.length).toBeGreaterThanOrEqual(0.95);
  });
});
