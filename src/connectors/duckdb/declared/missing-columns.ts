/**
 * Columns that the manifest declares and files lack. A column that the statement reads and no file has is an error, since NULL in
 * every row would look like an answer. Where some files have it, the others have NULL, as with `union_by_name`, and a warning says so
 * (docs/decisions/0067-declared-columns-that-files-lack.md#decision).
 */
import type { DeclaredColumn } from "../../../planner/plan.ts";
import { nearestNames } from "../../../planner/suggest.ts";
import type { SourceWarning } from "../../../result/types.ts";
import { ConnectorFailure } from "../../failure.ts";
import { hasWildcard } from "../../files/glob.ts";
import { type FileNeed, needWithin } from "../../files/need.ts";
import type { DeclaredFile } from "../../files/read-files.ts";
import { isReadable } from "./types.ts";

/** A file whose columns are known. */
export interface NamedFile {
  readonly name: string;
  readonly columns: readonly string[];
}

export interface ReadFiles {
  /** The path or pattern of the model. */
  readonly path: string;
  readonly declared: DeclaredFile;
  readonly need: FileNeed;
  /** Names of all files, those included whose columns are not known. */
  readonly names: readonly string[];
  /** Columns that the names of directories give. */
  readonly keys: readonly string[];
  /** False for a dry run, which looks at the first files of a pattern only. */
  readonly areRead: boolean;
}

/** Names of columns that a warning or an error lists. */
const MOST_NAMES = 30;

/**
 * Warnings about columns of CSV or Parquet files. `files`: those with columns; a file without a header has none and is left out.
 * Throws `COLUMN_NOT_FOUND` where the statement names a column that none of them has.
 */
export function missingColumns(read: ReadFiles, files: readonly NamedFile[]): readonly SourceWarning[] {
  const { need, path } = read;
  if (!read.areRead && hasWildcard(path)) return [];
  // Files that directories rule out have no rows in the answer, and not every place reads their columns.
  const isExamined = (name: string): boolean => needWithin(need, name).uses.length > 0;
  const examined = files.filter(({ name }) => isExamined(name));
  if (examined.length === 0) return [];
  const folded = examined.map(({ columns }) => new Set(columns.map((name) => name.toLowerCase())));
  const isWhole = read.names.every(isExamined);
  const warnings: SourceWarning[] = [];
  for (const { name } of neededColumns(read)) {
    const key = name.toLowerCase();
    if (folded.every((names) => names.has(key))) continue;
    const isNowhere = isWhole && !folded.some((names) => names.has(key));
    if (isNowhere && need.columns !== undefined) throw notFound(read, name, examined);
    warnings.push({
      code: "FILE_COLUMN_MISSING",
      message: isNowhere
        ? `No file of "${path}" has the column "${name}": it is NULL in every row.`
        : `Some files of "${path}" have no column "${name}": it is NULL in their rows.`,
      hint: isNowhere ? nearHint(read, name, examined) : "Compare with IS NULL, or leave these files out.",
    });
  }
  return warnings;
}

/** Warnings about members that no record of JSON files has. `members`: those of the records that were looked at. */
export function missingMembers(read: ReadFiles, members: readonly string[]): readonly SourceWarning[] {
  const { path, declared } = read;
  if (!read.areRead && hasWildcard(path)) return [];
  // Under an access rule excluded records would decide which members exist.
  if (declared.isRestricted || members.length === 0) return [];
  const folded = new Set(members.map((name) => name.toLowerCase()));
  const files = [{ name: path, columns: members }];
  return neededColumns(read)
    .filter(({ name }) => !folded.has(name.toLowerCase()))
    .map(({ name, type }) => {
      // NULL of a type that is inferred has no type.
      if (!isReadable(type)) throw notFound(read, name, files);
      return {
        code: "FILE_COLUMN_MISSING",
        message: `No record that was looked at in "${path}" has the member "${name}": it is NULL in records without it.`,
        hint: nearHint(read, name, files),
      };
    });
}

function neededColumns({ declared, need, keys }: ReadFiles): readonly DeclaredColumn[] {
  const known = new Set(keys.map((key) => key.toLowerCase()));
  return declared.columns.filter(({ name }) => {
    const key = name.toLowerCase();
    if (known.has(key) || (need.columns !== undefined && !need.columns.has(key))) return false;
    known.add(key);
    return true;
  });
}

function notFound(read: ReadFiles, name: string, files: readonly NamedFile[]): ConnectorFailure {
  const { path } = read;
  const message = hasWildcard(path)
    ? `No file of "${path}" has the column "${name}", which the manifest declares.`
    : `The file "${path}" has no column "${name}", which the manifest declares.`;
  return new ConnectorFailure("COLUMN_NOT_FOUND", message, { hint: nearHint(read, name, files) });
}

/** Under an access rule no name is shown: the manifest may hide the column from the caller. */
function nearHint({ declared }: ReadFiles, name: string, files: readonly NamedFile[]): string {
  const remedy = `Name the column in the manifest as the file does, or remove "${name}" from it.`;
  if (declared.isRestricted) return remedy;
  const own = new Set(declared.columns.map((column) => column.name.toLowerCase()));
  const others = [...new Set(files.flatMap(({ columns }) => columns))].filter((each) => !own.has(each.toLowerCase()));
  const near = nearestNames(name, others);
  if (near.length > 0) return `Did you mean ${near.map((each) => `"${each}"`).join(", ")}? ${remedy}`;
  if (others.length === 0) return remedy;
  const shown = others.slice(0, MOST_NAMES).map((each) => `"${each}"`);
  const more = others.length > shown.length ? ` and ${others.length - shown.length} more` : "";
  return `Columns of the file that the manifest does not declare: ${shown.join(", ")}${more}. ${remedy}`;
}
