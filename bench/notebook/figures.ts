/** Numbers of a sample, and how they are written. */

export interface Distribution {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

export function distribution(samples: readonly number[]): Distribution {
  const sorted = samples.toSorted((a, b) => a - b);
  return { count: sorted.length, p50: rank(sorted, 0.5), p99: rank(sorted, 0.99), max: sorted.at(-1) ?? Number.NaN };
}

export function median(samples: readonly number[]): number {
  return distribution(samples).p50;
}

/** The nearest rank: a value that was measured, never one in between. */
function rank(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** Three digits that count: `0.0957`, `12.3`, `1234`. */
export function milliseconds(value: number): string {
  if (value >= 100) return value.toFixed(0);
  return value >= 1 ? value.toFixed(1) : value.toPrecision(3);
}

export function mebibytes(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(1);
}

export function kibibytes(bytes: number): string {
  return (bytes / 1024).toFixed(1);
}

/** `12,345` */
export function whole(value: number): string {
  return Math.round(value).toLocaleString("en-GB");
}
