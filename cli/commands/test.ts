/**
 * `siskin test`: asks the golden questions of a project, each in its sessions, and compares the answers. The project's connection
 * answers, or `seeds/*.csv`, or with `--url` a running service.
 */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { type ExitCode, type Fault, UsageError } from "../exit.ts";
import { CONNECTION_OPTIONS, MODEL_OPTIONS, readArguments } from "../options.ts";
import { progress } from "../output/progress.ts";
import { readModel } from "../project/model.ts";
import type { Model } from "../project/types.ts";
import { RemoteProject } from "../service/remote-project.ts";
import { readPrivateText } from "../source/private-text.ts";
import type { Terminal } from "../terminal.ts";
import { type Bench, Refusal, type Session } from "../testing/bench.ts";
import { failuresOf } from "../testing/compare.ts";
import { type LocatedQuestion, readQuestions } from "../testing/golden.ts";
import { localBench, seededBench } from "../testing/local-bench.ts";
import { remoteBench } from "../testing/remote-bench.ts";
import { type QuestionResult, reportNamed, reportOf } from "../testing/report.ts";
import { connectionNeeded, openWorkspace, redacted, redactSecret, reportFailure } from "./context.ts";

const OPTIONS = {
  ...MODEL_OPTIONS,
  ...CONNECTION_OPTIONS,
  seeds: { type: "boolean", default: false },
  format: { type: "string", short: "f", default: "text" },
  only: { type: "string" },
  url: { type: "string" },
  key: { type: "string" },
} as const;

type Values = ReturnType<typeof readArguments<typeof OPTIONS>>["values"];

export async function testCommand(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { values } = readArguments(args, OPTIONS);
  const format = reportNamed(values.format);
  const { model, bench } = await openBench(values, terminal);
  const questions = readQuestions(model.directory, model.origin).filter(
    ({ question }) => values.only === undefined || question.name.includes(values.only),
  );
  if (questions.length === 0) throw new UsageError(`${model.origin} has no tests to run: write tests/*.yml.`);
  const results: QuestionResult[] = [];
  const bar = progress(terminal, questions.length);
  try {
    for (const located of questions) {
      bar.step(located.question.name);
      const { as } = located.question;
      for (const session of as === undefined ? [undefined] : Array.isArray(as) ? as : [as]) {
        results.push(await resultOf(located, session as Session, bench));
      }
    }
  } catch (error) {
    bar.end();
    return reportFailure(error, terminal);
  } finally {
    await bench.close();
  }
  bar.end();
  await terminal.out(redacted(reportOf(results, format)));
  return results.every(({ faults }) => faults.length === 0) ? 0 : 1;
}

/** The side that answers. Throws `UsageError`. */
async function openBench(
  values: Values,
  terminal: Terminal,
): Promise<{ readonly model: Model; readonly bench: Bench }> {
  if (values.url !== undefined) {
    if (values.seeds || values.connection !== undefined) {
      throw new UsageError("--url asks a service: leave out --seeds and --connection.");
    }
    const project = new RemoteProject({ url: values.url, token: tokenOf(values.key, terminal) });
    const model = readModel(values, terminal.directory);
    const warning = await project.versionWarning();
    if (warning !== undefined) terminal.err(`warning: ${warning}\n`);
    return { model, bench: remoteBench(project) };
  }
  if (values.key !== undefined) throw new UsageError("--key is the key of a service: name the service by --url.");
  const workspace = openWorkspace(values, terminal);
  const { model } = workspace;
  const seeds = join(model.directory, "seeds");
  const hasSeeds = existsSync(seeds) && readdirSync(seeds).length > 0;
  if (values.seeds && !hasSeeds) throw new UsageError(`${model.origin} has no seeds: write seeds/*.csv.`);
  if (values.seeds || (hasSeeds && values.connection === undefined && workspace.connection === undefined)) {
    return { model, bench: seededBench(model) };
  }
  const { manifestText } = model;
  return { model, bench: localBench({ ...workspace, manifestText, connection: connectionNeeded(workspace) }) };
}

/** The key of `--key`, or of the variable SISKIN_TOKEN. Throws `UsageError`. */
function tokenOf(reference: string | undefined, terminal: Terminal): string | undefined {
  if (reference !== undefined && /^[\w-]+\.[\w-]+\.[\w-]+$/.test(reference)) {
    throw new UsageError(
      "--key takes no token: other users see arguments. Set SISKIN_TOKEN, or name a file of mode 0600.",
    );
  }
  const given = reference === undefined ? undefined : readPrivateText(reference, terminal.directory, terminal);
  given?.assertPrivate();
  const token = (given?.text ?? terminal.environment["SISKIN_TOKEN"] ?? "").trim();
  if (token === "") return undefined;
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new UsageError("The key must be one line of ASCII characters without blanks.");
  redactSecret(token);
  return token;
}

async function resultOf(located: LocatedQuestion, session: Session, bench: Bench): Promise<QuestionResult> {
  const begun = performance.now();
  const faults = await faultsOf(located, session, bench);
  const { question, file } = located;
  return { name: question.name, file, session, faults, milliseconds: Math.round(performance.now() - begun) };
}

/** Throws errors of the environment: an unreachable source is no fault of a model. */
async function faultsOf({ question, at }: LocatedQuestion, session: Session, bench: Bench): Promise<readonly Fault[]> {
  const { sql, cube, error: wanted, equals_sql: other, parameters } = question;
  try {
    const asked = sql === undefined ? { cube } : { sql };
    const answer = await bench.answer({ ...asked, ...(parameters !== undefined && { parameters }) }, session);
    if (wanted !== undefined) {
      const message = `The question is answered with ${answer.rows.length} rows instead of the error ${wanted}.`;
      return [{ message, at: at(["error"]) }];
    }
    const compared = other === undefined ? undefined : await bench.answer({ sql: other }, session);
    return failuresOf(question, answer, compared).map(({ message, path }) => ({ message, at: at(path) }));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { reason, message } = error;
    const path = [sql === undefined ? "cube" : "sql"];
    if (reason === undefined) return [{ message, at: at(path) }];
    if (reason === wanted) return [];
    const expected = wanted === undefined ? "" : ` instead of ${wanted}`;
    return [{ message: `${reason}${expected}: ${message}`, at: at(path) }];
  }
}
