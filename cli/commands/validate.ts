/**
 * `siskin validate`: every fault of the model with its file and line. `--live` asks the source, too: whether it accepts each
 * column, whether the declared types are the source's, and whether the data is as each relationship declares.
 */
import type { ManifestProblem } from "../../src/planner/index.ts";
import { inQuotes } from "../../src/planner/syntax/quoting.ts";
import { ServiceError } from "../../src/service/failure.ts";
import { dryRun } from "../../src/service/query.ts";
import { toServiceError } from "../../src/service/translate.ts";
import { validate } from "../../src/service/validate.ts";
import type { ExitCode, Fault } from "../exit.ts";
import { modelOfSource } from "../init/manifest-of-source.ts";
import { typeDifferences } from "../live/declared-types.ts";
import { CONNECTION_OPTIONS, MODEL_OPTIONS, readArguments, SESSION_OPTIONS, sessionOf } from "../options.ts";
import { describeError, faultText } from "../output/faults.ts";
import { progress } from "../output/progress.ts";
import { callContext } from "../source/local-services.ts";
import { withoutRules } from "../source/operator-rights.ts";
import type { Terminal } from "../terminal.ts";
import { connectionNeeded, openWorkspace, printWarnings, redacted, reportFailure, type Workspace } from "./context.ts";

const OPTIONS = {
  ...MODEL_OPTIONS,
  ...CONNECTION_OPTIONS,
  ...SESSION_OPTIONS,
  source: { type: "string" },
  live: { type: "boolean", default: false },
} as const;

export async function validateCommand(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { values } = readArguments(args, OPTIONS);
  const workspace = openWorkspace(values, terminal);
  try {
    const faults = offlineFaults(workspace, terminal);
    if (faults.length === 0 && values.live) faults.push(...(await liveFaults(workspace, sessionOf(values), terminal)));
    for (const fault of faults) terminal.err(redacted(faultText(fault)));
    const { origin } = workspace.model;
    if (faults.length > 0) {
      terminal.err(`${origin}: ${faults.length === 1 ? "1 fault" : `${faults.length} faults`}.\n`);
      return 1;
    }
    terminal.err(`${origin} is valid${values.live ? ", and the source agrees" : ""}.\n`);
    return 0;
  } catch (error) {
    return reportFailure(error, terminal);
  } finally {
    await workspace.services.close();
  }
}

function offlineFaults({ services, model, source }: Workspace, terminal: Terminal): Fault[] {
  const manifest = services.manifests.get(model.manifestText);
  if (!manifest.ok) {
    const { reason, message, hint } = manifest.error;
    return [{ message: `${reason}: ${message}`, hint }];
  }
  const report = services.planner.checkOfManifest({ ...services.planOptions, manifest: manifest.value, source });
  if (!report.ok) throw toServiceError(report.error, { operation: "validate" });
  printWarnings(report.value.warnings, terminal);
  const { problems, more } = report.value;
  const faults = problems.map((problem): Fault => faultOf(problem, model));
  return more > 0 ? [...faults, { message: `${more} more faults are not listed.` }] : faults;
}

function faultOf({ reason, object, message, hint }: ManifestProblem, model: Workspace["model"]): Fault {
  return { message: `${reason}: ${message}`, hint, at: model.positionOf(object) };
}

/** Each model is planned as a whole first: its columns are asked one by one only if the source refuses that. */
async function liveFaults(
  workspace: Workspace,
  session: ReadonlyMap<string, string>,
  terminal: Terminal,
): Promise<readonly Fault[]> {
  const { services, model, source } = workspace;
  const { connectionInfo } = connectionNeeded(workspace);
  // The structure is that of every session: rules apply only with --as.
  const manifestStr = session.size > 0 ? model.manifestText : withoutRules(model.manifestText);
  const manifest = services.manifests.get(manifestStr);
  if (!manifest.ok) return [];
  const { models, relationships } = manifest.value.data;
  const faults: Fault[] = [];
  const closing: Promise<unknown>[] = [];
  const context = () => callContext({ session, defer: (work) => closing.push(work.catch(() => undefined)) });
  const shared = { source, connectionInfo, manifestStr };
  const ask = async (object: string, work: () => Promise<unknown>): Promise<boolean> => {
    try {
      await work();
      return true;
    } catch (error) {
      if (!(error instanceof ServiceError) || describeError(error).code === 2) throw error;
      if (isOnlyUnrelated(error)) {
        terminal.err(redacted(`warning: ${object}: no row of one model is related to a row of the other.\n`));
        return true;
      }
      faults.push({ message: `${object}: ${error.message}`, at: model.positionOf(object) });
      return false;
    }
  };
  const bar = progress(terminal, models.length + relationships.length);
  for (const { name, dataIfValid: data } of models) {
    bar.step(name);
    const columns = (data?.columns ?? []).filter(
      ({ relationship, isHidden, rule }) => relationship === undefined && !isHidden && rule === undefined,
    );
    if (columns.length === 0) continue;
    const list = columns.map((column) => inQuotes(column.name)).join(", ");
    const sql = `SELECT ${list} FROM ${inQuotes(name)} LIMIT 1`;
    try {
      await dryRun(services, context(), { ...shared, sql });
    } catch (error) {
      const { code } = describeError(error);
      if (code === 2) throw error;
      let found = 0;
      for (const column of columns) {
        const object = `column "${column.name}" of model "${name}"`;
        const parameters = { modelName: name, columnName: column.name };
        const isRight = await ask(object, () =>
          validate(services, context(), { ...shared, rule: "column_is_valid", parameters }),
        );
        if (!isRight) found++;
      }
      if (found === 0) await ask(`model "${name}"`, () => Promise.reject(error));
    }
  }
  for (const { name } of relationships) {
    bar.step(name);
    await ask(`relationship "${name}"`, () =>
      validate(services, context(), {
        ...shared,
        rule: "relationship_is_valid",
        parameters: { relationshipName: name },
      }),
    );
  }
  bar.end();
  await Promise.all(closing);
  return [...faults, ...(await typeFaults(workspace, manifest.value.data, terminal))];
}

/** A user who may read tables may still be kept from the catalogue: then nothing is compared, with a warning. */
async function typeFaults(
  workspace: Workspace,
  data: Parameters<typeof typeDifferences>[0],
  terminal: Terminal,
): Promise<readonly Fault[]> {
  const { services, model, source } = workspace;
  const { connectionInfo } = connectionNeeded(workspace);
  const { format, ...others } = connectionInfo;
  const given = format === "csv" ? others : connectionInfo;
  let listed: Parameters<typeof typeDifferences>[1];
  try {
    const settings = { name: "source", filter: {} };
    listed = (await modelOfSource(services, { source, connectionInfo: given }, settings)).manifest;
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
    terminal.err(
      redacted(`warning: declared types are not compared, because the source lists no columns: ${reason}\n`),
    );
    return [];
  }
  return typeDifferences(data, listed, source).map(({ model: owner, column, declared, reported }) => {
    const object = `column "${column}" of model "${owner}"`;
    const hint = `Declare ${reported}, or convert the column in its expression.`;
    return {
      message: `${object} is declared ${declared}, and the source has ${reported}.`,
      at: model.positionOf(object),
      hint,
    };
  });
}

/** Tables without rows, or without related ones, contradict no declaration. The rule's message lists what it found. */
function isOnlyUnrelated({ reason, message }: ServiceError): boolean {
  if (reason !== "RULE_VIOLATED") return false;
  const wrong = [...message.matchAll(/'(\w+)': 'False'/g)].map(([, name]) => name).filter((name) => name !== "result");
  return wrong.length === 1 && wrong[0] === "is_related";
}
