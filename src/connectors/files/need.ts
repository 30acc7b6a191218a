/** The part of a file that a statement needs for all its uses, also within a directory named `key=value`. */
import type { Scan, ScanFilter, ScanValue } from "../../planner/plan.ts";
import { keyedSteps, keyOf } from "./partitions.ts";

export interface FileNeed {
  /** In lower case; undefined: all columns of the file. */
  readonly columns: ReadonlySet<string> | undefined;
  /** For each use, the filters that a row must meet to affect it. */
  readonly uses: readonly (readonly ScanFilter[])[];
}

/** The whole file, if the uses are unknown. */
export function needOf(scans: readonly Scan[] | undefined): FileNeed {
  if (scans === undefined) return { columns: undefined, uses: [[]] };
  const columns = new Set<string>();
  let isKnown = true;
  for (const scan of scans) {
    isKnown &&= scan.columns !== undefined;
    for (const column of scan.columns ?? []) columns.add(column.toLowerCase());
  }
  return { columns: isKnown ? columns : undefined, uses: scans.map(({ filters }) => filters) };
}

/**
 * The part that the row rules alone leave; undefined without a row rule. Limits on bytes use this and not `needOf`, because a
 * caller's comparisons select row groups by values of excluded rows.
 */
export function ruledNeedOf(scans: readonly Scan[] | undefined): FileNeed | undefined {
  if (scans?.some(({ ruleFilters }) => ruleFilters !== undefined) !== true) return undefined;
  return needOf(scans.map(({ ruleFilters, ...scan }) => (ruleFilters ? { ...scan, filters: ruleFilters } : scan)));
}

/** All columns and no rows. */
export const SCHEMA: FileNeed = { columns: undefined, uses: [] };

/** The common need of two reads of the same file. */
export function bothNeeds(one: FileNeed, other: FileNeed): FileNeed {
  const columns =
    one.columns === undefined || other.columns === undefined ? undefined : new Set([...one.columns, ...other.columns]);
  return { columns, uses: [...one.uses, ...other.uses] };
}

/**
 * Reduces the need by the directories in an object's key: a use is removed if no row of the object can affect it. A directory's
 * value replaces the file's column with the same name.
 */
export function needWithin({ columns, uses }: FileNeed, key: string): FileNeed {
  const partitions = partitionsOf(key);
  if (partitions.size === 0) return { columns, uses };
  const partitionOf = ({ column }: ScanFilter): string | undefined => partitions.get(column.toLowerCase());
  const left = uses.filter((filters) =>
    filters.every((filter) => {
      const written = partitionOf(filter);
      return written === undefined || filter.values.some((value) => mayBe(written, filter.operator, value));
    }),
  );
  return { columns, uses: left.map((filters) => filters.filter((filter) => partitionOf(filter) === undefined)) };
}

/** Values of directories by their names in lower case. */
function partitionsOf(key: string): ReadonlyMap<string, string> {
  return new Map(
    keyedSteps(key).map((step) => [keyOf(step).toLowerCase(), step.slice(step.indexOf("=") + 1)] as const),
  );
}

const WHOLE = /^-?\d{1,15}$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const WORD = /^[A-Za-z]+$/;

/**
 * The engine's type for a directory's values depends on all of them: returns false only if the comparison fails under every type.
 */
function mayBe(written: string, operator: ScanFilter["operator"], value: ScanValue): boolean {
  if (value.kind === "number" && WHOLE.test(value.text) && WHOLE.test(written)) {
    return compares(operator, Number(written) - Number(value.text));
  }
  if (value.kind === "date" && DAY.test(written)) {
    return compares(operator, written < value.text ? -1 : written > value.text ? 1 : 0);
  }
  if (value.kind === "text" && operator === "=" && WORD.test(written) && WORD.test(value.text)) {
    return written.toLowerCase() === value.text.toLowerCase();
  }
  return true;
}

function compares(operator: ScanFilter["operator"], difference: number): boolean {
  switch (operator) {
    case "=":
      return difference === 0;
    case "<":
      return difference < 0;
    case "<=":
      return difference <= 0;
    case ">":
      return difference > 0;
    case ">=":
      return difference >= 0;
    default:
      return operator satisfies never;
  }
}
