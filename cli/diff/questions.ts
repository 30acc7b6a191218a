/** Stored questions planned over both models: which fail, which have other columns, and which are sent as other SQL. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { DataSource, Plan } from "../../src/planner/plan.ts";
import { describeType } from "../../src/planner/types.ts";
import { ServiceError } from "../../src/service/failure.ts";
import { planStatement, type Question } from "../../src/service/planning.ts";
import type { Services } from "../../src/service/services.ts";
import { sessionFrom } from "../options.ts";
import type { Model } from "../project/types.ts";
import { callContext } from "../source/local-services.ts";
import { withoutRules } from "../source/operator-rights.ts";
import { readQuestions } from "../testing/golden.ts";
import type { ChangeClass } from "./members.ts";
import type { Side } from "./pointer-questions.ts";

export interface QuestionChange {
  readonly name: string;
  readonly class: ChangeClass;
  readonly message: string;
}

interface StoredQuestion {
  readonly name: string;
  readonly question: Question;
  readonly session: ReadonlyMap<string, string>;
}

/** Golden questions of `tests/*.yml`, examples of `knowledge/sql/*.sql`, and questions of `project.json`. Throws `FaultsInFiles`. */
export function storedQuestions({ model, questions }: Side): readonly StoredQuestion[] {
  const published = questions.map(({ name, sql, parameters }): StoredQuestion => {
    const question = { sql, ...(parameters !== undefined && { parameters }) };
    return { name: `project.json: ${name}`, question, session: new Map() };
  });
  return [...published, ...(model.isFolder ? folderQuestions(model) : [])];
}

function folderQuestions({ directory, origin }: Model): readonly StoredQuestion[] {
  const golden = readQuestions(directory, origin).map(({ question, file }): StoredQuestion => {
    const { name, sql, cube, parameters, as } = question;
    const session = (Array.isArray(as) ? as[0] : as) as Readonly<Record<string, unknown>> | undefined;
    const asked = sql === undefined ? { cube } : { sql };
    return {
      name: `${file.replace(/^.*(?=tests\/)/, "")}: ${name}`,
      question: { ...asked, ...(parameters !== undefined && { parameters }) } as Question,
      session: sessionFrom(session ?? {}),
    };
  });
  const folder = join(directory, "knowledge/sql");
  const examples = existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith(".sql"))
        .sort()
    : [];
  return [
    ...golden,
    ...examples.map((name): StoredQuestion => {
      const sql = readFileSync(join(folder, name), "utf8");
      return { name: `knowledge/sql/${name}`, question: { sql }, session: new Map() };
    }),
  ];
}

interface Sides {
  readonly before: string;
  readonly after: string;
  readonly source: DataSource;
}

export function questionChanges(
  services: Services,
  { before, after, source }: Sides,
  questions: readonly StoredQuestion[],
): readonly QuestionChange[] {
  return questions.flatMap((stored): readonly QuestionChange[] => {
    const { name } = stored;
    const [old, next] = [planned(services, before, source, stored), planned(services, after, source, stored)];
    if (old.plan === undefined) return [];
    if (next.plan === undefined) return [{ name, class: "breaking", message: `is refused now: ${next.problem}` }];
    if (columnsOf(old.plan) !== columnsOf(next.plan)) {
      return [
        { name, class: "breaking", message: `has other columns: ${columnsOf(old.plan)} → ${columnsOf(next.plan)}` },
      ];
    }
    return old.plan.sql === next.plan.sql ? [] : [{ name, class: "compatible", message: "is sent as other SQL" }];
  });
}

const columnsOf = ({ columns }: Plan): string =>
  columns.map(({ name, type }) => `${name} ${describeType(type)}`).join(", ");

function planned(
  services: Services,
  manifestStr: string,
  source: DataSource,
  { question, session }: Pick<StoredQuestion, "question" | "session">,
): { readonly plan?: Plan; readonly problem?: string } {
  try {
    const context = callContext({ session });
    return { plan: planStatement(services, context, { operation: "dryPlan", source, manifestStr, ...question }).plan };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    // A stored question has the session of its caller, which is not known: its plan without rules is compared.
    const open = withoutRules(manifestStr);
    const lacksSession = session.size === 0 && error.reason === "SESSION_PROPERTY_REQUIRED" && open !== manifestStr;
    return lacksSession
      ? planned(services, open, source, { question, session })
      : { problem: `${error.reason}: ${error.message}` };
  }
}
