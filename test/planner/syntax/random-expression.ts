/** Random expressions in the normal form that the parser makes: every one is the parse of some text. */
import type {
  BinaryOperator,
  Call,
  Expression,
  Frame,
  FrameBound,
  Identifier,
  IntervalUnit,
  Query,
  SortItem,
  Span,
  TypeName,
  Window,
} from "../../../src/planner/syntax/tree.ts";
import type { Random } from "./random.ts";

/** Dice that also make the parts of a tree which hold each other. */
export interface TreeDice extends Random {
  readonly expression: (depth: number) => Expression;
  readonly query: (depth: number) => Query;
}

/** No place: comparisons of trees leave spans out. */
export const span: Span = { start: 0, end: 0 };

const NAMES = [
  ...[
    "a",
    "b",
    "t",
    "x1",
    "_y",
    "größe",
    "Mixed",
    "UPPER",
    "two words",
    'qu"ote',
    "select",
    "order",
    "user",
    "left",
    "end",
  ],
  ...[
    "date",
    "time",
    "timestamp",
    "interval",
    "position",
    "values",
    "row",
    "exists",
    "year",
    "count",
    "filter",
    "over",
    "rows",
  ],
  ...[
    "partition",
    "unbounded",
    "current",
    "qualify",
    "minus",
    "rollup",
    "cube",
    "grouping",
    "array",
    "escape",
    "at",
    "zone",
    "by",
  ],
  ...[
    "top",
    "ignore",
    "semi",
    "lateral",
    "1st",
    "a.b",
    "a'b",
    "--",
    "/*",
    "day",
    "between",
    "not",
    "null",
    "true",
    "char",
  ],
];

export function name({ pick, chance }: TreeDice): Identifier {
  const text = pick(NAMES);
  const bare = /^[A-Za-z_][\w$]*$/.test(text) || text === "größe";
  return { name: text, quoted: !bare || chance(0.3), span };
}

export function names(dice: TreeDice, most: number): readonly Identifier[] {
  return Array.from({ length: 1 + dice.below(most) }, () => name(dice));
}

const BINARY: readonly BinaryOperator[] = [
  ...([
    "=",
    "<>",
    "<",
    "<=",
    ">",
    ">=",
    "+",
    "-",
    "*",
    "/",
    "//",
    "%",
    "^",
    "||",
    "&",
    "|",
    "#",
    "<<",
    ">>",
    "->",
  ] as const),
  ...(["->>", "#>", "#>>", "@>", "<@", "?", "?|", "?&", "&&", "^@", "~", "~*", "!~", "!~*"] as const),
  ...(["is distinct from", "is not distinct from"] as const),
];

const UNITS: readonly IntervalUnit[] = [
  ...(["year", "quarter", "month", "week", "day", "hour", "minute", "second", "millisecond", "microsecond"] as const),
];

function typeName(dice: TreeDice): TypeName {
  const { pick, chance } = dice;
  const simple = { parameters: [], members: [], span };
  return pick<() => TypeName>([
    () => ({
      ...simple,
      name: pick(["int", "text", "double precision", "date", "interval"]),
      dimensions: dice.below(3),
    }),
    () => ({ ...simple, name: "decimal", parameters: [10, 2], dimensions: 0 }),
    () => ({ ...simple, name: "timestamp with time zone", parameters: chance(0.5) ? [3] : [], dimensions: 0 }),
    () => ({ ...simple, name: "array", members: [{ name: undefined, type: typeName(dice) }], dimensions: 0 }),
    () => ({
      ...simple,
      name: "struct",
      members: [{ name: name(dice), type: typeName(dice) }],
      dimensions: dice.below(2),
    }),
  ])();
}

function leaf(dice: TreeDice): Expression {
  const { pick, chance } = dice;
  return pick<() => Expression>([
    () => ({ kind: "number", text: pick(["0", "1", "1.50", ".5", "1.", "1e-3"]), span }),
    () => ({ kind: "string", value: pick(["", "x", "it's", "a\\b", "--", "/*", "\n", "é", "$$"]), span }),
    () => ({ kind: "boolean", value: chance(0.5), span }),
    () => ({ kind: "null", span }),
    () => ({ kind: "bits", base: 16, digits: "1F", span }),
    () => ({
      kind: "typed",
      typeName: plainType(pick(["date", "time", "timestamp", "json"])),
      value: "2024-01-01",
      span,
    }),
    () => ({
      kind: "interval",
      value: { kind: "string", value: "1 day", span },
      unit: undefined,
      toUnit: undefined,
      span,
    }),
    () => ({
      kind: "interval",
      value: { kind: "string", value: "1", span },
      unit: pick(UNITS),
      toUnit: undefined,
      span,
    }),
    () => ({ kind: "interval", value: { kind: "string", value: "1-2", span }, unit: "year", toUnit: "month", span }),
    () => ({ kind: "session", name: "session_x", span }),
    ...Array.from({ length: 8 }, () => (): Expression => ({ kind: "column", parts: names(dice, 3), span })),
  ])();
}

function plainType(text: string): TypeName {
  return { name: text, parameters: [], dimensions: 0, members: [], span };
}

/** An expression at most `depth` operators deep. */
export function randomExpression(dice: TreeDice, depth: number): Expression {
  if (depth <= 0 || dice.chance(0.15)) {
    return leaf(dice);
  }
  const { pick, chance } = dice;
  const inner = (): Expression => dice.expression(depth - 1);
  const list = (least: number, most: number): readonly Expression[] =>
    Array.from({ length: least + dice.below(most - least + 1) }, inner);
  const subquery = (): Query => dice.query(depth - 2);
  const negated = chance(0.5);
  return pick<() => Expression>([
    ...Array.from(
      { length: 8 },
      () => (): Expression => ({ kind: "binary", operator: pick(BINARY), left: inner(), right: inner(), span }),
    ),
    () => ({ kind: "binary", operator: "overlaps", left: pair(inner), right: pair(inner), span }),
    () => ({ kind: "unary", operator: pick(["-", "+", "~", "not"]), operand: inner(), span }),
    () => ({ kind: "unary", operator: pick(["-", "+", "~", "not"]), operand: inner(), span }),
    () => ({ kind: "logical", operator: pick(["and", "or"]), operands: list(2, 3), span }),
    () => ({ kind: "logical", operator: pick(["and", "or"]), operands: list(2, 3), span }),
    () => ({
      kind: "like",
      operator: pick(["like", "ilike", "similar"]),
      negated,
      operand: inner(),
      pattern: inner(),
      escape: chance(0.3) ? inner() : undefined,
      span,
    }),
    () => ({ kind: "between", negated, symmetric: chance(0.2), operand: inner(), low: inner(), high: inner(), span }),
    () => ({ kind: "in-list", negated, operand: inner(), list: notOneQuery(list(1, 3)), span }),
    () => ({ kind: "in-query", negated, operand: inner(), query: subquery(), span }),
    () => ({
      kind: "quantified",
      operator: pick(["=", "<>", "<"]),
      quantifier: pick(["any", "all"]),
      operand: inner(),
      query: undefined,
      array: notOneQuery([inner()])[0]!,
      span,
    }),
    () => ({
      kind: "quantified",
      operator: "=",
      quantifier: "any",
      operand: inner(),
      query: subquery(),
      array: undefined,
      span,
    }),
    () => ({ kind: "exists", query: subquery(), span }),
    () => ({ kind: "is", negated, operand: inner(), test: pick(["null", "true", "false", "unknown"]), span }),
    () => ({
      kind: "case",
      operand: chance(0.4) ? inner() : undefined,
      branches: Array.from({ length: 1 + dice.below(2) }, () => ({ when: inner(), then: inner() })),
      otherwise: chance(0.5) ? inner() : undefined,
      span,
    }),
    () => ({ kind: "cast", operand: inner(), typeName: typeName(dice), safe: chance(0.3), span }),
    () => ({ kind: "extract", field: pick(["year", "dow", "odd field"]), operand: inner(), span }),
    () => randomCall(dice, depth),
    () => randomCall(dice, depth),
    () => ({ kind: "array", elements: list(0, 3), span }),
    () => ({ kind: "array-query", query: subquery(), span }),
    () => ({ kind: "subscript", operand: inner(), index: inner(), span }),
    () => ({
      kind: "slice",
      operand: inner(),
      from: chance(0.5) ? inner() : undefined,
      to: chance(0.5) ? inner() : undefined,
      span,
    }),
    () => ({ kind: "field", operand: inner(), field: name(dice), span }),
    () => ({ kind: "row", elements: list(0, 3), span }),
    () => ({ kind: "scalar-query", query: subquery(), span }),
    () => ({ kind: "collate", operand: inner(), collation: names(dice, 2), span }),
    () => ({ kind: "at-time-zone", operand: inner(), zone: inner(), span }),
    () => ({ kind: "interval", value: notPlain(inner()), unit: pick(UNITS), toUnit: undefined, span }),
  ])();
}

function pair(inner: () => Expression): Expression {
  return { kind: "row", elements: [inner(), inner()], span };
}

/** A lone sub-query in an IN list, or under ANY, is the query itself when it is parsed. */
function notOneQuery(list: readonly Expression[]): readonly Expression[] {
  const [only] = list;
  return list.length === 1 && only?.kind === "scalar-query" ? [{ kind: "array", elements: list, span }] : list;
}

/** In front of a unit, a string is read as a string whatever it holds. */
function notPlain(value: Expression): Expression {
  return value.kind === "string" ? { kind: "number", text: "1", span } : value;
}

export function randomCall(dice: TreeDice, depth: number): Call {
  const { pick, chance } = dice;
  const inner = (): Expression => dice.expression(depth - 1);
  const star = chance(0.1);
  const values = star ? [] : Array.from({ length: dice.below(3) }, inner);
  return {
    kind: "call",
    name: pick<() => readonly Identifier[]>([
      () => [{ name: pick(["f", "count", "coalesce", "left", "date"]), quoted: false, span }],
      () => [{ name: pick(["position", "My F", "current_date", "sum", "exists"]), quoted: true, span }],
      () => [
        { name: "s", quoted: false, span },
        { name: "f", quoted: false, span },
      ],
    ])(),
    arguments: values.map((value) => ({ name: chance(0.1) ? { name: "arg", quoted: false, span } : undefined, value })),
    star,
    distinct: values.length > 0 && chance(0.1),
    orderBy: values.length > 0 && chance(0.1) ? sort(dice, depth) : [],
    withinGroup: chance(0.1) ? sort(dice, depth) : [],
    filter: chance(0.1) ? inner() : undefined,
    nulls: chance(0.1) ? pick(["ignore", "respect"] as const) : undefined,
    over: chance(0.2) ? window(dice, depth) : undefined,
    span,
  };
}

export function sort(dice: TreeDice, depth: number): readonly SortItem[] {
  return Array.from({ length: 1 + dice.below(2) }, () => ({
    expression: dice.expression(depth - 1),
    direction: dice.pick(["asc", "desc", undefined] as const),
    nulls: dice.pick(["first", "last", undefined] as const),
    span,
  }));
}

export function window(dice: TreeDice, depth: number): Window {
  const { chance } = dice;
  if (chance(0.2)) {
    return { base: name(dice), named: true, partitionBy: [], orderBy: [], frame: undefined, span };
  }
  return {
    base: chance(0.2) ? name(dice) : undefined,
    named: false,
    partitionBy: chance(0.4) ? [dice.expression(depth - 1)] : [],
    orderBy: chance(0.4) ? sort(dice, depth) : [],
    frame: chance(0.4) ? frame(dice, depth) : undefined,
    span,
  };
}

function frame(dice: TreeDice, depth: number): Frame {
  const { pick, chance } = dice;
  const offset = (kind: "preceding" | "following"): FrameBound => ({ kind, offset: dice.expression(depth - 1) });
  return {
    unit: pick(["rows", "range", "groups"]),
    start: pick<() => FrameBound>([() => ({ kind: "unbounded-preceding" }), () => offset("preceding")])(),
    end: chance(0.5)
      ? pick<() => FrameBound>([
          () => ({ kind: "current-row" }),
          () => ({ kind: "unbounded-following" }),
          () => offset("following"),
        ])()
      : undefined,
    exclude: pick(["current row", "group", "ties", undefined] as const),
    span,
  };
}
