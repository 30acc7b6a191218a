/** Decides which chart an answer can be shown as, from the types of its columns, and puts its values in series. */
import type { Column } from "./row-stream.ts";
import { exactText, kindOf } from "./values.ts";

export const CHART_KINDS = ["line", "bars", "stacked", "number"] as const;
export type ChartKind = (typeof CHART_KINDS)[number];

export interface Point {
  /** Milliseconds since 1970 for a line, else the place of the category. */
  readonly x: number;
  readonly y: number;
  /** All digits of the value, for tooltips and copies. */
  readonly text: string;
}

export interface Series {
  readonly name: string;
  readonly points: readonly Point[];
}

export interface Chart {
  readonly kind: ChartKind;
  /** Other kinds that suit the same answer. */
  readonly kinds: readonly ChartKind[];
  readonly xName: string;
  readonly yName: string;
  /** Names of the categories, in the order of the rows; empty for a line. */
  readonly categories: readonly string[];
  readonly series: readonly Series[];
}

export type ChartChoice = { readonly chart: Chart } | { readonly why: string };

const MOST_CATEGORIES = 50;
const MOST_SERIES = 8;
const MOST_POINTS = 5000;

type Row = readonly unknown[];

export function chartOf(columns: readonly Column[], rows: readonly Row[], wanted?: ChartKind): ChartChoice {
  const kinds = columns.map(({ type }) => kindOf(type));
  const numbers = kinds.flatMap((kind, index) => (kind === "number" ? [index] : []));
  const times = kinds.flatMap((kind, index) => (kind === "time" ? [index] : []));
  const texts = kinds.flatMap((kind, index) => (kind === "text" || kind === "flag" ? [index] : []));
  if (rows.length === 0) return { why: "The answer has no rows." };
  if (numbers.length === 0) return { why: "No column is a number." };
  const [time] = times;
  if (rows.length === 1 && times.length + texts.length === 0) return number(columns, rows[0] ?? [], numbers);
  if (time !== undefined && times.length === 1 && texts.length <= 1) {
    return line({ columns, rows, x: time, group: texts[0], numbers }, wanted);
  }
  if (times.length === 0 && (texts.length === 1 || texts.length === 2)) {
    const [x = 0, group] = texts;
    return bars({ columns, rows, x, group, numbers }, wanted);
  }
  return { why: "A chart needs one time or one or two texts beside its numbers." };
}

interface Shape {
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  readonly x: number;
  /** Column whose values are series; then only the first number is shown. */
  readonly group: number | undefined;
  readonly numbers: readonly number[];
}

const nameAt = (columns: readonly Column[], index: number | undefined): string => columns[index ?? -1]?.name ?? "";

function number(columns: readonly Column[], row: Row, numbers: readonly number[]): ChartChoice {
  const series = numbers.map((index) => ({
    name: nameAt(columns, index),
    points: [{ x: 0, y: Number(row[index]), text: exactText(row[index]) }],
  }));
  return {
    chart: { kind: "number", kinds: ["number"], xName: "", yName: series[0]?.name ?? "", categories: [], series },
  };
}

function line(shape: Shape, wanted: ChartKind | undefined): ChartChoice {
  const { columns, rows, x } = shape;
  // A few times can be compared side by side, too.
  const asBars = bars({ ...shape, rows: rows.toSorted((a, b) => momentOf(a[x]) - momentOf(b[x])) }, wanted);
  const others = "chart" in asBars ? asBars.chart.kinds : [];
  const kinds: readonly ChartKind[] = ["line", ...others];
  if ("chart" in asBars && wanted !== undefined && others.includes(wanted)) {
    return { chart: { ...asBars.chart, kinds } };
  }
  if (rows.length > MOST_POINTS)
    return { why: `More than ${MOST_POINTS.toLocaleString("en")} rows: group them by a longer time.` };
  const placed = rows.map((row) => ({ row, x: momentOf(row[x]) })).filter((each) => Number.isFinite(each.x));
  if (new Set(placed.map((each) => each.x)).size < 2) return { why: "The times of the rows do not differ." };
  const series = seriesOf(shape, placed);
  if (series === undefined) return { why: `More than ${MOST_SERIES} series.` };
  const sorted = series.map((each) => ({ ...each, points: each.points.toSorted((a, b) => a.x - b.x) }));
  return {
    chart: {
      kind: "line",
      kinds,
      xName: nameAt(columns, x),
      yName: yNameOf(shape),
      categories: [],
      series: sorted,
    },
  };
}

function bars(shape: Shape, wanted: ChartKind | undefined): ChartChoice {
  const { columns, rows, x } = shape;
  const categories = [...new Set(rows.map((row) => categoryOf(row[x])))];
  if (categories.length > MOST_CATEGORIES)
    return { why: `More than ${MOST_CATEGORIES} values of ${nameAt(columns, x)}.` };
  if (shape.group === undefined && categories.length < rows.length) {
    return { why: `Several rows have the same ${nameAt(columns, x)}.` };
  }
  const places = new Map(categories.map((category, place) => [category, place]));
  const series = seriesOf(
    shape,
    rows.map((row) => ({ row, x: places.get(categoryOf(row[x])) ?? 0 })),
  );
  if (series === undefined) return { why: `More than ${MOST_SERIES} series.` };
  // A stack of values below zero shows no sum.
  const stacks = series.length > 1 && series.every(({ points }) => points.every(({ y }) => y >= 0));
  const kinds: readonly ChartKind[] = stacks ? ["bars", "stacked"] : ["bars"];
  const kind = wanted !== undefined && kinds.includes(wanted) ? wanted : "bars";
  return { chart: { kind, kinds, xName: nameAt(columns, x), yName: yNameOf(shape), categories, series } };
}

/** Undefined if there are too many. */
function seriesOf(
  { columns, group, numbers }: Shape,
  placed: readonly { readonly row: Row; readonly x: number }[],
): readonly Series[] | undefined {
  const pointAt = (row: Row, index: number, x: number): readonly Point[] => {
    const value = row[index];
    const y = value === null ? Number.NaN : Number(value);
    return Number.isFinite(y) ? [{ x, y, text: exactText(value) }] : [];
  };
  if (group === undefined) {
    if (numbers.length > MOST_SERIES) return undefined;
    return numbers.map((index) => ({
      name: nameAt(columns, index),
      points: placed.flatMap(({ row, x }) => pointAt(row, index, x)),
    }));
  }
  const [first = 0] = numbers;
  const byName = new Map<string, Point[]>();
  for (const { row, x } of placed) {
    const name = categoryOf(row[group]);
    const points = byName.get(name) ?? [];
    points.push(...pointAt(row, first, x));
    byName.set(name, points);
  }
  if (byName.size > MOST_SERIES) return undefined;
  return [...byName].map(([name, points]) => ({ name, points }));
}

const yNameOf = ({ columns, group, numbers }: Shape): string =>
  group === undefined && numbers.length > 1 ? "" : nameAt(columns, numbers[0]);

const categoryOf = (value: unknown): string => (value === null ? "NULL" : exactText(value));

/** `2024-07-01`, `2024-07-01 19:59:59.000000`, with or without an offset. A time without a zone is drawn as UTC. */
export function momentOf(value: unknown): number {
  if (typeof value !== "string") return Number.NaN;
  const [, date, time = "00:00:00", zone = "Z"] =
    /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d:\d\d(?:\.\d{1,3})?)\d*)?(?: ?(Z|[+-]\d\d:\d\d))?$/.exec(value) ?? [];
  return date === undefined ? Number.NaN : Date.parse(`${date}T${time}${zone}`);
}
