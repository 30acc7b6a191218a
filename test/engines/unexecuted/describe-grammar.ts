/** Every statement that is planned for a source on which nothing can be run is one to a grammar that shares nothing with the planner. */
import { beforeAll, describe, expect, test } from "vitest";
import type { Grammar, Judge } from "./grammar.ts";
import {
  analystQuestions,
  constructQuestions,
  corpusQuestions,
  functionQuestions,
  plannedQuestions,
  type Question,
  tpcQuestions,
  type Unexecuted,
} from "./questions.ts";

/** One in so many of the long ones; `GRAMMAR=all` judges them all, and `npm run parity` does. */
const SHARE = process.env["GRAMMAR"] === "all" ? 1 : 8;

export interface Judged {
  /** What the grammar has to take and not to take, so that its word on a statement means something. */
  readonly taken: readonly string[];
  readonly notTaken: readonly string[];
  /** What it takes for no query though it is one, and why, by the names of questions. */
  readonly wronglyRejected: Readonly<Record<string, string>>;
}

export function describeGrammar(own: Unexecuted, grammar: Grammar, { taken, notTaken, wronglyRejected }: Judged): void {
  if (!grammar.isThere()) test.skip("not run: npm run engines installs the grammar", () => {});

  describe.skipIf(!grammar.isThere())("the grammar", { timeout: 600_000 }, () => {
    let judge: Judge;
    beforeAll(() => {
      judge = grammar.open();
    });

    test("takes queries", () => expect(faultsOf(judge, taken)).toEqual(taken.map((sql) => [sql, undefined])));

    test("does not take anything else", () =>
      expect(faultsOf(judge, notTaken).filter(([, fault]) => fault === undefined)).toEqual([]));

    const { tpch, tpcds } = tpcQuestions(own);
    test.each<[string, readonly Question[]]>([
      ["analyst queries", analystQuestions(own)],
      ["constructs", constructQuestions(own)],
      ["functions", functionQuestions(own)],
      ["TPC-H", tpch],
      ["TPC-DS", tpcds.filter((_, index) => index % SHARE === 0)],
      ["corpus", corpusQuestions(own).filter(({ name }, index) => index % SHARE === 0 || name in wronglyRejected)],
    ])("%s", (_suite, questions) => {
      const asked = plannedQuestions(questions);
      const faults = judge(asked.map(({ statement }) => statement));
      const unexpected = asked.flatMap(({ name, statement }, index) => {
        const fault = faults[index];
        return (fault !== undefined) === Object.hasOwn(wronglyRejected, name) ? [] : [{ name, fault, statement }];
      });
      expect(unexpected).toEqual([]);
    });
  });
}

const faultsOf = (judge: Judge, statements: readonly string[]): readonly (readonly [string, string | undefined])[] => {
  const faults = judge(statements);
  return statements.map((sql, index) => [sql, faults[index]]);
};
