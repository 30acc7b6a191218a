/** Draws a chart as SVG, with axes of d3-scale. Values are exact in its tooltips; the table of the answer is its equivalent. */
import { scaleBand, scaleLinear, scaleUtc } from "d3-scale";
import { useState } from "preact/hooks";
import type { Chart, ChartKind, Point } from "./chart-data.ts";
import { downloadText } from "./download.ts";
import { shownText } from "./values.ts";

const WIDTH = 720;
const HEIGHT = 320;
const LEFT = 72;
const RIGHT = 16;
const TOP = 14;
const BOTTOM = 46;

interface Mark {
  readonly series: number;
  readonly name: string;
  readonly label: string;
  readonly point: Point;
  /** Where the tooltip stands, in the picture's units. */
  readonly at: readonly [x: number, y: number];
  readonly box?: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
}

interface Drawing {
  readonly marks: readonly Mark[];
  readonly xTicks: readonly { readonly at: number; readonly label: string }[];
  readonly yTicks: readonly { readonly at: number; readonly label: string }[];
}

export function ChartView({ chart, choose }: { readonly chart: Chart; readonly choose: (kind: ChartKind) => void }) {
  if (chart.kind === "number") return <BigNumbers chart={chart} />;
  return <Picture chart={chart} choose={choose} />;
}

function BigNumbers({ chart }: { readonly chart: Chart }) {
  return (
    <dl class="numbers">
      {chart.series.map(({ name, points }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{shownText(points[0]?.text ?? "", "number")}</dd>
        </div>
      ))}
    </dl>
  );
}

function Picture({ chart, choose }: { readonly chart: Chart; readonly choose: (kind: ChartKind) => void }) {
  const [shown, show] = useState<Mark>();
  const drawing = chart.kind === "line" ? drawnLines(chart) : drawnBars(chart);
  const label = `${chart.yName || "Values"} by ${chart.xName}, ${chart.series.length} series. Arrow keys go through the values; the table below has all.`;
  const step = (event: KeyboardEvent): void => {
    const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (by === 0) return;
    event.preventDefault();
    const place = shown === undefined ? -1 : drawing.marks.findIndex((mark) => mark.point === shown.point);
    const { length } = drawing.marks;
    show(drawing.marks[place < 0 ? 0 : (place + by + length) % length]);
  };
  const nearest = (event: PointerEvent): void => {
    const picture = event.currentTarget as SVGSVGElement;
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(picture.getScreenCTM()?.inverse());
    const distance = ({ at: [atX, atY] }: Mark): number => Math.abs(atX - x) * 4 + Math.abs(atY - y);
    show(drawing.marks.toSorted((a, b) => distance(a) - distance(b))[0]);
  };
  return (
    <figure class="chart">
      <figcaption>
        {chart.series.length > 1 && (
          <ul class="legend">
            {chart.series.map(({ name }, index) => (
              <li key={name}>
                <span class={`key s${index}`} aria-hidden="true" />
                {name}
              </li>
            ))}
          </ul>
        )}
        {chart.kinds.length > 1 &&
          chart.kinds.map((kind) => (
            <button key={kind} type="button" aria-pressed={kind === chart.kind} onClick={() => choose(kind)}>
              {KIND_NAMES[kind]}
            </button>
          ))}
        <button type="button" class="save" onClick={(event) => saveSvg(event.currentTarget)}>
          Save SVG
        </button>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="xMinYMid"
        tabindex={0}
        role="img"
        aria-label={label}
        onKeyDown={step}
        onPointerMove={nearest}
        onPointerLeave={() => show(undefined)}
      >
        {drawing.yTicks.map(({ at, label }) => (
          <g key={label}>
            <path class="grid" d={`M${LEFT} ${at}H${WIDTH - RIGHT}`} />
            <text x={LEFT - 8} y={at + 4} text-anchor="end">
              {label}
            </text>
          </g>
        ))}
        {drawing.xTicks.map(({ at, label }) => (
          <text key={`${at}`} x={at} y={HEIGHT - BOTTOM + 18} text-anchor="middle">
            {label}
          </text>
        ))}
        <text x={(WIDTH + LEFT) / 2} y={HEIGHT - 6} text-anchor="middle">
          {chart.xName}
        </text>
        {chart.kind === "line"
          ? chart.series.map(({ name }, index) => (
              <path
                key={name}
                class={`line s${index}`}
                d={pathThrough(drawing.marks.filter((mark) => mark.series === index))}
              />
            ))
          : drawing.marks.map((mark) => (
              <rect key={`${mark.series} ${mark.label}`} class={`bar s${mark.series}`} {...mark.box} />
            ))}
        {shown !== undefined && chart.kind === "line" && (
          <circle class={`dot s${shown.series}`} cx={shown.at[0]} cy={shown.at[1]} r="4" />
        )}
      </svg>
      <p class="tip" role="status">
        {shown === undefined
          ? "Move over the chart for exact values."
          : `${shown.label} · ${shown.name}: ${shown.point.text}`}
      </p>
      <ValueTable chart={chart} marks={drawing.marks} />
    </figure>
  );
}

const KIND_NAMES: Readonly<Record<ChartKind, string>> = {
  line: "Line",
  bars: "Side by side",
  stacked: "Stacked",
  number: "Number",
};

const MOST_LISTED = 500;

/** The same values for those who do not look at pictures. */
function ValueTable({ chart, marks }: { readonly chart: Chart; readonly marks: readonly Mark[] }) {
  const listed = marks.slice(0, MOST_LISTED);
  return (
    <details class="equivalent">
      <summary>Values as a table</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">{chart.xName}</th>
            <th scope="col">Series</th>
            <th scope="col" class="number">
              {chart.yName || "Value"}
            </th>
          </tr>
        </thead>
        <tbody>
          {listed.map(({ label, name, point }) => (
            <tr key={`${name} ${label}`}>
              <th scope="row">{label}</th>
              <td>{name}</td>
              <td class="number">{point.text}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {marks.length > listed.length && <p class="dim">The Result tab has the other {marks.length - listed.length}.</p>}
    </details>
  );
}

function saveSvg(button: HTMLElement): void {
  const picture = button.closest("figure")?.querySelector("svg");
  if (!picture) return;
  const copy = picture.cloneNode(true) as SVGSVGElement;
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  // Colours come from the page's style sheet, which the file does not have.
  const originals = [...picture.querySelectorAll("*")];
  [...copy.querySelectorAll("*")].forEach((element, index) => {
    const original = originals[index];
    if (original === undefined) return;
    const { fill, stroke, fontSize, fontFamily } = getComputedStyle(original);
    for (const [name, value] of Object.entries({ fill, stroke, "font-size": fontSize, "font-family": fontFamily })) {
      element.setAttribute(name, value);
    }
  });
  downloadText("chart.svg", "image/svg+xml", new XMLSerializer().serializeToString(copy));
}

const pathThrough = (marks: readonly Mark[]): string =>
  marks.map(({ at: [x, y] }, index) => `${index === 0 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");

function yScaleOf(values: readonly number[]) {
  return scaleLinear()
    .domain([Math.min(0, ...values), Math.max(0, ...values)])
    .nice(5)
    .range([HEIGHT - BOTTOM, TOP]);
}

function ticksOf(scale: ReturnType<typeof yScaleOf>): Drawing["yTicks"] {
  const short = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 2 });
  return scale.ticks(5).map((value) => ({ at: scale(value), label: short.format(value) }));
}

function drawnLines(chart: Chart): Drawing {
  const points = chart.series.flatMap((series) => series.points);
  const xs = points.map(({ x }) => x);
  const x = scaleUtc()
    .domain([
      xs.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY),
      xs.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY),
    ])
    .range([LEFT, WIDTH - RIGHT]);
  const y = yScaleOf(points.map((point) => point.y));
  const format = x.tickFormat(6);
  return {
    marks: chart.series.flatMap(({ name, points }, series) =>
      points.map((point) => ({
        series,
        name,
        label: new Date(point.x).toISOString().slice(0, 19).replace("T00:00:00", "").replace("T", " "),
        point,
        at: [x(point.x), y(point.y)] as const,
      })),
    ),
    xTicks: x.ticks(6).map((moment) => ({ at: x(moment), label: format(moment) })),
    yTicks: ticksOf(y),
  };
}

function drawnBars(chart: Chart): Drawing {
  const isStacked = chart.kind === "stacked";
  const x = scaleBand<number>()
    .domain(chart.categories.map((_, place) => place))
    .range([LEFT, WIDTH - RIGHT])
    .padding(0.2);
  const inner = scaleBand<number>()
    .domain(chart.series.map((_, place) => place))
    .range([0, x.bandwidth()]);
  const sums = chart.categories.map((_, place) =>
    chart.series.reduce((sum, { points }) => sum + (points.find((point) => point.x === place)?.y ?? 0), 0),
  );
  const y = yScaleOf(isStacked ? sums : chart.series.flatMap(({ points }) => points.map((point) => point.y)));
  const below = chart.categories.map(() => 0);
  const marks = chart.series.flatMap(({ name, points }, series) =>
    points.map((point): Mark => {
      const base = isStacked ? (below[point.x] ?? 0) : 0;
      below[point.x] = base + point.y;
      const left = (x(point.x) ?? 0) + (isStacked ? 0 : (inner(series) ?? 0));
      const [top, bottom] = [y(Math.max(base, base + point.y)), y(Math.min(base, base + point.y))];
      const width = isStacked ? x.bandwidth() : inner.bandwidth();
      const box = { x: left, y: top, width: Math.max(width - 1, 1), height: bottom - top };
      return { series, name, label: chart.categories[point.x] ?? "", point, at: [left + width / 2, top], box };
    }),
  );
  const each = Math.ceil(chart.categories.length / 12);
  const short = (text: string): string => (text.length > 14 ? `${text.slice(0, 13)}…` : text);
  return {
    marks,
    xTicks: chart.categories.flatMap((category, place) =>
      place % each === 0 ? [{ at: (x(place) ?? 0) + x.bandwidth() / 2, label: short(category) }] : [],
    ),
    yTicks: ticksOf(y),
  };
}
