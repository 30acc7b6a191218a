/** Logical tables of a Snowflake semantic view as models. */
import { identifierIn, written } from "../../project/identifier.ts";
import type { CubeDraft, Draft } from "../draft.ts";
import { hasKnownMembers, type Item } from "../item.ts";
import type { ImportedColumn } from "../manifest.ts";
import { type ModelDraft, UNKNOWN_TYPE } from "../model-draft.ts";
import { columnsIn, edited, expressionIn, Unmapped } from "../sql-text.ts";

export interface LogicalTable {
  readonly item: Item;
  readonly model: ModelDraft;
  readonly cube: CubeDraft;
  /** Dimensions, time dimensions and facts by name in lower case. */
  readonly columns: ReadonlyMap<string, Item>;
}

const TABLE = {
  mapped: [
    ...["name", "description", "base_table", "primary_key", "unique_keys"],
    ...["dimensions", "time_dimensions", "facts", "metrics", "filters"],
  ],
  harmless: ["synonyms", "tags", "labels"],
  refused: { measures: "measures are the older form of facts and metrics: export the semantic view anew." },
};
const BASE = {
  mapped: ["database", "schema", "table"],
  refused: { definition: "a query as a table has no counterpart." },
};
const COLUMN = {
  mapped: ["name", "expr", "data_type", "description", "synonyms", "access_modifier"],
  silent: ["unique", "is_enum", "sample_values", "labels", "tags"],
  harmless: ["cortex_search_service", "cortex_search_service_name"],
};
const LISTS = ["dimensions", "time_dimensions", "facts"] as const;

export const isPrivate = (item: Item): boolean => item.text("access_modifier") === "private_access";

/** Text for people, and the other names that it has. */
export function described(item: Item): Pick<ImportedColumn, "description" | "properties"> {
  const description = item.text("description");
  const synonyms = item.texts("synonyms");
  return {
    ...(description !== undefined && { description }),
    ...(synonyms.length > 0 && { properties: { synonyms: synonyms.join(", ") } }),
  };
}

export function readTable(item: Item, draft: Draft): LogicalTable | undefined {
  const { report } = draft;
  const name = item.text("name");
  const base = item.item("base_table");
  const object = `table "${name ?? ""}"`;
  if (name === undefined || base === undefined) {
    report.refuse(object, "It has no name or no base_table.", item.at());
    return undefined;
  }
  if (!hasKnownMembers(item, object, TABLE, report) || !hasKnownMembers(base, object, BASE, report)) return undefined;
  const parts = ["database", "schema", "table"].flatMap((member) => base.text(member) ?? []);
  const table = draft.table(parts.join("."));
  if (table === undefined) {
    report.refuse(object, "Its base_table is no name of a table.", item.at("base_table"));
    return undefined;
  }
  const description = item.text("description");
  const model = draft.model(
    { name, tableReference: table, ...(description !== undefined && { description }) },
    item.at("name"),
  );
  if (model === undefined) return undefined;
  const columns = new Map<string, Item>();
  const all = LISTS.flatMap((list) => item.items(list).map((each) => ({ list, each })));
  for (const { each } of all) {
    const key = each.text("name")?.toLowerCase();
    if (key !== undefined && !columns.has(key)) columns.set(key, each);
  }
  const made: LogicalTable = { item, model, cube: draft.cube(model, item.at("name"), described(item)), columns };
  for (const { list, each } of all) addColumn(each, list, made, draft);
  for (const each of item.items("filters")) addFilter(each, made, draft);
  model.primaryKey = keyOf(item.item("primary_key"), model);
  model.uniqueKeys = item.items("unique_keys").map((each) => keyOf(each, model));
  return made;
}

const keyOf = (item: Item | undefined, model: ModelDraft): readonly string[] =>
  (item?.texts("columns") ?? []).map((column) => model.input(column, column, item?.at("columns")));

function addColumn(item: Item, list: (typeof LISTS)[number], made: LogicalTable, draft: Draft): void {
  const name = item.text("name");
  const object = `${list.replace(/s$/, "").replace("_", " ")} "${name ?? ""}" of table "${made.model.name}"`;
  if (name === undefined || !hasKnownMembers(item, object, COLUMN, draft.report)) return;
  draft.attempt(object, item.at("expr"), () => {
    const native = nativeOf(item.text("expr") ?? name, made.columns, [name.toLowerCase()]);
    const column: ImportedColumn = {
      name,
      type: item.text("data_type") ?? UNKNOWN_TYPE,
      ...(native !== name && { expression: native }),
      ...described(item),
      ...(isPrivate(item) && { isHidden: true as const }),
    };
    if (!made.model.add(column, item.at("name")) || list === "facts" || isPrivate(item)) return;
    const kind = list === "dimensions" ? "dimension" : "time dimension";
    draft.member(made.cube, kind, { name, expression: written(name) }, item.at("name"));
  });
}

/** Names of logical columns are replaced by their expressions: Snowflake's tables do not have them. */
function nativeOf(text: string, columns: ReadonlyMap<string, Item>, active: readonly string[]): string {
  if (identifierIn(text) !== undefined && active.includes(text.trim().toLowerCase())) return text.trim();
  const tree = expressionIn(text);
  const edits = columnsIn(tree).flatMap(({ parts, start, end }) => {
    const [only = ""] = parts;
    if (parts.length > 1) throw new Unmapped(`The expression reads ${parts.join(".")}, a column of another table.`);
    const found = columns.get(only.toLowerCase());
    const expr = found?.text("expr");
    // A column of the table may have the name of the logical column over it.
    if (found === undefined || expr === undefined || active.at(-1) === only.toLowerCase()) return [];
    if (active.includes(only.toLowerCase())) throw new Unmapped(`The column ${only} reads itself.`);
    const inner = nativeOf(expr, columns, [...active, only.toLowerCase()]);
    return { start, end, text: identifierIn(inner) === undefined ? `(${inner})` : inner };
  });
  return edited(text, edits);
}

const FILTER = { mapped: ["name", "expr", "description", "synonyms"], silent: ["labels"] };

/** A named condition is a column of truth values. */
function addFilter(item: Item, made: LogicalTable, draft: Draft): void {
  const name = item.text("name");
  const object = `filter "${name ?? ""}" of table "${made.model.name}"`;
  if (name === undefined || !hasKnownMembers(item, object, FILTER, draft.report)) return;
  draft.attempt(object, item.at("expr"), () => {
    const expression = nativeOf(item.text("expr") ?? "", made.columns, []);
    if (!made.model.add({ name, type: "BOOLEAN", expression, ...described(item) }, item.at("name"))) return;
    draft.member(made.cube, "dimension", { name, expression: written(name) }, item.at("name"));
  });
}
