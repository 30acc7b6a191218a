import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { manifestOf } from "../support/plan.ts";
import { type OpenedSource, openDuckDbFiles, openPostgres } from "../support/sources.ts";
import { CONSTRUCTS } from "./constructs.ts";
import { ask, judgeAgainst } from "./judge.ts";
import { questionsOf, titled } from "./queries.ts";
import { isRefusedOn } from "./refused/refused-on.ts";

const manifest = manifestOf({ catalog: "c", schema: "s", models: [] });
const EXAMPLES = fileURLToPath(new URL("../../examples", import.meta.url));

let postgres: OpenedSource;
let duckdb: OpenedSource;

beforeAll(async () => {
  [postgres, duckdb] = await Promise.all([openPostgres(), openDuckDbFiles(EXAMPLES)]);
});
afterAll(async () => {
  await Promise.all([postgres.close(), duckdb.close()]);
});

describe.each(Object.entries(CONSTRUCTS))("%s", (construct, queries) => {
  const questions = questionsOf(construct, queries);
  test("has at least three queries", () => expect(questions.length).toBeGreaterThanOrEqual(3));

  test.each(titled(questions))("%s", async (name, { sql }) => {
    const reference = await ask(sql, manifest, "postgres", postgres);
    if ("outcome" in reference) throw new Error(`PostgreSQL: ${reference.outcome}: ${reference.detail}`);
    const answer = await ask(sql, manifest, "local_file", duckdb);
    const verdict = "outcome" in answer ? answer : judgeAgainst(reference, answer);
    if (isRefusedOn("duckdb", name)) {
      expect(verdict).toMatchObject({ outcome: "refused", detail: expect.stringMatching(/^UNSUPPORTED_ON_SOURCE/) });
    } else expect(verdict).toEqual({ outcome: "right" });
  });
});
