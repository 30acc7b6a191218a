/** `siskin test`: asks the golden questions of a project, each in its sessions, and compares the answers. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { ServiceError } from "../../src/service/failure.ts";
import { planStatement } from "../../src/service/planning.ts";
import { query } from "../../src/service/query.ts";
import { type ExitCode, type Fault, UsageError } from "../exit.ts";
import { CONNECTION_OPTIONS, MODEL_OPTIONS, readArguments, sessionFrom } from "../options.ts";
import { writeAnswer } from "../output/answer.ts";
import { describeError } from "../output/faults.ts";
import { progress } from "../output/progress.ts";
import type { GivenConnection } from "../source/connection.ts";
import { callContext, type LocalServices, localServices } from "../source/local-services.ts";
import type { Terminal } from "../terminal.ts";
import { type Answer, failuresOf } from "../testing/compare.ts";
import { type LocatedQuestion, readQuestions } from "../testing/golden.ts";
import { type QuestionResult, reportNamed, reportOf } from "../testing/report.ts";
import { overSeeds, type SeededModel } from "../testing/seeds.ts";
import { connectionNeeded, openWorkspace, redacted } from "./context.ts";

const OPTIONS = {
  ...MODEL_OPTIONS,
  ...CONNECTION_OPTIONS,
  seeds: { type: "boolean", default: false },
  format: { type: "string", short: "f", default: "text" },
  only: { type: "string" },
} as const;

interface Bench {
  readonly services: LocalServices;
  readonly manifestText: string;
  readonly connection: GivenConnection;
  /** Present where `seeds/` stands in for the source. */
  readonly seeded?: SeededModel;
}

export async function testCommand(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { values } = readArguments(args, OPTIONS);
  const format = reportNamed(values.format);
  const workspace = openWorkspace(values, terminal);
  const { model } = workspace;
  const questions = readQuestions(model.directory, model.origin).filter(
    ({ question }) => values.only === undefined || question.name.includes(values.only),
  );
  if (questions.length === 0) throw new UsageError(`${model.origin} has no tests to run: write tests/*.yml.`);
  const hasSeeds = existsSync(join(model.directory, "seeds")) && readdirSync(join(model.directory, "seeds")).length > 0;
  const usesSeeds = values.seeds || (hasSeeds && values.connection === undefined && workspace.connection === undefined);
  if (values.seeds && !hasSeeds) throw new UsageError(`${model.origin} has no seeds: write seeds/*.csv.`);
  const bench = usesSeeds
    ? seededBench(model)
    : { ...workspace, manifestText: model.manifestText, connection: connectionNeeded(workspace) };
  const results: QuestionResult[] = [];
  const bar = progress(terminal, questions.length);
  try {
    for (const located of questions) {
      bar.step(located.question.name);
      const { as } = located.question;
      for (const session of as === undefined ? [undefined] : Array.isArray(as) ? as : [as]) {
        results.push(await resultOf(located, session as QuestionResult["session"], bench));
      }
    }
  } catch (error) {
    const { text, code } = describeError(error);
    bar.end();
    terminal.err(redacted(text));
    return code;
  } finally {
    await bench.services.close();
  }
  bar.end();
  await terminal.out(redacted(reportOf(results, format)));
  return results.every(({ faults }) => faults.length === 0) ? 0 : 1;
}

function seededBench(model: { readonly directory: string; readonly manifestText: string }): Bench {
  const seeded = overSeeds(model.manifestText, model.directory);
  const connection = { source: "local_file", connectionInfo: { url: "/", format: "csv" } } as const;
  return { services: localServices(model.directory), manifestText: seeded.manifestText, connection, seeded };
}

async function resultOf(
  located: LocatedQuestion,
  session: QuestionResult["session"],
  bench: Bench,
): Promise<QuestionResult> {
  const begun = performance.now();
  const faults = await faultsOf(located, sessionFrom(session ?? {}), bench);
  const { question, file } = located;
  return { name: question.name, file, session, faults, milliseconds: Math.round(performance.now() - begun) };
}

/** Throws errors of the environment: an unreachable source is no fault of a model. */
async function faultsOf(
  { question, at }: LocatedQuestion,
  session: ReadonlyMap<string, string>,
  bench: Bench,
): Promise<readonly Fault[]> {
  const { sql, cube, error: wanted, equals_sql: other, parameters } = question;
  try {
    const asked = sql === undefined ? { cube } : { sql };
    const answer = await answerTo({ ...asked, ...(parameters !== undefined && { parameters }) }, session, bench);
    if (wanted !== undefined) {
      const message = `The question is answered with ${answer.rows.length} rows instead of the error ${wanted}.`;
      return [{ message, at: at(["error"]) }];
    }
    const compared = other === undefined ? undefined : await answerTo({ sql: other }, session, bench);
    return failuresOf(question, answer, compared).map(({ message, path }) => ({ message, at: at(path) }));
  } catch (error) {
    if (error instanceof NeedsConnection)
      return [{ message: error.message, at: at([sql === undefined ? "cube" : "sql"]) }];
    if (!(error instanceof ServiceError) || describeError(error).code === 2) throw error;
    if (error.reason === wanted) return [];
    const expected = wanted === undefined ? "" : ` instead of ${wanted}`;
    return [{ message: `${error.reason}${expected}: ${error.message}`, at: at([sql === undefined ? "cube" : "sql"]) }];
  }
}

class NeedsConnection extends Error {}

type Asked = (
  | { readonly sql: string; readonly cube?: undefined }
  | { readonly cube: unknown; readonly sql?: undefined }
) & { readonly parameters?: readonly unknown[] };

async function answerTo(asked: Asked, session: ReadonlyMap<string, string>, bench: Bench): Promise<Answer> {
  const { services, manifestText: manifestStr, connection, seeded } = bench;
  const closing: Promise<unknown>[] = [];
  const context = callContext({ session, defer: (work) => closing.push(work.catch(() => undefined)) });
  if (seeded !== undefined) {
    const planning = { operation: "explain", source: connection.source, manifestStr, ...asked } as const;
    const refusal = seeded.refusal(planStatement(services, context, planning).plan.reads());
    if (refusal !== undefined) throw new NeedsConnection(`${refusal.slice(0, 1).toUpperCase()}${refusal.slice(1)}.`);
  }
  const { rows } = await query(services, context, { ...asked, ...connection, manifestStr });
  const parts: Uint8Array[] = [];
  await writeAnswer(rows, "json", { isPlain: false, out: async (part) => void parts.push(Buffer.from(part)) });
  await Promise.all(closing);
  const text = Buffer.concat(parts).toString();
  const { columns, data } = JSON.parse(text) as { readonly columns: readonly string[]; readonly data: Answer["rows"] };
  return { columns, rows: data };
}
