/**
 * Finds the database files that a connection attaches: every `*.duckdb` directly below its `url`, by its base name (
 * docs/spec/contract.md#connections).
 */
import { lstat } from "node:fs/promises";
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import type { ConfinedFile, FileRoot } from "./file-root.ts";

export interface DatabaseFile {
  /** The name of its catalog. */
  readonly name: string;
  readonly file: ConfinedFile;
}

const SUFFIX = ".duckdb";

/** Sorted by name. Rejects with `DUCKDB_FILE_NOT_FOUND` and `ATTACH_DUCKDB_ERROR`. */
export async function databaseFiles(root: FileRoot, url: string): Promise<DatabaseFile[]> {
  const directory = url.replace(/(?<!\/)\/+$/, "");
  const entries = await root.list(url).catch((error: unknown) => {
    if (error instanceof ConnectorFailure && error.reason.startsWith("FILE_")) return [];
    throw error;
  });
  const names = entries.filter(({ name, kind }) => kind === "file" && name.endsWith(SUFFIX));
  if (names.length === 0) {
    const hint = "url names a directory below the sidecar's FILE_ROOT that holds *.duckdb files.";
    throw new ConnectorFailure("DUCKDB_FILE_NOT_FOUND", `There is no DuckDB file in "${url}".`, { hint });
  }
  const found: DatabaseFile[] = [];
  for (const { name } of names) {
    const [file] = await root.files(`${directory}/${name}`);
    if (file === undefined) continue;
    await assertPlainLog(file);
    found.push({ name: name.slice(0, -SUFFIX.length), file });
  }
  return found;
}

/** DuckDB also reads the write-ahead log next to a database, and would follow a link in its place to any file. */
async function assertPlainLog(file: ConfinedFile): Promise<void> {
  const log = await lstat(`${file.path}.wal`).catch(() => undefined);
  if (log === undefined || log.isFile()) return;
  throw attachFailure(file, new Error("its write-ahead log is not a regular file"));
}

/** If another process holds the lock, the message omits the name and id of that process. */
export function attachFailure(file: ConfinedFile, cause: unknown): ConnectorFailure {
  const text = cause instanceof Error ? cause.message : String(cause);
  const isLocked = text.includes("Could not set lock on file");
  const why = isLocked ? "another process has it open for writing" : text;
  const details = {
    cause,
    ...(isLocked && { hint: "Close the database in that program, or copy the file, and try again." }),
  };
  return new ConnectorFailure("ATTACH_DUCKDB_ERROR", `Failed to attach "${file.name}": ${why}`, details);
}
