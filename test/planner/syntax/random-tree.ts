/** Random trees in the normal form that the parser makes: every tree here is the parse of some text. */
import type {
  BinaryOperator,
  Call,
  CommonTable,
  Expression,
  Frame,
  FrameBound,
  GroupingElement,
  Identifier,
  IntervalUnit,
  Query,
  QueryBody,
  SelectItem,
  SortItem,
  Span,
  TableAlias,
  TableExpression,
  TypeName,
  Window,
} from "../../../src/planner/syntax/tree.ts";
import type { Random } from "./random.ts";

const span: Span = { start: 0, end: 0 };

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

function name({ pick, chance }: Random): Identifier {
  const text = pick(NAMES);
  const bare = /^[A-Za-z_][\w$]*$/.test(text) || text === "größe";
  return { name: text, quoted: !bare || chance(0.3), span };
}

function names(dice: Random, most: number): readonly Identifier[] {
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

function typeName(dice: Random): TypeName {
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

function leaf(dice: Random): Expression {
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

export function randomExpression(dice: Random, depth: number): Expression {
  if (depth <= 0 || dice.chance(0.15)) {
    return leaf(dice);
  }
  const { pick, chance } = dice;
  const inner = (): Expression => randomExpression(dice, depth - 1);
  const list = (least: number, most: number): readonly Expression[] =>
    Array.from({ length: least + dice.below(most - least + 1) }, inner);
  const subquery = (): Query => randomQuery(dice, depth - 2);
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

function randomCall(dice: Random, depth: number): Call {
  const { pick, chance } = dice;
  const inner = (): Expression => randomExpression(dice, depth - 1);
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

function sort(dice: Random, depth: number): readonly SortItem[] {
  return Array.from({ length: 1 + dice.below(2) }, () => ({
    expression: randomExpression(dice, depth - 1),
    direction: dice.pick(["asc", "desc", undefined] as const),
    nulls: dice.pick(["first", "last", undefined] as const),
    span,
  }));
}

function window(dice: Random, depth: number): Window {
  const { chance } = dice;
  if (chance(0.2)) {
    return { base: name(dice), named: true, partitionBy: [], orderBy: [], frame: undefined, span };
  }
  return {
    base: chance(0.2) ? name(dice) : undefined,
    named: false,
    partitionBy: chance(0.4) ? [randomExpression(dice, depth - 1)] : [],
    orderBy: chance(0.4) ? sort(dice, depth) : [],
    frame: chance(0.4) ? frame(dice, depth) : undefined,
    span,
  };
}

function frame(dice: Random, depth: number): Frame {
  const { pick, chance } = dice;
  const offset = (kind: "preceding" | "following"): FrameBound => ({ kind, offset: randomExpression(dice, depth - 1) });
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

export function randomQuery(dice: Random, depth: number): Query {
  const { chance } = dice;
  const count = (): Expression => randomExpression(dice, depth - 1);
  const tables = Array.from(
    { length: chance(0.15) && depth > 0 ? 1 + dice.below(2) : 0 },
    (): CommonTable => ({
      name: name(dice),
      columns: chance(0.3) ? names(dice, 2) : [],
      materialized: dice.pick([true, false, undefined]),
      query: randomQuery(dice, depth - 1),
      span,
    }),
  );
  const plain: Query = {
    kind: "query",
    with: tables.length > 0 ? { recursive: chance(0.3), tables } : undefined,
    body: body(dice, depth),
    orderBy: chance(0.2) ? sort(dice, depth) : [],
    limit: chance(0.2) ? { count: count(), withTies: chance(0.3), span } : undefined,
    offset: chance(0.15) ? count() : undefined,
    span,
  };
  return plain.body.kind === "nested" && !trails(plain) ? plain.body.query : plain;
}

function trails(query: Query): boolean {
  return (
    query.with !== undefined || query.orderBy.length > 0 || query.limit !== undefined || query.offset !== undefined
  );
}

function body(dice: Random, depth: number): QueryBody {
  const { pick, chance } = dice;
  const inner = (): Expression => randomExpression(dice, depth - 1);
  if (depth > 0 && chance(0.25)) {
    return pick<() => QueryBody>([
      () => ({
        kind: "set",
        operator: pick(["union", "intersect", "except"]),
        all: chance(0.5),
        left: body(dice, depth - 1),
        right: body(dice, depth - 1),
        span,
      }),
      () => ({ kind: "values", rows: Array.from({ length: 1 + dice.below(2) }, () => [inner(), inner()]), span }),
      () => {
        const query = randomQuery(dice, depth - 1);
        return trails(query) ? { kind: "nested", query, span } : query.body;
      },
    ])();
  }
  return {
    kind: "select",
    distinct: pick([undefined, undefined, undefined, [], [inner()]]),
    items: Array.from({ length: 1 + dice.below(3) }, () => item(dice, depth)),
    from: Array.from({ length: dice.below(3) }, () => table(dice, depth)),
    where: chance(0.3) ? inner() : undefined,
    groupBy: chance(0.2) ? Array.from({ length: 1 + dice.below(2) }, () => grouping(dice, depth, false)) : undefined,
    having: chance(0.1) ? inner() : undefined,
    windows: chance(0.1)
      ? [{ name: name(dice), window: { ...window(dice, depth), base: undefined, named: false } }]
      : [],
    qualify: chance(0.1) ? inner() : undefined,
    span,
  };
}

function item(dice: Random, depth: number): SelectItem {
  const { chance } = dice;
  if (chance(0.15)) {
    return {
      kind: "star",
      qualifier: chance(0.4) ? names(dice, 2) : [],
      except: chance(0.2) ? names(dice, 2) : [],
      replace: chance(0.2) ? [{ expression: randomExpression(dice, depth - 1), name: name(dice) }] : [],
      rename: chance(0.2) ? [{ from: name(dice), to: name(dice) }] : [],
      span,
    };
  }
  return {
    kind: "item",
    expression: randomExpression(dice, depth - 1),
    alias: chance(0.5) ? name(dice) : undefined,
    span,
  };
}

function grouping(dice: Random, depth: number, nested: boolean): GroupingElement {
  const key = (): Expression => randomExpression(dice, depth - 1);
  return dice.pick<() => GroupingElement>([
    () => ({ kind: "expression", expression: key() }),
    () => ({ kind: "expression", expression: key() }),
    () => ({ kind: "empty" }),
    () => (nested ? { kind: "keys", expressions: [key(), key()] } : { kind: "empty" }),
    () => ({
      kind: dice.pick(["sets", "rollup", "cube"]),
      elements: Array.from({ length: 1 + dice.below(2) }, () => grouping(dice, depth - 1, true)),
    }),
  ])();
}

function tableAlias(dice: Random): TableAlias {
  return { name: name(dice), columns: dice.chance(0.3) ? names(dice, 2) : [] };
}

function table(dice: Random, depth: number): TableExpression {
  const { pick, chance } = dice;
  const alias = chance(0.6) ? tableAlias(dice) : undefined;
  if (depth <= 0 || chance(0.5)) {
    return { kind: "table", name: names(dice, 3), alias, span };
  }
  return pick<() => TableExpression>([
    () => ({ kind: "derived", query: randomQuery(dice, depth - 1), lateral: chance(0.2), alias, span }),
    () => ({
      kind: "function",
      call: {
        ...randomCall(dice, depth),
        star: false,
        distinct: false,
        orderBy: [],
        withinGroup: [],
        filter: undefined,
        nulls: undefined,
        over: undefined,
      },
      lateral: chance(0.2),
      ordinality: chance(0.2),
      alias,
      span,
    }),
    () => join(dice, depth),
    () => ({ kind: "aliased-join", join: join(dice, depth), alias: tableAlias(dice), span }),
  ])();
}

function join(dice: Random, depth: number): TableExpression {
  const { pick, chance } = dice;
  const sides = { left: table(dice, depth - 1), right: table(dice, depth - 1), span } as const;
  if (chance(0.2)) {
    return { kind: "join", join: "cross", natural: false, ...sides, on: undefined, using: [] };
  }
  const type = pick(["inner", "left", "right", "full"] as const);
  if (chance(0.2)) {
    return { kind: "join", join: type, natural: true, ...sides, on: undefined, using: [] };
  }
  return chance(0.4)
    ? { kind: "join", join: type, natural: false, ...sides, on: undefined, using: names(dice, 2) }
    : { kind: "join", join: type, natural: false, ...sides, on: randomExpression(dice, depth - 1), using: [] };
}
