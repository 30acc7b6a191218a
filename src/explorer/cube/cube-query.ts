/** A structured query over a cube (docs/reference/cube-queries.md), as the builder writes it. */

export const GRANULARITIES = ["year", "quarter", "month", "week", "day", "hour", "minute"] as const;
export type Granularity = (typeof GRANULARITIES)[number];

export const OPERATORS = [
  "eq",
  "neq",
  "gt",
  "gte",
  "lt",
  "lte",
  "in",
  "not_in",
  "contains",
  "starts_with",
  "is_null",
  "is_not_null",
] as const;
export type Operator = (typeof OPERATORS)[number];

export interface TimeDimension {
  readonly dimension: string;
  readonly granularity?: Granularity;
  /** Two dates as `2024-01-31`; the range includes both days. */
  readonly dateRange?: readonly [start: string, end: string];
}

export interface Filter {
  readonly dimension: string;
  readonly operator: Operator;
  /** A list for `in` and `not_in`; absent for `is_null` and `is_not_null`. */
  readonly value?: string | readonly string[];
}

export interface Order {
  readonly member: string;
  readonly direction: "asc" | "desc";
}

export interface CubeQuery {
  readonly cube: string;
  readonly measures: readonly string[];
  readonly dimensions: readonly string[];
  readonly timeDimensions: readonly TimeDimension[];
  readonly filters: readonly Filter[];
  readonly orderBy: readonly Order[];
  readonly limit?: number;
}

export const emptyCubeQuery = (cube: string): CubeQuery => ({
  cube,
  measures: [],
  dimensions: [],
  timeDimensions: [],
  filters: [],
  orderBy: [],
});

/** Names of the answer's columns, in their order; `orderBy` may use them. */
export const columnsOf = ({ measures, dimensions, timeDimensions }: CubeQuery): readonly string[] => [
  ...timeDimensions.flatMap(({ dimension, granularity }) =>
    granularity === undefined ? [] : [`${dimension}__${granularity}`],
  ),
  ...dimensions,
  ...measures,
];

export const takesList = (operator: Operator): boolean => operator === "in" || operator === "not_in";
export const takesNothing = (operator: Operator): boolean => operator === "is_null" || operator === "is_not_null";

/** A copy without orders by columns that the query no longer has. */
export function withoutLostOrders(query: CubeQuery): CubeQuery {
  const columns = new Set(columnsOf(query));
  return { ...query, orderBy: query.orderBy.filter(({ member }) => columns.has(member)) };
}

/** The member that the query still needs before it can run; undefined if it needs none. */
export function missingIn(query: CubeQuery): string | undefined {
  if (columnsOf(query).length === 0) return "Choose a measure, a dimension or a time.";
  const open = query.filters.find(({ operator, value = "" }) => !takesNothing(operator) && value.length === 0);
  return open === undefined ? undefined : `The filter on ${open.dimension} needs a value.`;
}

const DATE = /^\d{4}-\d\d-\d\d$/;

/** The query of a link, if it has the shape that the builder writes; names are judged by the service. */
export function cubeQueryIn(json: string): CubeQuery | undefined {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return undefined;
  }
  if (!isObject(value) || typeof value["cube"] !== "string") return undefined;
  const { cube, measures, dimensions, timeDimensions, filters, orderBy, limit } = value;
  if (!isListOf(measures, isText) || !isListOf(dimensions, isText)) return undefined;
  if (!isListOf(timeDimensions, isTimeDimension) || !isListOf(filters, isFilter) || !isListOf(orderBy, isOrder))
    return undefined;
  if (limit !== undefined && !(Number.isSafeInteger(limit) && Number(limit) >= 0)) return undefined;
  const query = { cube, measures, dimensions, timeDimensions, filters, orderBy };
  return limit === undefined ? query : { ...query, limit: Number(limit) };
}

type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members => typeof value === "object" && value !== null;
const isText = (value: unknown): value is string => typeof value === "string";
const isListOf = <Item>(value: unknown, is: (item: unknown) => item is Item): value is readonly Item[] =>
  Array.isArray(value) && value.every(is);
const isOneOf = (value: unknown, names: readonly string[]): boolean => isText(value) && names.includes(value);

function isTimeDimension(value: unknown): value is TimeDimension {
  if (!isObject(value) || !isText(value["dimension"])) return false;
  const { granularity, dateRange } = value;
  const isRange =
    Array.isArray(dateRange) && dateRange.length === 2 && dateRange.every((end) => DATE.test(String(end)));
  return (granularity === undefined || isOneOf(granularity, GRANULARITIES)) && (dateRange === undefined || isRange);
}

function isFilter(value: unknown): value is Filter {
  if (!isObject(value) || !isText(value["dimension"])) return false;
  const operator = OPERATORS.find((each) => each === value["operator"]);
  if (operator === undefined) return false;
  if (takesNothing(operator)) return value["value"] === undefined;
  return takesList(operator) ? isListOf(value["value"], isText) : isText(value["value"]);
}

const isOrder = (value: unknown): value is Order =>
  isObject(value) && isText(value["member"]) && isOneOf(value["direction"], ["asc", "desc"]);
