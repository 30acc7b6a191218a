/** Errors in views, cubes and metrics, which are all queries over models. */

import { name } from "../expand/select.ts";
import type { CumulativeMetricData } from "../legacy/cumulative-metrics.ts";
import type { MetricData } from "../legacy/metrics.ts";
import { metricQuery, rollUpQuery } from "../legacy/metrics.ts";
import type { ViewData } from "../manifest/data.ts";
import { columnsOf, type Trials } from "./trial.ts";

export function checkView(view: ViewData, trials: Trials): void {
  trials.plan(`view "${view.name}"`, view.statement.length, () => columnsOf(view.name));
}

export function checkCube(cubeName: string, trials: Trials): void {
  const { manifest, problems } = trials;
  const object = `cube "${cubeName}"`;
  const cube = problems.attempt(object, () => manifest.cube(cubeName));
  if (cube === undefined || problems.attempt(object, () => cube.base()) === undefined) return;
  for (const member of cube.members) {
    const owner = `${member.kind} "${member.name}" of ${object}`;
    trials.plan(owner, member.data.expression.length, () => columnsOf(cubeName, member.name));
  }
}

export function checkMetric(metricName: string, trials: Trials): void {
  const { manifest, problems } = trials;
  const object = `metric "${metricName}"`;
  const metric = problems.attempt(object, () => manifest.metric(metricName));
  if (metric === undefined || !trials.plan(object, 0, () => columnsOf(metric.baseObject))) return;
  if (metric.measures.length === 0) {
    problems.attempt(object, () => metricQuery(metric, new Set()));
    return;
  }
  for (const column of [...metric.dimensions, ...metric.measures]) {
    const size = column.expression?.length ?? 0;
    trials.plan(`column "${column.name}" of ${object}`, size, () => metricQuery(metric, new Set([column.name])));
  }
  checkTimeGrains(metric, trials);
}

/** A grain lists the units it may be truncated to; without any, one unit stands for all. */
function checkTimeGrains(metric: MetricData, trials: Trials): void {
  const timesOnly: MetricData = { ...metric, dimensions: [], measures: [] };
  for (const grain of metric.timeGrains) {
    const object = `time grain "${grain.name}" of metric "${metric.name}"`;
    const units = grain.dateParts.length === 0 ? ["DAY"] : grain.dateParts;
    for (const unit of units) {
      if (!trials.plan(object, unit.length, () => rollUpQuery(timesOnly, name(grain.name), name(unit)))) break;
    }
  }
}

export function checkCumulativeMetric(metric: CumulativeMetricData, trials: Trials): void {
  trials.plan(`cumulative metric "${metric.name}"`, 0, () => columnsOf(metric.name));
}
