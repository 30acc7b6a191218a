/**
 * Cumulative metrics of old manifests (docs/spec/planner.md#cumulative-metrics): for every period the measure over the rows of the
 * unit that trails each of its days. A row that several days of a period trail counts once.
 */
import { PlannerError } from "../diagnostics.ts";
import { DEFAULT_LIMITS } from "../limits.ts";
import { parseQuery } from "../syntax/parser.ts";
import { inQuotes } from "../syntax/quoting.ts";
import { withoutSpans } from "../syntax/spans.ts";
import type { Query } from "../syntax/tree.ts";

export interface CumulativeMetricData {
  readonly name: string;
  readonly baseObject: string;
  readonly measure: { readonly name: string; readonly operator: string; readonly refColumn: string };
  readonly window: {
    readonly name: string;
    readonly refColumn: string;
    readonly timeUnit: string;
    readonly start: string;
    readonly end: string;
  };
}

export interface DateSpineData {
  readonly unit: string;
  readonly start: string;
  readonly end: string;
}

/** The spine of manifests that say none. */
export const DEFAULT_SPINE: DateSpineData = { unit: "DAY", start: "1970-01-01", end: "2077-12-31" };

const UNITS: readonly string[] = ["YEAR", "QUARTER", "MONTH", "WEEK", "DAY", "HOUR", "MINUTE", "SECOND"];
/** More days than that in one spine are a mistake; the table is made for every query. */
const MAX_SPINE_DAYS = 100_000;
/** A hundred years of hours. The same days of seconds would be thousands of millions of rows. */
const MAX_SPINE_STEPS = 1_000_000;
/** Steps per day of spines finer than a day. */
const STEPS_A_DAY: ReadonlyMap<string, number> = new Map([
  ["hour", 24],
  ["minute", 1440],
  ["second", 86_400],
]);

/** One row per period, `window.name` and `measure.name`. Throws MANIFEST_SCHEMA for what makes no sense. */
export function cumulativeQuery(metric: CumulativeMetricData, spine: DateSpineData): Query {
  const { measure, window, baseObject } = metric;
  const [unit, step] = [window.timeUnit, spine.unit].map((each) => unitOf(each, metric));
  const [start, end] = [window.start, window.end].map((each) => dateOf(each, metric));
  const [first, last] = [spine.start, spine.end].map((each) => dateOf(each, metric));
  if (!/^[A-Za-z_]\w{0,60}$/.test(measure.operator))
    throw wrong(metric, `operator "${measure.operator}" is no function`);
  const [from, to] = [later(start ?? "", first ?? ""), earlier(end ?? "", last ?? "")];
  const days = daysBetween(from, to);
  if (days > MAX_SPINE_DAYS) throw wrong(metric, `its window is longer than ${MAX_SPINE_DAYS} days`);
  if (days * (STEPS_A_DAY.get(step ?? "") ?? 1) > MAX_SPINE_STEPS) {
    throw wrong(metric, `its window is longer than ${MAX_SPINE_STEPS} times one ${step}`);
  }
  const text = `SELECT p.period AS ${inQuotes(window.name)}, ${measure.operator}(r.v) AS ${inQuotes(measure.name)}
    FROM (SELECT date_trunc('${unit}', t.d) AS period, min(t.d) AS lo, max(t.d) AS hi
          FROM generate_series(TIMESTAMP '${from} 00:00:00', TIMESTAMP '${to} 00:00:00', INTERVAL '1 ${step}') AS t(d)
          GROUP BY date_trunc('${unit}', t.d)) AS p
    LEFT JOIN (SELECT b.${inQuotes(window.refColumn)} AS at, b.${inQuotes(measure.refColumn)} AS v FROM ${inQuotes(baseObject)} AS b
               WHERE b.${inQuotes(window.refColumn)} >= DATE '${start}' AND b.${inQuotes(window.refColumn)} <= DATE '${end}') AS r
      ON r.at > p.lo - INTERVAL '1 ${unit}' AND r.at <= p.hi
    GROUP BY p.period`;
  return withoutSpans(parseQuery(text, { limits: DEFAULT_LIMITS }));
}

function wrong({ name }: CumulativeMetricData, problem: string): PlannerError {
  return new PlannerError("MANIFEST_SCHEMA", `cumulative metric "${name}": ${problem}`);
}

function unitOf(text: string, metric: CumulativeMetricData): string {
  const unit = text.toUpperCase();
  if (!UNITS.includes(unit)) throw wrong(metric, `"${text}" is no time unit`);
  return unit.toLowerCase();
}

/** `2024-01-31`, with or without a time behind it. */
function dateOf(text: string, metric: CumulativeMetricData): string {
  const date = /^(\d{4}-\d{2}-\d{2})(?:[T ].*)?$/.exec(text)?.[1];
  if (date === undefined || Number.isNaN(Date.parse(date))) throw wrong(metric, `"${text.slice(0, 40)}" is no date`);
  return date;
}

const later = (a: string, b: string): string => (a > b ? a : b);
const earlier = (a: string, b: string): string => (a < b ? a : b);

function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / 86_400_000;
}
