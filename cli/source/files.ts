/** A model of files that an argument names: each file is a model, or `name=pattern` is one model over all files of the pattern. */
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import type { FileRoot } from "../../sidecar/duckdb/file-root.ts";
import type { TableRecord } from "../../src/connectors/catalog/types.ts";
import { formatOfName } from "../../src/connectors/files/formats.ts";
import { hasWildcard } from "../../src/connectors/files/glob.ts";
import { tableName } from "../../src/connectors/files/table-listing.ts";
import { metadata } from "../../src/service/metadata.ts";
import type { Services } from "../../src/service/services.ts";
import { UsageError } from "../exit.ts";
import type { ManifestJson, ModelJson } from "../init/manifest-json.ts";
import { freeName, identifierOf, modelOfTable } from "../init/table-model.ts";
import { callContext } from "./local-services.ts";

interface NamedFiles {
  /** The name before `=`. */
  readonly name: string | undefined;
  /** Absolute, perhaps with wildcards. */
  readonly pattern: string;
}

/** Deepest directory that holds all files that the arguments name. Throws `UsageError`. */
export function filesNamed(
  args: readonly string[],
  directory: string,
): { readonly files: readonly NamedFiles[]; readonly root: string } {
  const files = args.map((arg) => {
    const [, name, path] = /^([\p{L}_][\p{L}\p{N}_]*)=(.+)$/u.exec(arg) ?? [];
    return { name, pattern: resolve(directory, path ?? arg) };
  });
  const roots = files.map(({ pattern }) => fixedDirectory(pattern).split(sep));
  const [first = []] = roots;
  const length = roots.reduce((least, parts) => {
    let same = 0;
    while (same < least && parts[same] === first[same]) same++;
    return same;
  }, first.length);
  return { files, root: first.slice(0, length).join(sep) || sep };
}

/** The part of a path before the first wildcard. */
function fixedDirectory(pattern: string): string {
  const parts = pattern.split(sep);
  const wild = parts.findIndex((part) => hasWildcard(part));
  return wild < 0 ? dirname(pattern) : parts.slice(0, wild).join(sep) || sep;
}

/** The manifest over the files. Only these are opened. Throws `UsageError`, `ServiceError` and `ConnectorFailure`. */
export async function manifestOfFiles(
  services: Services,
  { files, root }: ReturnType<typeof filesNamed>,
): Promise<ManifestJson> {
  const { openFileRoot } = await import("../../sidecar/duckdb/file-root.ts");
  const confined: FileRoot = await openFileRoot(root).catch(() => {
    throw new UsageError(`The directory ${root} cannot be read.`);
  });
  const taken = new Set<string>();
  const models: ModelJson[] = [];
  for (const { name, pattern } of files) {
    const below = relative(root, pattern).split(sep).join("/");
    const found = (await confined.files(below)).map(({ path }) => relative(confined.path, path).split(sep).join("/"));
    if (name === undefined) {
      for (const path of found) {
        const record = await described(services, path);
        const own = freeName(identifierOf(tableName({ name: basename(path), kind: "file" })), taken);
        models.push(
          modelOfTable(record, { name: own, table: { table: path }, source: "local_file", renames: "if needed" }),
        );
      }
      continue;
    }
    if (taken.has(name)) throw new UsageError(`--file ${name}=… is given twice.`);
    taken.add(name);
    const records = await Promise.all(found.map((path) => described(services, path)));
    const [first] = records;
    if (first === undefined) continue;
    const other = records.findIndex((record) => columnsText(record) !== columnsText(first));
    if (other >= 0) {
      throw new UsageError(
        `${found[other]} and ${found[0]} have other columns: they are not one model. Leave out ${name}= to get a model of each.`,
      );
    }
    models.push(modelOfTable(first, { name, table: { table: below }, source: "local_file", renames: "if needed" }));
  }
  return { layoutVersion: 4, catalog: "files", schema: "public", dataSource: "LOCAL_FILE", models };
}

const columnsText = ({ columns }: TableRecord): string => JSON.stringify(columns.map(({ name, type }) => [name, type]));

async function described(services: Services, path: string): Promise<TableRecord> {
  const format = formatOfName(path);
  if (format === undefined) {
    throw new UsageError(`${path}: the ending names no format. Formats are csv, tsv, json, jsonl and parquet.`);
  }
  const { records } = await metadata(services, callContext(), {
    kind: "tables",
    source: "local_file",
    connectionInfo: { url: join("/", dirname(path)).split(sep).join("/"), format },
    filter: { table: tableName({ name: basename(path), kind: "file" }) },
    limit: undefined,
    warnings: [],
  });
  const record = records.find(({ properties }) => properties?.path?.replace(/^\/+/, "") === path);
  if (record === undefined) throw new UsageError(`${path} cannot be read as ${format}.`);
  return record;
}
