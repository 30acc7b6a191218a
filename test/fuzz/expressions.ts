/**
 * Expressions of the input language, derived from its grammar as text. Half of the queries are meant to be sound, so that
 * planning goes all the way; the others slip: an operand of any kind at all, a name that nobody declared, a wrong count.
 */
import { findFunction } from "../../src/planner/functions/catalogue.ts";
import type { Random } from "../planner/syntax/random.ts";
import type { ColumnNames } from "./manifests.ts";
import {
  COMPARABLE,
  FUNCTIONS,
  KINDS,
  type Kind,
  NUMBERS,
  oddName,
  STRINGS,
  TYPES,
  UNITS,
  WRONG_TYPES,
  WRONG_UNITS,
} from "./vocabulary.ts";

/** Names that an expression may refer to. */
export interface Scope {
  readonly relations: readonly {
    readonly alias: string;
    readonly columns: readonly ColumnNames[];
    /** Columns that must not be named. */
    readonly others?: readonly string[];
  }[];
  /** Aggregates may stand here. */
  readonly aggregates: boolean;
  /** Window functions may stand here. */
  readonly windows: boolean;
}

/** Dice, and the two halves of the grammar that need each other. */
export interface Maker extends Random {
  readonly expression: (kind: Kind, scope: Scope, depth: number) => string;
  /** A query with columns of these kinds, without parentheses. */
  readonly query: (kinds: readonly Kind[], scope: Scope, depth: number) => string;
  /** True with the given probability in a query that may be wrong, never in one that should be planned. */
  readonly slips: (probability: number) => boolean;
  /** One of the first list, or now and then, in a query that may be wrong, of the second. */
  readonly sound: <T>(sound: readonly T[], unsound: readonly T[]) => T;
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
  const { pick } = maker;
  if (scope.relations.length === 0) return literal(kind, maker);
  const relation = pick(scope.relations);
  const fitting = relation.columns.filter((each) => each.kind === kind);
  if (fitting.length === 0 && !maker.slips(0.2)) return literal(kind, maker);
  if (maker.slips(0.02)) return written(pick([...(relation.others ?? []), someName(maker)]), maker);
  const { name } = pick(fitting.length > 0 ? fitting : relation.columns.length > 0 ? relation.columns : ANY_COLUMN);
  const qualified = !maker.slips(0.4) ? `${written(relation.alias, maker)}.` : "";
  return `${qualified}${written(name, maker)}`;
}

function stringLiteral(value: string, { below }: Random): string {
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
  if (chance(0.05)) return pick(["NULL", `CAST(NULL AS ${maker.sound(TYPES[kind], WRONG_TYPES)})`]);
  switch (kind) {
    case "number":
      return maker.slips(0.3) ? pick(NUMBERS) : String(below(20));
    case "text":
      return maker.slips(0.06)
        ? pick(["X'1F'", "B'01'", "N'x'", "U&'\\0041'", "E'\\t'"])
        : stringLiteral(pick(STRINGS), maker);
    case "boolean":
      return pick(["TRUE", "FALSE", "true", "NULL::boolean"]);
    case "date":
      return maker.sound(
        ["DATE '2024-02-29'", "'2024-01-01'::date", "CURRENT_DATE", "date '0001-01-01'"],
        ["DATE '2024-02-30'", "DATE 'now'", "{d '2024-01-01'}"],
      );
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
      return maker.sound(
        ["ARRAY[1, 2, 3]", "ARRAY[]::int[]", "ARRAY[2]"],
        ["'{1,2}'::int[]", "'{1,NULL,\"a\"}'::int[]", "'{'::int[]", "ARRAY['a']", "[1, 2]", "ARRAY[[1],[2]]"],
      );
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
  ...["INTERVAL '1 mon - 1 day ago'", "INTERVAL 'P1Y2M3DT4H5M6S'", "INTERVAL '1y 2mon 3d'", "INTERVAL '-1:30'"],
  ...["INTERVAL '-1 week'", "'1 day'::interval", "INTERVAL 'P1D'", "INTERVAL (1 + 2) MONTH", "INTERVAL '1.5 days'"],
];

/** An expression of roughly this kind, at most `depth` operators deep. */
export function expression(kind: Kind, scope: Scope, depth: number, maker: Maker): string {
  const { pick, chance } = maker;
  if (maker.slips(0.04)) return maker.expression(pick(KINDS), scope, depth);
  if (depth <= 0 || chance(0.2)) return chance(0.75) ? column(kind, scope, maker) : literal(kind, maker);
  if (scope.aggregates && chance(0.08)) return aggregate(kind, scope, depth, maker);
  if (chance(0.25)) return common(kind, scope, depth, maker);
  if (chance(0.12)) return call(scope, depth, maker);
  return ofKind(kind, scope, depth, maker);
}

/** Expressions that exist for every kind of value. */
function common(kind: Kind, scope: Scope, depth: number, maker: Maker): string {
  const { pick, chance } = maker;
  const e = (of: Kind = kind): string => maker.expression(of, scope, depth - 1);
  const overs = scope.windows || maker.slips(0.1);
  return pick<() => string>([
    () => `CASE WHEN ${e("boolean")} THEN ${e()}${chance(0.7) ? ` ELSE ${e()}` : ""} END`,
    () => `CASE ${e("number")} WHEN ${e("number")} THEN ${e()} WHEN ${e("number")} THEN ${e()} END`,
    () => `coalesce(${e()}, ${e()})`,
    () => `nullif(${e()}, ${e()})`,
    () => `${pick(["greatest", "least", "ifnull", "nvl", "iff"])}(${e()}, ${e()})`,
    () => `CAST(${e()} AS ${maker.sound(TYPES[kind], WRONG_TYPES)})`,
    () => `${pick(["TRY_CAST", "SAFE_CAST", "CAST"])}(${e(pick(KINDS))} AS ${maker.sound(TYPES[kind], WRONG_TYPES)})`,
    () => `(${e()})::${maker.sound(TYPES[kind], WRONG_TYPES)}`,
    () => `(${e()})`,
    () => `(SELECT ${pick(["max", "min", "any_value"])}(${e()}))`,
    () => `(${maker.query([kind], scope, depth - 2)})`,
    () => `(ARRAY[${e()}, ${e()}])[${e("number")}]`,
    () => (overs ? `first_value(${e()}) OVER ${window(scope, depth, maker)}` : e()),
    () => {
      const call = `${pick(["lag", "lead", "nth_value"])}(${e()}, 1)`;
      return overs ? `${call} ${pick(["", "", "IGNORE NULLS "])}OVER ${window(scope, depth, maker)}` : e();
    },
  ])();
}

function ofKind(kind: Kind, scope: Scope, depth: number, maker: Maker): string {
  const { pick, chance } = maker;
  const e = (of: Kind = kind): string => maker.expression(of, scope, depth - 1);
  const overs = scope.windows || maker.slips(0.1);
  const unit = (): string => maker.sound(UNITS, WRONG_UNITS);
  switch (kind) {
    case "number":
      return pick<() => string>([
        () => `${e()} ${pick(["+", "-", "*", "/", "//", "%", "^", "&", "|", "#", "<<", ">>"])} ${e()}`,
        () => `${e()} ${pick(["+", "-", "*"])} ${e()}`,
        () => `${pick(["-", "+", "~", "- -"])} ${e()}`,
        () => `extract(${unit()} FROM ${pick([e("date"), e("timestamp"), pick(INTERVALS)])})`,
        () => `${e("date")} - ${e("date")}`,
        () => `position(${e("text")} IN ${e("text")})`,
        () => `date_diff('${unit()}', ${e("date")}, ${e("timestamp")})`,
        () => `datediff(${pick([`${unit()}, `, ""])}${e("date")}, ${e("date")})`,
        () => `round(${e()}, ${pick(["0", "2", "-1"])})`,
        () => (overs ? `${pick(["row_number", "rank", "dense_rank"])}() OVER ${window(scope, depth, maker)}` : e()),
        () => (overs ? `sum(${e()}) OVER ${window(scope, depth, maker)}` : e()),
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
          `to_char(${e(pick(["date", "timestamp", "number"]))}, '${pick(["YYYY-MM-DD", "Mon", "FM999D99", "HH24:MI:SS", "FMTMDay DDth", "FX SSSSSP", "9,990.9PR", "WW Q J"])}')`,
        () => `${e("json")} ${pick(["->>", "#>>"])} ${pick(["'a'", "'{a,b}'", "0", e()])}`,
        () => `concat(${e()}, ${e(pick(KINDS))})`,
        () => `concat_ws(',', ${e()}, ${e("number")})`,
        () => `regexp_replace(${e()}, ${e()}, ${e()}${chance(0.3) ? ", 'g'" : ""})`,
        () => `${e()}${maker.sound([""], [' COLLATE "C"', " COLLATE utf8"])}`,
        () => `split_part(${e()}, ',', ${e("number")})`,
      ])();
    case "boolean":
      return condition(scope, depth, maker);
    case "date":
      return pick<() => string>([
        () => `${e()} ${pick(["+", "-"])} ${e("number")}`,
        () => `${e("timestamp")}::date`,
        () => `date_trunc('${unit()}', ${e()})::date`,
        () => `to_date(${e("text")}, 'YYYY-MM-DD')`,
        () => `make_date(${e("number")}, 1, 1)`,
      ])();
    case "timestamp":
      return pick<() => string>([
        () => `${e(pick(["date", "timestamp"]))} ${pick(["+", "-"])} ${pick(INTERVALS)}`,
        () => `date_trunc('${unit()}', ${e()}${chance(0.1) ? ", 'UTC'" : ""})`,
        () => `${e()} AT TIME ZONE ${pick(["'UTC'", "'Europe/Berlin'", e("text")])}`,
        () => `${e("date")}::timestamp`,
        () => `dateadd(${unit()}, ${e("number")}, ${e()})`,
        () => `date_add(${e()}, INTERVAL ${e("number")} ${pick(["DAY", "MONTH", "YEAR"])})`,
        () => `to_timestamp(${e("number")})`,
      ])();
    case "json":
      return `${e()} ${pick(["->", "#>"])} ${pick(["'a'", "0", "'{a,0}'", e("text")])}`;
    case "array":
      return pick<() => string>([
        () => `ARRAY[${e("number")}, ${e("number")}]`,
        () => `ARRAY(${maker.query(["number"], scope, depth - 2)})`,
        () => `(${e()})[${pick(["1:2", ":2", "1:", ":", e("number")])}]`,
        () => `${e()} || ${e(pick(["array", "number"]))}`,
        () => (overs ? `array_agg(${e("number")}) OVER ()` : e()),
        () => `string_to_array(${e("text")}, ',')`,
      ])();
    default:
      return kind satisfies never;
  }
}

function condition(scope: Scope, depth: number, maker: Maker): string {
  const { pick, chance, below } = maker;
  const e = (of: Kind): string => maker.expression(of, scope, depth - 1);
  const kind = maker.sound(COMPARABLE, KINDS);
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
    () => `${e(kind)} ${not}IN (${maker.query([kind], scope, depth - 2)})`,
    () => `(${e(kind)}, ${e("number")}) ${not}IN (${maker.query([kind, "number"], scope, depth - 2)})`,
    () => `(${e(kind)}, ${e("number")}) ${pick(["=", "<", "<>"])} (${e(kind)}, ${e("number")})`,
    () => `${e(kind)} ${not}BETWEEN ${pick(["", "", "SYMMETRIC "])}${e(kind)} AND ${e(kind)}`,
    () =>
      `${e("text")} ${not}${pick(["LIKE", "ILIKE", "SIMILAR TO"])} ${e("text")}${chance(0.15) ? " ESCAPE '!'" : ""}`,
    () =>
      `${e("text")} ${not}${pick(["LIKE", "ILIKE"])} ${pick(["ANY", "ALL"])} (${pick(["ARRAY['a%', '_']", "'{a%,_}'", e("array")])})`,
    () => `${e("text")} ~ ANY (ARRAY[${e("text")}, ${e("text")}])`,
    () =>
      `(${e(kind)}, ${e("number")}) ${pick(["=", "<>", "<", ">="])} (${maker.query([kind, "number"], scope, depth - 2)})`,
    () => `${e("text")} ${pick(["~", "~*", "!~", "!~*", "^@"])} ${e("text")}`,
    () => `${not}EXISTS (${maker.query([kind], scope, depth - 2)})`,
    () =>
      `${e(kind)} ${pick(["=", "<>", ">"])} ${pick(["ANY", "ALL", "SOME"])} (${maker.query([kind], scope, depth - 2)})`,
    () => `${e("number")} = ANY (${e("array")})`,
    () => `(${e("date")}, ${e("date")}) OVERLAPS (${e("date")}, ${pick(INTERVALS)})`,
    () => `${e("json")} ${pick(["@>", "<@", "?", "?|", "?&", "&&"])} ${e(pick(["json", "array", "text"]))}`,
    () => `array_contains(${e("array")}, ${e("number")})`,
  ])();
}

function aggregate(kind: Kind, scope: Scope, depth: number, maker: Maker): string {
  const { pick, chance } = maker;
  const inner: Scope = { ...scope, aggregates: maker.slips(0.04), windows: maker.slips(0.04) };
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
  const { pick, below } = maker;
  const name = pick(FUNCTIONS);
  const parameters = findFunction(name)?.parameters ?? Array.from({ length: below(4) }, () => "any");
  const values = parameters.map((parameter) =>
    parameter === "interval" ? pick(INTERVALS) : maker.expression(ACCEPTED[parameter] ?? pick(KINDS), scope, depth - 1),
  );
  if (maker.slips(0.15)) values.push(maker.expression(pick(KINDS), scope, depth - 1));
  if (maker.slips(0.06)) values.pop();
  const decoration = maker.slips(0.08)
    ? pick([" FILTER (WHERE TRUE)", " OVER ()", " WITHIN GROUP (ORDER BY 1)", " IGNORE NULLS"])
    : "";
  const prefix = maker.slips(0.04) ? pick(["pg_catalog.", '"S".', "a.b."]) : "";
  const named = values.length > 0 && maker.slips(0.02) ? "arg => " : "";
  return `${prefix}${name}(${maker.slips(0.04) ? "DISTINCT " : ""}${named}${maker.slips(0.02) ? "*" : values.join(", ")})${decoration}`;
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
  if (maker.slips(0.08)) return "w";
  const base = maker.slips(0.04) ? "w " : "";
  const partition = chance(0.5) ? `PARTITION BY ${maker.expression(pick(KINDS), scope, depth - 2)} ` : "";
  const order = chance(0.7)
    ? `ORDER BY ${maker.expression(pick(KINDS), scope, depth - 2)}${pick(["", " DESC", " NULLS FIRST"])}`
    : "";
  if (!chance(0.25)) return `(${base}${partition}${order})`;
  const frame = maker.sound(
    [
      "ROWS UNBOUNDED PRECEDING",
      "ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING",
      "RANGE BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING",
    ],
    [
      `${pick(["ROWS", "RANGE", "GROUPS"])} BETWEEN ${bound(maker, scope)} AND ${bound(maker, scope)}`,
      `ROWS ${bound(maker, scope)} EXCLUDE ${pick(["CURRENT ROW", "GROUP", "TIES", "NO OTHERS"])}`,
    ],
  );
  return `(${base}${partition}${order} ${frame})`;
}
