/** What SQL Server's statements are asked by, and what their answers are compared with: see `read-back.test.ts`. */
import type { Manifest } from "../../../src/planner/index.ts";
import { ANALYST_QUERIES } from "../../parity/analyst.ts";
import { ask, askAsWritten, judgeAgainst, judgeRows, type Verdict } from "../../parity/judge.ts";
import { REFUSED_BY_MSSQL } from "../../parity/refused/mssql.ts";
import { manifestOf } from "../../support/plan.ts";
import type { OpenedSource } from "../../support/sources.ts";
import { tryLoadTpc } from "../tpc.ts";
import { plainModels } from "../tpc-tables.ts";
import {
  analystQuestions,
  benchmarkQuestions,
  constructQuestions,
  EXAMPLES,
  functionQuestions,
  plannedQuestions,
  type Question,
} from "./questions.ts";
import { readBack, WHOLE_QUOTIENTS } from "./read-back.ts";

const AVERAGES = "averages and quotients of decimals are doubles on DuckDB, and decimals on SQL Server";
const DAYS = "a date with days added is a timestamp on DuckDB, and a date on SQL Server";

/** What DuckDB answers otherwise to the statement that is read back, and why that is no fault of the statement. */
export const DIFFERENT: Readonly<Record<string, string>> = {
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
  "SELECT substring(s FROM n FOR 2) AS a FROM (VALUES ('hello', 1), ('hello', 0), ('hello', -1), ('hello', NULL)) AS t(s, n) ORDER BY n":
    "a start before the text is counted from its end on DuckDB",
};

export interface Suite {
  readonly name: string;
  readonly questions: readonly Question[];
  readonly refused: readonly string[];
  readonly directory: string;
  /** The same models as DuckDB's; the analyst queries have rows of their own. */
  readonly reference: Manifest | undefined;
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

export const SUITES: readonly Suite[] = [
  {
    name: "analyst queries",
    questions: analystQuestions(),
    refused: REFUSED_BY_MSSQL.analyst,
    directory: EXAMPLES,
    reference: undefined,
  },
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

/** The planned statements by their questions, as DuckDB's. */
export function textsOf({ questions }: Suite): ReadonlyMap<string, string> {
  const planned = plannedQuestions(questions);
  const texts = readBack(planned.map(({ statement }) => statement));
  return new Map(planned.map(({ name }, index) => [name, texts[index] ?? ""]));
}

/** Of a statement that is read back. */
export async function verdictOf(
  { name, sql }: Question,
  text: string,
  { reference }: Suite,
  opened: OpenedSource,
): Promise<Verdict> {
  const answer = await askAsWritten(text, opened, WHOLE_QUOTIENTS);
  if ("outcome" in answer) return answer;
  if (reference !== undefined) {
    const expected = await ask(sql, reference, "local_file", opened);
    return "outcome" in expected ? expected : judgeAgainst(expected, answer, { ordered: false, json: "value" });
  }
  const query = ANALYST_QUERIES.find(({ id }) => id === name);
  if (query === undefined) throw new TypeError(`${name} has no rows`);
  return judgeRows(answer, query.expected, query.ordered);
}
