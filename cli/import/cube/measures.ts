/** Measures of Cube in the input language. */
import { written } from "../../project/identifier.ts";
import { type Aggregate, aggregated } from "../aggregates.ts";
import type { Draft } from "../draft.ts";
import { hasKnownMembers, type Item } from "../item.ts";
import { columnsIn, edited, expressionIn, quotientEdits, Unmapped } from "../sql-text.ts";
import { type CubeModel, isPublic, nativeSql } from "./model.ts";
import { withReferences } from "./references.ts";

const MEASURE = {
  mapped: ["name", "sql", "type", "filters", "description", "title", "public", "shown"],
  silent: ["meta", "format", "drill_members", "drill_member_references", "currency"],
  refused: {
    rolling_window: "a rolling window has no counterpart.",
    multi_stage: "a measure of several stages has no counterpart.",
    time_shift: "an offset in time has no counterpart.",
    group_by: "a measure of several stages has no counterpart.",
    reduce_by: "a measure of several stages has no counterpart.",
    add_group_by: "a measure of several stages has no counterpart.",
    order_by: "a measure of several stages has no counterpart.",
    case: "a choice between measures has no counterpart.",
  },
};
const FILTER = { mapped: ["sql"] };
const AGGREGATES: Readonly<Record<string, Aggregate>> = {
  count: { kind: "count" },
  count_distinct: { kind: "count distinct" },
  sum: { kind: "sum" },
  avg: { kind: "avg" },
  min: { kind: "min" },
  max: { kind: "max" },
};
const COMPUTED: ReadonlySet<string> = new Set(["number", "string", "time", "boolean", "number_agg"]);

export class Measures {
  readonly #draft: Draft;
  readonly #made: CubeModel;
  readonly #items: ReadonlyMap<string, Item>;
  readonly #dimensions: readonly Item[];

  constructor(made: CubeModel, draft: Draft) {
    this.#draft = draft;
    this.#made = made;
    this.#dimensions = made.source.members("dimensions");
    const items = new Map<string, Item>();
    for (const item of made.source.members("measures")) {
      const name = item.text("name");
      // The first of two is the one that is kept.
      if (name !== undefined && !items.has(name)) items.set(name, item);
    }
    this.#items = items;
  }

  add(): void {
    const { cube, source } = this.#made;
    for (const item of source.members("measures")) {
      const name = item.text("name");
      const object = `measure "${name ?? ""}" of cube "${source.name}"`;
      if (name === undefined) {
        this.#draft.report.refuse(object, "It has no name.", item.at());
        continue;
      }
      if (!isPublic(item)) continue;
      const expression = this.#draft.attempt(object, item.at(item.text("sql") === undefined ? "name" : "sql"), () =>
        this.#expression(name, item, []),
      );
      if (expression === undefined) continue;
      const description = item.text("description") ?? item.text("title");
      const member = { name, expression, ...(description !== undefined && { description }) };
      this.#draft.member(cube, "measure", member, item.at("name"));
    }
  }

  #expression(name: string, item: Item, active: readonly string[]): string {
    if (active.includes(name)) throw new Unmapped(`The measure ${name} reads itself.`);
    const object = `measure "${name}" of cube "${this.#made.source.name}"`;
    if (!hasKnownMembers(item, object, MEASURE, this.#draft.report))
      throw new Unmapped("A member of it has no counterpart.");
    const type = item.text("type") ?? "";
    const sql = item.text("sql");
    const aggregate = Object.hasOwn(AGGREGATES, type) ? AGGREGATES[type] : undefined;
    if (aggregate !== undefined) {
      const filters = item.items("filters").map((each) => {
        if (!hasKnownMembers(each, object, FILTER, this.#draft.report))
          throw new Unmapped("A filter has an unknown member.");
        const native = nativeSql(each.text("sql") ?? "", this.#made, this.#dimensions);
        expressionIn(native);
        return { sql: native, language: "native" as const };
      });
      const value = sql === undefined ? undefined : nativeSql(sql, this.#made, this.#dimensions);
      return aggregated(this.#made.model, { aggregate, value, filters, name }, item.at());
    }
    if (!COMPUTED.has(type)) throw new Unmapped(`A measure of type ${type === "" ? "none" : type} has no counterpart.`);
    if (item.items("filters").length > 0) throw new Unmapped("Filters of a computed measure have no counterpart.");
    if (sql === undefined) throw new Unmapped("The measure has no sql.");
    return this.#computed(sql, [...active, name]);
  }

  /** References are parsed in the place of names, and then replaced by what they stand for. */
  #computed(sql: string, active: readonly string[]): string {
    const stands = new Map<string, string>();
    const text = withReferences(sql, ({ parts, column }) => {
      const key = `ref_${stands.size}_of_cube`;
      stands.set(key, this.#replacement(parts, column, active));
      return key;
    });
    const tree = expressionIn(text);
    const columns = columnsIn(tree).map(({ parts, start, end }) => {
      const [only = ""] = parts;
      const found = parts.length === 1 ? stands.get(only) : undefined;
      // A name without braces is a column of the table, as for the database.
      return { start, end, text: found ?? written(this.#made.model.input(only, only, this.#made.source.at)) };
    });
    return edited(text, [...quotientEdits(tree, this.#draft.source), ...columns]);
  }

  #replacement(parts: readonly string[], column: string | undefined, active: readonly string[]): string {
    const { model, source } = this.#made;
    const [first = "", second] = parts;
    const isOwn = first === "CUBE" || first === source.name;
    if (column !== undefined && isOwn && parts.length === 1) return written(model.input(column, column, source.at));
    const name = isOwn ? second : parts.length === 1 ? first : undefined;
    if (name === undefined || column !== undefined) {
      throw new Unmapped(`The measure reads ${parts.join(".")}, a member of another cube.`);
    }
    const measure = this.#items.get(name);
    if (measure !== undefined) return `(${this.#expression(name, measure, active)})`;
    const dimension = model.column(name);
    if (dimension === undefined) throw new Unmapped(`The measure reads ${name}, which the cube does not have.`);
    return written(dimension.name);
  }
}
