/**
 * Reads the manifest (docs/spec/planner.md#models) with the tolerance its format promises: booleans may be 0/1, `null` and `""`
 * count as absent. A member of a wrong type raises MANIFEST_SCHEMA with its path. Unknown members are for the survey.
 */
import { PlannerError } from "../diagnostics.ts";
import { readCumulativeMetric, readDateSpine, readEnum, readMacro, readMetric } from "../legacy/schema.ts";
import type {
  ColumnData,
  ColumnRuleData,
  CubeData,
  CubeMemberData,
  ManifestData,
  ModelData,
  PropertyData,
  RelationshipData,
  RowRuleData,
  TableReference,
  ViewData,
} from "./data.ts";
import { Entry } from "./entry.ts";
import { JsonReader } from "./json.ts";
import { COLUMN_RULE_OPERATORS, JOIN_TYPES, LAYOUT_VERSION, THRESHOLD_TYPES } from "./members.ts";
import { type Survey, surveyOf } from "./survey.ts";

export function readManifest(json: unknown): ManifestData {
  const reader = new JsonReader(json, "manifest");
  const root = reader.object("manifest");
  const version = root.member("layoutVersion").optionalInteger() ?? 1;
  if (version > LAYOUT_VERSION) {
    throw new PlannerError(
      "MANIFEST_LAYOUT_VERSION",
      `the manifest requires layout version ${version}, this service supports up to ${LAYOUT_VERSION}`,
    );
  }
  return {
    catalog: root.member("catalog").string(),
    schema: root.member("schema").string(),
    models: root.member("models").list((item) => Entry.of(item, readModel)),
    relationships: root.member("relationships").list((item) => Entry.of(item, readRelationship)),
    views: root.member("views").list((item) => Entry.of(item, readView)),
    metrics: root.member("metrics").list((item) => Entry.of(item, readMetric)),
    cumulativeMetrics: root.member("cumulativeMetrics").list((item) => Entry.of(item, readCumulativeMetric)),
    dateSpine: root.member("dateSpine").isAbsent() ? undefined : readDateSpine(root.member("dateSpine")),
    macros: root.member("macros").list((item) => Entry.of(item, readMacro)),
    enums: root.member("enumDefinitions").list((item) => Entry.of(item, readEnum)),
    cubes: root.member("cubes").list((item) => Entry.of(item, readCube)),
    survey: surveyOnce(json),
    annotations: reader.annotations(),
  };
}

/** The text as JSON is not kept longer than until it has been looked at. */
function surveyOnce(json: unknown): () => Survey {
  let waiting: unknown = json;
  let survey: Survey | undefined;
  return () => {
    survey ??= surveyOf(waiting);
    waiting = undefined;
    return survey;
  };
}

function readView(reader: JsonReader): ViewData {
  const view = reader.object("view");
  return {
    name: view.member("name").string(),
    statement: view.member("statement").string(),
    annotations: reader.annotations(),
  };
}

function readCube(reader: JsonReader): CubeData {
  const cube = reader.object("cube");
  const hierarchies = cube.member("hierarchies");
  return {
    name: cube.member("name").string(),
    baseObject: cube.member("baseObject").string(),
    measures: cube.member("measures").list(readCubeMember),
    dimensions: cube.member("dimensions").list(readCubeMember),
    timeDimensions: cube.member("timeDimensions").list(readCubeMember),
    hierarchies: hierarchies.isAbsent()
      ? []
      : hierarchies.entries().map(([name, levels]) => ({ name, levels: levels.list((level) => level.string()) })),
    annotations: reader.annotations(),
  };
}

function readCubeMember(reader: JsonReader): CubeMemberData {
  const member = reader.object("cubeMember");
  return {
    name: member.member("name").string(),
    expression: member.member("expression").string(),
    type: member.member("type").optionalString() ?? "",
    annotations: reader.annotations(),
  };
}

function readModel(reader: JsonReader): ModelData {
  const model = reader.object("model");
  const table = model.member("tableReference");
  const key = model.member("primaryKey");
  const columns = model.member("columns").requiredList(readColumn);
  return {
    name: model.member("name").string(),
    tableReference: table.isAbsent() ? undefined : readTableReference(table),
    refSql: model.member("refSql").optionalString(),
    baseObject: model.member("baseObject").optionalString(),
    columns,
    primaryKey: key.isAbsent() ? [] : key.isText() ? keyOf(key.string(), columns) : key.list((item) => item.string()),
    uniqueKeys: model.member("uniqueKeys").list((keys) => keys.list((item) => item.string())),
    rowRules: model.member("rowLevelAccessControls").list(readRowRule),
    annotations: reader.annotations(),
    csv: model.member("properties").annotation("csv"),
    readMayFail: model.member("readMayFail").flag(),
  };
}

/** A key in the form that metadata has it: a column, the columns of a composite key with commas between them, or "" for no key. */
function keyOf(text: string, columns: readonly ColumnData[]): readonly string[] {
  if (text === "") return [];
  const names = new Set(columns.map(({ name }) => name));
  const parts = text.split(",").map((part) => part.trim());
  return !names.has(text) && parts.length > 1 && parts.every((part) => names.has(part)) ? parts : [text];
}

function readTableReference(reader: JsonReader): TableReference | undefined {
  const reference = reader.object("tableReference");
  const catalog = reference.member("catalog").optionalString();
  const schema = reference.member("schema").optionalString();
  const table = reference.member("table").optionalString();
  if (table === undefined) return undefined;
  return { ...(catalog === undefined ? {} : { catalog }), ...(schema === undefined ? {} : { schema }), table };
}

function readColumn(reader: JsonReader): ColumnData {
  const column = reader.object("column");
  const rule = column.member("columnLevelAccessControl");
  return {
    name: column.member("name").name(),
    type: column.member("type").string(),
    relationship: column.member("relationship").optionalString(),
    isCalculated: column.member("isCalculated").flag(),
    expression: column.member("expression").optionalString(),
    notNull: column.member("notNull").flag(),
    isHidden: column.member("isHidden").flag(),
    rule: rule.isAbsent() ? undefined : readColumnRule(rule),
    annotations: reader.annotations(),
  };
}

function readRowRule(reader: JsonReader): RowRuleData {
  const rule = reader.object("rowRule");
  return {
    name: rule.member("name").string(),
    properties: rule.member("requiredProperties").list(readProperty),
    condition: rule.member("condition").string(),
  };
}

function readProperty(reader: JsonReader): PropertyData {
  const property = reader.object("property");
  return {
    name: property.member("name").string(),
    required: property.member("required").flag(),
    defaultExpression: property.member("defaultExpr").optionalString(),
  };
}

function readColumnRule(reader: JsonReader): ColumnRuleData {
  const rule = reader.object("columnRule");
  const properties = rule.member("requiredProperties").list(readProperty);
  const [property] = properties;
  if (property === undefined || properties.length !== 1) {
    throw rule.member("requiredProperties").error("must name exactly one property");
  }
  return {
    operator: rule.member("operator").oneOf(COLUMN_RULE_OPERATORS),
    name: rule.member("name").string(),
    property,
    threshold: readThreshold(rule.member("threshold")),
  };
}

/**
 * Text in SQL form, or `{ value, dataType }` with the value alone; both are written by tools (decisions,
 * docs/spec/planner.md#column-rules).
 */
function readThreshold(reader: JsonReader): string {
  if (reader.isText()) return reader.string();
  const threshold = reader.object("threshold");
  const value = threshold.member("value").string();
  const dataType = threshold.member("dataType").oneOf(THRESHOLD_TYPES);
  return dataType === "NUMERIC" ? value : `'${value.replaceAll("'", "''")}'`;
}

function readRelationship(reader: JsonReader): RelationshipData {
  const relationship = reader.object("relationship");
  const models = relationship.member("models").list((item) => item.string());
  const [left, right] = models;
  if (left === undefined || right === undefined || models.length !== 2) {
    throw relationship.member("models").error("must name exactly two models");
  }
  const joinType = relationship.member("joinType").string();
  const known = JOIN_TYPES.find((candidate) => candidate === joinType.toUpperCase());
  if (known === undefined) {
    throw new PlannerError("MANIFEST_SCHEMA", `Unknown relationship type: ${joinType}`, {
      hint: relationship.member("joinType").error(`must be one of ${JOIN_TYPES.join(", ")}.`).message,
    });
  }
  return {
    name: relationship.member("name").string(),
    models: [left, right],
    joinType: known,
    condition: relationship.member("condition").string(),
    annotations: reader.annotations(),
  };
}
