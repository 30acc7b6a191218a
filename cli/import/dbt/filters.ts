/** Filters of dbt's metrics: SQL with `{{ Dimension('entity__name') }}` in the places of columns. */

import type { DataSource } from "../../../src/planner/plan.ts";
import { written } from "../../project/identifier.ts";
import type { Filter } from "../aggregates.ts";
import type { Item } from "../item.ts";
import { edited, expressionIn, quotientEdits, Unmapped } from "../sql-text.ts";
import type { Paths } from "./joins.ts";
import type { SemanticModel } from "./semantic-model.ts";

const MENTION =
  /\{\{\s*(Dimension|TimeDimension|Entity)\(\s*(?:'([\w]+)'|"([\w]+)")\s*(?:,\s*(?:'(\w+)'|"(\w+)")\s*)?\)\s*\}\}/g;
const UNITS: ReadonlySet<string> = new Set(["second", "minute", "hour", "day", "week", "month", "quarter", "year"]);

/** Texts of a `filter` member. */
export const filterTexts = (item: Item | undefined): readonly string[] =>
  item?.items("where_filters").flatMap((each) => each.text("where_sql_template") ?? []) ?? [];

/** Throws `Unmapped`. */
export function filterOf(text: string, model: SemanticModel, paths: Paths, source: DataSource): Filter {
  const mentions = [...text.matchAll(MENTION)].map((match) => {
    const [whole, kind, single, double, unit, quotedUnit] = match;
    return { whole, kind, parts: (single ?? double ?? "").split("__"), unit: (unit ?? quotedUnit)?.toLowerCase() };
  });
  const plain = text.replaceAll(MENTION, "");
  if (/\{\{|\{%|\{#/.test(plain))
    throw new Unmapped("The filter holds a template that is neither Dimension, TimeDimension nor Entity.");
  const own = mentions.map(({ kind, parts, unit }) => (unit === undefined ? ownColumn(kind, parts, model) : undefined));
  let at = 0;
  if (own.every((column) => column !== undefined)) {
    const sql = text.replaceAll(MENTION, () => `(${own[at++]?.native})`);
    expressionIn(sql);
    return { sql, language: "native" };
  }
  const inputs = mentions.map((mention) => inputColumn(mention, model, paths));
  const sql = text.replaceAll(MENTION, () => inputs[at++] ?? "");
  const edits = quotientEdits(expressionIn(sql), source);
  return { sql: edited(sql, edits), language: "input" };
}

interface Column {
  readonly name: string;
  readonly native: string;
}

function ownColumn(kind: string | undefined, parts: readonly string[], model: SemanticModel): Column | undefined {
  const [entity, name] = parts;
  if (kind === "Entity") {
    if (parts.length !== 1) return undefined;
    const found = model.entities.find((each) => each.name === entity);
    const column = found === undefined ? undefined : model.model.column(found.column);
    return column === undefined ? undefined : { name: column.name, native: column.expression ?? column.name };
  }
  const isOwn =
    entity !== undefined &&
    (entity === model.primaryEntity || model.entities.some((each) => each.name === entity && each.type !== "foreign"));
  if (parts.length !== 2 || name === undefined || !isOwn) return undefined;
  return model.dimensions.get(name);
}

function inputColumn(
  {
    kind,
    parts,
    unit,
  }: { readonly kind: string | undefined; readonly parts: readonly string[]; readonly unit: string | undefined },
  model: SemanticModel,
  paths: Paths,
): string {
  const own = ownColumn(kind, parts, model);
  const column = own === undefined ? joinedColumn(kind, parts, model, paths) : written(own.name);
  if (unit === undefined) return column;
  if (!UNITS.has(unit)) throw new Unmapped(`The granularity ${unit} has no counterpart.`);
  return `date_trunc('${unit}', ${column})`;
}

function joinedColumn(kind: string | undefined, parts: readonly string[], model: SemanticModel, paths: Paths): string {
  const [entity = "", name = ""] = parts;
  const found = paths.get(model)?.get(entity);
  if (kind === "Entity" || parts.length !== 2 || found === undefined || !found.to.dimensions.has(name)) {
    throw new Unmapped(
      `The filter names ${parts.join("__")}, which is no dimension of the semantic model or one join away.`,
    );
  }
  return `${written(found.path)}.${written(name)}`;
}
