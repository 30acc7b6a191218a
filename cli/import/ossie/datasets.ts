/** Datasets of Ossie as models, and relationships between them. */
import { identifierIn, written } from "../../project/identifier.ts";
import type { Draft } from "../draft.ts";
import { hasKnownMembers, type Item } from "../item.ts";
import type { ImportedTable } from "../manifest.ts";
import type { ModelDraft } from "../model-draft.ts";
import { UNKNOWN_TYPE } from "../model-draft.ts";
import { columnsIn, edited, expressionIn, quotientEdits, Unmapped } from "../sql-text.ts";
import { expressionOf } from "./expressions.ts";

const DATASET = {
  mapped: ["name", "source", "primary_key", "unique_keys", "fields", "description", "ai_context"],
  harmless: ["custom_extensions"],
};
const FIELD = {
  mapped: ["name", "expression", "dimension", "label", "description", "datatype", "ai_context"],
  harmless: ["custom_extensions"],
};
const RELATIONSHIP = {
  mapped: ["name", "from", "to", "from_columns", "to_columns", "ai_context"],
  harmless: ["custom_extensions"],
};

const TYPES: Readonly<Record<string, string>> = {
  String: "VARCHAR",
  Integer: "BIGINT",
  Decimal: "DECIMAL",
  Float: "DOUBLE",
  Boolean: "BOOLEAN",
  Date: "DATE",
  Time: "TIME",
  DateTime: "TIMESTAMP",
  DateTimeTz: "TIMESTAMPTZ",
};
const TIMES: ReadonlySet<string> = new Set(["Date", "Time", "DateTime", "DateTimeTz"]);

/** `label` and `ai_context` as properties. */
export function annotated(item: Item): {
  readonly description?: string;
  readonly properties?: Record<string, unknown>;
} {
  const description = item.text("description");
  const [label, context] = [item.text("label"), item.get("ai_context")];
  const properties = {
    ...(label !== undefined && { label }),
    ...(context !== undefined && context !== null && context !== "" && { ai_context: context }),
  };
  return {
    ...(description !== undefined && { description }),
    ...(Object.keys(properties).length > 0 && { properties }),
  };
}

export function readDataset(item: Item, draft: Draft): ModelDraft | undefined {
  const { report } = draft;
  const [name, source] = [item.text("name"), item.text("source")];
  const object = `dataset "${name ?? ""}"`;
  if (name === undefined || source === undefined) {
    report.refuse(object, "It has no name or no source.", item.at());
    return undefined;
  }
  if (!hasKnownMembers(item, object, DATASET, report)) return undefined;
  const from = draft.attempt(object, item.at("source"), () => sourceOf(source, draft));
  if (from === undefined) return undefined;
  const model = draft.model({ name, ...from, ...annotated(item) }, item.at("name"));
  if (model === undefined) return undefined;
  const cube = draft.cube(model, item.at("name"));
  for (const field of item.items("fields")) readField(field, draft, model, cube);
  model.primaryKey = keyColumns(item.texts("primary_key"), model, item);
  model.uniqueKeys = item.items("unique_keys").map((each) =>
    keyColumns(
      each.elements().flatMap(({ own }) => own ?? []),
      model,
      item,
    ),
  );
  return model;
}

/** Key columns are columns of the table, which may have no field. */
function keyColumns(names: readonly string[], model: ModelDraft, item: Item): readonly string[] {
  return names.map((name) => columnOf(name, model, item));
}

function columnOf(name: string, model: ModelDraft, item: Item): string {
  return model.column(name)?.name ?? model.input(name, name, item.at("name"));
}

function sourceOf(
  source: string,
  draft: Draft,
): { readonly tableReference: ImportedTable } | { readonly refSql: string } {
  if (/^\s*(?:SELECT|WITH)\b/i.test(source)) return { refSql: source.trim().replace(/;\s*$/, "") };
  const table = draft.table(source);
  if (table === undefined) throw new Unmapped(`The source ${source.slice(0, 100)} is neither a table nor a query.`);
  return { tableReference: table };
}

function readField(item: Item, draft: Draft, model: ModelDraft, cube: ReturnType<Draft["cube"]>): void {
  const name = item.text("name");
  const object = `field "${name ?? ""}" of dataset "${model.name}"`;
  if (name === undefined || !hasKnownMembers(item, object, FIELD, draft.report)) return;
  const isAdded = draft.attempt(object, item.at("expression"), () => {
    const { text, isNative } = expressionOf(item, draft.source);
    const datatype = item.text("datatype") ?? "";
    const type = TYPES[datatype] ?? UNKNOWN_TYPE;
    const column = { name, type, ...annotated(item) };
    const physical = identifierIn(text);
    if (physical !== undefined) {
      return model.add({ ...column, ...(physical !== name && { expression: text.trim() }) }, item.at("name"));
    }
    const tree = expressionIn(text);
    if (isNative) return model.add({ ...column, expression: text }, item.at("name"));
    const edits = columnsIn(tree).map(({ parts, start, end }) => {
      const [only, ...others] = parts;
      if (only === undefined || others.length > 0)
        throw new Unmapped(`A field reads ${parts.join(".")}: another dataset.`);
      return { start, end, text: written(model.input(only, only, item.at("expression"))) };
    });
    const expression = edited(text, [...quotientEdits(tree, draft.source), ...edits]);
    return model.add({ ...column, isCalculated: true, expression }, item.at("name"));
  });
  if (isAdded !== true) return;
  const isTime = item.item("dimension")?.get("is_time") ?? TIMES.has(item.text("datatype") ?? "");
  const kind = isTime === true ? "time dimension" : "dimension";
  draft.member(cube, kind, { name, expression: written(name) }, item.at("name"));
}

export function readRelationship(item: Item, draft: Draft): void {
  const name = item.text("name");
  const object = `relationship "${name ?? ""}"`;
  if (name === undefined || !hasKnownMembers(item, object, RELATIONSHIP, draft.report)) return;
  draft.attempt(object, item.at(), () => {
    const [from, to] = ["from", "to"].map((member) => {
      const dataset = item.text(member) ?? "";
      const found = draft.models.get(dataset.toLowerCase());
      if (found === undefined) throw new Unmapped(`The dataset "${dataset}" is not imported.`);
      return found;
    });
    const [left, right] = [item.texts("from_columns"), item.texts("to_columns")];
    if (from === undefined || to === undefined || left.length === 0 || left.length !== right.length) {
      throw new Unmapped("from_columns and to_columns are no lists of one length.");
    }
    const own = left.map((column) => columnOf(column, from, item));
    const pairs = own.map((column, at) => [column, columnOf(right[at] ?? "", to, item)] as const);
    const keys = [from.primaryKey, ...from.uniqueKeys].filter((key) => key.length > 0);
    const isOne = keys.some((key) => key.every((column) => own.includes(column)));
    const { properties } = annotated(item);
    draft.join(
      {
        name,
        from,
        to,
        pairs,
        joinType: isOne ? "ONE_TO_ONE" : "MANY_TO_ONE",
        path: to.name,
        ...(properties !== undefined && { properties }),
      },
      item.at("name"),
    );
  });
}
