/**
 * Expressions of the input language, derived from its grammar as text. Most have sound types, so that planning goes all
 * the way; about one operand in twenty is of any kind at all, and names are now and then ones that nobody declared.
 */
import { findFunction } from "../../src/planner/functions/catalogue.ts";
import type { Random } from "../planner/syntax/random.ts";
import type { ColumnNames } from "./manifests.ts";
import { FUNCTIONS, KINDS, type Kind, NUMBERS, oddName, STRINGS, TYPES, UNITS } from "./vocabulary.ts";

/** What a place in a query can refer to. */
export interface Scope {
  readonly relations: readonly { readonly alias: string; readonly columns: readonly ColumnNames[] }[];
  /** Aggregates may stand here. */
  readonly aggregates: boolean;
}

/** Dice, and the two halves of the grammar that need each other. */
export interface Maker extends Random {
  readonly expression: (kind: Kind, scope: Scope, depth: number) => string;
  /** A query of `width` columns of any kind, without parentheses. */
  readonly query: (width: number, scope: Scope, depth: number) => string;
}

/** A name as someone writes it: bare, quoted, or in another case. */
export function written(name: string, { chance, below }: Random): string {
  const plain = /^[a-z_][a-z0-9_]*$/i.test(name);
  if (plain && !chance(0.1)) return name;
  if (plain && below(3) === 0) return name.toUpperCase();
  return `"${name.replaceAll('"', '""')}"`;
}

export function someName(maker: Maker): string {
  return maker.chance(0.04)
    ? written(oddName(maker), maker)
    : maker.pick(["a", "b", "c", "x", "y", "total", "n", "k", "Value"]);
}

const ANY_COLUMN: readonly ColumnNames[] = [{ name: "x", kind: "text" }];

function column(kind: Kind, scope: Scope, maker: Maker): string {
  const { pick, chance } = maker;
  if (scope.relations.length === 0) return literal(kind, maker);
  const relation = pick(scope.relations);
  const fitting = relation.columns.filter((each) => each.kind === kind);
  if (fitting.length === 0 && !chance(0.1)) return literal(kind, maker);
  if (chance(0.01)) return someName(maker);
  const { name } = pick(fitting.length > 0 ? fitting : relation.columns.length > 0 ? relation.columns : ANY_COLUMN);
  const qualified = chance(0.6) ? `${written(relation.alias, maker)}.` : "";
  return `${qualified}${written(name, maker)}`;
}

export function stringLiteral(value: string, { below }: Random): string {
  const text = value.replaceAll("''", "'");
  switch (below(24)) {
    case 0:
      return `E'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
    case 1:
      return `$t$${text}$t$`;
    case 2:
      return `U&'${text.replaceAll("'", "''").replaceAll("\\", "\\\\")}'`;
    default:
      return `'${text.replaceAll("'", "''")}'`;
  }
}

export function literal(kind: Kind, maker: Maker): string {
  const { pick, chance, below } = maker;
  if (chance(0.05)) return pick(["NULL", `CAST(NULL AS ${pick(TYPES[kind])})`]);
  switch (kind) {
    case "number":
      return chance(0.3) ? pick(NUMBERS) : String(below(20));
    case "text":
      return chance(0.03)
        ? pick(["X'1F'", "B'01'", "N'x'", "U&'\\0041'", "E'\\t'"])
        : stringLiteral(pick(STRINGS), maker);
    case "boolean":
      return pick(["TRUE", "FALSE", "true", "NULL::boolean"]);
    case "date":
      return pick([
        "DATE '2024-02-29'",
        "'2024-01-01'::date",
        "CURRENT_DATE",
        "date '0001-01-01'",
        "DATE '2024-02-30'",
      ]);
    case "timestamp":
      return pick([
        "TIMESTAMP '2024-01-01 12:00:00'",
        "TIMESTAMPTZ '2024-01-01 12:00:00+02'",
        "now()",
        "CURRENT_TIMESTAMP",
        "TIMESTAMP WITH TIME ZONE '2024-01-01'",
        "localtimestamp(3)",
      ]);
    case "json":
      return `'{"a":[1,{"b":null}]}'::json`;
    case "array":
      return pick(["ARRAY[1, 2, 3]", "ARRAY['a']", "ARRAY[]::int[]", "'{1,2}'::int[]", "[1, 2]", "ARRAY[[1],[2]]"]);
    default:
      return kind satisfies never;
  }
}

const INTERVALS: readonly string[] = [
  ...[
    "INTERVAL '1 day'",
    "INTERVAL '1-2' YEAR TO MONTH",
    "INTERVAL 3 DAY",
    "INTERVAL '3' HOUR",
    "INTERVAL '1 year 2 mons'",
  ],
  ...["INTERVAL '-1 week'", "'1 day'::interval", "INTERVAL 'P1D'", "INTERVAL (1 + 2) MONTH", "INTERVAL '1.5 days'"],
];

/** An expression of roughly this kind, at most `depth` operators deep. */
export function expression(kind: Kind, scope: Scope, depth: number, maker: Maker): string {
  const { pick, chance } = maker;
  if (chance(0.02)) return maker.expression(pick(KINDS), scope, depth);
  if (depth <= 0 || chance(0.2)) return chance(0.75) ? column(kind, scope, maker) : literal(kind, maker);
  if (scope.aggregates && chance(0.08)) return aggregate(kind, scope, depth, maker);
  if (chance(0.25)) return common(kind, scope, depth, maker);
  if (chance(0.12)) return call(scope, depth, maker);
  return ofKind(kind, scope, depth, maker);
}

/** What every kind of value can be made by. */
function common(kind: Kind, scope: Scope, depth: number, maker: Maker): string {
  const { pick, chance } = maker;
  const e = (of: Kind = kind): string => maker.expression(of, scope, depth - 1);
  return pick<() => string>([
    () => `CASE WHEN ${e("boolean")} THEN ${e()}${chance(0.7) ? ` ELSE ${e()}` : ""} END`,
    () => `CASE ${e("number")} WHEN ${e("number")} THEN ${e()} WHEN ${e("number")} THEN ${e()} END`,
    () => `coalesce(${e()}, ${e()})`,
    () => `nullif(${e()}, ${e()})`,
    () => `${pick(["greatest", "least", "ifnull", "nvl", "iff"])}(${e()}, ${e()})`,
    () => `CAST(${e()} AS ${pick(TYPES[kind])})`,
    () => `${pick(["TRY_CAST", "SAFE_CAST", "CAST"])}(${e(pick(KINDS))} AS ${pick(TYPES[kind])})`,
    () => `(${e()})::${pick(TYPES[kind])}`,
    () => `(${e()})`,
    () => `(SELECT ${pick(["max", "min", "any_value"])}(${e()}))`,
    () => `(${maker.query(1, scope, depth - 2)})`,
    () => `(ARRAY[${e()}, ${e()}])[${e("number")}]`,
    () => `first_value(${e()}) OVER ${window(scope, depth, maker)}`,
    () =>
      `${pick(["lag", "lead", "nth_value"])}(${e()}, 1) ${pick(["", "IGNORE NULLS ", "RESPECT NULLS "])}OVER ${window(scope, depth, maker)}`,
  ])();
}

function ofKind(kind: Kind, scope: Scope, depth: number, maker: Maker): string {
  const { pick, chance } = maker;
  const e = (of: Kind = kind): string => maker.expression(of, scope, depth - 1);
  switch (kind) {
    case "number":
      return pick<() => string>([
        () => `${e()} ${pick(["+", "-", "*", "/", "//", "%", "^", "&", "|", "#", "<<", ">>"])} ${e()}`,
        () => `${e()} ${pick(["+", "-", "*"])} ${e()}`,
        () => `${pick(["-", "+", "~", "- -"])} ${e()}`,
        () => `extract(${pick(UNITS)} FROM ${pick([e("date"), e("timestamp"), pick(INTERVALS)])})`,
        () => `${e("date")} - ${e("date")}`,
        () => `position(${e("text")} IN ${e("text")})`,
        () => `date_diff('${pick(UNITS)}', ${e("date")}, ${e("timestamp")})`,
        () => `datediff(${pick([`${pick(UNITS)}, `, ""])}${e("date")}, ${e("date")})`,
        () => `round(${e()}, ${pick(["0", "2", "-1"])})`,
        () =>
          `${pick(["row_number", "rank", "dense_rank", "ntile"])}(${chance(0.1) ? e() : ""}) OVER ${window(scope, depth, maker)}`,
        () => `sum(${e()}) OVER ${window(scope, depth, maker)}`,
        () => `(${e("json")} ->> 'a')::int`,
      ])();
    case "text":
      return pick<() => string>([
        () => `${e()} || ${e(pick(["text", "number", "date"]))}`,
        () => `substring(${e()} FROM ${e("number")}${chance(0.5) ? ` FOR ${e("number")}` : ""})`,
        () => `trim(${pick(["", "BOTH ", "LEADING ", "TRAILING "])}${pick(["", "'x' FROM ", "FROM "])}${e()})`,
        () => `overlay(${e()} PLACING ${e()} FROM ${e("number")}${chance(0.5) ? " FOR 2" : ""})`,
        () => `${pick(["upper", "lower", "initcap", "reverse"])}(${e()})`,
        () =>
          `to_char(${e(pick(["date", "timestamp", "number"]))}, '${pick(["YYYY-MM-DD", "Mon", "FM999D99", "HH24:MI:SS"])}')`,
        () => `${e("json")} ${pick(["->>", "#>>"])} ${pick(["'a'", "'{a,b}'", "0", e()])}`,
        () => `concat(${e()}, ${e(pick(KINDS))})`,
        () => `concat_ws(',', ${e()}, ${e("number")})`,
        () => `regexp_replace(${e()}, ${e()}, ${e()}${chance(0.3) ? ", 'g'" : ""})`,
        () => `${e()} COLLATE ${pick(['"C"', "utf8", 'pg_catalog."de_DE"'])}`,
        () => `split_part(${e()}, ',', ${e("number")})`,
      ])();
    case "boolean":
      return condition(scope, depth, maker);
    case "date":
      return pick<() => string>([
        () => `${e()} ${pick(["+", "-"])} ${e("number")}`,
        () => `${e("timestamp")}::date`,
        () => `date_trunc('${pick(UNITS)}', ${e()})::date`,
        () => `to_date(${e("text")}, 'YYYY-MM-DD')`,
        () => `make_date(${e("number")}, 1, 1)`,
      ])();
    case "timestamp":
      return pick<() => string>([
        () => `${e(pick(["date", "timestamp"]))} ${pick(["+", "-"])} ${pick(INTERVALS)}`,
        () => `date_trunc('${pick(UNITS)}', ${e()}${chance(0.1) ? ", 'UTC'" : ""})`,
        () => `${e()} AT TIME ZONE ${pick(["'UTC'", "'Europe/Berlin'", e("text")])}`,
        () => `${e("date")}::timestamp`,
        () => `dateadd(${pick(UNITS)}, ${e("number")}, ${e()})`,
        () => `date_add(${e()}, INTERVAL ${e("number")} ${pick(["DAY", "MONTH", "YEAR"])})`,
        () => `to_timestamp(${e("number")})`,
      ])();
    case "json":
      return `${e()} ${pick(["->", "#>"])} ${pick(["'a'", "0", "'{a,0}'", e("text")])}`;
    case "array":
      return pick<() => string>([
        () => `ARRAY[${e("number")}, ${e("number")}]`,
        () => `ARRAY(${maker.query(1, scope, depth - 2)})`,
        () => `(${e()})[${pick(["1:2", ":2", "1:", ":", e("number")])}]`,
        () => `${e()} || ${e(pick(["array", "number"]))}`,
        () => `array_agg(${e("number")} ORDER BY ${e("number")}) OVER ()`,
        () => `string_to_array(${e("text")}, ',')`,
      ])();
    default:
      return kind satisfies never;
  }
}

function condition(scope: Scope, depth: number, maker: Maker): string {
  const { pick, chance, below } = maker;
  const e = (of: Kind): string => maker.expression(of, scope, depth - 1);
  const kind = pick(KINDS);
  const not = chance(0.25) ? "NOT " : "";
  return pick<() => string>([
    () => `${e(kind)} ${pick(["=", "<>", "!=", "<", "<=", ">", ">="])} ${e(kind)}`,
    () => `${e(kind)} ${pick(["=", "<", ">="])} ${literal(kind, maker)}`,
    () => `${e("boolean")} ${pick(["AND", "OR"])} ${e("boolean")}`,
    () => `${e("boolean")} AND ${e("boolean")} OR ${e("boolean")}`,
    () => `NOT ${e("boolean")}`,
    () => `${e(kind)} IS ${not}${pick(["NULL", `DISTINCT FROM ${e(kind)}`])}`,
    () => `${e("boolean")} IS ${not}${pick(["TRUE", "FALSE", "UNKNOWN"])}`,
    () => `${e(kind)} ${pick(["ISNULL", "NOTNULL"])}`,
    () => `${e(kind)} ${not}IN (${Array.from({ length: 1 + below(4) }, () => e(kind)).join(", ")})`,
    () => `${e(kind)} ${not}IN (${maker.query(1, scope, depth - 2)})`,
    () => `(${e(kind)}, ${e("number")}) ${not}IN (${maker.query(2, scope, depth - 2)})`,
    () => `(${e(kind)}, ${e("number")}) ${pick(["=", "<", "<>"])} (${e(kind)}, ${e("number")})`,
    () => `${e(kind)} ${not}BETWEEN ${pick(["", "", "SYMMETRIC "])}${e(kind)} AND ${e(kind)}`,
    () =>
      `${e("text")} ${not}${pick(["LIKE", "ILIKE", "SIMILAR TO"])} ${e("text")}${chance(0.15) ? " ESCAPE '!'" : ""}`,
    () => `${e("text")} ${pick(["~", "~*", "!~", "!~*", "^@"])} ${e("text")}`,
    () => `${not}EXISTS (${maker.query(1, scope, depth - 2)})`,
    () => `${e(kind)} ${pick(["=", "<>", ">"])} ${pick(["ANY", "ALL", "SOME"])} (${maker.query(1, scope, depth - 2)})`,
    () => `${e("number")} = ANY (${e("array")})`,
    () => `(${e("date")}, ${e("date")}) OVERLAPS (${e("date")}, ${pick(INTERVALS)})`,
    () => `${e("json")} ${pick(["@>", "<@", "?", "?|", "?&", "&&"])} ${e(pick(["json", "array", "text"]))}`,
    () => `array_contains(${e("array")}, ${e("number")})`,
  ])();
}

function aggregate(kind: Kind, scope: Scope, depth: number, maker: Maker): string {
  const { pick, chance } = maker;
  const inner: Scope = { ...scope, aggregates: chance(0.02) };
  const e = (of: Kind): string => maker.expression(of, inner, depth - 1);
  const filter = chance(0.2) ? ` FILTER (WHERE ${e("boolean")})` : "";
  if (chance(0.1)) return `${pick(["min", "max", "any_value", "mode"])}(${e(kind)})${filter}`;
  switch (kind) {
    case "number":
      return pick<() => string>([
        () => `count(*)${filter}`,
        () => `count(${pick(["", "DISTINCT ", "ALL "])}${e(pick(KINDS))})${filter}`,
        () => `${pick(["sum", "avg", "min", "stddev", "var_pop", "median"])}(${e("number")})${filter}`,
        () => `percentile_${pick(["cont", "disc"])}(0.5) WITHIN GROUP (ORDER BY ${e("number")}${pick(["", " DESC"])})`,
        () => `count_if(${e("boolean")})`,
        () => `corr(${e("number")}, ${e("number")})`,
        () => `grouping(${e(pick(KINDS))})`,
      ])();
    case "text":
      return pick<() => string>([
        () => `string_agg(${e("text")}, ','${chance(0.5) ? ` ORDER BY ${e("number")} DESC` : ""})${filter}`,
        () => `listagg(${e("text")}, ',') WITHIN GROUP (ORDER BY ${e("text")})`,
        () => `group_concat(DISTINCT ${e("text")})`,
      ])();
    case "boolean":
      return `bool_${pick(["and", "or"])}(${e("boolean")})${filter}`;
    case "array":
      return `array_agg(${pick(["", "DISTINCT "])}${e("number")}${chance(0.5) ? ` ORDER BY ${e("number")} NULLS FIRST` : ""})${filter}`;
    case "date":
    case "timestamp":
    case "json":
      return `${pick(["min", "max"])}(${e(kind)})${filter}`;
    default:
      return kind satisfies never;
  }
}

const ACCEPTED: Readonly<Record<string, Kind>> = {
  number: "number",
  text: "text",
  boolean: "boolean",
  datetime: "date",
  temporal: "timestamp",
  json: "json",
  array: "array",
};

/** A call of any function, with the arguments that the catalogue asks for, or with others. */
function call(scope: Scope, depth: number, maker: Maker): string {
  const { pick, chance, below } = maker;
  const name = pick(FUNCTIONS);
  const parameters = findFunction(name)?.parameters ?? Array.from({ length: below(4) }, () => "any");
  const values = parameters.map((parameter) =>
    parameter === "interval" ? pick(INTERVALS) : maker.expression(ACCEPTED[parameter] ?? pick(KINDS), scope, depth - 1),
  );
  if (chance(0.1)) values.push(maker.expression(pick(KINDS), scope, depth - 1));
  if (chance(0.03)) values.pop();
  const decoration = chance(0.05)
    ? pick([" FILTER (WHERE TRUE)", " OVER ()", " WITHIN GROUP (ORDER BY 1)", " IGNORE NULLS"])
    : "";
  const prefix = chance(0.02) ? pick(["pg_catalog.", '"S".', "a.b."]) : "";
  const named = values.length > 0 && chance(0.01) ? "arg => " : "";
  return `${prefix}${name}(${chance(0.02) ? "DISTINCT " : ""}${named}${chance(0.01) ? "*" : values.join(", ")})${decoration}`;
}

function bound({ pick, expression: make }: Maker, scope: Scope): string {
  return pick<() => string>([
    () => "UNBOUNDED PRECEDING",
    () => "CURRENT ROW",
    () => "UNBOUNDED FOLLOWING",
    () => `${pick(["1", "INTERVAL '1 day'", make("number", scope, 0)])} ${pick(["PRECEDING", "FOLLOWING"])}`,
  ])();
}

export function window(scope: Scope, depth: number, maker: Maker): string {
  const { pick, chance } = maker;
  if (chance(0.06)) return "w";
  const base = chance(0.02) ? "w " : "";
  const partition = chance(0.5) ? `PARTITION BY ${maker.expression(pick(KINDS), scope, depth - 2)} ` : "";
  const order = chance(0.7)
    ? `ORDER BY ${maker.expression(pick(KINDS), scope, depth - 2)}${pick(["", " DESC", " NULLS FIRST"])}`
    : "";
  if (!chance(0.25)) return `(${base}${partition}${order})`;
  const exclude = chance(0.2) ? ` EXCLUDE ${pick(["CURRENT ROW", "GROUP", "TIES", "NO OTHERS"])}` : "";
  const frame = chance(0.5)
    ? `BETWEEN ${bound(maker, scope)} AND ${bound(maker, scope)}`
    : pick(["UNBOUNDED PRECEDING", "1 PRECEDING", "CURRENT ROW"]);
  return `(${base}${partition}${order} ${pick(["ROWS", "RANGE", "GROUPS"])} ${frame}${exclude})`;
}
