/** `siskin query` and `siskin cube`: ask the source, and print the rows. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { query } from "../../src/service/query.ts";
import type { Services } from "../../src/service/services.ts";
import type { ExitCode } from "../exit.ts";
import { UsageError } from "../exit.ts";
import { writeProject } from "../init/write-project.ts";
import { CONNECTION_OPTIONS, MODEL_OPTIONS, readArguments, SESSION_OPTIONS, sessionOf } from "../options.ts";
import { type Format, formatNamed, writeAnswer } from "../output/answer.ts";
import type { GivenConnection } from "../source/connection.ts";
import { filesNamed, manifestOfFiles } from "../source/files.ts";
import { callContext, localServices } from "../source/local-services.ts";
import { manifestFor } from "../source/operator-rights.ts";
import type { Terminal } from "../terminal.ts";
import { connectionNeeded, openWorkspace, printWarnings, reportFailure } from "./context.ts";

const OPTIONS = {
  ...MODEL_OPTIONS,
  ...CONNECTION_OPTIONS,
  ...SESSION_OPTIONS,
  source: { type: "string" },
  file: { type: "string", multiple: true },
  save: { type: "string" },
  format: { type: "string", short: "f", default: "table" },
  plain: { type: "boolean", default: false },
  limit: { type: "string" },
  parameter: { type: "string", multiple: true },
  "time-zone": { type: "string" },
  strict: { type: "boolean", default: false },
} as const;

type Values = ReturnType<typeof readArguments<typeof OPTIONS>>["values"];

export async function queryCommand(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { values, positionals } = readArguments(args, OPTIONS);
  const sql = textOf(positionals, terminal, "a statement");
  return ask({ sql }, values, terminal);
}

export async function cubeCommand(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { values, positionals } = readArguments(args, OPTIONS);
  const text = textOf(positionals, terminal, "a cube query as JSON");
  let cube: unknown;
  try {
    cube = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`The cube query is no JSON: ${error instanceof Error ? error.message : error}`);
  }
  return ask({ cube }, values, terminal);
}

/** The only argument, `@FILE` for the text of a file, or `-` for standard input. */
export function textOf(positionals: readonly string[], terminal: Terminal, what: string): string {
  const [first, ...others] = positionals;
  if (others.length > 0) {
    throw new UsageError(
      `${positionals.length} arguments are given instead of ${what}: put quotes around it, and around patterns.`,
    );
  }
  if (first === undefined) throw new UsageError(`Give ${what}.`);
  if (first === "-") return terminal.input();
  if (!first.startsWith("@")) return first;
  try {
    return readFileSync(resolve(terminal.directory, first.slice(1)), "utf8");
  } catch (error) {
    throw new UsageError(`${first.slice(1)} cannot be read (${(error as NodeJS.ErrnoException).code ?? "unknown"}).`);
  }
}

interface Asked {
  readonly services: Services & { close(): Promise<void> };
  readonly manifestText: string;
  readonly connection: GivenConnection;
}

async function ask(
  question: { readonly sql: string; readonly cube?: undefined } | { readonly cube: unknown; readonly sql?: undefined },
  values: Values,
  terminal: Terminal,
): Promise<ExitCode> {
  const format: Format = formatNamed(values.format);
  const limit = values.limit === undefined ? undefined : Number(values.limit);
  if (limit !== undefined && (!Number.isSafeInteger(limit) || limit < 0)) {
    throw new UsageError("--limit must be an integer of 0 or more.");
  }
  const session = sessionOf(values);
  const asked = values.file === undefined ? ofModel(values, terminal) : await ofFiles(values, values.file, terminal);
  const { services, connection } = asked;
  const manifestStr = manifestFor(asked.manifestText, session, terminal);
  const closing: Promise<unknown>[] = [];
  try {
    const context = callContext({
      session,
      timeZone: values["time-zone"],
      strict: values.strict,
      defer: (work) => closing.push(work.catch(() => undefined)),
    });
    const parameters = values.parameter?.map(jsonOrText);
    const { rows, warnings } = await query(services, context, {
      ...question,
      source: connection.source,
      connectionInfo: connection.connectionInfo,
      manifestStr,
      limit,
      ...(parameters !== undefined && { parameters }),
    });
    printWarnings(warnings, terminal);
    await writeAnswer(rows, format, { isPlain: values.plain, out: terminal.out });
    return 0;
  } catch (error) {
    const sql = question.sql === undefined ? undefined : { text: question.sql, name: "query" };
    return reportFailure(error, terminal, sql);
  } finally {
    await Promise.all(closing);
    await services.close();
  }
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function ofModel(values: Values, terminal: Terminal): Asked {
  if (values.save !== undefined) throw new UsageError("--save keeps the model of --file.");
  const workspace = openWorkspace(values, terminal);
  const connection = connectionNeeded(workspace);
  const { services, model } = workspace;
  return { services, manifestText: model.manifestText, connection };
}

async function ofFiles(values: Values, args: readonly string[], terminal: Terminal): Promise<Asked> {
  if (values.project !== undefined || values.manifest !== undefined) {
    throw new UsageError("--file needs no model: leave out --project and --manifest.");
  }
  const named = filesNamed(args, terminal.directory);
  const services = localServices(named.root);
  const manifest = await manifestOfFiles(services, named);
  if (values.save !== undefined) {
    const target = resolve(terminal.directory, values.save);
    if (target.endsWith(".json")) {
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, `${JSON.stringify(manifest, null, 2)}\n`, { flag: "wx" });
    } else {
      writeProject(target, {
        name: "files",
        manifest,
        source: "local_file",
        fileRoot: relative(target, named.root) || ".",
      });
    }
    terminal.err(`Saved the model in ${values.save}.\n`);
  }
  const connection = { source: "local_file" as const, connectionInfo: { url: "/", format: "csv" } };
  return { services, manifestText: JSON.stringify(manifest), connection };
}
