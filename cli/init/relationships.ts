/** Relationships from foreign keys: none without a constraint, each with the cardinality that the constraints prove. */
import { written } from "../project/identifier.ts";
import type { ColumnJson, ModelJson, RelationshipJson } from "./manifest-json.ts";
import type { ForeignKey, SourceFacts, TableKey } from "./source-facts.ts";
import { freeName } from "./table-model.ts";

/** A model with the names that its columns have in the table. */
export interface NamedModel {
  readonly model: ModelJson;
  readonly table: TableKey;
  /** Names in the model, by names in the table. */
  readonly names: ReadonlyMap<string, string>;
}

export interface Related {
  readonly models: readonly ModelJson[];
  readonly relationships: readonly RelationshipJson[];
  /** Foreign keys to tables without a model, a sentence for each. */
  readonly omitted: readonly string[];
}

export function relate(models: readonly NamedModel[], facts: SourceFacts): Related {
  const byTable = new Map(models.map((each) => [each.table, each]));
  const taken = new Set<string>();
  const relationships: RelationshipJson[] = [];
  const omitted: string[] = [];
  const paths = new Map<TableKey, ColumnJson[]>();
  for (const key of facts.foreignKeys) {
    const child = byTable.get(key.child);
    if (child === undefined) continue;
    const parent = byTable.get(key.parent);
    if (parent === undefined) {
      omitted.push(`${child.model.name}: the table that ${key.columns.join(", ")} refers to has no model`);
      continue;
    }
    const isOnly =
      facts.foreignKeys.filter((each) => each.child === key.child && each.parent === key.parent).length === 1;
    const columns = key.columns.map((column) => child.names.get(column) ?? column);
    const [first = ""] = columns;
    const handle = columns.length === 1 ? first.replace(/_(?:id|key|no|code|fk)$/, "") : parent.model.name;
    const name = freeName(
      `${child.model.name}_${isOnly && key.child !== key.parent ? parent.model.name : handle}`,
      taken,
    );
    relationships.push({
      name,
      models: [child.model.name, parent.model.name],
      joinType: isUnique(key, facts, child) ? "ONE_TO_ONE" : "MANY_TO_ONE",
      condition: conditionOf(key, child, parent),
    });
    const others = paths.get(key.child) ?? [];
    const names = new Set([...child.model.columns, ...others].map((column) => column.name.toLowerCase()));
    const path =
      [handle, parent.model.name, name].find((each) => !names.has(each.toLowerCase())) ?? freeName(name, names);
    paths.set(key.child, [...others, { name: path, type: parent.model.name, relationship: name }]);
  }
  const related = models.map(({ model, table }) => ({
    ...model,
    columns: [...model.columns, ...(paths.get(table) ?? [])],
  }));
  return { models: related, relationships, omitted };
}

/** Whether a key of the child lies within the columns: then two children never share a parent. */
function isUnique({ child, columns }: ForeignKey, { uniqueKeys }: SourceFacts, { model, names }: NamedModel): boolean {
  const within = (key: readonly string[], of: readonly string[]): boolean =>
    key.length > 0 && key.every((column) => of.includes(column));
  const { primaryKey } = model;
  const primary = primaryKey === undefined ? [] : typeof primaryKey === "string" ? [primaryKey] : primaryKey;
  const own = columns.map((column) => names.get(column) ?? column);
  return within(primary, own) || (uniqueKeys.get(child) ?? []).some((key) => within(key, columns));
}

/** In a relationship of a model with itself, the first operand belongs to the side of the foreign key. */
function conditionOf({ columns, parentColumns }: ForeignKey, child: NamedModel, parent: NamedModel): string {
  return columns
    .map((column, at) => {
      const other = parentColumns[at] ?? "";
      const left = `${written(child.model.name)}.${written(child.names.get(column) ?? column)}`;
      return `${left} = ${written(parent.model.name)}.${written(parent.names.get(other) ?? other)}`;
    })
    .join(" AND ");
}
