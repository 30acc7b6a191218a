/**
 * What is planned for SQL Server, on which nothing can be run here: sqlglot reads each statement as T-SQL and says it for
 * DuckDB. The rows are those of the analyst queries, and elsewhere those that DuckDB gives to its own plan, which other suites
 * compare with PostgreSQL's. That shows slips of structure, and not what only the server knows (collations, lengths of
 * decimals, what it refuses).
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Manifest } from "../../../src/planner/index.ts";
import { ANALYST_QUERIES } from "../../parity/analyst.ts";
import { ask, askAsWritten, judgeAgainst, judgeRows, type Verdict } from "../../parity/judge.ts";
import { REFUSED_BY_MSSQL } from "../../parity/refused/mssql.ts";
import { manifestOf } from "../../support/plan.ts";
import { type OpenedSource, openDuckDbFiles } from "../../support/sources.ts";
import { tryLoadTpc } from "../tpc.ts";
import { plainModels } from "../tpc-tables.ts";
import {
  analystQuestions,
  answerOf,
  benchmarkQuestions,
  constructQuestions,
  EXAMPLES,
  functionQuestions,
  type Question,
} from "./questions.ts";
import { hasReader, readBack, WHOLE_QUOTIENTS } from "./read-back.ts";

const AVERAGES = "averages and quotients of decimals are doubles on DuckDB, and decimals on SQL Server";
const DAYS = "a date with days added is a timestamp on DuckDB, and a date on SQL Server";

/** What DuckDB answers otherwise to the statement that is read back, and why that is no fault of the statement. */
const DIFFERENT: Readonly<Record<string, string>> = {
  "SELECT a / b = 0.1 AS e, a / b >= 0.1 AS g, a / b IN (0.1, 0.2) AS i, a / b BETWEEN 0.1 AND 0.7 AS w FROM (VALUES (0.7::decimal(10,2), 7::decimal(10,2)), (0.3, 3), (2.1, 3)) AS t(a, b)":
    AVERAGES,
  "SELECT round((SELECT avg(x) FROM (VALUES (1.00::decimal(10,2)), (1.01)) AS t(x)), 2) AS a, round((SELECT 123456789012345678.125::decimal(30,3)), 2) AS b":
    AVERAGES,
  "SELECT round(avg(x), 2) AS a, round(sum(x) / count(*), 2) AS b FROM (VALUES (1.00::decimal(10,2)), (1.01)) AS t(x)":
    AVERAGES,
  'SELECT "ROUND"(avg(x), 2) AS a, pg_catalog.round(avg(x), 2) AS b FROM (VALUES (1.00::decimal(10,2)), (1.01)) AS t(x)':
    AVERAGES,
  "SELECT id, d + 1 AS a, d - 60 AS b FROM (VALUES (1, DATE '2024-02-29', TIMESTAMP '2024-02-29 23:59:59.123456'), (2, DATE '2023-12-31', TIMESTAMP '2023-12-31 00:00:00'), (3, NULL, NULL), (4, DATE '1969-12-29', TIMESTAMP '1969-12-31 12:30:00'), (5, DATE '2021-01-03', TIMESTAMP '2021-01-03 05:06:07')) AS t(id, d, ts) ORDER BY id":
    DAYS,
  "SELECT DATE '2024-02-28' + 2 AS a, 3 + DATE '2024-02-28' AS b": DAYS,
  "SELECT id, d + (id * 10) AS a FROM (VALUES (1, DATE '2024-02-29', TIMESTAMP '2024-02-29 23:59:59.123456'), (2, DATE '2023-12-31', TIMESTAMP '2023-12-31 00:00:00'), (3, NULL, NULL), (4, DATE '1969-12-29', TIMESTAMP '1969-12-31 12:30:00'), (5, DATE '2021-01-03', TIMESTAMP '2021-01-03 05:06:07')) AS t(id, d, ts) ORDER BY id":
    DAYS,
  "SELECT count(x), sum(x), avg(x), min(x), max(x), any_value(x) FROM (VALUES (1),(2),(NULL)) t(x)":
    "any value is any: the greatest here",
};

if (!hasReader()) test.skip("not run: npm run engines installs sqlglot", () => {});

interface Suite {
  readonly name: string;
  readonly questions: readonly Question[];
  readonly refused: readonly string[];
  readonly directory: string;
  /** The same models as DuckDB's. */
  readonly reference: Manifest;
}

const withoutTables = manifestOf({ catalog: "c", schema: "s", models: [] });
const outcome = tryLoadTpc();
const benchmarks =
  "notRun" in outcome
    ? []
    : ([
        ["TPC-H", outcome.corpus.tpch, REFUSED_BY_MSSQL.tpch],
        ["TPC-DS", outcome.corpus.tpcds, REFUSED_BY_MSSQL.tpcds],
      ] as const);

const SUITES: readonly Suite[] = [
  {
    name: "constructs",
    questions: constructQuestions(),
    refused: REFUSED_BY_MSSQL.constructs,
    directory: EXAMPLES,
    reference: withoutTables,
  },
  {
    name: "functions",
    questions: functionQuestions(),
    refused: REFUSED_BY_MSSQL.functions,
    directory: EXAMPLES,
    reference: withoutTables,
  },
  ...benchmarks.map(([name, benchmark, refused]) => ({
    name,
    questions: benchmarkQuestions(benchmark),
    refused,
    directory: benchmark.data,
    reference: manifestOf(plainModels(benchmark.tables, (table) => ({ table: `${table}.parquet` }))),
  })),
];

const planned = (questions: readonly Question[], refused: readonly string[]): readonly Question[] =>
  questions.filter(({ name }) => !refused.includes(name));

/** Statements by their questions, as DuckDB's. */
function textsOf(questions: readonly Question[]): ReadonlyMap<string, string> {
  const statements = questions.map((question) => {
    const answer = answerOf(question);
    return "statement" in answer ? answer.statement : "SELECT 1 AS refused";
  });
  const texts = readBack(statements);
  return new Map(questions.map(({ name }, index) => [name, texts[index] ?? ""]));
}

const EVERY_SUITE: readonly Pick<Suite, "name" | "questions" | "refused">[] = [
  { name: "analyst queries", questions: analystQuestions(), refused: REFUSED_BY_MSSQL.analyst },
  ...SUITES,
];

test.each(EVERY_SUITE)("of the $name those are refused that are listed", ({ questions, refused }) => {
  const found = questions.filter((question) => "refusal" in answerOf(question));
  expect(found.map(({ name }) => name)).toEqual(refused);
});

describe.skipIf(!hasReader())("analyst queries, read back", () => {
  const questions = planned(analystQuestions(), REFUSED_BY_MSSQL.analyst);
  let opened: OpenedSource;
  let texts: ReadonlyMap<string, string>;
  beforeAll(async () => {
    opened = await openDuckDbFiles(EXAMPLES);
    texts = textsOf(questions);
  });
  afterAll(() => opened?.close());

  test.each(questions)("$name", async ({ name }) => {
    const { expected, ordered } = ANALYST_QUERIES.find(({ id }) => id === name)!;
    const answer = await askAsWritten(texts.get(name) ?? "", opened, WHOLE_QUOTIENTS);
    expect("outcome" in answer ? answer : judgeRows(answer, expected, ordered)).toEqual({ outcome: "right" });
  });
});

describe.skipIf(!hasReader()).each(SUITES)("$name, read back", ({ questions, refused, directory, reference }) => {
  const asked = planned(questions, refused);
  let opened: OpenedSource;
  let texts: ReadonlyMap<string, string>;
  beforeAll(async () => {
    opened = await openDuckDbFiles(directory);
    texts = textsOf(asked);
  });
  afterAll(() => opened?.close());

  test.each(asked)("$name", async ({ name, sql }) => {
    const expected = await ask(sql, reference, "local_file", opened);
    const answer = await askAsWritten(texts.get(name) ?? "", opened, WHOLE_QUOTIENTS);
    const verdict: Verdict =
      "outcome" in expected
        ? expected
        : "outcome" in answer
          ? answer
          : judgeAgainst(expected, answer, { ordered: false, json: "value" });
    if (Object.hasOwn(DIFFERENT, name)) expect(verdict.outcome).not.toBe("right");
    else expect(verdict).toEqual({ outcome: "right" });
  });
});
