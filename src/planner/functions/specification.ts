/** The form of a catalogue entry: parameters, result, and safety of a function. */
import type { Expression } from "../syntax/tree.ts";
import { describeType, familyOf, type SqlType, UNKNOWN } from "../types.ts";

/** Types that a parameter accepts; `any` accepts everything. */
export type Accepts =
  | "any"
  | "number"
  /** a number, or an array of numbers */
  | "numbers"
  | "text"
  | "boolean"
  | "datetime"
  /** date, timestamp, time or interval */
  | "temporal"
  | "interval"
  | "json"
  | "array"
  | "binary"
  /** Binary, or text that is converted to its UTF-8 bytes. */
  | "bytes";

/**
 * Safety classes of docs/decisions/0019-functions.md. *pure*: the value depends on the arguments alone. *volatile*: on clock or
 * session as well.
 * *random*: another at every call. Functions that read outside or run SQL are not in the catalogue; `safety.ts` names them.
 */
export type Safety = "pure" | "volatile" | "random";

export interface TableColumn {
  readonly name: string;
  readonly type: SqlType;
}

export interface FunctionSpecification {
  readonly name: string;
  readonly kind: "scalar" | "aggregate" | "window" | "table";
  readonly parameters: readonly Accepts[];
  /** Number of `parameters` that are required. */
  readonly required: number;
  /** The last parameter may repeat. */
  readonly variadic: boolean;
  readonly result: (argumentTypes: readonly SqlType[]) => SqlType;
  /**
   * For table functions that name their columns or return several; the only column of any other has the name of the
   * table.
   */
  readonly columns?: (argumentTypes: readonly SqlType[]) => readonly TableColumn[] | undefined;
  readonly safety: Safety;
  /** `never` NULL, NULL only for NULL `arguments`, or `possible` in other cases too. */
  readonly nulls: "never" | "arguments" | "possible";
  readonly digits?: Digits;
  /** The result is the value of an argument, or NULL. */
  readonly chooses?: true;
  /** It puts its arguments in order. */
  readonly compares?: true;
  /**
   * For aggregates: repeated values do not change the result, always or when there is one distinct value (`avg` in the
   * group of one order).
   */
  readonly repetition?: "indifferent" | "indifferent to one value";
  /** For aggregates: the result keeps the values in a list. */
  readonly collects?: true;
  /** For aggregates: the result includes NULL inputs. */
  readonly keepsNulls?: true;
  /** Takes WITHIN GROUP, and gives one of the values that it sorts, or one between two. */
  readonly orderedSet?: "chosen" | "interpolated";
  /** PostgreSQL must know the type of the value: an untyped text literal or NULL is not enough. */
  readonly polymorphic?: true;
  /** Arguments with which no engine raises an error; `access/harmless.ts` holds per-engine results. */
  readonly neverRaises?: NeverRaises;
}

/**
 * Scale of an exact result: that of the first argument, of all arguments, of value and default; the scale in the second
 * argument; none; or unbounded (quotients, roots), which engines without unbounded decimals compute as doubles.
 */
type Digits = "of the first" | "of all" | "of value and default" | "asked for" | "none" | "computed";

/** `comparable`: values that come to one type; `one`: a single one of any type, or none. */
type NeverRaises = "none" | "one" | "booleans" | "exact numbers" | "comparable";

export type Result = SqlType | ((types: readonly SqlType[]) => SqlType);

export type Facts = Partial<
  Omit<FunctionSpecification, "name" | "kind" | "parameters" | "required" | "variadic" | "result">
>;

/** A row of the catalogue as it is written: parameters as words, `?` marks optional ones, `*` a last one that repeats. */
export interface Entry<Name extends string = string> {
  readonly kind: FunctionSpecification["kind"];
  readonly name: Name;
  readonly specified: Specified;
}

/**
 * A definition of a function in the input language, with `$1` for its first argument. A target without a rule for the function plans the
 * first one whose patterns the arguments fit (`lowering/templates/parameters.ts`). A definition that depends on literals is made of the
 * arguments, `undefined` where they are refused.
 */
export interface Meaning {
  readonly parameters: string;
  readonly sql: string | ((list: readonly Expression[]) => string | undefined);
}

/** A row with definitions. It has them only if they lose no digits of the result. */
export interface Defined {
  readonly means: readonly Meaning[];
}

/** The row with a definition for each list of argument patterns. */
export const defined = <const Row extends Entry>(
  row: Row,
  means: Readonly<Record<string, Meaning["sql"]>>,
): Row & Defined => ({
  ...row,
  means: Object.entries(means).map(([parameters, sql]) => ({ parameters, sql })),
});

/** The part of a catalogue row after the name. */
export type Specified = readonly [parameters: string, result: Result, facts?: Facts];

export const entry = <const Name extends string>(
  kind: FunctionSpecification["kind"],
  name: Name,
  specified: Specified,
): Entry<Name> => ({ kind, name, specified });

export function specificationOf({ kind, name, specified }: Entry): FunctionSpecification {
  const [parameters, result, facts] = specified;
  const words = parameters === "" ? [] : parameters.split(" ");
  return {
    name,
    kind,
    parameters: words.map((word) => word.replace(/[?*]+/, "") as Accepts),
    required: words.filter((word) => !word.includes("?")).length,
    variadic: words.some((word) => word.endsWith("*")),
    result: typeof result === "function" ? result : () => result,
    safety: "pure",
    nulls: kind === "scalar" ? "arguments" : "possible",
    ...facts,
  };
}

/** Whether the result is as exact as its arguments. */
export function carriesDigits({ digits }: Pick<FunctionSpecification, "digits">): boolean {
  return digits === "of the first" || digits === "of all" || digits === "of value and default";
}

export const ofFirst = (types: readonly SqlType[]): SqlType => types[0] ?? UNKNOWN;

/** One sentence about a wrong number of arguments, or `undefined`. */
export function countProblem(specification: FunctionSpecification, count: number): string | undefined {
  const { name, parameters, required, variadic } = specification;
  if (count >= required && (variadic || count <= parameters.length)) return undefined;
  const most = variadic ? undefined : parameters.length;
  const wanted =
    most === required ? `${required}` : most === undefined ? `at least ${required}` : `${required} to ${most}`;
  return `${name} takes ${wanted} argument${/\b1$/.test(wanted) ? "" : "s"}, not ${count}`;
}

/** The first argument of a type that its parameter does not take, as one sentence and its index, or `undefined`. */
export function argumentProblem(
  specification: FunctionSpecification,
  types: readonly SqlType[],
): { readonly message: string; readonly index: number } | undefined {
  const { name, parameters } = specification;
  for (const [index, type] of types.entries()) {
    const parameter = parameters[Math.min(index, parameters.length - 1)];
    if (parameter !== undefined && !accepts(parameter, type)) {
      return {
        message: `argument ${index + 1} of ${name} must be ${article(parameter)}, not ${describeType(type)}`,
        index,
      };
    }
  }
  return undefined;
}

function accepts(parameter: Accepts, type: SqlType): boolean {
  const family = familyOf(type);
  if (parameter === "array" && isMap(type)) return false;
  if (parameter === "any" || family === "any") return true;
  if (parameter === "numbers")
    return family === "number" || (type.kind === "array" && accepts(parameter, type.element));
  if (parameter === "temporal") return family === "datetime" || family === "time" || family === "interval";
  // JSON text is text to every string function, as in PostgreSQL after the cast people forget.
  if (parameter === "json") return family === "json" || family === "text";
  if (parameter === "bytes") return family === "binary" || family === "text";
  return family === parameter;
}

/** A map is no array: functions of arrays mean something else over it, or nothing. */
export function isMap(type: SqlType): boolean {
  return type.kind === "opaque" && type.name === "map";
}

function article(parameter: Accepts): string {
  switch (parameter) {
    case "datetime":
      return "a date or timestamp";
    case "temporal":
      return "a date, time, timestamp or interval";
    case "array":
    case "interval":
      return `an ${parameter}`;
    case "bytes":
      return "a text or binary value";
    case "numbers":
      return "a number or an array of numbers";
    case "text":
    case "json":
      return parameter;
    case "any":
    case "number":
    case "boolean":
    case "binary":
      return `a ${parameter}`;
    default:
      return parameter satisfies never;
  }
}
