/** `siskin import FORMAT PATH [DIRECTORY]`: a project folder from the model of another tool, and a report of what has no counterpart. */
import { existsSync } from "node:fs";
import { basename, resolve } from "node:path";
import { nearestNames } from "../../src/planner/index.ts";
import type { DataSource } from "../../src/planner/plan.ts";
import { type ExitCode, UsageError } from "../exit.ts";
import { Draft } from "../import/draft.ts";
import { IMPORT_FORMATS, type ImportFormat } from "../import/formats.ts";
import { questionFiles } from "../import/questions.ts";
import { ImportReport } from "../import/report.ts";
import { usablePart } from "../import/usable.ts";
import { identifierOf } from "../init/table-model.ts";
import { writeProject } from "../init/write-project.ts";
import { readArguments, sourceNamed } from "../options.ts";
import type { Terminal } from "../terminal.ts";
import { redacted } from "./context.ts";

const OPTIONS = {
  source: { type: "string" },
  name: { type: "string" },
  strict: { type: "boolean", default: false },
  format: { type: "string", short: "f", default: "text" },
} as const;

const WITHOUT_CONNECTION: ReadonlySet<DataSource> = new Set(["duckdb", "local_file"] as const);

export async function importCommand(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { values, positionals } = readArguments(args, OPTIONS);
  const [formatName, from, to, ...others] = positionals;
  if (formatName === undefined || from === undefined || others.length > 0) {
    throw new UsageError("Give a format, a path and a directory: siskin import dbt target/ shop");
  }
  if (values.format !== "text" && values.format !== "json") throw new UsageError("--format is text or json.");
  const format = formatNamed(formatName);
  const path = resolve(terminal.directory, from);
  if (!existsSync(path)) throw new UsageError(`${from} does not exist.`);
  const target = resolve(terminal.directory, to ?? ".");
  const source: DataSource | undefined = values.source === undefined ? format.source : sourceNamed(values.source);
  if (source === undefined) {
    throw new UsageError("The format names no data source. Name it: --source postgres, for example.");
  }
  const report = new ImportReport();
  const name = values.name ?? (identifierOf(basename(target)) || "project");
  const draft = new Draft(name, source, report);
  await format.read(path, from, draft);
  const manifest = usablePart(draft.toJson(), { source, origins: draft.origins, report });
  const questions = manifest === undefined ? [] : questionFiles(draft.questions, { manifest, source, report });
  await terminal.out(redacted(values.format === "json" ? report.json() : report.text()));
  if (manifest === undefined || manifest.models.length === 0) {
    terminal.err("Nothing could be imported, and nothing is written.\n");
    return 1;
  }
  writeProject(target, {
    name,
    manifest,
    source,
    // Files and DuckDB are read below the project's directory, without a connection.
    ...(!WITHOUT_CONNECTION.has(source) && { connection: "env:DATABASE_URL" }),
    files: new Map([[".gitignore", "target/\n"], ...questions]),
  });
  const { models, relationships, cubes } = manifest;
  terminal.err(
    `Wrote ${models.length} models, ${relationships.length} relationships and ${cubes.length} cubes to ${to ?? "."}.\n`,
  );
  return values.strict && report.remarks.length > 0 ? 1 : 0;
}

function formatNamed(name: string): ImportFormat {
  const format = Object.hasOwn(IMPORT_FORMATS, name) ? IMPORT_FORMATS[name] : undefined;
  if (format !== undefined) return format;
  const [near] = nearestNames(name, Object.keys(IMPORT_FORMATS));
  const hint = near === undefined ? `Formats: ${Object.keys(IMPORT_FORMATS).join(", ")}.` : `Did you mean ${near}?`;
  throw new UsageError(`${name} is not a format of siskin import. ${hint}`);
}
