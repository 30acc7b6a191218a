/**
 * What is planned for SQL Server, on which nothing can be run here: sqlglot reads each statement as T-SQL and says it for
 * DuckDB. The rows are those of the analyst queries, and elsewhere those that DuckDB gives to its own plan, which other suites
 * compare with PostgreSQL's. That shows slips of structure, and not what only the server knows (collations, lengths of
 * decimals, what it refuses).
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type OpenedSource, openDuckDbFiles } from "../../support/sources.ts";
import { answerOf } from "./questions.ts";
import { hasReader } from "./read-back.ts";
import { DIFFERENT, SUITES, textsOf, verdictOf } from "./suites.ts";

if (!hasReader()) test.skip("not run: npm run engines installs sqlglot", () => {});

test.each(SUITES)("of the $name those are refused that are listed", ({ questions, refused }) => {
  const found = questions.filter((question) => "refusal" in answerOf(question));
  expect(found.map(({ name }) => name)).toEqual(refused);
});

describe.skipIf(!hasReader()).each(SUITES)("$name, read back", (suite) => {
  const { questions, refused, directory } = suite;
  let opened: OpenedSource;
  let texts: ReadonlyMap<string, string>;
  beforeAll(async () => {
    opened = await openDuckDbFiles(directory);
    texts = textsOf(suite);
  });
  afterAll(() => opened?.close());

  test.each(questions.filter(({ name }) => !refused.includes(name)))("$name", async (question) => {
    const verdict = await verdictOf(question, texts.get(question.name) ?? "", suite, opened);
    if (Object.hasOwn(DIFFERENT, question.name)) expect(verdict.outcome).not.toBe("right");
    else expect(verdict).toEqual({ outcome: "right" });
  });
});
