/** A manifest as Apache Ossie. The whole manifest is in an extension, so that an import gives the same one again. */
import type { DataSource } from "../../src/planner/plan.ts";
import type {
  ImportedColumn,
  ImportedCube,
  ImportedManifest,
  ImportedModel,
  ImportedTable,
} from "../import/manifest.ts";
import { dialectOf } from "../import/ossie/expressions.ts";
import { columnsIn, edited, expressionIn } from "../import/sql-text.ts";
import { identifierIn } from "../project/identifier.ts";

export const EXTENSION = "SISKIN";
const VERSION = "0.2.0.dev0";

interface Expression {
  readonly dialects: readonly { readonly dialect: string; readonly expression: string }[];
}

interface OssieModel {
  readonly name: string;
  readonly description?: string;
  readonly datasets: readonly object[];
  readonly relationships?: readonly object[];
  readonly metrics?: readonly object[];
  readonly custom_extensions: readonly { readonly vendor_name: string; readonly data: string }[];
}

export interface OssieDocument {
  readonly version: string;
  readonly semantic_model: readonly [OssieModel];
}

export interface Exported {
  readonly document: OssieDocument;
  /** Objects that other readers of the file do not see, a sentence for each. */
  readonly hidden: readonly string[];
}

export function ossieOf(manifest: ImportedManifest, name: string, source: DataSource): Exported {
  const hidden: string[] = [];
  const { models, relationships = [], cubes = [], description } = manifest;
  const shown = new Map<string, ReadonlyMap<string, ImportedColumn>>();
  const datasets = models.flatMap((model) => {
    const reason = reasonToHide(model);
    if (reason !== undefined) {
      hidden.push(`model "${model.name}" ${reason}`);
      return [];
    }
    const columns = model.columns.filter((column) => isShown(column, model, hidden));
    shown.set(model.name, new Map(columns.map((column) => [column.name, column])));
    return [
      datasetOf(
        model,
        columns,
        cubes.find(({ baseObject }) => baseObject === model.name),
        source,
      ),
    ];
  });
  const joins = relationships.flatMap((relationship) => {
    const join = relationshipOf(relationship, shown);
    if (join === undefined)
      hidden.push(`relationship "${relationship.name}" is no equality of columns of two datasets, many to one`);
    return join ?? [];
  });
  const metrics = cubes.flatMap((cube) => metricsOf(cube, shown, hidden));
  for (const view of manifest.views ?? []) hidden.push(`view "${view.name}" has no counterpart`);
  const model: OssieModel = {
    name,
    ...(description !== undefined && { description }),
    datasets,
    ...(joins.length > 0 && { relationships: joins }),
    ...(metrics.length > 0 && { metrics }),
    custom_extensions: [{ vendor_name: EXTENSION, data: JSON.stringify(manifest) }],
  };
  return { document: { version: VERSION, semantic_model: [model] }, hidden };
}

/** A reader of Ossie knows no rules, and would show every row. */
function reasonToHide({ rowLevelAccessControls, tableReference, refSql }: ImportedModel): string | undefined {
  if ((rowLevelAccessControls ?? []).length > 0) return "has row rules, which other readers would not apply";
  if (tableReference === undefined && refSql === undefined) return "has neither a table nor a query";
  return undefined;
}

function isShown(column: ImportedColumn, { name }: ImportedModel, hidden: string[]): boolean {
  if (column.isHidden === true || column.relationship !== undefined) return false;
  if ("columnLevelAccessControl" in column) {
    hidden.push(`column "${column.name}" of model "${name}" has a rule, which other readers would not apply`);
    return false;
  }
  if (column.isCalculated === true && isOverPaths(column.expression ?? "")) {
    hidden.push(`column "${column.name}" of model "${name}" reads another model`);
    return false;
  }
  return true;
}

function isOverPaths(expression: string): boolean {
  try {
    return columnsIn(expressionIn(expression)).some(({ parts }) => parts.length > 1);
  } catch {
    return true;
  }
}

const TYPES: readonly (readonly [type: RegExp, datatype: string])[] = [
  [/^(?:var)?char|^text|^string/i, "String"],
  [/^(?:tiny|small|big)?int|^integer/i, "Integer"],
  [/^(?:decimal|numeric)/i, "Decimal"],
  [/^(?:double|float|real)/i, "Float"],
  [/^bool/i, "Boolean"],
  [/^date$/i, "Date"],
  [/^(?:timestamptz|timestamp with time zone)/i, "DateTimeTz"],
  [/^(?:timestamp|datetime)/i, "DateTime"],
  [/^time/i, "Time"],
];

function datasetOf(
  model: ImportedModel,
  columns: readonly ImportedColumn[],
  cube: ImportedCube | undefined,
  source: DataSource,
): object {
  const { primaryKey, uniqueKeys, description } = model;
  const times = new Set((cube?.timeDimensions ?? []).map(({ expression }) => expression));
  const key = typeof primaryKey === "string" ? [primaryKey] : primaryKey;
  return {
    name: model.name,
    source: model.refSql ?? nameOf(model.tableReference),
    ...(key !== undefined && { primary_key: key }),
    ...(uniqueKeys !== undefined && { unique_keys: uniqueKeys }),
    ...(description !== undefined && { description }),
    fields: columns.map((column) => {
      const datatype = TYPES.find(([type]) => type.test(column.type))?.[1];
      return {
        name: column.name,
        expression: expressionOf(column, source),
        ...(times.has(column.name) && { dimension: { is_time: true } }),
        ...(column.description !== undefined && { description: column.description }),
        ...(datatype !== undefined && { datatype }),
      };
    }),
  };
}

const nameOf = (table: ImportedTable | undefined): string =>
  [table?.catalog, table?.schema, table?.table].filter((part) => part !== undefined).join(".");

function expressionOf({ name, expression = name, isCalculated }: ImportedColumn, source: DataSource): Expression {
  const isStandard = isCalculated === true || identifierIn(expression) !== undefined;
  return { dialects: [{ dialect: isStandard ? "ANSI_SQL" : dialectOf(source), expression }] };
}

type Shown = ReadonlyMap<string, ReadonlyMap<string, ImportedColumn>>;

/** A conjunction of equalities between columns that both datasets show. */
function relationshipOf(
  { name, models: [left, right], joinType, condition }: ImportedManifest["relationships"][number],
  shown: Shown,
): object | undefined {
  if (joinType === "MANY_TO_MANY" || !shown.has(left) || !shown.has(right)) return undefined;
  const [from, to] = joinType === "ONE_TO_MANY" ? [right, left] : [left, right];
  const pairs = condition.split(/\s+AND\s+/i).map((part) => {
    const [, a, b, c, d] = /^(\w+)\.(\w+)\s*=\s*(\w+)\.(\w+)$/.exec(part.trim()) ?? [];
    if (a === from && c === to) return [b, d] as const;
    return a === to && c === from ? ([d, b] as const) : undefined;
  });
  if (from === to || pairs.some((pair) => pair === undefined)) return undefined;
  return {
    name,
    from,
    to,
    from_columns: pairs.map((pair) => pair?.[0]),
    to_columns: pairs.map((pair) => pair?.[1]),
  };
}

/** Measures over columns that other readers see; names of measures are those of the whole model. */
function metricsOf(
  { name: cube, baseObject, measures = [] }: ImportedCube,
  shown: Shown,
  hidden: string[],
): readonly object[] {
  return measures.flatMap(({ name, expression, description }) => {
    const text = qualified(expression, baseObject, shown.get(baseObject));
    if (text === undefined) {
      hidden.push(`measure "${name}" of cube "${cube}" reads what other readers do not see`);
      return [];
    }
    return {
      name,
      expression: { dialects: [{ dialect: "ANSI_SQL", expression: text }] },
      ...(description !== undefined && { description }),
    };
  });
}

function qualified(
  expression: string,
  model: string,
  columns: ReadonlyMap<string, ImportedColumn> | undefined,
): string | undefined {
  if (columns === undefined) return undefined;
  try {
    const mentions = columnsIn(expressionIn(expression));
    if (mentions.some(({ parts }) => parts.length !== 1 || !columns.has(parts[0] ?? ""))) return undefined;
    const edits = mentions.map(({ start, end, parts }) => ({ start, end, text: `${model}.${parts[0]}` }));
    return edited(expression, edits);
  } catch {
    return undefined;
  }
}
