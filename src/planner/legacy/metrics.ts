/**
 * Metrics of old manifests (planner.md §2.13): measures of a base object by dimensions. What a query names decides about
 * the grouping: `SELECT revenue FROM Revenue` is the grand total.
 */
import { PlannerError } from "../diagnostics.ts";
import { DEFAULT_LIMITS } from "../limits.ts";
import { inExpression } from "../manifest/calculated.ts";
import { call, text } from "../syntax/build.ts";
import { parseExpression } from "../syntax/parser.ts";
import { NOWHERE, withoutSpans } from "../syntax/spans.ts";
import type { Expression, Identifier, Query, SelectExpression } from "../syntax/tree.ts";

export interface MetricColumnData {
  readonly name: string;
  /** The column of the base of this name where it is absent. */
  readonly expression: string | undefined;
}

export interface MetricData {
  readonly name: string;
  readonly baseObject: string;
  readonly dimensions: readonly MetricColumnData[];
  readonly measures: readonly MetricColumnData[];
  readonly timeGrains: readonly TimeGrainData[];
}

export interface TimeGrainData {
  readonly name: string;
  readonly refColumn: string;
  /** Upper case; any unit where it is empty. */
  readonly dateParts: readonly string[];
}

const TIME_UNITS: readonly string[] = ["YEAR", "QUARTER", "MONTH", "WEEK", "DAY", "HOUR", "MINUTE", "SECOND"];

/** `names` of the metric, grouped by the dimensions among them; by all dimensions when there are none. */
export function metricQuery(metric: MetricData, names: ReadonlySet<string>): Query {
  if (metric.measures.length === 0) {
    throw new PlannerError("MANIFEST_SCHEMA", `metric "${metric.name}" has no measure`);
  }
  const wanted = (columns: readonly MetricColumnData[]): readonly MetricColumnData[] =>
    columns.filter(({ name }) => names.has(name));
  const dimensions = names.size === 0 ? metric.dimensions : wanted(metric.dimensions);
  // Without dimensions there is one row, which only an aggregate makes.
  const measures = names.size === 0 && dimensions.length === 0 ? metric.measures.slice(0, 1) : wanted(metric.measures);
  return grouped(
    metric,
    dimensions.map((column) => item(column, metric)),
    measures.map((column) => item(column, metric)),
  );
}

/** The names of a metric's columns, in their order. */
export function metricColumns(metric: MetricData): readonly string[] {
  return [...metric.dimensions, ...metric.measures].map(({ name }) => name);
}

/** `roll_up(metric, grain, unit)`: the truncated time first, then everything, grouped by the time and all dimensions. */
export function rollUpQuery(metric: MetricData, grainName: Identifier, unitName: Identifier): Query {
  const grain = metric.timeGrains.find(({ name }) => name === grainName.name);
  if (grain === undefined) {
    throw new PlannerError("COLUMN_NOT_FOUND", `metric "${metric.name}" has no time grain "${grainName.name}"`, {
      span: grainName.span,
      suggestions: metric.timeGrains.map(({ name }) => name),
    });
  }
  const unit = unitName.name.toUpperCase();
  const units = grain.dateParts.length > 0 ? grain.dateParts : TIME_UNITS;
  if (!units.includes(unit)) {
    throw new PlannerError("INVALID_QUERY", `time grain "${grain.name}" has no unit ${unit.slice(0, 30)}`, {
      span: unitName.span,
      hint: `Its units are ${units.join(", ")}.`,
    });
  }
  const at = { span: NOWHERE };
  const time = call("date_trunc", [text(unit.toLowerCase(), at), column(grain.refColumn)], at);
  return grouped(
    metric,
    [named(time, grain.name), ...metric.dimensions.map((each) => item(each, metric))],
    metric.measures.map((each) => item(each, metric)),
  );
}

function grouped(metric: MetricData, keys: readonly SelectExpression[], measures: readonly SelectExpression[]): Query {
  return {
    kind: "query",
    with: undefined,
    body: {
      kind: "select",
      distinct: undefined,
      items: [...keys, ...measures],
      from: [{ kind: "table", name: [name(metric.baseObject)], alias: undefined, span: NOWHERE }],
      where: undefined,
      groupBy: keys.length === 0 ? undefined : keys.map(({ expression }) => ({ kind: "expression", expression })),
      having: undefined,
      windows: [],
      qualify: undefined,
      span: NOWHERE,
    },
    orderBy: [],
    limit: undefined,
    offset: undefined,
    span: NOWHERE,
  };
}

function item(data: MetricColumnData, metric: MetricData): SelectExpression {
  if (data.expression === undefined) return named(column(data.name), data.name);
  const { expression } = data;
  const parsed = inExpression(`column "${data.name}" of metric "${metric.name}"`, () =>
    parseExpression(expression, { limits: DEFAULT_LIMITS }),
  );
  return named(withoutSpans(parsed), data.name);
}

function named(expression: Expression, alias: string): SelectExpression {
  return { kind: "item", expression, alias: name(alias), span: NOWHERE };
}

function column(columnName: string): Expression {
  return { kind: "column", parts: [name(columnName)], span: NOWHERE };
}

function name(text: string): Identifier {
  return { name: text, quoted: true, span: NOWHERE };
}
