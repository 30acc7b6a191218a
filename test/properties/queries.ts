/** Random queries over models and views, each spelled for the planner, in several ways, and for the oracle. */
import type { Random } from "../support/random-query.ts";
import { EVERYTHING, leafOf, type Reach } from "./calculated.ts";
import { type Expression, type Reference, type Root, references, template, type Writing, write } from "./expression.ts";
import { newName, quoted, written } from "./names.ts";
import type { Oracle } from "./oracle.ts";
import { type Leaf, STORED_KINDS, scalar } from "./scalars.ts";
import type { StoredKind } from "./tables.ts";
import { type Column, type Facts, factsOf, isModel, type Relation } from "./world.ts";

/** How one spelling is chosen: other aliases, another order of what has none. */
export interface Spelling {
  readonly random: Random;
  /** Turns lists around whose order means nothing. */
  readonly reordered: boolean;
}

interface Item {
  readonly root: Root;
  readonly join: "from" | "inner" | "left";
  /** Absent for the first item, and where the pairs are all taken. */
  readonly on: readonly Expression[];
}

interface QueryParts {
  readonly items: readonly Item[];
  readonly outputs: readonly Expression[];
  readonly where: readonly Expression[];
  /** Positions of `outputs` that are grouped by; absent without grouping. */
  readonly groupBy: readonly number[] | undefined;
  /** Positions of `outputs` that the primary key among those decides: a caller need not group by them. */
  readonly decided: readonly number[];
  readonly having: Expression | undefined;
  readonly distinct: boolean;
}

export class Query {
  readonly parts: QueryParts;

  constructor(parts: QueryParts) {
    this.parts = parts;
  }

  get outputs(): readonly Expression[] {
    return this.parts.outputs;
  }

  /** The same with one more condition. */
  restrictedTo(condition: Expression): Query {
    return new Query({ ...this.parts, where: [...this.parts.where, condition] });
  }

  /** Facts that follow from all columns that it names. */
  facts(): Facts {
    const { items, outputs, where, having } = this.parts;
    const named = [...outputs, ...where, ...items.flatMap(({ on }) => on), ...(having === undefined ? [] : [having])];
    const facts = factsOf(template("bool", ...named));
    return { ...facts, reads: new Set([...facts.reads, ...items.map(({ root }) => root.relation)]) };
  }

  /** Output columns are called `o0`, `o1`, …. */
  oracle(oracle: Oracle): string {
    const alias = ({ alias: name }: Root): string => name;
    const spell = (expression: Expression): string => oracle.spell(expression, alias);
    const from = this.parts.items.map(
      ({ root, join, on }) =>
        `${JOINS[join]}${oracle.table(root.relation)} ${root.alias}${join === "from" ? "" : ` ON ${all(on.map(spell))}`}`,
    );
    const outputs = this.outputs.map((expression, index) => `${spell(expression)} AS o${index}`);
    const positions = this.outputs.map((_, index) => `${index + 1}`);
    const decided = this.parts.decided.map((index) => `, ${positions[index]}`);
    return this.#text(outputs, from.join(""), positions, spell, this.parts.where.map(spell), decided.join(""));
  }

  /** The caller's text; `order` maps each output to its position. */
  written({ random, reordered }: Spelling): { readonly sql: string; readonly order: readonly number[] } {
    const { items, outputs, where } = this.parts;
    const taken = new Set<string>();
    const only = items.length === 1;
    let inSubquery = false;
    const aliases = new Map<Root, { readonly name: string; readonly shown: boolean }>();
    for (const { root } of items) {
      const shown = !only || random.chance(0.6);
      if (!shown) taken.add(root.relation.name.toLowerCase());
      aliases.set(root, { name: shown ? newName(random, taken, { folded: true }) : root.relation.name, shown });
    }
    const writing: Writing = {
      from: (root) => {
        inSubquery = true;
        const alias = newName(random, taken, { folded: true });
        aliases.set(root, { name: alias, shown: true });
        return `${quoted(root.relation.name)} AS ${quoted(alias)}`;
      },
      reference: (reference) => {
        const alias = aliases.get(reference.root)!;
        // A handle of an alias's name would not be reached, nor any name that a subquery has too.
        const bare = only && !inSubquery && random.chance(0.4) && firstNameIsFree(reference, [...aliases.values()]);
        return [...(bare ? [] : [quoted(alias.name)]), callerPath(reference, random)].join(".");
      },
    };
    const spell = (expression: Expression): string => write(expression, writing);
    const table = ({ relation }: Root, { name, shown }: { name: string; shown: boolean }): string =>
      quoted(relation.name) + (shown ? `${random.chance(0.5) ? " AS " : " "}${quoted(name)}` : "");
    const shuffle = <T>(list: readonly T[]): readonly T[] => (reordered ? shuffled(list, random) : list);
    const free = items.every(({ join, on }) => join !== "left" && (join === "from" || on.length > 0));
    const placed = free ? shuffle(items) : items;
    const ons = free && reordered ? items.flatMap(({ on }) => on) : [];
    const from = placed.map(({ root, join, on }, index) => {
      const text = table(root, aliases.get(root)!);
      if (free && reordered) return `${index === 0 ? "" : ", "}${text}`;
      return `${JOINS[join]}${text}${join === "from" ? "" : ` ON ${all(shuffle(on).map(spell))}`}`;
    });
    const order = shuffle(outputs.map((_, index) => index));
    const names = new Set<string>();
    const spelled = outputs.map(spell);
    const shown = order.map(
      (index) =>
        `${spelled[index]}${random.chance(0.7) ? ` AS ${quoted(newName(random, names, { folded: true }))}` : ""}`,
    );
    const conditions = shuffle([...where, ...ons]).map(spell);
    return { sql: this.#text(shown, from.join(""), spelled, spell, conditions, "", shuffle), order };
  }

  #text(
    outputs: readonly string[],
    from: string,
    expressions: readonly string[],
    spell: (expression: Expression) => string,
    where: readonly string[],
    moreKeys: string,
    shuffle: <T>(list: readonly T[]) => readonly T[] = (list) => list,
  ): string {
    const { groupBy, having, distinct } = this.parts;
    const keys = groupBy === undefined ? [] : shuffle(groupBy).map((index) => expressions[index]);
    return [
      `SELECT ${distinct ? "DISTINCT " : ""}${outputs.join(", ")} FROM ${from}`,
      ...(where.length > 0 ? [`WHERE ${all(where)}`] : []),
      ...(keys.length > 0 ? [`GROUP BY ${keys.join(", ")}${moreKeys}`] : []),
      ...(having === undefined ? [] : [`HAVING ${spell(having)}`]),
    ].join(" ");
  }
}

const JOINS = { from: "", inner: " JOIN ", left: " LEFT JOIN " } as const;

function all(conditions: readonly string[]): string {
  return conditions.length === 0 ? "TRUE" : conditions.join(" AND ");
}

function shuffled<T>(list: readonly T[], random: Random): readonly T[] {
  const rest = [...list];
  return list.map(() => rest.splice(random.below(rest.length), 1)[0]!);
}

function firstNameIsFree({ root, hops, column }: Reference, aliases: readonly { readonly name: string }[]): boolean {
  const first = (hops[0]?.handle.name ?? column.name).toLowerCase();
  if (hops.length === 0) return true;
  const columns = root.relation.columns.map(({ name }) => name.toLowerCase());
  return !columns.includes(first) && aliases.every(({ name }) => name.toLowerCase() !== first);
}

function callerPath({ root, hops, column }: Reference, random: Random): string {
  let owner: Relation = root.relation;
  const parts: string[] = [];
  for (const { handle } of hops) {
    parts.push(quoted(handle.name));
    owner = handle.target;
  }
  const rivals = [...owner.columns, ...owner.handles].map(({ name }) => name);
  return [...parts, written(column.name, random, rivals)].join(".");
}

/** Columns that a caller may name: none that is hidden, restricted or possibly rejected by the planner. */
export function visible(reach: Reach = EVERYTHING): Reach {
  return {
    ...reach,
    column: (column, relation) =>
      !column.hidden && !column.facts.lacksKey && !column.facts.declaredToMany && reach.column(column, relation),
  };
}

export interface QueryOptions {
  readonly relations: readonly Relation[];
  readonly reach: Reach;
  /** Adding rows to a relation only adds rows to the result. */
  readonly monotone?: boolean;
  readonly grouped?: boolean;
  /** Distinct rows and groups are not the sum of their parts. */
  readonly plain?: boolean;
}

export function randomQuery({ relations, reach, monotone, grouped, plain }: QueryOptions, random: Random): Query {
  const pathShare = monotone ? 0 : 0.2;
  const items: Item[] = [];
  const leaves: Leaf[] = [];
  const leaf: Leaf = (kind) => random.pick(leaves)(kind);
  for (let count = random.pick([1, 1, 1, 2, 2, 3]); count > 0; count--) {
    const root: Root = { relation: random.pick(relations), alias: `r${items.length}` };
    const own = leafOf(root, pathShare, reach, random);
    const join = items.length === 0 ? "from" : monotone || random.chance(0.6) ? "inner" : "left";
    // DuckDB has no correlated subqueries, which paths are to the oracle, in the conditions of outer joins.
    const side = join === "left" ? leafOf(root, 0, reach, random) : own;
    const before = join === "left" ? leafOf(random.pick(items).root, 0, reach, random) : leaf;
    const on = join === "from" ? [] : joinConditions(before, side, random);
    items.push({ root, join, on });
    leaves.push(own);
  }
  const condition = (): Expression =>
    !monotone && random.chance(0.15)
      ? (subquery(relations, leaf, reach, random) ?? scalar("bool", 2, leaf, random))
      : scalar("bool", 2, leaf, random);
  const where = Array.from({ length: random.below(3) }, condition);
  const value = (): Expression => scalar(random.pick(STORED_KINDS), 1, leaf, random);
  if (grouped) return groupedQuery(items, where, { leaf, reach }, random);
  const outputs: Expression[] = [...named(items, reach, random), ...Array.from({ length: random.below(3) }, value)];
  const distinct = !plain && !monotone && random.chance(0.15);
  if (!monotone && random.chance(0.1)) outputs.push(seriesCount(leaf, random));
  return new Query({ items, outputs, where, groupBy: undefined, decided: [], having: undefined, distinct });
}

/** How many rows a table function gives for this row: of many rows it is empty. */
function seriesCount(leaf: Leaf, random: Random): Expression {
  return template(
    "int",
    { written: "(SELECT count(*) FROM generate_series(1, ", oracle: "greatest(coalesce(" },
    scalar("int", 1, leaf, random),
    { written: ") AS series (n))", oracle: ", 0), 0)" },
  );
}

/** A few columns as they are, so that rows can be told apart, and something to select where there are none. */
function named(items: readonly Item[], reach: Reach, random: Random): readonly Expression[] {
  const columns = items.flatMap(({ root }): Reference[] =>
    root.relation.columns
      .filter((column) => column.kind !== "list" && reach.column(column, root.relation))
      .filter(({ facts }, index) => index === 0 || random.chance(facts.reads.size === 0 ? 0.3 : 0.06))
      .map((column) => ({ node: "reference", kind: column.kind, root, hops: [], column })),
  );
  return columns.length > 0 ? columns : [template("int", "1")];
}

function joinConditions(left: Leaf, right: Leaf, random: Random): readonly Expression[] {
  for (let attempt = 0; attempt < 5; attempt++) {
    const kind = random.pick(STORED_KINDS);
    const [one, other] = [left(kind), right(kind)];
    if (one === undefined || other === undefined) continue;
    const equal = template("bool", "(", one, " = ", other, ")");
    return random.chance(0.7) ? [equal] : [equal, scalar("bool", 1, random.chance(0.5) ? left : right, random)];
  }
  return [];
}

function subquery(relations: readonly Relation[], outer: Leaf, reach: Reach, random: Random): Expression | undefined {
  const root: Root = { relation: random.pick(relations), alias: "" };
  const inner = leafOf(root, 0, reach, random);
  const [condition] = joinConditions(outer, inner, random);
  return condition === undefined ? undefined : { node: "exists", kind: "bool", root, condition };
}

function groupedQuery(
  items: readonly Item[],
  where: readonly Expression[],
  { leaf, reach }: { readonly leaf: Leaf; readonly reach: Reach },
  random: Random,
): Query {
  const { keys, decided } = random.chance(0.3)
    ? keyAndDecided(random.pick(items), reach, random)
    : { keys: randomKeys(leaf, random), decided: [] };
  const measure = (): Expression => randomMeasure(leaf, random);
  const outputs = [...keys, ...decided, ...Array.from({ length: 1 + random.below(3) }, measure)];
  const having = random.chance(0.3) ? template("bool", measure(), " IS NOT NULL") : undefined;
  const groupBy = keys.length === 0 ? undefined : keys.map((_, index) => index);
  const positions = decided.map((_, index) => keys.length + index);
  return new Query({ items, outputs, where, groupBy, decided: positions, having, distinct: false });
}

function randomKeys(leaf: Leaf, random: Random): readonly Expression[] {
  const keys = Array.from({ length: random.below(3) }, () => scalar(random.pick(STORED_KINDS), 1, leaf, random));
  return keys.filter((key) => references(key).length > 0);
}

/** The primary key of a model, and stored columns beside it; nothing where there is none that may be named. */
function keyAndDecided(
  { root }: Item,
  reach: Reach,
  random: Random,
): { readonly keys: readonly Expression[]; readonly decided: readonly Expression[] } {
  const { relation } = root;
  const shown = relation.columns.filter((column) => reach.column(column, relation));
  const key = isModel(relation) ? relation.primaryKey : [];
  if (key.length === 0 || !key.every((column) => shown.includes(column))) return { keys: [], decided: [] };
  const reference = (column: Column): Expression => ({ node: "reference", kind: column.kind, root, hops: [], column });
  const others = shown.filter((column) => column.shape === "stored" && !key.includes(column) && random.chance(0.5));
  return { keys: key.map(reference), decided: others.map(reference) };
}

function randomMeasure(leaf: Leaf, random: Random): Expression {
  const of = (kind: StoredKind): Expression => scalar(kind, 1, leaf, random);
  return random.pick([
    () => template("int", "count(*)"),
    () => template("int", "count(", leaf("text") ?? "1", ")"),
    () => template("int", "sum(", of("int"), ")"),
    () => template("int", "max(", of("int"), ")"),
    () => template("dec", "sum(", of("dec"), ") FILTER (WHERE ", of("bool"), ")"),
    () => template("int", "count(DISTINCT ", of("text"), ")"),
    // Sorted, though nothing says so (docs/decisions/0047-collected-values-have-an-order.md#decision).
    () =>
      template(
        "text",
        { written: "string_agg(DISTINCT ", oracle: "list_aggregate(list_sort(list(DISTINCT " },
        of("text"),
        { written: ", ',')", oracle: ")), 'string_agg', ',')" },
      ),
  ])();
}
