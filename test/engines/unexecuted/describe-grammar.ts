/** Every statement that is planned for a source on which nothing can be run is one to a grammar that shares nothing with the planner. */
import { beforeAll, describe, expect, test } from "vitest";
import { SHARE } from "../../support/share.ts";
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

/** One in so many of the long ones; `GRAMMAR=all` judges them all, and `npm run parity` does. With `test/support/share.ts` fewer of all. */
const ALL = process.env["GRAMMAR"] === "all";
const LONG = 8;

export interface Judged {
  /** Texts that the grammar must accept and reject, so that its verdict on a statement is meaningful. */
  readonly taken: readonly string[];
  readonly notTaken: readonly string[];
  /** One in so many of the others, where the grammar is slow, and of the long ones one in so many of those that are asked. */
  readonly every?: number;
  /** All of them, where the grammar is quick. */
  readonly all?: true;
  /** Queries that it wrongly rejects, by name, with the reason. */
  readonly wronglyRejected: Readonly<Record<string, string>>;
}

export function describeGrammar(
  own: Unexecuted,
  grammar: Grammar,
  { taken, notTaken, wronglyRejected, every = 1, all }: Judged,
): void {
  if (!grammar.isThere()) test.skip("not run: npm run engines installs the grammar", () => {});

  describe.skipIf(!grammar.isThere())("the grammar", { timeout: 600_000 }, () => {
    let judge: Judge;
    beforeAll(() => {
      judge = grammar.open();
    });

    test("takes queries", () => expect(faultsOf(judge, taken)).toEqual(taken.map((sql) => [sql, undefined])));

    test("does not take anything else", () =>
      expect(faultsOf(judge, notTaken).filter(([, fault]) => fault === undefined)).toEqual([]));

    const isWhole = ALL || all === true;
    const some = (questions: readonly Question[]): readonly Question[] =>
      isWhole ? questions : questions.filter((_, index) => index % (every * SHARE) === 0);
    const long = isWhole ? 1 : LONG * every * SHARE;
    const { tpch, tpcds } = tpcQuestions(own);
    test.each<[string, readonly Question[]]>([
      ["analyst queries", some(analystQuestions(own))],
      ["constructs", some(constructQuestions(own))],
      ["functions", some(functionQuestions(own))],
      ["TPC-H", some(tpch)],
      ["TPC-DS", tpcds.filter((_, index) => index % long === 0)],
      ["corpus", corpusQuestions(own).filter(({ name }, index) => index % long === 0 || name in wronglyRejected)],
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
