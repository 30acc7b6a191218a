/**
 * The probes for the engines: every scalar function of the catalogue, operator, cast, part of a time and truncation, over every
 * kind of argument. Each probe is SQL of the input language, so that what an engine computes is what the planner prints.
 * Aggregates and windows are not asked: they see no row before a rule has let it through.
 */
import { findFunction, functionNames } from "../../../src/planner/functions/catalogue.ts";
import type { Accepts, FunctionSpecification } from "../../../src/planner/functions/specification.ts";
import { KINDS, type Kind } from "./values.ts";

export interface Probe {
  /** `abs`, `extract year`, `cast integer`, `+`: under which the outcome is kept. */
  readonly what: string;
  readonly kinds: readonly Kind[];
  /** Over columns of the aliases `a`, `b`, `c`. */
  readonly sql: (columns: readonly string[]) => string;
}

const NUMBERS: readonly Kind[] = ["smallint", "integer", "bigint", "decimal", "real", "double"];
const DATETIMES: readonly Kind[] = ["date", "timestamp", "timestamptz"];

const KINDS_OF: Readonly<Record<Accepts, readonly Kind[]>> = {
  any: KINDS,
  number: NUMBERS,
  numbers: NUMBERS,
  text: ["text"],
  boolean: ["boolean"],
  datetime: DATETIMES,
  temporal: [...DATETIMES, "time", "timetz", "interval"],
  interval: ["interval"],
  json: [],
  array: [],
  binary: ["binary"],
  bytes: ["text", "binary"],
};

/**
 * Not asked, and taken to raise: what makes values larger meets limits of size, and takes the memory of the engine's
 * process with it.
 */
const GROWING: ReadonlySet<string> = new Set(
  "repeat lpad rpad replace concat concat_ws overlay regexp_replace translate string_to_array string_agg array_agg to_char".split(
    " ",
  ),
);
/** Their arguments are brought to one type: `access/common-types.ts` says which. */
const OF_ALTERNATIVES: ReadonlySet<string> = new Set(["coalesce", "nullif", "greatest", "least"]);
/** They ask for a literal unit. */
const WITH_UNIT: ReadonlySet<string> = new Set(["date_trunc", "date_diff"]);
const MOST_ARGUMENTS = 3;

function* functionProbes(): Iterable<Probe> {
  for (const name of functionNames()) {
    const specification = findFunction(name);
    if (specification === undefined || specification.kind !== "scalar") continue;
    if (GROWING.has(name) || OF_ALTERNATIVES.has(name) || WITH_UNIT.has(name)) continue;
    // Chance is nothing that a rule could be decided before or after.
    if (name === "random" || name === "gen_random_uuid") continue;
    for (const kinds of signatures(specification)) yield functionProbe(specification, kinds);
  }
}

function functionProbe({ name }: FunctionSpecification, kinds: readonly Kind[]): Probe {
  const sql = (columns: readonly string[]): string =>
    name === "position" ? `position(${columns.join(" IN ")})` : `${name}(${columns.join(", ")})`;
  return { what: name, kinds, sql };
}

/** Three and more arguments of one parameter's family are of one kind: 216 combinations tell no more. */
function signatures({ parameters, required, variadic }: FunctionSpecification): readonly (readonly Kind[])[] {
  const all: (readonly Kind[])[] = [];
  const most = Math.min(MOST_ARGUMENTS, variadic ? required : parameters.length);
  for (let count = required; count <= most; count++) {
    const wanted = parameters.slice(0, count);
    let found: (readonly Kind[])[] = [[]];
    for (const accepts of wanted) found = found.flatMap((kinds) => KINDS_OF[accepts].map((kind) => [...kinds, kind]));
    all.push(...(count < MOST_ARGUMENTS ? found : found.filter((kinds) => isUniform(kinds, wanted))));
  }
  return all;
}

function isUniform(kinds: readonly Kind[], wanted: readonly Accepts[]): boolean {
  return kinds.every((kind, index) => kind === kinds[wanted.indexOf(wanted[index] ?? "any")]);
}

const FIELDS = (
  "century day decade dow doy epoch hour isodow isoyear julian microseconds millennium milliseconds minute month quarter " +
  "second timezone timezone_hour timezone_minute week year"
).split(" ");

const UNITS = "microseconds milliseconds second minute hour day week month quarter year decade century".split(" ");

const COMPARISONS = ["=", "<", "is distinct from"];
const OPERATORS = ["+", "-", "*", "/", "%", "^", "//", "&", "|", "#", "<<", ">>"];

/** `what` over every two kinds; those that the planner refuses are told by it. */
function pairs(what: string, sql: (columns: readonly string[]) => string): readonly Probe[] {
  return KINDS.flatMap((left) => KINDS.map((right): Probe => ({ what, kinds: [left, right], sql })));
}

const single = (what: string, kinds: readonly Kind[], sql: (column: string) => string): readonly Probe[] =>
  kinds.map((kind) => ({ what, kinds: [kind], sql: ([column = ""]) => sql(column) }));

const TYPE_NAMES: Readonly<Record<Kind, string>> = {
  boolean: "boolean",
  smallint: "smallint",
  integer: "integer",
  bigint: "bigint",
  decimal: "numeric",
  real: "real",
  double: "double precision",
  text: "text",
  date: "date",
  time: "time",
  timetz: "time with time zone",
  timestamp: "timestamp",
  timestamptz: "timestamp with time zone",
  interval: "interval",
  binary: "bytea",
  uuid: "uuid",
};

export const PROBES: readonly Probe[] = [
  ...functionProbes(),
  ...FIELDS.flatMap((field) =>
    single(`extract ${field}`, KINDS_OF.temporal, (column) => `extract(${field} FROM ${column})`),
  ),
  ...UNITS.flatMap((unit) =>
    single(`date_trunc ${unit}`, KINDS_OF.temporal, (column) => `date_trunc('${unit}', ${column})`),
  ),
  ...KINDS.flatMap((to) => single(`cast ${to}`, KINDS, (column) => `CAST(${column} AS ${TYPE_NAMES[to]})`)),
  ...single("negate", [...NUMBERS, "interval"], (column) => `-${column}`),
  ...single("like", ["text"], (column) => `${column} LIKE 'a_%\\\\x'`),
  ...single("ilike", ["text"], (column) => `${column} ILIKE 'a_%\\\\x'`),
  ...single("similar", ["text"], (column) => `${column} SIMILAR TO '(a|b)%'`),
  ...single("~", ["text"], (column) => `${column} ~ '^(a|b)+'`),
  ...COMPARISONS.flatMap((operator) => pairs(operator, ([a, b]) => `${a} ${operator} ${b}`)),
  ...OPERATORS.flatMap((operator) => pairs(operator, ([a, b]) => `${a} ${operator} ${b}`)),
];
