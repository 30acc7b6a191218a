/** Measures of a view in the input language. */
import { written } from "../../project/identifier.ts";
import { type Aggregate, aggregated } from "../aggregates.ts";
import { asDouble } from "../doubles.ts";
import type { Draft } from "../draft.ts";
import { hasKnownMembers, type Item } from "../item.ts";
import { columnsIn, edited, expressionIn, quotientEdits, Unmapped } from "../sql-text.ts";
import { conditionsOf } from "./filters.ts";
import { withReferences } from "./references.ts";
import { FIELD, isShown, type ViewModel } from "./view-model.ts";

const MEASURE = {
  ...FIELD,
  mapped: ["name", "type", "sql", "filters", "description", "hidden", "percentile"],
  refused: {
    ...FIELD.refused,
    approximate: "an approximate count has no counterpart.",
    sql_distinct_key: "a key of the rows of a measure has no counterpart.",
    list_field: "a list has no counterpart.",
    based_on: "a measure over periods has no counterpart.",
    based_on_time: "a measure over periods has no counterpart.",
    period: "a measure over periods has no counterpart.",
    direction: "a measure over rows of the answer has no counterpart.",
  },
};
const AGGREGATES: Readonly<Record<string, Aggregate>> = {
  count: { kind: "count" },
  count_distinct: { kind: "count distinct" },
  sum: { kind: "sum" },
  average: { kind: "avg" },
  min: { kind: "min" },
  max: { kind: "max" },
  median: { kind: "percentile", at: 0.5, isDiscrete: false },
};
const COMPUTED: ReadonlySet<string> = new Set(["number", "string", "date", "date_time", "yesno"]);

interface Reading {
  /** Measures that are being read. */
  readonly active: readonly string[];
  readonly isDivided: boolean;
}

export class Measures {
  readonly #draft: Draft;
  readonly #made: ViewModel;
  readonly #items: ReadonlyMap<string, Item>;

  constructor(made: ViewModel, draft: Draft) {
    this.#draft = draft;
    this.#made = made;
    const items = new Map<string, Item>();
    for (const item of made.fields.view.items("measure")) {
      const name = item.text("name");
      if (name !== undefined && !items.has(name)) items.set(name, item);
    }
    this.#items = items;
  }

  add(isListed: (name: string) => boolean): void {
    for (const item of this.#made.fields.view.items("measure")) {
      const name = item.text("name") ?? "";
      if (!isShown(item) || !isListed(name)) continue;
      const expression = this.#draft.attempt(this.#object(name), item.at("sql"), () =>
        this.#expression(name, item, []),
      );
      if (expression === undefined) continue;
      const description = item.text("description");
      const member = { name, expression, ...(description !== undefined && { description }) };
      this.#draft.member(this.#made.cube, "measure", member, item.at());
    }
  }

  #object(name: string): string {
    return `measure "${name}" of view "${this.#made.fields.view.text("name")}"`;
  }

  /** `isDivided`: whether a quotient reads the measure. */
  #expression(name: string, item: Item, active: readonly string[], isDivided = false): string {
    if (active.includes(name)) throw new Unmapped(`The measure ${name} reads itself.`);
    if (!hasKnownMembers(item, this.#object(name), MEASURE, this.#draft.report)) {
      throw new Unmapped("A member of it has no counterpart.");
    }
    const { fields, model } = this.#made;
    const [type, sql] = [item.text("type") ?? "string", item.text("sql")];
    const aggregate = aggregateOf(item);
    if (aggregate !== undefined) {
      if (type === "count" && sql !== undefined) throw new Unmapped("A count has an sql, which Looker does not read.");
      if (type !== "count" && sql === undefined) throw new Unmapped("The measure has no sql.");
      const filters = conditionsOf(item, fields).map((condition) => {
        expressionIn(condition);
        return { sql: condition, language: "native" as const };
      });
      const value = sql === undefined ? undefined : fields.native(sql);
      const isNumber = aggregate.kind === "avg" || (isDivided && !aggregate.kind.startsWith("count"));
      const double = value === undefined || !isNumber ? undefined : asDouble(value, this.#draft.source);
      const typed = double === undefined ? { value } : { value: double, type: "DOUBLE" };
      return aggregated(model, { aggregate, ...typed, filters, name }, item.at("sql"));
    }
    if (!COMPUTED.has(type)) throw new Unmapped(`A measure of type ${type} has no counterpart.`);
    if (item.items("filters").length > 0) throw new Unmapped("Filters of a computed measure have no counterpart.");
    if (sql === undefined) throw new Unmapped("The measure has no sql.");
    return this.#computed(sql, item, { active: [...active, name], isDivided: isDivided || /\/(?!\*)/.test(sql) });
  }

  /** References are parsed in the place of names, and then replaced by what they stand for. */
  #computed(sql: string, item: Item, context: Reading): string {
    const { model } = this.#made;
    const stands = new Map<string, string>();
    const text = withReferences(sql, ({ parts, column }) => {
      const key = `ref_${stands.size}_of_view`;
      stands.set(key, this.#replacement(parts, column, item, context));
      return key;
    });
    const tree = expressionIn(text);
    const columns = columnsIn(tree).map(({ parts, start, end }) => {
      const [only = ""] = parts;
      const found = parts.length === 1 ? stands.get(only) : undefined;
      return { start, end, text: found ?? written(model.input(only, only, item.at("sql"))) };
    });
    return edited(text, [...quotientEdits(tree, this.#draft.source), ...columns]);
  }

  #replacement(
    parts: readonly string[],
    column: string | undefined,
    item: Item,
    { active, isDivided }: Reading,
  ): string {
    const { fields, model } = this.#made;
    if (parts.length === 1 && parts[0] === "TABLE" && column !== undefined) {
      return written(model.input(column, column, item.at("sql")));
    }
    const name = column === undefined ? fields.own(parts) : undefined;
    if (name === undefined) throw new Unmapped(`The measure reads ${parts.join(".")}, a field of another view.`);
    const measure = this.#items.get(name);
    if (measure !== undefined) return `(${this.#expression(name, measure, active, isDivided)})`;
    return written(model.input(fields.sqlOf(name), name, item.at("sql")));
  }
}

function aggregateOf(item: Item): Aggregate | undefined {
  const type = item.text("type") ?? "string";
  if (type !== "percentile") return Object.hasOwn(AGGREGATES, type) ? AGGREGATES[type] : undefined;
  const at = Number(item.text("percentile"));
  if (!(at >= 0 && at <= 100)) throw new Unmapped("The percentile is no number between 0 and 100.");
  return { kind: "percentile", at: at / 100, isDiscrete: false };
}
