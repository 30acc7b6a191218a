/** How the catalogue states a function: what it takes, what it gives, and how far it may be trusted. */
import { describeType, familyOf, type SqlType, UNKNOWN } from "../types.ts";

/** What a parameter accepts; `any` accepts everything. */
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
  /** binary, or text that stands for its bytes in UTF-8 */
  | "bytes";

/**
 * Safety classes of decisions P9. *pure*: the value depends on the arguments alone. *volatile*: on clock or session as well.
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
  /** How many of `parameters` must be given. */
  readonly required: number;
  /** The last parameter may repeat. */
  readonly variadic: boolean;
  readonly result: (argumentTypes: readonly SqlType[]) => SqlType;
  /** Of a table function that names its columns, or gives several; any other's only one is called as the table is. */
  readonly columns?: (argumentTypes: readonly SqlType[]) => readonly TableColumn[] | undefined;
  readonly safety: Safety;
  /** `never` NULL, NULL only for NULL `arguments`, or `possible` in other cases too. */
  readonly nulls: "never" | "arguments" | "possible";
  readonly digits?: Digits;
  /** The result is the value of an argument, or NULL. */
  readonly chooses?: true;
  /** It puts its arguments in order. */
  readonly compares?: true;
  /** Of an aggregate: the same however often a value comes, or if it is the only one (`avg` in the group of one order). */
  readonly repetition?: "indifferent" | "indifferent to one value";
  /** Of an aggregate: the result keeps the values one after another. */
  readonly collects?: true;
  /** Of an aggregate: the result holds the NULLs that it meets. */
  readonly keepsNulls?: true;
  /** Takes WITHIN GROUP, and gives one of the values that it sorts, or one between two. */
  readonly orderedSet?: "chosen" | "interpolated";
  /** PostgreSQL wants to know the type of its value: a bare text or NULL has none there. */
  readonly polymorphic?: true;
  /** With which arguments no engine fails; what else it computes without failing each was asked (`access/harmless.ts`). */
  readonly neverRaises?: NeverRaises;
}

/**
 * Digits behind the point of an exact result: those of its first argument, of all of them, or of its value and default; as many
 * as its second argument asks for; none; or more than any number has (quotients, roots), which an engine without decimals of any
 * length computes as doubles.
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

/** What follows the name in a row of the catalogue. */
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

/** What is wrong with the number of a call's arguments as one sentence, or `undefined`. */
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
