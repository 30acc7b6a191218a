/**
 * Files of texts whose rows have no say in a statement, by the directories of their names. An empty file may stand for each: the
 * engine leaves most of them out by itself, and a file without bytes has no rows.
 */
import type { FileFormat } from "../connection/file-format.ts";
import { type FileNeed, needWithin } from "./need.ts";

/**
 * So many files, the first by name, DuckDB opens to tell the columns of them all (1.4.4, by which files it was seen to open). Of JSON
 * it would take twice as many, and 48 MB for each, however small it is: more than a statement may have.
 */
export const SNIFFED_FILES: Readonly<Record<FileFormat, number>> = { csv: 10, json: 16, parquet: 1 };

interface Named {
  readonly name: string;
  readonly size: number;
}

/** Of each file, whether it is to be read. `isDeclared`: the manifest tells the columns, and a header which of them are there. */
export function areNeeded(
  files: readonly Named[],
  format: Exclude<FileFormat, "parquet">,
  need: FileNeed,
  isDeclared: boolean,
): readonly boolean[] {
  let telling = isDeclared ? 1 : SNIFFED_FILES[format];
  return files.map(({ name, size }) => {
    if (telling === 0) return needWithin(need, name).uses.length > 0;
    if (size > 0) telling--;
    return true;
  });
}
