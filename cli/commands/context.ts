/** The parts that commands share: the model, the source, the services and the redactor. */
import { redactorFor } from "../../src/guard/redactor.ts";
import type { DataSource } from "../../src/planner/plan.ts";
import type { PlannerWarning } from "../../src/service/services.ts";
import { type ExitCode, UsageError } from "../exit.ts";
import { sourceNamed } from "../options.ts";
import { describeError } from "../output/faults.ts";
import { readModel } from "../project/model.ts";
import type { Model } from "../project/types.ts";
import { type GivenConnection, readConnection } from "../source/connection.ts";
import { type LocalServices, localServices } from "../source/local-services.ts";
import type { Terminal } from "../terminal.ts";

interface Given {
  readonly project?: string | undefined;
  readonly manifest?: string | undefined;
  readonly connection?: string | undefined;
  readonly source?: string | undefined;
}

export interface Workspace {
  readonly model: Model;
  readonly source: DataSource;
  readonly connection: GivenConnection | undefined;
  readonly services: LocalServices;
}

/** A model, and its connection if `--connection`, the project or the environment names one. Throws `UsageError`. */
export function openWorkspace(given: Given, terminal: Terminal): Workspace {
  const model = readModel(given, terminal.directory);
  const connection = connectionOf(given, model, terminal);
  const source = given.source === undefined ? (connection?.source ?? model.source) : sourceNamed(given.source);
  if (source === undefined) {
    throw new UsageError(`${model.origin} names no data source. Name it: --source postgres, for example.`);
  }
  return { model, source, connection, services: localServices(model.fileRoot) };
}

/** Files need no connection of their own: they are below the directory of the model. */
function connectionOf(given: Given, model: Model, terminal: Terminal): GivenConnection | undefined {
  const isReferenced = given.connection !== undefined || model.connection !== undefined;
  const isOfFiles = model.source === "local_file" || model.source === "duckdb";
  if (!isReferenced && isOfFiles && model.source !== undefined) {
    return { source: model.source, connectionInfo: { url: "/", format: model.source === "duckdb" ? "duckdb" : "csv" } };
  }
  const directory = given.connection === undefined ? model.directory : terminal.directory;
  const reference = given.connection ?? model.connection;
  if (reference !== undefined && given.connection === undefined && /^env:/.test(reference)) {
    // A plan needs no connection, so a missing variable matters only to commands that dial.
    const name = reference.slice("env:".length);
    if ((terminal.environment[name] ?? "") === "") return undefined;
  }
  const found = readConnection(reference, directory, terminal);
  if (found === undefined) return undefined;
  if (given.source !== undefined && found.source !== given.source) return undefined;
  if (!isReferenced && model.source !== undefined && found.source !== model.source) return undefined;
  redactSecretsOf(found);
  return found;
}

export function connectionNeeded({ connection, model }: Pick<Workspace, "connection" | "model">): GivenConnection {
  if (connection !== undefined) return connection;
  const named = model.connection === undefined ? "" : ` The project refers to ${model.connection}.`;
  throw new UsageError(`No connection is given: set DATABASE_URL, or name a file by --connection.${named}`);
}

let redact = (text: string): string => text;

/** Messages from now on show no secret of the connection. */
export function redactSecretsOf({ connectionInfo }: Pick<GivenConnection, "connectionInfo">): void {
  const before = redact;
  const redactor = redactorFor(connectionInfo);
  redact = (text) => redactor.redact(before(text));
}

/** Messages from now on show no key or token of a service. */
export const redactSecret = (token: string): void => redactSecretsOf({ connectionInfo: { token } });

export const redacted = (text: string): string => redact(text);

/** Prints the error without secrets. `sql`: the text that positions of the service refer to, and its name. */
export function reportFailure(
  error: unknown,
  terminal: Pick<Terminal, "err">,
  sql?: { readonly text: string; readonly name: string },
): ExitCode {
  const { text, code } = describeError(error, sql);
  terminal.err(redacted(text));
  return code;
}

export function printWarnings(warnings: readonly PlannerWarning[], terminal: Pick<Terminal, "err">): void {
  for (const { code, message, hint } of warnings) {
    terminal.err(redacted(`warning: ${code}: ${message}${hint === undefined ? "" : ` ${hint}`}\n`));
  }
}
