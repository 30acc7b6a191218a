/**
 * Finds text files whose rows cannot affect a statement, by the directories in their names. An empty file replaces each of them:
 * the engine skips most of them by itself, and an empty file has no rows.
 */
import type { FileFormat } from "../connection/file-format.ts";
import { type FileNeed, needWithin } from "./need.ts";

/**
 * Number of files, the first by name, that DuckDB opens to infer the columns of all (observed on 1.4.4). For JSON it would open
 * twice as many, with 48 MB for each file of any size: more than a statement may use.
 */
export const SNIFFED_FILES: Readonly<Record<FileFormat, number>> = { csv: 10, json: 16, parquet: 1 };

interface Named {
  readonly name: string;
  readonly size: number;
}

/**
 * For each file, whether it must be read. `isDeclared`: the manifest declares the columns, and a header defines which of them
 * exist.
 */
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
