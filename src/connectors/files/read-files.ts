/** The files that a plan reads, by their names in its SQL. */
import type { DeclaredColumn, PlanRead } from "../../planner/plan.ts";
import { ConnectorFailure } from "../failure.ts";

/** The declarations of the manifest for one file. */
export interface DeclaredFile {
  readonly columns: readonly DeclaredColumn[];
  /** An access rule is active: the file has no other columns. */
  readonly isRestricted: boolean;
}

/** Each file with the columns that the manifest declares; undefined where nothing is declared. Throws `FILE_INVALID`. */
export function filesRead(reads: readonly PlanRead[]): ReadonlyMap<string, DeclaredFile | undefined> {
  const files = new Map<string, DeclaredFile | undefined>();
  const names = new Map<string, string>();
  for (const { physical, declared, infersOthers } of reads) {
    if (physical === undefined) continue;
    const name = physical.table;
    if (physical.schema || physical.catalog) {
      const hint = "Remove catalog and schema from the model's tableReference.";
      throw new ConnectorFailure("FILE_INVALID", `The file "${name}" is addressed by its path alone.`, { hint });
    }
    // DuckDB's names ignore case, quoted or not; on most file systems A.csv and a.csv are two files.
    const key = name.toLowerCase();
    const other = names.get(key);
    if (other !== undefined && other !== name) {
      throw new ConnectorFailure("FILE_INVALID", `"${other}" and "${name}" differ only in case.`, {
        hint: "Rename one of the files, or read both through a pattern.",
      });
    }
    names.set(key, name);
    const known = files.get(name);
    const own = declared && { columns: declared, isRestricted: infersOthers !== true };
    files.set(name, known === undefined || own === undefined ? (known ?? own) : together(known, own));
  }
  return files;
}

function together(one: DeclaredFile, other: DeclaredFile): DeclaredFile {
  return { columns: [...one.columns, ...other.columns], isRestricted: one.isRestricted || other.isRestricted };
}
