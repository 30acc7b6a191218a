/**
 * Metrics of old manifests (docs/spec/planner.md#metrics): measures of a base object by dimensions. What a query names decides
 * about the grouping: `SELECT revenue FROM Revenue` is the grand total.
 */
import { PlannerError } from "../diagnostics.ts";
import { DEFAULT_LIMITS } from "../limits.ts";
import { inExpression } from "../manifest/faults.ts";
import { call, exactName, integer, queryOf, selectItem, selectOf, text, unbound } from "../syntax/build.ts";
import { parseExpression } from "../syntax/parser.ts";
import { NOWHERE, withoutSpans } from "../syntax/spans.ts";
import type { Call, Expression, Identifier, Query, SelectExpression } from "../syntax/tree.ts";

const AT = { span: NOWHERE };

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

/** `names` of the metric, grouped by the dimensions among them; by all dimensions if there are none. */
export function metricQuery(metric: MetricData, names: ReadonlySet<string>): Query {
  if (metric.measures.length === 0) {
    throw new PlannerError("MANIFEST_SCHEMA", `metric "${metric.name}" has no measure`);
  }
  const wanted = (columns: readonly MetricColumnData[]): readonly MetricColumnData[] =>
    columns.filter(({ name }) => names.has(name));
  const dimensions = names.size === 0 ? metric.dimensions : wanted(metric.dimensions);
  // Without dimensions the result has one row, which needs an aggregate.
  const measures = names.size === 0 && dimensions.length === 0 ? metric.measures.slice(0, 1) : wanted(metric.measures);
  return grouped(
    metric,
    dimensions.map((column) => columnItem(column, metric)),
    measures.map((column) => columnItem(column, metric)),
  );
}

/** The names of a metric's columns, in their order. */
export function metricColumns(metric: MetricData): readonly string[] {
  return [...metric.dimensions, ...metric.measures].map(({ name }) => name);
}

/** Whether a function in FROM is `roll_up`, which reads a metric by one of its time grains. */
export function isRollUp({ name }: Call): boolean {
  return name.length === 1 && name[0]?.name.toLowerCase() === "roll_up";
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
  const time = call("date_trunc", [text(unit.toLowerCase(), AT), column(grain.refColumn)], unbound(AT));
  return grouped(
    metric,
    [named(time, grain.name), ...metric.dimensions.map((each) => columnItem(each, metric))],
    metric.measures.map((each) => columnItem(each, metric)),
  );
}

function grouped(metric: MetricData, keys: readonly SelectExpression[], measures: readonly SelectExpression[]): Query {
  // By position, for a dimension may be a constant.
  const positions = keys.map((_, index) => integer(index + 1, AT));
  const body = selectOf(
    {
      items: [...keys, ...measures],
      from: [{ kind: "table", name: [exactName(metric.baseObject, NOWHERE)], alias: undefined, span: NOWHERE }],
      groupBy: keys.length === 0 ? undefined : positions.map((expression) => ({ kind: "expression", expression })),
    },
    AT,
  );
  return queryOf(body);
}

function columnItem(data: MetricColumnData, metric: MetricData): SelectExpression {
  if (data.expression === undefined) return named(column(data.name), data.name);
  const { expression } = data;
  const parsed = inExpression(`column "${data.name}" of metric "${metric.name}"`, () =>
    parseExpression(expression, { limits: DEFAULT_LIMITS }),
  );
  return named(withoutSpans(parsed), data.name);
}

function named(expression: Expression, alias: string): SelectExpression {
  return selectItem(expression, exactName(alias, NOWHERE), AT);
}

function column(name: string): Expression {
  return { kind: "column", parts: [exactName(name, NOWHERE)], span: NOWHERE };
}
