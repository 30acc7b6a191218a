/** A view of LookML as a model with columns, and a cube over it. */
import { identifierIn, written } from "../../project/identifier.ts";
import type { CubeDraft, Draft, MemberKind } from "../draft.ts";
import { hasKnownMembers, type Item } from "../item.ts";
import { rejectValueWithoutRow } from "../joined-rows.ts";
import type { ImportedColumn } from "../manifest.ts";
import { type ModelDraft, type ModelHead, UNKNOWN_TYPE } from "../model-draft.ts";
import { expressionIn, Unmapped } from "../sql-text.ts";
import { Fields, timeframesOf } from "./fields.ts";
import { withReferences } from "./references.ts";

export interface ViewModel {
  readonly fields: Fields;
  readonly model: ModelDraft;
  readonly cube: CubeDraft;
  /** Dimensions that are shown, with their SQL in the source's language; undefined for those that read another view. */
  readonly dimensions: Map<
    string,
    { readonly item: Item; readonly native: string | undefined; readonly kind: MemberKind }
  >;
}

const GRANT = { required_access_grants: "an access grant has no counterpart." };
const VIEW = {
  mapped: [
    ...[
      "name",
      "sql_table_name",
      "derived_table",
      "dimension",
      "dimension_group",
      "measure",
      "extends",
      "extends__all",
    ],
    ...["parameter", "filter"],
  ],
  silent: ["label", "view_label", "extension", "suggestions", "fields_hidden_by_default", "final", "drill_fields"],
  harmless: ["set"],
  refused: GRANT,
};
const DERIVED = {
  mapped: ["sql"],
  harmless: [
    ...["datagroup_trigger", "persist_for", "sql_trigger_value", "materialized_view", "publish_as_db_view", "indexes"],
    ...["distribution", "distribution_style", "sortkeys", "partition_keys", "cluster_keys", "table_compression"],
    ...["interval_trigger", "table_format"],
  ],
  refused: {
    explore_source: "a table that is a question to an explore has no counterpart.",
    sql_create: "a statement that makes a table is not run.",
    create_process: "a statement that makes a table is not run.",
    increment_key: "a table that grows has no counterpart.",
    increment_offset: "a table that grows has no counterpart.",
  },
};
const PRESENTATION = [
  ...["label", "group_label", "group_item_label", "view_label", "value_format", "value_format_name", "order_by_field"],
  ...["suggestions", "suggest_dimension", "suggest_explore", "suggest_persist_for", "suggestable", "can_filter"],
  ...["full_suggestions", "bypass_suggest_restrictions", "skip_drill_filter", "map_layer_name", "alias", "tags"],
  ...["allow_fill", "alpha_sort", "required_fields", "case_sensitive", "convert_tz", "units", "fanout_on"],
];
export const FIELD = {
  silent: PRESENTATION,
  harmless: ["html", "link", "action", "drill_fields", "synonyms"],
  refused: GRANT,
};
const PLACE = "a place has no counterpart.";
const DIMENSION = {
  ...FIELD,
  mapped: ["name", "type", "sql", "primary_key", "hidden", "description", "case", "tiers", "style"],
  refused: { ...GRANT, sql_latitude: PLACE, sql_longitude: PLACE },
};
const GROUP = { ...FIELD, mapped: ["name", "type", "sql", "hidden", "description", "timeframes", "datatype"] };
const TYPES: Readonly<Record<string, string>> = {
  string: "VARCHAR",
  zipcode: "VARCHAR",
  tier: "VARCHAR",
  yesno: "BOOLEAN",
  date: "DATE",
  date_time: "TIMESTAMP",
  number: UNKNOWN_TYPE,
  int: UNKNOWN_TYPE,
};
/** Timeframes that are a granularity of the time dimension. */
const GRANULARITIES: ReadonlySet<string> = new Set([
  ...["raw", "time", "second", "minute", "hour", "date", "week", "month", "quarter", "year"],
]);
const PARTS: Readonly<Record<string, string>> = {
  hour_of_day: "hour",
  day_of_month: "day",
  day_of_year: "doy",
  month_num: "month",
};

export const isShown = (item: Item): boolean => item.text("hidden") !== "yes";

/** A view as the explores name it. */
export interface NamedView {
  readonly item: Item;
  readonly alias: string;
  /** Conditions that each row of the model meets, in LookML's SQL. */
  readonly filters: readonly string[];
}

export class ViewModels {
  readonly #draft: Draft;
  readonly #views: ReadonlyMap<string, Item>;

  constructor(views: ReadonlyMap<string, Item>, draft: Draft) {
    this.#views = views;
    this.#draft = draft;
  }

  /** Undefined if the view is refused as a whole. Throws `Unmapped` for a filter that cannot be mapped. */
  made({ item, alias, filters }: NamedView): ViewModel | undefined {
    const { report } = this.#draft;
    const name = item.text("name") ?? "";
    const object = `view "${name}"`;
    if (!hasKnownMembers(item, object, VIEW, report)) return undefined;
    const fields = new Fields(item, alias);
    const from = this.#draft.attempt(object, item.at(), () => this.#from(item));
    if (from === undefined) return undefined;
    const conditions = filters.map((filter) => {
      const sql = fields.native(filter);
      expressionIn(sql);
      return `(${sql})`;
    });
    const model = this.#draft.model({ name: alias, ...filtered(from, conditions) }, item.at());
    if (model === undefined) return undefined;
    const made: ViewModel = { fields, model, cube: this.#draft.cube(model, item.at()), dimensions: new Map() };
    for (const kind of ["parameter", "filter"] as const) {
      for (const each of item.items(kind)) {
        report.refuse(
          `${kind} "${each.text("name")}" of ${object}`,
          "A value of each question has no counterpart.",
          each.at(),
        );
      }
    }
    for (const each of item.items("dimension")) this.#dimension(each, made, object);
    for (const each of item.items("dimension_group")) this.#group(each, made, object);
    model.primaryKey = item
      .items("dimension")
      .filter((each) => each.text("primary_key") === "yes")
      .flatMap((each) => model.column(each.text("name") ?? "")?.name ?? []);
    return made;
  }

  #from(item: Item): From {
    const [table, ...others] = item.items("derived_table");
    const object = `view "${item.text("name")}"`;
    if (table === undefined) {
      const text = item.text("sql_table_name") ?? item.text("name") ?? "";
      const plain = withReferences(text, ({ parts }) => this.#tableOf(parts, [item]));
      const named = this.#draft.table(inParts(plain.trim()));
      if (named === undefined) throw new Unmapped(`The table ${text.slice(0, 100)} is no name.`);
      return { head: { tableReference: named }, text: plain.trim() };
    }
    if (others.length > 0) throw new Unmapped("It has two derived tables.");
    if (!hasKnownMembers(table, object, DERIVED, this.#draft.report))
      throw new Unmapped("Its derived table has no counterpart.");
    const sql = this.#query(table, [item]);
    return { head: { refSql: sql }, text: `(${sql})` };
  }

  #query(table: Item, active: readonly Item[]): string {
    const sql = table.text("sql");
    if (sql === undefined) throw new Unmapped("Its derived table has no sql.");
    return withReferences(sql, ({ parts }) => this.#tableOf(parts, active))
      .trim()
      .replace(/;\s*$/, "");
  }

  /** The table of `${view.SQL_TABLE_NAME}`. */
  #tableOf(parts: readonly string[], active: readonly Item[]): string {
    const [name = "", member] = parts;
    const view = parts.length === 2 && member === "SQL_TABLE_NAME" ? this.#views.get(name) : undefined;
    if (view === undefined) throw new Unmapped(`The SQL reads ${parts.join(".")}, which is not evaluated.`);
    if (active.includes(view)) throw new Unmapped(`The table of ${name} reads itself.`);
    const [table] = view.items("derived_table");
    if (table !== undefined) {
      if (table.get("explore_source") !== undefined)
        throw new Unmapped(`The table of ${name} is a question to an explore.`);
      return `(${this.#query(table, [...active, view])})`;
    }
    return withReferences(view.text("sql_table_name") ?? name, (each) =>
      this.#tableOf(each.parts, [...active, view]),
    ).trim();
  }

  #dimension(item: Item, made: ViewModel, owner: string): void {
    const name = item.text("name") ?? "";
    const object = `dimension "${name}" of ${owner}`;
    if (!hasKnownMembers(item, object, DIMENSION, this.#draft.report)) return;
    const type = item.text("type") ?? "string";
    const declared = Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
    if (declared === undefined) {
      this.#draft.report.refuse(object, `A dimension of type ${type} has no counterpart.`, item.at("type"));
      return;
    }
    this.#draft.attempt(object, item.at("sql"), () => {
      const other = otherField(item.text("sql") ?? "", made.fields);
      if (other !== undefined) this.#rejectOtherValue(item.text("sql") ?? "");
      const native = other === undefined ? made.fields.sqlOf(name) : undefined;
      if (native !== undefined && identifierIn(native) === undefined) expressionIn(native);
      const kind = type === "date" || type === "date_time" ? "time dimension" : "dimension";
      this.#add(item, made, { name, type: declared, other, native, kind });
    });
  }

  /** Looker computes the other view's field after the join. Throws `Unmapped` if a row without a partner would have another value. */
  #rejectOtherValue(text: string): void {
    const [, name = "", field = ""] = /(\w+)\.(\w+)/.exec(text) ?? [];
    const view = this.#views.get(name);
    if (view === undefined) throw new Unmapped(`The SQL reads ${name}.${field}, and no view has the name ${name}.`);
    const native = new Fields(view, name).sqlOf(field);
    if (identifierIn(native) === undefined) rejectValueWithoutRow(native, this.#draft.source);
  }

  #add(
    item: Item,
    made: ViewModel,
    {
      name,
      type,
      other,
      native,
      kind,
    }: { name: string; type: string; other?: string | undefined; native: string | undefined; kind: MemberKind },
  ): void {
    const description = item.text("description");
    const isPhysical = native !== undefined && identifierIn(native) === name;
    const column: ImportedColumn = {
      name,
      type,
      ...(description !== undefined && { description }),
      ...(native !== undefined && !isPhysical && { expression: native }),
      ...(other !== undefined && { isCalculated: true as const, expression: other }),
      ...(!isShown(item) && { isHidden: true as const }),
    };
    if (!made.model.add(column, item.at()) || !isShown(item)) return;
    made.dimensions.set(name, { item, native, kind });
  }

  /** A column for the time; its timeframes are granularities of the time dimension. */
  #group(item: Item, made: ViewModel, owner: string): void {
    const name = item.text("name") ?? "";
    const object = `dimension group "${name}" of ${owner}`;
    const { report } = this.#draft;
    const type = item.text("type") ?? "time";
    if (type !== "time") {
      report.refuse(
        object,
        `A group of type ${type} has no counterpart: Looker counts intervals as its dialect does.`,
        item.at("type"),
      );
      return;
    }
    if (!hasKnownMembers(item, object, GROUP, report)) return;
    const datatype = item.text("datatype") ?? "datetime";
    if (!["date", "datetime", "timestamp"].includes(datatype)) {
      report.refuse(object, `Times that are stored as ${datatype} have no counterpart.`, item.at("datatype"));
      return;
    }
    const timeType = datatype === "date" ? "DATE" : datatype === "timestamp" ? "TIMESTAMPTZ" : "TIMESTAMP";
    this.#draft.attempt(object, item.at("sql"), () => {
      const native = made.fields.native(item.text("sql") ?? `\${TABLE}.${name}`, []);
      if (identifierIn(native) === undefined) expressionIn(native);
      this.#add(item, made, { name, type: timeType, native, kind: "time dimension" });
      for (const timeframe of timeframesOf(item)) this.#timeframe(timeframe, item, made, object);
    });
  }

  #timeframe(timeframe: string, item: Item, made: ViewModel, object: string): void {
    if (GRANULARITIES.has(timeframe)) return;
    const part = Object.hasOwn(PARTS, timeframe) ? PARTS[timeframe] : undefined;
    if (part === undefined) {
      this.#draft.report.refuse(
        `timeframe "${timeframe}" of ${object}`,
        "It has no counterpart.",
        item.at("timeframes"),
      );
      return;
    }
    const group = item.text("name") ?? "";
    const other = `extract(${part} FROM ${written(group)})`;
    this.#add(item, made, {
      name: `${group}_${timeframe}`,
      type: "INTEGER",
      other,
      native: undefined,
      kind: "dimension",
    });
  }
}

interface From {
  readonly head: Pick<ModelHead, "tableReference" | "refSql">;
  /** In a FROM clause of the source. */
  readonly text: string;
}

/** BigQuery's names may be in one pair of backticks, and those of its projects hold hyphens: each part gets its own. */
function inParts(table: string): string {
  const [, whole = table] = /^`([^`]+)`$/.exec(table) ?? [];
  if (!/^[\w-]+(?:\.[\w-]+)*$/.test(whole)) return table;
  return whole
    .split(".")
    .map((part) => (part.includes("-") ? `\`${part}\`` : part))
    .join(".");
}

function filtered({ head, text }: From, conditions: readonly string[]): From["head"] {
  if (conditions.length === 0) return head;
  return { refSql: `SELECT * FROM ${text} AS filtered_rows WHERE ${conditions.join(" AND ")}` };
}

/** A reference to a field of another view, and nothing else: a path in the input language. */
function otherField(text: string, fields: Fields): string | undefined {
  const [, view, field] = /^\s*\$\{\s*(\w+)\.(\w+)\s*\}\s*$/.exec(text) ?? [];
  if (view === undefined || field === undefined || fields.names.has(view)) return undefined;
  return `${written(view)}.${written(field)}`;
}
