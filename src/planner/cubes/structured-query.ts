/** The structured query of a request body (docs/spec/planner.md#cubes), read with every mistake named by its path in the body. */

import { PlannerError } from "../diagnostics.ts";
import { nearestNames } from "../suggest.ts";

export const GRANULARITIES = ["year", "quarter", "month", "week", "day", "hour", "minute"] as const;
export type Granularity = (typeof GRANULARITIES)[number];

export const OPERATORS = [
  "eq",
  "neq",
  "in",
  "not_in",
  "gt",
  "gte",
  "lt",
  "lte",
  "contains",
  "starts_with",
  "is_null",
  "is_not_null",
] as const;
export type FilterOperator = (typeof OPERATORS)[number];

/** A number as JSON holds it; numbers that JSON cannot hold exactly are rejected earlier. */
export type Scalar = string | number | boolean;

export interface TimeDimension {
  readonly dimension: string;
  /** Absent: the time dimension only filters. */
  readonly granularity: Granularity | undefined;
  /** A date as the end includes its day, a timestamp as the end is not in the range. */
  readonly dateRange: readonly [start: string, end: string] | undefined;
}

export interface Filter {
  /** A dimension, a time dimension or a measure. */
  readonly dimension: string;
  readonly operator: FilterOperator;
  /** None for `is_null` and `is_not_null`, at least one for `in` and `not_in`, one for all others. */
  readonly values: readonly Scalar[];
}

export interface Order {
  readonly member: string;
  readonly direction: "asc" | "desc";
}

export interface StructuredQuery {
  readonly cube: string;
  readonly measures: readonly string[];
  readonly dimensions: readonly string[];
  readonly timeDimensions: readonly TimeDimension[];
  readonly filters: readonly Filter[];
  readonly orderBy: readonly Order[];
  readonly limit: number | undefined;
  readonly offset: number | undefined;
}

/** Throws CUBE_INVALID_QUERY. */
export function readStructuredQuery(json: unknown): StructuredQuery {
  const query = membersOf(json, "cube", [
    "cube",
    "measures",
    "dimensions",
    "timeDimensions",
    "filters",
    "orderBy",
    "limit",
    "offset",
  ]);
  const read: StructuredQuery = {
    cube: text(query["cube"], "cube.cube"),
    measures: distinct(list(query["measures"], "cube.measures", text), "cube.measures"),
    dimensions: distinct(list(query["dimensions"], "cube.dimensions", text), "cube.dimensions"),
    timeDimensions: list(query["timeDimensions"], "cube.timeDimensions", readTimeDimension),
    filters: list(query["filters"], "cube.filters", readFilter),
    orderBy: list(query["orderBy"], "cube.orderBy", readOrder),
    limit: count(query["limit"], "cube.limit"),
    offset: count(query["offset"], "cube.offset"),
  };
  const grouped = read.timeDimensions.filter(({ granularity }) => granularity !== undefined);
  distinct(
    grouped.map(({ dimension, granularity }) => `${dimension} by ${granularity}`),
    "cube.timeDimensions",
  );
  if (read.measures.length + read.dimensions.length + grouped.length === 0) {
    throw invalid(
      "cube",
      "names no measure, no dimension and no time dimension with a granularity: there is nothing to answer",
    );
  }
  return read;
}

function readTimeDimension(json: unknown, path: string): TimeDimension {
  const read = membersOf(json, path, ["dimension", "granularity", "dateRange"]);
  const { granularity, dateRange } = read;
  const time: TimeDimension = {
    dimension: text(read["dimension"], `${path}.dimension`),
    granularity: isAbsent(granularity) ? undefined : oneOf(granularity, GRANULARITIES, `${path}.granularity`),
    dateRange: isAbsent(dateRange) ? undefined : readRange(dateRange, `${path}.dateRange`),
  };
  if (time.granularity === undefined && time.dateRange === undefined) {
    throw invalid(path, "has neither granularity nor dateRange");
  }
  return time;
}

function readRange(json: unknown, path: string): readonly [string, string] {
  const range = list(json, path, text);
  const [start, end] = range;
  if (start !== undefined && end !== undefined && range.length === 2) return [start, end];
  throw invalid(path, "must be two texts, the start and the end");
}

function readFilter(json: unknown, path: string): Filter {
  const read = membersOf(json, path, ["dimension", "operator", "value"]);
  const dimension = text(read["dimension"], `${path}.dimension`);
  const operator = oneOf(read["operator"], OPERATORS, `${path}.operator`);
  const { value } = read;
  const at = `${path}.value`;
  switch (operator) {
    case "is_null":
    case "is_not_null":
      if (!isAbsent(value)) throw invalid(at, `has no meaning with ${operator}`);
      return { dimension, operator, values: [] };
    case "in":
    case "not_in": {
      if (!Array.isArray(value)) throw invalid(at, `must be a list for ${operator}`);
      if (value.length === 0) throw invalid(at, `must not be empty for ${operator}`);
      return { dimension, operator, values: list(value, at, scalar) };
    }
    case "contains":
    case "starts_with":
      return { dimension, operator, values: [text(value, at)] };
    case "eq":
    case "neq":
    case "gt":
    case "gte":
    case "lt":
    case "lte":
      return { dimension, operator, values: [scalar(value, at)] };
    default:
      return operator satisfies never;
  }
}

function readOrder(json: unknown, path: string): Order {
  const read = membersOf(json, path, ["member", "direction"]);
  const { direction } = read;
  return {
    member: text(read["member"], `${path}.member`),
    direction: isAbsent(direction)
      ? "asc"
      : oneOf(
          typeof direction === "string" ? direction.toLowerCase() : direction,
          ["asc", "desc"],
          `${path}.direction`,
        ),
  };
}

// ------------------------------------------------------------------------------------------------------------ values

function invalid(path: string, problem: string, details: { hint?: string; suggestions?: readonly string[] } = {}) {
  return new PlannerError("CUBE_INVALID_QUERY", `${path} ${problem}`, details);
}

function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}

/** A name that is not known is refused: a misspelt `filters` would otherwise answer with every row. */
function membersOf(json: unknown, path: string, known: readonly string[]): Readonly<Record<string, unknown>> {
  if (typeof json !== "object" || json === null || Array.isArray(json)) throw invalid(path, "must be an object");
  for (const name of Object.keys(json)) {
    if (known.includes(name)) continue;
    throw invalid(path, `has an unknown member "${name.slice(0, 100)}"`, {
      hint: `The members are ${known.join(", ")}.`,
      suggestions: nearestNames(name, known),
    });
  }
  return json as Readonly<Record<string, unknown>>;
}

function text(json: unknown, path: string): string {
  if (isAbsent(json)) throw invalid(path, "is missing");
  if (typeof json !== "string") throw invalid(path, "must be a text");
  return json;
}

function list<T>(json: unknown, path: string, read: (item: unknown, path: string) => T): readonly T[] {
  if (isAbsent(json)) return [];
  if (!Array.isArray(json)) throw invalid(path, "must be a list");
  return json.map((item, index) => read(item, `${path}[${index}]`));
}

function distinct(names: readonly string[], path: string): readonly string[] {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw invalid(path, `names ${twice} more than once`);
  return names;
}

function oneOf<T extends string>(json: unknown, allowed: readonly T[], path: string): T {
  const found = allowed.find((each) => each === json);
  if (found !== undefined) return found;
  if (isAbsent(json)) throw invalid(path, "is missing", { hint: `It is one of ${allowed.join(", ")}.` });
  throw invalid(path, `must be one of ${allowed.join(", ")}`, {
    suggestions: typeof json === "string" ? nearestNames(json, allowed) : [],
  });
}

function count(json: unknown, path: string): number | undefined {
  if (isAbsent(json)) return undefined;
  if (typeof json === "number" && Number.isSafeInteger(json) && json >= 0) return json;
  throw invalid(path, "must be an integer from 0");
}

/** JSON numbers are read as doubles: what may have lost digits on the way is refused. */
function scalar(json: unknown, path: string): Scalar {
  if (isAbsent(json)) {
    throw invalid(path, "is required", { hint: "Use is_null or is_not_null to look for NULL." });
  }
  if (typeof json === "string" || typeof json === "boolean") return json;
  if (typeof json !== "number") throw invalid(path, "must be a text, a number or a boolean");
  const digits = json.toExponential().replace(/e.*/, "").replace(/[-.]/g, "");
  if (Number.isFinite(json) && digits.length <= 15) return json;
  throw invalid(path, "is a number of more than 15 digits, which JSON does not keep", {
    hint: "Send it as a text: it takes the type of what it is compared with.",
  });
}
