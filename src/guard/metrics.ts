/** Numbers for Prometheus, in its text format (https://prometheus.io/docs/instrumenting/exposition_formats/), version 0.0.4. */

/** `Content-Type` of the text. */
export const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

export type Labels = Readonly<Record<string, string>>;

export interface Sample {
  readonly labels?: Labels;
  readonly value: number;
}

interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly lines: () => readonly string[];
}

/** Names are ours and labels come from closed lists: what callers write would make a series of each of their texts. */
export class Metrics {
  readonly #families: Family[] = [];

  /** Called for each report of the metrics, for values that other code counts. */
  register(name: string, help: string, type: "counter" | "gauge", collect: () => readonly Sample[]): void {
    const lines = () => collect().map(({ labels = {}, value }) => line(name, labels, value));
    this.#add({ name, help, type, lines });
  }

  counter(name: string, help: string): (labels?: Labels, by?: number) => void {
    const series = new Map<string, { readonly labels: Labels; value: number }>();
    this.register(name, help, "counter", () => [...series.values()]);
    return (labels = {}, by = 1) => {
      const key = JSON.stringify(labels);
      const known = series.get(key);
      if (known === undefined) series.set(key, { labels, value: by });
      else known.value += by;
    };
  }

  /** `bounds` ascend; each bucket counts the values up to its bound. */
  histogram(name: string, help: string, bounds: readonly number[]): (labels: Labels, value: number) => void {
    const series = new Map<
      string,
      { readonly labels: Labels; readonly counts: number[]; sum: number; count: number }
    >();
    const lines = () =>
      [...series.values()].flatMap(({ labels, counts, sum, count }) => [
        ...bounds.map((bound, at) => line(`${name}_bucket`, { ...labels, le: String(bound) }, counts[at] ?? 0)),
        line(`${name}_bucket`, { ...labels, le: "+Inf" }, count),
        line(`${name}_sum`, labels, sum),
        line(`${name}_count`, labels, count),
      ]);
    this.#add({ name, help, type: "histogram", lines });
    return (labels, value) => {
      const key = JSON.stringify(labels);
      const one = series.get(key) ?? { labels, counts: bounds.map(() => 0), sum: 0, count: 0 };
      series.set(key, one);
      for (const [at, bound] of bounds.entries()) if (value <= bound) one.counts[at] = (one.counts[at] ?? 0) + 1;
      one.sum += value;
      one.count++;
    };
  }

  text(): string {
    const families = this.#families.map(({ name, help, type, lines }) =>
      [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines()].join("\n"),
    );
    return `${families.join("\n")}\n`;
  }

  #add(family: Family): void {
    if (this.#families.some(({ name }) => name === family.name)) throw new Error(`${family.name} is registered twice`);
    this.#families.push(family);
  }
}

function line(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
  return `${name}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${value}`;
}

function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
