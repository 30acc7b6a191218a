/** A semantic model of dbt: its table, its dimensions, entities and measures. */
import { WITH_CATALOG } from "../../init/manifest-of-source.ts";
import { identifierIn, written } from "../../project/identifier.ts";
import type { CubeDraft, Draft } from "../draft.ts";
import { hasKnownMembers, type Item } from "../item.ts";
import type { ModelDraft } from "../model-draft.ts";
import { UNKNOWN_TYPE } from "../model-draft.ts";
import { expressionIn } from "../sql-text.ts";
import type { ColumnTypes } from "./catalog.ts";

export interface Entity {
  readonly name: string;
  readonly type: string;
  /** Column of the model. */
  readonly column: string;
}

export interface Dimension {
  readonly name: string;
  readonly isTime: boolean;
  /** Expression in the SQL of the warehouse. */
  readonly native: string;
}

export interface SemanticModel {
  readonly model: ModelDraft;
  readonly cube: CubeDraft;
  readonly item: Item;
  readonly entities: readonly Entity[];
  readonly primaryEntity: string | undefined;
  readonly dimensions: ReadonlyMap<string, Dimension>;
  readonly measures: ReadonlyMap<string, Item>;
}

const SILENT = ["metadata", "config", "label", "description", "name"];
const MODEL = {
  mapped: ["node_relation", "entities", "measures", "dimensions", "primary_entity"],
  silent: [...SILENT, "defaults"],
};
const RELATION = { mapped: ["alias", "schema_name", "database"], silent: ["relation_name"] };
const ENTITY = { mapped: ["type", "expr"], silent: [...SILENT, "role"] };
const DIMENSION = { mapped: ["type", "expr"], silent: [...SILENT, "type_params", "is_partition"] };

/** Undefined if the model is refused. */
export function readSemanticModel(item: Item, draft: Draft, types: ColumnTypes): SemanticModel | undefined {
  const { report } = draft;
  const name = item.text("name");
  const relation = item.item("node_relation");
  const table = relation?.text("alias");
  const object = `semantic model "${name ?? ""}"`;
  if (name === undefined || relation === undefined || table === undefined) {
    report.refuse(object, "It has no name or no table.", item.at());
    return undefined;
  }
  if (!hasKnownMembers(item, object, MODEL, report) || !hasKnownMembers(relation, object, RELATION, report))
    return undefined;
  const [catalog, schema] = [relation.text("database"), relation.text("schema_name")];
  const quoted = relation.text("relation_name") ?? "";
  const stored = (part: string): string => (quoted.includes(`"${part}"`) ? part : draft.stored(part));
  const description = item.text("description");
  const model = draft.model(
    {
      name,
      ...(description !== undefined && { description }),
      tableReference: {
        ...(catalog !== undefined && WITH_CATALOG.has(draft.source) && { catalog: stored(catalog) }),
        ...(schema !== undefined && { schema: stored(schema) }),
        table: stored(table),
      },
    },
    item.at("name"),
    (column) => types.typeOf({ schema, table, column }),
  );
  if (model === undefined) return undefined;
  const cube = draft.cube(model, item.at("name"), { ...(description !== undefined && { description }) });
  const dimensions = new Map<string, Dimension>();
  for (const each of item.items("dimensions")) {
    const found = readDimension(each, draft, model, (column) => types.typeOf({ schema, table, column }));
    if (found === undefined) continue;
    dimensions.set(found.name, found);
    const kind = found.isTime ? "time dimension" : "dimension";
    draft.member(
      cube,
      kind,
      { name: found.name, expression: written(found.name), ...described(each) },
      each.at("name"),
    );
  }
  const entities: Entity[] = [];
  for (const each of item.items("entities")) {
    const found = readEntity(each, draft, model);
    if (found !== undefined) entities.push(found);
  }
  const own = entities.find(({ type }) => type === "primary");
  if (own !== undefined) model.primaryKey = [own.column];
  model.uniqueKeys = entities.filter(({ type }) => type === "unique").map(({ column }) => [column]);
  const measures = new Map<string, Item>();
  for (const each of item.items("measures")) {
    const measure = each.text("name");
    if (measure === undefined) report.refuse(object, "A measure has no name.", each.at());
    else if (measures.has(measure))
      report.refuse(`measure "${measure}"`, "Two objects have the name.", each.at("name"));
    else measures.set(measure, each);
  }
  const primaryEntity = item.text("primary_entity") ?? own?.name;
  return { model, cube, item, entities, primaryEntity, dimensions, measures };
}

const described = (item: Item): { readonly description?: string } => {
  const description = item.text("description");
  return description === undefined ? {} : { description };
};

function readDimension(
  item: Item,
  draft: Draft,
  model: ModelDraft,
  typeOf: (column: string) => string | undefined,
): Dimension | undefined {
  const name = item.text("name");
  const object = `dimension "${name ?? ""}" of semantic model "${model.name}"`;
  if (name === undefined || !hasKnownMembers(item, object, DIMENSION, draft.report)) return undefined;
  const parameters = item.item("type_params");
  if (parameters?.item("validity_params") !== undefined) {
    draft.report.refuse(
      object,
      "Validity windows of slowly changing dimensions have no counterpart.",
      item.at("type_params"),
    );
    return undefined;
  }
  const native = item.text("expr") ?? name;
  return draft.attempt(object, item.at(item.text("expr") === undefined ? "name" : "expr"), () => {
    const physical = identifierIn(native);
    if (physical === undefined) expressionIn(native);
    const isTime = item.text("type") === "time";
    const type = (physical === undefined ? undefined : typeOf(physical)) ?? (isTime ? "TIMESTAMP" : UNKNOWN_TYPE);
    const expression = native === name ? {} : { expression: native };
    const isAdded = model.add({ name, type, ...expression, ...described(item) }, item.at("name"));
    return isAdded ? { name, isTime, native } : undefined;
  });
}

function readEntity(item: Item, draft: Draft, model: ModelDraft): Entity | undefined {
  const name = item.text("name");
  const type = item.text("type") ?? "";
  const object = `entity "${name ?? ""}" of semantic model "${model.name}"`;
  if (name === undefined || !hasKnownMembers(item, object, ENTITY, draft.report)) return undefined;
  if (!["primary", "unique", "foreign"].includes(type)) {
    draft.report.refuse(object, `An entity of type ${type} has no counterpart.`, item.at("type"));
    return undefined;
  }
  return draft.attempt(object, item.at("expr"), () => {
    const column = model.input(item.text("expr") ?? name, `${name}_key`, item.at("name"));
    return { name, type, column };
  });
}
