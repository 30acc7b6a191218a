/** Random calculated columns: over own columns, paths to one row, aggregates over paths to many, windows. */
import type { Random } from "../support/random-query.ts";
import { type Aggregate, type Expression, type Kind, type Reference, type Root, template } from "./expression.ts";
import { newName, written } from "./names.ts";
import { type Leaf, STORED_KINDS, scalar } from "./scalars.ts";
import { SQL_TYPES, type StoredKind } from "./tables.ts";
import {
  aggregatedHops,
  type Column,
  declaredToMany,
  factsOf,
  type Hop,
  leadsToOne,
  type Model,
  type Relation,
  type Shape,
  sameHop,
  scalarHop,
} from "./world.ts";

/** Which relations and columns an expression may read. */
export interface Reach {
  readonly relation: (relation: Relation) => boolean;
  readonly column: (column: Column, relation: Relation) => boolean;
  /** Nothing that the planner may refuse: what rests on it would be refused with it. */
  readonly careful?: boolean;
}

export const EVERYTHING: Reach = { relation: () => true, column: () => true };

/** References of the wanted kind that follow `hops`. */
function columnsAt(root: Root, hops: readonly Hop[], kind: Kind | undefined, reach: Reach): readonly Reference[] {
  const end: Relation = hops.at(-1)?.handle.target ?? root.relation;
  return end.columns
    .filter(
      (column) => column.kind !== "list" && (kind === undefined || column.kind === kind) && reach.column(column, end),
    )
    .map((column) => ({ node: "reference", kind: column.kind, root, hops, column }));
}

/** A few hops that lead to one row each; declared to lead to many now and then, which the planner may refuse. */
export function toOneHops(root: Root, reach: Reach, random: Random): readonly Hop[] {
  const hops: Hop[] = [];
  let owner: Relation = root.relation;
  for (let depth = 1 + random.below(3); depth > 0; depth--) {
    const next = owner.handles
      .map(scalarHop)
      .filter(
        (hop) =>
          leadsToOne(hop) &&
          reach.relation(hop.handle.target) &&
          (!declaredToMany(hop) || (reach.careful !== true && random.chance(0.04))),
      );
    if (next.length === 0) break;
    const hop = random.pick(next);
    hops.push(hop);
    owner = hop.handle.target;
  }
  return hops;
}

/** Leaves over own columns, and over paths to one row in that share. */
export function leafOf(root: Root, pathShare: number, reach: Reach, random: Random): Leaf {
  return (kind) => {
    const hops = random.chance(pathShare) ? toOneHops(root, reach, random) : [];
    return pickCheap(columnsAt(root, hops, kind, reach), random);
  };
}

/** Mostly a column of the row alone: what is computed over other rows grows with every column that is built on it. */
function pickCheap(found: readonly Reference[], random: Random): Reference | undefined {
  const cheap = random.chance(0.85) ? found.filter(({ column }) => column.facts.reads.size === 0) : [];
  return cheap.length > 0 ? random.pick(cheap) : found.length > 0 ? random.pick(found) : undefined;
}

/** An aggregate over a random path; `undefined` where the model has none. */
export function randomAggregate(root: Root, reach: Reach, random: Random): Aggregate | undefined {
  const handles = walk(root.relation, reach, random);
  const hops = aggregatedHops(handles);
  const [first] = hops;
  if (first === undefined) return undefined;
  const depth = Math.max(1, hops.findLastIndex(declaredToMany) + 1);
  const chain = hops.slice(0, depth);
  // The path below the chain is joined to each of its rows: it must lead to one row.
  const beyond = hops.slice(depth);
  const whole = beyond.every(leadsToOne) ? hops : chain;
  const leaf: Leaf = (kind) => {
    const path = random.chance(0.6) ? whole : inside(chain, reach, random);
    const own = random.chance(0.06) ? [] : path;
    return pickCheap(columnsAt(root, own, kind, reach), random);
  };
  const anchor = pickCheap(columnsAt(root, whole, undefined, reach), random);
  return anchor && aggregateOf(anchor, { root, chain, leaf, random });
}

function walk(from: Relation, reach: Reach, random: Random): Model["handles"] {
  const handles: Model["handles"] = [];
  let owner = from;
  for (let depth = random.pick([1, 1, 2, 2, 3]); depth > 0; depth--) {
    const next = owner.handles.filter(({ target }) => reach.relation(target));
    if (next.length === 0) break;
    const handle = random.pick(next);
    handles.push(handle);
    owner = handle.target;
  }
  return handles;
}

/** A part of the chain, perhaps with a step beside it that leads to one row. */
function inside(chain: readonly Hop[], reach: Reach, random: Random): readonly Hop[] {
  const part = chain.slice(0, 1 + random.below(chain.length));
  const owner = part.at(-1)?.handle.target;
  const beside = (owner?.handles ?? [])
    .map(scalarHop)
    .filter((hop) => leadsToOne(hop) && !declaredToMany(hop) && reach.relation(hop.handle.target))
    .filter((hop) => !sameHop(hop, chain[part.length]));
  const path = beside.length > 0 && random.chance(0.4) ? [...part, random.pick(beside)] : part;
  // Each path decides by itself which way it walks models related to themselves.
  const walked = aggregatedHops(path.map(({ handle }) => handle));
  return walked.every((hop, index) => sameHop(hop, path[index])) ? path : chain;
}

interface Grouping {
  readonly root: Root;
  readonly chain: readonly Hop[];
  readonly leaf: Leaf;
  readonly random: Random;
}

/** `anchor` makes sure that the aggregate names its path. */
function aggregateOf(anchor: Reference, { root, chain, leaf, random }: Grouping): Aggregate {
  const stored = anchor.kind as StoredKind;
  const filter = random.chance(0.2) ? scalar("bool", 2, leaf, random) : undefined;
  const base = { node: "aggregate", root, chain, distinct: false, separator: undefined, orderBy: [], filter } as const;
  const over = (kind: StoredKind): Expression =>
    kind !== stored || random.chance(0.1)
      ? template(
          kind,
          "CASE WHEN ",
          anchor,
          " IS NULL THEN ",
          scalar(kind, 1, leaf, random),
          " ELSE ",
          scalar(kind, 1, leaf, random),
          " END",
        )
      : random.chance(0.5)
        ? anchor
        : template(kind, "coalesce(", anchor, ", ", scalar(kind, 1, leaf, random), ")");
  const numeric = stored === "int" || stored === "dec" || stored === "dbl" ? stored : "int";
  return random.pick<() => Aggregate>([
    () => ({ ...base, name: "count", kind: "int", argument: over(stored), distinct: random.chance(0.4) }),
    () => ({ ...base, name: "sum", kind: numeric, argument: over(numeric), distinct: random.chance(0.15) }),
    () => ({ ...base, name: "sum", kind: numeric, argument: over(numeric) }),
    () => ({
      ...base,
      name: random.pick(["min", "max"]),
      kind: stored === "bool" ? "int" : stored,
      argument: over(stored === "bool" ? "int" : stored),
    }),
    () => ({ ...base, name: random.pick(["bool_or", "bool_and"]), kind: "bool", argument: over("bool") }),
    () => {
      const argument = over("text");
      const key = { expression: leaf("int") ?? argument, descending: random.chance(0.5) };
      const distinct = random.chance(0.3);
      const last = { expression: argument, descending: random.chance(0.5) };
      const orderBy = distinct ? [last] : [key, last];
      return { ...base, name: "string_agg", kind: "text", argument, separator: ",", distinct, orderBy };
    },
    () => {
      const argument = over("int");
      const orderBy = [{ expression: argument, descending: random.chance(0.5) }];
      return { ...base, name: "array_agg", kind: "list", argument, orderBy };
    },
    () => ({
      ...base,
      name: "count",
      kind: "int",
      argument: undefined,
      filter: template("bool", "(", over("bool"), " OR ", anchor, " IS NOT NULL)"),
    }),
  ])();
}

const NULLS_LAST = { written: "", oracle: " NULLS LAST" };

function randomWindow(root: Root, rowId: Expression, leaf: Leaf, random: Random): Expression {
  const by = (): Expression => scalar(random.pick(STORED_KINDS), 1, leaf, random);
  const partition = random.chance(0.5) ? ["PARTITION BY ", by(), " "] : [];
  const order = ["ORDER BY ", by(), random.pick([" DESC", ""]), NULLS_LAST];
  const total = [...order, ", ", rowId, NULLS_LAST];
  const whole = (): Expression => scalar("int", 1, leaf, random);
  return random.pick([
    () => template("int", "row_number() OVER (", ...partition, ...total, ")"),
    () => template("int", "rank() OVER (", ...partition, ...order, ")"),
    () => template("int", "(", whole(), " - coalesce(lag(", whole(), ") OVER (", ...partition, ...total, "), 0))"),
    () => template("int", "sum(", whole(), ") OVER (", ...partition, ")"),
    () =>
      template(
        "int",
        "sum(",
        whole(),
        ") OVER (",
        ...partition,
        ...total,
        " ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)",
      ),
    () => template("int", "count(*) OVER (", ...partition, ")"),
    () => {
      const grouped = randomAggregate(root, EVERYTHING, random);
      const key = grouped === undefined || grouped.kind === "list" ? by() : grouped;
      return template("int", "dense_rank() OVER (ORDER BY ", key, NULLS_LAST, ")");
    },
  ])();
}

/** One calculated column of `model` over columns that are there already; `undefined` where its shape is impossible. */
export function randomCalculated(model: Model, random: Random): Column | undefined {
  const root: Root = { relation: model, alias: "" };
  const kind = random.pick(STORED_KINDS);
  const shape = random.pick<Shape>(["own", "to-one", "to-one", "to-many", "to-many", "to-many", "to-many", "window"]);
  let expression: Expression | undefined;
  if (shape === "own") expression = scalar(kind, 2, leafOf(root, 0, EVERYTHING, random), random);
  else if (shape === "to-one") expression = scalar(kind, 2, leafOf(root, 0.8, EVERYTHING, random), random);
  else if (shape === "window") {
    const rowId: Reference = { node: "reference", kind: "int", root, hops: [], column: model.rowId };
    expression = randomWindow(root, rowId, leafOf(root, 0.3, EVERYTHING, random), random);
  } else {
    const grouped = randomAggregate(root, EVERYTHING, random);
    if (grouped === undefined) return undefined;
    expression = random.chance(0.6) ? grouped : around(grouped, root, random);
  }
  const taken = new Set([...model.columns, ...model.handles].map(({ name }) => name));
  const facts = factsOf(expression);
  const name = newName(random, taken, { folded: false });
  const hidden = random.chance(0.06);
  // The declared type of a calculated column is its type: another one would convert the value.
  const type = expression.kind === "list" ? "INTEGER[]" : SQL_TYPES[expression.kind];
  return {
    id: `c${model.columns.length}`,
    name,
    kind: expression.kind,
    shape,
    hidden,
    stored: undefined,
    expression,
    facts: { ...facts, window: facts.window || shape === "window" },
    json: { name, type, isCalculated: true, ...(hidden ? { isHidden: true } : {}) },
  };
}

/** Own columns, paths to one row and another aggregate beside an aggregate. */
function around(grouped: Aggregate, root: Root, random: Random): Expression {
  if (grouped.kind === "list") return grouped;
  const other = randomAggregate(root, EVERYTHING, random);
  const leaf = leafOf(root, 0.4, EVERYTHING, random);
  const mixed: Leaf = (kind) => {
    if (kind === grouped.kind && random.chance(0.6)) return grouped;
    if (kind === other?.kind && random.chance(0.6)) return other;
    return leaf(kind);
  };
  return template(grouped.kind, "coalesce(", grouped, ", ", scalar(grouped.kind, 2, mixed, random), ")");
}

/** A reference as an expression of the manifest has it: `column`, `Model.column` or `handle.….column`. */
export function pathText({ root, hops, column }: Reference, random: Random): string {
  const parts: string[] = [];
  let owner: Relation = root.relation;
  const namesOf = (relation: Relation): string[] => [...relation.columns, ...relation.handles].map(({ name }) => name);
  for (const { handle } of hops) {
    parts.push(written(handle.name, random, namesOf(owner)));
    owner = handle.target;
  }
  parts.push(written(column.name, random, namesOf(owner)));
  const { name, handles } = root.relation;
  const hidden = handles.some((handle) => handle.name.toLowerCase() === name.toLowerCase());
  return !hidden && random.chance(0.2) ? [`"${name.replaceAll('"', '""')}"`, ...parts].join(".") : parts.join(".");
}
