/**
 * The oracle: what a semantic model means, worked out without the planner. Every relation becomes a table of plain rows,
 * rules applied, whose calculated columns are correlated subqueries over such tables.
 */
import { type Expression, type Reference, type Root, references } from "./expression.ts";
import { quoted } from "./names.ts";
import type { Column, ConditionPart, Hop, Model, Relation, Relationship, View } from "./world.ts";

/** One session's tables stand in one schema. */
export class Oracle {
  readonly #schema: string;
  #aliases = 0;

  constructor(schema: string) {
    this.#schema = schema;
  }

  table({ id }: Relation): string {
    return `${this.#schema}.${id}`;
  }

  /** Statements that make the tables of all models, with stored columns alone; `ruled` applies row rules. */
  storedTables(models: readonly Model[], { ruled }: { readonly ruled: boolean }): readonly string[] {
    return [`CREATE SCHEMA ${this.#schema}`, ...models.map((model) => this.#storedRows(model, ruled))];
  }

  /** Statements that add calculated columns, round by round: each is computed from those of the rounds before. */
  calculatedColumns(models: readonly Model[]): readonly string[] {
    const rounds = new Map<Column, number>();
    const roundOf = (column: Column): number => {
      if (column.expression === undefined) return 0;
      const known = rounds.get(column);
      if (known !== undefined) return known;
      const round = 1 + Math.max(0, ...references(column.expression).map((reference) => roundOf(reference.column)));
      rounds.set(column, round);
      return round;
    };
    for (const model of models) for (const column of model.columns) roundOf(column);
    const last = Math.max(0, ...rounds.values());
    const statements: string[] = [];
    for (let round = 1; round <= last; round++) {
      for (const model of models) {
        const columns = model.columns.filter((column) => rounds.get(column) === round);
        if (columns.length > 0) statements.push(...this.#withColumns(model, columns));
      }
    }
    return statements;
  }

  viewTable(view: View): string {
    const items = view.columns.map(({ id }, index) => `v.o${index} AS ${id}`).join(", ");
    return `CREATE TABLE ${this.table(view)} AS SELECT ${items} FROM (${view.query.oracle(this)}) v`;
  }

  /** Rows with their stored columns. Rules read models that come before, so their tables are there. */
  #storedRows(model: Model, ruled: boolean): string {
    const items = model.columns
      .filter(({ stored }) => stored !== undefined)
      .map(({ id, stored }) => `${stored} AS ${id}`)
      .join(", ");
    const rows = `SELECT ${items} FROM main.${quoted(model.table.name)}`;
    const rules = ruled ? model.rules.filter(({ skipped }) => !skipped) : [];
    const where = rules.map(({ condition }) => `(${this.spell(condition, () => "r", "stored")})`).join(" AND ");
    return `CREATE TABLE ${this.table(model)} AS SELECT * FROM (${rows}) r${where === "" ? "" : ` WHERE ${where}`}`;
  }

  #withColumns(model: Model, columns: readonly Column[]): readonly string[] {
    const items = columns.map(({ id, expression }) => `${this.spell(expression!, () => "r", "table")} AS ${id}`);
    const table = this.table(model);
    return [
      `CREATE TABLE ${table}_next AS SELECT r.*, ${items.join(", ")} FROM ${table} r`,
      `DROP TABLE ${table}`,
      `ALTER TABLE ${table}_next RENAME TO ${model.id}`,
    ];
  }

  /**
   * SQL of an expression whose roots stand for the aliases given. `columns`: calculated columns are columns of the
   * tables, or, before those are complete, their expressions again.
   */
  spell(expression: Expression, alias: (root: Root) => string, columns: "table" | "stored" = "table"): string {
    const at = (reference: Reference, start: string, hops: readonly Hop[]): string => {
      const [hop, ...further] = hops;
      if (hop === undefined) {
        const { column } = reference;
        if (column.expression === undefined || columns === "table") return `${start}.${column.id}`;
        return this.spell(column.expression, () => start, columns);
      }
      const next = this.#alias();
      const { target } = hop.handle;
      return `(SELECT ${at(reference, next, further)} FROM ${this.table(target)} ${next} WHERE ${this.#joined(hop, start, next)})`;
    };
    const inner = (each: Expression, path: (reference: Reference) => string): string => {
      switch (each.node) {
        case "reference":
          return path(each);
        case "template":
          return each.parts
            .map((part) => (typeof part === "string" ? part : "node" in part ? inner(part, path) : part.oracle))
            .join("");
        case "exists": {
          const { root } = each;
          const next = this.#alias();
          const among = this.spell(each.condition, (other) => (other === root ? next : alias(other)), columns);
          return `EXISTS (SELECT 1 FROM ${this.table(root.relation)} ${next} WHERE ${among})`;
        }
        case "aggregate": {
          const { name, distinct, argument, separator, orderBy, filter, chain } = each;
          const start = alias(each.root);
          const rows: string[] = [];
          const where: string[] = [];
          const aliases = chain.map(() => this.#alias());
          for (const [index, hop] of chain.entries()) {
            rows.push(`${this.table(hop.handle.target)} ${aliases[index]}`);
            where.push(this.#joined(hop, aliases[index - 1] ?? start, aliases[index]!));
          }
          const within = (reference: Reference): string => {
            const { hops } = reference;
            const shared = hops.findIndex((hop, index) => hop.handle !== chain[index]?.handle);
            const depth = shared < 0 ? hops.length : shared;
            return at(reference, depth === 0 ? start : aliases[depth - 1]!, hops.slice(depth));
          };
          const text = (part: Expression): string => inner(part, within);
          // FILTER as the rows that count; arrays and texts leave NULLs out.
          if (filter !== undefined) where.push(text(filter));
          if (name === "array_agg") where.push(`${text(argument!)} IS NOT NULL`);
          const value = argument === undefined ? "*" : text(argument);
          const from = `${rows.join(", ")} WHERE ${where.map((part) => `(${part})`).join(" AND ")}`;
          const mark = distinct ? "DISTINCT " : "";
          if (orderBy.length === 0) return `(SELECT ${name}(${mark}${value}) FROM ${from})`;
          // Sort keys get names first: DuckDB does not detect that two texts of one subquery are equal.
          const keys = orderBy.map(({ expression: key }, index) => (key === argument ? "a" : `k${index}`));
          const items = orderBy.flatMap(({ expression: key }, index) =>
            key === argument ? [] : [`${text(key)} AS k${index}`],
          );
          const order = keys.map((key, index) => `${key}${orderBy[index]?.descending ? " DESC" : ""} NULLS LAST`);
          const call = `${name}(${mark}a${separator === undefined ? "" : `, '${separator}'`} ORDER BY ${order.join(", ")})`;
          return `(SELECT ${call} FROM (SELECT ${[`${value} AS a`, ...items].join(", ")} FROM ${from}))`;
        }
      }
    };
    return inner(expression, (reference) => at(reference, alias(reference.root), reference.hops));
  }

  /** The condition of a hop between two aliases. */
  #joined({ handle, side }: Hop, from: string, to: string): string {
    return conditionBetween(handle.relationship, side === 0 ? [from, to] : [to, from]);
  }

  #alias(): string {
    this.#aliases++;
    return `x${this.#aliases}`;
  }
}

/** A relationship's condition; `aliases` are those of its two models. */
function conditionBetween({ condition }: Relationship, aliases: readonly [string, string]): string {
  const text = (part: ConditionPart): string =>
    typeof part === "string" ? part : `${aliases[part.side]}.${part.column.id}`;
  return condition.map(text).join("");
}

/** Whether each row of a side has one partner at most: a query over the oracle's tables with two booleans. */
export function measureDirection(relationship: Relationship, oracle: Oracle): string {
  const [left, right] = relationship.models;
  const most = (one: Model, other: Model, aliases: readonly [string, string]): string =>
    `(SELECT coalesce(max(n), 0) <= 1 FROM (SELECT (SELECT count(*) FROM ${oracle.table(other)} b WHERE ` +
    `${conditionBetween(relationship, aliases)}) AS n FROM ${oracle.table(one)} a))`;
  return `SELECT ${most(left, right, ["a", "b"])}, ${most(right, left, ["b", "a"])}`;
}
