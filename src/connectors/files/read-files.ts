/** The files that a plan reads, by their names in its SQL. */
import type { DeclaredColumn, PlanRead } from "../../planner/plan.ts";
import { type CsvOptions, readCsvOptions } from "../connection/csv-options.ts";
import { ConnectorFailure } from "../failure.ts";

/** The declarations of the manifest for one file. */
export interface DeclaredFile {
  readonly columns: readonly DeclaredColumn[];
  /** An access rule is active: the file has no other columns. */
  readonly isRestricted: boolean;
  /** The options of the models for the file, if it is CSV. */
  readonly csv?: CsvOptions;
}

/** Each file with the columns that the manifest declares; undefined where nothing is declared. Throws `FILE_INVALID`. */
export function filesRead(reads: readonly PlanRead[]): ReadonlyMap<string, DeclaredFile | undefined> {
  const files = new Map<string, DeclaredFile | undefined>();
  const names = new Map<string, string>();
  for (const { model, physical, declared, infersOthers, csv: given } of reads) {
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
    const csv = readCsvOptions(given, (option, problem, hint) => {
      const member = option === undefined ? "csv" : `csv.${option}`;
      const message = `properties.${member} of the model "${model}": ${problem}.`;
      return new ConnectorFailure("FILE_INVALID", message, hint === undefined ? {} : { hint });
    });
    const own: DeclaredFile | undefined =
      declared === undefined && csv === undefined
        ? undefined
        : {
            columns: declared ?? [],
            isRestricted: declared !== undefined && infersOthers !== true,
            ...(csv !== undefined && { csv }),
          };
    files.set(name, known === undefined || own === undefined ? (known ?? own) : together(name, known, own));
  }
  return files;
}

function together(name: string, one: DeclaredFile, other: DeclaredFile): DeclaredFile {
  const { csv } = one;
  if (!haveEqualOptions(one.csv, other.csv)) {
    throw new ConnectorFailure(
      "FILE_INVALID",
      `Models over the file "${name}" have different options in properties.csv.`,
      {
        hint: "A file is read once: give all models over it the same options, or set them in the connection.",
      },
    );
  }
  return {
    columns: [...one.columns, ...other.columns],
    isRestricted: one.isRestricted || other.isRestricted,
    ...(csv !== undefined && { csv }),
  };
}

function haveEqualOptions(one: CsvOptions = {}, other: CsvOptions = {}): boolean {
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])] as (keyof CsvOptions)[];
  return names.every((name) => one[name] === other[name]);
}
