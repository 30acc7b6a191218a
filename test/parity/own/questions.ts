/** Questions for a user's own account, compared with PostgreSQL's answers or with committed rows. */
import { oneByOne } from "../../engines/turns.ts";
import { manifestOf, type PlanSettings } from "../../support/plan.ts";
import { randomQuery } from "../../support/random-query.ts";
import type { OpenedSource } from "../../support/sources.ts";
import { ANALYST_QUERIES } from "../analyst.ts";
import { CAST_QUERIES } from "../casts.ts";
import {
  type Answer,
  ask,
  askAsWritten,
  judgeAgainst,
  judgeBeside,
  judgeRows,
  type NoAnswer,
  raisedAsRefused,
  type Verdict,
} from "../judge.ts";
import type { Question } from "../queries.ts";
import { CONSTRUCT_QUESTIONS, FUNCTION_QUESTIONS } from "../questions.ts";
import { randomStatement, SUBJECTS } from "../random/statements.ts";
import type { Account } from "./account.ts";
import { manifestIn } from "./tables.ts";

export interface OwnSuite {
  readonly name: string;
  readonly questions: readonly OwnQuestion[];
}

export interface OwnQuestion {
  readonly name: string;
  /** Undefined where there is nothing to compare with. */
  readonly verdict: () => Promise<Verdict | undefined>;
}

export interface Asking {
  readonly account: Account;
  readonly opened: OpenedSource;
  /** PostgreSQL. */
  readonly reference: OpenedSource;
  /** Where the tables of the analyst queries are; without it they are not asked. */
  readonly schema: string | undefined;
  /** So many of each subject, and ten times as many queries of all. */
  readonly random: number;
}

const WITHOUT_TABLES = manifestOf({ catalog: "c", schema: "s", models: [] });
/** Collations order texts otherwise than code points do, which the expected rows are in. */
const SETTINGS: PlanSettings = { textOrder: "code points" };

export function ownSuites({ account, opened, reference, schema, random }: Asking): readonly OwnSuite[] {
  const { source } = account;
  /** PostgreSQL's connection takes one statement after another. */
  const inOrder = oneByOne();
  const answered = (sql: string): Promise<Answer | NoAnswer> => ask(sql, WITHOUT_TABLES, source, opened, SETTINGS);
  /** Beside PostgreSQL's answer to its plan: what it raises is raised or refused. */
  const beside = ({ name, sql }: Question): OwnQuestion => ({
    name,
    verdict: async () => {
      const wanted = await inOrder(() => ask(sql, WITHOUT_TABLES, "postgres", reference));
      const answer = await answered(sql);
      return judgeBeside(wanted, "outcome" in wanted ? answer : raisedAsRefused(answer), {
        ordered: isOrdered(sql),
        json: "value",
      });
    },
  });
  /** Against PostgreSQL's answer to the text as it is; what it raises has no one meaning. */
  const against = (sql: string, ordered: boolean): OwnQuestion => ({
    name: sql,
    verdict: async () => {
      const wanted = await inOrder(() => askAsWritten(sql, reference));
      if ("outcome" in wanted) return undefined;
      const answer = raisedAsRefused(await answered(sql));
      return "outcome" in answer ? answer : judgeAgainst(wanted, answer, { ordered, json: "value" });
    },
  });
  const suites: readonly OwnSuite[] = [
    { name: "constructs", questions: CONSTRUCT_QUESTIONS.map(beside) },
    { name: "functions", questions: FUNCTION_QUESTIONS.map(beside) },
    { name: "casts", questions: CAST_QUERIES.map(({ sql }) => against(sql, false)) },
    { name: "random queries", questions: seeds(random * 10).map((seed) => against(randomQuery(seed), true)) },
    {
      name: "random statements",
      questions: SUBJECTS.flatMap((subject) =>
        seeds(random).map((seed) => {
          const { sql, ordered } = randomStatement(subject, seed);
          return against(sql, ordered);
        }),
      ),
    },
  ];
  if (schema === undefined) return suites;
  const manifest = manifestOf(manifestIn(source, schema));
  const analyst = ANALYST_QUERIES.map(
    ({ id, title, sql, ordered, expected: rows }): OwnQuestion => ({
      name: `${id} ${title}`,
      verdict: async () => {
        const answer = await ask(sql, manifest, source, opened, SETTINGS);
        return "outcome" in answer ? answer : judgeRows(answer, rows, ordered);
      },
    }),
  );
  return [{ name: "analyst queries", questions: analyst }, ...suites];
}

const seeds = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);

/** Otherwise rows come as the engine likes. */
const isOrdered = (sql: string): boolean => /\bORDER BY [^()]*$/i.test(sql);
