/** What a statement needs of a file, over all its uses; and of an object in a directory called `key=value`. */
import type { Scan, ScanFilter, ScanValue } from "../../planner/plan.ts";
import { keyedSteps, keyOf } from "./partitions.ts";

export interface FileNeed {
  /** In lower case; undefined: any of the file's. */
  readonly columns: ReadonlySet<string> | undefined;
  /** Of each use, what a row has to meet to have a say in it. */
  readonly uses: readonly (readonly ScanFilter[])[];
}

/** All of it, where nothing is known of the uses. */
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
 * What the row rules alone leave of it; undefined where no row rule is in force. Limits on bytes count this and not `needOf`: a
 * caller's comparisons select groups of rows by values of rows that the rule excludes.
 */
export function ruledNeedOf(scans: readonly Scan[] | undefined): FileNeed | undefined {
  if (scans?.some(({ ruleFilters }) => ruleFilters !== undefined) !== true) return undefined;
  return needOf(scans.map(({ ruleFilters, ...scan }) => (ruleFilters ? { ...scan, filters: ruleFilters } : scan)));
}

/** Of its columns all, and no row. */
export const SCHEMA: FileNeed = { columns: undefined, uses: [] };

/** What is needed by two that read the same. */
export function bothNeeds(one: FileNeed, other: FileNeed): FileNeed {
  const columns =
    one.columns === undefined || other.columns === undefined ? undefined : new Set([...one.columns, ...other.columns]);
  return { columns, uses: [...one.uses, ...other.uses] };
}

/**
 * As much of it as the rows of an object can have a say in, by the directories of its key: no use is left where none can. A
 * directory's value stands in the place of a column of its name, so that the file's own does not count.
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

/** What type the engine takes the values for depends on all of them: told apart is only what differs under each. */
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
