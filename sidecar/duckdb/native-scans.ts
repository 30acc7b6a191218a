/**
 * Parquet files that SQL of a modeller reads by itself (`refSql` with `read_parquet('…')`). No view stands between them and the
 * statement, so nothing checks their values (`value-guards.ts`): files with columns that need a check are refused.
 */
import { open, opendir } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { sqlText } from "../../src/connectors/duckdb/sql-text.ts";
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import { escapePattern } from "../../src/connectors/files/glob.ts";
import type { Engine } from "./engine.ts";
import type { FileView } from "./file-views.ts";
import { assertDecimalsFit } from "./narrow-decimals.ts";
import type { OpenPaths } from "./open-directories.ts";
import { collectRows } from "./row-stream.ts";
import { guardedColumns } from "./value-guards.ts";

/** Maximum Parquet files of a statement: each is opened and described, which takes about a millisecond. */
const MOST_FILES = 2000;

/** Maximum number of files whose last bytes are read to detect Parquet. */
const MOST_LISTED = 20_000;

/** Fails with `FILE_INVALID` where one of the files is Parquet with columns whose values would have to be checked. */
export async function assertNeedsNoGuard(engine: Engine, paths: readonly string[], root: string): Promise<void> {
  let count = 0;
  for (const path of paths) {
    const magic = await lastBytes(path);
    if (magic !== "PAR1" && magic !== "PARE") continue;
    if (++count > MOST_FILES) throw refused(`more than ${MOST_FILES} Parquet files`, "");
    const name = relative(root, path);
    // A key of the modeller's opens it, and nothing else.
    if (magic === "PARE") throw refused("an encrypted Parquet file", name);
    const scan = `SELECT * FROM read_parquet([${sqlText(escapePattern(path))}], hive_partitioning = false)`;
    const described = await collectRows(engine, `DESCRIBE ${scan}`).catch(() => {
      if (engine.stopped !== undefined) throw engine.stopped;
      // The statement cannot read it either.
      return [];
    });
    const [column] = guardedColumns(described.map(([column, type]) => [String(column), String(type)] as const));
    if (described.length > 0) await assertDecimalsFit(engine, [{ path, name }]);
    if (column !== undefined) throw refused(`the column "${column}", whose values have to be checked`, name);
  }
}

/**
 * All files that a statement may open. Fails with `FILE_INVALID` beyond `most` files, before the rest is listed, and if a directory
 * below one of these cannot be read. A directory that is missing has none.
 */
export async function filesBelow({ directories, files }: OpenPaths, most = MOST_LISTED): Promise<readonly string[]> {
  const found = new Set(files);
  for (const directory of directories) {
    const entries = await opendir(directory, { recursive: true }).catch(() => undefined);
    if (entries === undefined) continue;
    try {
      for await (const entry of entries) {
        if (!entry.isDirectory()) found.add(join(entry.parentPath, entry.name));
        if (found.size > most) throw refused(`a directory with more than ${most} files`, basename(directory));
      }
    } catch (error) {
      throw error instanceof ConnectorFailure ? error : refused("a directory that cannot be read", basename(directory));
    }
  }
  return [...found];
}

/** `plan` is a tree of operators with `name` and `children`, a table function's operator named after it. */
export function scansParquet(plan: unknown): boolean {
  if (Array.isArray(plan)) return plan.some(scansParquet);
  if (typeof plan !== "object" || plan === null) return false;
  const { name, children } = plan as { readonly name?: unknown; readonly children?: unknown };
  return /^\s*(?:read_parquet|parquet_scan)\s*$/i.test(String(name)) || scansParquet(children);
}

/**
 * A view's file may be opened by the statement, too, which knows only the view. Fails with `FILE_INVALID` where the values of the
 * file have to be checked and the statement has another way to it.
 */
export function assertReadsByView(sql: string, views: readonly FileView[]): void {
  const quoted = [...sql.matchAll(/'((?:[^']|'')*)'|"((?:[^"]|"")*)"/g)].map(
    ([, text, name]) => text?.replaceAll("''", "'") ?? name?.replaceAll('""', '"') ?? "",
  );
  const names = new Set(views.map(({ name }) => name));
  for (const { files } of views) {
    for (const { path, name } of files) {
      const file = `/${basename(path)}`;
      // Metadata reports paths that begin with a slash: as the name of a view they lead to the view.
      const isNamed = quoted.some(
        (text) =>
          !names.has(text) && text.startsWith("/") && (text.endsWith(file) || text.endsWith(escapePattern(file))),
      );
      if (isNamed || /read_parquet|parquet_scan|\bquery(?:_table)?\b"?\s*\(/i.test(sql)) {
        throw refused("a column whose values have to be checked", name);
      }
    }
  }
}

function refused(what: string, name: string): ConnectorFailure {
  const where = name === "" ? "" : ` in "${name}"`;
  return new ConnectorFailure(
    "FILE_INVALID",
    `SQL of the model reads Parquet by itself, and there is ${what}${where}.`,
    {
      hint: "Times and decimals without digits before the point are read through models with a tableReference.",
    },
  );
}

async function lastBytes(path: string): Promise<string | undefined> {
  const file = await open(path).catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, Math.max(0, size - 4));
    return buffer.toString("latin1", 0, bytesRead);
  } finally {
    await file.close();
  }
}
