/** `siskin init`: a project folder from the metadata of a source. Rows are read only with `--guess` and `--sample`. */
import { existsSync, statSync } from "node:fs";
import { basename, dirname, relative, resolve, sep } from "node:path";
import { type ExitCode, UsageError } from "../exit.ts";
import { guessedRelationships } from "../init/guesses.ts";
import { modelOfSource } from "../init/manifest-of-source.ts";
import { withSamples } from "../init/samples.ts";
import { identifierOf } from "../init/table-model.ts";
import { writeProject } from "../init/write-project.ts";
import { readArguments } from "../options.ts";
import { progress } from "../output/progress.ts";
import { type GivenConnection, readConnection } from "../source/connection.ts";
import { localServices } from "../source/local-services.ts";
import type { Terminal } from "../terminal.ts";
import { redacted, redactSecretsOf, reportFailure } from "./context.ts";

const OPTIONS = {
  from: { type: "string" },
  name: { type: "string" },
  schema: { type: "string" },
  tables: { type: "string" },
  guess: { type: "boolean", default: false },
  sample: { type: "boolean", default: false },
} as const;

interface Origin {
  readonly connection: GivenConnection;
  readonly fileRoot: string | undefined;
  /** The reference to the connection in the project. */
  readonly reference: string | undefined;
  /** The only database of a directory that is wanted. */
  readonly catalog?: string;
}

export async function initCommand(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { values, positionals } = readArguments(args, OPTIONS);
  if (positionals.length > 1) throw new UsageError("siskin init takes one directory.");
  const target = resolve(terminal.directory, positionals[0] ?? ".");
  const origin = originOf(values.from, target, terminal);
  redactSecretsOf(origin.connection);
  const name = values.name ?? (identifierOf(basename(target)) || "project");
  const services = localServices(origin.fileRoot);
  const filter = {
    ...(origin.catalog !== undefined && { catalog: origin.catalog }),
    ...(values.schema !== undefined && { schema: values.schema }),
    ...(values.tables !== undefined && { table: values.tables }),
  };
  try {
    const found = await modelOfSource(services, origin.connection, { name, filter });
    const { omitted } = found;
    if (found.manifest.models.length === 0) {
      throw new UsageError("The source lists no table that the connection may read.");
    }
    const columns = found.manifest.models.flatMap((model) => model.columns).length;
    const bar = progress(terminal, columns);
    const asked = { services, connection: origin.connection };
    const guesses = values.guess
      ? await guessedRelationships(services, origin.connection, found.manifest, bar.step)
      : "";
    const manifest = values.sample ? await withSamples(asked, found.manifest, bar.step) : found.manifest;
    bar.end();
    writeProject(target, {
      name,
      manifest,
      source: origin.connection.source,
      connection: origin.reference,
      ...(origin.fileRoot !== undefined && { fileRoot: slashed(relative(target, origin.fileRoot)) || "." }),
      guesses,
      files: new Map([[".gitignore", "target/\n"]]),
    });
    for (const sentence of omitted) terminal.err(redacted(`note: ${sentence}.\n`));
    if (values.sample) {
      terminal.err(
        "warning: --sample wrote values of the source into the project. Look at them before you commit it.\n",
      );
    }
    const { models, relationships = [] } = manifest;
    terminal.err(
      `Wrote ${models.length} models and ${relationships.length} relationships to ${positionals[0] ?? "."}.\n`,
    );
    return 0;
  } catch (error) {
    return reportFailure(error, terminal);
  } finally {
    await services.close();
  }
}

const slashed = (path: string): string => path.split(sep).join("/");

/** A directory of files has no connection of its own, nor has a database of DuckDB. */
function originOf(from: string | undefined, target: string, terminal: Terminal): Origin {
  if (from !== undefined && from !== "-" && !/^(?:env|file):/.test(from)) {
    const path = resolve(terminal.directory, from);
    const isThere = existsSync(path);
    if (isThere && statSync(path).isDirectory()) {
      return {
        connection: { source: "local_file", connectionInfo: { url: "/" } },
        fileRoot: path,
        reference: undefined,
      };
    }
    if (isThere && /\.(?:duckdb|db)$/.test(path)) {
      const connectionInfo = { url: "/", format: "duckdb" };
      const catalog = basename(path).replace(/\.[^.]*$/, "");
      return {
        connection: { source: "duckdb", connectionInfo },
        fileRoot: dirname(path),
        reference: undefined,
        catalog,
      };
    }
  }
  const connection = readConnection(from, terminal.directory, terminal);
  if (connection === undefined) {
    throw new UsageError(
      "No source is given: set DATABASE_URL, or name a connection's file, a directory of files or a DuckDB database by --from.",
    );
  }
  const isOfFiles = connection.source === "local_file" || connection.source === "duckdb";
  return {
    connection,
    fileRoot: isOfFiles ? terminal.directory : undefined,
    reference: referenceTo(from, target, terminal),
  };
}

function referenceTo(from: string | undefined, target: string, terminal: Terminal): string | undefined {
  if (from === undefined) return "env:DATABASE_URL";
  if (from === "-") return undefined;
  if (from.startsWith("env:")) return from;
  return `file:${slashed(relative(target, resolve(terminal.directory, from.replace(/^file:/, ""))))}`;
}
