/** The files that a plan reads, by their names in its SQL. */
import type { DeclaredColumn, PlanRead } from "../../planner/plan.ts";
import { ConnectorFailure } from "../failure.ts";

/** Each with all that the manifest declares of it; undefined where no access rule asks for it. Throws `FILE_INVALID`. */
export function filesRead(reads: readonly PlanRead[]): ReadonlyMap<string, readonly DeclaredColumn[] | undefined> {
  const files = new Map<string, readonly DeclaredColumn[] | undefined>();
  const names = new Map<string, string>();
  for (const { physical, declared } of reads) {
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
    files.set(name, known === undefined || declared === undefined ? (known ?? declared) : [...known, ...declared]);
  }
  return files;
}
