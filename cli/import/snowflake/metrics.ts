/** Metrics of Snowflake semantic views as measures. */
import { written } from "../../project/identifier.ts";
import type { Draft } from "../draft.ts";
import { hasKnownMembers, type Item } from "../item.ts";
import { pathTo } from "../paths.ts";
import { columnsIn, edited, expressionIn, quotientEdits, Unmapped } from "../sql-text.ts";
import { described, isPrivate, type LogicalTable } from "./tables.ts";

const METRIC = {
  mapped: ["name", "expr", "description", "synonyms", "access_modifier"],
  silent: ["data_type", "labels", "tags"],
  refused: {
    non_additive_dimensions: "a metric that is not additive over a dimension has no counterpart.",
    using_relationships: "a choice between relationships has no counterpart.",
    window: "a window has no counterpart.",
  },
};

export class Metrics {
  readonly #draft: Draft;
  readonly #tables: ReadonlyMap<string, LogicalTable>;

  constructor(tables: ReadonlyMap<string, LogicalTable>, draft: Draft) {
    this.#tables = tables;
    this.#draft = draft;
  }

  addAll(root: Item): void {
    for (const table of this.#tables.values()) {
      for (const item of table.item.items("metrics"))
        this.#add(item, table, `metric "${item.text("name")}" of table "${table.model.name}"`);
    }
    for (const item of root.items("metrics")) {
      const object = `metric "${item.text("name")}"`;
      const table = this.#draft.attempt(object, item.at("expr"), () => this.#tableOf(item.text("expr") ?? ""));
      if (table !== undefined) this.#add(item, table, object);
    }
  }

  #add(item: Item, table: LogicalTable, object: string): void {
    const name = item.text("name");
    if (name === undefined || !hasKnownMembers(item, object, METRIC, this.#draft.report) || isPrivate(item)) return;
    const expression = this.#draft.attempt(object, item.at("expr"), () =>
      this.#expression(item.text("expr") ?? "", table, [name.toLowerCase()]),
    );
    if (expression === undefined) return;
    this.#draft.member(table.cube, "measure", { name, expression, ...described(item) }, item.at("name"));
  }

  /** The only table that a metric of the whole view reads. */
  #tableOf(text: string): LogicalTable {
    const names = new Set(
      columnsIn(expressionIn(text)).map(({ parts }) => (parts.length === 2 ? parts[0]?.toLowerCase() : "")),
    );
    const [only, ...others] = names;
    const table = this.#tables.get(only ?? "");
    if (table === undefined || others.length > 0) {
      throw new Unmapped("The metric reads several tables, and a measure is computed over one.");
    }
    return table;
  }

  #expression(text: string, table: LogicalTable, active: readonly string[]): string {
    const tree = expressionIn(text);
    const columns = columnsIn(tree).map(({ parts, start, end }) => ({
      start,
      end,
      text: this.#mention(parts, table, active),
    }));
    return edited(text, [...quotientEdits(tree, this.#draft.source), ...columns]);
  }

  #mention(parts: readonly string[], table: LogicalTable, active: readonly string[]): string {
    const [first = "", second] = parts;
    if (parts.length > 2) throw new Unmapped(`The metric reads ${parts.join(".")}, which is not imported.`);
    const owner = second === undefined ? table : this.#tables.get(first.toLowerCase());
    const name = second ?? first;
    if (owner === undefined) throw new Unmapped(`The metric reads ${parts.join(".")}, whose table is not imported.`);
    const metric = owner.item.items("metrics").find((each) => each.text("name")?.toLowerCase() === name.toLowerCase());
    if (metric !== undefined) {
      if (owner !== table) throw new Unmapped(`The metric reads ${parts.join(".")}, a metric of another table.`);
      if (active.includes(name.toLowerCase())) throw new Unmapped(`The metric ${name} reads itself.`);
      const object = `metric "${name}" of table "${owner.model.name}"`;
      if (!hasKnownMembers(metric, object, METRIC, this.#draft.report))
        throw new Unmapped(`The metric reads ${name}, which is refused.`);
      return `(${this.#expression(metric.text("expr") ?? "", table, [...active, name.toLowerCase()])})`;
    }
    const column = owner.model.column(name);
    if (column === undefined) {
      if (owner !== table) throw new Unmapped(`The metric reads ${parts.join(".")}, which is not imported.`);
      return written(table.model.input(name, name, table.item.at("name")));
    }
    if (owner === table) return written(column.name);
    const path = pathTo(table.model, owner.model, this.#draft);
    if (path === undefined)
      throw new Unmapped(`No single path of relationships leads from ${table.model.name} to ${owner.model.name}.`);
    return [...path, column.name].map(written).join(".");
  }
}
