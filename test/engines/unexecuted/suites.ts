/** Test suites for statements that are only planned, and their expected answers: see `describe.ts`. */
import type { Manifest } from "../../../src/planner/index.ts";
import { ANALYST_QUERIES } from "../../parity/analyst.ts";
import { ask, askAsWritten, judgeAgainst, judgeRows, type Verdict } from "../../parity/judge.ts";
import { isRefusedOn } from "../../parity/refused/refused-on.ts";
import { manifestOf } from "../../support/plan.ts";
import { type OpenedSource, openDuckDbFiles } from "../../support/sources.ts";
import { tryLoadTpc } from "../tpc.ts";
import { plainModels } from "../tpc-tables.ts";
import {
  analystQuestions,
  benchmarkQuestions,
  constructQuestions,
  EXAMPLES,
  functionQuestions,
  type PlannedQuestion,
  plannedQuestions,
  type Question,
  type Unexecuted,
} from "./questions.ts";
import { readBack, WHOLE_QUOTIENTS } from "./read-back.ts";

export interface Suite {
  readonly name: string;
  readonly questions: readonly Question[];
  readonly refused: readonly string[];
  readonly directory: string;
  /** Says its statements for DuckDB. */
  readonly script: URL;
  /** The same models as DuckDB's; the analyst queries have rows of their own. */
  readonly reference: Manifest | undefined;
}

const WITHOUT_TABLES = manifestOf({ catalog: "c", schema: "s", models: [] });
const outcome = tryLoadTpc();

/** Names of questions; those of constructs and functions are in `test/parity/refused/matrix.ts`. */
export type Refused = Readonly<Record<"analyst" | "tpch" | "tpcds", readonly string[]>>;

/** The suites of a source, and its rejected statements. */
export function suitesOf(own: Unexecuted, refused: Refused, script: URL): readonly Suite[] {
  const common = { directory: EXAMPLES, script };
  const { source } = own;
  const tableless = (name: string, questions: readonly Question[]): Suite => ({
    ...common,
    name,
    questions,
    refused: questions.flatMap((question) => (isRefusedOn(source, question.name) ? [question.name] : [])),
    reference: WITHOUT_TABLES,
  });
  const suites: readonly Suite[] = [
    {
      ...common,
      name: "analyst queries",
      questions: analystQuestions(own),
      refused: refused.analyst,
      reference: undefined,
    },
    tableless("constructs", constructQuestions(own)),
    tableless("functions", functionQuestions(own)),
  ];
  if ("notRun" in outcome) return suites;
  const { tpch, tpcds } = outcome.corpus;
  const benchmarks = [["TPC-H", tpch, refused.tpch] as const, ["TPC-DS", tpcds, refused.tpcds] as const];
  return [
    ...suites,
    ...benchmarks.map(([name, benchmark, ofBenchmark]) => ({
      name,
      script,
      questions: benchmarkQuestions(own, benchmark),
      refused: ofBenchmark,
      directory: benchmark.data,
      reference: manifestOf(plainModels(benchmark.tables, (table) => ({ table: `${table}.parquet` }))),
    })),
  ];
}

/** A planned statement as DuckDB's, and the columns that its plan means. */
export interface Text {
  readonly text: string;
  readonly columns: PlannedQuestion["columns"];
}

/** The planned statements by their questions. */
export function textsOf({ questions, script }: Suite): ReadonlyMap<string, Text> {
  const planned = plannedQuestions(questions);
  const texts = readBack(
    script,
    planned.map(({ statement }) => statement),
  );
  return new Map(planned.map(({ name, columns }, index) => [name, { text: texts[index] ?? "", columns }]));
}

/** The verdict on a statement that is read back. */
export async function verdictOf(
  { name, sql }: Question,
  { text, columns }: Text,
  { reference }: Suite,
  opened: OpenedSource,
): Promise<Verdict> {
  const answer = await askAsWritten(text, opened, WHOLE_QUOTIENTS, [], columns);
  if ("outcome" in answer) return answer;
  if (reference !== undefined) {
    const expected = await ask(sql, reference, "local_file", opened);
    return "outcome" in expected ? expected : judgeAgainst(expected, answer, { ordered: false, json: "value" });
  }
  const query = ANALYST_QUERIES.find(({ id }) => id === name);
  if (query === undefined) throw new TypeError(`${name} has no rows`);
  return judgeRows(answer, query.expected, query.ordered);
}

/** How many statements of a suite are right when they are read back, and how many are not for a reason that is told. */
export async function countsOf(
  suite: Suite,
  different: Readonly<Record<string, string>>,
): Promise<{ readonly right: number; readonly explained: number }> {
  const opened = await openDuckDbFiles(suite.directory);
  const texts = textsOf(suite);
  let right = 0;
  let explained = 0;
  for (const question of suite.questions) {
    const text = texts.get(question.name);
    if (text === undefined) continue;
    const { outcome } = await verdictOf(question, text, suite, opened);
    if (outcome === "right") right++;
    else if (Object.hasOwn(different, question.name)) explained++;
  }
  await opened.close();
  return { right, explained };
}
