/** The rows of the shop that both sides read, from a seed, and the questions that both sides answer. */

const STATUSES = ["paid", "sent", "open", "lost", ""] as const;
const REGIONS = ["north", "south", "east", ""] as const;

/** A generator of 32 bits (mulberry32): equal numbers on every machine. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const day = (number: number): string => new Date(Date.UTC(2025, 6, 1 + number)).toISOString().slice(0, 10);

/** CSV by name. Some orders have no customer, no known customer, no status or no amount. */
export function tables(): ReadonlyMap<string, string> {
  const next = numbers(36);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(next() * values.length)] as T;
  const customers = Array.from({ length: 40 }, (_, at) => [at + 1, pick(REGIONS), day(Math.floor(next() * 200))]);
  const orders = Array.from({ length: 900 }, (_, at) => {
    const amount = next() < 0.05 ? "" : (Math.round(next() * 20_000) / 100).toFixed(2);
    const tax = (Math.round(next() * 900) / 100).toFixed(2);
    return [
      at + 1,
      next() < 0.05 ? "" : Math.ceil(next() * 42),
      day(Math.floor(next() * 400)),
      pick(STATUSES),
      amount,
      tax,
    ];
  });
  const csv = (head: string, rows: readonly (readonly unknown[])[]): string =>
    `${[head, ...rows.map((row) => row.join(","))].join("\n")}\n`;
  return new Map([
    ["orders", csv("order_id,customer_id,ordered_at,status,amount,tax", orders)],
    ["customers", csv("id,region,joined_at", customers)],
  ]);
}

export interface Axis {
  /** In MetricFlow's words. */
  readonly theirs: string;
  /** In a cube query. */
  readonly ours: string | { readonly dimension: string; readonly granularity: string };
}

const time = (theirs: string, dimension: string, granularity: string): Axis => ({
  theirs: `${theirs}__${granularity}`,
  ours: { dimension, granularity },
});
const plain = (theirs: string, ours: string): Axis => ({ theirs, ours });

const STATUS = plain("order__status", "status");
const SIZE = plain("order__size", "size");
const LARGE = plain("order__is_large", "is_large");
const REGION = plain("customer__region", "customer__region");
const MONTH = time("metric_time", "ordered_at", "month");
const JOINED = time("customer__joined_at", "customer__joined_at", "quarter");

export const GROUPINGS: readonly (readonly Axis[])[] = [
  [],
  [STATUS],
  [SIZE],
  [LARGE],
  [REGION],
  [plain("customer", "customer")],
  [MONTH],
  [time("metric_time", "ordered_at", "day")],
  [time("metric_time", "ordered_at", "year")],
  [time("metric_time", "ordered_at", "week")],
  [JOINED],
  [STATUS, REGION],
  [MONTH, STATUS],
  [REGION, JOINED, LARGE],
];
