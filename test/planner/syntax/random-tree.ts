/** Random trees in the normal form that the parser makes: every tree here is the parse of some text. */
import type {
  CommonTable,
  Expression,
  GroupingElement,
  Query,
  QueryBody,
  SelectItem,
  TableAlias,
  TableExpression,
} from "../../../src/planner/syntax/tree.ts";
import type { Random } from "./random.ts";

import { name, names, randomCall, randomExpression, sort, span, type TreeDice, window } from "./random-expression.ts";

/** Dice for trees, thrown by `random`. */
export function treeDice(random: Random): TreeDice {
  const dice: TreeDice = {
    ...random,
    expression: (depth) => randomExpression(dice, depth),
    query: (depth) => randomQuery(dice, depth),
  };
  return dice;
}

function randomQuery(dice: TreeDice, depth: number): Query {
  const { chance } = dice;
  const count = (): Expression => dice.expression(depth - 1);
  const tables = Array.from(
    { length: chance(0.15) && depth > 0 ? 1 + dice.below(2) : 0 },
    (): CommonTable => ({
      name: name(dice),
      columns: chance(0.3) ? names(dice, 2) : [],
      materialized: dice.pick([true, false, undefined]),
      query: dice.query(depth - 1),
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

function body(dice: TreeDice, depth: number): QueryBody {
  const { pick, chance } = dice;
  const inner = (): Expression => dice.expression(depth - 1);
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
        const query = dice.query(depth - 1);
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

function item(dice: TreeDice, depth: number): SelectItem {
  const { chance } = dice;
  if (chance(0.15)) {
    return {
      kind: "star",
      qualifier: chance(0.4) ? names(dice, 2) : [],
      except: chance(0.2) ? names(dice, 2) : [],
      replace: chance(0.2) ? [{ expression: dice.expression(depth - 1), name: name(dice) }] : [],
      rename: chance(0.2) ? [{ from: name(dice), to: name(dice) }] : [],
      span,
    };
  }
  return {
    kind: "item",
    expression: dice.expression(depth - 1),
    alias: chance(0.5) ? name(dice) : undefined,
    span,
  };
}

function grouping(dice: TreeDice, depth: number, nested: boolean): GroupingElement {
  const key = (): Expression => dice.expression(depth - 1);
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

function tableAlias(dice: TreeDice): TableAlias {
  return { name: name(dice), columns: dice.chance(0.3) ? names(dice, 2) : [] };
}

function table(dice: TreeDice, depth: number): TableExpression {
  const { pick, chance } = dice;
  const alias = chance(0.6) ? tableAlias(dice) : undefined;
  if (depth <= 0 || chance(0.5)) {
    return { kind: "table", name: names(dice, 3), alias, span };
  }
  return pick<() => TableExpression>([
    () => ({ kind: "derived", query: dice.query(depth - 1), lateral: chance(0.2), alias, span }),
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

function join(dice: TreeDice, depth: number): TableExpression {
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
    : { kind: "join", join: type, natural: false, ...sides, on: dice.expression(depth - 1), using: [] };
}
