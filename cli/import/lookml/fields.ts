/** Fields of a view: their SQL in the source's language. */
import { identifierIn } from "../../project/identifier.ts";
import type { Item } from "../item.ts";
import { Unmapped } from "../sql-text.ts";
import { withReferences } from "./references.ts";
import { tierCase } from "./tiers.ts";

export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** A dimension, or a timeframe of a dimension group. */
export interface Field {
  readonly item: Item;
  /** The name of its column: the group's for a timeframe. */
  readonly name: string;
  /** `raw` for a dimension. */
  readonly timeframe: string;
}

/** Timeframes of a group without `timeframes`. */
const ALL = ["raw", "time", "date", "week", "month", "quarter", "year"];

export class Fields {
  /** The view, and the name that an explore gives it. */
  readonly names: ReadonlySet<string>;
  readonly view: Item;
  readonly #fields = new Map<string, Field>();

  constructor(view: Item, alias: string) {
    this.view = view;
    this.names = new Set([view.text("name") ?? "", alias]);
    const add = (name: string, field: Field): void => {
      if (!this.#fields.has(name)) this.#fields.set(name, field);
    };
    for (const item of view.items("dimension")) {
      const name = item.text("name") ?? "";
      add(name, { item, name, timeframe: "raw" });
    }
    for (const item of view.items("dimension_group")) {
      if ((item.text("type") ?? "time") !== "time") continue;
      const name = item.text("name") ?? "";
      for (const timeframe of timeframesOf(item)) add(`${name}_${timeframe}`, { item, name, timeframe });
    }
  }

  field(name: string): Field | undefined {
    return this.#fields.get(name);
  }

  /** The field of `${name}` and `${view.name}`; undefined for a field of another view. */
  own(parts: readonly string[]): string | undefined {
    const [first = "", second] = parts;
    if (parts.length === 1) return first;
    return parts.length === 2 && this.names.has(first) ? second : undefined;
  }

  /** SQL of the source with references to fields of the view. Throws `Unmapped`. */
  native(text: string, active: readonly string[] = []): string {
    return withReferences(text, ({ parts, column }) => {
      if (parts.length === 1 && parts[0] === "TABLE") {
        if (column === undefined) throw new Unmapped("The SQL reads the table as a whole, which has no counterpart.");
        return column;
      }
      if (column !== undefined) throw new Unmapped(`The SQL reads ${parts.join(".")}.${column}, which is no field.`);
      const name = this.own(parts);
      if (name === undefined) throw new Unmapped(`The SQL reads ${parts.join(".")}, a field of another view.`);
      const inner = this.sqlOf(name, active);
      return identifierIn(inner) === undefined ? `(${inner})` : inner;
    });
  }

  /** Throws `Unmapped`. */
  sqlOf(name: string, active: readonly string[] = []): string {
    const field = this.field(name);
    if (field === undefined) throw new Unmapped(`The SQL reads ${name}, which is no dimension of the view.`);
    if (active.includes(name)) throw new Unmapped(`The dimension ${name} reads itself.`);
    if (active.length > 50) throw new Unmapped("Dimensions read each other deeper than 50 levels.");
    const sql = this.#ownSql(field.item, field.name, [...active, name]);
    switch (field.timeframe) {
      case "raw":
      case "time":
        return sql;
      case "date":
        return `CAST(${sql} AS DATE)`;
      default:
        throw new Unmapped(`The SQL reads ${name}, a text that Looker makes of a time.`);
    }
  }

  #ownSql(item: Item, name: string, active: readonly string[]): string {
    const [choice, ...others] = item.items("case");
    if (choice !== undefined && others.length === 0) {
      const branches = choice.items("when").map((each) => {
        const [condition, label] = [each.text("sql"), each.text("label")];
        if (condition === undefined || label === undefined)
          throw new Unmapped("A branch of case has no sql or no label.");
        return `WHEN ${this.native(condition, active)} THEN ${literal(label)}`;
      });
      if (branches.length === 0) throw new Unmapped("The case has no branch.");
      const other = choice.text("else");
      return `CASE ${branches.join(" ")}${other === undefined ? "" : ` ELSE ${literal(other)}`} END`;
    }
    const sql = this.native(item.text("sql") ?? `\${TABLE}.${name}`, active);
    if (item.text("type") === "tier") return tierCase(item, sql);
    return item.text("type") === "date" && item.get("timeframes") === undefined ? `CAST(${sql} AS DATE)` : sql;
  }
}

export const timeframesOf = (item: Item): readonly string[] => {
  const listed = item.texts("timeframes");
  return listed.length > 0 ? listed : ALL;
};
